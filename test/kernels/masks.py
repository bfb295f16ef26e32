"""Products of a loop behind masks that compare with where the loop is: below a diagonal, above one,
between two, up to a limit, with numbers that the loop carries, and of 64 bits."""
import triton
import triton.language as tl


@triton.jit
def masked_products(q_ptr, k_ptr, out_ptr, first, begin, end, low, high, limit,
                    M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, STEP: tl.constexpr,
                    FORM: tl.constexpr):
    lines = tl.arange(0, M)
    dims = tl.arange(0, D)
    own = tl.arange(0, N)
    rows = first + lines
    q = tl.load(q_ptr + lines[:, None] * D + dims[None, :])
    acc = tl.zeros((M, N), tl.float32)
    weight = 1.0
    count = begin
    left = limit
    for n in range(begin, end, STEP):
        cols = n + own
        k = tl.load(k_ptr + (cols & 63)[None, :] * D + dims[:, None])
        s = tl.dot(q, k)
        if FORM == "below":
            s = tl.where(rows[:, None] + high >= cols[None, :], s, 0.0)
        elif FORM == "above":
            s = tl.where(cols[None, :] > rows[:, None] - low, s, 0.0)
        elif FORM == "between":
            seen = (cols[None, :] < limit) & (rows[:, None] + high > cols[None, :])
            s = tl.where(seen & (rows[:, None] - low <= cols[None, :]), s, 0.0)
        elif FORM == "carried":
            s = tl.where(count + own[None, :] * 2 <= rows[:, None] + high, s, 0.0)
        elif FORM == "left":
            s = tl.where(own[None, :] < left + 0 * rows[:, None], s, 0.0)
        else:
            wide = n.to(tl.int64) + own
            s = tl.where(rows[:, None].to(tl.int64) + high >= wide[None, :], s, 0.0)
        acc += s * weight
        weight = 5.0 - weight
        count += 7
        left -= N
    tl.store(out_ptr + lines[:, None] * N + own[None, :], acc)
