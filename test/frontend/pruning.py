# prune_configs_by: its functions are carried out as far as host code can be, for the arguments that are given.
# RUN: tile-translate --list-configs --kernel by_size --arg-value K=64 %s | FileCheck %s --check-prefix=SMALL
# RUN: tile-translate --list-configs --kernel by_size --signature "*fp16, i32" --arg-value K=4096 %s | FileCheck %s --check-prefix=LARGE
# RUN: tile-translate --list-configs --kernel by_size --signature "*fp16, 64" %s | FileCheck %s --check-prefix=SMALL
# RUN: tile-translate --list-configs --kernel by_size %s | FileCheck %s --check-prefix=UNKNOWN
# RUN: tile-translate --list-configs --kernel by_memory --target sm_90a --signature "*fp16, *fp32, i32" %s | FileCheck %s --check-prefix=HOPPER
# RUN: tile-translate --list-configs --kernel by_memory --target sm_86 --signature "*fp16, *fp32, i32" %s | FileCheck %s --check-prefix=AMPERE
# RUN: tile-translate --list-configs --kernel by_memory --target sm_86 %s | FileCheck %s --check-prefix=UNTYPED
# RUN: tile-translate --list-configs --kernel by_model --arg-value M=512 --arg-value N=300 %s | FileCheck %s --check-prefix=MODEL
# RUN: tile-translate --list-configs --json --kernel by_model --arg-value M=512 --arg-value N=300 %s | FileCheck %s --check-prefix=JSON
# RUN: tile-translate --list-configs --kernel by_share --arg-value n=5 %s | FileCheck %s --check-prefix=SHARE
# RUN: tile-translate --list-configs --kernel best_stages --target sm_80 %s | FileCheck %s --check-prefix=STAGES
# RUN: tile-translate --list-configs --kernel made %s | FileCheck %s --check-prefix=MADE
# RUN: tile-translate --list-configs --kernel given --constexpr HEAD=64 --constexpr CAUSAL=True --arg-value n=1 %s | FileCheck %s --check-prefix=GIVEN
# RUN: tile-translate --list-configs --kernel settings %s | FileCheck %s --check-prefix=SETTINGS
# RUN: tile-translate --list-configs --json --kernel settings %s | FileCheck %s --check-prefix=SETTINGS-JSON
# RUN: tile-translate --list-configs %s | FileCheck %s --check-prefix=NOTES
# RUN: tile-translate --import-triton --kernel by_size --signature "*fp16, i32" --config 2 %s | FileCheck %s --check-prefix=NUMBER
import heapq

import torch
import triton
import triton.language as tl
from elsewhere import model_of_others

SIZES = [triton.Config({"BLOCK": b}, num_warps=w) for b in (32, 64, 128, 256) for w in (2, 4)]


def no_larger_than_k(configs, named_args, **kwargs):
    """Blocks that are not wider than the data, unless none is left."""
    K = named_args["K"]
    fitting = [c for c in configs if c.kwargs["BLOCK"] <= K and c.num_warps * 32 <= c.kwargs["BLOCK"]]
    if not fitting:
        fitting = configs[:1]
    return sorted(fitting, key=lambda c: c.kwargs["BLOCK"], reverse=True)


# The numbers are those of the whole list, which --config takes; the order is the function's.
# SMALL:      by_size: 8 configurations
# SMALL-NEXT:   key: K
# SMALL-NEXT:   prune_configs_by: early_config_prune = no_larger_than_k
# SMALL-NEXT:   pruned: 1 remain
# SMALL-NEXT:   2: BLOCK=64 num_warps=2
# LARGE:        pruned: 5 remain
# LARGE-NEXT:   6: BLOCK=256 num_warps=2
# LARGE-NEXT:   7: BLOCK=256 num_warps=4
# LARGE-NEXT:   4: BLOCK=128 num_warps=2
# LARGE-NEXT:   5: BLOCK=128 num_warps=4
# LARGE-NEXT:   2: BLOCK=64 num_warps=2
# UNKNOWN:      by_size: 8 configurations
# UNKNOWN:      not pruned: early_config_prune is not evaluated: {{.*}}pruning.py:{{[0-9]+}}:38: it needs the value of argument 'K'
# UNKNOWN-NEXT: 0: BLOCK=32 num_warps=2
# UNKNOWN:      7: BLOCK=256 num_warps=4
# NUMBER: tensor<64xi32>
@triton.autotune(configs=SIZES, key=["K"], prune_configs_by={"early_config_prune": no_larger_than_k})
@triton.jit
def by_size(x, K, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, 0.0, mask=i < K)


