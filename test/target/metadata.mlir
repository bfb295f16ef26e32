// PTX ends with what a launch must know of its kernels, as comments: ptxas passes over them, the runtime
// reads them back (tile/image.h).
// RUN: tile-translate --tile-to-ptx --target sm_80 --num-warps 8 %s | FileCheck %s
// RUN: tile-translate --tile-to-llvmir %s | FileCheck %s --check-prefix=LLVM
// CHECK: .visible .entry named
// CHECK: .visible .entry plain
// CHECK: // tile.metadata 5
// CHECK-NEXT: // tile.section format=ptx target=sm_80 isa=8.0 driver=12000
// CHECK-NEXT: // tile.kernel name=named
// CHECK-NEXT: // tile.argument name=x kind=pointer type=f32 divisibility=16
// CHECK-NEXT: // tile.argument name=a%20name kind=i32 type=i32 divisibility=8
// CHECK-NEXT: // tile.argument name= kind=bf16 type=bf16 divisibility=1
// CHECK-NEXT: // tile.argument name= kind=i1 type=i1 divisibility=1
// CHECK-NEXT: // tile.version section=0 symbol=named warps=8 threads=256 shared=0 programs=1 config=2
// CHECK-NEXT: // tile.constant name=BLOCK value=64
// CHECK-NEXT: // tile.constant name=KIND value='a%20b'
// CHECK-NEXT: // tile.kernel name=plain
// CHECK-NEXT: // tile.argument name=x kind=pointer type=f32 divisibility=1
// CHECK-NEXT: // tile.argument name=stride kind=i32 type=i32 divisibility=1
// CHECK-NEXT: // tile.argument name=y kind=f32 type=f32 divisibility=1
// CHECK-NEXT: // tile.argument name=bias kind=pointer type=f16 divisibility=1
// CHECK-NEXT: // tile.version section=0 symbol=plain warps=8 threads=256 shared=0 programs=1
// CHECK-NEXT: // tile.condition kind=equal argument=1 value=1
// CHECK-NEXT: // tile.condition kind=absent argument=3
// CHECK-NEXT: // tile.end bytes={{[0-9]+}} check={{[0-9A-F]+$}}
// CHECK-NOT: {{.}}
// LLVM-NOT: tile.metadata
func.func @named(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"},
                 %n: i32 {tile.divisibility = 8 : i32, tile.name = "a name"}, %s: bf16, %f: i1)
    attributes {tile.kernel, tile.config = "2", tile.constants = [["BLOCK", "64"], ["KIND", "'a b'"]]} {
  return
}

// Arguments that a front end has made constants remain arguments of the kernel, at their places.
func.func @plain(%x: !tile.ptr<f32> {tile.name = "x"}, %y: f32 {tile.name = "y"})
    attributes {tile.kernel, tile.fixed_arguments = [{position = 1 : i32, name = "stride", type = i32, value = 1 : i64},
                                                     {position = 3 : i32, name = "bias", type = f16, absent}]} {
  return
}
