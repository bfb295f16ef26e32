# RUN: tile-translate --import-triton --split-input-file --verify-diagnostics %s | count 0
"""Functions that cannot be mapped."""

# flags: --kernel k --signature '*fp32'
import triton, triton.language as tl
@triton.jit
def f(x, p):
    return x + tl.load(p)
@triton.jit
def k(p):
    i = tl.arange(0, 64)
    # expected-error @+1 {{the function reads or writes memory; it computes with its arguments only}}
    tl.store(p + i, tl.map_elementwise(f, tl.load(p + i), p + i))

# -----

# flags: --kernel k --signature '*fp32'
import triton, triton.language as tl
@triton.jit
def f(x):
    return tl.arange(0, 2)
@triton.jit
def k(p):
    i = tl.arange(0, 64)
    # expected-error @+1 {{a scalar as the result of the function is needed, not a tile 2xi32}}
    tl.store(p + i, tl.map_elementwise(f, tl.load(p + i)))

# -----

# flags: --kernel k --signature '*fp32'
import triton, triton.language as tl
@triton.jit
def f(x, y):
    return x, y, x
@triton.jit
def k(p):
    i = tl.arange(0, 64)
    # expected-error @+1 {{the function returns 3 values; it returns one to 8 results, each as 2 values}}
    tl.store(p + i, tl.map_elementwise(f, tl.load(p + i), pack=2))

# -----

# flags: --kernel k --signature '*fp32'
import triton, triton.language as tl
@triton.jit
def f(x, y):
    return x, y.to(tl.float16)
@triton.jit
def k(p):
    i = tl.arange(0, 64)
    # expected-error @+1 {{the 2 values of a result have one type}}
    tl.store(p + i, tl.map_elementwise(f, tl.load(p + i), pack=2))

# -----

# flags: --kernel k --signature '*fp32'
import triton, triton.language as tl
@triton.jit
def k(p):
    i = tl.arange(0, 64)
    # expected-error @+1 {{a function decorated with triton.jit is needed}}
    tl.store(p + i, tl.map_elementwise(1, tl.load(p + i)))

# -----

# flags: --kernel k --signature '*fp32'
import triton, triton.language as tl
@triton.jit
def f(x):
    return x
@triton.jit
def k(p):
    i = tl.arange(0, 64)
    # expected-error @+1 {{pack is 1, 2, 4, 8 or 16 and at most the number of elements (64), not 3}}
    tl.store(p + i, tl.map_elementwise(f, tl.load(p + i), pack=3))
