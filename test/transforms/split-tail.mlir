// The last wave of a product that goes over programs: several blocks share each program that is left over.
// DEFINE: %{passes} = --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles
// RUN: tile-opt %{passes} --tile-gpu-split-tail=remarks=true %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SILENT --allow-empty <%t.remarks
// SILENT-NOT: remark

// Before the loop over programs: as many parts as blocks for each program of the tail, as the loop over K has
// iterations for (1280 bytes of a row are ten of 64 numbers of f16), eight at most. Without memory nothing is computed.
// CHECK-LABEL: func.func @product$tma(
// CHECK-SAME: %[[MEMORY:[a-z0-9]*]]: !tile.ptr<i32>) attributes {
// CHECK-SAME: tile_gpu.part_bytes = 131072 : i32
// CHECK-SAME: tile_gpu.resident_blocks = 1 : i32
// CHECK: "tile.ptr_to_int"(%[[MEMORY]])
// CHECK: %[[SOME:.*]] = arith.cmpi ne,
// CHECK: %[[PLAN:.*]]:3 = scf.if %[[SOME]]
// CHECK: %[[TAIL:.*]] = arith.remui %[[PROGRAMS:.*]], %[[BLOCKS:.*]] : i32
// CHECK: %[[EACH:.*]] = arith.divui %[[BLOCKS]],
// CHECK: %[[TEN:.*]] = arith.constant 10 : i32
// CHECK: %[[TRIPS:.*]] = arith.ceildivsi
// CHECK: %[[FIT:.*]] = arith.divsi %[[TRIPS]], %[[TEN]]
// CHECK: arith.minsi %[[FIT]],
// CHECK: %[[MOST:.*]] = arith.maxsi
// CHECK: %[[PARTS:.*]] = arith.minui %[[EACH]], %[[MOST]]
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[PARTS]],
// CHECK: %[[OTHERS:.*]] = arith.subi %[[PROGRAMS]], %[[TAIL]]
// CHECK: %[[SHARED:.*]] = arith.muli %[[TAIL]], %[[PARTS]]
// CHECK: %[[UNITS:.*]] = arith.addi %[[OTHERS]], %[[SHARED]]
// CHECK: %[[WHOLE:.*]] = arith.select %[[NONE]], %[[PROGRAMS]], %[[OTHERS]]
// CHECK: scf.yield %[[WHOLE]], %[[PARTS]], %[[UNITS]]
// CHECK: scf.yield %[[PROGRAMS]], %{{.*}}, %[[PROGRAMS]]

// A unit is a program, whose place is carried, or a part of one.
// CHECK: scf.for %[[UNIT:.*]] = %{{.*}} to %[[PLAN]]#2 step %[[BLOCKS]] iter_args(%[[PLACE:.*]] = %{{.*}}) -> (i32)
// CHECK: %[[NEXT:.*]] = arith.select
// CHECK: %[[BEYOND:.*]] = arith.cmpi uge, %[[UNIT]], %[[PLAN]]#0
// CHECK: %[[RANGE:.*]]:3 = scf.if %[[BEYOND]]
// CHECK: arith.divui %{{.*}}, %[[PLAN]]#1
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[PLACE]], %{{.*}}, %{{.*}}
// CHECK: arith.muli %[[RANGE]]#0,
// CHECK: %[[MINE:.*]] = scf.for %{{.*}} = %[[RANGE]]#1 to %[[RANGE]]#2 step %{{.*}} iter_args
// CHECK: %[[SEVERAL:.*]] = arith.cmpi uge, %[[UNIT]], %[[PLAN]]#0
// CHECK: %[[ALL:.*]]:2 = scf.if %[[SEVERAL]]
// CHECK: "tile_gpu.store_part"(%[[MINE]], %[[OWN:.*]])
// CHECK: %[[CAME:.*]] = "tile.atomic_rmw"(%[[COUNTER:.*]], %{{.*}}) {kind = "add", scope = "gpu", sem = "acq_rel"}
// CHECK: %[[NOW:.*]] = arith.addi %[[CAME]],
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[NOW]], %[[PLAN]]#1
// CHECK: %[[TOTAL:.*]] = scf.if %[[LAST]]
// CHECK: "tile.store"(%[[COUNTER]], %c0
// CHECK: "tile_gpu.sum_parts"(%{{.*}}, %[[PLAN]]#1)
// CHECK: scf.yield %[[TOTAL]], %[[LAST]]
// CHECK: scf.yield %[[MINE]], %true
// CHECK: scf.if %[[ALL]]#1 {
// CHECK-NEXT: arith.truncf %[[ALL]]#0
// CHECK: tile.store
// CHECK: scf.yield %[[NEXT]]
// CHECK-LABEL: func.func @product(
// CHECK-NOT: tile_gpu.store_part

