// Every reason for which tile-split-loops leaves a loop whole. @below of split-loops.mlir is the loop that all of these are but for one
// thing.
// RUN: tile-opt --tile-split-loops=remarks=true --split-input-file --verify-diagnostics %s
// RUN: tile-opt --tile-split-loops %s --split-input-file | FileCheck %s
// CHECK-COUNT-20: scf.for
// CHECK-NOT: scf.for

// Nothing is multiplied: memory is what it waits for.
func.func @product(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: it has no product}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = arith.addf %acc, %acc : tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// The mask is chosen by for a small part of the elements.
func.func @small(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %ones: tensor<1x32xf32>, %none: tensor<1x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: its masks of what a product gives are a small part of what it computes}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %some = arith.cmpi sge, %row, %starts : tensor<32x1xi32>
    %ends = "tile.splat"(%end) : (i32) -> tensor<1x32xi32>
    %in = arith.cmpi slt, %col, %ends : tensor<1x32xi32>
    %f = arith.select %in, %ones, %none : tensor<1x32xi1>, tensor<1x32xf32>
    %factor = "tile.broadcast"(%f) : (tensor<1x32xf32>) -> tensor<32x32xf32>
    %s = arith.mulf %d, %factor : tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// What is chosen goes into the product: it is computed while the one of the iteration before is in flight.
func.func @before_product(%x: tensor<32x32xf16>, %none: tensor<32x32xf16>, %y: tensor<32x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: its masks of what a product gives are a small part of what it computes}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %a = arith.select %seen, %x, %none : tensor<32x32xi1>, tensor<32x32xf16>
    %d = "tile.dot"(%a, %y, %acc) {precision = "tf32"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// Where the mask ends is a division by the step.
func.func @step(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %step: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: the loop's step is no constant}}
  %sum = scf.for %n = %0 to %end step %step iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// The loop counts in unsigned numbers.
func.func @unsigned(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: the loop counts in unsigned numbers}}
  %sum = scf.for unsigned %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// The loop counts in numbers that have no size.
func.func @index(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %i0: index, %iend: index, %i32: index) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: the loop counts in numbers that are neither of 32 nor of 64 bits}}
  %sum = scf.for %n = %i0 to %iend step %i32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : index {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %m = arith.index_cast %n : index to i32
    %at = "tile.splat"(%m) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// An unsigned comparison has two ends.
func.func @unsigned_mask(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: it compares otherwise than by <, <=, > and >= of signed numbers}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi uge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// What is loaded could be anything.
func.func @loaded(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %p: tensor<32x32x!tile.ptr<i32>>) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: it compares what is loaded}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %limits = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<i32>>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %limits, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// A remainder is no sum.
func.func @remainder(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: it compares more than sums of numbers and ranges}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %part = arith.remsi %cols, %rows : tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %part : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// Nothing is known of a tile that comes from outside.
func.func @argument(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %given: tensor<32x32xi32>) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: it compares tiles whose elements are not known}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %given, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// How much a product of two numbers grows is known at run time only.
func.func @factor(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: it has a product of two numbers that are known at run time only}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %far = arith.muli %n, %end : i32
    %limits = "tile.splat"(%far) : (i32) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %limits : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// Numbers of 16 bits are not followed.
func.func @short_numbers(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: it has an integer that is neither of 32 nor of 64 bits}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %r = arith.trunci %rows : tensor<32x32xi32> to tensor<32x32xi16>
    %c = arith.trunci %cols : tensor<32x32xi32> to tensor<32x32xi16>
    %seen = arith.cmpi sge, %r, %c : tensor<32x32xi16>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// The bounds would not fit into 64 bits.
func.func @large(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: its numbers are too large}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %much = arith.constant dense<1048576> : tensor<32x32xi32>
    %far = arith.muli %cols, %much : tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %far : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// The loop over the diagonal of two: no iteration is without its mask.
func.func @diagonal(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: its masks are true in fewer iterations than it has stages}}
  %sum = scf.for %n = %first to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// So few iterations that nothing could be started ahead.
func.func @few(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  %few = arith.constant 96 : i32
  // expected-remark @+1 {{the loop stays whole: its masks are true in fewer iterations than it has stages}}
  %sum = scf.for %n = %0 to %few step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  } {tile.num_stages = 4 : i32}
  return %sum : tensor<32x32xf32>
}

// -----

