# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 16384' %s | tile-opt --tile-to-tile-gpu=num-warps=32 -o %t.mlir
# RUN: FileCheck %s --input-file %t.mlir
# RUN: tile-opt --tile-gpu-to-llvm %t.mlir | FileCheck %s --check-prefix=THREAD
# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 8192' %s | tile-opt --tile-to-tile-gpu=num-warps=32 | FileCheck %s --check-prefix=ROOM
# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 16384' %s | sed 's/^module.*{$/module attributes {tile_gpu.target = "sm_86"} {/' | tile-opt --tile-to-tile-gpu=num-warps=32 | FileCheck %s --check-prefix=ROOM
# RUN: tile-translate --import-triton --kernel after --signature '*fp16:16, *fp16:16, *fp32:16, i32, 16384' %s | tile-opt --tile-to-tile-gpu=num-warps=32 | FileCheck %s --check-prefix=BEHIND
# RUN: tile-run %s --device emulator --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 16384' --num-warps 32 --grid 1 --check --seed 3 --arg x=fp16[16384]:arange --arg w=fp16[16384]:1 --arg out=fp32[32768]:poison --arg n=i32:16384 --arg stride=i32:0 --arg count=i32:3 --print out:2001 | FileCheck %s --check-prefix=OUT
# RUN: tile-run %s --device emulator --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 16384' --num-warps 32 --grid 1 --check --seed 3 --arg x=fp16[16384]:2 --arg w=fp16[16384]:1 --arg out=fp32[32768]:poison --arg n=i32:16384 --arg stride=i32:0 --arg count=i32:0 --print out:2 | FileCheck %s --check-prefix=NONE
# RUN: %if ptxas %{ tile-translate --tile-to-cubin -v --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 16384' --num-warps 32 %s -o %t.cubin 2>&1 | FileCheck %s --check-prefix=LOG %}

# The pass by itself; the prefetches come after it.
# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32, 16384' %s | env TILE_SKIP_PASSES=tile-gpu-spill-to-shared,tile-gpu-prefetch-rows tile-opt --tile-to-tile-gpu=num-warps=32 -o %t.before.mlir
# RUN: not grep tile_gpu.alloc %t.before.mlir
# RUN: tile-opt --tile-gpu-spill-to-shared --tile-gpu-prefetch-rows %t.before.mlir | FileCheck %s

# Tiles for which a thread has no registers wait in shared memory (lib/transforms/spill_to_shared.c).
import triton
import triton.language as tl


# With 32 warps a thread has 64 registers, and of rows of 16384 columns the weight, two sums and what becomes of a row take 16 each
# at the sum. The weight goes first, as it costs one access a row, then one of the sums; the other stays. Each
# thread stores what it loads, so the only barrier is that of the sum, and the loop has registers for prefetches.
# CHECK: %[[WEIGHT:.*]] = arith.extf
# CHECK: %[[W:.*]] = "tile_gpu.alloc"() {tile_gpu.private} : () -> memref<512x32xf32, #tile_gpu.swizzled<{max_phase = 8{{.*}}, order = [1, 0], per_phase = 1{{.*}}, vec = 4{{.*}}}>>
# CHECK: %[[ROWS:.*]] = "tile.reshape"(%[[WEIGHT]])
# CHECK: "tile_gpu.local_store"(%[[ROWS]], %[[W]])
# CHECK: %[[S:.*]] = "tile_gpu.alloc"() {tile_gpu.private}
# CHECK: "tile_gpu.local_store"(%{{.*}}, %[[S]])
# CHECK: scf.for {{.*}} iter_args(%[[SUM:[^ ]*]] = %{{[^,]*}}, %[[SQUARES:[^ ]*]] =
# CHECK: tile_gpu.prefetch
# CHECK: %[[PARKED:.*]] = "tile_gpu.local_load"(%[[W]])
# CHECK: %[[BACK:.*]] = "tile.reshape"(%[[PARKED]])
# CHECK: arith.mulf %{{.*}}, %[[BACK]]
# CHECK: tile.reduce
# CHECK: %[[OLD:.*]] = "tile_gpu.local_load"(%[[S]])
# CHECK: %[[OF:.*]] = "tile.reshape"(%[[OLD]])
# CHECK: %[[NEW:.*]] = math.fma %{{.*}}, %{{.*}}, %[[OF]]
# CHECK: %[[TO:.*]] = "tile.reshape"(%[[NEW]])
# CHECK: "tile_gpu.local_store"(%[[TO]], %[[S]])
# CHECK: math.fma %{{.*}}, %{{.*}}, %[[SQUARES]]
# CHECK: scf.yield %[[SUM]],
# CHECK: %[[LAST:.*]] = "tile_gpu.local_load"(%[[S]])
# CHECK: %[[SUMS:.*]] = "tile.reshape"(%[[LAST]])
# CHECK: "tile.store"(%{{.*}}, %[[SUMS]]
# THREAD-COUNT-1: nvvm.barrier
# THREAD-NOT: nvvm.barrier
# ROOM-NOT: tile_gpu.private
# OUT: out = 0 402628608 805257216 1.20788582e+09 {{.*}} 8.05257216e+11 ...
# NONE: out = 0 0
# LOG: 0 bytes spill stores, 0 bytes spill loads
@triton.jit
def rows(x, w, out, n, stride, count, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    weight = tl.load(w + columns, mask=mask, other=0.0).to(tl.float32)
    sums = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    for _ in range(count):
        row = tl.load(x + columns, mask=mask, other=0.0).to(tl.float32)
        total = tl.sum(tl.where(mask, row * weight, 0.0), axis=0)
        sums += row * total
        squares += row * row * total
        x += stride
    tl.store(out + columns, sums, mask=mask)
    tl.store(out + n + columns, squares, mask=mask)


# What is wanted after the loop keeps its registers, and so does what is carried from two places; then there is too little to spill.
# BEHIND-NOT: tile_gpu.private
@triton.jit
def after(x, w, out, count, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    weight = tl.load(w + columns).to(tl.float32)
    sums = tl.zeros((BLOCK,), tl.float32)
    largest = tl.zeros((BLOCK,), tl.float32)
    for _ in range(count):
        row = tl.load(x + columns).to(tl.float32)
        total = tl.sum(row * weight, axis=0)
        largest = tl.maximum(largest * total, largest + row)
        sums = tl.where(sums < row, row * total, sums)
        x += BLOCK
    tl.store(out + columns, sums + weight)
    tl.store(out + BLOCK + columns, largest)
