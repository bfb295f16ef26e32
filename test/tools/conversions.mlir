// RUN: tile-opt --convert-scf-to-cf --convert-math-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm --convert-ub-to-llvm --reconcile-unrealized-casts %s | FileCheck %s
// RUN: tile-opt --convert-arith-to-llvm --mlir-timing %s 2>&1 | FileCheck %s --check-prefix=OURS
// RUN: tile-opt --pass-pipeline='builtin.module(convert-arith-to-llvm{index-bitwidth=32})' --mlir-timing %s 2>&1 | FileCheck %s --check-prefix=UPSTREAMS

// Conversions of upstream are begun by a pass of ours, where the module has an operation of theirs,
// be it inside others; with options they are upstream's from the beginning.
// OURS: convert-arith-to-llvm
// UPSTREAMS: ArithToLLVMConversionPass

// CHECK-LABEL: llvm.func @all
// CHECK-NOT: {{(scf|math|arith|cf|ub)\.|unrealized}}
// CHECK: llvm.intr.exp2
// CHECK: llvm.return
llvm.func @all(%n: i32, %x: f32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %poison = ub.poison : f32
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %poison) -> (f32) : i32 {
    %e = math.exp2 %x : f32
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  %wide = arith.extui %n : i32 to i64
  %cast = builtin.unrealized_conversion_cast %wide : i64 to index
  %back = builtin.unrealized_conversion_cast %cast : index to i64
  %is = arith.cmpi eq, %back, %wide : i64
  cf.cond_br %is, ^first(%sum : f32), ^second(%sum : f32)
^first(%a: f32):
  llvm.return %a : f32
^second(%b: f32):
  cf.br ^first(%b : f32)
}
