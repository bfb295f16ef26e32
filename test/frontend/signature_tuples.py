# RUN: tile-translate --import-triton --kernel named --signature "View(*fp32:16, (i32, 3))" %s | FileCheck %s --check-prefix=NAMED
# RUN: not tile-translate --import-triton --kernel named --signature "View(*fp32:16,)" %s 2>&1 | FileCheck %s --check-prefix=NAMED-FEW
# RUN: tile-translate --import-triton --kernel sums --signature "(*fp32:16, (i32, *fp32), 4), (), i32" --constexpr SIZE=16 %s | FileCheck %s
# RUN: tile-run %s --device emulator --kernel sums --signature "(*fp32:16, (i32, *fp32), 4), (), i32" --constexpr SIZE=16 --grid 1 --check --arg t.0=fp32[20]:arange --arg t.1.0=i32:3 --arg t.1.1=fp32[16]:poison --arg n=i32:1 --print t.1.1:4 | FileCheck %s --check-prefix=OUT
# RUN: tile-translate --tile-to-ptx --kernel sums --signature "(*fp32:16, (i32, *fp32), 4), (), i32" --constexpr SIZE=16 %s | FileCheck %s --check-prefix=METADATA
# The names of the arguments make the tuples where there is no signature.
# RUN: tile-run %s --device emulator --kernel derived --grid 1 --check --arg t.0=fp32[16]:ones --arg t.1.0=fp32[16]:arange --arg t.1.1=fp32[16]:poison --arg u.0=i32:5 --arg n=i32:7 --print t.1.1:4 | FileCheck %s --check-prefix=DERIVED
"""Tuples of pointers, integers and constants as arguments: a launch passes their parts."""
from typing import NamedTuple

import triton
import triton.language as tl


# CHECK: func.func @sums(%arg0: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "t.0"}, %arg1: i32 {tile.name = "t.1.0"}, %arg2: !tile.ptr<f32> {tile.name = "t.1.1"}, %arg3: i32 {tile.name = "n"})
# A launch passes the parts in this order.
# METADATA: tile.argument name=t.0 kind=pointer type=f32 divisibility=16
# METADATA-NEXT: tile.argument name=t.1.0 kind=i32
# METADATA-NEXT: tile.argument name=t.1.1 kind=pointer type=f32
# METADATA-NEXT: tile.argument name=n kind=i32
# OUT: t.1.1 = 8 9 10 11 ...
@triton.jit
def sums(t, empty, n, SIZE: tl.constexpr):
    source, (shift, target), step = t
    tl.static_assert(len(empty) == 0 and step == 4 and len(t[1]) == 2)
    where = tl.arange(0, SIZE)
    for i in range(n):
        # A tuple is carried through a loop part by part.
        t = (t[0] + step, t[1], t[2])
    tl.store(target + where, tl.load(t[0] + where) + shift + n)


# DERIVED: t.1.1 = 13 14 15 16 ...
@triton.jit
def derived(t, u, n):
    where = tl.arange(0, 16)
    tl.store(t[1][1] + where, tl.load(t[0] + where) + tl.load(t[1][0] + where) + u[0] + n)


class View(NamedTuple):
    pointer: tl.tensor
    shape: tuple

    @triton.jit
    def last(self):
        return self.shape[1]


# A named tuple of a class of the file.
# NAMED: func.func @named(%arg0: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "v.0"}, %arg1: i32 {tile.name = "v.1.0"})
# NAMED-FEW: error: signature, entry 1: 'View' has 2 fields, not 1
@triton.jit
def named(v):
    tl.static_assert(v.last() == 3)
    tl.store(v.pointer + v.shape[0], v[1][1])
