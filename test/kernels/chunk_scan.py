"""Scans over time in chunks: running sums of gates, and a linear recurrence over chunk states."""
import torch
import triton
import triton.language as tl


def chunk_table(offsets: torch.LongTensor, size: int) -> torch.LongTensor:
    """(sequence, chunk) of each chunk, of sequences laid end to end."""
    counts = triton.cdiv(torch.diff(offsets), size).tolist()
    pairs = [(i, j) for i, n in enumerate(counts) for j in range(n)]
    return torch.tensor(pairs, dtype=offsets.dtype, device=offsets.device)


@triton.heuristics({
    'HAS_SCALE': lambda args: args['scale'] is not None,
    'IS_VARLEN': lambda args: args['offsets'] is not None,
})
@triton.autotune(
    configs=[triton.Config({}, num_warps=num_warps) for num_warps in [1, 2, 4, 8]],
    key=['B', 'H', 'BT', 'IS_VARLEN', 'REVERSE'],
)
@triton.jit(do_not_specialize=['T'])
def chunk_cumsum_kernel(
    s,
    o,
    scale,
    offsets,
    chunks,
    T,
    B: tl.constexpr,
    H: tl.constexpr,
    BT: tl.constexpr,
    REVERSE: tl.constexpr,
    HAS_SCALE: tl.constexpr,
    IS_VARLEN: tl.constexpr,
    HEAD_FIRST: tl.constexpr,
):
    i_t, i_bh = tl.program_id(0), tl.program_id(1)
    i_b, i_h = i_bh // H, i_bh % H
    if IS_VARLEN:
        i_n, i_t = tl.load(chunks + i_t * 2).to(tl.int32), tl.load(chunks + i_t * 2 + 1).to(tl.int32)
        begin, end = tl.load(offsets + i_n).to(tl.int32), tl.load(offsets + i_n + 1).to(tl.int32)
        T = end - begin
    else:
        begin, end = i_b * T, i_b * T + T

    if HEAD_FIRST:
        p_s = tl.make_block_ptr(s + begin*H + i_h*T, (T,), (1,), (i_t * BT,), (BT,), (0,))
        p_o = tl.make_block_ptr(o + begin*H + i_h*T, (T,), (1,), (i_t * BT,), (BT,), (0,))
    else:
        p_s = tl.make_block_ptr(s + begin*H + i_h, (T,), (H,), (i_t * BT,), (BT,), (0,))
        p_o = tl.make_block_ptr(o + begin*H + i_h, (T,), (H,), (i_t * BT,), (BT,), (0,))
    # [BT]
    b_s = tl.load(p_s, boundary_check=(0,)).to(tl.float32)
    b_o = tl.cumsum(b_s, axis=0)
    if REVERSE:
        b_all = tl.sum(b_s, axis=0)
        b_o = -b_o + b_all[None] + b_s
    if HAS_SCALE:
        b_o *= scale
    tl.store(p_o, b_o.to(p_o.dtype.element_ty), boundary_check=(0,))


@triton.jit
def global_cumsum_kernel(s, o, T, stride, BT: tl.constexpr, REVERSE: tl.constexpr):
    """A whole row in chunks: the sum of what went before is carried through the loop."""
    row = tl.program_id(0)
    carry = 0.0
    NT = tl.cdiv(T, BT)
    for i_c in range(NT):
        i_t = NT - 1 - i_c if REVERSE else i_c
        offs = i_t * BT + tl.arange(0, BT)
        b_s = tl.load(s + row * stride + offs, mask=offs < T, other=0.0).to(tl.float32)
        b_o = tl.cumsum(b_s, axis=0, reverse=REVERSE) + carry
        tl.store(o + row * stride + offs, b_o.to(o.dtype.element_ty), mask=offs < T)
        carry += tl.sum(b_s, axis=0)


@triton.jit
def linear_recurrence(a1, b1, a2, b2):
    # (a2, b2) after (a1, b1): h -> a2 * (a1 * h + b1) + b2
    return a1 * a2, a2 * b1 + b2


