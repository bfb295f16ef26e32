# RUN: tile-translate --import-triton --kernel orders --signature "*fp32:16, *i32:16" %s | FileCheck %s --check-prefix=ORDERS
# RUN: tile-translate --import-triton --kernel pairs --signature "*fp16, *fp16" %s | FileCheck %s --check-prefix=PAIRS
# RUN: tile-translate --import-triton --kernel picks --signature "*fp32, *i32" %s | FileCheck %s --check-prefix=PICKS
# RUN: tile-translate --import-triton --kernel composed --signature "*i32:16, *i32:16" %s -o %t.mlir
# RUN: tile-run --device emulator %t.mlir --grid 1 --check --arg x_ptr=i32[8]:arange --arg y_ptr=i32[65]:zeros --print y_ptr:65 | FileCheck %s --check-prefix=COMPOSED
"""Shapes: census items 15, 40, 48, 49, 56, 60, 69, 70, 94, 100, 115 and 117 of section 3, and the methods of
section 9."""
import triton
import triton.language as tl


@triton.jit
def orders(x_ptr, y_ptr):
    x = tl.load(x_ptr + tl.arange(0, 64))
    # ORDERS: "tile.reshape"({{.*}}) : (tensor<64xf32>) -> tensor<4x16xf32>
    a = tl.reshape(x, (4, 16))
    # ORDERS: "tile.reshape"({{.*}}) : (tensor<4x16xf32>) -> tensor<2x2x16xf32>
    b = a.reshape(2, 2, 16)
    # ORDERS: "tile.reshape"({{.*}}) {reorder} : (tensor<2x2x16xf32>) -> tensor<16x4xf32>
    d = tl.reshape(b, 16, 4, can_reorder=True)
    # ORDERS: "tile.permute"({{.*}}) {order = array<i32: 1, 0>} : (tensor<4x16xf32>) -> tensor<16x4xf32>
    d += tl.trans(a)
    # The last two dimensions change places.
    # ORDERS: "tile.permute"({{.*}}) {order = array<i32: 0, 2, 1>} : (tensor<2x2x16xf32>) -> tensor<2x16x2xf32>
    e = b.trans()
    # ORDERS: "tile.permute"({{.*}}) {order = array<i32: 2, 0, 1>} : (tensor<2x2x16xf32>) -> tensor<16x2x2xf32>
    f = tl.trans(b, 2, 0, 1)
    # ORDERS: "tile.permute"({{.*}}) {order = array<i32: 1, 2, 0>} : (tensor<2x16x2xf32>) -> tensor<16x2x2xf32>
    f += tl.permute(e, (1, -1, 0))
    # ORDERS: "tile.reshape"({{.*}}) : (tensor<16x2x2xf32>) -> tensor<64xf32>
    g = tl.ravel(f)
    # No operation where nothing moves.
    # ORDERS-NEXT: "tile.reshape"({{.*}}) {reorder} : (tensor<16x4xf32>) -> tensor<64xf32>
    g = g.reshape((64,)).permute(0).view(64) + d.ravel(can_reorder=True)
    # ORDERS: "tile.expand_dims"({{.*}}) {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>
    # ORDERS: "tile.expand_dims"({{.*}}) {axis = 2 : i32} : (tensor<1x64xf32>) -> tensor<1x64x1xf32>
    h = tl.expand_dims(g, (0, -1))
    # ORDERS: "tile.reshape"({{.*}}) : (tensor<1x64x1xf32>) -> tensor<1x64xf32>
    h = h.squeeze(2)
    # ORDERS: "tile.expand_dims"({{.*}}) {axis = 2 : i32}
    h = h.unsqueeze(2).reshape(64)
    # One element: a scalar.
    # ORDERS: "tile.reduce"
    # ORDERS: gpu.yield
    one = tl.full((1, 1), 2.0, tl.float32).item()
    # ORDERS: "tile.splat"({{.*}}) : (f32) -> tensor<1xf32>
    tl.store(x_ptr + tl.full((1, 1), 0, tl.int32), one.expand_dims((0, 1)))
    tl.store(x_ptr + tl.arange(0, 64), h)


