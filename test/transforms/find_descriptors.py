# RUN: tile-translate --import-triton --kernel product --signature "*fp16, *fp16, *fp16, i32, i32, i32, i32, i32, i32, 32, 64, 16, 4" %s -o %t.mlir
# RUN: tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true %t.mlir -o %t.found.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
# RUN: FileCheck %s --input-file=%t.found.mlir
# Nobody sees a difference: the edges of a, b and c are inside of tiles.
# RUN: tile-run --device emulator --check --grid 6 %t.mlir --arg a_ptr=fp16[3500]:rand --arg b_ptr=fp16[5400]:rand --arg c_ptr=fp16[9030]:ones --arg M=i32:70 --arg N=i32:120 --arg K=i32:45 --arg stride_a=i32:50 --arg stride_b=i32:120 --arg stride_c=i32:129 --print c_ptr:9030 > %t.out
# RUN: tile-run --device emulator --check --grid 6 %t.found.mlir --arg a_ptr=fp16[3500]:rand --arg b_ptr=fp16[5400]:rand --arg c_ptr=fp16[9030]:ones --arg M=i32:70 --arg N=i32:120 --arg K=i32:45 --arg stride_a=i32:50 --arg stride_b=i32:120 --arg stride_c=i32:129 --print c_ptr:9030 > %t.found.out
# RUN: cmp %t.out %t.found.out
# The pointers are gone from the loop.
# RUN: tile-opt --tile-decompose-descriptors --tile-cleanup --canonicalize %t.found.mlir | FileCheck %s --check-prefix=LOOP
# RUN: tile-translate --import-triton --kernel batches --signature "*fp16, *fp16, *fp16, i32, i32, i32, i32, 32, 16" %s | tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true - 2>&1 | FileCheck %s --check-prefix=BATCH
# RUN: tile-translate --import-triton --kernel blocks --signature "*fp16, *fp16, *fp16, i32, i32, i32, i32, i32, 32, 16" %s | tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true - 2>&1 | FileCheck %s --check-prefix=BLOCK
# RUN: tile-translate --import-triton --kernel heads --signature "*fp16, *fp16, *fp16, i32, i32, i32, i32, i32, 32, 16" %s | tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true - 2>&1 | FileCheck %s --check-prefix=HEADS
# RUN: tile-translate --import-triton --kernel places --signature "*fp16, *fp16, *fp16, i32, i64, i32, i32, 32, 16" %s | tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true - 2>&1 | FileCheck %s --check-prefix=PLACES
# RUN: tile-translate --import-triton --kernel whole --signature "*fp16, *fp16, *fp16, i32, i32, i32, 32, 16" %s | tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true - 2>&1 | FileCheck %s --check-prefix=WHOLE
"""Boxes of tensors behind plain pointers, as tile-find-descriptors finds them."""
import triton
import triton.language as tl


# REMARK: remark: a box of a tensor: dimension 0 ends where its index is wrapped, and what lies after that is not stored; dimension 1 ends at its mask
# REMARK: remark: a box of a tensor: dimension 0 ends at its mask; dimension 1 ends where its index is wrapped, and what lies after that is not stored

# The sizes are M, K and K, N; the rows begin where the program's do, the columns where the loop is.
# CHECK: scf.for %[[I:[a-z0-9]*]] =
# CHECK-DAG: %[[M:.*]] = arith.extsi %arg3 : i32 to i64
# CHECK-DAG: %[[K:.*]] = arith.extsi %arg5 : i32 to i64
# CHECK-DAG: %[[ROW:.*]] = arith.extsi %arg6 : i32 to i64
# CHECK: %[[A:.*]] = "tile.make_descriptor"(%arg0, %[[M]], %[[K]], %[[ROW]], %{{.*}}) {operandSegmentSizes = array<i32: 1, 2, 2>, tile.narrow_dims = array<i32: 0>} : {{.*}} -> !tile.descriptor<tensor<32x16xf16>>
# CHECK: %[[START:.*]] = arith.extsi %{{.*}} : i32 to i64
# CHECK: %[[WIDE:.*]] = arith.extsi %[[I]] : i32 to i64
# CHECK: %[[AT:.*]] = arith.muli %[[WIDE]], %{{.*}} : i64
# CHECK: "tile.descriptor_load"(%[[A]], %[[START]], %[[AT]])
# CHECK: "tile.make_descriptor"(%arg1, {{.*}} -> !tile.descriptor<tensor<16x64xf16>>
# CHECK: "tile.descriptor_load"
# CHECK-NOT: tile.load
# LOOP: scf.for {{.*}} iter_args(%{{[^,]*}}) -> (tensor<32x64xf32>)
@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, stride_c,
            BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    in_group = GROUP * tl.cdiv(N, BN)
    first = pid // in_group * GROUP
    height = min(tl.cdiv(M, BM) - first, GROUP)
    pid_m = first + pid % in_group % height
    pid_n = pid % in_group // height
    offs_m = (pid_m * BM + tl.arange(0, BM)) % M
    offs_n = (pid_n * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_m[:, None] * stride_a + offs_k[None, :])
    b_ptrs = b_ptr + (offs_k[:, None] * stride_b + offs_n[None, :])
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * stride_b
    offs_m = pid_m * BM + tl.arange(0, BM)
    offs_n = pid_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + offs_m[:, None] * stride_c + offs_n[None, :]
    tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m[:, None] < M) & (offs_n[None, :] < N))


