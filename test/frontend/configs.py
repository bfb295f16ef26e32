# What the decorators of kernels say, in every form that files use: listed, chosen, applied.
# RUN: tile-translate --list-configs %s | FileCheck %s --check-prefix=LIST
# RUN: tile-translate --list-configs --json --kernel in_full %s | FileCheck %s --check-prefix=JSON
# RUN: tile-translate --list-configs --kernel by_target %s | FileCheck %s --check-prefix=HOPPER
# RUN: tile-translate --list-configs --kernel by_target --target sm_100a %s | FileCheck %s --check-prefix=BLACKWELL
# RUN: tile-translate --import-triton --kernel in_full --signature "*fp32, *fp32, i32" --config 1 --arg-value n=96 %s | FileCheck %s --check-prefix=WHOLE
# RUN: tile-translate --import-triton --kernel in_full --signature "*fp32, *fp32, i32" --config 1 --arg-value n=100 %s | FileCheck %s --check-prefix=RAGGED
# RUN: tile-translate --import-triton --kernel in_full --signature "*fp32, None, i32" --config 1 --constexpr BLOCK=128 --arg-value n=128 %s | FileCheck %s --check-prefix=GIVEN
# RUN: tile-translate --import-triton --kernel in_full --signature "*fp32, *fp32, i32, 8, True, False" %s | FileCheck %s --check-prefix=COMPLETE
# RUN: tile-translate --tile-to-ptx --kernel in_full --signature "*fp32, *fp32, i32, 512, True, False" %s | FileCheck %s --check-prefix=FOUR
# RUN: tile-translate --tile-to-ptx --kernel in_full --signature "*fp32, *fp32, i32" --config 1 --arg-value n=96 %s | FileCheck %s --check-prefix=EIGHT
# RUN: tile-translate --tile-to-ptx --kernel in_full --signature "*fp32, *fp32, i32" --config 1 --arg-value n=96 --num-warps 2 %s | FileCheck %s --check-prefix=TWO
# RUN: tile-translate --import-triton --kernel order --signature "*fp32, i32" --config 0 %s | FileCheck %s --check-prefix=ORDER
# RUN: tile-translate --import-triton --kernel types --signature "*fp16" %s | FileCheck %s --check-prefix=FP16
# RUN: tile-translate --import-triton --kernel types --signature "*fp32" %s | FileCheck %s --check-prefix=FP32
# RUN: tile-translate --tile-to-ptx --kernel warps --signature "*fp32" %s | FileCheck %s --check-prefix=WARPS
import functools
import itertools
import os

import torch
import triton
import triton.language as tl
from elsewhere import site_configs, tuned, cache_results

SIZES = [16, 32]
if "SHORT" not in os.environ:
    SIZES += [64]
for more in range(2):
    SIZES.append(128 << more)


def hook(nargs):
    nargs["out"].zero_()


def prune(configs, named_args, **kwargs):
    return configs


