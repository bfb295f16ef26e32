# SPDX-License-Identifier: MIT
"""cuBLAS's and cuDNN's kernels for ncu --profile-from-start off: each case once between
cudaProfilerStart and Stop, after warming up.

usage: profile_peers.py CASE:SHAPE ...   as in the tables of matmul.sh and attention.sh"""
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

TOKENS, HEADS = 16384, 32
half = dict(dtype=torch.float16, device="cuda")


def product(shape):
    m, n, k = map(int, shape.split("x"))
    a, b = (torch.empty(s, **half).uniform_(-1, 1) for s in ((m, k), (k, n)))
    c = torch.empty((m, n), **half)
    return lambda: torch.mm(a, b, out=c)


def attention(shape, causal, backward):
    dim, length = map(int, shape.split("x"))
    batch = TOKENS // length
    q, k, v, do = (torch.empty((batch, HEADS, length, dim), **half).uniform_(-1, 1)
                   for _ in range(4))
    if not backward:
        def run():
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return run
    inputs = [x.requires_grad_() for x in (q, k, v)]
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        out = torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=causal)
    return lambda: torch.autograd.grad(out, inputs, do, retain_graph=True)


for word in sys.argv[1:]:
    name, shape = word.split(":")
    run = (product(shape) if name.startswith("matmul")
           else attention(shape, name.endswith("causal"), name.startswith("backward")))
    for _ in range(10):
        run()
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push(word)
    torch.cuda.cudart().cudaProfilerStart()
    run()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()
    torch.cuda.nvtx.range_pop()
    # Tells the next case's rows from these: atan2 of one element is profiled as well.
    mark = torch.zeros(1, device="cuda")
    torch.cuda.cudart().cudaProfilerStart()
    mark.atan2_(mark)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()
