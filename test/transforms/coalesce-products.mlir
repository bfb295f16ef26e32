// RUN: tile-opt --tile-assign-layouts --tile-gpu-coalesce %s | FileCheck %s

// One number of a row and one of a column, expanded once, serve two tiles of one shape that are contiguous along different
// dimensions. In a kernel with products each tile gets copies of its own, and so an order of its own.
// CHECK-LABEL: func.func @shared_numbers
// CHECK: "tile.load"{{.*}} -> tensor<64x64xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8]
// CHECK: "tile.load"{{.*}} -> tensor<64x64xf16, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1]
func.func @shared_numbers(%v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %ld: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %row = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
  %columns = "tile.broadcast"(%column) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %lds = "tile.splat"(%ld) : (i32) -> tensor<64x64xi32>
  %rl = arith.muli %rows, %lds : tensor<64x64xi32>
  %cl = arith.muli %columns, %lds : tensor<64x64xi32>
  %vo = arith.addi %rl, %columns : tensor<64x64xi32>
  %ko = arith.addi %rows, %cl : tensor<64x64xi32>
  %vs = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ks = "tile.splat"(%k) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %vp = "tile.addptr"(%vs, %vo) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
  %kp = "tile.addptr"(%ks, %ko) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
  %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
  %kl = "tile.load"(%kp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = "tile.dot"(%vl, %kl, %zero) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %vo) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f32>>
  "tile.store"(%op, %d) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}

