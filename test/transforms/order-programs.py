# SPDX-License-Identifier: MIT
# Which kernels start the longest programs first (tile-order-programs), and that every program runs once.
# UNSUPPORTED: short
# RUN: split-file %s %t
# RUN: tile-translate --import-triton --kernel causal --signature "*fp32, *i32, i32, 0" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs | FileCheck %s --check-prefix=LONGER
# RUN: tile-translate --import-triton --kernel causal --signature "*fp32, *i32, i32, 1" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs | FileCheck %s --check-prefix=SECOND
# RUN: tile-translate --import-triton --kernel rest --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs | FileCheck %s --check-prefix=SHORTER
# RUN: tile-translate --import-triton --kernel most --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs | FileCheck %s --check-prefix=LONGER
# RUN: tile-translate --import-triton --kernel lengths --signature "*fp32, *i32, *i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs | FileCheck %s --check-prefix=LONGER
# LONGER: attributes {tile.kernel, tile.longest_axis = 0 : i32, tile.longest_last}
# SECOND: attributes {tile.kernel, tile.longest_axis = 1 : i32, tile.longest_last}
# SHORTER: attributes {tile.kernel, tile.longest_axis = 0 : i32}

# Left alone: of one length (a window, a part of a whole); both longer and shorter; shared out; no longer than a
# constant; longer along two axes; a length that is loaded for the program; waits for another program.
# RUN: tile-translate --import-triton --kernel window --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs > %t.none
# RUN: tile-translate --import-triton --kernel both --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs >> %t.none
# RUN: tile-translate --import-triton --kernel shared --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs >> %t.none
# RUN: tile-translate --import-triton --kernel bounded --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs >> %t.none
# RUN: tile-translate --import-triton --kernel part --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs >> %t.none
# RUN: tile-translate --import-triton --kernel two --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs >> %t.none
# RUN: tile-translate --import-triton --kernel loaded --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs >> %t.none
# RUN: tile-translate --import-triton --kernel waits --signature "*fp32, *i32, i32" %t/k.py | tile-opt --tile-inline --canonicalize --tile-order-programs >> %t.none
# RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
# NONE-NOT: tile.longest_axis
# NONE-COUNT-8: attributes {tile.kernel}

# Each program runs once, with as many iterations as are its own. Six positions beside are a group and two that
# are too few for one. One axis alone; fewer programs than are put in order.
# RUN: tile-run %t/k.py --kernel causal --check --grid 33,6,2 --signature "*fp32, *i32, i32, 0" --arg x=fp32[4096]:ones --arg out=i32[396]:zeros --arg n=i32:64 --print out:396 | FileCheck %s --check-prefix=ONCE
# RUN: tile-run %t/k.py --kernel causal --check --grid 2,33,6 --signature "*fp32, *i32, i32, 1" --arg x=fp32[4096]:ones --arg out=i32[396]:zeros --arg n=i32:64 --print out:396 | FileCheck %s --check-prefix=ONCE
# RUN: tile-run %t/k.py --kernel causal --check --grid 6,2,33 --signature "*fp32, *i32, i32, 2" --arg x=fp32[4096]:ones --arg out=i32[396]:zeros --arg n=i32:64 --print out:396 | FileCheck %s --check-prefix=ONCE
# RUN: tile-run %t/k.py --kernel causal --check --grid 40 --signature "*fp32, *i32, i32, 0" --arg x=fp32[4096]:ones --arg out=i32[40]:zeros --arg n=i32:64 --print out:40 | FileCheck %s --check-prefix=ALONE
# RUN: tile-run %t/k.py --kernel causal --check --grid 5,8 --signature "*fp32, *i32, i32, 0" --arg x=fp32[4096]:ones --arg out=i32[40]:zeros --arg n=i32:64 --print out:40 | FileCheck %s --check-prefix=ALONE
# ONCE: out = {{(1 ?){198}(1 ?){198}$}}
# ALONE: out = {{(1 ?){40}$}}

