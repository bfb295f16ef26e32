// Rows along K of a described block that are shorter than a cache line: several steps become one, in the version with
// tensor maps. The kernel itself is left to tile-coarsen-k.
// RUN: tile-opt --tile-version-descriptors --canonicalize %s | FileCheck %s
// CHECK-LABEL: func.func @steps$tma(
// CHECK-SAME: !tile.descriptor<tensor<64x64xf16>>
// CHECK-SAME: !tile.descriptor<tensor<64x128xf16>>
// CHECK-DAG: %[[STEP:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: scf.for {{.*}} step %[[STEP]]
// CHECK: %[[ROWS:.*]] = "tile.descriptor_load"({{.*}} -> tensor<64x64xf16>
// CHECK: %[[COLUMNS:.*]] = "tile.descriptor_load"({{.*}} -> tensor<64x128xf16>
// CHECK: "tile.dot"(%[[ROWS]], %[[COLUMNS]], {{.*}} (tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32>)
// CHECK: arith.addi %{{.*}}, %[[SIX]]
// CHECK: {tile.num_stages = 3 : i32}
// CHECK-LABEL: func.func @steps(
// CHECK: "tile.make_descriptor"{{.*}}tensor<64x32xf16>>

// A loop that counts elements, and ends at the size.
// RUN: sed -e 's/to %%end step %%1/to %%k step %%32/' -e 's/arith.muli %%i, %%32/arith.addi %%i, %%0/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS-LABEL: func.func @steps$tma(
// ELEMENTS: %[[STEP:.*]] = arith.constant 64 : i32
// ELEMENTS: scf.for {{.*}} step %[[STEP]]
// Operands that are converted and permuted on their way.
// RUN: sed -e '/\/\/ PLAIN/d' -e 's/^ *\/\/ CONVERT //' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=CONVERTED
// CONVERTED-LABEL: func.func @steps$tma(
// CONVERTED: "tile.descriptor_load"({{.*}} -> tensor<64x128xi8>
// CONVERTED: arith.sitofp {{.*}} tensor<64x128xi8> to tensor<64x128xf16>
// CONVERTED: "tile.permute"({{.*}} (tensor<128x128xf16>) -> tensor<128x128xf16>

