"""int8 quantisation: a scale a row, symmetric or with a zero point, and back; and by groups."""
import torch
import triton
import triton.language as tl

INT8_MAX = tl.constexpr(127)


@triton.jit
def round_half_away(x):
    """Rounds to the nearest integer, halves away from zero."""
    return tl.where(x >= 0, tl.floor(x + 0.5), tl.ceil(x - 0.5))


@triton.jit
def quantize_row_kernel(
    x_ptr,
    q_ptr,
    scale_ptr,
    stride_xm, stride_qm,
    N,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < N

    x = tl.load(x_ptr + row * stride_xm + cols, mask=mask, other=0.0).to(tl.float32)
    largest = tl.maximum(tl.max(tl.abs(x)), 1e-10)
    q = round_half_away(x * (INT8_MAX / largest)).to(tl.int8)
    tl.store(scale_ptr + row, largest / INT8_MAX)
    tl.store(q_ptr + row * stride_qm + cols, q, mask=mask)


@triton.jit
def quantize_asymmetric_kernel(x_ptr, q_ptr, scale_ptr, zero_ptr, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(x_ptr + row * stride + cols, mask=mask, other=0.0).to(tl.float32)
    low = tl.min(tl.where(mask, x, float("inf")), axis=0)
    high = tl.max(tl.where(mask, x, float("-inf")), axis=0)
    scale = tl.maximum((high - low) / 255.0, 1e-8)
    zero = round_half_away(-128.0 - low / scale)
    q = tl.clamp(round_half_away(x / scale + zero), -128.0, 127.0)
    tl.store(q_ptr + row * stride + cols, q.to(tl.int8), mask=mask)
    tl.store(scale_ptr + row, scale)
    tl.store(zero_ptr + row, zero.to(tl.int32))


@triton.jit
def dequantize_row_kernel(q_ptr, scale_ptr, out_ptr, stride_qm, stride_om, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    q = tl.load(q_ptr + row * stride_qm + cols, mask=mask, other=0)
    scale = tl.load(scale_ptr + row)
    x = q.to(tl.float32) * scale
    tl.store(out_ptr + row * stride_om + cols, x.to(out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def quantize_group_kernel(
    x_ptr,
    q_ptr,
    s_ptr,
    group_size,
    # the least scale, for groups of zeros
    eps,
    # the range of the 8-bit type
    lowest,
    highest,
    BLOCK: tl.constexpr,
):
    """Groups of a row with a scale each; group_size <= BLOCK. The type is the output pointer's."""
    group = tl.program_id(0)
    x_ptr += group.to(tl.int64) * group_size
    q_ptr += group.to(tl.int64) * group_size
    s_ptr += group

    cols = tl.arange(0, BLOCK)
    mask = cols < group_size
    x = tl.load(x_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x)), eps) / highest
    q = tl.clamp(x / scale, lowest, highest).to(q_ptr.dtype.element_ty)
    tl.store(q_ptr + cols, q, mask=mask)
    tl.store(s_ptr, scale)


def quantize_rows(x: torch.Tensor):
    *outer, N = x.shape
    assert x.is_contiguous()
    M = x.numel() // N
    q = torch.empty_like(x, dtype=torch.int8)
    scales = torch.empty(tuple(outer) + (1, ), device=x.device, dtype=torch.float32)
    block = triton.next_power_of_2(N)
    quantize_row_kernel[(M, )](x, q, scales, x.stride(-2), q.stride(-2), N=N, BLOCK=block,
                               num_warps=min(max(block // 256, 1), 8), num_stages=1)
    return q, scales
