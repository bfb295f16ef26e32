# RUN: tile-translate --import-triton --kernel kernel --signature "*fp32:16, i32, None, 'silu', (2, [4, tl.float16]), i32:1" --constexpr ACT=silu --constexpr SIZE=WIDTH %s | FileCheck %s
# RUN: tile-translate --import-triton --kernel kernel --signature "*fp32:256, i32:8, None, 'silu', (2, [4, tl.float16]), i32:1" --constexpr ACT=silu --constexpr SIZE=WIDTH %s | FileCheck %s --check-prefix=POWERS
# RUN: not tile-translate --import-triton --kernel kernel --signature "*fp32:16, i32, None, silo" %s 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not tile-translate --import-triton --kernel silu --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: not tile-translate --import-triton --kernel kernel --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=FEW
# RUN: not tile-translate --import-triton --kernel kernel --signature "*fp32, i32, i32, i32, i32, i32, i32" %s 2>&1 | FileCheck %s --check-prefix=CONSTEXPR
# RUN: not tile-translate --import-triton --kernel variadic --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=VARIADIC
# RUN: not tile-translate --import-triton --kernel bad_default --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=BAD
"""What a signature may say of each parameter: types, values, tuples, functions of the file."""
import triton
import triton.language as tl

WIDTH = 32


@triton.jit
def silu(x):
    return x * tl.exp(x)


# Compile-time parameters are gone; an argument equal to 1 is folded; n is int64 in the kernel.
# CHECK: func.func @kernel(%arg0: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x_ptr"}, %arg1: i32 {tile.name = "n"})
# POWERS: func.func @kernel(%arg0: !tile.ptr<f32> {tile.divisibility = 256 : i32, tile.name = "x_ptr"}, %arg1: i32 {tile.divisibility = 8 : i32, tile.name = "n"})
# CHECK: arith.extsi %arg1 : i32 to i64
# CHECK: tile.range{{.*}} -> tensor<32xi32>
# CHECK: math.exp
@triton.jit
def kernel(x_ptr, n: tl.int64, bias_ptr, name, shape: tuple, stride: int, SIZE: tl.constexpr, ACT: "tl.constexpr" = None,
           DEFAULT: tl.constexpr = WIDTH // 2):
    tl.static_assert(n.dtype == tl.int64)
    tl.static_assert(bias_ptr is None and name == "silu" and stride == 1 and DEFAULT == 16)
    tl.static_assert(shape[0] == 2 and shape[1][1] == tl.float16)
    offsets = n + tl.arange(0, SIZE) * stride
    x = tl.load(x_ptr + offsets)
    if ACT is not None:
        x = ACT(x)
    tl.store(x_ptr + offsets, x)


# NAME: error: signature, entry 4: 'silo' is no type
# MANY: error: the signature has 2 entries, kernel 'silu' takes 1
# FEW: error: kernel 'kernel' has 9 parameters; the signature has no entry for 'n'
# CONSTEXPR: error: parameter 'SIZE' is a tl.constexpr: give its value, in the signature or with --constexpr SIZE=VALUE
# VARIADIC: error: parameter 'more': a kernel has a fixed number of parameters; '*' is for functions that it calls
@triton.jit
def variadic(x_ptr, *more):
    pass


# BAD: error: 'undefined' is not defined
# BAD: error: the default of parameter 'n' is no compile-time value
@triton.jit
def bad_default(x_ptr, n=undefined):
    pass
