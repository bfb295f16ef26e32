// The last wave of a product that goes over programs: several blocks share each program that is left over.
// DEFINE: %{passes} = --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles
// RUN: tile-opt %{passes} "--tile-gpu-split-tail=remarks=true exchange=100 wait=2048" %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SILENT --allow-empty <%t.remarks
// SILENT-NOT: remark

// Before the loop over programs the kernel chooses a plan: tail and iterations, what a plan has to be below, two to
// eight parts for each program, two programs in three ranges, three in four, ranges of the tail and of a turn more. An
// iteration takes 1054 cycles: a part to memory or from it is 32 or 43 sixteenths of one, the wait 32. Without memory
// nothing is computed.
// CHECK-LABEL: func.func @product$tma(
// CHECK-SAME: %[[MEMORY:[a-z0-9]*]]: !tile.ptr<i32>) attributes {
// CHECK-SAME: tile_gpu.part_bytes = 131072 : i32
// CHECK-SAME: tile_gpu.resident_blocks = 1 : i32
// CHECK: %[[TRIPS:.*]] = arith.ceildivsi
// CHECK: "tile.ptr_to_int"(%[[MEMORY]])
// CHECK: %[[SOME:.*]] = arith.cmpi ne,
// CHECK: %[[ASKED:.*]]:2 = scf.if %[[SOME]]
// CHECK: %[[TAIL:.*]] = arith.remui %[[PROGRAMS:.*]], %[[BLOCKS:.*]] : i32
// CHECK: %[[LESS:.*]] = arith.constant 131072 : i32
// CHECK: %[[HELD:.*]] = arith.minui %[[TRIPS]], %[[LESS]]
// CHECK: %[[WORK:.*]] = arith.muli %[[TAIL]], %[[HELD]]
// CHECK: arith.muli %[[WORK]], %c16_i32
// CHECK: arith.constant 96 : i32
// CHECK: %[[MAY:.*]] = arith.andi
// CHECK: scf.yield %[[TAIL]], %[[MAY]]
// CHECK: scf.yield %{{.*}}, %false
// CHECK: %[[PLAN:.*]]:6 = scf.if %[[ASKED]]#1
// CHECK: %[[ALONE:.*]] = arith.subi %[[PROGRAMS]], %[[ASKED]]#0
// CHECK: arith.constant 15 : i32
// CHECK: %[[UNSHARED:.*]] = arith.muli %[[TRIPS]],
// CHECK: %[[LOAD:.*]] = arith.select %{{.*}}, %c43_i32, %c32_i32
// CHECK: %[[COST:.*]] = arith.constant 96 : i32
// CHECK: %[[LENGTH:.*]] = arith.divui %{{.*}}, %c2_i32
// CHECK: arith.muli %[[ASKED]]#0,
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %{{.*}}, %[[BLOCKS]]
// CHECK: %[[SIXTEENTHS:.*]] = arith.muli %[[LENGTH]],
// CHECK: %[[HALVES:.*]] = arith.addi %[[SIXTEENTHS]], %[[COST]]
// CHECK: %[[BELOW:.*]] = arith.cmpi ult, %[[HALVES]], %[[UNSHARED]]
// CHECK: %[[BETTER:.*]] = arith.andi %[[FITS]], %[[BELOW]]
// CHECK: arith.select %[[BETTER]], %[[HALVES]], %[[UNSHARED]]
// CHECK: arith.constant 128 : i32
// CHECK: arith.constant 160 : i32
// CHECK: arith.constant 192 : i32
// CHECK: arith.constant 224 : i32
// CHECK: arith.constant 256 : i32
// CHECK: arith.constant 288 : i32
// CHECK: arith.addi %[[LOAD]],
// CHECK: %[[GROUPS:.*]] = arith.divui
// CHECK: arith.muli %[[GROUPS]], %c3_i32
// CHECK: arith.addi %[[LOAD]],
// CHECK: %[[WORK:.*]] = arith.muli %[[ASKED]]#0, %[[TRIPS]]
// CHECK: %[[EACH:.*]] = arith.divui %{{.*}}, %[[BLOCKS]]
// CHECK: arith.minui
// CHECK: arith.constant 18 : i32
// CHECK: arith.muli %[[EACH]],
// CHECK: arith.addi %[[ASKED]]#0, %[[BLOCKS]]
// CHECK: arith.constant 118 : i32
// CHECK: arith.cmpi ne, %[[ALONE]],
// CHECK: arith.addi %[[TRIPS]], %[[EACH]]
// CHECK: arith.constant 131072 : i32
// CHECK: %[[WHOLE:.*]] = arith.subi %[[PROGRAMS]],
// CHECK: scf.yield %[[WHOLE]],
// CHECK: scf.yield %[[PROGRAMS]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[PROGRAMS]]

