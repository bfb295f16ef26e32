# RUN: not tile-translate --import-triton --kernel no_pointer --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=POINTER
# RUN: not tile-translate --import-triton --kernel no_mask --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=OTHER
# RUN: not tile-translate --import-triton --kernel wide_mask --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=MASK
# RUN: not tile-translate --import-triton --kernel wide_value --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=VALUE
# RUN: not tile-translate --import-triton --kernel cache --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=CACHE
# RUN: not tile-translate --import-triton --kernel policy --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=POLICY
# RUN: not tile-translate --import-triton --kernel boundary --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=BOUNDARY
# RUN: not tile-translate --import-triton --kernel padding --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=PADDING
# RUN: not tile-translate --import-triton --kernel shapes --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=SHAPES
# RUN: not tile-translate --import-triton --kernel changing --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=VOLATILE
import triton
import triton.language as tl


# POINTER: builtins_memory.py:[[#@LINE+3]]:13: error: a pointer, a tile of pointers or a block pointer is needed, not i32
@triton.jit
def no_pointer(x_ptr, n):
    tl.load(n)


# OTHER: builtins_memory.py:[[#@LINE+3]]:20: error: `other` needs a mask
@triton.jit
def no_mask(x_ptr, n):
    tl.load(x_ptr, other=0.0)


# MASK: error: the mask is a tile, the pointer is not; add a tile of offsets to the pointer
@triton.jit
def wide_mask(x_ptr, n):
    tl.load(x_ptr, mask=tl.arange(0, 16) < n)


# VALUE: error: the value is a tile, the pointer is not; add a tile of offsets to the pointer
@triton.jit
def wide_value(x_ptr, n):
    tl.store(x_ptr, tl.arange(0, 16))


# CACHE: error: "", ".ca", ".cg", ".cs" or ".cv" is needed, not the string ".wb"
@triton.jit
def cache(x_ptr, n):
    tl.load(x_ptr, cache_modifier=".wb")


# POLICY: error: "", "evict_normal", "evict_first" or "evict_last" is needed, not the string "first"
@triton.jit
def policy(x_ptr, n):
    tl.store(x_ptr, 1.0, eviction_policy="first")


# BOUNDARY: error: `boundary_check` is for block pointers; give pointers a mask
@triton.jit
def boundary(x_ptr, n):
    tl.store(x_ptr + tl.arange(0, 16), 1.0, boundary_check=(0,))


# PADDING: error: `padding_option` is for block pointers; give pointers a mask and `other`
@triton.jit
def padding(x_ptr, n):
    tl.load(x_ptr + tl.arange(0, 16), padding_option="zero")


# SHAPES: error: dimension 0 is 16 on one side and 32 on the other
@triton.jit
def shapes(x_ptr, n):
    tl.load(x_ptr + tl.arange(0, 16), mask=tl.arange(0, 32) < n)


# VOLATILE: error: True or False is needed, not i32
@triton.jit
def changing(x_ptr, n):
    tl.load(x_ptr, volatile=n)
