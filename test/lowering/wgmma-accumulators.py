# Accumulators of wgmma that do not come from another wgmma: what writes them stands before the fence, whatever else
# uses their values, so that ptxas need not put waits and fences of its own between the instructions (C7517, C7519).
# UNSUPPORTED: short
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t from_constant "*fp16:16, *fp16:16, *fp32:16" "128, 64, 64" "64, 64, 32" "64, 128, 64" %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t from_bias "*fp16:16, *fp16:16, *fp32:16, *fp32:16" "128, 64, 64" "64, 64, 32" %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t used_twice "*fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16" "128, 64, 64" "64, 64, 32" %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t carried_copy "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32" "128, 64, 64" "64, 64, 32" %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t chosen "*fp16:16, *fp16:16, *fp32:16, i32" "128, 64, 64" "64, 64, 32" %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t computed_factor "*fp16:16, *fp16:16, *fp32:16, i32" "128, 64, 64" "64, 128, 64" %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t from_constant "*i8:16, *i8:16, *i32:16" "128, 64, 64" %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t from_constant "*fp16:16, *fp16:16, *fp16:16" "64, 64, 32" %}
# RUN: %if ptxas %{ sh %S/Inputs/waits-of-ptxas.sh %s %t half_sums "*fp16:16, *fp16:16, *fp16:16, i32" "128, 64, 64" %}
#
# Sums of f16 are two in a register, which goes round the loop as it is.
# RUN: tile-translate --tile-to-ptx %s --kernel half_sums --signature "*fp16:16, *fp16:16, *fp16:16, i32, 64, 64, 32" -o - | FileCheck %s --check-prefix=HALF
# HALF: wgmma.fence
# HALF-COUNT-2: wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{([0-9]+, %r){14}[0-9]+}}}, %rd
# HALF-NOT: mov.b32 {{.*}}, {%
# HALF: bra
# RUN: tile-run %s --device emulator --check --kernel half_sums --signature "*fp16:16, *fp16:16, *fp16:16, i32, 64, 64, 32" --grid 1 --arg a=fp16[3,64,32]:ones --arg b=fp16[3,32,64]:ones --arg out=fp16[64,64]:arange --arg size=i32:3 --print out:3 | FileCheck %s --check-prefix=HALVES
# HALVES: out = 96 97 98
#
# A tile of one element that they are multiplied with has their layout, and no pair.
# RUN: tile-run %s --device emulator --check --kernel scaled_sums --signature "*fp16:16, *fp16:16, i32" --grid 1 --arg a=fp16[64,64]:ones --arg out=fp16[64,64]:poison --arg n=i32:3 --print out:3 | FileCheck %s --check-prefix=SCALED
# SCALED: out = 32 32 32
#
# A tile that is both a first factor in registers and what the sums start from is in registers of its own as either:
# the sums are written while the factor is still read.
# RUN: tile-translate --tile-to-ptx %s --target sm_90a --kernel same_value --signature "*fp16:16, *fp16:16, *fp16:16" -o - | FileCheck %s --check-prefix=SAME
# SAME: mov.b32 [[FIRST:%r[0-9]+]], [[SUM:%r[0-9]+]];
# SAME: wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 {[[SUM]], {{.*}}}, {[[FIRST]], {{.*}}}, %rd
#
# Sums that are more than registers are multiplied by mma.sync, which does less harm, and said so; ptxas refuses wgmma with 256
# columns for 16 warps, of 128 registers each.
# RUN: tile-translate --tile-to-ptx %s --kernel from_constant --signature "*fp16:16, *fp16:16, *fp32:16, 64, 512, 32" -o %t.ptx 2>&1 | FileCheck %s --check-prefix=LARGE
# LARGE: wgmma-accumulators.py:[[#]]:[[#]]: warning: tile.dot: its accumulators take 256 registers of each thread; with 4 warps a thread has 255
# RUN: FileCheck %s --check-prefix=SYNC < %t.ptx
# SYNC-NOT: wgmma
# SYNC: mma.sync
# RUN: %if ptxas %{ tile-translate --tile-to-cubin %s --kernel from_constant --signature "*fp16:16, *fp16:16, *fp32:16, 256, 256, 32" --num-warps 16 -o %t.cubin %}
# RUN: %if ptxas %{ tile-translate --tile-to-cubin %s --kernel from_constant --signature "*fp16:16, *fp16:16, *fp32:16, 256, 128, 32" --num-warps 32 -o %t.cubin %}
# RUN: tile-run %s --device emulator --check --kernel from_constant --signature "*fp16:16, *fp16:16, *fp32:16, 64, 512, 32" --grid 1 --arg a=fp16[64,32]:ones --arg b=fp16[32,512]:ones --arg out=fp32[64,512]:poison --print out:2 2>/dev/null | FileCheck %s --check-prefix=CONSTANT
#
# Nothing is left to be moved after the fence.
# RUN: tile-translate --tile-to-ptx %s --kernel from_constant --signature "*fp16:16, *fp16:16, *fp32:16, 64, 64, 32" -o - | FileCheck %s --check-prefix=PTX
# PTX: mov.b32 {{.*}}, 1069547520;
# PTX: wgmma.fence.sync.aligned;
# PTX-NOT: mov.b32
# PTX-COUNT-2: wgmma.mma_async
#
# The sums are right, too.
# RUN: tile-run %s --device emulator --check --kernel from_constant --signature "*fp16:16, *fp16:16, *fp32:16, 64, 64, 32" --grid 1 --arg a=fp16[64,32]:ones --arg b=fp16[32,64]:ones --arg out=fp32[64,64]:poison --print out:2 | FileCheck %s --check-prefix=CONSTANT
# CONSTANT: out = 33.5 33.5
# RUN: tile-run %s --device emulator --check --kernel used_twice --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, 128, 64, 32" --grid 1 --arg a=fp16[256,32]:ones --arg b=fp16[32,64]:ones --arg start=fp32[128,64]:arange --arg one=fp32[128,64]:poison --arg two=fp32[128,64]:poison --print start:3 --print one:3 --print two:3 | FileCheck %s --check-prefix=TWICE
# TWICE: start = 0 2 4
# TWICE: one = 32 33 34
# TWICE: two = 32 33 34
# RUN: tile-run %s --device emulator --check --kernel carried_copy --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32, 64, 64, 32" --grid 1 --arg a=fp16[3,64,32]:ones --arg b=fp16[3,32,64]:ones --arg out=fp32[64,64]:poison --arg before=fp32[64,64]:poison --arg size=i32:3 --print out:2 --print before:2 | FileCheck %s --check-prefix=CARRIED
# CARRIED: out = 96 96
# CARRIED: before = 64 64
# RUN: tile-run %s --device emulator --check --kernel computed_factor --signature "*fp16:16, *fp16:16, *fp32:16, i32, 128, 64, 64" --grid 1 --arg q=fp16[128,64]:ones --arg v=fp16[2,64,64]:ones --arg out=fp32[128,64]:poison --arg size=i32:2 --print out:2 | FileCheck %s --check-prefix=FACTOR
# FACTOR: out = 8193 8193
import triton
import triton.language as tl