// Then a block goes through whole programs, whose place is carried, and through the pieces of its range.
// CHECK: scf.for %[[COUNTER:.*]] = %{{.*}} to %[[PLAN]]#5 step %[[BLOCKS]] iter_args(%[[PLACE:.*]] = %{{.*}}) -> (i32)
// CHECK: %[[NEXT:.*]] = arith.select
// CHECK: %[[BEYOND:.*]] = arith.cmpi uge, %[[COUNTER]], %[[PLAN]]#0
// CHECK: %[[PIECE:.*]]:7 = scf.if %[[BEYOND]]
// CHECK: %[[TURN:.*]] = arith.divui %{{.*}}, %[[BLOCKS]]
// CHECK: arith.divui %{{.*}}, %[[PLAN]]#2
// CHECK: } else {
// CHECK: scf.yield %[[PLACE]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %false{{.*}}, %true
// CHECK: arith.muli %[[PIECE]]#0,
// CHECK: %[[MINE:.*]] = scf.for %{{.*}} = %[[PIECE]]#1 to %[[PIECE]]#2 step %{{.*}} iter_args
// A part is stored, and a flag says so.
// CHECK: scf.if %[[PIECE]]#5 {
// CHECK: "tile_gpu.store_part"(%[[MINE]], %{{.*}})
// CHECK: %[[FLAG:.*]] = "tile.addptr"(%[[MEMORY]], %[[PIECE]]#4)
// CHECK: "tile.atomic_rmw"(%[[FLAG]], %{{.*}}) {kind = "xchg", scope = "gpu", sem = "release"}
// The parts of the ranges before are waited for, one after the other, and added. Their flags are zero again.
// CHECK: %[[TOTAL:.*]] = scf.for %[[RANGE:.*]] = %[[PIECE]]#3 to %[[PIECE]]#4 step %{{.*}} iter_args(%[[SO_FAR:.*]] = %[[MINE]])
// CHECK: %[[AWAITED:.*]] = "tile.addptr"(%[[MEMORY]], %[[RANGE]])
// CHECK: scf.while
// CHECK: %[[OLD:.*]] = "tile.atomic_cas"(%[[AWAITED]], %c1_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}}) {scope = "gpu", sem = "acquire"}
// CHECK: %[[AGAIN:.*]] = arith.cmpi ne, %[[OLD]],
// CHECK: scf.condition(%[[AGAIN]])
// CHECK: "tile_gpu.add_part"(%[[SO_FAR]], %{{.*}})
// CHECK: scf.if %[[PIECE]]#6 {
// CHECK-NEXT: arith.truncf %[[TOTAL]]
// CHECK: tile.store
// CHECK: scf.yield %[[NEXT]]
// CHECK-LABEL: func.func @product(
// CHECK-NOT: tile_gpu.store_part

// The barrier before a part is told of is all that a part asks for: parts lie where nothing else does. What is seen of
// a flag goes to all threads, which have a barrier in between.
// RUN: tile-opt %{passes} "--tile-gpu-split-tail=exchange=100 wait=2048" --tile-gpu-pipeline --tile-gpu-warp-specialize --tile-cleanup --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s --check-prefix=BARRIERS
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
// BARRIERS: "tile.atomic_rmw"
// BARRIERS: scf.while
// BARRIERS: "tile_gpu.barrier"
// BARRIERS-NEXT: "tile.atomic_cas"
// BARRIERS-NOT: "tile_gpu.barrier"
// BARRIERS: "tile_gpu.add_part"

// Other costs.
// RUN: tile-opt %{passes} "--tile-gpu-split-tail=exchange=50 wait=512" %s | FileCheck %s --check-prefix=CHEAP
// CHEAP: arith.select %{{.*}}, %c22_i32, %c16_i32
// CHEAP: arith.constant 40 : i32
// RUN: tile-opt %{passes} --tile-gpu-split-tail %s | FileCheck %s --check-prefix=DEFAULTS
// DEFAULTS: arith.select %{{.*}}, %c65_i32, %c47_i32
// What ends before any plan could pay is left alone.
// RUN: sed -e 's/to %%k step/to %%c448 step/' %s | tile-opt %{passes} "--tile-gpu-split-tail=remarks=true exchange=100 wait=2048" 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: remark: no block shares a program of its last wave: its loop ends after few iterations
// SHORT-NOT: part_bytes
// RUN: sed -e 's/to %%k step/to %%c449 step/' %s | tile-opt %{passes} "--tile-gpu-split-tail=remarks=true exchange=100 wait=2048" | FileCheck %s --check-prefix=LONG
// LONG: part_bytes