# A list as written, with all that triton.Config takes and all that triton.autotune takes. The
# heuristics below it compute from the arguments, from the configuration and from each other.
# LIST:      in_full: 2 configurations
# LIST-NEXT:   key: n
# LIST-NEXT:   reset_to_zero: x
# LIST-NEXT:   restore_value: y
# LIST-NEXT:   prune_configs_by: early_config_prune = prune, top_k = 10
# LIST-NEXT:   heuristics: EVEN, HAS_Y
# LIST-NEXT:   settings: warmup = 10
# LIST-NEXT:   0: BLOCK=16 num_warps=4 num_stages=3
# LIST-NEXT:   1: BLOCK=32 num_warps=8 num_stages=2 maxnreg=64 pre_hook=hook
# JSON: {"kernel": "in_full", "autotune": true, "computed": null, "key": ["n"], "reset_to_zero": ["x"], "restore_value": ["y"], "prune_configs_by": ["early_config_prune = prune", "top_k = 10"], "heuristics": ["EVEN", "HAS_Y"], "heuristics_computed": null, "warmup": 10, "rep": null,
# JSON-SAME: "configurations": 2, "not_pruned": null, "configs": [{"number": 0, "constants": {"BLOCK": 16}, "num_warps": 4, "num_stages": 3, "num_ctas": 1, "maxnreg": null, "pre_hook": null}, {"number": 1, "constants": {"BLOCK": 32}, "num_warps": 8, "num_stages": 2, "num_ctas": 1, "maxnreg": 64, "pre_hook": "hook"}]}
# WHOLE: module attributes {{.*}}tile.num_stages = 2 : i32, tile.num_warps = 8 : i32
# WHOLE: tensor<32xf32>
# WHOLE-NOT: arith.cmpi
# RAGGED: arith.cmpi
# GIVEN: tensor<128xf32>
# GIVEN-NOT: arith.cmpi
# COMPLETE-NOT: module attributes
# COMPLETE: tensor<8xf32>
# FOUR: .reqntid 128
# EIGHT: .reqntid 256
# EIGHT: .maxnreg 64
# TWO: .reqntid 64
@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 16}),
        triton.Config(kwargs={"BLOCK": 32}, num_warps=8, num_stages=2, maxnreg=64, pre_hook=hook),
    ],
    key=["n"],
    reset_to_zero=["x"],
    restore_value=["y"],
    prune_configs_by={"early_config_prune": prune, "top_k": 10},
    warmup=10,
)
@triton.heuristics({
    "EVEN": lambda args: args["n"] % args["BLOCK"] == 0 and args["num_warps"] > 1,
    "HAS_Y": lambda args: args["y"] is not None and args["EVEN"] in (True, False),
})
@triton.jit(do_not_specialize=["n", 0], noinline=False, debug=True, repr=lambda spec: "name",
            launch_metadata=hook, do_not_specialize_on_alignment=("y",))
def in_full(x, y, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, HAS_Y: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i) if EVEN else tl.load(x + i, mask=i < n, other=0.0)
    if HAS_Y:
        v += tl.load(y + i)
    tl.store(x + i, v)


def make(blocks, warps=(4,), *, stages=3):
    """Statements, defaults, keyword arguments."""
    configs = []
    for block, warp in itertools.product(blocks, warps):
        if block * warp > 600:
            continue
        elif block == 32:
            stages -= 1
        options = dict(BLOCK=block)
        options["TYPE"], options["NAME"] = tl.float16, 'it\'s'
        configs.append(triton.Config(options, num_warps=warp, num_stages=stages))
    assert len(configs) > 0, "none"
    return configs


# The file's own functions and constants; statements at the top level that build a list are followed.
# LIST:      by_call: 6 configurations
# LIST-NEXT:   key: n
# LIST-NEXT:   0: BLOCK=16 TYPE=tl.float16 NAME='it\'s' num_warps=2 num_stages=3
# LIST-NEXT:   1: BLOCK=32 TYPE=tl.float16 NAME='it\'s' num_warps=2 num_stages=2
# LIST-NEXT:   2: BLOCK=64
# LIST-NEXT:   3: BLOCK=128
# LIST-NEXT:   4: BLOCK=256 TYPE=tl.float16 NAME='it\'s' num_warps=2 num_stages=2
# LIST-NEXT:   5: BLOCK=512 TYPE=tl.float16 NAME='it\'s' num_warps=1 num_stages=2
@triton.autotune(make(SIZES, warps=[2]) + make([512], [1], **{"stages": 2}), ["n"])
@triton.jit
def by_call(x, n, BLOCK: tl.constexpr, TYPE: tl.constexpr, NAME: tl.constexpr):
    tl.store(x, n)


# Later statements change nothing for the kernels above.
SIZES = [1024]


# Nested comprehensions with conditions, arithmetic, builtins, conditional expressions.
# LIST:      comprehension: 5 configurations
# LIST-NEXT:   0: BLOCK=32 HALF=16.0 num_warps=1 num_stages=2
# LIST-NEXT:   1: BLOCK=32 HALF=16.0 num_warps=4 num_stages=1
# LIST-NEXT:   2: BLOCK=64 HALF=32.0 num_warps=1 num_stages=4
# LIST-NEXT:   3: BLOCK=128 HALF=64.0 num_warps=1 num_stages=4
# LIST-NEXT:   4: BLOCK=1024 HALF=512.0 num_warps=8 num_stages=4
@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 2**b, "HALF": 2**b / 2}, num_warps=w,
                      num_stages=min(4, max(1, (1 << b) // 16 - w + 1)))
        for b in range(5, 8) for w in [1, 4] if w == 1 or b < 6
    ] + [triton.Config({"BLOCK": s, "HALF": s / 2}, num_warps=8 if s > 512 else 4, num_stages=4) for s in SIZES],
    key=[],
)
@triton.jit
def comprehension(x, BLOCK: tl.constexpr, HALF: tl.constexpr):
    tl.store(x, HALF)


