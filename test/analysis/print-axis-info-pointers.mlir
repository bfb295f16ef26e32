// RUN: tile-opt --tile-print-axis-info --split-input-file --verify-diagnostics %s

// Pointers: contiguity counts elements, divisibility bytes. An access along a dimension may take
// min(contiguity, divisibility / bytes of an element) elements.

// The kernel of every introduction: offsets pid * 64 + range, from an aligned pointer.
func.func @vector(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{divisibility = [1]}}
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  // expected-remark @+1 {{constant = 64}}
  %block = arith.constant 64 : i32
  // expected-remark @+1 {{divisibility = [64]}}
  %start = arith.muli %pid, %block : i32
  // expected-remark @+1 {{divisibility = [64]}}
  %s = "tile.splat"(%start) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [64]}}
  %i = arith.addi %s, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [64], constant = none}}
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1], constant = none}}
  %pi = "tile.addptr"(%ps, %i) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  func.return
}

// -----

// Offsets count elements: a multiple of 4 is a multiple of 8 bytes for f16. Scalars work the same.
func.func @scalar(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i64 {tile.divisibility = 4 : i32}) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [1], constant = none}}
  %q = "tile.addptr"(%p, %n) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
  func.return
}

// -----

// A row stride that is a multiple of 8 keeps rows aligned; the range along a row is contiguous.
func.func @matrix(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 8 : i32}) {
  // expected-remark @+1 {{contiguity = [32]}}
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  // expected-remark @+1 {{contiguity = [32, 1]}}
  %rows = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  // expected-remark @+1 {{divisibility = [8, 8]}}
  %s = "tile.splat"(%stride) : (i32) -> tensor<32x1xi32>
  // expected-remark @+1 {{contiguity = [1, 1], divisibility = [8, 8], constancy = [1, 1], constant = none}}
  %offsets = arith.muli %rows, %s : tensor<32x1xi32>
  // expected-remark @+1 {{divisibility = [16, 16], constancy = [32, 1]}}
  %ps = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<32x1x!tile.ptr<f16>>
  // expected-remark @+1 {{contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 1], constant = none}}
  %pr = "tile.addptr"(%ps, %offsets) : (tensor<32x1x!tile.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tile.ptr<f16>>
  // expected-remark @+1 {{constancy = [1, 32]}}
  %pb = "tile.broadcast"(%pr) : (tensor<32x1x!tile.ptr<f16>>) -> tensor<32x32x!tile.ptr<f16>>
  // expected-remark @+1 {{contiguity = [1, 32]}}
  %columns = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  // expected-remark @+1 {{contiguity = [1, 32], divisibility = [1, 1073741824], constancy = [32, 1], constant = none}}
  %cb = "tile.broadcast"(%columns) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  // expected-remark @+1 {{contiguity = [1, 32], divisibility = [2, 16], constancy = [1, 1], constant = none}}
  %pm = "tile.addptr"(%pb, %cb) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
  func.return
}

// -----

// Elements of another size are not neighbours any more; the addresses keep their common divisor.
func.func @casts(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{divisibility = [16]}}
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %a = "tile.addptr"(%ps, %r) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %b = "tile.bitcast"(%a) : (tensor<64x!tile.ptr<f32>>) -> tensor<64x!tile.ptr<i32>>
  // expected-remark @+1 {{contiguity = [1], divisibility = [4]}}
  %c = "tile.bitcast"(%a) : (tensor<64x!tile.ptr<f32>>) -> tensor<64x!tile.ptr<i16>>
  // expected-remark @+1 {{contiguity = [1], divisibility = [4]}}
  %d = "tile.ptr_to_int"(%a) : (tensor<64x!tile.ptr<f32>>) -> tensor<64xi64>
  // expected-remark @+1 {{contiguity = [1], divisibility = [4]}}
  %e = "tile.int_to_ptr"(%d) : (tensor<64xi64>) -> tensor<64x!tile.ptr<f32>>
  func.return
}

// -----

// Loads of equal addresses under equal masks are equal, unless they are volatile.
func.func @loads(%p: !tile.ptr<i32>, %m: i1) {
  // expected-remark @+1 {{constancy = [64]}}
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [64], constant = none}}
  %a = "tile.load"(%ps) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x!tile.ptr<i32>>) -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [1]}}
  %b = "tile.load"(%ps) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (tensor<64x!tile.ptr<i32>>) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constant = 8}}
  %eight = arith.constant dense<8> : tensor<64xi32>
  // expected-remark @+1 {{constancy = [8]}}
  %mask = arith.cmpi slt, %r, %eight : tensor<64xi32>
  // expected-remark @+1 {{constancy = [8]}}
  %c = "tile.load"(%ps, %mask, %eight) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<64x!tile.ptr<i32>>, tensor<64xi1>, tensor<64xi32>) -> tensor<64xi32>
  func.return
}

// -----

// Layouts hold tensors, they do not change them.
#a = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#b = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
func.func @layouts() {
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %r = "tile.range"() {start = 16 : i32, end = 80 : i32} : () -> tensor<64xi32, #a>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %c = "tile_gpu.convert_layout"(%r) : (tensor<64xi32, #a>) -> tensor<64xi32, #b>
  func.return
}
