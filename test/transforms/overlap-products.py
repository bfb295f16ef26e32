# A loop in which a dot is computed from another one's result, of blocks that the copy engine brings: the block gets roles, and its
# consumers are one iteration ahead with the first dot; what lies between the two runs while the second is under way. Nothing of it is
# special to attention.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel chained --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# The same numbers to the bit, for loops of many iterations, one, and none.
# RUN: tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:640 --print out:16384 > %t.640
# RUN: tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:128 --print out:16384 > %t.128
# RUN: tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:0 --print out:16384 > %t.0
# RUN: env TILE_SKIP_PASSES=tile-gpu-overlap-products tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:640 --print out:16384 | cmp %t.640 -
# RUN: env TILE_SKIP_PASSES=tile-gpu-overlap-products tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:128 --print out:16384 | cmp %t.128 -
# RUN: env TILE_SKIP_PASSES=tile-gpu-overlap-products tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:0 --print out:16384 | cmp %t.0 -
# RUN: tile-run %s --kernel chained --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:640 --print out:16384 --tensor-maps off | cmp %t.640 -
# Both dots of the loop start behind one fence, each with its own commit: what the second reads in registers is there before.
# RUN: tile-translate --tile-to-ptx --num-warps 8 --num-stages 2 --kernel chained --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | FileCheck %s --check-prefix=PTX
# With one stage an iteration ends before the next begins. So it does where nothing is left of the registers, where the first dot needs
# the sums of the second, where the loop stores, and where both dots read one buffer.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 1 --kernel chained --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=NONE
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel chained --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup '--tile-gpu-overlap-products=registers=64 remarks=true' - 2>&1 | FileCheck %s --check-prefix=FEW
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel recurrent --signature "*fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-print-schedule --tile-gpu-overlap-products - 2>&1 | FileCheck %s --check-prefix=RECURRENT
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel storing --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-print-schedule --tile-gpu-overlap-products - 2>&1 | FileCheck %s --check-prefix=STORING
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel shared --signature "*fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-print-schedule --tile-gpu-overlap-products - 2>&1 | FileCheck %s --check-prefix=SHARED
# Without tensor maps there are no roles: nothing overlaps.
# RUN: tile-translate --tile-to-ptx --tensor-maps off --num-warps 8 --num-stages 2 --kernel chained --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | FileCheck %s --check-prefix=OFF
# Two loops of the same kinds of blocks share the stages; the second goes on where the first has ended.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel two_loops --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=TWO
# RUN: tile-run %s --kernel two_loops --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:640 --print out:16384 > %t.two
# RUN: tile-run %s --kernel two_loops --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[128,128]:rand --arg k=fp16[640,128]:rand --arg v=fp16[640,128]:rand --arg out=fp32[128,128]:poison --arg n=i32:640 --print out:16384 --tensor-maps off | cmp %t.two -
# In a loop over tiles, stage and parity go on from tile to tile. The loops around are new ones then: freed memory is filled, so that
# nobody looks at the old ones unseen.
# RUN: env MALLOC_PERTURB_=90 tile-translate --tile-to-ptx --num-warps 8 --num-stages 2 --kernel over_tiles --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32" %s | FileCheck %s --check-prefix=TILES
# RUN: tile-run %s --kernel over_tiles --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32" --arg q=fp16[256,128]:rand --arg k=fp16[512,128]:rand --arg v=fp16[512,128]:rand --arg out=fp32[256,128]:poison --arg n=i32:512 --arg tiles=i32:2 --print out:32768 > %t.tiles
# RUN: tile-run %s --kernel over_tiles --tensor-maps off --check --grid 1 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32" --arg q=fp16[256,128]:rand --arg k=fp16[512,128]:rand --arg v=fp16[512,128]:rand --arg out=fp32[256,128]:poison --arg n=i32:512 --arg tiles=i32:2 --print out:32768 | cmp %t.tiles -
# Not of other kinds.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel two_kinds --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-overlap-products '--tile-gpu-assign-roles=remarks=true' - 2>&1 | FileCheck %s --check-prefix=KINDS
# Blocks through plain pointers that the kernel moves to its head, without masks: the same.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel through_pointers --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=POINTERS
# RUN: tile-run %s --kernel through_pointers --check --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32:16" --arg q=fp16[2,128,128]:rand --arg k=fp16[2,384,128]:rand --arg v=fp16[2,384,128]:rand --arg out=fp32[2,128,128]:poison --arg n=i32:384 --arg stride=i32:49152 --print out:32768 > %t.pointers
# RUN: tile-run %s --kernel through_pointers --check --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32:16" --arg q=fp16[2,128,128]:rand --arg k=fp16[2,384,128]:rand --arg v=fp16[2,384,128]:rand --arg out=fp32[2,128,128]:poison --arg n=i32:384 --arg stride=i32:49152 --print out:32768 --tensor-maps off | cmp %t.pointers -
# RUN: env TILE_SKIP_PASSES=tile-gpu-overlap-products tile-run %s --kernel through_pointers --check --grid 2 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16, i32:16" --arg q=fp16[2,128,128]:rand --arg k=fp16[2,384,128]:rand --arg v=fp16[2,384,128]:rand --arg out=fp32[2,128,128]:poison --arg n=i32:384 --arg stride=i32:49152 --print out:32768 | cmp %t.pointers -
import triton
import triton.language as tl


