# SPDX-License-Identifier: MIT
"""cuBLAS's and cuDNN's kernels for ncu --profile-from-start off: each case once between
cudaProfilerStart and Stop, after warming up.

usage: profile_peers.py CASE ...   as in profile.sh: matmul/best:1536, attention/causal:128x4096
Cases without a peer, or whose peer cannot run, have no rows."""
import sys

import torch

import attention
import manifest
import matmul


PARTS = {"matmul": matmul.PARTS, "attention": attention.PARTS}


def cases_of(word):
    file, _, part = word.partition("/")
    return manifest.chosen(PARTS[file], [part])


def warmed(case, tensors):
    """What to profile, after ten runs of it; nothing where there is no peer, or it cannot run."""
    run = case.torch_run or case.more_torch.get("cudnn")
    try:
        for _ in range(10 if run else 0):
            run(tensors)
    except RuntimeError as error:
        print(f"{case.name} {case.shape}: {str(error).splitlines()[0]}", file=sys.stderr)
        run = None
    return run or (lambda tensors: None)


for case in [case for word in sys.argv[1:] for case in cases_of(word)]:
    tensors = case.make_tensors()
    run = warmed(case, tensors)
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push(case.name)
    torch.cuda.cudart().cudaProfilerStart()
    run(tensors)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()
    torch.cuda.nvtx.range_pop()
    # Tells the next case's rows from these: atan2 of one element is profiled as well.
    mark = torch.zeros(1, device="cuda")
    torch.cuda.cudart().cudaProfilerStart()
    mark.atan2_(mark)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()
    case.drop_tensors()
    del run, tensors
