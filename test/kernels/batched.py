"""Products of many pairs of matrices at once: a program for each tile of each pair, and several small
pairs in one tl.dot."""
import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64, "GROUP_M": 8}, num_stages=3, num_warps=8),
        triton.Config({"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "GROUP_M": 8}, num_stages=4, num_warps=4),
    ],
    key=["M", "N", "K"],
)
@triton.jit
def batched_matmul_kernel(
    a_ptr, b_ptr, c_ptr,
    M, N, K,
    stride_ab, stride_am, stride_ak,
    stride_bb, stride_bk, stride_bn,
    stride_cb, stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    """Grid: (tiles of M, tiles of N, batch). A stride of 0 uses one matrix for the whole batch."""
    pid_m, pid_n = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), GROUP_M)
    pid_b = tl.program_id(2).to(tl.int64)  # a batch may hold more than 2^31 elements
    a_ptr += pid_b * stride_ab
    b_ptr += pid_b * stride_bb
    c_ptr += pid_b * stride_cb

    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak
    b_ptrs = b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn
    mask_m = offs_m[:, None] < M
    mask_n = offs_n[None, :] < N

    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(K, 0, -BLOCK_K):  # what is left of K
        a = tl.load(a_ptrs, mask=mask_m & (offs_k[None, :] < k), other=0.0)
        b = tl.load(b_ptrs, mask=mask_n & (offs_k[:, None] < k), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk

    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(c_ptr.type.element_ty), mask=mask_m & mask_n)


@triton.jit
def small_matmuls_kernel(
    a_ptr, b_ptr, c_ptr,
    B, M, N, K,
    stride_am, stride_bk, stride_cm,
    BLOCK_B: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    """Pairs too small for a program each: BLOCK_B of them in a program, whole but for K. Matrices
    follow one another without a gap."""
    offs_b = (tl.program_id(0) * BLOCK_B + tl.arange(0, BLOCK_B))[:, None, None]
    offs_m = tl.arange(0, BLOCK_M)[None, :, None]
    offs_n = tl.arange(0, BLOCK_N)[None, None, :]
    acc = tl.zeros((BLOCK_B, BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        offs_ak = k + tl.arange(0, BLOCK_K)[None, None, :]
        offs_bk = k + tl.arange(0, BLOCK_K)[None, :, None]
        a = tl.load(a_ptr + (offs_b * M + offs_m) * stride_am + offs_ak,
                    mask=(offs_b < B) & (offs_m < M) & (offs_ak < K), other=0.0)
        b = tl.load(b_ptr + (offs_b * K + offs_bk) * stride_bk + offs_n,
                    mask=(offs_b < B) & (offs_bk < K) & (offs_n < N), other=0.0)
        acc += tl.dot(a, b)
    tl.store(c_ptr + (offs_b * M + offs_m) * stride_cm + offs_n, acc.to(c_ptr.dtype.element_ty),
             mask=(offs_b < B) & (offs_m < M) & (offs_n < N))


def bmm(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    B, M, K = a.shape
    N = b.shape[2]
    c = torch.empty((B, M, N), device=a.device, dtype=a.dtype)
    if max(M, N) <= 32 and a.is_contiguous() and b.is_contiguous():
        side = lambda n: max(16, triton.next_power_of_2(n))
        small_matmuls_kernel[(triton.cdiv(B, 4),)](a, b, c, B, M, N, K, a.stride(1), b.stride(1), c.stride(1),
                                                   BLOCK_B=4, BLOCK_M=side(M), BLOCK_N=side(N), BLOCK_K=32)
        return c
    grid = lambda META: (triton.cdiv(M, META["BLOCK_M"]), triton.cdiv(N, META["BLOCK_N"]), B)
    batched_matmul_kernel[grid](a, b, c, M, N, K, *a.stride(), *b.stride(), *c.stride())
    return c
