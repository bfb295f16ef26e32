# SPDX-License-Identifier: MIT
"""The forward pass of test/kernels/attention.py in Triton, and cuDNN's and FlashAttention 2's as
PyTorch calls them: a manifest for bench/beside. And other kernels of attention.

f16, random data, batches of 16,384 tokens times 32 heads in all. Each size in all configurations
of the kernel's decorator: ours and Triton's each its own best. Needs PyTorch and Triton.

`described` and `described_causal`: by tensor descriptors that the kernel makes. `masked` and
`masked_causal`: by those of test/kernels/attention_heads.py, one loop with masks, all heads of all
tokens as columns of one tensor.

`backward` and `backward_causal`: all gradients, from test/kernels/attention_backward.py, with the
gradients of queries in a kernel of their own, or by atomics (`a` behind the blocks' sizes: with
zeros before and rounding behind); beside cuDNN's. `decode`: one query of
16 sequences of 32,768 keys, 32 heads on 8, by attention_decode of attention_heads.py and what
brings its parts together; beside cuDNN's and FlashAttention 2's. `fp8`, `fp8_causal`: e4m3 with a
scale for each head, test/kernels/attention_forms.py, beside cuDNN's where its module is installed
(cudnn_fp8.py); `fp8_turned`: with values as columns.

usage: attention.py OUT_DIR [--alone] [--shard I/N] [PART[:SHAPE] ...]

PART: causal, full or one of the above. SHAPE: as in the table, head size x length, such as
causal:128x4096; the last number is enough.
"""
import math

import torch
import triton
from torch.nn.attention import SDPBackend, sdpa_kernel

import cudnn_fp8
import manifest
from cases import Buffer, Case, Config

TOKENS, HEADS = 16384, 32
SIZES = [(64, 1024), (64, 4096), (64, 16384), (128, 1024), (128, 4096), (128, 16384),
         (256, 4096)]
BLOCKS = [(m, n, s, w) for m in (64, 128) for n in (32, 64) for s in (3, 4) for w in (4, 8)
          if m * n >= 128 * 64 or w == 4] + [(128, 128, 2, 8)]
GROUPS = [(256, 64, 3, 16)]  # four warp groups that compute: heads of 64
WIDE = [(128, 64, 2, 8), (128, 32, 3, 8), (64, 64, 2, 4), (64, 32, 3, 4)]  # heads of 256


DESCRIBED = [(128, 64, 3, 8), (128, 128, 2, 8), (128, 128, 3, 8), (64, 64, 3, 4), (64, 128, 3, 4),
             (128, 64, 3, 4), (128, 32, 4, 8)]


def blocks_of(dim, usual):
    return WIDE if dim >= 256 else usual + GROUPS if dim == 64 else usual


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
               for m, n, s, w in blocks_of(dim, BLOCKS)]
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
               for m, n, s, w in blocks_of(dim, DESCRIBED) if n <= m or not causal]
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
               for m, n, s, w in blocks_of(dim, DESCRIBED)]
    flops = 4 * heads * length * length * dim // (2 if causal else 1)
    return Case("masked_causal" if causal else "masked", f"{dim}x{length}", "attention_heads.py",
                "attention_descriptors",
                [q, k, v, out, dim ** -0.5 * math.log2(math.e), length, length, heads, heads],
                configs, by_columns(causal, heads, length, dim), flops=flops, tolerance=4e-3,
                torch_name="cudnn", own_memory=True)


# --- The backward pass
# ------------------------------------------------------------------------------------------

# Blocks of queries and keys, stages and warps of the kernel for keys, and of the one for queries.
BACKWARD = {64: ([(64, 128, 2, 8), (64, 64, 2, 4), (64, 128, 3, 8), (128, 128, 2, 8)],
                 (128, 64, 2, 8)),
            128: ([(64, 128, 2, 8), (32, 128, 2, 8), (64, 64, 2, 4)], (128, 64, 2, 8)),
            256: ([(64, 64, 2, 8), (32, 64, 2, 8), (32, 64, 2, 4)], (128, 32, 2, 8))}


def gradients_by_torch(backend, causal):
    """The forward pass is made once."""
    made = {}

    def run(t):
        if made.get("of") is not t:
            inputs = [x.detach().requires_grad_() for x in (t.q, t.k, t.v)]
            with sdpa_kernel(backend):
                out = torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=causal)
            made.update(of=t, out=out, inputs=inputs)
        return torch.autograd.grad(made["out"], made["inputs"], t.do, retain_graph=True)
    return run


