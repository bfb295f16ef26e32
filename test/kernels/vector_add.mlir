// Vector addition: out[i] = x[i] + y[i] for i < n, one block of 1024 elements a program.
//   grid = (ceil(n / 1024))
func.func @add_kernel(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"},
                      %y: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "y"},
                      %out: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "out"},
                      %n: i32 {tile.divisibility = 16 : i32, tile.name = "n"}) attributes {tile.kernel} {
  %block = arith.constant 1024 : i32
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %start = arith.muli %pid, %block : i32
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %starts = "tile.splat"(%start) : (i32) -> tensor<1024xi32>
  %offsets = arith.addi %starts, %range : tensor<1024xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<1024xi32>
  %mask = arith.cmpi slt, %offsets, %limit : tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %offsets) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %a = "tile.load"(%xp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
  %ys = "tile.splat"(%y) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %yp = "tile.addptr"(%ys, %offsets) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %b = "tile.load"(%yp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
  %sum = arith.addf %a, %b : tensor<1024xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %offsets) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%op, %sum, %mask) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>, tensor<1024xi1>) -> ()
  return
}