// No parts: kernels that do not go over programs; sums that begin with something, or that each iteration changes;
// what is no sum beside one; loops that begin elsewhere for each program.
// RUN: sed -e 's/x256x/x64x/g' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: remark
// PLAIN-NOT: part_bytes
// RUN: sed -e 's/dense<0.0>/dense<1.0>/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: tile-opt %{passes} %s -o %t.ready.mlir
// RUN: sed -e 's/scf.yield \(%%[0-9]*\) : \(tensor.*\)$/%%e = arith.mulf \1, \1 : \2\n scf.yield %%e : \2/' %t.ready.mlir | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: sed -e 's/iter_args(\(%%arg[0-9]*\) = %%cst.*/&\n%%twice = arith.addf \1, \1 : TYPE/' -e 's/scf.yield \(%%[0-9]*\) : \(tensor.*\)$/%%e = arith.addf \1, %%twice : \2\n scf.yield %%e : \2/' %t.ready.mlir | sed -e 's/: TYPE/: tensor<128x256xf32, #tile_gpu.mma<{instr_shape = [64, 256], version = 3 : i64, warps_per_cta = [8, 1]}>>/' | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: sed -e 's/iter_args(%%x = %%none) -> (tensor<128x256xf32>)/iter_args(%%x = %%none, %%y = %%zero) -> (tensor<128x256xf32>, i32)/' -e 's/%%sum = scf/%%sum, %%last = scf/' -e 's/scf.yield %%d : tensor<128x256xf32>/%%z = arith.xori %%y, %%i : i32\n scf.yield %%d, %%z : tensor<128x256xf32>, i32/' -e 's/"tile.splat"(%%c)/"tile.splat"(%%c)/' -e 's/^ *"tile.store"(%%to.*/&\n "tile.store"(%%counts, %%last) : (!tile.ptr<i32>, i32) -> ()/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: remark: no block shares a program of its last wave: its loop computes something else than sums of f32 or i32 that start at zero, or that are rescaled to a maximum
// SUM-NOT: part_bytes
// What is added up beside the products is a term, too.
// RUN: sed -e 's/scf.yield \(%%[0-9]*\) : \(tensor.*\)$/%%h = arith.constant dense<0.5> : \2\n%%e = arith.addf %%h, \1 : \2\n scf.yield %%e : \2/' %t.ready.mlir | tile-opt "--tile-gpu-split-tail=remarks=true exchange=100 wait=2048" 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: sed -e 's/= %%c0_i32\(_[0-9]*\)* to \(.*\) iter_args/= %%arg3 to \2 iter_args/' %t.ready.mlir | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: remark: no block shares a program of its last wave: its loop does not count from a constant to what is equal for all programs
// COUNT-NOT: part_bytes
// Programs that are taken in pairs are counted one by one, in steps of 1.
// RUN: sed -e 's/^ *\(%%[0-9]* = scf.for .* step\) \(%%[0-9]*\) iter_args/%%fixed = arith.constant 1 : i32\n \1 %%fixed iter_args/' %t.ready.mlir | tile-opt --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=PAIRS
// PAIRS: remark: no block shares a program of its last wave: it takes no programs in turn, or pairs of them
// PAIRS-NOT: part_bytes
// RUN: sed -e 's/^ *%%sum = scf/"tile.store"(%%counts, %%row) : (!tile.ptr<i32>, i32) -> ()\n&/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: remark: no block shares a program of its last wave: a program stores something before its sums are complete
// EARLY-NOT: part_bytes
// RUN: sed -e 's/^ *"tile.store"(%%to.*/&\n scf.for %%w = %%zero to %%n step %%step : i32 {\n "tile.store"(%%counts, %%w) : (!tile.ptr<i32>, i32) -> ()\n }/' %s | tile-opt %{passes} --tile-gpu-split-tail=remarks=true 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS: remark: no block shares a program of its last wave: a program has several loops
// LOOPS-NOT: part_bytes

module attributes {tile.num_stages = 3 : i32} {
  func.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %sa: i32, %sb: i32, %c: !tile.ptr<f16>, %counts: !tile.ptr<i32>) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %rows = arith.constant 128 : i32
    %c448 = arith.constant 448 : i32
    %c449 = arith.constant 449 : i32
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
