"""Functions that become kernels in another file, and one that imports from there."""
import triton
import triton.language as tl
from .made import OFFSET


def fill(p, n: tl.constexpr):
    i = tl.arange(0, n)
    tl.store(p + i, one_more(i))


@triton.jit
def one_more(x):
    return x + OFFSET


def tuned(p, n: tl.constexpr):
    tl.store(p + tl.arange(0, n), n)
