# RUN: tile-translate --import-triton --kernel numbers --signature "*fp32, 24" %s 2>&1 | FileCheck %s --check-prefix=NUMBERS
# RUN: tile-translate --import-triton --kernel types --signature "*fp32, *i1" %s 2>&1 | FileCheck %s --check-prefix=TYPES
# RUN: tile-translate --import-triton --kernel target --signature "*fp32" --target sm_80 %s 2>&1 | FileCheck %s --check-prefix=OLD
# RUN: tile-translate --import-triton --kernel target --signature "*fp32" --target sm_90a %s 2>&1 | FileCheck %s --check-prefix=NEW
"""Compile-time numbers and types. Census 5: float 28, _log2 124, get_int_dtype 125, next_power_of_2 141, math.e 144,
torch.float32 148; section 4: target_info, math.sqrt, str, torch.version.hip, torch.finfo."""
import math
from math import sqrt

import torch
import triton
import triton.language as tl
from triton.language.standard import _log2


@triton.jit
def numbers(x_ptr, N: tl.constexpr):
    # NUMBERS: remark: inf -inf 1.5 0.0 3 -3 True False
    tl.static_print(float("inf"), float(" -Infinity"), float("15e-1"), float(), int(3.9), int(-3.9), bool(N), bool(0))
    # NUMBERS: remark: 24 fp32 2 4 2.68
    tl.static_print(str(N), str(tl.float32), round(2.5), round(3.5), round(2.675 + 0.001, 2))
    # NUMBERS: remark: 2.718281828459045 3.0 2 3 8.0
    tl.static_print(math.e, sqrt(9), math.floor(2.5), math.ceil(2.5), math.pow(2, 3))
    # NUMBERS: remark: 4 4 32 True False
    tl.static_print(tl._log2(16), _log2(N), triton.next_power_of_2(N), tl.standard._is_power_of_two(16), tl.standard._is_power_of_two(N))
    # NUMBERS: remark: 7 2 24
    tl.static_print(max(3, 7, 5), min((4, 2)), abs(-N))
    tl.store(x_ptr, math.exp(1.0))
    # NUMBERS: arith.constant 2.71828175 : f32


LARGEST = torch.finfo(torch.float16).max


@triton.jit
def types(x_ptr, m_ptr):
    # TYPES: remark: 65504.0 1.1920928955078125e-07 2147483647 0
    tl.static_print(LARGEST, torch.finfo(tl.float32).eps, torch.iinfo(torch.int32).max, torch.iinfo(torch.uint8).min)
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)
    # TYPES: remark: True True True True None
    tl.static_print(tl.get_int_dtype(bitwidth=32, signed=True) == tl.int32, tl.get_int_dtype(8, False) == tl.uint8,
                    x.dtype == torch.float32, tl.get_int_dtype(1, True) == tl.int1, torch.version.hip)
    # TYPES: arith.bitcast {{.*}} : tensor<8xf32> to tensor<8xi32>
    y = x.to(tl.get_int_dtype(32, signed=False), bitcast=True)
    # TYPES: arith.cmpf une
    tl.store(m_ptr + i, bool(x) | (y == 0))


@triton.jit
def target(x_ptr):
    # OLD: remark: True False True False
    # NEW: remark: True False True True
    tl.static_print(tl.target_info.is_cuda(), tl.target_info.is_hip(), tl.target_info.cuda_capability_geq(8),
                    tl.target_info.cuda_capability_geq(9, 0))
    tl.store(x_ptr, 1.0)
