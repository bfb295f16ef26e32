# Plain pointers that read boxes of tensors are descriptors in the version with tensor maps, and stay what they are in the kernel.
# RUN: tile-translate --import-triton --kernel product --signature "*fp16, *fp16, *fp16, i32, i32, i32, i32" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --canonicalize - | FileCheck %s
# What the kernel writes itself the copy engine does not read: it would not see the order of the accesses. Nor does it where nobody
# knows what is written, and where a size is no product of arguments.
# RUN: tile-translate --import-triton --kernel in_place --signature "*fp16, *fp16, i32, i32" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors - | FileCheck %s --check-prefix=NONE
# RUN: tile-translate --import-triton --kernel through_table --signature "*fp16, *i64, i32, i32" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors - | FileCheck %s --check-prefix=NONE
# RUN: tile-translate --import-triton --kernel counted --signature "*fp16, *fp16, i32, i32" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors - | FileCheck %s --check-prefix=NONE
# RUN: tile-translate --import-triton --kernel sums --signature "*fp16, *fp16, i32, i32" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors - | FileCheck %s --check-prefix=NONE
# A launch of more elements than the kernel counts in 32 bits takes the kernel itself, as do rows that are not aligned.
# RUN: tile-translate --tile-to-ptx --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i32:16" %s -o %t.ptx
# RUN: tile-image list %t.ptx | FileCheck %s --check-prefix=MAPS
# RUN: tile-run %s --kernel product --check --grid 2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i32:16" --arg a=fp16[100,64]:rand --arg b=fp16[64,64]:rand --arg c=fp16[100,64]:poison --arg M=i32:100 --arg N=i32:64 --arg K=i32:50 --arg stride=i32:64 --print c:6400 > %t.maps
# RUN: tile-run %s --kernel product --check --grid 2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i32:16" --arg a=fp16[100,64]:rand --arg b=fp16[64,64]:rand --arg c=fp16[100,64]:poison --arg M=i32:100 --arg N=i32:64 --arg K=i32:50 --arg stride=i32:64 --print c:6400 --tensor-maps off > %t.plain
# RUN: cmp %t.maps %t.plain
# A tensor that the kernel moves has more dimensions, and one without bounds is long. Steps of 32 become one of 64 there, too. The
# launch takes the kernel itself where a stride is no multiple of 16 bytes, or negative.
# RUN: tile-translate --tile-to-ptx --kernel batches --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" %s -o %t.batches.ptx
# RUN: tile-image list %t.batches.ptx | FileCheck %s --check-prefix=BATCHES
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:10240 --arg offset=i64:0 --arg stride=i32:80 --print c:16384 > %t.b0
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:10240 --arg offset=i64:0 --arg stride=i32:80 --print c:16384 --tensor-maps off | cmp %t.b0 -
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:0 --arg offset=i64:5120 --arg stride=i32:80 --print c:16384 > %t.b1
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:0 --arg offset=i64:5120 --arg stride=i32:80 --print c:16384 --tensor-maps off | cmp %t.b1 -
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:10241 --arg offset=i64:0 --arg stride=i32:80 --print c:16384 > %t.b2
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:10241 --arg offset=i64:0 --arg stride=i32:80 --print c:16384 --tensor-maps off | cmp %t.b2 -
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:-10240 --arg offset=i64:10240 --arg stride=i32:80 --print c:16384 > %t.b3
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:-10240 --arg offset=i64:10240 --arg stride=i32:80 --print c:16384 --tensor-maps off | cmp %t.b3 -
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:9999 --arg offset=i64:16 --arg stride=i32:79 --print c:16384 > %t.b4
# RUN: tile-run %s --kernel batches --check --grid 2,2 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i64, i32" --arg a=fp16[4,64,80]:rand --arg b=fp16[4,64,80]:rand --arg c=fp16[4,64,64]:poison --arg H=i32:2 --arg K=i32:50 --arg stride_z=i32:9999 --arg offset=i64:16 --arg stride=i32:79 --print c:16384 --tensor-maps off | cmp %t.b4 -
import triton
import triton.language as tl


