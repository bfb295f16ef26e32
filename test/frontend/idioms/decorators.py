# Decorators: plain, with arguments, under other names, in other orders; definitions in odd places.
# RUN: %import --kernel plain --signature "*fp32" %s | FileCheck %s
# RUN: %import --kernel with_options --signature "*fp32, i32" %s | FileCheck %s
# RUN: %import --kernel imported_jit --signature "*fp32" %s | FileCheck %s
# RUN: %import --kernel wrapped --signature "*fp32" %s | FileCheck %s
# RUN: %import --kernel heuristic --signature "*fp32, i32, 128" %s | FileCheck %s --check-prefixes=CHECK,HEURISTIC
# RUN: %import --kernel tuned --signature "*fp32, i32" --constexpr BLOCK=64 %s | FileCheck %s --check-prefixes=CHECK,TUNED
# RUN: %import --kernel Model.inside --signature "*fp32" %s | FileCheck %s
# RUN: %import --kernel conditional --signature "*fp32" %s | FileCheck %s
# RUN: %import --kernel make.nested --signature "*fp32" %s | FileCheck %s
"""Each kernel stores one number."""
import functools

import triton
import triton.language as tl
from triton import Config, autotune, heuristics, jit
from triton import jit as compiled

from .runtime import libentry, libtuner

# CHECK: func.func @{{plain|with_options|imported_jit|wrapped|heuristic|tuned|inside|conditional|nested}}(
# HEURISTIC: arith.constant 1.000000e+00 : f32
# TUNED: tensor<64xi32>
# CHECK: "tile.store"


@triton.jit
def plain(p):
    tl.store(p, 1.0)


@triton.jit(do_not_specialize=["n"], do_not_specialize_on_alignment=("p",), repr=lambda _: "name",
            launch_metadata=None, debug=True, noinline=True)
def with_options(p, n):
    tl.store(p, n)


@compiled
def imported_jit(p):
    tl.store(p, 1.0)


def passthrough(*names):
    return lambda function: function


@libentry()
@passthrough("a", "b")
@functools.lru_cache
@jit
def wrapped(p):
    tl.store(p, 1.0)


def is_even(args):
    return args["n"] % args["BLOCK"] == 0


@triton.heuristics({
    "EVEN": lambda args: args["BLOCK"] % 32 == 0,
    "PADDED": lambda args: triton.next_power_of_2(args["BLOCK"] - 1),
    "WARPS": lambda args: 4 if args["BLOCK"] < 1024 else 8,
})
@heuristics(values={"ONE": lambda args: max(1, args["BLOCK"] // 256)})
@jit
def heuristic(p, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, PADDED: tl.constexpr,
              WARPS: tl.constexpr, ONE: tl.constexpr):
    offsets = tl.arange(0, PADDED)
    if EVEN:
        tl.store(p + offsets, ONE * 1.0)
    else:
        tl.store(p + offsets, WARPS * 2.0, mask=offsets < n)


@triton.autotune(
    configs=[Config({"BLOCK": block}, num_warps=w, num_stages=s)
             for block in [64, 128] for w in (2, 4) for s in range(2, 4)],
    key=["n"], reset_to_zero=["p"], restore_value=["p"],
    prune_configs_by={"early_config_prune": lambda configs, args, **kw: configs, "perf_model": None, "top_k": 3},
    use_cuda_graph=True, warmup=10, rep=20)
@triton.jit
def tuned(p, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(p + offsets, 1.0, mask=offsets < n)


class Model:
    @staticmethod
    @triton.jit
    def inside(p):
        tl.store(p, 1.0)

    def forward(self, x):
        self.inside[(1,)](x)
        return x


if hasattr(tl, "missing"):

    @triton.jit
    def conditional(p):
        tl.store(p, 2.0)
else:

    @triton.jit
    def conditional(p):
        tl.store(p, 1.0)


def make(n):
    @triton.jit
    def nested(p):
        tl.store(p, 1.0)

    return nested
