// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm --split-input-file %s | FileCheck %s

// A kernel becomes an llvm.func with its block size; program ids are special registers; the range's
// registers are one thread coordinate plus constants; a masked store is predicated.
// CHECK-LABEL: llvm.func @kernel(%arg0: !llvm.ptr<1>, %arg1: i32)
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 128>
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK-COUNT-1: llvm.getelementptr %arg0[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK: "tile_ptx.store"(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr<1>, vector<4xi32>, i1) -> ()
// CHECK: llvm.getelementptr %{{.*}}[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
// CHECK: "tile_ptx.store"
// CHECK-NOT: "tile_ptx.store"
// CHECK: llvm.return
func.func @kernel(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c1024 = arith.constant 1024 : i32
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %start = arith.muli %pid, %c1024 : i32
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %starts = "tile.splat"(%start) : (i32) -> tensor<1024xi32>
  %o = arith.addi %starts, %r : tensor<1024xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<1024xi32>
  %m = arith.cmpi slt, %o, %limit : tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<1024x!tile.ptr<i32>>
  %q = "tile.addptr"(%s, %o) : (tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<i32>>
  "tile.store"(%q, %o, %m) : (tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>, tensor<1024xi1>) -> ()
  return
}

// -----

// Unmasked accesses are plain loads and stores with their alignment.
// CHECK-LABEL: llvm.func @plain
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
func.func @plain(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>) -> tensor<512xf32>
  "tile.store"(%q, %v) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
  return
}

// -----

// A tile of 32 elements on 128 threads: three of four warps hold copies. One of them stores, and not
// before all have loaded. (A quotient may only be computed of what has been loaded.)
// CHECK-LABEL: llvm.func @copies
// CHECK: llvm.load
// CHECK: nvvm.barrier
// CHECK: %[[BITS:.*]] = arith.andi %{{.*}}, %c96_i32
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[BITS]], %c0_i32
// CHECK: "tile_ptx.store"(%{{.*}}, %{{.*}}, %[[FIRST]])
func.func @copies(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<32x!tile.ptr<i32>>
  %q = "tile.addptr"(%s, %r) : (tensor<32x!tile.ptr<i32>>, tensor<32xi32>) -> tensor<32x!tile.ptr<i32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x!tile.ptr<i32>>) -> tensor<32xi32>
  %w = arith.divsi %v, %v : tensor<32xi32>
  "tile.store"(%q, %w) : (tensor<32x!tile.ptr<i32>>, tensor<32xi32>) -> ()
  return
}

// -----

// A scalar is stored by thread 0, after a barrier, because every thread has loaded it.
// CHECK-LABEL: llvm.func @scalar
// CHECK: llvm.load %arg0
// CHECK: nvvm.barrier
// CHECK: arith.andi %{{.*}}, %c127_i32
// CHECK: "tile_ptx.store"(%arg0
func.func @scalar(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %w = arith.addf %v, %v : f32
  "tile.store"(%p, %w) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// Loads by one thread each need no barrier before the store.
// CHECK-LABEL: llvm.func @no_copies
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
func.func @no_copies(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
  "tile.store"(%q, %v) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  return
}

// -----

// A pointer tile that moves by one amount is carried as one pointer, whatever the number of registers.
// CHECK-LABEL: llvm.func @carried_as_base
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!llvm.ptr<1>)
func.func @carried_as_base(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<1024> : tensor<1024xi32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q) -> (tensor<1024x!tile.ptr<f32>>) : i32 {
    "tile.store"(%a, %zero) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
    %b = "tile.addptr"(%a, %step) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
    scf.yield %b : tensor<1024x!tile.ptr<f32>>
  }
  return
}

// -----

// One that spreads is carried register by register: 256 elements on 128 threads are two.
// CHECK-LABEL: llvm.func @carried_in_full
// CHECK: scf.for %{{.*}} -> (!llvm.ptr<1>, !llvm.ptr<1>)
func.func @carried_in_full(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %r = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f32>>
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q) -> (tensor<256x!tile.ptr<f32>>) : i32 {
    "tile.store"(%a, %zero) : (tensor<256x!tile.ptr<f32>>, tensor<256xf32>) -> ()
    %b = "tile.addptr"(%a, %r) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f32>>
    scf.yield %b : tensor<256x!tile.ptr<f32>>
  }
  return
}

// -----

