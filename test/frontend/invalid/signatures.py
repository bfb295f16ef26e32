# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""Kernels, parameters and the entries of a signature."""

# flags: --signature '*fp32'
# Fewer entries than parameters.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{kernel 'k' has 2 parameters; the signature has no entry for 'n'}}

# -----

# flags: --signature '*fp32, i32, i32'
# More entries than parameters.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{the signature has 3 entries, kernel 'k' takes 2}}

# -----

# flags: --signature '*fp31, i32'
# A type that is none.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{signature, entry 1: '*fp31' is no type (*fp32, i32:16, ...) and no value (a number, True, None, "text", tl.float16)}}

# -----

# flags: --signature 'float32, i32'
# A type of torch.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:14 {{a pointer, a tile of pointers or a block pointer is needed, not fp32}}
    tl.store(p, n)

# -----

# flags: --signature '*fp32:12, i32'
# A hint that is none.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{signature, entry 1: '*fp32:12': a hint is :16 or another power of two up to 256, or :1}}

# -----

# flags: --signature '*fp32,,i32'
# An empty entry.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{signature, entry 2: '' is no type (*fp32, i32:16, ...) and no value (a number, True, None, "text", tl.float16)}}

# -----

# flags: --signature '*fp32, i32'
# A type for a compile-time parameter.
import triton, triton.language as tl
@triton.jit
def k(p, N: tl.constexpr):
    tl.store(p, N)
# expected-error @unknown {{parameter 'N' is a tl.constexpr: give its value, in the signature or with --constexpr N=VALUE}}

# -----

# flags: --signature '*, i32'
# A star without a type.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{signature, entry 1: '*' is no type (*fp32, i32:16, ...) and no value (a number, True, None, "text", tl.float16)}}

# -----

# flags: --signature '*fp32, "abc'
# A text whose quotes do not match.
import triton, triton.language as tl
@triton.jit
def k(p, N: tl.constexpr):
    tl.store(p, 1.0)
# expected-error @unknown {{signature, entry 2: '"abc' is no type (*fp32, i32:16, ...) and no value (a number, True, None, "text", tl.float16)}}

# -----

# flags: --signature '*fp32, i32' --constexpr M=3
# A --constexpr for a parameter that is not there.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{--constexpr 'M=3': kernel 'k' has no parameter 'M'}}

# -----

# flags: --signature '*fp32' --constexpr n
# A --constexpr without a value.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{--constexpr 'n' has no value; write NAME=VALUE}}

# -----

# flags: --signature '*fp32' --constexpr n=i32
# A --constexpr whose value is none.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    tl.store(p, n)
# expected-error @unknown {{'i32' is no value: a number, True, False, None, a quoted string, a tuple of values, a type such as tl.float16, or a name of the file}}

# -----

# flags: --kernel kernel --signature '*fp32'
# A kernel that is not there.
import triton, triton.language as tl
@triton.jit
def k(p):
    tl.store(p, 1.0)
# expected-error @unknown {{there is no kernel 'kernel'; there is k}}

# -----

# flags: --signature '*fp32'
# Several kernels and no choice.
import triton, triton.language as tl
@triton.jit
def first(p):
    tl.store(p, 1.0)

@triton.jit
def second(p):
    tl.store(p, 2.0)
# expected-error @unknown {{the file has 2 kernels; choose one with --kernel: first, second}}

# -----

# flags: --signature '*fp32'
# A coroutine.
import triton, triton.language as tl
@triton.jit
async def k(p):
    tl.store(p, 1.0)
# expected-error @unknown {{'k' is an 'async def'; a kernel is a plain 'def'}}

# -----

# flags: --signature '*fp32'
# No kernel in the file.
import triton, triton.language as tl
def first(p):
    tl.store(p, 1.0)
# expected-error @unknown {{has no kernel: no function is decorated with triton.jit}}

# -----

# flags: --signature '*fp32'
# A default that is computed on the host.
import triton, triton.language as tl
# expected-note @+1:8 {{bound here}}
import os

@triton.jit
# expected-error @+2:28 {{'os' is a module of Python that a kernel cannot use; pass what you need of it as a tl.constexpr}}
# expected-note @+1:10 {{the value of 'n' is needed here}}
def k(p, n: tl.constexpr = os.cpu_count()):
    tl.store(p, n)

# -----

# flags: --signature '*fp32, i32'
# A parameter that takes what is left.
import triton, triton.language as tl
@triton.jit
def k(p, *rest):
    tl.store(p, 1.0)
# expected-error @unknown {{parameter 'rest': a kernel has a fixed number of parameters; '*' is for functions that it calls}}

# -----

# flags: --signature '*fp32'
# A parameter that takes all keywords.
import triton, triton.language as tl
@triton.jit
def k(p, **options):
    tl.store(p, 1.0)
# expected-error @unknown {{parameter 'options': a kernel has a fixed number of parameters; '*' is for functions that it calls}}

# -----

# flags: --signature '*fp32, i32, 3'
# A compile-time parameter assigned at run time.
import triton, triton.language as tl
@triton.jit
def k(p, n, N: tl.constexpr):
    N = n
    # expected-error @+1:22 {{tl.arange takes compile-time integers; make the size a tl.constexpr}}
    x = tl.arange(0, N)

# -----

# flags: --signature '(*fp31, i32), i32'
# A part of a tuple that is no type.
import triton, triton.language as tl
@triton.jit
def k(t, n):
    pass
# expected-error @unknown {{signature, entry 1: '*fp31' is no type}}

# -----

# flags: --signature 'i32, tensordesc<fp16[128,96]>'
# Blocks of descriptors are tiles.
import triton, triton.language as tl
@triton.jit
def k(n, desc):
    pass
# expected-error @unknown {{signature, entry 2: 'tensordesc<fp16[128,96]>': the block's sizes are powers of two, one a dimension; a descriptor is tensordesc<fp16[128,64]>, or tensordesc<fp16[128,64],nan> where it pads with NaN}}

# -----

# flags: --signature 'tensordesc<fp17[128,64]>'
import triton, triton.language as tl
@triton.jit
def k(desc):
    pass
# expected-error @unknown {{no type of elements}}

# -----

# flags: --signature 'tensordesc<fp16>'
import triton, triton.language as tl
@triton.jit
def k(desc):
    pass
# expected-error @unknown {{no block such as [128,64] after the type}}

# -----

# flags: --signature 'tensordesc<fp16[128,64]'
import triton, triton.language as tl
@triton.jit
def k(desc):
    pass
# expected-error @unknown {{no '>' at the end}}

# -----

# flags: --signature 'tensordesc<i32[128,64],nan>'
import triton, triton.language as tl
@triton.jit
def k(desc):
    pass
# expected-error @unknown {{only floating-point elements are padded with NaN}}

# -----

# flags: --signature 'tensordesc<i32[128,64],NVMMASharedLayout()>'
# Layouts belong to another language.
import triton, triton.language as tl
@triton.jit
def k(desc):
    pass
# expected-error @unknown {{the padding is zero or nan}}

# -----

# flags: --signature '(i32, 2)'
# A run-time part makes a tuple none of compile time.
import triton, triton.language as tl
@triton.jit
def k(t: tl.constexpr):
    pass
# expected-error @unknown {{parameter 't' is a tl.constexpr: give its value, in the signature or with --constexpr t=VALUE}}
