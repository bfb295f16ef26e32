# RUN: tile-translate --tile-to-ptx --kernel softmax_rows --signature '*fp32:16, *fp32:16, 8, 256' %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel softmax_rows --signature '*fp32:16, *fp32:16, 128, 32' %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel best_of_rows --signature '*fp32:16, *i32:16, 4, 1024' %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel running_sums --signature '*fp32:16, *fp32:16, 8, 256' %s | FileCheck %s
# RUN: tile-translate --tile-to-ptx --kernel softmax_rows --signature '*fp32:16, *fp32:16, 2, 256' %s | FileCheck %s --check-prefix=ACROSS

# Four warps and as many rows or more: each row lies in one warp. Lanes exchange by shuffles; nobody waits for another
# warp, and there is no shared memory.
# CHECK-NOT: bar.
# CHECK: shfl.sync
# CHECK-NOT: bar.
# CHECK: // tile.version {{.*}} warps=4 {{.*}} shared=0

# Fewer rows than warps.
# ACROSS: bar.sync
import triton
import triton.language as tl


@triton.jit
def softmax_rows(x_ptr, y_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + offsets)
    e = tl.exp(x - tl.max(x, axis=1)[:, None])
    tl.store(y_ptr + offsets, e / tl.sum(e, axis=1)[:, None])


@triton.jit
def best_of_rows(x_ptr, y_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.arange(0, ROWS)
    x = tl.load(x_ptr + rows[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    tl.store(y_ptr + rows, tl.argmax(x, axis=1))


@triton.jit
def running_sums(x_ptr, y_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(y_ptr + offsets, tl.cumsum(tl.load(x_ptr + offsets), axis=1))
