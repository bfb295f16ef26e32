"""Kernels that calls make of functions of other files."""
import triton
import triton.language as tl
from .plain import fill
from . import plain as functions
from .missing import nothing

OFFSET = tl.constexpr(7)
SIZES = [triton.Config({"n": 16}, num_warps=2)]

kernel = triton.jit(fill)
by_module = triton.jit(do_not_specialize=["p"])(functions.fill)
chosen = triton.autotune(configs=SIZES, key=[])(triton.jit(functions.tuned))
absent = triton.jit(nothing)


@triton.jit
def calls(p):
    kernel(p, 4)
