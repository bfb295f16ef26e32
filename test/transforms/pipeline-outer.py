# Blocks that dots read and that are loaded once, before the loop: the copy engine brings them, too, and in a block that goes over
# programs the producer starts the next one's while the consumers end this one.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel sums --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 128, 256" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s
# RUN: tile-run %s --kernel sums --check --grid 5 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 128, 256" --arg a=fp16[640,64]:rand --arg b=fp16[256,256]:rand --arg out=fp32[640,256]:poison --arg steps=i32:4 --arg stride=i32:64 --save out=%t.sums.npy
# RUN: tile-run %s --kernel sums --tensor-maps off --grid 5 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 128, 256" --arg a=fp16[640,64]:rand --arg b=fp16[256,256]:rand --arg out=fp32[640,256]:poison --arg steps=i32:4 --arg stride=i32:64 --save out=%t.plain.npy
# RUN: cmp %t.sums.npy %t.plain.npy
# Without roles, where a multiprocessor holds several blocks, one thread starts the copy, and all wait.
# RUN: tile-translate --import-triton --num-warps 4 --num-stages 3 --kernel sums --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 64, 64" %s | tile-opt --tile-to-tile-gpu=num-warps=4 - | FileCheck %s --check-prefix=ALL
# RUN: tile-run %s --kernel sums --check --grid 3 --num-warps 4 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 64, 64" --arg a=fp16[192,64]:rand --arg b=fp16[256,64]:rand --arg out=fp32[192,64]:poison --arg steps=i32:4 --arg stride=i32:64 --save out=%t.all.npy
# RUN: tile-run %s --kernel sums --tensor-maps off --grid 3 --num-warps 4 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16, 64, 64" --arg a=fp16[192,64]:rand --arg b=fp16[256,64]:rand --arg out=fp32[192,64]:poison --arg steps=i32:4 --arg stride=i32:64 --save out=%t.off.npy
# RUN: cmp %t.all.npy %t.off.npy
# What something else reads as well stays a load, and so does what has a row of another stride than the launch can say.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel read_twice --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32:16" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors - | FileCheck %s --check-prefix=TWICE
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel far_apart --signature "*fp16:16, *fp16:16, *fp32:16, i32, *i32:16" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors - | FileCheck %s --check-prefix=TWICE
# In a loop over tiles that the kernel has.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel over_tiles --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=TILES
# RUN: tile-run %s --kernel over_tiles --check --grid 2 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp32:16, i32, i32" --arg a=fp16[640,64]:rand --arg b=fp16[256,256]:rand --arg out=fp32[640,256]:poison --arg steps=i32:4 --arg tiles=i32:5 --save out=%t.tiles.npy
# RUN: cmp %t.tiles.npy %t.plain.npy
import triton
import triton.language as tl


