# RUN: not tile-translate --import-triton --kernel inner --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=INNER
# RUN: not tile-translate --import-triton --kernel mixed --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=MIXED
# RUN: not tile-translate --import-triton --kernel small --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=SMALL
# RUN: not tile-translate --import-triton --kernel ranks --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=RANKS
# RUN: not tile-translate --import-triton --kernel accumulator --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=ACC
# RUN: not tile-translate --import-triton --kernel shape --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=SHAPE
# RUN: not tile-translate --import-triton --kernel bf16 --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=BF16
# RUN: not tile-translate --import-triton --kernel both --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=BOTH
# RUN: not tile-translate --import-triton --kernel integers --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=INTEGERS
# RUN: not tile-translate --import-triton --kernel imprecise --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=IMPRECISE
# RUN: not tile-translate --import-triton --kernel format --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=FORMAT
# RUN: not tile-translate --import-triton --kernel scale --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=SCALE
import triton
import triton.language as tl


# INNER: builtins_dot.py:[[#@LINE+3]]:5: error: tl.dot: K is 32 in the first operand (16 x 32) and 16 in the second (16 x 32); transpose one with tl.trans?
@triton.jit
def inner(x_ptr, n):
    tl.dot(tl.zeros((16, 32), tl.float16), tl.zeros((16, 32), tl.float16))


# MIXED: error: tl.dot multiplies tiles of one type, not fp16 and fp32; cast one with .to()
@triton.jit
def mixed(x_ptr, n):
    tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float32))


# SMALL: error: tl.dot: K = 8. Input shapes should have M >= 1, N >= 1 and K >= 16 for this type; use a larger block and mask
@triton.jit
def small(x_ptr, n):
    tl.dot(tl.zeros((16, 8), tl.float16), tl.zeros((8, 16), tl.float16))


# RANKS: error: tl.dot multiplies two matrices or two batches of matrices; the operands have 2 and 1 dimensions
@triton.jit
def ranks(x_ptr, n):
    tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16,), tl.float16))


# ACC: error: the accumulator is a tile 16x16xfp16; the product is a tile 16x16xfp32
@triton.jit
def accumulator(x_ptr, n):
    tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float16), out_dtype=tl.float32)


# SHAPE: error: the accumulator is a tile 16x32xfp32; the product is a tile 16x16xfp32
@triton.jit
def shape(x_ptr, n):
    tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float16), tl.zeros((16, 32), tl.float32))


# BF16: error: tl.dot sums in fp32 or fp16; leave out_dtype out and cast the result with .to(tl.bfloat16)
@triton.jit
def bf16(x_ptr, n):
    tl.dot(tl.zeros((16, 16), tl.bfloat16), tl.zeros((16, 16), tl.bfloat16), out_dtype=tl.bfloat16)


# BOTH: error: input_precision and allow_tf32 say the same; give one
@triton.jit
def both(x_ptr, n):
    tl.dot(tl.zeros((16, 16), tl.float32), tl.zeros((16, 16), tl.float32), input_precision="ieee", allow_tf32=True)


# INTEGERS: error: tl.dot multiplies floats and int8, not i32; cast the operand
@triton.jit
def integers(x_ptr, n):
    tl.dot(tl.zeros((16, 16), tl.int32), tl.zeros((16, 16), tl.int32))


# IMPRECISE: error: max_num_imprecise_acc (64) must be <= K (32)
@triton.jit
def imprecise(x_ptr, n):
    tl.dot(tl.zeros((16, 32), tl.float8e5), tl.zeros((32, 16), tl.float8e5), max_num_imprecise_acc=64)


# FORMAT: error: a tile 16x32xfp16 does not hold e4m3; uint8 holds e2m1, e4m3 and e5m2
@triton.jit
def format(x_ptr, n):
    tl.dot_scaled(tl.zeros((16, 32), tl.float16), None, "e4m3", tl.zeros((32, 16), tl.uint8), None, "e4m3")


# SCALE: error: a scale is a tile 16x2xu8, one for 32 elements of K = 64, or 16x4xfp8e4nv, one for 16; this is a tile 16x4xu8
@triton.jit
def scale(x_ptr, n):
    tl.dot_scaled(tl.zeros((16, 64), tl.uint8), tl.zeros((16, 4), tl.uint8), "e4m3", tl.zeros((64, 16), tl.uint8), None, "e4m3")
