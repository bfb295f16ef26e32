// Kernels whose products read blocks that the launch can describe get a second version, before the
// kernel as it was, with a parameter for each descriptor.
// RUN: split-file %s %t
// RUN: tile-opt --tile-version-descriptors %t/product.mlir | FileCheck %s
// RUN: tile-opt --tile-version-descriptors %t/others.mlir | FileCheck %s --check-prefix=OTHERS
// RUN: sed 's/tile.num_stages = 3/tile_gpu.target = "sm_80", tile.num_stages = 3/' %t/product.mlir | tile-opt --tile-version-descriptors | FileCheck %s --check-prefix=OTHERS
// RUN: sed 's/tile.num_stages = 3/tile.tensor_maps_off, tile.num_stages = 3/' %t/product.mlir | tile-opt --tile-version-descriptors | FileCheck %s --check-prefix=OTHERS

// CHECK: func.func @product$tma(%[[A:[^:]*]]: !tile.ptr<f16>, %{{[^:]*}}: !tile.ptr<f16>, %{{[^:]*}}: !tile.ptr<f16>, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32
// CHECK-SAME: %[[DA:[^:]*]]: !tile.descriptor<tensor<64x64xf16>> {tile_gpu.tensor_map = {base = 0 : i32, sizes = [array<i64: 1, 5>, array<i64: 2, 3>], strides = [array<i64: 2, 6>], type = f16}}
// CHECK-SAME: %[[DB:[^:]*]]: !tile.descriptor<tensor<64x64xf16>> {tile_gpu.tensor_map = {base = 1 : i32, sizes = [array<i64: 1, 4>, array<i64: 1, 5>], strides = [array<i64: 128>], type = f16}}
// CHECK-SAME: attributes {tile.kernel, tile_gpu.tensor_maps_of = "product"}
// CHECK: "tile.descriptor_load"(%[[DA]], {{.*}})
// CHECK: "tile.descriptor_load"(%[[DB]], {{.*}})
// CHECK: func.func @product(
// CHECK-NOT: !tile.descriptor<{{[^)]*}} {
// CHECK: return

// A product outside of loops, sizes that are loaded, and a target without a copy engine.
// OTHERS-NOT: $tma

//--- product.mlir
module attributes {tile.num_stages = 3 : i32} {
  func.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %zero64 = arith.constant 0 : i64
    %step = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %row = arith.constant 64 : i64
    %m64 = arith.extsi %m : i32 to i64
    %rows = arith.muli %m64, %two : i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %s64 = arith.extsi %s : i32 to i64
    %da = "tile.make_descriptor"(%a, %rows, %k64, %s64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %db = "tile.make_descriptor"(%b, %k64, %n64, %row, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<64x64xf32>) : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %ta = "tile.descriptor_load"(%da, %zero64, %i64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
      %tb = "tile.descriptor_load"(%db, %i64, %zero64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
      %d = "tile.dot"(%ta, %tb, %x) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    return
  }
}
//--- others.mlir
module attributes {tile.num_stages = 3 : i32} {
  func.func @once(%a: !tile.ptr<f16>, %n: i64) attributes {tile.kernel} {
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %da = "tile.make_descriptor"(%a, %n, %n, %n, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %ta = "tile.descriptor_load"(%da, %zero, %zero) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %d = "tile.dot"(%ta, %ta, %none) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return
  }
  func.func @loaded(%a: !tile.ptr<f16>, %p: !tile.ptr<i64>, %k: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %zero64 = arith.constant 0 : i64
    %step = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %n = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i64>) -> i64
    %da = "tile.make_descriptor"(%a, %n, %n, %n, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x64xf16>>
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<64x64xf32>) : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %ta = "tile.descriptor_load"(%da, %zero64, %i64) : (!tile.descriptor<tensor<64x64xf16>>, i64, i64) -> tensor<64x64xf16>
      %d = "tile.dot"(%ta, %ta, %x) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    return
  }
}
