// PTX ends with what a launch must know of its kernels, as comments: ptxas passes over them, the runtime
// reads them back (tile/image.h).
// RUN: tile-translate --tile-to-ptx --target sm_80 --num-warps 8 %s | FileCheck %s
// RUN: tile-translate --tile-to-llvmir %s | FileCheck %s --check-prefix=LLVM
// CHECK: .visible .entry named
// CHECK: .visible .entry plain
// CHECK: // tile.metadata 4
// CHECK-NEXT: // tile.kernel name=named target=sm_80 isa=8.0 driver=12000 warps=8 threads=256 shared=0 programs=1
// CHECK-NEXT: // tile.argument name=x kind=pointer type=f32 divisibility=16
// CHECK-NEXT: // tile.argument name=a%20name kind=i32 type=i32 divisibility=8
// CHECK-NEXT: // tile.argument name= kind=bf16 type=bf16 divisibility=1
// CHECK-NEXT: // tile.argument name= kind=i1 type=i1 divisibility=1
// CHECK-NEXT: // tile.kernel name=plain target=sm_80 isa=8.0 driver=12000 warps=8 threads=256 shared=0 programs=1
// CHECK-NEXT: // tile.end bytes={{[0-9]+}} check={{[0-9A-F]+$}}
// CHECK-NOT: {{.}}
// LLVM-NOT: tile.metadata
func.func @named(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"},
                 %n: i32 {tile.divisibility = 8 : i32, tile.name = "a name"}, %s: bf16, %f: i1) attributes {tile.kernel} {
  return
}
func.func @plain() attributes {tile.kernel} {
  return
}
