// Parameters of types that the target has no registers for: their bits.
// RUN: tile-opt --tile-to-tile-gpu=num-warps=1 --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s

// CHECK: llvm.func @kernel(%{{[^:]*}}: !llvm.ptr<1>{{[^,]*}}, %{{[^:]*}}: i8{{[^,]*}}, %{{[^:]*}}: i8
func.func @kernel(%p: !tile.ptr<f8E4M3FN>, %a: f8E4M3FN, %b: f8E5M2) attributes {tile.kernel} {
  "tile.store"(%p, %a) : (!tile.ptr<f8E4M3FN>, f8E4M3FN) -> ()
  return
}
