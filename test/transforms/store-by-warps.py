# In a block with a producer each warp stores what it has computed: its part of the dot is 16 rows, so each thread stores eight rows
# of eight numbers, where the rows of two warps would be beside one another. Nothing waits for all consumers between two programs.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16" %s > %t.mlir
# RUN: tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles %t.mlir > %t.roles.mlir
# RUN: FileCheck %s --check-prefix=BEFORE --input-file %t.roles.mlir
# RUN: tile-opt --tile-gpu-store-by-warps %t.roles.mlir | FileCheck %s
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail tile-translate --tile-to-ptx %t.mlir --num-warps 8 --num-stages 3 | FileCheck %s --check-prefix=PTX
# RUN: env TILE_SKIP_PASSES=tile-gpu-store-by-warps tile-translate --tile-to-ptx %t.mlir --num-warps 8 --num-stages 3 | FileCheck %s --check-prefix=BLOCK
# Without roles the layout stays, and so it does where the addresses are of a table, which would have to be loaded again.
# RUN: tile-opt --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-store-by-warps %t.mlir | FileCheck %s --check-prefix=NONE
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel scattered --signature "*fp16:16, *fp16:16, *fp16:16, *i32:16, i32:16, i32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=TABLE
# RUN: tile-run %t.mlir --kernel product --check --grid 3 --num-warps 8 --num-stages 3 --arg a=fp16[304,128]:rand --arg b=fp16[128,256]:rand --arg c=fp16[304,256]:poison --arg M=i32:304 --arg N=i32:256 --arg K=i32:128 --save c=%t.warps.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-store-by-warps tile-run %t.mlir --kernel product --check --grid 3 --num-warps 8 --num-stages 3 --arg a=fp16[304,128]:rand --arg b=fp16[128,256]:rand --arg c=fp16[304,256]:poison --arg M=i32:304 --arg N=i32:256 --arg K=i32:128 --save c=%t.block.npy
# RUN: cmp %t.warps.npy %t.block.npy
import triton
import triton.language as tl


# BEFORE-LABEL: func.func @product$tma(
# BEFORE: "tile.store"({{.*}}size_per_thread = [1, 8], threads_per_warp = [1, 32], warps_per_cta = [8, 1]
# CHECK-LABEL: func.func @product$tma(
# CHECK: "tile_gpu.convert_layout"({{.*}} -> tensor<128x256xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [16, 8], threads_per_warp = [1, 32], warps_per_cta = [8, 1]}>>
# CHECK: "tile.store"({{.*}}size_per_thread = [16, 8]
# CHECK-LABEL: func.func @product(
# CHECK-NOT: size_per_thread = [16, 8]
# NONE-LABEL: func.func @product(
# NONE-NOT: size_per_thread = [16, 8]
# One barrier of the block, before the roles.
# PTX-LABEL: .entry product$tma(
# PTX: bar.sync 0;
# PTX-NOT: bar.sync
# PTX: bar.warp.sync
# PTX-NOT: bar.sync
# PTX: .entry product(
# BLOCK-LABEL: .entry product$tma(
# BLOCK: bar.sync 1, 256;
# BLOCK: .entry product(
@triton.jit
def product(a, b, c, M, N, K):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns, depth = tl.arange(0, 256), tl.arange(0, 64)
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(0, K, 64):
        x = tl.load(a + rows[:, None] * K + (k + depth)[None, :], rows[:, None] < M, 0)
        y = tl.load(b + (k + depth)[:, None] * N + columns[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rows[:, None] * N + columns[None, :], acc.to(tl.float16), rows[:, None] < M)


# TABLE-LABEL: func.func @scattered$tma(
# TABLE: "tile.store"({{.*}}size_per_thread = [1, 8], threads_per_warp = [1, 32], warps_per_cta = [8, 1]
# TABLE-LABEL: func.func @scattered(
@triton.jit
def scattered(a, b, c, table, M, N, K):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns, depth = tl.arange(0, 256), tl.arange(0, 64)
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(0, K, 64):
        x = tl.load(a + rows[:, None] * K + (k + depth)[None, :], rows[:, None] < M, 0)
        y = tl.load(b + (k + depth)[:, None] * N + columns[None, :])
        acc = tl.dot(x, y, acc)
    place = tl.load(table + rows)
    tl.store(c + place[:, None] * N + columns[None, :], acc.to(tl.float16), rows[:, None] < M)