// A vector used along rows and columns changes its layout through shared memory: one of the threads that
// hold an element stores it.
// CHECK-LABEL: llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.func @through_shared
// CHECK-SAME: tile_gpu.shared_bytes = 64 : i32
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: "tile_ptx.store"(%{{.*}}) : (!llvm.ptr<3>, vector<2xi32>, i1) -> ()
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: arith.bitcast %{{.*}} : i32 to f32
func.func @through_shared(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x!tile.ptr<f32>>
  %a = "tile.addptr"(%s, %r) : (tensor<16x!tile.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tile.ptr<f32>>
  %v = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x!tile.ptr<f32>>) -> tensor<16xf32>
  %m = "tile.expand_dims"(%v) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
  %n = "tile.expand_dims"(%v) {axis = 0 : i32} : (tensor<16xf32>) -> tensor<1x16xf32>
  %mb = "tile.broadcast"(%m) : (tensor<16x1xf32>) -> tensor<16x16xf32>
  %nb = "tile.broadcast"(%n) : (tensor<1x16xf32>) -> tensor<16x16xf32>
  %d = arith.subf %mb, %nb : tensor<16x16xf32>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>>
  "tile.store"(%qs, %d) : (tensor<16x16x!tile.ptr<f32>>, tensor<16x16xf32>) -> ()
  return
}

// -----

// exp is 2^(x log2 e) by the hardware's approximation; f16 passes through f32.
// CHECK-LABEL: llvm.func @exponentials
// CHECK: arith.extf
// CHECK: arith.mulf %{{.*}}, %cst : f32
// CHECK: "tile_ptx.ex2_approx"
// CHECK: arith.truncf
func.func @exponentials(%p: !tile.ptr<f16>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<128x!tile.ptr<f16>>
  %q = "tile.addptr"(%s, %r) : (tensor<128x!tile.ptr<f16>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f16>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f16>>) -> tensor<128xf16>
  %e = math.exp %v : tensor<128xf16>
  "tile.store"(%q, %e) : (tensor<128x!tile.ptr<f16>>, tensor<128xf16>) -> ()
  return
}

// -----

// Index values lie in shared memory as i64.
// CHECK-LABEL: llvm.func @index_through_shared
// CHECK: arith.index_cast %{{.*}} : index to i64
// CHECK: "tile_ptx.store"(%{{.*}}) : (!llvm.ptr<3>, vector<2xi64>, i1) -> ()
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i64
// CHECK: arith.index_cast %{{.*}} : i64 to index
func.func @index_through_shared(%p: !tile.ptr<i32>, %q: !tile.ptr<i64>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<16x!tile.ptr<i32>>
  %a = "tile.addptr"(%s, %r) : (tensor<16x!tile.ptr<i32>>, tensor<16xi32>) -> tensor<16x!tile.ptr<i32>>
  %v = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x!tile.ptr<i32>>) -> tensor<16xi32>
  %i = arith.index_cast %v : tensor<16xi32> to tensor<16xindex>
  %m = "tile.expand_dims"(%i) {axis = 1 : i32} : (tensor<16xindex>) -> tensor<16x1xindex>
  %n = "tile.expand_dims"(%i) {axis = 0 : i32} : (tensor<16xindex>) -> tensor<1x16xindex>
  %mb = "tile.broadcast"(%m) : (tensor<16x1xindex>) -> tensor<16x16xindex>
  %nb = "tile.broadcast"(%n) : (tensor<1x16xindex>) -> tensor<16x16xindex>
  %d = arith.subi %mb, %nb : tensor<16x16xindex>
  %w = arith.index_cast %d : tensor<16x16xindex> to tensor<16x16xi64>
  %qs = "tile.splat"(%q) : (!tile.ptr<i64>) -> tensor<16x16x!tile.ptr<i64>>
  "tile.store"(%qs, %w) : (tensor<16x16x!tile.ptr<i64>>, tensor<16x16xi64>) -> ()
  return
}

// -----

// A mask of a multiple of eight is one comparison for the four elements of an access: two in all.
// CHECK-LABEL: llvm.func @one_comparison
// CHECK-COUNT-2: arith.cmpi slt
// CHECK-NOT: arith.cmpi
// CHECK: llvm.return
func.func @one_comparison(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 8 : i32})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %ns = "tile.splat"(%n) : (i32) -> tensor<1024xi32>
  %mask = arith.cmpi slt, %range, %ns : tensor<1024xi32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %one = arith.constant dense<1.0> : tensor<1024xf32>
  %v = arith.select %mask, %one, %zero : tensor<1024xi1>, tensor<1024xf32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %pp = "tile.addptr"(%ps, %range) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%pp, %v) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// Rows that lie anywhere, and columns that are the same in each: columns are added to the pointer once. The sums of pointer
