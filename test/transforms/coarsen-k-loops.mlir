// Every reason for which tile-coarsen-k leaves a loop as it is. @base of coarsen-k.mlir is the loop that all of these are but for one thing.
// RUN: tile-opt --tile-coarsen-k %s | FileCheck %s

// The loop.
// CHECK-LABEL: func.func private @loops(
func.func private @loops(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %given: tensor<64x32xi1>, %h: i16) {
  %zeros = arith.constant dense<0.0> : tensor<64x32xf16>
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

  // Where the kernel asks for the steps that it has.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %kept:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32, tile.loop_unroll_factor = 1 : i32}

  // Two stages: nothing would be in flight while one is multiplied.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %few_stages:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 2 : i32}

  // Rows that are not contiguous.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %twice_apart = arith.addi %rows, %rows : tensor<64x32xi32>
  %twice_down_apart = arith.addi %columns, %columns : tensor<32x64xi32>
  %pa_apart = "tile.addptr"(%as, %twice_apart) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb_apart = "tile.addptr"(%bs, %twice_down_apart) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %apart:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa_apart, %q = %pb_apart) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Rows of one operand, and the other one is loaded number by number.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %twice_down_narrow_access = arith.addi %columns, %columns : tensor<32x64xi32>
  %pb_narrow_access = "tile.addptr"(%bs, %twice_down_narrow_access) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %narrow_access:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb_narrow_access) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Rows along M and N: no line is in two steps.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %mn_across = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %me_across = "tile.expand_dims"(%mn_across) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %mb_across = "tile.broadcast"(%me_across) : (tensor<64x1xi32>) -> tensor<64x32xi32>
  %ne_across = "tile.expand_dims"(%mn_across) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %nb_across = "tile.broadcast"(%ne_across) : (tensor<1x64xi32>) -> tensor<32x64xi32>
  %pa_across = "tile.addptr"(%as, %mb_across) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb_across = "tile.addptr"(%bs, %nb_across) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %across:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa_across, %q = %pb_across) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // It starts anywhere.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %from_anywhere:3 = scf.for %i = %n to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // It starts below zero, where the number of iterations that are left may not fit.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %below = arith.constant -4 : i32
  %from_below:3 = scf.for %i = %below to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // By any step.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %any_step:3 = scf.for %i = %0 to %n step %n iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // By a step that is no number of i32 if doubled.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %huge = arith.constant 1073741824 : i32
  %huge_step:3 = scf.for %i = %0 to %n step %huge iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Ends that are compared as unsigned numbers.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %unsigned:3 = scf.for unsigned %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Two products.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  // CHECK: "tile.dot"
  %products:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %e = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Something else is done.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %h_stores = arith.constant 1.0 : f16
  %stores:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    "tile.store"(%a, %h_stores) : (!tile.ptr<f16>, f16) -> ()
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // A division, which may trap where it was not made.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %divides:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %u = arith.divsi %n, %i : i32
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // The products are not summed up.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %not_summed:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // The sum is used in the loop.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %sum_used:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %g = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %d = arith.addf %g, %c : tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // Two carry the sum.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %sum_twice:4 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb, %e = %zero) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, tensor<64x64xf32>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn, %d : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, tensor<64x64xf32>
  } {tile.num_stages = 4 : i32}

  // The loop carries the sum of the iteration before, too.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %sum_before:4 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb, %e = %zero) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, tensor<64x64xf32>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn, %c : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, tensor<64x64xf32>
  } {tile.num_stages = 4 : i32}

  // The pointers are used after the loop.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %used_after:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  "tile.store"(%used_after#1, %zeros) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xf16>) -> ()

  // An operand is no load: what it makes of zeros is not known.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %computed:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %x1 = arith.addf %x, %x : tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x1, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}

  // An operand is not loaded.
  // CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
  %ones = arith.constant dense<1.0> : tensor<64x32xf16>
  %constant:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%ones, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return
}

// Rows that are cache lines.
// CHECK-LABEL: func.func private @lines(
// CHECK: "tile.dot"{{.*}} : (tensor<64x64xf16>, tensor<64x64x
func.func private @lines(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x64xi32>
  %down = arith.constant dense<32> : tensor<64x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<64x1xi32>) -> tensor<64x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>, tensor<64x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Counts that are neither i32 nor i64.
