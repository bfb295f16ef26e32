"""Attention with what models add to it: a bias or a mask of any kind, ALiBi, a soft cap, sinks, dropout,
heads of any size, f16, bf16 and fp8, the log-sum-exp stored; through pointers and through descriptors.

Queries are [heads, queries, HEAD_DIM], keys and values [key heads, keys, HEAD_DIM]; heads / key heads
neighbouring heads read one head of keys. Row i of queries stands at position i + keys - queries.
Lengths need not divide by blocks, and HEAD_DIM is no power of two where BLOCK_D is a larger one.
"""
import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)
LN2 = tl.constexpr(0.6931471805599453)


@triton.jit
def _tanh(x):
    return 2 * tl.sigmoid(2 * x) - 1


# Rows of a head: those from `first` on, where `there` says so; what is past the end is zero.
@triton.jit
def _rows(desc, ptr, first, lines, count, HEAD_DIM: tl.constexpr, BLOCK_D: tl.constexpr,
          DESCRIBED: tl.constexpr):
    if DESCRIBED:
        tile = desc.load([first, 0])
    else:
        dims = tl.arange(0, BLOCK_D)
        there = ((first + lines)[:, None] < count) & (dims[None, :] < HEAD_DIM)
        tile = tl.load(ptr + (first + lines)[:, None] * HEAD_DIM + dims[None, :], mask=there, other=0.0)
    return tile


# One block of keys in an online softmax; s is in units of log 2, -inf where nothing is seen.
@triton.jit
def _soften(s, norm, top):
    higher = tl.maximum(top, tl.max(s, 1))
    level = tl.where(higher == float("-inf"), 0.0, higher)
    p = tl.math.exp2(s - level[:, None])
    shrink = tl.math.exp2(top - level)
    return p, shrink, norm * shrink + tl.sum(p, 1), higher


# BIAS: "bias", added to scores, or "mask", bytes that are 0 where nothing is seen; [heads, queries,
# keys], with a distance of 0 between heads for one that all share.
@triton.jit
def attention_forward(q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, bias_ptr, slopes_ptr, sinks_ptr, scale,
                      cap, drop, seed, queries, keys, heads, key_heads, bias_step,
                      HEAD_DIM: tl.constexpr, BLOCK_D: tl.constexpr, BLOCK_M: tl.constexpr,
                      BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr, DESCRIBED: tl.constexpr,
                      BIAS: tl.constexpr, CAP: tl.constexpr, DROPOUT: tl.constexpr):
    start_m = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1)
    key_head = head // (heads // key_heads)
    q_ptr += head.to(tl.int64) * queries * HEAD_DIM
    out_ptr += head.to(tl.int64) * queries * HEAD_DIM
    k_ptr += key_head.to(tl.int64) * keys * HEAD_DIM
    v_ptr += key_head.to(tl.int64) * keys * HEAD_DIM
    q_desc, k_desc, v_desc = None, None, None
    if DESCRIBED:
        q_desc = tl.make_tensor_descriptor(q_ptr, [queries, HEAD_DIM], [HEAD_DIM, 1],
                                           [BLOCK_M, BLOCK_D])
        k_desc = tl.make_tensor_descriptor(k_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, BLOCK_D])
        v_desc = tl.make_tensor_descriptor(v_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, BLOCK_D])
    lines = start_m + tl.arange(0, BLOCK_M)
    position = lines + keys - queries
    own = tl.arange(0, BLOCK_N)
    q = _rows(q_desc, q_ptr, start_m, tl.arange(0, BLOCK_M), queries, HEAD_DIM, BLOCK_D, DESCRIBED)
    acc = tl.zeros((BLOCK_M, BLOCK_D), tl.float32)
    norm = tl.zeros((BLOCK_M,), tl.float32)
    top = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    if sinks_ptr is not None:  # a key that all see and that has no value
        top = tl.zeros((BLOCK_M,), tl.float32) + tl.load(sinks_ptr + head) * LOG2E
        norm += 1.0
    if slopes_ptr is not None:
        slope = tl.load(slopes_ptr + head) * LOG2E
    end = keys
    if CAUSAL:
        end = min(keys, start_m + BLOCK_M + keys - queries)
    for n in range(0, end, BLOCK_N):
        cols = n + own
        k = _rows(k_desc, k_ptr, n, own, keys, HEAD_DIM, BLOCK_D, DESCRIBED)
        s = tl.dot(q, k.T)
        if CAP:
            s = _tanh(s * (scale / cap)) * (cap * LOG2E)
        else:
            s = s * (scale * LOG2E)
        if slopes_ptr is not None:
            s += slope * (cols[None, :] - position[:, None]).to(tl.float32)
        seen = cols[None, :] < keys
        if bias_ptr is not None:
            there = (lines[:, None] < queries) & (cols[None, :] < keys)
            at = bias_ptr + head.to(tl.int64) * bias_step + lines[:, None] * keys + cols[None, :]
            if BIAS == "mask":
                seen = seen & (tl.load(at, mask=there, other=0) != 0)
            else:
                s += tl.load(at, mask=there, other=0.0).to(tl.float32) * LOG2E
        if CAUSAL:
            seen = seen & (position[:, None] >= cols[None, :])
        s = tl.where(seen, s, float("-inf"))
        p, shrink, norm, top = _soften(s, norm, top)
        if DROPOUT:
            # the norm is that of all keys
            draw = tl.rand(seed, (head * queries + lines)[:, None] * keys + cols[None, :])
            p = tl.where(draw > drop, p / (1.0 - drop), 0.0)
        acc = acc * shrink[:, None]
        v = _rows(v_desc, v_ptr, n, own, keys, HEAD_DIM, BLOCK_D, DESCRIBED)
        acc = tl.dot(p.to(v.dtype), v, acc)
    acc = acc / tl.where(norm == 0, 1.0, norm)[:, None]
    dims = tl.arange(0, BLOCK_D)
    mine = (lines[:, None] < queries) & (dims[None, :] < HEAD_DIM)
    tl.store(out_ptr + lines[:, None] * HEAD_DIM + dims[None, :], acc.to(out_ptr.dtype.element_ty),
             mask=mine)
    tl.store(lse_ptr + head * queries + lines, (top + tl.math.log2(norm)) * LN2, mask=lines < queries)


