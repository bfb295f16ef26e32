# SPDX-License-Identifier: MIT
"""Matrix products of test/kernels in Triton and in cuBLAS: a manifest for bench/beside.

f16 in, f32 accumulate, f16 out, random data, by the grouped kernel of matmul.py if nothing else is
said.

best        the best of the eight usual configurations for each size, ours and Triton's each its own
pairs       configuration against configuration
skinny      few rows, as in token-by-token inference
odd         shapes that no tile divides, with rows that are multiples of 16 bytes and that are not
bf16        bf16 in and out
described   the same product by tensor descriptors that the kernel makes (descriptors.py)
plane       programs in a grid of two dimensions, without an order of their own
persistent  as many programs as multiprocessors, each with a loop over tiles (persistent.py)
batched     many products of one size (batched.py)
experts     rows that are sorted by expert, as many for each, times its expert's matrix (grouped.py)
split_k     few tiles and a long K: several programs share a tile, and the last one of it adds their
            parts up (split_k.py)
int8, fp8   8-bit operands, the second one K-major (eight_bit.py): int32 out, and bf16
int8_rows, fp8_rows
            the same, the second one in rows, but for cuBLAS, which has a K-major copy of it; fp8
            with the tensor cores' own sums
tails       in tiles of 128 x 256, which leave multiprocessors without one in the last turn: with
            tile-gpu-split-tail and without
sm80        instructions of sm_80 (mma.sync, cp.async) in both, on whatever device; cuBLAS uses what
            that has

Needs PyTorch and Triton.

usage: matmul.py OUT_DIR [--alone] [--shard I/N] [PART[:SHAPE] ...]

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
EIGHT_BIT = [(128, 256, 128, 8, 3, 8), (128, 256, 128, 8, 4, 8), (128, 128, 128, 8, 4, 8),
             (128, 128, 128, 8, 3, 4), (64, 128, 128, 8, 4, 4), (64, 256, 128, 8, 3, 4)]
SPLIT = [(256, 256, 32768), (512, 512, 16384), (1024, 1024, 8192), (64, 4096, 14336)]
EXPERTS = [(8, 4096, 4096, 4096), (64, 8192, 2048, 4096), (8, 1024, 14336, 4096)]
ODD = [(1000, 1000, 1000), (5000, 5000, 5000), (2000, 3000, 1000), (777, 1333, 4095)]
LARGE = (1024, 2048, 4096, 8192)
DESCRIBED = (512, 1024, 1536, 2048, 3072, 4096, 6144, 8192)
TAILS = [(n, n, n) for n in (1536, 2304, 2560, 3072, 3328, 3584, 3840, 5120, 6144)] + [
    (3072, 3072, 1024)]
OLDER = [(128, 128, 32, 8, 3, 4), (128, 128, 32, 8, 4, 4), (128, 128, 64, 8, 3, 8),
         (128, 256, 32, 8, 3, 8), (64, 128, 32, 8, 4, 4), (128, 64, 32, 8, 4, 4),
         (64, 64, 32, 8, 4, 4)]


def operands(M, N, K, dtype=torch.float16, out=None, batch=()):
    return (Buffer("a", (*batch, M, K), dtype), Buffer("b", (*batch, K, N), dtype),
            Buffer("c", (*batch, M, N), out or dtype, "poison", True))


def tiles(M, N, shape):
    return triton.cdiv(M, shape[0]) * triton.cdiv(N, shape[1])


def label(bm, bn, bk, group, stages, warps):
    return f"{bm}x{bn}x{bk}s{stages}w{warps}"


def product(name, M, N, K, shapes, arch=None, dtype=torch.float16):
    a, b, c = operands(M, N, K, dtype)
    configs = []
    for bm, bn, bk, group, stages, warps in shapes:
        constants = {"BLOCK_SIZE_M": bm, "BLOCK_SIZE_N": bn, "BLOCK_SIZE_K": bk,
                     "GROUP_SIZE_M": group, "ACTIVATION": ""}
        configs.append(Config(constants, warps, (triton.cdiv(M, bm) * triton.cdiv(N, bn), 1, 1),
                              stages, f"{bm}x{bn}x{bk}s{stages}w{warps}"))
    return Case(name, f"{M}x{N}x{K}", "matmul.py", "matmul_kernel",
                [a, b, c, M, N, K, K, 1, N, 1, N, 1], configs,
                lambda t: torch.mm(t.a, t.b, out=t.c), flops=2 * M * N * K,
                tolerance=2e-3 if dtype == torch.float16 else 1.6e-2, torch_name="cublas",
                arch=arch, gemm=(M, N, K, 1))


def plane(M, N, K):
    a, b, c = operands(M, N, K)
    configs = [Config({"BLOCK_M": s[0], "BLOCK_N": s[1], "BLOCK_K": s[2]}, s[5],
                      (triton.cdiv(M, s[0]), triton.cdiv(N, s[1]), 1), s[4], label(*s))
               for s in USUAL]
    return Case("matmul_plane", f"{M}x{N}x{K}", "matmul.py", "matmul_masked_kernel",
                [a, b, c, M, N, K, K, 1, N, 1, N, 1], configs,
                lambda t: torch.mm(t.a, t.b, out=t.c), flops=2 * M * N * K, tolerance=2e-3,
                torch_name="cublas", gemm=(M, N, K, 1))


def persistent(M, N, K):
    a, b, c = operands(M, N, K)
    processors, configs = 132, []
    for bm, bn, bk, group, stages, warps in WIDE:
        constants = {"BLOCK_SIZE_M": bm, "BLOCK_SIZE_N": bn, "BLOCK_SIZE_K": bk,
                     "GROUP_SIZE_M": group, "NUM_SMS": processors}
        configs.append(Config(constants, warps,
                              (min(processors, tiles(M, N, (bm, bn))), 1, 1), stages,
                              label(bm, bn, bk, group, stages, warps)))
    return Case("matmul_persistent", f"{M}x{N}x{K}", "persistent.py", "matmul_persistent_kernel",
                [a, b, c, M, N, K, K, 1, N, 1, N, 1], configs,
                lambda t: torch.mm(t.a, t.b, out=t.c), flops=2 * M * N * K, tolerance=2e-3,
                torch_name="cublas", gemm=(M, N, K, 1))


def batched(count, M, N, K):
    a, b, c = operands(M, N, K, batch=(count,))
    configs = [Config({"BLOCK_M": s[0], "BLOCK_N": s[1], "BLOCK_K": s[2], "GROUP_M": s[3]}, s[5],
                      (triton.cdiv(M, s[0]), triton.cdiv(N, s[1]), count), s[4], label(*s))
               for s in WIDE]
    return Case("matmul_batched", f"{count}x{M}x{N}x{K}", "batched.py", "batched_matmul_kernel",
                [a, b, c, M, N, K, M * K, K, 1, K * N, N, 1, M * N, N, 1], configs,
                lambda t: torch.bmm(t.a, t.b, out=t.c), flops=2 * count * M * N * K,
                tolerance=2e-3, torch_name="cublas", gemm=(M, N, K, count))


def experts(count, rows, N, K):
    x, w = Buffer("x", (rows, K), torch.float16), Buffer("w", (count, K, N), torch.float16)
    y = Buffer("y", (rows, N), torch.float16, "poison", True)
    offsets = Buffer("offsets", (count + 1,), torch.int32,
                     values=[e * rows // count for e in range(count + 1)])
    configs = [Config({"EXPERTS": count, "BLOCK_M": s[0], "BLOCK_N": s[1], "BLOCK_K": s[2]}, s[5],
                      (triton.cdiv(N, s[1]), count * triton.cdiv(rows // count, s[0]), 1), s[4],
                      label(*s)) for s in WIDE]
    return Case("matmul_experts", f"{count}x{rows}x{N}x{K}", "grouped.py", "expert_matmul_kernel",
                [x, w, y, offsets, N, K, K, K * N, N, N], configs,
                lambda t: torch.bmm(t.x.view(count, -1, K), t.w, out=t.y.view(count, -1, N)),
                flops=2 * rows * N * K, tolerance=2e-3, torch_name="cublas",
                gemm=(rows // count, N, K, count))


def split_k(M, N, K):
    a, b, c = operands(M, N, K)
    parts = {split: Buffer(f"parts{split}", (split, M, N), torch.float32, "scratch")
             for split in (2, 4, 8, 16)}
    counts = Buffer("counts", (triton.cdiv(M, 16) * triton.cdiv(N, 16),), torch.int32, "zero")
    configs = []
    for split in parts:
        for bm, bn, bk, group, stages, warps in WIDE[:1] + WIDE[4:]:
            constants = {"BLOCK_M": bm, "BLOCK_N": bn, "BLOCK_K": bk, "SPLIT_K": split}
            configs.append(Config(constants, warps,
                                  (triton.cdiv(M, bm), triton.cdiv(N, bn), split), stages,
                                  f"{label(bm, bn, bk, group, stages, warps)}/{split}",
                                  arguments=[a, b, c, parts[split], counts, M, N, K, K, N, N]))
    return Case("matmul_split_k", f"{M}x{N}x{K}", "split_k.py", "matmul_split_k_last_kernel",
                configs[0].arguments, configs, lambda t: torch.mm(t.a, t.b, out=t.c),
                flops=2 * M * N * K, tolerance=2e-3, torch_name="cublas", gemm=(M, N, K, 1))


def eight_bit(M, N, K, dtype, fill, rows):
    """a, b and b's strides: K-major, or in rows, which cuBLAS does not take: it gets a copy."""
    a = Buffer("a", (M, K), dtype, *fill)
    b = Buffer("b", (K, N) if rows else (N, K), dtype, *fill)
    return a, b, ((N, 1) if rows else (1, K))


