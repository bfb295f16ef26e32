# Products of one iteration, some of which need another one's result: those that do not start beside the first, and each is waited for
# where its result is used.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel four --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# The first two start behind one fence, and the copies of the next iteration behind both.
# RUN: tile-translate --tile-to-ptx --num-warps 8 --num-stages 2 --kernel four --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | FileCheck %s --check-prefix=PTX
# Equal to the bit without that, for loops of several iterations and of none.
# RUN: tile-run %s --kernel four --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg a=fp16[128,64]:rand --arg b=fp16[320,64]:rand --arg c=fp16[320,64]:rand --arg out=fp32[2,128,64]:poison --arg n=i32:320 --print out:16384 > %t.320
# RUN: env TILE_SKIP_PASSES=tile-gpu-advance-products tile-run %s --kernel four --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg a=fp16[128,64]:rand --arg b=fp16[320,64]:rand --arg c=fp16[320,64]:rand --arg out=fp32[2,128,64]:poison --arg n=i32:320 --print out:16384 | cmp %t.320 -
# RUN: tile-run %s --kernel four --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg a=fp16[128,64]:rand --arg b=fp16[320,64]:rand --arg c=fp16[320,64]:rand --arg out=fp32[2,128,64]:poison --arg n=i32:0 --print out:16384 > %t.0
# RUN: env TILE_SKIP_PASSES=tile-gpu-advance-products tile-run %s --kernel four --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg a=fp16[128,64]:rand --arg b=fp16[320,64]:rand --arg c=fp16[320,64]:rand --arg out=fp32[2,128,64]:poison --arg n=i32:0 --print out:16384 | cmp %t.0 -
# Of few registers nothing moves.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel four --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup '--tile-gpu-advance-products=registers=64' - | FileCheck %s --check-prefix=NONE
# A store between two products keeps the second one behind it, and the first one's wait before it.
# RUN: tile-translate --import-triton --num-warps 4 --num-stages 1 --kernel storing --signature "*fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=4 - | FileCheck %s --check-prefix=STORING
# Products of warps have no waits.
# RUN: tile-translate --tile-to-ptx --target sm_80 --num-warps 8 --num-stages 2 --kernel four --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | FileCheck %s --check-prefix=WARPS
import triton
import triton.language as tl


# CHECK-LABEL: func.func @four(
# CHECK: scf.for
# CHECK: %[[S:.*]] = "tile_gpu.warpgroup_dot"
# CHECK: %[[G:.*]] = "tile_gpu.warpgroup_dot"
# CHECK-NOT: warpgroup_dot
# CHECK: tile_gpu.async_commit
# CHECK: "tile_gpu.warpgroup_dot_wait"(%[[S]]){{.*}}pending = 1
# CHECK-NOT: warpgroup_dot
# CHECK: math.exp2
# CHECK: %[[X:.*]] = "tile_gpu.warpgroup_dot"
# CHECK: "tile_gpu.warpgroup_dot_wait"(%[[G]]){{.*}}pending = 1
# CHECK: arith.mulf
# CHECK: %[[Y:.*]] = "tile_gpu.warpgroup_dot"
# CHECK-NEXT: "tile_gpu.warpgroup_dot_wait"(%[[X]]){{.*}}pending = 1
# CHECK-NEXT: "tile_gpu.warpgroup_dot_wait"(%[[Y]]){{.*}}pending = 0
# CHECK-NEXT: scf.yield
# PTX-LABEL: .entry four(
# PTX: wgmma.fence
# PTX-COUNT-4: wgmma.mma_async
# PTX-NEXT: wgmma.commit_group
# PTX-NEXT: wgmma.mma_async
# PTX-COUNT-3: wgmma.mma_async
# PTX-NEXT: wgmma.commit_group
# PTX: cp.async
# PTX: wgmma.wait_group.sync.aligned 1
# NONE: scf.for
# NONE-COUNT-4: pending = 0
# NONE-NOT: pending = 1
# STORING: scf.for
# STORING: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 0
# STORING: tile.store
# STORING: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 0
# WARPS-NOT: wgmma
@triton.jit
def four(a, b, c, out, n):
    rows, cols = tl.arange(0, 128), tl.arange(0, 64)
    own = rows[:, None] * 64 + cols[None, :]
    x = tl.load(a + own)
    first = tl.zeros((128, 64), tl.float32)
    second = tl.zeros((128, 64), tl.float32)
    for i in range(0, n, 64):
        at = (i + tl.arange(0, 64))[:, None] * 64 + cols[None, :]
        y = tl.load(b + at)
        p = tl.math.exp2(tl.dot(x, y.T))
        z = tl.load(c + at)
        first = tl.dot(p.to(tl.float16), z, first)
        g = p * tl.dot(x, z.T)
        second = tl.dot(g.to(tl.float16), y, second)
    tl.store(out + own, first)
    tl.store(out + 128 * 64 + own, second)


@triton.jit
def storing(a, b, out, n):
    rows, cols = tl.arange(0, 64), tl.arange(0, 64)
    own = rows[:, None] * 64 + cols[None, :]
    x = tl.load(a + own)
    for i in range(0, n, 64):
        y = tl.load(b + i * 64 + own)
        tl.store(out + i * 128 + own, tl.dot(x, y))
        tl.store(out + i * 128 + 4096 + own, tl.dot(x, y.T))
