"""Cross entropy over large vocabularies: the loss and, in place of the logits, their gradient."""
import operator
from typing import Optional

import torch
import triton
import triton.language as tl
from packaging.version import Version

if Version(triton.__version__) >= Version("3.0.0"):
    try:
        from triton.language.extra.libdevice import tanh
    except ModuleNotFoundError:
        # builds with one backend only
        from triton.language.extra.cuda.libdevice import tanh
else:
    from triton.language.math import tanh

_YES: tl.constexpr = tl.constexpr(1)
MAX_BLOCK = 65536 // 2


@triton.jit
def cross_entropy_kernel(
    X_ptr,
    X_stride,
    Y_ptr,
    Y_stride,
    W_ptr,
    loss_ptr,
    z_loss_ptr,
    loss_stride,
    n_cols,
    n_counted,
    counted_weight,
    weight_sum,
    ignore_index,
    z_scale: tl.constexpr,
    smoothing: tl.constexpr,
    reduction: tl.constexpr,  # "mean" or "sum"
    softcap,
    RETURN_Z_LOSS: tl.constexpr,
    BLOCK: tl.constexpr,
    HAS_WEIGHT: tl.constexpr,
    HAS_SOFTCAP: tl.constexpr,
    HAS_GRADIENT: tl.constexpr,
):
    """
    The loss of one row, and the gradient with respect to its logits over the logits themselves.

    Parameters:
    X_ptr: logits; Y_ptr: targets; W_ptr: a weight a class, or None
    ignore_index (int): the target that does not count
    softcap (float): logits are softcap * tanh(logit / softcap)
    """

    # in 64 bits: row * stride passes 2^31 from a vocabulary of 256k on (see https://example.org/7)
    row = tl.program_id(0).to(tl.int64)

    Y_ptr += row * Y_stride
    y = tl.load(Y_ptr)
    X_ptr += row * X_stride

    if y == ignore_index:
        # no loss, no gradient
        for i in range(0, n_cols, BLOCK):
            cols = i + tl.arange(0, BLOCK)
            tl.store(X_ptr + cols, 0.0, mask=cols < n_cols)
        return

    loss_ptr += row * loss_stride
    if RETURN_Z_LOSS == _YES:
        z_loss_ptr += row * loss_stride

    if HAS_WEIGHT:
        weight_y = tl.load(W_ptr + y).cast(tl.float32)

    # First pass: the maximum so far and the sum of exponentials relative to it.
    top = float("-inf")
    total = 0.0
    x_y = tl.load(X_ptr + y).cast(tl.float32)  # the gradient will be written over it
    if HAS_SOFTCAP:
        x_y = softcap * tanh(x_y / softcap)

    smooth_sum = 0.0
    eps = smoothing / n_cols

    for i in range(0, n_cols, BLOCK):
        cols = i + tl.arange(0, BLOCK)
        x = tl.load(
            X_ptr + cols,
            mask=cols < n_cols,
            other=float("-inf"),
            # sums need 32 bits
        ).cast(tl.float32)
        if HAS_SOFTCAP:
            # the cap is finite: after the row it would take part in the sum
            x = tl.where(cols < n_cols, softcap * tanh(x / softcap), float("-inf"))
        if smoothing > 0:
            if HAS_WEIGHT:
                w = tl.load(W_ptr + cols, mask=cols < n_cols)
                smooth_sum += tl.sum(tl.where(cols < n_cols, -eps * x * w, 0.0))
            else:
                smooth_sum += tl.sum(tl.where(cols < n_cols, -eps * x, 0.0))
        higher = tl.maximum(top, tl.max(x))
        total = total * tl.exp(top - higher) + tl.sum(tl.exp(x - higher))
        top = higher

    lse = top + tl.log(total)

    # Second pass: softmax minus one at the target, and what smoothing, z-loss and weights add.
    if HAS_GRADIENT:
        # all threads have the target's logit before one of them writes the gradient over it
        tl.debug_barrier()
        for i in range(0, n_cols, BLOCK):
            cols = i + tl.arange(0, BLOCK)
            x = tl.load(
                X_ptr + cols,
                mask=cols < n_cols,
                other=float("-inf"),
            ).cast(tl.float32)
            if HAS_SOFTCAP:
                capped = tanh(x / softcap)
                x = softcap * capped
            p = tl.exp(x - top) / total

            if not HAS_WEIGHT:
                grad = p + 2 * z_scale * lse * p
                grad += -eps
                grad = tl.where(cols != y, grad, grad - (1 - smoothing))
                if reduction == "mean":
                    grad = grad / n_counted
            else:
                w = tl.load(W_ptr + cols, mask=cols < n_cols)
                hard = (1 - smoothing) * p
                hard = tl.where(cols != y, hard, hard - (1 - smoothing))
                hard = hard * weight_y
                soft = eps * (-w + p * weight_sum)
                z = 2 * z_scale * lse * p
                if reduction == "mean":
                    hard = hard / counted_weight
                    soft = soft / counted_weight
                    z = z / n_counted
                grad = hard + soft + z

            if HAS_SOFTCAP:
                grad = grad * (1 - capped * capped)

            tl.store(X_ptr + cols, grad, mask=cols < n_cols)

    # other threads' part of the row is written too
    tl.debug_barrier()

    loss = lse - x_y
    if HAS_WEIGHT:
        loss = weight_y * loss
    if smoothing > 0:
        if HAS_WEIGHT:
            smooth = smooth_sum + eps * lse * weight_sum
        else:
            smooth = smooth_sum + smoothing * lse
        loss = loss * (1 - smoothing) + smooth
    z_loss = z_scale * lse * lse
    if reduction == "mean":
        if HAS_WEIGHT:
            loss = loss / counted_weight
        else:
            loss = loss / n_counted
        z_loss = z_loss / n_counted
    loss += z_loss

    tl.store(loss_ptr, loss)
    if RETURN_Z_LOSS == _YES:
        tl.store(z_loss_ptr, z_loss)


