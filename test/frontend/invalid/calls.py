# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""Calls of functions of the file."""

# flags: --kernel k --signature '*fp32'
# An argument is missing.
import triton, triton.language as tl
@triton.jit
# expected-note @+1:12 {{the parameter}}
def add(x, y):
    return x + y

@triton.jit
def k(p):
    # expected-error @+1:17 {{'add' takes 2 arguments; it is called with 1: 'y' is missing}}
    tl.store(p, add(1.0))

# -----

# flags: --kernel k --signature '*fp32'
# An argument too many.
import triton, triton.language as tl
@triton.jit
# expected-note @+1:9 {{the parameters}}
def add(x, y):
    return x + y

@triton.jit
def k(p):
    # expected-error @+1:31 {{'add' takes 2 arguments; it is called with 3}}
    tl.store(p, add(1.0, 2.0, 3.0))

# -----

# flags: --kernel k --signature '*fp32'
# A keyword that is no parameter.
import triton, triton.language as tl
@triton.jit
def scale(x, factor):
    return x * factor

@triton.jit
def k(p):
    # expected-error @+1:28 {{'scale' has no parameter 'facter'; did you mean 'factor'?}}
    tl.store(p, scale(1.0, facter=2.0))

# -----

# flags: --kernel k --signature '*fp32'
# A parameter given twice.
import triton, triton.language as tl
@triton.jit
def scale(x, factor):
    return x * factor

@triton.jit
def k(p):
    # expected-error @+1:28 {{the argument 'x' is given twice}}
    tl.store(p, scale(1.0, x=2.0, factor=3.0))

# -----

# flags: --kernel k --signature '*fp32, i32'
# A run-time value for a compile-time parameter.
import triton, triton.language as tl
@triton.jit
def block(p, N: tl.constexpr):
    # expected-error @+1:29 {{tl.arange takes compile-time integers; make the size a tl.constexpr}}
    return p + tl.arange(0, N)

@triton.jit
def k(p, n):
    # expected-note @+1:14 {{in 'block', called from here}}
    tl.store(block(p, n), 1.0)

# -----

# flags: --signature '*fp32, i32'
# A number called.
import triton, triton.language as tl
@triton.jit
def k(p, n):
    # expected-error @+1:17 {{i32 cannot be called}}
    tl.store(p, n(3))

# -----

# flags: --signature '*fp32'
# A tile called.
import triton, triton.language as tl
@triton.jit
def k(p):
    x = tl.arange(0, 16)
    # expected-error @+1:9 {{a tile 16xi32 cannot be called}}
    y = x(0)

# -----

# flags: --signature '*fp32'
# A string called.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{the string "exp" cannot be called}}
    x = "exp"(3)

# -----

# flags: --signature '*fp32'
# A type called with two arguments.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{a type is called with one value, which it converts}}
    x = tl.float32(1, 2)

# -----

# flags: --signature '*fp32'
# A module called.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:9 {{the module triton.language cannot be called}}
    x = tl(1)

# -----

# flags: --kernel k --signature '*fp32'
# Recursion.
import triton, triton.language as tl
@triton.jit
def factorial(n):
    # expected-error @+1:16 {{'factorial' calls itself with arguments of the same types; a kernel recurses over shapes and compile-time values only}}
    return n * factorial(n - 1)

@triton.jit
def k(p):
    # expected-note @+1:17 {{in 'factorial', called from here}}
    tl.store(p, factorial(tl.load(p)))

# -----

# flags: --kernel k --signature '*fp32'
# Recursion through another function.
import triton, triton.language as tl
@triton.jit
def even(n):
    # expected-note @+1:12 {{in 'odd', called from here}}
    return odd(n - 1)

@triton.jit
def odd(n):
    # expected-error @+1:12 {{'even' calls itself with arguments of the same types; a kernel recurses over shapes and compile-time values only}}
    return even(n - 1)

@triton.jit
def k(p):
    # expected-note @+1:17 {{in 'even', called from here}}
    tl.store(p, even(tl.load(p)))

# -----

# flags: --signature '*fp32'
# A kernel that calls itself.
import triton, triton.language as tl
@triton.jit
def k(p):
    # expected-error @+1:5 {{'k' calls itself with arguments of the same types; a kernel recurses over shapes and compile-time values only}}
    k(p)

# -----

# flags: --kernel k --signature '*fp32'
# An error inside a helper, with where it was called from.
import triton, triton.language as tl
@triton.jit
def helper(p, x):
    # expected-error @+1:36 {{dimension 0 is 16 on one side and 32 on the other; they are equal or one is 1}}
    tl.store(p + tl.arange(0, 16), x)

@triton.jit
def k(p):
    # expected-note @+1:5 {{in 'helper', called from here}}
    helper(p, tl.zeros([32], tl.float32))

# -----

# flags: --kernel k --signature '*fp32'
# The value of a function that returns none.
import triton, triton.language as tl
@triton.jit
def put(p):
    tl.store(p, 1.0)

@triton.jit
def k(p):
    # expected-error @+1:17 {{None + the integer 1: numbers or tiles are needed}}
    tl.store(p, put(p) + 1)

# -----

# flags: --kernel k --signature '*fp32'
# A tuple returned and not unpacked.
import triton, triton.language as tl
@triton.jit
def both(x):
    return x, x

@triton.jit
def k(p):
    # expected-error @+1:17 {{'*' does not work on tuples and strings so}}
    tl.store(p, both(1.0) * 2.0)

# -----

# flags: --kernel k --signature '*fp32'
# A starred argument that is no tuple.
import triton, triton.language as tl
@triton.jit
def add(x, y):
    return x + y

@triton.jit
def k(p):
    # expected-error @+1:21 {{'*' in a call takes a tuple}}
    tl.store(p, add(*p))

# -----

# flags: --kernel k --signature '*fp32'
# A double star.
import triton, triton.language as tl
@triton.jit
def add(x, y):
    return x + y

@triton.jit
def k(p):
    # expected-error @+1:21 {{'**' is not supported in a call in a kernel}}
    tl.store(p, add(**p))

# -----

# flags: --kernel k --signature '*fp32'
# A launch inside a kernel.
import triton, triton.language as tl
@triton.jit
def other(p):
    tl.store(p, 1.0)

@triton.jit
def k(p):
    # expected-error @+1:5 {{a function cannot be indexed so; tiles take ':' and None, tuples one integer or slice}}
    other[(1,)](p)

# -----

# flags: --kernel k --signature '*fp32'
# A helper that exists under another name.
import triton, triton.language as tl
@triton.jit
def relu(x):
    return tl.where(x > 0, x, 0.0)

@triton.jit
def k(p):
    # expected-error @+1:17 {{'rellu' is not defined; did you mean 'relu'?}}
    tl.store(p, rellu(1.0))

# -----

# flags: --signature '*fp32'
# A helper imported from a file that is not there.
import triton, triton.language as tl
# expected-note @+1:26 {{imported here}}
from .activations import gelu

@triton.jit
def k(p):
    # expected-error @+1:17 {{'gelu' cannot be imported from '.activations': there is no module 'activations' in }}
    tl.store(p, gelu(1.0))

# -----

# flags: --signature '*fp32'
# A helper whose definition does not parse.
import triton, triton.language as tl
def broken(x):
    # expected-error @+1:5 {{a statement with a syntax error is not supported in a kernel}}
    return x +

@triton.jit
def k(p):
    # expected-note @+1:17 {{in 'broken', called from here}}
    tl.store(p, broken(1.0))