// So does what a loop counts up in: it is computed from the number of the iteration.
// CHECK-LABEL: func.func @counted
// CHECK-SAME: %[[BY:[a-z0-9]*]]: i32 {tile.divisibility = 16 : i32}, %{{[a-z0-9]*}}: i32)
// CHECK: scf.for %[[I:[a-z0-9]*]] =
// CHECK: arith.muli %[[I]], %[[BY]] : i32
// CHECK: "tile.load"{{.*}} -> tensor<64x64xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8]
// CHECK: "tile.load"{{.*}} -> tensor<64x64xf16, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1]
func.func @counted(%v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %by: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %vs = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ks = "tile.splat"(%k) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %lds = arith.constant dense<1024> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %inc = "tile.splat"(%by) : (i32) -> tensor<64xi32>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %r, %sum = %zero) -> (tensor<64xi32>, tensor<64x64xf32>) : i32 {
    %row = "tile.expand_dims"(%at) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %columns = "tile.broadcast"(%column) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %rl = arith.muli %rows, %lds : tensor<64x64xi32>
    %cl = arith.muli %columns, %lds : tensor<64x64xi32>
    %vo = arith.addi %rl, %columns : tensor<64x64xi32>
    %ko = arith.addi %rows, %cl : tensor<64x64xi32>
    %vp = "tile.addptr"(%vs, %vo) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %kp = "tile.addptr"(%ks, %ko) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %kl = "tile.load"(%kp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %d = "tile.dot"(%vl, %kl, %sum) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %next = arith.addi %at, %inc : tensor<64xi32>
    scf.yield %next, %d : tensor<64xi32>, tensor<64x64xf32>
  }
  "tile.store"(%os, %last#1) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @counted_by_a_number
// CHECK: "tile.load"{{.*}} -> tensor<64x64xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8]
// CHECK: "tile.load"{{.*}} -> tensor<64x64xf16, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1]
func.func @counted_by_a_number(%v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %by: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %vs = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ks = "tile.splat"(%k) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %lds = arith.constant dense<1024> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %inc = arith.constant dense<64> : tensor<64xi32>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %r, %sum = %zero) -> (tensor<64xi32>, tensor<64x64xf32>) : i32 {
    %row = "tile.expand_dims"(%at) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %columns = "tile.broadcast"(%column) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %rl = arith.muli %rows, %lds : tensor<64x64xi32>
    %cl = arith.muli %columns, %lds : tensor<64x64xi32>
    %vo = arith.addi %rl, %columns : tensor<64x64xi32>
    %ko = arith.addi %rows, %cl : tensor<64x64xi32>
    %vp = "tile.addptr"(%vs, %vo) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %kp = "tile.addptr"(%ks, %ko) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %kl = "tile.load"(%kp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %d = "tile.dot"(%vl, %kl, %sum) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %next = arith.addi %at, %inc : tensor<64xi32>
    scf.yield %next, %d : tensor<64xi32>, tensor<64x64xf32>
  }
  "tile.store"(%os, %last#1) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}

// Not where it counts from another number than 0, or in other steps than 1, or by what the loop computes.
// CHECK-LABEL: func.func @counted_from_one
// CHECK-NOT: arith.muli %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : i32
// CHECK-LABEL: func.func @counted_in_twos
// CHECK-NOT: arith.muli %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : i32
// CHECK-LABEL: func.func @counted_by_the_iteration
// CHECK-NOT: arith.muli %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : i32
// CHECK: return
func.func @counted_from_one(%v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %by: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %vs = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ks = "tile.splat"(%k) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %lds = arith.constant dense<1024> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %inc = "tile.splat"(%by) : (i32) -> tensor<64xi32>
  %last:2 = scf.for %i = %c1 to %n step %c1 iter_args(%at = %r, %sum = %zero) -> (tensor<64xi32>, tensor<64x64xf32>) : i32 {
    %row = "tile.expand_dims"(%at) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %columns = "tile.broadcast"(%column) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %rl = arith.muli %rows, %lds : tensor<64x64xi32>
    %cl = arith.muli %columns, %lds : tensor<64x64xi32>
    %vo = arith.addi %rl, %columns : tensor<64x64xi32>
    %ko = arith.addi %rows, %cl : tensor<64x64xi32>
    %vp = "tile.addptr"(%vs, %vo) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %kp = "tile.addptr"(%ks, %ko) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %kl = "tile.load"(%kp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %d = "tile.dot"(%vl, %kl, %sum) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %next = arith.addi %at, %inc : tensor<64xi32>
    scf.yield %next, %d : tensor<64xi32>, tensor<64x64xf32>
  }
  "tile.store"(%os, %last#1) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}

func.func @counted_in_twos(%v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %by: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %vs = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ks = "tile.splat"(%k) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %lds = arith.constant dense<1024> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %inc = "tile.splat"(%by) : (i32) -> tensor<64xi32>
  %last:2 = scf.for %i = %c0 to %n step %c2 iter_args(%at = %r, %sum = %zero) -> (tensor<64xi32>, tensor<64x64xf32>) : i32 {
    %row = "tile.expand_dims"(%at) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %columns = "tile.broadcast"(%column) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %rl = arith.muli %rows, %lds : tensor<64x64xi32>
    %cl = arith.muli %columns, %lds : tensor<64x64xi32>
    %vo = arith.addi %rl, %columns : tensor<64x64xi32>
    %ko = arith.addi %rows, %cl : tensor<64x64xi32>
    %vp = "tile.addptr"(%vs, %vo) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %kp = "tile.addptr"(%ks, %ko) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %kl = "tile.load"(%kp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %d = "tile.dot"(%vl, %kl, %sum) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %next = arith.addi %at, %inc : tensor<64xi32>
    scf.yield %next, %d : tensor<64xi32>, tensor<64x64xf32>
  }
  "tile.store"(%os, %last#1) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}

func.func @counted_by_the_iteration(%v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %by: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %vs = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ks = "tile.splat"(%k) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %lds = arith.constant dense<1024> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%at = %r, %sum = %zero) -> (tensor<64xi32>, tensor<64x64xf32>) : i32 {
    %row = "tile.expand_dims"(%at) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
    %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
    %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %columns = "tile.broadcast"(%column) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %rl = arith.muli %rows, %lds : tensor<64x64xi32>
    %cl = arith.muli %columns, %lds : tensor<64x64xi32>
    %vo = arith.addi %rl, %columns : tensor<64x64xi32>
    %ko = arith.addi %rows, %cl : tensor<64x64xi32>
    %vp = "tile.addptr"(%vs, %vo) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %kp = "tile.addptr"(%ks, %ko) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %kl = "tile.load"(%kp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %d = "tile.dot"(%vl, %kl, %sum) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %inc = "tile.splat"(%i) : (i32) -> tensor<64xi32>
    %next = arith.addi %at, %inc : tensor<64xi32>
    scf.yield %next, %d : tensor<64xi32>, tensor<64x64xf32>
  }
  "tile.store"(%os, %last#1) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
