// Histograms of one tile a program; histogram.c has the reference.

// Fewer bins than threads, a mask, values without a bin.
func.func @few_bins(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %size = arith.constant 1024 : i32
  %bins = arith.constant 64 : i32
  %base = arith.muli %pid, %size : i32
  %i = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %px = "tile.addptr"(%x, %base) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %xs = "tile.splat"(%px) : (!tile.ptr<i32>) -> tensor<1024x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<i32>>
  %left = arith.subi %n, %base : i32
  %ns = "tile.splat"(%left) : (i32) -> tensor<1024xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  %v = "tile.load"(%xp, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<i32>>, tensor<1024xi1>) -> tensor<1024xi32>
  %h = "tile.histogram"(%v, %m) : (tensor<1024xi32>, tensor<1024xi1>) -> tensor<64xi32>
  %at = arith.muli %pid, %bins : i32
  %po = "tile.addptr"(%out, %at) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %k = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %os = "tile.splat"(%po) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %op = "tile.addptr"(%os, %k) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  "tile.store"(%op, %h) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> ()
  return
}

// More bins than threads, and a tile smaller than the block: several threads hold an element.
func.func @many_bins(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %size = arith.constant 32 : i32
  %bins = arith.constant 2048 : i32
  %base = arith.muli %pid, %size : i32
  %i = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %px = "tile.addptr"(%x, %base) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %xs = "tile.splat"(%px) : (!tile.ptr<i32>) -> tensor<32x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<32x!tile.ptr<i32>>, tensor<32xi32>) -> tensor<32x!tile.ptr<i32>>
  %left = arith.subi %n, %base : i32
  %ns = "tile.splat"(%left) : (i32) -> tensor<32xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<32xi32>
  %v = "tile.load"(%xp, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<32x!tile.ptr<i32>>, tensor<32xi1>) -> tensor<32xi32>
  %h = "tile.histogram"(%v) : (tensor<32xi32>) -> tensor<2048xi32>
  %at = arith.muli %pid, %bins : i32
  %po = "tile.addptr"(%out, %at) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %k = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %os = "tile.splat"(%po) : (!tile.ptr<i32>) -> tensor<2048x!tile.ptr<i32>>
  %op = "tile.addptr"(%os, %k) : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i32>>
  "tile.store"(%op, %h) : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>) -> ()
  return
}

// Narrow and wide numbers are compared with more bins than they can count to.
func.func @bytes(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %size = arith.constant 512 : i32
  %bins = arith.constant 256 : i32
  %base = arith.muli %pid, %size : i32
  %i = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %px = "tile.addptr"(%x, %base) : (!tile.ptr<i8>, i32) -> !tile.ptr<i8>
  %xs = "tile.splat"(%px) : (!tile.ptr<i8>) -> tensor<512x!tile.ptr<i8>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<512x!tile.ptr<i8>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i8>>
  %left = arith.subi %n, %base : i32
  %ns = "tile.splat"(%left) : (i32) -> tensor<512xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<512xi32>
  %v = "tile.load"(%xp, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<512x!tile.ptr<i8>>, tensor<512xi1>) -> tensor<512xi8>
  %h = "tile.histogram"(%v) : (tensor<512xi8>) -> tensor<256xi32>
  %at = arith.muli %pid, %bins : i32
  %po = "tile.addptr"(%out, %at) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %k = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %os = "tile.splat"(%po) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %op = "tile.addptr"(%os, %k) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  "tile.store"(%op, %h) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> ()
  return
}

func.func @wide(%x: !tile.ptr<i64> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %size = arith.constant 512 : i32
  %bins = arith.constant 16 : i32
  %base = arith.muli %pid, %size : i32
  %i = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %px = "tile.addptr"(%x, %base) : (!tile.ptr<i64>, i32) -> !tile.ptr<i64>
  %xs = "tile.splat"(%px) : (!tile.ptr<i64>) -> tensor<512x!tile.ptr<i64>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<512x!tile.ptr<i64>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i64>>
  %left = arith.subi %n, %base : i32
  %ns = "tile.splat"(%left) : (i32) -> tensor<512xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<512xi32>
  %v = "tile.load"(%xp, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<512x!tile.ptr<i64>>, tensor<512xi1>) -> tensor<512xi64>
  %h = "tile.histogram"(%v, %m) : (tensor<512xi64>, tensor<512xi1>) -> tensor<16xi32>
  %at = arith.muli %pid, %bins : i32
  %po = "tile.addptr"(%out, %at) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %k = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %os = "tile.splat"(%po) : (!tile.ptr<i32>) -> tensor<16x!tile.ptr<i32>>
  %op = "tile.addptr"(%os, %k) : (tensor<16x!tile.ptr<i32>>, tensor<16xi32>) -> tensor<16x!tile.ptr<i32>>
  "tile.store"(%op, %h) : (tensor<16x!tile.ptr<i32>>, tensor<16xi32>) -> ()
  return
}
