// RUN: tile-opt --tile-coarsen-k --tile-cleanup --canonicalize --cse %s | FileCheck %s
// RUN: sed -e '1i module attributes {tile.low_occupancy} {' -e '$a }' %s | tile-opt --tile-coarsen-k | FileCheck %s --check-prefix=VERSIONS

// Two steps of 32 become one of 64: pointers reach over both and advance twice as far. Of an odd number of steps the last one is half:
// each part of a load is masked off where its iteration is after the end, and zero there. Three stages take the place of four.
// CHECK-LABEL: func.func private @two(
// CHECK-SAME: %[[N:[^ ]*]]: i32)
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
// CHECK-DAG: %[[FAR:.*]] = arith.constant dense<64> : tensor<64x64xi32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: %[[K:.*]] = "tile.range"() {end = 64 : i32, start = 0 : i32}
// CHECK: %[[IN:.*]] = arith.andi %[[K]], %{{.*}} : tensor<64xi32>
// CHECK: %[[PART:.*]] = arith.shrui %[[K]], %{{.*}} : tensor<64xi32>
// CHECK: %[[MULTIPLES:.*]] = arith.muli %[[PART]], %{{.*}} : tensor<64xi32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %[[TWO]] iter_args(%[[C:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}})
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[I]] : i32
// CHECK: %[[LEFTS:.*]] = "tile.splat"(%[[LEFT]]) : (i32) -> tensor<64xi32>
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[PART]], %[[LEFTS]] : tensor<64xi32>
// CHECK: %[[ROW:.*]] = "tile.expand_dims"(%[[IS]]) {axis = 0 : i32}
// CHECK: %[[M:.*]] = "tile.broadcast"(%[[ROW]]) : (tensor<1x64xi1>) -> tensor<64x64xi1>
// CHECK: %[[X:.*]] = "tile.load"(%[[P]], %[[M]], %[[ZEROS]])
// CHECK: %[[COLUMN:.*]] = "tile.expand_dims"(%[[IS]]) {axis = 1 : i32}
// CHECK: %[[L:.*]] = "tile.broadcast"(%[[COLUMN]]) : (tensor<64x1xi1>) -> tensor<64x64xi1>
// CHECK: %[[Y:.*]] = "tile.load"(%[[Q]], %[[L]], %[[ZEROS]])
// CHECK: %[[D:.*]] = "tile.dot"(%[[X]], %[[Y]], %[[C]])
// CHECK: %[[NEXT:.*]] = "tile.addptr"(%[[P]], %[[FAR]])
// CHECK: scf.yield %[[D]], %[[NEXT]],
// CHECK: tile.num_stages = 3
func.func private @two(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Rows of 16 numbers are a quarter of a line.
// CHECK-LABEL: func.func private @four(
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK: scf.for {{.*}} step %[[FOUR]]
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>)
func.func private @four(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<16> : tensor<64x16xi32>
  %down = arith.constant dense<16> : tensor<16x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x16xi32>) -> tensor<64x16xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<16x1xi32>) -> tensor<16x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x16x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<16x64x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>) -> tensor<64x16x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x16x!tile.ptr<f16>>, tensor<16x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x16x!tile.ptr<f16>>) -> tensor<64x16xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x64x!tile.ptr<f16>>) -> tensor<16x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x16xf16>, tensor<16x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>) -> tensor<64x16x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x16x!tile.ptr<f16>>, tensor<16x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Masks that are false after the loop's end, of what is left of n, do for the parts that there are not: no more masks. Zeros, as in
// a product nothing may be undefined.
// CHECK-LABEL: func.func private @ends(
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
// CHECK: scf.for
// CHECK-NEXT: arith.muli
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi
// CHECK-NEXT: %[[LEFTS:.*]] = "tile.splat"(%[[LEFT]]) : (i32) -> tensor<1x64xi32>
// CHECK-NEXT: %[[LESS:.*]] = arith.addi %[[LEFTS]], %{{.*}} : tensor<1x64xi32>
// CHECK-NEXT: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %[[LESS]] : tensor<1x64xi32>
// CHECK-NEXT: %[[M:.*]] = "tile.broadcast"(%[[IN]])
// CHECK-NEXT: "tile.load"(%{{.*}}, %[[M]], %[[ZEROS]])
// CHECK-NOT: arith.andi
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>,
func.func private @ends(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %size = arith.constant 32 : i32
  %less = arith.constant 31 : i32
  %above = arith.addi %n, %less : i32
  %end = arith.divsi %above, %size : i32
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %end step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %t = arith.muli %i, %size : i32
    %left = arith.subi %n, %t : i32
    %ls = "tile.splat"(%left) : (i32) -> tensor<1x32xi32>
    %lr = arith.cmpi slt, %row, %ls : tensor<1x32xi32>
    %m = "tile.broadcast"(%lr) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %us = "tile.splat"(%left) : (i32) -> tensor<32x1xi32>
    %ur = arith.cmpi slt, %column, %us : tensor<32x1xi32>
    %o = "tile.broadcast"(%ur) : (tensor<32x1xi1>) -> tensor<32x64xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q, %o) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi1>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Not where the masks are of another end: a mask of the parts is added.
