# RUN: tile-translate --import-triton --kernel branches --signature "*fp32, *fp32, *i32" %s | FileCheck %s
# RUN: tile-run %s --device emulator --kernel branches --grid 1 --check --arg x_ptr=fp32[256]:arange --arg out_ptr=fp32[256]:poison --arg n_ptr=i32[256]:poison --print out_ptr:8 --print n_ptr:16 | FileCheck %s --check-prefix=OUT
# RUN: tile-run %s --device emulator --kernel packs --grid 1 --check --arg x_ptr=i32[256]:arange --arg out_ptr=i32[256]:poison --arg other_ptr=fp32[256]:poison --print out_ptr:8 --print other_ptr:8 | FileCheck %s --check-prefix=PACKS
# RUN: tile-run %s --device emulator --kernel packs --num-warps 8 --grid 1 --check --arg x_ptr=i32[256]:arange --arg out_ptr=i32[256]:poison --arg other_ptr=fp32[256]:poison --print out_ptr:8 | FileCheck %s --check-prefix=FEW
# RUN: tile-translate --tile-to-ptx --target sm_80 --kernel branches --signature "*fp32, *fp32, *i32" %s | FileCheck %s --check-prefix=PTX
"""Functions of scalars mapped over tiles."""
import triton
import triton.language as tl


@triton.jit
def collatz(n, limit):
    steps = 0
    while (n > 1) & (steps < limit):
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@triton.jit
def selu(x, alpha):
    if x > 3:
        return x
    else:
        return alpha * (x - 3)


# A loop of the element's own length: a branch of each thread in the machine's code.
# CHECK: "tile.map"(%{{.*}}, %{{.*}}) ({
# CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
# CHECK: gpu.yield
# CHECK: pack = 1 : i32
# CHECK: "tile.map"
# CHECK: scf.while
# PTX: bra
# OUT: out_ptr = -6 -4 -2 0 4 5 6 7 ...
# OUT: n_ptr = 0 0 1 7 2 5 8 16 3 19 6 14 9 9 17 17 ...
@triton.jit
def branches(x_ptr, out_ptr, n_ptr):
    i = tl.arange(0, 256)
    tl.store(out_ptr + i, tl.map_elementwise(selu, tl.load(x_ptr + i), 2.0))
    tl.store(n_ptr + i, tl.map_elementwise(collatz, i, 1000))


@triton.jit
def pairs(a, b):
    return b, a, a * 0.5, b * 0.5


# A thread holds two elements: each call sees them both. With one in a thread, both arguments are that one.
# PACKS: out_ptr = 1 0 3 2 5 4 7 6 ...
# PACKS: other_ptr = 0 0.5 1 1.5 2 2.5 3 3.5 ...
# FEW: out_ptr = 0 1 2 3 4 5 6 7 ...
@triton.jit
def packs(x_ptr, out_ptr, other_ptr):
    i = tl.arange(0, 256)
    swapped, halves = tl.map_elementwise(pairs, tl.load(x_ptr + i), pack=2)
    tl.store(out_ptr + i, swapped)
    tl.store(other_ptr + i, halves)
