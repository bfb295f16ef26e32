"""Attention that keeps no score matrix: forward with an online softmax, backward that recomputes.

The forward pass handles BLOCK_M queries a program and walks over the keys in blocks of BLOCK_N: with a
causal mask first over the blocks left of the diagonal, which need no mask, then over the diagonal. The
backward pass has a kernel for the row sums of o * do and one that makes dk, dv and then dq.
Scores are in units of log 2, for exp2.
"""
import torch
import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def _forward_range(acc, norm, top, q,  #
                   keys, values,  #
                   pid_m, scale,  #
                   BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,  #
                   RANGE: tl.constexpr, rows: tl.constexpr, cols: tl.constexpr,  #
                   N_CTX):
    # which keys: left of the diagonal
    if RANGE == 1:
        begin, end = 0, pid_m * BLOCK_M
    # on it
    elif RANGE == 2:
        begin, end = pid_m * BLOCK_M, (pid_m + 1) * BLOCK_M
        begin = tl.multiple_of(begin, BLOCK_M)
    # all
    else:
        begin, end = 0, N_CTX
    keys = tl.advance(keys, (0, begin))
    values = tl.advance(values, (begin, 0))
    for n in range(begin, end, BLOCK_N):
        n = tl.multiple_of(n, BLOCK_N)
        k = tl.load(keys)
        s = tl.dot(q, k)
        if RANGE == 2:
            seen = rows[:, None] >= (n + cols[None, :])
            s = s * scale + tl.where(seen, 0, -1.0e6)
            higher = tl.maximum(top, tl.max(s, 1))
            s -= higher[:, None]
        else:
            higher = tl.maximum(top, tl.max(s, 1) * scale)
            s = s * scale - higher[:, None]
        p = tl.math.exp2(s)
        # what is there shrinks as the maximum grows
        shrink = tl.math.exp2(top - higher)
        norm = norm * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None]
        v = tl.load(values)
        acc = tl.dot(p.to(v.dtype), v, acc)
        top = higher
        values = tl.advance(values, (BLOCK_N, 0))
        keys = tl.advance(keys, (0, BLOCK_N))
    return acc, norm, top


configs = [
    triton.Config({'BLOCK_M': m, 'BLOCK_N': n}, num_stages=s, num_warps=w) \
    for m in [64, 128]\
    for n in [32, 64]\
    for s in [3, 4]\
    for w in [4, 8]\
]


def fits(config):
    size = config.kwargs["BLOCK_M"] * config.kwargs["BLOCK_N"]
    return not (size < 128 * 64 and config.num_warps == 8)


@triton.autotune(list(filter(fits, configs)), key=["N_CTX", "HEAD_DIM"])
@triton.jit
def attention_fwd_kernel(Q, K, V, scale, Lse, Out,  #
                         stride_qz, stride_qh, stride_qm, stride_qk,  #
                         stride_kz, stride_kh, stride_kn, stride_kk,  #
                         stride_vz, stride_vh, stride_vk, stride_vn,  #
                         stride_oz, stride_oh, stride_om, stride_on,  #
                         Z, H, N_CTX,  #
                         HEAD_DIM: tl.constexpr,  #
                         BLOCK_M: tl.constexpr,  #
                         BLOCK_N: tl.constexpr,  #
                         CAUSAL: tl.constexpr  #
                         ):
    tl.static_assert(BLOCK_N <= HEAD_DIM * 4)
    pid_m, pid_zh = tl.program_id(0), tl.program_id(1)
    z = pid_zh // H
    h = pid_zh % H
    base = z.to(tl.int64) * stride_qz + h.to(tl.int64) * stride_qh

    queries = tl.make_block_ptr(base=Q + base, shape=(N_CTX, HEAD_DIM),
                                strides=(stride_qm, stride_qk), offsets=(pid_m * BLOCK_M, 0),
                                block_shape=(BLOCK_M, HEAD_DIM), order=(1, 0))
    # transposed by its strides
    keys = tl.make_block_ptr(base=K + base, shape=(HEAD_DIM, N_CTX), strides=(stride_kk, stride_kn),
                             offsets=(0, 0), block_shape=(HEAD_DIM, BLOCK_N), order=(0, 1))
    values = tl.make_block_ptr(base=V + base, shape=(N_CTX, HEAD_DIM),
                               strides=(stride_vk, stride_vn), offsets=(0, 0),
                               block_shape=(BLOCK_N, HEAD_DIM), order=(1, 0))
    out = tl.make_block_ptr(
        base=Out + base,
        shape=(N_CTX, HEAD_DIM),
        strides=(stride_om, stride_on),
        offsets=(pid_m * BLOCK_M, 0),
        block_shape=(BLOCK_M, HEAD_DIM),
        order=(1, 0),
    )
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    top = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    norm = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    scale *= LOG2E
    q = tl.load(queries)
    if CAUSAL:
        acc, norm, top = _forward_range(acc, norm, top, q, keys, values, pid_m, scale,  #
                                        BLOCK_M, BLOCK_N, 1, rows, cols, N_CTX)
        acc, norm, top = _forward_range(acc, norm, top, q, keys, values, pid_m, scale,  #
                                        BLOCK_M, BLOCK_N, 2, rows, cols, N_CTX)
    else:
        acc, norm, top = _forward_range(acc, norm, top, q, keys, values, pid_m, scale,  #
                                        BLOCK_M, BLOCK_N, 3, rows, cols, N_CTX)
    tl.store(Lse + pid_zh * N_CTX + rows, top + tl.math.log2(norm))
    acc = acc / norm[:, None]
    tl.store(out, acc.to(Out.type.element_ty))


