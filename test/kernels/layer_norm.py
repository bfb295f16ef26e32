"""LayerNorm and RMSNorm, forward and backward, with what a transformer block puts around them:
residual, row scale, dropout drawn from a seed, a second input, a second weight. One kernel each way,
specialised by compile-time flags; absent tensors are None.
"""
import math
from typing import Optional, Tuple

import torch
import torch.nn.functional as F
import triton
import triton.language as tl


def last_dim_contiguous(x):
    return x.contiguous() if x is not None and x.stride(-1) != 1 else x


def autotune_configs():
    # powers of two, up to the warps of the largest block
    configs = []
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    warp_size = getattr(properties, "warp_size", 32)
    warps = 1
    while warps * warp_size <= 1024:
        configs.append(triton.Config({}, num_warps=warps))
        warps *= 2
    return configs


def norm_reference(x, weight, bias, residual=None, eps=1e-6, rms=False, upcast=False):
    dtype = x.dtype
    if upcast:
        x, weight = x.float(), weight.float()
        bias = bias.float() if bias is not None else None
    if residual is not None:
        x = (x + residual).to(x.dtype)
    if rms:
        y = x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight
        return (y + bias if bias is not None else y).to(dtype)
    return F.layer_norm(x, x.shape[-1:], weight=weight, bias=bias, eps=eps).to(dtype)


@triton.autotune(
    configs=autotune_configs(),
    key=["N", "HAS_RESIDUAL", "STORE_SUM", "IS_RMS", "HAS_BIAS", "HAS_WEIGHT", "HAS_X1", "HAS_W1"],
)
# the caller may set these instead: compilers of graphs do not like lambdas
# @triton.heuristics({"HAS_BIAS": lambda args: args["B"] is not None})
@triton.heuristics({"HAS_X1": lambda args: args["X1"] is not None})
@triton.heuristics({"HAS_W1": lambda args: args["W1"] is not None})
@triton.heuristics({"HAS_B1": lambda args: args["B1"] is not None})
@triton.jit
def norm_fwd_kernel(
    X,  # input, M x N
    Y,  # output
    W,  # weight of N, or None
    B,  # bias of N, or None
    RESIDUAL,  # added to the input, or None
    X1,  # a second input that is added as well
    W1,  # a second weight and bias, which make a second output
    B1,
    Y1,
    SUM,  # where the sum that is normalised goes, for the next block's residual
    ROWSCALE,  # a factor a row; with X1, M more for it
    SEEDS,  # a seed a row, likewise
    KEPT,  # where the dropout's masks go
    KEPT1,
    Mean,
    Rstd,
    stride_x,  # elements from a row to the next
    stride_y,
    stride_res,
    stride_sum,
    stride_x1,
    stride_y1,
    M,
    N,
    eps,
    dropout_p,
    weight_is_zero_centered,  # the factor is 1 + W
    IS_RMS: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HAS_RESIDUAL: tl.constexpr,
    STORE_SUM: tl.constexpr,
    HAS_WEIGHT: tl.constexpr,
    HAS_BIAS: tl.constexpr,
    HAS_DROPOUT: tl.constexpr,
    STORE_KEPT: tl.constexpr,
    HAS_ROWSCALE: tl.constexpr,
    HAS_X1: tl.constexpr,
    HAS_W1: tl.constexpr,
    HAS_B1: tl.constexpr,
):
    row = tl.program_id(0)
    X += row * stride_x
    Y += row * stride_y
    if HAS_RESIDUAL:
        RESIDUAL += row * stride_res
    if STORE_SUM:
        SUM += row * stride_sum
    if HAS_X1:
        X1 += row * stride_x1
    if HAS_W1:
        Y1 += row * stride_y1
    cols = tl.arange(0, BLOCK_N)
    x = tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
    if HAS_ROWSCALE:
        scale = tl.load(ROWSCALE + row).to(tl.float32)
        x *= scale
    if HAS_DROPOUT:
        # seven rounds pass the usual tests, and leave registers for the row
        kept = tl.rand(tl.load(SEEDS + row).to(tl.uint32), cols, n_rounds=7) > dropout_p
        x = tl.where(kept, x / (1.0 - dropout_p), 0.0)
        if STORE_KEPT:
            tl.store(KEPT + row * N + cols, kept, mask=cols < N)
    if HAS_X1:
        x1 = tl.load(X1 + cols, mask=cols < N, other=0.0).to(tl.float32)
        if HAS_ROWSCALE:
            scale = tl.load(ROWSCALE + M + row).to(tl.float32)
            x1 *= scale
        if HAS_DROPOUT:
            kept = (
                tl.rand(tl.load(SEEDS + M + row).to(tl.uint32), cols, n_rounds=7) > dropout_p
            )
            x1 = tl.where(kept, x1 / (1.0 - dropout_p), 0.0)
            if STORE_KEPT:
                tl.store(KEPT1 + row * N + cols, kept, mask=cols < N)
        x += x1
    if HAS_RESIDUAL:
        x += tl.load(RESIDUAL + cols, mask=cols < N, other=0.0).to(tl.float32)
    if STORE_SUM:
        tl.store(SUM + cols, x, mask=cols < N)
    if not IS_RMS:
        mean = tl.sum(x, axis=0) / N
        tl.store(Mean + row, mean)
        centered = tl.where(cols < N, x - mean, 0.0)
        var = tl.sum(centered * centered, axis=0) / N
    else:
        centered = tl.where(cols < N, x, 0.0)
        var = tl.sum(centered * centered, axis=0) / N
    rstd = 1 / tl.sqrt(var + eps)
    tl.store(Rstd + row, rstd)

    mask = cols < N
    if HAS_WEIGHT:
        w = tl.load(W + cols, mask=mask).to(tl.float32)
        if weight_is_zero_centered:
            w += 1.0
    if HAS_BIAS:
        b = tl.load(B + cols, mask=mask).to(tl.float32)
    # `mean` exists only in one branch: the other arm is not looked at
    x_hat = (x - mean) * rstd if not IS_RMS else x * rstd
    if HAS_WEIGHT:
        y = x_hat * w + b if HAS_BIAS else x_hat * w
    else:
        y = x_hat + b if HAS_BIAS else x_hat
    tl.store(Y + cols, y, mask=mask)
    if HAS_W1:
        w1 = tl.load(W1 + cols, mask=mask).to(tl.float32)
        if weight_is_zero_centered:
            w1 += 1.0
        if HAS_B1:
            b1 = tl.load(B1 + cols, mask=mask).to(tl.float32)
        y1 = x_hat * w1 + b1 if HAS_B1 else x_hat * w1
        tl.store(Y1 + cols, y1, mask=mask)