# CHECK-LABEL: func.func @chained$tma(
# CHECK-SAME: tile_gpu.producer_warps = 4
# CHECK-SAME: tile_gpu.ring_stages = 2
# Two channels: an mbarrier a stage that says full, and one that says empty, for each.
# CHECK: %[[FULL1:.*]] = "tile_gpu.alloc"() : () -> memref<2x1xi64
# CHECK: "tile_gpu.mbarrier_init"(%[[FULL1]]) {arrivals = 1 : i32}
# CHECK: %[[FULL2:.*]] = "tile_gpu.alloc"() : () -> memref<2x1xi64
# CHECK: "tile_gpu.mbarrier_init"(%[[FULL2]]) {arrivals = 1 : i32}
# CHECK: "tile_gpu.mbarrier_init"(%{{.*}}) {arrivals = 8 : i32}
# CHECK: "tile_gpu.mbarrier_init"(%{{.*}}) {arrivals = 8 : i32}
# CHECK: "tile_gpu.in_producer"
# The producer: each channel's stage is waited for and filled by itself; it computes nothing.
# CHECK: scf.if
# CHECK-NOT: warpgroup_dot
# CHECK-NOT: math.exp2
# CHECK: "tile_gpu.mbarrier_expect"({{.*}}) {bytes = 32768 : i32}
# CHECK: "tile_gpu.bulk_load"
# CHECK: "tile_gpu.mbarrier_expect"({{.*}}) {bytes = 32768 : i32}
# CHECK: "tile_gpu.bulk_load"
# The consumers: the first iteration's first dot, and what follows from it.
# CHECK: } else {
# CHECK: tile_gpu.warpgroup_dot"
# CHECK: pending = 0
# CHECK: "tile_gpu.mbarrier_arrive"
# CHECK: math.exp2
# CHECK-NOT: tile_gpu.warpgroup_dot"
# CHECK: scf.for
# The sums are scaled; the next iteration's first dot starts, then this one's second.
# CHECK: arith.mulf
# CHECK: "tile_gpu.mbarrier_wait"
# CHECK: tile_gpu.warpgroup_dot"
# CHECK: tile_gpu.warpgroup_dot"
# Once the first is done its blocks are free. The second is in flight when the exponentials are computed.
# CHECK: tile_gpu.warpgroup_dot_wait{{.*}}pending = 1
# CHECK: "tile_gpu.mbarrier_arrive"
# CHECK: math.exp2
# A wait that is over already keeps them before the wait for the second, which ends in the iteration that starts it.
# CHECK: "tile_gpu.mbarrier_wait"
# CHECK-NEXT: tile_gpu.warpgroup_dot_wait{{.*}}pending = 0
# CHECK: "tile_gpu.mbarrier_arrive"
# CHECK: scf.yield
# The last iteration's second dot.
# CHECK: tile_gpu.warpgroup_dot"
# CHECK: pending = 0
# CHECK: "tile_gpu.mbarrier_arrive"
# CHECK-NOT: tile_gpu.overlaps_products
# CHECK-LABEL: func.func @chained(
# PTX-LABEL: .entry chained$tma(
# PTX: setmaxnreg.dec
# PTX: setmaxnreg.inc
# The first iteration's first dot, and both of the loop.
# PTX: wgmma.fence
# PTX: wgmma.fence
# PTX-COUNT-8: wgmma.mma_async
# PTX-NEXT: wgmma.commit_group
# PTX-NEXT: wgmma.mma_async
# PTX-COUNT-7: wgmma.mma_async
# PTX-NEXT: wgmma.commit_group
# PTX: wgmma.wait_group.sync.aligned 1
# NONE-NOT: producer_warps
# NONE-NOT: scf.if
# FEW: remark: scf.for: its products are computed one after the other: with the next iteration's beside them it would take about {{[0-9]+}} registers of 64
# FEW-NOT: tile_gpu.overlaps_products
# OFF-NOT: setmaxnreg
# OFF-NOT: wait_group.sync.aligned 1
@triton.jit
def _step(s, value, top, sums):
    higher = tl.maximum(top, tl.max(s, 1))
    p = tl.math.exp2(s - higher[:, None])
    sums = sums * tl.math.exp2(top - higher)[:, None]
    return higher, tl.dot(p.to(tl.float16), value, sums)


