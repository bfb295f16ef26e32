# RUN: not tile-translate --import-triton --kernel elements --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=ELEMENTS
# RUN: not tile-translate --import-triton --kernel order --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=ORDER
# RUN: not tile-translate --import-triton --kernel flat --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=FLAT
# RUN: not tile-translate --import-triton --kernel types --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=TYPES
# RUN: not tile-translate --import-triton --kernel three --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=THREE
# RUN: not tile-translate --import-triton --kernel ranks --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=RANKS
# RUN: not tile-translate --import-triton --kernel index --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=INDEX
# RUN: not tile-translate --import-triton --kernel axis --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=AXIS
# RUN: not tile-translate --import-triton --kernel twice --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not tile-translate --import-triton --kernel many --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: not tile-translate --import-triton --kernel squeezed --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=SQUEEZE
# RUN: not tile-translate --import-triton --kernel item --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=ITEM
# RUN: not tile-translate --import-triton --kernel counted --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=HISTOGRAM
# RUN: not tile-translate --import-triton --kernel power --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=POWER
# RUN: not tile-translate --import-triton --kernel large --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: not tile-translate --import-triton --kernel run_time --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=RUNTIME
import triton
import triton.language as tl


# ELEMENTS: builtins_shape.py:[[#@LINE+3]]:5: error: a tile of 16 elements cannot take a shape of 32
@triton.jit
def elements(x_ptr, n):
    tl.arange(0, 16).reshape(4, 8)


# ORDER: error: the order names each of the 2 dimensions once
@triton.jit
def order(x_ptr, n):
    tl.arange(0, 16).reshape(4, 4).permute(0, 0)


# FLAT: error: a tile of one dimension has none to transpose
@triton.jit
def flat(x_ptr, n):
    tl.trans(tl.arange(0, 16))


# TYPES: error: tl.join takes two of one type, not i32 and fp32; cast one with .to()
@triton.jit
def types(x_ptr, n):
    tl.join(tl.arange(0, 16), tl.zeros((16,), tl.float32))


# THREE: error: only a last dimension of size 2 is split
@triton.jit
def three(x_ptr, n):
    tl.split(tl.arange(0, 16))


# RANKS: error: source and index are tiles of the same number of dimensions
@triton.jit
def ranks(x_ptr, n):
    tl.gather(tl.arange(0, 16).reshape(4, 4), tl.arange(0, 4), 0)


# INDEX: error: a tile of integers is needed, not a tile 16xfp32
@triton.jit
def index(x_ptr, n):
    tl.gather(tl.arange(0, 16), tl.zeros((16,), tl.float32), 0)


# AXIS: error: invalid axis 2; it is -2 to 1
@triton.jit
def axis(x_ptr, n):
    tl.arange(0, 16).reshape(4, 4).flip(2)


# TWICE: error: the axis 0 is given twice
@triton.jit
def twice(x_ptr, n):
    tl.expand_dims(tl.arange(0, 16), (0, -3))


# MANY: error: a tile has at most 16 dimensions
@triton.jit
def many(x_ptr, n):
    tl.expand_dims(tl.arange(0, 16), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))


# SQUEEZE: error: dimension 0 has 16 elements, not 1
@triton.jit
def squeezed(x_ptr, n):
    tl.arange(0, 16)[:, None].squeeze(0)


# ITEM: error: a tile of 16 elements has no single item
@triton.jit
def item(x_ptr, n):
    tl.arange(0, 16).item()


# HISTOGRAM: error: a tile of integers with one dimension is needed, not a tile 16xfp32
@triton.jit
def counted(x_ptr, n):
    tl.histogram(tl.zeros((16,), tl.float32), 16)


# POWER: error: a compile-time integer is needed, not i32
@triton.jit
def power(x_ptr, n):
    triton.next_power_of_2(n)


# LARGE: error: a tile has at most 1048576 elements
@triton.jit
def large(x_ptr, n):
    tl.zeros((2097152,), tl.float32)


# RUNTIME: error: a shape is made of compile-time integers; make the size a tl.constexpr
@triton.jit
def run_time(x_ptr, n):
    tl.zeros((n,), tl.float32)
