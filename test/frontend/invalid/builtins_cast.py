# RUN: not tile-translate --import-triton --kernel bits --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=BITS
# RUN: not tile-translate --import-triton --kernel mode --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=MODE
# RUN: not tile-translate --import-triton --kernel widening --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=WIDENING
# RUN: not tile-translate --import-triton --kernel mixed --signature "*fp8e4nv, i32" %s 2>&1 | FileCheck %s --check-prefix=MIXED
# RUN: not tile-translate --import-triton --kernel no_type --signature "*fp8e4nv, i32" %s 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not tile-translate --import-triton --kernel nan --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=NAN
import triton
import triton.language as tl


# BITS: builtins_cast.py:[[#@LINE+3]]:5: error: a bitcast keeps the number of bits: 32 and 16
@triton.jit
def bits(x_ptr, n):
    n.to(tl.float16, bitcast=True)


# MODE: error: "rtne" or "rtz" is needed, not the string "up"
@triton.jit
def mode(x_ptr, n):
    tl.load(x_ptr).to(tl.float16, fp_downcast_rounding="up")


# WIDENING: error: a rounding mode is for conversions of floats to fewer bits
@triton.jit
def widening(x_ptr, n):
    tl.load(x_ptr).to(tl.float64, fp_downcast_rounding="rtz")


# MIXED: error: fp8e4nv + i32: unexpected type: an 8-bit float and an integer have no common type; cast one with .to(tl.float32)
@triton.jit
def mixed(x_ptr, n):
    tl.load(x_ptr) + n


# TYPE: error: a type such as tl.float32 is needed, not the integer 4
@triton.jit
def no_type(x_ptr, n):
    n.to(4)


# NAN: error: nan does not fit int32
@triton.jit
def nan(x_ptr, n):
    tl.full((16,), float("nan"), tl.int32)