// and rows are left to nobody.
// CHECK-LABEL: llvm.func @rows_and_columns
// CHECK-COUNT-4: llvm.getelementptr %arg0
// CHECK: %[[MOVED:.*]] = llvm.getelementptr %arg0[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK-COUNT-4: llvm.getelementptr %[[MOVED]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK-COUNT-4: llvm.load
func.func @rows_and_columns(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %c = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %re = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %ce = "tile.expand_dims"(%c) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %s = "tile.splat"(%stride) : (i32) -> tensor<64x1xi32>
  %rows = arith.muli %re, %s : tensor<64x1xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x1x!tile.ptr<f32>>
  %first = "tile.addptr"(%ps, %rows) : (tensor<64x1x!tile.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tile.ptr<f32>>
  %wide = "tile.broadcast"(%first) : (tensor<64x1x!tile.ptr<f32>>) -> tensor<64x32x!tile.ptr<f32>>
  %columns = "tile.broadcast"(%ce) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %q = "tile.addptr"(%wide, %columns) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f32>>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f32>>) -> tensor<64x32xf32>
  %y = arith.addf %x, %x : tensor<64x32xf32>
  "tile.store"(%q, %y) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xf32>) -> ()
  return
}

// Where the rows' pointers are used themselves, as before a loop in stages, the next ones are formed from them: no more additions, and
// none of them needs a multiplication again.
// CHECK-LABEL: llvm.func @rows_moved
// CHECK: %[[ROW:.*]] = llvm.getelementptr %arg0
// CHECK-COUNT-3: llvm.getelementptr %arg0
// CHECK: llvm.getelementptr %[[ROW]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK-NOT: llvm.getelementptr %arg0
// CHECK: llvm.return
func.func @rows_moved(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %c = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %re = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %ce = "tile.expand_dims"(%c) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %s = "tile.splat"(%stride) : (i32) -> tensor<64x1xi32>
  %rows = arith.muli %re, %s : tensor<64x1xi32>
  %wide = "tile.broadcast"(%rows) : (tensor<64x1xi32>) -> tensor<64x32xi32>
  %columns = "tile.broadcast"(%ce) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %offsets = arith.addi %wide, %columns : tensor<64x32xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x32x!tile.ptr<f32>>
  %q = "tile.addptr"(%ps, %offsets) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f32>>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f32>>) -> tensor<64x32xf32>
  %step = "tile.splat"(%stride) : (i32) -> tensor<64x32xi32>
  %next = "tile.addptr"(%q, %step) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f32>>
  %y = "tile.load"(%next) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f32>>) -> tensor<64x32xf32>
  %t = arith.addf %x, %y : tensor<64x32xf32>
  "tile.store"(%q, %t) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xf32>) -> ()
  return
}

// -----

// The four registers of a vector have one address, of which a masked load is one, too.
// CHECK-LABEL: llvm.func @equal_addresses
// CHECK-COUNT-2: "tile_ptx.load"
// CHECK-NOT: "tile_ptx.load"
// CHECK: llvm.return
func.func @equal_addresses(%p: !tile.ptr<f32>, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: i1) attributes {tile.kernel} {
  %eight = arith.constant dense<8> : tensor<1024xi32>
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %k = arith.divui %r, %eight : tensor<1024xi32>
  %m = "tile.splat"(%c) : (i1) -> tensor<1024xi1>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %k) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%q, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
  %t = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %o = "tile.addptr"(%t, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%o, %v) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// -----

// Each access that is volatile takes place.
// CHECK-LABEL: llvm.func @equal_addresses_volatile
// CHECK-COUNT-8: "tile_ptx.load"
// CHECK-NOT: "tile_ptx.load"
// CHECK: llvm.return
func.func @equal_addresses_volatile(%p: !tile.ptr<f32>, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: i1) attributes {tile.kernel} {
  %eight = arith.constant dense<8> : tensor<1024xi32>
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %k = arith.divui %r, %eight : tensor<1024xi32>
  %m = "tile.splat"(%c) : (i1) -> tensor<1024xi1>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %k) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%q, %m) {operandSegmentSizes = array<i32: 1, 1, 0>, volatile} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
  %t = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %o = "tile.addptr"(%t, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%o, %v) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// -----

// A load that a mask may leave out, in a loop: the code generator is told.
// CHECK-LABEL: llvm.func @in_loop
// CHECK: "tile_ptx.load"(%{{.*}}, %{{.*}}) : (
// CHECK: scf.for
// CHECK: "tile_ptx.load"(%{{.*}}, %{{.*}}) {in_loop} : (
func.func @in_loop(%p: !tile.ptr<f32>, %c: i1, %n: i32) -> () attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = "tile.load"(%p, %c) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, i1) -> f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) : i32 {
    %q = "tile.addptr"(%p, %i) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %y = "tile.load"(%q, %c) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, i1) -> f32
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  "tile.store"(%p, %sum) : (!tile.ptr<f32>, f32) -> ()
  return
}
