import triton
import triton.language as tl

SCALE = tl.constexpr(2.0)
WIDTH = tl.constexpr(64)
HALF = WIDTH // 2


def next_even(n):
    return n + n % 2


@triton.jit
def inner(x):
    return tl.exp(x) + SCALE


@triton.jit
def helper(x):
    return inner(x) * HALF


@triton.jit
def broken(x):
    return x + undefined_thing


@triton.jit
def unreadable(x):
    return x +


@triton.jit
def never_reached(x):
    return x + + )
