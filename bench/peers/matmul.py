# SPDX-License-Identifier: MIT
"""The grouped matrix product of test/kernels/matmul.py in Triton and in cuBLAS: a manifest for
bench/beside.

f16 in, f32 accumulate, f16 out, random data. `best`: the best of the eight usual configurations for
each size, ours and Triton's each its own. `pairs`: configuration against configuration. `skinny`:
few rows, as in token-by-token inference. `described`: the same product by tensor descriptors that
the kernel makes (test/kernels/descriptors.py), five sizes. `sm80`: both with the instructions of
sm_80 (mma.sync, cp.async), on whatever device; cuBLAS uses what that has. Needs PyTorch and Triton.

usage: matmul.py OUT_DIR [--shard I/N] [best|quick|pairs|skinny|described|sm80[:SHAPE] ...]

SHAPE: as in the table, such as best:1024x1024x1024; the last number is enough.
"""
import torch
import triton

import manifest
from cases import Buffer, Case, Config

# BLOCK_SIZE_M, N, K, GROUP_SIZE_M, stages, warps
USUAL = [(128, 256, 64, 8, 3, 8), (64, 256, 32, 8, 4, 4), (128, 128, 32, 8, 4, 4),
         (128, 64, 32, 8, 4, 4), (64, 128, 32, 8, 4, 4), (128, 32, 32, 8, 4, 4),
         (64, 32, 32, 8, 5, 2), (32, 64, 32, 8, 5, 2)]
NARROW = [(16, 64, 128, 8, 4, 4), (16, 128, 64, 8, 4, 4), (16, 32, 256, 8, 3, 4),
          (32, 64, 128, 8, 4, 4), (64, 32, 128, 8, 4, 4), (64, 64, 128, 8, 4, 4),
          (64, 128, 64, 8, 4, 4)]
WIDE = [(128, 256, 64, 8, 3, 8), (128, 256, 64, 8, 4, 8), (256, 128, 64, 8, 3, 8),
        (128, 128, 64, 8, 4, 4), (128, 128, 64, 8, 4, 8), (64, 256, 64, 8, 4, 4),
        (64, 128, 64, 8, 4, 4), (64, 64, 64, 8, 4, 4)]
OLDER = [(128, 128, 32, 8, 3, 4), (128, 128, 32, 8, 4, 4), (128, 128, 64, 8, 3, 8),
         (128, 256, 32, 8, 3, 8), (64, 128, 32, 8, 4, 4), (128, 64, 32, 8, 4, 4),
         (64, 64, 32, 8, 4, 4)]


def product(name, M, N, K, shapes, arch=None):
    a, b = Buffer("a", (M, K), torch.float16), Buffer("b", (K, N), torch.float16)
    c = Buffer("c", (M, N), torch.float16, "poison", True)
    configs = []
    for bm, bn, bk, group, stages, warps in shapes:
        constants = {"BLOCK_SIZE_M": bm, "BLOCK_SIZE_N": bn, "BLOCK_SIZE_K": bk,
                     "GROUP_SIZE_M": group, "ACTIVATION": ""}
        configs.append(Config(constants, warps, (triton.cdiv(M, bm) * triton.cdiv(N, bn), 1, 1),
                              stages, f"{bm}x{bn}x{bk}s{stages}w{warps}"))
    return Case(name, f"{M}x{N}x{K}", "matmul.py", "matmul_kernel",
                [a, b, c, M, N, K, K, 1, N, 1, N, 1], configs,
                lambda t: torch.mm(t.a, t.b, out=t.c), flops=2 * M * N * K, tolerance=2e-3,
                torch_name="cublas", arch=arch)


def described(M, N, K):
    a, b = Buffer("a", (M, K), torch.float16), Buffer("b", (K, N), torch.float16)
    c = Buffer("c", (M, N), torch.float16, "poison", True)
    configs = []
    for bm, bn, bk, group, stages, warps in WIDE:
        constants = {"BLOCK_M": bm, "BLOCK_N": bn, "BLOCK_K": bk, "GROUP_M": group,
                     "B_IS_TRANSPOSED": False}
        configs.append(Config(constants, warps, (triton.cdiv(M, bm) * triton.cdiv(N, bn), 1, 1),
                              stages, f"{bm}x{bn}x{bk}s{stages}w{warps}"))
    return Case("matmul_described", f"{M}x{N}x{K}", "descriptors.py", "matmul_descriptors",
                [a, b, c, M, N, K, K, N, N], configs, lambda t: torch.mm(t.a, t.b, out=t.c),
                flops=2 * M * N * K, tolerance=2e-3, torch_name="cublas", own_memory=True)


def squares(sizes):
    return [product("matmul", size, size, size, USUAL) for size in sizes]


def pairs():
    return [product("matmul_pair", size, size, size, [shape]) for size in (1024, 2048, 4096)
            for shape in USUAL]


def skinny():
    return [product("matmul_skinny", rows, n, k, NARROW)
            for rows in (16, 64) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336))]


def sm80():
    sizes = (1024, 2048, 4096, 8192)
    return [product("matmul_sm80", size, size, size, OLDER, 80) for size in sizes] + [
        product("matmul_sm80_pair", 4096, 4096, 4096, OLDER[:1], 80)]


if __name__ == "__main__":
    # Triton writes descriptors that a kernel makes to memory of the caller's.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(
        size, dtype=torch.int8, device="cuda"))
    manifest.main({"best": lambda: squares([*range(256, 4097, 128), 6144, 8192]),
                   "quick": lambda: squares([512, 1024, 2048, 4096, 8192]),
                   "pairs": pairs, "skinny": skinny, "sm80": sm80,
                   "described": lambda: [described(n, n, n)
                                         for n in (512, 1024, 2048, 4096, 8192)]},
                  ["best", "pairs", "skinny"])