def fits(configs, nargs, **kwargs):
    """Shared memory of all stages; atomics only where they exist; as Triton's own model of products does."""
    device = torch.cuda.current_device()
    size = nargs["a"].element_size()
    limit = triton.runtime.driver.active.utils.get_device_properties(device)["max_shared_mem"]
    same = torch.cuda.get_device_properties(device).shared_memory_per_block_optin
    left = []
    for config in configs:
        kw = config.kwargs
        block, split, stages = kw["BLOCK"], kw["SPLIT"], config.num_stages
        if 2 * block * 64 * stages * size <= limit and limit == same:
            left.append(config)
    if nargs["out"].dtype not in [torch.float16, torch.float32]:
        left = [c for c in left if c.kwargs["SPLIT"] == 1]
    return left


# HOPPER:       by_memory: 4 configurations
# HOPPER-NEXT:    prune_configs_by: early_config_prune = fits
# HOPPER-NEXT:    pruned: 3 remain
# HOPPER-NEXT:    0: BLOCK=128 SPLIT=1 num_warps=4 num_stages=3
# HOPPER-NEXT:    1: BLOCK=128 SPLIT=2 num_warps=4 num_stages=4
# HOPPER-NEXT:    2: BLOCK=256 SPLIT=1
# HOPPER-NOT:     3:
# AMPERE:         pruned: 1 remain
# AMPERE-NEXT:    0: BLOCK=128 SPLIT=1 num_warps=4 num_stages=3
# AMPERE-NOT:     1:
# UNTYPED:        not pruned: early_config_prune is not evaluated: {{.*}}: it needs the type of argument 'a', which a signature gives
# UNTYPED:        3: BLOCK=256
@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 128, "SPLIT": 1}, num_stages=3),
        triton.Config({"BLOCK": 128, "SPLIT": 2}, num_stages=4),
        triton.Config({"BLOCK": 256, "SPLIT": 1}, num_stages=3),
        triton.Config({"BLOCK": 256, "SPLIT": 1}, num_stages=4),
    ],
    key=[],
    prune_configs_by={"early_config_prune": fits},
)
@triton.jit
def by_memory(a, out, n, BLOCK: tl.constexpr, SPLIT: tl.constexpr):
    tl.store(out, 1.0)


def waste(M, N, BLOCK_M, BLOCK_N, num_warps, num_stages, num_ctas, **kwargs):
    """Elements that are computed in vain, and a little for each program."""
    programs = triton.cdiv(M, BLOCK_M) * triton.cdiv(N, BLOCK_N)
    return programs * BLOCK_M * BLOCK_N - M * N + programs * 0.5 + num_warps * num_stages * num_ctas


# Of equal estimates the first comes first; two equal configurations count once, as in Triton's dictionary.
# MODEL:      by_model: 5 configurations
# MODEL-NEXT:   key: M, N
# MODEL-NEXT:   prune_configs_by: perf_model = waste, top_k = 3
# MODEL-NEXT:   pruned: 3 remain
# MODEL-NEXT:   1: BLOCK_M=128 BLOCK_N=64
# MODEL-NEXT:   2: BLOCK_M=64 BLOCK_N=64
# MODEL-NEXT:   4: BLOCK_M=128 BLOCK_N=128
# JSON: "heuristics_computed": null, "warmup": null, "rep": null, "use_cuda_graph": false, "cache_results": false, "do_bench": null, "pre_hook": null, "post_hook": null, "configurations": 5, "not_pruned": null, "configs": [{"number": 1, "constants": {"BLOCK_M": 128, "BLOCK_N": 64}, {{.*}}{"number": 2, {{.*}}{"number": 4, "constants": {"BLOCK_M": 128, "BLOCK_N": 128}, "num_warps": 4, "num_stages": 3, "num_ctas": 1, "maxnreg": null, "pre_hook": null}]}
@triton.autotune(
    [triton.Config({"BLOCK_M": m, "BLOCK_N": n}) for m, n in [(256, 256), (128, 64), (64, 64), (128, 64), (128, 128)]],
    ["M", "N"], {"perf_model": waste, "top_k": 3})
