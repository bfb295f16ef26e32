# Results of dots by bulk stores: in a block with roles through a buffer that is there for the whole kernel, whose last boxes are waited
# for at its end; else through one that is waited for right away. A warp waits for itself alone.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32:16, 128, 256, 0" %s > %t.mlir
# RUN: tile-opt --tile-to-tile-gpu=num-warps=8 %t.mlir | FileCheck %s --check-prefix=ROLES
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail tile-translate --tile-to-ptx --num-warps 8 --num-stages 3 %t.mlir | FileCheck %s --check-prefix=PTX
# RUN: tile-translate --import-triton --num-warps 4 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32:16, 64, 128, 0" %s | tile-opt --tile-to-tile-gpu=num-warps=4 - | FileCheck %s --check-prefix=PLAIN
# The pass by itself, behind the roles.
# RUN: tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes --tile-decompose-descriptors --tile-cleanup --canonicalize --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles --tile-gpu-bulk-stores %t.mlir | FileCheck %s --check-prefix=PASS
# Left out, nothing is said of stores either, and no parameter is added.
# RUN: env TILE_SKIP_PASSES=tile-gpu-bulk-stores tile-opt --tile-to-tile-gpu=num-warps=8 %t.mlir | FileCheck %s --check-prefix=OFF
# What else is done with a tile before it is stored is done as before, and the parameter goes again.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32:16, i32:16, 128, 256, 1" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ADDED
# A second tile that leaves has the same buffer, if its boxes are of the same kind.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, 128, 256, 2" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=TWO
# RUN: tile-run %s --kernel product --check --grid 3,2 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 128, 256, 2" --arg a=fp16[300,80]:rand --arg b=fp16[80,272]:rand --arg c=fp16[300,272]:poison --arg d=fp16[300,272]:poison --arg M=i32:300 --arg N=i32:272 --arg K=i32:80 --save c=%t.c.npy --save d=%t.d.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-bulk-stores tile-run %s --kernel product --check --grid 3,2 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 128, 256, 2" --arg a=fp16[300,80]:rand --arg b=fp16[80,272]:rand --arg c=fp16[300,272]:poison --arg d=fp16[300,272]:poison --arg M=i32:300 --arg N=i32:272 --arg K=i32:80 --save c=%t.c2.npy --save d=%t.d2.npy
# RUN: cmp %t.c.npy %t.c2.npy
# RUN: cmp %t.d.npy %t.d2.npy
# In a loop without roles, one tile after the other through one buffer.
# RUN: env TILE_SKIP_PASSES=tile-gpu-assign-roles tile-run %s --kernel tiles --check --grid 2 --num-warps 4 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16" --arg a=fp16[300,80]:rand --arg b=fp16[80,144]:rand --arg c=fp16[300,144]:poison --arg M=i32:300 --arg N=i32:144 --arg K=i32:80 --save c=%t.tiles.npy
# RUN: tile-run %s --kernel tiles --tensor-maps off --check --grid 2 --num-warps 4 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16" --arg a=fp16[300,80]:rand --arg b=fp16[80,144]:rand --arg c=fp16[300,144]:poison --arg M=i32:300 --arg N=i32:144 --arg K=i32:80 --save c=%t.tiles2.npy
# RUN: cmp %t.tiles.npy %t.tiles2.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-assign-roles tile-translate --tile-to-ptx --num-warps 4 --num-stages 3 --kernel tiles --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16" %s | FileCheck %s --check-prefix=LOOP
import triton
import triton.language as tl


