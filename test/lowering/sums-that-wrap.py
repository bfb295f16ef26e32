# RUN: tile-translate --tile-to-ptx --target sm_80 --kernel wraps --signature "*i8:16, *i32:16" %s | FileCheck %s --check-prefix=WRAPS
# RUN: tile-translate --tile-to-ptx --target sm_80 --kernel saturates --signature "*i8:16, *i32:16" %s | FileCheck %s --check-prefix=SATURATES
# RUN: tile-run %s --device emulator --target sm_80 --kernel wraps --grid 1 --check --arg x=i8[1024]:1 --arg out=i32[1024]:2147483647 --print out:2 | FileCheck %s --check-prefix=WRAPPED
# RUN: tile-run %s --device emulator --target sm_80 --kernel saturates --grid 1 --check --arg x=i8[1024]:1 --arg out=i32[1024]:2147483647 --print out:2 | FileCheck %s --check-prefix=SATURATED
"""mma.sync saturates what a product of i8 adds to its accumulator, as in Triton. A sum that is written wraps, though the product takes it in."""
import triton
import triton.language as tl


# WRAPS: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
# WRAPS-NOT: satfinite
# WRAPPED: out = -2147483617 -2147483617
@triton.jit
def wraps(x, out):
    at = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    a = tl.load(x + at)
    tl.store(out + at, tl.load(out + at) + tl.dot(a, a))


# SATURATES: mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32
# SATURATED: out = 2147483647 2147483647
@triton.jit
def saturates(x, out):
    at = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    a = tl.load(x + at)
    tl.store(out + at, tl.dot(a, a, tl.load(out + at)))
