"""Dropout without a stored mask: the backward pass draws the same numbers from the same seed."""
import torch
import triton
import triton.language as tl


# With a mask that the caller drew.
@triton.jit
def masked_dropout_kernel(
    x_ptr,
    keep_ptr,  # 0 or 1 an element
    out_ptr,
    n,
    p,  # how likely an element is dropped
    BLOCK: tl.constexpr,
):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.load(keep_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


# The low-memory form: element i is kept when number i of the seed's sequence says so.
@triton.jit
def seeded_dropout_kernel(
    x_ptr,
    out_ptr,
    n,
    p,
    seed,
    BLOCK: tl.constexpr,
):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    y = tl.where(keep, x / (1 - p), 0.0)
    tl.store(out_ptr + offsets, y, mask=mask)


@triton.jit
def seeded_dropout_4x_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    """Four random numbers a Philox call: a quarter of the work."""
    UNROLL: tl.constexpr = 4
    PART: tl.constexpr = BLOCK // UNROLL
    pid = tl.program_id(0)
    r0, r1, r2, r3 = tl.rand4x(seed, pid * PART + tl.arange(0, PART))
    scale = 1.0 / (1.0 - p)
    for i in tl.static_range(UNROLL):
        offsets = pid * BLOCK + i * PART + tl.arange(0, PART)
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask)
        if i == 0:
            r = r0
        elif i == 1:
            r = r1
        elif i == 2:
            r = r2
        else:
            r = r3
        tl.store(out_ptr + offsets, tl.where(r > p, x * scale, 0.0), mask=mask)


class SeededDropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, seed):
        assert x.is_contiguous()
        y = torch.empty_like(x)
        ctx.p, ctx.seed = p, seed
        grid = lambda meta: (triton.cdiv(x.numel(), meta['BLOCK']), )
        seeded_dropout_kernel[grid](x, y, x.numel(), p, seed, BLOCK=1024)
        return y

    @staticmethod
    def backward(ctx, dy):
        dx = torch.empty_like(dy)
        grid = lambda meta: (triton.cdiv(dy.numel(), meta['BLOCK']), )
        seeded_dropout_kernel[grid](dy.contiguous(), dx, dy.numel(), ctx.p, ctx.seed, BLOCK=1024)
        return dx, None, None


if __name__ == "__main__":
    x = torch.randn(size=(8, ), device="cuda")
    for seed in (123, 123, 512):
        print(f"seed = {seed:>4}:", *("%5.2f" % v for v in SeededDropout.apply(x, 0.5, seed).tolist()))
