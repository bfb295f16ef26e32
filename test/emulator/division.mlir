// RUN: tile-run %s --device emulator --grid 1 --arg x=i32[4]:zeros --arg y=i32[4]:zeros --print x --print y | FileCheck %s

// Division by zero and of the least integer by -1 end no process: all ones, and the dividend for a
// remainder, as the device gives.
// CHECK: x = -1 7 -2147483648 0
// CHECK: y = -1 7 -1 7
func.func @kernel(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  // Loaded, so that nothing is folded: 0, then 7, -1 and the least integer from it.
  %zero = "tile.load"(%x) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (!tile.ptr<i32>) -> i32
  %seven0 = arith.constant 7 : i32
  %minus0 = arith.constant -1 : i32
  %least0 = arith.constant -2147483648 : i32
  %seven = arith.addi %zero, %seven0 : i32
  %minus = arith.addi %zero, %minus0 : i32
  %least = arith.addi %zero, %least0 : i32
  %a = arith.divsi %seven, %zero : i32
  %b = arith.remsi %seven, %zero : i32
  %c = arith.divsi %least, %minus : i32
  %d = arith.remsi %least, %minus : i32
  %e = arith.divui %seven, %zero : i32
  %f = arith.remui %seven, %zero : i32
  %x1 = "tile.addptr"(%x, %c1) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %x2 = "tile.addptr"(%x, %c2) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %x3 = "tile.addptr"(%x, %c3) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %y1 = "tile.addptr"(%y, %c1) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %y2 = "tile.addptr"(%y, %c2) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %y3 = "tile.addptr"(%y, %c3) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  "tile.store"(%x, %a) : (!tile.ptr<i32>, i32) -> ()
  "tile.store"(%x1, %b) : (!tile.ptr<i32>, i32) -> ()
  "tile.store"(%x2, %c) : (!tile.ptr<i32>, i32) -> ()
  "tile.store"(%x3, %d) : (!tile.ptr<i32>, i32) -> ()
  "tile.store"(%y, %e) : (!tile.ptr<i32>, i32) -> ()
  "tile.store"(%y1, %f) : (!tile.ptr<i32>, i32) -> ()
  "tile.store"(%y2, %e) : (!tile.ptr<i32>, i32) -> ()
  "tile.store"(%y3, %f) : (!tile.ptr<i32>, i32) -> ()
  return
}
