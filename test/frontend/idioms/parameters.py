# Annotations and defaults of parameters.
# RUN: %import --kernel annotated --signature "*fp32, i32, i64, fp32, i32, 16, 3, True" %s | FileCheck %s --check-prefix=ANNOTATED
# RUN: %import --kernel defaults --signature "*fp32" %s | FileCheck %s --check-prefix=DEFAULTS
# RUN: %import --kernel defaults --signature "*fp32, 3, *fp32, fp32, False, \"sum\", None, 32, tl.float16" %s | FileCheck %s --check-prefix=GIVEN
# RUN: %import --kernel keyword_only --signature "*fp32, i32, 16" %s | FileCheck %s --check-prefix=KEYWORDS
# RUN: %import --kernel many --signature "*fp32, *fp32, i32, i32:16, 1, 1, 16, 16" %s | FileCheck %s --check-prefix=MANY
"""What stands after a parameter's name."""
from typing import Optional

import torch
import triton
import triton.language as tl
from triton.language import constexpr


@triton.jit
def annotated(x_ptr: torch.Tensor, n: int, stride: tl.int64, scale: float, m: "tl.int32",
              BLOCK: constexpr, K: "tl.constexpr", FLAG: tl.constexpr) -> None:
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if FLAG:
        tl.store(x_ptr + offsets * stride + m, scale * K, mask=offsets < n)


# ANNOTATED: func.func @annotated(%arg0: !tile.ptr<f32> {tile.name = "x_ptr"}, %arg1: i32 {tile.name = "n"}, %arg2: i64 {tile.name = "stride"}, %arg3: f32 {tile.name = "scale"}, %arg4: i32 {tile.name = "m"})


@triton.jit
def defaults(x_ptr, K: tl.constexpr = 2, bias_ptr: Optional[torch.Tensor] = None, scale=1.0,
             FLAG: tl.constexpr = True, REDUCTION: tl.constexpr = "mean", seed=None,
             BLOCK: tl.constexpr = 2 * 8, DTYPE: tl.constexpr = tl.float32):
    offsets = tl.arange(0, BLOCK)
    x = tl.full([BLOCK], K, DTYPE) * scale
    if bias_ptr is not None:
        x += tl.load(bias_ptr + offsets)
    if FLAG and REDUCTION == "mean":
        x = x / BLOCK
    if seed is not None:
        x += tl.rand(seed, offsets)
    tl.store(x_ptr + offsets, x)


# DEFAULTS: func.func @defaults(%arg0: !tile.ptr<f32> {tile.name = "x_ptr"}) attributes {tile.kernel}
# DEFAULTS: tensor<16xf32>
# DEFAULTS: arith.divf
# GIVEN: func.func @defaults(%arg0: !tile.ptr<f32> {tile.name = "x_ptr"}, %arg1: !tile.ptr<f32> {tile.name = "bias_ptr"}, %arg2: f32 {tile.name = "scale"})
# GIVEN: tensor<32xf16>
# GIVEN-NOT: arith.divf


@triton.jit
def keyword_only(x_ptr, n, *, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, 1.0, mask=offsets < n)


# KEYWORDS: "tile.store"


# fmt: off
@triton.jit
def many(
    # pointers
    x_ptr, y_ptr,  # two tensors
    # sizes and strides
    n, stride_xm,
    stride_xn,  # 1
    stride_yn: tl.constexpr,
    # sizes of blocks
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):
    rows = tl.arange(0, BLOCK_M)[:, None]
    cols = tl.arange(0, BLOCK_N)[None, :]
    x = tl.load(x_ptr + rows * stride_xm + cols * stride_xn,
                mask=(rows < n) & (cols < n))
    tl.store(y_ptr + rows * stride_xm + cols * stride_yn, x, mask=(rows < n) & (cols < n),)
# fmt: on


# MANY: func.func @many
# MANY-SAME: tile.divisibility = 16 : i32, tile.name = "stride_xm"
