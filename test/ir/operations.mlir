// RUN: tile-opt %s | tile-opt | FileCheck %s

// Every operation of the dialect goes through text and back.

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<4x8xf32>, %i: tensor<2x8xi32>, %s: f32) {
  // CHECK: "tile.reshape"(%{{.*}}) : (tensor<4x8xf32>) -> tensor<32xf32>
  %r = "tile.reshape"(%x) : (tensor<4x8xf32>) -> tensor<32xf32>
  // CHECK: "tile.reshape"(%{{.*}}) {reorder}
  %o = "tile.reshape"(%r) {reorder} : (tensor<32xf32>) -> tensor<4x4x2xf32>
  // CHECK: "tile.permute"(%{{.*}}) {order = array<i32: 2, 0, 1>}
  %p = "tile.permute"(%o) {order = array<i32: 2, 0, 1>} : (tensor<4x4x2xf32>) -> tensor<2x4x4xf32>
  // CHECK: "tile.join"(%{{.*}}, %{{.*}}) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8x2xf32>
  %j = "tile.join"(%x, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8x2xf32>
  // CHECK: "tile.join"(%{{.*}}, %{{.*}}) : (f32, f32) -> tensor<2xf32>
  %k = "tile.join"(%s, %s) : (f32, f32) -> tensor<2xf32>
  // CHECK: %{{.*}}:2 = "tile.split"(%{{.*}}) : (tensor<4x8x2xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  %a, %b = "tile.split"(%j) : (tensor<4x8x2xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  // CHECK: "tile.split"(%{{.*}}) : (tensor<2xf32>) -> (f32, f32)
  %c, %d = "tile.split"(%k) : (tensor<2xf32>) -> (f32, f32)
  // CHECK: "tile.gather"(%{{.*}}, %{{.*}}) {axis = 0 : i32}
  %g = "tile.gather"(%x, %i) {axis = 0 : i32} : (tensor<4x8xf32>, tensor<2x8xi32>) -> tensor<2x8xf32>
  return
}

// CHECK-LABEL: func.func @across
func.func @across(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %v: tensor<64xi32>, %m: tensor<64xi1>) {
  // CHECK: "tile.reduce"
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  // CHECK: gpu.yield %{{.*}} : f32
  // CHECK: (tensor<4x8xf32>) -> tensor<4xf32>
  %sum = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x8xf32>) -> tensor<4xf32>
  // A reduction of a vector gives a scalar; a constant from outside may be used.
  // CHECK: (tensor<4xf32>) -> f32
  %one = arith.constant 1.0 : f32
  %total = "tile.reduce"(%sum) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    %d = arith.maxnumf %c, %one : f32
    "gpu.yield"(%d) : (f32) -> ()
  }) {axis = 0 : i32, ordered, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>) -> f32
  // The greatest element with its index.
  // CHECK: (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %max, %at = "tile.reduce"(%x, %i) ({
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %c = arith.cmpf ogt, %a, %b : f32
    %d = arith.select %c, %a, %b : f32
    %di = scf.if %c -> i32 {
      scf.yield %ai : i32
    } else {
      scf.yield %bi : i32
    }
    "gpu.yield"(%d, %di) : (f32, i32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  // CHECK: "tile.scan"
  // CHECK: {axis = 1 : i32, {{.*}}, reverse = true}
  %scan = "tile.scan"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, reverse = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: "tile.sort"(%{{.*}}) {axis = 1 : i32, descending = true} : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %top = "tile.sort"(%x) {axis = 1 : i32, descending = true} : (tensor<4x8xf32>) -> tensor<4x2xf32>
  // CHECK: "tile.histogram"(%{{.*}}) : (tensor<64xi32>) -> tensor<16xi32>
  %h = "tile.histogram"(%v) : (tensor<64xi32>) -> tensor<16xi32>
  // CHECK: "tile.histogram"(%{{.*}}, %{{.*}}) : (tensor<64xi32>, tensor<64xi1>) -> tensor<16xi32>
  %hm = "tile.histogram"(%v, %m) : (tensor<64xi32>, tensor<64xi1>) -> tensor<16xi32>
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<16x32xf16>, %b: tensor<32x8xf16>, %c: tensor<16x8xf32>,
                    %i: tensor<16x32xi8>, %j: tensor<32x8xi8>, %k: tensor<16x8xi32>,
                    %e: tensor<2x16x32xf8E4M3FN>, %f: tensor<2x32x8xf8E5M2>, %g: tensor<2x16x8xf32>,
                    %p: tensor<64x8xi8>, %q: tensor<16x64xf8E5M2>, %sa: tensor<16x2xi8>, %sb: tensor<8x2xi8>,
                    %p4: tensor<32x8xi8>) {
  // CHECK: "tile.dot"(%{{.*}}, %{{.*}}, %{{.*}}) {precision = "tf32"}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf16>, tensor<32x8xf16>, tensor<16x8xf32>) -> tensor<16x8xf32>
  // CHECK: "tile.dot"(%{{.*}}, %{{.*}}, %{{.*}}) {precision = "ieee"}
  %1 = "tile.dot"(%i, %j, %k) {precision = "ieee"} : (tensor<16x32xi8>, tensor<32x8xi8>, tensor<16x8xi32>) -> tensor<16x8xi32>
  // CHECK: "tile.dot"(%{{.*}}, %{{.*}}, %{{.*}}) {max_imprecise = 32 : i32, precision = "tf32x3"}
  %2 = "tile.dot"(%e, %f, %g) {precision = "tf32x3", max_imprecise = 32 : i32} : (tensor<2x16x32xf8E4M3FN>, tensor<2x32x8xf8E5M2>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  // e2m1 packs two in an i8 along K.
  // CHECK: "tile.dot_scaled"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {a_format = "e5m2", b_format = "e2m1", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}
  %3 = "tile.dot_scaled"(%q, %p4, %c, %sa, %sb) {a_format = "e5m2", b_format = "e2m1", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<16x64xf8E5M2>, tensor<32x8xi8>, tensor<16x8xf32>, tensor<16x2xi8>, tensor<8x2xi8>) -> tensor<16x8xf32>
  // CHECK: "tile.dot_scaled"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {a_format = "e5m2", b_format = "e4m3", fast_math, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}
  %4 = "tile.dot_scaled"(%q, %p, %c, %sb) {a_format = "e5m2", b_format = "e4m3", fast_math, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<16x64xf8E5M2>, tensor<64x8xi8>, tensor<16x8xf32>, tensor<8x2xi8>) -> tensor<16x8xf32>
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%p: tensor<64x!tile.ptr<f32>>, %v: tensor<64xf32>, %m: tensor<64xi1>, %q: !tile.ptr<i64>, %w: i64) {
  // CHECK: "tile.atomic_rmw"(%{{.*}}, %{{.*}}, %{{.*}}) {kind = "add", scope = "gpu", sem = "acq_rel"}
  %0 = "tile.atomic_rmw"(%p, %v, %m) {kind = "add", sem = "acq_rel", scope = "gpu"} : (tensor<64x!tile.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  // CHECK: "tile.atomic_rmw"(%{{.*}}, %{{.*}}) {kind = "umax"} : (!tile.ptr<i64>, i64) -> i64
  %1 = "tile.atomic_rmw"(%q, %w) {kind = "umax"} : (!tile.ptr<i64>, i64) -> i64
  // CHECK: "tile.atomic_cas"(%{{.*}}, %{{.*}}, %{{.*}}) {scope = "sys", sem = "relaxed"}
  %2 = "tile.atomic_cas"(%q, %w, %w) {sem = "relaxed", scope = "sys"} : (!tile.ptr<i64>, i64, i64) -> i64
  return
}

// CHECK-LABEL: func.func @effects
func.func @effects(%x: tensor<64xi32>, %h: tensor<64xf16>, %m: tensor<64xi1>, %s: i32) {
  // CHECK: "tile.inline_asm"(%{{.*}}, %{{.*}}) {asm = "add.s32 $0, $1, $2;", constraints = "=r,r,r",
  %0 = "tile.inline_asm"(%x, %x) {asm = "add.s32 $0, $1, $2;", constraints = "=r,r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  // Two halves travel in one register, two i32 in two.
  // CHECK: "tile.inline_asm"
  %1, %2 = "tile.inline_asm"(%h) {asm = "// $0 $1 $2 $3", constraints = "=r,=r,=&r,r,~{memory}", pack = 2 : i32, pure = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<64xf16>) -> (tensor<64xi32>, tensor<64xf16>)
  // CHECK: "tile.print"() {hex = false, operandSegmentSizes = {{.*}}, prefix = "here"}
  "tile.print"() {prefix = "here", hex = false, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0>} : () -> ()
  // CHECK: "tile.print"(%{{.*}}, %{{.*}}) {hex = true
  "tile.print"(%x, %s) {prefix = "x: ", hex = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32>, i32) -> ()
  // CHECK: "tile.assert"(%{{.*}}, %{{.*}}) {file = "k.py", function = "f", line = 12 : i32, message = "no"}
  "tile.assert"(%m, %m) {message = "no", file = "k.py", function = "f", line = 12 : i32} : (tensor<64xi1>, tensor<64xi1>) -> ()
  // CHECK: "tile.barrier"() : () -> ()
  "tile.barrier"() : () -> ()
  // CHECK: "tile.grid_wait"() : () -> ()
  "tile.grid_wait"() : () -> ()
  // CHECK: "tile.grid_launch"() : () -> ()
  "tile.grid_launch"() : () -> ()
  return
}

// CHECK-LABEL: func.func @fp8
// CHECK-SAME: tensor<4xf8E4M3FN>, %{{.*}}: !tile.ptr<f8E5M2>, %{{.*}}: f8E4M3FNUZ, %{{.*}}: tensor<2xf8E5M2FNUZ>
func.func @fp8(%a: tensor<4xf8E4M3FN>, %b: !tile.ptr<f8E5M2>, %c: f8E4M3FNUZ, %d: tensor<2xf8E5M2FNUZ>) {
  return
}

// CHECK-LABEL: func.func @descriptors
// CHECK-SAME: (%{{.*}}: !tile.descriptor<tensor<128x64xf16>>, %{{.*}}: !tile.descriptor<tensor<4x8x16x32x64xi8>>)
func.func @descriptors(%a: !tile.descriptor<tensor<128x64xf16>>, %b: !tile.descriptor<tensor<4x8x16x32x64xi8>>) {
  return
}

// CHECK-LABEL: func.func @descriptor_accesses
func.func @descriptor_accesses(%p: !tile.ptr<f16>, %n: i64, %i: i32, %j: i64) {
  %one = arith.constant 1 : i64
  // CHECK: "tile.make_descriptor"(%{{.*}}) {{.*}}pads_with_nan{{.*}} -> !tile.descriptor<tensor<8x64xf16>>
  %d = "tile.make_descriptor"(%p, %n, %n, %n, %one) {operandSegmentSizes = array<i32: 1, 2, 2>, pads_with_nan} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<8x64xf16>>
  // CHECK: "tile.descriptor_load"(%{{.*}}, %{{.*}}, %{{.*}}) : (!tile.descriptor<tensor<8x64xf16>>, i32, i32) -> tensor<8x64xf16>
  %t = "tile.descriptor_load"(%d, %i, %i) : (!tile.descriptor<tensor<8x64xf16>>, i32, i32) -> tensor<8x64xf16>
  // CHECK: "tile.descriptor_store"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!tile.descriptor<tensor<8x64xf16>>, tensor<8x64xf16>, i64, i64) -> ()
  "tile.descriptor_store"(%d, %t, %j, %j) : (!tile.descriptor<tensor<8x64xf16>>, tensor<8x64xf16>, i64, i64) -> ()
  return
}
