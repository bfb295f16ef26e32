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

// -----

llvm.func @atomic_kind(%p: !llvm.ptr<1>, %c: i1, %v: i32) {
  // expected-error @+1 {{tile_ptx.atomic_rmw: kind is add, max, min, umax, umin, and, or, xor or xchg}}
  %0 = "tile_ptx.atomic_rmw"(%p, %c, %v) {kind = "inc", sem = "relaxed", scope = "gpu"} : (!llvm.ptr<1>, i1, i32) -> i32
  llvm.return
}

// -----

llvm.func @atomic_order(%p: !llvm.ptr<1>, %c: i1, %v: i32) {
  // expected-error @+1 {{tile_ptx.atomic_rmw: sem is relaxed, acquire, release or acq_rel; scope is cta, gpu or sys}}
  %0 = "tile_ptx.atomic_rmw"(%p, %c, %v) {kind = "add", sem = "weak", scope = "gpu"} : (!llvm.ptr<1>, i1, i32) -> i32
  llvm.return
}

// -----

llvm.func @atomic_type(%p: !llvm.ptr<1>, %c: i1, %v: f32) {
  // expected-error @+1 {{tile_ptx.atomic_rmw: the value is i32 or i64; of floats there are add and xchg, of 16-bit floats add, max and min, of up to 16 bytes of floats add}}
  %0 = "tile_ptx.atomic_rmw"(%p, %c, %v) {kind = "max", sem = "relaxed", scope = "gpu"} : (!llvm.ptr<1>, i1, f32) -> f32
  llvm.return
}

// -----

llvm.func @cas_type(%p: !llvm.ptr<1>, %c: i1, %v: i8) {
  // expected-error @+1 {{tile_ptx.atomic_cas: the value has 16, 32 or 64 bits}}
  %0 = "tile_ptx.atomic_cas"(%p, %c, %v, %v) {sem = "relaxed", scope = "gpu"} : (!llvm.ptr<1>, i1, i8, i8) -> i8
  llvm.return
}

// -----

llvm.func @cas_order(%p: !llvm.ptr<1>, %c: i1, %v: i32) {
  // expected-error @+1 {{tile_ptx.atomic_cas: sem is relaxed, acquire, release or acq_rel}}
  %0 = "tile_ptx.atomic_cas"(%p, %c, %v, %v) {sem = "relaxed", scope = "world"} : (!llvm.ptr<1>, i1, i32, i32) -> i32
  llvm.return
}
