"""The grouped matrix product of test/kernels/matmul.py in Triton and in cuBLAS: a manifest for bench/beside.

f16 in, f32 accumulate, f16 out, random data. `best`: the best of the eight usual configurations for each
size, ours and Triton's each its own. `pairs`: configuration against configuration. `skinny`: few rows, as
in token-by-token inference. `sm80`: both with the instructions of sm_80 (mma.sync, cp.async), on whatever
device; cuBLAS uses what that has. Needs PyTorch and Triton.

usage: matmul.py OUT_DIR [best|quick|pairs|skinny|sm80 ...]
"""
import sys

import torch
import triton

from manifest import Buffer, Config, Manifest

# BLOCK_SIZE_M, N, K, GROUP_SIZE_M, stages, warps
USUAL = [(128, 256, 64, 8, 3, 8), (64, 256, 32, 8, 4, 4), (128, 128, 32, 8, 4, 4), (128, 64, 32, 8, 4, 4),
         (64, 128, 32, 8, 4, 4), (128, 32, 32, 8, 4, 4), (64, 32, 32, 8, 5, 2), (32, 64, 32, 8, 5, 2)]
NARROW = [(16, 64, 128, 8, 4, 4), (16, 128, 64, 8, 4, 4), (16, 32, 256, 8, 3, 4), (32, 64, 128, 8, 4, 4),
          (64, 32, 128, 8, 4, 4), (64, 64, 128, 8, 4, 4), (64, 128, 64, 8, 4, 4)]


OLDER = [(128, 128, 32, 8, 3, 4), (128, 128, 32, 8, 4, 4), (128, 128, 64, 8, 3, 8), (128, 256, 32, 8, 3, 8),
         (64, 128, 32, 8, 4, 4), (128, 64, 32, 8, 4, 4), (64, 64, 32, 8, 4, 4)]


def product(m, name, M, N, K, shapes, arch=None):
    half = dict(device="cuda", dtype=torch.float16)
    a, b = torch.randn(M, K, **half), torch.randn(K, N, **half)
    c = torch.empty(M, N, **half)
    configs = []
    for bm, bn, bk, group, stages, warps in shapes:
        constants = {"BLOCK_SIZE_M": bm, "BLOCK_SIZE_N": bn, "BLOCK_SIZE_K": bk, "GROUP_SIZE_M": group, "ACTIVATION": ""}
        configs.append(Config(constants, warps, (triton.cdiv(M, bm) * triton.cdiv(N, bn), 1, 1), stages,
                              f"{bm}x{bn}x{bk}s{stages}w{warps}"))
    m.case(name, f"{M}x{N}x{K}", "matmul.py", "matmul_kernel",
           [Buffer("a", a), Buffer("b", b), Buffer("c", c, "poison", True), M, N, K, K, 1, N, 1, N, 1], configs,
           lambda: torch.mm(a, b, out=c), flops=2 * M * N * K, tolerance=2e-3, torch_name="cublas", arch=arch)


def main():
    manifest = Manifest(sys.argv[1])
    for part in sys.argv[2:] or ["best", "pairs", "skinny"]:
        if part == "best":
            for size in list(range(256, 4097, 128)) + [6144, 8192]:
                product(manifest, "matmul", size, size, size, USUAL)
        elif part == "quick":
            for size in (512, 1024, 2048, 4096, 8192):
                product(manifest, "matmul", size, size, size, USUAL)
        elif part == "pairs":
            for size in (1024, 2048, 4096):
                for shape in USUAL:
                    product(manifest, f"matmul_pair", size, size, size, [shape])
        elif part == "skinny":
            for rows in (16, 64):
                for n, k in ((4096, 4096), (14336, 4096), (4096, 14336)):
                    product(manifest, "matmul_skinny", rows, n, k, NARROW)
        elif part == "sm80":
            for size in (1024, 2048, 4096, 8192):
                product(manifest, "matmul_sm80", size, size, size, OLDER, 80)
            product(manifest, "matmul_sm80_pair", 4096, 4096, 4096, OLDER[:1], 80)
        else:
            sys.exit(f"matmul.py: no part '{part}': best, quick, pairs, skinny, sm80")


if __name__ == "__main__":
    main()
