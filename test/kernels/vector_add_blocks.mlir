// Vector addition with several blocks a program: program p adds blocks p * num_blocks up to
// (p + 1) * num_blocks, 1024 elements each, moving its pointers along in the loop.
//   grid = (ceil(n / (1024 * num_blocks)))
func.func @add_blocks_kernel(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"},
                             %y: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "y"},
                             %out: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "out"},
                             %n: i32 {tile.divisibility = 16 : i32, tile.name = "n"},
                             %num_blocks: i32 {tile.name = "num_blocks"})
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %block = arith.constant 1024 : i32
  %step = arith.constant dense<1024> : tensor<1024xi32>
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %blocks = arith.muli %pid, %num_blocks : i32
  %start = arith.muli %blocks, %block : i32
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %starts = "tile.splat"(%start) : (i32) -> tensor<1024xi32>
  %first = arith.addi %starts, %range : tensor<1024xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %ys = "tile.splat"(%y) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %x0 = "tile.addptr"(%xs, %first) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %y0 = "tile.addptr"(%ys, %first) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %o0 = "tile.addptr"(%os, %first) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %end:4 = scf.for %i = %c0 to %num_blocks step %c1
      iter_args(%offsets = %first, %xp = %x0, %yp = %y0, %op = %o0)
      -> (tensor<1024xi32>, tensor<1024x!tile.ptr<f32>>, tensor<1024x!tile.ptr<f32>>, tensor<1024x!tile.ptr<f32>>) : i32 {
    %mask = arith.cmpi slt, %offsets, %limit : tensor<1024xi32>
    %a = "tile.load"(%xp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
    %b = "tile.load"(%yp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
    %sum = arith.addf %a, %b : tensor<1024xf32>
    "tile.store"(%op, %sum, %mask) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>, tensor<1024xi1>) -> ()
    %offsets1 = arith.addi %offsets, %step : tensor<1024xi32>
    %x1 = "tile.addptr"(%xp, %step) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
    %y1 = "tile.addptr"(%yp, %step) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
    %o1 = "tile.addptr"(%op, %step) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
    scf.yield %offsets1, %x1, %y1, %o1 : tensor<1024xi32>, tensor<1024x!tile.ptr<f32>>, tensor<1024x!tile.ptr<f32>>, tensor<1024x!tile.ptr<f32>>
  }
  return
}
