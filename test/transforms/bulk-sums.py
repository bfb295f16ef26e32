# What a loop adds up in memory leaves by the copy engine in a block with roles: each warp puts the boxes of a product that it holds into
# its slots and starts their sums, and the next product is under way meanwhile.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel slopes --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, 'relaxed'" %s > %t.mlir
# RUN: tile-opt --tile-to-tile-gpu=num-warps=8 %t.mlir | FileCheck %s
# RUN: tile-translate --tile-to-ptx --num-warps 8 --num-stages 2 %t.mlir | FileCheck %s --check-prefix=PTX
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel slopes --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, 'described'" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# What orders other accesses, gives what was there, or is for the whole system, stays with the threads; so does all of it without roles.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel slopes --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, 'system'" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=THREADS
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel slopes --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, 'acquire'" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=THREADS
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel slopes --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, 'most'" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=THREADS
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel slopes --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, 'seen'" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=THREADS
# RUN: env TILE_SKIP_PASSES=tile-gpu-assign-roles tile-opt --tile-to-tile-gpu=num-warps=8 %t.mlir | FileCheck %s --check-prefix=THREADS
# Two programs add up what is there: equal to the bit in any order. 300 rows: the last box is clipped.
# RUN: tile-run %s --kernel slopes --check --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32, 'relaxed'" --arg a=fp16[256,128]:rand --arg b=fp16[300,128]:rand --arg out=fp32[256,128]:poison --arg sums=fp32[300,128]:zeros --arg n=i32:300 --save sums=%t.sums.npy --save out=%t.out.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-bulk-stores tile-run %s --kernel slopes --check --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp32:16, *fp32:16, i32, 'relaxed'" --arg a=fp16[256,128]:rand --arg b=fp16[300,128]:rand --arg out=fp32[256,128]:poison --arg sums=fp32[300,128]:zeros --arg n=i32:300 --save sums=%t.sums2.npy --save out=%t.out2.npy
# RUN: cmp %t.sums.npy %t.sums2.npy
# RUN: cmp %t.out.npy %t.out2.npy
import triton
import triton.language as tl


# CHECK-LABEL: func.func @slopes$tma(
# CHECK-SAME: tile_gpu.tensor_map = {base = 3 : i32, box = array<i32: 32, 16>, {{.*}}stores, {{.*}}swizzle = 128 : i32
# CHECK: %[[SLOTS:.*]] = "tile_gpu.alloc"() : () -> memref<16x16x32xf32,
# CHECK: tile_gpu.in_producer
# CHECK: } else {
# CHECK: %[[SUM:.*]] = "tile_gpu.warpgroup_dot_wait"({{.*}}pending = 1{{.*}} -> tensor<64x128xf32,
# CHECK-NEXT: "tile_gpu.bulk_store"(%{{[^,]*}}, %[[SUM]], %[[SLOTS]], {{.*}}) {kind = "add"}
# CHECK-NEXT: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 0
# CHECK-NOT: tile.atomic_rmw{{.*}}kind = "add"
# CHECK: "tile_gpu.bulk_store_wait"(%[[SLOTS]])
# CHECK-LABEL: func.func @slopes(
# CHECK: tile.atomic_rmw
# Both boxes of a warp go together.
# PTX-LABEL: .entry slopes$tma(
# PTX: cp.async.bulk.wait_group.read 0;
# PTX: st.shared
# PTX: fence.proxy.async.shared::cta;
# PTX: bar.warp.sync
# PTX: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group
# PTX-NOT: fence
# PTX: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group
# PTX: cp.async.bulk.commit_group;
# PTX: .entry slopes(
# THREADS-NOT: bulk_store"{{.*}}kind
# THREADS: tile.atomic_rmw
# THREADS-NOT: bulk_store"{{.*}}kind
@triton.jit
def slopes(a, b, out, sums, n, HOW: tl.constexpr):
    row = tl.program_id(0) * 128
    rows, cols, dims = row + tl.arange(0, 128), tl.arange(0, 64), tl.arange(0, 128)
    own = rows[:, None] * 128 + dims[None, :]
    x = tl.load(a + own)
    y_desc = tl.make_tensor_descriptor(b, [n, 128], [128, 1], [64, 128])
    sums_desc = tl.make_tensor_descriptor(sums, [n, 128], [128, 1], [64, 128])
    acc = tl.zeros((128, 128), tl.float32)
    for i in range(0, n, 64):
        y = y_desc.load([i, 0])
        p = tl.dot(x, y.T).to(tl.float16)
        slope = tl.dot(p.T, x)
        acc = tl.dot(p, y, acc)
        at = sums + (i + cols)[:, None] * 128 + dims[None, :]
        inside = (i + cols)[:, None] < n
        if HOW == 'described':
            sums_desc.atomic_add([i, 0], slope)
        elif HOW == 'system':
            tl.atomic_add(at, slope, mask=inside, sem="relaxed", scope="sys")
        elif HOW == 'acquire':
            tl.atomic_add(at, slope, mask=inside, sem="acquire")
        elif HOW == 'most':
            tl.atomic_max(at, slope, mask=inside, sem="relaxed")
        elif HOW == 'seen':
            acc += tl.sum(tl.atomic_add(at, slope, mask=inside, sem="relaxed"))
        else:
            tl.atomic_add(at, slope, mask=inside, sem="relaxed")
    tl.store(out + own, acc)