// The barrier before the atomic operation is all that it asks for: parts lie where nothing else does.
// RUN: tile-opt %{passes} --tile-gpu-split-tail --tile-gpu-pipeline --tile-gpu-warp-specialize --tile-cleanup --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s --check-prefix=BARRIERS
// BARRIERS-LABEL: func.func @product$tma(
// BARRIERS: "tile_gpu.bulk_load"
// BARRIERS-NOT: tile_gpu.store_part
// BARRIERS: } else {
// BARRIERS: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 0
// BARRIERS-NOT: "tile_gpu.barrier"
// BARRIERS: "tile_gpu.store_part"
// BARRIERS-NOT: "tile.atomic_rmw"
// BARRIERS: "tile_gpu.barrier"
// BARRIERS-NOT: "tile_gpu.barrier"
// BARRIERS: "tile_gpu.sum_parts"

// Another least: of rows, in bytes. What ends after fewer iterations than two parts have is left alone.
// RUN: tile-opt %{passes} --tile-gpu-split-tail=least=100 %s | FileCheck %s --check-prefix=LEAST
// LEAST: arith.divui
// LEAST-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// LEAST: %[[TRIPS:.*]] = arith.ceildivsi
// LEAST-NEXT: arith.divsi %[[TRIPS]], %[[ONE]]
// RUN: sed -e 's/to %%k step/to %%c1216 step/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: remark: no block shares a program of its last wave: its loop ends after few iterations
// SHORT-NOT: part_bytes
// RUN: sed -e 's/to %%k step/to %%c1217 step/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true | FileCheck %s --check-prefix=LONG
// LONG: part_bytes