# Heads of FIRST + REST columns, both powers of two (64 + 32, 128 + 64), in two products each.
@triton.jit
def attention_split_heads(q_ptr, k_ptr, v_ptr, out_ptr, scale, queries, keys, FIRST: tl.constexpr,
                          REST: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                          CAUSAL: tl.constexpr):
    HEAD_DIM: tl.constexpr = FIRST + REST
    start_m = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1).to(tl.int64)
    q_ptr += head * queries * HEAD_DIM
    out_ptr += head * queries * HEAD_DIM
    k_ptr += head * keys * HEAD_DIM
    v_ptr += head * keys * HEAD_DIM
    q1_desc = tl.make_tensor_descriptor(q_ptr, [queries, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_M, FIRST])
    q2_desc = tl.make_tensor_descriptor(q_ptr, [queries, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_M, REST])
    k1_desc = tl.make_tensor_descriptor(k_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, FIRST])
    k2_desc = tl.make_tensor_descriptor(k_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, REST])
    v1_desc = tl.make_tensor_descriptor(v_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, FIRST])
    v2_desc = tl.make_tensor_descriptor(v_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, REST])
    out1_desc = tl.make_tensor_descriptor(out_ptr, [queries, HEAD_DIM], [HEAD_DIM, 1],
                                          [BLOCK_M, FIRST])
    out2_desc = tl.make_tensor_descriptor(out_ptr, [queries, HEAD_DIM], [HEAD_DIM, 1],
                                          [BLOCK_M, REST])
    q1 = q1_desc.load([start_m, 0])
    q2 = q2_desc.load([start_m, FIRST])
    position = start_m + tl.arange(0, BLOCK_M) + keys - queries
    acc1 = tl.zeros((BLOCK_M, FIRST), tl.float32)
    acc2 = tl.zeros((BLOCK_M, REST), tl.float32)
    norm = tl.zeros((BLOCK_M,), tl.float32)
    top = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    end = keys
    if CAUSAL:
        end = min(keys, start_m + BLOCK_M + keys - queries)
    for n in range(0, end, BLOCK_N):
        cols = n + tl.arange(0, BLOCK_N)
        s = tl.dot(q1, k1_desc.load([n, 0]).T)
        s = tl.dot(q2, k2_desc.load([n, FIRST]).T, s) * (scale * LOG2E)
        seen = cols[None, :] < keys
        if CAUSAL:
            seen = seen & (position[:, None] >= cols[None, :])
        p, shrink, norm, top = _soften(tl.where(seen, s, float("-inf")), norm, top)
        p = p.to(v_ptr.dtype.element_ty)
        acc1 = tl.dot(p, v1_desc.load([n, 0]), acc1 * shrink[:, None])
        acc2 = tl.dot(p, v2_desc.load([n, FIRST]), acc2 * shrink[:, None])
    norm = tl.where(norm == 0, 1.0, norm)[:, None]
    out1_desc.store([start_m, 0], (acc1 / norm).to(out_ptr.dtype.element_ty))
    out2_desc.store([start_m, FIRST], (acc2 / norm).to(out_ptr.dtype.element_ty))


