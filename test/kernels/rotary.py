"""Rotary position embedding of queries and keys, in place; the backward pass turns the other way."""
import torch
import triton
import triton.language as tl

HEADS_A_PROGRAM: int = 4


@triton.heuristics({"BACKWARD": lambda args: bool(args["BACKWARD"])})
@triton.jit
def rope_heads_kernel(
    X, row_stride,
    cos, cos_stride,
    sin, sin_stride,
    positions,
    HEAD_DIM: tl.constexpr,
    HEADS: tl.constexpr,
    BACKWARD: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """
        One position and a few heads a program: (x1, x2) becomes
        (x1 cos - x2 sin, x2 cos + x1 sin).
    """
    GROUP = 4
    token = tl.program_id(0)
    group = tl.program_id(1)
    lane = tl.arange(0, BLOCK)
    half = HEAD_DIM // 2
    mask = lane < half

    s = tl.load(sin + (token % positions) * sin_stride + \
                half * 0 + lane, mask=mask, other=0)
    c = tl.load(cos + (token % positions) * cos_stride + \
                half * 0 + lane, mask=mask, other=0)

    if BACKWARD:
        # a rotation's transpose turns by the negative angle
        s = -s
    pass

    first_head = group * GROUP
    last_head = min((first_head + GROUP), HEADS)

    # sin and cos stay in registers for all heads of the group
    for head in range(first_head, last_head):
        left = token * row_stride + head * HEAD_DIM + lane
        right = token * row_stride + head * HEAD_DIM + lane + half

        x1 = tl.load(X + left, mask=mask, other=0).to(s.dtype)
        x2 = tl.load(X + right, mask=mask, other=0).to(s.dtype)

        tl.store(X + left, x1 * c - x2 * s, mask=mask)
        tl.store(X + right, x2 * c + x1 * s, mask=mask)
    pass
pass


@triton.jit
def rope_turn(base, cos_row, sin_row, heads, dim, PAD_HEADS: tl.constexpr, PAD_HALF: tl.constexpr,
              BACKWARD: tl.constexpr):
    """All heads of a token at once, as a block of heads x half a head."""
    h = tl.arange(0, PAD_HEADS)[:, None]
    d = tl.arange(0, PAD_HALF)[None, :]
    left = h * dim + d
    right = left + (dim // 2)
    mask = (h < heads) & (
        d < dim // 2
    )
    x1 = tl.load(base + left, mask=mask, other=0).to(sin_row.dtype)
    x2 = tl.load(base + right, mask=mask, other=0).to(sin_row.dtype)
    if not BACKWARD:
        y1 = x1 * cos_row - x2 * sin_row
        y2 = x2 * cos_row + x1 * sin_row
    else:
        y1 = x1 * cos_row + x2 * sin_row
        y2 = x2 * cos_row - x1 * sin_row
    tl.store(base + left, y1, mask=mask)
    tl.store(base + right, y2, mask=mask)


@triton.jit
def rope_qk_kernel(
    q_ptr, q_stride,
    k_ptr, k_stride,
    cos, cos_stride,
    sin, sin_stride,
    seq_len,
    cos_batches: tl.constexpr,
    q_heads: tl.constexpr,
    k_heads: tl.constexpr,
    dim: tl.constexpr,
    PAD_Q_HEADS: tl.constexpr,
    PAD_K_HEADS: tl.constexpr,
    PAD_DIM: tl.constexpr,
    BACKWARD: tl.constexpr = False,
):
    # 64 bits: tokens times elements may pass 2^31
    token = tl.program_id(0).to(tl.int64)

    q_ptr = q_ptr + token * q_stride
    k_ptr = k_ptr + token * k_stride

    # one table for all sequences, or one for each
    sequence = token // seq_len
    position = token % seq_len
    cos = cos + tl.where(
        cos_batches == 1,
        position * cos_stride,
        sequence * (seq_len * cos_stride) + position * cos_stride,
    )
    sin = sin + tl.where(
        cos_batches == 1,
        position * sin_stride,
        sequence * (seq_len * sin_stride) + position * sin_stride,
    )

    lane = tl.arange(0, PAD_DIM // 2)
    lane_mask = lane < dim // 2
    cos_row = tl.load(cos + lane, mask=lane_mask, other=0)
    sin_row = tl.load(sin + lane, mask=lane_mask, other=0)

    rope_turn(q_ptr, cos_row, sin_row, q_heads, dim, PAD_Q_HEADS, PAD_DIM // 2, BACKWARD)
    rope_turn(k_ptr, cos_row, sin_row, k_heads, dim, PAD_HEADS=PAD_K_HEADS, PAD_HALF=PAD_DIM // 2,
              BACKWARD=BACKWARD)


class Rope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, cos, sin):
        cos, sin = cos.squeeze(), sin.squeeze()
        batch, length, heads, dim = q.shape
        flat = q.view(batch * length, heads * dim)
        assert length <= cos.shape[0]
        whole, rest = divmod(heads, HEADS_A_PROGRAM)
        groups: int = whole + (rest != 0)
        ctx.block, ctx.groups = triton.next_power_of_2(dim // 2), groups
        rope_heads_kernel[(flat.shape[0], groups,)](
            flat, flat.stride(0),
            cos, cos.stride(0),
            sin, sin.stride(0),
            length, dim, heads,
            BACKWARD=False,
            BLOCK=ctx.block,
            num_warps=4,
        )
        ctx.cos, ctx.sin = cos, sin
        return flat.view(batch, length, heads, dim)

    @staticmethod
    def backward(ctx, dy):
        batch, length, heads, dim = dy.shape
        flat = dy.reshape(batch * length, heads * dim)
        rope_heads_kernel[(flat.shape[0], ctx.groups)](
            flat, flat.stride(0), ctx.cos, ctx.cos.stride(0), ctx.sin, ctx.sin.stride(0), length,
            dim, heads, BACKWARD=True, BLOCK=ctx.block, num_warps=4)
        return flat.view(batch, length, heads, dim), None, None
