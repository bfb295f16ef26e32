// Why a load is started ahead, how, and by how much; or why it stays.
// RUN: tile-opt --tile-gpu-print-schedule --verify-only --verify-diagnostics %s

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>

module attributes {tile_gpu.num_warps = 4 : i32} {

// Four words a thread are carried in registers.
func.func @small(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<512xf32, #l>
  %block = arith.constant dense<512> : tensor<512xi32, #l>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %at = %ps) -> (tensor<512xf32, #l>, tensor<512x!tile.ptr<f32>, #l>) : i32 {
    // expected-remark @+1 {{stage 0, 1 ahead in registers: 4 words a thread}}
    %x = "tile.load"(%at) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    %t = arith.addf %s, %x : tensor<512xf32, #l>
    %next = "tile.addptr"(%at, %block) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    scf.yield %t, %next : tensor<512xf32, #l>, tensor<512x!tile.ptr<f32>, #l>
  } {tile.num_stages = 12 : i32}
  "tile.store"(%ps, %sum#0) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> ()
  return
}

// The address comes from a load, which itself may be ahead.
func.func @indirect(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<i32>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #l>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<512x!tile.ptr<i32>, #l>
  %qs = "tile.splat"(%q) : (!tile.ptr<i32>) -> tensor<512x!tile.ptr<i32>, #l>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %r) -> (tensor<512xi32, #l>) : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<512xi32, #l>
    %a = "tile.addptr"(%ps, %is) : (tensor<512x!tile.ptr<i32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<i32>, #l>
    // expected-remark @+1 {{stage 0, 1 ahead in registers: 4 words a thread}}
    %x = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i32>, #l>) -> tensor<512xi32, #l>
    %b = "tile.addptr"(%qs, %x) : (tensor<512x!tile.ptr<i32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<i32>, #l>
    // expected-remark @+1 {{stays in its iteration: its address or mask depends on a load or on other work of the loop}}
    %y = "tile.load"(%b) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i32>, #l>) -> tensor<512xi32, #l>
    %t = arith.addi %s, %y : tensor<512xi32, #l>
    scf.yield %t : tensor<512xi32, #l>
  } {tile.num_stages = 3 : i32}
  "tile.store"(%qs, %sum) : (tensor<512x!tile.ptr<i32>, #l>, tensor<512xi32, #l>) -> ()
  return
}

// In place: an earlier iteration's store may be what this one loads.
func.func @in_place(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #l>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<512xi32, #l>
    %a = "tile.addptr"(%ps, %is) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    // expected-remark @+1 {{stays in its iteration: the loop stores through the same argument, or through one that is not known}}
    %x = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    %b = "tile.addptr"(%ps, %r) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    "tile.store"(%b, %x) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> ()
  } {tile.num_stages = 3 : i32}
  return
}

// 64 words are too many registers; two bytes are too few for a copy, since nothing is known of the alignment.
func.func @narrow(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 8192 : i32} : () -> tensor<8192xi32, #l>
  %ps = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<8192x!tile.ptr<f16>, #l>
  %qs = "tile.splat"(%q) : (!tile.ptr<f16>) -> tensor<8192x!tile.ptr<f16>, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<8192xi32, #l>
    %o = arith.addi %is, %r : tensor<8192xi32, #l>
    %a = "tile.addptr"(%ps, %o) : (tensor<8192x!tile.ptr<f16>, #l>, tensor<8192xi32, #l>) -> tensor<8192x!tile.ptr<f16>, #l>
    // expected-remark @+1 {{stays in its iteration: it is too large for registers and too narrow for asynchronous copies}}
    %x = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8192x!tile.ptr<f16>, #l>) -> tensor<8192xf16, #l>
    %b = "tile.addptr"(%qs, %o) : (tensor<8192x!tile.ptr<f16>, #l>, tensor<8192xi32, #l>) -> tensor<8192x!tile.ptr<f16>, #l>
    "tile.store"(%b, %x) : (tensor<8192x!tile.ptr<f16>, #l>, tensor<8192xf16, #l>) -> ()
  } {tile.num_stages = 2 : i32}
  return
}

// 64 KiB a tile: of five stages three fit.
func.func @large(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32>, %stride: i32 {tile.divisibility = 16 : i32}, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 16384 : i32} : () -> tensor<16384xi32, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %stride : i32
    %pr = "tile.addptr"(%p, %row) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %ps = "tile.splat"(%pr) : (!tile.ptr<f32>) -> tensor<16384x!tile.ptr<f32>, #l>
    %a = "tile.addptr"(%ps, %r) : (tensor<16384x!tile.ptr<f32>, #l>, tensor<16384xi32, #l>) -> tensor<16384x!tile.ptr<f32>, #l>
    // expected-remark @+1 {{stage 0, 2 ahead by asynchronous copy: 3 buffers of 65536 bytes; read in stage 2, after a wait that leaves 1 in flight}}
    %x = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16384x!tile.ptr<f32>, #l>) -> tensor<16384xf32, #l>
    %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<16384x!tile.ptr<f32>, #l>
    %b = "tile.addptr"(%qs, %r) : (tensor<16384x!tile.ptr<f32>, #l>, tensor<16384xi32, #l>) -> tensor<16384x!tile.ptr<f32>, #l>
    "tile.store"(%b, %x) : (tensor<16384x!tile.ptr<f32>, #l>, tensor<16384xf32, #l>) -> ()
  } {tile.num_stages = 5 : i32}
  return
}

// Other programs may act on what the barrier or the atomic operation shows them.
func.func @synchronises(%p: !tile.ptr<f32>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  // expected-remark @+1 {{not pipelined: the loop has an atomic operation, a barrier or assembly with effects}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = "tile.load"(%ps) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    "tile.barrier"() : () -> ()
    "tile.store"(%ps, %x) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> ()
  } {tile.num_stages = 3 : i32}
  return
}

// A relaxed one orders nothing, and to loads it is a store.
func.func @adds(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<512xi32, #l>
    %o = arith.addi %is, %r : tensor<512xi32, #l>
    %a = "tile.addptr"(%ps, %o) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    // expected-remark @+1 {{stage 0, 1 ahead in registers: 4 words a thread}}
    %x = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    %old = "tile.atomic_rmw"(%qs, %x) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> tensor<512xf32, #l>
  } {tile.num_stages = 3 : i32}
  return
}

// Where the loop loads it keeps its place.
func.func @adds_there(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #l>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<512xi32, #l>
    %o = arith.addi %is, %r : tensor<512xi32, #l>
    %a = "tile.addptr"(%ps, %o) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    // expected-remark @+1 {{stays in its iteration: the loop stores through the same argument, or through one that is not known}}
    %x = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    %old = "tile.atomic_rmw"(%ps, %x) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> tensor<512xf32, #l>
  } {tile.num_stages = 3 : i32}
  return
}

// One that acquires shows what others have stored before.
func.func @orders(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #l>
  // expected-remark @+1 {{not pipelined: the loop has an atomic operation, a barrier or assembly with effects}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<512xi32, #l>
    %o = arith.addi %is, %r : tensor<512xi32, #l>
    %a = "tile.addptr"(%ps, %o) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    %x = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    %old = "tile.atomic_rmw"(%qs, %x) {kind = "add", sem = "acq_rel", scope = "gpu"} : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> tensor<512xf32, #l>
  } {tile.num_stages = 3 : i32}
  return
}

// So may one whose old element the program looks at.
func.func @asks(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #l>
  // expected-remark @+1 {{not pipelined: the loop has an atomic operation, a barrier or assembly with effects}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<512xi32, #l>
    %o = arith.addi %is, %r : tensor<512xi32, #l>
    %a = "tile.addptr"(%ps, %o) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    %x = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    %old = "tile.atomic_rmw"(%qs, %x) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> tensor<512xf32, #l>
    "tile.store"(%qs, %old) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> ()
  } {tile.num_stages = 3 : i32}
  return
}
}