@triton.jit
def tile(p, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    return p + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]


@triton.jit
def from_constant(a, b, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    TYPE: tl.constexpr = out.dtype.element_ty
    if TYPE == tl.int32:
        start = tl.full((M, N), 3, TYPE)
        y = tl.trans(tl.load(tile(b, N, K)))
    else:
        start = tl.full((M, N), 1.5, TYPE)
        y = tl.load(tile(b, K, N))
    tl.store(tile(out, M, N), tl.dot(tl.load(tile(a, M, K)), y, start, out_dtype=TYPE))


@triton.jit
def half_sums(a, b, out, size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    sum = tl.load(tile(out, M, N))
    for i in range(0, size):
        x = tl.load(tile(a + i * M * K, M, K))
        y = tl.load(tile(b + i * N * K, K, N))
        sum = tl.dot(x, y, sum, out_dtype=tl.float16)
    tl.store(tile(out, M, N), sum)


@triton.jit
def from_bias(a, b, bias, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    start = tl.broadcast_to(tl.load(bias + tl.arange(0, N))[None, :], (M, N))
    tl.store(tile(out, M, N), tl.dot(tl.load(tile(a, M, K)), tl.load(tile(b, K, N)), start))


# Two sums from one start, which is needed after them, too.
@triton.jit
def used_twice(a, b, start, one, two, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    x = tl.load(tile(a, M, K))
    y = tl.load(tile(b, K, N))
    sum = tl.load(tile(start, M, N))
    first = tl.dot(x, y, sum)
    second = tl.dot(tl.load(tile(a + M * K, M, K)), y, sum)
    tl.store(tile(one, M, N), first)
    tl.store(tile(two, M, N), second)
    tl.store(tile(start, M, N), sum + sum)


# The sum of the iteration before is kept.
@triton.jit
def carried_copy(a, b, out, before, size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    sum = tl.zeros((M, N), tl.float32)
    last = sum
    for i in range(0, size):
        last = sum
        sum = tl.dot(tl.load(tile(a + i * M * K, M, K)), tl.load(tile(b + i * N * K, K, N)), sum)
    tl.store(tile(out, M, N), sum)
    tl.store(tile(before, M, N), last)


@triton.jit
def chosen(a, b, out, flag, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    if flag > 0:
        start = tl.load(tile(out, M, N))
    else:
        start = tl.full((M, N), 1.0, tl.float32)
    tl.store(tile(out, M, N), tl.dot(tl.load(tile(a, M, K)), tl.load(tile(b, K, N)), start))


# The first factor is computed in registers, and packed there.
@triton.jit
def computed_factor(q, v, out, size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    sum = tl.full((M, K), 1.0, tl.float32)
    for i in range(0, size):
        y = tl.load(tile(v + i * N * K, N, K))
        s = tl.dot(tl.load(tile(q, M, K)), tl.trans(y))
        sum = tl.dot(s.to(tl.float16), y, sum)
    tl.store(tile(out, M, K), sum)

@triton.jit
def scaled_sums(a, out, n):
    at = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    x = tl.load(a + at)
    sums = tl.zeros((64, 64), tl.float16)
    scale = tl.load(a + tl.arange(0, 1)[:, None] + tl.arange(0, 1)[None, :])
    for i in range(n):
        sums = tl.dot(x, x, sums, out_dtype=tl.float16) * scale
        scale = scale * 0.5
    tl.store(out + at, sums)

@triton.jit
def same_value(a, b, out):
    rows, columns = tl.arange(0, 64)[:, None] * 32, tl.arange(0, 32)[None, :]
    y = tl.load(b + tl.arange(0, 32)[:, None] * 32 + columns)
    x = tl.dot(tl.load(a + rows + columns), y).to(tl.float16)
    tl.store(out + rows + columns, tl.dot(x, y, acc=x, out_dtype=tl.float16))
