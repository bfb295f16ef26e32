# RUN: tile-translate --import-triton --kernel pick --signature "*fp32:16, *fp32:16, *i32, i32, i32" %s -o %t.pick.mlir
# RUN: tile-run --device emulator %t.pick.mlir --grid 1 --check --arg x_ptr=fp32[40]:arange --arg y_ptr=fp32[48]:poison --arg rows_ptr=i32[8]:arange --arg M=i32:5 --arg N=i32:7 --print y_ptr:48 | FileCheck %s --check-prefix=PICK
# RUN: tile-run %s --device emulator --kernel sums --grid 2 --check --arg x_ptr=i32[24]:arange --arg y_ptr=fp16[24]:ones --arg M=i32:6 --arg N=i32:4 --print x_ptr:24 --print y_ptr:24 | FileCheck %s --check-prefix=SUMS
# RUN: tile-run %s --device emulator --kernel bounds --grid 1 --check --arg x_ptr=u32[8]:7 --print x_ptr:8 | FileCheck %s --check-prefix=BOUNDS
# RUN: tile-translate --import-triton --kernel sums --signature "*i32, *fp16, i32, i32" %s | FileCheck %s --check-prefix=IR
# RUN: tile-translate --kernel sums --signature "*i32:16, *fp16:16, i32, i32" --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
# RUN: tile-run %s --device emulator --kernel halves --grid 2 --check --arg x_ptr=fp16[32]:-2 --arg y_ptr=bf16[32]:3 --print x_ptr:8 --print y_ptr:8 | FileCheck %s --check-prefix=HALVES
# RUN: tile-translate --kernel halves --signature "*fp16:16, *bf16:16" --target sm_90a --tile-to-ptx %s | FileCheck %s --check-prefix=LOOP
"""Descriptors: rows picked by an index, and atomic operations."""
import triton
import triton.language as tl


# Rows 7, 6, ... 0 of five, columns 4 to 7 of seven: what is outside reads as zero and is not written.
# PICK: y_ptr = 0 0 0 0 0 0 0 0 0 0 0 0 32 33 34 0 25 26 27 0 18 19 20 0 11 12 13 0 4 5 6 0 28 29 30 -26711958 21 22 23 -26711958 14 15 16
@triton.jit
def pick(x_ptr, y_ptr, rows_ptr, M, N):
    x = tl.make_tensor_descriptor(x_ptr, (M, N), (N, 1), (1, 4))
    rows = 7 - tl.load(rows_ptr + tl.arange(0, 8))
    picked = x.gather(rows, 4)
    tl.store(y_ptr + tl.arange(0, 8)[:, None] * 4 + tl.arange(0, 4), picked)
    tl.debug_barrier()
    # Row 4 goes to row 0, row 3 to row 1, ...; rows before the first and after the last go nowhere.
    y = tl.make_tensor_descriptor(y_ptr + 32, (4, 3), (4, 1), (1, 4))
    y.scatter(x.gather(rows, 0), 4 - rows, 0)


# IR: "tile.atomic_rmw"({{.*}}) {kind = "add", scope = "gpu", sem = "relaxed"} : (tensor<8x4x!tile.ptr<i32>>, tensor<8x4xi32>, tensor<8x4xi1>)
# PTX: atom.global.gpu.relaxed.add.u32
# PTX: atom.global.gpu.relaxed.add.noftz.f16
# SUMS: x_ptr = 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
# SUMS: y_ptr = 4 4 4 4 4
@triton.jit
def sums(x_ptr, y_ptr, M, N):
    x = tl.make_tensor_descriptor(x_ptr, (M, N), (N, 1), (8, 4))
    y = tl.make_tensor_descriptor(y_ptr, (M, N), (N, 1), (8, 4))
    x.atomic_add([0, 0], tl.full((8, 4), 3, tl.int32))
    y.atomic_add(offsets=[0, 0], value=tl.full((8, 4), 1.5, tl.float32))


# 0, 9, 9, 9, then 7 & 6, 7 | 8, 7 ^ 1; unsigned: -1 is the largest.
# BOUNDS: x_ptr = 7 9 6 15 6 4294967295 7 7
@triton.jit
def bounds(x_ptr):
    one = tl.make_tensor_descriptor(x_ptr, (8,), (1,), (1,))
    one.atomic_min([0], tl.full((1,), 9, tl.uint32))
    one.atomic_max([1], tl.full((1,), 9, tl.uint32))
    one.atomic_and([2], tl.full((1,), 6, tl.uint32))
    one.atomic_or([3], tl.full((1,), 8, tl.uint32))
    one.atomic_xor([4], tl.full((1,), 1, tl.uint32))
    one.atomic_max([5], tl.full((1,), -1, tl.int32))
    one.atomic_max([8], tl.full((1,), 9, tl.uint32))


# A loop of compare-and-swap on every target; a number that is none loses.
# LOOP: max.f16 new, expected
# LOOP: atom.relaxed.gpu.global.cas.b16
# LOOP: min.bf16 new, expected
# HALVES: x_ptr = -2 -2 -1 0 1 2 3 4 ...
# HALVES: y_ptr = -4 -3 -2 -1 0 1 2 3 ...
@triton.jit
def halves(x_ptr, y_ptr):
    x = tl.make_tensor_descriptor(x_ptr, (32,), (1,), (32,))
    y = tl.make_tensor_descriptor(y_ptr, (32,), (1,), (32,))
    i = tl.arange(0, 32)
    x.atomic_max([0], (i - 4 + tl.program_id(0)).to(tl.float16))
    x.atomic_max([0], tl.full((32,), float("nan"), tl.float16))
    y.atomic_min([0], (i - 4 + tl.program_id(0)).to(tl.bfloat16))
