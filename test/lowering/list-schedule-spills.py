# RUN: tile-translate --tile-to-ptx --num-warps 1 --signature '*fp32:16, *fp32:16, 2048' %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --num-warps 1 --signature '*fp32:16, *fp32:16, 512' %s | FileCheck %s --check-prefix=FITS
# RUN: tile-run %s --device emulator --grid 1 --num-warps 1 --signature '*fp32:16, *fp32:16, 2048' --arg x=fp32[10240]:ones --arg y=fp32[2048]:poison --print y:4 --check | FileCheck %s --check-prefix=OUT
import triton
import triton.language as tl


# Five tiles of 64 elements a thread are more than it has registers: the first result is stored before the last is computed. Without a
# bound on registers, of which there are no more anyway.
# CHECK-NOT: .maxnreg
# CHECK: st.global
# CHECK: fma.rn
# CHECK: ld.global
# CHECK: st.global
# Those of 16 fit.
# FITS: fma.rn
# FITS: st.global
# FITS-NOT: fma.rn
# FITS-NOT: ld.global
# OUT: y = 3 3 3 3
@triton.jit
def sums(x, y, N: tl.constexpr):
    at = tl.arange(0, N)
    a, b = tl.load(x + at), tl.load(x + N + at)
    c, d = tl.load(x + 2 * N + at), tl.load(x + 3 * N + at)
    tl.store(y + at, a * b + c * d + tl.load(x + 4 * N + at))
