# A thread that begins more turns of loops than --turn-limit allows ends the run; which, and where, is said. Without a
# limit a loop may take as long as it likes.
# RUN: tile-run %s --device emulator --kernel counts --grid 2 --num-warps 1 --arg out=i32[2]:poison --arg n=i32:40 --turn-limit 240 --print out | FileCheck %s
# RUN: tile-run %s --device emulator --kernel counts --grid 2 --num-warps 1 --arg out=i32[2]:poison --arg n=i32:4000 --print out | FileCheck %s --check-prefix=FREE
# RUN: not tile-run %s --device emulator --kernel counts --grid 2 --num-warps 1 --arg out=i32[2]:poison --arg n=i32:40 --turn-limit 119 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: not tile-run %s --device emulator --kernel spins --grid 1 --num-warps 1 --arg out=i32[1]:poison --arg n=i32:3 --turn-limit 1000 2>&1 | FileCheck %s --check-prefix=SPINS
# RUN: not tile-run %s --device emulator --kernel meets --grid 1 --num-warps 4 --arg out=i32[1]:poison --arg n=i32:3 --turn-limit 1000 2>&1 | FileCheck %s --check-prefix=MEETS
# RUN: not tile-run %s --device emulator --kernel counts --grid 2 --arg out=i32[2]:poison --arg n=i32:40 --turn-limit 0 2>&1 | FileCheck %s --check-prefix=ZERO
#
# CHECK: out = 160 160
# FREE: out = 16000 16000
# MANY: endless loop at {{.*}}endless.py:{{2[0-9]}}:{{[0-9]+}}, thread {{[0-9]+}} of block ({{[01]}}, 0, 0): the thread has begun more than 119 turns of loops
# SPINS: endless loop at {{.*}}endless.py:{{3[0-9]}}:{{[0-9]+}}, thread {{[0-9]+}} of block (0, 0, 0): the thread has begun more than 1000 turns of loops
# MEETS: endless loop at {{.*}}endless.py:4{{[0-9]}}:{{[0-9]+}}, thread {{[0-9]+}} of block (0, 0, 0): the thread has begun more than 1000 turns of loops
# ZERO: --turn-limit
import triton
import triton.language as tl


@triton.jit
def counts(out, n):
    sum = 0
    for i in range(n):
        j = 0
        while j < 4:
            sum += 1
            j += 1
    tl.store(out + tl.program_id(0), sum)


# Nothing in the loop is seen from outside.
@triton.jit
def spins(out, n):
    v = n
    while v > 0:
        v += tl.where(v == 7, 1, 0)
    tl.store(out, v)


@triton.jit
def meets(out, n):
    while n > 0:
        tl.debug_barrier()
    tl.store(out, n)
