// Stages of a multi-buffer by loop-carried numbers: a store into another stage than the one just loaded needs no
// barrier; into the same one, or one that is not known to differ, it does.
// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s
// RUN: tile-run %s --kernel apart --grid 1 --check --seed 3 --arg x=fp32[512]:arange --arg out=fp32[512]:poison --arg n=i32:5 --print out:4 | FileCheck %s --check-prefix=APART

#s = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 1, order = [0]}>

// APART: out = 0 1 2 3
// CHECK-LABEL: func.func @apart
// CHECK: scf.for
// CHECK: "tile_gpu.async_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: "tile_gpu.local_load"
// CHECK-NOT: "tile_gpu.barrier"
// CHECK: "tile_gpu.async_copy"
// CHECK: scf.yield
func.func @apart(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %j = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %m = "tile_gpu.alloc"() : () -> memref<3x512xf32, #s>
  %s0 = "tile_gpu.index"(%m, %c0) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
  %t0 = "tile_gpu.async_copy"(%xp, %s0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
  %g0 = "tile_gpu.async_commit"(%t0) : (!tile_gpu.token) -> !tile_gpu.token
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c0, %d = %c1, %g = %g0) -> (i32, i32, !tile_gpu.token) : i32 {
    %w = "tile_gpu.async_wait"(%g) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
    %a = "tile_gpu.index"(%m, %i) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %y = "tile_gpu.local_load"(%a, %w) : (memref<512xf32, #s>, !tile_gpu.token) -> tensor<512xf32>
    "tile.store"(%op, %y) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
    %b = "tile_gpu.index"(%m, %d) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %t = "tile_gpu.async_copy"(%xp, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
    %h = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
    %i1 = arith.addi %i, %c1 : i32
    %i2 = arith.cmpi eq, %i1, %c3 : i32
    %i3 = arith.select %i2, %c0, %i1 : i32
    %d1 = arith.addi %d, %c1 : i32
    %d2 = arith.cmpi eq, %d1, %c3 : i32
    %d3 = arith.select %d2, %c0, %d1 : i32
    scf.yield %i3, %d3, %h : i32, i32, !tile_gpu.token
  }
  %e = "tile_gpu.async_wait"(%r#2) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
  return
}

// Both numbers are one and the same.
// CHECK-LABEL: func.func @same
// CHECK: scf.for
// CHECK: "tile_gpu.async_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: "tile_gpu.local_load"
// CHECK: "tile_gpu.barrier"
// CHECK: "tile_gpu.async_copy"
// CHECK: scf.yield
func.func @same(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %j = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %m = "tile_gpu.alloc"() : () -> memref<3x512xf32, #s>
  %s0 = "tile_gpu.index"(%m, %c0) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
  %t0 = "tile_gpu.async_copy"(%xp, %s0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
  %g0 = "tile_gpu.async_commit"(%t0) : (!tile_gpu.token) -> !tile_gpu.token
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c0, %d = %c0, %g = %g0) -> (i32, i32, !tile_gpu.token) : i32 {
    %w = "tile_gpu.async_wait"(%g) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
    %a = "tile_gpu.index"(%m, %i) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %y = "tile_gpu.local_load"(%a, %w) : (memref<512xf32, #s>, !tile_gpu.token) -> tensor<512xf32>
    "tile.store"(%op, %y) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
    %b = "tile_gpu.index"(%m, %d) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %t = "tile_gpu.async_copy"(%xp, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
    %h = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
    %i1 = arith.addi %i, %c1 : i32
    %i2 = arith.cmpi eq, %i1, %c3 : i32
    %i3 = arith.select %i2, %c0, %i1 : i32
    %d1 = arith.addi %d, %c1 : i32
    %d2 = arith.cmpi eq, %d1, %c3 : i32
    %d3 = arith.select %d2, %c0, %d1 : i32
    scf.yield %i3, %d3, %h : i32, i32, !tile_gpu.token
  }
  %e = "tile_gpu.async_wait"(%r#2) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
  return
}

// The second number does not go round all stages.
// CHECK-LABEL: func.func @other_step
// CHECK: scf.for
// CHECK: "tile_gpu.async_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: "tile_gpu.local_load"
// CHECK: "tile_gpu.barrier"
// CHECK: "tile_gpu.async_copy"
// CHECK: scf.yield
func.func @other_step(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %j = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %m = "tile_gpu.alloc"() : () -> memref<3x512xf32, #s>
  %s0 = "tile_gpu.index"(%m, %c0) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
  %t0 = "tile_gpu.async_copy"(%xp, %s0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
  %g0 = "tile_gpu.async_commit"(%t0) : (!tile_gpu.token) -> !tile_gpu.token
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c0, %d = %c1, %g = %g0) -> (i32, i32, !tile_gpu.token) : i32 {
    %w = "tile_gpu.async_wait"(%g) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
    %a = "tile_gpu.index"(%m, %i) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %y = "tile_gpu.local_load"(%a, %w) : (memref<512xf32, #s>, !tile_gpu.token) -> tensor<512xf32>
    "tile.store"(%op, %y) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
    %b = "tile_gpu.index"(%m, %d) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %t = "tile_gpu.async_copy"(%xp, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
    %h = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
    %i1 = arith.addi %i, %c1 : i32
    %i2 = arith.cmpi eq, %i1, %c3 : i32
    %i3 = arith.select %i2, %c0, %i1 : i32
    %d1 = arith.addi %d, %c1 : i32
    %d2 = arith.cmpi eq, %d1, %c3 : i32
    %d3 = arith.select %d2, %c1, %d1 : i32
    scf.yield %i3, %d3, %h : i32, i32, !tile_gpu.token
  }
  %e = "tile_gpu.async_wait"(%r#2) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
  return
}

// CHECK-LABEL: func.func @two_steps
// CHECK: scf.for
// CHECK: "tile_gpu.async_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: "tile_gpu.local_load"
// CHECK: "tile_gpu.barrier"
// CHECK: "tile_gpu.async_copy"
// CHECK: scf.yield
func.func @two_steps(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %j = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %m = "tile_gpu.alloc"() : () -> memref<3x512xf32, #s>
  %s0 = "tile_gpu.index"(%m, %c0) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
  %t0 = "tile_gpu.async_copy"(%xp, %s0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
  %g0 = "tile_gpu.async_commit"(%t0) : (!tile_gpu.token) -> !tile_gpu.token
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c0, %d = %c1, %g = %g0) -> (i32, i32, !tile_gpu.token) : i32 {
    %w = "tile_gpu.async_wait"(%g) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
    %a = "tile_gpu.index"(%m, %i) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %y = "tile_gpu.local_load"(%a, %w) : (memref<512xf32, #s>, !tile_gpu.token) -> tensor<512xf32>
    "tile.store"(%op, %y) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
    %b = "tile_gpu.index"(%m, %d) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %t = "tile_gpu.async_copy"(%xp, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
    %h = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
    %i1 = arith.addi %i, %c1 : i32
    %i2 = arith.cmpi eq, %i1, %c3 : i32
    %i3 = arith.select %i2, %c0, %i1 : i32
    %d1 = arith.addi %d, %c2 : i32
    %d2 = arith.cmpi eq, %d1, %c3 : i32
    %d3 = arith.select %d2, %c0, %d1 : i32
    scf.yield %i3, %d3, %h : i32, i32, !tile_gpu.token
  }
  %e = "tile_gpu.async_wait"(%r#2) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
  return
}

// A number that starts beyond the last stage would never come back.
// CHECK-LABEL: func.func @beyond
// CHECK: scf.for
// CHECK: "tile_gpu.async_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: "tile_gpu.local_load"
// CHECK: "tile_gpu.barrier"
// CHECK: "tile_gpu.async_copy"
// CHECK: scf.yield
func.func @beyond(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %j = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %m = "tile_gpu.alloc"() : () -> memref<3x512xf32, #s>
  %s0 = "tile_gpu.index"(%m, %c0) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
  %t0 = "tile_gpu.async_copy"(%xp, %s0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
  %g0 = "tile_gpu.async_commit"(%t0) : (!tile_gpu.token) -> !tile_gpu.token
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c0, %d = %c3, %g = %g0) -> (i32, i32, !tile_gpu.token) : i32 {
    %w = "tile_gpu.async_wait"(%g) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
    %a = "tile_gpu.index"(%m, %i) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %y = "tile_gpu.local_load"(%a, %w) : (memref<512xf32, #s>, !tile_gpu.token) -> tensor<512xf32>
    "tile.store"(%op, %y) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
    %b = "tile_gpu.index"(%m, %d) : (memref<3x512xf32, #s>, i32) -> memref<512xf32, #s>
    %t = "tile_gpu.async_copy"(%xp, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
    %h = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
    %i1 = arith.addi %i, %c1 : i32
    %i2 = arith.cmpi eq, %i1, %c3 : i32
    %i3 = arith.select %i2, %c0, %i1 : i32
    %d1 = arith.addi %d, %c1 : i32
    %d2 = arith.cmpi eq, %d1, %c3 : i32
    %d3 = arith.select %d2, %c0, %d1 : i32
    scf.yield %i3, %d3, %h : i32, i32, !tile_gpu.token
  }
  %e = "tile_gpu.async_wait"(%r#2) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
  return
}
