# SPDX-License-Identifier: MIT
# Which kernels start the longest programs first (tile-order-programs), and that every program runs once.
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

# Each of 5 * 7 * 3 programs counts up its own place, and all give what the same number of iterations gives;
# seven positions beside are a group and three that are too few for one. One axis alone, too.
# RUN: tile-run %t/k.py --kernel causal --check --grid 5,7,3 --signature "*fp32, *i32, i32, 0" --arg x=fp32[4096]:ones --arg out=i32[105]:zeros --arg n=i32:64 --print out:105 | FileCheck %s --check-prefix=ALONG-X
# RUN: tile-run %t/k.py --kernel causal --check --grid 5,7,3 --signature "*fp32, *i32, i32, 1" --arg x=fp32[4096]:ones --arg out=i32[105]:zeros --arg n=i32:64 --print out:105 | FileCheck %s --check-prefix=ALONG-Y
# RUN: tile-run %t/k.py --kernel causal --check --grid 5,7,3 --signature "*fp32, *i32, i32, 2" --arg x=fp32[4096]:ones --arg out=i32[105]:zeros --arg n=i32:64 --print out:105 | FileCheck %s --check-prefix=ALONG-Z
# RUN: tile-run %t/k.py --kernel causal --check --grid 9 --signature "*fp32, *i32, i32, 0" --arg x=fp32[4096]:ones --arg out=i32[9]:zeros --arg n=i32:64 --print out:9 | FileCheck %s --check-prefix=ALONE
# ALONG-X: out = 64 128 192 256 320 64 128 192 256 320{{( 64 128 192 256 320){19}$}}
# ALONG-Y: out = 64 64 64 64 64 128 128 128 128 128 {{.*}} 448 448 448 448 448 64 64 {{.*}} 448{{$}}
# ALONG-Z: out = {{(64 ){35}(128 ){35}(192 ?){35}$}}
# ALONE: out = 64 128 192 256 320 384 448 512 576{{$}}

# Along x from the far end, in groups of four positions.
# RUN: tile-translate --tile-to-llvmir --kernel causal --signature "*fp32, *i32, i32, 0" %t/k.py | FileCheck %s --check-prefix=FORMULA
# FORMULA: %[[ID:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
# FORMULA: %[[X:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
# FORMULA: %[[WITHIN:.*]] = and i32 %{{.*}}, 3
# FORMULA: %[[ROWS:.*]] = mul i32 %[[X]], %[[WITHIN]]
# FORMULA: %[[REST:.*]] = add i32 {{.*}}%[[ROWS]]
# FORMULA: lshr i32 %[[REST]], 2
# FORMULA: select i1

# Prints name the program, and what it prints is the program's.
# RUN: tile-run %t/k.py --kernel says --grid 3,2 --signature "*fp32, *i32, i32" --arg x=fp32[4096]:ones --arg out=i32[6]:zeros --arg n=i32:64 | sort -u | FileCheck %s --check-prefix=SAYS
# SAYS: pid (0, 0, 0) {{.*}}place: 0
# SAYS: pid (0, 1, 0) {{.*}}place: 3
# SAYS: pid (1, 0, 0) {{.*}}place: 1
# SAYS: pid (2, 1, 0) {{.*}}place: 5

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
    _walk(x, out, 0, (tl.program_id(AXIS) + 1) * 64)


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
