"""Sums of products with a block that is loaded once: before the loop."""
import triton
import triton.language as tl


@triton.jit
def sums_of_products(a_ptr, b_ptr, c_ptr, steps, stride, BLOCK_M: tl.constexpr,
                     BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    a = tl.load(a_ptr + rows[:, None] * stride + depth[None, :])
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(steps):
        b = tl.load(b_ptr + (k * BLOCK_K + depth)[:, None] * BLOCK_N + columns[None, :])
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows[:, None] * BLOCK_N + columns[None, :], acc.to(tl.float16))
