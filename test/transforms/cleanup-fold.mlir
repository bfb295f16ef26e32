// RUN: tile-opt --tile-cleanup %s | FileCheck %s

// Equal values by simpler operations. The functions return what they compute, so that it stays.

// splat c = dense c
// CHECK-LABEL: @splat_of_constant
// CHECK: %[[C:.*]] = arith.constant dense<7> : tensor<64xi32>
// CHECK-NEXT: return %[[C]]
func.func @splat_of_constant() -> tensor<64xi32> {
  %c = arith.constant 7 : i32
  %t = "tile.splat"(%c) : (i32) -> tensor<64xi32>
  return %t : tensor<64xi32>
}

// A range is no splat: it never becomes a constant.
// CHECK-LABEL: @range
// CHECK: %[[R:.*]] = "tile.range"
// CHECK-NEXT: return %[[R]]
func.func @range() -> tensor<64xi32> {
  %t = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  return %t : tensor<64xi32>
}

// expand_dims (dense c) = dense c, broadcast (dense c) = dense c
// CHECK-LABEL: @reshaped_constant
// CHECK: %[[C:.*]] = arith.constant dense<1.500000e+00> : tensor<64x32xf32>
// CHECK-NEXT: return %[[C]]
func.func @reshaped_constant() -> tensor<64x32xf32> {
  %c = arith.constant dense<1.5> : tensor<64xf32>
  %e = "tile.expand_dims"(%c) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
  %b = "tile.broadcast"(%e) : (tensor<64x1xf32>) -> tensor<64x32xf32>
  return %b : tensor<64x32xf32>
}

// A constant of several values is left as it is.
// CHECK-LABEL: @uneven_constant
// CHECK: %[[C:.*]] = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT: %[[E:.*]] = "tile.expand_dims"(%[[C]])
// CHECK-NEXT: return %[[E]]
func.func @uneven_constant() -> tensor<2x1xi32> {
  %c = arith.constant dense<[1, 2]> : tensor<2xi32>
  %e = "tile.expand_dims"(%c) {axis = 1 : i32} : (tensor<2xi32>) -> tensor<2x1xi32>
  return %e : tensor<2x1xi32>
}

// expand_dims (splat x) = splat x, broadcast (splat x) = splat x
// CHECK-LABEL: @reshaped_splat
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK-NEXT: %[[S:.*]] = "tile.splat"(%[[X]]) : (f32) -> tensor<64x32xf32>
// CHECK-NEXT: return %[[S]]
func.func @reshaped_splat(%x: f32) -> tensor<64x32xf32> {
  %s = "tile.splat"(%x) : (f32) -> tensor<64xf32>
  %e = "tile.expand_dims"(%s) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
  %b = "tile.broadcast"(%e) : (tensor<64x1xf32>) -> tensor<64x32xf32>
  return %b : tensor<64x32xf32>
}

// broadcast x = x, where the type stays
// CHECK-LABEL: @broadcast_to_same
// CHECK-SAME: (%[[X:.*]]: tensor<64xf32>)
// CHECK-NEXT: return %[[X]]
func.func @broadcast_to_same(%x: tensor<64xf32>) -> tensor<64xf32> {
  %b = "tile.broadcast"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  return %b : tensor<64xf32>
}

// broadcast (broadcast x) = broadcast x
// CHECK-LABEL: @broadcast_twice
// CHECK-SAME: (%[[X:.*]]: tensor<1x1xf32>)
// CHECK-NEXT: %[[B:.*]] = "tile.broadcast"(%[[X]]) : (tensor<1x1xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: return %[[B]]
func.func @broadcast_twice(%x: tensor<1x1xf32>) -> tensor<8x4xf32> {
  %a = "tile.broadcast"(%x) : (tensor<1x1xf32>) -> tensor<8x1xf32>
  %b = "tile.broadcast"(%a) : (tensor<8x1xf32>) -> tensor<8x4xf32>
  return %b : tensor<8x4xf32>
}

