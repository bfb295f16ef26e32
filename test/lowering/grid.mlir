// RUN: tile-translate --tile-to-ptx --target sm_90a %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx --target sm_80 %s | FileCheck %s --check-prefix=SM80
// RUN: tile-run %s --device emulator --grid 2 --check --arg x=i32[4]:zeros

// Dependent launches exist from sm_90 on; elsewhere, and on the emulator, the operations do nothing. A
// barrier is one everywhere.
// CHECK: griddepcontrol.wait
// CHECK: bar.sync
// CHECK: griddepcontrol.launch_dependents
// SM80-LABEL: .entry
// SM80-NOT: griddepcontrol
// SM80: bar.sync
// SM80-NOT: griddepcontrol
func.func @kernel(%x: !tile.ptr<i32> {tile.name = "x"}) attributes {tile.kernel} {
  "tile.grid_wait"() : () -> ()
  "tile.barrier"() : () -> ()
  "tile.grid_launch"() : () -> ()
  return
}
