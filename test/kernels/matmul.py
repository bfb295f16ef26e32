"""Matrix products: a two-dimensional grid with masks, grouped order with tuning, block pointers."""
from typing import Optional

import torch
import triton
import triton.language as tl


def is_cuda():
    return triton.runtime.driver.active.get_current_target().backend == "cuda"


def get_cuda_autotune_config():
    return [
        triton.Config({"BLOCK_SIZE_M": 128, "BLOCK_SIZE_N": 128, "BLOCK_SIZE_K": 64,
                       "GROUP_SIZE_M": 8}, num_stages=3, num_warps=8),
        triton.Config({"BLOCK_SIZE_M": 64, "BLOCK_SIZE_N": 128, "BLOCK_SIZE_K": 32,
                       "GROUP_SIZE_M": 4}, num_stages=4, num_warps=4),
        triton.Config({"BLOCK_SIZE_M": 32, "BLOCK_SIZE_N": 32, "BLOCK_SIZE_K": 32,
                       "GROUP_SIZE_M": 8}, num_stages=5, num_warps=2),
    ]


def get_hip_autotune_config():
    sizes = [(m, n, k) for m in (64, 128) for n in (64, 128, 256) for k in (32, 64) if m <= n]
    return [
        triton.Config(
            {"BLOCK_SIZE_M": m, "BLOCK_SIZE_N": n, "BLOCK_SIZE_K": k, "GROUP_SIZE_M": 1,
             "waves_per_eu": 2}, num_warps=4, num_stages=2) for m, n, k in sizes
    ]


def get_autotune_config():
    if is_cuda():
        return get_cuda_autotune_config()
    else:
        return get_hip_autotune_config()


# A plain product: program (i, j) owns tile (i, j), all edges are masked.
@triton.jit
def matmul_masked_kernel(a_ptr, b_ptr, c_ptr, M, N, K,
                         stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                         BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)

    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask_m = offs_m < M
    mask_n = offs_n < N

    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start_k in range(0, K, BLOCK_K):
        offs_k = start_k + tl.arange(0, BLOCK_K)
        mask_k = offs_k < K
        a = tl.load(a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak,
                    mask=mask_m[:, None] & mask_k[None, :], other=0.)
        b = tl.load(b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn,
                    mask=mask_k[:, None] & mask_n[None, :], other=0.)
        acc += tl.dot(a, b)

    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=mask_m[:, None] & mask_n[None, :])


# Programs in groups of GROUP_SIZE_M rows of tiles: neighbours share rows of A and columns of B in L2.
@triton.autotune(
    configs=get_autotune_config(),
    key=["M", "N", "K"],
)
@triton.jit
def matmul_kernel(
        a_ptr, b_ptr, c_ptr,
        # sizes
        M, N, K,
        # elements from one row, or column, to the next
        stride_am, stride_ak,  #
        stride_bk, stride_bn,  #
        stride_cm, stride_cn,
        # compile-time choices
        BLOCK_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr, BLOCK_SIZE_K: tl.constexpr,  #
        GROUP_SIZE_M: tl.constexpr,  #
        ACTIVATION: tl.constexpr  #
):
    """c = activation(a @ b), with a of M x K, b of K x N and c of M x N in half precision."""
    # ---------------------------------------------------------
    # Which tile of c this program makes
    pid = tl.program_id(axis=0)
    tiles_m = tl.cdiv(M, BLOCK_SIZE_M)
    tiles_n = tl.cdiv(N, BLOCK_SIZE_N)
    in_group = GROUP_SIZE_M * tiles_n
    group = pid // in_group
    first_m = group * GROUP_SIZE_M
    rows_of_group = min(tiles_m - first_m, GROUP_SIZE_M)  # the last group may be lower
    pid_m = first_m + ((pid % in_group) % rows_of_group)
    pid_n = (pid % in_group) // rows_of_group

    tl.assume(pid_m >= 0)
    tl.assume(pid_n >= 0)
    tl.assume(stride_am > 0)
    tl.assume(stride_bk > 0)

    # ---------------------------------------------------------
    # Rows and columns past the edge wrap around: what they give is not stored, and the loads
    # need no mask but that of k.
    offs_am = (pid_m * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)) % M
    offs_bn = (pid_n * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)) % N
    offs_k = tl.arange(0, BLOCK_SIZE_K)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)

    total = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_SIZE_K)):
        left = K - k * BLOCK_SIZE_K
        a = tl.load(a_ptrs, mask=offs_k[None, :] < left, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < left, other=0.0)
        total = tl.dot(a, b, total)
        a_ptrs += BLOCK_SIZE_K * stride_ak
        b_ptrs += BLOCK_SIZE_K * stride_bk
    if ACTIVATION == "leaky_relu":
        total = leaky_relu(total)
    c = total.to(tl.float16)

    # ---------------------------------------------------------
    # The edges of c are masked
    offs_cm = pid_m * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    offs_cn = pid_n * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    tl.store(c_ptrs, c, mask=(offs_cm[:, None] < M) & (offs_cn[None, :] < N))


