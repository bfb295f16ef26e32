# Forms of the language that kernels in the wild use, and that a front end may overlook.
# RUN: %import --kernel tests --signature "*fp32, i32, 2, True, None" %s | FileCheck %s --check-prefix=TESTS
# RUN: %import --kernel loops --signature "*fp32, i32, 4" %s | FileCheck %s --check-prefix=LOOPS
# RUN: %import --kernel subscripts --signature "*fp32, 8" %s | FileCheck %s --check-prefix=SUBSCRIPTS
# RUN: %import --kernel assignments --signature "*fp32, *i32, i32, 16" %s | FileCheck %s --check-prefix=ASSIGNMENTS
# RUN: %import --kernel numbers --signature "*i64, i32, i64" %s | FileCheck %s --check-prefix=NUMBERS
# RUN: %import --kernel calls --signature "*fp32, i32, 16" %s | FileCheck %s --check-prefix=CALLS
# RUN: %import --kernel comparisons --signature '*fp16, i32, "fp16", 3' %s | FileCheck %s --check-prefix=COMPARISONS
"""Section by section what a census of public kernels lists under syntax."""
import triton
import triton.language as tl

NEGATIVE = tl.constexpr(-1)
LOG2E = tl.constexpr(1.4426950408889634)
PLAIN_NUMBER = tl.constexpr(7)


@triton.jit
def tests(p, n, MODE: tl.constexpr, FLAG: tl.constexpr, other):
    """A docstring."""
    if other is None:
        tl.store(p, 1.0)
    if other is not None:
        undefined_function(other)
    if MODE == 1 or not FLAG:
        undefined_function(p)
    elif MODE == 2 and FLAG:
        tl.store(p + 1, 2.0)
    else:
        undefined_function(p)
    x = 3.0 if MODE == 2 else undefined_name
    tl.store(p + 2, x)
    y = 4.0 if n > 3 else 5.0
    tl.store(p + 3, y)
    if (n > 1 and n < 10) or n == 20:
        tl.store(p + 4, 6.0)
    if not n:
        return
    if n == 1:
        pass
    elif n == 2:
        tl.store(p + 5, 7.0)
    else:
        tl.store(p + 6, 8.0)
        return
    tl.store(p + 7, 9.0)


# TESTS: func.func @tests
# TESTS-NOT: undefined
# TESTS: 4.000000e+00
# TESTS: scf.if
# TESTS: 9.000000e+00


@triton.jit
def loops(p, n, N: tl.constexpr):
    acc = 0.0
    for i in range(n):
        for j in range(1, n):
            acc += i * j
    for i in range(N - 1, -1, -1):
        acc -= i
    for i in range(n - 1, -1, -2):
        acc *= 2
    for i in tl.range(0, n, N, num_stages=3):
        acc += 1
    for i in tl.static_range(N):
        acc += i
    for i in tl.static_range(1, N):
        acc /= i
    for i in tl.static_range(N, 0, -2):
        acc += i
    while n > 0:
        n //= 2
        acc += 1
    low = 0
    high = n
    while low < high and acc > 0:
        middle = (low + high) // 2
        if tl.load(p + middle) < acc:
            low = middle + 1
        else:
            high = middle
    tl.store(p + low, acc)


# LOOPS: scf.for
# LOOPS: scf.for
# LOOPS: tile.num_stages = 3
# LOOPS: scf.while
# LOOPS: scf.while


@triton.jit
def subscripts(p, N: tl.constexpr):
    a = tl.arange(0, N)
    two = a[:, None] + a[None, :]
    three = two[:, :, None] + a[None, None, :]
    b = a[None, :, None] + a[:, None, None] + three
    c = b[:, None, :, :]
    four = a[None, None, None, :] + a[None, :, None, None]
    shape = (N, N)
    sizes = [N, shape[0], shape[-1]]
    tl.store(p + tl.sum(tl.sum(tl.sum(four, 3), 2), 1), sizes[1])
    s = tl.sum(a)
    tl.store(p + s[None], 1.0)
    tl.store(p + c, 0.0)


