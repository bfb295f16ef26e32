"""Products of matrices in the ways that kernels ask for: element types, precisions, orders in memory, batches.

Masks on every edge: the sizes have nothing to do with the tiles.
"""
import triton
import triton.language as tl


@triton.jit
def product_kernel(a_ptr, b_ptr, c_ptr, M, N, K,
                   stride_am, stride_ak, stride_bk, stride_bn,
                   BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                   TYPE: tl.constexpr,  # that is multiplied; elements of another type are converted in the loop
                   ACC: tl.constexpr, PRECISION: tl.constexpr,
                   TURN_A: tl.constexpr, TURN_B: tl.constexpr):  # tiles that are loaded transposed, and turned round
    """c = a @ b, with c of M x N by rows."""
    offs_m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    mask_m = offs_m < M
    mask_n = offs_n < N

    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for start_k in range(0, K, BLOCK_K):
        mask_k = offs_k < K - start_k
        if TURN_A:
            a = tl.load(a_ptr + offs_k[:, None] * stride_ak + offs_m[None, :] * stride_am,
                        mask=mask_k[:, None] & mask_m[None, :])
            a = tl.trans(a)
        else:
            a = tl.load(a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak,
                        mask=mask_m[:, None] & mask_k[None, :])
        if TURN_B:
            b = tl.load(b_ptr + offs_n[:, None] * stride_bn + offs_k[None, :] * stride_bk,
                        mask=mask_n[:, None] & mask_k[None, :])
            b = tl.trans(b)
        else:
            b = tl.load(b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn,
                        mask=mask_k[:, None] & mask_n[None, :])
        if TYPE is not None:
            a = a.to(TYPE)
            b = b.to(TYPE)
        acc = tl.dot(a, b, acc, input_precision=PRECISION, out_dtype=ACC)
        a_ptr += BLOCK_K * stride_ak
        b_ptr += BLOCK_K * stride_bk

    tl.store(c_ptr + offs_m[:, None] * N + offs_n[None, :], acc, mask=mask_m[:, None] & mask_n[None, :])


@triton.jit
def batch_kernel(a_ptr, b_ptr, c_ptr, M, N, K,
                 stride_am, stride_ak, stride_bk, stride_bn,
                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                 TYPE: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr,
                 TURN_A: tl.constexpr, TURN_B: tl.constexpr,
                 BATCH: tl.constexpr):
    """The same for BATCH matrices after each other."""
    batch = tl.arange(0, BATCH)[:, None, None]
    offs_m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    rows = offs_m[None, :, None]
    columns = offs_n[None, None, :]

    acc = tl.zeros((BATCH, BLOCK_M, BLOCK_N), dtype=ACC)
    for start_k in range(0, K, BLOCK_K):
        if TURN_A:
            k, other = offs_k[None, :, None], offs_m[None, None, :]
        else:
            k, other = offs_k[None, None, :], offs_m[None, :, None]
        a = tl.load(a_ptr + batch * M * K + other * stride_am + k * stride_ak,
                    mask=(other < M) & (k < K - start_k))
        if TURN_A:
            a = tl.trans(a, (0, 2, 1))
        if TURN_B:
            k, other = offs_k[None, None, :], offs_n[None, :, None]
        else:
            k, other = offs_k[None, :, None], offs_n[None, None, :]
        b = tl.load(b_ptr + batch * K * N + other * stride_bn + k * stride_bk,
                    mask=(other < N) & (k < K - start_k))
        if TURN_B:
            b = tl.trans(b, (0, 2, 1))
        if TYPE is not None:
            a = a.to(TYPE)
            b = b.to(TYPE)
        acc = tl.dot(a, b, acc, input_precision=PRECISION, out_dtype=ACC)
        a_ptr += BLOCK_K * stride_ak
        b_ptr += BLOCK_K * stride_bk

    tl.store(c_ptr + batch * M * N + rows * N + columns, acc, mask=(rows < M) & (columns < N))
