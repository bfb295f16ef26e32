// A barrier that nothing needs is found, and one that is needed is not complained of.
// RUN: not %build/test/mutate %s --kernel k --grid 1 --arg p=i32[128]:poison -v 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t
// CHECK: killed: without nvvm.barrier0 at redundant.mlir:[[#@LINE+25]]:8: {{.*}} shared memory
// ERROR: survivor: k, without nvvm.barrier0 #1 at ""tile.barrier"() : () -> ()": redundant.mlir:[[#@LINE+20]]:3: it orders the threads of the block
// CHECK: k: 2 mutants, 1 killed, 1 survived
// ERROR: error: 1 of the survivors are unknown

// With its reason in a file it may stay.
// RUN: echo 'k, without nvvm.barrier0 #1 at ""tile.barrier"() : () -> ()": to show one' > %t.known
// RUN: %build/test/mutate %s --kernel k --grid 1 --arg p=i32[128]:poison --known %t.known | FileCheck %s --check-prefix=KNOWN
// KNOWN: known survivor: k, without nvvm.barrier0 #1 at ""tile.barrier"

// A reason whose barrier does not survive is out of date.
// RUN: echo 'k, without nvvm.barrier0 #1 at "return": wrong' >> %t.known
// RUN: %build/test/mutate %s --kernel k --grid 1 --arg p=i32[128]:poison --known %t.known | FileCheck %s --check-prefix=STALE
// STALE: no survivor any more: k, without nvvm.barrier0 #1 at "return": wrong

func.func @k(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %pp = "tile.addptr"(%ps, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%pp, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  // The next access is the same thread's.
  "tile.barrier"() : () -> ()
  %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<i32>>) -> tensor<128xi32>

  // The warps' sums meet in shared memory.
  %s = "tile.reduce"(%x) ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    "gpu.yield"(%c) : (i32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128xi32>) -> i32
  %sums = "tile.splat"(%s) : (i32) -> tensor<128xi32>
  "tile.store"(%pp, %sums) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  return
}
