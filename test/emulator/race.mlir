// RUN: not tile-run %s --device emulator --grid 2 --arg x=i32[1]:zeros --check 2>&1 | FileCheck %s
// RUN: tile-run %s --device emulator --grid 1 --arg x=i32[1]:zeros --check --print x | FileCheck %s --check-prefix=ONE

// Two programs store to one address: nothing orders them. One program alone is fine, although all of
// its threads hold the scalar.
// CHECK: write-write race at {{.*}}race.mlir:[[#@LINE+7]]:3, thread 0 of block ({{[01]}}, 0, 0) stores to byte 0 of buffer 'x'
// CHECK-SAME: race.mlir:[[#@LINE+6]]:3, thread 0 of block ({{[01]}}, 0, 0)
// ONE: x = 1
func.func @kernel(%x: !tile.ptr<i32>) attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %one = arith.constant 1 : i32
  %v = arith.addi %pid, %one : i32
  "tile.store"(%x, %v) : (!tile.ptr<i32>, i32) -> ()
  return
}
