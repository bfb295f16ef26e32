# Stores that write boxes of tensors: through pointers where pointers and mask are a box, and through descriptors. The launch makes
# the descriptor; the store stays as it is until layouts are known.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'masked'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes --tile-decompose-descriptors - | FileCheck %s --check-prefixes=CHECK,MASKED
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'whole'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes --tile-decompose-descriptors - | FileCheck %s --check-prefixes=CHECK,WHOLE
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:8, i32, 'described'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes --tile-decompose-descriptors - | FileCheck %s --check-prefixes=CHECK,DESCRIBED
# Others are none: the launch would refuse what the loads alone allow, or the memory is not the store's own.
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32:16, 'masked'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=STRIDE
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:4, i32, 'described'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=UNITS
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel padded --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:4, i32:16, i32:16" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=UNITS
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16, i32, i32:16, i32:16, 'masked'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=BASE
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'odd'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=ODD
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'added'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=OWN
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'twice'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=OWN
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'counted'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=OWN
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'across'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=ACROSS
# RUN: tile-translate --import-triton --num-warps 8 --num-stages 3 --kernel product --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'chosen'" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=CHOSEN
# A launch makes 16 descriptors at most: two for the loads, and for 14 of 15 stores.
# RUN: tile-translate --import-triton --num-warps 4 --num-stages 3 --kernel many --signature "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp16:16, i32:16, i32:16" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors --tile-find-store-boxes=remarks=true - 2>&1 | FileCheck %s --check-prefix=MANY
# What a box leaves out is what the mask leaves out, and what was there stays.
# RUN: tile-run %s --kernel product --check --grid 3,2 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'masked'" --arg a=fp16[300,80]:rand --arg b=fp16[80,272]:rand --arg c=fp16[300,272]:poison --arg M=i32:300 --arg N=i32:272 --arg K=i32:80 --save c=%t.boxes.npy
# RUN: env TILE_SKIP_PASSES=tile-gpu-bulk-stores tile-run %s --kernel product --check --grid 3,2 --num-warps 8 --num-stages 3 --signature "*fp16:16, *fp16:16, *fp16:16, i32, i32:16, i32:16, 'masked'" --arg a=fp16[300,80]:rand --arg b=fp16[80,272]:rand --arg c=fp16[300,272]:poison --arg M=i32:300 --arg N=i32:272 --arg K=i32:80 --save c=%t.threads.npy
# RUN: cmp %t.boxes.npy %t.threads.npy
import triton
import triton.language as tl


