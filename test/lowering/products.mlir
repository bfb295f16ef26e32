// RUN: tile-opt --tile-to-tile-gpu --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX

// Words of 32 bits: one wide multiplication, which LLVM does not see through.
// CHECK-LABEL: llvm.func @words
// CHECK: tile_ptx.mul_wide_u32
// CHECK: tile_ptx.mul_wide_s32
// PTX-LABEL: .entry words
// PTX: mul.wide.u32
// PTX: mul.wide.s32
// PTX-NOT: mul.lo.s64 {{.*}}, 3528531795
// PTX: ret;
func.func @words(%p: !tile.ptr<i32>, %a: i32) attributes {tile.kernel} {
  %c = arith.constant 3528531795 : i32
  %low, %high = arith.mului_extended %a, %c : i32
  %x = arith.xori %low, %high : i32
  %l, %h = arith.mulsi_extended %x, %a : i32
  %y = arith.xori %l, %h : i32
  "tile.store"(%p, %y) : (!tile.ptr<i32>, i32) -> ()
  return
}

// 64 bits are LLVM's.
// PTX-LABEL: .entry long_words
// PTX: mul.hi.u64
func.func @long_words(%p: !tile.ptr<i64>, %a: i64, %b: i64) attributes {tile.kernel} {
  %low, %high = arith.mului_extended %a, %b : i64
  %x = arith.xori %low, %high : i64
  "tile.store"(%p, %x) : (!tile.ptr<i64>, i64) -> ()
  return
}
