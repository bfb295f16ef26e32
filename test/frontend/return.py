# RUN: tile-translate --import-triton --kernel early --signature "*fp32, i32" %s | FileCheck %s --check-prefix=EARLY
# RUN: tile-translate --import-triton --kernel early_else --signature "*fp32, i32" %s | FileCheck %s --check-prefix=ELSE
# RUN: tile-translate --import-triton --kernel nested --signature "*fp32, i32" %s | FileCheck %s --check-prefix=NESTED
# RUN: tile-translate --import-triton --kernel chain --signature "*fp32, i32" %s | FileCheck %s --check-prefix=CHAIN
# RUN: tile-translate --import-triton --kernel results --signature "*fp32, i32" %s | FileCheck %s --check-prefix=RESULTS
# RUN: tile-translate --import-triton --kernel unrolled --signature "*fp32, i32" %s | FileCheck %s --check-prefix=UNROLLED
# RUN: tile-translate --import-triton --kernel in_loop --signature "*fp32, i32" %s | FileCheck %s --check-prefix=LOOP
# RUN: tile-run %s --device emulator --kernel all_paths --grid 8 --check --arg x_ptr=fp32[8]:poison --print x_ptr:8 | FileCheck %s --check-prefix=PATHS
"""return inside a run-time 'if': the rest of the function goes to the other side, once."""
import triton
import triton.language as tl


# What follows an 'if' with a return stands in its else branch.
# EARLY-LABEL: func.func @early
# EARLY: scf.if %{{.*}} {
# EARLY-NEXT: } else {
# EARLY: "tile.store"
# EARLY-NOT: "tile.store"
@triton.jit
def early(x_ptr, n):
    pid = tl.program_id(0)
    if pid >= n:
        return
    tl.store(x_ptr + pid, 1.0)


# The side that returns may be the else branch; the rest goes on in the other one.
# ELSE-LABEL: func.func @early_else
# ELSE: scf.if %{{.*}} {
# ELSE: arith.constant 2.0
# ELSE: "tile.store"
# ELSE: } else {
# ELSE-NEXT: }
@triton.jit
def early_else(x_ptr, n):
    if n > 3:
        value = 2.0
    else:
        return
    tl.store(x_ptr, value)


# Where both sides go on, a flag says whether the function has returned.
# NESTED-LABEL: func.func @nested
# NESTED: %[[IF:.*]]:2 = scf.if %{{.*}} -> (f32, i1) {
# NESTED: scf.if
# NESTED: scf.if %[[IF]]#1 {
# NESTED-NEXT: } else {
# NESTED: "tile.store"(%{{.*}}, %[[IF]]#0)
# NESTED-NOT: "tile.store"
@triton.jit
def nested(x_ptr, n):
    value = 1.0
    if n > 3:
        if n > 5:
            return
        value = 2.0
    tl.store(x_ptr, value)


# CHAIN-LABEL: func.func @chain
# CHAIN-COUNT-2: scf.if
# CHAIN: "tile.store"
# CHAIN-NOT: "tile.store"
@triton.jit
def chain(x_ptr, n):
    if n == 0:
        return
    elif n == 1:
        return
    else:
        value = n + 1
    tl.store(x_ptr, value.to(tl.float32))


# A function's results are merged; numbers take one type.
# RESULTS-LABEL: func.func @results
# RESULTS: %[[R:.*]] = scf.if %{{.*}} -> (f32) {
# RESULTS: %[[S:.*]]:2 = scf.if %{{.*}} -> (i32, f32) {
# RESULTS: "tile.store"(%{{.*}}, %[[R]])
@triton.jit
def clip(x, n):
    if n < 0:
        return x
    return 0.0


@triton.jit
def pair(x, n):
    if n > 10:
        return n, x
    elif n > 5:
        return 5, 2.0 * x
    return 0, x


@triton.jit
def results(x_ptr, n):
    x = tl.load(x_ptr)
    a = clip(x, n)
    count, b = pair(x, n)
    tl.store(x_ptr, a)
    tl.store(x_ptr + count, b)


# UNROLLED-LABEL: func.func @unrolled
# UNROLLED-COUNT-3: scf.if
# UNROLLED: "tile.store"
# UNROLLED-NOT: "tile.store"
@triton.jit
def unrolled(x_ptr, n):
    for i in tl.static_range(3):
        if n == i:
            return
    tl.store(x_ptr, 1.0)


# A function with a return may be called in a loop.
# LOOP-LABEL: func.func @in_loop
# LOOP: scf.for
# LOOP: scf.if %{{.*}} -> (f32)
# LOOP: scf.yield
@triton.jit
def in_loop(x_ptr, n):
    x = tl.load(x_ptr)
    for i in range(n):
        x = x + clip(x, i)
    tl.store(x_ptr, x)


@triton.jit
def classify(n):
    kind = 0
    if n < 6:
        if n == 1:
            return 10
        elif n == 2:
            kind = 1
            if n < 0:
                return 7
        else:
            if n == 3:
                return 30
            kind = 2
        kind += 1
    else:
        return 60
    for i in tl.static_range(4, 6):
        if n == i:
            return 40 + i
        kind += 10
    return kind


# PATHS: x_ptr = 23 10 22 30 44 45 60 60
@triton.jit
def all_paths(x_ptr):
    pid = tl.program_id(0)
    tl.store(x_ptr + pid, classify(pid).to(tl.float32))
