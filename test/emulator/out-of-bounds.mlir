// RUN: not tile-run %s --device emulator --grid 2 --arg x=fp32[1536]:ones --check 2>&1 | FileCheck %s
// RUN: tile-run %s --device emulator --grid 1 --arg x=fp32[1536]:ones --print x:2 | FileCheck %s --check-prefix=FINE

// The second program runs past the end of x: the report says where in the kernel, who, and how far.
// CHECK: out-of-bounds at {{.*}}out-of-bounds.mlir:[[#@LINE+14]]:8, thread {{[0-9]+}} of block (1, 0, 0): the load of 16 bytes at address {{0x[0-9a-f]+}} reaches {{[0-9]+}} bytes past the end of buffer 'x'
// CHECK: out-of-bounds at {{.*}}out-of-bounds.mlir:[[#@LINE+15]]:3
// CHECK: tile-run: error: kernel 'kernel' ran with 2 hazards
// FINE: x = 2 2 ...
func.func @kernel(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c1024 = arith.constant 1024 : i32
  %two = arith.constant dense<2.0> : tensor<1024xf32>
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %start = arith.muli %pid, %c1024 : i32
  %starts = "tile.splat"(%start) : (i32) -> tensor<1024xi32>
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %o = arith.addi %starts, %r : tensor<1024xi32>
  %s = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %p = "tile.addptr"(%s, %o) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %w = arith.mulf %v, %two : tensor<1024xf32>
  "tile.store"(%p, %w) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}
