# RUN: tile-translate --import-triton --kernel fma --signature "*fp32, *fp16" %s | FileCheck %s --check-prefix=FMA
# RUN: tile-translate --import-triton --kernel high --signature "*i64, *i32" %s | FileCheck %s --check-prefix=HIGH
# RUN: tile-run %s --kernel fma --device emulator --check --grid 1 --arg o=fp32[8]:poison --arg h=fp16[8]:60000 --print o:8 | FileCheck %s --check-prefix=VALUES
"""Literals among the arguments of arithmetic builtins are tensors of their own type, as in Triton. (A kernel
may have the name of a function that the emulator's code calls: fma.)"""
import triton
import triton.language as tl


# 2.0 is fp32, so that the product of 60000 does not overflow fp16.
# FMA: arith.extf {{.*}} : tensor<8xf16> to tensor<8xf32>
# FMA: math.fma {{.*}} : tensor<8xf32>
# VALUES: o = 120001 120001 120001 120001 120001 120001 120001 120001
@triton.jit
def fma(o, h):
    i = tl.arange(0, 8)
    tl.store(o + i, tl.fma(tl.load(h + i), 2.0, 1.0))


# The constant is uint32, and so is what it is multiplied with.
# HIGH: arith.mului_extended
# HIGH: arith.extui {{.*}} : tensor<8xi32> to tensor<8xi64>
@triton.jit
def high(o, a):
    i = tl.arange(0, 8)
    y = tl.umulhi(tl.load(a + i), 0xD2511F53)
    tl.store(o + i, y.to(tl.int64))