// No parts: kernels that do not go over programs; sums that begin with something, or that each iteration changes;
// several of them; loops that begin elsewhere for each program.
// RUN: sed -e 's/x256x/x64x/g' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: remark
// PLAIN-NOT: part_bytes
// RUN: sed -e 's/dense<0.0>/dense<1.0>/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: tile-opt %{passes} %s -o %t.ready.mlir
// RUN: sed -e 's/scf.yield \(%%[0-9]*\) : \(tensor.*\)$/%%e = arith.mulf \1, \1 : \2\n scf.yield %%e : \2/' %t.ready.mlir | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: sed -e 's/iter_args(\(%%arg[0-9]*\) = %%cst.*/&\n%%twice = arith.addf \1, \1 : TYPE/' -e 's/scf.yield \(%%[0-9]*\) : \(tensor.*\)$/%%e = arith.addf \1, %%twice : \2\n scf.yield %%e : \2/' %t.ready.mlir | sed -e 's/: TYPE/: tensor<128x256xf32, #tile_gpu.mma<{instr_shape = [64, 256], version = 3 : i64, warps_per_cta = [8, 1]}>>/' | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: sed -e 's/iter_args(%%x = %%none) -> (tensor<128x256xf32>)/iter_args(%%x = %%none, %%y = %%zero) -> (tensor<128x256xf32>, i32)/' -e 's/%%sum = scf/%%sum, %%last = scf/' -e 's/scf.yield %%d : tensor<128x256xf32>/%%z = arith.xori %%y, %%i : i32\n scf.yield %%d, %%z : tensor<128x256xf32>, i32/' -e 's/"tile.splat"(%%c)/"tile.splat"(%%c)/' -e 's/^ *"tile.store"(%%to.*/&\n "tile.store"(%%counts, %%last) : (!tile.ptr<i32>, i32) -> ()/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: remark: no block shares a program of its last wave: its loop computes something else than one sum of f32 or i32 that starts at zero
// SUM-NOT: part_bytes
// What is added up beside the products is a term, too.
// RUN: sed -e 's/scf.yield \(%%[0-9]*\) : \(tensor.*\)$/%%h = arith.constant dense<0.5> : \2\n%%e = arith.addf %%h, \1 : \2\n scf.yield %%e : \2/' %t.ready.mlir | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: sed -e 's/= %%c0_i32\(_[0-9]*\)* to \(.*\) iter_args/= %%arg3 to \2 iter_args/' %t.ready.mlir | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: remark: no block shares a program of its last wave: its loop does not count from a constant to what is equal for all programs
// COUNT-NOT: part_bytes
// Programs that are taken in pairs are counted one by one, in steps of 1.
// RUN: sed -e 's/^ *\(%%[0-9]* = scf.for .* step\) \(%%[0-9]*\) iter_args/%%fixed = arith.constant 1 : i32\n \1 %%fixed iter_args/' %t.ready.mlir | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=PAIRS
// PAIRS: remark: no block shares a program of its last wave: it takes no programs in turn, or pairs of them
// PAIRS-NOT: part_bytes
// RUN: sed -e 's/^ *%%sum = scf/"tile.store"(%%counts, %%row) : (!tile.ptr<i32>, i32) -> ()\n&/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: remark: no block shares a program of its last wave: a program stores something before its sum is complete
// EARLY-NOT: part_bytes
// RUN: sed -e 's/^ *"tile.store"(%%to.*/&\n scf.for %%w = %%zero to %%n step %%step : i32 {\n "tile.store"(%%counts, %%w) : (!tile.ptr<i32>, i32) -> ()\n }/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS: remark: no block shares a program of its last wave: a program has several loops
// LOOPS-NOT: part_bytes

module attributes {tile.num_stages = 3 : i32} {
  func.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %sa: i32, %sb: i32, %c: !tile.ptr<f16>, %counts: !tile.ptr<i32>) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %rows = arith.constant 128 : i32
    %c1216 = arith.constant 1216 : i32
    %c1217 = arith.constant 1217 : i32
    %zero64 = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %sa64 = arith.extsi %sa : i32 to i64
    %sb64 = arith.extsi %sb : i32 to i64
    %program = "tile.program_id"() {axis = 0 : i32} : () -> i32
    %da = "tile.make_descriptor"(%a, %m64, %k64, %sa64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<128x64xf16>>
    %db = "tile.make_descriptor"(%b, %k64, %n64, %sb64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x256xf16>>
    %none = arith.constant dense<0.0> : tensor<128x256xf32>
    %to = "tile.splat"(%c) : (!tile.ptr<f16>) -> tensor<128x256x!tile.ptr<f16>>
    %row = arith.muli %program, %rows : i32
    %row64 = arith.extsi %row : i32 to i64
    %sum = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<128x256xf32>) : i32 {
      %i64 = arith.extsi %i : i32 to i64
      %ta = "tile.descriptor_load"(%da, %row64, %i64) : (!tile.descriptor<tensor<128x64xf16>>, i64, i64) -> tensor<128x64xf16>
      %tb = "tile.descriptor_load"(%db, %i64, %zero64) : (!tile.descriptor<tensor<64x256xf16>>, i64, i64) -> tensor<64x256xf16>
      %d = "tile.dot"(%ta, %tb, %x) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>) -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    %low = arith.truncf %sum : tensor<128x256xf32> to tensor<128x256xf16>
    "tile.store"(%to, %low) : (tensor<128x256x!tile.ptr<f16>>, tensor<128x256xf16>) -> ()
    return
  }
}