# CHECK-LABEL: func.func @product$tma(
# MASKED-SAME: tile_gpu.tensor_map = {base = 2 : i32, narrow = array<i32: 1>, sizes = [array<i64: 1, 4>, array<i64: 1, 3>], stores, strides = [array<i64: 2, 4>], type = f16}
# WHOLE-SAME: tile_gpu.tensor_map = {base = 2 : i32, narrow = array<i32: 1>, sizes = [array<i64: 256>, array<i64: 128>, array<i64: 2147483648>, array<i64: 2147483648>], stores, strides = [array<i64: 2, 4>, array<i64: 512>, array<i64: 2, 4>], type = f16}
# DESCRIBED-SAME: tile_gpu.tensor_map = {base = 2 : i32, sizes = [array<i64: 1, 4>, array<i64: 1, 3>], stores, strides = [array<i64: 2, 4>], type = f16}
# MASKED: "tile_gpu.store_box"(%arg{{[0-9]+}}, %{{[^,]+}}, %{{[^,]+}}) {tile_gpu.box = 0 : i32} : (!tile.descriptor<tensor<128x256xf16>>, i32, i32) -> ()
# Without a mask the program's place is one in outer dimensions.
# WHOLE: "tile_gpu.store_box"(%arg{{[0-9]+}}, %{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}}) {tile_gpu.box = 0 : i32}
# CHECK: "tile.store"({{.*}}) {tile_gpu.box = 0 : i32}
# The kernel itself, for all other launches, is as it was.
# CHECK-LABEL: func.func @product(
# CHECK-NOT: tile_gpu.box
# STRIDE: remark: not stored as a box: a stride is not known to be a multiple of 16 bytes
# UNITS: remark: not stored as a box: its rows are not known to be multiples of 16 bytes
# BASE: remark: not stored as a box: its base is not known to be a multiple of 16 bytes
# ODD: remark: not stored as a box: its rows may begin at other places than multiples of 16 bytes
# OWN: remark: not stored as a box: the kernel may touch what it writes elsewhere, or tell others of it
# ACROSS: remark: not stored as a box: it has not two dimensions, with rows along the second
# CHOSEN: remark: not stored as a box:
@triton.jit
def product(a, b, c, M, N, K, HOW: tl.constexpr):
    row, column = tl.program_id(0) * 128, tl.program_id(1) * 256
    rows, columns = row + tl.arange(0, 128), column + tl.arange(0, 256)
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [128, 64])
    y = tl.make_tensor_descriptor(b, [K, N], [N, 1], [64, 256])
    z = tl.make_tensor_descriptor(c, [M, N], [N, 1], [128, 256])
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(0, K, 64):
        acc = tl.dot(x.load([row, k]), y.load([k, column]), acc)
    places = c + rows[:, None] * N + columns[None, :]
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    if HOW == 'masked':
        tl.store(places, acc.to(tl.float16), inside)
    elif HOW == 'whole':
        tl.store(places, acc.to(tl.float16))
    elif HOW == 'described':
        z.store([row, column], acc.to(tl.float16))
    elif HOW == 'odd':
        tl.store(places + 1, acc.to(tl.float16), (rows[:, None] < M) & (columns[None, :] + 1 < N))
    elif HOW == 'added':
        tl.store(places, (acc + tl.load(places, inside)).to(tl.float16), inside)
    elif HOW == 'twice':
        tl.store(places, acc.to(tl.float16), inside)
        tl.store(places, (acc + 1).to(tl.float16), inside)
    elif HOW == 'counted':
        tl.store(places, acc.to(tl.float16), inside)
        tl.atomic_add(a.to(tl.pointer_type(tl.int32)), 1)
    elif HOW == 'across':
        tl.store(c + columns[None, :] * M + rows[:, None], acc.to(tl.float16))
    elif HOW == 'chosen':
        tl.store(places, acc.to(tl.float16), inside & (acc > 0))


# Rows of N numbers, so many apart: a GPU would write behind them.
@triton.jit
def padded(a, b, c, M, N, K, stride):
    row, column = tl.program_id(0) * 128, tl.program_id(1) * 256
    rows, columns = row + tl.arange(0, 128), column + tl.arange(0, 256)
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [128, 64])
    y = tl.make_tensor_descriptor(b, [K, N], [stride, 1], [64, 256])
    acc = tl.zeros((128, 256), dtype=tl.float32)
    for k in range(0, K, 64):
        acc = tl.dot(x.load([row, k]), y.load([k, column]), acc)
    tl.store(c + rows[:, None] * stride + columns[None, :], acc.to(tl.float16),
             (rows[:, None] < M) & (columns[None, :] < N))


# MANY-COUNT-14: remark: stores a box of a tensor
# MANY: remark: not stored as a box: the launch makes no more descriptors for a kernel
@triton.jit
def many(a, b, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, N, K):
    x = tl.make_tensor_descriptor(a, [64, K], [K, 1], [64, 64])
    y = tl.make_tensor_descriptor(b, [K, N], [N, 1], [64, 64])
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for k in range(0, K, 64):
        acc = tl.dot(x.load([0, k]), y.load([k, 0]), acc)
    places = tl.arange(0, 64)[:, None] * N + tl.arange(0, 64)[None, :]
    tl.store(c0 + places, (acc + 0).to(tl.float16))
    tl.store(c1 + places, (acc + 1).to(tl.float16))
    tl.store(c2 + places, (acc + 2).to(tl.float16))
    tl.store(c3 + places, (acc + 3).to(tl.float16))
    tl.store(c4 + places, (acc + 4).to(tl.float16))
    tl.store(c5 + places, (acc + 5).to(tl.float16))
    tl.store(c6 + places, (acc + 6).to(tl.float16))
    tl.store(c7 + places, (acc + 7).to(tl.float16))
    tl.store(c8 + places, (acc + 8).to(tl.float16))
    tl.store(c9 + places, (acc + 9).to(tl.float16))
    tl.store(c10 + places, (acc + 10).to(tl.float16))
    tl.store(c11 + places, (acc + 11).to(tl.float16))
    tl.store(c12 + places, (acc + 12).to(tl.float16))
    tl.store(c13 + places, (acc + 13).to(tl.float16))
    tl.store(c14 + places, (acc + 14).to(tl.float16))
