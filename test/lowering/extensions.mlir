// RUN: tile-opt --tile-to-tile-gpu=num-warps=1 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-run %s --kernel aligned --grid 2 --num-warps 1 --check --arg x=fp32[1024]:arange --arg out=fp32[256]:poison --print out:256 | FileCheck %s --check-prefix=ALIGNED
// RUN: tile-run %s --kernel unaligned --grid 1 --num-warps 1 --check --arg x=fp32[128]:arange --arg out=fp32[128]:poison --arg first=i32:2147483584 --print out:128 | FileCheck %s --check-prefix=WRAPPED

// Numbers that count up from a multiple of the tile's size do not wrap within it: a thread extends the first of its four, and its other
// accesses are at constant distances from that one.
// ALIGNED: out = 0 4 8 12 {{.*}} 1020{{$}}
// CHECK-LABEL: llvm.func @aligned
// CHECK: arith.extsi
// CHECK-NOT: arith.extsi
func.func @aligned(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "out"}) attributes {tile.kernel} {
  %block = arith.constant 128 : i32
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %start = arith.muli %pid, %block : i32
  %range = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %starts = "tile.splat"(%start) : (i32) -> tensor<128xi32>
  %i = arith.addi %starts, %range : tensor<128xi32>
  %wide = arith.extsi %i : tensor<128xi32> to tensor<128xi64>
  %four = arith.constant dense<4> : tensor<128xi64>
  %offset = arith.muli %wide, %four : tensor<128xi64>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %offset) : (tensor<128x!tile.ptr<f32>>, tensor<128xi64>) -> tensor<128x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %wide) : (tensor<128x!tile.ptr<f32>>, tensor<128xi64>) -> tensor<128x!tile.ptr<f32>>
  "tile.store"(%op, %v) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  return
}

// Without a known start some of the numbers may be beyond the largest of their type, which in 64 bits is far from the others.
// WRAPPED: out = 0 1 2 {{.*}} 63 -1 {{.*}} -1{{$}}
// CHECK-LABEL: llvm.func @unaligned
// CHECK-COUNT-4: arith.extsi
func.func @unaligned(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "out"}, %first: i32 {tile.name = "first"}) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<128xi32>
  %i = arith.addi %starts, %range : tensor<128xi32>
  %wide = arith.extsi %i : tensor<128xi32> to tensor<128xi64>
  %least = arith.constant dense<-2147483584> : tensor<128xi64>
  %offset = arith.addi %wide, %least : tensor<128xi64>
  %zero = arith.constant dense<0> : tensor<128xi64>
  %inside = arith.cmpi sge, %offset, %zero : tensor<128xi64>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %offset) : (tensor<128x!tile.ptr<f32>>, tensor<128xi64>) -> tensor<128x!tile.ptr<f32>>
  %other = arith.constant dense<-1.0> : tensor<128xf32>
  %v = "tile.load"(%xp, %inside, %other) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<128x!tile.ptr<f32>>, tensor<128xi1>, tensor<128xf32>) -> tensor<128xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %range) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  "tile.store"(%op, %v) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  return
}

// A product by what is known at run time only is one of 32 by 32 bits for each number, where the sums would take products of 64.
// CHECK-LABEL: llvm.func @strided
// CHECK-COUNT-4: arith.extsi
func.func @strided(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %stride: i64) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %wide = arith.extsi %range : tensor<128xi32> to tensor<128xi64>
  %strides = "tile.splat"(%stride) : (i64) -> tensor<128xi64>
  %offset = arith.muli %wide, %strides : tensor<128xi64>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %offset) : (tensor<128x!tile.ptr<f32>>, tensor<128xi64>) -> tensor<128x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %range) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  "tile.store"(%op, %v) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  return
}

// What is compared as it is takes no sums of 64 bits.
// CHECK-LABEL: llvm.func @compared
// CHECK-COUNT-4: arith.extsi
func.func @compared(%out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i64) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %wide = arith.extsi %range : tensor<128xi32> to tensor<128xi64>
  %limits = "tile.splat"(%n) : (i64) -> tensor<128xi64>
  %inside = arith.cmpi slt, %wide, %limits : tensor<128xi64>
  %one = arith.constant dense<1.0> : tensor<128xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %range) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  "tile.store"(%op, %one, %inside) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> ()
  return
}
