# RUN: not tile-translate --import-triton --kernel exp_of_integers --signature "*i32" %s 2>&1 | FileCheck %s --check-prefix=EXP
# RUN: not tile-translate --import-triton --kernel exp_of_pointers --signature "*i32" %s 2>&1 | FileCheck %s --check-prefix=POINTERS
# RUN: not tile-translate --import-triton --kernel bits_of_floats --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=BITS
# RUN: not tile-translate --import-triton --kernel high_of_small --signature "*i8" %s 2>&1 | FileCheck %s --check-prefix=HIGH
# RUN: not tile-translate --import-triton --kernel nan_option --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=NAN
# RUN: not tile-translate --import-triton --kernel nan_call --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=CALL
# RUN: not tile-translate --import-triton --kernel min_of_one --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: not tile-translate --import-triton --kernel misspelt --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=MISSPELT
# RUN: not tile-translate --import-triton --kernel shapes --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=SHAPES
# RUN: not tile-translate --import-triton --kernel flag --signature "*fp32, i1" %s 2>&1 | FileCheck %s --check-prefix=FLAG
import triton
import triton.language as tl
from triton.language.extra import libdevice


# EXP: :[[#@LINE+3]]:24: error: tl.exp takes floating-point numbers (cast with .to(tl.float32)), not i32
@triton.jit
def exp_of_integers(p):
    tl.store(p, tl.exp(tl.load(p)))


# POINTERS: :[[#@LINE+3]]:24: error: tl.abs takes numbers and tiles of numbers, not *i32
@triton.jit
def exp_of_pointers(p):
    tl.store(p, tl.abs(p))


# BITS: :[[#@LINE+3]]:31: error: libdevice.clz takes integers, not fp32
@triton.jit
def bits_of_floats(p):
    tl.store(p, libdevice.clz(tl.load(p)))


# HIGH: :[[#@LINE+4]]:27: error: tl.umulhi takes integers of 32 or 64 bits, not i8
@triton.jit
def high_of_small(p):
    x = tl.load(p)
    tl.store(p, tl.umulhi(x, x))


# NAN: :[[#@LINE+3]]:38: error: tl.PropagateNan.NONE or tl.PropagateNan.ALL is needed, not True
@triton.jit
def nan_option(p):
    tl.store(p, tl.maximum(1.0, 2.0, True))


# CALL: :[[#@LINE+3]]:5: error: PropagateNan.ALL is a value, not a function
@triton.jit
def nan_call(p):
    tl.PropagateNan.ALL()


# ONE: :[[#@LINE+3]]:17: error: min() takes two values or more; along an axis of a tile use tl.min
@triton.jit
def min_of_one(p):
    tl.store(p, min(tl.load(p)))


# MISSPELT: :[[#@LINE+3]]:27: error: 'triton.language.extra.libdevice.tanhh' is not supported; did you mean 'tanh'?
@triton.jit
def misspelt(p):
    tl.store(p, libdevice.tanhh(tl.load(p)))


# SHAPES: :[[#@LINE+3]]:17: error: dimension 0 is 16 on one side and 32 on the other; they are equal or one is 1
@triton.jit
def shapes(p):
    tl.store(p, tl.fma(tl.arange(0, 16) * 1.0, 2, tl.arange(0, 32) * 1.0))


# FLAG: :[[#@LINE+3]]:35: error: True or False is needed, not i1
@triton.jit
def flag(p, exact):
    tl.store(p, tl.fdiv(1.0, 3.0, ieee_rounding=exact))
