// Attention's forward pass in e4m3 for Hopper, written by hand as tile_gpu, at the level behind tile-gpu-pipeline: what the
// schedule that the compiler finds for attention_fp8 of attention_forms.py is measured against. Parameters and tensor maps
// are those of that kernel with values in rows; heads of 128, all keys, queries a multiple of 128 and keys one of 256.
//
//   bytes       0  results, 2 KB a warp and half of a head     98304  values turned round, two halves of two stages
//           32768  keys, two halves of two stages of 128      163840  queries, 180224 and 196608 values as they are copied
//                                                             212992  mbarriers
//
// One warp copies, two turn values round (docs/attention.md, fp8), two warp groups compute 64 rows each. An iteration has
// 256 keys, so that the sums shrink half as often, in two halves a and b with one maximum. Scores of 256 keys take 128
// registers of a thread, sums 64 and weights 32: there is no room for the next scores beside them, as in the compiler's
// schedule. So the next scores of each half start where those of this iteration have become weights, in their registers:
//
//   tensor cores | o += p v b | s' = q k b |             | o += p v a | s' = q k a     | o += p v b | s' = q k b | ...
//   threads      |            wait         | maximum | softmax a |    softmax b        |            wait
//
// The values are copied to one place a half, from where they are turned round into two: the copies wait for that alone.
// Warps that copy keep 24 registers, that those that compute have 240; with 232 ptxas lets the products wait for each other.
//
// The second kernel stands for launches that the tensor maps cannot describe. test/kernels/attention_wgmma.c runs the first,
// on the emulator and on a GPU.

