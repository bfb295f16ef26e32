# RUN: tile-run %s --device emulator --kernel halves --grid 1 --arg x_ptr=i32[16]:arange --arg out_ptr=i32[4]:poison --print out_ptr:4 | FileCheck %s
# RUN: not tile-translate --import-triton --kernel endless --signature "*i32" %s 2>&1 | FileCheck %s --check-prefix=ENDLESS
"""Functions that call themselves: each call by other shapes or compile-time values is code of its own, as in
Triton; calls are nested 64 deep at most. By the same types again: invalid/calls.py."""
import triton
import triton.language as tl


@triton.jit
def total(x):
    if x.shape[0] == 1:
        return x
    else:
        even, odd = x.reshape((x.shape[0] // 2, 2)).split()
        return total(even) + total(odd)


@triton.jit
def power(x, n: tl.constexpr):
    if n == 0:
        return 1
    else:
        return x * power(x, n - 1)


@triton.jit
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@triton.jit
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@triton.jit
def sums(tiles):
    if len(tiles) == 1:
        return tiles[0]
    else:
        return tiles[0] + sums(tiles[1:])


# 0 + 1 + ... + 15, 3 to the power of 5, 7 is odd, and 3 + 1 + 2.
# CHECK: out_ptr = 120 243 1 6
@triton.jit
def halves(x_ptr, out_ptr):
    tl.store(out_ptr + tl.arange(0, 1), total(tl.load(x_ptr + tl.arange(0, 16))))
    three = tl.load(x_ptr + 3)
    tl.store(out_ptr + 1, power(three, 5))
    tl.store(out_ptr + 2, 1 if is_odd(7) else 0)
    tl.store(out_ptr + 3, sums((three, tl.load(x_ptr + 1), tl.load(x_ptr + 2))))


# ENDLESS: error: calls are nested more than 64 deep
@triton.jit
def endless(x_ptr):
    tl.store(x_ptr, power(tl.load(x_ptr), -1))
