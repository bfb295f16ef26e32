# The copies of an element are held by lanes of one warp: a store of it waits for the other lanes alone, with a barrier of the warp.
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel rows --signature "*fp32:16, *i32:16, *i32:16" %s | FileCheck %s --check-prefix=ROWS
# RUN: tile-translate --tile-to-ptx --num-warps 4 --kernel few --signature "*fp32:16, *i32:16" %s | FileCheck %s --check-prefix=FEW
# RUN: tile-run %s --device emulator --kernel rows --num-warps 4 --grid 1 --check --seed 5 --arg x=f32[64,32]:ones --arg row=i32[64]:arange --arg out=i32[64]:poison --print out:4 | FileCheck %s --check-prefix=VALUES
import triton
import triton.language as tl


# Each row lies in a warp; so does its number, in all lanes of the row. (It may be where `out` is: same size, same shape.)
# ROWS: .entry rows
# ROWS-NOT: bar.sync
# ROWS: bar.warp.sync
# ROWS-NOT: bar.sync
# ROWS: st.global
# ROWS: ret
# VALUES: out = 32 32 32 32
@triton.jit
def rows(x, row, out):
    r = tl.load(row + tl.arange(0, 64))
    a = tl.load(x + r[:, None] * 32 + tl.arange(0, 32)[None, :])
    tl.store(out + tl.arange(0, 64), tl.sum(a, 1).to(tl.int32))


# 64 elements in 128 threads: the copy is in another warp.
# FEW: .entry few
# FEW: bar.sync
# FEW: st.global
@triton.jit
def few(x, row):
    at = tl.arange(0, 64)
    i = tl.load(row + at)
    tl.store(row + at, tl.load(x + i).to(tl.int32))
