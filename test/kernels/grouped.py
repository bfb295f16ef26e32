"""Many products of different sizes in one launch: a fixed number of programs goes through the tiles of all of them.
Matrices, sizes and leading dimensions are read from arrays in memory."""
import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK_SIZE_M": 128, "BLOCK_SIZE_N": 128, "BLOCK_SIZE_K": 64, "NUM_SM": 132}, num_warps=8),
        triton.Config({"BLOCK_SIZE_M": 64, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 32, "NUM_SM": 132}),
    ],
    key=["group_size"],
)
@triton.jit
def grouped_matmul_kernel(
    group_a_ptrs,  # addresses of the matrices, as int64
    group_b_ptrs,
    group_c_ptrs,
    group_gemm_sizes,  # M, N, K of each product
    g_lds,  # the leading dimensions of its three matrices
    group_size,
    ELEMENT: tl.constexpr,
    ALIGNED: tl.constexpr,  # all but M are multiples of 16
    NUM_SM: tl.constexpr,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    BLOCK_SIZE_K: tl.constexpr,
):
    tile_idx = tl.program_id(0)
    last_problem_end = 0
    for g in range(group_size):
        gm = tl.load(group_gemm_sizes + g * 3)
        gn = tl.load(group_gemm_sizes + g * 3 + 1)
        gk = tl.load(group_gemm_sizes + g * 3 + 2)
        if ALIGNED:  # promises that make wide accesses of what the host has aligned
            gn = tl.multiple_of(gn, 16)
            gk = tl.multiple_of(gk, 16)
        num_m_tiles = tl.cdiv(gm, BLOCK_SIZE_M)
        num_n_tiles = tl.cdiv(gn, BLOCK_SIZE_N)
        num_tiles = num_m_tiles * num_n_tiles
        # as long as this program's next tile is one of this product
        while (tile_idx >= last_problem_end and tile_idx < last_problem_end + num_tiles):
            lda = tl.load(g_lds + g * 3)
            ldb = tl.load(g_lds + g * 3 + 1)
            ldc = tl.load(g_lds + g * 3 + 2)
            a_ptr = tl.load(group_a_ptrs + g).to(tl.pointer_type(ELEMENT))
            b_ptr = tl.load(group_b_ptrs + g).to(tl.pointer_type(ELEMENT))
            c_ptr = tl.load(group_c_ptrs + g).to(tl.pointer_type(ELEMENT))
            if ALIGNED:
                ldc = tl.multiple_of(ldc, 16)
                c_ptr = tl.multiple_of(c_ptr, 16)
            tile_idx_in_gemm = tile_idx - last_problem_end
            tile_m_idx = tile_idx_in_gemm // num_n_tiles
            tile_n_idx = tile_idx_in_gemm % num_n_tiles

            offs_am = tile_m_idx * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
            offs_bn = tile_n_idx * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
            offs_k = tl.arange(0, BLOCK_SIZE_K)
            a_ptrs = a_ptr + offs_am[:, None] * lda + offs_k[None, :]
            b_ptrs = b_ptr + offs_k[:, None] * ldb + offs_bn[None, :]
            accumulator = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
            for kk in range(0, tl.cdiv(gk, BLOCK_SIZE_K)):
                if ALIGNED:
                    tl.multiple_of(a_ptrs, [16, 16])
                    tl.multiple_of(b_ptrs, [16, 16])
                left = gk - kk * BLOCK_SIZE_K
                a = tl.load(a_ptrs, mask=(offs_am[:, None] < gm) & (offs_k[None, :] < left), other=0.0)
                b = tl.load(b_ptrs, mask=(offs_k[:, None] < left) & (offs_bn[None, :] < gn), other=0.0)
                accumulator += tl.dot(a, b)
                a_ptrs += BLOCK_SIZE_K
                b_ptrs += BLOCK_SIZE_K * ldb
            c = accumulator.to(ELEMENT)

            offs_cm = tile_m_idx * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
            offs_cn = tile_n_idx * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
            c_ptrs = c_ptr + ldc * offs_cm[:, None] + offs_cn[None, :]
            tl.store(c_ptrs, c, mask=(offs_cm[:, None] < gm) & (offs_cn[None, :] < gn))
            tile_idx += NUM_SM
        last_problem_end = last_problem_end + num_tiles


