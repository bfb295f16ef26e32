// RUN: tile-opt --pass-pipeline='builtin.module(func.func(canonicalize{max-iterations=3 top-down=false},tile-cleanup),tile-assign-layouts{num-warps=8})' %s | FileCheck %s
// RUN: tile-opt --pass-pipeline=' func.func( canonicalize , tile-cleanup ) , tile-assign-layouts{ num-warps=8 } ' %s | FileCheck %s
// RUN: tile-opt --canonicalize --tile-cleanup --tile-assign-layouts=num-warps=8 %s | FileCheck %s
// RUN: tile-opt --pass-pipeline='tile-to-tile-gpu{num-warps=8}' %s | FileCheck %s
// RUN: tile-opt --pass-pipeline='builtin.module()' %s | FileCheck %s --check-prefix=NOTHING
// RUN: tile-opt --pass-pipeline='builtin.module(builtin.module(func.func(cse)))' %s | FileCheck %s --check-prefix=NOTHING
// RUN: tile-opt --cse --symbol-dce --tile-cleanup --sccp --tile-inline --loop-invariant-code-motion %s | FileCheck %s --check-prefix=MIXED

// Nesting, options and spaces in MLIR's notation; ours and upstream's passes side by side; the same
// passes as flags; a named pipeline among them.
// CHECK: module attributes {tile_gpu.num_warps = 8 : i32
// CHECK: warps_per_cta = [8]

// NOTHING-NOT: tile_gpu
// NOTHING: tile.range
// MIXED-NOT: tile_gpu
// MIXED: tile.store
func.func @f(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %a = "tile.addptr"(%ps, %range) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  "tile.store"(%a, %range) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> ()
  return
}
