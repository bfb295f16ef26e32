# Rows of a cache that a table names: the table is read for the iteration ahead, and the rows are copied from there.

# RUN: tile-translate --import-triton --num-stages 2 --kernel paged --signature '*fp16:16, *fp16:16, *i32:16, *fp32:16, i32, 0' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s
# Before the loop for the first iteration, with a mask that is false where there is none:
# CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0_i32, %arg4
# CHECK: %[[ANY:.*]] = "tile.splat"(%[[RUNS]]) : (i1) -> tensor<64xi1
# CHECK: "tile.load"(%{{.*}}, %[[ANY]]) {{.*}} -> tensor<64xi32
# CHECK: tile_gpu.async_copy
# In the loop for the next one; a scalar of the table as well.
# CHECK: scf.for
# CHECK: %[[MORE:.*]] = arith.cmpi slt, %arg{{.*}}, %{{.*}} : i32
# CHECK: %[[ALL:.*]] = "tile.splat"(%[[MORE]]) : (i1) -> tensor<64xi1
# CHECK: "tile.load"(%{{.*}}, %[[ALL]]) {{.*}} -> tensor<64xi32
# CHECK-NOT: tile.load
# CHECK: tile_gpu.warpgroup_dot
# CHECK: tile_gpu.async_copy
# RUN: tile-translate --import-triton --num-stages 2 --kernel pages --signature '*fp16:16, *fp16:16, *i32:16, *fp32:16, i32' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=PAGES
# PAGES: scf.for
# PAGES: %[[MORE:.*]] = arith.cmpi slt, %arg{{.*}}, %{{.*}} : i32
# PAGES: "tile.load"(%{{.*}}, %[[MORE]]) {{.*}} -> i32
# PAGES-NOT: tile.load
# PAGES: tile_gpu.async_copy

# Not where the loop stores into the table, or its entries are volatile, or more than 16 registers of a thread.
# RUN: tile-translate --import-triton --num-stages 2 --kernel paged --signature '*fp16:16, *fp16:16, *i32:16, *fp32:16, i32, 1' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --import-triton --num-stages 2 --kernel paged --signature '*fp16:16, *fp16:16, *i32:16, *fp32:16, i32, 2' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --import-triton --num-stages 2 --kernel paged --signature '*fp16:16, *fp16:16, *i32:16, *fp32:16, i32, 3' %s \
# RUN:   | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=STAYS
# STAYS: scf.for
# STAYS: "tile.load"{{.*}} -> tensor<64x64xf16
# STAYS-NOT: tile_gpu.async_copy

# The table is as long as the loop reads: 3 iterations, and none.
# RUN: tile-run %s --kernel paged --device emulator --check --grid 1 --arg q=fp16[64,64]:ones --arg cache=fp16[192,64]:ones \
# RUN:   --arg table=i32[192]:arange --arg out=fp32[64,64]:poison --arg n=i32:3 --constexpr HOW=0 --print out:2 | FileCheck %s --check-prefix=THREE
# THREE: out = 192 192 ...
# RUN: tile-run %s --kernel paged --device emulator --check --grid 1 --arg q=fp16[64,64]:ones --arg cache=fp16[64,64]:ones \
# RUN:   --arg table=i32[1]:arange --arg out=fp32[64,64]:poison --arg n=i32:0 --constexpr HOW=0 --print out:2 | FileCheck %s --check-prefix=NONE
# NONE: out = 0 0 ...
# RUN: tile-run %s --kernel pages --device emulator --check --grid 1 --arg q=fp16[64,64]:ones --arg cache=fp16[192,64]:ones \
# RUN:   --arg table=i32[3]:arange --arg out=fp32[64,64]:poison --arg n=i32:3 --print out:2 | FileCheck %s --check-prefix=THREE
import triton
import triton.language as tl


@triton.jit
def paged(q, cache, table, out, n, HOW: tl.constexpr):
    i = tl.arange(0, 64)
    x = tl.load(q + i[:, None] * 64 + i[None, :])
    total = tl.zeros((64, 64), tl.float32)
    for k in range(n):
        if HOW == 3:
            rows = tl.load(table + k * 64 + i[None, :] + i[:, None] * 0 * n)
        else:
            rows = tl.load(table + k * 64 + i, volatile=HOW == 2)[None, :]
        y = tl.load(cache + rows * 64 + i[:, None])
        total = tl.dot(x, y, total)
        if HOW == 1:
            tl.store(table + k * 64 + i, i)
    tl.store(out + i[:, None] * 64 + i[None, :], total)


@triton.jit
def pages(q, cache, table, out, n):
    i = tl.arange(0, 64)
    x = tl.load(q + i[:, None] * 64 + i[None, :])
    total = tl.zeros((64, 64), tl.float32)
    for k in range(n):
        page = tl.load(table + k)
        y = tl.load(cache + page * 4096 + i[:, None] * 64 + i[None, :])
        total = tl.dot(x, y, total)
    tl.store(out + i[:, None] * 64 + i[None, :], total)