// Reasons to leave the loop as it is. What else is in it:
// RUN: sed -e 's/^ *\/\/ STORE //' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sed -e 's/^ *\/\/ SECOND //' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// What it carries: a number that doubles; a second use of the sum; a number that is used after it.
// RUN: sed -e 's/arith.addi %%count, %%3/arith.addi %%count, %%count/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sed -e 's/^ *\/\/ TWICE //' -e 's/yield %%d,/yield %%twice,/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sed -e 's/^ *\/\/ AFTER //' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// What it counts: from 1 on; in steps of two blocks; to another end than the size.
// RUN: sed -e 's/%%i = %%0 to/%%i = %%1 to/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sed -e 's/arith.muli %%i, %%32/arith.muli %%i, %%64/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sed -e 's/arith.addi %%k, %%31/arith.addi %%n, %%31/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sed -e 's/arith.addi %%k, %%31/arith.addi %%k, %%0/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// What the blocks are: filled up with NaN; at other rows in each step.
// RUN: sed -e 's/%%da = "tile.make_descriptor"(\(.*\)) {/%%da = "tile.make_descriptor"(\1) {pads_with_nan, /' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sed -e 's/(%%da, %%row, %%o)/(%%da, %%o, %%o)/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// What the kernel asks for: steps as they are written; sums of a few steps.
// RUN: sed -e 's/{tile.num_stages = 4/{tile.loop_unroll_factor = 1 : i32, tile.num_stages = 4/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: sed -e 's/{precision = "tf32"}/{max_imprecise = 32 : i32, precision = "tf32"}/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=SAME
// SAME-LABEL: func.func @steps$tma(
// SAME-SAME: !tile.descriptor<tensor<64x32xf16>>
// SAME: tile.num_stages = 4 : i32
// A row that fills a cache line.
// RUN: sed -e 's/x32xf16/x64xf16/g' -e 's/<32x128x/<64x128x/g' -e 's/%%31 = arith.constant 31/%%31 = arith.constant 63/' -e 's/%%32 = arith.constant 32/%%32 = arith.constant 64/' %s | tile-opt --tile-version-descriptors --canonicalize | FileCheck %s --check-prefix=LONG
// LONG-LABEL: func.func @steps$tma(
// LONG-SAME: !tile.descriptor<tensor<64x64xf16>>
// LONG: tile.num_stages = 4 : i32
func.func @steps(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %t: !tile.ptr<i8>, %n: i32, %k: i32, %s: i32, %c: !tile.ptr<f32>, %other: !tile.ptr<f32>, %to: !tile.ptr<i32>) attributes {tile.kernel} {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %3 = arith.constant 3 : i32
  %31 = arith.constant 31 : i32
  %32 = arith.constant 32 : i32
  %64 = arith.constant 64 : i32
  %row = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %s64 = arith.extsi %s : i32 to i64
  %da = "tile.make_descriptor"(%a, %n64, %k64, %s64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x32xf16>>
  %dt = "tile.make_descriptor"(%t, %n64, %k64, %s64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<i8>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x32xi8>>
  %db = "tile.make_descriptor"(%b, %k64, %n64, %s64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<32x128xf16>>
  %du = "tile.make_descriptor"(%b, %n64, %k64, %s64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<128x32xf16>>
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %sum = arith.addi %k, %31 : i32
  %end = arith.divsi %sum, %32 : i32
  %r:2 = scf.for %i = %0 to %end step %1 iter_args(%x = %none, %count = %0) -> (tensor<64x128xf32>, i32) : i32 {
    %o32 = arith.muli %i, %32 : i32
    %o = arith.extsi %o32 : i32 to i64
    %ta = "tile.descriptor_load"(%da, %row, %o) : (!tile.descriptor<tensor<64x32xf16>>, i64, i64) -> tensor<64x32xf16> // PLAIN
    // CONVERT %t0 = "tile.descriptor_load"(%dt, %row, %o) : (!tile.descriptor<tensor<64x32xi8>>, i64, i64) -> tensor<64x32xi8>
    // CONVERT %ta = arith.sitofp %t0 : tensor<64x32xi8> to tensor<64x32xf16>
    %tb = "tile.descriptor_load"(%db, %o, %row) : (!tile.descriptor<tensor<32x128xf16>>, i64, i64) -> tensor<32x128xf16> // PLAIN
    // CONVERT %t1 = "tile.descriptor_load"(%du, %row, %o) : (!tile.descriptor<tensor<128x32xf16>>, i64, i64) -> tensor<128x32xf16>
    // CONVERT %tb = "tile.permute"(%t1) {order = array<i32: 1, 0>} : (tensor<128x32xf16>) -> tensor<32x128xf16>
    %d = "tile.dot"(%ta, %tb, %x) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
    // STORE "tile.store"(%to, %count) : (!tile.ptr<i32>, i32) -> ()
    // SECOND %d2 = "tile.dot"(%ta, %tb, %none) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
    // SECOND %first = "tile.splat"(%other) : (!tile.ptr<f32>) -> tensor<64x128x!tile.ptr<f32>>
    // SECOND "tile.store"(%first, %d2) : (tensor<64x128x!tile.ptr<f32>>, tensor<64x128xf32>) -> ()
    // TWICE %twice = arith.addf %d, %x : tensor<64x128xf32>
    %next = arith.addi %count, %3 : i32
    scf.yield %d, %next : tensor<64x128xf32>, i32
  } {tile.num_stages = 4 : i32}
  %places = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<64x128x!tile.ptr<f32>>
  "tile.store"(%places, %r#0) : (tensor<64x128x!tile.ptr<f32>>, tensor<64x128xf32>) -> ()
  // AFTER "tile.store"(%to, %r#1) : (!tile.ptr<i32>, i32) -> ()
  return
}
