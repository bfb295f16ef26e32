# SPDX-License-Identifier: MIT
"""What bench/beside does with its buffers on the device itself: a case has gigabytes of them, which
would take a host seconds a kernel. Read by the toolkit's own front end."""
import triton
import triton.language as tl


@triton.jit
def draw_kernel(OUT, count: tl.int64, seed, low, high, BLOCK: tl.constexpr):
    """Random numbers from `low` to `high`. Beyond 2^32 of them they repeat."""
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    number = low + (high - low) * tl.rand(seed, i.to(tl.int32))
    tl.store(OUT + i, number.to(OUT.dtype.element_ty), mask=i < count)


@triton.jit
def bits_kernel(OUT, count: tl.int64, seed, BLOCK: tl.constexpr):
    """Random bits."""
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(OUT + i, tl.randint(seed, i.to(tl.int32)).to(OUT.dtype.element_ty), mask=i < count)


@triton.jit
def compare_kernel(REFERENCE, OTHER, LARGEST, WORST, count: tl.int64, FIRST: tl.constexpr,
                   STEPS: tl.constexpr, BLOCK: tl.constexpr):
    """Of each program's elements: the largest magnitude of REFERENCE's, and how far OTHER's are
    from them at most: equal infinities and two NaNs are not apart, one NaN is infinitely far from
    any number."""
    first = tl.program_id(0).to(tl.int64) * (STEPS * BLOCK) + tl.arange(0, BLOCK)
    largest = tl.zeros((BLOCK,), tl.float64)
    worst = tl.zeros((BLOCK,), tl.float64)
    for step in range(STEPS):
        i = first + step * BLOCK
        a = tl.load(REFERENCE + i, mask=i < count, other=0).to(FIRST).to(tl.float64)
        b = tl.load(OTHER + i, mask=i < count, other=0).to(FIRST).to(tl.float64)
        same = (a == b) | ((a != a) & (b != b))
        away = tl.where(same, 0.0, tl.abs(a - b))
        worst = tl.maximum(worst, tl.where(away == away, away, float("inf")))
        largest = tl.maximum(largest, tl.where(a == a, tl.abs(a), 0.0))
    tl.store(LARGEST + tl.program_id(0), tl.max(largest, axis=0))
    tl.store(WORST + tl.program_id(0), tl.max(worst, axis=0))


@triton.jit
def widen_kernel(IN, OUT, first: tl.int64, count: tl.int64, FIRST: tl.constexpr,
                 BLOCK: tl.constexpr):
    """Elements from `first` on as doubles, for whoever looks at them on the host."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(IN + first + i, mask=first + i < count, other=0)
    tl.store(OUT + i, x.to(FIRST).to(tl.float64))
