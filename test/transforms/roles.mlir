// Loops of bulk copies, in the version of a kernel whose descriptors the launch makes: in a block whose threads all
// do the same, and in one with roles.
// RUN: split-file %s %t
// RUN: tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup %t/tiles.mlir >%t/ready.mlir
// RUN: tile-opt --tile-gpu-print-schedule %t/ready.mlir 2>&1 >/dev/null | FileCheck %s --check-prefix=SCHEDULE
// RUN: tile-opt --tile-gpu-pipeline %t/ready.mlir | FileCheck %s --check-prefix=BULK
// RUN: tile-opt --tile-gpu-pipeline --tile-cleanup --tile-gpu-allocate-shared --tile-gpu-insert-barriers %t/ready.mlir | FileCheck %s --check-prefix=BARRIERS
// RUN: tile-opt --tile-gpu-assign-roles --tile-gpu-pipeline --tile-gpu-warp-specialize --canonicalize --tile-cleanup %t/ready.mlir | FileCheck %s --check-prefix=ROLES

// SCHEDULE: remark: stage 0, 3 ahead by bulk copy: 4 buffers of 16384 bytes; read in stage 3, after a wait at the mbarrier of the buffer
// SCHEDULE: remark: stage 0, 3 ahead by bulk copy: 4 buffers of 32768 bytes; read in stage 3, after a wait at the mbarrier of the buffer

// As many stages as cost no block, here the only one: four, for three that were asked for. The copies start once the product of the iteration before has been waited for.
// BULK-LABEL: func.func @tiles$tma(
// BULK-SAME: tile_gpu.tensor_map = {base = 0 : i32, box = array<i32: 64, 128>, sizes = [array<i64: 1, 4>, array<i64: 1, 2>], strides = [array<i64: 2, 5>], swizzle = 128 : i32, type = f16}
// BULK-SAME: tile_gpu.tensor_map = {base = 1 : i32, box = array<i32: 64, 64>, sizes = [array<i64: 1, 3>, array<i64: 1, 4>], strides = [array<i64: 2, 6>], swizzle = 128 : i32, type = f16}
// BULK: scf.for
// BULK: %[[A:.*]] = "tile_gpu.alloc"() : () -> memref<4x128x64xf16, #tile_gpu.nvmma
// BULK: %[[B:.*]] = "tile_gpu.alloc"() : () -> memref<4x64x256xf16, #tile_gpu.nvmma
// BULK: %[[FULL:.*]] = "tile_gpu.alloc"() : () -> memref<4x1xi64
// BULK: "tile_gpu.mbarrier_init"(%[[FULL]]) {arrivals = 1 : i32}
// BULK-COUNT-3: "tile_gpu.mbarrier_expect"({{.*}}) {bytes = 49152 : i32}
// BULK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[STAGE:.*]] = %{{.*}}, %[[PARITY:.*]] = %{{.*}}, %[[AHEAD:.*]] = %{{.*}})
// BULK: %[[HERE:.*]] = "tile_gpu.index"(%[[FULL]], %[[STAGE]])
// BULK: "tile_gpu.mbarrier_wait"(%[[HERE]], %[[PARITY]])
// BULK: "tile_gpu.warpgroup_dot"
// BULK-NEXT: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 1 : i32
// BULK-NEXT: "tile_gpu.mbarrier_expect"
// BULK-NEXT: "tile_gpu.index"(%[[A]], %[[AHEAD]])
// BULK: "tile_gpu.bulk_load"
// BULK: "tile_gpu.bulk_load"
// BULK: scf.yield
// BULK: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 0 : i32
// BULK: "tile_gpu.mbarrier_inval"(%[[FULL]])
// BULK-LABEL: func.func @tiles(
// BULK-NOT: bulk_load

// One barrier of the block an iteration, before what is overwritten.
// BARRIERS-LABEL: func.func @tiles$tma(
// BARRIERS: "tile_gpu.mbarrier_wait"
// BARRIERS-NOT: "tile_gpu.barrier"
// BARRIERS: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 1 : i32
// BARRIERS: "tile_gpu.barrier"
// BARRIERS-NOT: "tile_gpu.barrier"
// BARRIERS: scf.yield

