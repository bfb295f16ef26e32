# RUN: tile-translate --import-triton --kernel refused --signature "*fp16, *fp16, *fp16, *i32, **fp16, i32, i32, i32, i32, i32, 32, 32, 32" %s | tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true -o %t.refused 2>&1 | FileCheck %s
# RUN: FileCheck %s --check-prefix=NONE --input-file=%t.refused
# RUN: tile-translate --import-triton --kernel seen --signature "*fp16, *fp16, *fp32, i32, i32, i32, i32, 32, 32, 32" %s | tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true -o %t.seen 2>&1 | FileCheck %s --check-prefix=SEEN
# RUN: tile-translate --import-triton --kernel moved --signature "*fp16, *fp16, *i64, i32, i32, i32, i32, i32, i32, 32, 32" %s | tile-opt --tile-inline --canonicalize --cse --tile-find-descriptors=remarks=true -o %t.moved 2>&1 | FileCheck %s --check-prefix=MOVED
# RUN: tile-translate --import-triton --kernel moved --signature "*fp16, *fp16, *i64, i32, i32, i32, i32, i32, i32, 32, 32" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors - | FileCheck %s --check-prefix=PLAIN
"""Loads that are no boxes of a tensor for tile-find-descriptors, a remark each."""
import triton
import triton.language as tl


