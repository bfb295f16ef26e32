// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s
// RUN: tile-run %s --kernel zero_trips --grid 1 --check --seed 3 --arg p=i32[1]:7 --arg q=i32[1]:1 --arg n=i32:0 --print p:1 | FileCheck %s --check-prefix=ZERO
// RUN: tile-run %s --kernel lowered_again --grid 1 --check --seed 3 --arg p=i32[1]:7 --arg out=i32[256]:poison --arg n=i32:2 --print p:1 | FileCheck %s --check-prefix=AGAIN
// RUN: tile-run %s --kernel loop_exit --grid 1 --check --seed 3 --arg p=i32[1]:5 --print p:1 | FileCheck %s --check-prefix=EXIT
// RUN: tile-run %s --kernel two_layouts --grid 1 --check --seed 3 --arg x=fp32[1024]:7 --arg y=fp64[1024]:3 --arg out=fp32[1024]:poison --print x:1 | FileCheck %s --check-prefix=LAYOUTS

// Barriers between accesses of one element by several threads (lib/transforms/insert_barriers.c).

// The barriers in a loop do not count after it, for it may run no iteration: the store to %p still
// needs one.
// CHECK-LABEL: func.func @zero_trips
// CHECK: scf.for
// CHECK: tile_gpu.barrier
// CHECK: tile_gpu.barrier
// CHECK: tile_gpu.barrier
// CHECK: tile.store
// ZERO: p = 8
func.func @zero_trips(%p: !tile.ptr<i32> {tile.name = "p"}, %q: !tile.ptr<i32> {tile.name = "q"},
                      %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %y1 = arith.addi %y, %c1 : i32
    "tile.store"(%q, %y1) : (!tile.ptr<i32>, i32) -> ()
  }
  %x1 = arith.addi %x, %c1 : i32
  "tile.store"(%p, %x1) : (!tile.ptr<i32>, i32) -> ()
  return
}

// %p is loaded before the loop and stored in it: one barrier, before the loop, is enough. (The lowering tries to carry %o as
// one base, fails at the yield, and lowers the loop again.)
// CHECK-LABEL: func.func @lowered_again
// CHECK: tile_gpu.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.store
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.yield
// AGAIN: p = 8
func.func @lowered_again(%p: !tile.ptr<i32> {tile.name = "p"},
                         %out: !tile.ptr<i32> {tile.name = "out"}, %n: i32 {tile.name = "n"})
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %three = arith.constant dense<3> : tensor<256xi32>
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  %x1 = arith.addi %x, %c1 : i32
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%o = %range) -> (tensor<256xi32>) : i32 {
    "tile.store"(%p, %x1) : (!tile.ptr<i32>, i32) -> ()
    %next = arith.muli %o, %three : tensor<256xi32>
    scf.yield %next : tensor<256xi32>
  }
  %ps = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %pp = "tile.addptr"(%ps, %range) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  "tile.store"(%pp, %last) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> ()
  return
}

// A while loop ends after its condition, where %p was just loaded, whatever its body does.
// CHECK-LABEL: func.func @loop_exit
// CHECK: scf.while
// CHECK: tile_gpu.barrier
// CHECK: tile.load
// CHECK: scf.condition
// CHECK: tile_gpu.barrier
// CHECK: tile.store
// CHECK: scf.yield
// CHECK: tile_gpu.barrier
// CHECK: tile.store
// EXIT: p = 100
func.func @loop_exit(%p: !tile.ptr<i32> {tile.name = "p"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  scf.while : () -> () {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %more = arith.cmpi sgt, %x, %c0 : i32
    scf.condition(%more)
  } do {
    %y = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %less = arith.subi %y, %c1 : i32
    "tile.store"(%p, %less) : (!tile.ptr<i32>, i32) -> ()
    scf.yield
  }
  "tile.store"(%p, %c100) : (!tile.ptr<i32>, i32) -> ()
  return
}

// %x is loaded in a layout for single elements of f32 (the store to %out is not aligned) and stored in
// one for pairs of f64: another thread holds the element the second time.
// CHECK-LABEL: func.func @two_layouts
// CHECK: tile_gpu.barrier
// CHECK: tile.store
// LAYOUTS: x = 3
func.func @two_layouts(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"},
                       %y: !tile.ptr<f64> {tile.divisibility = 16 : i32, tile.name = "y"},
                       %out: !tile.ptr<f32> {tile.name = "out"}) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %wide = arith.extsi %range : tensor<1024xi32> to tensor<1024xi64>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %range) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%op, %a) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  %ys = "tile.splat"(%y) : (!tile.ptr<f64>) -> tensor<1024x!tile.ptr<f64>>
  %yp = "tile.addptr"(%ys, %range) : (tensor<1024x!tile.ptr<f64>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f64>>
  %b = "tile.load"(%yp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f64>>) -> tensor<1024xf64>
  %narrow = arith.truncf %b : tensor<1024xf64> to tensor<1024xf32>
  %xp2 = "tile.addptr"(%xs, %wide) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%xp2, %narrow) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// A sum is stored as a scalar, then weights are stored as a tile, then loaded in another tile: no position in
