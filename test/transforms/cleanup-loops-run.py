# Loops of one iteration at most, as the Triton language writes branches: programs 1 and 3 store, and what the loop does not
# do keeps its value.
# RUN: tile-run %s --device emulator --check --grid 4 --signature "*i32:16, *i32:16, i32" --arg out=i32[4]:zeros --arg parts=i32[4]:poison --arg n=i32:100 --print out --print parts | FileCheck %s
# CHECK: out = 0 11 0 13
# CHECK: parts = 132 132 132 104
import triton
import triton.language as tl


@triton.jit
def once(out, parts, n):
    i = tl.program_id(0)
    for _ in range(0, tl.where(i % 2 == 1, 1, 0), 1):
        tl.store(out + i, 10 + i)
    left = tl.minimum(n - i * 32, 32)
    total = 100
    for first in range(0, left, 32):
        total += left - first
    tl.store(parts + i, total)
