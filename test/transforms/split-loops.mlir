// What tile-split-loops makes of loops with masks; test/kernels/masks.c looks at what they compute.
// RUN: tile-opt --tile-split-loops --tile-cleanup %s | FileCheck %s
// RUN: tile-opt --tile-split-loops=everywhere=true --tile-cleanup %s | FileCheck %s
// RUN: tile-opt --tile-split-loops=masks=true --tile-cleanup %s | FileCheck %s --check-prefix=MASKS

// A causal mask is true for all elements up to the iteration in which the last column is the first row: while 32 k + 31 <= first. That is
// so for (first + 1) / 32 iterations, if no number of the kernel's wraps, here or there: first + 31 of the rows, and the columns' and the
// count's of the last iteration. What the loop says of itself stands on both pieces.
// CHECK-LABEL: func.func @below(
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: i32, %[[END:[a-z0-9]+]]: i32)
// CHECK: %[[COUNT:.*]] = arith.divui %{{.*}}, %c32_i64 : i64
// CHECK: %[[LAST:.*]] = arith.addi %[[COUNT]], %c-1_i64 : i64
// CHECK: %[[CASE1:.*]] = arith.cmpi sle, %{{.*}}, %c2147483647_i64 : i64
// CHECK: %[[WIDE:.*]] = arith.extsi %[[FIRST]] : i32 to i64
// CHECK: %[[ROW:.*]] = arith.addi %[[WIDE]], %c31_i64 : i64
// CHECK: %[[CASE2:.*]] = arith.cmpi sle, %[[ROW]], %c2147483647_i64 : i64
// CHECK: %[[CASES:.*]] = arith.andi %[[CASE1]], %[[CASE2]] : i1
// CHECK: %[[AT:.*]] = arith.muli %[[LAST]], %c32_i64 : i64
// CHECK: %[[COLUMN:.*]] = arith.addi %[[AT]], %c31_i64 : i64
// CHECK: %[[CASE3:.*]] = arith.cmpi sle, %[[COLUMN]], %c2147483647_i64 : i64
// CHECK: %[[ALL:.*]] = arith.andi %[[CASES]], %[[CASE3]] : i1
// CHECK: %[[REST:.*]] = arith.addi %[[WIDE]], %c1_i64 : i64
// CHECK: %[[POSITIVE:.*]] = arith.maxsi %[[REST]], %c0_i64 : i64
// CHECK: %[[UNTIL:.*]] = arith.divui %[[POSITIVE]], %c32_i64 : i64
// CHECK: %[[LEAST:.*]] = arith.minsi %[[UNTIL]], %[[COUNT]] : i64
// CHECK: %[[TRUE:.*]] = arith.select %[[ALL]], %[[LEAST]], %c0_i64 : i64
// CHECK: arith.trunci
// CHECK: %[[SPLIT:.*]] = arith.maxsi
// CHECK: %[[D:.*]] = "tile.dot"
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %{{.*}} to %[[SPLIT]] step
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.select
// CHECK: arith.addf %{{.*}}, %[[D]]
// CHECK: tile.num_stages = 3
// CHECK: scf.for %{{.*}} = %[[SPLIT]] to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[SUM]])
// CHECK: arith.cmpi sge
// CHECK: arith.select
// CHECK: tile.num_stages = 3
func.func @below(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
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

// From an iteration on: the piece with the mask comes first. Where a number could wrap, it is the whole loop, and the other one is empty.
// CHECK-LABEL: func.func @above(
// CHECK-SAME: %{{[a-z0-9]+}}: i32, %[[END:[a-z0-9]+]]: i32)
// CHECK: %[[SPLIT:.*]] = arith.maxsi %{{.*}} : i32
// CHECK: %[[FIRST:.*]] = arith.select %{{.*}}, %[[SPLIT]], %[[END]] : i32
// CHECK: scf.for %{{.*}} to %[[FIRST]] step
// CHECK: arith.cmpi sle
// CHECK: %[[SECOND:.*]] = arith.select %{{.*}}, %[[END]], %[[SPLIT]] : i32
// CHECK: scf.for %{{.*}} = %[[SPLIT]] to %[[SECOND]] step
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @above(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32) -> tensor<32x32xf32> {
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
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sle, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// A window has two ends: three pieces, with masks, without, with masks.
// CHECK-LABEL: func.func @between(
// CHECK: scf.for
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi slt
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: scf.for
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi slt
// CHECK-NOT: scf.for
func.func @between(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %window: i32) -> tensor<32x32xf32> {
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
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %far = "tile.splat"(%window) : (i32) -> tensor<32x32xi32>
    %last = arith.addi %cols, %far : tensor<32x32xi32>
    %low = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %high = arith.cmpi slt, %rows, %last : tensor<32x32xi32>
    %seen = arith.andi %low, %high : tensor<32x32xi1>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// The mask of a load goes with the other one: the piece ends where the first of them does.
// CHECK-LABEL: func.func @masks(
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: "tile.load"(%{{[a-z0-9]+}}) {
// CHECK: scf.for
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi slt
// CHECK: "tile.load"(%{{[a-z0-9]+}}, %
func.func @masks(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %p: tensor<32x32x!tile.ptr<f32>>) -> tensor<32x32xf32> {
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
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %seen = arith.cmpi sge, %rows, %cols : tensor<32x32xi32>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %limits = "tile.splat"(%end) : (i32) -> tensor<1x32xi32>
    %in = arith.cmpi slt, %col, %limits : tensor<1x32xi32>
    %inside = "tile.broadcast"(%in) : (tensor<1x32xi1>) -> tensor<32x32xi1>
    %v = "tile.load"(%p, %inside, %zero) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi1>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %t = arith.addf %v, %s : tensor<32x32xf32>
    %a = arith.addf %acc, %t : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// Numbers of 64 bits could be too large for the bounds: they are looked at.
// CHECK-LABEL: func.func @wide(
// CHECK: arith.cmpi sge, %arg4
// CHECK: arith.cmpi sle, %arg4
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: scf.for
// CHECK: arith.cmpi slt
func.func @wide(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %limit: i64) -> tensor<32x32xf32> {
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
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %at = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %col = arith.addi %at, %columns : tensor<1x32xi32>
    %cols = "tile.broadcast"(%col) : (tensor<1x32xi32>) -> tensor<32x32xi32>
    %wide = arith.extsi %cols : tensor<32x32xi32> to tensor<32x32xi64>
    %limits = "tile.splat"(%limit) : (i64) -> tensor<32x32xi64>
    %seen = arith.cmpi slt, %wide, %limits : tensor<32x32xi64>
    %s = arith.select %seen, %d, %zero : tensor<32x32xi1>, tensor<32x32xf32>
    %a = arith.addf %acc, %s : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}

// A mask of a load alone costs next to nothing: the loop is split for it only where that is asked for.
// CHECK-LABEL: func.func @load(
// CHECK: scf.for
// CHECK-NOT: scf.for
// MASKS-LABEL: func.func @load(
// MASKS: scf.for
// MASKS: "tile.load"(%{{[a-z0-9]+}}) {
// MASKS: scf.for
// MASKS: "tile.load"(%{{[a-z0-9]+}}, %
func.func @load(%x: tensor<32x16xf16>, %y: tensor<16x32xf16>, %first: i32, %end: i32, %p: tensor<32x32x!tile.ptr<f32>>) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %32 = arith.constant 32 : i32
  %own = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %sum = scf.for %n = %0 to %end step %32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) : i32 {
    %left = arith.subi %first, %n : i32
    %limits = "tile.splat"(%left) : (i32) -> tensor<32xi32>
    %in = arith.cmpi slt, %own, %limits : tensor<32xi32>
    %row = "tile.expand_dims"(%in) {axis = 0 : i32} : (tensor<32xi1>) -> tensor<1x32xi1>
    %inside = "tile.broadcast"(%row) : (tensor<1x32xi1>) -> tensor<32x32xi1>
    %v = "tile.load"(%p, %inside, %zero) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi1>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %d = "tile.dot"(%x, %y, %v) {precision = "tf32"} : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %a = arith.addf %acc, %d : tensor<32x32xf32>
    scf.yield %a : tensor<32x32xf32>
  }
  return %sum : tensor<32x32xf32>
}
