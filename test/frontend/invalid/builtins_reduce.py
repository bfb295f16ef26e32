# RUN: not tile-translate --import-triton --kernel axis --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=AXIS
# RUN: not tile-translate --import-triton --kernel scalar_axis --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=SCALAR
# RUN: not tile-translate --import-triton --kernel run_time_axis --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=RUNTIME
# RUN: not tile-translate --import-triton --kernel pointers --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=POINTERS
# RUN: not tile-translate --import-triton --kernel xor_of_floats --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=XOR
# RUN: not tile-translate --import-triton --kernel other_type --signature "*i32" %s 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not tile-translate --import-triton --kernel captures --signature "*fp32, fp32" %s 2>&1 | FileCheck %s --check-prefix=CAPTURE
# RUN: not tile-translate --import-triton --kernel one_for_two --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=COUNT
# RUN: not tile-translate --import-triton --kernel takes_three --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=THREE
# RUN: not tile-translate --import-triton --kernel no_function --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=FUNCTION
# RUN: not tile-translate --import-triton --kernel makes_tiles --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=TILES
# RUN: not tile-translate --import-triton --kernel shapes --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=SHAPES
# RUN: not tile-translate --import-triton --kernel index_of_scalar --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=INDEX
# RUN: not tile-translate --import-triton --kernel scan_of_scalar --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=SCAN
# RUN: not tile-translate --import-triton --kernel top_three --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=TOP
# RUN: not tile-translate --import-triton --kernel too_many --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: not tile-translate --import-triton --kernel softmax_of_integers --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=SOFTMAX
import triton
import triton.language as tl


# AXIS: :[[#@LINE+3]]:42: error: invalid axis 1; it is -1 to 0
@triton.jit
def axis(p):
    tl.store(p, tl.sum(tl.arange(0, 16), axis=1))


# SCALAR: :[[#@LINE+3]]:36: error: a scalar has no axis
@triton.jit
def scalar_axis(p):
    tl.store(p, tl.sum(tl.load(p), 0))


# RUNTIME: :[[#@LINE+3]]:42: error: a compile-time integer is needed, not i32
@triton.jit
def run_time_axis(p, n):
    tl.store(p, tl.sum(tl.arange(0, 16), n))


# POINTERS: :[[#@LINE+3]]:24: error: tl.sum takes numbers and tiles of numbers, not a tile 16x*fp32
@triton.jit
def pointers(p):
    tl.store(p, tl.sum(p + tl.arange(0, 16)))


# XOR: :[[#@LINE+3]]:28: error: tl.xor_sum takes integers, not a tile 16xfp32
@triton.jit
def xor_of_floats(p):
    tl.store(p, tl.xor_sum(tl.arange(0, 16) * 0.5, 0))


@triton.jit
def half(a, b):
    return (a + b) * 0.5


# TYPE: :[[#@LINE+3]]:17: error: the combiner gives fp32 for elements of type i32; it keeps the type (cast with .to(), or cast the tile before)
@triton.jit
def other_type(p):
    tl.store(p, tl.reduce(tl.arange(0, 16), 0, half))


# CAPTURE: :[[#@LINE+4]]:46: error: arith.mulf: the combiner of a reduction or scan takes operand 1 from outside, which is known at run time only; it computes with its arguments and constants
@triton.jit
def captures(p, s):
    x = tl.load(p + tl.arange(0, 16))
    tl.store(p, tl.reduce(x, 0, lambda a, b: (a * 2.0 + b) * s))


@triton.jit
def first(a, x, b, y):
    return a + b


# COUNT: :[[#@LINE+4]]:12: error: the combiner gives 1 value for 2 tiles
@triton.jit
def one_for_two(p):
    i = tl.arange(0, 16)
    a, b = tl.reduce((i, i), 0, first)


# THREE: :[[#@LINE+3]]:17: error: 'first' takes 4 arguments; it is called with 2
@triton.jit
def takes_three(p):
    tl.store(p, tl.reduce(tl.arange(0, 16), 0, first))


# FUNCTION: :[[#@LINE+3]]:17: error: the integer 3 cannot be called
@triton.jit
def no_function(p):
    tl.store(p, tl.reduce(tl.arange(0, 16), 0, 3))


@triton.jit
def wide(a, b):
    return a + tl.arange(0, 2)


# TILES: :[[#@LINE+3]]:17: error: the combiner gives a tile 2xi32 for elements of type i32
@triton.jit
def makes_tiles(p):
    tl.store(p, tl.reduce(tl.arange(0, 16), 0, wide))


# SHAPES: :[[#@LINE+3]]:22: error: tiles that are combined together have one shape; broadcast them first
@triton.jit
def shapes(p):
    a, b = tl.reduce((tl.arange(0, 16), tl.arange(0, 8)), 0, first)


# INDEX: :[[#@LINE+3]]:39: error: a scalar has no axis
@triton.jit
def index_of_scalar(p):
    tl.store(p, tl.argmax(tl.load(p), axis=0))


# SCAN: :[[#@LINE+3]]:27: error: tl.cumsum runs along a tile; this is a scalar
@triton.jit
def scan_of_scalar(p):
    tl.store(p, tl.cumsum(tl.load(p), 0))


# TOP: :[[#@LINE+3]]:35: error: k is a power of two up to the tile's size 16 along the axis, not 3
@triton.jit
def top_three(p):
    x = tl.topk(tl.arange(0, 16), 3)


# MANY: :[[#@LINE+4]]:19: error: one to 8 tiles are combined together, not 9
@triton.jit
def too_many(p):
    i = tl.arange(0, 16)
    x = tl.reduce((i, i, i, i, i, i, i, i, i), 0, first)


# SOFTMAX: :[[#@LINE+3]]:28: error: tl.softmax takes floating-point numbers (cast with .to(tl.float32)), not a tile 16xi32
@triton.jit
def softmax_of_integers(p):
    tl.store(p, tl.softmax(tl.arange(0, 16)))
