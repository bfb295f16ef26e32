"""Attention as models use it: heads that share keys, windows, sequences of any length in one tensor,
a cache in pages, and one query on many keys.

Each kernel is a plain loop over blocks of keys with an online softmax; scores are in units of log 2.
Queries are [tokens, heads, HEAD_DIM], keys and values [tokens, key heads, HEAD_DIM]; heads / key heads
neighbouring heads read one head of keys. Row i of queries stands at position i + keys - queries: with
a causal mask it sees keys up to there, with a window only the last WINDOW of those.
"""
import triton
import triton.language as tl


@triton.jit
def _step(s, v, acc, norm, top):
    higher = tl.maximum(top, tl.max(s, 1))
    # rows that have seen nothing yet
    level = tl.where(higher == float("-inf"), 0.0, higher)
    p = tl.math.exp2(s - level[:, None])
    shrink = tl.math.exp2(top - level)
    norm = norm * shrink + tl.sum(p, 1)
    acc = acc * shrink[:, None]
    acc = tl.dot(p.to(v.dtype), v, acc)
    return acc, norm, higher


@triton.jit
def _seen(rows, cols, keys, CAUSAL: tl.constexpr, WINDOW: tl.constexpr):
    seen = cols[None, :] < keys
    if CAUSAL:
        seen = seen & (rows[:, None] >= cols[None, :])
    if WINDOW > 0:
        seen = seen & (rows[:, None] < cols[None, :] + WINDOW)
    return seen


# One sequence: queries x heads, by tensor descriptors. The heads of a tensor are columns of its rows.
@triton.jit
def attention_descriptors(q_ptr, k_ptr, v_ptr, out_ptr, scale, queries, keys, heads, key_heads,
                          HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                          CAUSAL: tl.constexpr, WINDOW: tl.constexpr):
    start_m = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1)
    column = head * HEAD_DIM
    key_column = head // (heads // key_heads) * HEAD_DIM
    row, key_row = heads * HEAD_DIM, key_heads * HEAD_DIM
    q_desc = tl.make_tensor_descriptor(q_ptr, shape=[queries, row], strides=[row, 1],
                                       block_shape=[BLOCK_M, HEAD_DIM])
    k_desc = tl.make_tensor_descriptor(k_ptr, shape=[keys, key_row], strides=[key_row, 1],
                                       block_shape=[BLOCK_N, HEAD_DIM])
    v_desc = tl.make_tensor_descriptor(v_ptr, shape=[keys, key_row], strides=[key_row, 1],
                                       block_shape=[BLOCK_N, HEAD_DIM])
    out_desc = tl.make_tensor_descriptor(out_ptr, shape=[queries, row], strides=[row, 1],
                                         block_shape=[BLOCK_M, HEAD_DIM])
    q = q_desc.load([start_m, column])
    rows = start_m + tl.arange(0, BLOCK_M) + keys - queries
    begin, end = 0, keys
    if CAUSAL:
        end = min(keys, start_m + BLOCK_M + keys - queries)
    if WINDOW > 0:
        begin = max(0, start_m + keys - queries - WINDOW + 1) // BLOCK_N * BLOCK_N
    acc = tl.zeros((BLOCK_M, HEAD_DIM), tl.float32)
    norm = tl.zeros((BLOCK_M,), tl.float32)
    top = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    for n in range(begin, end, BLOCK_N):
        s = tl.dot(q, k_desc.load([n, key_column]).T) * scale
        s = tl.where(_seen(rows, n + tl.arange(0, BLOCK_N), keys, CAUSAL, WINDOW), s, float("-inf"))
        acc, norm, top = _step(s, v_desc.load([n, key_column]), acc, norm, top)
    acc = acc / tl.where(norm == 0, 1.0, norm)[:, None]
    out_desc.store([start_m, column], acc.to(out_ptr.dtype.element_ty))


