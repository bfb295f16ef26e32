// RUN: tile-opt --tile-to-tile-gpu --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --device emulator --kernel prints --grid 1,2 --arg x=fp32[4]:arange --arg n=i64:7000000000 | env LC_ALL=C sort | uniq -c | FileCheck %s --check-prefix=LINES
// RUN: not tile-run %s --device emulator --kernel asserts --grid 2 --arg x=i32[256]:arange --arg n=i32:77 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: tile-run %s --device emulator --kernel asserts --grid 2 --arg x=i32[256]:arange --arg n=i32:300
// RUN: tile-run %s --device emulator --kernel asserts --grid 2 --arg x=i32[256]:arange --arg n=i32:200

// One line an element, by one of the threads that hold it; scalars and text by each of the 128 threads.
// CHECK-LABEL: llvm.func @prints
// CHECK: scf.if
// CHECK: llvm.call @vprintf
// PTX: .extern .func  (.param .b32 func_retval0) vprintf
// PTX-LABEL: .entry prints
// PTX: call.uni (retval0), vprintf
// LINES: {{^ *}}128 pid (0, 0, 0) 100% here
// LINES-NEXT: {{^ *}}128 pid (0, 0, 0) idx () v: -1
// LINES-NEXT: {{^ *}}128 pid (0, 0, 0) idx () v: 7000000000
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (0) hex: 0x0000
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (0) v: 0.000000
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (0, 0) hex: 0x00000000
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (0, 1) hex: 0x00000000
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (1) hex: 0x3c00
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (1) v: 1.000000
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (1, 0) hex: 0xffffffff
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (1, 1) hex: 0xffffffff
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (2) hex: 0x4000
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (2) v: 2.000000
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (3) hex: 0x4200
// LINES-NEXT: {{^ *}}1 pid (0, 0, 0) idx (3) v: 3.000000
// LINES-NEXT: {{^ *}}128 pid (0, 1, 0) 100% here
func.func @prints(%x: !tile.ptr<f32> {tile.name = "x"}, %n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 4 : i32} : () -> tensor<4xi32>
  %j = "tile.range"() {start = 0 : i32, end = 2 : i32} : () -> tensor<2xi32>
  %zero = arith.constant dense<0> : tensor<2xi32>
  %k = arith.subi %zero, %j : tensor<2xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<4x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<4x!tile.ptr<f32>>, tensor<4xi32>) -> tensor<4x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x!tile.ptr<f32>>) -> tensor<4xf32>
  %h = arith.truncf %v : tensor<4xf32> to tensor<4xf16>
  %e = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<2xi32>) -> tensor<2x1xi32>
  %m = "tile.broadcast"(%e) : (tensor<2x1xi32>) -> tensor<2x2xi32>
  %minus = arith.constant -1 : i8
  "tile.print"() {prefix = " 100% here", hex = false, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0>} : () -> ()
  "tile.print"(%v, %n, %minus) {prefix = " v: ", hex = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<4xf32>, i64, i8) -> ()
  "tile.print"(%h, %m) {prefix = " hex: ", hex = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<4xf16>, tensor<2x2xi32>) -> ()
  return
}

// The thread that is in charge of a failing element reports it; where the mask is false nothing is checked.
// CHECK-LABEL: llvm.func @asserts
// CHECK: scf.if
// CHECK: llvm.call @__assertfail(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) -> ()
// PTX-LABEL: .entry asserts
// PTX: __assertfail
// FAILS: trap at {{.*}}print.mlir:[[#@LINE+10]]:3, thread 77 of block ({{[01]}}, 0, 0): assertion failed: x is n (k.py:12, in f)
func.func @asserts(%x: !tile.ptr<i32> {tile.name = "x"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<i32>>) -> tensor<256xi32>
  %ns = "tile.splat"(%n) : (i32) -> tensor<256xi32>
  %c = arith.cmpi ne, %v, %ns : tensor<256xi32>
  %limit = arith.constant dense<128> : tensor<256xi32>
  %m = arith.cmpi slt, %v, %limit : tensor<256xi32>
  "tile.assert"(%c, %m) {message = "x is n", file = "k.py", function = "f", line = 12 : i32} : (tensor<256xi1>, tensor<256xi1>) -> ()
  return
}
