# RUN: not tile-translate --import-triton --kernel order --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=ORDER
# RUN: not tile-translate --import-triton --kernel ranks --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=RANKS
# RUN: not tile-translate --import-triton --kernel base --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=BASE
# RUN: not tile-translate --import-triton --kernel strides --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=STRIDES
# RUN: not tile-translate --import-triton --kernel dimension --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=DIMENSION
# RUN: not tile-translate --import-triton --kernel masked --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=MASKED
# RUN: not tile-translate --import-triton --kernel no_block --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=BLOCK
# RUN: not tile-translate --import-triton --kernel nan --signature "*i32, i32" %s 2>&1 | FileCheck %s --check-prefix=NAN
# RUN: not tile-translate --import-triton --kernel value --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=VALUE
# RUN: not tile-translate --import-triton --kernel contiguous --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=CONTIGUOUS
# RUN: not tile-translate --import-triton --kernel host --signature "*i8, i32" %s 2>&1 | FileCheck %s --check-prefix=HOST
# RUN: not tile-translate --import-triton --kernel scatter --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=SCATTER
# RUN: not tile-translate --import-triton --kernel offsets --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=OFFSETS
# RUN: not tile-translate --import-triton --kernel float_offset --signature "*fp32, fp32" %s 2>&1 | FileCheck %s --check-prefix=FLOATOFFSET
# RUN: not tile-translate --import-triton --kernel number_offset --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=NUMBEROFFSET
# RUN: not tile-translate --import-triton --kernel pointer_offset --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=POINTEROFFSET
# RUN: not tile-translate --import-triton --kernel tile_offset --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=TILEOFFSET
# RUN: not tile-translate --import-triton --kernel float_atomic --signature "*fp32, fp32" %s 2>&1 | FileCheck %s --check-prefix=FLOATATOMIC
# RUN: not tile-translate --import-triton --kernel float_column --signature "*fp32, fp32" %s 2>&1 | FileCheck %s --check-prefix=FLOATCOLUMN
# RUN: not tile-translate --import-triton --kernel branches --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=BRANCHES
# RUN: not tile-translate --import-triton --kernel branch_padding --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=BRANCHPADDING
import triton
import triton.language as tl


# BRANCHES: builtins_views.py:[[#@LINE+6]]:5: error: the block has one shape in one branch and another in the other; keep one
@triton.jit
def branches(x_ptr, n):
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (16,), (0,))
    if n > 3:
        p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (32,), (0,))
    tl.store(p, 1.0)


# BRANCHPADDING: error: the block has one shape in one branch and another in the other; keep one
@triton.jit
def branch_padding(x_ptr, n):
    d = tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,))
    if n > 3:
        d = tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,), padding_option="nan")
    d.store((0,), d.load((0,)))


# ORDER: builtins_views.py:[[#@LINE+3]]:55: error: the order names each of the 1 dimensions once
@triton.jit
def order(x_ptr, n):
    tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (16,), order=(1,))


# RANKS: error: 2 numbers for 1 dimension
@triton.jit
def ranks(x_ptr, n):
    tl.make_block_ptr(x_ptr, (n, n), (1,), (0,), (16,), (0,))


# BASE: error: a pointer is needed, not i32
@triton.jit
def base(x_ptr, n):
    tl.make_block_ptr(n, (n,), (1,), (0,), (16,), (0,))


# STRIDES: error: an integer is needed, not the number 1.5
@triton.jit
def strides(x_ptr, n):
    tl.make_block_ptr(x_ptr, (n,), (1.5,), (0,), (16,), (0,))


# DIMENSION: error: boundary_check names dimension 1; the block has dimensions 0 to 0
@triton.jit
def dimension(x_ptr, n):
    tl.load(tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (16,), (0,)), boundary_check=(0, 1))


# MASKED: error: a block pointer takes boundary_check and padding_option, no mask
@triton.jit
def masked(x_ptr, n):
    tl.load(tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (16,), (0,)), mask=n > 1)


# BLOCK: error: a block pointer is needed, not *fp32
@triton.jit
def no_block(x_ptr, n):
    tl.advance(x_ptr, (16,))


# NAN: error: only floating-point elements are padded with NaN
@triton.jit
def nan(x_ptr, n):
    tl.load(tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (16,), (0,)), boundary_check=(0,), padding_option="nan")


# VALUE: error: a value of the block's shape is needed, not a tile 2x16xi32
@triton.jit
def value(x_ptr, n):
    p = tl.make_block_ptr(x_ptr, (n, n), (1, 1), (0, 0), (1, 16), (0, 1))
    tl.store(p, tl.arange(0, 16)[None, :].broadcast_to(2, 16))


# CONTIGUOUS: error: the last dimension of a descriptor is contiguous: its stride is 1, not 2
@triton.jit
def contiguous(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (n,), (2,), (16,))


# HOST: error: a descriptor that lies in memory cannot be read; write tensordesc<TYPE[SIZES]> in the signature
@triton.jit
def host(x_ptr, n):
    tl._experimental_descriptor_load(x_ptr, (0,), (16,), tl.float32)


# SCATTER: error: rows are gathered and scattered through a descriptor whose block is one row, [1, N]
@triton.jit
def scatter(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,)).scatter(n, n, n)


# OFFSETS: error: 2 offsets for 1 dimension
@triton.jit
def offsets(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,)).load((n, n))


# FLOATOFFSET: builtins_views.py:[[#@LINE+3]]:63: error: an integer is needed, not fp32
@triton.jit
def float_offset(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (16,), (1,), (16,)).load((n,))


# NUMBEROFFSET: error: an integer is needed, not the number 0.5
@triton.jit
def number_offset(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,)).load((0.5,))


# POINTEROFFSET: error: an integer is needed, not *fp32
@triton.jit
def pointer_offset(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,)).store((x_ptr,), tl.zeros((16,), tl.float32))


# TILEOFFSET: error: an integer is needed, not a tile 16xi32
@triton.jit
def tile_offset(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (n,), (1,), (16,)).load((tl.arange(0, 16),))


# FLOATATOMIC: error: an integer is needed, not fp32
@triton.jit
def float_atomic(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (16,), (1,), (16,)).atomic_add((n,), tl.zeros((16,), tl.float32))


# FLOATCOLUMN: error: an integer is needed, not fp32
@triton.jit
def float_column(x_ptr, n):
    tl.make_tensor_descriptor(x_ptr, (16, 16), (16, 1), (1, 16)).gather(tl.arange(0, 8), n)
