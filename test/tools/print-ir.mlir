// RUN: tile-opt --cse --canonicalize --mlir-print-ir-before=cse %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: tile-opt --cse --canonicalize --mlir-print-ir-after=canonicalize %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: tile-opt --cse --tile-cleanup --mlir-print-ir-before-all --mlir-print-ir-after-all %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: tile-translate --tile-to-ptx --mlir-print-ir-after-all %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TRANSLATE
// RUN: tile-opt --cse --tile-cleanup --mlir-timing %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: tile-opt --mlir-print-debuginfo %s | FileCheck %s --check-prefix=PLACES
// RUN: tile-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// What a pass got and what it left, on standard error.
// BEFORE: // -----// IR Dump Before cse //----- //
// BEFORE: arith.addi
// BEFORE: arith.addi
// BEFORE-NOT: IR Dump

// AFTER-NOT: IR Dump Before
// AFTER: // -----// IR Dump After canonicalize //----- //
// AFTER-COUNT-1: arith.addi
// AFTER-NOT: arith.addi

// ALL: IR Dump Before cse
// ALL: IR Dump After cse
// ALL: IR Dump Before tile-cleanup
// ALL: IR Dump After tile-cleanup

// TRANSLATE: IR Dump After tile-inline
// TRANSLATE: IR Dump After tile-assign-layouts
// TRANSLATE: IR Dump After convert-tile-gpu-to-nvvm
// TRANSLATE: IR Dump After tile-ptx-to-asm

// TIMING: Execution time report
// TIMING-DAG: tile-cleanup
// TIMING-DAG: CSE
// TIMING: Total

// PLACES: loc("{{.*}}print-ir.mlir":{{[0-9]+}}:{{[0-9]+}})
// GENERIC: "func.func"()
func.func @f(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  %2 = arith.muli %0, %1 : i32
  "tile.store"(%p, %2) : (!tile.ptr<i32>, i32) -> ()
  return
}
