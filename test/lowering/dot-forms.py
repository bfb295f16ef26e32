# What products compute: the parts that "tf32x3", "bf16x3" and "bf16x6" split f32 into, infinity in them, batches with
# several dimensions, nvfp4, and sums of i8 at the end of their range.
# RUN: tile-run %s --device emulator --check --kernel parts --grid 1 --target sm_80 --arg out=fp32[4]:poison --print out | FileCheck %s --check-prefix=PARTS
# RUN: tile-run %s --device emulator --check --kernel parts --grid 1 --num-warps 1 --arg out=fp32[4]:poison --print out | FileCheck %s --check-prefix=PARTS
# RUN: tile-run %s --device emulator --check --kernel infinities --grid 1 --target sm_80 --arg out=fp32[12]:poison --print out:12 | FileCheck %s --check-prefix=INFINITE
# RUN: tile-run %s --device emulator --check --kernel infinities --grid 1 --arg out=fp32[12]:poison --print out:12 | FileCheck %s --check-prefix=INFINITE
# RUN: tile-run %s --device emulator --check --kernel batches --grid 1 --target sm_80 --arg wrong=i32[3]:poison --print wrong 2>/dev/null | FileCheck %s --check-prefix=BATCHES
# RUN: tile-run %s --device emulator --check --kernel batches --grid 1 --arg wrong=i32[3]:poison --print wrong 2>/dev/null | FileCheck %s --check-prefix=BATCHES
# RUN: tile-run %s --device emulator --check --kernel nvfp4 --grid 1 --arg out=fp32[256]:poison --print out:3 | FileCheck %s --check-prefix=NVFP4
# RUN: tile-run %s --device emulator --check --kernel full --grid 1 --target sm_80 --arg out=i32[2]:poison --print out | FileCheck %s --check-prefix=FULL
# RUN: tile-run %s --device emulator --check --kernel full --grid 1 --target sm_90a --arg out=i32[2]:poison --print out | FileCheck %s --check-prefix=WRAPPED
# RUN: tile-translate --tile-to-ptx --target sm_80 --kernel full --signature "*i32" %s | FileCheck %s --check-prefix=SYNC
# RUN: tile-translate --tile-to-ptx --target sm_90a --kernel full --signature "*i32" %s | FileCheck %s --check-prefix=WGMMA
# RUN: tile-translate --tile-to-ptx --target sm_80 --kernel six --num-warps 2 --signature "*fp32:16, *fp32:16" %s | FileCheck %s --check-prefix=SIX
import triton, triton.language as tl

# 2^20 + 2^10 + 1, sixteen times: one bit in each of three parts of bf16, in each of two of tf32 with ten bits of
# fraction.
# PARTS: out = 16793616 16793600 16793616 16793616
@triton.jit
def parts(out):
    x = tl.full((16, 16), 1049601.0, tl.float32)
    y = tl.full((16, 16), 1.0, tl.float32)
    first = (tl.arange(0, 16)[:, None] == 0) & (tl.arange(0, 16)[None, :] == 0)
    at = out + tl.arange(0, 16)[:, None] + tl.arange(0, 16)[None, :]
    tl.store(at, tl.dot(x, y, input_precision="tf32x3"), mask=first)
    tl.store(at + 1, tl.dot(x, y, input_precision="bf16x3"), mask=first)
    tl.store(at + 2, tl.dot(x, y, input_precision="bf16x6"), mask=first)
    tl.store(at + 3, tl.dot(y, x, input_precision="bf16x6"), mask=first)

