// RUN: tile-run %s --grid 1 --arg x=fp32:-0.0 --arg y=fp32:0 --arg out=fp32[128]:poison --print out:1 | FileCheck %s

// maxnumf knows that +0 is larger than -0, whichever comes first, as the device's max does.
// CHECK: out = 0 ...
func.func @larger_zero(%x: f32, %y: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
  %a = arith.maxnumf %x, %y : f32
  %b = arith.maxnumf %y, %x : f32
  %one = arith.constant 1.0 : f32
  %ia = arith.divf %one, %a : f32
  %ib = arith.divf %one, %b : f32
  %same = arith.cmpf oeq, %ia, %ib : f32
  %infinity = arith.constant 0x7F800000 : f32
  %positive = arith.cmpf oeq, %ia, %infinity : f32
  %both = arith.andi %same, %positive : i1
  %minus = arith.constant -1.0 : f32
  %zero = arith.constant 0.0 : f32
  %r = arith.select %both, %zero, %minus : f32
  %range = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %range) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  %rs = "tile.splat"(%r) : (f32) -> tensor<128xf32>
  "tile.store"(%q, %rs) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  return
}