def columns_of_b(rows, known):
    """b as a matrix of K x N whose columns are contiguous, copied once where it is in rows."""
    def columns(t):
        if not rows:
            return t.b.T
        if not known:
            known.append(t.b.T.contiguous())
        return known[0].T
    return columns


def int8(M, N, K, rows=False):
    a, b, strides = eight_bit(M, N, K, torch.int8, ("bytes",), rows)
    c, columns = Buffer("c", (M, N), torch.int32, "poison", True), columns_of_b(rows, [])
    configs = [Config({"HAS_SCALE": False, "BLOCK_M": s[0], "BLOCK_N": s[1], "BLOCK_K": s[2]}, s[5],
                      (triton.cdiv(M, s[0]), triton.cdiv(N, s[1]), 1), s[4], label(*s))
               for s in EIGHT_BIT]
    return Case("matmul_int8" + ("_rows" if rows else ""), f"{M}x{N}x{K}", "eight_bit.py",
                "matmul_int8_kernel", [a, b, c, None, None, M, N, K, K, 1, *strides, N, 1], configs,
                lambda t: torch._int_mm(t.a, columns(t), out=t.c), flops=2 * M * N * K, tolerance=0,
                torch_name="cublas")


def fp8(M, N, K, exact, rows=False):
    """cuBLAS sums up exactly as well, or with the tensor cores' own sums."""
    a, b, strides = eight_bit(M, N, K, torch.float8_e4m3fn, (), rows)
    c, one = Buffer("c", (M, N), torch.bfloat16, "poison", True), []
    columns = columns_of_b(rows, [])
    configs = [Config({"BLOCK_M": s[0], "BLOCK_N": s[1], "BLOCK_K": s[2], "GROUP_M": s[3],
                       "MAX_IMPRECISE": 128 if exact else None}, s[5],
                      (tiles(M, N, s), 1, 1), s[4], label(*s)) for s in EIGHT_BIT]

    def scaled(t):
        if not one:
            one.append(torch.ones((), device="cuda"))
        torch._scaled_mm(t.a, columns(t), one[0], one[0], out_dtype=torch.bfloat16, out=t.c,
                         use_fast_accum=not exact)

    return Case("matmul_fp8" + ("_exact" if exact else "") + ("_rows" if rows else ""),
                f"{M}x{N}x{K}", "eight_bit.py", "matmul_fp8_kernel",
                [a, b, c, 1.0, M, N, K, K, 1, *strides, N, 1], configs, scaled,
                flops=2 * M * N * K, tolerance=1.6e-2, torch_name="cublas")


