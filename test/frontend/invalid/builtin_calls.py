# RUN: not tile-translate --import-triton --kernel far --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=FAR
# RUN: not tile-translate --import-triton --kernel method --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=METHOD
# RUN: not tile-translate --import-triton --kernel libdevice_near --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=LIBDEVICE
# RUN: not tile-translate --import-triton --kernel alias --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=ALIAS
# RUN: not tile-translate --import-triton --kernel twice --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not tile-translate --import-triton --kernel many --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: not tile-translate --import-triton --kernel missing --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=MISSING
# RUN: not tile-translate --import-triton --kernel double_star --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=DOUBLE
# RUN: not tile-translate --import-triton --kernel star --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=STAR
# RUN: not tile-translate --import-triton --kernel shape --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=SHAPE
# RUN: not tile-translate --import-triton --kernel dtype --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=DTYPE
# RUN: not tile-translate --import-triton --kernel no_tile --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=TILE
import triton
import triton.language as tl
from triton.language.extra import libdevice

lib = tl.extra.cuda.libdevice


# FAR: builtin_calls.py:[[#@LINE+3]]:8: error: 'triton.language.transmogrify_everything' is not supported{{$}}
@triton.jit
def far(x_ptr):
    tl.transmogrify_everything(x_ptr)


# METHOD: builtin_calls.py:[[#@LINE+3]]:22: error: a tile 16xi32 has no method 'flor'; did you mean 'floor'?
@triton.jit
def method(x_ptr):
    tl.arange(0, 16).flor()


# LIBDEVICE: error: 'triton.language.extra.libdevice.rsqr' is not supported; did you mean 'rsqrt'?
@triton.jit
def libdevice_near(x_ptr):
    libdevice.rsqr(x_ptr)


# ALIAS: error: 'triton.language.extra.cuda.libdevice.no_such_function' is not supported
@triton.jit
def alias(x_ptr):
    lib.no_such_function(x_ptr)


# TWICE: error: tl.load: the argument 'pointer' is given twice
@triton.jit
def twice(x_ptr):
    tl.load(x_ptr, pointer=x_ptr)


# MANY: error: tl.abs takes 1 argument: x
@triton.jit
def many(x_ptr):
    tl.abs(1, 2)


# MISSING: error: tl.store: the argument 'value' is missing
@triton.jit
def missing(x_ptr):
    tl.store(x_ptr)


# DOUBLE: error: '**' is not supported in a call in a kernel
@triton.jit
def double_star(x_ptr):
    tl.load(**x_ptr)


# STAR: error: '*' in a call takes a tuple
@triton.jit
def star(x_ptr):
    tl.load(*x_ptr)


# SHAPE: error: the size 24 is not a power of two; take the next one and mask
@triton.jit
def shape(x_ptr):
    tl.zeros((24,), tl.float32)


# DTYPE: error: a type such as tl.float32 is needed, not the integer 3
@triton.jit
def dtype(x_ptr):
    tl.zeros((32,), dtype=3)


# TILE: error: a tile is needed, not *fp32
@triton.jit
def no_tile(x_ptr):
    tl.trans(x_ptr)
