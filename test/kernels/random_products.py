"""Plain products as users write them, for random_products.c: all of one signature. Any matrix may lie with its rows or
its columns in order. HAS_BIAS: a row is added to each row of the result, and what is negative becomes 0."""
import triton
import triton.language as tl


@triton.jit
def finish(acc, bias_ptr, offs_n, N, HAS_BIAS: tl.constexpr):
    if HAS_BIAS:
        bias = tl.load(bias_ptr + offs_n, mask=offs_n < N, other=0)
        acc = tl.maximum(acc + bias[None, :].to(acc.dtype), 0)
    return acc


@triton.jit
def tile_of(pid, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP: tl.constexpr):
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    in_group = GROUP * tiles_n
    first_m = pid // in_group * GROUP
    rows = min(tiles_m - first_m, GROUP)
    return first_m + pid % in_group % rows, pid % in_group // rows


# A grid of two dimensions; indices and masks are made anew in each step.
@triton.jit
def grid_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K,
                stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
                PROGRAMS: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr, HAS_BIAS: tl.constexpr):
    offs_m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask_m = offs_m < M
    mask_n = offs_n < N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for start_k in range(0, K, BLOCK_K):
        offs_k = start_k + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak,
                    mask=mask_m[:, None] & (offs_k[None, :] < K), other=0)
        b = tl.load(b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn,
                    mask=(offs_k[:, None] < K) & mask_n[None, :], other=0)
        acc += tl.dot(a, b, input_precision=PRECISION, out_dtype=ACC)
    acc = finish(acc, bias_ptr, offs_n, N, HAS_BIAS)
    tl.store(c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :] * stride_cn, acc.to(c_ptr.dtype.element_ty),
             mask=mask_m[:, None] & mask_n[None, :])


# Programs in groups; pointers that advance; rows and columns past the edge wrap around.
@triton.jit
def grouped_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K,
                   stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                   BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
                   PROGRAMS: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr, HAS_BIAS: tl.constexpr):
    pid_m, pid_n = tile_of(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP)
    offs_am = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    offs_bn = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BLOCK_K, other=0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BLOCK_K, other=0)
        acc = tl.dot(a, b, acc, input_precision=PRECISION, out_dtype=ACC)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    offs_cm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_cn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = finish(acc, bias_ptr, offs_cn, N, HAS_BIAS)
    tl.store(c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :], acc.to(c_ptr.dtype.element_ty),
             mask=(offs_cm[:, None] < M) & (offs_cn[None, :] < N))


# Block pointers, which check bounds.
@triton.jit
def block_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K,
                 stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
                 PROGRAMS: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr, HAS_BIAS: tl.constexpr):
    pid_m, pid_n = tile_of(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP)
    p_a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, stride_ak), (pid_m * BLOCK_M, 0), (BLOCK_M, BLOCK_K), (1, 0))
    p_b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, stride_bn), (0, pid_n * BLOCK_N), (BLOCK_K, BLOCK_N), (1, 0))
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for _ in range(0, K, BLOCK_K):
        a = tl.load(p_a, boundary_check=(0, 1), padding_option="zero")
        b = tl.load(p_b, boundary_check=(0, 1), padding_option="zero")
        acc = tl.dot(a, b, acc, input_precision=PRECISION, out_dtype=ACC)
        p_a = tl.advance(p_a, (0, BLOCK_K))
        p_b = tl.advance(p_b, (BLOCK_K, 0))
    acc = finish(acc, bias_ptr, pid_n * BLOCK_N + tl.arange(0, BLOCK_N), N, HAS_BIAS)
    p_c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, stride_cn), (pid_m * BLOCK_M, pid_n * BLOCK_N),
                            (BLOCK_M, BLOCK_N), (1, 0))
    tl.store(p_c, acc.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


# A program goes over tiles.
@triton.jit
def persistent_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K,
                      stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                      BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
                      PROGRAMS: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr, HAS_BIAS: tl.constexpr):
    offs_k = tl.arange(0, BLOCK_K)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BLOCK_M) * tl.cdiv(N, BLOCK_N), PROGRAMS, flatten=True):
        pid_m, pid_n = tile_of(tile, M, N, BLOCK_M, BLOCK_N, GROUP)
        offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
        offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
        offs_am = tl.where(offs_m < M, offs_m, 0)
        offs_bn = tl.where(offs_n < N, offs_n, 0)
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
        for k in range(tl.cdiv(K, BLOCK_K)):
            at_k = k * BLOCK_K + offs_k
            a = tl.load(a_ptr + (offs_am[:, None] * stride_am + at_k[None, :] * stride_ak),
                        mask=offs_k[None, :] < K - k * BLOCK_K, other=0)
            b = tl.load(b_ptr + (at_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn),
                        mask=offs_k[:, None] < K - k * BLOCK_K, other=0)
            acc = tl.dot(a, b, acc, input_precision=PRECISION, out_dtype=ACC)
        acc = finish(acc, bias_ptr, offs_n, N, HAS_BIAS)
        tl.store(c_ptr + stride_cm * offs_m[:, None] + stride_cn * offs_n[None, :], acc.to(c_ptr.dtype.element_ty),
                 mask=(offs_m[:, None] < M) & (offs_n[None, :] < N))