// common, no barrier. The scalar that is loaded after them may be the stored one.
// CHECK-LABEL: func.func @scalar_and_tile
// CHECK: tile.store
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.store
// CHECK-NOT: tile_gpu.barrier
// CHECK: "tile.load"({{.*}}tensor<1024x
// CHECK: tile_gpu.barrier
// CHECK: "tile.load"({{.*}}) -> f32
func.func @scalar_and_tile(%sum: !tile.ptr<f32>, %w: !tile.ptr<f32>, %out: !tile.ptr<f32>, %x: f32)
    attributes {tile.kernel} {
  "tile.store"(%sum, %x) : (!tile.ptr<f32>, f32) -> ()
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %ws = "tile.splat"(%w) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %wp = "tile.addptr"(%ws, %range) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %xs = "tile.splat"(%x) : (f32) -> tensor<1024xf32>
  "tile.store"(%wp, %xs) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  %v = "tile.load"(%wp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %y = "tile.load"(%sum) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  "tile.store"(%out, %y) : (!tile.ptr<f32>, f32) -> ()
  "tile.store"(%wp, %v) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// Each sum goes through shared memory, at places that alternate. In the loop, the place of the first one was
// last read at the end of the iteration before, with the second one's own barrier between: no barrier is
// needed, and there is none.
// CHECK-LABEL: func.func @two_sums
// CHECK: scf.for
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.reduce
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.reduce
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.yield
func.func @two_sums(%out: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    %xs = "tile.splat"(%x) : (i32) -> tensor<512xi32>
    %a = arith.addi %xs, %range : tensor<512xi32>
    %r = "tile.reduce"(%a) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.xori %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
    %rs = "tile.splat"(%r) : (i32) -> tensor<512xi32>
    %b = arith.subi %rs, %range : tensor<512xi32>
    %q = "tile.reduce"(%b) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.addi %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
    scf.yield %q : i32
  }
  "tile.store"(%out, %last) : (!tile.ptr<i32>, i32) -> ()
  return
}

// One sum in a loop: it is read at the end of an iteration and written at the start of the next. The step is not known,
// so iterations cannot take turns with two halves (shared-halves.mlir).
// CHECK-LABEL: func.func @one_sum
// CHECK: scf.for
// CHECK: tile_gpu.barrier
// CHECK: tile.reduce
// CHECK: scf.yield
func.func @one_sum(%out: !tile.ptr<i32>, %n: i32, %c1: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    %xs = "tile.splat"(%x) : (i32) -> tensor<512xi32>
    %a = arith.addi %xs, %range : tensor<512xi32>
    %r = "tile.reduce"(%a) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.xori %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
    scf.yield %r : i32
  }
  "tile.store"(%out, %last) : (!tile.ptr<i32>, i32) -> ()
  return
}

// A release stands for what all threads have done: they have loaded %p. It needs no barrier for a scalar
// that the releasing thread has stored itself.
// CHECK-LABEL: func.func @release
// CHECK: tile.store
// CHECK-NEXT: tile.atomic_rmw
// CHECK: tile.load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile.atomic_rmw
func.func @release(%p: !tile.ptr<i32>, %lock: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  "tile.store"(%p, %x) : (!tile.ptr<i32>, i32) -> ()
  %first = "tile.atomic_rmw"(%lock, %x) {kind = "add", sem = "release", scope = "gpu"} : (!tile.ptr<i32>, i32) -> i32
  "tile.barrier"() : () -> ()
  %y = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  %second = "tile.atomic_rmw"(%lock, %y) {kind = "add", sem = "release", scope = "gpu"} : (!tile.ptr<i32>, i32) -> i32
  return
}

// Elements of different sizes are not one element: what is counted in an i64 is not waited for before an f16 is loaded, and a
// release needs no barrier for the i8 that its own thread has stored. An f64 may be what was counted.
// CHECK-LABEL: func.func @sizes
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.load
// CHECK-SAME: f16
// CHECK: tile_gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-SAME: f64
func.func @sizes(%count: !tile.ptr<i64>, %s: !tile.ptr<i8>, %p: !tile.ptr<f16>, %q: !tile.ptr<f64>, %o: !tile.ptr<f16>,
                 %r: !tile.ptr<f64>, %x: i8) attributes {tile.kernel} {
  %one = arith.constant 1 : i64
  "tile.store"(%s, %x) : (!tile.ptr<i8>, i8) -> ()
  %old = "tile.atomic_rmw"(%count, %one) {kind = "add", sem = "release", scope = "gpu"} : (!tile.ptr<i64>, i64) -> i64
  %y = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f16>) -> f16
  %z = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f64>) -> f64
  "tile.store"(%o, %y) : (!tile.ptr<f16>, f16) -> ()
  "tile.store"(%r, %z) : (!tile.ptr<f64>, f64) -> ()
  return
}
