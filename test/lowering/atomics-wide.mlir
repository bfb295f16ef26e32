// RUN: tile-translate --tile-to-ptx --target sm_80 %s | FileCheck %s --check-prefixes=PTX,SM80
// RUN: tile-translate --tile-to-ptx --target sm_90a %s | FileCheck %s --check-prefixes=PTX,SM90
// RUN: tile-run %s --kernel halves --grid 3 --check --device emulator --arg x=f16[4096]:1 --arg y=f16[4096]:2 --print y:2 | FileCheck %s --check-prefix=HALVES
// RUN: tile-run %s --kernel words --grid 3 --check --device emulator --arg x=f32[2048]:1.5 --arg y=f32[2048]:2 --print y:2 | FileCheck %s --check-prefix=WORDS
// RUN: tile-run %s --kernel old_values --grid 1 --check --device emulator --arg x=f32[1024]:1.5 --arg y=f32[1024]:2 --arg out=f32[1024]:poison --print y:2 --print out:1024 | FileCheck %s --check-prefix=OLD
// RUN: not tile-run %s --kernel broken_promise --grid 1 --device emulator --arg y=f32[1032]:2 --arg k=i32:2 2>&1 | FileCheck %s --check-prefix=BROKEN

// Sums of floats side by side are one instruction (lib/lowering/tile_gpu_to_llvm/atomics.c), and one
// fence stands for the order of all of a tile.

// 32 halves a thread in four instructions of 16 bytes; sm_80 has pairs. A fence before the first is
// their release. Nothing follows the last, so there is nothing to acquire.
// PTX-LABEL: .entry halves
// PTX: fence.acq_rel.gpu;
// PTX-NOT: fence
// SM90-COUNT-4: atom.global.gpu.relaxed.add.noftz.v4.f16x2 {{{.*}}}, [{{.*}}], {{{.*}}};
// SM80-COUNT-16: atom.global.gpu.relaxed.add.noftz.f16x2
// PTX-NOT: atom
// PTX-NOT: fence
// PTX: ret;
// HALVES: y = 5 5
func.func @halves(%x: !tile.ptr<f16> {tile.name = "x", tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.name = "y", tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 4096 : i32} : () -> tensor<4096xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f16>) -> tensor<4096x!tile.ptr<f16>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<4096x!tile.ptr<f16>>, tensor<4096xi32>) -> tensor<4096x!tile.ptr<f16>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<f16>>) -> tensor<4096xf16>
  %ys = "tile.splat"(%y) : (!tile.ptr<f16>) -> tensor<4096x!tile.ptr<f16>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<4096x!tile.ptr<f16>>, tensor<4096xi32>) -> tensor<4096x!tile.ptr<f16>>
  %old = "tile.atomic_rmw"(%yp, %v) {kind = "add"} : (tensor<4096x!tile.ptr<f16>>, tensor<4096xf16>) -> tensor<4096xf16>
  return
}

// f32: four at a time, and one on sm_80. Relaxed: no fence.
// PTX-LABEL: .entry words
// PTX-NOT: fence
// SM90-COUNT-4: atom.global.gpu.relaxed.add.v4.f32
// SM80-COUNT-16: atom.global.gpu.relaxed.add.f32
// PTX-NOT: fence
// PTX: ret;
// WORDS: y = 6.5 6.5
func.func @words(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.name = "y", tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f32>>) -> tensor<2048xf32>
  %ys = "tile.splat"(%y) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
  %old = "tile.atomic_rmw"(%yp, %v) {kind = "add", sem = "relaxed"} : (tensor<2048x!tile.ptr<f32>>, tensor<2048xf32>) -> tensor<2048xf32>
  return
}

// The old values are vectors, too. A store follows: a fence on either side.
// PTX-LABEL: .entry old_values
// PTX: fence.acq_rel.sys;
// SM90-COUNT-2: atom.global.sys.relaxed.add.v4.f32
// SM80-COUNT-8: atom.global.sys.relaxed.add.f32
// PTX: fence.acq_rel.sys;
// PTX: st.global
// OLD: y = 3.5 3.5
// OLD: out = 2 2 2
// OLD-NOT: 3.5
func.func @old_values(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.name = "y", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out", tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %ys = "tile.splat"(%y) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %old = "tile.atomic_rmw"(%yp, %v) {kind = "add", scope = "sys"} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> tensor<1024xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %i) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%op, %old) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// One instruction a thread says its order itself.
// PTX-LABEL: .entry single
// PTX-NOT: fence
// PTX: atom.global.gpu.release.add.u32
// PTX: ret;
func.func @single(%y: !tile.ptr<i32> {tile.name = "y"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ys = "tile.splat"(%y) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  %old = "tile.atomic_rmw"(%yp, %i) {kind = "add"} : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128xi32>
  return
}

// In a loop the next iteration follows: it acquires. A fence that speaks for one block alone is the
// block's.
// PTX-LABEL: .entry loop
// PTX: fence.acq_rel.cta;
// PTX: atom.global.cta.relaxed.add.u32
// PTX: atom.global.cta.relaxed.add.u32
// PTX: fence.acq_rel.cta;
// PTX: ret;
func.func @loop(%y: !tile.ptr<i32> {tile.name = "y"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %ys = "tile.splat"(%y) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  scf.for %k = %zero to %n step %one : i32 {
    %old = "tile.atomic_rmw"(%yp, %i) {kind = "add", scope = "cta"} : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256xi32>
  }
  return
}

// All 16 bytes must be aligned together: the emulator sees where they are not.
// BROKEN: misaligned at {{.*}}atomics-wide.mlir{{.*}} needs an alignment of 16 bytes
func.func @broken_promise(%y: !tile.ptr<f32> {tile.name = "y", tile.divisibility = 16 : i32}, %k: i32 {tile.name = "k"}) attributes {tile.kernel} {
  %from = "tile.addptr"(%y, %k) {tile.divisibility = 16 : i32} : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %i = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %ys = "tile.splat"(%from) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = arith.constant dense<1.0> : tensor<1024xf32>
  %old = "tile.atomic_rmw"(%yp, %v) {kind = "add"} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> tensor<1024xf32>
  return
}
