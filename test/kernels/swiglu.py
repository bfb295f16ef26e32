"""SwiGLU, forward and backward: silu(a) * b, with nothing kept for the backward pass but a and b."""
import functools

import torch
import triton
import triton.language as tl


def contiguous_arguments(function):
    @functools.wraps(function)
    def wrapper(ctx, *args, **kwargs):
        def tidy(x):
            return x.contiguous() if isinstance(x, torch.Tensor) else x

        return function(ctx, *map(tidy, args), **{k: tidy(v) for k, v in kwargs.items()})

    return wrapper


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def swiglu_forward_kernel(a_ptr, b_ptr, c_ptr, stride, n_cols: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    a_ptr += row * stride
    b_ptr += row * stride
    c_ptr += row * stride

    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols

    # the gate in single precision, the product in the tensors' own
    a = tl.load(a_ptr + cols, mask=mask, other=0).to(tl.float32)
    b = tl.load(b_ptr + cols, mask=mask, other=0)
    tl.store(c_ptr + cols, silu(a).cast(b.dtype) * b, mask=mask)


@triton.jit
def swiglu_backward_kernel(dc_ptr, a_ptr, b_ptr, stride, n_cols: tl.constexpr, BLOCK: tl.constexpr):
    """Writes da over a and db over b."""
    row = tl.program_id(0).to(tl.int64)
    dc_ptr += row * stride
    a_ptr += row * stride
    b_ptr += row * stride

    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols

    dc = tl.load(dc_ptr + cols, mask=mask, other=0)
    a = tl.load(a_ptr + cols, mask=mask, other=0).to(tl.float32)
    b = tl.load(b_ptr + cols, mask=mask, other=0)

    gate = tl.sigmoid(a)
    s = a * gate
    # silu' = sigmoid + silu * (1 - sigmoid)
    tl.store(a_ptr + cols, dc * (s * (1 - gate) + gate) * b, mask=mask)
    tl.store(b_ptr + cols, dc * s, mask=mask)


def block_and_warps(n):
    block = triton.next_power_of_2(n)
    if block > 65536:
        raise RuntimeError(f"rows of {n} elements do not fit in a block of {65536}.")
    num_warps = 4
    if block >= 32768:
        num_warps = 32
    elif block >= 8192:
        num_warps = 16
    elif block >= 2048:
        num_warps = 8
    return block, num_warps


class SwiGLU(torch.autograd.Function):
    @staticmethod
    @contiguous_arguments
    def forward(ctx, a, b):
        shape = a.shape
        a, b = (t.view(-1, shape[-1]) for t in (a, b))
        c = torch.empty_like(a)
        block, num_warps = block_and_warps(a.shape[-1])
        swiglu_forward_kernel[(a.shape[0],)](a, b, c, c.stride(-2), n_cols=a.shape[-1],
                                             BLOCK=block, num_warps=num_warps)
        ctx.save_for_backward(a, b)
        return c.view(*shape)

    @staticmethod
    @contiguous_arguments
    def backward(ctx, dc):
        a, b = ctx.saved_tensors
        dc = dc.view(-1, dc.shape[-1])
        block, num_warps = block_and_warps(dc.shape[-1])
        swiglu_backward_kernel[(dc.shape[0],)](dc, a, b, dc.stride(-2), n_cols=dc.shape[-1],
                                               BLOCK=block, num_warps=num_warps)
        return a.view_as(dc), b.view_as(dc)