# Sequences behind one another: sequence z has tokens starts[z] to starts[z + 1] - 1.
# BLOCK_D: the power of two that holds HEAD_DIM.
@triton.jit
def attention_lengths(q_ptr, k_ptr, v_ptr, out_ptr, starts_ptr, key_starts_ptr, scale, heads, key_heads,
                      HEAD_DIM: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_M: tl.constexpr,
                      BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr, WINDOW: tl.constexpr):
    start_m = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1)
    z = tl.program_id(2)
    first, key_first = tl.load(starts_ptr + z), tl.load(key_starts_ptr + z)
    queries = tl.load(starts_ptr + z + 1) - first
    keys = tl.load(key_starts_ptr + z + 1) - key_first
    if start_m < queries:
        dims = tl.arange(0, BLOCK_D)
        lines = start_m + tl.arange(0, BLOCK_M)
        places = ((first + lines) * heads + head)[:, None] * HEAD_DIM + dims[None, :]
        within = dims[None, :] < HEAD_DIM
        mine = (lines[:, None] < queries) & within
        q = tl.load(q_ptr + places, mask=mine, other=0.0)
        rows = lines + keys - queries
        begin, end = 0, keys
        if CAUSAL:
            end = min(keys, start_m + BLOCK_M + keys - queries)
        if WINDOW > 0:
            begin = max(0, start_m + keys - queries - WINDOW + 1) // BLOCK_N * BLOCK_N
        k_base = k_ptr + (key_first * key_heads + head // (heads // key_heads)) * HEAD_DIM
        v_base = v_ptr + (key_first * key_heads + head // (heads // key_heads)) * HEAD_DIM
        acc = tl.zeros((BLOCK_M, BLOCK_D), tl.float32)
        norm = tl.zeros((BLOCK_M,), tl.float32)
        top = tl.full((BLOCK_M,), float("-inf"), tl.float32)
        for n in range(begin, end, BLOCK_N):
            cols = n + tl.arange(0, BLOCK_N)
            key_places = cols[:, None] * (key_heads * HEAD_DIM) + dims[None, :]
            there = (cols[:, None] < keys) & within
            k = tl.load(k_base + key_places, mask=there, other=0.0)
            s = tl.dot(q, tl.trans(k)) * scale
            s = tl.where(_seen(rows, cols, keys, CAUSAL, WINDOW), s, float("-inf"))
            v = tl.load(v_base + key_places, mask=there, other=0.0)
            acc, norm, top = _step(s, v, acc, norm, top)
        acc = acc / tl.where(norm == 0, 1.0, norm)[:, None]
        tl.store(out_ptr + places, acc.to(out_ptr.dtype.element_ty), mask=mine)


# One query of each sequence on a cache in pages of PAGE keys; keys are divided into `splits` parts of
# whole pages. The heads that share keys are the rows of a block. Parts of results go to part_ptr, and
# the log2 of their norms to norms_ptr, [sequence, head, split].
@triton.jit
def attention_paged(q_ptr, k_ptr, v_ptr, part_ptr, norms_ptr, pages_ptr, keys_ptr, scale, heads,
                    key_heads, most_pages, splits,
                    HEAD_DIM: tl.constexpr, PAGE: tl.constexpr, BLOCK_H: tl.constexpr):
    z, key_head, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    shared = heads // key_heads
    keys = tl.load(keys_ptr + z)
    pages = tl.cdiv(keys, PAGE)
    each = tl.cdiv(pages, splits)
    dims = tl.arange(0, HEAD_DIM)
    lines = tl.arange(0, BLOCK_H)
    head = key_head * shared + lines
    places = (z * heads + head)[:, None] * HEAD_DIM + dims[None, :]
    q = tl.load(q_ptr + places, mask=lines[:, None] < shared, other=0.0)
    acc = tl.zeros((BLOCK_H, HEAD_DIM), tl.float32)
    norm = tl.zeros((BLOCK_H,), tl.float32)
    top = tl.full((BLOCK_H,), float("-inf"), tl.float32)
    for i in range(split * each, min(pages, (split + 1) * each)):
        page = tl.load(pages_ptr + z * most_pages + i)
        cols = tl.arange(0, PAGE)
        key_places = ((page * PAGE + cols) * key_heads + key_head)[:, None] * HEAD_DIM + dims[None, :]
        k = tl.load(k_ptr + key_places)
        s = tl.dot(q, tl.trans(k)) * scale
        s = tl.where((i * PAGE + cols)[None, :] < keys, s, float("-inf"))
        acc, norm, top = _step(s, tl.load(v_ptr + key_places), acc, norm, top)
    acc = acc / tl.where(norm == 0, 1.0, norm)[:, None]
    at = (z * heads + head) * splits + split
    tl.store(part_ptr + at[:, None] * HEAD_DIM + dims[None, :], acc, mask=lines[:, None] < shared)
    tl.store(norms_ptr + at, top + tl.math.log2(norm), mask=lines < shared)


# The same on a cache in one piece, [sequence, most_keys, key heads, HEAD_DIM]; a part is of whole blocks. With one part and without
# norms part_ptr is the result.
@triton.jit
def attention_decode(q_ptr, k_ptr, v_ptr, part_ptr, norms_ptr, keys_ptr, scale, heads, key_heads,
                     most_keys, splits, HEAD_DIM: tl.constexpr, BLOCK_N: tl.constexpr,
                     BLOCK_H: tl.constexpr, DESCRIBED: tl.constexpr):
    z, key_head, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    shared = heads // key_heads
    keys = tl.load(keys_ptr + z)
    row = key_heads * HEAD_DIM
    k_ptr += z.to(tl.int64) * most_keys * row
    v_ptr += z.to(tl.int64) * most_keys * row
    column = key_head * HEAD_DIM
    if DESCRIBED:
        k_desc = tl.make_tensor_descriptor(k_ptr, shape=[keys, row], strides=[row, 1],
                                           block_shape=[BLOCK_N, HEAD_DIM])
        v_desc = tl.make_tensor_descriptor(v_ptr, shape=[keys, row], strides=[row, 1],
                                           block_shape=[BLOCK_N, HEAD_DIM])
    each = tl.cdiv(tl.cdiv(keys, BLOCK_N), splits) * BLOCK_N
    dims = tl.arange(0, HEAD_DIM)
    lines = tl.arange(0, BLOCK_H)
    head = key_head * shared + lines
    places = (z * heads + head)[:, None] * HEAD_DIM + dims[None, :]
    q = tl.load(q_ptr + places, mask=lines[:, None] < shared, other=0.0)
    acc = tl.zeros((BLOCK_H, HEAD_DIM), tl.float32)
    norm = tl.zeros((BLOCK_H,), tl.float32)
    top = tl.full((BLOCK_H,), float("-inf"), tl.float32)
    for n in range(split * each, min(keys, (split + 1) * each), BLOCK_N):
        cols = n + tl.arange(0, BLOCK_N)
        key_places = cols[:, None] * row + (column + dims)[None, :]
        if DESCRIBED:
            k = k_desc.load([n, column])
        else:
            k = tl.load(k_ptr + key_places, mask=cols[:, None] < keys, other=0.0)
        s = tl.dot(q, k.T) * scale
        s = tl.where(cols[None, :] < keys, s, float("-inf"))
        if DESCRIBED:
            v = v_desc.load([n, column])
        else:
            v = tl.load(v_ptr + key_places, mask=cols[:, None] < keys, other=0.0)
        acc, norm, top = _step(s, v, acc, norm, top)
    acc = acc / tl.where(norm == 0, 1.0, norm)[:, None]
    at = (z * heads + head) * splits + split
    tl.store(part_ptr + at[:, None] * HEAD_DIM + dims[None, :], acc.to(part_ptr.dtype.element_ty),
             mask=lines[:, None] < shared)
    if norms_ptr is not None:
        tl.store(norms_ptr + at, top + tl.math.log2(norm), mask=lines < shared)


# Brings the parts together: program (sequence x head).
@triton.jit
def attention_combine(part_ptr, norms_ptr, out_ptr, splits,
                      HEAD_DIM: tl.constexpr, SPLITS: tl.constexpr):
    row = tl.program_id(0)
    parts = tl.arange(0, SPLITS)
    dims = tl.arange(0, HEAD_DIM)
    norms = tl.load(norms_ptr + row * splits + parts, mask=parts < splits, other=float("-inf"))
    weights = tl.math.exp2(norms - tl.max(norms, 0))
    part = tl.load(part_ptr + (row * splits + parts)[:, None] * HEAD_DIM + dims[None, :],
                   mask=parts[:, None] < splits, other=0.0)
    out = tl.sum(part * weights[:, None], 0) / tl.sum(weights, 0)
    tl.store(out_ptr + row * HEAD_DIM + dims, out.to(out_ptr.dtype.element_ty))
