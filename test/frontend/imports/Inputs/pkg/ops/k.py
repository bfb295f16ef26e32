import triton
import triton.language as tl
from ..utils import HALF, WIDTH, broken, helper, unreadable
from .. import utils
import pkg.utils as pu
import pkg.utils
from pkg.utils import nothing, next_even as even


@triton.jit
def uses_helper(p):
    i = tl.arange(0, WIDTH)
    tl.store(p + i, helper(tl.load(p + i)))


@triton.jit
def uses_modules(p):
    i = tl.arange(0, even(HALF - 1))
    x = tl.load(p + i)
    tl.store(p + i, utils.inner(x) + pu.inner(x) + pkg.utils.SCALE)


@triton.jit
def reaches_broken(p):
    tl.store(p, broken(tl.load(p)))


@triton.jit
def reaches_unreadable(p):
    tl.store(p, unreadable(tl.load(p)))


@triton.jit
def wants_nothing(p):
    tl.store(p, nothing(tl.load(p)))
