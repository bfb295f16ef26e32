# RUN: tile-translate --import-triton --signature "*fp32:16, *fp32:16" %s | FileCheck %s
"""Builtins are found however a file imports them, and as methods of tiles. Census items 5, 13, 34, 61 and 62."""
import triton
import triton.language as tl
import triton.language.core as core
from triton.language.math import rsqrt
from triton.language import math as tl_math
from somewhere.utils import tl as handed_on

try:
    from triton.language.extra.cuda.libdevice import log2 as fast_log2
except ImportError:
    from triton.language.math import log2 as fast_log2

try:
    import triton.language.extra.libdevice as tldevice
except ImportError:
    tldevice = None

from flag_gems.utils import tl_extra_shim

if tldevice is None:
    exp = tl.exp
else:
    exp = tldevice.exp2

lib = tl.extra.cuda.libdevice


@triton.jit
def kernel(x_ptr, y_ptr):
    offsets = core.arange(0, 64)
    x = tl.load(x_ptr + offsets)
    # CHECK: math.rsqrt
    x = rsqrt(x)
    # CHECK: math.exp
    x = tl.math.exp(x)
    # CHECK: math.log
    x = tl_math.log(x)
    # CHECK: math.sqrt
    x = handed_on.sqrt(x)
    # CHECK: math.log2
    x = fast_log2(x)
    # CHECK: math.ceil
    x = tl_extra_shim.ceil(x)
    # CHECK: math.exp2
    x = exp(x)
    # CHECK: math.floor
    x = lib.floor(x)
    # CHECK: math.absf
    # CHECK: math.floor
    x = x.abs().floor()
    # CHECK: tile.broadcast
    # CHECK: tile.broadcast
    y = x[None, :].broadcast_to(2, 64) + x.expand_dims(0).broadcast_to((2, 64))
    # CHECK: arith.maxnumf
    y = tl.math.max(y, 0.0)
    sizes = (2, 64)
    # CHECK: tile.splat{{.*}}tensor<2x64xf32>
    z = tl.full(sizes, 1.0 + tl.core.CONSTEXPR_0, _builder=None, dtype=tl.core.float32)
    # CHECK: arith.minnumf
    y = min(y, z)
    tl.store(y_ptr + offsets[None, :] + tl.arange(0, 2)[:, None] * 64, y)