@triton.autotune(
    configs=autotune_configs(),
    key=["N", "HAS_DSUM", "STORE_DRESIDUAL", "IS_RMS", "HAS_BIAS", "HAS_DROPOUT"],
)
@triton.heuristics({"HAS_ROWSCALE": lambda args: args["ROWSCALE"] is not None})
@triton.heuristics({"HAS_DY1": lambda args: args["DY1"] is not None})
@triton.heuristics({"HAS_DX1": lambda args: args["DX1"] is not None})
@triton.heuristics({"HAS_B1": lambda args: args["DB1"] is not None})
@triton.heuristics({"RECOMPUTE": lambda args: args["Y"] is not None})
@triton.jit
def norm_bwd_kernel(
    X,  # what was normalised: the sum of the forward pass
    W,
    B,
    Y,  # the output once more, when the forward pass did not keep it
    DY,
    DX,
    DW,  # partial sums: one row a program
    DB,
    DSUM,  # the gradient that came along the residual
    W1,
    DY1,
    DX1,
    DW1,
    DB1,
    DRESIDUAL,  # the gradient that goes on along it
    ROWSCALE,
    SEEDS,
    Mean,
    Rstd,
    stride_x,
    stride_y,
    stride_dy,
    stride_dx,
    stride_dsum,
    stride_dy1,
    stride_dx1,
    stride_dres,
    M,
    N,
    eps,
    dropout_p,
    weight_is_zero_centered,
    rows_a_program,
    IS_RMS: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HAS_DSUM: tl.constexpr,
    STORE_DRESIDUAL: tl.constexpr,
    HAS_WEIGHT: tl.constexpr,
    HAS_BIAS: tl.constexpr,
    HAS_DROPOUT: tl.constexpr,
    HAS_ROWSCALE: tl.constexpr,
    HAS_DY1: tl.constexpr,
    HAS_DX1: tl.constexpr,
    HAS_B1: tl.constexpr,
    RECOMPUTE: tl.constexpr,
):
    pid = tl.program_id(0)
    start = pid * rows_a_program
    # programs beyond the last row go on: their partial sums are read
    cols = tl.arange(0, BLOCK_N)
    mask = cols < N
    X += start * stride_x
    DY += start * stride_dy
    DX += start * stride_dx
    if HAS_DSUM:
        DSUM += start * stride_dsum
    if STORE_DRESIDUAL:
        DRESIDUAL += start * stride_dres
    if HAS_DY1:
        DY1 += start * stride_dy1
    if HAS_DX1:
        DX1 += start * stride_dx1
    if RECOMPUTE:
        Y += start * stride_y
    if HAS_WEIGHT:
        w = tl.load(W + cols, mask=mask).to(tl.float32)
        if weight_is_zero_centered:
            w += 1.0
    if RECOMPUTE and HAS_BIAS:
        b = tl.load(B + cols, mask=mask, other=0.0).to(tl.float32)
    if HAS_DY1:
        w1 = tl.load(W1 + cols, mask=mask).to(tl.float32)
        if weight_is_zero_centered:
            w1 += 1.0
    dw = tl.zeros((BLOCK_N,), dtype=tl.float32)
    if HAS_BIAS:
        db = tl.zeros((BLOCK_N,), dtype=tl.float32)
    if HAS_DY1:
        dw1 = tl.zeros((BLOCK_N,), dtype=tl.float32)
        if HAS_B1:
            db1 = tl.zeros((BLOCK_N,), dtype=tl.float32)
    end = min((pid + 1) * rows_a_program, M)
    for row in range(start, end):
        x = tl.load(X + cols, mask=mask, other=0).to(tl.float32)
        dy = tl.load(DY + cols, mask=mask, other=0).to(tl.float32)
        if HAS_DY1:
            dy1 = tl.load(DY1 + cols, mask=mask, other=0).to(tl.float32)
        if not IS_RMS:
            mean = tl.load(Mean + row)
        rstd = tl.load(Rstd + row)
        x_hat = (x - mean) * rstd if not IS_RMS else x * rstd
        x_hat = tl.where(mask, x_hat, 0.0)
        if RECOMPUTE:
            y = x_hat * w if HAS_WEIGHT else x_hat
            if HAS_BIAS:
                y = y + b
            tl.store(Y + cols, y, mask=mask)
        wdy = dy
        dw += dy * x_hat
        if HAS_WEIGHT:
            wdy = w * dy
        if HAS_BIAS:
            db += dy
        if HAS_DY1:
            wdy += w1 * dy1
            dw1 += dy1 * x_hat
            if HAS_B1:
                db1 += dy1
        # dx is wdy without its components along x_hat and, for LayerNorm, along (1, ..., 1)
        along = tl.sum(x_hat * wdy, axis=0) / N
        if not IS_RMS:
            level = tl.sum(wdy, axis=0) / N
            dx = (wdy - (x_hat * along + level)) * rstd
        else:
            dx = (wdy - x_hat * along) * rstd
        if HAS_DSUM:
            dx += tl.load(DSUM + cols, mask=mask, other=0).to(tl.float32)
        if STORE_DRESIDUAL:
            tl.store(DRESIDUAL + cols, dx, mask=mask)
        if HAS_DX1:
            if HAS_DROPOUT:
                kept = (
                    tl.rand(tl.load(SEEDS + M + row).to(tl.uint32), cols, n_rounds=7) > dropout_p
                )
                dx1 = tl.where(kept, dx / (1.0 - dropout_p), 0.0)
            else:
                dx1 = dx
            tl.store(DX1 + cols, dx1, mask=mask)
        if HAS_DROPOUT:
            kept = tl.rand(tl.load(SEEDS + row).to(tl.uint32), cols, n_rounds=7) > dropout_p
            dx = tl.where(kept, dx / (1.0 - dropout_p), 0.0)
        if HAS_ROWSCALE:
            dx *= tl.load(ROWSCALE + row).to(tl.float32)
        tl.store(DX + cols, dx, mask=mask)

        X += stride_x
        DY += stride_dy
        DX += stride_dx
        if HAS_DSUM:
            DSUM += stride_dsum
        if STORE_DRESIDUAL:
            DRESIDUAL += stride_dres
        if RECOMPUTE:
            Y += stride_y
        if HAS_DY1:
            DY1 += stride_dy1
        if HAS_DX1:
            DX1 += stride_dx1
    tl.store(DW + pid * N + cols, dw, mask=mask)
    if HAS_BIAS:
        tl.store(DB + pid * N + cols, db, mask=mask)
    if HAS_DY1:
        tl.store(DW1 + pid * N + cols, dw1, mask=mask)
        if HAS_B1:
            tl.store(DB1 + pid * N + cols, db1, mask=mask)


