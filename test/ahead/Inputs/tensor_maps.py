# SPDX-License-Identifier: MIT
"""A product of matrices by descriptors that a launch can make."""
import triton
import triton.language as tl


@triton.jit
def mm(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    a = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [BK, BN])
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([pm * BM, k]), b.load([k, pn * BN]), acc)
    c = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BM, BN])
    c.store([pm * BM, pn * BN], acc.to(tl.float16))
