# Programs of the last turn that blocks share, as launches for several numbers of multiprocessors cut them: sums of i8 are exact,
# so that each has the results of blocks that share nothing. Two blocks at a time are enough, as blocks wait for earlier ones.
# DEFINE: %{s} = "*i8:16, *i8:16, *i32:16, i32, i32, i32:16"
# DEFINE: %{seven} = --kernel product --check --grid 1,7 --num-warps 8 --num-stages 3 --signature %{s} --arg a=i8[128,2016]:rand --arg b=i8[1720,2016]:rand --arg c=i32[128,1720]:poison --arg M=i32:128 --arg N=i32:1720 --arg K=i32:2016
# UNSUPPORTED: short
# RUN: env TILE_SKIP_PASSES=tile-gpu-split-tail tile-run %s %{seven} --save c=%t.alone.npy
# Two parts of each of two programs; ranges of six blocks, of the one left over and a turn more; two parts of each of seven.
# RUN: tile-run %s %{seven} --multiprocessors 5 --save c=%t.two.npy
# RUN: cmp %t.alone.npy %t.two.npy
# RUN: tile-run %s %{seven} --multiprocessors 6 --resident-blocks 2 --seed 1 --save c=%t.one.npy
# RUN: cmp %t.alone.npy %t.one.npy
# RUN: tile-run %s %{seven} --multiprocessors 132 --resident-blocks 2 --seed 2 --save c=%t.parts.npy
# RUN: cmp %t.alone.npy %t.parts.npy
# RUN: tile-translate --tile-to-ptx --num-warps 8 --num-stages 3 --kernel product --signature %{s} %s | FileCheck %s
# CHECK-LABEL: .entry product$tma(
# CHECK: atom.global.gpu.release.exch.b32
# CHECK: atom.global.acquire.gpu.cas.b32
# CHECK: ld.global.v4.b32
# CHECK: add.s32
import triton
import triton.language as tl


@triton.jit
def product(a, b, c, M, N, K):
    m, n = tl.program_id(0) * 128, tl.program_id(1) * 256
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [128, 128])
    y = tl.make_tensor_descriptor(b, [N, K], [K, 1], [256, 128])
    s = tl.zeros((128, 256), dtype=tl.int32)
    for k in range(0, K, 128):
        s = tl.dot(x.load([m, k]), y.load([n, k]).T, s)
    i, j = m + tl.arange(0, 128)[:, None], n + tl.arange(0, 256)[None, :]
    tl.store(c + i * N + j, s, mask=(i < M) & (j < N))
