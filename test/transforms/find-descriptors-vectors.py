# Vectors that a loop's products need come with the blocks that the copy engine brings: as one box each. What is masked off there is
# zero, in place of which a choice puts other numbers; with zeros there is no choice. Vectors of another length than one copy brings, of
# i1, and those of loops without blocks stay as they are.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel biased --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32, i32" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-find-descriptors - | FileCheck %s
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel narrow --signature "*fp16:16, *fp16:16, *fp32:16, *fp16:16, *fp32:16, i32" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-find-descriptors - | FileCheck %s --check-prefix=NARROW
# A chain of two products with vectors has one channel, and is not one iteration ahead with the first product. Equal to the bit without
# tensor maps, for lengths of which rows are multiples of 16 bytes, and others.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel biased --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32, i32" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ROLES
# RUN: tile-run %s --kernel biased --check --device emulator --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32, i32" --arg q=fp16[2,128,128]:rand --arg k=fp16[2,300,128]:rand --arg v=fp16[2,300,128]:rand --arg bias=fp32[2,300]:rand --arg gain=fp32[2,300]:rand --arg out=fp32[2,128,128]:poison --arg n=i32:300 --arg stride=i32:300 --print out:32768 > %t.300
# RUN: tile-run %s --kernel biased --check --device emulator --tensor-maps off --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32, i32" --arg q=fp16[2,128,128]:rand --arg k=fp16[2,300,128]:rand --arg v=fp16[2,300,128]:rand --arg bias=fp32[2,300]:rand --arg gain=fp32[2,300]:rand --arg out=fp32[2,128,128]:poison --arg n=i32:300 --arg stride=i32:300 --print out:32768 | cmp %t.300 -
# RUN: tile-run %s --kernel biased --check --device emulator --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32, i32" --arg q=fp16[2,128,128]:rand --arg k=fp16[2,300,128]:rand --arg v=fp16[2,300,128]:rand --arg bias=fp32[2,301]:rand --arg gain=fp32[2,301]:rand --arg out=fp32[2,128,128]:poison --arg n=i32:300 --arg stride=i32:301 --print out:32768 > %t.301
# RUN: tile-run %s --kernel biased --check --device emulator --tensor-maps off --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, *fp32:16, i32, i32" --arg q=fp16[2,128,128]:rand --arg k=fp16[2,300,128]:rand --arg v=fp16[2,300,128]:rand --arg bias=fp32[2,301]:rand --arg gain=fp32[2,301]:rand --arg out=fp32[2,128,128]:poison --arg n=i32:300 --arg stride=i32:301 --print out:32768 | cmp %t.301 -
import triton
import triton.language as tl


# CHECK: scf.for
# CHECK: tile.descriptor_load{{.*}}tensor<128x128xf16>
# CHECK: %[[BIAS:.*]] = "tile.descriptor_load"{{.*}}tensor<128xf32>
# CHECK: arith.select %{{.*}}, %[[BIAS]]
# CHECK: tile.descriptor_load{{.*}}tensor<128x128xf16>
# CHECK: "tile.descriptor_load"{{.*}}tensor<128xf32>
# CHECK-NOT: arith.select
# CHECK: scf.yield
# ROLES-LABEL: func.func @biased$tma(
# ROLES-SAME: tile_gpu.producer_warps = 4
# ROLES: "tile_gpu.mbarrier_expect"({{.*}}) {bytes = 66560 : i32}
# ROLES-NOT: mbarrier_expect
# ROLES: tile_gpu.local_load{{.*}}memref<128xf32
# ROLES: func.func @biased(
@triton.jit
def biased(q, k, v, bias, gain, out, n, stride):
    head = tl.program_id(0)
    rows, dims = tl.arange(0, 128), tl.arange(0, 128)
    own = head * 128 * 128 + rows[:, None] * 128 + dims[None, :]
    query = tl.load(q + own)
    sums = tl.zeros((128, 128), tl.float32)
    for i in range(0, n, 128):
        at = i + tl.arange(0, 128)
        inside = at < n
        key = tl.load(k + head * n * 128 + at[:, None] * 128 + dims[None, :], mask=inside[:, None], other=0.0)
        add = tl.load(bias + head * stride + at, mask=inside, other=float("-inf"))
        p = tl.math.exp2(tl.dot(query, key.T) + add[None, :])
        value = tl.load(v + head * n * 128 + at[:, None] * 128 + dims[None, :], mask=inside[:, None], other=0.0)
        p *= tl.load(gain + head * stride + at, mask=inside, other=0.0)[None, :]
        sums = tl.dot(p.to(tl.float16), value, sums)
    tl.store(out + own, sums)


# NARROW: scf.for
# NARROW: tile.descriptor_load{{.*}}tensor<32x64xf16>
# NARROW-NOT: tile.descriptor_load{{.*}}tensor<32xf16>
# NARROW: scf.yield
@triton.jit
def narrow(a, b, out, scales, wide, n):
    rows, steps, dims = tl.arange(0, 64), tl.arange(0, 32), tl.arange(0, 64)
    sums = tl.zeros((64, 64), tl.float32)
    for i in range(0, n, 32):
        x = tl.load(a + (i + steps)[:, None] * 64 + rows[None, :], mask=(i + steps)[:, None] < n, other=0.0)
        scale = tl.load(scales + i + steps, mask=i + steps < n, other=0.0)
        y = tl.load(b + (i + steps)[:, None] * 64 + dims[None, :], mask=(i + steps)[:, None] < n, other=0.0)
        sums = tl.dot((x * scale[:, None]).T, y, sums)
    tl.store(out + rows[:, None] * 64 + dims[None, :], sums)
