# RUN: tile-translate --import-triton --kernel extrema --signature "*fp32, *bf16, *u8" %s | FileCheck %s --check-prefix=EXTREMA
# RUN: tile-translate --import-triton --kernel quotients --signature "*fp32, *bf16, *i32" %s | FileCheck %s --check-prefix=QUOTIENTS
# RUN: tile-run %s --device emulator --kernel runs --grid 1 --arg x_ptr=fp32[8]:arange --arg out_ptr=fp32[8]:poison --print out_ptr:8 | FileCheck %s --check-prefix=RUNS
# RUN: tile-run %s --device emulator --kernel nan --grid 1 --arg x_ptr=fp32[4]:poison --arg out_ptr=i32[6]:poison --print out_ptr:6 | FileCheck %s --check-prefix=NAN
"""Extrema, division, products. Census 5: cdiv 15, min 20, sigmoid 21, minimum 23, maximum 24, abs 46,
clamp 51, max 77, div_rn 106, sub 129; section 6: propagate_nan, sanitize_overflow."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def extrema(x_ptr, b_ptr, u_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    b = tl.load(b_ptr + i)
    u = tl.load(u_ptr + i)
    # NaN loses, unless it is told to win; bf16 stays bf16.
    # EXTREMA: arith.maxnumf {{.*}} : tensor<8xf32>
    # EXTREMA: arith.minimumf {{.*}} : tensor<8xf32>
    x = tl.maximum(x, 0) + tl.minimum(x, 1.0, propagate_nan=tl.PropagateNan.ALL)
    # EXTREMA: arith.maxnumf {{.*}} : tensor<8xbf16>
    # EXTREMA: arith.minnumf {{.*}} : tensor<8xbf16>
    # EXTREMA: arith.extf {{.*}} : tensor<8xbf16> to tensor<8xf32>
    x += tl.clamp(b, -1.0, 1.0)
    # EXTREMA: arith.maximumf
    # EXTREMA: arith.minimumf
    x += tl.clamp(x, min=-1.0, max=1.0, propagate_nan=tl.PropagateNan.ALL)
    # Python's min and max take any number of values; of numbers they are numbers.
    # EXTREMA: arith.minui {{.*}} : tensor<8xi8>
    # EXTREMA: arith.maxui {{.*}} : tensor<8xi8>
    u = tl.minimum(u, min(100, 200)) + max(u, max(1, 2))
    # Unsigned numbers are their own magnitude.
    # EXTREMA: math.absf {{.*}} : tensor<8xf32>
    # EXTREMA-NOT: math.absi
    tl.store(x_ptr + i, tl.abs(x) + abs(u.to(tl.uint8)) + abs(-3))


@triton.jit
def quotients(x_ptr, b_ptr, n_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    b = tl.load(b_ptr + i)
    n = tl.load(n_ptr + i)
    # QUOTIENTS: arith.divf {{.*}} fastmath<arcp> : tensor<8xf32>
    # QUOTIENTS: arith.divf %{{[^ ]*}}, %{{[^ ]*}} : tensor<8xf32>
    # QUOTIENTS: arith.divf %{{[^ ]*}}, %{{[^ ]*}} : tensor<8xf32>
    x = tl.fdiv(x, 3.0) + tl.fdiv(x, 3.0, ieee_rounding=True) + tl.div_rn(x, 3.0)
    # QUOTIENTS: arith.negf {{.*}} : tensor<8xf32>
    # QUOTIENTS: math.exp
    # QUOTIENTS: arith.divf {{.*}} fastmath<arcp> : tensor<8xf32>
    # QUOTIENTS: arith.truncf {{.*}} : tensor<8xf32> to tensor<8xbf16>
    tl.store(b_ptr + i, tl.sigmoid(b))
    # QUOTIENTS: arith.mului_extended {{.*}} : tensor<8xi32>
    # QUOTIENTS: arith.mulsi_extended {{.*}} : tensor<8xi32>
    # QUOTIENTS: arith.muli
    n = tl.mul(tl.umulhi(n, 12345), libdevice.mulhi(n, n), sanitize_overflow=False)
    tl.store(n_ptr + i, tl.sub(n, 1, sanitize_overflow=False) + tl.add(n, n))
    tl.store(x_ptr + i, x)


@triton.jit
def runs(x_ptr, out_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    # RUNS: out_ptr = 12.25 14.25 15.25 16.25 17.25 19.25 20.25 20.25
    y = tl.clamp(x, 1.0, 5.0) * 0 + min(x, 6, 7.0) + max(0, x * 0) + abs(x * 0 - 7)
    y += tl.cdiv(i, 4) + tl.div_rn(x * 0 + 1, 4.0) + tl.sub(6, tl.abs(i * 0 - 1))
    tl.store(out_ptr + i, y)


@triton.jit
def nan(x_ptr, out_ptr):
    x = tl.load(x_ptr) * 0 + float("nan")
    every: tl.constexpr = tl.PropagateNan.ALL
    tl.store(out_ptr + 0, (tl.maximum(x, 1.0) == 1.0).to(tl.int32))
    tl.store(out_ptr + 1, (tl.maximum(x, 1.0, propagate_nan=every) == 1.0).to(tl.int32))
    tl.store(out_ptr + 2, (tl.minimum(1.0, x) == 1.0).to(tl.int32))
    tl.store(out_ptr + 3, (tl.minimum(1.0, x, every) == 1.0).to(tl.int32))
    tl.store(out_ptr + 4, (tl.clamp(x, -1.0, 1.0) == -1.0).to(tl.int32))
    tl.store(out_ptr + 5, (tl.clamp(x, -1.0, 1.0, every) == -1.0).to(tl.int32))
    # NAN: out_ptr = 1 0 1 0 1 0
