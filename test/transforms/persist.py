# A loop over programs of different lengths.
# Programs whose loops get longer along x are taken in pairs, a long one and a short one: an odd number of them, too. What is loaded
# before the first of two loops is read until the second one has ended. The last rows are taken one by one: with as many blocks as have
# two programs each all rows, with two multiprocessors one of three (test/unit/persist_test.c has the order).
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 2 --kernel triangle --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=PAIRS
# RUN: tile-run %s --kernel triangle --check --grid 5,3 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[3,640,128]:rand --arg k=fp16[3,640,128]:rand --arg v=fp16[3,640,128]:rand --arg out=fp32[3,640,128]:poison --arg n=i32:640 --save out=%t.pairs.npy
# RUN: tile-run %s --kernel triangle --tensor-maps off --grid 5,3 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[3,640,128]:rand --arg k=fp16[3,640,128]:rand --arg v=fp16[3,640,128]:rand --arg out=fp32[3,640,128]:poison --arg n=i32:640 --save out=%t.rows.npy
# RUN: tile-run %s --kernel triangle --check --multiprocessors 2 --grid 5,3 --num-warps 8 --num-stages 2 --signature "*fp16:16, *fp16:16, *fp16:16, *fp32:16, i32:16" --arg q=fp16[3,640,128]:rand --arg k=fp16[3,640,128]:rand --arg v=fp16[3,640,128]:rand --arg out=fp32[3,640,128]:poison --arg n=i32:640 --save out=%t.two.npy
# RUN: cmp %t.two.npy %t.rows.npy
# RUN: cmp %t.pairs.npy %t.rows.npy
# Along another axis, or where it is not known how long they are, the hardware balances them.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel along_y --signature "*fp16:16, *fp16:16, *fp32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel of_table --signature "*fp16:16, *fp16:16, *fp32:16, *i32:16, i32:16" %s | tile-opt --tile-to-tile-gpu=num-warps=8 - | FileCheck %s --check-prefix=ALONE
# Where a program is along all three axes goes on from one to the next: two of each block here, over the end of a row and of a plane.
# RUN: tile-run %s --kernel cube --check --grid 3,3,3 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp32:16, i32" --arg a=fp16[3456,64]:rand --arg b=fp16[128,256]:rand --arg out=fp32[3456,256]:poison --arg steps=i32:2 --save out=%t.cube.npy
# RUN: tile-run %s --kernel cube --tensor-maps off --grid 3,3,3 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp32:16, i32" --arg a=fp16[3456,64]:rand --arg b=fp16[128,256]:rand --arg out=fp32[3456,256]:poison --arg steps=i32:2 --save out=%t.hardware.npy
# RUN: cmp %t.cube.npy %t.hardware.npy
# RUN: tile-translate --tile-to-ptx --kernel cube --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp32:16, i32" %s -o %t.ptx
# RUN: FileCheck %s --check-prefix=CUBE --input-file=%t.ptx
# CUBE: tile.version {{.*}}resident=1
import triton
import triton.language as tl


