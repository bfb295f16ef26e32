# SPDX-License-Identifier: MIT
"""cuBLAS's and cuDNN's kernels for ncu --profile-from-start off: each case once between
cudaProfilerStart and Stop, after warming up.

usage: profile_peers.py CASE ...   as in profile.sh: matmul/best:1536, attention/causal:128x4096
Cases without a peer have no rows."""
import sys

import torch

import attention
import manifest
import matmul


def case_of(word):
    file, _, part = word.partition("/")
    return manifest.chosen({"matmul": matmul, "attention": attention}[file].PARTS, [part])[0]


for word in sys.argv[1:]:
    case = case_of(word)
    tensors = case.make_tensors()
    run = case.torch_run or case.more_torch.get("cudnn", lambda tensors: None)
    for _ in range(10):
        run(tensors)
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push(word)
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