// The producer waits at the empty mbarrier for the parity before, and has no product; the consumers have no copy.
// Stage and parity go on from tile to tile. Eight warps arrive.
// ROLES-LABEL: func.func @tiles$tma(
// ROLES-SAME: tile_gpu.producer_warps = 4 : i32
// ROLES: "tile_gpu.mbarrier_init"(%[[FULL:.*]]) {arrivals = 1 : i32} : (memref<3x1xi64
// ROLES: "tile_gpu.mbarrier_init"(%[[EMPTY:.*]]) {arrivals = 8 : i32}
// ROLES-NEXT: "tile_gpu.barrier"
// ROLES-NEXT: %[[PRODUCER:.*]] = "tile_gpu.in_producer"
// ROLES: scf.if %[[PRODUCER]] {
// ROLES: %{{.*}}:2 = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}) -> (i32, i32)
// ROLES: %{{.*}}:2 = scf.for {{.*}} iter_args(%[[STAGE:.*]] = %[[S]], %[[PARITY:.*]] = %[[P]]) -> (i32, i32)
// ROLES-DAG: %[[E:.*]] = "tile_gpu.index"(%[[EMPTY]], %[[STAGE]])
// ROLES-DAG: %[[BEFORE:.*]] = arith.xori %[[PARITY]], %c1_i32
// ROLES: "tile_gpu.mbarrier_wait"(%[[E]], %[[BEFORE]])
// ROLES-NEXT: "tile_gpu.mbarrier_expect"
// ROLES: "tile_gpu.bulk_load"
// ROLES: "tile_gpu.bulk_load"
// ROLES-NOT: warpgroup_dot
// ROLES: } else {
// ROLES: scf.for
// ROLES: scf.for
// ROLES-NOT: bulk_load
// ROLES: "tile_gpu.mbarrier_wait"
// ROLES: "tile_gpu.warpgroup_dot"
// ROLES: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 1 : i32
// ROLES: "tile_gpu.mbarrier_arrive"
// ROLES: scf.yield
// ROLES: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 0 : i32
// ROLES: "tile_gpu.mbarrier_arrive"
// ROLES: tile.store
// ROLES-LABEL: func.func @tiles(
// ROLES-NOT: in_producer

// A kernel of one tile a program gets a loop over programs: as many blocks as fit on the device take them in turn.
// RUN: sed -e '/OUTER/d' -e 's/%%tile /%%first /' %t/tiles.mlir >%t/once.mlir
// RUN: tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles %t/once.mlir | FileCheck %s --check-prefix=ONCE
// ONCE-LABEL: func.func @tiles$tma(
// ONCE-SAME: %[[X:[a-z0-9]*]]: i32, %[[Y:[a-z0-9]*]]: i32, %[[Z:[a-z0-9]*]]: i32) attributes {
// ONCE-SAME: tile_gpu.producer_warps = 4 : i32, tile_gpu.resident_blocks = 1 : i32
// ONCE-NEXT: %[[XY:.*]] = arith.muli %[[X]], %[[Y]]
// ONCE-NEXT: %[[PROGRAMS:.*]] = arith.muli %[[XY]], %[[Z]]
// ONCE-DAG: %[[BLOCK_Z:.*]] = "tile.program_id"() {axis = 2 : i32}
// ONCE-DAG: "tile.num_programs"() {axis = 2 : i32}
// ONCE: "tile.program_id"() {axis = 0 : i32}
// ONCE-NEXT: %[[BLOCK:.*]] = arith.addi
// ONCE-NEXT: %[[BLOCKS:.*]] = arith.muli
// Where a program is among them is carried, and nothing is divided in the loop.
// ONCE-NEXT: %[[ADVANCE:.*]] = arith.remui %[[BLOCKS]], %[[X]]
// ONCE-NEXT: %[[START:.*]] = arith.remui %[[BLOCK]], %[[X]]
// ONCE-NEXT: scf.for %{{.*}} = %[[BLOCK]] to %[[PROGRAMS]] step %[[BLOCKS]] iter_args(%[[PROGRAM:.*]] = %[[START]])
// ONCE: arith.muli %[[PROGRAM]],
// ONCE: %[[NEXT:.*]] = arith.addi %[[PROGRAM]], %[[ADVANCE]]
// ONCE-NEXT: %[[BEYOND:.*]] = arith.cmpi uge, %[[NEXT]], %[[X]]
// ONCE-NEXT: %[[LESS:.*]] = arith.subi %[[NEXT]], %[[X]]
// ONCE-NEXT: arith.select %[[BEYOND]], %[[LESS]], %[[NEXT]]
// ONCE-LABEL: func.func @tiles(
// ONCE-NOT: tile_gpu.resident_blocks
// A kernel's own questions are answered: which program, and how many there are, along each axis.
// RUN: sed -e '/OUTER/d' -e 's/%%tile /%%first /' -e 's/arith.constant 128 : i32/"tile.num_programs"() {axis = 0 : i32} : () -> i32/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles | FileCheck %s --check-prefix=ASKS
// ASKS-LABEL: func.func @tiles$tma(
// ASKS-SAME: %[[X:[a-z0-9]*]]: i32, %[[Y:[a-z0-9]*]]: i32, %[[Z:[a-z0-9]*]]: i32) attributes {
// ASKS: scf.for {{.*}} iter_args(%[[PROGRAM:[a-z0-9]*]] =
// ASKS: arith.muli %[[PROGRAM]], %[[X]]
// RUN: sed -e '/OUTER/d' -e 's/%%tile /%%first /' -e 's/arith.constant 128 : i32/"tile.num_programs"() {axis = 1 : i32} : () -> i32/' -e 's/"tile.program_id"() {axis = 0/"tile.program_id"() {axis = 2/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles | FileCheck %s --check-prefix=OTHERS
// OTHERS-LABEL: func.func @tiles$tma(
// OTHERS-SAME: %[[X:[a-z0-9]*]]: i32, %[[Y:[a-z0-9]*]]: i32, %[[Z:[a-z0-9]*]]: i32) attributes {
// OTHERS: scf.for {{.*}} iter_args(%[[AT_X:[a-z0-9]*]] = %{{.*}}, %[[AT_Y:[a-z0-9]*]] = %{{.*}}, %[[PROGRAM:[a-z0-9]*]] = %{{.*}})
// OTHERS: arith.muli %[[PROGRAM]], %[[Y]]
// Along x and y the sum goes on at the beginning, and then the next axis is one further.
// OTHERS: %[[X1:.*]] = arith.addi %[[AT_X]],
// OTHERS: %[[OVER_X:.*]] = arith.cmpi uge, %[[X1]], %[[X]]
// OTHERS: %[[CARRY_X:.*]] = arith.extui %[[OVER_X]]
// OTHERS: %[[Y1:.*]] = arith.addi %[[AT_Y]],
// OTHERS: %[[Y2:.*]] = arith.addi %[[Y1]], %[[CARRY_X]]
// OTHERS: %[[OVER_Y:.*]] = arith.cmpi uge, %[[Y2]], %[[Y]]
// OTHERS: %[[CARRY_Y:.*]] = arith.extui %[[OVER_Y]]
// OTHERS: %[[Z1:.*]] = arith.addi %[[PROGRAM]],
// OTHERS: arith.addi %[[Z1]], %[[CARRY_Y]]

