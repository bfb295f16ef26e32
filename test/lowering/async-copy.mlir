// Asynchronous copies: 16 bytes a thread where global and shared memory are contiguous, zeros where the mask
// is false; a wait, then a barrier, then any layout may load.
// RUN: tile-opt --tile-verify --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s
// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s --check-prefix=THREAD
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --kernel masked --grid 1 --arg x=fp32[512]:arange --arg out=fp32[512]:poison --arg n=i32:300 --check --seed 5 --print out:304 | FileCheck %s --check-prefix=MASKED
// RUN: tile-run %s --kernel narrow --grid 1 --arg x=fp16[256]:arange --arg out=fp16[256]:poison --check --seed 6 --print out:5 | FileCheck %s --check-prefix=NARROW
// RUN: not tile-run %s --kernel hasty --grid 1 --arg x=fp32[512]:arange --arg out=fp32[512]:poison 2>&1 | FileCheck %s --check-prefix=HASTY

#s = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 1, order = [0]}>

// CHECK-LABEL: func.func @masked
// CHECK: "tile_gpu.async_copy"
// CHECK-NEXT: "tile_gpu.async_commit"
// CHECK-NEXT: "tile_gpu.async_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.local_load"
// THREAD-LABEL: llvm.func @masked
// THREAD: %[[BYTES:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32
// THREAD: "tile_ptx.cp_async"(%{{.*}}, %{{.*}}, %[[BYTES]]) {bytes = 16 : i32, cache = "cg"}
// THREAD: "tile_ptx.cp_async_commit"
// THREAD: "tile_ptx.cp_async_wait"() {pending = 0 : i32}
// THREAD: nvvm.barrier
// PTX-LABEL: masked(
// PTX: selp.b32 n, 16, 0, %{{p[0-9]+}}; cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, n;
// PTX: cp.async.commit_group;
// PTX: cp.async.wait_group 0;
// PTX: bar.sync
// MASKED: out = 0 1 2 3 {{.*}} 297 298 299 0 0 0 0 ...
func.func @masked(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 4 : i32}) attributes {tile.kernel} {
  %j = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ns = "tile.splat"(%n) : (i32) -> tensor<512xi32>
  %in = arith.cmpi slt, %j, %ns : tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %m = "tile_gpu.alloc"() : () -> memref<512xf32, #s>
  %t = "tile_gpu.async_copy"(%xp, %m, %in) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>, tensor<512xi1>) -> !tile_gpu.token
  %g = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
  %w = "tile_gpu.async_wait"(%g) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
  %y = "tile_gpu.local_load"(%m, %w) : (memref<512xf32, #s>, !tile_gpu.token) -> tensor<512xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  "tile.store"(%op, %y) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
  return
}

// Two bytes a copy are too few for cp.async: a load and a store, done at once.
// THREAD-LABEL: llvm.func @narrow
// THREAD-NOT: "tile_ptx.cp_async"(
// THREAD: "tile_ptx.cp_async_wait"
// NARROW: out = 0 2 4 6 8
func.func @narrow(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>) attributes {tile.kernel} {
  %two = arith.constant dense<2> : tensor<128xi32>
  %j = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %even = arith.muli %j, %two : tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f16>) -> tensor<128x!tile.ptr<f16>>
  %xp = "tile.addptr"(%xs, %even) : (tensor<128x!tile.ptr<f16>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f16>>
  %m = "tile_gpu.alloc"() : () -> memref<128xf16, #s>
  %t = "tile_gpu.async_copy"(%xp, %m) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<128x!tile.ptr<f16>>, memref<128xf16, #s>) -> !tile_gpu.token
  %g = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
  %w = "tile_gpu.async_wait"(%g) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
  %y = "tile_gpu.local_load"(%m, %w) : (memref<128xf16, #s>, !tile_gpu.token) -> tensor<128xf16>
  %os = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<128x!tile.ptr<f16>>
  %op = "tile.addptr"(%os, %j) : (tensor<128x!tile.ptr<f16>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f16>>
  "tile.store"(%op, %y) : (tensor<128x!tile.ptr<f16>>, tensor<128xf16>) -> ()
  return
}

// The wait leaves the only group in flight.
// HASTY: access of data in flight at {{.*}}async-copy.mlir:[[#@LINE+11]]:{{.*}} loads byte {{.*}} of shared memory, which the copy started at {{.*}}async-copy.mlir:[[#@LINE+8]]:{{.*}} still writes; no wait of that thread covers it
func.func @hasty(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %j = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %j) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %m = "tile_gpu.alloc"() : () -> memref<512xf32, #s>
  %t = "tile_gpu.async_copy"(%xp, %m) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>, memref<512xf32, #s>) -> !tile_gpu.token
  %g = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
  %w = "tile_gpu.async_wait"(%g) {pending = 1 : i32} : (!tile_gpu.token) -> !tile_gpu.token
  %y = "tile_gpu.local_load"(%m, %w) : (memref<512xf32, #s>, !tile_gpu.token) -> tensor<512xf32>
  "tile.store"(%op, %y) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
  return
}
