# Floats out of range become the nearest byte, NaN 0, two at a time as one at a time.
# RUN: tile-run %s --device emulator --kernel bytes --num-warps 1 --grid 1 --check --signature '*fp32:16, *i8:16, *u8:16, 64' --arg x=fp32[64]:ones --arg s=i8[64]:poison --arg u=u8[64]:poison --print s:8 --print u:8 | FileCheck %s
# RUN: tile-run %s --device emulator --kernel bytes --num-warps 2 --grid 1 --check --signature '*fp32:16, *i8:16, *u8:16, 64' --arg x=fp32[64]:ones --arg s=i8[64]:poison --arg u=u8[64]:poison --print s:8 --print u:8 | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel bytes --num-warps 1 --signature '*fp32:16, *i8:16, *u8:16, 64' %s | FileCheck %s --check-prefix=PTX
# CHECK: s = -128 -128 -2 0 1 127 127 0
# CHECK: u = 0 0 0 0 1 200 255 0
# PTX: cvt.pack.sat.s8.s32.b32
# PTX: cvt.pack.sat.u8.s32.b32
import triton
import triton.language as tl


@triton.jit
def bytes(x, s, u, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    v = tl.where(i == 0, -3e9, tl.where(i == 1, -128.9, tl.where(i == 2, -2.7, tl.where(i == 3, -0.9, v))))
    v = tl.where(i == 4, 1.5, tl.where(i == 5, 200.0, tl.where(i == 6, 3e9, tl.where(i == 7, float("nan"), v))))
    tl.store(s + i, v.to(tl.int8))
    tl.store(u + i, v.to(tl.uint8))