# Defined below its use: names are looked up when the kernel is compiled.
@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.autotune(
    configs=[
        triton.Config({"BLOCK_M": block_m, "BLOCK_N": block_n, "BLOCK_K": 32}, num_warps=warps)
        for block_m in [32, 64] for block_n in [32, 64] for warps in [2, 4]
    ],
    key=["M", "N", "K"],
)
@triton.heuristics({"EVEN_K": lambda args: args["K"] % args["BLOCK_K"] == 0})
@triton.jit
def matmul_block_pointer_kernel(
    a_ptr,
    b_ptr,
    bias_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    HAS_BIAS: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    EVEN_K: tl.constexpr,
    ALLOW_TF32: tl.constexpr = True,
):
    pid_m, pid_n = tl.program_id(0), tl.program_id(1)
    p_a = tl.make_block_ptr(base=a_ptr, shape=(M, K), strides=(stride_am, stride_ak),
                            offsets=(pid_m * BLOCK_M, 0), block_shape=(BLOCK_M, BLOCK_K),
                            order=(1, 0))
    p_b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, stride_bn), (0, pid_n * BLOCK_N),
                            (BLOCK_K, BLOCK_N), (1, 0))
    b_acc = tl.zeros([BLOCK_M, BLOCK_N], dtype=tl.float32)
    for _ in range(0, K, BLOCK_K):
        if EVEN_K:
            b_a = tl.load(p_a, boundary_check=(0,))
            b_b = tl.load(p_b, boundary_check=(1,))
        else:
            b_a = tl.load(p_a, boundary_check=(0, 1), padding_option="zero")
            b_b = tl.load(p_b, boundary_check=(0, 1), padding_option="zero")
        b_acc += tl.dot(b_a, b_b, allow_tf32=ALLOW_TF32)
        p_a = tl.advance(p_a, (0, BLOCK_K))
        p_b = tl.advance(p_b, (BLOCK_K, 0))
    if HAS_BIAS:
        p_bias = tl.make_block_ptr(bias_ptr, (N,), (1,), (pid_n * BLOCK_N,), (BLOCK_N,), (0,))
        b_acc += tl.load(p_bias, boundary_check=(0,)).to(tl.float32)[None, :]
    p_c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, stride_cn),
                            (pid_m * BLOCK_M, pid_n * BLOCK_N), (BLOCK_M, BLOCK_N), (1, 0))
    tl.store(p_c, b_acc.to(p_c.dtype.element_ty), boundary_check=(0, 1))


def matmul(a: torch.Tensor, b: torch.Tensor, activation: Optional[str] = "") -> torch.Tensor:
    (M, K), (rows, N) = a.shape, b.shape
    assert K == rows, f"a has {K} columns, b {rows} rows"
    assert a.is_contiguous(), "a is not contiguous"
    c = torch.empty((M, N), device=a.device, dtype=torch.float16)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_SIZE_M"]) * triton.cdiv(N, meta["BLOCK_SIZE_N"]), )
    matmul_kernel[grid](
        a, b, c,  #
        M, N, K,  #
        *a.stride(),  #
        *b.stride(),  #
        *c.stride(),  #
        ACTIVATION=activation  #
    )
    return c


class Linear(torch.nn.Module):
    def __init__(self, weight: torch.Tensor, bias: "Optional[torch.Tensor]" = None):
        super().__init__()
        self.weight, self.bias = weight, bias

    def forward(self, x: torch.Tensor, *, out: Optional[torch.Tensor] = None) -> torch.Tensor:
        M, K = x.shape
        N = self.weight.shape[0]
        y = x.new_empty(M, N) if out is None else out
        grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]), triton.cdiv(N, meta["BLOCK_N"]))
        matmul_block_pointer_kernel[grid](
            x, self.weight, self.bias, y, M, N, K, *x.stride(), self.weight.stride(1),
            self.weight.stride(0), *y.stride(), HAS_BIAS=self.bias is not None)
        return y