// addptr (p, 0) = p, be the 0 a scalar or a tensor
// CHECK-LABEL: @addptr_of_zero
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[Q:.*]]: tensor<64x!tile.ptr<f32>>)
// CHECK-NEXT: return %[[P]], %[[Q]]
func.func @addptr_of_zero(%p: !tile.ptr<f32>, %q: tensor<64x!tile.ptr<f32>>)
    -> (!tile.ptr<f32>, tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant 0 : i32
  %zeros = "tile.splat"(%zero) : (i32) -> tensor<64xi32>
  %a = "tile.addptr"(%p, %zero) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %b = "tile.addptr"(%q, %zeros) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  return %a, %b : !tile.ptr<f32>, tensor<64x!tile.ptr<f32>>
}

// addptr (addptr (p, 3), 4) = addptr (p, 7)
// CHECK-LABEL: @addptr_twice
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>)
// CHECK-NEXT: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NEXT: %[[Q:.*]] = "tile.addptr"(%[[P]], %[[SEVEN]])
// CHECK-NEXT: return %[[Q]]
func.func @addptr_twice(%p: !tile.ptr<f32>) -> !tile.ptr<f32> {
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %a = "tile.addptr"(%p, %three) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %b = "tile.addptr"(%a, %four) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  return %b : !tile.ptr<f32>
}

// The sum takes the wider type of the two.
// CHECK-LABEL: @addptr_mixed_widths
// CHECK-NEXT: %[[SUM:.*]] = arith.constant 2147483648 : i64
// CHECK-NEXT: "tile.addptr"(%{{.*}}, %[[SUM]]) : (!tile.ptr<f32>, i64) -> !tile.ptr<f32>
func.func @addptr_mixed_widths(%p: !tile.ptr<f32>) -> !tile.ptr<f32> {
  %one = arith.constant 1 : i64
  %most = arith.constant 2147483647 : i32
  %a = "tile.addptr"(%p, %one) : (!tile.ptr<f32>, i64) -> !tile.ptr<f32>
  %b = "tile.addptr"(%a, %most) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  return %b : !tile.ptr<f32>
}

// 1 + (2^31 - 1) wraps in 32 bits; added one after the other, the two do not.
// CHECK-LABEL: @addptr_wraps
// CHECK: "tile.addptr"
// CHECK: "tile.addptr"
func.func @addptr_wraps(%p: !tile.ptr<f32>) -> !tile.ptr<f32> {
  %one = arith.constant 1 : i32
  %most = arith.constant 2147483647 : i32
  %a = "tile.addptr"(%p, %one) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %b = "tile.addptr"(%a, %most) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  return %b : !tile.ptr<f32>
}

// bitcast (bitcast p) = bitcast p, and none at all where the type comes back
// CHECK-LABEL: @bitcast_twice
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>)
// CHECK-NEXT: %[[B:.*]] = "tile.bitcast"(%[[P]]) : (!tile.ptr<f32>) -> !tile.ptr<i8>
// CHECK-NEXT: return %[[B]], %[[P]]
func.func @bitcast_twice(%p: !tile.ptr<f32>) -> (!tile.ptr<i8>, !tile.ptr<f32>) {
  %a = "tile.bitcast"(%p) : (!tile.ptr<f32>) -> !tile.ptr<i32>
  %b = "tile.bitcast"(%a) : (!tile.ptr<i32>) -> !tile.ptr<i8>
  %c = "tile.bitcast"(%a) : (!tile.ptr<i32>) -> !tile.ptr<f32>
  return %b, %c : !tile.ptr<i8>, !tile.ptr<f32>
}

// ptr_to_int (int_to_ptr x) = x
// CHECK-LABEL: @pointer_round_trip
// CHECK-SAME: (%[[X:.*]]: i64)
// CHECK-NEXT: return %[[X]]
func.func @pointer_round_trip(%x: i64) -> i64 {
  %p = "tile.int_to_ptr"(%x) : (i64) -> !tile.ptr<f32>
  %i = "tile.ptr_to_int"(%p) : (!tile.ptr<f32>) -> i64
  return %i : i64
}