// CHECK-LABEL: func.func private @index(
// CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>, tensor<32x64x
func.func private @index(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %z = arith.index_cast %n : i32 to index
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %z step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Four steps at a time would take the shared memory of a block.
// CHECK-LABEL: func.func private @costs_blocks(
// CHECK: "tile.dot"{{.*}} : (tensor<256x16xf16>, tensor<16x64x
func.func private @costs_blocks(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<256x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<256x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<16> : tensor<256x16xi32>
  %down = arith.constant dense<16> : tensor<16x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x16xi32>) -> tensor<256x16xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<16x1xi32>) -> tensor<16x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<256x16x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<16x64x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<256x16x!tile.ptr<f16>>, tensor<256x16xi32>) -> tensor<256x16x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<256x64xf32>, tensor<256x16x!tile.ptr<f16>>, tensor<16x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x16x!tile.ptr<f16>>) -> tensor<256x16xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x64x!tile.ptr<f16>>) -> tensor<16x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<256x16xf16>, tensor<16x64xf16>, tensor<256x64xf32>) -> tensor<256x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<256x16x!tile.ptr<f16>>, tensor<256x16xi32>) -> tensor<256x16x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>) -> tensor<16x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<256x64xf32>, tensor<256x16x!tile.ptr<f16>>, tensor<16x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<256x64xf32>
}

// Sums that go to f32 in parts.
// CHECK-LABEL: func.func private @parts(
// CHECK: "tile.dot"{{.*}} : (tensor<64x32xf8E5M2>, tensor<32x64x
func.func private @parts(%a: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
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
  %as = "tile.splat"(%a) : (!tile.ptr<f8E5M2>) -> tensor<64x32x!tile.ptr<f8E5M2>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f8E5M2>) -> tensor<32x64x!tile.ptr<f8E5M2>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f8E5M2>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f8E5M2>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f8E5M2>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f8E5M2>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f8E5M2>>, tensor<32x64x!tile.ptr<f8E5M2>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f8E5M2>>) -> tensor<64x32xf8E5M2>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f8E5M2>>) -> tensor<32x64xf8E5M2>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32", max_imprecise = 16 : i32} : (tensor<64x32xf8E5M2>, tensor<32x64xf8E5M2>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f8E5M2>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f8E5M2>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f8E5M2>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f8E5M2>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f8E5M2>>, tensor<32x64x!tile.ptr<f8E5M2>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// Steps shorter than an instruction, which would be another one.
// CHECK-LABEL: func.func private @short(
// CHECK: "tile.dot"{{.*}} : (tensor<64x8xf16>, tensor<8x64x
func.func private @short(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<8> : tensor<64x8xi32>
  %down = arith.constant dense<8> : tensor<8x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<8xi32>) -> tensor<1x8xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x8xi32>) -> tensor<64x8xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<8xi32>) -> tensor<8x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<8x1xi32>) -> tensor<8x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x8x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<8x64x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x8x!tile.ptr<f16>>, tensor<64x8xi32>) -> tensor<64x8x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<8x64x!tile.ptr<f16>>, tensor<8x64xi32>) -> tensor<8x64x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x8x!tile.ptr<f16>>, tensor<8x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x8x!tile.ptr<f16>>) -> tensor<64x8xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8x64x!tile.ptr<f16>>) -> tensor<8x64xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x8xf16>, tensor<8x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x8x!tile.ptr<f16>>, tensor<64x8xi32>) -> tensor<64x8x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<8x64x!tile.ptr<f16>>, tensor<8x64xi32>) -> tensor<8x64x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x8x!tile.ptr<f16>>, tensor<8x64x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf32>
}

// f64: no instruction is shorter than a line.
// CHECK-LABEL: func.func private @doubles(
// CHECK: "tile.dot"{{.*}} : (tensor<64x8xf64>, tensor<8x64x
func.func private @doubles(%a: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf64> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf64>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<8> : tensor<64x8xi32>
  %down = arith.constant dense<8> : tensor<8x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<8xi32>) -> tensor<1x8xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x8xi32>) -> tensor<64x8xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<8xi32>) -> tensor<8x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<8x1xi32>) -> tensor<8x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f64>) -> tensor<64x8x!tile.ptr<f64>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f64>) -> tensor<8x64x!tile.ptr<f64>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x8x!tile.ptr<f64>>, tensor<64x8xi32>) -> tensor<64x8x!tile.ptr<f64>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<8x64x!tile.ptr<f64>>, tensor<8x64xi32>) -> tensor<8x64x!tile.ptr<f64>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf64>, tensor<64x8x!tile.ptr<f64>>, tensor<8x64x!tile.ptr<f64>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x8x!tile.ptr<f64>>) -> tensor<64x8xf64>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8x64x!tile.ptr<f64>>) -> tensor<8x64xf64>
    %d = "tile.dot"(%x, %y, %c) {precision = "ieee"} : (tensor<64x8xf64>, tensor<8x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x8x!tile.ptr<f64>>, tensor<64x8xi32>) -> tensor<64x8x!tile.ptr<f64>>
    %qn = "tile.addptr"(%q, %down) : (tensor<8x64x!tile.ptr<f64>>, tensor<8x64xi32>) -> tensor<8x64x!tile.ptr<f64>>
    scf.yield %d, %pn, %qn : tensor<64x64xf64>, tensor<64x8x!tile.ptr<f64>>, tensor<8x64x!tile.ptr<f64>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf64>
}

