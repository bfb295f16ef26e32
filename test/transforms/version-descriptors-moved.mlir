// Descriptors whose base moves from program to program: what moves it are places in outer dimensions of the tensor
// map, where the launch knows the strides.
// RUN: split-file %s %t
// RUN: tile-opt --tile-version-descriptors %t/moved.mlir | FileCheck %s
// RUN: tile-opt --tile-version-descriptors --tile-find-store-boxes %t/around.mlir | FileCheck %s --check-prefix=AROUND
// RUN: sed 's/%far: i64 {tile.divisibility = 16 : i32}/%far: i64/' %t/around.mlir > %t/left.mlir
// RUN: tile-opt --tile-version-descriptors --tile-find-store-boxes %t/left.mlir | FileCheck %s --check-prefix=LEFT
// RUN: tile-opt --tile-version-descriptors %t/others.mlir | FileCheck %s --check-prefix=OTHERS

// The block's own dimensions end where they ended, the outer one nowhere. Two loads have one parameter.
// CHECK: func.func @moved$tma(
// CHECK-SAME: %[[D:[^:]*]]: !tile.descriptor<tensor<64x64xf16>> {tile_gpu.tensor_map = {base = 0 : i32, sizes = [array<i64: 1, 2>, array<i64: 1, 1>, array<i64: 2147483648>], strides = [array<i64: 2, 2>, array<i64: 2, 3>], type = f16}}
// CHECK-NOT: tile_gpu.tensor_map =
// CHECK-SAME: attributes {tile.kernel, tile_gpu.tensor_maps_of = "moved"}
// CHECK: %[[HEAD:.*]] = "tile.program_id"
// CHECK: %[[PLACE:.*]] = arith.extsi %[[HEAD]]
// CHECK: "tile.descriptor_load"(%[[D]], %{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK: "tile.descriptor_load"(%[[D]], %{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK: func.func @moved(
// CHECK: "tile.descriptor_load"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :

// So are those of a block that products read from before the loop, and of the store; a block that something else reads
// before the loop stays with the descriptor that the kernel makes. The version for other arguments keeps all three.
// AROUND: func.func @around$tma(
// AROUND-SAME: %[[Q:[^:]*]]: !tile.descriptor<tensor<64x64xf16>> {tile_gpu.tensor_map = {base = 0 : i32, sizes = [array<i64: 1, 4>, array<i64: 1, 3>, array<i64: 2147483648>], strides = [array<i64: 2, 4>, array<i64: 2, 5>], type = f16}}
// AROUND-SAME: %[[K:[^:]*]]: !tile.descriptor<tensor<64x64xf16>> {tile_gpu.tensor_map = {base = 1 : i32, sizes = [array<i64: 1, 4>, array<i64: 1, 3>, array<i64: 2147483648>], strides = [array<i64: 2, 4>, array<i64: 2, 5>], type = f16}}
// AROUND-SAME: %[[O:[^:]*]]: !tile.descriptor<tensor<64x64xf32>> {tile_gpu.tensor_map = {base = 2 : i32, sizes = [array<i64: 1, 4>, array<i64: 1, 3>, array<i64: 2147483648>], stores, strides = [array<i64: 4, 4>, array<i64: 4, 5>], type = f32}}
// AROUND-NOT: tile_gpu.tensor_map =
// AROUND: "tile.descriptor_load"(%[[Q]], %{{.*}}, %{{.*}}, %{{.*}}) :
// AROUND: "tile.descriptor_load"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) : (!tile.descriptor<tensor<64x64xf32>>, i64, i64)
// AROUND: "tile.descriptor_load"(%[[K]], %{{.*}}, %{{.*}}, %{{.*}}) :
// AROUND: "tile_gpu.store_box"(%[[O]], %{{.*}}, %{{.*}}, %{{.*}})
// AROUND: "tile.descriptor_store"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) {{.*}}tensor<64x64xf32>, i64, i64, i64) -> ()
// AROUND: func.func @around(
// AROUND-COUNT-3: "tile.descriptor_load"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
// AROUND: "tile.descriptor_store"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :

// Moved by no known multiple of 16 bytes: the store and the load before the loop stay. The launch might not be able to
// make their descriptors, and would lose those of the loads in the loop.
// LEFT: func.func @around$tma(
// LEFT-NOT: base = 0
// LEFT-SAME: base = 1
// LEFT-NOT: base = {{[02]}}
// LEFT-NOT: tile_gpu.store_box
// LEFT: func.func @around(