# PAIRS-LABEL: func.func @triangle$tma(
# PAIRS-SAME: tile_gpu.resident_blocks = 1
# PAIRS-NOT: longest_axis
# Both roles go over the programs; of the consumers:
# PAIRS: "tile.program_id"() {axis = 2 : i32}
# PAIRS: "tile_gpu.bulk_load"
# PAIRS: "tile.program_id"() {axis = 2 : i32}
# PAIRS: scf.yield
# PAIRS: } else {
# From the end of the row on, or from its beginning.
# PAIRS: scf.for %[[TURN:[a-z0-9]*]] = %{{.*}} to %{{.*}} step %c1_i32 iter_args(%[[X:[a-z0-9]*]] = %{{.*}}, %[[Y:[a-z0-9]*]] =
# PAIRS: %[[HALF:.*]] = arith.shrui %[[X]], %c1_i32
# PAIRS: %[[END:.*]] = arith.subi %{{.*}}, %[[HALF]]
# PAIRS: %[[BIT:.*]] = arith.andi %[[X]], %c1_i32
# PAIRS: %[[ODD:.*]] = arith.cmpi eq, %[[BIT]], %c1_i32
# PAIRS: arith.select %[[ODD]], %[[HALF]], %[[END]]
# Both loops, of which each is one iteration ahead with its first dot. In either arm of the second one the block has been read when
# that is so of the last keys.
# PAIRS: scf.if
# PAIRS: scf.for
# PAIRS: scf.if
# PAIRS: scf.for
# PAIRS: scf.yield
# PAIRS-NEXT: {{^ *}}}
# PAIRS-NEXT: "tile_gpu.mbarrier_arrive"(%[[EMPTY:.*]], %true)
# PAIRS: {{^ *}}} else {
# PAIRS-NEXT: "tile_gpu.mbarrier_arrive"(%[[EMPTY]], %true)
# One further, or, behind the second one of a pair, as many pairs as there are blocks.
# PAIRS: %[[LOW:.*]] = arith.andi %[[TURN]], %c1_i32
# PAIRS: %[[SECOND:.*]] = arith.cmpi eq, %[[LOW]], %c1_i32
# PAIRS: arith.select %[[SECOND]],
# Or a program of the last rows, by its number.
# PAIRS: scf.if %{{.*}} -> (i32, i32)
# PAIRS: arith.divui
# PAIRS-LABEL: func.func @triangle(
@triton.jit
def triangle(q, k, v, out, n):
    head = tl.program_id(1) * n * 128
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns = tl.arange(0, 128)
    place = rows[:, None] * 128 + columns[None, :]
    x = tl.load(q + head + place)
    acc = tl.zeros((128, 128), dtype=tl.float32)
    for i in range(0, tl.program_id(0) * 128, 128):
        at = (i + tl.arange(0, 128))[:, None] * 128 + columns[None, :]
        s = tl.dot(x, tl.load(k + head + at).T)
        acc = tl.dot(tl.exp2(s * 0.01).to(tl.float16), tl.load(v + head + at), acc)
    for i in range(tl.program_id(0) * 128, tl.program_id(0) * 128 + 128, 128):
        at = (i + tl.arange(0, 128))[:, None] * 128 + columns[None, :]
        s = tl.where(rows[:, None] >= (i + columns)[None, :], tl.dot(x, tl.load(k + head + at).T), 0)
        acc = tl.dot(tl.exp2(s * 0.01).to(tl.float16), tl.load(v + head + at), acc)
    tl.store(out + head + place, acc)


# ALONE-LABEL: func.func @{{.*}}$tma(
# ALONE-NOT: resident_blocks
# ALONE-LABEL: func.func
@triton.jit
def along_y(a, b, out, stride):
    rows = (tl.program_id(1) * 8 + tl.program_id(0)) * 128 + tl.arange(0, 128)
    columns, depth = tl.arange(0, 256), tl.arange(0, 64)
    x = tl.load(a + rows[:, None] * stride + depth[None, :])
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range((tl.program_id(1) + 1) * 4):
        acc = tl.dot(x, tl.load(b + (k * 64 + depth)[:, None] * 256 + columns[None, :]), acc)
    tl.store(out + rows[:, None] * 256 + columns[None, :], acc)


@triton.jit
def of_table(a, b, out, steps, stride):
    rows = tl.program_id(0) * 128 + tl.arange(0, 128)
    columns, depth = tl.arange(0, 256), tl.arange(0, 64)
    x = tl.load(a + rows[:, None] * stride + depth[None, :])
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(tl.load(steps + tl.program_id(0))):
        acc = tl.dot(x, tl.load(b + (k * 64 + depth)[:, None] * 256 + columns[None, :]), acc)
    tl.store(out + rows[:, None] * 256 + columns[None, :], acc)


@triton.jit
def cube(a, b, out, steps):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    tile = (z * tl.num_programs(1) + y) * tl.num_programs(0) + x
    rows = tile * 128 + tl.arange(0, 128)
    columns, depth = tl.arange(0, 256), tl.arange(0, 64)
    first = tl.load(a + rows[:, None] * 64 + depth[None, :])
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(steps):
        acc = tl.dot(first, tl.load(b + (k * 64 + depth)[:, None] * 256 + columns[None, :]), acc)
    tl.store(out + rows[:, None] * 256 + columns[None, :], acc * (x + 1) + y * z)