@triton.jit
def scale_rows_kernel(X_ptr, X_stride, factor_ptr, n_cols, BLOCK: tl.constexpr):
    """Multiplies a row of gradients by the gradient of the loss, one number."""
    X_ptr += tl.program_id(0).to(tl.int64) * X_stride
    factor = tl.load(factor_ptr)
    for i in range(0, n_cols, BLOCK):
        cols = i + tl.arange(0, BLOCK)
        x = tl.load(X_ptr + cols, mask=cols < n_cols)
        tl.store(X_ptr + cols, x * factor, mask=cols < n_cols)


def cross_entropy(logits, target, weight: Optional[torch.Tensor] = None, ignore_index=-100,
                  z_scale=0.0, smoothing=0.0, reduction="mean", softcap=None):
    assert isinstance(reduction, str), f"reduction is {reduction!r}, not a string"
    rows, classes = logits.shape
    losses = torch.zeros(rows, dtype=logits.dtype, device=logits.device)
    counted = target != ignore_index
    n_counted = counted.sum().item()
    assert (target * counted).max() < classes, (
        f"target {target.max()} is out of bounds; there are {classes} classes"
    )
    block = min(MAX_BLOCK, triton.next_power_of_2(classes))
    most_warps = 32 if not operator.truth(getattr(torch.version, "hip", None)) else 16
    cross_entropy_kernel[(rows,)](
        X_ptr=logits,
        X_stride=logits.stride(-2),
        Y_ptr=target,
        Y_stride=target.stride(-1),
        W_ptr=weight,  # may be None
        loss_ptr=losses,
        z_loss_ptr=None,
        loss_stride=losses.stride(-1),
        n_cols=classes,
        n_counted=n_counted,
        counted_weight=n_counted if weight is None else weight[target[counted]].sum().item(),
        weight_sum=0.0 if weight is None else weight.sum().item(),
        ignore_index=ignore_index,
        z_scale=z_scale,
        smoothing=smoothing,
        reduction=reduction,
        softcap=softcap,
        RETURN_Z_LOSS=0,
        BLOCK=block,
        HAS_WEIGHT=weight is not None,
        HAS_SOFTCAP=softcap is not None,
        HAS_GRADIENT=logits.requires_grad,
        # 256 elements a warp, within what a block may have
        num_warps=max(4, min(most_warps, block // 256)),
    )
    return torch.sum(losses), logits