// f (splat x, splat y) = splat f (x, y); predicates and flags stay with f.
// CHECK-LABEL: @elementwise
// CHECK-SAME: (%[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[X]], %[[Y]] overflow<nsw> : i32
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[SUM]], %[[Y]] : i32
// CHECK-NEXT: %[[R:.*]] = "tile.splat"(%[[LESS]]) : (i1) -> tensor<64xi1>
// CHECK-NEXT: return %[[R]]
func.func @elementwise(%x: i32, %y: i32) -> tensor<64xi1> {
  %xs = "tile.splat"(%x) : (i32) -> tensor<64xi32>
  %ys = "tile.splat"(%y) : (i32) -> tensor<64xi32>
  %sum = arith.addi %xs, %ys overflow<nsw> : tensor<64xi32>
  %less = arith.cmpi slt, %sum, %ys : tensor<64xi32>
  return %less : tensor<64xi1>
}

// A constant tensor counts as a splat beside one, in math operations too.
// CHECK-LABEL: @elementwise_constant
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[F:.*]] = math.fma %[[X]], %[[TWO]], %[[X]] : f32
// CHECK-NEXT: %[[R:.*]] = "tile.splat"(%[[F]])
// CHECK-NEXT: return %[[R]]
func.func @elementwise_constant(%x: f32) -> tensor<64xf32> {
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %xs = "tile.splat"(%x) : (f32) -> tensor<64xf32>
  %f = math.fma %xs, %two, %xs : tensor<64xf32>
  return %f : tensor<64xf32>
}

// Pointer arithmetic is elementwise as well: the base of a tile is found once.
// CHECK-LABEL: @elementwise_pointers
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: i32)
// CHECK-NEXT: %[[Q:.*]] = "tile.addptr"(%[[P]], %[[I]]) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
// CHECK-NEXT: %[[R:.*]] = "tile.splat"(%[[Q]])
// CHECK-NEXT: return %[[R]]
func.func @elementwise_pointers(%p: !tile.ptr<f32>, %i: i32) -> tensor<64x!tile.ptr<f32>> {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  %is = "tile.splat"(%i) : (i32) -> tensor<64xi32>
  %q = "tile.addptr"(%ps, %is) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  return %q : tensor<64x!tile.ptr<f32>>
}

// A select may have a scalar condition, which stays what it is.
// CHECK-LABEL: @elementwise_select
// CHECK-SAME: (%[[C:.*]]: i1, %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK-NEXT: %[[S:.*]] = arith.select %[[C]], %[[X]], %[[Y]] : f32
// CHECK-NEXT: "tile.splat"(%[[S]])
func.func @elementwise_select(%c: i1, %x: f32, %y: f32) -> tensor<64xf32> {
  %xs = "tile.splat"(%x) : (f32) -> tensor<64xf32>
  %ys = "tile.splat"(%y) : (f32) -> tensor<64xf32>
  %s = arith.select %c, %xs, %ys : tensor<64xf32>
  return %s : tensor<64xf32>
}

// One operand that varies keeps the operation as it is.
// CHECK-LABEL: @elementwise_varying
// CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<64xi32>
func.func @elementwise_varying(%x: i32, %t: tensor<64xi32>) -> tensor<64xi32> {
  %xs = "tile.splat"(%x) : (i32) -> tensor<64xi32>
  %s = arith.addi %xs, %t : tensor<64xi32>
  return %s : tensor<64xi32>
}

// A hint moves on to the operation that takes its bearer's place.
// CHECK-LABEL: @hint_moves
// CHECK: arith.muli %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: "tile.splat"(%{{.*}}) {tile.divisibility = 16 : i32}
func.func @hint_moves(%x: i32) -> tensor<64xi32> {
  %xs = "tile.splat"(%x) : (i32) -> tensor<64xi32>
  %s = arith.muli %xs, %xs {tile.divisibility = 16 : i32} : tensor<64xi32>
  return %s : tensor<64xi32>
}

// Where it has no place to go, its bearer stays, and nothing looks through it.
// CHECK-LABEL: @hint_stays
// CHECK: %[[A:.*]] = "tile.addptr"(%{{.*}}, %{{.*}}) {tile.divisibility = 16 : i32}
// CHECK: %[[B:.*]] = "tile.addptr"(%[[A]], %{{.*}})
// CHECK: return %[[B]]
func.func @hint_stays(%p: !tile.ptr<f32>) -> !tile.ptr<f32> {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %a = "tile.addptr"(%p, %zero) {tile.divisibility = 16 : i32} : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %b = "tile.addptr"(%a, %four) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  return %b : !tile.ptr<f32>
}
