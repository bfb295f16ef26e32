"""A product of matrices whose blocks have roles: one thread copies, the others multiply."""
import triton
import triton.language as tl


@triton.jit
def matmul_of_roles(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_b, stride_cm,
                    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                    PROGRAMS: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[stride_am, 1],
                                       block_shape=[BLOCK_M, BLOCK_K])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[K, N], strides=[stride_b, 1],
                                       block_shape=[BLOCK_K, BLOCK_N])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[stride_cm, 1],
                                       block_shape=[BLOCK_M, BLOCK_N])
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS):
        start_m = tile % tiles_m * BLOCK_M
        start_n = tile // tiles_m * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for k in tl.range(tl.cdiv(K, BLOCK_K), num_stages=4):
            a = a_desc.load([start_m, k * BLOCK_K])
            b = b_desc.load([k * BLOCK_K, start_n])
            acc = tl.dot(a, b, acc)
        c_desc.store([start_m, start_n], acc.to(tl.float16))
