# DEFINE: %{kernel} = tile-translate --tile-to-ptx --fewer-warps on %s --num-warps 8 --kernel
# RUN: %{kernel} components --signature '*fp32:16, *fp32:16, 3' | FileCheck %s --check-prefix=ALL
# RUN: %{kernel} components --signature '*fp32:16, *fp32:16, 1' | FileCheck %s --check-prefix=ONE
# RUN: %{kernel} search --signature '*i32:16, *i32:16, *i1:16, i32, 17' | FileCheck %s --check-prefix=ALL
# RUN: %{kernel} search --signature '*i32:16, *i32:16, *i1:16, i32, 0' | FileCheck %s --check-prefix=TWO
# RUN: %{kernel} rows --signature '*fp32:16, *fp32:16, i32:16, 1024, 0' | FileCheck %s --check-prefix=ALL
# RUN: %{kernel} rows --signature '*fp32:16, *fp32:16, i32:16, 1024, 8' | FileCheck %s --check-prefix=TWO
# RUN: %{kernel} recurrence --signature '*fp32:16, *fp32:16, i32:16, 256, 1' | FileCheck %s --check-prefix=TWO
# RUN: %{kernel} recurrence --signature '*fp32:16, *fp32:16, i32:16, 256, 4' | FileCheck %s --check-prefix=FOUR
# RUN: %{kernel} branches --signature '*fp32:16, *fp32:16, i32:16, 256, 1' | FileCheck %s --check-prefix=ALL
# RUN: %{kernel} branches --signature '*fp32:16, *fp32:16, i32:16, 256, 0' | FileCheck %s --check-prefix=TWO

# Where fewer warps than asked for would make little of what a kernel does faster, or more of it wait
# (lib/transforms/fewer_warps.c). Beside each kernel stands one that differs in what decides.
# ALL: // tile.version {{.*}} warps=8
# FOUR: // tile.version {{.*}} warps=4
# ONE: // tile.version {{.*}} warps=1
# TWO: // tile.version {{.*}} warps=2
import triton
import triton.language as tl


# A component of each row: no two elements are neighbours. Threads that hold copies stay.
@triton.jit
def components(x_ptr, y_ptr, STRIDE: tl.constexpr):
    offsets = tl.arange(0, 64) * STRIDE
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets))


# Only the store of bytes would get wider, beside STEPS loads of other addresses.
@triton.jit
def search(x_ptr, sorted_ptr, y_ptr, n, STEPS: tl.constexpr):
    offsets = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    x = tl.load(x_ptr + offsets)
    low = x * 0
    high = low + n
    for i in range(STEPS):
        middle = (low + high) // 2
        less = tl.load(sorted_ptr + middle) < x
        low = tl.where(less, middle + 1, low)
        high = tl.where(less, high, middle)
    tl.store(y_ptr + offsets, low < high)


# One row to several; or, with SHIFT, a row of its own to each.
@triton.jit
def rows(x_ptr, y_ptr, columns, BLOCK: tl.constexpr, SHIFT: tl.constexpr):
    for copy in range(8):
        for start in range(0, columns, 256):
            offsets = start + tl.arange(0, 256)
            x = tl.load(x_ptr + copy * SHIFT * BLOCK + offsets)
            tl.store(y_ptr + copy * columns + offsets, x)


# Threads with 4 elements load one number of each three iterations ahead; with 2 elements four numbers.
@triton.jit
def recurrence(x_ptr, y_ptr, steps, BLOCK: tl.constexpr, LOADS: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    state = tl.zeros([BLOCK], tl.float32)
    for step in range(steps):
        for i in tl.static_range(LOADS):
            state = state * 0.5 + tl.load(x_ptr + (step * LOADS + i) * BLOCK + columns)
        tl.store(y_ptr + step * BLOCK + columns, state)


# Loaded in a branch, and so not ahead; or before it.
@triton.jit
def branches(x_ptr, y_ptr, steps, BLOCK: tl.constexpr, INSIDE: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    state = tl.zeros([BLOCK], tl.float32)
    for step in range(steps):
        if INSIDE:
            if step % 7 > 0:
                x = tl.load(x_ptr + step * BLOCK + columns)
            else:
                x = tl.load(x_ptr + columns)
        else:
            x = tl.load(x_ptr + step * BLOCK + columns)
        state = state * 0.5 + x
        tl.store(y_ptr + step * BLOCK + columns, state)