# CHECK: func.func @product$tma(
# CHECK-SAME: !tile.descriptor<tensor<64x64xf16>> {tile_gpu.tensor_map = {base = 0 : i32, narrow = array<i32: 1>, sizes = [array<i64: 1, 5>, array<i64: 1, 3>], strides = [array<i64: 2, 6>], type = f16}}
# CHECK-SAME: !tile.descriptor<tensor<64x64xf16>> {tile_gpu.tensor_map = {base = 1 : i32, narrow = array<i32: 1>, sizes = [array<i64: 1, 4>, array<i64: 1, 5>], strides = [array<i64: 2, 6>], type = f16}}
# CHECK-NOT: tile.load
# CHECK-COUNT-2: tile.descriptor_load
# CHECK-NOT: tile.load
# CHECK: func.func @product(
# CHECK-NOT: tile.descriptor
# CHECK-COUNT-2: tile.load
# MAPS: version 0: {{.*}} symbol product$tma
# MAPS: tensor map of a: f16, K x M, strides of 2 * stride bytes, boxes of 64 x 64, swizzle 128, distances of 32 bits
# MAPS: version 1: section 0
# NONE-NOT: $tma
# NONE: return
@triton.jit
def product(a, b, c, M, N, K, stride):
    rows = (tl.program_id(0) * 64 + tl.arange(0, 64)) % M
    columns = tl.arange(0, 64)
    inner = tl.arange(0, 32)
    sums = tl.zeros((64, 64), tl.float32)
    for k in range(0, K, 32):
        x = tl.load(a + rows[:, None] * stride + (k + inner)[None, :], mask=(k + inner)[None, :] < K, other=0)
        y = tl.load(b + (k + inner)[:, None] * stride + columns[None, :],
                    mask=((k + inner)[:, None] < K) & (columns[None, :] < N), other=0)
        sums = tl.dot(x, y, sums)
    places = tl.program_id(0) * 64 + tl.arange(0, 64)
    tl.store(c + places[:, None] * stride + columns[None, :], sums.to(tl.float16), mask=(places[:, None] < M) & (columns[None, :] < N))


@triton.jit
def square(a, K, stride):
    lanes = tl.arange(0, 64)
    sums = tl.zeros((64, 64), tl.float32)
    for k in range(0, K, 64):
        x = tl.load(a + lanes[:, None] * stride + (k + lanes)[None, :], mask=(k + lanes)[None, :] < K, other=0)
        sums = tl.dot(x, x, sums)
    return sums


@triton.jit
def in_place(a, c, K, stride):
    sums = square(a, K, stride)
    lanes = tl.arange(0, 64)
    tl.store(a + lanes[:, None] * stride + lanes[None, :], sums.to(tl.float16))


@triton.jit
def through_table(a, table, K, stride):
    sums = square(a, K, stride)
    lanes = tl.arange(0, 64)
    c = tl.load(table).to(tl.pointer_type(tl.float16))
    tl.store(c + lanes[:, None] * stride + lanes[None, :], sums.to(tl.float16))


@triton.jit
def counted(a, c, K, stride):
    sums = square(a, K, stride)
    lanes = tl.arange(0, 64)
    tl.atomic_add(a + K * stride, 1.0)
    tl.store(c + lanes[:, None] * stride + lanes[None, :], sums.to(tl.float16))


@triton.jit
def sums(a, c, K, stride):
    sums = square(a, K, stride + K)
    lanes = tl.arange(0, 64)
    tl.store(c + lanes[:, None] * stride + lanes[None, :], sums.to(tl.float16))


# BATCHES: symbol batches$tma
# BATCHES: tensor map of a: f16, K x 64 x 2147483648 x 2147483648 x 2147483648, strides of 2 * stride and 2 * offset and 10240 and 2 * stride_z bytes, boxes of 64 x 64 x 1 x 1 x 1, swizzle 128
# BATCHES: tensor map of b: f16, 64 x K x 2147483648 x 2147483648 x 2147483648, strides of 2 * stride and 32 and 2 * offset and 2 * stride_z bytes, boxes of 64 x 64 x 1 x 1 x 1, swizzle 128
@triton.jit
def batches(a, b, c, H, K, stride_z, offset, stride):
    pid = tl.program_id(0) + 2 * tl.program_id(1)
    z = (pid // H).to(tl.int64) * stride_z
    h = pid % H
    lanes = tl.arange(0, 64)
    inner = tl.arange(0, 32)
    a += z + h * 5120 + offset
    b += z + offset
    sums = tl.zeros((64, 64), tl.float32)
    for k in range(0, K, 32):
        left = k + inner
        x = tl.load(a + lanes[:, None] * stride + left[None, :], mask=left[None, :] < K, other=0)
        y = tl.load(b + left[:, None] * stride + (h * 16 + lanes)[None, :], mask=left[:, None] < K, other=0)
        sums = tl.dot(x, y, sums)
    tl.store(c + pid * 4096 + lanes[:, None] * 64 + lanes[None, :], sums.to(tl.float16))
