// RUN: tile-opt --tile-verify-lowered --split-input-file --verify-diagnostics %s

// What LLVM's code generator would end the process over is refused here, with a place.

llvm.func @exp(%x: f32) -> f32 {
  // expected-error @+1 {{llvm.intr.exp: the code generator cannot select this intrinsic}}
  %0 = llvm.intr.exp(%x) : (f32) -> f32
  llvm.return %0 : f32
}

// -----

llvm.func @pow(%x: f64) -> f64 {
  // expected-error @+1 {{llvm.intr.pow: the code generator cannot select this intrinsic}}
  %0 = llvm.intr.pow(%x, %x) : (f64, f64) -> f64
  llvm.return %0 : f64
}

// -----

llvm.func @wide_float(%x: f64) {
  // expected-error @+1 {{llvm.fpext: type f128 has no machine form}}
  %0 = llvm.fpext %x : f64 to f128
  llvm.return
}

// -----

llvm.func @odd_integer(%x: i64) {
  // expected-error @+1 {{llvm.trunc: type i7 has no machine form}}
  %0 = llvm.trunc %x : i64 to i7
  llvm.return
}

// -----

llvm.func @left_over(%x: i32) {
  // expected-error @+1 {{arith.addi: the operation is still there after lowering to llvm; it has no lowering to PTX}}
  %0 = arith.addi %x, %x : i32
  llvm.return
}

// -----

// expected-error @+1 {{func.func: the operation is still there after lowering to llvm}}
func.func @function() {
  return
}

// -----

llvm.func @access_of_three_words(%p: !llvm.ptr<1>, %c: i1) {
  // expected-error @+1 {{tile_ptx.load: an access is 1, 2, 4, 8 or 16 bytes wide}}
  %0 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> vector<3xf32>
  llvm.return
}

// -----

llvm.func @access_of_128_bytes(%p: !llvm.ptr<1>, %c: i1, %v: vector<16xf64>) {
  // expected-error @+1 {{tile_ptx.store: an access is 1, 2, 4, 8 or 16 bytes wide}}
  "tile_ptx.store"(%p, %v, %c) : (!llvm.ptr<1>, vector<16xf64>, i1) -> ()
  llvm.return
}

// -----

llvm.func @access_of_a_struct(%p: !llvm.ptr<1>, %c: i1) {
  // expected-error @+1 {{tile_ptx.load: an access is 1, 2, 4, 8 or 16 bytes wide}}
  %0 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> !llvm.struct<(f32)>
  llvm.return
}

// -----

llvm.func @access_of_many_elements(%p: !llvm.ptr<1>, %c: i1) {
  // expected-error @+1 {{tile_ptx.load: an access is 1, 2, 4, 8 or 16 bytes wide}}
  %0 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> vector<4294967297xi8>
  llvm.return
}
