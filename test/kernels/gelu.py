"""GELU, forward and backward: x times the share of a normal distribution below x, by erf, or by tanh as
an approximation."""
import torch
import triton
import triton.language as tl

try:
    from triton.language.extra.libdevice import tanh
except ImportError:  # an older release
    from triton.language.extra.cuda.libdevice import tanh

ROOT_HALF = tl.constexpr(0.7071067811865476)  # sqrt(1 / 2)
ROOT_2_PI = tl.constexpr(0.7978845608028654)  # sqrt(2 / pi)
CUBIC = tl.constexpr(0.044715)


@triton.jit
def share_below(x, TANH: tl.constexpr):
    """The share, and its derivative by x."""
    if TANH:
        t = tanh(ROOT_2_PI * (x + CUBIC * x * x * x))
        return 0.5 * (1.0 + t), 0.5 * (1.0 - t * t) * ROOT_2_PI * (1.0 + 3.0 * CUBIC * x * x)
    else:
        return 0.5 * (1.0 + tl.erf(x * ROOT_HALF)), 0.5 * ROOT_2_PI * tl.exp(-0.5 * x * x)


@triton.jit
def gelu_forward_kernel(x_ptr, y_ptr, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    share, _ = share_below(x, TANH)
    tl.store(y_ptr + offsets, x * share, mask=mask)


@triton.jit
def gelu_backward_kernel(dy_ptr, x_ptr, dx_ptr, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    dy = tl.load(dy_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    share, slope = share_below(x, TANH)
    tl.store(dx_ptr + offsets, dy * (share + x * slope), mask=mask)


class GELU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, approximate="none"):
        x = x.contiguous()
        y = torch.empty_like(x)
        ctx.tanh = approximate == "tanh"
        ctx.save_for_backward(x)
        grid = (triton.cdiv(x.numel(), 1024),)
        gelu_forward_kernel[grid](x, y, x.numel(), TANH=ctx.tanh, BLOCK=1024)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = torch.empty_like(x)
        grid = (triton.cdiv(x.numel(), 1024),)
        gelu_backward_kernel[grid](dy.contiguous(), x, dx, x.numel(), TANH=ctx.tanh, BLOCK=1024)
        return dx, None