// Moved by a number that is loaded, and may be negative; by one element a program,
// as strides are multiples of 16 bytes.
// OTHERS-NOT: $tma

//--- moved.mlir
module attributes {tile.num_stages = 3 : i32} {
  func.func @moved(%a: !tile.ptr<f16>, %m: i32, %k: i32, %far: i64) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %zero64 = arith.constant 0 : i64
    %step = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %head = "tile.program_id"() {axis = 1 : i32} : () -> i32
    %head64 = arith.extsi %head : i32 to i64
    %offset = arith.muli %head64, %far : i64
    %p = "tile.addptr"(%a, %offset) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %m64 = arith.extsi %m : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %d = "tile.make_descriptor"(%p, %m64, %k64, %k64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<64x64xf32>) : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %ta = "tile.descriptor_load"(%d, %zero64, %i64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
      %tb = "tile.descriptor_load"(%d, %i64, %zero64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
      %e = "tile.dot"(%ta, %tb, %x) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    }
    return
  }
}
//--- around.mlir
module attributes {tile.num_stages = 3 : i32} {
  func.func @around(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}, %far: i64 {tile.divisibility = 16 : i32}, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %zero64 = arith.constant 0 : i64
    %step = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %head = "tile.program_id"() {axis = 1 : i32} : () -> i32
    %head64 = arith.extsi %head : i32 to i64
    %offset = arith.muli %head64, %far : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %qp = "tile.addptr"(%q, %offset) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %qd = "tile.make_descriptor"(%qp, %m64, %n64, %n64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %kp = "tile.addptr"(%k, %offset) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %kd = "tile.make_descriptor"(%kp, %m64, %n64, %n64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %op = "tile.addptr"(%o, %offset) : (!tile.ptr<f32>, i64) -> !tile.ptr<f32>
    %od = "tile.make_descriptor"(%op, %m64, %n64, %n64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f32>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf32>>
    %bp = "tile.addptr"(%b, %offset) : (!tile.ptr<f32>, i64) -> !tile.ptr<f32>
    %bd = "tile.make_descriptor"(%bp, %m64, %n64, %n64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f32>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf32>>
    %tq = "tile.descriptor_load"(%qd, %zero64, %zero64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
    %tb = "tile.descriptor_load"(%bd, %zero64, %zero64) : (!tile.descriptor<tensor<64x64xf32>>, i64, i64) -> tensor<64x64xf32>
    %sum = scf.for %i = %zero to %m step %step iter_args(%x = %tb) -> (tensor<64x64xf32>) : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %tk = "tile.descriptor_load"(%kd, %i64, %zero64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
      %e = "tile.dot"(%tq, %tk, %x) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    }
    "tile.descriptor_store"(%od, %sum, %zero64, %zero64) : (!tile.descriptor<tensor<64x64xf32>>, tensor<64x64xf32>, i64, i64) -> ()
    return
  }
}
//--- others.mlir
module attributes {tile.num_stages = 3 : i32} {
  func.func @loaded(%a: !tile.ptr<f16>, %from: !tile.ptr<i32>, %m: i32, %k: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %zero64 = arith.constant 0 : i64
    %step = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %first = "tile.load"(%from) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %first64 = arith.extsi %first : i32 to i64
    %m64 = arith.extsi %m : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %offset = arith.muli %first64, %k64 : i64
    %p = "tile.addptr"(%a, %offset) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %d = "tile.make_descriptor"(%p, %m64, %k64, %k64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<64x64xf32>) : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %ta = "tile.descriptor_load"(%d, %zero64, %i64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
      %e = "tile.dot"(%ta, %ta, %x) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    }
    return
  }
  func.func @by_one(%a: !tile.ptr<f16>, %m: i32, %k: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %zero64 = arith.constant 0 : i64
    %step = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %head = "tile.program_id"() {axis = 1 : i32} : () -> i32
    %m64 = arith.extsi %m : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %p = "tile.addptr"(%a, %head) : (!tile.ptr<f16>, i32) -> !tile.ptr<f16>
    %d = "tile.make_descriptor"(%p, %m64, %k64, %k64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<64x64xf32>) : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %ta = "tile.descriptor_load"(%d, %zero64, %i64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
      %e = "tile.dot"(%ta, %ta, %x) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    }
    return
  }
}
