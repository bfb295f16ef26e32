# RUN: tile-translate --import-triton --kernel math --signature "*fp32, *fp16" %s | FileCheck %s --check-prefix=MATH
# RUN: tile-translate --import-triton --kernel device --signature "*fp32, *i64" %s | FileCheck %s --check-prefix=DEVICE
# RUN: tile-translate --import-triton --kernel spellings --signature "*fp32" %s | FileCheck %s --check-prefix=SPELLINGS
# RUN: tile-run %s --device emulator --kernel exact --grid 1 --arg x_ptr=fp32[8]:arange --arg out_ptr=fp32[8]:poison --print out_ptr:8 | FileCheck %s --check-prefix=EXACT
"""The table functions.def: one operation a function, and which types it is computed in.
Census 5: exp 19, sqrt 22, exp2 25, log 30, rsqrt 8, log2 56, ceil 66, tanh 68, floor 89 and x.floor() 97,
fma 94, erf 102, libdevice.pow 113, sin 116, cos 117, round 127, log1p 139."""
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda import libdevice as device_functions
from triton.language.extra.cuda.libdevice import tanh as own_tanh


@triton.jit
def math(x_ptr, h_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    h = tl.load(h_ptr + i)
    # f16 is computed in f32 and rounded once; what is exact anyhow stays as it is.
    # MATH: [[X:%.*]] = "tile.load"{{.*}} -> tensor<8xf32>
    # MATH: [[H:%.*]] = "tile.load"{{.*}} -> tensor<8xf16>
    # MATH: math.exp [[X]] : tensor<8xf32>
    tl.store(x_ptr + i, tl.exp(x))
    # MATH: [[WIDE:%.*]] = arith.extf [[H]] : tensor<8xf16> to tensor<8xf32>
    # MATH: [[LOG:%.*]] = math.log2 [[WIDE]] : tensor<8xf32>
    # MATH: arith.truncf [[LOG]] : tensor<8xf32> to tensor<8xf16>
    tl.store(h_ptr + i, tl.log2(h))
    # MATH: math.floor [[H]] : tensor<8xf16>
    tl.store(h_ptr + i, h.floor())
    # The square root has a fast form and an exact one.
    # MATH: math.sqrt [[X]] fastmath<afn> : tensor<8xf32>
    # MATH: math.sqrt [[X]] : tensor<8xf32>
    tl.store(x_ptr + i, tl.sqrt(x) + tl.sqrt_rn(x))
    # Operands get one type and shape; numbers are weak.
    # MATH: math.fma [[X]], [[X]], {{.*}} : tensor<8xf32>
    tl.store(x_ptr + i, tl.fma(x, x, 2))
    # A number in a plain variable is a float32 like any other.
    # MATH: arith.extf {{.*}} : tensor<8xf16> to tensor<8xf32>
    # MATH: math.fma {{.*}} : tensor<8xf32>
    scale = 0.5
    tl.store(x_ptr + i, tl.fma(h, scale, 1.0))
    # MATH: math.exp2
    # MATH: math.log
    # MATH: math.sin
    # MATH: math.cos
    # MATH: math.erf
    # MATH: math.rsqrt
    # MATH: math.ceil
    tl.store(x_ptr + i, tl.exp2(x) + tl.log(x) + tl.sin(x) + tl.cos(x) + tl.erf(x) + tl.rsqrt(x) + tl.ceil(x))


@triton.jit
def device(x_ptr, n_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    n = tl.load(n_ptr + i)
    # DEVICE: math.powf
    # DEVICE: math.fpowi %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xi32>
    tl.store(x_ptr + i, libdevice.pow(x, 0.5) + libdevice.pow(x, 3))
    # DEVICE: math.log1p
    # DEVICE: math.round
    # DEVICE: math.roundeven
    # DEVICE: math.exp {{.*}} fastmath<afn>
    # DEVICE: arith.divf {{.*}} fastmath<arcp>
    # DEVICE: math.atan2
    # DEVICE: arith.remf
    tl.store(x_ptr + i, libdevice.log1p(x) + libdevice.round(x) + libdevice.rint(x) + libdevice.fast_expf(x)
             + libdevice.fast_dividef(x, 3.0) + libdevice.atan2(x, 1.0) + libdevice.fmod(x, x))
    # DEVICE: math.isnan
    # DEVICE: math.isfinite
    # DEVICE: [[NEAR:%.*]] = math.roundeven
    # DEVICE: arith.fptosi [[NEAR]] : tensor<8xf32> to tensor<8xi64>
    tl.store(n_ptr + i, tl.where(libdevice.isnan(x) | libdevice.isfinited(x), libdevice.llrint(x), 0))
    # Counts of bits are i32 whatever is counted; ffs(0) is 0.
    # DEVICE: [[BITS:%.*]] = math.ctpop {{.*}} : tensor<8xi64>
    # DEVICE: arith.trunci [[BITS]] : tensor<8xi64> to tensor<8xi32>
    # DEVICE: math.cttz
    # DEVICE: arith.select
    tl.store(n_ptr + i, libdevice.popc(n) + libdevice.ffs(n))


@triton.jit
def spellings(x_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    # SPELLINGS-COUNT-4: math.tanh
    # SPELLINGS-NOT: math.tanh
    tl.store(x_ptr + i, own_tanh(x) + device_functions.tanh(x) + tl.math.tanh(x) + tl.extra.cuda.libdevice.tanh(x))


@triton.jit
def exact(x_ptr, out_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    # (0, 1, 2, ...) * 0.75 - 2
    y = tl.fma(x, 0.75, -2.0)
    tl.store(out_ptr + i, tl.floor(y) * 100 + tl.ceil(y) * 10 + libdevice.trunc(y) + tl.sqrt_rn(x * x) * 0.001)
    # EXACT: out_ptr = -222 -210.998993 -99.9980011 10.0030003 111.003998 121.004997 232.005997 343.006989
