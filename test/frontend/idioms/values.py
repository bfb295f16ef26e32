# RUN: tile-run %s --kernel chosen --constexpr CHOICE=True --grid 1 --arg p=i32[4]:0 --print p:4 | FileCheck %s --check-prefix=STATIC
# RUN: tile-run %s --kernel chosen --constexpr CHOICE=False --grid 1 --arg p=i32[4]:0 --print p:4 | FileCheck %s --check-prefix=STATIC
# RUN: tile-run %s --kernel assigned --grid 1 --arg p=i32[4]:0 --arg n=i32:7 --print p:4 | FileCheck %s --check-prefix=ASSIGNED
# RUN: tile-run %s --kernel by_name --constexpr OP=tl.maximum --grid 1 --arg p=fp32[4]:2 --arg q=fp32[4]:3 --print p:4 | FileCheck %s --check-prefix=NAME
# RUN: tile-run %s --kernel named --grid 1 --arg p=fp32[4]:2 --print p:4 | FileCheck %s --check-prefix=NAMED
# RUN: tile-run %s --device emulator --kernel combined --grid 1 --arg p=fp32[16]:arange --print p:2 | FileCheck %s --check-prefix=COMBINED
# RUN: not tile-run %s --device emulator --kernel combined --grid 1 --arg p=fp32[16]:-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
# RUN: tile-run %s --kernel one --grid 1 --arg p=fp32[4]:2 --print p:4 | FileCheck %s --check-prefix=ONE

# Values that stand for loops, functions, attributes and records.
import collections
import typing
from typing import NamedTuple

import triton
import triton.language as tl


def double(x):
    return 2 * x


twice = triton.constexpr_function(double)


# STATIC: p = 7 4 0 0
@triton.jit
def chosen(p, CHOICE: tl.constexpr):
    loop: tl.constexpr = tl.static_range if CHOICE else tl.range
    total = 0
    for i in loop(0, 3):
        total += i
    for i in (tl.static_range if CHOICE else range)(3):
        total += 1
    for i in tl.static_range(0, 1) if CHOICE else range(0, 1):
        total += 1
    tl.store(p, total)
    tl.store(p + 1, twice(2))
    return total # a launch has no result


# ASSIGNED: p = 5 18 10 1
@triton.jit
def assigned(p, n):
    i = 0
    total = 8
    while (i := i + 1) < 5:
        total += i
    tl.store(p, i)
    tl.store(p + 1, total)
    if (m := 2 * i) > 3:
        tl.store(p + 2, m)
    while tl.condition(n > 1, disable_licm=True):
        n -= 1
    tl.store(p + 3, n)


@triton.jit
def apply(f, x, y):
    return f(x, y)


# NAME: p = 8 1 -1 0
@triton.jit
def by_name(p, q, OP: tl.constexpr):
    value = apply(OP, tl.load(p), tl.load(q))
    tl.store(p, getattr(tl, "exp2")(value))
    tl.store(p + 1, hasattr(tl, "exp2").to(tl.float32) if False else 1)
    tl.store(p + 2, getattr(value.dtype, "nothing", -1))
    if hasattr(tl, "nothing") or not hasattr(value, "to"):
        tl.store(p + 3, 1)
    else:
        tl.store(p + 3, 0)


class Pair(NamedTuple):
    first: tl.tensor
    second: tl.tensor = 4


Nested = collections.namedtuple("Nested", ["pair", "rest"], defaults=[(1, 2)])


@triton.jit
def product(pair):
    return pair.first * pair.second


# NAMED: p = 24 6 4 3
@triton.jit
def named(p):
    pair = Pair(tl.load(p))
    for i in range(0, 3):
        pair = Pair(pair.first + i, second=pair.second)
    if tl.load(p) > 1:
        pair = Pair(pair.first + 1, pair.second)
    else:
        pair = Pair(pair.first, pair.second)
    nested = Nested(Pair(pair.first, 4))
    x, y = nested.rest
    tl.store(p, product(nested.pair))
    tl.store(p + 1, pair[0])
    tl.store(p + 2, nested.pair.second)
    tl.store(p + 3, x + y)


# The tile is there for its type alone; the assertion is checked wherever two elements meet.
@triton.jit
def checked_sum(a, b):
    kind = tl.zeros([1], tl.float32).dtype
    tl.device_assert(a >= 0, "negative")
    return (a + b).to(kind)


# COMBINED: p = 120 1
# NEGATIVE: negative
@triton.jit
def combined(p):
    tl.store(p, tl.reduce(tl.load(p + tl.arange(0, 16)), 0, checked_sum))


# ONE: p = 2 1 5 5
@triton.jit
def one(p):
    flag = tl.load(p + tl.arange(0, 1)) > 1
    if flag:
        tl.store(p + 1, 1)
    else:
        tl.store(p + 1, 0)
    new: tl.constexpr = None
    tl.store((p + 2)[None, :] + tl.arange(0, 2)[new, None:None], 5)
