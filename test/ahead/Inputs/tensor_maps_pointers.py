# SPDX-License-Identifier: MIT
"""A product of matrices by plain pointers, which read boxes of tensors."""
import triton
import triton.language as tl


@triton.jit
def mm(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        steps = k + inner
        a = tl.load(a_ptr + rows[:, None] * K + steps[None, :],
                    mask=(rows[:, None] < M) & (steps[None, :] < K), other=0.0)
        b = tl.load(b_ptr + steps[:, None] * N + columns[None, :],
                    mask=(steps[:, None] < K) & (columns[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], acc.to(tl.float16),
             mask=(rows[:, None] < M) & (columns[None, :] < N))
