# RUN: tile-translate --import-triton --kernel rows --signature '*fp16:16, *fp16:16, i32:16, i32, 1024' %s | tile-opt --tile-to-tile-gpu=num-warps=4 | FileCheck %s --check-prefix=ROWS
# RUN: tile-run %s --device emulator --kernel rows --signature '*fp16:16, *fp16:16, i32:16, i32, 1024' --grid 1 --check --seed 3 --arg x=fp16[3072]:2 --arg out=fp16[3072]:poison --arg n=i32:1024 --arg rows=i32:3 --print out:3072 | FileCheck %s --check-prefix=FULL
# RUN: tile-run %s --device emulator --kernel rows --signature '*fp16:16, *fp16:16, i32:16, i32, 1024' --grid 1 --check --seed 3 --arg x=fp16[2976]:2 --arg out=fp16[2976]:poison --arg n=i32:992 --arg rows=i32:3 --print out:2976 | FileCheck %s --check-prefix=PART
# RUN: tile-translate --import-triton --kernel sums --signature '*fp16:16, *fp32:16, i32:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 | FileCheck %s --check-prefix=ONE
# RUN: tile-translate --import-triton --kernel two_bounds --signature '*fp16:16, *fp16:16, i32:16, i32:16, i32' %s | tile-opt --tile-to-tile-gpu=num-warps=4 | FileCheck %s --check-prefix=TWO

# Loops over rows with and without their mask (lib/transforms/unswitch_masks.c).
import triton
import triton.language as tl


# Where n is 1024 or more, all columns are there: no mask for loads and stores, and nothing to select.
# ROWS: %[[ALL:.*]] = arith.cmpi sge, %{{.*}}, %c1024_i32
# ROWS: %{{.*}} = scf.if %[[ALL]]
# ROWS: scf.for
# ROWS: "tile.load"(%{{[^,]*}}) {
# ROWS-NOT: arith.select
# ROWS: tile.reduce
# ROWS: "tile.store"(%{{[^,]*}}, %{{[^,]*}}) :
# ROWS: } else {
# ROWS: scf.for
# ROWS: "tile.load"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) {
# ROWS: arith.select
# ROWS: tile.reduce
# ROWS: "tile.store"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
# FULL: out = 3072 3072 3072
# PART: out = 2976 2976 2976
@triton.jit
def rows(x, out, n, rows, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    for _ in range(rows):
        row = tl.load(x + columns, mask=mask, other=0.0).to(tl.float32)
        total = tl.sum(tl.where(mask, row + 1.0, 0.0), axis=0)
        tl.store(out + columns, total + 0.0 * row, mask=mask)
        x += n
        out += n


# Threads that do not wait for one another have time for masks.
# ONE-NOT: scf.if
# ONE: scf.for
# ONE-NOT: scf.for
# ONE: return
@triton.jit
def sums(x, out, n, rows):
    columns = tl.arange(0, 1024)
    mask = columns < n
    total = tl.zeros((1024,), tl.float32)
    for _ in range(rows):
        total += tl.load(x + columns, mask=mask, other=0.0).to(tl.float32)
        x += n
    tl.store(out + columns, total, mask=mask)


# One version for the first bound; the other one's masks stay.
# TWO: scf.if
# TWO: "tile.load"(%{{[^,]*}}) {
# TWO: "tile.store"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
# TWO: } else {
@triton.jit
def two_bounds(x, out, n, m, rows):
    columns = tl.arange(0, 1024)
    for i in range(rows):
        row = tl.load(x + i * n + columns, mask=columns < n, other=0.0)
        tl.store(out + i * m + columns, row * tl.sum(row.to(tl.float32), axis=0), mask=columns < m)
