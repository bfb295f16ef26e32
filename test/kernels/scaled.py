"""A product of matrices in block-scaled formats: one program, whole matrices."""
import triton
import triton.language as tl


@triton.jit
def scaled_product_kernel(a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, c_ptr,
                          A_FORMAT: tl.constexpr, B_FORMAT: tl.constexpr,
                          A_PACKED: tl.constexpr, B_PACKED: tl.constexpr,
                          M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    group = tl.arange(0, K // 32)
    a_k = tl.arange(0, K // A_PACKED)
    b_k = tl.arange(0, K // B_PACKED)
    a = tl.load(a_ptr + m[:, None] * (K // A_PACKED) + a_k[None, :])
    b = tl.load(b_ptr + b_k[:, None] * N + n[None, :])
    a_scale = tl.load(a_scale_ptr + m[:, None] * (K // 32) + group[None, :])
    b_scale = tl.load(b_scale_ptr + n[:, None] * (K // 32) + group[None, :])
    c = tl.dot_scaled(a, a_scale, A_FORMAT, b, b_scale, B_FORMAT)
    tl.store(c_ptr + m[:, None] * N + n[None, :], c)
