# SPDX-License-Identifier: MIT
"""The forward pass of test/kernels/attention.py in Triton, and cuDNN's and FlashAttention 2's as
PyTorch calls them: a manifest for bench/beside.

f16, random data, batches of 16,384 tokens times 32 heads in all. Each size in all configurations
of the kernel's decorator: ours and Triton's each its own best. Needs PyTorch and Triton.

`described` and `described_causal`: by tensor descriptors that the kernel makes. `masked` and
`masked_causal`: by those of test/kernels/attention_heads.py, one loop with masks, all heads of all
tokens as columns of one tensor.

usage: attention.py OUT_DIR [--shard I/N] [PART[:SHAPE] ...]

PART: causal, full or one of the above. SHAPE: as in the table, head size x length, such as
causal:128x4096; the last number is enough.
"""
import math

import torch
import triton
from torch.nn.attention import SDPBackend, sdpa_kernel

import manifest
from cases import Buffer, Case, Config

TOKENS, HEADS = 16384, 32
SIZES = [(64, 1024), (64, 4096), (64, 16384), (128, 1024), (128, 4096), (128, 16384)]
BLOCKS = [(m, n, s, w) for m in (64, 128) for n in (32, 64) for s in (3, 4) for w in (4, 8)
          if m * n >= 128 * 64 or w == 4] + [(128, 128, 2, 8)]


DESCRIBED = [(128, 64, 3, 8), (128, 128, 2, 8), (128, 128, 3, 8), (64, 64, 3, 4), (64, 128, 3, 4),
             (128, 64, 3, 4), (128, 32, 4, 8)]


def by_torch(backend, causal):
    def run(t):
        with sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(t.q, t.k, t.v, is_causal=causal)
    return run


def forward(dim, length, causal):
    batch = TOKENS // length
    shape = (batch, HEADS, length, dim)
    q, k, v = (Buffer(name, shape, torch.float16) for name in "qkv")
    out = Buffer("out", shape, torch.float16, "poison", True)
    lse = Buffer("lse", shape[:3], torch.float32, "poison", True)
    strides = [HEADS * length * dim, length * dim, dim, 1]
    arguments = [q, k, v, dim ** -0.5, lse, out, *(4 * strides), batch, HEADS, length]
    configs = [Config({"HEAD_DIM": dim, "BLOCK_M": m, "BLOCK_N": n, "CAUSAL": causal}, w,
                      (length // m, batch * HEADS, 1), s, f"{m}x{n}s{s}w{w}")
               for m, n, s, w in BLOCKS]
    flops = 4 * batch * HEADS * length * length * dim // (2 if causal else 1)
    return Case("causal" if causal else "full", f"{dim}x{length}", "attention.py",
                "attention_fwd_kernel", arguments, configs,
                by_torch(SDPBackend.CUDNN_ATTENTION, causal), flops=flops, tolerance=4e-3,
                torch_name="cudnn")


def described(dim, length, causal):
    batch = TOKENS // length
    shape = (batch, HEADS, length, dim)
    q, k, v = (Buffer(name, shape, torch.float16) for name in "qkv")
    out = Buffer("out", shape, torch.float16, "poison", True)
    lse = Buffer("lse", shape[:3], torch.float32, "poison", True)
    configs = [Config({"HEAD_DIM": dim, "BLOCK_M": m, "BLOCK_N": n, "CAUSAL": causal}, w,
                      (length // m, batch * HEADS, 1), s, f"{m}x{n}s{s}w{w}")
               for m, n, s, w in DESCRIBED if n <= m or not causal]
    flops = 4 * batch * HEADS * length * length * dim // (2 if causal else 1)
    return Case("described_causal" if causal else "described", f"{dim}x{length}", "attention.py",
                "attention_fwd_descriptors",
                [q, k, v, dim ** -0.5, lse, out, batch, HEADS, length], configs,
                by_torch(SDPBackend.CUDNN_ATTENTION, causal), flops=flops, tolerance=4e-3,
                torch_name="cudnn", own_memory=True)


def by_columns(causal, heads, length, dim):
    """cuDNN's of tensors [length, heads, dim]."""
    def run(t):
        q, k, v = (x.view(1, length, heads, dim).transpose(1, 2) for x in (t.q, t.k, t.v))
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return run


def masked(dim, length, causal):
    heads = TOKENS * HEADS // length
    q, k, v = (Buffer(name, (length, heads * dim), torch.float16) for name in "qkv")
    out = Buffer("out", (length, heads * dim), torch.float16, "poison", True)
    configs = [Config({"HEAD_DIM": dim, "BLOCK_M": m, "BLOCK_N": n, "CAUSAL": causal, "WINDOW": 0},
                      w, (length // m, heads, 1), s, f"{m}x{n}s{s}w{w}")
               for m, n, s, w in DESCRIBED]
    flops = 4 * heads * length * length * dim // (2 if causal else 1)
    return Case("masked_causal" if causal else "masked", f"{dim}x{length}", "attention_heads.py",
                "attention_descriptors",
                [q, k, v, out, dim ** -0.5 * math.log2(math.e), length, length, heads, heads],
                configs, by_columns(causal, heads, length, dim), flops=flops, tolerance=4e-3,
                torch_name="cudnn", own_memory=True)


def cases(causal, make=forward):
    return [make(dim, length, causal) for dim, length in SIZES]


if __name__ == "__main__":
    # Triton writes descriptors that a kernel makes to memory of the caller's.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(
        size, dtype=torch.int8, device="cuda"))
    manifest.main({"causal": lambda: cases(True), "full": lambda: cases(False),
                   "described": lambda: cases(False, described),
                   "described_causal": lambda: cases(True, described),
                   "masked": lambda: cases(False, masked),
                   "masked_causal": lambda: cases(True, masked)},
                  ["causal", "full"])