# The same by tensor descriptors: all heads' rows behind one another.
@triton.jit
def _forward_blocks(acc, norm, top, q, k_desc, v_desc, first, pid_m, scale, rows, cols,  #
                    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, RANGE: tl.constexpr, N_CTX):
    if RANGE == 1:
        begin, end = 0, pid_m * BLOCK_M
    elif RANGE == 2:
        begin, end = pid_m * BLOCK_M, (pid_m + 1) * BLOCK_M
    else:
        begin, end = 0, N_CTX
    for n in range(begin, end, BLOCK_N):
        s = tl.dot(q, k_desc.load([first + n, 0]).T)
        if RANGE == 2:
            s = s * scale + tl.where(rows[:, None] >= (n + cols[None, :]), 0, -1.0e6)
            higher = tl.maximum(top, tl.max(s, 1))
            s -= higher[:, None]
        else:
            higher = tl.maximum(top, tl.max(s, 1) * scale)
            s = s * scale - higher[:, None]
        p = tl.math.exp2(s)
        shrink = tl.math.exp2(top - higher)
        norm = norm * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None]
        v = v_desc.load([first + n, 0])
        acc = tl.dot(p.to(v.dtype), v, acc)
        top = higher
    return acc, norm, top


@triton.jit
def attention_fwd_descriptors(Q, K, V, scale, Lse, Out, Z, H, N_CTX,  #
                              HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr,
                              BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr):
    pid_m, pid_zh = tl.program_id(0), tl.program_id(1)
    lines = Z * H * N_CTX
    q_desc = tl.make_tensor_descriptor(Q, [lines, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_M, HEAD_DIM])
    k_desc = tl.make_tensor_descriptor(K, [lines, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, HEAD_DIM])
    v_desc = tl.make_tensor_descriptor(V, [lines, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_N, HEAD_DIM])
    out_desc = tl.make_tensor_descriptor(Out, [lines, HEAD_DIM], [HEAD_DIM, 1], [BLOCK_M, HEAD_DIM])
    first = pid_zh * N_CTX
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    top = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    norm = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    scale *= LOG2E
    q = q_desc.load([first + pid_m * BLOCK_M, 0])
    if CAUSAL:
        acc, norm, top = _forward_blocks(acc, norm, top, q, k_desc, v_desc, first, pid_m, scale,  #
                                         rows, cols, BLOCK_M, BLOCK_N, 1, N_CTX)
        acc, norm, top = _forward_blocks(acc, norm, top, q, k_desc, v_desc, first, pid_m, scale,  #
                                         rows, cols, BLOCK_M, BLOCK_N, 2, N_CTX)
    else:
        acc, norm, top = _forward_blocks(acc, norm, top, q, k_desc, v_desc, first, pid_m, scale,  #
                                         rows, cols, BLOCK_M, BLOCK_N, 3, N_CTX)
    tl.store(Lse + pid_zh * N_CTX + rows, top + tl.math.log2(norm))
    out_desc.store([first + pid_m * BLOCK_M, 0], (acc / norm[:, None]).to(Out.type.element_ty))


