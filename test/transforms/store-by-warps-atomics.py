# What a loop adds up in memory goes there as the dot holds it: two f32 of a thread, those of four lanes a sector of 32 bytes. So nothing
# is exchanged, and the block waits only for what the dot's operands need.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel sums --signature "*fp16:16, *fp16:16, *fp32:16, i32, 64" %s > %t.mlir
# RUN: tile-opt --tile-to-tile-gpu=num-warps=8 %t.mlir | FileCheck %s
# RUN: env TILE_SKIP_PASSES=tile-gpu-store-by-warps tile-opt --tile-to-tile-gpu=num-warps=8 %t.mlir | FileCheck %s --check-prefix=SKIPPED
# RUN: tile-run %t.mlir --kernel sums --check --grid 2 --num-warps 8 --arg a=fp16[256,64]:rand --arg b=fp16[64,64]:rand --arg c=fp32[256,64]:zeros --arg n=i32:128 --save c=%t.held.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-store-by-warps tile-run %t.mlir --kernel sums --check --grid 2 --num-warps 8 --arg a=fp16[256,64]:rand --arg b=fp16[64,64]:rand --arg c=fp32[256,64]:zeros --arg n=i32:128 --save c=%t.exchanged.npy
# RUN: cmp %t.held.npy %t.exchanged.npy
# sm_80 adds up one f32 at a time: an instruction of the dot's layout would fill sectors by half. Neither is it done for what is added up
# once, nor for old elements that somebody uses.
# RUN: sed 's/module attributes {/&tile_gpu.target = "sm_80", /' %t.mlir | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=EXCHANGED
# RUN: tile-translate --import-triton --num-warps 8 --kernel once --signature "*fp16:16, *fp16:16, *fp32:16, 64" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=EXCHANGED
import triton
import triton.language as tl


# CHECK-LABEL: func.func @sums
# CHECK: scf.for
# CHECK-NOT: convert_layout{{.*}}xf32, #tile_gpu.mma{{.*}} -> {{.*}}#tile_gpu.blocked
# CHECK: "tile.atomic_rmw"({{.*}}tensor<64x64x!tile.ptr<f32>, #tile_gpu.mma<
# SKIPPED-LABEL: func.func @sums
# SKIPPED: scf.for
# SKIPPED: "tile.atomic_rmw"({{.*}}tensor<64x64x!tile.ptr<f32>, #tile_gpu.blocked<
# EXCHANGED: "tile.atomic_rmw"({{.*}}tensor<64x64x!tile.ptr<f32>, #tile_gpu.blocked<
@triton.jit
def sums(a, b, c, n, BLOCK: tl.constexpr):
    rows = tl.arange(0, BLOCK)
    y = tl.load(b + rows[:, None] * BLOCK + rows[None, :])
    for i in range(0, n, BLOCK):
        places = (tl.program_id(0) * n + i + rows[:, None]) * BLOCK + rows[None, :]
        tl.atomic_add(c + places, tl.dot(tl.load(a + places), y), sem="relaxed")


@triton.jit
def once(a, b, c, BLOCK: tl.constexpr):
    rows = tl.arange(0, BLOCK)
    places = rows[:, None] * BLOCK + rows[None, :]
    tl.atomic_add(c + places, tl.dot(tl.load(a + places), tl.load(b + places)), sem="relaxed")
