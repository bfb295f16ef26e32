# RUN: tile-translate --import-triton --kernel blocks --signature "*fp16, *fp16, i32" %s | FileCheck %s
# RUN: tile-translate --import-triton --kernel host --signature "tensordesc<bf16[8,64],nan>, *bf16, i32" %s | FileCheck %s --check-prefix=HOST
# RUN: tile-translate --import-triton --kernel copy --signature "*i1, *i1, i32, 1" %s | FileCheck %s --check-prefix=BYTES
# RUN: tile-run %s --device emulator --kernel copy --signature "*i1, *i1, i32, 1" --grid 1 --check --arg x_ptr=i1[6]:ones --arg y_ptr=i1[6]:poison --arg n=i32:6 --print y_ptr:6 | FileCheck %s --check-prefix=BITS
# RUN: tile-translate --import-triton --kernel copy --signature "*fp16, *fp16, i32, i32" %s | FileCheck %s --check-prefix=POINTERS
# RUN: tile-translate --import-triton --kernel copy --signature "**fp16, **fp16, i32, 1" %s | FileCheck %s --check-prefix=POINTERS
# RUN: tile-translate --import-triton --kernel copy --signature "*fp8e4b15, *fp8e4b15, i32, 1" %s | FileCheck %s --check-prefix=POINTERS
# RUN: tile-translate --import-triton --kernel many --signature "*fp16, *fp16, i32" %s | FileCheck %s --check-prefix=POINTERS
"""Blocks of descriptors are operations of their own: tile-decompose-descriptors makes pointers of them."""
import triton
import triton.language as tl


# CHECK: %[[D:.*]] = "tile.make_descriptor"(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<8x64xf16>>
# CHECK: %[[T:.*]] = "tile.descriptor_load"(%[[D]], %{{.*}}, %{{.*}}) : (!tile.descriptor<tensor<8x64xf16>>, i64, i64) -> tensor<8x64xf16>
# CHECK: %[[E:.*]] = "tile.make_descriptor"(%arg1,
# CHECK: "tile.descriptor_store"(%[[E]], %[[T]], %{{.*}}, %{{.*}})
# A smaller value becomes the block's.
# CHECK: %[[ONE:.*]] = "tile.splat"(%{{.*}}) : (f16) -> tensor<8x64xf16>
# CHECK: "tile.descriptor_store"(%{{.*}}, %[[ONE]],
# CHECK-NOT: tile.load
@triton.jit
def blocks(x_ptr, y_ptr, n):
    x = tl.make_tensor_descriptor(x_ptr, [n, n], [n, 1], [8, 64])
    y = tl.make_tensor_descriptor(y_ptr, [n, n], [n, 1], [8, 64])
    y.store([n, 0], x.load([0, n]))
    y.store([n, 1], 1)


# HOST: "tile.make_descriptor"(%arg0, {{.*}}pads_with_nan} : {{.*}} -> !tile.descriptor<tensor<8x64xbf16>>
# HOST: "tile.descriptor_load"
@triton.jit
def host(x, y_ptr, n):
    tl.store(y_ptr + tl.arange(0, 8)[:, None] * n + tl.arange(0, 64), x.load([n, 0]))


# Masks are stored as bytes.
# BYTES: "tile.make_descriptor"({{.*}} -> !tile.descriptor<tensor<16xi8>>
# BYTES: "tile.descriptor_load"({{.*}} -> tensor<16xi8>
# BYTES: "tile.descriptor_store"({{.*}}, tensor<16xi8>, i64)
# BITS: y_ptr = 1 1 1 1 1 1
# What the tile dialect has no descriptors for goes through pointers: strides that are not known to
# be 1, pointers, 8-bit floats that are carried as bits, many dimensions.
# POINTERS-NOT: descriptor
# POINTERS: tile.load
# POINTERS-NOT: descriptor
# POINTERS: tile.store
# POINTERS-NOT: descriptor
@triton.jit
def copy(x_ptr, y_ptr, n, stride):
    x = tl.make_tensor_descriptor(x_ptr, [n], [stride], [16])
    y = tl.make_tensor_descriptor(y_ptr, [n], [stride], [16])
    y.store([0], x.load([0]))


@triton.jit
def many(x_ptr, y_ptr, n):
    x = tl.make_tensor_descriptor(x_ptr, [n, n, n, n, n, n], [n, n, n, n, n, 1], [1, 1, 1, 1, 1, 16])
    y = tl.make_tensor_descriptor(y_ptr, [n, n, n, n, n, n], [n, n, n, n, n, 1], [1, 1, 1, 1, 1, 16])
    y.store([0, 0, 0, 0, 0, 0], x.load([0, 0, 0, 0, 0, 0]))