def described(M, N, K):
    a, b, c = operands(M, N, K)
    configs = []
    for bm, bn, bk, group, stages, warps in WIDE:
        constants = {"BLOCK_M": bm, "BLOCK_N": bn, "BLOCK_K": bk, "GROUP_M": group,
                     "B_IS_TRANSPOSED": False}
        configs.append(Config(constants, warps, (triton.cdiv(M, bm) * triton.cdiv(N, bn), 1, 1),
                              stages, f"{bm}x{bn}x{bk}s{stages}w{warps}"))
    return Case("matmul_described", f"{M}x{N}x{K}", "descriptors.py", "matmul_descriptors",
                [a, b, c, M, N, K, K, N, N], configs, lambda t: torch.mm(t.a, t.b, out=t.c),
                flops=2 * M * N * K, tolerance=2e-3, torch_name="cublas", own_memory=True,
                gemm=(M, N, K, 1))


def squares(sizes):
    return [product("matmul", size, size, size, USUAL) for size in sizes]


def pairs():
    return [product("matmul_pair", size, size, size, [shape]) for size in (1024, 2048, 4096)
            for shape in USUAL]


def skinny():
    return [product("matmul_skinny", rows, n, k, NARROW)
            for rows in (16, 64) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336))]


def tails(M, N, K):
    case = product("matmul_tail", M, N, K, WIDE[:2])
    case.skip = "tile-gpu-split-tail"
    return case


