import triton
import triton.language as tl

__all__ = ["deepest", "PUBLIC"]
PUBLIC = 5
HIDDEN = 6


@triton.jit
def deepest(x):
    return x * PUBLIC + HIDDEN