// No roles for it: the loop is under a condition, or ends elsewhere for each program; programs may wait for one another.
// RUN: sed -e 's/^ *\(%%sum = scf.for\)/%%c1 = arith.cmpi slt, %%row, %%tiles : i32\n scf.if %%c1 {\n \1/' -e 's/^ *\("tile.store"(%%to.*\)/\1\n }/' %t/once.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: remark: no roles for its bulk copies: the loop is under a condition
// BRANCH-NOT: producer_warps
// RUN: sed -e 's/= %%zero to %%k step/= %%zero to %%row step/' %t/once.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=LENGTH
// LENGTH: remark: no roles for its bulk copies: the loop may be longer for some programs than for others
// LENGTH-NOT: producer_warps
// RUN: sed -e 's/^ *"tile.store"(%%to.*/&\n %%v = "tile.load"(%%c) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (!tile.ptr<f16>) -> f16\n "tile.store"(%%c, %%v) : (!tile.ptr<f16>, f16) -> ()/' %t/once.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=VOLATILE
// VOLATILE: remark: no roles for its bulk copies: it loads what another program may have to store first
// VOLATILE-NOT: producer_warps
// RUN: sed -e 's/^ *"tile.store"(%%to.*/&\n scf.while : () -> () { %%v = "tile.load"(%%c) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f16>) -> f16\n %%w = arith.fptosi %%v : f16 to i1\n scf.condition(%%w) } do { %%z = arith.constant 0.0 : f16\n "tile.store"(%%c, %%z) : (!tile.ptr<f16>, f16) -> ()\n scf.yield }/' %t/once.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=WHILE
// WHILE: remark: no roles for its bulk copies: a loop in it ends at a condition, which another program may have to meet
// WHILE-NOT: producer_warps
// Three stages have to fit beside what becomes of the sums.
// RUN: sed -e 's/x64xf16/x128xf16/g' -e 's/<64x256xf16/<128x256xf16/g' -e 's/arith.constant 64 : i32/arith.constant 128 : i32/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: remark: no roles for its bulk copies: three stages do not fit into shared memory beside what becomes of the sums
// ROOM-NOT: producer_warps