# A tensor a program: its place is none of the bounds, but one along an outer dimension. The
# contiguous dimension is the descriptor's last one, and permuted back.
# BATCH: remark: a box of a tensor: dimension 0 begins at a constant and is read as a whole; dimension 1 ends at its mask; 1 outer dimension(s) say where the tensor is
# BATCH: remark: a box of a tensor: dimension 0 ends at its mask; dimension 1 begins at a constant and is read as a whole; 1 outer dimension(s) say where the tensor is
# BATCH: %[[PID:.*]] = "tile.program_id"
# BATCH: scf.for
# BATCH-DAG: %[[ENDLESS:.*]] = arith.constant 2147483648 : i64
# BATCH-DAG: %[[HEAD:.*]] = arith.extsi %arg4 : i32 to i64
# BATCH: %[[K:.*]] = "tile.make_descriptor"(%arg0, %[[ENDLESS]], %{{.*}}, %{{.*}}, %[[HEAD]], %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 3, 3>, tile.narrow_dims = array<i32: 1>} : {{.*}} -> !tile.descriptor<tensor<16x32xf16>>
# BATCH: %[[Z:.*]] = arith.extsi %[[PID]] : i32 to i64
# BATCH: %[[T:.*]] = "tile.descriptor_load"(%[[K]], %[[Z]], %{{.*}}, %{{.*}})
# BATCH: "tile.permute"(%[[T]]) {order = array<i32: 1, 0>} : (tensor<16x32xf16>) -> tensor<32x16xf16>
# BATCH: "tile.descriptor_load"
@triton.jit
def batches(k_ptr, v_ptr, o_ptr, N, stride_h, stride_n, stride_o, D: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(0).to(tl.int64) * stride_h
    offs_d = tl.arange(0, D)
    acc = tl.zeros((D, D), tl.float32)
    for n in range(0, N, BN):
        offs_n = n + tl.arange(0, BN)
        k = tl.load(k_ptr + head + offs_d[:, None] + offs_n[None, :] * stride_n,
                    mask=offs_n[None, :] < N, other=0.0)
        v = tl.load(v_ptr + head + offs_n[:, None] * stride_n + offs_d[None, :],
                    mask=offs_n[:, None] < N, other=0.0)
        acc = tl.dot(k, v, acc)
    tl.store(o_ptr + head + offs_d[:, None] * stride_o + offs_d[None, :], acc.to(tl.float16))


# Block pointers, whose bounds are put into the range of positions.
# BLOCK: remark: a box of a tensor: dimension 0 ends at its mask; dimension 1 ends at its mask
# BLOCK: remark: a box of a tensor: dimension 0 ends at its mask; dimension 1 ends at its mask
@triton.jit
def blocks(a_ptr, b_ptr, c_ptr, M, N, K, stride_a, stride_b, B: tl.constexpr, BK: tl.constexpr):
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_a, 1), (tl.program_id(0) * B, 0), (B, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_b, 1), (0, tl.program_id(1) * B), (BK, B), (1, 0))
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(tl.load(a, boundary_check=(0, 1)), tl.load(b, boundary_check=(0, 1)), acc)
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_b, 1), (tl.program_id(0) * B, tl.program_id(1) * B),
                          (B, B), (1, 0))
    tl.store(c, acc.to(tl.float16), boundary_check=(0, 1))