def backward(dim, length, causal):
    heads, shape = TOKENS // length * HEADS, (TOKENS // length, HEADS, length, dim)
    q, k, v, do, out = (Buffer(name, shape, torch.float16) for name in ("q", "k", "v", "do", "out"))
    dq, dk, dv = (Buffer(name, shape, torch.float16, "poison", True) for name in ("dq", "dk", "dv"))
    sums = Buffer("sums", shape, torch.float32, "scratch")  # of dq, by atomics
    # norms as those of weights that are about equal
    lse = Buffer("lse", shape[:3], torch.float32, f"value:{math.log2(length) + 0.5}")
    delta = Buffer("delta", shape[:3], torch.float32, "scratch")
    fixed, scale = {"HEAD_DIM": dim, "CAUSAL": causal, "DESCRIBED": False}, dim ** -0.5
    blocks, (qm, qn, qs, qw) = BACKWARD[dim]

    def config(m, n, s, w, atomics):
        if atomics:
            last = ("attention_rounded", [sums, dq, scale, length], Config(
                {"HEAD_DIM": dim, "BLOCK_M": 64}, 4, (triton.cdiv(length, 64), heads, 1)))
        else:
            last = ("attention_backward_queries",
                    [q, k, v, do, lse, delta, dq, scale, length, length],
                    Config({**fixed, "BLOCK_M": qm, "BLOCK_N": qn}, qw,
                           (triton.cdiv(length, qm), heads, 1), qs))
        keys = ("attention_backward_keys",
                [q, k, v, do, lse, delta, dk, dv, sums if atomics else None, scale, length, length],
                Config({**fixed, "BLOCK_M": m, "BLOCK_N": n}, w, (triton.cdiv(length, n), heads, 1),
                       s, after=last))
        return Config({"HEAD_DIM": dim, "BLOCK_M": 64}, 4, (triton.cdiv(length, 64), heads, 1),
                      label=f"{m}x{n}s{s}w{w}" + ("a" if atomics else ""), after=keys,
                      arguments=[out, do, delta, sums if atomics else None, length])
    configs = [config(*block, atomics) for block in blocks for atomics in (False, True)]
    flops = 10 * heads * length * length * dim // (2 if causal else 1)
    return Case("backward_causal" if causal else "backward", f"{dim}x{length}",
                "attention_backward.py", "attention_sums", configs[0].arguments, configs,
                gradients_by_torch(SDPBackend.CUDNN_ATTENTION, causal), flops=flops, tolerance=4e-3,
                torch_name="cudnn")


# --- One query
# --------------------------------------------------------------------------------------------------


def decode_by_torch(backend, sequences, keys, heads, key_heads, dim):
    def run(t):
        q = t.q.view(sequences, heads, 1, dim)
        k, v = (x.view(sequences, keys, key_heads, dim).transpose(1, 2) for x in (t.k, t.v))
        with sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    return run


def decode(sequences=16, keys=32768, heads=32, key_heads=8, dim=128):
    q = Buffer("q", (sequences, heads, dim), torch.float16)
    k, v = (Buffer(name, (sequences, keys, key_heads, dim), torch.float16) for name in "kv")
    lengths = Buffer("lengths", (sequences,), torch.int32, f"value:{keys}")
    out = Buffer("out", (sequences, heads, dim), torch.float16, "poison", True)

    parts = {splits: [Buffer(f"part{splits}", (sequences, heads, splits, dim), torch.float32,
                             "scratch"),
                      Buffer(f"norms{splits}", (sequences, heads, splits), torch.float32,
                             "scratch")] for splits in (1, 2, 8, 16)}

    # One part, which is the result: nothing has to bring parts together.
    def whole(n, s, w):
        return Config({"HEAD_DIM": dim, "BLOCK_N": n, "BLOCK_H": 16, "DESCRIBED": False}, w,
                      (sequences, key_heads, 1), s, f"whole{n}s{s}w{w}",
                      arguments=[q, k, v, out, None, lengths, dim ** -0.5 * math.log2(math.e),
                                 heads, key_heads, keys, 1])

    def config(splits, n, s, w):
        part, norms = parts[splits]
        last = ("attention_combine", [part, norms, out, splits],
                Config({"HEAD_DIM": dim, "SPLITS": splits}, 4, (sequences * heads, 1, 1)))
        return Config({"HEAD_DIM": dim, "BLOCK_N": n, "BLOCK_H": 16, "DESCRIBED": False}, w,
                      (sequences, key_heads, splits), s, f"{splits}x{n}s{s}w{w}", after=last,
                      arguments=[q, k, v, part, norms, lengths, dim ** -0.5 * math.log2(math.e),
                                 heads, key_heads, keys, splits])
    blocks = ((64, 3, 4), (64, 4, 4), (128, 3, 4), (128, 2, 8))
    configs = [config(splits, *block) for splits in parts for block in blocks]
    configs += [whole(*block) for block in blocks]
    sizes = (sequences, keys, heads, key_heads, dim)
    return Case("decode", f"{dim}x{keys}", "attention_heads.py", "attention_decode",
                configs[0].arguments, configs, moved=4 * sequences * keys * key_heads * dim,
                tolerance=4e-3, more_torch={
                    "cudnn": decode_by_torch(SDPBackend.CUDNN_ATTENTION, *sizes),
                    "flash": decode_by_torch(SDPBackend.FLASH_ATTENTION, *sizes)})