# Infinity has no rest, and what is 1 has 0: their product is not the sum's.
# INFINITE: out = inf 16 nan 32 inf 16 nan 32 inf 16 nan 32
@triton.jit
def infinities(out):
    row, column = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    x = tl.full((16, 16), 1.0, tl.float32)
    special = tl.where(column == 0, float("inf"), tl.where(column == 2, float("nan"), 2.0))
    y = tl.where((row == 3) & (column != 3), tl.where(column == 1, 1.0, special), tl.where(column == 3, 2.0, 1.0))
    at, wanted = out + row + column, (row == 0) & (column < 4)
    tl.store(at, tl.dot(x, y, input_precision="tf32x3"), mask=wanted)
    tl.store(at + 4, tl.dot(x, y, input_precision="bf16x3"), mask=wanted)
    tl.store(at + 8, tl.dot(x, y, input_precision="bf16x6"), mask=wanted)

# Each with a sum to start from, as one of three dimensions.
# BATCHES: wrong = 0 0 0
@triton.jit
def same(a, b, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, PRECISION: tl.constexpr):
    x, y, z = tl.reshape(a, A), tl.reshape(b, B), tl.reshape(tl.permute(a, (0, 2, 1)), C)
    c = tl.dot(a, b, acc=tl.permute(a, (0, 2, 1)).to(tl.float32), input_precision=PRECISION)
    d = tl.dot(x, y, acc=z.to(tl.float32), input_precision=PRECISION)
    return tl.sum(tl.ravel((tl.reshape(c, C) != d).to(tl.int32)))

@triton.jit
def batches(wrong):
    b, m, k = tl.arange(0, 4)[:, None, None], tl.arange(0, 16)[None, :, None], tl.arange(0, 16)[None, None, :]
    a, c = ((b * 5 + m * 3 + k * 7) % 11).to(tl.float16), ((b * 3 + m * 5 + k) % 13).to(tl.float16)
    tl.store(wrong, same(a, c, (2, 2, 16, 16), (2, 2, 16, 16), (2, 2, 16, 16), "tf32"))
    tl.store(wrong + 1, same(a, c, (2, 1, 2, 16, 16), (2, 1, 2, 16, 16), (2, 1, 2, 16, 16), "tf32"))
    tl.store(wrong + 2, same(a.to(tl.float32), c.to(tl.float32), (1, 4, 16, 16), (1, 4, 16, 16), (1, 4, 16, 16), "ieee"))

# Ones, of which each sixteen along K have a scale of their own: 16 (1.5 1.5 + 2.5 2.5 + 3.5 3.5 + 4.5 4.5).
# NVFP4: out = 656 656 656
@triton.jit
def nvfp4(out):
    x, y = tl.full((16, 32), 0x22, tl.uint8), tl.full((32, 16), 0x22, tl.uint8)
    scales = (tl.arange(0, 4)[None, :] + tl.zeros((16, 1), tl.int32)).to(tl.float32) + 1.5
    scales = scales.to(tl.float8e4nv)
    d = tl.dot_scaled(x, scales, "e2m1", y, scales, "e2m1")
    tl.store(out + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], d)

# mma.sync stops at the end of the range, wgmma goes on at the other one.
# FULL: out = 2147483647 -2147483648
# WRAPPED: out = -2147481609 2147481608
# SYNC: mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32
# WGMMA: wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8
@triton.jit
def full(out):
    x = tl.full((64, 32), 8, tl.int8)
    y = (tl.zeros((32, 16), tl.int32) + tl.where(tl.arange(0, 16)[None, :] == 1, -8, 8)).to(tl.int8)
    column = tl.arange(0, 16)[None, :] + tl.zeros((64, 1), tl.int32)
    start = tl.where(column == 1, -2147483640, 2147483639)
    wanted = (tl.arange(0, 64)[:, None] == 0) & (column < 2)
    tl.store(out + column, tl.dot(x, y, acc=start), mask=wanted)

# Six products of 16 numbers along K, for each fragment of accumulators; nothing of f32 is multiplied but by adding up.
# SIX-NOT: mma.sync{{.*}}tf32
# SIX-COUNT-6: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
# SIX-NOT: mma.sync
@triton.jit
def six(a, out):
    at = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    x = tl.load(a + at)
    tl.store(out + at, tl.dot(x, x, input_precision="bf16x6"))
