// RUN: tile-opt --tile-cleanup %s | FileCheck %s

// Folds over layouts: what is the same everywhere needs no moving. The layouts #a, #b, #c hold 1, 4
// and 2 elements per thread; they are printed in full, so the tests look at that number.

#a = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#b = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#c = #tile_gpu.blocked<{size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>

// convert_layout (splat x) = splat x
// CHECK-LABEL: @splat
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK-NEXT: %[[S:.*]] = "tile.splat"(%[[X]]) : (f32) -> tensor<512xf32, {{.*}}size_per_thread = [4]{{.*}}>
// CHECK-NEXT: return %[[S]]
func.func @splat(%x: f32) -> tensor<512xf32, #b> {
  %s = "tile.splat"(%x) : (f32) -> tensor<512xf32, #a>
  %r = "tile_gpu.convert_layout"(%s) : (tensor<512xf32, #a>) -> tensor<512xf32, #b>
  return %r : tensor<512xf32, #b>
}

// convert_layout (dense c) = dense c
// CHECK-LABEL: @constant
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<3> : tensor<512xi32, {{.*}}size_per_thread = [4]{{.*}}>
// CHECK-NEXT: return %[[C]]
func.func @constant() -> tensor<512xi32, #b> {
  %c = arith.constant dense<3> : tensor<512xi32, #a>
  %r = "tile_gpu.convert_layout"(%c) : (tensor<512xi32, #a>) -> tensor<512xi32, #b>
  return %r : tensor<512xi32, #b>
}

// convert_layout (convert_layout x) = convert_layout x
// CHECK-LABEL: @twice
// CHECK-SAME: (%[[X:.*]]: tensor<512xf32, {{.*}}size_per_thread = [1]{{.*}}>)
// CHECK-NEXT: %[[R:.*]] = "tile_gpu.convert_layout"(%[[X]]) : (tensor<512xf32, {{.*}}size_per_thread = [1]{{.*}}>) -> tensor<512xf32, {{.*}}size_per_thread = [4]{{.*}}>
// CHECK-NEXT: return %[[R]]
func.func @twice(%x: tensor<512xf32, #a>) -> tensor<512xf32, #b> {
  %c = "tile_gpu.convert_layout"(%x) : (tensor<512xf32, #a>) -> tensor<512xf32, #c>
  %r = "tile_gpu.convert_layout"(%c) : (tensor<512xf32, #c>) -> tensor<512xf32, #b>
  return %r : tensor<512xf32, #b>
}

// There and back is nothing.
// CHECK-LABEL: @there_and_back
// CHECK-SAME: (%[[X:.*]]: tensor<512xf32, {{.*}}size_per_thread = [1]{{.*}}>)
// CHECK-NEXT: return %[[X]]
func.func @there_and_back(%x: tensor<512xf32, #a>) -> tensor<512xf32, #a> {
  %c = "tile_gpu.convert_layout"(%x) : (tensor<512xf32, #a>) -> tensor<512xf32, #c>
  %r = "tile_gpu.convert_layout"(%c) : (tensor<512xf32, #c>) -> tensor<512xf32, #a>
  return %r : tensor<512xf32, #a>
}

// The scalar operation gives a splat that keeps the layout.
// CHECK-LABEL: @elementwise
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: "tile.splat"(%{{.*}}) : (f32) -> tensor<512xf32, {{.*}}size_per_thread = [4]{{.*}}>
func.func @elementwise(%x: f32) -> tensor<512xf32, #b> {
  %s = "tile.splat"(%x) : (f32) -> tensor<512xf32, #b>
  %r = arith.addf %s, %s : tensor<512xf32, #b>
  return %r : tensor<512xf32, #b>
}