@triton.jit
def chained(q, k, v, out, n):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 128 + rows[None, :]
    keys = tl.make_tensor_descriptor(k, [n, 128], [128, 1], [128, 128])
    values = tl.make_tensor_descriptor(v, [n, 128], [128, 1], [128, 128])
    x = tl.load(q + places)
    top = tl.full((128,), -1000.0, tl.float32)
    sums = tl.zeros((128, 128), tl.float32)
    for i in range(0, n, 128):
        s = tl.dot(x, keys.load([i, 0]).T)
        top, sums = _step(s, values.load([i, 0]), top, sums)
    tl.store(out + places, sums + top[:, None])


# TWO-LABEL: func.func @two_loops$tma(
# TWO-SAME: tile_gpu.ring_stages = 2
# TWO-COUNT-2: "tile_gpu.alloc"() : () -> memref<2x128x128xf16
# TWO-NOT: "tile_gpu.alloc"() : () -> memref<2x128x128xf16
# TWO: "tile_gpu.in_producer"
# The producer's two loops, the second with the first one's stage.
# TWO: %[[FIRST:.*]]:{{[0-9]+}} = scf.if
# TWO: %[[SECOND:.*]]:{{[0-9]+}} = scf.if
# TWO: "tile_gpu.index"({{.*}}, %[[FIRST]]#{{[0-9]+}})
# TWO: } else {
# TWO-LABEL: func.func @two_loops(
@triton.jit
def two_loops(q, k, v, out, n):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 128 + rows[None, :]
    keys = tl.make_tensor_descriptor(k, [n, 128], [128, 1], [128, 128])
    values = tl.make_tensor_descriptor(v, [n, 128], [128, 1], [128, 128])
    x = tl.load(q + places)
    top = tl.full((128,), -1000.0, tl.float32)
    sums = tl.zeros((128, 128), tl.float32)
    for i in range(0, n - 256, 128):
        s = tl.dot(x, keys.load([i, 0]).T)
        top, sums = _step(s, values.load([i, 0]), top, sums)
    for i in range(n - 256, n, 128):
        s = tl.dot(x, keys.load([i, 0]).T)
        s = tl.where(rows[:, None] + 500 >= i + rows[None, :], s, -10000.0)
        top, sums = _step(s, values.load([i, 0]), top, sums)
    tl.store(out + places, sums + top[:, None])


# TILES-LABEL: .entry over_tiles$tma(
# TILES: setmaxnreg.dec
# TILES: setmaxnreg.inc
# TILES: wgmma.wait_group.sync.aligned 1
@triton.jit
def over_tiles(q, k, v, out, n, tiles):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 128 + rows[None, :]
    keys = tl.make_tensor_descriptor(k, [n, 128], [128, 1], [128, 128])
    values = tl.make_tensor_descriptor(v, [n, 128], [128, 1], [128, 128])
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        x = tl.load(q + tile * 16384 + places)
        top = tl.full((128,), -1000.0, tl.float32)
        sums = tl.zeros((128, 128), tl.float32)
        for i in range(0, n - tile * 128, 128):
            s = tl.dot(x, keys.load([i, 0]).T)
            top, sums = _step(s, values.load([i, 0]), top, sums)
        tl.store(out + tile * 16384 + places, sums + top[:, None])


