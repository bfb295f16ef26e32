# SPDX-License-Identifier: MIT
# RUN: tile-translate --tile-to-llvmir --kernel twice --signature "*fp32:16, *fp32:16" %s | FileCheck %s --check-prefix=TWICE
# RUN: tile-run %s --device emulator --kernel kernel --grid 1 --check --arg out=fp32[36]:poison --arg x=i32[2]:ones --print out:36 | FileCheck %s --check-prefix=VALUES
# RUN: tile-run %s --device emulator --kernel at_run_time --grid 1 --check --arg out=fp32[2]:poison --arg x=i32[2]:2139095041 --print out:2 | FileCheck %s --check-prefix=DYNAMIC
"""The maximum or minimum of a signaling NaN and a number is the number, also where all of it is known at compile time;
with propagate_nan it is NaN."""
import triton
import triton.language as tl


@triton.jit
def bits(number, integer: tl.constexpr, dtype: tl.constexpr):
    return tl.full((2, ), number, integer).to(dtype, bitcast=True)


@triton.jit
def check(out, x, dtype: tl.constexpr):
    i = tl.arange(0, 2)
    tl.store(out + i, tl.maximum(x, 3.0).to(tl.float32))
    tl.store(out + 2 + i, tl.minimum(tl.full((2, ), 3.0, dtype), x).to(tl.float32))
    tl.store(out + 4 + i, tl.clamp(x, 2.0, 5.0).to(tl.float32))
    tl.store(out + 6 + i, tl.max(tl.join(x, tl.full((2, ), 4.0, dtype)), axis=1).to(tl.float32))
    y = tl.maximum(x, 3.0, propagate_nan=tl.PropagateNan.ALL)
    tl.store(out + 8, tl.min(tl.where(y != y, -1.0, 1.0)))


# VALUES: out = 3 3 3 3 2 2 4 4 -1 3 3 3 3 2 2 4 4 -1 3 3 3 3 2 2 4 4 -1 3 3 3 3 2 2 4 4 -1
@triton.jit
def kernel(out, x):
    check(out, bits(0x7C01, tl.int16, tl.float16), tl.float16)
    check(out + 9, bits(0x7F81, tl.int16, tl.bfloat16), tl.bfloat16)
    check(out + 18, bits(0x7F800001, tl.int32, tl.float32), tl.float32)
    check(out + 27, bits(0x7FF0000000000001, tl.int64, tl.float64), tl.float64)


# DYNAMIC: out = 3 3
@triton.jit
def at_run_time(out, x):
    i = tl.arange(0, 2)
    tl.store(out + i, tl.maximum(tl.load(x + i).to(tl.float32, bitcast=True), 3.0))


# Of two maxima LLVM makes one: the first is that of a number and a NaN.
# TWICE: call float @llvm.maxnum.f32(float %{{[^,]*}}, float 3.000000e+00)
@triton.jit
def twice(out, x):
    i = tl.arange(0, 2)
    y = tl.maximum(tl.load(x + i), bits(0x7F800001, tl.int32, tl.float32))
    tl.store(out + i, tl.maximum(y, 3.0))
