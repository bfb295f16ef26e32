# RUN: not tile-translate --import-triton --kernel rank --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: not tile-translate --import-triton --kernel negative --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
# RUN: not tile-translate --import-triton --kernel floats --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=FLOATS
# RUN: not tile-translate --import-triton --kernel false --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=FALSE
# RUN: not tile-translate --import-triton --kernel tile --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=TILE
# RUN: not tile-translate --import-triton --kernel warps --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=WARPS
# RUN: not tile-translate --import-triton --kernel tensormap --signature "*i8, i32" %s 2>&1 | FileCheck %s --check-prefix=TENSORMAP
import triton
import triton.language as tl


# RANK: builtins_hints.py:[[#@LINE+3]]:46: error: one number a dimension: 1, not 2
@triton.jit
def rank(x_ptr, n):
    tl.multiple_of(x_ptr + tl.arange(0, 16), (16, 16))


# NEGATIVE: error: a hint is made of positive integers, not -4
@triton.jit
def negative(x_ptr, n):
    tl.max_contiguous(n, -4)


# FLOATS: error: an integer, a pointer or a tile of them is needed, not fp32
@triton.jit
def floats(x_ptr, n):
    tl.multiple_of(tl.load(x_ptr), 4)


# FALSE: error: tl.assume: the condition is false
@triton.jit
def false(x_ptr, n):
    tl.assume(1 > 2)


# TILE: error: a scalar condition is needed, not a tile 16xi1
@triton.jit
def tile(x_ptr, n):
    tl.assume(tl.arange(0, 16) < n)


# WARPS: error: tl.num_warps is not known while a kernel is read; make it a tl.constexpr parameter
@triton.jit
def warps(x_ptr, n):
    tl.store(x_ptr, tl.extra.cuda.num_warps())


# TENSORMAP: error: tl.experimental_device_tensormap_create2d is not supported: descriptors are not laid out in memory; use tl.make_tensor_descriptor where the tensor is read
@triton.jit
def tensormap(x_ptr, n):
    tl.extra.cuda.experimental_device_tensormap_create2d(desc_ptr=x_ptr, global_address=x_ptr, load_size=(16, 16), global_size=(n, n), element_ty=tl.float32)
