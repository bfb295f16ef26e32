# RUN: tile-translate --import-triton --num-stages 3 --kernel decayed --signature '*bf16:16, *bf16:16, *fp32:16, *fp32:16, i32' %s | tile-opt --tile-to-tile-gpu | FileCheck %s
# RUN: tile-translate --import-triton --num-stages 3 --kernel decayed --signature '*bf16:16, *bf16:16, *fp32:16, *fp32:16, i32' %s | env TILE_SKIP_PASSES=tile-gpu-pipeline tile-opt --tile-to-tile-gpu -o %t.before.mlir
# RUN: tile-opt --tile-gpu-pipeline %t.before.mlir | FileCheck %s
# RUN: tile-run %s --device emulator --kernel decayed --grid 1 --check --arg a=bf16[8192]:1 --arg b=bf16[8192]:1 --arg scale=fp32[2]:0.5 --arg out=fp32[4096]:poison --arg n=i32:2 --print out:1 | FileCheck %s --check-prefix=OUT

# A number that each step's operands are multiplied by is loaded an iteration ahead: it would be waited for in each, and
# takes one register.
import triton
import triton.language as tl


# CHECK: %[[FIRST:.*]] = "tile.load"({{.*}} -> f32
# CHECK: scf.for {{.*}}iter_args({{.*}} = %[[FIRST]]
# CHECK: "tile.load"({{.*}} -> f32
# CHECK: tile_gpu.async_wait
# CHECK: scf.yield
# OUT: out = 64
@triton.jit
def decayed(a, b, scale, out, n):
    i = tl.arange(0, 64)
    at = i[:, None] * 64 + i[None, :]
    sums = tl.zeros((64, 64), tl.float32)
    for k in range(n):
        x = (tl.load(a + k * 4096 + at) * tl.load(scale + k)).to(tl.bfloat16)
        sums = tl.dot(x, tl.load(b + k * 4096 + at), sums)
    tl.store(out + at, sums)
