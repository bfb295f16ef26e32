# RUN: tile-translate --import-triton --kernel fma --signature "*fp32, *fp16" %s | FileCheck %s --check-prefix=FMA
# RUN: tile-translate --import-triton --kernel high --signature "*i64, *i32" %s | FileCheck %s --check-prefix=HIGH
# RUN: tile-run %s --kernel fma --device emulator --check --grid 1 --arg o=fp32[8]:poison --arg h=fp16[8]:20000 --print o:8 | FileCheck %s --check-prefix=VALUES
"""Literals among the arguments of arithmetic builtins take the type of the tensors that can hold them, those of libdevice's
functions are tensors of their own type, as in Triton. (A kernel
may have the name of a function that the emulator's code calls: fma.)"""
import triton
import triton.language as tl
from triton.language.extra import libdevice


# The first is computed in fp16, of the second the literals are fp32: the product overflows fp16.
# FMA: math.fma {{.*}} : tensor<8xf16>
# FMA: math.fma {{.*}} : tensor<8xf32>
# VALUES: o = 180000 180000 180000 180000 180000 180000 180000 180000
@triton.jit
def fma(o, h):
    i = tl.arange(0, 8)
    x = tl.load(h + i)
    tl.store(o + i, tl.fma(x, 2.0, 1.0) + libdevice.fma(x, 7.0, 1.0) - 1)


# The constant is uint32, and so is what it is multiplied with.
# HIGH: arith.mului_extended
# HIGH: arith.extui {{.*}} : tensor<8xi32> to tensor<8xi64>
@triton.jit
def high(o, a):
    i = tl.arange(0, 8)
    y = tl.umulhi(tl.load(a + i), 0xD2511F53)
    tl.store(o + i, y.to(tl.int64))