@functools.lru_cache
def is_cuda():
    return triton.runtime.driver.active.get_current_target().backend == "cuda" and torch.version.hip is None


def is_blackwell():
    return is_cuda() and torch.cuda.get_device_capability()[0] == 10


def fits(config):
    return config.kwargs["BLOCK"] * config.num_warps <= (1024 if is_blackwell() else 256)


# What code asks of its device is answered for the target.
# HOPPER: by_target: 2 configurations
# BLACKWELL: by_target: 3 configurations
@triton.autotune(configs=list(filter(fits, [triton.Config({"BLOCK": b}, num_warps=4) for b in [32, 64, 128]])), key=["x"])
@triton.jit
def by_target(x, BLOCK: tl.constexpr):
    tl.store(x, BLOCK)


# What is computed from the outside is said to be so, with the place; it is no error.
# LIST:      outside: configurations computed at run time: {{.*}}configs.py:[[#@LINE+3]]:26: it calls elsewhere.site_configs(), which is known at run time only
# LIST-NEXT:   key: computed at run time: tuned.key
# LIST-NEXT:   heuristics: A; computed at run time: {{.*}}configs.py:[[#@LINE+2]]:47: elsewhere.tuned.b is known at run time only
@triton.autotune(configs=site_configs("outside"), key=tuned.key, **cache_results)
@triton.heuristics({"A": lambda args: 1, "B": tuned.b})
@triton.jit
def outside(x, A: tl.constexpr, B: tl.constexpr):
    tl.store(x, A + B)


# A heuristic above @triton.autotune does not see the configuration, one below does, and both may
# set what a launch takes besides the parameters.
# LIST: order: 1 configuration
# ORDER: tile.num_warps = 2 : i32
# ORDER: arith.constant {{.*}}101
@triton.heuristics({"ABOVE": lambda args: 100 if "BLOCK" not in args else 0})
@triton.autotune(configs=[triton.Config({"BLOCK": 1, "waves_per_eu": 2}, num_warps=4)], key=["n"])
@triton.heuristics({"BELOW": lambda args: args["ABOVE"] + args["BLOCK"], "num_warps": lambda args: args["num_warps"] // 2})
@triton.jit
def order(x, n, BLOCK: tl.constexpr, ABOVE: tl.constexpr, BELOW: tl.constexpr):
    tl.store(x, n + BELOW)


def block_of(args):
    size = args["x"].element_size()
    return triton.next_power_of_2(triton.cdiv(100, size))


# Of a tensor, the type is known.
# LIST: types: no @triton.autotune
# LIST-NEXT: heuristics: BLOCK, HALF
# FP16: tensor<64xf16>
# FP16: 5.000000e+00
# FP32: tensor<32xf32>
# FP32-NOT: 5.000000e+00
@triton.heuristics(values={"BLOCK": block_of, "HALF": lambda args: args["x"].dtype == torch.float16})
@triton.jit
def types(x, BLOCK: tl.constexpr, HALF: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    if HALF:
        v += 5.0
    tl.store(x + i, v)


# WARPS: .reqntid 512
@triton.heuristics({"num_warps": lambda args: 16})
@triton.jit
def warps(x):
    tl.store(x, 1.0)


# The environment counts as empty; strings have a few methods; keywords of other backends are read.
# LIST: strings: 1 configuration
# LIST-NEXT: 0: A='off' B='ON' C=True D=False num_warps=4
MODE = os.environ.get("TILE_MODE", " Off ").strip().lower()


@triton.autotune(configs=[triton.Config({"A": MODE, "B": "on".upper(), "C": MODE.startswith("o"), "D": MODE.endswith("offf")}, num_cpu_threads=2)], key=[])
@triton.jit
def strings(x, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr):
    tl.store(x, 1.0)


# LIST: plain: no @triton.autotune
@triton.jit
def plain(x):
    tl.store(x, 1.0)