@triton.jit
def recurrence_kernel(a_ptr, x_ptr, h_ptr, T, D, BT: tl.constexpr, BD: tl.constexpr):
    """h[t] = a[t] * h[t - 1] + x[t], a chunk at a time, by an associative scan of pairs."""
    cols = tl.program_id(0) * BD + tl.arange(0, BD)
    h = tl.zeros([BD], dtype=tl.float32)
    for start in range(0, T, BT):
        rows = start + tl.arange(0, BT)
        offs = rows[:, None] * D + cols[None, :]
        mask = (rows[:, None] < T) & (cols[None, :] < D)
        a = tl.load(a_ptr + offs, mask=mask, other=1.0).to(tl.float32)
        x = tl.load(x_ptr + offs, mask=mask, other=0.0).to(tl.float32)
        decay, local = tl.associative_scan((a, x), 0, linear_recurrence)
        b_h = local + decay * h[None, :]
        tl.store(h_ptr + offs, b_h, mask=mask)
        # the chunk's last row goes on
        last = (tl.arange(0, BT) == BT - 1)[:, None]
        h = tl.sum(tl.where(last, b_h, 0.0), axis=0)


@triton.jit
def chunk_state_kernel(k, v, g, h, T, stride_k, stride_v,
                       K: tl.constexpr, V: tl.constexpr, BT: tl.constexpr, BK: tl.constexpr,
                       BV: tl.constexpr):
    """The states of gated linear attention before each chunk: h <- exp(g_last) h + (k gated)' v."""
    i_k, i_v, i_bh = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    NT = tl.cdiv(T, BT)
    b_h = tl.zeros([BK, BV], dtype=tl.float32)
    for i_t in range(NT):
        p_k = tl.make_block_ptr(k + i_bh * stride_k, (K, T), (1, K), (i_k * BK, i_t * BT), (BK, BT), (0, 1))
        p_v = tl.make_block_ptr(v + i_bh * stride_v, (T, V), (V, 1), (i_t * BT, i_v * BV), (BT, BV), (1, 0))
        p_h = tl.make_block_ptr(h + (i_bh * NT + i_t) * K * V, (K, V), (V, 1), (i_k * BK, i_v * BV), (BK, BV), (1, 0))
        tl.store(p_h, b_h.to(p_h.dtype.element_ty), boundary_check=(0, 1))
        # [BK, BT]
        b_k = tl.load(p_k, boundary_check=(0, 1))
        # [BT, BV]
        b_v = tl.load(p_v, boundary_check=(0, 1))
        last_idx = min((i_t + 1) * BT, T) - 1
        b_g_last = tl.load(g + i_bh * T + last_idx)
        o_t = i_t * BT + tl.arange(0, BT)
        b_g = tl.load(g + i_bh * T + o_t, mask=o_t < T, other=0.)
        b_h *= tl.exp(b_g_last)
        b_v = (b_v * tl.exp(b_g_last - b_g)[:, None]).to(b_v.dtype)
        b_h += tl.dot(b_k, b_v)


def chunk_cumsum(g: torch.Tensor, size: int, reverse: bool = False, scale: float = None,
                 offsets: torch.Tensor = None, head_first: bool = False) -> torch.Tensor:
    B, H, T = g.shape if head_first else (g.shape[0], g.shape[2], g.shape[1])
    assert size == 2**(size.bit_length() - 1), "chunks have a power of two of steps"
    chunks = chunk_table(offsets, size) if offsets is not None else None
    n = triton.cdiv(T, size) if offsets is None else len(chunks)
    o = torch.empty_like(g, dtype=torch.float)
    chunk_cumsum_kernel[(n, B * H)](
        s=g, o=o, scale=scale, offsets=offsets, chunks=chunks, T=T, B=B, H=H, BT=size,
        REVERSE=reverse, HEAD_FIRST=head_first)
    return o
