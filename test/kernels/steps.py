"""Loops over K in the ways people write them, with steps whose rows are parts of cache lines (tile-coarsen-k).

Every kernel takes the same arguments. STAGES is num_stages; KEEP is loop_unroll_factor: 1 keeps the steps as they are written,
None does not. A is M x K, or K x M in `transposed`; B is K x N, or N x K (as torch.nn.Linear has it) where the docstring says so.
The grid is tiles of M, tiles of N."""
import triton
import triton.language as tl


@triton.jit
def rows_of(BM: tl.constexpr, BN: tl.constexpr):
    return tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)


@triton.jit
def store(c_ptr, acc, M, N, stride_c, rm, rn):
    tl.store(c_ptr + rm[:, None] * stride_c + rn[None, :], acc.to(c_ptr.dtype.element_ty),
             mask=(rm[:, None] < M) & (rn[None, :] < N))


# --- Forms of one step


@triton.jit
def counted(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """The tutorial's loop: pointers advance, the mask has what is left of K."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rm[:, None] * stride_a + rk[None, :]
    b_ptrs = b_ptr + rk[:, None] * stride_b + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < K - k * BK), other=0.0)
        b = tl.load(b_ptrs, mask=(rk[:, None] < K - k * BK) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * stride_b
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def stepped(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """The loop counts along K; pointers are computed anew. The mask wraps where k + BK does, as in any such loop."""
    rm, rn = rows_of(BM, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        rk = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * stride_a + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * stride_b + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def anew(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
         BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """Scalar pointers computed from the count. B is N x K; masks do not know M and N: their rows wrap instead."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_at = (rm % M)[:, None] * stride_a + rk[None, :]
    b_at = (rn % N)[None, :] * stride_b + rk[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, loop_unroll_factor=KEEP):
        left = K - k * BK
        a = tl.load(a_ptr + k * BK + a_at, mask=rk[None, :] < left, other=0.0)
        b = tl.load(b_ptr + k * BK + b_at, mask=rk[:, None] < left, other=0.0)
        acc = tl.dot(a, b, acc)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def base(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
         BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """Scalar base pointers advance, and what is left is carried, too."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    c_row = c_ptr
    left = K
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptr + (rm[:, None] * stride_a + rk[None, :]), mask=(rm[:, None] < M) & (rk[None, :] < left), other=0.0)
        b = tl.load(b_ptr + (rk[:, None] * stride_b + rn[None, :]), mask=(rk[:, None] < left) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptr += BK
        b_ptr += BK * stride_b
        left -= BK
    store(c_row, acc, M, N, stride_c, rm, rn)


@triton.jit
def descending(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
               BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """The loop counts what is left. B is N x K."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rm[:, None] * stride_a + rk[None, :]
    b_ptrs = b_ptr + rn[None, :] * stride_b + rk[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(K, 0, -BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < k), other=0.0)
        b = tl.load(b_ptrs, mask=(rk[:, None] < k) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def whole(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
          BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """No masks along K, which is a multiple of BK: of an odd number of steps the last one is half."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + (rm % M)[:, None] * stride_a + rk[None, :]
    b_ptrs = b_ptr + rk[:, None] * stride_b + (rn % N)[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K // BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptrs)
        b = tl.load(b_ptrs)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * stride_b
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def linear(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """B is N x K and becomes K x N by tl.trans. Offsets are i64, K is hinted at."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        at = tl.max_contiguous(tl.multiple_of(k + rk, BK), BK)
        a = tl.load(a_ptr + rm[:, None].to(tl.int64) * stride_a + at[None, :].to(tl.int64),
                    mask=(rm[:, None] < M) & (at[None, :] < K), other=0.0, cache_modifier=".cg", eviction_policy="evict_last")
        b = tl.load(b_ptr + rn[:, None].to(tl.int64) * stride_b + at[None, :].to(tl.int64),
                    mask=(rn[:, None] < N) & (at[None, :] < K), other=0.0, eviction_policy="evict_first")
        acc = tl.dot(a, tl.trans(b), acc)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def transposed(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
               BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """A is K x M and becomes M x K by tl.trans; B is N x K."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rk[:, None] * stride_a + rm[None, :]
    b_ptrs = b_ptr + rn[None, :] * stride_b + rk[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptrs, mask=(rk[:, None] < K - k * BK) & (rm[None, :] < M), other=0.0)
        b = tl.load(b_ptrs, mask=(rk[:, None] < K - k * BK) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(tl.trans(a), b, acc)
        a_ptrs += BK * stride_a
        b_ptrs += BK
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def wrapped(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """A alone has a mask along K; rows of B after the last one are that row, times zeros."""
    rm, rn = rows_of(BM, BN)
    rn_wrapped = rn % N
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        rk = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * stride_a + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + tl.minimum(rk, K - 1)[:, None] * stride_b + rn_wrapped[None, :])
        acc = tl.dot(a, b, acc)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def square(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """a a^T of one load, where M = N is one tile; B is not looked at."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rm[:, None] * stride_a + rk[None, :]
    acc = tl.zeros((BM, BM), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < K - k * BK), other=0.0)
        acc = tl.dot(a, tl.trans(a), acc)
        a_ptrs += BK
    store(c_ptr, acc, M, M, stride_c, rm, rm)


@triton.jit
def long(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
         BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """Counts and sizes of i64, and a count of the loop's own, of which the mask is made."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    wide = K.to(tl.int64)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    count = 0
    for k in tl.range(0, wide, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptr + rm[:, None] * stride_a + (k + rk)[None, :],
                    mask=(rm[:, None] < M) & (count * BK + rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + (k + rk)[:, None] * stride_b + rn[None, :],
                    mask=((k + rk)[:, None] < wide) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc)
        count += 1
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def blocks(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """Block pointers."""
    rm, rn = rows_of(BM, BN)
    a_block = tl.make_block_ptr(a_ptr, (M, K), (stride_a, 1), (tl.program_id(0) * BM, 0), (BM, BK), (1, 0))
    b_block = tl.make_block_ptr(b_ptr, (K, N), (stride_b, 1), (0, tl.program_id(1) * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_block, boundary_check=(0, 1), padding_option="zero")
        b = tl.load(b_block, boundary_check=(0, 1), padding_option="zero")
        acc = tl.dot(a, b, acc)
        a_block = tl.advance(a_block, (0, BK))
        b_block = tl.advance(b_block, (BK, 0))
    store(c_ptr, acc, M, N, stride_c, rm, rn)


# --- Types


@triton.jit
def converted(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
              BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """Operands become f16 in the loop; B is N x K."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + rm[:, None] * stride_a + rk[None, :]
    b_ptrs = b_ptr + rn[None, :] * stride_b + rk[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < K - k * BK), other=0)
        b = tl.load(b_ptrs, mask=(rk[:, None] < K - k * BK) & (rn[None, :] < N), other=0)
        acc = tl.dot(a.to(tl.float16), b.to(tl.float16), acc)
        a_ptrs += BK
        b_ptrs += BK
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def whole_numbers(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
                  BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """i8 to i32; B is N x K. What is masked off is not said."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + (rm % M)[:, None] * stride_a + rk[None, :]
    b_ptrs = b_ptr + (rn % N)[None, :] * stride_b + rk[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptrs, mask=rk[None, :] < K - k * BK, other=0)
        b = tl.load(b_ptrs, mask=rk[:, None] < K - k * BK, other=0)
        acc += tl.dot(a, b)
        a_ptrs += BK
        b_ptrs += BK
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def halves(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """Sums of f16."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float16)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptr + rm[:, None] * stride_a + (k + rk)[None, :], mask=(rm[:, None] < M) & (k + rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + (k + rk)[:, None] * stride_b + rn[None, :], mask=(k + rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, out_dtype=tl.float16)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def singles(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr, PRECISION: tl.constexpr):
    """Products of f32, by PRECISION; B is N x K."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptr + rm[:, None] * stride_a + (k + rk)[None, :], mask=(rm[:, None] < M) & (k + rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rn[None, :] * stride_b + (k + rk)[:, None], mask=(k + rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision=PRECISION)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


# --- Loops in other things


@triton.jit
def persistent(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
               BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """One row of programs takes all tiles; odd ones start from 1 and are made in a branch of their own."""
    columns = tl.cdiv(N, BN)
    rk = tl.arange(0, BK)
    tile = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    for t in range(tile, tl.cdiv(M, BM) * columns, tl.num_programs(0) * tl.num_programs(1)):
        rm = t // columns * BM + tl.arange(0, BM)
        rn = t % columns * BN + tl.arange(0, BN)
        a_ptrs = a_ptr + rm[:, None] * stride_a + rk[None, :]
        b_ptrs = b_ptr + rk[:, None] * stride_b + rn[None, :]
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        if K > 0:
            for k in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES, loop_unroll_factor=KEEP):
                a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < K - k * BK), other=0.0)
                b = tl.load(b_ptrs, mask=(rk[:, None] < K - k * BK) & (rn[None, :] < N), other=0.0)
                acc = tl.dot(a, b, acc)
                a_ptrs += BK
                b_ptrs += BK * stride_b
        store(c_ptr, acc, M, N, stride_c, rm, rn)


# --- Loops that stay as they are


@triton.jit
def split(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
          BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """Three parts of K, one after the other, that begin anywhere."""
    rm, rn = rows_of(BM, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for part in range(3):
        for k in tl.range(part * BK, K, 3 * BK, num_stages=STAGES, loop_unroll_factor=KEEP):
            rk = k + tl.arange(0, BK)
            a = tl.load(a_ptr + rm[:, None] * stride_a + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
            b = tl.load(b_ptr + rk[:, None] * stride_b + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
            acc = tl.dot(a, b, acc)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def others(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """What is masked off is 1, of both: the sum is 1 more for each place after K up to a multiple of BK."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptr + rm[:, None] * stride_a + (k + rk)[None, :], mask=(rm[:, None] < M) & (k + rk[None, :] < K), other=1.0)
        b = tl.load(b_ptr + (k + rk)[:, None] * stride_b + rn[None, :], mask=(k + rk[:, None] < K) & (rn[None, :] < N), other=1.0)
        acc = tl.dot(a, b, acc)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def shifted(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """a + 1 makes ones of what is masked off, and so does a choice for B: the sum is (a + 1) b, and 1 for each place after K up to a
    multiple of BK."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        a = tl.load(a_ptr + rm[:, None] * stride_a + (k + rk)[None, :], mask=(rm[:, None] < M) & (k + rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + (k + rk)[:, None] * stride_b + rn[None, :], mask=(k + rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a + 1, tl.where(k + rk[:, None] < K, b, 1), acc)
    store(c_ptr, acc, M, N, stride_c, rm, rn)


@triton.jit
def gathered(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr,
             BK: tl.constexpr, STAGES: tl.constexpr, KEEP: tl.constexpr):
    """Rows of B (K x N, after them K numbers, one a row) where those numbers say; nothing is masked along K, a multiple of BK."""
    rm, rn = rows_of(BM, BN)
    rk = tl.arange(0, BK)
    a_rows = a_ptr + (rm % M)[:, None] * stride_a
    columns = (rn % N)[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K // BK, num_stages=STAGES, loop_unroll_factor=KEEP):
        at = k * BK + rk
        row = tl.load(b_ptr + (K + at) * stride_b).to(tl.int32)
        a = tl.load(a_rows + at[None, :])
        b = tl.load(b_ptr + row[:, None] * stride_b + columns)
        acc = tl.dot(a, b, acc)
    store(c_ptr, acc, M, N, stride_c, rm, rn)