# fp8 with a scale for each head of queries, keys and values. Weights are up to 2^8, which uses more
# of the type's numbers; the norm has the factor, too. No scale is negative, so that the largest
# score is that of the largest product. TURNED: values are [heads, HEAD_DIM, value_keys], value_keys a
# multiple of 16 as copies want it.
@triton.jit
def attention_fp8(q_ptr, k_ptr, v_ptr, out_ptr, q_scales_ptr, k_scales_ptr, v_scales_ptr, scale,
                  queries, keys, value_keys, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr,
                  BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr, TURNED: tl.constexpr):
    start_m = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1)
    far = head.to(tl.int64)
    q_desc = tl.make_tensor_descriptor(q_ptr + far * queries * HEAD_DIM, [queries, HEAD_DIM],
                                       [HEAD_DIM, 1], [BLOCK_M, HEAD_DIM])
    k_desc = tl.make_tensor_descriptor(k_ptr + far * keys * HEAD_DIM, [keys, HEAD_DIM],
                                       [HEAD_DIM, 1], [BLOCK_N, HEAD_DIM])
    if TURNED:
        v_ptr += far * value_keys * HEAD_DIM
        v_desc = tl.make_tensor_descriptor(v_ptr, [HEAD_DIM, keys], [value_keys, 1],
                                           [HEAD_DIM, BLOCK_N])
    else:
        v_ptr += far * keys * HEAD_DIM
        v_desc = tl.make_tensor_descriptor(v_ptr, [keys, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, HEAD_DIM])
    out_desc = tl.make_tensor_descriptor(out_ptr + far * queries * HEAD_DIM, [queries, HEAD_DIM],
                                         [HEAD_DIM, 1], [BLOCK_M, HEAD_DIM])
    unit = scale * tl.load(q_scales_ptr + head) * tl.load(k_scales_ptr + head) * LOG2E
    unit = tl.maximum(unit, 1e-30)  # not 0: it multiplies the infinities of masks
    q = q_desc.load([start_m, 0])
    position = start_m + tl.arange(0, BLOCK_M) + keys - queries
    acc = tl.zeros((BLOCK_M, HEAD_DIM), tl.float32)
    norm = tl.zeros((BLOCK_M,), tl.float32)
    top = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    end = keys
    if CAUSAL:
        end = min(keys, start_m + BLOCK_M + keys - queries)
    for n in range(0, end, BLOCK_N):
        cols = n + tl.arange(0, BLOCK_N)
        s = tl.dot(q, k_desc.load([n, 0]).T)
        seen = cols[None, :] < keys
        if CAUSAL:
            seen = seen & (position[:, None] >= cols[None, :])
        s = tl.where(seen, s, float("-inf"))
        higher = tl.maximum(top, tl.max(s, 1) * unit)
        level = tl.where(higher == float("-inf"), 0.0, higher)
        p = tl.math.exp2(s * unit - (level - 8.0)[:, None])
        shrink = tl.math.exp2(top - level)
        norm = norm * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None]
        if TURNED:
            v = v_desc.load([0, n]).T
        else:
            v = v_desc.load([n, 0])
        acc = tl.dot(p.to(v.dtype), v, acc)
        top = higher
    acc = acc * (tl.load(v_scales_ptr + head) / tl.where(norm == 0, 1.0, norm))[:, None]
    out_desc.store([start_m, 0], acc.to(out_ptr.dtype.element_ty))