// CHECK-LABEL: func.func private @counted(
// CHECK: scf.for
// CHECK-COUNT-2: arith.andi {{.*}} : tensor<64x64xi1>
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>,
func.func private @counted(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %size = arith.constant 32 : i32
  %less = arith.constant 0 : i32
  %above = arith.addi %n, %less : i32
  %end = arith.divsi %above, %size : i32
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %end step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %t = arith.muli %i, %size : i32
    %left = arith.subi %n, %t : i32
    %ls = "tile.splat"(%left) : (i32) -> tensor<1x32xi32>
    %lr = arith.cmpi slt, %row, %ls : tensor<1x32xi32>
    %m = "tile.broadcast"(%lr) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %us = "tile.splat"(%left) : (i32) -> tensor<32x1xi32>
    %ur = arith.cmpi slt, %column, %us : tensor<32x1xi32>
    %o = "tile.broadcast"(%ur) : (tensor<32x1xi1>) -> tensor<32x64xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q, %o) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi1>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Nor where they are of another number.
// CHECK-LABEL: func.func private @other_number(
// CHECK: scf.for
// CHECK-COUNT-2: arith.andi {{.*}} : tensor<64x64xi1>
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>,
func.func private @other_number(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %other: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %size = arith.constant 32 : i32
  %less = arith.constant 31 : i32
  %above = arith.addi %n, %less : i32
  %end = arith.divsi %above, %size : i32
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %end step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %t = arith.muli %i, %size : i32
    %left = arith.subi %other, %t : i32
    %ls = "tile.splat"(%left) : (i32) -> tensor<1x32xi32>
    %lr = arith.cmpi slt, %row, %ls : tensor<1x32xi32>
    %m = "tile.broadcast"(%lr) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %us = "tile.splat"(%left) : (i32) -> tensor<32x1xi32>
    %ur = arith.cmpi slt, %column, %us : tensor<32x1xi32>
    %o = "tile.broadcast"(%ur) : (tensor<32x1xi1>) -> tensor<32x64xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q, %o) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi1>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Counts of i64, from another number than 0, by another step than 1.
