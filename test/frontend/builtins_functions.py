# RUN: tile-translate --import-triton --kernel math --signature "*fp32, *fp16" %s | FileCheck %s --check-prefix=MATH
# RUN: tile-translate --import-triton --kernel device --signature "*fp32, *i64" %s | FileCheck %s --check-prefix=DEVICE
# RUN: tile-translate --import-triton --kernel spellings --signature "*fp32" %s | FileCheck %s --check-prefix=SPELLINGS
# RUN: tile-run %s --device emulator --kernel exact --grid 1 --arg x_ptr=fp32[8]:arange --arg out_ptr=fp32[8]:poison --print out_ptr:8 | FileCheck %s --check-prefix=EXACT
# RUN: tile-run %s --device emulator --kernel values --grid 1 --arg x_ptr=fp32[1]:0.5 --arg out_ptr=i32[46]:poison --print out_ptr:46 | FileCheck %s --check-prefix=VALUES
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
    # MATH: math.exp [[X]] fastmath<afn> : tensor<8xf32>
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


@triton.jit
def near(out_ptr, k, value, expected):
    error = tl.abs(value.to(tl.float32) - expected)
    tl.store(out_ptr + k, (error <= 2e-6 * abs(expected)).to(tl.int32))


@triton.jit
def values(x_ptr, out_ptr):
    x = tl.load(x_ptr)  # 0.5
    near(out_ptr, 0, libdevice.exp(x), 1.6487212707)
    near(out_ptr, 1, libdevice.exp2(x), 1.4142135624)
    near(out_ptr, 2, libdevice.exp10(x), 3.1622776602)
    near(out_ptr, 3, libdevice.expm1(x), 0.6487212707)
    near(out_ptr, 4, libdevice.log(x), -0.6931471806)
    near(out_ptr, 5, libdevice.log2(x), -1.0)
    near(out_ptr, 6, libdevice.log10(x), -0.3010299957)
    near(out_ptr, 7, libdevice.log1p(x), 0.4054651081)
    near(out_ptr, 8, libdevice.sin(x), 0.4794255386)
    near(out_ptr, 9, libdevice.cos(x), 0.8775825619)
    near(out_ptr, 10, libdevice.tan(x), 0.5463024898)
    near(out_ptr, 11, libdevice.asin(x), 0.5235987756)
    near(out_ptr, 12, libdevice.acos(x), 1.0471975512)
    near(out_ptr, 13, libdevice.atan(x), 0.4636476090)
    near(out_ptr, 14, libdevice.sinh(x), 0.5210953055)
    near(out_ptr, 15, libdevice.cosh(x), 1.1276259652)
    near(out_ptr, 16, libdevice.tanh(x), 0.4621171573)
    near(out_ptr, 17, libdevice.erf(x), 0.5204998778)
    near(out_ptr, 18, libdevice.sqrt(x), 0.7071067812)
    near(out_ptr, 19, libdevice.rsqrt(x), 1.4142135624)
    near(out_ptr, 20, libdevice.cbrt(x), 0.7937005260)
    near(out_ptr, 21, libdevice.pow(x, 1.5), 0.3535533906)
    near(out_ptr, 22, libdevice.pow(x, 3), 0.125)
    near(out_ptr, 23, libdevice.atan2(x, 1.0), 0.4636476090)
    near(out_ptr, 24, libdevice.fmod(x + 1.0, 0.4), 0.3)
    near(out_ptr, 25, libdevice.copysign(x, -1.0), -0.5)
    near(out_ptr, 26, libdevice.round(x), 1.0)
    near(out_ptr, 27, libdevice.rint(x), 0.0)
    near(out_ptr, 28, libdevice.trunc(-x - 1.0), -1.0)
    near(out_ptr, 29, libdevice.llrint(x + 2.0), 2.0)
    near(out_ptr, 30, libdevice.llround(x + 2.0), 3.0)
    near(out_ptr, 31, libdevice.float2int_ru(x), 1.0)
    near(out_ptr, 32, libdevice.fast_expf(x), 1.6487212707)
    near(out_ptr, 33, libdevice.fast_dividef(x, 3.0), 0.1666666667)
    near(out_ptr, 34, tl.sqrt(x), 0.7071067812)
    near(out_ptr, 35, tl.sigmoid(x), 0.6224593312)
    near(out_ptr, 36, tl.fdiv(x, 3.0), 0.1666666667)
    n = x.to(tl.int32) + 12
    near(out_ptr, 37, libdevice.popc(n), 2.0)
    near(out_ptr, 38, libdevice.clz(n), 28.0)
    near(out_ptr, 39, libdevice.ffs(n), 3.0)
    near(out_ptr, 40, libdevice.ffs(n - 12), 0.0)
    near(out_ptr, 41, libdevice.isinf(x / 0.0), 1.0)
    near(out_ptr, 42, libdevice.isnan(x - x), 0.0)
    near(out_ptr, 43, libdevice.isfinited(x), 1.0)
    near(out_ptr, 44, libdevice.mulhi(n << 28, -n), 3.0)
    near(out_ptr, 45, tl.exp(x.to(tl.float16)), 1.6484375)
    # VALUES: out_ptr = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1{{$}}
