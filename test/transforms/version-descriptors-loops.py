# Descriptors of a moved base that are accessed in several loops (tile-version-descriptors): in the loop that moves it the head is two
# places, in a loop inside it is one. Each has its own descriptor then, and writes what it did.
# DEFINE: %{heads} = tile-run --kernel heads --grid 2 --signature "*fp16:16, *fp16:16, *fp16:16, i64:16, i32:16, 2, 64, 64" --arg a_ptr=fp16[4,64,256]:rand --arg b_ptr=fp16[256,64]:rand --arg c_ptr=fp16[4,256,64]:poison --arg far=i64:16384 --arg K=i32:256
# RUN: %{heads} --check %s --save c_ptr=%t.maps.npy
# RUN: env TILE_SKIP_PASSES=tile-version-descriptors %{heads} --check %s --save c_ptr=%t.plain.npy
# RUN: cmp %t.maps.npy %t.plain.npy
# RUN: tile-translate --import-triton --kernel heads --signature "*fp16:16, *fp16:16, *fp16:16, i64:16, i32:16, 2, 64, 64" %s | tile-opt --tile-inline --canonicalize --cse --tile-cleanup --tile-version-descriptors - | FileCheck %s
# CHECK: func.func @heads$tma(
# CHECK: "tile.descriptor_store"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
# CHECK: "tile.descriptor_store"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
# CHECK: func.func @heads(
# What is padded with NaN, of a type of which the map has none: threads load it.
# DEFINE: %{padded} = tile-run --kernel padded --grid 2,6 --signature "*fp8e4nv:16, *fp8e4nv:16, *fp32:16, i32:16, i32, i32:16, 64, 64, 32" --arg a_ptr=fp8e4nv[6,100,96]:rand --arg b_ptr=fp8e4nv[96,64]:rand --arg c_ptr=fp32[6,100,64]:poison --arg far=i32:9600 --arg M=i32:100 --arg K=i32:96
# RUN: %{padded} --check %s --save c_ptr=%t.maps.npy
# RUN: env TILE_SKIP_PASSES=tile-version-descriptors %{padded} --check %s --save c_ptr=%t.plain.npy
# RUN: cmp %t.maps.npy %t.plain.npy
# A while loop has no counter: what its loads and the store behind it are moved by is before it.
# DEFINE: %{turns} = tile-run --kernel turns --grid 3 --signature "*fp16:16, *fp16:16, *fp32:16, i64:16, i32:16, 64, 64" --arg a_ptr=fp16[3,64,192]:rand --arg b_ptr=fp16[192,64]:rand --arg c_ptr=fp32[3,64,64]:poison --arg far=i64:12288 --arg K=i32:192
# RUN: %{turns} --check %s --save c_ptr=%t.maps.npy
# RUN: env TILE_SKIP_PASSES=tile-version-descriptors %{turns} --check %s --save c_ptr=%t.plain.npy
# RUN: cmp %t.maps.npy %t.plain.npy
import triton
import triton.language as tl


@triton.jit
def heads(a_ptr, b_ptr, c_ptr, far, K, HEADS: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr):
    group = tl.program_id(0) * HEADS
    b = tl.make_tensor_descriptor(b_ptr, [K, 64], [64, 1], [BK, 64])
    for h in range(0, HEADS):
        head = (group + h).to(tl.int64)
        a = tl.make_tensor_descriptor(a_ptr + head * K * BM, [BM, K], [K, 1], [BM, BK])
        c = tl.make_tensor_descriptor(c_ptr + head * far, [BM * 4, 64], [64, 1], [BM, 64])
        acc = tl.zeros((BM, 64), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(a.load([0, k]), b.load([k, 0]), acc)
        for j in range(1, 4):
            c.store([j * BM, 0], (acc * j).to(c_ptr.dtype.element_ty))
        c.store([0, 0], acc.to(c_ptr.dtype.element_ty))


@triton.jit
def padded(a_ptr, b_ptr, c_ptr, far, M, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM
    z = tl.program_id(1)
    a = tl.make_tensor_descriptor(a_ptr + z.to(tl.int64) * far, [M, K], [K, 1], [BM, BK], padding_option="nan")
    b = tl.make_tensor_descriptor(b_ptr, [K, BN], [BN, 1], [BK, BN])
    c = tl.make_tensor_descriptor(c_ptr + z.to(tl.int64) * M * BN, [M, BN], [BN, 1], [BM, BN])
    acc = tl.zeros((BM, BN), tl.float32)
    q = a.load([m, 0])
    for k in range(0, K, BK):
        acc = tl.dot(q, b.load([k, 0]), acc)
    c.store([m, 0], acc)


@triton.jit
def turns(a_ptr, b_ptr, c_ptr, far, K, BM: tl.constexpr, BK: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    a = tl.make_tensor_descriptor(a_ptr + head * far, [BM, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [K, 64], [64, 1], [BK, 64])
    c = tl.make_tensor_descriptor(c_ptr + head * BM * 64, [BM, 64], [64, 1], [BM, 64])
    acc = tl.zeros((BM, 64), tl.float32)
    k = 0
    while k < K:
        acc = tl.dot(a.load([0, k]), b.load([k, 0]), acc)
        k += BK
    c.store([0, 0], acc)