@triton.jit
def pairs(x_ptr, y_ptr):
    o = tl.arange(0, 8)
    a = tl.load(x_ptr + o)
    b = tl.load(y_ptr + o)
    # PAIRS: "tile.join"({{.*}}) : (tensor<8xf16>, tensor<8xf16>) -> tensor<8x2xf16>
    j = tl.join(a, b)
    # PAIRS: "tile.split"({{.*}}) : (tensor<8x2xf16>) -> (tensor<8xf16>, tensor<8xf16>)
    p, q = tl.split(j)
    # PAIRS: "tile.split"
    r, s = j.split()
    # PAIRS: %[[J:.*]] = "tile.join"
    # PAIRS: "tile.reshape"(%[[J]]) : (tensor<8x2xf16>) -> tensor<16xf16>
    i = tl.interleave(p + r, q + s)
    # PAIRS: %[[C:.*]] = "tile.join"
    # PAIRS: %[[T:.*]] = "tile.permute"(%[[C]]) {order = array<i32: 1, 0>} : (tensor<8x2xf16>) -> tensor<2x8xf16>
    # PAIRS: "tile.reshape"(%[[T]]) : (tensor<2x8xf16>) -> tensor<16xf16>
    c = tl.cat(a, b, can_reorder=True)
    # After one another in the second dimension.
    # PAIRS: "tile.join"({{.*}}) : (tensor<1x8xf16>, tensor<1x8xf16>) -> tensor<1x8x2xf16>
    # PAIRS: "tile.permute"({{.*}}) {order = array<i32: 0, 2, 1>}
    # PAIRS: "tile.reshape"({{.*}}) : (tensor<1x2x8xf16>) -> tensor<1x16xf16>
    c += tl.cat(a[None, :], b[None, :], dim=1).reshape(16)
    # Two scalars, and a number.
    # PAIRS: "tile.join"({{.*}}) : (f16, f16) -> tensor<2xf16>
    # PAIRS: "tile.split"({{.*}}) : (tensor<2xf16>) -> (f16, f16)
    x, y = tl.split(tl.join(tl.load(x_ptr), 1.0))
    # PAIRS: "tile.broadcast"({{.*}}) -> tensor<8x8xf16>
    # PAIRS: "tile.broadcast"({{.*}}) -> tensor<8x8xf16>
    u, v = tl.broadcast(a[:, None], b[None, :])
    tl.store(x_ptr + tl.arange(0, 16), i + c + x + y)
    tl.store(y_ptr + o[:, None] + o[None, :] * 8, u + v)


@triton.jit
def picks(x_ptr, i_ptr):
    o = tl.arange(0, 32)
    x = tl.load(x_ptr + o)
    i = tl.load(i_ptr + o)
    # PICKS: "tile.gather"({{.*}}) {axis = 0 : i32} : (tensor<32xf32>, tensor<32xi32>) -> tensor<32xf32>
    a = tl.gather(x, i, axis=0)
    # PICKS: "tile.gather"({{.*}}) {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
    b = x.reshape(4, 8).gather(i.reshape(4, 8), -1)
    # PICKS: %[[LAST:.*]] = arith.constant 31 : i32
    # PICKS: %[[S:.*]] = "tile.splat"(%[[LAST]])
    # PICKS: arith.subi %[[S]], {{.*}} : tensor<32xi32>
    # PICKS: "tile.gather"({{.*}}) {axis = 0 : i32}
    c = tl.flip(x)
    # PICKS: "tile.expand_dims"({{.*}}) {axis = 1 : i32} : (tensor<4xi32>) -> tensor<4x1xi32>
    # PICKS: "tile.broadcast"({{.*}}) -> tensor<4x8xi32>
    # PICKS: "tile.gather"({{.*}}) {axis = 0 : i32} : (tensor<4x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
    d = b.flip(0)
    # PICKS: "tile.histogram"({{.*}}, {{.*}}) : (tensor<32xi32>, tensor<32xi1>) -> tensor<16xi32>
    h = tl.histogram(i, 16, mask=i > 0)
    # PICKS: arith.extui {{.*}} : tensor<32xi8> to tensor<32xi32>
    # PICKS: "tile.histogram"({{.*}}) : (tensor<32xi32>) -> tensor<16xi32>
    h += i.to(tl.uint8).histogram(num_bins=16)
    tl.store(x_ptr + o, a + c + d.reshape(32))
    tl.store(i_ptr + tl.arange(0, 16), h)


@triton.jit
def composed(x_ptr, y_ptr):
    o = tl.arange(0, 8)
    a = tl.load(x_ptr + o)
    b = a + 100
    # One after the other, alternating, backwards.
    tl.store(y_ptr + tl.arange(0, 16), tl.cat(a, b))
    tl.store(y_ptr + 16 + tl.arange(0, 16), tl.interleave(a, b))
    tl.store(y_ptr + 32 + o, tl.flip(a))
    m = tl.cat(a.reshape(2, 4), b.reshape(2, 4), dim=1)
    tl.store(y_ptr + 40 + tl.arange(0, 16), m.ravel())
    tl.store(y_ptr + 56 + o, tl.flip(a.reshape(4, 2), 0).reshape(8))
    tl.store(y_ptr + 64, a.reshape(4, 2).trans().reshape(8).gather(tl.full((1,), 5, tl.int32), 0).item())


# COMPOSED: y_ptr = 0 1 2 3 4 5 6 7 100 101 102 103 104 105 106 107
# COMPOSED-SAME: {{ }}0 100 1 101 2 102 3 103 4 104 5 105 6 106 7 107
# COMPOSED-SAME: {{ }}7 6 5 4 3 2 1 0
# COMPOSED-SAME: {{ }}0 1 2 3 100 101 102 103 4 5 6 7 104 105 106 107
# COMPOSED-SAME: {{ }}6 7 4 5 2 3 0 1 3{{$}}
