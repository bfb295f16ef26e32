# RUN: tile-run %s --kernel made --grid 1 --constexpr BLOCK=16 --arg p=fp32[16]:0 --arg n=i32:7 --print p:2 | FileCheck %s --check-prefix=SEVEN
# RUN: tile-run %s --kernel with_options --grid 1 --constexpr BLOCK=16 --arg p=fp32[16]:0 --arg n=i32:7 --print p:2 | FileCheck %s --check-prefix=SEVEN
# RUN: tile-run %s --kernel tuned --config 1 --grid 1 --arg p=fp32[32]:0 --arg n=i32:7 --print p:2 | FileCheck %s --check-prefix=SEVEN
# RUN: tile-run %s --kernel retuned --config 0 --grid 1 --arg p=fp32[64]:0 --arg n=i32:7 --print p:2 | FileCheck %s --check-prefix=SEVEN
# RUN: tile-run %s --kernel calls --grid 1 --arg p=fp32[16]:0 --print p:2 | FileCheck %s --check-prefix=CALLS
# RUN: tile-run %s --kernel replaced --grid 1 --arg p=fp32[16]:0 --print p:2 | FileCheck %s --check-prefix=CALLS
# RUN: tile-run %s --kernel method --grid 1 --arg p=fp32[16]:0 --print p:2 | FileCheck %s --check-prefix=CALLS
# RUN: tile-run %s --kernel closed --grid 1 --arg p=fp32[16]:0 --print p:2 | FileCheck %s --check-prefix=CALLS
# RUN: tile-translate --list-configs %s | FileCheck %s --check-prefix=LIST
# RUN: %import --kernel tuned --config 1 --signature "*fp32, i32" %s | FileCheck %s --check-prefix=CONFIG
# RUN: tile-translate --import-triton --kernel by_library --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=NOTE
# RUN: not tile-translate --import-triton --kernel warps --signature "*fp32, i32" %s 2>&1 | FileCheck %s --check-prefix=NEEDS
# RUN: tile-translate --import-triton --kernel warps --num-warps 2 --signature "*fp32, i32" %s | FileCheck %s --check-prefix=WARPS
# RUN: tile-translate --import-triton --kernel warps --constexpr num_warps=2 --signature "*fp32, i32" %s | FileCheck %s --check-prefix=WARPS
# RUN: not tile-translate --import-triton --kernel make.open --signature "*fp32" %s 2>&1 | FileCheck %s --check-prefix=OPEN

# Kernels that calls make, that stand in classes and functions, and under other decorators.
import triton
import triton.language as tl
from library import tuner


def _fill(p, n, BLOCK: tl.constexpr):
    tl.store(p + tl.arange(0, BLOCK), n)


# SEVEN: p = 7 7
made = triton.jit(_fill)
with_options = triton.jit(do_not_specialize=["n"], noinline=True)(_fill)

# CONFIG: tile.num_warps = 2
# LIST: tuned: 2 configurations
# LIST-NEXT: key: n
# LIST-NEXT: 0: BLOCK=16 num_warps=1
# LIST-NEXT: 1: BLOCK=32 num_warps=2
tuned = triton.autotune(
    configs=[triton.Config({"BLOCK": 16}, num_warps=1), triton.Config({"BLOCK": 32}, num_warps=2)],
    key=["n"],
)(triton.jit(_fill))

# LIST: retuned: 1 configuration
retuned = triton.autotune([triton.Config({"BLOCK": 64})], key=[])(made)


def _one():
    return 1.0


one = triton.jit(_one)


# CALLS: p = 1 1
@triton.jit
def calls(p):
    made(p, one(), 16)


def replaced(p):
    tl.store(p + tl.arange(0, 16), 1.0)


replaced = triton.jit(replaced)
result = calls(1) # no kernel
# LIST: replaced: no
# LIST-NOT: result


class Inside:
    ONE: tl.constexpr = 1

    @staticmethod
    @triton.jit
    def method(p):
        tl.store(p + tl.arange(0, 16), 1.0)


def make(width, scale):
    half = 0.5
    whole = tl.constexpr(2 * half)

    @triton.jit
    def closed(p):
        tl.store(p + tl.arange(0, 16), whole)

    # OPEN: error: 'scale' is a parameter of 'make', which is known when that is called; pass it to the kernel as a tl.constexpr
    @triton.jit
    def open(p):
        tl.store(p, scale)

    return closed, open


# NOTE: made.py:[[#@LINE+1]]:2: remark: this decorator is not read; 'by_library' is taken as it stands below it
@tuner(keys=["n"])
@triton.jit
def by_library(p):
    tl.store(p, 1.0)


# NEEDS: the heuristic of 'num_warps' needs the value of argument 'n'; give it with --arg-value n=VALUE, or give --constexpr num_warps=VALUE
# WARPS: tile.num_warps = 2
@triton.heuristics({"num_warps": lambda args: 4 if args["n"] < 1024 else 8})
@triton.jit
def warps(p, n):
    tl.store(p, n)
