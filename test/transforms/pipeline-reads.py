# RUN: tile-translate --import-triton --kernel columns --signature '*fp32:16, *fp32:16, i32, i32:16, 256, 16' %s > %t.mlir
# RUN: sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' %t.mlir | tile-opt --tile-to-tile-gpu=num-warps=8 | FileCheck %s --check-prefix=AHEAD
# RUN: sed 's/^module {/module attributes {tile.num_stages = 1 : i32} {/' %t.mlir | tile-opt --tile-to-tile-gpu=num-warps=8 | FileCheck %s --check-prefix=STAYS
# RUN: tile-run %s --device emulator --kernel columns --signature '*fp32:16, *fp32:16, i32, i32:16, 256, 16' --num-warps 8 --grid 2 --check --seed 3 --arg x=fp32[700,32]:1 --arg out=fp32[32]:poison --arg m=i32:700 --arg n=i32:32 --print out:32 | FileCheck %s --check-prefix=OUT
# RUN: tile-run %s --device emulator --kernel columns --signature '*fp32:16, *fp32:16, i32, i32:16, 256, 16' --num-warps 8 --grid 2 --check --seed 3 --arg x=fp32[700,32]:1 --arg out=fp32[32]:poison --arg m=i32:0 --arg n=i32:32 --print out:32 | FileCheck %s --check-prefix=NONE
# RUN: tile-translate --import-triton --kernel columns --signature '*fp32:16, *fp32:16, i32, i32:16, 1024, 32' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu=num-warps=8 | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --import-triton --kernel stores --signature '*fp32:16, *fp32:16, i32' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --import-triton --kernel asked --signature '*fp32:16, *fp32:16, i32' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --import-triton --kernel columns --signature '*fp32:16, *fp32:16, i32, i32:16, 16, 16' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu=num-warps=2 | FileCheck %s --check-prefix=FAR
# RUN: tile-run %s --device emulator --kernel columns --signature '*fp32:16, *fp32:16, i32, i32:16, 16, 16' --num-warps 2 --grid 2 --check --seed 3 --arg x=fp32[100,32]:1 --arg out=fp32[32]:poison --arg m=i32:100 --arg n=i32:32 --print out:32 | FileCheck %s --check-prefix=SEVEN
# RUN: tile-translate --import-triton --kernel numbers --signature '*fp32:16, *fp32:16, i32' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=STAYS
# RUN: tile-translate --import-triton --kernel weights --signature '*fp32:16, *fp32:16, i32' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=WEIGHTS
# RUN: tile-translate --import-triton --kernel table --signature '*fp32:16, *i32:16, *fp32:16, i32' %s | sed 's/^module {/module attributes {tile.num_stages = 3 : i32} {/' | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=TABLE

# Loops without products that only read load one iteration ahead, or three where that takes few
# registers (lib/analysis/loop_schedule.h).
import triton
import triton.language as tl


# The first iteration's rows are loaded before the loop, if there is one; those of the next one at the top of this one. With one
# stage a load stays where it is, and so does a tile of 128 words a thread.
# AHEAD: "tile.load"
# AHEAD: scf.for {{.*}} iter_args({{.*}}) -> ({{.*}}tensor<256x16xf32, {{.*}}tensor<256x16xf32,
# AHEAD-NOT: arith.addf
# AHEAD: "tile.load"
# AHEAD: arith.addf
# AHEAD: scf.yield
# STAYS-NOT: tile.load
# STAYS: scf.for
# STAYS: "tile.load"
# STAYS: scf.yield
# FAR-COUNT-3: "tile.load"
# FAR: scf.for
# FAR-NOT: arith.addf
# FAR: "tile.load"
# FAR: arith.addf
# FAR: scf.yield
# SEVEN: out = 100 100
# OUT: out = 700 700
# NONE: out = 0 0
@triton.jit
def columns(x, out, m, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for first in range(0, m, ROWS):
        rows = first + tl.arange(0, ROWS)
        mask = (rows[:, None] < m) & (at[None, :] < n)
        total += tl.load(x + rows[:, None] * n + at[None, :], mask=mask, other=0.0)
    tl.store(out + at, tl.sum(total, axis=0), mask=at < n)


# A store might change what a later iteration loads: nothing is known of its place (pipeline-stores.py).
@triton.jit
def stores(x, out, n):
    at = tl.arange(0, 1024)
    total = tl.zeros((1024,), tl.float32)
    for i in range(n):
        total += tl.load(x + i * 1024 + at)
        tl.store(out + (at ^ i), total)


# A loop's own number of stages counts.
@triton.jit
def asked(x, out, n):
    at = tl.arange(0, 1024)
    total = tl.zeros((1024,), tl.float32)
    for i in tl.range(n, num_stages=1):
        total += tl.load(x + i * 1024 + at)
    tl.store(out + at, total)


# A loop over numbers alone is unrolled by ptxas, which issues the loads of many iterations together.
@triton.jit
def numbers(x, out, n):
    total = 0.0
    for i in range(n):
        total += tl.load(x + i)
    tl.store(out, total)


# What works on tiles meanwhile is longer; its numbers are ahead.
# WEIGHTS-COUNT-3: "tile.load"({{.*}}) -> f32
# WEIGHTS: scf.for
# WEIGHTS: "tile.load"({{.*}}) -> f32
# WEIGHTS: scf.yield
@triton.jit
def weights(x, out, n):
    at = tl.arange(0, 128)
    total = tl.zeros((128,), tl.float32)
    for i in range(n):
        total += tl.exp2(tl.load(x + i) * at)
    tl.store(out + at, total)


# Numbers that say where an iteration's tile is are ahead of it.
# TABLE-COUNT-3: "tile.load"({{.*}}) -> i32
# TABLE: scf.for
# TABLE: "tile.load"({{.*}}) -> i32
# TABLE: "tile.load"({{.*}} -> tensor<1024xf32
# TABLE: scf.yield
@triton.jit
def table(x, rows, out, n):
    at = tl.arange(0, 1024)
    total = tl.zeros((1024,), tl.float32)
    for i in range(n):
        total += tl.load(x + tl.load(rows + i) * 1024 + at)
    tl.store(out + at, total)
