import triton
from ..lang import language as tl
from .circle import around, turned


@triton.jit
def first(x, n: tl.constexpr = 3):
    return tl.sqrt(x) + n


@triton.jit
def second(x):
    return first(x) + first(x, n=4)