@triton.jit
def expert_matmul_kernel(
    x_ptr, w_ptr, y_ptr,
    offsets_ptr,  # rows [offsets[e], offsets[e + 1]) of x go to expert e
    N, K,
    stride_xm, stride_we, stride_wk, stride_ym,
    EXPERTS: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):
    """Rows sorted by expert, each range of rows times its expert's weights. Grid: (tiles of N, at least
    rows / BLOCK_M + EXPERTS); programs past the last tile do nothing."""
    pid_n = tl.program_id(0)
    tile = tl.program_id(1)
    expert = -1
    row, end = 0, 0
    begin = tl.load(offsets_ptr)
    for e in range(EXPERTS):
        past = tl.load(offsets_ptr + e + 1)
        tiles = tl.cdiv(past - begin, BLOCK_M)
        mine = (tile >= 0) & (tile < tiles)
        expert = tl.where(mine, e, expert)
        row = tl.where(mine, begin + tile * BLOCK_M, row)
        end = tl.where(mine, past, end)
        tile -= tiles
        begin = past
    if expert < 0:
        return
    offs_m = row + tl.arange(0, BLOCK_M)
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    x_ptrs = x_ptr + offs_m[:, None] * stride_xm + offs_k[None, :]
    w_ptrs = w_ptr + expert.to(tl.int64) * stride_we + offs_k[:, None] * stride_wk + offs_n[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        x = tl.load(x_ptrs, mask=(offs_m[:, None] < end) & (offs_k[None, :] < K - k), other=0.0)
        w = tl.load(w_ptrs, mask=(offs_k[:, None] < K - k) & (offs_n[None, :] < N), other=0.0)
        acc = tl.dot(x, w, acc)
        x_ptrs += BLOCK_K
        w_ptrs += BLOCK_K * stride_wk
    tl.store(y_ptr + offs_m[:, None] * stride_ym + offs_n[None, :], acc.to(y_ptr.dtype.element_ty),
             mask=(offs_m[:, None] < end) & (offs_n[None, :] < N))


def grouped_matmul(group_a, group_b):
    device = group_a[0].device
    group_c = [torch.empty((a.shape[0], b.shape[1]), device=device, dtype=a.dtype) for a, b in zip(group_a, group_b)]
    addresses = [torch.tensor([x.data_ptr() for x in g], device=device) for g in (group_a, group_b, group_c)]
    sizes = [n for a, b in zip(group_a, group_b) for n in (a.shape[0], b.shape[1], a.shape[1])]
    lds = [x.stride(0) for abc in zip(group_a, group_b, group_c) for x in abc]
    aligned = all(n % 16 == 0 for i, n in enumerate(sizes) if i % 3) and all(n % 16 == 0 for n in lds)
    d_sizes = torch.tensor(sizes, dtype=torch.int32, device=device)
    d_lds = torch.tensor(lds, dtype=torch.int32, device=device)
    grid = lambda META: (META["NUM_SM"], )
    element = {torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}[group_a[0].dtype]
    grouped_matmul_kernel[grid](*addresses, d_sizes, d_lds, len(group_a), ELEMENT=element, ALIGNED=aligned)
    return group_c


def expert_matmul(x, w, offsets):
    (rows, K), (experts, _, N) = x.shape, w.shape
    y = torch.empty((rows, N), device=x.device, dtype=x.dtype)
    grid = (triton.cdiv(N, 64), triton.cdiv(rows, 64) + experts)
    expert_matmul_kernel[grid](x, w, y, offsets, N, K, x.stride(0), w.stride(0), w.stride(1), y.stride(0),
                               EXPERTS=experts, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)
    return y