# KINDS: remark: no roles for its bulk copies: other loops copy blocks, too
# KINDS-NOT: producer_warps
# KINDS-NOT: overlaps_products
@triton.jit
def two_kinds(q, k, v, out, n):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 128 + rows[None, :]
    keys = tl.make_tensor_descriptor(k, [n, 128], [128, 1], [128, 128])
    values = tl.make_tensor_descriptor(v, [n, 128], [128, 1], [128, 128])
    small_keys = tl.make_tensor_descriptor(k, [n, 128], [128, 1], [64, 128])
    small_values = tl.make_tensor_descriptor(v, [n, 128], [128, 1], [64, 128])
    x = tl.load(q + places)
    top = tl.full((128,), -1000.0, tl.float32)
    sums = tl.zeros((128, 128), tl.float32)
    for i in range(0, n - 256, 128):
        s = tl.dot(x, keys.load([i, 0]).T)
        top, sums = _step(s, values.load([i, 0]), top, sums)
    for i in range(n - 256, n, 64):
        s = tl.dot(x, small_keys.load([i, 0]).T)
        top, sums = _step(s, small_values.load([i, 0]), top, sums)
    tl.store(out + places, sums + top[:, None])


# RECURRENT: remark: products in one stage: the next iteration's first product needs this one's last
# RECURRENT-NOT: tile_gpu.overlaps_products
@triton.jit
def recurrent(k, v, out, n):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 128 + rows[None, :]
    keys = tl.make_tensor_descriptor(k, [n, 128], [128, 1], [128, 128])
    values = tl.make_tensor_descriptor(v, [n, 128], [128, 1], [128, 128])
    sums = tl.zeros((128, 128), tl.float32)
    for i in range(0, n, 128):
        s = tl.dot(sums.to(tl.float16), keys.load([i, 0]))
        sums = tl.dot(s.to(tl.float16), values.load([i, 0]), sums)
    tl.store(out + places, sums)


# STORING: remark: products in one stage: the loop stores, synchronises, or has products in branches or loops of its own
# STORING-NOT: tile_gpu.overlaps_products
@triton.jit
def storing(q, k, v, out, n):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 128 + rows[None, :]
    keys = tl.make_tensor_descriptor(k, [n, 128], [128, 1], [128, 128])
    values = tl.make_tensor_descriptor(v, [n, 128], [128, 1], [128, 128])
    x = tl.load(q + places)
    sums = tl.zeros((128, 128), tl.float32)
    for i in range(0, n, 128):
        s = tl.dot(x, keys.load([i, 0]))
        tl.store(out + 16384 + i * 128 + places, s)
        sums = tl.dot(s.to(tl.float16), values.load([i, 0]), sums)
    tl.store(out + places, sums)


# SHARED: remark: products in one stage: both products read one buffer, or too much goes from one to the other
# SHARED-NOT: tile_gpu.overlaps_products
@triton.jit
def shared(q, k, out, n):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 128 + rows[None, :]
    keys = tl.make_tensor_descriptor(k, [n, 128], [128, 1], [128, 128])
    x = tl.load(q + places)
    sums = tl.zeros((128, 128), tl.float32)
    for i in range(0, n, 128):
        y = keys.load([i, 0])
        s = tl.dot(x, y)
        sums = tl.dot(s.to(tl.float16), y, sums)
    tl.store(out + places, sums)


# POINTERS-LABEL: func.func @through_pointers$tma(
# POINTERS-SAME: tile_gpu.producer_warps = 4
# POINTERS-SAME: tile_gpu.ring_stages = 2
# POINTERS: "tile_gpu.in_producer"
# POINTERS: "tile_gpu.bulk_load"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[HEAD:[^,]*]], %{{[^,]*}}, %{{[^,]*}}) :
# POINTERS: "tile_gpu.bulk_load"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[HEAD]], %{{[^,]*}}, %{{[^,]*}}) :
# POINTERS: } else {
# POINTERS: scf.for
# POINTERS: tile_gpu.warpgroup_dot"
# POINTERS: tile_gpu.warpgroup_dot"
# POINTERS: tile_gpu.warpgroup_dot_wait{{.*}}pending = 1
# POINTERS-LABEL: func.func @through_pointers(
@triton.jit
def through_pointers(q, k, v, out, n, stride):
    rows = tl.arange(0, 128)
    places = rows[:, None] * 128 + rows[None, :]
    head = tl.program_id(0)
    k_ptrs = k + head * stride + rows[:, None] + rows[None, :] * 128
    v_ptrs = v + head * stride + places
    x = tl.load(q + head * 16384 + places)
    top = tl.full((128,), -1000.0, tl.float32)
    sums = tl.zeros((128, 128), tl.float32)
    for i in range(0, n, 128):
        s = tl.dot(x, tl.load(k_ptrs))
        top, sums = _step(s, tl.load(v_ptrs), top, sums)
        k_ptrs += 128 * 128
        v_ptrs += 128 * 128
    tl.store(out + head * 16384 + places, sums + top[:, None])
