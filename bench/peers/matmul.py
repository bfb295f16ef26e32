# SPDX-License-Identifier: MIT
"""The grouped matrix product of test/kernels/matmul.py in Triton and in cuBLAS: a manifest for
bench/beside.

f16 in, f32 accumulate, f16 out, random data. `best`: the best of the eight usual configurations for
each size, ours and Triton's each its own. `pairs`: configuration against configuration. `skinny`:
few rows, as in token-by-token inference. `sm80`: both with the instructions of sm_80 (mma.sync,
cp.async), on whatever device; cuBLAS uses what that has. Needs PyTorch and Triton.

usage: matmul.py OUT_DIR [--shard I/N] [best|quick|pairs|skinny|sm80[:SHAPE] ...]

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
    manifest.main({"best": lambda: squares([*range(256, 4097, 128), 6144, 8192]),
                   "quick": lambda: squares([512, 1024, 2048, 4096, 8192]),
                   "pairs": pairs, "skinny": skinny, "sm80": sm80}, ["best", "pairs", "skinny"])
