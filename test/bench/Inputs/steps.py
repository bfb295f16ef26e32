import triton
import triton.language as tl

NAN = float("nan")


@triton.jit
def add_in_place(X, n, ADD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(X + i, tl.load(X + i, mask=i < n) + ADD, mask=i < n)


# The same for positive numbers.
@triton.jit
def add_magnitude_in_place(X, n, ADD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(X + i, tl.abs(tl.load(X + i, mask=i < n)) + ADD, mask=i < n)


# Zeros, and one element that is something else.
@triton.jit
def mark(OUT, n, AT: tl.constexpr, WHAT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(OUT + i, tl.where(i == AT, WHAT, 0.0), mask=i < n)


@triton.jit
def absolute(X, PASSED, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(PASSED + i, tl.abs(tl.load(X + i, mask=i < n)), mask=i < n)


@triton.jit
def root(PASSED, OUT, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(OUT + i, tl.sqrt(tl.load(PASSED + i, mask=i < n)), mask=i < n)


# What fills are: a 1 for each that is so.
@triton.jit
def check_fills(SCALED, VALUE, NEGATIVE, RAND, BYTES, BITS, FILE, OUT, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    scaled = tl.max(tl.abs(tl.load(SCALED + i)))
    tl.store(OUT, ((scaled <= 0.5) & (scaled > 0.25)).to(tl.float32))
    tl.store(OUT + 1, tl.min((tl.load(VALUE + i) == 3.0).to(tl.float32)))
    negative = tl.load(NEGATIVE + i).to(tl.float32)
    tl.store(OUT + 2, ((tl.max(negative) < 0) & (tl.min(negative) >= -1.0)).to(tl.float32))
    rand = tl.load(RAND + i).to(tl.float32)
    tl.store(OUT + 3, ((tl.max(rand) > 0) & (tl.min(rand) < 0)).to(tl.float32))
    tl.store(OUT + 4, (tl.max(tl.load(BYTES + i).to(tl.int32)) > 100).to(tl.float32))
    tl.store(OUT + 5, (tl.max(tl.load(BITS + i)) > 1000).to(tl.float32))
    tl.store(OUT + 6, tl.min((tl.load(FILE + i).to(tl.int32) == i).to(tl.float32)))
    tl.store(OUT + 7, 1.0)


@triton.jit
def all_true(OUT):
    tl.store(OUT + tl.arange(0, 8), 1.0)
