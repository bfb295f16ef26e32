# Products with and without tensor cores that meet: as accumulator, as operand, through arithmetic, and in a loop. The
# numbers are small integers, so that every way of summing gives the same; what is stored is in how many elements
# another way of computing differs.
# RUN: tile-run %s --kernel accumulator --grid 1 --num-warps 2 --check --signature '*i32,*i32' --arg a=i32[256]:arange --arg wrong=i32[1]:poison --print wrong | FileCheck %s
# RUN: tile-run %s --kernel accumulator --grid 1 --num-warps 4 --check --signature '*i32,*i32' --arg a=i32[256]:arange --arg wrong=i32[1]:poison --print wrong | FileCheck %s
# RUN: tile-run %s --kernel accumulator --grid 1 --num-warps 8 --check --signature '*i32,*i32' --arg a=i32[256]:arange --arg wrong=i32[1]:poison --print wrong | FileCheck %s
# RUN: tile-run %s --kernel operand --grid 1 --num-warps 2 --check --signature '*i32,*i32' --arg a=i32[256]:arange --arg wrong=i32[1]:poison --print wrong | FileCheck %s
# RUN: tile-run %s --kernel operand --grid 1 --num-warps 4 --check --signature '*i32,*i32' --arg a=i32[256]:arange --arg wrong=i32[1]:poison --print wrong | FileCheck %s
# RUN: tile-run %s --kernel in_loop --grid 1 --num-warps 2 --check --signature '*i32,*i32,i32' --arg a=i32[256]:arange --arg wrong=i32[1]:poison --arg n=i32:3 --print wrong | FileCheck %s
# RUN: tile-run %s --kernel in_loop --grid 1 --num-warps 4 --check --signature '*i32,*i32,i32' --arg a=i32[256]:arange --arg wrong=i32[1]:poison --arg n=i32:3 --print wrong | FileCheck %s
# RUN: tile-run %s --kernel in_loop --grid 1 --num-warps 4 --device emulator --target sm_80 --check --signature '*i32,*i32,i32' --arg a=i32[256]:arange --arg wrong=i32[1]:poison --arg n=i32:3 --print wrong | FileCheck %s
# RUN: tile-translate --tile-to-ptx %s --kernel accumulator --target sm_80 --signature '*i32,*i32' | FileCheck %s --check-prefix=PTX
# RUN: tile-translate --tile-to-ptx %s --kernel accumulator --target sm_90a --signature '*i32,*i32' | FileCheck %s --check-prefix=PTX
import triton, triton.language as tl

# CHECK: wrong = 0

@triton.jit
def small(a, seed: tl.constexpr):
    at = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    return ((tl.load(a + at) * seed) % 11 - 5).to(tl.float32)

@triton.jit
def product(x, y):
    return tl.sum(x[:, :, None] * y[None, :, :], axis=1)

@triton.jit
def count(a, b, wrong):
    tl.store(wrong, tl.sum(tl.sum((a != b).to(tl.int32), axis=1), axis=0))

# The multiply-adds' sum goes on in tensor cores, and theirs in multiply-adds.
# PTX: fma.rn.f32
# PTX: mma.sync
# PTX: fma.rn.f32
@triton.jit
def accumulator(a, wrong):
    x, y, z = small(a, 3), small(a, 5), small(a, 7)
    c = tl.dot(x, y, input_precision="ieee")
    c = tl.dot(x, z, acc=c, input_precision="tf32")
    c = tl.dot(y, z, acc=c * 2, input_precision="ieee")
    count(c, (product(x, y) + product(x, z)) * 2 + product(y, z), wrong)

# Each is an operand of the other, and both meet in a sum.
@triton.jit
def operand(a, wrong):
    x, y, z = small(a, 3), small(a, 5), small(a, 7)
    c = tl.dot(x, y, input_precision="ieee") % 13
    d = tl.dot(c, z, input_precision="tf32") % 13
    e = tl.dot(c + d, y, input_precision="ieee")
    c0 = product(x, y) % 13
    d0 = product(c0, z) % 13
    count(c + d + e, c0 + d0 + product(c0 + d0, y), wrong)

# One variable carries what both have summed up.
@triton.jit
def in_loop(a, wrong, n):
    x, y, z = small(a, 3), small(a, 5), small(a, 7)
    c = tl.zeros((16, 16), tl.float32)
    for i in range(n):
        c = tl.dot(x, y, acc=c, input_precision="tf32")
        c = tl.dot(z, x, acc=c, input_precision="ieee")
        c = c + i
    count(c, (product(x, y) + product(z, x)) * n + (n * (n - 1)) // 2, wrong)
