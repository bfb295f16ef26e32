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