// CHECK-LABEL: func.func private @wide(
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i64
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: scf.for %{{.*}} = %[[TWO]] to %{{.*}} step %[[SIX]]
// CHECK: arith.cmpi slt, {{.*}} : tensor<64xi64>
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>,
func.func private @wide(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %m: i64) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %two to %m step %three iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i64 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// What many others use is asked about once: this chain has 2^60 ways to its end.
// CHECK-LABEL: func.func private @deep(
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>,
func.func private @deep(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %w0 = "tile.splat"(%i) : (i32) -> tensor<1x32xi32>
    %w1 = arith.xori %w0, %w0 : tensor<1x32xi32>
    %w2 = arith.xori %w1, %w1 : tensor<1x32xi32>
    %w3 = arith.xori %w2, %w2 : tensor<1x32xi32>
    %w4 = arith.xori %w3, %w3 : tensor<1x32xi32>
    %w5 = arith.xori %w4, %w4 : tensor<1x32xi32>
    %w6 = arith.xori %w5, %w5 : tensor<1x32xi32>
    %w7 = arith.xori %w6, %w6 : tensor<1x32xi32>
    %w8 = arith.xori %w7, %w7 : tensor<1x32xi32>
    %w9 = arith.xori %w8, %w8 : tensor<1x32xi32>
    %w10 = arith.xori %w9, %w9 : tensor<1x32xi32>
    %w11 = arith.xori %w10, %w10 : tensor<1x32xi32>
    %w12 = arith.xori %w11, %w11 : tensor<1x32xi32>
    %w13 = arith.xori %w12, %w12 : tensor<1x32xi32>
    %w14 = arith.xori %w13, %w13 : tensor<1x32xi32>
    %w15 = arith.xori %w14, %w14 : tensor<1x32xi32>
    %w16 = arith.xori %w15, %w15 : tensor<1x32xi32>
    %w17 = arith.xori %w16, %w16 : tensor<1x32xi32>
    %w18 = arith.xori %w17, %w17 : tensor<1x32xi32>
    %w19 = arith.xori %w18, %w18 : tensor<1x32xi32>
    %w20 = arith.xori %w19, %w19 : tensor<1x32xi32>
    %w21 = arith.xori %w20, %w20 : tensor<1x32xi32>
    %w22 = arith.xori %w21, %w21 : tensor<1x32xi32>
    %w23 = arith.xori %w22, %w22 : tensor<1x32xi32>
    %w24 = arith.xori %w23, %w23 : tensor<1x32xi32>
    %w25 = arith.xori %w24, %w24 : tensor<1x32xi32>
    %w26 = arith.xori %w25, %w25 : tensor<1x32xi32>
    %w27 = arith.xori %w26, %w26 : tensor<1x32xi32>
    %w28 = arith.xori %w27, %w27 : tensor<1x32xi32>
    %w29 = arith.xori %w28, %w28 : tensor<1x32xi32>
    %w30 = arith.xori %w29, %w29 : tensor<1x32xi32>
    %w31 = arith.xori %w30, %w30 : tensor<1x32xi32>
    %w32 = arith.xori %w31, %w31 : tensor<1x32xi32>
    %w33 = arith.xori %w32, %w32 : tensor<1x32xi32>
    %w34 = arith.xori %w33, %w33 : tensor<1x32xi32>
    %w35 = arith.xori %w34, %w34 : tensor<1x32xi32>
    %w36 = arith.xori %w35, %w35 : tensor<1x32xi32>
    %w37 = arith.xori %w36, %w36 : tensor<1x32xi32>
    %w38 = arith.xori %w37, %w37 : tensor<1x32xi32>
    %w39 = arith.xori %w38, %w38 : tensor<1x32xi32>
    %w40 = arith.xori %w39, %w39 : tensor<1x32xi32>
    %w41 = arith.xori %w40, %w40 : tensor<1x32xi32>
    %w42 = arith.xori %w41, %w41 : tensor<1x32xi32>
    %w43 = arith.xori %w42, %w42 : tensor<1x32xi32>
    %w44 = arith.xori %w43, %w43 : tensor<1x32xi32>
    %w45 = arith.xori %w44, %w44 : tensor<1x32xi32>
    %w46 = arith.xori %w45, %w45 : tensor<1x32xi32>
    %w47 = arith.xori %w46, %w46 : tensor<1x32xi32>
    %w48 = arith.xori %w47, %w47 : tensor<1x32xi32>
    %w49 = arith.xori %w48, %w48 : tensor<1x32xi32>
    %w50 = arith.xori %w49, %w49 : tensor<1x32xi32>
    %w51 = arith.xori %w50, %w50 : tensor<1x32xi32>
    %w52 = arith.xori %w51, %w51 : tensor<1x32xi32>
    %w53 = arith.xori %w52, %w52 : tensor<1x32xi32>
    %w54 = arith.xori %w53, %w53 : tensor<1x32xi32>
    %w55 = arith.xori %w54, %w54 : tensor<1x32xi32>
    %w56 = arith.xori %w55, %w55 : tensor<1x32xi32>
    %w57 = arith.xori %w56, %w56 : tensor<1x32xi32>
    %w58 = arith.xori %w57, %w57 : tensor<1x32xi32>
    %w59 = arith.xori %w58, %w58 : tensor<1x32xi32>
    %w60 = arith.xori %w59, %w59 : tensor<1x32xi32>
    %wm = arith.cmpi slt, %row, %w60 : tensor<1x32xi32>
    %m = "tile.broadcast"(%wm) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// The same of numbers; and a float from outside is what it was.
// CHECK-LABEL: func.func private @down_numbers(
// CHECK: "tile.splat"(%{{.*}}) : (f32) -> tensor<1x64xf32>
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>,
func.func private @down_numbers(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: f32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %ss = "tile.splat"(%s) : (f32) -> tensor<1x32xf32>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %w0 = arith.addi %i, %i : i32
    %w1 = arith.addi %w0, %w0 : i32
    %w2 = arith.addi %w1, %w1 : i32
    %w3 = arith.addi %w2, %w2 : i32
    %w4 = arith.addi %w3, %w3 : i32
    %w5 = arith.addi %w4, %w4 : i32
    %w6 = arith.addi %w5, %w5 : i32
    %w7 = arith.addi %w6, %w6 : i32
    %w8 = arith.addi %w7, %w7 : i32
    %w9 = arith.addi %w8, %w8 : i32
    %w10 = arith.addi %w9, %w9 : i32
    %w11 = arith.addi %w10, %w10 : i32
    %w12 = arith.addi %w11, %w11 : i32
    %w13 = arith.addi %w12, %w12 : i32
    %w14 = arith.addi %w13, %w13 : i32
    %w15 = arith.addi %w14, %w14 : i32
    %w16 = arith.addi %w15, %w15 : i32
    %w17 = arith.addi %w16, %w16 : i32
    %w18 = arith.addi %w17, %w17 : i32
    %w19 = arith.addi %w18, %w18 : i32
    %w20 = arith.addi %w19, %w19 : i32
    %w21 = arith.addi %w20, %w20 : i32
    %w22 = arith.addi %w21, %w21 : i32
    %w23 = arith.addi %w22, %w22 : i32
    %w24 = arith.addi %w23, %w23 : i32
    %w25 = arith.addi %w24, %w24 : i32
    %w26 = arith.addi %w25, %w25 : i32
    %w27 = arith.addi %w26, %w26 : i32
    %w28 = arith.addi %w27, %w27 : i32
    %w29 = arith.addi %w28, %w28 : i32
    %w30 = arith.addi %w29, %w29 : i32
    %w31 = arith.addi %w30, %w30 : i32
    %w32 = arith.addi %w31, %w31 : i32
    %w33 = arith.addi %w32, %w32 : i32
    %w34 = arith.addi %w33, %w33 : i32
    %w35 = arith.addi %w34, %w34 : i32
    %w36 = arith.addi %w35, %w35 : i32
    %w37 = arith.addi %w36, %w36 : i32
    %w38 = arith.addi %w37, %w37 : i32
    %w39 = arith.addi %w38, %w38 : i32
    %w40 = arith.addi %w39, %w39 : i32
    %w41 = arith.addi %w40, %w40 : i32
    %w42 = arith.addi %w41, %w41 : i32
    %w43 = arith.addi %w42, %w42 : i32
    %w44 = arith.addi %w43, %w43 : i32
    %w45 = arith.addi %w44, %w44 : i32
    %w46 = arith.addi %w45, %w45 : i32
    %w47 = arith.addi %w46, %w46 : i32
    %w48 = arith.addi %w47, %w47 : i32
    %w49 = arith.addi %w48, %w48 : i32
    %w50 = arith.addi %w49, %w49 : i32
    %ws = "tile.splat"(%w50) : (i32) -> tensor<1x32xi32>
    %wm = arith.cmpi slt, %row, %ws : tensor<1x32xi32>
    %fl = arith.sitofp %row : tensor<1x32xi32> to tensor<1x32xf32>
    %fm = arith.cmpf olt, %fl, %ss : tensor<1x32xf32>
    %om = arith.andi %wm, %fm : tensor<1x32xi1>
    %m = "tile.broadcast"(%om) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// A carried number that shrinks by the same each time: of the second part it is 32 less than of the first.
// CHECK-LABEL: func.func private @shrinks(
// CHECK-DAG: %[[LESS:.*]] = arith.constant dense<-32> : tensor<64xi32>
// CHECK-DAG: %[[TWICE:.*]] = arith.constant -64 : i32
// CHECK: %[[MULTIPLES:.*]] = arith.muli %{{.*}}, %[[LESS]]
// CHECK: %[[ROW:.*]] = "tile.expand_dims"(%[[MULTIPLES]]) {axis = 0 : i32}
// CHECK: scf.for {{.*}} %[[G:arg[0-9]*]] = %arg2)
// CHECK: %[[FIRST:.*]] = "tile.splat"(%[[G]]) : (i32) -> tensor<1x64xi32>
// CHECK: arith.addi %[[FIRST]], %[[ROW]] : tensor<1x64xi32>
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>,
// CHECK: arith.addi %[[G]], %[[TWICE]] : i32
func.func private @shrinks(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %size = arith.constant 32 : i32
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:4 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb, %g = %n) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, i32) : i32 {
    %gs = "tile.splat"(%g) : (i32) -> tensor<1x32xi32>
    %gm = arith.cmpi slt, %row, %gs : tensor<1x32xi32>
    %m = "tile.broadcast"(%gm) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    %gn = arith.subi %g, %size : i32
    scf.yield %d, %pn, %qn, %gn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, i32
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Three of the longer stages would leave three blocks of four warps where four were: two leave four.
// What is for launches of fewer blocks knows of the third; where there is no such version, all have it.
// CHECK-LABEL: func.func private @two_stages(
// CHECK: "tile.dot"{{.*}} : (tensor<128x64xf16>, tensor<64x64xf16>
// CHECK: {tile.num_stages = 3 : i32}
// VERSIONS-LABEL: func.func private @two_stages(
// VERSIONS: "tile.dot"{{.*}} : (tensor<128x64xf16>, tensor<64x64xf16>
// VERSIONS: tile.full_stages = 3 : i32, tile.num_stages = 2
func.func private @two_stages(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<128x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<128x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<128x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<128x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<128x32x!tile.ptr<f16>>, tensor<128x32xi32>) -> tensor<128x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<128x64xf32>, tensor<128x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x32x!tile.ptr<f16>>) -> tensor<128x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<128x32xf16>, tensor<32x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<128x32x!tile.ptr<f16>>, tensor<128x32xi32>) -> tensor<128x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<128x64xf32>, tensor<128x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<128x64xf32>
}
