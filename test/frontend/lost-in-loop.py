# A variable that has a value before a loop and none at the end of its body, as it is the variable of a loop inside or is assigned in one branch
# alone, is not carried: it has none after the loop and where the body begins.
# RUN: tile-run %s --kernel reused --grid 1 --signature '*i32, i32' --arg out=i32[2]:poison --arg n=i32:3 --print out | FileCheck %s
# RUN: tile-run %s --kernel in_branch --grid 1 --signature '*i32, i32' --arg out=i32[2]:poison --arg n=i32:3 --print out | FileCheck %s --check-prefix=BRANCH
# RUN: not tile-translate --import-triton --kernel used_after --signature '*i32, i32' %s 2>&1 | FileCheck %s --check-prefix=AFTER
# RUN: not tile-translate --import-triton --kernel used_first --signature '*i32, i32' %s 2>&1 | FileCheck %s --check-prefix=FIRST
import triton
import triton.language as tl


# CHECK: out = 9 4
@triton.jit
def reused(out, n):
    total = 0
    for i in tl.static_range(0, 5):
        last = i
    for j in range(n):
        for i in range(n):
            total += i
    tl.store(out, total)
    tl.store(out + 1, last)


# BRANCH: out = 8 1
@triton.jit
def in_branch(out, n):
    total = 0
    for i in tl.static_range(0, 2):
        last = i
    for j in range(n):
        if j > 0:
            for i in range(4):
                total += 1
    tl.store(out, total)
    tl.store(out + 1, last)


# AFTER: lost-in-loop.py:[[@LINE+9]]:19: error: 'i'
@triton.jit
def used_after(out, n):
    total = 0
    for i in tl.static_range(0, 5):
        total += i
    for j in range(n):
        for i in range(n):
            total += i
    tl.store(out, i)


# FIRST: lost-in-loop.py:[[@LINE+7]]:18: error: 'i'
@triton.jit
def used_first(out, n):
    total = 0
    for i in tl.static_range(0, 5):
        total += i
    for j in range(n):
        total += i
        for i in range(n):
            total += i
    tl.store(out, total)