@triton.jit
def by_model(x, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    tl.store(x, M)


# A share is one of all configurations, also of those that the first function took away: int(8 * 0.3) are 2.
# SHARE:      by_share: 8 configurations
# SHARE-NEXT:   prune_configs_by: early_config_prune = {{.*}}, perf_model = {{.*}}, top_k = 0.3
# SHARE-NEXT:   pruned: 2 remain
# SHARE-NEXT:   5: BLOCK=128 num_warps=4
# SHARE-NEXT:   3: BLOCK=64 num_warps=4
# SHARE-NOT:    BLOCK
@triton.autotune(SIZES, [], prune_configs_by={
    "early_config_prune": lambda configs, args, **kw: [c for c in configs if c.kwargs["BLOCK"] < 200],
    "perf_model": lambda **kw: kw["n"] / kw["BLOCK"] / kw["num_warps"], "top_k": 0.3})
@triton.jit
def by_share(x, n, BLOCK: tl.constexpr):
    tl.store(x, n)


def two_nearest(configs, named_args, **kwargs):
    """Of each block, the two numbers of stages nearest to what hides a load; fewer on old devices."""
    groups = {}
    for config in configs:
        key = (config.kwargs["BLOCK"], config.num_warps)
        groups.setdefault(key, []).append((config, config.num_stages))
    left = []
    for (block, warps), rows in groups.items():
        if torch.cuda.get_device_capability()[0] >= 8:
            want = 300 / (block * block / 64)
            near = heapq.nsmallest(2, rows, key=lambda row: 10 + abs(row[1] - want) if row[1] < want else row[1] - want)
            left += [row[0] for row in near]
        else:
            rows[0][0].num_stages = 2
            left.append(rows[0][0])
    return left


# STAGES:      best_stages: 8 configurations
# STAGES:        pruned: 4 remain
# STAGES-NEXT:   3: BLOCK=64 num_warps=4 num_stages=5
# STAGES-NEXT:   2: BLOCK=64 num_warps=4 num_stages=4
# STAGES-NEXT:   4: BLOCK=128 num_warps=4 num_stages=2
# STAGES-NEXT:   5: BLOCK=128 num_warps=4 num_stages=3
@triton.autotune([triton.Config({"BLOCK": b}, num_stages=s) for b in (64, 128) for s in (2, 3, 4, 5)], [],
                 prune_configs_by=dict(early_config_prune=two_nearest))
@triton.jit
def best_stages(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


def halve(configs, named_args):
    """Changes what it gets, and makes new ones: neither has a number."""
    for config in configs:
        if config.num_warps == 4:
            config.kwargs["BLOCK"] //= 2
    return [configs[0], configs[1], triton.Config({"BLOCK": 8}, num_warps=1, pre_hook=configs[0].pre_hook)]


# MADE:      made: 8 configurations
# MADE-NEXT:   prune_configs_by: prune_configs_by = HALVE
# MADE-NEXT:   pruned: 3 remain
# MADE-NEXT:   0: BLOCK=32 num_warps=2
# MADE-NEXT:   -: BLOCK=16 num_warps=4 num_stages=3
# MADE-NEXT:   -: BLOCK=8 num_warps=1 num_stages=3{{$}}
HALVE = {"early_config_prune": halve, "perf_model": None}
@triton.autotune(SIZES, [], HALVE)
@triton.jit
def made(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


def causal(configs, named_args, **kwargs):
    if not kwargs["CAUSAL"] or "HEAD" not in named_args:
        return configs
    scale = kwargs.get("scale", 1)
    return list(filter(lambda c: c.kwargs.get("BLOCK", 0) <= kwargs["HEAD"] * scale and not kwargs["warmup"], configs))


# Constants and defaults are arguments, too.
# GIVEN:      given: 8 configurations
# GIVEN:        pruned: 4 remain
# GIVEN-NEXT:   0: BLOCK=32
# GIVEN-NEXT:   1: BLOCK=32
# GIVEN-NEXT:   2: BLOCK=64
# GIVEN-NEXT:   3: BLOCK=64
@triton.autotune(SIZES, [], prune_configs_by={"early_config_prune": causal})
@triton.jit
def given(x, n, HEAD: tl.constexpr, CAUSAL: tl.constexpr, BLOCK: tl.constexpr, scale=1):
    tl.store(x, n)


def bench(fn, quantiles):
    return triton.testing.do_bench(fn, quantiles=quantiles)


# SETTINGS:      settings: 8 configurations
# SETTINGS-NEXT:   settings: pre_hook = lambda args, reset_only: None, post_hook = bench, warmup = 5 * 2, rep = 40.5, use_cuda_graph = True, do_bench = bench, cache_results = len(SIZES) > 3
# SETTINGS-NEXT:   0:
# SETTINGS-JSON: "warmup": 10, "rep": 40.5, "use_cuda_graph": true, "cache_results": true, "do_bench": "bench", "pre_hook": "lambda args, reset_only: None", "post_hook": "bench",
@triton.autotune(SIZES, [], None, None, None, lambda args, reset_only: None, post_hook=bench, warmup=5 * 2, rep=40.5,
                 use_cuda_graph=True, do_bench=bench, cache_results=len(SIZES) > 3)
@triton.jit
def settings(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


def wrong_key(configs, named_args, **kwargs):
    return [c for c in configs if c.kwargs["BLOCKS"] > 3]


def never_ends(configs, named_args, **kwargs):
    while True:
        configs = configs + configs[:1]


# What is not carried out is said with place and reason; the rest is.
# NOTES:      n_key: 8 configurations
# NOTES-NEXT:   prune
# NOTES-NEXT:   not pruned: early_config_prune is not evaluated: {{.*}}pruning.py:{{[0-9]+}}:35: there is no key 'BLOCKS'
# NOTES-NEXT:   0:
# NOTES:      n_outside: 8 configurations
# NOTES-NEXT:   prune
# NOTES-NEXT:   pruned: 2 remain
# NOTES-NEXT:   not pruned: perf_model is not evaluated: {{.*}}: 'elsewhere.model_of_others' is not in this file
# NOTES-NEXT:   0: BLOCK=32
# NOTES-NEXT:   1: BLOCK=32
# NOTES:      n_empty: 8 configurations
# NOTES-NEXT:   prune
# NOTES-NEXT:   not pruned: early_config_prune is not evaluated: {{.*}}: it leaves no configuration, which Triton refuses
# NOTES:      n_no_list: 8 configurations
# NOTES:        not pruned: {{.*}}: it gives None, not a list
# NOTES:      n_numbers: 8 configurations
# NOTES:        not pruned: {{.*}}: it gives a list with an integer, not of triton.Config
# NOTES:      n_parameter: 8 configurations
# NOTES:        not pruned: {{.*}}: it gives a configuration with 'BLOCKS', which is no parameter
# NOTES:      n_top: 8 configurations
# NOTES:        not pruned: top_k is not evaluated: {{.*}}: it is a number from 0 on, or a float from 0 to 1.0, not another one
# NOTES:      n_none: 8 configurations
# NOTES:        not pruned: perf_model is not evaluated: {{.*}}: top_k leaves no configuration
# NOTES:      n_text: 8 configurations
# NOTES:        not pruned: perf_model is not evaluated: {{.*}}: it gives a string, not a number
# NOTES:      n_steps: 8 configurations
# NOTES:        not pruned: early_config_prune is not evaluated: {{.*}}: it takes more than 2000000 steps
# NOTES:        7: BLOCK=256
# NOTES:      n_dict: 8 configurations
# NOTES:        not pruned: early_config_prune is not evaluated: {{.*}}: prune_configs_by is an integer, not a dictionary; perf_model is not
@triton.autotune(SIZES, [], {"early_config_prune": wrong_key})
@triton.jit
def n_key(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"early_config_prune": lambda c, a: c[:2], "perf_model": model_of_others, "top_k": 1})
@triton.jit
def n_outside(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"early_config_prune": lambda c, a: []})
@triton.jit
def n_empty(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"early_config_prune": lambda c, a: None})
@triton.jit
def n_no_list(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"early_config_prune": lambda c, a: [1]})
@triton.jit
def n_numbers(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"early_config_prune": lambda c, a: [triton.Config({"BLOCKS": 1})]})
@triton.jit
def n_parameter(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"perf_model": lambda BLOCK: BLOCK, "top_k": 1.5})
@triton.jit
def n_top(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"perf_model": lambda BLOCK: BLOCK, "top_k": 0})
@triton.jit
def n_none(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"perf_model": lambda BLOCK: "fast", "top_k": 1})
@triton.jit
def n_text(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], {"early_config_prune": never_ends})
@triton.jit
def n_steps(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)


@triton.autotune(SIZES, [], len(SIZES))
@triton.jit
def n_dict(x, BLOCK: tl.constexpr):
    tl.store(x, 1.0)