// A loop inside.
func.func @inside(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: it has a loop inside}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %more = scf.for %m = %0 to %end step %16 iter_args(%b = %s) -> (tensor<32x32xf32>) : i32 {
      %c = arith.addf %b, %b : tensor<32x32xf32>
      scf.yield %c : tensor<32x32xf32>
    }
    %a = arith.addf %acc, %more : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// What the loop carries doubles.
func.func @doubled(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: the loop carries a number otherwise than by adding a constant to it}}
  %sum:2 = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero, %m = %first) -> (tensor<32x32xf32>, i32) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%m) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    %next = arith.addi %m, %m : i32
    scf.yield %a, %next : tensor<32x32xf32>, i32
  }
  return %sum#0 : tensor<32x32xf32>
}

// -----

// A body that is too long to be there twice.
func.func @long(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: its body is too long to be there twice}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %l0 = arith.addi %n, %end : i32
    %l1 = arith.addi %l0, %end : i32
    %l2 = arith.addi %l1, %end : i32
    %l3 = arith.addi %l2, %end : i32
    %l4 = arith.addi %l3, %end : i32
    %l5 = arith.addi %l4, %end : i32
    %l6 = arith.addi %l5, %end : i32
    %l7 = arith.addi %l6, %end : i32
    %l8 = arith.addi %l7, %end : i32
    %l9 = arith.addi %l8, %end : i32
    %l10 = arith.addi %l9, %end : i32
    %l11 = arith.addi %l10, %end : i32
    %l12 = arith.addi %l11, %end : i32
    %l13 = arith.addi %l12, %end : i32
    %l14 = arith.addi %l13, %end : i32
    %l15 = arith.addi %l14, %end : i32
    %l16 = arith.addi %l15, %end : i32
    %l17 = arith.addi %l16, %end : i32
    %l18 = arith.addi %l17, %end : i32
    %l19 = arith.addi %l18, %end : i32
    %l20 = arith.addi %l19, %end : i32
    %l21 = arith.addi %l20, %end : i32
    %l22 = arith.addi %l21, %end : i32
    %l23 = arith.addi %l22, %end : i32
    %l24 = arith.addi %l23, %end : i32
    %l25 = arith.addi %l24, %end : i32
    %l26 = arith.addi %l25, %end : i32
    %l27 = arith.addi %l26, %end : i32
    %l28 = arith.addi %l27, %end : i32
    %l29 = arith.addi %l28, %end : i32
    %l30 = arith.addi %l29, %end : i32
    %l31 = arith.addi %l30, %end : i32
    %l32 = arith.addi %l31, %end : i32
    %l33 = arith.addi %l32, %end : i32
    %l34 = arith.addi %l33, %end : i32
    %l35 = arith.addi %l34, %end : i32
    %l36 = arith.addi %l35, %end : i32
    %l37 = arith.addi %l36, %end : i32
    %l38 = arith.addi %l37, %end : i32
    %l39 = arith.addi %l38, %end : i32
    %l40 = arith.addi %l39, %end : i32
    %l41 = arith.addi %l40, %end : i32
    %l42 = arith.addi %l41, %end : i32
    %l43 = arith.addi %l42, %end : i32
    %l44 = arith.addi %l43, %end : i32
    %l45 = arith.addi %l44, %end : i32
    %l46 = arith.addi %l45, %end : i32
    %l47 = arith.addi %l46, %end : i32
    %l48 = arith.addi %l47, %end : i32
    %l49 = arith.addi %l48, %end : i32
    %l50 = arith.addi %l49, %end : i32
    %l51 = arith.addi %l50, %end : i32
    %l52 = arith.addi %l51, %end : i32
    %l53 = arith.addi %l52, %end : i32
    %l54 = arith.addi %l53, %end : i32
    %l55 = arith.addi %l54, %end : i32
    %l56 = arith.addi %l55, %end : i32
    %l57 = arith.addi %l56, %end : i32
    %l58 = arith.addi %l57, %end : i32
    %l59 = arith.addi %l58, %end : i32
    %l60 = arith.addi %l59, %end : i32
    %l61 = arith.addi %l60, %end : i32
    %l62 = arith.addi %l61, %end : i32
    %l63 = arith.addi %l62, %end : i32
    %l64 = arith.addi %l63, %end : i32
    %l65 = arith.addi %l64, %end : i32
    %l66 = arith.addi %l65, %end : i32
    %l67 = arith.addi %l66, %end : i32
    %l68 = arith.addi %l67, %end : i32
    %l69 = arith.addi %l68, %end : i32
    %l70 = arith.addi %l69, %end : i32
    %l71 = arith.addi %l70, %end : i32
    %l72 = arith.addi %l71, %end : i32
    %l73 = arith.addi %l72, %end : i32
    %l74 = arith.addi %l73, %end : i32
    %l75 = arith.addi %l74, %end : i32
    %l76 = arith.addi %l75, %end : i32
    %l77 = arith.addi %l76, %end : i32
    %l78 = arith.addi %l77, %end : i32
    %l79 = arith.addi %l78, %end : i32
    %l80 = arith.addi %l79, %end : i32
    %l81 = arith.addi %l80, %end : i32
    %l82 = arith.addi %l81, %end : i32
    %l83 = arith.addi %l82, %end : i32
    %l84 = arith.addi %l83, %end : i32
    %l85 = arith.addi %l84, %end : i32
    %l86 = arith.addi %l85, %end : i32
    %l87 = arith.addi %l86, %end : i32
    %l88 = arith.addi %l87, %end : i32
    %l89 = arith.addi %l88, %end : i32
    %l90 = arith.addi %l89, %end : i32
    %l91 = arith.addi %l90, %end : i32
    %l92 = arith.addi %l91, %end : i32
    %l93 = arith.addi %l92, %end : i32
    %l94 = arith.addi %l93, %end : i32
    %l95 = arith.addi %l94, %end : i32
    %l96 = arith.addi %l95, %end : i32
    %l97 = arith.addi %l96, %end : i32
    %l98 = arith.addi %l97, %end : i32
    %l99 = arith.addi %l98, %end : i32
    %l100 = arith.addi %l99, %end : i32
    %l101 = arith.addi %l100, %end : i32
    %l102 = arith.addi %l101, %end : i32
    %l103 = arith.addi %l102, %end : i32
    %l104 = arith.addi %l103, %end : i32
    %l105 = arith.addi %l104, %end : i32
    %l106 = arith.addi %l105, %end : i32
    %l107 = arith.addi %l106, %end : i32
    %l108 = arith.addi %l107, %end : i32
    %l109 = arith.addi %l108, %end : i32
    %l110 = arith.addi %l109, %end : i32
    %l111 = arith.addi %l110, %end : i32
    %l112 = arith.addi %l111, %end : i32
    %l113 = arith.addi %l112, %end : i32
    %l114 = arith.addi %l113, %end : i32
    %l115 = arith.addi %l114, %end : i32
    %l116 = arith.addi %l115, %end : i32
    %l117 = arith.addi %l116, %end : i32
    %l118 = arith.addi %l117, %end : i32
    %l119 = arith.addi %l118, %end : i32
    %l120 = arith.addi %l119, %end : i32
    %l121 = arith.addi %l120, %end : i32
    %l122 = arith.addi %l121, %end : i32
    %l123 = arith.addi %l122, %end : i32
    %l124 = arith.addi %l123, %end : i32
    %l125 = arith.addi %l124, %end : i32
    %l126 = arith.addi %l125, %end : i32
    %l127 = arith.addi %l126, %end : i32
    %l128 = arith.addi %l127, %end : i32
    %l129 = arith.addi %l128, %end : i32
    %l130 = arith.addi %l129, %end : i32
    %l131 = arith.addi %l130, %end : i32
    %l132 = arith.addi %l131, %end : i32
    %l133 = arith.addi %l132, %end : i32
    %l134 = arith.addi %l133, %end : i32
    %l135 = arith.addi %l134, %end : i32
    %l136 = arith.addi %l135, %end : i32
    %l137 = arith.addi %l136, %end : i32
    %l138 = arith.addi %l137, %end : i32
    %l139 = arith.addi %l138, %end : i32
    %l140 = arith.addi %l139, %end : i32
    %l141 = arith.addi %l140, %end : i32
    %l142 = arith.addi %l141, %end : i32
    %l143 = arith.addi %l142, %end : i32
    %l144 = arith.addi %l143, %end : i32
    %l145 = arith.addi %l144, %end : i32
    %l146 = arith.addi %l145, %end : i32
    %l147 = arith.addi %l146, %end : i32
    %l148 = arith.addi %l147, %end : i32
    %l149 = arith.addi %l148, %end : i32
    %l150 = arith.addi %l149, %end : i32
    %l151 = arith.addi %l150, %end : i32
    %l152 = arith.addi %l151, %end : i32
    %l153 = arith.addi %l152, %end : i32
    %l154 = arith.addi %l153, %end : i32
    %l155 = arith.addi %l154, %end : i32
    %l156 = arith.addi %l155, %end : i32
    %l157 = arith.addi %l156, %end : i32
    %l158 = arith.addi %l157, %end : i32
    %l159 = arith.addi %l158, %end : i32
    %l160 = arith.addi %l159, %end : i32
    %l161 = arith.addi %l160, %end : i32
    %l162 = arith.addi %l161, %end : i32
    %l163 = arith.addi %l162, %end : i32
    %l164 = arith.addi %l163, %end : i32
    %l165 = arith.addi %l164, %end : i32
    %l166 = arith.addi %l165, %end : i32
    %l167 = arith.addi %l166, %end : i32
    %l168 = arith.addi %l167, %end : i32
    %l169 = arith.addi %l168, %end : i32
    %l170 = arith.addi %l169, %end : i32
    %l171 = arith.addi %l170, %end : i32
    %l172 = arith.addi %l171, %end : i32
    %l173 = arith.addi %l172, %end : i32
    %l174 = arith.addi %l173, %end : i32
    %l175 = arith.addi %l174, %end : i32
    %l176 = arith.addi %l175, %end : i32
    %l177 = arith.addi %l176, %end : i32
    %l178 = arith.addi %l177, %end : i32
    %l179 = arith.addi %l178, %end : i32
    %l180 = arith.addi %l179, %end : i32
    %l181 = arith.addi %l180, %end : i32
    %l182 = arith.addi %l181, %end : i32
    %l183 = arith.addi %l182, %end : i32
    %l184 = arith.addi %l183, %end : i32
    %l185 = arith.addi %l184, %end : i32
    %l186 = arith.addi %l185, %end : i32
    %l187 = arith.addi %l186, %end : i32
    %l188 = arith.addi %l187, %end : i32
    %l189 = arith.addi %l188, %end : i32
    %l190 = arith.addi %l189, %end : i32
    %l191 = arith.addi %l190, %end : i32
    %l192 = arith.addi %l191, %end : i32
    %l193 = arith.addi %l192, %end : i32
    %l194 = arith.addi %l193, %end : i32
    %l195 = arith.addi %l194, %end : i32
    %l196 = arith.addi %l195, %end : i32
    %l197 = arith.addi %l196, %end : i32
    %l198 = arith.addi %l197, %end : i32
    %l199 = arith.addi %l198, %end : i32
    %l200 = arith.addi %l199, %end : i32
    %l201 = arith.addi %l200, %end : i32
    %l202 = arith.addi %l201, %end : i32
    %l203 = arith.addi %l202, %end : i32
    %l204 = arith.addi %l203, %end : i32
    %l205 = arith.addi %l204, %end : i32
    %l206 = arith.addi %l205, %end : i32
    %l207 = arith.addi %l206, %end : i32
    %l208 = arith.addi %l207, %end : i32
    %l209 = arith.addi %l208, %end : i32
    %l210 = arith.addi %l209, %end : i32
    %l211 = arith.addi %l210, %end : i32
    %l212 = arith.addi %l211, %end : i32
    %l213 = arith.addi %l212, %end : i32
    %l214 = arith.addi %l213, %end : i32
    %l215 = arith.addi %l214, %end : i32
    %l216 = arith.addi %l215, %end : i32
    %l217 = arith.addi %l216, %end : i32
    %l218 = arith.addi %l217, %end : i32
    %l219 = arith.addi %l218, %end : i32
    %l220 = arith.addi %l219, %end : i32
    %l221 = arith.addi %l220, %end : i32
    %l222 = arith.addi %l221, %end : i32
    %l223 = arith.addi %l222, %end : i32
    %l224 = arith.addi %l223, %end : i32
    %l225 = arith.addi %l224, %end : i32
    %l226 = arith.addi %l225, %end : i32
    %l227 = arith.addi %l226, %end : i32
    %l228 = arith.addi %l227, %end : i32
    %l229 = arith.addi %l228, %end : i32
    %l230 = arith.addi %l229, %end : i32
    %l231 = arith.addi %l230, %end : i32
    %l232 = arith.addi %l231, %end : i32
    %l233 = arith.addi %l232, %end : i32
    %l234 = arith.addi %l233, %end : i32
    %l235 = arith.addi %l234, %end : i32
    %l236 = arith.addi %l235, %end : i32
    %l237 = arith.addi %l236, %end : i32
    %l238 = arith.addi %l237, %end : i32
    %l239 = arith.addi %l238, %end : i32
    %l240 = arith.addi %l239, %end : i32
    %l241 = arith.addi %l240, %end : i32
    %l242 = arith.addi %l241, %end : i32
    %l243 = arith.addi %l242, %end : i32
    %l244 = arith.addi %l243, %end : i32
    %l245 = arith.addi %l244, %end : i32
    %l246 = arith.addi %l245, %end : i32
    %l247 = arith.addi %l246, %end : i32
    %l248 = arith.addi %l247, %end : i32
    %l249 = arith.addi %l248, %end : i32
    %l250 = arith.addi %l249, %end : i32
    %l251 = arith.addi %l250, %end : i32
    %l252 = arith.addi %l251, %end : i32
    %l253 = arith.addi %l252, %end : i32
    %l254 = arith.addi %l253, %end : i32
    %l255 = arith.addi %l254, %end : i32
    %l256 = arith.addi %l255, %end : i32
    %l257 = arith.addi %l256, %end : i32
    %l258 = arith.addi %l257, %end : i32
    %l259 = arith.addi %l258, %end : i32
    %l260 = arith.addi %l259, %end : i32
    %l261 = arith.addi %l260, %end : i32
    %l262 = arith.addi %l261, %end : i32
    %l263 = arith.addi %l262, %end : i32
    %l264 = arith.addi %l263, %end : i32
    %l265 = arith.addi %l264, %end : i32
    %l266 = arith.addi %l265, %end : i32
    %l267 = arith.addi %l266, %end : i32
    %l268 = arith.addi %l267, %end : i32
    %l269 = arith.addi %l268, %end : i32
    %l270 = arith.addi %l269, %end : i32
    %l271 = arith.addi %l270, %end : i32
    %l272 = arith.addi %l271, %end : i32
    %l273 = arith.addi %l272, %end : i32
    %l274 = arith.addi %l273, %end : i32
    %l275 = arith.addi %l274, %end : i32
    %l276 = arith.addi %l275, %end : i32
    %l277 = arith.addi %l276, %end : i32
    %l278 = arith.addi %l277, %end : i32
    %l279 = arith.addi %l278, %end : i32
    %l280 = arith.addi %l279, %end : i32
    %l281 = arith.addi %l280, %end : i32
    %l282 = arith.addi %l281, %end : i32
    %l283 = arith.addi %l282, %end : i32
    %l284 = arith.addi %l283, %end : i32
    %l285 = arith.addi %l284, %end : i32
    %l286 = arith.addi %l285, %end : i32
    %l287 = arith.addi %l286, %end : i32
    %l288 = arith.addi %l287, %end : i32
    %l289 = arith.addi %l288, %end : i32
    %l290 = arith.addi %l289, %end : i32
    %l291 = arith.addi %l290, %end : i32
    %l292 = arith.addi %l291, %end : i32
    %l293 = arith.addi %l292, %end : i32
    %l294 = arith.addi %l293, %end : i32
    %l295 = arith.addi %l294, %end : i32
    %l296 = arith.addi %l295, %end : i32
    %l297 = arith.addi %l296, %end : i32
    %l298 = arith.addi %l297, %end : i32
    %l299 = arith.addi %l298, %end : i32
    %l300 = arith.addi %l299, %end : i32
    %l301 = arith.addi %l300, %end : i32
    %l302 = arith.addi %l301, %end : i32
    %l303 = arith.addi %l302, %end : i32
    %l304 = arith.addi %l303, %end : i32
    %l305 = arith.addi %l304, %end : i32
    %l306 = arith.addi %l305, %end : i32
    %l307 = arith.addi %l306, %end : i32
    %l308 = arith.addi %l307, %end : i32
    %l309 = arith.addi %l308, %end : i32
    %l310 = arith.addi %l309, %end : i32
    %l311 = arith.addi %l310, %end : i32
    %l312 = arith.addi %l311, %end : i32
    %l313 = arith.addi %l312, %end : i32
    %l314 = arith.addi %l313, %end : i32
    %l315 = arith.addi %l314, %end : i32
    %l316 = arith.addi %l315, %end : i32
    %l317 = arith.addi %l316, %end : i32
    %l318 = arith.addi %l317, %end : i32
    %l319 = arith.addi %l318, %end : i32
    %l320 = arith.addi %l319, %end : i32
    %l321 = arith.addi %l320, %end : i32
    %l322 = arith.addi %l321, %end : i32
    %l323 = arith.addi %l322, %end : i32
    %l324 = arith.addi %l323, %end : i32
    %l325 = arith.addi %l324, %end : i32
    %l326 = arith.addi %l325, %end : i32
    %l327 = arith.addi %l326, %end : i32
    %l328 = arith.addi %l327, %end : i32
    %l329 = arith.addi %l328, %end : i32
    %l330 = arith.addi %l329, %end : i32
    %l331 = arith.addi %l330, %end : i32
    %l332 = arith.addi %l331, %end : i32
    %l333 = arith.addi %l332, %end : i32
    %l334 = arith.addi %l333, %end : i32
    %l335 = arith.addi %l334, %end : i32
    %l336 = arith.addi %l335, %end : i32
    %l337 = arith.addi %l336, %end : i32
    %l338 = arith.addi %l337, %end : i32
    %l339 = arith.addi %l338, %end : i32
    %l340 = arith.addi %l339, %end : i32
    %l341 = arith.addi %l340, %end : i32
    %l342 = arith.addi %l341, %end : i32
    %l343 = arith.addi %l342, %end : i32
    %l344 = arith.addi %l343, %end : i32
    %l345 = arith.addi %l344, %end : i32
    %l346 = arith.addi %l345, %end : i32
    %l347 = arith.addi %l346, %end : i32
    %l348 = arith.addi %l347, %end : i32
    %l349 = arith.addi %l348, %end : i32
    %l350 = arith.addi %l349, %end : i32
    %l351 = arith.addi %l350, %end : i32
    %l352 = arith.addi %l351, %end : i32
    %l353 = arith.addi %l352, %end : i32
    %l354 = arith.addi %l353, %end : i32
    %l355 = arith.addi %l354, %end : i32
    %l356 = arith.addi %l355, %end : i32
    %l357 = arith.addi %l356, %end : i32
    %l358 = arith.addi %l357, %end : i32
    %l359 = arith.addi %l358, %end : i32
    %l360 = arith.addi %l359, %end : i32
    %l361 = arith.addi %l360, %end : i32
    %l362 = arith.addi %l361, %end : i32
    %l363 = arith.addi %l362, %end : i32
    %l364 = arith.addi %l363, %end : i32
    %l365 = arith.addi %l364, %end : i32
    %l366 = arith.addi %l365, %end : i32
    %l367 = arith.addi %l366, %end : i32
    %l368 = arith.addi %l367, %end : i32
    %l369 = arith.addi %l368, %end : i32
    %l370 = arith.addi %l369, %end : i32
    %l371 = arith.addi %l370, %end : i32
    %l372 = arith.addi %l371, %end : i32
    %l373 = arith.addi %l372, %end : i32
    %l374 = arith.addi %l373, %end : i32
    %l375 = arith.addi %l374, %end : i32
    %l376 = arith.addi %l375, %end : i32
    %l377 = arith.addi %l376, %end : i32
    %l378 = arith.addi %l377, %end : i32
    %l379 = arith.addi %l378, %end : i32
    %l380 = arith.addi %l379, %end : i32
    %l381 = arith.addi %l380, %end : i32
    %l382 = arith.addi %l381, %end : i32
    %l383 = arith.addi %l382, %end : i32
    %l384 = arith.addi %l383, %end : i32
    %l385 = arith.addi %l384, %end : i32
    %l386 = arith.addi %l385, %end : i32
    %l387 = arith.addi %l386, %end : i32
    %l388 = arith.addi %l387, %end : i32
    %l389 = arith.addi %l388, %end : i32
    %l390 = arith.addi %l389, %end : i32
    %l391 = arith.addi %l390, %end : i32
    %l392 = arith.addi %l391, %end : i32
    %l393 = arith.addi %l392, %end : i32
    %l394 = arith.addi %l393, %end : i32
    %l395 = arith.addi %l394, %end : i32
    %l396 = arith.addi %l395, %end : i32
    %l397 = arith.addi %l396, %end : i32
    %l398 = arith.addi %l397, %end : i32
    %l399 = arith.addi %l398, %end : i32
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// -----

// On sm_80 the operands of dots are held in registers.
module attributes {tile_gpu.target = "sm_80"} {
func.func @sm_80(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %16 = arith.constant 16 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %columns = "tile.expand_dims"(%own) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %lines = "tile.expand_dims"(%own) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %starts = "tile.splat"(%first) : (i32) -> tensor<32x1xi32>
  %row = arith.addi %starts, %lines : tensor<32x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{the loop stays whole: the target's dots hold their operands in registers, which are scarce in two pieces}}
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  } {tile.num_stages = 3 : i32}
  return %sum : tensor<32x32xf32>
}
}
