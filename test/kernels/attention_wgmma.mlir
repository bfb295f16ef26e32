// Attention's forward pass for Hopper, written by hand as tile_gpu, at the level behind tile-gpu-pipeline: the layouts, the
// roles, the stages and the order of products are here, registers and instructions are not. What the schedule that the
// compiler finds for test/kernels/attention.py is measured against. out = softmax(q k^T scale) v, f16, heads of 128, all
// keys, N_CTX a multiple of 128; the log2 of the norms in lse. Parameters and tensor maps are those of that kernel.
//
//   bytes       0  keys, two stages of 128 x 128          131072  results, 2 KB a warp and half of a head
//           65536  values, two stages of 128 x 128        163840  queries, 128 x 128         196608  mbarriers
//
// One warp copies, two warp groups compute 64 rows each. In an iteration of those:
//
//   compiler   shrink, round | start s' = q k[i+1], o += p v[i]               | wait s' | softmax of s' | wait o
//   here       start s' = q k[i+1] | shrink, round | wait v | start o += p v[i] | wait s' | softmax of s' | wait o
//
// so that nothing but two waits stands between the end of o and the start of the next scores.
//
// The second kernel stands for launches that the tensor maps cannot describe: the compiler's. test/kernels/attention_wgmma.c
// runs the first, on the emulator and on a GPU.