# Rows longer than a block: three passes over them.
@triton.jit
def layer_norm_loop_kernel(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    X += row * stride
    Y += row * stride
    mean = 0  # becomes a float below; no loop carries it
    partial = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        partial += tl.load(X + cols, mask=cols < N, other=0.).to(tl.float32)
    mean = tl.sum(partial, axis=0) / N
    partial = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(X + cols, mask=cols < N, other=0.).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.)
        partial += x * x
    rstd = tl.rsqrt(tl.sum(partial, axis=0) / N + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        mask = cols < N
        x = tl.load(X + cols, mask=mask, other=0.).to(tl.float32)
        w = tl.load(W + cols, mask=mask)
        b = tl.load(B + cols, mask=mask)
        tl.store(Y + cols, (x - mean) * rstd * w + b, mask=mask)


# The gradients of weight and bias, summed by all programs of a slot under a lock.
@triton.jit
def layer_norm_bwd_locked_kernel(DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N,
                                 SLOTS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    slot = row % SLOTS
    lock = Lock + slot
    filled = lock + SLOTS  # after the locks: whether the slot holds sums yet
    DW = DW + slot * N + cols
    DB = DB + slot * N + cols
    x = tl.load(X + row * stride + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + row * stride + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean, rstd = tl.load(Mean + row), tl.load(Rstd + row)
    x_hat = tl.where(mask, (x - mean) * rstd, 0.)
    wdy = tl.where(mask, w * dy, 0.)
    along = tl.sum(x_hat * wdy, axis=0) / N
    level = tl.sum(wdy, axis=0) / N
    tl.store(DX + row * stride + cols, (wdy - (x_hat * along + level)) * rstd, mask=mask)
    sum_dw = (dy * x_hat).to(w.dtype)
    sum_db = (dy).to(w.dtype)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(filled) == 0:
        tl.atomic_xchg(filled, 1)
    else:
        sum_dw += tl.load(DW, mask=mask)
        sum_db += tl.load(DB, mask=mask)
    tl.store(DW, sum_dw, mask=mask)
    tl.store(DB, sum_db, mask=mask)
    # all threads have stored before one of them opens the lock
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def column_sums_kernel(DW, DB, OUT_DW, OUT_DB, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    cols = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    dw = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    db = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for i in range(0, M, BLOCK_M):
        rows = i + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < M) & (cols[None, :] < N)
        offs = rows[:, None] * N + cols[None, :]
        dw += tl.load(DW + offs, mask=mask, other=0.)
        db += tl.load(DB + offs, mask=mask, other=0.)
    tl.store(OUT_DW + cols, tl.sum(dw, axis=0), mask=cols < N)
    tl.store(OUT_DB + cols, tl.sum(db, axis=0), mask=cols < N)


def norm_forward(
    x: torch.Tensor,
    weight: Optional[torch.Tensor],
    bias: Optional[torch.Tensor] = None,
    eps: float = 1e-6,
    residual: Optional[torch.Tensor] = None,
    x1: Optional[torch.Tensor] = None,
    dropout_p: float = 0.0,
    rowscale: Optional[torch.Tensor] = None,
    zero_centered: bool = False,
    rms: bool = False,
) -> Tuple[Optional[torch.Tensor], ...]:
    M, N = x.shape
    x, residual, x1 = (last_dim_contiguous(t) for t in (x, residual, x1))
    for name, tensor in (("residual", residual), ("x1", x1)):
        assert tensor is None or tensor.shape == (M, N), f"{name} is {tuple(tensor.shape)}, not {(M, N)}"
    y = torch.empty_like(x)
    mean = torch.empty((M,), dtype=torch.float32, device=x.device) if not rms else None
    rstd = torch.empty((M,), dtype=torch.float32, device=x.device)
    rows = M if x1 is None else 2 * M
    seeds = torch.randint(2**32, (rows,), device=x.device) if dropout_p > 0.0 else None
    block = triton.next_power_of_2(N)
    if block * x.element_size() > 65536:
        raise RuntimeError("rows of more than 64 KiB need layer_norm_loop_kernel")
    with torch.cuda.device(x.device.index):
        norm_fwd_kernel[(M,)](
            x, y, weight, bias, residual, x1, None, None, None, None, rowscale, seeds, None, None,
            mean, rstd, x.stride(0), y.stride(0), residual.stride(0) if residual is not None else 0,
            0, x1.stride(0) if x1 is not None else 0, 0, M, N, eps, dropout_p,
            int(zero_centered), rms, block, residual is not None, False,
            weight is not None, bias is not None, dropout_p > 0.0, False, rowscale is not None)
    return y, mean, rstd, seeds


class RMSNorm(torch.nn.Module):
    def __init__(self, size, eps=1e-5, dropout_p=0.0, device=None, dtype=None):
        where = {"device": device, "dtype": dtype}
        super().__init__()
        self.eps = eps
        self.dropout_p = dropout_p if dropout_p > 0.0 else None
        self.weight = torch.nn.Parameter(torch.ones(size, **where))
        self.register_parameter("bias", None)

    def forward(self, x, residual=None):
        if math.isnan(self.eps):
            return norm_reference(x, self.weight, None, residual, rms=True)
        return norm_forward(x, self.weight, eps=self.eps, residual=residual, rms=True)[0]
