# RUN: tile-translate --import-triton --kernel scans --signature "*fp32, *bf16, *u8" %s | FileCheck %s --check-prefix=SCANS
# RUN: tile-translate --import-triton --kernel sorts --signature "*fp32, *u16" %s | FileCheck %s --check-prefix=SORTS
# RUN: tile-run %s --device emulator --kernel runs --grid 1 --check --arg x_ptr=fp32[8]:arange --arg out_ptr=fp32[40]:poison --print out_ptr:40 | FileCheck %s --check-prefix=RUNS
# RUN: tile-run %s --device emulator --kernel orders --grid 1 --check --arg x_ptr=fp32[8]:arange --arg out_ptr=fp32[30]:poison --print out_ptr:30 | FileCheck %s --check-prefix=ORDERS
"""Scans and sorts. Census 5: cumsum 39, cumsum(reverse) 85, sort 134, associative_scan 135, of a tuple 137;
section 6: cumsum(dtype), cumprod, sort(dim, descending), topk(dim); section 9: x.cumsum()."""
import triton
import triton.language as tl


@triton.jit
def linear(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def scans(x_ptr, b_ptr, u_ptr):
    i = tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :]
    x = tl.load(x_ptr + i)
    # SCANS: "tile.scan"
    # SCANS-NEXT: ^bb0([[A:%.*]]: f32, [[B:%.*]]: f32):
    # SCANS-NEXT: arith.addf [[A]], [[B]] : f32
    # SCANS: {axis = 0 : i32, {{.*}} reverse = false} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    # SCANS: {axis = 1 : i32, {{.*}} reverse = true} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    x = tl.cumsum(x) + x.cumsum(axis=-1, reverse=True)
    # Small integers go on in 32 bits, unless dtype says otherwise.
    # SCANS: arith.mulf {{.*}} : bf16
    tl.store(b_ptr + i, tl.cumprod(tl.load(b_ptr + i), axis=0))
    u = tl.load(u_ptr + i)
    # SCANS: arith.extui {{.*}} : tensor<4x8xi8> to tensor<4x8xi32>
    # SCANS: (tensor<4x8xi32>) -> tensor<4x8xi32>
    # SCANS: arith.extui {{.*}} : tensor<4x8xi8> to tensor<4x8xi64>
    # SCANS: (tensor<4x8xi64>) -> tensor<4x8xi64>
    tl.store(u_ptr + i, tl.cumsum(u, 1) + tl.cumsum(u, 1, dtype=tl.int64))
    # SCANS: "tile.scan"(%{{[^,]*}}, %{{[^,]*}}) ({
    # SCANS: gpu.yield %{{.*}}, %{{.*}} : f32, f32
    # SCANS: {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, reverse = true}
    a, b = tl.associative_scan((x, x), 1, linear, reverse=True)
    # SCANS: arith.maxnumf {{.*}} : f32
    tl.store(x_ptr + i, a + b + tl.associative_scan(x, axis=1, combine_fn=tl.maximum))


@triton.jit
def sorts(x_ptr, u_ptr):
    i = tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :]
    x = tl.load(x_ptr + i)
    # The last axis unless dim says otherwise.
    # SORTS: "tile.sort"(%{{.*}}) {axis = 1 : i32, descending = false} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    # SORTS: "tile.sort"(%{{.*}}) {axis = 0 : i32, descending = true} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    # SORTS: "tile.sort"(%{{.*}}) {axis = 1 : i32, descending = true} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    tl.store(x_ptr + i, tl.sort(x) + tl.sort(x, dim=0, descending=True) + tl.bitonic_merge(x, descending=1))
    # SORTS: "tile.sort"(%{{.*}}) {axis = 1 : i32, descending = true, unsigned} : (tensor<4x8xi16>) -> tensor<4x2xi16>
    best = tl.topk(tl.load(u_ptr + i), 2)
    tl.store(u_ptr + tl.arange(0, 4)[:, None] * 2 + tl.arange(0, 2)[None, :], best)


@triton.jit
def runs(x_ptr, out_ptr):
    i = tl.arange(0, 8)
    x = tl.load(x_ptr + i)  # 0, 1, 2, ...
    tl.store(out_ptr + i, tl.cumsum(x))
    tl.store(out_ptr + 8 + i, tl.cumsum(x, 0, reverse=True))
    tl.store(out_ptr + 16 + i, tl.cumprod(x + 1))
    tl.store(out_ptr + 24 + i, tl.associative_scan((i * 3) % 8, 0, tl.maximum))
    a, b = tl.associative_scan((x * 0 + 2, x), 0, linear)
    tl.store(out_ptr + 32 + i, b)
    # RUNS: out_ptr = 0 1 3 6 10 15 21 28 28 28 27 25 22 18 13 7 1 2 6 24 120 720 5040 40320 0 3 6 6 6 7 7 7 0 1 4 11 26 57 120 247{{$}}


@triton.jit
def orders(x_ptr, out_ptr):
    i = tl.arange(0, 8)
    x = (tl.load(x_ptr + i) * 5) % 8 - 2  # -2 3 0 5 2 -1 4 1
    tl.store(out_ptr + i, tl.sort(x))
    tl.store(out_ptr + 8 + i, tl.sort(x, descending=True))
    tl.store(out_ptr + 16 + tl.arange(0, 2), tl.topk(x, 2))
    y = tl.reshape(x, (2, 4))
    tl.store(out_ptr + 18 + tl.arange(0, 2)[:, None] * 4 + tl.arange(0, 4)[None, :], tl.sort(y, dim=0))
    tl.store(out_ptr + 26 + tl.arange(0, 4), tl.topk(x, 4, descending=False))
    # ORDERS: out_ptr = -2 -1 0 1 2 3 4 5 5 4 3 2 1 0 -1 -2 5 4 -2 -1 0 1 2 3 4 5 -2 -1 0 1{{$}}
