// Kernels in lowered form with a version that takes a tensor map: what the metadata say of it, with the numbers of all of the
// kernel's parameters; and which version the emulator's launch takes.
// RUN: tile-translate --tile-to-ptx %s -o %t.ptx && FileCheck %s --input-file %t.ptx
// RUN: tile-translate --tile-to-emulator %s -o %t.emulator && tile-image list %t.emulator | FileCheck %s --check-prefix=LIST
// RUN: tile-image verify %t.ptx %t.emulator
// RUN: tile-image list --json %t.ptx | FileCheck %s --check-prefix=JSON
// RUN: tile-run %s --device emulator --grid 1 --arg x=i32[16]:zeros --arg one=i32:1 --arg n=i32:16 --arg s=i64:64 --print x:1 | FileCheck %s --check-prefix=MAP
// RUN: tile-run %s --device emulator --grid 1 --arg x=i32[16]:zeros --arg one=i32:1 --arg n=i32:16 --arg s=i64:72 --print x:1 | FileCheck %s --check-prefix=PLAIN
// RUN: tile-run %s --device emulator --grid 1 --arg x=i32[16]:zeros --arg one=i32:1 --arg n=i32:0 --arg s=i64:64 --print x:1 | FileCheck %s --check-prefix=PLAIN
// MAP: x = 2
// PLAIN: x = 1

// CHECK: .visible .entry k$tma(
// CHECK: .visible .entry k(
// CHECK: // tile.kernel name=k
// CHECK-NEXT: // tile.argument name=x kind=pointer type=i32
// CHECK-NEXT: // tile.argument name=one kind=i32
// CHECK-NEXT: // tile.argument name=n kind=i32
// CHECK-NEXT: // tile.argument name=s kind=i64
// CHECK-NEXT: // tile.version section=0 symbol=k$tma
// CHECK-NEXT: // tile.condition kind=equal argument=1 value=1
// CHECK-NEXT: // tile.map base=0 type=i32 sizes=1*2,3 strides=1*3 box=4,8 swizzle=0 narrow=0 outside=zero
// CHECK-NEXT: // tile.version section=0 symbol=k warps=1
// CHECK-NEXT: // tile.condition kind=equal argument=1 value=1
// CHECK-NEXT: // tile.end

// LIST: version 0: {{.*}} symbol k$tma
// LIST-NEXT: when one = 1
// LIST-NEXT: {{^}}    tensor map of x: i32, n x 3, strides of s bytes, boxes of 4 x 8{{$}}
// LIST-NEXT: version 1:
// LIST-NOT: tensor map

// JSON: "conditions": [{"kind": "equal", "argument": 1, "value": 1}], "maps": [{"base": 0, "type": "i32", "sizes": {{\[\[}}1, 2], [3]], "strides": {{\[\[}}1, 3]], "box": [4, 8], "swizzle": 0, "nan": false, "stores": false}]}
// JSON-SAME: "maps": []}
module attributes {tile_gpu.num_warps = 1 : i32} {
llvm.func @k$tma(%x: !llvm.ptr<1>, %n: i32, %s: i64, %map: i64) attributes {nvvm.kernel, tile_gpu.tensor_maps_of = "k",
    tile_gpu.tensor_maps = [{base = 0 : i32, type = i32, sizes = [array<i64: 1, 1>, array<i64: 3>], strides = [array<i64: 1, 2>],
                             box = array<i32: 4, 8>, swizzle = 0 : i32}]} {
  %two = llvm.mlir.constant(2 : i32) : i32
  llvm.store %two, %x : i32, !llvm.ptr<1>
  llvm.return
}
llvm.func @k(%x: !llvm.ptr<1> {tile.name = "x", tile.pointee = i32}, %n: i32 {tile.name = "n"}, %s: i64 {tile.name = "s"})
    attributes {nvvm.kernel, tile.kernel, tile.fixed_arguments = [{position = 1 : i32, name = "one", type = i32, value = 1 : i64}]} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %x : i32, !llvm.ptr<1>
  llvm.return
}
}