@triton.jit
def attention_bwd_sums_kernel(O, DO, Delta, N_CTX, BLOCK_M: tl.constexpr, HEAD_DIM: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    zh = tl.program_id(1)
    cols = tl.arange(0, HEAD_DIM)
    at = zh * HEAD_DIM * N_CTX + rows[:, None] * HEAD_DIM + cols[None, :]
    o = tl.load(O + at)
    do = tl.load(DO + at).to(tl.float32)
    tl.store(Delta + zh * N_CTX + rows, tl.sum(o * do, axis=1))


# dk and dv of a block of keys from `steps` blocks of queries, the scores transposed.
@triton.jit
def _dk_dv(dk, dv,  #
           Q, k, v,  #
           DO, Lse, Delta,  #
           stride_token, stride_dim,  #
           STEP: tl.constexpr, BLOCK: tl.constexpr, HEAD_DIM: tl.constexpr,  #
           first_n, first_m, steps,  #
           MASK: tl.constexpr):
    rows = first_m + tl.arange(0, STEP)
    keys = first_n + tl.arange(0, BLOCK)
    dims = tl.arange(0, HEAD_DIM)
    qt_ptrs = Q + rows[None, :] * stride_token + dims[:, None] * stride_dim
    do_ptrs = DO + rows[:, None] * stride_token + dims[None, :] * stride_dim
    tl.static_assert(BLOCK % STEP == 0, "the diagonal is walked in whole steps")
    m = first_m
    for _ in range(steps):
        qt = tl.load(qt_ptrs)
        rows = m + tl.arange(0, STEP)
        lse = tl.load(Lse + rows)
        pt = tl.math.exp2(tl.dot(k, qt) - lse[None, :])
        if MASK:
            pt = tl.where((rows[None, :] >= keys[:, None]), pt, 0.0)
        do = tl.load(do_ptrs)
        dv += tl.dot(pt.to(tl.float16), do)
        delta = tl.load(Delta + rows)
        dpt = tl.dot(v, tl.trans(do)).to(tl.float32)
        dst = (pt * (dpt - delta[None, :])).to(tl.float16)
        dk += tl.dot(dst, tl.trans(qt))
        m += STEP
        qt_ptrs += STEP * stride_token
        do_ptrs += STEP * stride_token
    return dk, dv


# dq of a block of queries from `steps` blocks of keys.
@triton.jit
def _dq(dq, q, K, V,  #
        do, lse, delta,
        stride_token, stride_dim,  #
        STEP: tl.constexpr, BLOCK: tl.constexpr, HEAD_DIM: tl.constexpr,
        first_m, first_n, steps,  #
        MASK: tl.constexpr):
    rows = first_m + tl.arange(0, BLOCK)
    keys = first_n + tl.arange(0, STEP)
    dims = tl.arange(0, HEAD_DIM)
    kt_ptrs = K + keys[None, :] * stride_token + dims[:, None] * stride_dim
    vt_ptrs = V + keys[None, :] * stride_token + dims[:, None] * stride_dim
    tl.static_assert(BLOCK % STEP == 0)
    n = first_n
    for _ in range(steps):
        kt = tl.load(kt_ptrs)
        vt = tl.load(vt_ptrs)
        p = tl.math.exp2(tl.dot(q, kt) - lse)
        if MASK:
            keys = n + tl.arange(0, STEP)
            p = tl.where((rows[:, None] >= keys[None, :]), p, 0.0)
        dp = tl.dot(do, vt).to(tl.float32)
        ds = (p * (dp - delta[:, None])).to(tl.float16)
        dq += tl.dot(ds, tl.trans(kt))
        n += STEP
        kt_ptrs += STEP * stride_token
        vt_ptrs += STEP * stride_token
    return dq


@triton.jit
def attention_bwd_kernel(Q, K, V, scale,  #
                         DO,  #
                         DQ, DK, DV,  #
                         Lse, Delta,
                         stride_z, stride_h, stride_token, stride_dim,  #
                         H, N_CTX,  #
                         STEP: tl.constexpr,  #
                         BLOCK: tl.constexpr,  #
                         DIAGONAL_PARTS: tl.constexpr,  #
                         HEAD_DIM: tl.constexpr):
    """K comes multiplied by scale / log(2); all tensors have the strides of Q."""
    LN2: tl.constexpr = 0.6931471805599453

    zh = tl.program_id(2)
    pid = tl.program_id(0)
    head = (stride_h * (zh % H) + stride_z * (zh // H)).to(tl.int64)
    Q += head
    K += head
    V += head
    DO += head
    DQ += head
    DK += head
    DV += head
    Lse += (zh * N_CTX).to(tl.int64)
    Delta += (zh * N_CTX).to(tl.int64)

    dims = tl.arange(0, HEAD_DIM)
    first = pid * BLOCK
    own = first + tl.arange(0, BLOCK)
    tile = own[:, None] * stride_token + dims[None, :] * stride_dim

    # dk and dv: first the diagonal in smaller steps with a mask, then what lies below it
    SMALL: tl.constexpr = STEP // DIAGONAL_PARTS
    dk = tl.zeros([BLOCK, HEAD_DIM], dtype=tl.float32)
    dv = tl.zeros([BLOCK, HEAD_DIM], dtype=tl.float32)
    k = tl.load(K + tile)
    v = tl.load(V + tile)
    first_m = first
    steps = BLOCK // SMALL
    dk, dv = _dk_dv(dk, dv,  #
                    Q, k, v,  #
                    DO, Lse, Delta,  #
                    stride_token, stride_dim,  #
                    SMALL, BLOCK, HEAD_DIM,  #
                    first, first_m, steps,  #
                    MASK=True  #
                    )
    first_m += steps * SMALL
    steps = (N_CTX - first_m) // STEP
    dk, dv = _dk_dv(  #
        dk, dv,  #
        Q, k, v,  #
        DO, Lse, Delta,  #
        stride_token, stride_dim,  #
        STEP, BLOCK, HEAD_DIM,  #
        first, first_m, steps,  #
        MASK=False  #
    )
    tl.store(DV + tile, dv)
    dk *= scale
    tl.store(DK + tile, dk)

    # dq: the diagonal, then what lies left of it
    q = tl.load(Q + tile)
    do = tl.load(DO + tile)
    dq = tl.zeros([BLOCK, HEAD_DIM], dtype=tl.float32)
    lse = tl.load(Lse + own)
    lse = lse[:, None]
    delta = tl.load(Delta + own)
    end = first + BLOCK
    steps = BLOCK // SMALL
    dq = _dq(dq, q, K, V, do, lse, delta, stride_token, stride_dim,  #
             SMALL, BLOCK, HEAD_DIM, first, end - steps * SMALL, steps, MASK=True)
    end -= steps * SMALL
    steps = end // STEP
    dq = _dq(dq, q, K, V, do, lse, delta, stride_token, stride_dim,  #
             STEP, BLOCK, HEAD_DIM, first, end - steps * STEP, steps, MASK=False)
    dq *= LN2
    tl.store(DQ + tile, dq)


class _Attention(torch.autograd.Function):

    @staticmethod
    def forward(ctx, q, k, v, causal, scale):
        dim = q.shape[-1]
        assert k.shape[-1] == v.shape[-1] == dim and dim in {16, 32, 64, 128, 256}
        o = torch.empty_like(q)
        lse = torch.empty(q.shape[:3], device=q.device, dtype=torch.float32)
        grid = lambda args: (triton.cdiv(q.shape[2], args["BLOCK_M"]), q.shape[0] * q.shape[1], 1)
        attention_fwd_kernel[grid](
            q, k, v, scale, lse, o,  #
            *q.stride(), *k.stride(), *v.stride(), *o.stride(),
            q.shape[0], q.shape[1],  #
            N_CTX=q.shape[2],  #
            HEAD_DIM=dim,  #
            CAUSAL=causal)
        ctx.save_for_backward(q, k, v, o, lse)
        ctx.scale, ctx.causal = scale, causal
        return o

    @staticmethod
    def backward(ctx, do):
        assert ctx.causal, "the backward pass is that of causal attention"
        q, k, v, o, lse = ctx.saved_tensors
        assert q.stride() == k.stride() == v.stride() == o.stride() == do.stride()
        dq, dk, dv = (torch.empty_like(t) for t in (q, k, v))
        batch, heads, length, dim = q.shape
        BLOCK, STEP = 128, 32
        assert length % BLOCK == 0
        delta = torch.empty_like(lse)
        attention_bwd_sums_kernel[(length // BLOCK, batch * heads)](o, do, delta, length, BLOCK, dim)
        attention_bwd_kernel[(length // BLOCK, 1, batch * heads)](
            q, k * (ctx.scale * 1.4426950408889634), v, ctx.scale, do, dq, dk, dv, lse, delta,
            *q.stride(), heads, length, STEP=STEP, BLOCK=BLOCK, DIAGONAL_PARTS=2, HEAD_DIM=dim,
            num_warps=4, num_stages=3)
        return dq, dk, dv, None, None


attention = _Attention.apply
