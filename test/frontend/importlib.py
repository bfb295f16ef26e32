# RUN: tile-translate --import-triton --kernel k --signature "*fp32, 16" %s | FileCheck %s
# RUN: not tile-translate --import-triton --kernel unknown --signature "*fp32, 16" %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
"""Modules of the language that a package looks up by name, and triton.runtime.jit's functions."""
import importlib
import importlib.util

import triton
import triton.language as tl
from triton.language import core


def find(name, places):
    for place in places:
        if spec := importlib.util.find_spec(place):
            module = importlib.util.module_from_spec(spec)
            assert spec.loader is not None
            spec.loader.exec_module(module)
            return getattr(module, name)
    raise ImportError(f"no {name}")


rsqrt = find("rsqrt", ("triton.language.elsewhere", "triton.language.extra.libdevice"))
libdevice = importlib.import_module("triton.language.extra.cuda.libdevice")
missing = find("rsqrt", ("triton.language.elsewhere", ))

try:
    get_int_dtype = triton.runtime.jit.constexpr_function(core.get_int_dtype)
except Exception:
    get_int_dtype = core.get_int_dtype


# CHECK: math.rsqrt
# CHECK: math.tanh
# CHECK: arith.bitcast %{{.*}} : tensor<16xf32> to tensor<16xi32>
@triton.jit
def k(p, N: tl.constexpr):
    x = tl.load(p + tl.arange(0, N))
    y = libdevice.tanh(rsqrt(x))
    bits = y.to(get_int_dtype(bitwidth=32, signed=True), bitcast=True)
    tl.store(p + tl.arange(0, N), bits)


# UNKNOWN: importlib.py:[[#@LINE-24]]:5: error: the kernel raises ImportError: no rsqrt
@triton.jit
def unknown(p, N: tl.constexpr):
    tl.store(p, missing(tl.load(p)))
