# RUN: tile-translate --tile-to-ptx --kernel complements --signature "*i32:16, *i32:16, i32" %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel narrow --signature "*i16:16, *i16:16" %s | FileCheck %s --check-prefix=NARROW
# RUN: tile-run %s --device emulator --kernel complements --grid 1 --check --arg x=i32[128]:5 --arg out=i32[128]:poison --arg n=i32:255 --print out:128 | FileCheck %s --check-prefix=VALUES
"""ptxas loses the complement of ~x & y where it knows x behind a branch: complements of 32 bits are differences, those of 16 exclusive ors."""
import triton
import triton.language as tl


# CHECK-NOT: not.b32
# CHECK: sub.s32 {{.*}}, -1, %r
# CHECK-NOT: not.b32
# CHECK: tile.metadata
# VALUES: out ={{( 250){128}$}}
@triton.jit
def complements(x, out, n):
    i = tl.arange(0, 128)
    tl.store(out + i, ~tl.load(x + i) & n)


# NARROW-NOT: not.b16
# NARROW: xor.b16 {{.*}}, -1;
# NARROW-NOT: not.b16
# NARROW: tile.metadata
@triton.jit
def narrow(x, y):
    i = tl.arange(0, 128)
    tl.store(y + i, ~tl.load(x + i))
