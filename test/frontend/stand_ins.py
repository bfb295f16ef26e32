"""A name that stands in for Triton where it is not to be had, below the `try` that imports it."""
# RUN: tile-translate --list-configs %s | FileCheck %s --check-prefix=LIST
# RUN: tile-translate --import-triton --signature "*fp32" --config 1 %s | FileCheck %s
from unittest.mock import MagicMock

from packaging import version

# The condition is evaluated as of its own place: `triton` is the module there, not what is assigned below. What it
# comes to is not known, and then the import counts.
try:
    import triton
    import triton.language as tl

    HAVE_TRITON = version.parse(triton.__version__) >= version.parse("2.0.0")
except ImportError:
    HAVE_TRITON = False

if not HAVE_TRITON:
    triton = MagicMock()
    triton.jit = lambda function: function
    tl = MagicMock()


# LIST: fill: 2 configurations
# LIST-NEXT: 0: BLOCK=16 num_warps=1
# LIST-NEXT: 1: BLOCK=32 num_warps=2
# CHECK: tensor<32x
@triton.autotune(configs=[triton.Config({"BLOCK": 16 * n}, num_warps=n) for n in (1, 2)], key=[])
@triton.jit
def fill(p, BLOCK: tl.constexpr):
    tl.store(p + tl.arange(0, BLOCK), 1.0)