// Sums of f16 that are made in f32: rounded once a step.
// CHECK-LABEL: func.func private @rounded(
// CHECK: "tile.dot"{{.*}} : (tensor<64x32xf8E5M2>, tensor<32x64x
func.func private @rounded(%a: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf16> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<32> : tensor<32x64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f8E5M2>) -> tensor<64x32x!tile.ptr<f8E5M2>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f8E5M2>) -> tensor<32x64x!tile.ptr<f8E5M2>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f8E5M2>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f8E5M2>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x64x!tile.ptr<f8E5M2>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f8E5M2>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf16>, tensor<64x32x!tile.ptr<f8E5M2>>, tensor<32x64x!tile.ptr<f8E5M2>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f8E5M2>>) -> tensor<64x32xf8E5M2>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f8E5M2>>) -> tensor<32x64xf8E5M2>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf8E5M2>, tensor<32x64xf8E5M2>, tensor<64x64xf16>) -> tensor<64x64xf16>
    %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f8E5M2>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f8E5M2>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f8E5M2>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f8E5M2>>
    scf.yield %d, %pn, %qn : tensor<64x64xf16>, tensor<64x32x!tile.ptr<f8E5M2>>, tensor<32x64x!tile.ptr<f8E5M2>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<64x64xf16>
}

// One carried tile along both dimensions.
// CHECK-LABEL: func.func private @square(
// CHECK: "tile.dot"{{.*}} : (tensor<32x32xf16>, tensor<32x32x
func.func private @square(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<32x32xi32>
  %down = arith.constant dense<32> : tensor<32x32xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<32x32xf32>, tensor<32x32x!tile.ptr<f16>>, tensor<32x32x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
    %y = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<32x32xf32>, tensor<32x32x!tile.ptr<f16>>, tensor<32x32x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<32x32xf32>
}

// The same where the inner load is an operand, too, and was asked about first.
// CHECK-LABEL: func.func private @loaded_first(
// CHECK: "tile.dot"{{.*}} : (tensor<32x32xf16>, tensor<32x32x
func.func private @loaded_first(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %far = arith.constant dense<32> : tensor<32x32xi32>
  %down = arith.constant dense<32> : tensor<32x32xi32>
  %k = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%k) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  %column = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %columns = "tile.broadcast"(%column) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %pa = "tile.addptr"(%as, %rows) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
  %pb = "tile.addptr"(%bs, %columns) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
  %r:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<32x32xf32>, tensor<32x32x!tile.ptr<f16>>, tensor<32x32x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
    %ym = arith.cmpf olt, %x, %x : tensor<32x32xf16>
    %yt = "tile.permute"(%ym) {order = array<i32: 1, 0>} : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %y = "tile.load"(%q, %yt) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi1>) -> tensor<32x32xf16>
    %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %pn = "tile.addptr"(%p, %far) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
    %qn = "tile.addptr"(%q, %down) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
    scf.yield %d, %pn, %qn : tensor<32x32xf32>, tensor<32x32x!tile.ptr<f16>>, tensor<32x32x!tile.ptr<f16>>
  } {tile.num_stages = 4 : i32}
  return %r#0 : tensor<32x32xf32>
}

// Outside of functions, where nothing is known of pointers.
// CHECK-LABEL: func.func private @after_all
// CHECK: "tile.dot"{{.*}} : (tensor<64x32xf16>
func.func private @after_all()
%z = arith.constant 0 : i64
%n = arith.constant 7 : i32
%a = "tile.int_to_ptr"(%z) {tile.divisibility = 16 : i32} : (i64) -> !tile.ptr<f16>
%b = "tile.int_to_ptr"(%z) {tile.divisibility = 16 : i32} : (i64) -> !tile.ptr<f16>
%zeros = arith.constant dense<0.0> : tensor<64x32xf16>
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
//: "tile.dot"{{.*}} : (tensor<64x64xf16>
%base:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %p = %pa, %q = %pb) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>) : i32 {
  %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
  %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
  %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %pn = "tile.addptr"(%p, %far) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %qn = "tile.addptr"(%q, %down) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  scf.yield %d, %pn, %qn : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>
} {tile.num_stages = 4 : i32}