#acc = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [8, 1]}>
#row = #tile_gpu.slice<{axis = 1 : i64, parent = #acc}>
#weights = #tile_gpu.dot_operand<{index = 0 : i64, k_width = 4 : i64, parent = #acc}>
#sw = #tile_gpu.nvmma<{element_bits = 8 : i64, swizzle = 128 : i64, transposed = false}>
#swt = #tile_gpu.nvmma<{element_bits = 8 : i64, swizzle = 128 : i64, transposed = true}>
#bar = #tile_gpu.swizzled<{max_phase = 1 : i64, order = [0], per_phase = 1 : i64, vec = 1 : i64}>
#quad = #tile_gpu.linear<{lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0], [0, 8, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0], [64, 0, 0, 0]]}>
#keys4 = #tile_gpu.linear<{lane = [[0, 0, 0, 1, 0], [0, 0, 0, 2, 0], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [4, 0, 0, 0, 0]], register = [[0, 0, 0, 0, 1], [8, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [0, 2, 0, 0, 0], [0, 4, 0, 0, 0]], warp = [[16, 0, 0, 0, 0], [32, 0, 0, 0, 0], [64, 0, 0, 0, 0]]}>
#keys2 = #tile_gpu.linear<{lane = [[0, 0, 1, 0, 0], [0, 0, 2, 0, 0], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [4, 0, 0, 0, 0]], register = [[0, 0, 0, 0, 1], [8, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 1, 0, 0, 0], [0, 2, 0, 0, 0], [0, 4, 0, 0, 0]], warp = [[16, 0, 0, 0, 0], [32, 0, 0, 0, 0], [64, 0, 0, 0, 0]]}>
#permuted = #tile_gpu.linear<{lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], register = [[0, 1], [8, 0], [0, 2], [0, 16], [0, 32], [0, 64]], warp = [[16, 0], [32, 0], [64, 0]]}>
#l4 = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 16], threads_per_warp = [4, 8], warps_per_cta = [8, 1]}>
#l5 = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>
#pair = #tile_gpu.slice<{axis = 3 : i64, parent = #quad}>
#part = #tile_gpu.slice<{axis = 1 : i64, parent = #pair}>
#partrow = #tile_gpu.slice<{axis = 1 : i64, parent = #part}>
module attributes {tile.num_stages = 2 : i32, tile.pairs_of_rows, tile_gpu.num_warps = 8 : i32, tile_gpu.shared_bytes = 214664 : i32, tile_gpu.target = "sm_90a"} {
  func.func @attention_fp8$tma(%arg0: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32, tile.name = "q_ptr"}, %arg1: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32, tile.name = "k_ptr"}, %arg2: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32, tile.name = "v_ptr"}, %arg3: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "out_ptr"}, %arg4: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "q_scales_ptr"}, %arg5: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "k_scales_ptr"}, %arg6: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "v_scales_ptr"}, %arg7: f32 {tile.name = "scale"}, %arg8: i32 {tile.divisibility = 16 : i32, tile.name = "queries"}, %arg9: i32 {tile.divisibility = 16 : i32, tile.name = "keys"}, %arg10: i32 {tile.divisibility = 16 : i32, tile.name = "value_keys"}, %arg11: !tile.descriptor<tensor<128x128xf8E4M3FN>> {tile_gpu.tensor_map = {base = 0 : i32, box = array<i32: 128, 128, 1>, sizes = [array<i64: 128>, array<i64: 1, 8>, array<i64: 2147483648>], strides = [array<i64: 128>, array<i64: 128, 8>], swizzle = 128 : i32, type = f8E4M3FN}}, %arg12: !tile.descriptor<tensor<128x128xf8E4M3FN>> {tile_gpu.tensor_map = {base = 1 : i32, box = array<i32: 128, 128, 1>, sizes = [array<i64: 128>, array<i64: 1, 9>, array<i64: 2147483648>], strides = [array<i64: 128>, array<i64: 128, 9>], swizzle = 128 : i32, type = f8E4M3FN}}, %arg13: !tile.descriptor<tensor<128x128xf8E4M3FN>> {tile_gpu.tensor_map = {base = 2 : i32, box = array<i32: 128, 128, 1>, sizes = [array<i64: 128>, array<i64: 1, 9>, array<i64: 2147483648>], strides = [array<i64: 128>, array<i64: 128, 9>], swizzle = 128 : i32, type = f8E4M3FN}}, %arg14: !tile.descriptor<tensor<128x128xf16>> {tile_gpu.tensor_map = {base = 3 : i32, box = array<i32: 64, 16, 1>, sizes = [array<i64: 128>, array<i64: 1, 8>, array<i64: 2147483648>], stores, strides = [array<i64: 256>, array<i64: 256, 8>], swizzle = 128 : i32, type = f16}}, %arg15: i32, %arg16: i32, %arg17: i32) attributes {tile.kernel, tile_gpu.producer_registers = 24 : i32, tile_gpu.producer_warps = 4 : i32, tile_gpu.resident_blocks = 1 : i32, tile_gpu.ring_stages = 2 : i32, tile_gpu.shared_bytes = 214664 : i32, tile_gpu.tensor_maps_of = "attention_fp8"} {
    %staging = "tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32} : () -> memref<16x16x64xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 128 : i64, transposed = false}>>
    %query_block = "tile_gpu.alloc"() {tile_gpu.shared_offset = 163840 : i32} : () -> memref<1x128x128xf8E4M3FN, #sw>
    %queries_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 214528 : i32} : () -> memref<1x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%queries_full) {arrivals = 1 : i32} : (memref<1x1xi64, #bar>) -> ()
    %queries_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 214656 : i32} : () -> memref<1x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%queries_free) {arrivals = 8 : i32} : (memref<1x1xi64, #bar>) -> ()
    %keys_a = "tile_gpu.alloc"() {tile_gpu.shared_offset = 32768 : i32} : () -> memref<2x128x128xf8E4M3FN, #sw>
    %keys_b = "tile_gpu.alloc"() {tile_gpu.shared_offset = 65536 : i32} : () -> memref<2x128x128xf8E4M3FN, #sw>
    %values_a = "tile_gpu.alloc"() {tile_gpu.shared_offset = 180224 : i32} : () -> memref<1x128x128xf8E4M3FN, #sw>
    %values_b = "tile_gpu.alloc"() {tile_gpu.shared_offset = 196608 : i32} : () -> memref<1x128x128xf8E4M3FN, #sw>
    %keys_a_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 212992 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%keys_a_full) {arrivals = 1 : i32} : (memref<2x1xi64, #bar>) -> ()
    %keys_b_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 213120 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%keys_b_full) {arrivals = 1 : i32} : (memref<2x1xi64, #bar>) -> ()
    %values_a_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 213248 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%values_a_full) {arrivals = 1 : i32} : (memref<2x1xi64, #bar>) -> ()
    %values_b_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 213376 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%values_b_full) {arrivals = 1 : i32} : (memref<2x1xi64, #bar>) -> ()
    %turned_a = "tile_gpu.alloc"() {tile_gpu.shared_offset = 98304 : i32} : () -> memref<2x128x128xf8E4M3FN, #swt>
    %turned_b = "tile_gpu.alloc"() {tile_gpu.shared_offset = 131072 : i32} : () -> memref<2x128x128xf8E4M3FN, #swt>
    %keys_a_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 213504 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%keys_a_free) {arrivals = 8 : i32} : (memref<2x1xi64, #bar>) -> ()
    %keys_b_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 213632 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%keys_b_free) {arrivals = 8 : i32} : (memref<2x1xi64, #bar>) -> ()
    %values_a_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 213760 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%values_a_free) {arrivals = 2 : i32} : (memref<2x1xi64, #bar>) -> ()
    %turned_a_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 213888 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%turned_a_full) {arrivals = 2 : i32} : (memref<2x1xi64, #bar>) -> ()
    %turned_a_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 214016 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%turned_a_free) {arrivals = 8 : i32} : (memref<2x1xi64, #bar>) -> ()
    %values_b_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 214144 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%values_b_free) {arrivals = 2 : i32} : (memref<2x1xi64, #bar>) -> ()
    %turned_b_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 214272 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%turned_b_full) {arrivals = 2 : i32} : (memref<2x1xi64, #bar>) -> ()
    %turned_b_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 214400 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%turned_b_free) {arrivals = 8 : i32} : (memref<2x1xi64, #bar>) -> ()
    "tile_gpu.barrier"() : () -> ()
    %copies = "tile_gpu.in_producer"() : () -> i1
    scf.if %copies {
      %transposes = "tile_gpu.in_transposer"() : () -> i1
      scf.if %transposes {
        %24 = arith.muli %arg15, %arg16 : i32
        %25 = arith.muli %24, %arg17 : i32
        %26 = "tile.program_id"() {axis = 2 : i32} : () -> i32
        %27 = "tile.num_programs"() {axis = 2 : i32} : () -> i32
        %28 = "tile.num_programs"() {axis = 1 : i32} : () -> i32
        %29 = arith.muli %26, %28 : i32
        %30 = "tile.program_id"() {axis = 1 : i32} : () -> i32
        %31 = arith.addi %29, %30 : i32
        %32 = arith.muli %27, %28 : i32
        %33 = "tile.num_programs"() {axis = 0 : i32} : () -> i32
        %34 = arith.muli %31, %33 : i32
        %35 = "tile.program_id"() {axis = 0 : i32} : () -> i32
        %36 = arith.addi %34, %35 : i32
        %37 = arith.muli %32, %33 : i32
        %38 = arith.remui %37, %arg15 : i32
        %39 = arith.divui %37, %arg15 : i32
        %40 = arith.remui %39, %arg16 : i32
        %41 = arith.remui %36, %arg15 : i32
        %42 = arith.divui %36, %arg15 : i32
        %43 = arith.remui %42, %arg16 : i32
        %c0_i32 = arith.constant 0 : i32
        %c1_i32 = arith.constant 1 : i32
        %c256_i32 = arith.constant 256 : i32
        %44 = arith.cmpi slt, %c0_i32, %arg9 : i32
        %45:6 = scf.for %arg18 = %36 to %25 step %37 iter_args(%arg19 = %41, %arg20 = %43, %arg21 = %c0_i32, %arg22 = %c0_i32, %arg23 = %c0_i32, %arg24 = %c0_i32) -> (i32, i32, i32, i32, i32, i32)  : i32 {
          %46 = arith.addi %arg21, %c1_i32 : i32
          %47 = arith.cmpi eq, %46, %c1_i32 : i32
          %48 = arith.extui %47 : i1 to i32
          %49 = arith.xori %arg22, %48 : i32
          %50 = arith.select %47, %c0_i32, %46 : i32
          %51:5 = scf.if %44 -> (tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32) {
            %62 = arith.addi %arg23, %c1_i32 : i32
            %c2_i32 = arith.constant 2 : i32
            %63 = arith.cmpi eq, %62, %c2_i32 : i32
            %64 = arith.extui %63 : i1 to i32
            %65 = arith.xori %arg24, %64 : i32
            %66 = arith.select %63, %c0_i32, %62 : i32
            %67 = arith.subi %arg9, %c0_i32 : i32
            %68 = arith.cmpi ugt, %67, %c256_i32 : i32
            %69 = arith.subi %arg9, %c256_i32 : i32
            %70 = arith.select %68, %69, %c0_i32 : i32
            %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
            %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #part>
            %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #row>
            %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf8E4M3FN, #weights>
            %71 = "tile_gpu.index"(%values_a, %c0_i32) : (memref<1x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
            %true = arith.constant true
            %72 = "tile_gpu.index"(%values_b, %c0_i32) : (memref<1x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
            %73:10 = scf.for %arg25 = %c0_i32 to %70 step %c256_i32 iter_args(%arg26 = %cst, %arg27 = %cst_0, %arg28 = %cst_1, %arg29 = %66, %arg30 = %65, %arg31 = %cst_1, %arg32 = %arg23, %arg33 = %arg24, %arg34 = %cst_2, %arg35 = %cst_2) -> (tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32, tensor<128xf32, #row>, i32, i32, tensor<128x128xf8E4M3FN, #weights>, tensor<128x128xf8E4M3FN, #weights>)  : i32 {
              %89 = "tile_gpu.index"(%turned_a, %arg32) : (memref<2x128x128xf8E4M3FN, #swt>, i32) -> memref<128x128xf8E4M3FN, #swt>
              %90 = "tile_gpu.index"(%values_a_full, %arg32) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %91 = "tile_gpu.mbarrier_wait"(%90, %arg33) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
              %92 = arith.xori %arg33, %c1_i32 : i32
              %93 = "tile_gpu.index"(%turned_a_free, %arg32) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %94 = "tile_gpu.mbarrier_wait"(%93, %92) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
              "tile_gpu.local_transpose"(%71, %89) {interleaved, tile_gpu.by_role} : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>) -> ()
              %95 = "tile_gpu.index"(%turned_a_full, %arg32) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %96 = "tile_gpu.index"(%values_a_free, %arg32) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %97 = "tile_gpu.index"(%turned_b, %arg32) : (memref<2x128x128xf8E4M3FN, #swt>, i32) -> memref<128x128xf8E4M3FN, #swt>
              %98 = "tile_gpu.index"(%values_b_full, %arg32) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %99 = "tile_gpu.mbarrier_wait"(%98, %arg33) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
              %100 = "tile_gpu.index"(%turned_b_free, %arg32) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %101 = "tile_gpu.mbarrier_wait"(%100, %92) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
              "tile_gpu.local_transpose"(%72, %97) {interleaved, tile_gpu.by_role} : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>) -> ()
              %102 = "tile_gpu.index"(%turned_b_full, %arg32) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %103 = "tile_gpu.index"(%values_b_free, %arg32) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %104 = arith.addi %arg29, %c1_i32 : i32
              %105 = arith.cmpi eq, %104, %c2_i32 : i32
              %106 = arith.extui %105 : i1 to i32
              %107 = arith.xori %arg30, %106 : i32
              %108 = arith.select %105, %c0_i32, %104 : i32
              "tile_gpu.mbarrier_arrive"(%95, %true) : (memref<1xi64, #bar>, i1) -> ()
              "tile_gpu.mbarrier_arrive"(%96, %true) : (memref<1xi64, #bar>, i1) -> ()
              "tile_gpu.mbarrier_arrive"(%102, %true) : (memref<1xi64, #bar>, i1) -> ()
              "tile_gpu.mbarrier_arrive"(%103, %true) : (memref<1xi64, #bar>, i1) -> ()
              scf.yield %arg26, %arg27, %arg28, %108, %107, %arg31, %arg29, %arg30, %arg34, %arg35 : tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32, tensor<128xf32, #row>, i32, i32, tensor<128x128xf8E4M3FN, #weights>, tensor<128x128xf8E4M3FN, #weights>
            }
            %74 = "tile_gpu.index"(%turned_a, %73#6) : (memref<2x128x128xf8E4M3FN, #swt>, i32) -> memref<128x128xf8E4M3FN, #swt>
            %75 = "tile_gpu.index"(%values_a_full, %73#6) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %76 = "tile_gpu.mbarrier_wait"(%75, %73#7) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            %77 = arith.xori %73#7, %c1_i32 : i32
            %78 = "tile_gpu.index"(%turned_a_free, %73#6) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %79 = "tile_gpu.mbarrier_wait"(%78, %77) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            "tile_gpu.local_transpose"(%71, %74) {interleaved, tile_gpu.by_role} : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>) -> ()
            %80 = "tile_gpu.index"(%turned_a_full, %73#6) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            "tile_gpu.mbarrier_arrive"(%80, %true) : (memref<1xi64, #bar>, i1) -> ()
            %81 = "tile_gpu.index"(%values_a_free, %73#6) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            "tile_gpu.mbarrier_arrive"(%81, %true) : (memref<1xi64, #bar>, i1) -> ()
            %82 = "tile_gpu.index"(%turned_b, %73#6) : (memref<2x128x128xf8E4M3FN, #swt>, i32) -> memref<128x128xf8E4M3FN, #swt>
            %83 = "tile_gpu.index"(%values_b_full, %73#6) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %84 = "tile_gpu.mbarrier_wait"(%83, %73#7) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            %85 = "tile_gpu.index"(%turned_b_free, %73#6) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %86 = "tile_gpu.mbarrier_wait"(%85, %77) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            "tile_gpu.local_transpose"(%72, %82) {interleaved, tile_gpu.by_role} : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>) -> ()
            %87 = "tile_gpu.index"(%turned_b_full, %73#6) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            "tile_gpu.mbarrier_arrive"(%87, %true) : (memref<1xi64, #bar>, i1) -> ()
            %88 = "tile_gpu.index"(%values_b_free, %73#6) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            "tile_gpu.mbarrier_arrive"(%88, %true) : (memref<1xi64, #bar>, i1) -> ()
            scf.yield %cst, %cst_0, %cst_1, %73#3, %73#4 : tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32
          } else {
            %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
            %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #part>
            %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #row>
            scf.yield %cst, %cst_0, %cst_1, %arg23, %arg24 : tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32
          }
          %52 = arith.addi %arg19, %38 : i32
          %53 = arith.cmpi uge, %52, %arg15 : i32
          %54 = arith.subi %52, %arg15 : i32
          %55 = arith.select %53, %54, %52 : i32
          %56 = arith.extui %53 : i1 to i32
          %57 = arith.addi %arg20, %40 : i32
          %58 = arith.addi %57, %56 : i32
          %59 = arith.cmpi uge, %58, %arg16 : i32
          %60 = arith.subi %58, %arg16 : i32
          %61 = arith.select %59, %60, %58 : i32
          scf.yield %55, %61, %50, %49, %51#3, %51#4 : i32, i32, i32, i32, i32, i32
        }
      } else {
        %24 = arith.muli %arg15, %arg16 : i32
        %25 = arith.muli %24, %arg17 : i32
        %26 = "tile.program_id"() {axis = 2 : i32} : () -> i32
        %27 = "tile.num_programs"() {axis = 2 : i32} : () -> i32
        %28 = "tile.num_programs"() {axis = 1 : i32} : () -> i32
        %29 = arith.muli %26, %28 : i32
        %30 = "tile.program_id"() {axis = 1 : i32} : () -> i32
        %31 = arith.addi %29, %30 : i32
        %32 = arith.muli %27, %28 : i32
        %33 = "tile.num_programs"() {axis = 0 : i32} : () -> i32
        %34 = arith.muli %31, %33 : i32
        %35 = "tile.program_id"() {axis = 0 : i32} : () -> i32
        %36 = arith.addi %34, %35 : i32
        %37 = arith.muli %32, %33 : i32
        %38 = arith.remui %37, %arg15 : i32
        %39 = arith.divui %37, %arg15 : i32
        %40 = arith.remui %39, %arg16 : i32
        %41 = arith.remui %36, %arg15 : i32
        %42 = arith.divui %36, %arg15 : i32
        %43 = arith.remui %42, %arg16 : i32
        %c0_i32 = arith.constant 0 : i32
        %c1_i32 = arith.constant 1 : i32
        %c256_i32 = arith.constant 256 : i32
        %c0_i64 = arith.constant 0 : i64
        %c128_i32 = arith.constant 128 : i32
        %true = arith.constant true
        %44 = "tile_gpu.index"(%query_block, %c0_i32) : (memref<1x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
        %c-2147483648_i64 = arith.constant -2147483648 : i64
        %c2147483647_i64 = arith.constant 2147483647 : i64
        %45 = arith.minsi %c0_i64, %c2147483647_i64 : i64
        %46 = arith.maxsi %45, %c-2147483648_i64 : i64
        %47 = arith.trunci %46 : i64 to i32
        %48 = arith.cmpi slt, %c0_i32, %arg9 : i32
        %49:6 = scf.for %arg18 = %36 to %25 step %37 iter_args(%arg19 = %41, %arg20 = %43, %arg21 = %c0_i32, %arg22 = %c0_i32, %arg23 = %c0_i32, %arg24 = %c0_i32) -> (i32, i32, i32, i32, i32, i32)  : i32 {
          %50 = arith.addi %arg21, %c1_i32 : i32
          %51 = arith.cmpi eq, %50, %c1_i32 : i32
          %52 = arith.extui %51 : i1 to i32
          %53 = arith.xori %arg22, %52 : i32
          %54 = arith.select %51, %c0_i32, %50 : i32
          %55 = arith.muli %arg19, %c128_i32 : i32
          %56 = "tile_gpu.index"(%queries_free, %arg21) : (memref<1x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %57 = arith.xori %arg22, %c1_i32 : i32
          %58 = "tile_gpu.mbarrier_wait"(%56, %57) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          %59 = "tile_gpu.index"(%queries_full, %arg21) : (memref<1x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          "tile_gpu.mbarrier_expect"(%59, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
          %60 = "tile_gpu.bulk_load"(%arg11, %44, %59, %true, %arg20, %55, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
          %61:5 = scf.if %48 -> (tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32) {
            %72 = arith.addi %arg23, %c1_i32 : i32
            %c2_i32 = arith.constant 2 : i32
            %73 = arith.cmpi eq, %72, %c2_i32 : i32
            %74 = arith.extui %73 : i1 to i32
            %75 = arith.xori %arg24, %74 : i32
            %76 = arith.select %73, %c0_i32, %72 : i32
            %77 = "tile_gpu.index"(%keys_a_full, %arg23) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %78 = arith.xori %arg24, %c1_i32 : i32
            %79 = "tile_gpu.index"(%keys_a_free, %arg23) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %80 = "tile_gpu.mbarrier_wait"(%79, %78) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            "tile_gpu.mbarrier_expect"(%77, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
            %81 = "tile_gpu.index"(%keys_a, %arg23) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
            %82 = "tile_gpu.bulk_load"(%arg12, %81, %77, %true, %arg20, %c0_i32, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
            %83 = arith.addi %c0_i32, %c128_i32 : i32
            %84 = "tile_gpu.index"(%keys_b_full, %arg23) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %85 = "tile_gpu.index"(%keys_b_free, %arg23) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %86 = "tile_gpu.mbarrier_wait"(%85, %78) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            "tile_gpu.mbarrier_expect"(%84, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
            %87 = "tile_gpu.index"(%keys_b, %arg23) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
            %88 = "tile_gpu.bulk_load"(%arg12, %87, %84, %true, %arg20, %83, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
            %89 = "tile_gpu.index"(%values_a_full, %arg23) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %90 = arith.cmpi eq, %arg23, %c0_i32 : i32
            %91 = arith.subi %arg23, %c1_i32 : i32
            %92 = arith.select %90, %78, %arg24 : i32
            %93 = arith.select %90, %c1_i32, %91 : i32
            %94 = "tile_gpu.index"(%values_a_free, %93) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %95 = "tile_gpu.mbarrier_wait"(%94, %92) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            "tile_gpu.mbarrier_expect"(%89, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
            %96 = "tile_gpu.index"(%values_a, %c0_i32) : (memref<1x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
            %97 = "tile_gpu.bulk_load"(%arg13, %96, %89, %true, %arg20, %c0_i32, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
            %98 = "tile_gpu.index"(%values_b_full, %arg23) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %99 = "tile_gpu.index"(%values_b_free, %93) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %100 = "tile_gpu.mbarrier_wait"(%99, %92) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            "tile_gpu.mbarrier_expect"(%98, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
            %101 = "tile_gpu.index"(%values_b, %c0_i32) : (memref<1x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
            %102 = "tile_gpu.bulk_load"(%arg13, %101, %98, %true, %arg20, %83, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
            %103 = arith.subi %arg9, %c0_i32 : i32
            %104 = arith.cmpi ugt, %103, %c256_i32 : i32
            %105 = arith.subi %arg9, %c256_i32 : i32
            %106 = arith.select %104, %105, %c0_i32 : i32
            %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
            %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #part>
            %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #row>
            %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf8E4M3FN, #weights>
            %107:10 = scf.for %arg25 = %c0_i32 to %106 step %c256_i32 iter_args(%arg26 = %cst, %arg27 = %cst_0, %arg28 = %cst_1, %arg29 = %76, %arg30 = %75, %arg31 = %cst_1, %arg32 = %arg23, %arg33 = %arg24, %arg34 = %cst_2, %arg35 = %cst_2) -> (tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32, tensor<128xf32, #row>, i32, i32, tensor<128x128xf8E4M3FN, #weights>, tensor<128x128xf8E4M3FN, #weights>)  : i32 {
              %108 = arith.addi %arg25, %c256_i32 : i32
              %109 = arith.addi %arg29, %c1_i32 : i32
              %110 = arith.cmpi eq, %109, %c2_i32 : i32
              %111 = arith.extui %110 : i1 to i32
              %112 = arith.xori %arg30, %111 : i32
              %113 = arith.select %110, %c0_i32, %109 : i32
              %114 = "tile_gpu.index"(%keys_a_full, %arg29) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %115 = arith.xori %arg30, %c1_i32 : i32
              %116 = "tile_gpu.index"(%keys_a_free, %arg29) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %117 = "tile_gpu.mbarrier_wait"(%116, %115) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
              "tile_gpu.mbarrier_expect"(%114, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
              %118 = "tile_gpu.index"(%keys_a, %arg29) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
              %119 = "tile_gpu.bulk_load"(%arg12, %118, %114, %true, %arg20, %108, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
              %120 = arith.addi %108, %c128_i32 : i32
              %121 = "tile_gpu.index"(%keys_b_full, %arg29) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %122 = "tile_gpu.index"(%keys_b_free, %arg29) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %123 = "tile_gpu.mbarrier_wait"(%122, %115) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
              "tile_gpu.mbarrier_expect"(%121, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
              %124 = "tile_gpu.index"(%keys_b, %arg29) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
              %125 = "tile_gpu.bulk_load"(%arg12, %124, %121, %true, %arg20, %120, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
              %126 = "tile_gpu.index"(%values_a_full, %arg29) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %127 = arith.cmpi eq, %arg29, %c0_i32 : i32
              %128 = arith.subi %arg29, %c1_i32 : i32
              %129 = arith.select %127, %115, %arg30 : i32
              %130 = arith.select %127, %c1_i32, %128 : i32
              %131 = "tile_gpu.index"(%values_a_free, %130) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %132 = "tile_gpu.mbarrier_wait"(%131, %129) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
              "tile_gpu.mbarrier_expect"(%126, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
              %133 = "tile_gpu.bulk_load"(%arg13, %96, %126, %true, %arg20, %108, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
              %134 = "tile_gpu.index"(%values_b_full, %arg29) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %135 = "tile_gpu.index"(%values_b_free, %130) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
              %136 = "tile_gpu.mbarrier_wait"(%135, %129) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
              "tile_gpu.mbarrier_expect"(%134, %true) {bytes = 16384 : i32} : (memref<1xi64, #bar>, i1) -> ()
              %137 = "tile_gpu.bulk_load"(%arg13, %101, %134, %true, %arg20, %120, %47) : (!tile.descriptor<tensor<128x128xf8E4M3FN>>, memref<128x128xf8E4M3FN, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32) -> !tile_gpu.token
              scf.yield %arg26, %arg27, %arg28, %113, %112, %arg31, %arg29, %arg30, %arg34, %arg35 : tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32, tensor<128xf32, #row>, i32, i32, tensor<128x128xf8E4M3FN, #weights>, tensor<128x128xf8E4M3FN, #weights>
            }
            scf.yield %cst, %cst_0, %cst_1, %107#3, %107#4 : tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32
          } else {
            %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
            %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #part>
            %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #row>
            scf.yield %cst, %cst_0, %cst_1, %arg23, %arg24 : tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32
          }
          %62 = arith.addi %arg19, %38 : i32
          %63 = arith.cmpi uge, %62, %arg15 : i32
          %64 = arith.subi %62, %arg15 : i32
          %65 = arith.select %63, %64, %62 : i32
          %66 = arith.extui %63 : i1 to i32
          %67 = arith.addi %arg20, %40 : i32
          %68 = arith.addi %67, %66 : i32
          %69 = arith.cmpi uge, %68, %arg16 : i32
          %70 = arith.subi %68, %arg16 : i32
          %71 = arith.select %69, %70, %68 : i32
          scf.yield %65, %71, %54, %53, %61#3, %61#4 : i32, i32, i32, i32, i32, i32
        }
      }
    } else {
      %23 = arith.muli %arg15, %arg16 : i32
      %24 = arith.muli %23, %arg17 : i32
      %25 = "tile.program_id"() {axis = 2 : i32} : () -> i32
      %26 = "tile.num_programs"() {axis = 2 : i32} : () -> i32
      %27 = "tile.num_programs"() {axis = 1 : i32} : () -> i32
      %28 = arith.muli %25, %27 : i32
      %29 = "tile.program_id"() {axis = 1 : i32} : () -> i32
      %30 = arith.addi %28, %29 : i32
      %31 = arith.muli %26, %27 : i32
      %32 = "tile.num_programs"() {axis = 0 : i32} : () -> i32
      %33 = arith.muli %30, %32 : i32
      %34 = "tile.program_id"() {axis = 0 : i32} : () -> i32
      %35 = arith.addi %33, %34 : i32
      %36 = arith.muli %31, %32 : i32
      %37 = arith.remui %36, %arg15 : i32
      %38 = arith.divui %36, %arg15 : i32
      %39 = arith.remui %38, %arg16 : i32
      %40 = arith.remui %35, %arg15 : i32
      %41 = arith.divui %35, %arg15 : i32
      %42 = arith.remui %41, %arg16 : i32
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %cst = arith.constant dense<1.000000e+00> : tensor<128xf32, #row>
      %eights = arith.constant dense<8.000000e+00> : tensor<128xf32, #row>
      %cst_1 = arith.constant dense<0xFF800000> : tensor<128xf32, #row>
      %cst_2 = arith.constant dense<0.000000e+00> : tensor<128xf32, #row>
      %zeros = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
      %c256_i32 = arith.constant 256 : i32
      %cst_4 = arith.constant 1.000000e-30 : f32
      %cst_5 = arith.constant 1.44269502 : f32
      %c128_i32 = arith.constant 128 : i32
      %true = arith.constant true
      %queries = "tile_gpu.index"(%query_block, %c0_i32) : (memref<1x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %cst_6 = arith.constant dense<-0.000000e+00> : tensor<128x4xf32, #part>
      %cst_7 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #part>
      %44 = "tile.range"() {end = 4 : i32, start = 0 : i32} : () -> tensor<4xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #part}>>
      %45 = "tile.expand_dims"(%44) {axis = 0 : i32} : (tensor<4xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #part}>>) -> tensor<1x4xi32, #part>
      %46 = "tile.broadcast"(%45) : (tensor<1x4xi32, #part>) -> tensor<128x4xi32, #part>
      %cst_8 = arith.constant dense<0> : tensor<128x4xi32, #part>
      %47 = arith.cmpi eq, %46, %cst_8 : tensor<128x4xi32, #part>
      %48 = arith.select %47, %cst_7, %cst_6 : tensor<128x4xi1, #part>, tensor<128x4xf32, #part>
      %49 = arith.cmpi slt, %c0_i32, %arg9 : i32
      %50:6 = scf.for %arg18 = %35 to %24 step %36 iter_args(%arg19 = %40, %arg20 = %42, %arg21 = %c0_i32, %arg22 = %c0_i32, %arg23 = %c0_i32, %arg24 = %c0_i32) -> (i32, i32, i32, i32, i32, i32)  : i32 {
        %51 = arith.addi %arg21, %c1_i32 : i32
        %52 = arith.cmpi eq, %51, %c1_i32 : i32
        %53 = arith.extui %52 : i1 to i32
        %54 = arith.xori %arg22, %53 : i32
        %55 = arith.select %52, %c0_i32, %51 : i32
        %56 = arith.muli %arg19, %c128_i32 : i32
        %57 = "tile.addptr"(%arg4, %arg20) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
        %58 = "tile.load"(%57) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
        %59 = arith.mulf %arg7, %58 : f32
        %60 = "tile.addptr"(%arg5, %arg20) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
        %61 = "tile.load"(%60) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
        %62 = arith.mulf %59, %61 : f32
        %63 = arith.mulf %62, %cst_5 : f32
        %64 = arith.maxnumf %63, %cst_4 : f32
        %65 = "tile_gpu.index"(%queries_free, %arg21) : (memref<1x1xi64, #bar>, i32) -> memref<1xi64, #bar>
        %66 = "tile_gpu.index"(%queries_full, %arg21) : (memref<1x1xi64, #bar>, i32) -> memref<1xi64, #bar>
        %67 = "tile_gpu.mbarrier_wait"(%66, %arg22) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
        %scale_rows = "tile.splat"(%64) : (f32) -> tensor<128xf32, #row>
        %scale_tile = "tile.splat"(%64) : (f32) -> tensor<128x128xf32, #acc>
        %70:5 = scf.if %49 -> (tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32) {
          %c2_i32 = arith.constant 2 : i32
          %key_tile_a_first = "tile_gpu.index"(%keys_a, %arg23) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
          %keys_turned_a_first = "tile_gpu.transpose"(%key_tile_a_first) {order = array<i32: 1, 0>} : (memref<128x128xf8E4M3FN, #sw>) -> memref<128x128xf8E4M3FN, #swt>
          %key_a_full_first = "tile_gpu.index"(%keys_a_full, %arg23) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %key_a_full_there_first = "tile_gpu.mbarrier_wait"(%key_a_full_first, %arg24) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          %next_scores_a_first = "tile_gpu.warpgroup_dot"(%queries, %keys_turned_a_first, %zeros) : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          %key_tile_b_first = "tile_gpu.index"(%keys_b, %arg23) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
          %keys_turned_b_first = "tile_gpu.transpose"(%key_tile_b_first) {order = array<i32: 1, 0>} : (memref<128x128xf8E4M3FN, #sw>) -> memref<128x128xf8E4M3FN, #swt>
          %key_b_full_first = "tile_gpu.index"(%keys_b_full, %arg23) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %key_b_full_there_first = "tile_gpu.mbarrier_wait"(%key_b_full_first, %arg24) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          %next_scores_b_first = "tile_gpu.warpgroup_dot"(%queries, %keys_turned_b_first, %zeros) : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          %begun_first:2 = "tile_gpu.warpgroup_dot_wait"(%next_scores_a_first, %next_scores_b_first) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>) -> (tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>)
          %following_first = arith.addi %arg23, %c1_i32 : i32
          %wraps_first = arith.cmpi eq, %following_first, %c2_i32 : i32
          %flip_first = arith.extui %wraps_first : i1 to i32
          %following_phase_first = arith.xori %arg24, %flip_first : i32
          %following_stage_first = arith.select %wraps_first, %c0_i32, %following_first : i32
          %longer = arith.cmpi ugt, %arg9, %c256_i32 : i32
          %all_but_last = arith.subi %arg9, %c256_i32 : i32
          %last = arith.select %longer, %all_but_last, %c0_i32 : i32
          %loop:10 = scf.for %iv = %c0_i32 to %last step %c256_i32 iter_args(%scores_a = %begun_first#0, %scores_b = %begun_first#1, %sums = %zeros, %norms = %48, %top = %cst_1, %stage = %arg23, %phase = %arg24, %next_stage = %following_stage_first, %next_phase = %following_phase_first, %stage_before = %c0_i32) -> (tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32, i32, i32, i32) : i32 {
            %later = arith.cmpi ne, %iv, %c0_i32 : i32
            %done:3 = "tile_gpu.warpgroup_dot_wait"(%scores_a, %scores_b, %sums) {operandSegmentSizes = array<i32: 1, 1, 1, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>) -> (tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>)
            %key_a_free = "tile_gpu.index"(%keys_a_free, %stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            "tile_gpu.mbarrier_arrive"(%key_a_free, %true) : (memref<1xi64, #bar>, i1) -> ()
            %key_b_free = "tile_gpu.index"(%keys_b_free, %stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            "tile_gpu.mbarrier_arrive"(%key_b_free, %true) : (memref<1xi64, #bar>, i1) -> ()
            %value_b_free = "tile_gpu.index"(%turned_b_free, %stage_before) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            "tile_gpu.mbarrier_arrive"(%value_b_free, %later) : (memref<1xi64, #bar>, i1) -> ()
            // One maximum for both halves.
            %quads = "tile.reshape"(%done#0) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
            %pairs = "tile.reduce"(%quads) ({
            ^bb0(%left: f32, %right: f32):
              %both = arith.maxnumf %left, %right : f32
              gpu.yield %both : f32
            }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
            %highest_a = "tile.reduce"(%pairs) ({
            ^bb0(%left_1: f32, %right_1: f32):
              %both_1 = arith.maxnumf %left_1, %right_1 : f32
              gpu.yield %both_1 : f32
            }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
            %quads_1 = "tile.reshape"(%done#1) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
            %pairs_1 = "tile.reduce"(%quads_1) ({
            ^bb0(%left_2: f32, %right_2: f32):
              %both_2 = arith.maxnumf %left_2, %right_2 : f32
              gpu.yield %both_2 : f32
            }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
            %highest_b = "tile.reduce"(%pairs_1) ({
            ^bb0(%left_3: f32, %right_3: f32):
              %both_3 = arith.maxnumf %left_3, %right_3 : f32
              gpu.yield %both_3 : f32
            }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
            %highest_part = arith.maxnumf %highest_a, %highest_b : tensor<128x4xf32, #part>
            %highest = "tile.reduce"(%highest_part) ({
            ^bb0(%left_4: f32, %right_4: f32):
              %both_4 = arith.maxnumf %left_4, %right_4 : f32
              gpu.yield %both_4 : f32
            }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x4xf32, #part>) -> tensor<128xf32, #row>
            %highest_scaled = arith.mulf %highest, %scale_rows : tensor<128xf32, #row>
            %higher = arith.maxnumf %top, %highest_scaled : tensor<128xf32, #row>
            %level = arith.subf %higher, %eights : tensor<128xf32, #row>
            %column = "tile.expand_dims"(%level) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
            %level_tile = "tile.broadcast"(%column) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
            %level_below = arith.negf %level_tile : tensor<128x128xf32, #acc>
            %fall = arith.subf %top, %higher : tensor<128xf32, #row>
            %shrink = math.exp2 %fall fastmath<afn> : tensor<128xf32, #row>
            %column_1 = "tile.expand_dims"(%shrink) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
            %shrink_tile = "tile.broadcast"(%column_1) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
            %rescaled = arith.mulf %done#2, %shrink_tile : tensor<128x128xf32, #acc>
            // The first half.
            %exponents_a = math.fma %done#0, %scale_tile, %level_below : tensor<128x128xf32, #acc>
            %exponentials_a = math.exp2 %exponents_a fastmath<afn> : tensor<128x128xf32, #acc>
            %bytes = "tile.to_fp8"(%exponentials_a) : (tensor<128x128xf32, #acc>) -> tensor<128x128xf8E4M3FN, #acc>
            %bytes_1 = "tile.reshape"(%bytes) : (tensor<128x128xf8E4M3FN, #acc>) -> tensor<128x8x2x4x2xf8E4M3FN, #keys4>
            %bytes_2 = "tile.permute"(%bytes_1) {order = array<i32: 0, 1, 3, 2, 4>} : (tensor<128x8x2x4x2xf8E4M3FN, #keys4>) -> tensor<128x8x4x2x2xf8E4M3FN, #keys2>
            %bytes_3 = "tile.reshape"(%bytes_2) : (tensor<128x8x4x2x2xf8E4M3FN, #keys2>) -> tensor<128x128xf8E4M3FN, #permuted>
            %weights_a = "tile_gpu.convert_layout"(%bytes_3) : (tensor<128x128xf8E4M3FN, #permuted>) -> tensor<128x128xf8E4M3FN, #weights>
            %quads_2 = "tile.reshape"(%exponentials_a) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
            %pairs_2 = "tile.reduce"(%quads_2) ({
            ^bb0(%left_5: f32, %right_5: f32):
              %both_5 = arith.addf %left_5, %right_5 : f32
              gpu.yield %both_5 : f32
            }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
            %norms_a = "tile.reduce"(%pairs_2) ({
            ^bb0(%left_6: f32, %right_6: f32):
              %both_6 = arith.addf %left_6, %right_6 : f32
              gpu.yield %both_6 : f32
            }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
            %value_a_full = "tile_gpu.index"(%turned_a_full, %stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %value_a_full_there = "tile_gpu.mbarrier_wait"(%value_a_full, %phase) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            %value_tile_a = "tile_gpu.index"(%turned_a, %stage) : (memref<2x128x128xf8E4M3FN, #swt>, i32) -> memref<128x128xf8E4M3FN, #swt>
            %sums_a = "tile_gpu.warpgroup_dot"(%weights_a, %value_tile_a, %rescaled) : (tensor<128x128xf8E4M3FN, #weights>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            // Its scores are used up: the next ones of their half take their registers.
            %key_tile_a = "tile_gpu.index"(%keys_a, %next_stage) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
            %keys_turned_a = "tile_gpu.transpose"(%key_tile_a) {order = array<i32: 1, 0>} : (memref<128x128xf8E4M3FN, #sw>) -> memref<128x128xf8E4M3FN, #swt>
            %key_a_full = "tile_gpu.index"(%keys_a_full, %next_stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %key_a_full_there = "tile_gpu.mbarrier_wait"(%key_a_full, %next_phase) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            %next_scores_a = "tile_gpu.warpgroup_dot"(%queries, %keys_turned_a, %zeros) : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            // The second half, under both products.
            %exponents_b = math.fma %done#1, %scale_tile, %level_below : tensor<128x128xf32, #acc>
            %exponentials_b = math.exp2 %exponents_b fastmath<afn> : tensor<128x128xf32, #acc>
            %bytes_4 = "tile.to_fp8"(%exponentials_b) : (tensor<128x128xf32, #acc>) -> tensor<128x128xf8E4M3FN, #acc>
            %bytes_5 = "tile.reshape"(%bytes_4) : (tensor<128x128xf8E4M3FN, #acc>) -> tensor<128x8x2x4x2xf8E4M3FN, #keys4>
            %bytes_6 = "tile.permute"(%bytes_5) {order = array<i32: 0, 1, 3, 2, 4>} : (tensor<128x8x2x4x2xf8E4M3FN, #keys4>) -> tensor<128x8x4x2x2xf8E4M3FN, #keys2>
            %bytes_7 = "tile.reshape"(%bytes_6) : (tensor<128x8x4x2x2xf8E4M3FN, #keys2>) -> tensor<128x128xf8E4M3FN, #permuted>
            %weights_b = "tile_gpu.convert_layout"(%bytes_7) : (tensor<128x128xf8E4M3FN, #permuted>) -> tensor<128x128xf8E4M3FN, #weights>
            %quads_3 = "tile.reshape"(%exponentials_b) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
            %pairs_3 = "tile.reduce"(%quads_3) ({
            ^bb0(%left_7: f32, %right_7: f32):
              %both_7 = arith.addf %left_7, %right_7 : f32
              gpu.yield %both_7 : f32
            }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
            %norms_b = "tile.reduce"(%pairs_3) ({
            ^bb0(%left_8: f32, %right_8: f32):
              %both_8 = arith.addf %left_8, %right_8 : f32
              gpu.yield %both_8 : f32
            }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
            %value_b_full = "tile_gpu.index"(%turned_b_full, %stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %value_b_full_there = "tile_gpu.mbarrier_wait"(%value_b_full, %phase) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            %sums_a_done = "tile_gpu.warpgroup_dot_wait"(%sums_a) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 1 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            %value_a_free = "tile_gpu.index"(%turned_a_free, %stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            "tile_gpu.mbarrier_arrive"(%value_a_free, %true) : (memref<1xi64, #bar>, i1) -> ()
            %value_tile_b = "tile_gpu.index"(%turned_b, %stage) : (memref<2x128x128xf8E4M3FN, #swt>, i32) -> memref<128x128xf8E4M3FN, #swt>
            %sums_b = "tile_gpu.warpgroup_dot"(%weights_b, %value_tile_b, %sums_a_done) : (tensor<128x128xf8E4M3FN, #weights>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            %key_tile_b = "tile_gpu.index"(%keys_b, %next_stage) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
            %keys_turned_b = "tile_gpu.transpose"(%key_tile_b) {order = array<i32: 1, 0>} : (memref<128x128xf8E4M3FN, #sw>) -> memref<128x128xf8E4M3FN, #swt>
            %key_b_full = "tile_gpu.index"(%keys_b_full, %next_stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %key_b_full_there = "tile_gpu.mbarrier_wait"(%key_b_full, %next_phase) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            %next_scores_b = "tile_gpu.warpgroup_dot"(%queries, %keys_turned_b, %zeros) : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            %norms_both = arith.addf %norms_a, %norms_b : tensor<128x4xf32, #part>
            %column_2 = "tile_gpu.convert_layout"(%shrink) : (tensor<128xf32, #row>) -> tensor<128xf32, #partrow>
            %column_3 = "tile.expand_dims"(%column_2) {axis = 1 : i32} : (tensor<128xf32, #partrow>) -> tensor<128x1xf32, #part>
            %shrink_part = "tile.broadcast"(%column_3) : (tensor<128x1xf32, #part>) -> tensor<128x4xf32, #part>
            %more_norms = math.fma %norms, %shrink_part, %norms_both : tensor<128x4xf32, #part>
            %following = arith.addi %next_stage, %c1_i32 : i32
            %wraps = arith.cmpi eq, %following, %c2_i32 : i32
            %flip = arith.extui %wraps : i1 to i32
            %following_phase = arith.xori %next_phase, %flip : i32
            %following_stage = arith.select %wraps, %c0_i32, %following : i32
            scf.yield %next_scores_a, %next_scores_b, %sums_b, %more_norms, %higher, %next_stage, %next_phase, %following_stage, %following_phase, %stage : tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32, i32, i32, i32
          }
          %any = arith.cmpi ne, %last, %c0_i32 : i32
          %done_last:3 = "tile_gpu.warpgroup_dot_wait"(%loop#0, %loop#1, %loop#2) {operandSegmentSizes = array<i32: 1, 1, 1, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>) -> (tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>, tensor<128x128xf32, #acc>)
          %key_a_free_last = "tile_gpu.index"(%keys_a_free, %loop#5) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          "tile_gpu.mbarrier_arrive"(%key_a_free_last, %true) : (memref<1xi64, #bar>, i1) -> ()
          %key_b_free_last = "tile_gpu.index"(%keys_b_free, %loop#5) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          "tile_gpu.mbarrier_arrive"(%key_b_free_last, %true) : (memref<1xi64, #bar>, i1) -> ()
          %value_b_free_last = "tile_gpu.index"(%turned_b_free, %loop#9) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          "tile_gpu.mbarrier_arrive"(%value_b_free_last, %any) : (memref<1xi64, #bar>, i1) -> ()
          "tile_gpu.mbarrier_arrive"(%65, %true) : (memref<1xi64, #bar>, i1) -> ()
          // One maximum for both halves.
          %quads_last = "tile.reshape"(%done_last#0) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
          %pairs_last = "tile.reduce"(%quads_last) ({
          ^bb0(%left_last: f32, %right_last: f32):
            %both_last = arith.maxnumf %left_last, %right_last : f32
            gpu.yield %both_last : f32
          }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
          %highest_a_last = "tile.reduce"(%pairs_last) ({
          ^bb0(%left_last_1: f32, %right_last_1: f32):
            %both_last_1 = arith.maxnumf %left_last_1, %right_last_1 : f32
            gpu.yield %both_last_1 : f32
          }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
          %quads_last_1 = "tile.reshape"(%done_last#1) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
          %pairs_last_1 = "tile.reduce"(%quads_last_1) ({
          ^bb0(%left_last_2: f32, %right_last_2: f32):
            %both_last_2 = arith.maxnumf %left_last_2, %right_last_2 : f32
            gpu.yield %both_last_2 : f32
          }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
          %highest_b_last = "tile.reduce"(%pairs_last_1) ({
          ^bb0(%left_last_3: f32, %right_last_3: f32):
            %both_last_3 = arith.maxnumf %left_last_3, %right_last_3 : f32
            gpu.yield %both_last_3 : f32
          }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
          %highest_part_last = arith.maxnumf %highest_a_last, %highest_b_last : tensor<128x4xf32, #part>
          %highest_last = "tile.reduce"(%highest_part_last) ({
          ^bb0(%left_last_4: f32, %right_last_4: f32):
            %both_last_4 = arith.maxnumf %left_last_4, %right_last_4 : f32
            gpu.yield %both_last_4 : f32
          }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x4xf32, #part>) -> tensor<128xf32, #row>
          %highest_scaled_last = arith.mulf %highest_last, %scale_rows : tensor<128xf32, #row>
          %higher_last = arith.maxnumf %loop#4, %highest_scaled_last : tensor<128xf32, #row>
          %level_last = arith.subf %higher_last, %eights : tensor<128xf32, #row>
          %column_last = "tile.expand_dims"(%level_last) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
          %level_tile_last = "tile.broadcast"(%column_last) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
          %level_below_last = arith.negf %level_tile_last : tensor<128x128xf32, #acc>
          %fall_last = arith.subf %loop#4, %higher_last : tensor<128xf32, #row>
          %shrink_last = math.exp2 %fall_last fastmath<afn> : tensor<128xf32, #row>
          %column_last_1 = "tile.expand_dims"(%shrink_last) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
          %shrink_tile_last = "tile.broadcast"(%column_last_1) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
          %rescaled_last = arith.mulf %done_last#2, %shrink_tile_last : tensor<128x128xf32, #acc>
          // The first half.
          %exponents_a_last = math.fma %done_last#0, %scale_tile, %level_below_last : tensor<128x128xf32, #acc>
          %exponentials_a_last = math.exp2 %exponents_a_last fastmath<afn> : tensor<128x128xf32, #acc>
          %bytes_last = "tile.to_fp8"(%exponentials_a_last) : (tensor<128x128xf32, #acc>) -> tensor<128x128xf8E4M3FN, #acc>
          %bytes_last_1 = "tile.reshape"(%bytes_last) : (tensor<128x128xf8E4M3FN, #acc>) -> tensor<128x8x2x4x2xf8E4M3FN, #keys4>
          %bytes_last_2 = "tile.permute"(%bytes_last_1) {order = array<i32: 0, 1, 3, 2, 4>} : (tensor<128x8x2x4x2xf8E4M3FN, #keys4>) -> tensor<128x8x4x2x2xf8E4M3FN, #keys2>
          %bytes_last_3 = "tile.reshape"(%bytes_last_2) : (tensor<128x8x4x2x2xf8E4M3FN, #keys2>) -> tensor<128x128xf8E4M3FN, #permuted>
          %weights_a_last = "tile_gpu.convert_layout"(%bytes_last_3) : (tensor<128x128xf8E4M3FN, #permuted>) -> tensor<128x128xf8E4M3FN, #weights>
          %quads_last_2 = "tile.reshape"(%exponentials_a_last) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
          %pairs_last_2 = "tile.reduce"(%quads_last_2) ({
          ^bb0(%left_last_5: f32, %right_last_5: f32):
            %both_last_5 = arith.addf %left_last_5, %right_last_5 : f32
            gpu.yield %both_last_5 : f32
          }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
          %norms_a_last = "tile.reduce"(%pairs_last_2) ({
          ^bb0(%left_last_6: f32, %right_last_6: f32):
            %both_last_6 = arith.addf %left_last_6, %right_last_6 : f32
            gpu.yield %both_last_6 : f32
          }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
          %value_a_full_last = "tile_gpu.index"(%turned_a_full, %loop#5) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %value_a_full_there_last = "tile_gpu.mbarrier_wait"(%value_a_full_last, %loop#6) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          %value_tile_a_last = "tile_gpu.index"(%turned_a, %loop#5) : (memref<2x128x128xf8E4M3FN, #swt>, i32) -> memref<128x128xf8E4M3FN, #swt>
          %sums_a_last = "tile_gpu.warpgroup_dot"(%weights_a_last, %value_tile_a_last, %rescaled_last) : (tensor<128x128xf8E4M3FN, #weights>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          // The second half.
          %exponents_b_last = math.fma %done_last#1, %scale_tile, %level_below_last : tensor<128x128xf32, #acc>
          %exponentials_b_last = math.exp2 %exponents_b_last fastmath<afn> : tensor<128x128xf32, #acc>
          %bytes_last_4 = "tile.to_fp8"(%exponentials_b_last) : (tensor<128x128xf32, #acc>) -> tensor<128x128xf8E4M3FN, #acc>
          %bytes_last_5 = "tile.reshape"(%bytes_last_4) : (tensor<128x128xf8E4M3FN, #acc>) -> tensor<128x8x2x4x2xf8E4M3FN, #keys4>
          %bytes_last_6 = "tile.permute"(%bytes_last_5) {order = array<i32: 0, 1, 3, 2, 4>} : (tensor<128x8x2x4x2xf8E4M3FN, #keys4>) -> tensor<128x8x4x2x2xf8E4M3FN, #keys2>
          %bytes_last_7 = "tile.reshape"(%bytes_last_6) : (tensor<128x8x4x2x2xf8E4M3FN, #keys2>) -> tensor<128x128xf8E4M3FN, #permuted>
          %weights_b_last = "tile_gpu.convert_layout"(%bytes_last_7) : (tensor<128x128xf8E4M3FN, #permuted>) -> tensor<128x128xf8E4M3FN, #weights>
          %quads_last_3 = "tile.reshape"(%exponentials_b_last) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
          %pairs_last_3 = "tile.reduce"(%quads_last_3) ({
          ^bb0(%left_last_7: f32, %right_last_7: f32):
            %both_last_7 = arith.addf %left_last_7, %right_last_7 : f32
            gpu.yield %both_last_7 : f32
          }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
          %norms_b_last = "tile.reduce"(%pairs_last_3) ({
          ^bb0(%left_last_8: f32, %right_last_8: f32):
            %both_last_8 = arith.addf %left_last_8, %right_last_8 : f32
            gpu.yield %both_last_8 : f32
          }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
          %value_b_full_last = "tile_gpu.index"(%turned_b_full, %loop#5) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %value_b_full_there_last = "tile_gpu.mbarrier_wait"(%value_b_full_last, %loop#6) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          %sums_a_done_last = "tile_gpu.warpgroup_dot_wait"(%sums_a_last) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          %value_a_free_last = "tile_gpu.index"(%turned_a_free, %loop#5) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          "tile_gpu.mbarrier_arrive"(%value_a_free_last, %true) : (memref<1xi64, #bar>, i1) -> ()
          %value_tile_b_last = "tile_gpu.index"(%turned_b, %loop#5) : (memref<2x128x128xf8E4M3FN, #swt>, i32) -> memref<128x128xf8E4M3FN, #swt>
          %sums_b_last = "tile_gpu.warpgroup_dot"(%weights_b_last, %value_tile_b_last, %sums_a_done_last) : (tensor<128x128xf8E4M3FN, #weights>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          %norms_both_last = arith.addf %norms_a_last, %norms_b_last : tensor<128x4xf32, #part>
          %column_last_2 = "tile_gpu.convert_layout"(%shrink_last) : (tensor<128xf32, #row>) -> tensor<128xf32, #partrow>
          %column_last_3 = "tile.expand_dims"(%column_last_2) {axis = 1 : i32} : (tensor<128xf32, #partrow>) -> tensor<128x1xf32, #part>
          %shrink_part_last = "tile.broadcast"(%column_last_3) : (tensor<128x1xf32, #part>) -> tensor<128x4xf32, #part>
          %more_norms_last = math.fma %loop#3, %shrink_part_last, %norms_both_last : tensor<128x4xf32, #part>
          %sums_done_last = "tile_gpu.warpgroup_dot_wait"(%sums_b_last) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          %value_b_free_last_1 = "tile_gpu.index"(%turned_b_free, %loop#5) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          "tile_gpu.mbarrier_arrive"(%value_b_free_last_1, %true) : (memref<1xi64, #bar>, i1) -> ()
          scf.yield %sums_done_last, %more_norms_last, %higher_last, %loop#7, %loop#8 : tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32
        } else {
          "tile_gpu.mbarrier_arrive"(%65, %true) : (memref<1xi64, #bar>, i1) -> ()
          scf.yield %zeros, %48, %cst_1, %arg23, %arg24 : tensor<128x128xf32, #acc>, tensor<128x4xf32, #part>, tensor<128xf32, #row>, i32, i32
        }
        %71 = "tile.reduce"(%70#1) ({
        ^bb0(%arg25: f32, %arg26: f32):
          %92 = arith.addf %arg25, %arg26 : f32
          gpu.yield %92 : f32
        }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x4xf32, #part>) -> tensor<128xf32, #row>
        %72 = "tile.addptr"(%arg6, %arg20) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
        %73 = "tile.load"(%72) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
        %74 = arith.cmpf oeq, %71, %cst_2 : tensor<128xf32, #row>
        %75 = arith.select %74, %cst, %71 : tensor<128xi1, #row>, tensor<128xf32, #row>
        %76 = "tile.splat"(%73) : (f32) -> tensor<128xf32, #row>
        %77 = arith.divf %76, %75 fastmath<arcp> : tensor<128xf32, #row>
        %78 = "tile.expand_dims"(%77) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
        %79 = "tile.broadcast"(%78) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
        %80 = arith.mulf %70#0, %79 : tensor<128x128xf32, #acc>
        %81 = arith.truncf %80 : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
        "tile_gpu.bulk_store"(%arg14, %81, %staging, %arg20, %56, %c0_i32) : (!tile.descriptor<tensor<128x128xf16>>, tensor<128x128xf16, #acc>, memref<16x16x64xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 128 : i64, transposed = false}>>, i32, i32, i32) -> ()
        %82 = arith.addi %arg19, %37 : i32
        %83 = arith.cmpi uge, %82, %arg15 : i32
        %84 = arith.subi %82, %arg15 : i32
        %85 = arith.select %83, %84, %82 : i32
        %86 = arith.extui %83 : i1 to i32
        %87 = arith.addi %arg20, %39 : i32
        %88 = arith.addi %87, %86 : i32
        %89 = arith.cmpi uge, %88, %arg16 : i32
        %90 = arith.subi %88, %arg16 : i32
        %91 = arith.select %89, %90, %88 : i32
        scf.yield %85, %91, %55, %54, %70#3, %70#4 : i32, i32, i32, i32, i32, i32
      }
      "tile_gpu.bulk_store_wait"(%staging) : (memref<16x16x64xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 128 : i64, transposed = false}>>) -> ()
    }
    return
  }
  func.func @attention_fp8(%arg0: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32, tile.name = "q_ptr"}, %arg1: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32, tile.name = "k_ptr"}, %arg2: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32, tile.name = "v_ptr"}, %arg3: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "out_ptr"}, %arg4: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "q_scales_ptr"}, %arg5: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "k_scales_ptr"}, %arg6: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "v_scales_ptr"}, %arg7: f32 {tile.name = "scale"}, %arg8: i32 {tile.divisibility = 16 : i32, tile.name = "queries"}, %arg9: i32 {tile.divisibility = 16 : i32, tile.name = "keys"}, %arg10: i32 {tile.divisibility = 16 : i32, tile.name = "value_keys"}) attributes {tile.kernel, tile_gpu.shared_bytes = 98304 : i32} {
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf32, #row>
    %cst_0 = arith.constant dense<8.000000e+00> : tensor<128xf32, #row>
    %cst_1 = arith.constant dense<0xFF800000> : tensor<128x128xf32, #acc>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<128xf32, #row>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128xf32, #row>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<128x128xf8E4M3FN, #l4>
    %cst_6 = arith.constant dense<128> : tensor<128x1xi32, #l4>
    %cst_7 = arith.constant dense<128> : tensor<128x1xi32, #l5>
    %c0_i32 = arith.constant 0 : i32
    %c0_i64 = arith.constant 0 : i64
    %cst_8 = arith.constant 1.000000e-30 : f32
    %cst_9 = arith.constant 1.44269502 : f32
    %c128_i64 = arith.constant 128 : i64
    %c128_i32 = arith.constant 128 : i32
    %0 = "tile.program_id"() {axis = 0 : i32} : () -> i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = "tile.program_id"() {axis = 1 : i32} : () -> i32
    %3 = arith.extsi %2 : i32 to i64
    %4 = arith.extsi %arg8 : i32 to i64
    %5 = arith.muli %3, %4 : i64
    %6 = arith.muli %5, %c128_i64 : i64
    %7 = "tile.addptr"(%arg0, %6) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
    %8 = arith.extsi %arg9 : i32 to i64
    %9 = arith.muli %3, %8 : i64
    %10 = arith.muli %9, %c128_i64 : i64
    %11 = "tile.addptr"(%arg1, %10) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
    %12 = "tile.addptr"(%arg2, %10) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
    %13 = "tile.addptr"(%arg3, %6) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %14 = "tile.addptr"(%arg4, %2) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %15 = "tile.load"(%14) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
    %16 = arith.mulf %arg7, %15 : f32
    %17 = "tile.addptr"(%arg5, %2) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %18 = "tile.load"(%17) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
    %19 = arith.mulf %16, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.maxnumf %20, %cst_8 : f32
    %22 = arith.extsi %1 : i32 to i64
    %23 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #l4}>>
    %24 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #l4}>>
    %25 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #acc}>>
    %26 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #l5}>>
    %27 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #l5}>>
    %28 = "tile.expand_dims"(%23) {axis = 1 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #l4}>>) -> tensor<128x1xi32, #l4>
    %29 = "tile.expand_dims"(%27) {axis = 1 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #l5}>>) -> tensor<128x1xi32, #l5>
    %30 = "tile.expand_dims"(%24) {axis = 0 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #l4}>>) -> tensor<1x128xi32, #l4>
    %31 = "tile.expand_dims"(%26) {axis = 0 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #l5}>>) -> tensor<1x128xi32, #l5>
    %32 = arith.muli %22, %c128_i64 : i64
    %33 = arith.muli %28, %cst_6 : tensor<128x1xi32, #l4>
    %34 = arith.muli %29, %cst_7 : tensor<128x1xi32, #l5>
    %35 = "tile.broadcast"(%30) : (tensor<1x128xi32, #l4>) -> tensor<128x128xi32, #l4>
    %36 = "tile.broadcast"(%31) : (tensor<1x128xi32, #l5>) -> tensor<128x128xi32, #l5>
    %37 = "tile.broadcast"(%33) : (tensor<128x1xi32, #l4>) -> tensor<128x128xi32, #l4>
    %38 = "tile.broadcast"(%34) : (tensor<128x1xi32, #l5>) -> tensor<128x128xi32, #l5>
    %39 = arith.addi %37, %35 : tensor<128x128xi32, #l4>
    %40 = arith.addi %38, %36 : tensor<128x128xi32, #l5>
    %41 = "tile.addptr"(%7, %32) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
    %42 = "tile.splat"(%41) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %43 = "tile.addptr"(%42, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %44 = arith.subi %c0_i64, %22 : i64
    %45 = arith.subi %4, %22 : i64
    %46 = arith.maxsi %44, %c0_i64 : i64
    %47 = arith.minsi %46, %c128_i64 : i64
    %48 = arith.trunci %47 : i64 to i32
    %49 = arith.maxsi %45, %c0_i64 : i64
    %50 = arith.minsi %49, %c128_i64 : i64
    %51 = arith.trunci %50 : i64 to i32
    %52 = "tile.splat"(%48) : (i32) -> tensor<128x1xi32, #l4>
    %53 = "tile.splat"(%48) : (i32) -> tensor<128x1xi32, #l5>
    %54 = arith.cmpi sge, %28, %52 : tensor<128x1xi32, #l4>
    %55 = arith.cmpi sge, %29, %53 : tensor<128x1xi32, #l5>
    %56 = "tile.splat"(%51) : (i32) -> tensor<128x1xi32, #l4>
    %57 = "tile.splat"(%51) : (i32) -> tensor<128x1xi32, #l5>
    %58 = arith.cmpi slt, %28, %56 : tensor<128x1xi32, #l4>
    %59 = arith.cmpi slt, %29, %57 : tensor<128x1xi32, #l5>
    %60 = arith.andi %54, %58 : tensor<128x1xi1, #l4>
    %61 = arith.andi %55, %59 : tensor<128x1xi1, #l5>
    %cst_10 = arith.constant dense<0> : tensor<1x128xi32, #l4>
    %cst_11 = arith.constant dense<0> : tensor<1x128xi32, #l5>
    %62 = arith.cmpi sge, %30, %cst_10 : tensor<1x128xi32, #l4>
    %63 = arith.cmpi sge, %31, %cst_11 : tensor<1x128xi32, #l5>
    %cst_12 = arith.constant dense<128> : tensor<1x128xi32, #l4>
    %cst_13 = arith.constant dense<128> : tensor<1x128xi32, #l5>
    %64 = arith.cmpi slt, %30, %cst_12 : tensor<1x128xi32, #l4>
    %65 = arith.cmpi slt, %31, %cst_13 : tensor<1x128xi32, #l5>
    %66 = arith.andi %62, %64 : tensor<1x128xi1, #l4>
    %67 = arith.andi %63, %65 : tensor<1x128xi1, #l5>
    %68 = "tile.broadcast"(%66) : (tensor<1x128xi1, #l4>) -> tensor<128x128xi1, #l4>
    %69 = "tile.broadcast"(%67) : (tensor<1x128xi1, #l5>) -> tensor<128x128xi1, #l5>
    %70 = "tile.broadcast"(%60) : (tensor<128x1xi1, #l4>) -> tensor<128x128xi1, #l4>
    %71 = "tile.broadcast"(%61) : (tensor<128x1xi1, #l5>) -> tensor<128x128xi1, #l5>
    %72 = arith.andi %70, %68 : tensor<128x128xi1, #l4>
    %73 = arith.andi %71, %69 : tensor<128x128xi1, #l5>
    %74 = "tile.load"(%43, %72, %cst_5) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi1, #l4>, tensor<128x128xf8E4M3FN, #l4>) -> tensor<128x128xf8E4M3FN, #l4>
    %75 = "tile_gpu.alloc"(%74) {tile_gpu.shared_offset = 65536 : i32} : (tensor<128x128xf8E4M3FN, #l4>) -> memref<128x128xf8E4M3FN, #sw>
    %76 = "tile.splat"(%arg9) : (i32) -> tensor<1x128xi32, #acc>
    %77 = "tile.splat"(%21) : (f32) -> tensor<128xf32, #row>
    %78 = "tile.splat"(%21) : (f32) -> tensor<128x128xf32, #acc>
    %79 = arith.extsi %c0_i32 : i32 to i64
    %80 = arith.subi %8, %79 : i64
    %c127_i64 = arith.constant 127 : i64
    %81 = arith.addi %80, %c127_i64 : i64
    %82 = arith.maxsi %81, %c0_i64 : i64
    %83 = arith.divui %82, %c128_i64 : i64
    %c-1_i64 = arith.constant -1 : i64
    %84 = arith.addi %83, %c-1_i64 : i64
    %85 = arith.muli %83, %c128_i64 : i64
    %86 = arith.addi %85, %79 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %87 = arith.cmpi sle, %86, %c2147483647_i64 : i64
    %88 = arith.muli %84, %c128_i64 : i64
    %89 = arith.addi %88, %c127_i64 : i64
    %90 = arith.cmpi sle, %89, %c2147483647_i64 : i64
    %91 = arith.andi %87, %90 : i1
    %92 = arith.maxsi %8, %c0_i64 : i64
    %93 = arith.divui %92, %c128_i64 : i64
    %94 = arith.minsi %93, %83 : i64
    %95 = arith.select %91, %94, %c0_i64 : i64
    %96 = arith.muli %95, %c128_i64 : i64
    %97 = arith.addi %96, %79 : i64
    %98 = arith.trunci %97 : i64 to i32
    %99 = arith.maxsi %98, %c0_i32 : i32
    %cst_14 = arith.constant dense<-0.000000e+00> : tensor<128x4xf32, #part>
    %cst_15 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #part>
    %100 = "tile.range"() {end = 4 : i32, start = 0 : i32} : () -> tensor<4xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #part}>>
    %101 = "tile.expand_dims"(%100) {axis = 0 : i32} : (tensor<4xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #part}>>) -> tensor<1x4xi32, #part>
    %102 = "tile.broadcast"(%101) : (tensor<1x4xi32, #part>) -> tensor<128x4xi32, #part>
    %cst_16 = arith.constant dense<0> : tensor<128x4xi32, #part>
    %103 = arith.cmpi eq, %102, %cst_16 : tensor<128x4xi32, #part>
    %104 = arith.select %103, %cst_15, %cst_14 : tensor<128x4xi1, #part>, tensor<128x4xf32, #part>
    %105 = "tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32} : () -> memref<2x128x128xf8E4M3FN, #sw>
    %106 = "tile_gpu.alloc"() {tile_gpu.shared_offset = 32768 : i32} : () -> memref<2x128x128xf8E4M3FN, #sw>
    %107 = arith.cmpi slt, %c0_i32, %99 : i32
    %108 = arith.muli %79, %c128_i64 : i64
    %109 = "tile.addptr"(%11, %108) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
    %110 = "tile.splat"(%109) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %111 = "tile.addptr"(%110, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %112 = arith.subi %c0_i64, %79 : i64
    %113 = arith.maxsi %112, %c0_i64 : i64
    %114 = arith.minsi %113, %c128_i64 : i64
    %115 = arith.trunci %114 : i64 to i32
    %116 = arith.maxsi %80, %c0_i64 : i64
    %117 = arith.minsi %116, %c128_i64 : i64
    %118 = arith.trunci %117 : i64 to i32
    %119 = "tile.splat"(%115) : (i32) -> tensor<128x1xi32, #l4>
    %120 = arith.cmpi sge, %28, %119 : tensor<128x1xi32, #l4>
    %121 = "tile.splat"(%118) : (i32) -> tensor<128x1xi32, #l4>
    %122 = arith.cmpi slt, %28, %121 : tensor<128x1xi32, #l4>
    %123 = arith.andi %120, %122 : tensor<128x1xi1, #l4>
    %124 = "tile.broadcast"(%123) : (tensor<128x1xi1, #l4>) -> tensor<128x128xi1, #l4>
    %125 = arith.andi %124, %68 : tensor<128x128xi1, #l4>
    %126 = "tile.addptr"(%12, %108) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
    %127 = "tile.splat"(%126) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %128 = "tile.addptr"(%127, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %129 = "tile.splat"(%107) : (i1) -> tensor<128x128xi1, #l4>
    %130 = arith.andi %125, %129 : tensor<128x128xi1, #l4>
    %131 = "tile_gpu.index"(%105, %c0_i32) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
    %132 = "tile_gpu.async_copy"(%111, %131, %130) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, memref<128x128xf8E4M3FN, #sw>, tensor<128x128xi1, #l4>) -> !tile_gpu.token
    %133 = "tile_gpu.index"(%106, %c0_i32) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
    %134 = "tile_gpu.async_copy"(%128, %133, %130) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, memref<128x128xf8E4M3FN, #sw>, tensor<128x128xi1, #l4>) -> !tile_gpu.token
    %135 = "tile_gpu.async_commit"(%132, %134) : (!tile_gpu.token, !tile_gpu.token) -> !tile_gpu.token
    %c1_i32 = arith.constant 1 : i32
    %136 = arith.subi %99, %c0_i32 : i32
    %137 = arith.cmpi ugt, %136, %c128_i32 : i32
    %138 = arith.subi %99, %c128_i32 : i32
    %139 = arith.select %137, %138, %c0_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %140:6 = scf.for %arg11 = %c0_i32 to %99 step %c128_i32 iter_args(%arg12 = %104, %arg13 = %cst_4, %arg14 = %cst_2, %arg15 = %c0_i32, %arg16 = %c1_i32, %arg17 = %135) -> (tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i32, i32, !tile_gpu.token)  : i32 {
      %201 = "tile_gpu.async_wait"(%arg17) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
      "tile_gpu.barrier"() : () -> ()
      %202 = arith.cmpi slt, %arg11, %139 : i32
      %203 = arith.addi %arg11, %c128_i32 : i32
      %204 = arith.extsi %203 : i32 to i64
      %205 = arith.muli %204, %c128_i64 : i64
      %206 = "tile.addptr"(%11, %205) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
      %207 = "tile.splat"(%206) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
      %208 = "tile.addptr"(%207, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
      %209 = arith.subi %c0_i64, %204 : i64
      %210 = arith.subi %8, %204 : i64
      %211 = arith.maxsi %209, %c0_i64 : i64
      %212 = arith.minsi %211, %c128_i64 : i64
      %213 = arith.trunci %212 : i64 to i32
      %214 = arith.maxsi %210, %c0_i64 : i64
      %215 = arith.minsi %214, %c128_i64 : i64
      %216 = arith.trunci %215 : i64 to i32
      %217 = "tile.splat"(%213) : (i32) -> tensor<128x1xi32, #l4>
      %218 = arith.cmpi sge, %28, %217 : tensor<128x1xi32, #l4>
      %219 = "tile.splat"(%216) : (i32) -> tensor<128x1xi32, #l4>
      %220 = arith.cmpi slt, %28, %219 : tensor<128x1xi32, #l4>
      %221 = arith.andi %218, %220 : tensor<128x1xi1, #l4>
      %222 = "tile.broadcast"(%221) : (tensor<128x1xi1, #l4>) -> tensor<128x128xi1, #l4>
      %223 = arith.andi %222, %68 : tensor<128x128xi1, #l4>
      %224 = "tile.addptr"(%12, %205) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
      %225 = "tile.splat"(%224) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
      %226 = "tile.addptr"(%225, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
      %227 = "tile.splat"(%202) : (i1) -> tensor<128x128xi1, #l4>
      %228 = arith.andi %223, %227 : tensor<128x128xi1, #l4>
      %229 = "tile_gpu.index"(%105, %arg16) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %230 = "tile_gpu.index"(%106, %arg16) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %231 = arith.addi %arg15, %c1_i32 : i32
      %232 = arith.cmpi eq, %231, %c2_i32 : i32
      %233 = arith.select %232, %c0_i32, %231 : i32
      %234 = arith.addi %arg16, %c1_i32 : i32
      %235 = arith.cmpi eq, %234, %c2_i32 : i32
      %236 = arith.select %235, %c0_i32, %234 : i32
      %237 = "tile_gpu.index"(%105, %arg15) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %238 = "tile_gpu.transpose"(%237) {order = array<i32: 1, 0>} : (memref<128x128xf8E4M3FN, #sw>) -> memref<128x128xf8E4M3FN, #swt>
      %239 = "tile_gpu.warpgroup_dot"(%75, %238, %cst_4) : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %240 = "tile_gpu.async_copy"(%208, %229, %228) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, memref<128x128xf8E4M3FN, #sw>, tensor<128x128xi1, #l4>) -> !tile_gpu.token
      %241 = "tile_gpu.async_copy"(%226, %230, %228) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, memref<128x128xf8E4M3FN, #sw>, tensor<128x128xi1, #l4>) -> !tile_gpu.token
      %242 = "tile_gpu.async_commit"(%240, %241) : (!tile_gpu.token, !tile_gpu.token) -> !tile_gpu.token
      %243 = "tile_gpu.warpgroup_dot_wait"(%239) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %244 = "tile.reduce"(%243) ({
      ^bb0(%arg18: f32, %arg19: f32):
        %276 = arith.maxnumf %arg18, %arg19 : f32
        gpu.yield %276 : f32
      }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128xf32, #row>
      %245 = arith.mulf %244, %77 : tensor<128xf32, #row>
      %246 = arith.maxnumf %arg14, %245 : tensor<128xf32, #row>
      %247 = arith.cmpf oeq, %246, %cst_2 : tensor<128xf32, #row>
      %248 = arith.select %247, %cst_3, %246 : tensor<128xi1, #row>, tensor<128xf32, #row>
      %249 = arith.subf %248, %cst_0 : tensor<128xf32, #row>
      %250 = "tile.expand_dims"(%249) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
      %251 = "tile.broadcast"(%250) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
      %252 = arith.negf %251 : tensor<128x128xf32, #acc>
      %253 = math.fma %243, %78, %252 : tensor<128x128xf32, #acc>
      %254 = math.exp2 %253 fastmath<afn> : tensor<128x128xf32, #acc>
      %255 = arith.subf %arg14, %248 : tensor<128xf32, #row>
      %256 = math.exp2 %255 fastmath<afn> : tensor<128xf32, #row>
      %257 = "tile.reshape"(%254) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
      %258 = "tile.reduce"(%257) ({
      ^bb0(%arg18: f32, %arg19: f32):
        %276 = arith.addf %arg18, %arg19 : f32
        gpu.yield %276 : f32
      }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
      %259 = "tile.reduce"(%258) ({
      ^bb0(%arg18: f32, %arg19: f32):
        %276 = arith.addf %arg18, %arg19 : f32
        gpu.yield %276 : f32
      }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
      %260 = "tile_gpu.convert_layout"(%256) : (tensor<128xf32, #row>) -> tensor<128xf32, #partrow>
      %261 = "tile.expand_dims"(%260) {axis = 1 : i32} : (tensor<128xf32, #partrow>) -> tensor<128x1xf32, #part>
      %262 = "tile.broadcast"(%261) : (tensor<128x1xf32, #part>) -> tensor<128x4xf32, #part>
      %263 = math.fma %arg12, %262, %259 : tensor<128x4xf32, #part>
      %264 = "tile.expand_dims"(%256) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
      %265 = "tile.broadcast"(%264) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
      %266 = arith.mulf %arg13, %265 : tensor<128x128xf32, #acc>
      %267 = "tile_gpu.index"(%106, %arg15) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %268 = "tile.to_fp8"(%254) : (tensor<128x128xf32, #acc>) -> tensor<128x128xf8E4M3FN, #acc>
      %269 = "tile.reshape"(%268) : (tensor<128x128xf8E4M3FN, #acc>) -> tensor<128x8x2x4x2xf8E4M3FN, #keys4>
      %270 = "tile.permute"(%269) {order = array<i32: 0, 1, 3, 2, 4>} : (tensor<128x8x2x4x2xf8E4M3FN, #keys4>) -> tensor<128x8x4x2x2xf8E4M3FN, #keys2>
      %271 = "tile.reshape"(%270) : (tensor<128x8x4x2x2xf8E4M3FN, #keys2>) -> tensor<128x128xf8E4M3FN, #permuted>
      %272 = "tile_gpu.convert_layout"(%271) : (tensor<128x128xf8E4M3FN, #permuted>) -> tensor<128x128xf8E4M3FN, #weights>
      %273 = "tile_gpu.alloc"() {tile_gpu.shared_offset = 81920 : i32} : () -> memref<128x128xf8E4M3FN, #swt>
      "tile_gpu.local_transpose"(%267, %273) {interleaved} : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>) -> ()
      "tile_gpu.barrier"() : () -> ()
      %274 = "tile_gpu.warpgroup_dot"(%272, %273, %266) : (tensor<128x128xf8E4M3FN, #weights>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %275 = "tile_gpu.warpgroup_dot_wait"(%274) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      scf.yield %263, %275, %246, %233, %236, %242 : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i32, i32, !tile_gpu.token
    }
    %141 = "tile_gpu.async_wait"(%140#5) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
    "tile_gpu.barrier"() : () -> ()
    %142 = "tile.reduce"(%140#0) ({
    ^bb0(%arg11: f32, %arg12: f32):
      %201 = arith.addf %arg11, %arg12 : f32
      gpu.yield %201 : f32
    }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x4xf32, #part>) -> tensor<128xf32, #row>
    %143 = "tile_gpu.convert_layout"(%142) : (tensor<128xf32, #row>) -> tensor<128xf32, #partrow>
    %144 = "tile.expand_dims"(%143) {axis = 1 : i32} : (tensor<128xf32, #partrow>) -> tensor<128x1xf32, #part>
    %145 = "tile.broadcast"(%144) : (tensor<128x1xf32, #part>) -> tensor<128x4xf32, #part>
    %146 = arith.select %103, %145, %cst_14 : tensor<128x4xi1, #part>, tensor<128x4xf32, #part>
    %147 = "tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32} : () -> memref<2x128x128xf8E4M3FN, #sw>
    %148 = "tile_gpu.alloc"() {tile_gpu.shared_offset = 32768 : i32} : () -> memref<2x128x128xf8E4M3FN, #sw>
    %149 = arith.cmpi slt, %99, %arg9 : i32
    %150 = arith.extsi %99 : i32 to i64
    %151 = arith.muli %150, %c128_i64 : i64
    %152 = "tile.addptr"(%11, %151) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
    %153 = "tile.splat"(%152) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %154 = "tile.addptr"(%153, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %155 = arith.subi %c0_i64, %150 : i64
    %156 = arith.subi %8, %150 : i64
    %157 = arith.maxsi %155, %c0_i64 : i64
    %158 = arith.minsi %157, %c128_i64 : i64
    %159 = arith.trunci %158 : i64 to i32
    %160 = arith.maxsi %156, %c0_i64 : i64
    %161 = arith.minsi %160, %c128_i64 : i64
    %162 = arith.trunci %161 : i64 to i32
    %163 = "tile.splat"(%159) : (i32) -> tensor<128x1xi32, #l4>
    %164 = arith.cmpi sge, %28, %163 : tensor<128x1xi32, #l4>
    %165 = "tile.splat"(%162) : (i32) -> tensor<128x1xi32, #l4>
    %166 = arith.cmpi slt, %28, %165 : tensor<128x1xi32, #l4>
    %167 = arith.andi %164, %166 : tensor<128x1xi1, #l4>
    %168 = "tile.broadcast"(%167) : (tensor<128x1xi1, #l4>) -> tensor<128x128xi1, #l4>
    %169 = arith.andi %168, %68 : tensor<128x128xi1, #l4>
    %170 = "tile.addptr"(%12, %151) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
    %171 = "tile.splat"(%170) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %172 = "tile.addptr"(%171, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
    %173 = "tile.splat"(%149) : (i1) -> tensor<128x128xi1, #l4>
    %174 = arith.andi %169, %173 : tensor<128x128xi1, #l4>
    %175 = "tile_gpu.index"(%147, %c0_i32) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
    %176 = "tile_gpu.async_copy"(%154, %175, %174) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, memref<128x128xf8E4M3FN, #sw>, tensor<128x128xi1, #l4>) -> !tile_gpu.token
    %177 = "tile_gpu.index"(%148, %c0_i32) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
    %178 = "tile_gpu.async_copy"(%172, %177, %174) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, memref<128x128xf8E4M3FN, #sw>, tensor<128x128xi1, #l4>) -> !tile_gpu.token
    %179 = "tile_gpu.async_commit"(%176, %178) : (!tile_gpu.token, !tile_gpu.token) -> !tile_gpu.token
    %180 = arith.subi %arg9, %99 : i32
    %181 = arith.cmpi ugt, %180, %c128_i32 : i32
    %182 = arith.subi %arg9, %c128_i32 : i32
    %183 = arith.select %181, %182, %99 : i32
    %184:6 = scf.for %arg11 = %99 to %arg9 step %c128_i32 iter_args(%arg12 = %146, %arg13 = %140#1, %arg14 = %140#2, %arg15 = %c0_i32, %arg16 = %c1_i32, %arg17 = %179) -> (tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i32, i32, !tile_gpu.token)  : i32 {
      %201 = "tile_gpu.async_wait"(%arg17) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
      "tile_gpu.barrier"() : () -> ()
      %202 = arith.cmpi slt, %arg11, %183 : i32
      %203 = arith.addi %arg11, %c128_i32 : i32
      %204 = arith.extsi %203 : i32 to i64
      %205 = arith.muli %204, %c128_i64 : i64
      %206 = "tile.addptr"(%11, %205) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
      %207 = "tile.splat"(%206) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
      %208 = "tile.addptr"(%207, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
      %209 = arith.subi %c0_i64, %204 : i64
      %210 = arith.subi %8, %204 : i64
      %211 = arith.maxsi %209, %c0_i64 : i64
      %212 = arith.minsi %211, %c128_i64 : i64
      %213 = arith.trunci %212 : i64 to i32
      %214 = arith.maxsi %210, %c0_i64 : i64
      %215 = arith.minsi %214, %c128_i64 : i64
      %216 = arith.trunci %215 : i64 to i32
      %217 = "tile.splat"(%213) : (i32) -> tensor<128x1xi32, #l4>
      %218 = arith.cmpi sge, %28, %217 : tensor<128x1xi32, #l4>
      %219 = "tile.splat"(%216) : (i32) -> tensor<128x1xi32, #l4>
      %220 = arith.cmpi slt, %28, %219 : tensor<128x1xi32, #l4>
      %221 = arith.andi %218, %220 : tensor<128x1xi1, #l4>
      %222 = "tile.broadcast"(%221) : (tensor<128x1xi1, #l4>) -> tensor<128x128xi1, #l4>
      %223 = arith.andi %222, %68 : tensor<128x128xi1, #l4>
      %224 = "tile.addptr"(%12, %205) : (!tile.ptr<f8E4M3FN>, i64) -> !tile.ptr<f8E4M3FN>
      %225 = "tile.splat"(%224) : (!tile.ptr<f8E4M3FN>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
      %226 = "tile.addptr"(%225, %39) : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, tensor<128x128xi32, #l4>) -> tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>
      %227 = "tile.splat"(%202) : (i1) -> tensor<128x128xi1, #l4>
      %228 = arith.andi %223, %227 : tensor<128x128xi1, #l4>
      %229 = "tile_gpu.index"(%147, %arg16) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %230 = "tile_gpu.index"(%148, %arg16) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %231 = arith.addi %arg15, %c1_i32 : i32
      %232 = arith.cmpi eq, %231, %c2_i32 : i32
      %233 = arith.select %232, %c0_i32, %231 : i32
      %234 = arith.addi %arg16, %c1_i32 : i32
      %235 = arith.cmpi eq, %234, %c2_i32 : i32
      %236 = arith.select %235, %c0_i32, %234 : i32
      %237 = "tile.splat"(%arg11) : (i32) -> tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #acc}>>
      %238 = arith.addi %237, %25 : tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #acc}>>
      %239 = "tile_gpu.index"(%147, %arg15) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %240 = "tile_gpu.transpose"(%239) {order = array<i32: 1, 0>} : (memref<128x128xf8E4M3FN, #sw>) -> memref<128x128xf8E4M3FN, #swt>
      %241 = "tile_gpu.warpgroup_dot"(%75, %240, %cst_4) : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %242 = "tile_gpu.async_copy"(%208, %229, %228) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, memref<128x128xf8E4M3FN, #sw>, tensor<128x128xi1, #l4>) -> !tile_gpu.token
      %243 = "tile_gpu.async_copy"(%226, %230, %228) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f8E4M3FN>, #l4>, memref<128x128xf8E4M3FN, #sw>, tensor<128x128xi1, #l4>) -> !tile_gpu.token
      %244 = "tile_gpu.async_commit"(%242, %243) : (!tile_gpu.token, !tile_gpu.token) -> !tile_gpu.token
      %245 = "tile.expand_dims"(%238) {axis = 0 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #acc}>>) -> tensor<1x128xi32, #acc>
      %246 = arith.cmpi slt, %245, %76 : tensor<1x128xi32, #acc>
      %247 = "tile.broadcast"(%246) : (tensor<1x128xi1, #acc>) -> tensor<128x128xi1, #acc>
      %248 = "tile_gpu.warpgroup_dot_wait"(%241) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %249 = arith.select %247, %248, %cst_1 : tensor<128x128xi1, #acc>, tensor<128x128xf32, #acc>
      %250 = "tile.reduce"(%249) ({
      ^bb0(%arg18: f32, %arg19: f32):
        %282 = arith.maxnumf %arg18, %arg19 : f32
        gpu.yield %282 : f32
      }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128xf32, #row>
      %251 = arith.mulf %250, %77 : tensor<128xf32, #row>
      %252 = arith.maxnumf %arg14, %251 : tensor<128xf32, #row>
      %253 = arith.cmpf oeq, %252, %cst_2 : tensor<128xf32, #row>
      %254 = arith.select %253, %cst_3, %252 : tensor<128xi1, #row>, tensor<128xf32, #row>
      %255 = arith.subf %254, %cst_0 : tensor<128xf32, #row>
      %256 = "tile.expand_dims"(%255) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
      %257 = "tile.broadcast"(%256) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
      %258 = arith.negf %257 : tensor<128x128xf32, #acc>
      %259 = math.fma %249, %78, %258 : tensor<128x128xf32, #acc>
      %260 = math.exp2 %259 fastmath<afn> : tensor<128x128xf32, #acc>
      %261 = arith.subf %arg14, %254 : tensor<128xf32, #row>
      %262 = math.exp2 %261 fastmath<afn> : tensor<128xf32, #row>
      %263 = "tile.reshape"(%260) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
      %264 = "tile.reduce"(%263) ({
      ^bb0(%arg18: f32, %arg19: f32):
        %282 = arith.addf %arg18, %arg19 : f32
        gpu.yield %282 : f32
      }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
      %265 = "tile.reduce"(%264) ({
      ^bb0(%arg18: f32, %arg19: f32):
        %282 = arith.addf %arg18, %arg19 : f32
        gpu.yield %282 : f32
      }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
      %266 = "tile_gpu.convert_layout"(%262) : (tensor<128xf32, #row>) -> tensor<128xf32, #partrow>
      %267 = "tile.expand_dims"(%266) {axis = 1 : i32} : (tensor<128xf32, #partrow>) -> tensor<128x1xf32, #part>
      %268 = "tile.broadcast"(%267) : (tensor<128x1xf32, #part>) -> tensor<128x4xf32, #part>
      %269 = math.fma %arg12, %268, %265 : tensor<128x4xf32, #part>
      %270 = "tile.expand_dims"(%262) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
      %271 = "tile.broadcast"(%270) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
      %272 = arith.mulf %arg13, %271 : tensor<128x128xf32, #acc>
      %273 = "tile_gpu.index"(%148, %arg15) : (memref<2x128x128xf8E4M3FN, #sw>, i32) -> memref<128x128xf8E4M3FN, #sw>
      %274 = "tile.to_fp8"(%260) : (tensor<128x128xf32, #acc>) -> tensor<128x128xf8E4M3FN, #acc>
      %275 = "tile.reshape"(%274) : (tensor<128x128xf8E4M3FN, #acc>) -> tensor<128x8x2x4x2xf8E4M3FN, #keys4>
      %276 = "tile.permute"(%275) {order = array<i32: 0, 1, 3, 2, 4>} : (tensor<128x8x2x4x2xf8E4M3FN, #keys4>) -> tensor<128x8x4x2x2xf8E4M3FN, #keys2>
      %277 = "tile.reshape"(%276) : (tensor<128x8x4x2x2xf8E4M3FN, #keys2>) -> tensor<128x128xf8E4M3FN, #permuted>
      %278 = "tile_gpu.convert_layout"(%277) : (tensor<128x128xf8E4M3FN, #permuted>) -> tensor<128x128xf8E4M3FN, #weights>
      %279 = "tile_gpu.alloc"() {tile_gpu.shared_offset = 81920 : i32} : () -> memref<128x128xf8E4M3FN, #swt>
      "tile_gpu.local_transpose"(%273, %279) {interleaved} : (memref<128x128xf8E4M3FN, #sw>, memref<128x128xf8E4M3FN, #swt>) -> ()
      "tile_gpu.barrier"() : () -> ()
      %280 = "tile_gpu.warpgroup_dot"(%278, %279, %272) : (tensor<128x128xf8E4M3FN, #weights>, memref<128x128xf8E4M3FN, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %281 = "tile_gpu.warpgroup_dot_wait"(%280) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      scf.yield %269, %281, %252, %233, %236, %244 : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i32, i32, !tile_gpu.token
    }
    %185 = "tile_gpu.async_wait"(%184#5) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
    "tile_gpu.barrier"() : () -> ()
    %186 = "tile.reduce"(%184#0) ({
    ^bb0(%arg11: f32, %arg12: f32):
      %201 = arith.addf %arg11, %arg12 : f32
      gpu.yield %201 : f32
    }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x4xf32, #part>) -> tensor<128xf32, #row>
    %187 = "tile.addptr"(%arg6, %2) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %188 = "tile.load"(%187) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
    %189 = arith.cmpf oeq, %186, %cst_3 : tensor<128xf32, #row>
    %190 = arith.select %189, %cst, %186 : tensor<128xi1, #row>, tensor<128xf32, #row>
    %191 = "tile.splat"(%188) : (f32) -> tensor<128xf32, #row>
    %192 = arith.divf %191, %190 fastmath<arcp> : tensor<128xf32, #row>
    %193 = "tile.expand_dims"(%192) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
    %194 = "tile.broadcast"(%193) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
    %195 = arith.mulf %184#1, %194 : tensor<128x128xf32, #acc>
    %196 = arith.truncf %195 : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %197 = "tile.addptr"(%13, %32) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %198 = "tile.splat"(%197) : (!tile.ptr<f16>) -> tensor<128x128x!tile.ptr<f16>, #l5>
    %199 = "tile.addptr"(%198, %40) : (tensor<128x128x!tile.ptr<f16>, #l5>, tensor<128x128xi32, #l5>) -> tensor<128x128x!tile.ptr<f16>, #l5>
    %200 = "tile_gpu.convert_layout"(%196) {tile_gpu.shared_offset = 0 : i32} : (tensor<128x128xf16, #acc>) -> tensor<128x128xf16, #l5>
    "tile.store"(%199, %200, %73) : (tensor<128x128x!tile.ptr<f16>, #l5>, tensor<128x128xf16, #l5>, tensor<128x128xi1, #l5>) -> ()
    return
  }
}