# CHECK-LABEL: func.func @sums$tma(
# CHECK-SAME: tile_gpu.resident_blocks = 1
# CHECK: %[[A:.*]] = "tile_gpu.alloc"() : () -> memref<1x128x64xf16
# CHECK: %[[FULL:.*]] = "tile_gpu.alloc"() : () -> memref<1x1xi64
# CHECK-NEXT: "tile_gpu.mbarrier_init"(%[[FULL]]) {arrivals = 1 : i32}
# CHECK: %[[EMPTY:.*]] = "tile_gpu.alloc"() : () -> memref<1x1xi64
# CHECK-NEXT: "tile_gpu.mbarrier_init"(%[[EMPTY]]) {arrivals = 8 : i32}
# The producer: once a program, before the loop, in the loop over programs.
# CHECK: scf.if
# CHECK: scf.for
# CHECK: %[[PLACE:.*]] = "tile_gpu.index"(%[[EMPTY]],
# CHECK: "tile_gpu.mbarrier_wait"(%[[PLACE]],
# CHECK: "tile_gpu.mbarrier_expect"({{.*}}) {bytes = 16384 : i32}
# CHECK: "tile_gpu.bulk_load"
# CHECK: scf.for
# CHECK: "tile_gpu.bulk_load"
# The consumers: a wait before the loop; once the last dot is done, each warp tells.
# CHECK: } else {
# CHECK: scf.for
# CHECK: %[[OWN:.*]] = "tile_gpu.index"(%[[EMPTY]],
# CHECK: %[[THERE:.*]] = "tile_gpu.index"(%[[FULL]],
# CHECK: "tile_gpu.mbarrier_wait"(%[[THERE]],
# CHECK: scf.for
# CHECK: tile_gpu.warpgroup_dot"
# CHECK: }
# CHECK: tile_gpu.warpgroup_dot_wait{{.*}}pending = 0
# CHECK: "tile_gpu.mbarrier_arrive"(%[[OWN]],
# CHECK: tile.store
# ALL-LABEL: func.func @sums$tma(
# ALL-NOT: producer_warps
# ALL: %[[FULL:.*]] = "tile_gpu.alloc"() : () -> memref<1x1xi64
# ALL: "tile_gpu.mbarrier_expect"({{.*}}) {bytes = 8192 : i32}
# ALL: "tile_gpu.bulk_load"
# ALL: "tile_gpu.mbarrier_wait"
# ALL: scf.for
# ALL: "tile_gpu.mbarrier_inval"(%[[FULL]])
# ALL-LABEL: func.func @sums(
@triton.jit
def sums(a, b, out, steps, stride, M: tl.constexpr, N: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns, depth = tl.arange(0, N), tl.arange(0, 64)
    x = tl.load(a + rows[:, None] * stride + depth[None, :])
    acc = tl.zeros((M, N), dtype=tl.float32)
    for k in range(steps):
        acc = tl.dot(x, tl.load(b + (k * 64 + depth)[:, None] * N + columns[None, :]), acc)
    tl.store(out + rows[:, None] * N + columns[None, :], acc)


# TWICE-LABEL: func.func @{{.*}}$tma(
# TWICE: tile.load
# TWICE: scf.for
# TWICE: tile.descriptor_load
# TWICE-LABEL: func.func
@triton.jit
def read_twice(a, b, out, steps, stride):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns, depth = tl.arange(0, 256), tl.arange(0, 64)
    x = tl.load(a + rows[:, None] * stride + depth[None, :])
    acc = tl.zeros((128, 256), dtype=tl.float32) + tl.sum(x.to(tl.float32), 1)[:, None]
    for k in range(steps):
        acc = tl.dot(x, tl.load(b + (k * 64 + depth)[:, None] * 256 + columns[None, :]), acc)
    tl.store(out + rows[:, None] * 256 + columns[None, :], acc)


@triton.jit
def far_apart(a, b, out, steps, strides):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns, depth = tl.arange(0, 256), tl.arange(0, 64)
    x = tl.load(a + rows[:, None] * tl.load(strides) + depth[None, :])
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(steps):
        acc = tl.dot(x, tl.load(b + (k * 64 + depth)[:, None] * 256 + columns[None, :]), acc)
    tl.store(out + rows[:, None] * 256 + columns[None, :], acc)


# TILES-LABEL: func.func @over_tiles$tma(
# TILES-SAME: tile_gpu.producer_warps = 4
# TILES: memref<{{[12]}}x128x64xf16
# TILES-LABEL: func.func @over_tiles(
@triton.jit
def over_tiles(a, b, out, steps, tiles):
    columns, depth = tl.arange(0, 256), tl.arange(0, 64)
    a_desc = tl.make_tensor_descriptor(a, [tiles * 128, 64], [64, 1], [128, 64])
    b_desc = tl.make_tensor_descriptor(b, [steps * 64, 256], [256, 1], [64, 256])
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        rows = tile * 128 + tl.arange(0, 128)
        x = a_desc.load([tile * 128, 0])
        acc = tl.zeros((128, 256), dtype=tl.float32)
        for k in range(steps):
            acc = tl.dot(x, b_desc.load([k * 64, 0]), acc)
        tl.store(out + rows[:, None] * 256 + columns[None, :], acc)
