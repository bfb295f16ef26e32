"""Products of matrices that tensor descriptors describe."""
import triton
import triton.language as tl


@triton.jit
def tile_of_program(M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    in_group = GROUP_M * tiles_n
    first_m = pid // in_group * GROUP_M
    rows = min(tiles_m - first_m, GROUP_M)
    return (first_m + pid % in_group % rows) * BLOCK_M, pid % in_group // rows * BLOCK_N


# C = A B; where B_IS_TRANSPOSED, B lies in memory with K as its rows' dimension: N x K.
@triton.jit
def matmul_descriptors(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_b, stride_cm,
                       BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                       GROUP_M: tl.constexpr, B_IS_TRANSPOSED: tl.constexpr):
    start_m, start_n = tile_of_program(M, N, BLOCK_M, BLOCK_N, GROUP_M)
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[stride_am, 1],
                                       block_shape=[BLOCK_M, BLOCK_K])
    if B_IS_TRANSPOSED:
        b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[stride_b, 1],
                                           block_shape=[BLOCK_N, BLOCK_K])
    else:
        b_desc = tl.make_tensor_descriptor(b_ptr, shape=[K, N], strides=[stride_b, 1],
                                           block_shape=[BLOCK_K, BLOCK_N])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[stride_cm, 1],
                                       block_shape=[BLOCK_M, BLOCK_N])
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = a_desc.load([start_m, k])
        if B_IS_TRANSPOSED:
            acc = tl.dot(a, b_desc.load([start_n, k]).T, acc)
        else:
            acc = tl.dot(a, b_desc.load([k, start_n]), acc)
    c_desc.store([start_m, start_n], acc.to(c_ptr.dtype.element_ty))