// No roles: several blocks on a multiprocessor; something that all threads do. Only a loop that asked for them says so by itself.
// RUN: sed -e 's/x256x/x64x/g' -e 's/^      }$/      } {tile.warp_specialize}/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: sed -e 's/x256x/x64x/g' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles 2>&1 | FileCheck %s --check-prefix=SILENT
// SILENT-NOT: remark
// RUN: sed -e 's/x256x/x64x/g' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: remark: no roles for its bulk copies: a multiprocessor holds several blocks
// SEVERAL-NOT: producer_warps
// RUN: sed -e 's/^.*"tile.store".*/"tile.barrier"() : () -> ()/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=MEETS
// RUN: sed -e 's/^.*"tile.store".*/&\n %%asked = "tile.inline_asm"(%%m) {asm = "mov.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32\n %%at = "tile.addptr"(%%c, %%asked) : (!tile.ptr<f16>, i32) -> !tile.ptr<f16>\n %%z = arith.constant 0.0 : f16\n "tile.store"(%%at, %%z) : (!tile.ptr<f16>, f16) -> ()/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=MEETS
// MEETS: remark: no roles for its bulk copies: the kernel has atomic operations, barriers, assertions, prints or inline assembly
// MEETS-NOT: producer_warps

// Rows of a block that may begin anywhere stay pointers, and the version with descriptors goes.
// RUN: sed -e 's/%%row64, %%i64)/%%row64, %%k64)/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-print-schedule 2>&1 >/dev/null | FileCheck %s --check-prefix=ANYWHERE
// ANYWHERE: remark: stays in its iteration: its rows may begin at other places than multiples of 16 bytes
// RUN: sed -e 's/%%row64, %%i64)/%%row64, %%k64)/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-pipeline | FileCheck %s --check-prefix=PLAIN
// A product that nobody uses goes before its loads are copied: its descriptors have no loads left.
// RUN: sed -e '/"tile.store"/d' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-cleanup --canonicalize --tile-assign-layouts=num-warps=8 --tile-gpu-pipeline | FileCheck %s --check-prefix=PLAIN
// Nor are blocks copied before what the kernel waits for, or tells, another grid.
// RUN: sed -e 's/^.*%%da = .*/"tile.grid_wait"() : () -> ()\n&/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: sed -e 's/^.*%%da = .*/"tile.grid_launch"() : () -> ()\n&/' %t/tiles.mlir | tile-opt --tile-version-descriptors --tile-decompose-descriptors --tile-assign-layouts=num-warps=8 --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-remove-layout-conversions --tile-cleanup --tile-gpu-assign-roles=remarks=true 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: $tma

//--- tiles.mlir
module attributes {tile.num_stages = 3 : i32} {
  func.func @tiles(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %sa: i32, %sb: i32, %c: !tile.ptr<f16>, %tiles: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one32 = arith.constant 1 : i32
    %step = arith.constant 64 : i32
    %rows = arith.constant 128 : i32
    %zero64 = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %sa64 = arith.extsi %sa : i32 to i64
    %sb64 = arith.extsi %sb : i32 to i64
    %first = "tile.program_id"() {axis = 0 : i32} : () -> i32
    %da = "tile.make_descriptor"(%a, %m64, %k64, %sa64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<128x64xf16>>
    %db = "tile.make_descriptor"(%b, %k64, %n64, %sb64, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64x256xf16>>
    %none = arith.constant dense<0.0> : tensor<128x256xf32>
    %to = "tile.splat"(%c) : (!tile.ptr<f16>) -> tensor<128x256x!tile.ptr<f16>>
    scf.for %tile = %first to %tiles step %one32 : i32 { // OUTER
      %row = arith.muli %tile , %rows : i32
      %row64 = arith.extsi %row : i32 to i64
      %sum = scf.for %i = %zero to %k step %step iter_args(%x = %none) -> (tensor<128x256xf32>) : i32 {
        %i64 = arith.extsi %i : i32 to i64
        %ta = "tile.descriptor_load"(%da, %row64, %i64) : (!tile.descriptor<tensor<128x64xf16>>, i64, i64) -> tensor<128x64xf16>
        %tb = "tile.descriptor_load"(%db, %i64, %zero64) : (!tile.descriptor<tensor<64x256xf16>>, i64, i64) -> tensor<64x256xf16>
        %d = "tile.dot"(%ta, %tb, %x) {precision = "tf32"} : (tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>) -> tensor<128x256xf32>
        scf.yield %d : tensor<128x256xf32>
      }
      %half = arith.truncf %sum : tensor<128x256xf32> to tensor<128x256xf16>
      "tile.store"(%to, %half) : (tensor<128x256x!tile.ptr<f16>>, tensor<128x256xf16>) -> ()
    } // OUTER
    return
  }
}