# PASS-LABEL: func.func @product$tma(
# PASS-NEXT: %[[BUFFER:.*]] = "tile_gpu.alloc"() : () -> memref<16x16x64xf16,
# PASS-NOT: tile_gpu.store_box
# PASS: "tile_gpu.bulk_store"(%{{[^,]*}}, %{{[^,]*}}, %[[BUFFER]],
# PASS-NOT: tile.store
# PASS: "tile_gpu.bulk_store_wait"(%[[BUFFER]])
# PASS-NEXT: return
# ROLES-LABEL: func.func @product$tma(
# ROLES-SAME: tile_gpu.tensor_map = {base = 2 : i32, box = array<i32: 64, 16>, {{.*}}swizzle = 128 : i32
# ROLES: %[[BUFFER:.*]] = "tile_gpu.alloc"() : () -> memref<16x16x64xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 128 : i64, transposed = false}>>
# ROLES: tile_gpu.in_producer
# ROLES-NOT: tile_gpu.bulk_store
# ROLES: } else {
# ROLES: "tile_gpu.bulk_store"(%{{[^,]*}}, %{{[^,]*}}, %[[BUFFER]], %{{[^,]*}}, %{{[^,]*}}) : (!tile.descriptor<tensor<128x256xf16>>, tensor<128x256xf16, #tile_gpu.mma
# ROLES: "tile_gpu.bulk_store_wait"(%[[BUFFER]])
# ROLES-LABEL: func.func @product(
# ROLES-NOT: bulk_store
# ROLES: "tile.store"
# Four boxes through two slots: the third waits until the first has been read. No barrier of the block after the one before the roles.
# PTX-LABEL: .entry product$tma(
# PTX: bar.sync 0;
# PTX-NOT: bar.sync
# PTX: cp.async.bulk.wait_group 0;
# PTX: bar.warp.sync
# PTX: stmatrix.sync.aligned.m8n8.x4
# PTX: fence.proxy.async.shared::cta;
# PTX: bar.warp.sync
# PTX: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group
# PTX: cp.async.bulk.commit_group;
# PTX-NOT: wait_group
# PTX: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group
# PTX: cp.async.bulk.wait_group.read 1;
# PTX: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group
# PTX: cp.async.bulk.wait_group.read 1;
# PTX: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group
# PTX-NOT: bar.sync
# PTX: cp.async.bulk.wait_group.read 0;
# PTX: .entry product(
# PLAIN-LABEL: func.func @product$tma(
# PLAIN-NOT: in_producer
# PLAIN: %[[BUFFER:.*]] = "tile_gpu.alloc"() : () -> memref<8x16x64xf16,
# PLAIN-NEXT: "tile_gpu.bulk_store"(%{{.*}}, %{{.*}}, %[[BUFFER]],
# PLAIN-NEXT: "tile_gpu.bulk_store_wait"(%[[BUFFER]])
# OFF-LABEL: func.func @product$tma(
# OFF-SAME: tile_gpu.tensor_map = {base = 1 : i32
# OFF-NOT: base = 2 : i32
# OFF-NOT: tile_gpu.store_box
# OFF: "tile.store"
# ADDED-LABEL: func.func @product$tma(
# ADDED-NOT: base = 2 : i32
# ADDED-NOT: bulk_store
# ADDED-NOT: tile_gpu.box
# ADDED: "tile.store"
# TWO-LABEL: func.func @product$tma(
# TWO: %[[BUFFER:.*]] = "tile_gpu.alloc"() : () -> memref<16x16x64xf16,
# TWO: "tile_gpu.bulk_store"(%{{[^,]*}}, %{{[^,]*}}, %[[BUFFER]],
# TWO: "tile_gpu.bulk_store"(%{{[^,]*}}, %{{[^,]*}}, %[[BUFFER]],
# TWO: "tile_gpu.bulk_store_wait"(%[[BUFFER]])
@triton.jit
def product(a, b, c, d, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HOW: tl.constexpr):
    row, column = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    rows, columns = row + tl.arange(0, BLOCK_M), column + tl.arange(0, BLOCK_N)
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BLOCK_M, 64])
    y = tl.make_tensor_descriptor(b, [K, N], [N, 1], [64, BLOCK_N])
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, 64):
        acc = tl.dot(x.load([row, k]), y.load([k, column]), acc)
    places = rows[:, None] * N + columns[None, :]
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    if HOW == 1:
        acc += tl.load(d + places, inside)
    tl.store(c + places, acc.to(tl.float16), inside)
    if HOW == 2:
        tl.store(d + places, (acc * 2).to(tl.float16), inside)


# The next tile's stages are in the same memory: whoever copies there waits for the block, once the warps have waited.
# LOOP-LABEL: .entry tiles$tma(
# LOOP: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group
# LOOP: cp.async.bulk.wait_group.read 0;
# LOOP: bar.sync 0;
# LOOP: .entry tiles(
@triton.jit
def tiles(a, b, c, M, N, K):
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [64, 64])
    y = tl.make_tensor_descriptor(b, [K, N], [N, 1], [64, 64])
    z = tl.make_tensor_descriptor(c, [M, N], [N, 1], [64, 64])
    across = tl.cdiv(N, 64)
    for tile in range(tl.program_id(0), tl.cdiv(M, 64) * across, tl.num_programs(0)):
        row, column = tile // across * 64, tile % across * 64
        acc = tl.zeros((64, 64), dtype=tl.float32)
        for k in range(0, K, 64):
            acc = tl.dot(x.load([row, k]), y.load([k, column]), acc)
        z.store([row, column], acc.to(tl.float16))
