"""Products with a long K and few tiles: SPLIT_K programs share a tile, each takes a part of K."""
import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "SPLIT_K": split}, num_stages=stages, num_warps=4,
                      pre_hook=lambda nargs: nargs["c_ptr"].zero_())
        for m, n, k, stages in [(16, 32, 64, 5), (32, 64, 64, 4), (64, 64, 64, 4)] for split in [2, 4, 8, 16]
    ],
    key=["M", "N", "K"],
)
@triton.heuristics({"EVEN_K": lambda args: args["K"] % (args["BLOCK_K"] * args["SPLIT_K"]) == 0})
@triton.jit
def matmul_split_k_kernel(
    a_ptr, b_ptr, c_ptr,  # c starts as zeros unless SPLIT_K is 1
    M, N, K,
    stride_am, stride_ak,
    stride_bk, stride_bn,
    stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    SPLIT_K: tl.constexpr, EVEN_K: tl.constexpr, GROUP_M: tl.constexpr = 8,
):
    pid = tl.program_id(0)
    pid_k = tl.program_id(1)
    grid_m = tl.cdiv(M, BLOCK_M)
    grid_n = tl.cdiv(N, BLOCK_N)
    # groups of GROUP_M rows of tiles, for L2
    width = GROUP_M * grid_n
    group_id = pid // width
    group_size = min(grid_m - group_id * GROUP_M, GROUP_M)
    pid_m = group_id * GROUP_M + (pid % group_size)
    pid_n = (pid % width) // group_size

    rm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    ram = rm % M
    rbn = rn % N
    rk = pid_k * BLOCK_K + tl.arange(0, BLOCK_K)
    A = a_ptr + (ram[:, None] * stride_am + rk[None, :] * stride_ak)
    B = b_ptr + (rk[:, None] * stride_bk + rbn[None, :] * stride_bn)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K * SPLIT_K)):
        if EVEN_K:
            a = tl.load(A)
            b = tl.load(B)
        else:
            k_remaining = K - k * (BLOCK_K * SPLIT_K)
            a = tl.load(A, mask=rk[None, :] < k_remaining, other=0.0)
            b = tl.load(B, mask=rk[:, None] < k_remaining, other=0.0)
        acc = tl.dot(a, b, acc)
        A += BLOCK_K * SPLIT_K * stride_ak
        B += BLOCK_K * SPLIT_K * stride_bk
    acc = acc.to(c_ptr.dtype.element_ty)

    C = c_ptr + (rm[:, None] * stride_cm + rn[None, :] * stride_cn)
    mask = (rm < M)[:, None] & (rn < N)[None, :]
    if SPLIT_K == 1:
        tl.store(C, acc, mask=mask)
    else:
        tl.atomic_add(C, acc, mask=mask, sem="relaxed")


@triton.jit
def matmul_split_k_last_kernel(
    a_ptr, b_ptr, c_ptr,
    parts_ptr,  # SPLIT_K x M x N, rows as far apart as those of c
    counts_ptr,  # one for each tile, all 0 before and after
    M, N, K,
    stride_am, stride_bk, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, SPLIT_K: tl.constexpr,
):
    """Each program stores its part; the last one of a tile adds them up in their order, so that the result does not
    depend on who is last. Rows are contiguous."""
    pid_m, pid_n, pid_k = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    length = tl.cdiv(tl.cdiv(K, SPLIT_K), BLOCK_K) * BLOCK_K
    end = min(K, (pid_k + 1) * length)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(pid_k * length, end, BLOCK_K):
        offs_k = k + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + offs_m[:, None] * stride_am + offs_k[None, :],
                    mask=(offs_m[:, None] < M) & (offs_k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :],
                    mask=(offs_k[:, None] < K) & (offs_n[None, :] < N), other=0.0)
        acc += tl.dot(a, b)

    offsets = offs_m[:, None] * stride_cm + offs_n[None, :]
    mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
    tl.store(parts_ptr + pid_k * M * stride_cm + offsets, acc, mask=mask)
    tl.debug_barrier()  # all threads have stored before one of them counts
    count_ptr = counts_ptr + pid_m * tl.num_programs(1) + pid_n
    if tl.atomic_add(count_ptr, 1, sem="acq_rel") == SPLIT_K - 1:
        total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for i in range(SPLIT_K):
            total += tl.load(parts_ptr + i * M * stride_cm + offsets, mask=mask, other=0.0)
        tl.store(c_ptr + offsets, total.to(c_ptr.dtype.element_ty), mask=mask)
        tl.store(count_ptr, 0)


def matmul(a: torch.Tensor, b: torch.Tensor, dtype=torch.float32) -> torch.Tensor:
    (M, K), (_, N) = a.shape, b.shape
    c = torch.empty((M, N), device=a.device, dtype=dtype)
    grid = lambda META: (triton.cdiv(M, META["BLOCK_M"]) * triton.cdiv(N, META["BLOCK_N"]), META["SPLIT_K"])
    matmul_split_k_kernel[grid](a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride())
    return c


def matmul_same_bits(a: torch.Tensor, b: torch.Tensor, split: int = 4) -> torch.Tensor:
    (M, K), (_, N) = a.shape, b.shape
    c = torch.empty((M, N), device=a.device, dtype=a.dtype)
    parts = torch.empty((split, M, N), device=a.device, dtype=torch.float32)
    grid = (triton.cdiv(M, 64), triton.cdiv(N, 64), split)
    counts = torch.zeros(grid[0] * grid[1], device=a.device, dtype=torch.int32)
    matmul_split_k_last_kernel[grid](a, b, c, parts, counts, M, N, K, a.stride(0), b.stride(0), c.stride(0), BLOCK_M=64,
                                     BLOCK_N=64, BLOCK_K=32, SPLIT_K=split)
    return c
