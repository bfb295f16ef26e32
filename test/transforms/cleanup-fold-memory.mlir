// RUN: tile-opt --tile-cleanup %s | FileCheck %s

// Masks that are known.

// load (p, true, o) = load p
// CHECK-LABEL: @load_all
// CHECK-SAME: (%[[P:.*]]: tensor<64x!tile.ptr<f32>>, %[[O:.*]]: tensor<64xf32>)
// CHECK-NEXT: %[[V:.*]] = "tile.load"(%[[P]]) {cache = "cg", operandSegmentSizes = array<i32: 1, 0, 0>}
// CHECK-NEXT: return %[[V]]
func.func @load_all(%p: tensor<64x!tile.ptr<f32>>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %m = arith.constant dense<true> : tensor<64xi1>
  %v = "tile.load"(%p, %m, %o) {cache = "cg", operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<64x!tile.ptr<f32>>, tensor<64xi1>, tensor<64xf32>) -> tensor<64xf32>
  return %v : tensor<64xf32>
}

// load (p, false, o) = o
// CHECK-LABEL: @load_none
// CHECK-SAME: (%{{.*}}: tensor<64x!tile.ptr<f32>>, %[[O:.*]]: tensor<64xf32>)
// CHECK-NEXT: return %[[O]]
func.func @load_none(%p: tensor<64x!tile.ptr<f32>>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %false = arith.constant false
  %m = "tile.splat"(%false) : (i1) -> tensor<64xi1>
  %v = "tile.load"(%p, %m, %o) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<64x!tile.ptr<f32>>, tensor<64xi1>, tensor<64xf32>) -> tensor<64xf32>
  return %v : tensor<64xf32>
}

// Without `other` there is nothing to put in its place.
// CHECK-LABEL: @load_none_undefined
// CHECK: "tile.load"(%{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 0>}
func.func @load_none_undefined(%p: !tile.ptr<f32>) -> f32 {
  %m = arith.constant false
  %v = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, i1) -> f32
  return %v : f32
}

// store (p, v, true) = store (p, v)
// CHECK-LABEL: @store_all
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[V:.*]]: f32)
// CHECK-NEXT: "tile.store"(%[[P]], %[[V]]) {evict = "evict_first"} : (!tile.ptr<f32>, f32) -> ()
// CHECK-NEXT: return
func.func @store_all(%p: !tile.ptr<f32>, %v: f32) {
  %m = arith.constant true
  "tile.store"(%p, %v, %m) {evict = "evict_first"} : (!tile.ptr<f32>, f32, i1) -> ()
  return
}

// store (p, v, false) = nothing
// CHECK-LABEL: @store_none
// CHECK-NEXT: return
func.func @store_none(%p: !tile.ptr<f32>, %v: f32) {
  %m = arith.constant false
  "tile.store"(%p, %v, %m) : (!tile.ptr<f32>, f32, i1) -> ()
  return
}

// A mask that is true takes no part in another one, one that is false is all that is left.
// CHECK-LABEL: func.func @masks_of_constants
// CHECK-NOT: arith.andi
// CHECK: return %arg0, %{{.*}}, %arg1, %arg2
func.func @masks_of_constants(%m: tensor<8xi1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xi1>, tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) {
  %true = arith.constant dense<true> : tensor<8xi1>
  %false = arith.constant dense<false> : tensor<8xi1>
  %a = arith.andi %true, %m : tensor<8xi1>
  %b = arith.andi %m, %false : tensor<8xi1>
  %c = arith.select %true, %x, %y : tensor<8xi1>, tensor<8xf32>
  %d = arith.select %false, %x, %y : tensor<8xi1>, tensor<8xf32>
  return %a, %b, %c, %d : tensor<8xi1>, tensor<8xi1>, tensor<8xf32>, tensor<8xf32>
}
