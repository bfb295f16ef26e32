# RUN: tile-translate --import-triton --kernel numbers --signature "*fp32, i32" %s | FileCheck %s --check-prefix=NUMBERS
# RUN: tile-translate --import-triton --kernel tuples --signature "*fp32, i32" %s | FileCheck %s --check-prefix=TUPLES
# RUN: tile-translate --import-triton --kernel untouched --signature "*fp32, i32" %s | FileCheck %s --check-prefix=UNTOUCHED
# RUN: tile-translate --import-triton --kernel nest --signature "*fp32, i32" %s | FileCheck %s --check-prefix=NEST
# RUN: tile-translate --import-triton --kernel bounds --signature "*fp32, i32, i64" %s | FileCheck %s --check-prefix=BOUNDS
# RUN: tile-translate --import-triton --kernel hints --signature "*fp32, i32" %s | FileCheck %s --check-prefix=HINTS
# RUN: tile-translate --import-triton --kernel never --signature "*fp32, 1" %s | FileCheck %s --check-prefix=NEVER
# RUN: tile-translate --import-triton --kernel choice --signature "*fp32, i32" %s | FileCheck %s --check-prefix=CHOICE
# RUN: tile-run %s --device emulator --kernel values --grid 1 --check --arg x_ptr=fp32[8]:poison --arg n=i32:5 --print x_ptr:8 | FileCheck %s --check-prefix=VALUES
"""What loops carry and branches merge."""
import triton
import triton.language as tl


# A number that the body changes becomes a run-time value before the loop; int32 on its own.
# NUMBERS-LABEL: func.func @numbers
# NUMBERS: %[[ZERO:.*]] = arith.constant 0 : i32
# NUMBERS: scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]]{{.*}}) -> (i32)
# NUMBERS: arith.sitofp
@triton.jit
def numbers(x_ptr, n):
    count = 0
    for i in range(n):
        if i > 3:
            count += 2
    tl.store(x_ptr, count.to(tl.float32))


# Tuples are carried part by part; the part that stays a compile-time number stays one.
# TUPLES-LABEL: func.func @tuples
# TUPLES: scf.for {{.*}} -> (tensor<16xf32>, i32)
# TUPLES: tensor<16xf32>
@triton.jit
def tuples(x_ptr, n):
    state = (tl.zeros([16], tl.float32), 0, 16)
    for i in range(n):
        acc, count, size = state
        state = (acc + 1.0, count + 1, size)
    acc, count, size = state
    tl.store(x_ptr + count + tl.arange(0, size), acc)


# A number that the taken path never changes stays a compile-time one, as in a loop without it.
# UNTOUCHED-LABEL: func.func @untouched
# UNTOUCHED: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
# UNTOUCHED: tile.range
@triton.jit
def untouched(x_ptr, n, WIDE: tl.constexpr = False):
    size = 16
    for i in range(n):
        if WIDE:
            size = 32
        tl.store(x_ptr + i * size + tl.arange(0, size), 1.0)


# NEST-LABEL: func.func @nest
# NEST: scf.for {{.*}} -> (f32, i32)
# NEST: scf.for {{.*}} -> (f32, i32)
# NEST: scf.while {{.*}} : (i32)
@triton.jit
def nest(x_ptr, n):
    total = 0.0
    steps = 0
    for i in range(n):
        for j in range(i):
            k = 0
            while k < j and steps < 100:
                k += 1
            total += k
            steps += 1
    tl.store(x_ptr + steps, total)


# The loop's variable has the type of its bounds; steps may be negative numbers.
# BOUNDS-LABEL: func.func @bounds
# BOUNDS: scf.for {{.*}} : i64
# BOUNDS: scf.for
# BOUNDS: arith.subi
@triton.jit
def bounds(x_ptr, n, m):
    for i in range(n, m):
        tl.store(x_ptr + i, 1.0)
    for i in range(n, -1, -2):
        tl.store(x_ptr + i, 2.0)


# HINTS-LABEL: func.func @hints
# HINTS: scf.for
# HINTS: } {tile.disable_licm, tile.disallow_acc_multi_buffer, tile.flatten, tile.loop_unroll_factor = 2 : i32, tile.num_stages = 3 : i32, tile.warp_specialize}
# HINTS-NOT: tile.flatten
@triton.jit
def hints(x_ptr, n, STAGES: tl.constexpr = 3):
    for i in tl.range(0, n, num_stages=STAGES, loop_unroll_factor=2, flatten=True, warp_specialize=True,
                      disallow_acc_multi_buffer=True, disable_licm=True):
        tl.store(x_ptr + i, 1.0)
    for i in tl.range(n, flatten=False, num_stages=None):
        tl.store(x_ptr + i, 1.0)


# A condition that is false at compile time leaves no loop.
# NEVER-LABEL: func.func @never
# NEVER-NOT: scf.while
@triton.jit
def never(x_ptr, N: tl.constexpr):
    while N > 1:
        tl.store(x_ptr, 1.0)
    tl.store(x_ptr, 2.0)


# A conditional expression computes one side only when a side calls something; plain ones are a select.
# CHOICE-LABEL: func.func @choice
# CHOICE: arith.select
# CHOICE: scf.if %{{.*}} -> (f32) {
# CHOICE: "tile.load"
# CHOICE: } else {
@triton.jit
def choice(x_ptr, n):
    i = n if n > 0 else 0
    x = tl.load(x_ptr + i) if n > 0 else 0.0
    tl.store(x_ptr, x)


# VALUES: x_ptr = 10 15 4 8 3 2 7 9
@triton.jit
def values(x_ptr, n):
    total = 0
    last = -1
    for i in range(n):
        total += i
        last = i
    tl.store(x_ptr, total.to(tl.float32))
    pair = (total, n)
    if n > 4:
        pair = (pair[0] + 5, pair[1])
    tl.store(x_ptr + 1, pair[0].to(tl.float32))
    tl.store(x_ptr + 2, last.to(tl.float32))
    down = 0
    for i in range(n, 0, -2):
        down = down * 2 + i - 1
    tl.store(x_ptr + 3, (down - 12).to(tl.float32))
    for x, y in ((4, 3.0), (5, 2.0), (6, 7.0)):
        tl.store(x_ptr + x, y)
    left = n
    rounds = 0
    while left > 1 and rounds < 9:
        left = left + 0
        rounds += 1
    tl.store(x_ptr + 7, rounds.to(tl.float32))
