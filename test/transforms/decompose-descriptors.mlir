// RUN: tile-opt --tile-decompose-descriptors --split-input-file %s | FileCheck %s

// The place of the block is a scalar, what the tile adds is the same for all blocks; the mask
// compares positions in 32 bits with what is left of the tensor.
// CHECK-LABEL: func.func @load
// CHECK-SAME: (%[[BASE:.*]]: !tile.ptr<f16>, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[ROW:.*]]: i64, %[[I:.*]]: i64, %[[J:.*]]: i64)
// CHECK: %[[START:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: %[[BLOCK:.*]] = "tile.addptr"(%[[BASE]], %[[START]]) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
// CHECK: %[[POINTERS:.*]] = "tile.addptr"(%{{.*}}, %{{.*}}) : (tensor<8x64x!tile.ptr<f16>>, tensor<8x64xi64>)
// CHECK: %[[BELOW:.*]] = arith.subi %{{.*}}, %[[I]] : i64
// CHECK: %[[LEFT:.*]] = arith.subi %[[M]], %[[I]] : i64
// CHECK: arith.cmpi sge, %{{.*}} : tensor<8x1xi32>
// CHECK: arith.cmpi slt, %{{.*}} : tensor<8x1xi32>
// CHECK: arith.subi %[[N]], %[[J]] : i64
// CHECK: arith.cmpi slt, %{{.*}} : tensor<1x64xi32>
// CHECK: %[[MASK:.*]] = arith.andi %{{.*}} : tensor<8x64xi1>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8x64xf16>
// CHECK: %[[T:.*]] = "tile.load"(%[[POINTERS]], %[[MASK]], %[[ZERO]])
// CHECK-NOT: descriptor
// CHECK: return %[[T]]
func.func @load(%base: !tile.ptr<f16>, %m: i64, %n: i64, %row: i64, %i: i64, %j: i64) -> tensor<8x64xf16> {
  %one = arith.constant 1 : i64
  %d = "tile.make_descriptor"(%base, %m, %n, %row, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<8x64xf16>>
  %t = "tile.descriptor_load"(%d, %i, %j) : (!tile.descriptor<tensor<8x64xf16>>, i64, i64) -> tensor<8x64xf16>
  return %t : tensor<8x64xf16>
}

// -----

// A store has the same mask; offsets of 32 bits are extended, a constant stride stays in 32 bits
// where the whole block's distances do.
// CHECK-LABEL: func.func @store
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<2x4x8xf32>, %[[I:[a-z0-9]*]]: i32)
// CHECK: arith.extsi %[[I]] : i32 to i64
// CHECK: arith.muli %{{.*}} : tensor<1x4x1xi32>
// CHECK: "tile.store"(%{{.*}}, %[[X]], %{{.*}}) : (tensor<2x4x8x!tile.ptr<f32>>, tensor<2x4x8xf32>, tensor<2x4x8xi1>) -> ()
func.func @store(%base: !tile.ptr<f32>, %n: i64, %x: tensor<2x4x8xf32>, %i: i32) {
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %d = "tile.make_descriptor"(%base, %n, %n, %eight, %n, %eight, %one) {operandSegmentSizes = array<i32: 1, 3, 3>} : (!tile.ptr<f32>, i64, i64, i64, i64, i64, i64) -> !tile.descriptor<tensor<2x4x8xf32>>
  "tile.descriptor_store"(%d, %x, %i, %i, %i) : (!tile.descriptor<tensor<2x4x8xf32>>, tensor<2x4x8xf32>, i32, i32, i32) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @padding
// CHECK: arith.constant dense<0x7E00> : tensor<64xf16>
func.func @padding(%base: !tile.ptr<f16>, %n: i64) -> tensor<64xf16> {
  %one = arith.constant 1 : i64
  %d = "tile.make_descriptor"(%base, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>, pads_with_nan} : (!tile.ptr<f16>, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  %t = "tile.descriptor_load"(%d, %n) : (!tile.descriptor<tensor<64xf16>>, i64) -> tensor<64xf16>
  return %t : tensor<64xf16>
}

// -----

// A distance of 64 * 2^26 needs 64 bits.
// CHECK-LABEL: func.func @far
// CHECK: arith.muli %{{.*}} : tensor<64x1xi64>
func.func @far(%base: !tile.ptr<f16>, %n: i64) -> tensor<64x8xf16> {
  %one = arith.constant 1 : i64
  %row = arith.constant 67108864 : i64
  %d = "tile.make_descriptor"(%base, %n, %n, %row, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x8xf16>>
  %t = "tile.descriptor_load"(%d, %n, %n) : (!tile.descriptor<tensor<64x8xf16>>, i64, i64) -> tensor<64x8xf16>
  return %t : tensor<64x8xf16>
}

// -----

// A parameter stays.
// CHECK-LABEL: func.func @parameter
// CHECK: "tile.descriptor_load"
func.func @parameter(%d: !tile.descriptor<tensor<64xf16>>, %i: i32) -> tensor<64xf16> {
  %t = "tile.descriptor_load"(%d, %i) : (!tile.descriptor<tensor<64xf16>>, i32) -> tensor<64xf16>
  return %t : tensor<64xf16>
}

// -----

// An outer dimension is a distance more, and in bounds as a whole or not at all.
// CHECK-LABEL: func.func @outer
// CHECK-SAME: (%[[BASE:.*]]: !tile.ptr<f16>, %[[N:.*]]: i64, %[[HEAD:.*]]: i64, %[[H:.*]]: i64, %[[J:.*]]: i64)
// CHECK: %[[MOVED:.*]] = arith.muli %[[H]], %[[HEAD]] : i64
// CHECK: %[[START:.*]] = arith.addi %[[MOVED]], %{{.*}} : i64
// CHECK: "tile.addptr"(%[[BASE]], %[[START]]) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[H]], %[[N]] : i64
// CHECK: "tile.splat"(%[[IN]]) : (i1) -> tensor<64xi1>
// CHECK: "tile.load"
func.func @outer(%base: !tile.ptr<f16>, %n: i64, %head: i64, %h: i64, %j: i64) -> tensor<64xf16> {
  %one = arith.constant 1 : i64
  %d = "tile.make_descriptor"(%base, %n, %n, %head, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  %t = "tile.descriptor_load"(%d, %h, %j) : (!tile.descriptor<tensor<64xf16>>, i64, i64) -> tensor<64xf16>
  return %t : tensor<64xf16>
}
