# An offset wraps in its own type where a long constant makes it do so, whatever is loaded: (x + 70000) << 27 is 0 for each 32nd x, in PTX and
# on the emulator. Short constants stay immediate offsets of the accesses.
# RUN: tile-run %s --kernel wraps --grid 1 --num-warps 1 --check --signature '*i64:16, *i32:16, *i64:16' --arg data=i64[128]:arange --arg x=i32[64]:arange --arg out=i64[64]:poison --print out:50 | FileCheck %s --check-prefix=OUT
# RUN: tile-translate --tile-to-ptx --kernel wraps --num-warps 1 --signature '*i64:16, *i32:16, *i64:16' %s | FileCheck %s --check-prefix=WRAPS
# RUN: tile-run %s --kernel far_apart --grid 1 --num-warps 1 --check --signature '*i32:16, *i32:16' --arg data=i32[64]:arange --arg out=i32[16]:poison --print out:16 | FileCheck %s --check-prefix=APART
# RUN: tile-translate --tile-to-ptx --kernel near --num-warps 1 --signature '*i64:16, *i32:16, *i64:16' %s | FileCheck %s --check-prefix=NEAR
import triton
import triton.language as tl


# OUT: out = 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 0 200 {{.*}} 200 200 0 200
# WRAPS: mul.wide.s32
# WRAPS-NOT: 75161927680000
@triton.jit
def wraps(data, x, out):
    i = (tl.load(x + tl.arange(0, 64)) + 70000) << 27
    tl.store(out + tl.arange(0, 64), tl.load(data + i, mask=(i >= 0) & (i < 128), other=200))


# Numbers known now wrap as well: 2^32 / 64 * 65 is 2^26 in i32.
# APART: out = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
@triton.jit
def far_apart(data, out):
    i = tl.arange(0, 16) * 1073741825 * 4 - tl.arange(0, 16) * 3
    tl.store(out + tl.arange(0, 16), tl.load(data + i))


# NEAR: mul.wide.s32 [[OFFSET:%rd[0-9]+]], %r{{[0-9]+}}, 8;
# NEAR: ld.global.b64 %rd{{[0-9]+}}, [%rd{{[0-9]+}}+8192];
@triton.jit
def near(data, x, out):
    i = tl.load(x + tl.arange(0, 64)) + 1024
    tl.store(out + tl.arange(0, 64), tl.load(data + i))
