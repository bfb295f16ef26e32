# RUN: tile-translate --import-triton --kernel kernel --signature "*fp16:16, *fp16:16, *fp32, i32, i32, i32, \"silu\", True" %s | FileCheck %s --check-prefixes=CHECK,SILU
# RUN: tile-translate --import-triton --kernel kernel --signature "*fp16:16, *fp16:16, *fp32, i32, i32, i32, None, False" %s | FileCheck %s --check-prefixes=CHECK,NONE
# RUN: tile-translate --import-triton --kernel kernel --signature "*fp16:16, *fp16:16, *fp32, i32, i32, i32, None, False" %s | tile-opt --tile-to-ptx -o /dev/null
"""Compile-time branches, helpers, loops in both directions, run-time branches and while."""
import triton
import triton.language as tl

SCALE = tl.constexpr(2.5)
OFFSET: tl.constexpr = tl.constexpr(3)

@triton.jit
def silu(x):
    return x / (1.0 + tl.exp(-x))

@triton.jit
def kernel(x_ptr, out_ptr, bias_ptr, M, N, stride_m, ACT: tl.constexpr, HAS_BIAS: tl.constexpr,
           BLOCK_M: tl.constexpr = 16, BLOCK_N: tl.constexpr = 32):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    rm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rm[:, None] < M) & (rn[None, :] < N)
    p = x_ptr + rm[:, None] * stride_m + rn[None, :]
    x = tl.load(p, mask=mask, other=0.0).to(tl.float32)
    if HAS_BIAS:
        b = tl.load(bias_ptr + rn, mask=rn < N, other=0.0)
        x += b[None, :]
    if ACT == "silu":
        x = silu(x)
    elif ACT == "relu":
        x = tl.where(x > 0, x, 0.0)
    acc = 0.0
    count = 0
    for i in range(3, 0, -1):
        acc += i * SCALE
        if count < 2:
            count += 1
    y = x * acc + count
    while count > 0:
        y = y + 1
        count -= 1
    tl.store(out_ptr + rm[:, None] * stride_m + rn[None, :], y.to(out_ptr.dtype.element_ty), mask=mask)


# The parameters' names and the promised divisibility go with the function; compile-time ones are gone.
# CHECK: func.func @kernel(%arg0: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "x_ptr"}
# CHECK-SAME: %arg5: i32 {tile.name = "stride_m"}) attributes {tile.kernel}
# CHECK: arith.extf {{.*}} : tensor<16x32xf16> to tensor<16x32xf32>
# SILU: "tile.load"{{.*}}tensor<32x!tile.ptr<f32>>
# SILU: math.exp
# NONE-NOT: tensor<32x!tile.ptr<f32>>
# NONE-NOT: math.exp
# range(3, 0, -1) counts up and is turned round.
# CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args({{.*}}) -> (f32, i32)
# CHECK: arith.subi %{{.*}}, %[[I]] : i32
# CHECK: scf.if {{.*}} -> (i32)
# CHECK: scf.while {{.*}} : (tensor<16x32xf32>, i32)
# CHECK: arith.truncf {{.*}} : tensor<16x32xf32> to tensor<16x32xf16>
# CHECK: "tile.store"
