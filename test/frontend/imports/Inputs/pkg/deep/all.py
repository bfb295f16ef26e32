import triton
import triton.language as tl

__all__ = ["deepest", "PUBLIC"]
PUBLIC = tl.constexpr(5)
HIDDEN = tl.constexpr(6)


@triton.jit
def deepest(x):
    return x * PUBLIC + HIDDEN
