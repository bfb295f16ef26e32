// RUN: not tile-run %s --device emulator --kernel plain_load --grid 2 --arg x=i32[1]:zeros --arg out=i32[2]:poison --check 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not tile-run %s --device emulator --kernel no_release --grid 2 --arg flag=i32[1]:zeros --arg data=i32[128]:zeros --check 2>&1 | FileCheck %s --check-prefix=RELAXED
// RUN: tile-run %s --device emulator --kernel released --grid 8 --arg flag=i32[1]:zeros --arg data=i32[128]:zeros --check --print data:2 | FileCheck %s --check-prefix=ORDERED
// RUN: not tile-run %s --device emulator --kernel waits --grid 1 --arg flag=i32[1]:zeros 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: not tile-run %s --device emulator --kernel misaligned --grid 1 --arg x=i32[4]:zeros 2>&1 | FileCheck %s --check-prefix=ALIGN

// What the emulator says of atomic operations.

// They do not race with each other; a plain load races with those of another program.
// PLAIN: read-write race at {{.*}}atomics.mlir:{{.*}} of block ({{[01]}}, 0, 0) {{.*}} byte 0 of buffer 'x'
func.func @plain_load(%x: !tile.ptr<i32> {tile.name = "x"}, %out: !tile.ptr<i32> {tile.name = "out"}) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %old = "tile.atomic_rmw"(%x, %one) {kind = "add"} : (!tile.ptr<i32>, i32) -> i32
  %v = "tile.load"(%x) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %p = "tile.addptr"(%out, %pid) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  "tile.store"(%p, %v) : (!tile.ptr<i32>, i32) -> ()
  return
}

// A flag that is set with relaxed semantics does not hand over what was stored before,
// RELAXED: race at {{.*}}buffer 'data'
func.func @no_release(%flag: !tile.ptr<i32> {tile.name = "flag"}, %data: !tile.ptr<i32> {tile.name = "data"}) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1> : tensor<128xi32>
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ds = "tile.splat"(%data) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %dp = "tile.addptr"(%ds, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  %before = "tile.atomic_rmw"(%flag, %one) {kind = "add", sem = "acquire"} : (!tile.ptr<i32>, i32) -> i32
  %v = "tile.load"(%dp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<i32>>) -> tensor<128xi32>
  %w = arith.addi %v, %ones : tensor<128xi32>
  "tile.store"(%dp, %w) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  %after = "tile.atomic_rmw"(%flag, %one) {kind = "add", sem = "relaxed"} : (!tile.ptr<i32>, i32) -> i32
  return
}

// one that is set with a release does, for who waits for it with an acquire.
// ORDERED: data = 8 8
func.func @released(%flag: !tile.ptr<i32> {tile.name = "flag"}, %data: !tile.ptr<i32> {tile.name = "data"}) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1> : tensor<128xi32>
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ds = "tile.splat"(%data) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %dp = "tile.addptr"(%ds, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  %zero = arith.constant 0 : i32
  %last = scf.while (%seen = %one) : (i32) -> i32 {
    %taken = arith.cmpi ne, %seen, %zero : i32
    scf.condition(%taken) %seen : i32
  } do {
  ^bb0(%seen: i32):
    %again = "tile.atomic_cas"(%flag, %zero, %one) {sem = "acquire"} : (!tile.ptr<i32>, i32, i32) -> i32
    scf.yield %again : i32
  }
  %v = "tile.load"(%dp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<i32>>) -> tensor<128xi32>
  %w = arith.addi %v, %ones : tensor<128xi32>
  "tile.store"(%dp, %w) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  %after = "tile.atomic_rmw"(%flag, %zero) {kind = "xchg", sem = "release"} : (!tile.ptr<i32>, i32) -> i32
  return
}

// Waiting for what nobody does never ends.
// WAITS: deadlock at {{.*}}atomics.mlir:[[#@LINE+11]]:14, thread 0 of block (0, 0, 0) waits for byte 0 of buffer 'flag' to change; no other block is left to change it
func.func @waits(%flag: !tile.ptr<i32> {tile.name = "flag"}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %first = "tile.atomic_cas"(%flag, %one, %two) : (!tile.ptr<i32>, i32, i32) -> i32
  %last = scf.while (%seen = %first) : (i32) -> i32 {
    %taken = arith.cmpi ne, %seen, %one : i32
    scf.condition(%taken) %seen : i32
  } do {
  ^bb0(%seen: i32):
    %again = "tile.atomic_cas"(%flag, %one, %two) : (!tile.ptr<i32>, i32, i32) -> i32
    scf.yield %again : i32
  }
  return
}

// Bounds and alignment are those of a store.
// ALIGN: misaligned at {{.*}}atomics.mlir:[[#@LINE+6]]:10, thread 0 of block (0, 0, 0): the store of 8 bytes at address {{.*}} (offset 4 of buffer 'x') needs an alignment of 8 bytes
func.func @misaligned(%x: !tile.ptr<i32> {tile.name = "x"}) attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %wide = arith.constant 1 : i64
  %p = "tile.addptr"(%x, %one) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %q = "tile.bitcast"(%p) : (!tile.ptr<i32>) -> !tile.ptr<i64>
  %old = "tile.atomic_rmw"(%q, %wide) {kind = "add"} : (!tile.ptr<i64>, i64) -> i64
  return
}
