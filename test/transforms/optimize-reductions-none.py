# A maximum that a loop accumulates starts from what it was given, at one position; the others start from NaN, which is no
# number to it: a loop of no iterations leaves a NaN a NaN, and one of some its greatest number.
# RUN: tile-run %s --kernel greatest --grid 1 --check --signature '*fp32:16, *fp32, *fp32, i32' --arg x=fp32[1024]:arange --arg start=fp32[1]:nan --arg out=fp32[1]:poison --arg n=i32:0 --print out:1 | FileCheck %s --check-prefix=NONE
# RUN: tile-run %s --kernel greatest --grid 1 --check --signature '*fp32:16, *fp32, *fp32, i32' --arg x=fp32[1024]:arange --arg start=fp32[1]:nan --arg out=fp32[1]:poison --arg n=i32:1024 --print out:1 | FileCheck %s --check-prefix=SOME
# RUN: tile-translate --import-triton --kernel greatest --signature '*fp32:16, *fp32, *fp32, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 --tile-gpu-optimize-reductions | FileCheck %s
import triton
import triton.language as tl


# NONE: out = nan
# SOME: out = 1023
# CHECK: arith.constant dense<0x7FC00000> : tensor<128xf32
# CHECK: scf.for
# CHECK: scf.yield {{.*}} tensor<128xf32
@triton.jit
def greatest(x, start, out, n):
    m = tl.load(start)
    for i in range(0, n, 256):
        m = tl.maximum(m, tl.max(tl.load(x + i + tl.arange(0, 256)), 0))
    tl.store(out, m)
