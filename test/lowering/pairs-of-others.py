# Elements of 16 bits come out of a loop, and out of products that accumulate in f16, as words of two. Registers that an operation makes of theirs, sorted,
# joined, split, permuted, have words of their own.
# RUN: tile-run %s --kernel sorted_in_loop --num-warps 1 --grid 1 --check --signature '*u16:16, *u16:16, i32' --arg x=u16[64]:arange --arg out=u16[64]:poison --arg n=i32:1 --print out:6 | FileCheck %s --check-prefix=SORTED
# RUN: tile-run %s --kernel sorted_in_loop --num-warps 1 --grid 1 --check --signature '*u16:16, *u16:16, i32' --arg x=u16[64]:arange --arg out=u16[64]:poison --arg n=i32:3 --print out:6 | FileCheck %s --check-prefix=SORTED
# RUN: tile-run %s --kernel joined_in_loop --num-warps 1 --grid 1 --check --signature '*i16:16, *i16:16, i32' --arg x=i16[512]:arange --arg out=i16[1024]:poison --arg n=i32:2 --print out:8 | FileCheck %s --check-prefix=JOINED
# RUN: tile-run %s --kernel split_in_loop --num-warps 1 --grid 1 --check --signature '*fp16:16, *fp16:16, i32' --arg x=fp16[512]:arange --arg out=fp16[256]:poison --arg n=i32:2 --print out:6 | FileCheck %s --check-prefix=SPLIT
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


# JOINED: out = 0 1000 1 1001 2 1002 3 1003
@triton.jit
def joined_in_loop(x, out, n):
    i = tl.arange(0, 512)
    a = tl.load(x + i)
    b = a + 500
    both = tl.join(a, b)
    for _ in range(n):
        a, b = tl.split(both)
        both = tl.join(a, b + 250)
    tl.store(out + i[:, None] * 2 + tl.arange(0, 2)[None, :], both)


# SPLIT: out = 1 5 9 13 17 21
@triton.jit
def split_in_loop(x, out, n):
    i = tl.arange(0, 512)
    a = tl.load(x + i)
    for _ in range(n):
        b, c = tl.split(tl.reshape(a, (256, 2)))
        a = tl.reshape(tl.join(b, c), (512, ))
    b, c = tl.split(tl.reshape(a, (256, 2)))
    d = b + c
    for _ in range(n):
        d = d + 0
    tl.store(out + tl.arange(0, 256), d)
