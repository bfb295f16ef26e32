# RUN: tile-translate --import-triton --kernel scalar --signature "*fp32, i32" %s | FileCheck %s --check-prefix=SCALAR
# RUN: tile-run %s --device emulator --kernel seven --grid 1 --check --arg x_ptr=fp32[256]:arange --arg out_ptr=fp32[256]:poison --arg sums_ptr=fp32[64]:poison --print out_ptr:16 --print sums_ptr:8 | FileCheck %s --check-prefix=SEVEN
# RUN: tile-run %s --device emulator --kernel hypercube --grid 1 --num-warps 1 --check --arg x_ptr=i32[1024]:rand --arg out_ptr=i32[1024]:poison --arg differs_ptr=i32[1]:poison --print differs_ptr:1 | FileCheck %s --check-prefix=CUBE
# RUN: tile-run %s --device emulator --kernel hypercube --grid 1 --num-warps 8 --check --arg x_ptr=i32[1024]:rand --arg out_ptr=i32[1024]:poison --arg differs_ptr=i32[1]:poison --print differs_ptr:1 | FileCheck %s --check-prefix=CUBE
# RUN: tile-run %s --device emulator --kernel window --grid 1 --check --arg x_ptr=fp32[144]:arange --arg out_ptr=fp32[64]:poison --print out_ptr:64 | FileCheck %s --check-prefix=WINDOW
# RUN: tile-translate --tile-to-ptx --target sm_80 --kernel seven --signature "*fp32:16, *fp32:16, *fp32:16" %s | FileCheck %s --check-prefix=PTX
# RUN: tile-run %s --device emulator --kernel most --grid 1 --check --arg x_ptr=i32[65536]:arange --arg out_ptr=i32[65536]:poison --arg sums_ptr=i32[2]:poison --print sums_ptr:2 | FileCheck %s --check-prefix=MOST
"""Tiles of more than five dimensions: broadcasts, permutations, reductions, scans, block pointers."""
import triton
import triton.language as tl


# Seven dimensions, 2 x 4 x 2 x 2 x 2 x 2 x 2, the first and the last swapped.
# PTX: ld.global.v2.b32
# SEVEN: out_ptr = 0 128 2 130 4 132 6 134 8 136 10 138 12 140 14 142 ...
# SEVEN: sums_ptr = 264 268 272 276 296 300 304 308 ...
@triton.jit
def seven(x_ptr, out_ptr, sums_ptr):
    i = tl.arange(0, 256).reshape(2, 4, 2, 2, 2, 2, 2)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, tl.permute(x, (6, 1, 2, 3, 4, 5, 0)))
    # Sums over dimensions 4 and 0.
    s = tl.sum(tl.sum(x, 4), 0)
    j = tl.arange(0, 64).reshape(4, 2, 2, 2, 2)
    tl.store(sums_ptr + j, s)


@triton.jit
def swap(x, flip, i: tl.constexpr, n: tl.constexpr):
    y = x ^ tl.xor_sum(x, n - 1 - i, True)
    right = tl.arange(0, 2).reshape([1] * (n - i - 1) + [2] + [1] * i)
    return tl.where((x > y) != ((flip ^ right) != 0), y, x)


# A bitonic sort on a cube of ten dimensions of size 2, as libraries write it.
# CUBE: differs_ptr = 0
@triton.jit
def hypercube(x_ptr, out_ptr, differs_ptr):
    n: tl.constexpr = 10
    where = tl.arange(0, 1024)
    x = tl.load(x_ptr + where)
    h = x.reshape([2] * n)
    for stage in tl.static_range(1, n + 1):
        if stage < n:
            flip = tl.arange(0, 2).reshape([1] * (n - stage - 1) + [2] + [1] * stage)
        else:
            flip = 0
        for i in tl.static_range(stage):
            h = swap(h, flip, stage - 1 - i, n)
    sorted = h.reshape(1024)
    tl.store(out_ptr + where, sorted)
    tl.store(differs_ptr, tl.sum((sorted != tl.sort(x)).to(tl.int32)))


# A block of six dimensions, and a scan along one of them.
# WINDOW: out_ptr = 1 2 4 6 7 8 16 18 13 14 28 30 19 20 40 42 37 38 76 78 43 44 88 90 {{.*}} 256 258{{$}}
@triton.jit
def window(x_ptr, out_ptr):
    x = tl.make_block_ptr(x_ptr, (2, 2, 3, 2, 3, 2), (72, 36, 12, 6, 2, 1), (0, 0, 1, 0, 0, 0), (2, 2, 2, 2, 2, 2), (5, 4, 3, 2, 1, 0))
    v = tl.load(x, boundary_check=(2,)) - 12 + 1
    out = tl.make_block_ptr(out_ptr, (2, 2, 2, 2, 2, 2), (32, 16, 8, 4, 2, 1), (0, 0, 0, 0, 0, 0), (2, 2, 2, 2, 2, 2), (5, 4, 3, 2, 1, 0))
    tl.store(out, tl.cumsum(v, 4))


# Sixteen dimensions, the most that there are: made by a reshape, permuted, read and written.
# MOST: sums_ptr = 0 65535
@triton.jit
def most(x_ptr, out_ptr, sums_ptr):
    i = tl.arange(0, 65536).reshape([2] * 16)
    turned = tl.permute(tl.load(x_ptr + i), (15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
    tl.store(out_ptr + i, tl.permute(turned, (15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)))
    tl.debug_barrier()
    back = tl.load(out_ptr + i).reshape([65536])
    tl.store(sums_ptr, tl.sum((back != tl.arange(0, 65536)).to(tl.int32)))
    tl.store(sums_ptr + 1, tl.max(turned.reshape([65536])))


# A scalar that is indexed has one dimension, wherever the None stands, as in Triton.
# SCALAR: func.func @scalar
# SCALAR: tensor<1x!tile.ptr<f32>>
@triton.jit
def scalar(p, n):
    q = p[:, None] + n[None, :]
    tl.static_assert(n[:, None].shape == (1, ) and n[None, None].shape == (1, 1))
    tl.store(q, tl.load(q) + 1)
