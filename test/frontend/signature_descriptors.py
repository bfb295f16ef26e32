# RUN: tile-translate --import-triton --kernel copy --signature "tensordesc<fp16[4,16]>, tensordesc<fp16[4,16],nan>, *fp16:16, i32" %s | FileCheck %s
# RUN: tile-run %s --device emulator --kernel copy --signature "tensordesc<fp16[4, 16]>, tensordesc<fp16[4,16],nan>, *fp16:16, i32" --grid 1 --check --arg a.base=fp16[48]:arange --arg a.shape.0=i32:3 --arg a.shape.1=i32:15 --arg a.strides.0=i64:16 --arg b.base=fp16[48]:arange --arg b.shape.0=i32:3 --arg b.shape.1=i32:15 --arg b.strides.0=i64:16 --arg out=fp16[128]:poison --arg row=i32:1 --print out:128 | FileCheck %s --check-prefix=OUT
# A descriptor in a tuple, and one that is written through.
# RUN: tile-run %s --device emulator --kernel through --signature "(tensordesc<fp32[8]>, tensordesc<fp32[8]>)" --grid 1 --check --arg pair.0.base=fp32[6]:arange --arg pair.0.shape.0=i32:6 --arg pair.1.base=fp32[6]:poison --arg pair.1.shape.0=i32:5 --print pair.1.base:6 | FileCheck %s --check-prefix=THROUGH
"""Descriptors that the host makes: a launch passes base, sizes, and strides but the last, which is 1."""
import triton
import triton.language as tl


# A host's descriptor promises 16 bytes of its base and strides.
# CHECK: func.func @copy(%arg0: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "a.base"}, %arg1: i32 {tile.name = "a.shape.0"}, %arg2: i32 {tile.name = "a.shape.1"}, %arg3: i64 {tile.divisibility = 8 : i32, tile.name = "a.strides.0"}, %arg4: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "b.base"},
# OUT: out = 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 0 32 33 {{.*}} 46 0 0 0 {{.*}} 16 17 {{.*}} 30 nan 32 {{.*}} 46 nan nan nan
@triton.jit
def copy(a, b, out, row):
    tl.static_assert(a.block_shape == (4, 16) and a.dtype == tl.float16 and a.strides[1] == 1)
    tl.static_assert(isinstance(a, tl.tensor_descriptor))
    where = tl.arange(0, 4)[:, None] * 16 + tl.arange(0, 16)
    tl.store(out + where, a.load([row, 0]))
    tl.store(out + 64 + where, b.load([row, 0]))


# THROUGH: pair.1.base = 0 2 4 6 8 -26711958
@triton.jit
def through(pair):
    pair[1].store([0], pair[0].load([0]) * 2)