#acc = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [8, 1]}>
#row = #tile_gpu.slice<{axis = 1 : i64, parent = #acc}>
#weights = #tile_gpu.dot_operand<{index = 0 : i64, k_width = 2 : i64, parent = #acc}>
#quad = #tile_gpu.linear<{lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0], [0, 8, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0], [64, 0, 0, 0]]}>
#pair = #tile_gpu.slice<{axis = 3 : i64, parent = #quad}>
#part = #tile_gpu.slice<{axis = 1 : i64, parent = #pair}>
#partrow = #tile_gpu.slice<{axis = 1 : i64, parent = #part}>
#sw = #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 128 : i64, transposed = false}>
#swt = #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 128 : i64, transposed = true}>
#bar = #tile_gpu.swizzled<{max_phase = 1 : i64, order = [0], per_phase = 1 : i64, vec = 1 : i64}>
module attributes {tile.num_stages = 2 : i32, tile.num_warps = 8 : i32, tile.pairs_of_rows, tile_gpu.num_warps = 8 : i32, tile_gpu.shared_bytes = 197256 : i32, tile_gpu.target = "sm_90a"} {
  func.func @attention$tma(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "Q"}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "K"}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "V"}, %scale: f32 {tile.name = "scale"}, %lse: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "Lse"}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "Out"}, %stride_qz: i32 {tile.divisibility = 16 : i32, tile.name = "stride_qz"}, %stride_qh: i32 {tile.divisibility = 16 : i32, tile.name = "stride_qh"}, %stride_qm: i32 {tile.divisibility = 16 : i32, tile.name = "stride_qm"}, %stride_kz: i32 {tile.divisibility = 16 : i32, tile.name = "stride_kz"}, %stride_kh: i32 {tile.divisibility = 16 : i32, tile.name = "stride_kh"}, %stride_kn: i32 {tile.divisibility = 16 : i32, tile.name = "stride_kn"}, %stride_vz: i32 {tile.divisibility = 16 : i32, tile.name = "stride_vz"}, %stride_vh: i32 {tile.divisibility = 16 : i32, tile.name = "stride_vh"}, %stride_vk: i32 {tile.divisibility = 16 : i32, tile.name = "stride_vk"}, %stride_oz: i32 {tile.divisibility = 16 : i32, tile.name = "stride_oz"}, %stride_oh: i32 {tile.divisibility = 16 : i32, tile.name = "stride_oh"}, %stride_om: i32 {tile.divisibility = 16 : i32, tile.name = "stride_om"}, %z: i32 {tile.name = "Z"}, %h: i32 {tile.name = "H"}, %n_ctx: i32 {tile.divisibility = 16 : i32, tile.name = "N_CTX"}, %query_map: !tile.descriptor<tensor<128x128xf16>> {tile_gpu.tensor_map = {base = 0 : i32, box = array<i32: 64, 128, 1, 1, 1>, sizes = [array<i64: 128>, array<i64: 128>, array<i64: 2147483648>, array<i64: 2147483648>, array<i64: 2147483648>], strides = [array<i64: 2, 8>, array<i64: 2, 8>, array<i64: 2, 7>, array<i64: 2, 6>], swizzle = 128 : i32, type = f16}}, %key_map: !tile.descriptor<tensor<128x128xf16>> {tile_gpu.tensor_map = {base = 1 : i32, box = array<i32: 64, 128, 1, 1>, sizes = [array<i64: 128>, array<i64: 2147483648>, array<i64: 2147483648>, array<i64: 2147483648>], strides = [array<i64: 2, 11>, array<i64: 2, 7>, array<i64: 2, 6>], swizzle = 128 : i32, type = f16}}, %value_map: !tile.descriptor<tensor<128x128xf16>> {tile_gpu.tensor_map = {base = 2 : i32, box = array<i32: 64, 128, 1, 1>, sizes = [array<i64: 128>, array<i64: 2147483648>, array<i64: 2147483648>, array<i64: 2147483648>], strides = [array<i64: 2, 14>, array<i64: 2, 7>, array<i64: 2, 6>], swizzle = 128 : i32, type = f16}}, %out_map: !tile.descriptor<tensor<128x128xf16>> {tile_gpu.tensor_map = {base = 5 : i32, box = array<i32: 64, 16, 1, 1, 1>, sizes = [array<i64: 128>, array<i64: 128>, array<i64: 2147483648>, array<i64: 2147483648>, array<i64: 2147483648>], stores, strides = [array<i64: 2, 17>, array<i64: 2, 17>, array<i64: 2, 7>, array<i64: 2, 6>], swizzle = 128 : i32, type = f16}}, %programs_x: i32, %programs_y: i32, %programs_z: i32) attributes {tile.constants = [["stride_qk", "1"], ["stride_kk", "1"], ["stride_vn", "1"], ["stride_on", "1"], ["HEAD_DIM", "128"], ["BLOCK_M", "128"], ["BLOCK_N", "128"], ["CAUSAL", "False"]], tile.kernel, tile_gpu.producer_warps = 4 : i32, tile_gpu.resident_blocks = 1 : i32, tile_gpu.ring_stages = 2 : i32, tile_gpu.shared_bytes = 197256 : i32, tile_gpu.tensor_maps_of = "attention"} {
    %staging = "tile_gpu.alloc"() {tile_gpu.shared_offset = 131072 : i32} : () -> memref<16x16x64xf16, #sw>
    %queries = "tile_gpu.alloc"() {tile_gpu.shared_offset = 163840 : i32} : () -> memref<1x128x128xf16, #sw>
    %queries_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 197120 : i32} : () -> memref<1x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%queries_full) {arrivals = 1 : i32} : (memref<1x1xi64, #bar>) -> ()
    %queries_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 197248 : i32} : () -> memref<1x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%queries_free) {arrivals = 8 : i32} : (memref<1x1xi64, #bar>) -> ()
    %keys = "tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32} : () -> memref<2x128x128xf16, #sw>
    %values = "tile_gpu.alloc"() {tile_gpu.shared_offset = 65536 : i32} : () -> memref<2x128x128xf16, #sw>
    %keys_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 196608 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%keys_full) {arrivals = 1 : i32} : (memref<2x1xi64, #bar>) -> ()
    %values_full = "tile_gpu.alloc"() {tile_gpu.shared_offset = 196736 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%values_full) {arrivals = 1 : i32} : (memref<2x1xi64, #bar>) -> ()
    %keys_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 196864 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%keys_free) {arrivals = 8 : i32} : (memref<2x1xi64, #bar>) -> ()
    %values_free = "tile_gpu.alloc"() {tile_gpu.shared_offset = 196992 : i32} : () -> memref<2x1xi64, #bar>
    "tile_gpu.mbarrier_init"(%values_free) {arrivals = 8 : i32} : (memref<2x1xi64, #bar>) -> ()
    "tile_gpu.barrier"() : () -> ()
    %copies = "tile_gpu.in_producer"() : () -> i1
    // The warp that copies.
    scf.if %copies {
      %11 = arith.muli %programs_x, %programs_y : i32
      %12 = arith.muli %11, %programs_z : i32
      %13 = "tile.program_id"() {axis = 2 : i32} : () -> i32
      %14 = "tile.num_programs"() {axis = 2 : i32} : () -> i32
      %15 = "tile.num_programs"() {axis = 1 : i32} : () -> i32
      %16 = arith.muli %13, %15 : i32
      %17 = "tile.program_id"() {axis = 1 : i32} : () -> i32
      %18 = arith.addi %16, %17 : i32
      %19 = arith.muli %14, %15 : i32
      %20 = "tile.num_programs"() {axis = 0 : i32} : () -> i32
      %21 = arith.muli %18, %20 : i32
      %22 = "tile.program_id"() {axis = 0 : i32} : () -> i32
      %23 = arith.addi %21, %22 : i32
      %24 = arith.muli %19, %20 : i32
      %25 = arith.remui %24, %programs_x : i32
      %26 = arith.divui %24, %programs_x : i32
      %27 = arith.remui %26, %programs_y : i32
      %28 = arith.remui %23, %programs_x : i32
      %29 = arith.divui %23, %programs_x : i32
      %30 = arith.remui %29, %programs_y : i32
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %c128_i64 = arith.constant 128 : i64
      %c0_i64 = arith.constant 0 : i64
      %c128_i32 = arith.constant 128 : i32
      %true = arith.constant true
      %c-2147483648_i64 = arith.constant -2147483648 : i64
      %c2147483647_i64 = arith.constant 2147483647 : i64
      %31 = arith.minsi %c0_i64, %c2147483647_i64 : i64
      %32 = arith.maxsi %31, %c-2147483648_i64 : i64
      %33 = arith.trunci %32 : i64 to i32
      %34 = arith.cmpi slt, %c0_i32, %n_ctx : i32
      %35:6 = scf.for %arg28 = %23 to %12 step %24 iter_args(%arg29 = %28, %arg30 = %30, %arg31 = %c0_i32, %arg32 = %c0_i32, %arg33 = %c0_i32, %arg34 = %c0_i32) -> (i32, i32, i32, i32, i32, i32)  : i32 {
        %36 = arith.addi %arg31, %c1_i32 : i32
        %37 = arith.cmpi eq, %36, %c1_i32 : i32
        %38 = arith.extui %37 : i1 to i32
        %39 = arith.xori %arg32, %38 : i32
        %40 = arith.select %37, %c0_i32, %36 : i32
        %41 = arith.divsi %arg30, %h : i32
        %42 = arith.remsi %arg30, %h : i32
        %43 = arith.muli %arg29, %c128_i32 : i32
        %44 = "tile_gpu.index"(%queries_free, %arg31) : (memref<1x1xi64, #bar>, i32) -> memref<1xi64, #bar>
        %45 = arith.xori %arg32, %c1_i32 : i32
        %46 = "tile_gpu.mbarrier_wait"(%44, %45) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
        %47 = "tile_gpu.index"(%queries_full, %arg31) : (memref<1x1xi64, #bar>, i32) -> memref<1xi64, #bar>
        "tile_gpu.mbarrier_expect"(%47, %true) {bytes = 32768 : i32} : (memref<1xi64, #bar>, i1) -> ()
        %48 = "tile_gpu.index"(%queries, %arg31) : (memref<1x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
        %49 = "tile_gpu.bulk_load"(%query_map, %48, %47, %true, %41, %42, %43, %33, %33) : (!tile.descriptor<tensor<128x128xf16>>, memref<128x128xf16, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32, i32, i32) -> !tile_gpu.token
        %50:7 = scf.if %34 -> (tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32) {
          %61 = arith.addi %arg33, %c1_i32 : i32
          %c2_i32 = arith.constant 2 : i32
          %62 = arith.cmpi eq, %61, %c2_i32 : i32
          %63 = arith.extui %62 : i1 to i32
          %64 = arith.xori %arg34, %63 : i32
          %65 = arith.select %62, %c0_i32, %61 : i32
          %66 = "tile_gpu.index"(%keys_full, %arg33) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %67 = "tile_gpu.index"(%keys_free, %arg33) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %68 = arith.xori %arg34, %c1_i32 : i32
          %69 = "tile_gpu.mbarrier_wait"(%67, %68) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          "tile_gpu.mbarrier_expect"(%66, %true) {bytes = 32768 : i32} : (memref<1xi64, #bar>, i1) -> ()
          %70 = "tile_gpu.index"(%keys, %arg33) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
          %71 = "tile_gpu.bulk_load"(%key_map, %70, %66, %true, %41, %42, %c0_i32, %33) : (!tile.descriptor<tensor<128x128xf16>>, memref<128x128xf16, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32, i32) -> !tile_gpu.token
          %72 = "tile_gpu.index"(%values_full, %arg33) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %73 = "tile_gpu.index"(%values_free, %arg33) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %74 = "tile_gpu.mbarrier_wait"(%73, %68) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          "tile_gpu.mbarrier_expect"(%72, %true) {bytes = 32768 : i32} : (memref<1xi64, #bar>, i1) -> ()
          %75 = "tile_gpu.index"(%values, %arg33) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
          %76 = "tile_gpu.bulk_load"(%value_map, %75, %72, %true, %41, %42, %c0_i32, %33) : (!tile.descriptor<tensor<128x128xf16>>, memref<128x128xf16, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32, i32) -> !tile_gpu.token
          %77 = arith.subi %n_ctx, %c0_i32 : i32
          %78 = arith.cmpi ugt, %77, %c128_i32 : i32
          %79 = arith.subi %n_ctx, %c128_i32 : i32
          %80 = arith.select %78, %79, %c0_i32 : i32
          %cst = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #part>
          %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
          %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #row>
          %81:11 = scf.for %arg35 = %c0_i32 to %80 step %c128_i32 iter_args(%arg36 = %cst, %arg37 = %cst_0, %arg38 = %cst_1, %arg39 = %c0_i64, %arg40 = %c0_i64, %arg41 = %65, %arg42 = %64, %arg43 = %cst_1, %arg44 = %cst_0, %arg45 = %arg33, %arg46 = %arg34) -> (tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32, tensor<128xf32, #row>, tensor<128x128xf32, #acc>, i32, i32)  : i32 {
            %84 = arith.addi %arg35, %c128_i32 : i32
            %85 = arith.addi %arg39, %c128_i64 : i64
            %86 = arith.addi %arg40, %c128_i64 : i64
            %87 = arith.addi %arg41, %c1_i32 : i32
            %88 = arith.cmpi eq, %87, %c2_i32 : i32
            %89 = arith.extui %88 : i1 to i32
            %90 = arith.xori %arg42, %89 : i32
            %91 = arith.select %88, %c0_i32, %87 : i32
            %92 = "tile_gpu.index"(%keys_full, %arg41) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %93 = "tile_gpu.index"(%keys_free, %arg41) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %94 = arith.xori %arg42, %c1_i32 : i32
            %95 = "tile_gpu.mbarrier_wait"(%93, %94) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            "tile_gpu.mbarrier_expect"(%92, %true) {bytes = 32768 : i32} : (memref<1xi64, #bar>, i1) -> ()
            %96 = "tile_gpu.index"(%keys, %arg41) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
            %97 = "tile_gpu.bulk_load"(%key_map, %96, %92, %true, %41, %42, %84, %33) : (!tile.descriptor<tensor<128x128xf16>>, memref<128x128xf16, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32, i32) -> !tile_gpu.token
            %98 = "tile_gpu.index"(%values_full, %arg41) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %99 = "tile_gpu.index"(%values_free, %arg41) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %100 = "tile_gpu.mbarrier_wait"(%99, %94) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            "tile_gpu.mbarrier_expect"(%98, %true) {bytes = 32768 : i32} : (memref<1xi64, #bar>, i1) -> ()
            %101 = "tile_gpu.index"(%values, %arg41) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
            %102 = "tile_gpu.bulk_load"(%value_map, %101, %98, %true, %41, %42, %84, %33) : (!tile.descriptor<tensor<128x128xf16>>, memref<128x128xf16, #sw>, memref<1xi64, #bar>, i1, i32, i32, i32, i32) -> !tile_gpu.token
            scf.yield %arg36, %arg37, %arg38, %85, %86, %91, %90, %arg43, %arg44, %arg41, %arg42 : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32, tensor<128xf32, #row>, tensor<128x128xf32, #acc>, i32, i32
          }
          %82 = arith.addi %81#3, %c128_i64 : i64
          %83 = arith.addi %81#4, %c128_i64 : i64
          scf.yield %cst, %cst_0, %cst_1, %82, %83, %81#5, %81#6 : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32
        } else {
          %cst = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #part>
          %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
          %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #row>
          scf.yield %cst, %cst_0, %cst_1, %c0_i64, %c0_i64, %arg33, %arg34 : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32
        }
        %51 = arith.addi %arg29, %25 : i32
        %52 = arith.cmpi uge, %51, %programs_x : i32
        %53 = arith.subi %51, %programs_x : i32
        %54 = arith.select %52, %53, %51 : i32
        %55 = arith.extui %52 : i1 to i32
        %56 = arith.addi %arg30, %27 : i32
        %57 = arith.addi %56, %55 : i32
        %58 = arith.cmpi uge, %57, %programs_y : i32
        %59 = arith.subi %57, %programs_y : i32
        %60 = arith.select %58, %59, %57 : i32
        scf.yield %54, %60, %40, %39, %50#5, %50#6 : i32, i32, i32, i32, i32, i32
      }
    } else { // Two warp groups that compute, 64 rows each.
      %11 = arith.muli %programs_x, %programs_y : i32
      %12 = arith.muli %11, %programs_z : i32
      %13 = "tile.program_id"() {axis = 2 : i32} : () -> i32
      %14 = "tile.num_programs"() {axis = 2 : i32} : () -> i32
      %15 = "tile.num_programs"() {axis = 1 : i32} : () -> i32
      %16 = arith.muli %13, %15 : i32
      %17 = "tile.program_id"() {axis = 1 : i32} : () -> i32
      %18 = arith.addi %16, %17 : i32
      %19 = arith.muli %14, %15 : i32
      %20 = "tile.num_programs"() {axis = 0 : i32} : () -> i32
      %21 = arith.muli %18, %20 : i32
      %22 = "tile.program_id"() {axis = 0 : i32} : () -> i32
      %23 = arith.addi %21, %22 : i32
      %24 = arith.muli %19, %20 : i32
      %25 = arith.remui %24, %programs_x : i32
      %26 = arith.divui %24, %programs_x : i32
      %27 = arith.remui %26, %programs_y : i32
      %28 = arith.remui %23, %programs_x : i32
      %29 = arith.divui %23, %programs_x : i32
      %30 = arith.remui %29, %programs_y : i32
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %cst = arith.constant dense<0xFF800000> : tensor<128xf32, #row>
      %zeros = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
      %c128_i64 = arith.constant 128 : i64
      %cst_1 = arith.constant 1.44269502 : f32
      %c0_i64 = arith.constant 0 : i64
      %c128_i32 = arith.constant 128 : i32
      %31 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #row>
      %32 = arith.mulf %scale, %cst_1 : f32
      %true = arith.constant true
      %scale_rows = "tile.splat"(%32) : (f32) -> tensor<128xf32, #row>
      %scale_tile = "tile.splat"(%32) : (f32) -> tensor<128x128xf32, #acc>
      %cst_2 = arith.constant dense<-0.000000e+00> : tensor<128x4xf32, #part>
      %cst_3 = arith.constant dense<1.000000e+00> : tensor<128x4xf32, #part>
      %35 = "tile.range"() {end = 4 : i32, start = 0 : i32} : () -> tensor<4xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #part}>>
      %36 = "tile.expand_dims"(%35) {axis = 0 : i32} : (tensor<4xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #part}>>) -> tensor<1x4xi32, #part>
      %37 = "tile.broadcast"(%36) : (tensor<1x4xi32, #part>) -> tensor<128x4xi32, #part>
      %cst_4 = arith.constant dense<0> : tensor<128x4xi32, #part>
      %38 = arith.cmpi eq, %37, %cst_4 : tensor<128x4xi32, #part>
      %39 = arith.select %38, %cst_3, %cst_2 : tensor<128x4xi1, #part>, tensor<128x4xf32, #part>
      %40 = arith.cmpi slt, %c0_i32, %n_ctx : i32
      %41:6 = scf.for %arg28 = %23 to %12 step %24 iter_args(%arg29 = %28, %arg30 = %30, %arg31 = %c0_i32, %arg32 = %c0_i32, %arg33 = %c0_i32, %arg34 = %c0_i32) -> (i32, i32, i32, i32, i32, i32)  : i32 {
        %42 = arith.addi %arg31, %c1_i32 : i32
        %43 = arith.cmpi eq, %42, %c1_i32 : i32
        %44 = arith.extui %43 : i1 to i32
        %45 = arith.xori %arg32, %44 : i32
        %46 = arith.select %43, %c0_i32, %42 : i32
        %47 = arith.divsi %arg30, %h : i32
        %48 = arith.remsi %arg30, %h : i32
        %49 = arith.muli %arg29, %c128_i32 : i32
        %50 = "tile.splat"(%49) : (i32) -> tensor<128xi32, #row>
        %51 = arith.addi %50, %31 : tensor<128xi32, #row>
        %52 = "tile_gpu.index"(%queries_free, %arg31) : (memref<1x1xi64, #bar>, i32) -> memref<1xi64, #bar>
        %53 = "tile_gpu.index"(%queries_full, %arg31) : (memref<1x1xi64, #bar>, i32) -> memref<1xi64, #bar>
        %54 = "tile_gpu.index"(%queries, %arg31) : (memref<1x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
        %queries_there = "tile_gpu.mbarrier_wait"(%53, %arg32) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
        %56:7 = scf.if %40 -> (tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32) {
          %78 = arith.addi %arg33, %c1_i32 : i32
          %c2_i32 = arith.constant 2 : i32
          %79 = arith.cmpi eq, %78, %c2_i32 : i32
          %80 = arith.extui %79 : i1 to i32
          %81 = arith.xori %arg34, %80 : i32
          %82 = arith.select %79, %c0_i32, %78 : i32
          %83 = arith.remsi %c0_i32, %c128_i32 : i32
          %84 = arith.cmpi eq, %83, %c0_i32 : i32
          "tile.assume"(%84) : (i1) -> ()
          %85 = "tile_gpu.index"(%keys_full, %arg33) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %86 = "tile_gpu.index"(%keys_free, %arg33) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %87 = "tile_gpu.index"(%keys, %arg33) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
          %88 = "tile_gpu.transpose"(%87) {order = array<i32: 1, 0>} : (memref<128x128xf16, #sw>) -> memref<128x128xf16, #swt>
          %89 = "tile_gpu.mbarrier_wait"(%85, %arg34) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          %90 = "tile_gpu.warpgroup_dot"(%54, %88, %zeros) : (memref<128x128xf16, #sw>, memref<128x128xf16, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          %91 = "tile_gpu.warpgroup_dot_wait"(%90) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          "tile_gpu.mbarrier_arrive"(%86, %true) : (memref<1xi64, #bar>, i1) -> ()
          %92 = "tile.reduce"(%91) ({
          ^bb0(%arg35: f32, %norms: f32):
            %128 = arith.maxnumf %arg35, %norms : f32
            gpu.yield %128 : f32
          }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128xf32, #row>
          %93 = arith.mulf %92, %scale_rows : tensor<128xf32, #row>
          %first_top = arith.maxnumf %cst, %93 : tensor<128xf32, #row>
          %95 = "tile.expand_dims"(%first_top) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
          %96 = "tile.broadcast"(%95) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
          %97 = arith.negf %96 : tensor<128x128xf32, #acc>
          %98 = math.fma %91, %scale_tile, %97 : tensor<128x128xf32, #acc>
          %first_exponentials = math.exp2 %98 fastmath<afn> : tensor<128x128xf32, #acc>
          %100 = arith.subf %cst, %first_top : tensor<128xf32, #row>
          %first_shrink = math.exp2 %100 fastmath<afn> : tensor<128xf32, #row>
          %102 = "tile.reshape"(%first_exponentials) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
          %103 = "tile.reduce"(%102) ({
          ^bb0(%arg35: f32, %norms: f32):
            %128 = arith.addf %arg35, %norms : f32
            gpu.yield %128 : f32
          }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
          %104 = "tile.reduce"(%103) ({
          ^bb0(%arg35: f32, %norms: f32):
            %128 = arith.addf %arg35, %norms : f32
            gpu.yield %128 : f32
          }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
          %105 = "tile_gpu.convert_layout"(%first_shrink) : (tensor<128xf32, #row>) -> tensor<128xf32, #partrow>
          %106 = "tile.expand_dims"(%105) {axis = 1 : i32} : (tensor<128xf32, #partrow>) -> tensor<128x1xf32, #part>
          %107 = "tile.broadcast"(%106) : (tensor<128x1xf32, #part>) -> tensor<128x4xf32, #part>
          %first_norms = math.fma %39, %107, %104 : tensor<128x4xf32, #part>
          %109 = arith.subi %n_ctx, %c0_i32 : i32
          %110 = arith.cmpi ugt, %109, %c128_i32 : i32
          %111 = arith.subi %n_ctx, %c128_i32 : i32
          %112 = arith.select %110, %111, %c0_i32 : i32
          %113:11 = scf.for %arg35 = %c0_i32 to %112 step %c128_i32 iter_args(%norms = %first_norms, %sums = %zeros, %top = %first_top, %arg39 = %c0_i64, %arg40 = %c0_i64, %key_stage = %82, %key_phase = %81, %shrink = %first_shrink, %weights = %first_exponentials, %value_stage = %arg33, %value_phase = %arg34) -> (tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32, tensor<128xf32, #row>, tensor<128x128xf32, #acc>, i32, i32)  : i32 {
            %128 = arith.addi %arg35, %c128_i32 : i32
            %halves = arith.truncf %weights : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
            %operand = "tile_gpu.convert_layout"(%halves) : (tensor<128x128xf16, #acc>) -> tensor<128x128xf16, #weights>
            %value_tile = "tile_gpu.index"(%values, %value_stage) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
            %value_full = "tile_gpu.index"(%values_full, %value_stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %value_free = "tile_gpu.index"(%values_free, %value_stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %138 = arith.addi %arg39, %c128_i64 : i64
            %139 = arith.addi %arg40, %c128_i64 : i64
            %140 = arith.addi %key_stage, %c1_i32 : i32
            %141 = arith.cmpi eq, %140, %c2_i32 : i32
            %142 = arith.extui %141 : i1 to i32
            %143 = arith.xori %key_phase, %142 : i32
            %144 = arith.select %141, %c0_i32, %140 : i32
            %145 = arith.remsi %128, %c128_i32 : i32
            %146 = arith.cmpi eq, %145, %c0_i32 : i32
            "tile.assume"(%146) : (i1) -> ()
            %key_full = "tile_gpu.index"(%keys_full, %key_stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %key_free = "tile_gpu.index"(%keys_free, %key_stage) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
            %149 = "tile_gpu.index"(%keys, %key_stage) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
            %next_keys = "tile_gpu.transpose"(%149) {order = array<i32: 1, 0>} : (memref<128x128xf16, #sw>) -> memref<128x128xf16, #swt>
            %keys_there = "tile_gpu.mbarrier_wait"(%key_full, %key_phase) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            // The next block's scores; under them the sums shrink and this block's weights are rounded.
            %next_scores = "tile_gpu.warpgroup_dot"(%54, %next_keys, %zeros) : (memref<128x128xf16, #sw>, memref<128x128xf16, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            %values_there = "tile_gpu.mbarrier_wait"(%value_full, %value_phase) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            %129 = "tile.expand_dims"(%shrink) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
            %130 = "tile.broadcast"(%129) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
            %rescaled = arith.mulf %sums, %130 : tensor<128x128xf32, #acc>
            %sums_started = "tile_gpu.warpgroup_dot"(%operand, %value_tile, %rescaled) : (tensor<128x128xf16, #weights>, memref<128x128xf16, #sw>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            // The softmax of the next block runs under the sums.
            %next_done = "tile_gpu.warpgroup_dot_wait"(%next_scores) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 1 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            "tile_gpu.mbarrier_arrive"(%key_free, %true) : (memref<1xi64, #bar>, i1) -> ()
            %155 = "tile.reduce"(%next_done) ({
            ^bb0(%arg47: f32, %arg48: f32):
              %174 = arith.maxnumf %arg47, %arg48 : f32
              gpu.yield %174 : f32
            }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128xf32, #row>
            %156 = arith.mulf %155, %scale_rows : tensor<128xf32, #row>
            %higher = arith.maxnumf %top, %156 : tensor<128xf32, #row>
            %158 = "tile.expand_dims"(%higher) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
            %159 = "tile.broadcast"(%158) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
            %160 = arith.negf %159 : tensor<128x128xf32, #acc>
            %161 = math.fma %next_done, %scale_tile, %160 : tensor<128x128xf32, #acc>
            %exponentials = math.exp2 %161 fastmath<afn> : tensor<128x128xf32, #acc>
            %163 = arith.subf %top, %higher : tensor<128xf32, #row>
            %next_shrink = math.exp2 %163 fastmath<afn> : tensor<128xf32, #row>
            %165 = "tile.reshape"(%exponentials) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
            %166 = "tile.reduce"(%165) ({
            ^bb0(%arg47: f32, %arg48: f32):
              %174 = arith.addf %arg47, %arg48 : f32
              gpu.yield %174 : f32
            }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
            %167 = "tile.reduce"(%166) ({
            ^bb0(%arg47: f32, %arg48: f32):
              %174 = arith.addf %arg47, %arg48 : f32
              gpu.yield %174 : f32
            }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
            %168 = "tile_gpu.convert_layout"(%next_shrink) : (tensor<128xf32, #row>) -> tensor<128xf32, #partrow>
            %169 = "tile.expand_dims"(%168) {axis = 1 : i32} : (tensor<128xf32, #partrow>) -> tensor<128x1xf32, #part>
            %170 = "tile.broadcast"(%169) : (tensor<128x1xf32, #part>) -> tensor<128x4xf32, #part>
            %next_norms = math.fma %norms, %170, %167 : tensor<128x4xf32, #part>
            // Over already; keeps the exponentials before the wait for the sums.
            %values_there_again = "tile_gpu.mbarrier_wait"(%value_full, %value_phase) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
            %sums_done = "tile_gpu.warpgroup_dot_wait"(%sums_started) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
            "tile_gpu.mbarrier_arrive"(%value_free, %true) : (memref<1xi64, #bar>, i1) -> ()
            scf.yield %next_norms, %sums_done, %higher, %138, %139, %144, %143, %next_shrink, %exponentials, %key_stage, %key_phase : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32, tensor<128xf32, #row>, tensor<128x128xf32, #acc>, i32, i32
          }
          "tile_gpu.mbarrier_arrive"(%52, %true) : (memref<1xi64, #bar>, i1) -> ()
          %114 = "tile.expand_dims"(%113#7) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
          %115 = "tile.broadcast"(%114) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
          // + 0.0 changes nothing but the sign of zeros. Without it LLVM's MachineCSE finds the multiplications
          // and roundings of the loop here as well, and moves them to the loop's head, before the scores start.
          %apart1z = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
          %sums_apart = arith.addf %113#1, %apart1z : tensor<128x128xf32, #acc>
          %116 = arith.mulf %sums_apart, %115 : tensor<128x128xf32, #acc>
          %apart2z = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
          %weights_apart = arith.addf %113#8, %apart2z : tensor<128x128xf32, #acc>
          %117 = arith.truncf %weights_apart : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
          %118 = "tile_gpu.convert_layout"(%117) : (tensor<128x128xf16, #acc>) -> tensor<128x128xf16, #weights>
          %119 = "tile_gpu.index"(%values, %113#9) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
          %120 = "tile_gpu.index"(%values_full, %113#9) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          %121 = "tile_gpu.mbarrier_wait"(%120, %113#10) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          %122 = "tile_gpu.warpgroup_dot"(%118, %119, %116) : (tensor<128x128xf16, #weights>, memref<128x128xf16, #sw>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          %123 = "tile_gpu.mbarrier_wait"(%120, %113#10) : (memref<1xi64, #bar>, i32) -> !tile_gpu.token
          %124 = "tile_gpu.warpgroup_dot_wait"(%122) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
          %125 = "tile_gpu.index"(%values_free, %113#9) : (memref<2x1xi64, #bar>, i32) -> memref<1xi64, #bar>
          "tile_gpu.mbarrier_arrive"(%125, %true) : (memref<1xi64, #bar>, i1) -> ()
          %126 = arith.addi %113#3, %c128_i64 : i64
          %127 = arith.addi %113#4, %c128_i64 : i64
          scf.yield %113#0, %124, %113#2, %126, %127, %113#5, %113#6 : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32
        } else {
          "tile_gpu.mbarrier_arrive"(%52, %true) : (memref<1xi64, #bar>, i1) -> ()
          scf.yield %39, %zeros, %cst, %c0_i64, %c0_i64, %arg33, %arg34 : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i32, i32
        }
        %57 = "tile.reduce"(%56#0) ({
        ^bb0(%arg35: f32, %norms: f32):
          %78 = arith.addf %arg35, %norms : f32
          gpu.yield %78 : f32
        }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x4xf32, #part>) -> tensor<128xf32, #row>
        %58 = arith.muli %arg30, %n_ctx : i32
        %59 = "tile.addptr"(%lse, %58) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
        %60 = "tile.splat"(%59) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>, #row>
        %61 = "tile.addptr"(%60, %51) : (tensor<128x!tile.ptr<f32>, #row>, tensor<128xi32, #row>) -> tensor<128x!tile.ptr<f32>, #row>
        %62 = math.log2 %57 : tensor<128xf32, #row>
        %63 = arith.addf %56#2, %62 : tensor<128xf32, #row>
        "tile.store"(%61, %63) : (tensor<128x!tile.ptr<f32>, #row>, tensor<128xf32, #row>) -> ()
        %64 = "tile.expand_dims"(%57) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
        %65 = "tile.broadcast"(%64) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
        %66 = arith.divf %56#1, %65 fastmath<arcp> : tensor<128x128xf32, #acc>
        %67 = arith.truncf %66 : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
        "tile_gpu.bulk_store"(%out_map, %67, %staging, %47, %48, %49, %c0_i32, %c0_i32) : (!tile.descriptor<tensor<128x128xf16>>, tensor<128x128xf16, #acc>, memref<16x16x64xf16, #sw>, i32, i32, i32, i32, i32) -> ()
        %68 = arith.addi %arg29, %25 : i32
        %69 = arith.cmpi uge, %68, %programs_x : i32
        %70 = arith.subi %68, %programs_x : i32
        %71 = arith.select %69, %70, %68 : i32
        %72 = arith.extui %69 : i1 to i32
        %73 = arith.addi %arg30, %27 : i32
        %74 = arith.addi %73, %72 : i32
        %75 = arith.cmpi uge, %74, %programs_y : i32
        %76 = arith.subi %74, %programs_y : i32
        %77 = arith.select %75, %76, %74 : i32
        scf.yield %71, %77, %46, %45, %56#5, %56#6 : i32, i32, i32, i32, i32, i32
      }
      "tile_gpu.bulk_store_wait"(%staging) : (memref<16x16x64xf16, #sw>) -> ()
    }
    return
  }
  func.func @attention(%arg0: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "Q"}, %arg1: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "K"}, %arg2: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "V"}, %arg3: f32 {tile.name = "scale"}, %arg4: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "Lse"}, %arg5: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.name = "Out"}, %arg6: i32 {tile.divisibility = 16 : i32, tile.name = "stride_qz"}, %arg7: i32 {tile.divisibility = 16 : i32, tile.name = "stride_qh"}, %arg8: i32 {tile.divisibility = 16 : i32, tile.name = "stride_qm"}, %arg9: i32 {tile.divisibility = 16 : i32, tile.name = "stride_kz"}, %arg10: i32 {tile.divisibility = 16 : i32, tile.name = "stride_kh"}, %arg11: i32 {tile.divisibility = 16 : i32, tile.name = "stride_kn"}, %arg12: i32 {tile.divisibility = 16 : i32, tile.name = "stride_vz"}, %arg13: i32 {tile.divisibility = 16 : i32, tile.name = "stride_vh"}, %arg14: i32 {tile.divisibility = 16 : i32, tile.name = "stride_vk"}, %arg15: i32 {tile.divisibility = 16 : i32, tile.name = "stride_oz"}, %arg16: i32 {tile.divisibility = 16 : i32, tile.name = "stride_oh"}, %arg17: i32 {tile.divisibility = 16 : i32, tile.name = "stride_om"}, %arg18: i32 {tile.name = "Z"}, %arg19: i32 {tile.name = "H"}, %arg20: i32 {tile.divisibility = 16 : i32, tile.name = "N_CTX"}) attributes {tile.constants = [["stride_qk", "1"], ["stride_kk", "1"], ["stride_vn", "1"], ["stride_on", "1"], ["HEAD_DIM", "128"], ["BLOCK_M", "128"], ["BLOCK_N", "128"], ["CAUSAL", "False"]], tile.kernel, tile_gpu.shared_bytes = 163840 : i32} {
    %cst = arith.constant dense<0xFF800000> : tensor<128xf32, #row>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #acc>
    %c128_i64 = arith.constant 128 : i64
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant 1.44269502 : f32
    %c0_i64 = arith.constant 0 : i64
    %c128_i32 = arith.constant 128 : i32
    %0 = "tile.program_id"() {axis = 0 : i32} : () -> i32
    %1 = "tile.program_id"() {axis = 1 : i32} : () -> i32
    %2 = arith.divsi %1, %arg19 : i32
    %3 = arith.remsi %1, %arg19 : i32
    %4 = arith.extsi %2 : i32 to i64
    %5 = arith.extsi %arg6 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %7 = arith.extsi %3 : i32 to i64
    %8 = arith.extsi %arg7 : i32 to i64
    %9 = arith.muli %7, %8 : i64
    %10 = arith.addi %6, %9 : i64
    %11 = "tile.addptr"(%arg0, %10) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %12 = arith.muli %0, %c128_i32 : i32
    %13 = arith.extsi %arg8 : i32 to i64
    %14 = arith.extsi %12 : i32 to i64
    %15 = "tile.addptr"(%arg1, %10) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %16 = arith.extsi %arg11 : i32 to i64
    %17 = "tile.addptr"(%arg2, %10) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %18 = arith.extsi %arg14 : i32 to i64
    %19 = "tile.addptr"(%arg5, %10) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %20 = arith.extsi %arg17 : i32 to i64
    %21 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #row>
    %22 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>}>>
    %23 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>}>>
    %24 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>}>>
    %25 = "tile.range"() {end = 128 : i32, start = 0 : i32} : () -> tensor<128xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>}>>
    %26 = "tile.splat"(%12) : (i32) -> tensor<128xi32, #row>
    %27 = arith.addi %26, %21 : tensor<128xi32, #row>
    %28 = arith.mulf %arg3, %cst_1 : f32
    %29 = "tile.expand_dims"(%22) {axis = 1 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>}>>) -> tensor<128x1xi32, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %30 = "tile.expand_dims"(%25) {axis = 1 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>}>>) -> tensor<128x1xi32, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %31 = "tile.expand_dims"(%23) {axis = 0 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>}>>) -> tensor<1x128xi32, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %32 = "tile.expand_dims"(%24) {axis = 0 : i32} : (tensor<128xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>}>>) -> tensor<1x128xi32, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %33 = arith.muli %14, %13 : i64
    %34 = arith.extsi %29 : tensor<128x1xi32, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>> to tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %35 = arith.extsi %30 : tensor<128x1xi32, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>> to tensor<128x1xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %36 = "tile.splat"(%13) : (i64) -> tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %37 = arith.muli %34, %36 : tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %38 = arith.extsi %31 : tensor<1x128xi32, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>> to tensor<1x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %39 = arith.extsi %32 : tensor<1x128xi32, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>> to tensor<1x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %40 = "tile.broadcast"(%37) : (tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %41 = "tile.broadcast"(%38) : (tensor<1x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %42 = arith.addi %40, %41 : tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %43 = "tile.addptr"(%11, %33) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %44 = "tile.splat"(%43) : (!tile.ptr<f16>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %45 = "tile.addptr"(%44, %42) : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>, tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %46 = "tile.load"(%45) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %47 = "tile_gpu.alloc"(%46) {tile_gpu.shared_offset = 131072 : i32} : (tensor<128x128xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> memref<128x128xf16, #sw>
    %48 = "tile.splat"(%16) : (i64) -> tensor<1x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %49 = arith.muli %39, %48 : tensor<1x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %50 = "tile.broadcast"(%35) : (tensor<128x1xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>) -> tensor<128x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %51 = "tile.broadcast"(%49) : (tensor<1x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>) -> tensor<128x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %52 = arith.addi %50, %51 : tensor<128x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %53 = "tile.splat"(%28) : (f32) -> tensor<128xf32, #row>
    %54 = "tile.splat"(%28) : (f32) -> tensor<128x128xf32, #acc>
    %55 = "tile.splat"(%18) : (i64) -> tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %56 = arith.muli %34, %55 : tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %57 = "tile.broadcast"(%56) : (tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %58 = arith.addi %57, %41 : tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %cst_2 = arith.constant dense<-0.000000e+00> : tensor<128x4xf32, #part>
    %cst_3 = arith.constant dense<1.000000e+00> : tensor<128x4xf32, #part>
    %59 = "tile.range"() {end = 4 : i32, start = 0 : i32} : () -> tensor<4xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #part}>>
    %60 = "tile.expand_dims"(%59) {axis = 0 : i32} : (tensor<4xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #part}>>) -> tensor<1x4xi32, #part>
    %61 = "tile.broadcast"(%60) : (tensor<1x4xi32, #part>) -> tensor<128x4xi32, #part>
    %cst_4 = arith.constant dense<0> : tensor<128x4xi32, #part>
    %62 = arith.cmpi eq, %61, %cst_4 : tensor<128x4xi32, #part>
    %63 = arith.select %62, %cst_3, %cst_2 : tensor<128x4xi1, #part>, tensor<128x4xf32, #part>
    %64 = "tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32} : () -> memref<2x128x128xf16, #swt>
    %65 = "tile_gpu.alloc"() {tile_gpu.shared_offset = 65536 : i32} : () -> memref<2x128x128xf16, #sw>
    %66 = arith.cmpi slt, %c0_i32, %arg20 : i32
    %67 = arith.muli %c0_i64, %16 : i64
    %68 = "tile.addptr"(%15, %67) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %69 = "tile.splat"(%68) : (!tile.ptr<f16>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %70 = "tile.addptr"(%69, %52) : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>, tensor<128x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %71 = arith.muli %c0_i64, %18 : i64
    %72 = "tile.addptr"(%17, %71) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %73 = "tile.splat"(%72) : (!tile.ptr<f16>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %74 = "tile.addptr"(%73, %58) : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>, tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %75 = arith.addi %c0_i64, %c128_i64 : i64
    %76 = "tile.splat"(%66) : (i1) -> tensor<128x128xi1, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
    %77 = "tile_gpu.index"(%64, %c0_i32) : (memref<2x128x128xf16, #swt>, i32) -> memref<128x128xf16, #swt>
    %78 = "tile_gpu.async_copy"(%70, %77, %76) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>, memref<128x128xf16, #swt>, tensor<128x128xi1, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>) -> !tile_gpu.token
    %79 = "tile.splat"(%66) : (i1) -> tensor<128x128xi1, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %80 = "tile_gpu.index"(%65, %c0_i32) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
    %81 = "tile_gpu.async_copy"(%74, %80, %79) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>, memref<128x128xf16, #sw>, tensor<128x128xi1, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> !tile_gpu.token
    %82 = "tile_gpu.async_commit"(%78, %81) : (!tile_gpu.token, !tile_gpu.token) -> !tile_gpu.token
    %c1_i32 = arith.constant 1 : i32
    %83 = arith.subi %arg20, %c0_i32 : i32
    %84 = arith.cmpi ugt, %83, %c128_i32 : i32
    %85 = arith.subi %arg20, %c128_i32 : i32
    %86 = arith.select %84, %85, %c0_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %87:10 = scf.for %arg21 = %c0_i32 to %arg20 step %c128_i32 iter_args(%arg22 = %63, %arg23 = %cst_0, %arg24 = %cst, %arg25 = %c0_i64, %arg26 = %c0_i64, %arg27 = %75, %arg28 = %75, %arg29 = %c0_i32, %arg30 = %c1_i32, %arg31 = %82) -> (tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i64, i64, i32, i32, !tile_gpu.token)  : i32 {
      %109 = "tile_gpu.async_wait"(%arg31) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
      "tile_gpu.barrier"() : () -> ()
      %110 = arith.cmpi slt, %arg21, %86 : i32
      %111 = arith.muli %arg28, %16 : i64
      %112 = "tile.addptr"(%15, %111) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
      %113 = "tile.splat"(%112) : (!tile.ptr<f16>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
      %114 = "tile.addptr"(%113, %52) : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>, tensor<128x128xi64, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
      %115 = arith.muli %arg27, %18 : i64
      %116 = "tile.addptr"(%17, %115) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
      %117 = "tile.splat"(%116) : (!tile.ptr<f16>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
      %118 = "tile.addptr"(%117, %58) : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>, tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
      %119 = arith.addi %arg27, %c128_i64 : i64
      %120 = arith.addi %arg28, %c128_i64 : i64
      %121 = "tile.splat"(%110) : (i1) -> tensor<128x128xi1, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>
      %122 = "tile_gpu.index"(%64, %arg30) : (memref<2x128x128xf16, #swt>, i32) -> memref<128x128xf16, #swt>
      %123 = "tile.splat"(%110) : (i1) -> tensor<128x128xi1, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
      %124 = "tile_gpu.index"(%65, %arg30) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
      %125 = arith.addi %arg29, %c1_i32 : i32
      %126 = arith.cmpi eq, %125, %c2_i32 : i32
      %127 = arith.select %126, %c0_i32, %125 : i32
      %128 = arith.addi %arg30, %c1_i32 : i32
      %129 = arith.cmpi eq, %128, %c2_i32 : i32
      %130 = arith.select %129, %c0_i32, %128 : i32
      %131 = arith.remsi %arg21, %c128_i32 : i32
      %132 = arith.cmpi eq, %131, %c0_i32 : i32
      "tile.assume"(%132) : (i1) -> ()
      %133 = "tile_gpu.index"(%64, %arg29) : (memref<2x128x128xf16, #swt>, i32) -> memref<128x128xf16, #swt>
      %134 = "tile_gpu.warpgroup_dot"(%47, %133, %cst_0) : (memref<128x128xf16, #sw>, memref<128x128xf16, #swt>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %135 = "tile_gpu.async_copy"(%114, %122, %121) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>, memref<128x128xf16, #swt>, tensor<128x128xi1, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 8]}>>) -> !tile_gpu.token
      %136 = "tile_gpu.async_copy"(%118, %124, %123) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>, memref<128x128xf16, #sw>, tensor<128x128xi1, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> !tile_gpu.token
      %137 = "tile_gpu.async_commit"(%135, %136) : (!tile_gpu.token, !tile_gpu.token) -> !tile_gpu.token
      %138 = "tile_gpu.warpgroup_dot_wait"(%134) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %139 = "tile.reduce"(%138) ({
      ^bb0(%arg32: f32, %arg33: f32):
        %164 = arith.maxnumf %arg32, %arg33 : f32
        gpu.yield %164 : f32
      }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128xf32, #row>
      %140 = arith.mulf %139, %53 : tensor<128xf32, #row>
      %141 = arith.maxnumf %arg24, %140 : tensor<128xf32, #row>
      %142 = "tile.expand_dims"(%141) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
      %143 = "tile.broadcast"(%142) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
      %144 = arith.negf %143 : tensor<128x128xf32, #acc>
      %145 = math.fma %138, %54, %144 : tensor<128x128xf32, #acc>
      %146 = math.exp2 %145 fastmath<afn> : tensor<128x128xf32, #acc>
      %147 = arith.subf %arg24, %141 : tensor<128xf32, #row>
      %148 = math.exp2 %147 fastmath<afn> : tensor<128xf32, #row>
      %149 = "tile.reshape"(%146) : (tensor<128x128xf32, #acc>) -> tensor<128x16x4x2xf32, #quad>
      %150 = "tile.reduce"(%149) ({
      ^bb0(%arg32: f32, %arg33: f32):
        %164 = arith.addf %arg32, %arg33 : f32
        gpu.yield %164 : f32
      }) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4x2xf32, #quad>) -> tensor<128x16x4xf32, #pair>
      %151 = "tile.reduce"(%150) ({
      ^bb0(%arg32: f32, %arg33: f32):
        %164 = arith.addf %arg32, %arg33 : f32
        gpu.yield %164 : f32
      }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x16x4xf32, #pair>) -> tensor<128x4xf32, #part>
      %152 = "tile_gpu.convert_layout"(%148) : (tensor<128xf32, #row>) -> tensor<128xf32, #partrow>
      %153 = "tile.expand_dims"(%152) {axis = 1 : i32} : (tensor<128xf32, #partrow>) -> tensor<128x1xf32, #part>
      %154 = "tile.broadcast"(%153) : (tensor<128x1xf32, #part>) -> tensor<128x4xf32, #part>
      %155 = math.fma %arg22, %154, %151 : tensor<128x4xf32, #part>
      %156 = "tile.expand_dims"(%148) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
      %157 = "tile.broadcast"(%156) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
      %158 = arith.mulf %arg23, %157 : tensor<128x128xf32, #acc>
      %159 = "tile_gpu.index"(%65, %arg29) : (memref<2x128x128xf16, #sw>, i32) -> memref<128x128xf16, #sw>
      %160 = arith.truncf %146 : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
      %161 = "tile_gpu.convert_layout"(%160) : (tensor<128x128xf16, #acc>) -> tensor<128x128xf16, #weights>
      %162 = "tile_gpu.warpgroup_dot"(%161, %159, %158) : (tensor<128x128xf16, #weights>, memref<128x128xf16, #sw>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %163 = "tile_gpu.warpgroup_dot_wait"(%162) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      scf.yield %155, %163, %141, %arg25, %arg26, %119, %120, %127, %130, %137 : tensor<128x4xf32, #part>, tensor<128x128xf32, #acc>, tensor<128xf32, #row>, i64, i64, i64, i64, i32, i32, !tile_gpu.token
    }
    %88 = "tile_gpu.async_wait"(%87#9) {pending = 0 : i32} : (!tile_gpu.token) -> !tile_gpu.token
    "tile_gpu.barrier"() : () -> ()
    %89 = "tile.reduce"(%87#0) ({
    ^bb0(%arg21: f32, %arg22: f32):
      %109 = arith.addf %arg21, %arg22 : f32
      gpu.yield %109 : f32
    }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x4xf32, #part>) -> tensor<128xf32, #row>
    %90 = arith.muli %1, %arg20 : i32
    %91 = "tile.addptr"(%arg4, %90) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %92 = "tile.splat"(%91) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>, #row>
    %93 = "tile.addptr"(%92, %27) : (tensor<128x!tile.ptr<f32>, #row>, tensor<128xi32, #row>) -> tensor<128x!tile.ptr<f32>, #row>
    %94 = math.log2 %89 : tensor<128xf32, #row>
    %95 = arith.addf %87#2, %94 : tensor<128xf32, #row>
    "tile.store"(%93, %95) : (tensor<128x!tile.ptr<f32>, #row>, tensor<128xf32, #row>) -> ()
    %96 = "tile.expand_dims"(%89) {axis = 1 : i32} : (tensor<128xf32, #row>) -> tensor<128x1xf32, #acc>
    %97 = "tile.broadcast"(%96) : (tensor<128x1xf32, #acc>) -> tensor<128x128xf32, #acc>
    %98 = arith.divf %87#1, %97 fastmath<arcp> : tensor<128x128xf32, #acc>
    %99 = arith.truncf %98 : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %100 = arith.muli %14, %20 : i64
    %101 = "tile.splat"(%20) : (i64) -> tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %102 = arith.muli %34, %101 : tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %103 = "tile.broadcast"(%102) : (tensor<128x1xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %104 = arith.addi %103, %41 : tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %105 = "tile.addptr"(%19, %100) : (!tile.ptr<f16>, i64) -> !tile.ptr<f16>
    %106 = "tile.splat"(%105) : (!tile.ptr<f16>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %107 = "tile.addptr"(%106, %104) : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>, tensor<128x128xi64, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    %108 = "tile_gpu.convert_layout"(%99) {tile_gpu.shared_offset = 0 : i32} : (tensor<128x128xf16, #acc>) -> tensor<128x128xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>
    "tile.store"(%107, %108) : (tensor<128x128x!tile.ptr<f16>, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>, tensor<128x128xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1]}>>) -> ()
    return
  }
}