# --- fp8
# --------------------------------------------------------------------------------------------------

FP8_SIZES = [(64, 4096), (128, 4096), (128, 16384), (256, 4096)]
FP8_BLOCKS = [(128, 128, 2, 8), (128, 128, 3, 8), (128, 64, 2, 8), (128, 64, 3, 8), (64, 128, 2, 4),
              (64, 128, 3, 4), (64, 64, 2, 4), (64, 64, 3, 4), (64, 64, 4, 4), (64, 32, 4, 4),
              (256, 64, 3, 16), (64, 128, 2, 4, 168)]  # the last one: registers of a thread


def fp8(dim, length, causal, turned=False):
    heads = TOKENS * HEADS // length
    q, k, v = (Buffer(name, (heads, length, dim), torch.float8_e4m3fn) for name in "qkv")
    scales = [Buffer(name + "_scales", (heads,), torch.float32, "positive") for name in "qkv"]
    out = Buffer("out", (heads, length, dim), torch.float16, "poison", True)
    blocks = FP8_BLOCKS if dim < 256 else WIDE
    configs = [Config({"HEAD_DIM": dim, "BLOCK_M": m, "BLOCK_N": n, "CAUSAL": causal,
                       "TURNED": turned, **({"maxnreg": more[0]} if more else {})}, w,
                      (length // m, heads, 1), s,
                      f"{m}x{n}s{s}w{w}" + (f"r{more[0]}" if more else ""))
               for m, n, s, w, *more in blocks]
    flops = 4 * heads * length * length * dim // (2 if causal else 1)
    name = "fp8_turned" if turned else "fp8_causal" if causal else "fp8"
    # Weights have four significant bits, rounded from what the maximum so far makes of them. Blocks
    # of other sizes, and programs that several blocks share, differ in that maximum.
    return Case(name, f"{dim}x{length}", "attention_forms.py", "attention_fp8",
                [q, k, v, out, *scales, dim ** -0.5, length, length, length], configs, flops=flops,
                tolerance=5e-2, own_memory=True,
                more_torch={} if turned else {
                    "cudnn": cudnn_fp8.attention(causal, TOKENS // length)})


def cases(causal, make=forward, sizes=SIZES):
    return [make(dim, length, causal) for dim, length in sizes]


# Cases by the words that choose them.
PARTS = {"causal": lambda: cases(True), "full": lambda: cases(False),
         "described": lambda: cases(False, described),
         "described_causal": lambda: cases(True, described),
         "masked": lambda: cases(False, masked),
         "masked_causal": lambda: cases(True, masked),
         "backward": lambda: cases(False, backward),
         "backward_causal": lambda: cases(True, backward),
         "decode": lambda: [decode()],
         "fp8": lambda: cases(False, fp8, FP8_SIZES),
         "fp8_causal": lambda: cases(True, fp8, FP8_SIZES),
         "fp8_turned": lambda: [fp8(dim, length, False, True) for dim, length in FP8_SIZES]}

if __name__ == "__main__":
    # Triton writes descriptors that a kernel makes to memory of the caller's.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(
        size, dtype=torch.int8, device="cuda"))
    manifest.main(PARTS, ["causal", "full"])
