// Atomic operations as kernels use them; atomics.c has the references.

// Each of the program's 64 elements takes a ticket from one counter: every thread that holds an element
// has the same old value, whatever the number of warps.
func.func @tile_tickets(%counter: !tile.ptr<i32>, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %cs = "tile.splat"(%counter) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %one = arith.constant dense<1> : tensor<64xi32>
  %old = "tile.atomic_rmw"(%cs, %one) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64xi32>
  // The ticket decides where the element's index goes: two holders that disagreed would be seen.
  %os = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %po = "tile.addptr"(%os, %old) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %c64 = arith.constant 64 : i32
  %base = arith.muli %pid, %c64 : i32
  %bases = "tile.splat"(%base) : (i32) -> tensor<64xi32>
  %index = arith.addi %bases, %i : tensor<64xi32>
  "tile.store"(%po, %index) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> ()
  return
}

// One ticket a program, then a tile of stores that all threads address with it.
func.func @scalar_tickets(%counter: !tile.ptr<i32>, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %old = "tile.atomic_rmw"(%counter, %one) {kind = "add"} : (!tile.ptr<i32>, i32) -> i32
  %c256 = arith.constant 256 : i32
  %base = arith.muli %old, %c256 : i32
  %p = "tile.addptr"(%out, %base) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %i = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %pi = "tile.addptr"(%ps, %i) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %pids = "tile.splat"(%pid) : (i32) -> tensor<256xi32>
  "tile.store"(%pi, %pids) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> ()
  return
}

// A scatter with collisions under a mask: a histogram of x modulo 64.
func.func @scatter(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %bins: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %c512 = arith.constant 512 : i32
  %base = arith.muli %pid, %c512 : i32
  %bases = "tile.splat"(%base) : (i32) -> tensor<512xi32>
  %at = arith.addi %bases, %i : tensor<512xi32>
  %ns = "tile.splat"(%n) : (i32) -> tensor<512xi32>
  %m = arith.cmpi slt, %at, %ns : tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<512x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %at) : (tensor<512x!tile.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i32>>
  %v = "tile.load"(%xp, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<512x!tile.ptr<i32>>, tensor<512xi1>) -> tensor<512xi32>
  %c63 = arith.constant dense<63> : tensor<512xi32>
  %bin = arith.andi %v, %c63 : tensor<512xi32>
  %bs = "tile.splat"(%bins) : (!tile.ptr<i32>) -> tensor<512x!tile.ptr<i32>>
  %bp = "tile.addptr"(%bs, %bin) : (tensor<512x!tile.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i32>>
  %one = arith.constant dense<1> : tensor<512xi32>
  %old = "tile.atomic_rmw"(%bp, %one, %m) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<512x!tile.ptr<i32>>, tensor<512xi32>, tensor<512xi1>) -> tensor<512xi32>
  return
}

// A spin lock guards plain loads and stores of a tile: what Triton's layer norm does backwards.
func.func @locked_sum(%lock: !tile.ptr<i32>, %sum: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %c128 = arith.constant 128 : i32
  %base = arith.muli %pid, %c128 : i32
  %px = "tile.addptr"(%x, %base) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%px) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
  %first = "tile.atomic_cas"(%lock, %zero, %one) {sem = "acquire", scope = "gpu"} : (!tile.ptr<i32>, i32, i32) -> i32
  %last = scf.while (%seen = %first) : (i32) -> i32 {
    %taken = arith.cmpi eq, %seen, %one : i32
    scf.condition(%taken) %seen : i32
  } do {
  ^bb0(%seen: i32):
    %again = "tile.atomic_cas"(%lock, %zero, %one) {sem = "acquire", scope = "gpu"} : (!tile.ptr<i32>, i32, i32) -> i32
    scf.yield %again : i32
  }
  %ss = "tile.splat"(%sum) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %sp = "tile.addptr"(%ss, %i) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  %old = "tile.load"(%sp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
  %new = arith.addf %old, %v : tensor<128xf32>
  "tile.store"(%sp, %new) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  %free = "tile.atomic_rmw"(%lock, %zero) {kind = "xchg", sem = "release", scope = "gpu"} : (!tile.ptr<i32>, i32) -> i32
  return
}

// Every program leaves a number; the one that counts last adds them up and resets the counter.
func.func @last_one_sums(%counter: !tile.ptr<i32>, %partial: !tile.ptr<i32>, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %n = "tile.num_programs"() {axis = 0 : i32} : () -> i32
  %square = arith.muli %pid, %pid : i32
  %pp = "tile.addptr"(%partial, %pid) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  "tile.store"(%pp, %square) : (!tile.ptr<i32>, i32) -> ()
  %old = "tile.atomic_rmw"(%counter, %one) {kind = "add", sem = "acq_rel", scope = "gpu"} : (!tile.ptr<i32>, i32) -> i32
  %most = arith.subi %n, %one : i32
  %last = arith.cmpi eq, %old, %most : i32
  scf.if %last {
    %sum = scf.for %k = %zero to %n step %one iter_args(%s = %zero) -> (i32) : i32 {
      %pk = "tile.addptr"(%partial, %k) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
      %v = "tile.load"(%pk) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
      %t = arith.addi %s, %v : i32
      scf.yield %t : i32
    }
    "tile.store"(%out, %sum) : (!tile.ptr<i32>, i32) -> ()
    "tile.store"(%counter, %zero) : (!tile.ptr<i32>, i32) -> ()
  }
  return
}

// Halves and bf16 are added two at a time where they lie in pairs, one at a time elsewhere.
func.func @add_halves(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %odd: !tile.ptr<f16>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f16>) -> tensor<1024x!tile.ptr<f16>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f16>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f16>>) -> tensor<1024xf16>
  %os = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<1024x!tile.ptr<f16>>
  %op = "tile.addptr"(%os, %i) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f16>>
  %old = "tile.atomic_rmw"(%op, %v) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<1024x!tile.ptr<f16>>, tensor<1024xf16>) -> tensor<1024xf16>
  %qs = "tile.splat"(%odd) : (!tile.ptr<f16>) -> tensor<1024x!tile.ptr<f16>>
  %qp = "tile.addptr"(%qs, %i) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f16>>
  %old2 = "tile.atomic_rmw"(%qp, %v) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<1024x!tile.ptr<f16>>, tensor<1024xf16>) -> tensor<1024xf16>
  return
}
func.func @add_brains(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %odd: !tile.ptr<bf16>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<bf16>) -> tensor<1024x!tile.ptr<bf16>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<bf16>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<bf16>>) -> tensor<1024xbf16>
  %os = "tile.splat"(%out) : (!tile.ptr<bf16>) -> tensor<1024x!tile.ptr<bf16>>
  %op = "tile.addptr"(%os, %i) : (tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<bf16>>
  %old = "tile.atomic_rmw"(%op, %v) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<1024x!tile.ptr<bf16>>, tensor<1024xbf16>) -> tensor<1024xbf16>
  %qs = "tile.splat"(%odd) : (!tile.ptr<bf16>) -> tensor<1024x!tile.ptr<bf16>>
  %qp = "tile.addptr"(%qs, %i) : (tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<bf16>>
  %old2 = "tile.atomic_rmw"(%qp, %v) {kind = "add", sem = "relaxed", scope = "gpu"} : (tensor<1024x!tile.ptr<bf16>>, tensor<1024xbf16>) -> tensor<1024xbf16>
  return
}