# Descriptors of a (or of a transposed, where its columns lie in order), of b, and of c.
@triton.jit
def describe(ptr, rows, columns, stride_row, stride_column, BLOCK_ROWS: tl.constexpr, BLOCK_COLUMNS: tl.constexpr,
             TURNED: tl.constexpr):
    if TURNED:
        return tl.make_tensor_descriptor(ptr, [columns, rows], [stride_column, 1], [BLOCK_COLUMNS, BLOCK_ROWS])
    else:
        return tl.make_tensor_descriptor(ptr, [rows, columns], [stride_row, 1], [BLOCK_ROWS, BLOCK_COLUMNS])


@triton.jit
def load_block(descriptor, row, column, TURNED: tl.constexpr):
    if TURNED:
        return descriptor.load([column, row]).T
    else:
        return descriptor.load([row, column])


@triton.jit
def descriptor_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K,
                      stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                      BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
                      PROGRAMS: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr, HAS_BIAS: tl.constexpr,
                      TURNED_A: tl.constexpr, TURNED_B: tl.constexpr):
    pid_m, pid_n = tile_of(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP)
    a_desc = describe(a_ptr, M, K, stride_am, stride_ak, BLOCK_M, BLOCK_K, TURNED_A)
    b_desc = describe(b_ptr, K, N, stride_bk, stride_bn, BLOCK_K, BLOCK_N, TURNED_B)
    c_desc = tl.make_tensor_descriptor(c_ptr, [M, N], [stride_cm, 1], [BLOCK_M, BLOCK_N])
    start_m = pid_m * BLOCK_M
    start_n = pid_n * BLOCK_N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for k in range(0, K, BLOCK_K):
        acc = tl.dot(load_block(a_desc, start_m, k, TURNED_A), load_block(b_desc, k, start_n, TURNED_B), acc,
                     input_precision=PRECISION, out_dtype=ACC)
    acc = finish(acc, bias_ptr, start_n + tl.arange(0, BLOCK_N), N, HAS_BIAS)
    c_desc.store([start_m, start_n], acc.to(c_ptr.dtype.element_ty))


@triton.jit
def persistent_descriptor_kernel(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K,
                                 stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                                 GROUP: tl.constexpr, PROGRAMS: tl.constexpr, ACC: tl.constexpr,
                                 PRECISION: tl.constexpr, HAS_BIAS: tl.constexpr, TURNED_A: tl.constexpr,
                                 TURNED_B: tl.constexpr):
    a_desc = describe(a_ptr, M, K, stride_am, stride_ak, BLOCK_M, BLOCK_K, TURNED_A)
    b_desc = describe(b_ptr, K, N, stride_bk, stride_bn, BLOCK_K, BLOCK_N, TURNED_B)
    c_desc = tl.make_tensor_descriptor(c_ptr, [M, N], [stride_cm, 1], [BLOCK_M, BLOCK_N])
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BLOCK_M) * tl.cdiv(N, BLOCK_N), PROGRAMS, flatten=True):
        pid_m, pid_n = tile_of(tile, M, N, BLOCK_M, BLOCK_N, GROUP)
        start_m = pid_m * BLOCK_M
        start_n = pid_n * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
        for k in range(tl.cdiv(K, BLOCK_K)):
            acc = tl.dot(load_block(a_desc, start_m, k * BLOCK_K, TURNED_A),
                         load_block(b_desc, k * BLOCK_K, start_n, TURNED_B), acc,
                         input_precision=PRECISION, out_dtype=ACC)
        acc = finish(acc, bias_ptr, start_n + tl.arange(0, BLOCK_N), N, HAS_BIAS)
        c_desc.store([start_m, start_n], acc.to(c_ptr.dtype.element_ty))
