// Accumulators that are rounded and go into a buffer for the next product: by stmatrix where eight elements of a row lie beside each
// other there, as registers have them where they do not, or where the machine has none.
// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: sed 's/tile_gpu.num_warps = 4/tile_gpu.target = "sm_80", &/' %s | tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm - | FileCheck %s --check-prefix=OLDER

#m = #tile_gpu.mma<{instr_shape = [64, 64], version = 3 : i64, warps_per_cta = [4, 1]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
#t = #tile_gpu.nvmma<{swizzle = 128, transposed = true, element_bits = 16}>

module attributes {tile_gpu.num_warps = 4 : i32} {

// CHECK-LABEL: llvm.func @rows
// CHECK-COUNT-4: "tile_ptx.stmatrix"
// CHECK-NOT: stmatrix
// CHECK-LABEL: llvm.func @columns
// CHECK-NOT: stmatrix
// OLDER-NOT: stmatrix
func.func @rows() attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<64x64xf16, #m>
  %b = "tile_gpu.alloc"(%x) : (tensor<64x64xf16, #m>) -> memref<64x64xf16, #n>
  return
}

func.func @columns() attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<64x64xf16, #m>
  %b = "tile_gpu.alloc"(%x) : (tensor<64x64xf16, #m>) -> memref<64x64xf16, #t>
  return
}
}
