# RUN: tile-run %s --kernel sums --device emulator --grid 1 --check --num-warps 4 --arg x=fp32[1024]:arange --arg rows=fp32[16]:poison --arg columns=fp32[64]:poison --arg squares=fp32[256]:poison --print rows:16 --print columns:4 --print squares:20 | FileCheck %s

# Sums of 16 rows of 64, of 64 columns, and of what a product of rows gives, in a layout that is not theirs (reduce-scatter.mlir).
import triton
import triton.language as tl


# CHECK: rows = 2016 6112 10208 14304 18400 22496 26592 30688 34784 38880 42976 47072 51168 55264 59360 63456
# CHECK: columns = 7680 7696 7712 7728
# CHECK: squares = 240 480 720 960 1200 1440 1680 1920 2160 2400 2640 2880 3120 3360 3600 3840 480 960 1440 1920
@triton.jit
def sums(x, rows, columns, squares):
    i, j = tl.arange(0, 16), tl.arange(0, 64)
    tile = tl.load(x + i[:, None] * 64 + j[None, :])
    tl.store(rows + i, tl.sum(tile, axis=1))
    tl.store(columns + j, tl.sum(tile, axis=0))
    k = ((i + 1)[:, None] * (i + 1)[None, :])[:, :, None] * (2 * i)[None, None, :]
    all = tl.reshape(k.to(tl.float32), [256, 16])
    tl.store(squares + tl.arange(0, 256), tl.sum(all, axis=1))
