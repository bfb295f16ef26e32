# Elements of 16 bits come out of a loop, and out of products that accumulate in f16, as words of two. What a sort makes of them has words of its own.
# RUN: tile-run %s --kernel sorted_in_loop --num-warps 1 --grid 1 --check --signature '*u16:16, *u16:16, i32' --arg x=u16[64]:arange --arg out=u16[64]:poison --arg n=i32:1 --print out:6 | FileCheck %s --check-prefix=SORTED
# RUN: tile-run %s --kernel sorted_in_loop --num-warps 1 --grid 1 --check --signature '*u16:16, *u16:16, i32' --arg x=u16[64]:arange --arg out=u16[64]:poison --arg n=i32:3 --print out:6 | FileCheck %s --check-prefix=SORTED
import triton
import triton.language as tl


# SORTED: out = 63 62 61 60 59 58
@triton.jit
def sorted_in_loop(x, out, n):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    for _ in range(n):
        a = tl.sort(a, descending=True)
    tl.store(out + i, a)
