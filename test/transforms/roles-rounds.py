# Results that leave in rounds of fewer bytes, where two stages would not fit into shared memory beside rounds of 32 KiB: 64 KiB for x,
# 128 KiB for the stages. The loop has roles then.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel wide --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, 64" %s | env TILE_SKIP_PASSES=tile-gpu-bulk-stores tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# They move the same numbers.
# RUN: tile-run %s --kernel wide --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, 64" --arg q=fp16[128,256]:rand --arg k=fp16[256,256]:rand --arg v=fp16[256,256]:rand --arg out=fp16[128,256]:poison --arg n=i32:256 --print out:32768 > %t.rounds
# RUN: tile-run %s --kernel wide --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, 64" --arg q=fp16[128,256]:rand --arg k=fp16[256,256]:rand --arg v=fp16[256,256]:rand --arg out=fp16[128,256]:poison --arg n=i32:256 --print out:32768 --tensor-maps off | cmp %t.rounds -
# Blocks of 32 keys fit without that; for 128 no rounds are small enough, and nothing is left of the attempt.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel wide --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, 32" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=NARROW
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel wide --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, 128" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=LARGE
import triton
import triton.language as tl


# CHECK-LABEL: func.func @wide$tma(
# CHECK-SAME: tile_gpu.producer_warps = 4
# CHECK-SAME: tile_gpu.ring_stages = 2
# CHECK: "tile_gpu.convert_layout"{{.*}} {tile_gpu.round_bytes = 16384 : i32} : (tensor<128x256xf16
# NARROW-LABEL: func.func @wide$tma(
# NARROW-SAME: tile_gpu.producer_warps = 4
# NARROW-NOT: round_bytes
# LARGE-NOT: producer_warps
# LARGE-NOT: round_bytes
@triton.jit
def wide(q, k, v, out, n, BLOCK: tl.constexpr):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 256 + tl.arange(0, 256)[None, :]
    keys = tl.make_tensor_descriptor(k, [n, 256], [256, 1], [BLOCK, 256])
    values = tl.make_tensor_descriptor(v, [n, 256], [256, 1], [BLOCK, 256])
    x = tl.load(q + places)
    sums = tl.zeros((128, 256), tl.float32)
    for i in range(0, n, BLOCK):
        weights = tl.exp2(tl.dot(x, keys.load([i, 0]).T) * 0.01)
        sums = tl.dot(weights.to(tl.float16), values.load([i, 0]), sums)
    tl.store(out + places, (sums * 0.001).to(tl.float16))
