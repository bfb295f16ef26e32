// RUN: tile-opt --tile-ptx-to-asm %s | FileCheck %s

// One access, one instruction: `other` is tied to the results, so it stands where the predicate is
// false.
// CHECK-LABEL: llvm.func @load
// CHECK: llvm.inline_asm has_side_effects "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"
llvm.func @load(%p: !llvm.ptr<1>, %c: i1, %o: vector<4xf32>) -> vector<4xf32> {
  %v = "tile_ptx.load"(%p, %c, %o) : (!llvm.ptr<1>, i1, vector<4xf32>) -> vector<4xf32>
  llvm.return %v : vector<4xf32>
}

// Widths from one byte to sixteen; 64-bit elements keep 64-bit registers.
// CHECK-LABEL: llvm.func @widths
// CHECK: "@$2 ld.global.b8 $0, [$1];", "=h,l,b"
// CHECK: "@$2 ld.global.b16 $0, [$1];", "=h,l,b"
// CHECK: "@$2 ld.global.b32 $0, [$1];", "=r,l,b"
// CHECK: "@$3 ld.global.v2.b32 {$0, $1}, [$2];", "=r,=r,l,b"
// CHECK: "@$2 ld.global.b64 $0, [$1];", "=l,l,b"
// CHECK: "@$3 ld.global.v2.b64 {$0, $1}, [$2];", "=l,=l,l,b"
// CHECK: "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b"
llvm.func @widths(%p: !llvm.ptr<1>, %c: i1) {
  %0 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> i8
  %1 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> bf16
  %2 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> vector<4xi8>
  %3 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> vector<4xf16>
  %4 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> f64
  %5 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> vector<2xi64>
  %6 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> vector<8xbf16>
  llvm.return
}

// In a loop what a predicate may leave is zero first, so that ptxas can give each iteration other registers; what has
// another value there, or is always loaded, needs no zero.
// CHECK-LABEL: llvm.func @in_loop
// CHECK: "mov.b32 $0, 0; mov.b32 $1, 0; @$3 ld.global.v2.b32 {$0, $1}, [$2];", "=&r,=&r,l,b"
// CHECK: "mov.b16 $0, 0; @$2 ld.global.b8 $0, [$1];", "=&h,l,b"
// CHECK: "ld.global.cg.b32 $0, [$1];", "=r,l"
// CHECK: "@$2 ld.global.b32 $0, [$1];", "=r,l,b,0"
llvm.func @in_loop(%p: !llvm.ptr<1>, %c: i1, %o: f32) {
  %true = llvm.mlir.constant(true) : i1
  %0 = "tile_ptx.load"(%p, %c) {in_loop} : (!llvm.ptr<1>, i1) -> vector<2xf32>
  %1 = "tile_ptx.load"(%p, %c) {in_loop} : (!llvm.ptr<1>, i1) -> i8
  %2 = "tile_ptx.load"(%p, %true) {in_loop, cache = "cg"} : (!llvm.ptr<1>, i1) -> f32
  %3 = "tile_ptx.load"(%p, %c, %o) {in_loop} : (!llvm.ptr<1>, i1, f32) -> f32
  llvm.return
}

// Cache and eviction hints are part of the instruction; a predicate that is always true is dropped.
// CHECK-LABEL: llvm.func @hints
// CHECK: "ld.global.cg.L1::evict_last.b32 $0, [$1];", "=r,l"
// CHECK: "ld.volatile.global.b32 $0, [$1];", "=r,l"
// CHECK: "st.global.cs.b32 [$0], $1;", "l,r"
// CHECK: "@$1 st.global.L1::evict_first.v2.b64 [$0], {$2, $3};", "l,b,l,l"
llvm.func @hints(%p: !llvm.ptr<1>, %c: i1, %v: vector<2xf64>) {
  %true = llvm.mlir.constant(true) : i1
  %0 = "tile_ptx.load"(%p, %true) {cache = "cg", evict = "evict_last"} : (!llvm.ptr<1>, i1) -> f32
  %1 = "tile_ptx.load"(%p, %true) {volatile} : (!llvm.ptr<1>, i1) -> f32
  "tile_ptx.store"(%p, %0, %true) {cache = "cs"} : (!llvm.ptr<1>, f32, i1) -> ()
  "tile_ptx.store"(%p, %v, %c) {evict = "evict_first"} : (!llvm.ptr<1>, vector<2xf64>, i1) -> ()
  llvm.return
}

// Instructions that are a row of ops.def; no memory is touched, so they may be moved.
// CHECK-LABEL: llvm.func @rows
// CHECK: llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"
// CHECK: llvm.inline_asm "lg2.approx.ftz.f32 $0, $1;", "=f,f"
// CHECK: llvm.inline_asm "rsqrt.approx.ftz.f32 $0, $1;", "=f,f"
// CHECK: llvm.inline_asm "tanh.approx.f32 $0, $1;", "=f,f"
llvm.func @rows(%x: f32) {
  %0 = "tile_ptx.ex2_approx"(%x) : (f32) -> f32
  %1 = "tile_ptx.lg2_approx"(%0) : (f32) -> f32
  %2 = "tile_ptx.rsqrt_approx"(%1) : (f32) -> f32
  %3 = "tile_ptx.tanh_approx"(%2) : (f32) -> f32
  llvm.return
}