# Without masks: the launch has seen to it that all of the tile is there. What moves the tensor is taken
# apart as far as is needed for each argument to be a stride; a place stays a number as a whole.
# HEADS: remark: a box of a tensor: dimension 0 begins at a constant and is read as a whole; dimension 1 is read without a bound; 2 outer dimension(s) say where the tensor is
# HEADS: remark: a box of a tensor: dimension 0 is read without a bound; dimension 1 begins at a constant and is read as a whole; 2 outer dimension(s) say where the tensor is
# HEADS: %[[PID:.*]] = "tile.program_id"
# HEADS: %[[N:.*]] = arith.divsi %[[PID]], %arg3
# HEADS: %[[Z:.*]] = arith.addi %[[N]], %{{.*}} : i32
# HEADS: %[[H:.*]] = arith.remsi %[[PID]], %arg3
# HEADS: %[[K:.*]] = "tile.make_descriptor"(%arg0, {{.*}}) {operandSegmentSizes = array<i32: 1, 4, 4>} : {{.*}} -> !tile.descriptor<tensor<16x32xf16>>
# HEADS-DAG: %[[WZ:.*]] = arith.extsi %[[Z]] : i32 to i64
# HEADS-DAG: %[[WH:.*]] = arith.extsi %[[H]] : i32 to i64
# HEADS: "tile.descriptor_load"(%[[K]], %[[WZ]], %[[WH]], %{{.*}}, %{{.*}}) : (!tile.descriptor<tensor<16x32xf16>>, i64, i64, i64, i64)
@triton.jit
def heads(k_ptr, v_ptr, o_ptr, H, N, stride_z, stride_h, stride_n, D: tl.constexpr, BN: tl.constexpr):
    pid = tl.program_id(0)
    at = (pid // H + 1) * stride_z + (pid % H) * stride_h
    offs_d = tl.arange(0, D)
    k_ptrs = k_ptr + at + offs_d[:, None] + tl.arange(0, BN)[None, :] * stride_n
    v_ptrs = v_ptr + at + tl.arange(0, BN)[:, None] * stride_n + offs_d[None, :]
    acc = tl.zeros((D, D), tl.float32)
    for n in range(0, N, BN):
        acc = tl.dot(tl.load(k_ptrs), tl.load(v_ptrs), acc)
        k_ptrs += BN * stride_n
        v_ptrs += BN * stride_n
    tl.store(o_ptr + pid * D * D + offs_d[:, None] * D + offs_d[None, :], acc.to(tl.float16))


# What the launch knows as a whole is the stride of place 1. Where no mask speaks of a place, a
# constant is a stride, too. A quotient of 64 bits of what had 32 has 32.
# PLACES: remark: a box of a tensor: dimension 0 is read without a bound; dimension 1 begins at a constant and is read as a whole; 1 outer dimension(s) say where the tensor is
# PLACES: remark: a box of a tensor: dimension 0 is read without a bound; dimension 1 begins at a constant and is read as a whole; 2 outer dimension(s) say where the tensor is
# PLACES: %[[D:.*]] = "tile.make_descriptor"(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %arg4, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 3, 3>}
# PLACES: %[[ONE:.*]] = arith.constant 1 : i64
# PLACES: "tile.descriptor_load"(%[[D]], %[[ONE]], %{{.*}}, %{{.*}})
# PLACES: "tile.make_descriptor"(%arg1, {{.*}}) {operandSegmentSizes = array<i32: 1, 4, 4>
@triton.jit
def places(a_ptr, b_ptr, c_ptr, K, offset, stride_z, stride, B: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, B)
    inner = tl.arange(0, BK)
    column = tl.program_id(1) * B
    b_base = b_ptr + pid // 3 * stride_z
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_ptr + offset + (k + inner)[:, None] * stride + lanes[None, :])
        b = tl.load(b_base + (k + inner)[:, None] * stride + (column + lanes)[None, :])
        acc = tl.dot(tl.trans(a), b, acc)
    tl.store(c_ptr + lanes[:, None] * B + lanes[None, :], acc.to(tl.float16))


# K is a multiple of the step, so that there is no mask. The loop ends at a quotient by the step: a row's
# place is below 2^31.
# WHOLE: remark: a box of a tensor: dimension 0 ends where its index is wrapped, and what lies after that is not stored; dimension 1 is read without a bound
# WHOLE: remark: a box of a tensor: dimension 0 is read without a bound; dimension 1 begins at a constant and is read as a whole
@triton.jit
def whole(a_ptr, b_ptr, c_ptr, M, K, stride, B: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    lanes = tl.arange(0, B)
    a_ptrs = a_ptr + (rows % M)[:, None] * stride + tl.arange(0, BK)[None, :]
    b_ptrs = b_ptr + tl.arange(0, BK)[:, None] * stride + lanes[None, :]
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), acc)
        a_ptrs += BK
        b_ptrs += BK * stride
    tl.store(c_ptr + rows[:, None] * B + lanes[None, :], acc.to(tl.float16), mask=rows[:, None] < M)