# SUBSCRIPTS: tensor<8x1x8x8x!tile.ptr<f32>>


@triton.jit
def two_values(x):
    return x + 1, x * 2


@triton.jit
def assignments(p, q, n, N: tl.constexpr):
    a, b = two_values(n)
    (c, d), e = two_values(a), 3
    a, b = b, a
    f = g = a + b
    x = tl.load(p + tl.arange(0, N))
    x += 1
    x -= a
    x *= 2
    x /= 3
    k = tl.load(q + tl.arange(0, N))
    k &= 7
    k |= 8
    k ^= n
    k //= 3
    k %= 5
    k <<= 1
    k >>= 1
    p += n
    p = p + tl.arange(0, N)
    n = n.to(tl.int64)
    width: tl.constexpr = N * 2
    half: tl.constexpr = width // 4
    total: tl.float32 = 0.0
    tl.store(p, x + k + f + g + c + d + e + half + total)


# ASSIGNMENTS: arith.remsi {{.*}} : tensor<16xi32>
# ASSIGNMENTS: arith.shrsi
# ASSIGNMENTS: "tile.store"


@triton.jit
def numbers(p, n, m):
    tl.store(p, 1 << 40)
    tl.store(p + 1, 0xFFFFFFFF)
    tl.store(p + 2, m * 0x100000000)
    tl.store(p + 3, -n)
    tl.store(p + 4, ~n)
    tl.store(p + 5, n // 3 % 4 - (n ^ 5) | (n & 3) << 2)
    tl.store(p + 6, min(n, 3) + max(m, 4))
    tl.store(p + 7, 2 ** 10)
    tl.store(p + 8, NEGATIVE + PLAIN_NUMBER)
    tl.store(p + 9, len((1, 2, 3)))
    tl.store(p + 10, int(3.9))
    tl.store(p + 11, n / 2 > float("-inf"))
    tl.store(p + 12, True)
    tl.store(p + 13, n * LOG2E > 3.)


# NUMBERS: arith.constant 1099511627776 : i64
# NUMBERS: arith.constant 4294967295 : i64


@triton.jit
def add(x, y):
    return x + y


@triton.jit
def apply(function, x, y):
    return function(x, y)


@triton.jit
def with_defaults(x, factor=2.0, offset: tl.constexpr = 1):
    # several returns, decided when it is compiled
    if offset == 0:
        return x * factor
    return x * factor + offset


@triton.jit
def maybe(x, n):
    if n > 3:
        return x
    return -x


@triton.jit
def calls(p, n, N: tl.constexpr):
    x = tl.load(p + tl.arange(0, N))
    x = add(y=x, x=1.0)
    x = apply(add, x, 2.0)
    x = with_defaults(with_defaults(x), offset=0, factor=3.0)
    x = maybe(x, n)
    r = tl.reduce(x, 0, add)
    best, where = tl.max(x, axis=0, return_indices=True)
    parts = tl.associative_scan(x, axis=0, combine_fn=add)
    tl.static_assert(N % 2 == 0, f"N is {N}")
    assert N > 1, "N is too small"
    tl.static_print("compiling for", N)
    tl.store(p + tl.arange(0, N), parts + r + best + where)


# CALLS: "tile.reduce"
# CALLS: "tile.scan"


@triton.jit
def comparisons(p, n, NAME: tl.constexpr, N: tl.constexpr):
    if NAME == "fp16":
        tl.store(p, 1.0)
    if NAME != "fp16":
        undefined_function(p)
    if NAME in ("bf16", "fp16"):
        tl.store(p + 1, 2.0)
    if p.dtype.element_ty == tl.float16:
        tl.store(p + 2, 3.0)
    if p.dtype.element_ty is tl.bfloat16:
        undefined_function(p)
    if 0 < N <= 3:
        tl.store(p + 3, 4.0)
    x = tl.load(p)
    if x.dtype == tl.float16 and not x.dtype.is_int():
        tl.store(p + 4, x.to(tl.float32) >= 0)
    tl.store(p + 5, tl.where((x != x) | (x == 0), 0.0, x))


# COMPARISONS-COUNT-6: "tile.store"
