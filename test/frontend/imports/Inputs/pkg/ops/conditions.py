import triton
import triton.language as tl
from ..flags import HAS_DEEP, LIMIT, PICKED, STEPS, exp, log, replaced, rsqrt


@triton.jit
def k(p):
    i = tl.arange(0, LIMIT)
    x = tl.load(p + i)
    x = exp(x) + log(x) + rsqrt(x)
    if HAS_DEEP:
        x = replaced(x) * PICKED + STEPS[3]
    tl.store(p + i, x)
