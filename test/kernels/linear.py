"""A linear layer in one kernel: product, bias, activation and residual, without the product in memory between."""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def gelu_tanh(x):
    return 0.5 * x * (1.0 + libdevice.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


@triton.jit
def gelu_erf(x):
    return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))


@triton.heuristics({
    "HAS_BIAS": lambda args: args["bias_ptr"] is not None,
    "HAS_RESIDUAL": lambda args: args["res_ptr"] is not None,
    "SAVE_SUM": lambda args: args["sum_ptr"] is not None,
})
@triton.jit
def linear_act_kernel(
    x_ptr, w_ptr, bias_ptr, res_ptr, y_ptr, sum_ptr,
    M, N, K,
    stride_xm, stride_wn, stride_ym,
    ACTIVATION: tl.constexpr,  # "", "gelu", "gelu_tanh" or "relu"
    HAS_BIAS: tl.constexpr, HAS_RESIDUAL: tl.constexpr, SAVE_SUM: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    """y = activation(x w^T + bias) + residual, with w of N x K as torch.nn.Linear has it; what goes into the
    activation is kept for the backward pass where sum_ptr is given."""
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    pid_m = pid // tiles_n
    pid_n = pid % tiles_n
    pid_m, pid_n = tl.swizzle2d(pid_m, pid_n, tiles_m, tiles_n, GROUP_M)
    rm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    rk = tl.arange(0, BLOCK_K)
    x_ptrs = x_ptr + rm[:, None] * stride_xm + rk[None, :]
    w_ptrs = w_ptr + rn[None, :] * stride_wn + rk[:, None]

    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    if HAS_BIAS:
        bias = tl.load(bias_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)
        acc += bias[None, :]
    for k in range(K, 0, -BLOCK_K):
        x = tl.load(x_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < k), other=0.0)
        w = tl.load(w_ptrs, mask=(rk[:, None] < k) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(x, w)
        x_ptrs += BLOCK_K
        w_ptrs += BLOCK_K

    offsets = rm[:, None] * stride_ym + rn[None, :]
    mask = (rm[:, None] < M) & (rn[None, :] < N)
    if SAVE_SUM:
        tl.store(sum_ptr + offsets, acc.to(sum_ptr.dtype.element_ty), mask=mask)
    if ACTIVATION == "gelu":
        acc = gelu_erf(acc)
    elif ACTIVATION == "gelu_tanh":
        acc = gelu_tanh(acc)
    elif ACTIVATION == "relu":
        acc = tl.maximum(acc, 0.0)
    if HAS_RESIDUAL:
        acc += tl.load(res_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, acc.to(y_ptr.dtype.element_ty), mask=mask)


class FusedLinear(torch.nn.Linear):

    def __init__(self, *args, activation="gelu", **kwargs):
        super().__init__(*args, **kwargs)
        self.activation = activation

    def forward(self, x, residual=None, keep_sum=False):
        shape = x.shape[:-1] + (self.out_features, )
        x = x.reshape(-1, self.in_features)
        M, K = x.shape
        N = self.out_features
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        total = torch.empty_like(y) if keep_sum else None
        grid = lambda META: (triton.cdiv(M, META["BLOCK_M"]) * triton.cdiv(N, META["BLOCK_N"]), )
        linear_act_kernel[grid](
            x, self.weight, self.bias, residual, y, total,
            M, N, K,
            x.stride(0), self.weight.stride(0), y.stride(0),
            ACTIVATION=self.activation, BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, GROUP_M=8, num_warps=8)
        return (y.reshape(shape), total) if keep_sum else y.reshape(shape)
