"""Gating of a mixture of experts: softmax over the experts, the k best of each row and their weights,
and the histogram of how many rows each expert gets."""
import torch
import triton
import triton.language as tl


@triton.jit
def top_k_gating_kernel(
    logits_ptr, weights_ptr, indices_ptr,
    stride_row,
    n_experts,
    K: tl.constexpr,
    BLOCK_E: tl.constexpr,
    NORMALIZE: tl.constexpr,
):
    """By k rounds of argmax; the winner of a round is masked off in the next."""
    row = tl.program_id(0)
    experts = tl.arange(0, BLOCK_E)
    logits = tl.load(logits_ptr + row * stride_row + experts, mask=experts < n_experts,
                     other=-float("inf")).to(tl.float32)
    p = tl.softmax(logits)

    total = 0.0
    rest = tl.where(experts < n_experts, p, -1.0)
    for i in tl.static_range(K):
        best, index = tl.max(rest, axis=0, return_indices=True)
        tl.store(indices_ptr + row * K + i, index)
        tl.store(weights_ptr + row * K + i, best)
        total += best
        rest = tl.where(experts == index, -1.0, rest)
    if NORMALIZE:
        # all threads see one another's stores
        tl.debug_barrier()
        for i in range(K):
            w = tl.load(weights_ptr + row * K + i)
            tl.store(weights_ptr + row * K + i, w / total)


@triton.jit
def pack_key(x, index):
    """A float and its index as one 64-bit integer that orders as the float does."""
    bits = x.to(tl.uint32, bitcast=True)
    ordered = tl.where((bits & 0x80000000) != 0, ~bits, bits | 0x80000000)
    return (ordered.to(tl.uint64) << 32) | (0xFFFFFFFF - index.to(tl.uint64))


@triton.jit
def top_k_sorted_kernel(logits_ptr, values_ptr, indices_ptr, M, N, BLOCK_M: tl.constexpr,
                        BLOCK_N: tl.constexpr, K: tl.constexpr):
    """Rows in blocks; tl.topk sorts keys that carry the index in their low half."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(logits_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=float("-inf"))
    keys = pack_key(x, cols[None, :] + tl.zeros([BLOCK_M, 1], dtype=tl.int32))
    best = tl.topk(keys, K, dim=1)
    index = (0xFFFFFFFF - (best & 0xFFFFFFFF)).to(tl.int32)
    high = (best >> 32).to(tl.uint32)
    bits = tl.where((high & 0x80000000) != 0, high & 0x7FFFFFFF, ~high)
    k_cols = tl.arange(0, K)
    out = rows[:, None] * K + k_cols[None, :]
    tl.store(values_ptr + out, bits.to(tl.float32, bitcast=True), mask=rows[:, None] < M)
    tl.store(indices_ptr + out, index, mask=rows[:, None] < M)


@triton.jit
def expert_histogram_kernel(indices_ptr, counts_ptr, n, N_EXPERTS: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    index = tl.load(indices_ptr + offs, mask=mask, other=0)
    counts = tl.histogram(index, N_EXPERTS, mask=mask)
    tl.atomic_add(counts_ptr + tl.arange(0, N_EXPERTS), counts, sem="relaxed")


def top_k_gating(logits: torch.Tensor, k: int, normalize=True):
    M, E = logits.shape
    weights = logits.new_empty((M, k), dtype=torch.float32)
    indices = torch.empty((M, k), device=logits.device, dtype=torch.int32)
    top_k_gating_kernel[(M,)](logits, weights, indices, logits.stride(0), E, K=k,
                              BLOCK_E=triton.next_power_of_2(E), NORMALIZE=normalize, num_warps=1)
    counts = torch.zeros(E, device=logits.device, dtype=torch.int32)
    expert_histogram_kernel[(triton.cdiv(M * k, 1024),)](indices, counts, M * k, E, 1024)
    return weights, indices, counts