# NONE-NOT: descriptor
@triton.jit
def refused(a_ptr, b_ptr, c_ptr, list_ptr, table_ptr, M, N, K, stride_a, stride_b,
            BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    wrapped = rows % M
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + wrapped[:, None] * stride_a + offs_k[None, :]
    skipping_ptrs = a_ptrs
    uneven_ptrs = a_ptrs
    growing_ptrs = a_ptrs
    turning_ptrs = a_ptrs
    ones = tl.full((BK, BN), 1, tl.float16)
    acc = tl.zeros((BM, BN), tl.float32)
    listed = tl.load(list_ptr)
    for k in range(0, tl.cdiv(K, BK)):
        mask = offs_k[None, :] < K - k * BK
        # CHECK: not a box of a tensor: what is masked off is not zero
        a = tl.load(a_ptrs, mask=mask, other=1.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: it is volatile
        a = tl.load(a_ptrs, mask=mask, other=0.0, volatile=True)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the mask has a condition besides bounds
        a = tl.load(a_ptrs, mask=mask & (N > 7), other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the mask is no conjunction of comparisons
        a = tl.load(a_ptrs, mask=mask | (k < 3), other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the mask has a comparison other than <
        a = tl.load(a_ptrs, mask=offs_k[None, :] != K - k * BK, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the mask compares several dimensions
        a = tl.load(a_ptrs, mask=offs_k[None, :] + rows[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the mask compares a product of 32 bits
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K + tl.full((1, BK), N, tl.int32) * M, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the mask compares multiples of an index
        a = tl.load(a_ptrs, mask=2 * offs_k[None, :] < K - k * BK, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the mask compares an index that is wrapped
        a = tl.load(a_ptrs, mask=mask & (wrapped[:, None] < N), other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the mask has a lower bound other than 0
        a = tl.load(a_ptrs, mask=mask & (offs_k[None, :] >= 2), other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: a dimension has two bounds
        a = tl.load(a_ptrs, mask=mask & (offs_k[None, :] < N - k * BK), other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the bound of a dimension changes from program to program
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK - tl.program_id(1), other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the place may be negative
        a = tl.load(a_ptr + (rows - N)[:, None] * stride_a + (offs_k + k * BK)[None, :], mask=mask & ((rows - N)[:, None] < M), other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: a dimension has no stride: it repeats, or has size 1
        a = tl.load(a_ptr + tl.zeros((BM, 1), tl.int32) + (offs_k + k * BK)[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: a dimension has more than one stride
        a = tl.load(a_ptrs + rows[:, None], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: a dimension runs backwards
        a = tl.load(a_ptr + wrapped[:, None] * stride_a - offs_k[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: two dimensions have stride 1
        a = tl.load(a_ptr + wrapped[:, None] + offs_k[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: no stride is known to be 1
        a = tl.load(a_ptr + wrapped[:, None] * stride_a + offs_k[None, :] * stride_b, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: a stride changes in the loop
        a = tl.load(a_ptr + wrapped[:, None] * k + offs_k[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: an index is no sum of products with a position
        a = tl.load(a_ptr + (rows * rows)[:, None] + offs_k[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: an index is loaded
        a = tl.load(a_ptr + tl.load(list_ptr + rows)[:, None] * stride_a + offs_k[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the pointer is loaded
        a = tl.load(tl.load(table_ptr + k) + wrapped[:, None] * stride_a + offs_k[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the pointer is no sum of a parameter and distances
        a = tl.load(tl.where(k < 3, a_ptr, b_ptr) + wrapped[:, None] * stride_a + offs_k[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: an index is chosen
        a = tl.load(a_ptr + tl.where(rows < M, rows, 1)[:, None] * stride_a + (offs_k + k * BK)[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: an index that is wrapped does not count up by one
        a = tl.load(a_ptr + (2 * rows % M)[:, None] * stride_a + (offs_k + k * BK)[None, :], mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the loop moves a dimension whose index is wrapped
        a = tl.load(a_ptrs + k * stride_a, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the place of the tensor is a product of 32 bits
        a = tl.load(a_ptrs + (tl.full((BM, BK), listed, tl.int32) * N), mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the place in a row is a product of 32 bits
        a = tl.load(a_ptrs + tl.full((BM, BK), k, tl.int32) * N, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the loop moves elements by different distances
        acc = tl.dot(tl.load(uneven_ptrs, mask=mask, other=0.0), ones, acc)
        # CHECK: not a box of a tensor: the loop advances by something that it computes
        acc = tl.dot(tl.load(growing_ptrs, mask=mask, other=0.0), ones, acc)
        # CHECK: not a box of a tensor: the loop carries the pointer otherwise than by adding to it
        acc = tl.dot(tl.load(turning_ptrs, mask=mask, other=0.0), ones, acc)
        a_ptrs += BK
        uneven_ptrs += offs_k[None, :]
        growing_ptrs += k
        turning_ptrs = tl.where(k < 3, turning_ptrs + BK, turning_ptrs)
    index = 0
    for k in range(0, K, BK):
        # CHECK: not a box of a tensor: the loop advances by no multiple of its step
        a = tl.load(skipping_ptrs, mask=offs_k[None, :] < K - k, other=0.0)
        acc = tl.dot(a, ones, acc)
        # CHECK: not a box of a tensor: the loop carries an index otherwise than by adding to it
        a = tl.load(a_ptr + wrapped[:, None] * stride_a + (index + offs_k)[None, :], mask=offs_k[None, :] < K - k, other=0.0)
        acc = tl.dot(a, ones, acc)
        skipping_ptrs += 1
        index = 2 * index + 1
    stepping_ptrs = a_ptr + wrapped[:, None] * stride_a + offs_k[None, :]
    for k in range(0, K, N):
        # CHECK: not a box of a tensor: the loop's step is not a constant
        acc = tl.dot(tl.load(stepping_ptrs, mask=offs_k[None, :] < K - k, other=0.0), ones, acc)
        stepping_ptrs += BK
    row_ptrs = a_ptr + rows[:, None] * stride_a + offs_k[None, :]
    for k in range(0, N):
        # 4 GB further at last, where a place may be no number of 32 bits.
        # CHECK: not a box of a tensor: the loop may move a row that nothing bounds by 2^31 elements
        acc = tl.dot(tl.load(row_ptrs), ones, acc)
        row_ptrs += BK
    for k in range(0, tl.cdiv(K, BK)):
        # A loop's result.
        # CHECK: not a box of a tensor: the pointer is no sum of a parameter and distances
        acc = tl.dot(tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0), ones, acc)
    columns = tl.arange(0, BN)
    tl.store(c_ptr + rows[:, None] * stride_b + columns[None, :], acc.to(tl.float16), mask=rows[:, None] < M)


# What lies after the end of rows that are wrapped must not be stored.
@triton.jit
def seen(a_ptr, b_ptr, c_ptr, M, N, K, stride_a,
         BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_k = tl.arange(0, BK)
    columns = tl.arange(0, BN)
    ones = tl.full((BK, BN), 1, tl.float16)
    c_ptrs = c_ptr + rows[:, None] * BN + columns[None, :]
    for n in range(0, N):
        a_ptrs = a_ptr + (rows % M)[:, None] * stride_a + offs_k[None, :]
        mask = offs_k[None, :] < K
        # SEEN: not a box of a tensor: what lies after the end is wrapped, and stored without that bound
        tl.store(c_ptrs, tl.dot(tl.load(a_ptrs, mask=mask, other=0.0), ones))
        # The bound is another one.
        # SEEN: not a box of a tensor: what lies after the end is wrapped, and stored without that bound
        a = tl.load(a_ptrs + 64, mask=mask, other=0.0)
        tl.store(c_ptrs, tl.dot(a, ones), mask=rows[:, None] < N)
        # SEEN: not a box of a tensor: what lies after the end is wrapped, and mixed with the rest
        a = tl.load(a_ptrs + 128, mask=mask, other=0.0)
        tl.store(c_ptr + columns, tl.sum(tl.dot(a, ones), 0), mask=columns < M)
        # Summed over.
        # SEEN: not a box of a tensor: what lies after the end is wrapped, and mixed with the rest
        a = tl.load(a_ptrs + 192, mask=mask, other=0.0)
        tl.store(c_ptrs, tl.dot(ones, a), mask=rows[:, None] < M)
        # By a zero in place of what is wrapped.
        # SEEN: not a box of a tensor: what lies after the end is wrapped, and divided by
        a = tl.load(a_ptrs + 320, mask=mask, other=0.0)
        tl.store(c_ptrs, tl.dot((100 // a.to(tl.int32)).to(tl.float16), ones), mask=rows[:, None] < M)
        # SEEN: a box of a tensor: dimension 0 ends where its index is wrapped
        a = tl.load(a_ptrs + 256, mask=mask, other=0.0)
        tl.store(c_ptrs, tl.dot(a, ones), mask=rows[:, None] < M)


# Tensors whose place no outer dimensions can say: the launch makes no map of them, and no version.
# PLAIN-NOT: $tma
# PLAIN: return
@triton.jit
def moved(a_ptr, c_ptr, list_ptr, N, K, stride_z, stride_h, stride_g, stride,
          B: tl.constexpr, BK: tl.constexpr):
    x, y = tl.program_id(0), tl.program_id(1)
    z = tl.program_id(2).to(tl.int64)
    lanes = tl.arange(0, B)
    inner = tl.arange(0, BK)
    listed = tl.load(list_ptr)
    signed = tl.load(list_ptr + 1)
    tl.assume(listed >= 0)
    ones = tl.full((BK, B), 1, tl.float16)
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, K, BK):
        mask = (inner + k)[None, :] < K
        a_ptrs = a_ptr + lanes[:, None] * stride + (inner + k)[None, :]
        # Loaded: cu_seqlens, page tables.
        # MOVED: no outer dimensions say where the tensor is: it is moved by what may be negative
        a = tl.load(a_ptrs + signed * stride_z, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # MOVED: no outer dimensions say where the tensor is: it is moved by what may be negative
        a = tl.load(a_ptrs + (z - 3) * stride_z, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # MOVED: no outer dimensions say where the tensor is: it is moved by what may be negative
        a = tl.load(a_ptrs - z * stride_z, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # MOVED: no outer dimensions say where the tensor is: it is moved by a number of 64 bits that the launch does not know
        a = tl.load(a_ptrs + listed * stride_z, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # MOVED: no outer dimensions say where the tensor is: it is moved by a product of two numbers that the launch does not know
        a = tl.load(a_ptrs + z * x * stride_z, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # MOVED: no outer dimensions say where the tensor is: it is moved by no multiple of 16 bytes
        a = tl.load(a_ptrs + x * 12, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
        # MOVED: no outer dimensions say where the tensor is: it would have more than five dimensions
        a = tl.load(a_ptrs + z * stride_z + x * stride_h + y * stride_g + x * 4096, mask=mask, other=0.0)
        acc = tl.dot(a, ones, acc)
    tl.store(c_ptr + lanes[:, None] * B + lanes[None, :], acc.to(tl.float16))