def sm80():
    sizes = (1024, 2048, 4096, 8192)
    return [product("matmul_sm80", size, size, size, OLDER, 80) for size in sizes] + [
        product("matmul_sm80_pair", 4096, 4096, 4096, OLDER[:1], 80)]


# Cases by the words that choose them.
PARTS = {"best": lambda: squares([*range(256, 4097, 128), 6144, 8192]),
         "quick": lambda: squares([512, 1024, 2048, 4096, 8192]),
         "pairs": pairs, "skinny": skinny, "sm80": sm80,
         "tails": lambda: [tails(*sizes) for sizes in TAILS],
         "odd": lambda: [product("matmul_odd", *sizes, USUAL + WIDE[1:]) for sizes in ODD],
         "bf16": lambda: [product("matmul_bf16", n, n, n, USUAL, dtype=torch.bfloat16)
                          for n in LARGE],
         "described": lambda: [described(n, n, n) for n in DESCRIBED],
         "plane": lambda: [plane(n, n, n) for n in LARGE],
         "persistent": lambda: [persistent(n, n, n) for n in LARGE],
         "batched": lambda: [batched(16, 1024, 1024, 1024), batched(64, 512, 512, 512)],
         "experts": lambda: [experts(*sizes) for sizes in EXPERTS],
         "split_k": lambda: [split_k(*sizes) for sizes in SPLIT],
         "int8": lambda: [int8(n, n, n) for n in LARGE],
         "fp8": lambda: [fp8(n, n, n, exact) for exact in (True, False) for n in LARGE],
         "int8_rows": lambda: [int8(n, n, n, True) for n in LARGE],
         "fp8_rows": lambda: [fp8(n, n, n, False, True) for n in LARGE]}

if __name__ == "__main__":
    # Triton writes descriptors that a kernel makes to memory of the caller's.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(
        size, dtype=torch.int8, device="cuda"))
    manifest.main(PARTS, ["best", "pairs", "skinny"])