# Along x from the far end, in groups of four positions.
# RUN: tile-translate --tile-to-llvmir --kernel causal --signature "*fp32, *i32, i32, 0" %t/k.py | FileCheck %s --check-prefix=FORMULA
# FORMULA: %[[X:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
# FORMULA: %[[ABOVE:.*]] = add {{.*}}i32 %[[X]], -32
# FORMULA: icmp {{.*}}ult i32 %[[ABOVE]], 536870880
# FORMULA: %[[WITHIN:.*]] = and i32 %{{.*}}, 3
# FORMULA: %[[ROWS:.*]] = mul i32 %[[X]], %[[WITHIN]]
# FORMULA: %[[REST:.*]] = add i32 {{.*}}%[[ROWS]]
# FORMULA: lshr i32 %[[REST]], 2
# FORMULA: select i1

# Prints name the program, and what it prints is the program's.
# RUN: tile-run %t/k.py --kernel says --grid 33,2 --signature "*fp32, *i32, i32" --arg x=fp32[4096]:ones --arg out=i32[66]:zeros --arg n=i32:64 | sort -u | FileCheck %s --check-prefix=SAYS
# SAYS: pid (0, 0, 0) {{.*}}place: 0
# SAYS: pid (0, 1, 0) {{.*}}place: 33
# SAYS: pid (1, 0, 0) {{.*}}place: 1
# SAYS: pid (32, 1, 0) {{.*}}place: 65

#--- k.py
import triton
import triton.language as tl


@triton.jit
def _place():
    return tl.program_id(0) + tl.num_programs(0) * (tl.program_id(1) + tl.num_programs(1) * tl.program_id(2))


@triton.jit
def _walk(x, out, begin, end):
    total = tl.zeros((64,), tl.float32)
    for i in range(begin, end, 64):
        total += tl.load(x + i + tl.arange(0, 64))
    tl.atomic_add(out + _place(), tl.sum(total, 0).to(tl.int32))


@triton.jit
def causal(x, out, n, AXIS: tl.constexpr):
    total = tl.zeros((64,), tl.float32)
    for i in range(0, (tl.program_id(AXIS) + 1) * 64, 64):
        total += tl.load(x + i + tl.arange(0, 64))
    own = tl.sum(total, 0).to(tl.int32) == (tl.program_id(AXIS) + 1) * n
    tl.atomic_add(out + _place(), own.to(tl.int32))


@triton.jit
def rest(x, out, n):
    _walk(x, out, tl.program_id(0) * 64, n)


@triton.jit
def lengths(x, out, ends):
    end = tl.load(ends + tl.program_id(1))
    seen = tl.where(tl.program_id(0) * 64 < end, 1, 0)
    _walk(x, out, 0, tl.minimum(end, seen * (tl.program_id(0) + 1) * 64))


@triton.jit
def window(x, out, n):
    first = tl.program_id(0) * 64
    _walk(x, out, first - 128, first + 64)


@triton.jit
def both(x, out, n):
    _walk(x, out, 0, tl.program_id(0) * 64)
    _walk(x, out, tl.program_id(0) * 64, n)


@triton.jit
def shared(x, out, n):
    _walk(x, out, tl.program_id(0), n)


@triton.jit
def bounded(x, out, n):
    _walk(x, out, 0, tl.minimum(n - tl.program_id(0) * 256, 256))


@triton.jit
def part(x, out, n):
    _walk(x, out, tl.program_id(0) * 128, tl.minimum((tl.program_id(0) + 1) * 128, 4096))


@triton.jit
def most(x, out, n):
    _walk(x, out, 0, tl.minimum((tl.program_id(0) + 1) * 128, 4096))


@triton.jit
def two(x, out, n):
    _walk(x, out, 0, tl.program_id(0) * 64)
    _walk(x, out, 0, tl.program_id(1) * 64)


@triton.jit
def loaded(x, out, n):
    _walk(x, out, 0, tl.load(out + tl.program_id(0)) * 64)


@triton.jit
def waits(x, out, n):
    while tl.atomic_add(out, 0) < tl.program_id(0):
        pass
    _walk(x, out, 0, tl.program_id(0) * 64)


@triton.jit
def says(x, out, n):
    _walk(x, out, 0, (tl.program_id(0) + 1) * 64)
    tl.device_print("place", _place())
