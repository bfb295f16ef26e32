# RUN: not tile-translate --import-triton --kernel narrow --signature "*i8, i32" %s 2>&1 | FileCheck %s --check-prefix=NARROW
# RUN: not tile-translate --import-triton --kernel half --signature "*fp16, i32" %s 2>&1 | FileCheck %s --check-prefix=HALF
# RUN: not tile-translate --import-triton --kernel bits --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=BITS
# RUN: not tile-translate --import-triton --kernel no_pointer --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=POINTER
# RUN: not tile-translate --import-triton --kernel order --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=ORDER
# RUN: not tile-translate --import-triton --kernel scope --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=SCOPE
# RUN: not tile-translate --import-triton --kernel wide --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=WIDE
# RUN: not tile-translate --import-triton --kernel mask --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=MASK
# RUN: not tile-translate --import-triton --kernel swap --signature "*i8, i32" %s 2>&1 | FileCheck %s --check-prefix=SWAP
# RUN: not tile-translate --import-triton --kernel descriptor --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
# RUN: not tile-translate --import-triton --kernel shape --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=SHAPE
# RUN: not tile-translate --import-triton --kernel width --signature "*i64, i32" %s 2>&1 | FileCheck %s --check-prefix=WIDTH
import triton
import triton.language as tl


# NARROW: builtins_atomic.py:[[#@LINE+3]]:5: error: tl.atomic_add does not support int8; it takes 32- and 64-bit integers, fp16, bf16, fp32 and fp64
@triton.jit
def narrow(x_ptr, n):
    tl.atomic_add(x_ptr, 1)


# HALF: error: tl.atomic_max does not support fp16; it takes integers and floats of 32 and 64 bits
@triton.jit
def half(x_ptr, n):
    tl.atomic_max(x_ptr, 1)


# BITS: error: tl.atomic_or does not support fp32; it takes 32- and 64-bit integers
@triton.jit
def bits(x_ptr, n):
    tl.atomic_or(x_ptr, 1)


# POINTER: error: a pointer or a tile of pointers is needed, not i32
@triton.jit
def no_pointer(x_ptr, n):
    tl.atomic_add(n, 1)


# ORDER: error: "acq_rel", "relaxed", "acquire" or "release" is needed, not the string "seq_cst"
@triton.jit
def order(x_ptr, n):
    tl.atomic_add(x_ptr, 1, sem="seq_cst")


# SCOPE: error: "gpu", "cta" or "sys" is needed, not the string "world"
@triton.jit
def scope(x_ptr, n):
    tl.atomic_add(x_ptr, 1, scope="world")


# WIDE: error: the value is a tile, the pointer is not; add a tile of offsets to the pointer
@triton.jit
def wide(x_ptr, n):
    tl.atomic_add(x_ptr, tl.zeros((16,), tl.float32))


# MASK: error: the mask is a tile, the pointer is not; add a tile of offsets to the pointer
@triton.jit
def mask(x_ptr, n):
    tl.atomic_add(x_ptr, 1.0, mask=tl.arange(0, 16) < n)


# SWAP: error: tl.atomic_cas does not support int8; it takes integers and floats of 16, 32 and 64 bits
@triton.jit
def swap(x_ptr, n):
    tl.atomic_cas(x_ptr, 0, 1)


# DESCRIPTOR: error: a tensor descriptor has atomics as methods: desc.atomic_add(offsets, value)
@triton.jit
def descriptor(x_ptr, n):
    tl.atomic_add(tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,)), 1.0)


# SHAPE: error: a value of the block's shape is needed, not the number 1.0
@triton.jit
def shape(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,)).atomic_add((0,), 1.0)


# WIDTH: error: descriptor.atomic_add: Unsupported dtype int64; it takes int32, uint32, uint64, fp16, bf16 and fp32
@triton.jit
def width(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,)).atomic_add((0,), tl.zeros((16,), tl.int64))
