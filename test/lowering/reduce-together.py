# RUN: tile-run %s --kernel k --device emulator --grid 1 --check --num-warps 2 --arg x=i32[256]:arange --arg out=i32[3]:poison --print out:3 | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel k --signature '*i32:16, *i32' %s | FileCheck %s --check-prefix=PTX

# How often the greatest number is there, and the sum. The count looks at the maxima of both sides, so these go along with it
# from lane to lane. The sum is looked at by nobody else: it has its own instruction.
import triton
import triton.language as tl


# CHECK: out = 5 3 393
# PTX-NOT: redux.sync.max
# PTX: redux.sync.add
# PTX-NOT: redux
# PTX: shfl.sync.bfly
@triton.jit
def count(best, times, total, best2, times2, total2):
    both = tl.maximum(best, best2)
    return both, tl.where(best == both, times, 0) + tl.where(best2 == both, times2, 0), total + total2


@triton.jit
def k(x, out):
    a = tl.load(x + tl.arange(0, 256))
    a = tl.where(a < 253, a & 3, 5)
    best, times, total = tl.reduce((a, a * 0 + 1, a), 0, count)
    tl.store(out, best)
    tl.store(out + 1, times)
    tl.store(out + 2, total)
