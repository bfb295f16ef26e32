"""Attention's backward pass: gradients of keys and values by blocks of keys, those of queries by blocks
of queries in a second kernel, or by atomics in the first one.

Tensors are [heads, tokens, HEAD_DIM], lse_ptr and delta_ptr [heads, queries]: log2 of the norms, and
the sums of out * its gradient, which a kernel makes. Row i of queries stands at position
i + keys - queries. Any lengths.
"""
import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)


# With sums_ptr, where atomics add up dq, that begins as zero.
@triton.jit
def attention_sums(out_ptr, do_ptr, delta_ptr, sums_ptr, queries, HEAD_DIM: tl.constexpr,
                   BLOCK_M: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    head = tl.program_id(1)
    at = (head.to(tl.int64) * queries + rows)[:, None] * HEAD_DIM + tl.arange(0, HEAD_DIM)[None, :]
    mine = rows[:, None] < queries
    out = tl.load(out_ptr + at, mask=mine, other=0.0).to(tl.float32)
    do = tl.load(do_ptr + at, mask=mine, other=0.0).to(tl.float32)
    tl.store(delta_ptr + head * queries + rows, tl.sum(out * do, 1), mask=rows < queries)
    if sums_ptr is not None:
        tl.store(sums_ptr + at, tl.zeros((BLOCK_M, HEAD_DIM), tl.float32), mask=mine)


# dq of what atomics added up.
@triton.jit
def attention_rounded(sums_ptr, dq_ptr, scale, queries, HEAD_DIM: tl.constexpr,
                      BLOCK_M: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    at = (tl.program_id(1).to(tl.int64) * queries + rows)[:, None] * HEAD_DIM
    at += tl.arange(0, HEAD_DIM)[None, :]
    dq = tl.load(sums_ptr + at, mask=rows[:, None] < queries)
    tl.store(dq_ptr + at, (dq * scale).to(dq_ptr.dtype.element_ty), mask=rows[:, None] < queries)


@triton.jit
def _rows(desc, ptr, first, count, BLOCK: tl.constexpr, HEAD_DIM: tl.constexpr,
          DESCRIBED: tl.constexpr):
    if DESCRIBED:
        tile = desc.load([first, 0])
    else:
        rows = first + tl.arange(0, BLOCK)
        tile = tl.load(ptr + rows[:, None] * HEAD_DIM + tl.arange(0, HEAD_DIM)[None, :],
                       mask=rows[:, None] < count, other=0.0)
    return tile


# dk and dv of BLOCK_N keys; with sums_ptr their part of dq / scale, which leaves under the product for
# dk.
@triton.jit
def attention_backward_keys(q_ptr, k_ptr, v_ptr, do_ptr, lse_ptr, delta_ptr, dk_ptr, dv_ptr,
                            sums_ptr, scale, queries, keys, HEAD_DIM: tl.constexpr,
                            BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr,
                            DESCRIBED: tl.constexpr):
    start_n = tl.program_id(0) * BLOCK_N
    head = tl.program_id(1)
    of_queries = head.to(tl.int64) * queries * HEAD_DIM
    of_keys = head.to(tl.int64) * keys * HEAD_DIM
    q_ptr += of_queries
    do_ptr += of_queries
    k_ptr += of_keys
    v_ptr += of_keys
    dk_ptr += of_keys
    dv_ptr += of_keys
    q_desc, do_desc, sums_desc = None, None, None
    if DESCRIBED:
        q_desc = tl.make_tensor_descriptor(q_ptr, [queries, HEAD_DIM], [HEAD_DIM, 1],
                                           [BLOCK_M, HEAD_DIM])
        do_desc = tl.make_tensor_descriptor(do_ptr, [queries, HEAD_DIM], [HEAD_DIM, 1],
                                            [BLOCK_M, HEAD_DIM])
        if sums_ptr is not None:
            sums_desc = tl.make_tensor_descriptor(sums_ptr + of_queries, [queries, HEAD_DIM],
                                                  [HEAD_DIM, 1], [BLOCK_M, HEAD_DIM])
    cols = start_n + tl.arange(0, BLOCK_N)
    dims = tl.arange(0, HEAD_DIM)
    k = _rows(None, k_ptr, start_n, keys, BLOCK_N, HEAD_DIM, False)
    v = _rows(None, v_ptr, start_n, keys, BLOCK_N, HEAD_DIM, False)
    dk = tl.zeros((BLOCK_N, HEAD_DIM), tl.float32)
    dv = tl.zeros((BLOCK_N, HEAD_DIM), tl.float32)
    begin = 0
    if CAUSAL:
        begin = max(0, start_n + queries - keys) // BLOCK_M * BLOCK_M
    for m in range(begin, queries, BLOCK_M):
        rows = m + tl.arange(0, BLOCK_M)
        q = _rows(q_desc, q_ptr, m, queries, BLOCK_M, HEAD_DIM, DESCRIBED)
        lse = tl.load(lse_ptr + head * queries + rows, mask=rows < queries, other=float("inf"))
        pt = tl.math.exp2(tl.dot(k, q.T) * (scale * LOG2E) - lse[None, :])
        if CAUSAL:
            pt = tl.where(rows[None, :] + keys - queries >= cols[:, None], pt, 0.0)
        do = _rows(do_desc, do_ptr, m, queries, BLOCK_M, HEAD_DIM, DESCRIBED)
        dv = tl.dot(pt.to(do.dtype), do, dv)
        delta = tl.load(delta_ptr + head * queries + rows, mask=rows < queries, other=0.0)
        dst = (pt * (tl.dot(v, do.T) - delta[None, :])).to(q.dtype)
        dq = None
        if sums_ptr is not None:
            dq = tl.dot(dst.T, k)
        dk = tl.dot(dst, q, dk)
        if sums_ptr is not None:
            if DESCRIBED:
                sums_desc.atomic_add([m, 0], dq)
            else:
                tl.atomic_add(sums_ptr + of_queries + rows[:, None] * HEAD_DIM + dims[None, :], dq,
                              mask=rows[:, None] < queries, sem="relaxed")
    at = cols[:, None] * HEAD_DIM + dims[None, :]
    tl.store(dv_ptr + at, dv.to(dv_ptr.dtype.element_ty), mask=cols[:, None] < keys)
    tl.store(dk_ptr + at, (dk * scale).to(dk_ptr.dtype.element_ty), mask=cols[:, None] < keys)


# dq of BLOCK_M queries, in the order of keys.
@triton.jit
def attention_backward_queries(q_ptr, k_ptr, v_ptr, do_ptr, lse_ptr, delta_ptr, dq_ptr, scale,
                               queries, keys, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr,
                               BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr,
                               DESCRIBED: tl.constexpr):
    start_m = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1)
    of_queries = head.to(tl.int64) * queries * HEAD_DIM
    of_keys = head.to(tl.int64) * keys * HEAD_DIM
    q_ptr += of_queries
    do_ptr += of_queries
    dq_ptr += of_queries
    k_ptr += of_keys
    v_ptr += of_keys
    k_desc, v_desc = None, None
    if DESCRIBED:
        k_desc = tl.make_tensor_descriptor(k_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, HEAD_DIM])
        v_desc = tl.make_tensor_descriptor(v_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, HEAD_DIM])
    rows = start_m + tl.arange(0, BLOCK_M)
    q = _rows(None, q_ptr, start_m, queries, BLOCK_M, HEAD_DIM, False)
    do = _rows(None, do_ptr, start_m, queries, BLOCK_M, HEAD_DIM, False)
    lse = tl.load(lse_ptr + head * queries + rows, mask=rows < queries, other=float("inf"))
    delta = tl.load(delta_ptr + head * queries + rows, mask=rows < queries, other=0.0)
    dq = tl.zeros((BLOCK_M, HEAD_DIM), tl.float32)
    end = keys
    if CAUSAL:
        end = min(keys, start_m + BLOCK_M + keys - queries)
    for n in range(0, end, BLOCK_N):
        cols = n + tl.arange(0, BLOCK_N)
        # keys past the end are zero, and add nothing to dq
        k = _rows(k_desc, k_ptr, n, keys, BLOCK_N, HEAD_DIM, DESCRIBED)
        p = tl.math.exp2(tl.dot(q, k.T) * (scale * LOG2E) - lse[:, None])
        if CAUSAL:
            p = tl.where(rows[:, None] + keys - queries >= cols[None, :], p, 0.0)
        v = _rows(v_desc, v_ptr, n, keys, BLOCK_N, HEAD_DIM, DESCRIBED)
        ds = (p * (tl.dot(do, v.T) - delta[:, None])).to(k.dtype)
        dq = tl.dot(ds, k, dq)
    at = rows[:, None] * HEAD_DIM + tl.arange(0, HEAD_DIM)[None, :]
    tl.store(dq_ptr + at, (dq * scale).to(dq_ptr.dtype.element_ty), mask=rows[:, None] < queries)
