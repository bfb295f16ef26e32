# RUN: tile-run %s --device emulator --kernel objects --grid 1 --arg p=i32[16]:arange --print p:16 | FileCheck %s --check-prefix=OBJECTS
# RUN: tile-run %s --device emulator --kernel replaces --grid 1 --arg p=i32[8]:arange --print p:8 | FileCheck %s --check-prefix=REPLACED
# RUN: tile-run %s --device emulator --kernel loops --grid 1 --arg p=i32[4]:arange --arg n=i32:3 --print p:4 | FileCheck %s --check-prefix=LOOPS
"""Objects of classes under triton.aggregate: fields, methods, __init__, __getitem__, a base class."""
import triton
import triton.language as tl
from typing import NamedTuple


@triton.aggregate
class Pair:
    first: tl.tensor
    second: tl.tensor

    @triton.jit
    def get_first(self):
        return self.first

    def get_second(self, _semantic=None):
        return self.second

    @triton.jit
    def swapped(self):
        return Pair(self.get_second(), self.get_first())

    def __getitem__(self, index: tl.constexpr, _semantic=None):
        if index == 0:
            return self.first
        assert index == 1
        return self.second

    @triton.jit
    def with_first(self, x):
        self.first = x
        return self


@triton.aggregate
class Square:
    side: tl.constexpr
    area: tl.constexpr

    def __init__(self, side):
        self.side = tl.constexpr(side)
        self.area = tl.constexpr(self.squared())

    @triton.constexpr_function
    def squared(self):
        return self.side * self.side

    @staticmethod
    def of(x):
        return Pair(x, tl.constexpr(42))


@triton.aggregate
class Range(Pair):
    length: tl.constexpr

    def __init__(self, length: tl.constexpr, _semantic=None):
        self.first = tl.arange(0, length, _semantic=_semantic)
        self.second = self.first * 2
        self.length = length


class Function(NamedTuple):
    fn: tl.constexpr
    captured: tuple


# Another object of the class, made by its constructor; the first stays. A tuple's type is that of its items.
# REPLACED: p = 0 1 2 3 8 9 10 11
@triton.jit
def replaces(p):
    i = tl.arange(0, 4)
    pair = Pair(i, i + 4)
    other = tl.aggregate_replace(pair, second=i + 8)
    tl.store(p + pair.first, other.first)
    tl.store(p + pair.second, other.second)
    tl.static_assert((1, pair.second).type == tl.tuple_type([tl.constexpr(1).type, pair.second.type]))
    tl.static_assert((i, p).type != tl.tuple_type([i.type, i.type]))
    tl.static_assert(tl.tuple_type((tl.int32, tl.float32))[1] == tl.float32)


@triton.jit
def scale(x, a, b):
    return x * a + b


# OBJECTS: p = 4 5 6 7 0 1 2 3 43 44 45 46 6 16 4 21
@triton.jit
def objects(p):
    i = tl.arange(0, 4)
    pair = Pair(i, i + 4)
    swapped = pair.swapped()
    tl.store(p + i, swapped.first)
    tl.store(p + 4 + i, swapped[1])
    changed = Square.of(i)
    tl.store(p + 8 + i, changed.first + changed.second + 1)
    square = Square(4)
    tl.static_assert(square.side == 4 and square.area == 16 and square.squared() == 16)
    r = Range(4)
    tl.store(p + 12, tl.sum(r.get_first()))
    tl.store(p + 13, square.area)
    tl.store(p + 14, r.length)
    f = Function(scale, (tl.load(p + 13), 5))
    tl.store(p + 15, f.fn(1, *f.captured))
    # The object itself stays as it is.
    other = pair.with_first(i * 0)
    tl.static_assert(isinstance(other.length if False else 3, int))
    tl.store(p + i, pair.first + 4 + other.first)


# An object is carried by loops and branches field by field.
# LOOPS: p = 3 4 5 6
@triton.jit
def loops(p, n):
    i = tl.arange(0, 4)
    pair = Pair(i, i * 0)
    for k in range(n):
        if k % 2 == 0:
            pair = pair.with_first(pair.first + 1)
        else:
            pair = Pair(pair.first, pair.second + 1)
    tl.store(p + i, pair.first + pair.second)
