# SPDX-License-Identifier: MIT
# RUN: tile-translate --tile-to-ptx --kernel kernel --signature "*i16:16, *u8:16, *i32:16" %s | FileCheck %s
# RUN: tile-run %s --device emulator --kernel kernel --grid 1 --check --arg x=i16[128]:arange --arg y=u8[128]:5 --arg out=i32[128]:poison --print out:8 | FileCheck %s --check-prefix=VALUES
"""The smaller of two numbers of 16 bits, and whether it is equal to one: ptxas would take the comparison of the other
half of a word where it finds out that both numbers are one constant. Complements are compared."""
import triton
import triton.language as tl


# CHECK: min.s16 [[SMALLER:%rs[0-9]+]], {{%rs[0-9]+}}, {{%rs[0-9]+}};
# CHECK-NOT: setp.{{.*}} [[SMALLER]],
# CHECK: not.b16 %own, [[SMALLER]];
# CHECK-NEXT: not.b16 %other, 5;
# CHECK-NEXT: setp.{{eq|ne}}.b16 %p{{[0-9]+}}, %own, %other;
# CHECK-NOT: setp.{{.*}} [[SMALLER]],
# VALUES: out = 9 9 9 9 9 7 7 7
@triton.jit
def kernel(x, y, out):
    i = tl.arange(0, 128)
    smaller = tl.minimum(tl.load(x + i), tl.load(y + i).to(tl.int16))
    tl.store(out + i, tl.where(smaller == 5, 7, 9))
