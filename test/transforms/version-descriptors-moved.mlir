// Descriptors whose base moves from program to program: what moves it are places in outer dimensions of the tensor
// map, where the launch knows the strides.
// RUN: split-file %s %t
// RUN: tile-opt --tile-version-descriptors %t/moved.mlir | FileCheck %s
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
