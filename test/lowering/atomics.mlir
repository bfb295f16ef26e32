// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx --target sm_80 %s | FileCheck %s --check-prefix=SM80
// RUN: tile-translate --tile-to-ptx --target sm_90a %s | FileCheck %s --check-prefix=SM90
// RUN: tile-run %s --device emulator --kernel old_values --grid 1 --check --arg x=i32[64]:7 --arg out=i32[64]:poison --print x:2 --print out:2 | FileCheck %s --check-prefix=OLD
// RUN: tile-run %s --device emulator --kernel swap --grid 1 --check --arg p=i32[1]:5 --arg out=i32[1]:poison --print p --print out | FileCheck %s --check-prefix=SWAP

// Atomic operations (lib/lowering/tile_gpu_to_llvm/atomics.c).

// 64 elements on 128 threads: half of the threads execute it, under the mask, and nothing else happens
// where the old values are not used.
// CHECK-LABEL: llvm.func @masked
// CHECK: %[[CHOSEN:.*]] = arith.cmpi eq
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[CHOSEN]] : i1
// CHECK: "tile_ptx.atomic_rmw"(%{{.*}}, %[[BOTH]], %{{.*}}) {kind = "add", scope = "cta", sem = "relaxed"}
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
// SM80-LABEL: .entry masked
// SM80: @%p{{[0-9]+}} atom.global.cta.relaxed.add.u32
func.func @masked(%x: !tile.ptr<i32> {tile.name = "x"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %ns = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  %old = "tile.atomic_rmw"(%xp, %i, %m) {kind = "add", sem = "relaxed", scope = "cta"} : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
  return
}

// Where they are used, all holders get them, through shared memory.
// CHECK-LABEL: llvm.func @old_values
// CHECK: "tile_ptx.atomic_rmw"(%{{.*}})
// CHECK: "tile_ptx.store"(%{{.*}}) : (!llvm.ptr<3>, {{.*}}i1) -> ()
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
// OLD: x = 7 8
// OLD: out = 7 7
func.func @old_values(%x: !tile.ptr<i32> {tile.name = "x"}, %out: !tile.ptr<i32> {tile.name = "out"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  %old = "tile.atomic_rmw"(%xp, %i) {kind = "add", sem = "relaxed"} : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %op = "tile.addptr"(%os, %i) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  "tile.store"(%op, %old) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> ()
  return
}

// Of a tile that fills the block every thread has its own elements: no barrier, no shared memory.
// CHECK-LABEL: llvm.func @no_copies
// CHECK-NOT: nvvm.bar
// CHECK: "tile_ptx.atomic_rmw"
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
func.func @no_copies(%x: !tile.ptr<i32> {tile.name = "x"}, %out: !tile.ptr<i32> {tile.name = "out"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  %old = "tile.atomic_rmw"(%xp, %i) {kind = "xor"} : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %op = "tile.addptr"(%os, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%op, %old) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  return
}

// A scalar's release comes after what all threads did before, and what they do afterwards comes after
// its acquire: a barrier on either side, the second of which shows them the old value.
// CHECK-LABEL: llvm.func @release_and_acquire
// CHECK: llvm.store
// CHECK: nvvm.barrier
// CHECK: "tile_ptx.atomic_rmw"(%{{.*}}) {kind = "xchg", scope = "gpu", sem = "acq_rel"}
// CHECK: "tile_ptx.store"(%{{.*}}) : (!llvm.ptr<3>, {{.*}}i1) -> ()
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
// CHECK-NOT: nvvm.bar
// CHECK: llvm.store
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
// SM90-LABEL: .entry release_and_acquire
// SM90: atom.global.gpu.acq_rel.exch.b32
func.func @release_and_acquire(%x: !tile.ptr<i32> {tile.name = "x"}, %flag: !tile.ptr<f32> {tile.name = "flag"}, %y: !tile.ptr<i32> {tile.name = "y"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%xp, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  %one = arith.constant 1.0 : f32
  %old = "tile.atomic_rmw"(%flag, %one) {kind = "xchg"} : (!tile.ptr<f32>, f32) -> f32
  %ys = "tile.splat"(%y) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  %olds = "tile.splat"(%old) : (f32) -> tensor<128xf32>
  %numbers = arith.fptosi %olds : tensor<128xf32> to tensor<128xi32>
  "tile.store"(%yp, %numbers) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  return
}

// Where nobody looks at the old value nobody can tell what came before: the threads go on at once.
// CHECK-LABEL: llvm.func @release_alone
// CHECK: llvm.store
// CHECK: nvvm.barrier
// CHECK: "tile_ptx.atomic_rmw"(%{{.*}}) {kind = "xchg", scope = "gpu", sem = "acq_rel"}
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
func.func @release_alone(%x: !tile.ptr<i32> {tile.name = "x"}, %flag: !tile.ptr<f32> {tile.name = "flag"}, %y: !tile.ptr<i32> {tile.name = "y"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%xp, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  %one = arith.constant 1.0 : f32
  %old = "tile.atomic_rmw"(%flag, %one) {kind = "xchg"} : (!tile.ptr<f32>, f32) -> f32
  %ys = "tile.splat"(%y) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%yp, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  return
}

// A relaxed one needs neither.
// CHECK-LABEL: llvm.func @relaxed
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
func.func @relaxed(%x: !tile.ptr<i32> {tile.name = "x"}, %flag: !tile.ptr<i32> {tile.name = "flag"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%xp, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  %one = arith.constant 1 : i32
  %old = "tile.atomic_rmw"(%flag, %one) {kind = "add", sem = "relaxed"} : (!tile.ptr<i32>, i32) -> i32
  "tile.store"(%xp, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  return
}

// In a loop the accesses of one iteration are before its release, and the next ones go on at once.
// CHECK-LABEL: llvm.func @loop
// CHECK: scf.for
// CHECK-NOT: nvvm.bar
// CHECK: "tile_ptx.load"
// CHECK: nvvm.barrier
// CHECK: "tile_ptx.atomic_rmw"
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
func.func @loop(%x: !tile.ptr<i32> {tile.name = "x"}, %flag: !tile.ptr<i32> {tile.name = "flag"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  scf.for %k = %zero to %n step %one : i32 {
    %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (tensor<128x!tile.ptr<i32>>) -> tensor<128xi32>
    %old = "tile.atomic_rmw"(%flag, %one) {kind = "add"} : (!tile.ptr<i32>, i32) -> i32
  }
  return
}

// Floats have no max: two integer instructions, one for each sign. A scalar's say what was asked
// for, also where nothing follows that an acquire could be seen by.
// CHECK-LABEL: llvm.func @float_min
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sge, %[[BITS]]
// CHECK: %[[A:.*]] = "tile_ptx.atomic_rmw"{{.*}}kind = "min"
// CHECK: %[[B:.*]] = "tile_ptx.atomic_rmw"{{.*}}kind = "umax"
// CHECK: arith.select %[[POSITIVE]], %[[A]], %[[B]]
// SM80-LABEL: .entry float_min
// SM80: atom.global.gpu.acq_rel.min.s32
// SM80: atom.global.gpu.acq_rel.max.u32
func.func @float_min(%x: !tile.ptr<f32> {tile.name = "x"}, %v: f32 {tile.name = "v"}) attributes {tile.kernel} {
  %old = "tile.atomic_rmw"(%x, %v) {kind = "min"} : (!tile.ptr<f32>, f32) -> f32
  return
}

// Two bf16 that lie in one word are added together; sm_80 has no such addition and loops.
// CHECK-LABEL: llvm.func @pairs
// CHECK: "tile_ptx.atomic_rmw"(%{{.*}}) {{.*}} (!llvm.ptr<1>, i1, vector<2xbf16>) -> vector<2xbf16>
// SM80-LABEL: .entry pairs
// SM80: ld.relaxed.gpu.global.b32
// SM80: RETRY:
// SM80: fma.rn.bf16x2
// SM80: atom.relaxed.gpu.global.cas.b32
// SM80: bra RETRY
// SM90-LABEL: .entry pairs
// SM90: atom.global.gpu.relaxed.add.noftz.bf16x2
func.func @pairs(%x: !tile.ptr<bf16> {tile.name = "x", tile.divisibility = 16 : i32}, %y: !tile.ptr<bf16> {tile.name = "y", tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<bf16>) -> tensor<256x!tile.ptr<bf16>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<256x!tile.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<bf16>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<bf16>>) -> tensor<256xbf16>
  %ys = "tile.splat"(%y) : (!tile.ptr<bf16>) -> tensor<256x!tile.ptr<bf16>>
  %yp = "tile.addptr"(%ys, %i) : (tensor<256x!tile.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<bf16>>
  %old = "tile.atomic_rmw"(%yp, %v) {kind = "add", sem = "relaxed"} : (tensor<256x!tile.ptr<bf16>>, tensor<256xbf16>) -> tensor<256xbf16>
  return
}

// Compare and swap, by thread 0, for the program.
// SM80-LABEL: .entry swap
// SM80: atom.global.acquire.sys.cas.b32
// SWAP: p = 9
// SWAP: out = 5
func.func @swap(%p: !tile.ptr<i32> {tile.name = "p"}, %out: !tile.ptr<i32> {tile.name = "out"}) attributes {tile.kernel} {
  %five = arith.constant 5 : i32
  %nine = arith.constant 9 : i32
  %old = "tile.atomic_cas"(%p, %five, %nine) {sem = "acquire", scope = "sys"} : (!tile.ptr<i32>, i32, i32) -> i32
  "tile.store"(%out, %old) : (!tile.ptr<i32>, i32) -> ()
  return
}
