// What cannot be unrolled and jammed, for which tile-coarsen-k leaves a loop as it is. @base of coarsen-k.mlir is the loop that all of these are but for one thing.
// RUN: tile-opt --tile-coarsen-k %s | FileCheck %s

// CHECK-LABEL: func.func private @values(
func.func private @values(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %given: tensor<64x32xi1>, %h: i16) {
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

  // As it is, it is fused.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>
  %base:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // A carried number that does not only grow.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %grows_otherwise:4 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb, %g = %n) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, i32) : i32 {
    %gs = "tile.splat"(%g) : (i32) -> tensor<1x32xi32>
    %gm = arith.cmpi slt, %row, %gs : tensor<1x32xi32>
    %m = "tile.broadcast"(%gm) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    %gn = arith.muli %g, %g : i32
    scf.yield %d, %pn, %qn, %gn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, i32
  } {tile.num_stages = 4 : i32}

  // Pointers that advance by something else each time.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %lines_grows_by_more = arith.constant 64 : i32
  %grows_by_more:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %j = arith.muli %i, %lines_grows_by_more : i32
    %js = "tile.splat"(%j) : (i32) -> tensor<64x32xi32>
    %pn = "tile.addptr"(%p, %js) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Numbers of a tile that do not all grow by the same.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %grows_apart:4 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb, %g = %row) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, tensor<1x32xi32>) : i32 {
    %gs = "tile.splat"(%n) : (i32) -> tensor<1x32xi32>
    %gm = arith.cmpi slt, %g, %gs : tensor<1x32xi32>
    %m = "tile.broadcast"(%gm) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    %gn = arith.addi %g, %row : tensor<1x32xi32>
    scf.yield %d, %pn, %qn, %gn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, tensor<1x32xi32>
  } {tile.num_stages = 4 : i32}

  // A carried number of i16.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %row16_narrow = arith.trunci %row : tensor<1x32xi32> to tensor<1x32xi16>
  %narrow:4 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb, %g = %h) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, i16) : i32 {
    %gs = "tile.splat"(%g) : (i16) -> tensor<1x32xi16>
    %gm = arith.cmpi slt, %row16_narrow, %gs : tensor<1x32xi16>
    %m = "tile.broadcast"(%gm) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    %gn = arith.addi %g, %h : i16
    scf.yield %d, %pn, %qn, %gn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, i16
  } {tile.num_stages = 4 : i32}

  // Numbers that do not grow by the same each time: a product of two that grow,
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %squares:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %g = arith.muli %i, %i : i32
    %gs = "tile.splat"(%g) : (i32) -> tensor<1x32xi32>
    %gm = arith.cmpi slt, %row, %gs : tensor<1x32xi32>
    %m = "tile.broadcast"(%gm) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // or another function of one.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %smaller:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %g = arith.minsi %i, %n : i32
    %gs = "tile.splat"(%g) : (i32) -> tensor<1x32xi32>
    %gm = arith.cmpi slt, %row, %gs : tensor<1x32xi32>
    %m = "tile.broadcast"(%gm) : (tensor<1x32xi1>) -> tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Loads that are volatile,
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %volatile:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // that are to be fetched again,
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %fetch_again:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>, cache = "cv"} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // or are not zero where they are masked off.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %ones = arith.constant dense<1.0> : tensor<64x32xf16>
  %ms_others = arith.cmpi slt, %rows, %rows : tensor<64x32xi32>
  %others:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p, %ms_others, %ones) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>, tensor<64x32xf16>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Tiles from outside that cannot be made larger: an argument,
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %argument:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p, %given) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // a constant of different numbers,
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %cs_numbers = arith.constant dense<[0, 1, 4, 2, 2, 4, 1, 0, 1, 4, 2, 2, 4, 1, 0, 1, 4, 2, 2, 4, 1, 0, 1, 4, 2, 2, 4, 1, 0, 1, 4, 2]> : tensor<32xi32>
  %c1_numbers = arith.cmpi slt, %cs_numbers, %k : tensor<32xi32>
  %c2_numbers = "tile.expand_dims"(%c1_numbers) {axis = 0 : i32} : (tensor<32xi1>) -> tensor<1x32xi1>
  %m_numbers = "tile.broadcast"(%c2_numbers) : (tensor<1x32xi1>) -> tensor<64x32xi1>
  %numbers:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p, %m_numbers) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // what was loaded before,
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %lp_loaded_before = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %lv_loaded_before = "tile.load"(%lp_loaded_before) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
  %m_loaded_before = arith.cmpf olt, %lv_loaded_before, %lv_loaded_before : tensor<64x32xf16>
  %loaded_before:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p, %m_loaded_before) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // an operand that was loaded before,
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %lo_loaded_outside = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %before_loaded_outside = "tile.load"(%lo_loaded_outside) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
  %loaded_outside:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%before_loaded_outside, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // another shape of something.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %wide_reshaped = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %shape_reshaped = "tile.reshape"(%wide_reshaped) : (tensor<2048xi32>) -> tensor<64x32xi32>
  %m_reshaped = arith.cmpi slt, %shape_reshaped, %rows : tensor<64x32xi32>
  %reshaped:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p, %m_reshaped) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // A mask that is loaded, without a mask of its own after the end.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %loaded:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %lv = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %m = arith.cmpf olt, %lv, %lv : tensor<64x32xf16>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Operations with two results.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %two_results:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %lo, %hi = arith.mului_extended %rows, %rows : tensor<64x32xi32>
    %m = arith.cmpi slt, %hi, %rows : tensor<64x32xi32>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // A choice by a number.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %m1_chosen = arith.cmpi slt, %rows, %rows : tensor<64x32xi32>
  %m2_chosen = arith.cmpi sle, %rows, %rows : tensor<64x32xi32>
  %chosen:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %q1 = arith.cmpi slt, %i, %n : i32
    %m = arith.select %q1, %m1_chosen, %m2_chosen : tensor<64x32xi1>
    %x = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi1>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return
}
