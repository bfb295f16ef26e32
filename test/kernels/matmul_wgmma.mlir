// Matrix multiplication for Hopper, written by hand in the form that lowering arrives at: what the lowering
// of dots is measured against. c[M, N] = a[M, K] * b[K, N], f16, f32 accumulators; M, N multiples of 128 and
// 256, K of 64. A program has 8 warps: two warp groups, each m64n256k16 four times a step of K.
//
//   stage s at s * 49152:   0  a: 128 rows of 64, 128 bytes each                       (swizzled by 128 bytes)
//                       16384  b: 4 panels of 64 columns, 64 rows of 128 bytes each    (swizzled by 128 bytes)
//
// Four stages are copied two steps ahead by cp.async. A step waits for its copies, makes them known to all
// threads, issues its wgmmas, copies into the stage of two steps before (whose wgmmas all threads had waited for
// when they came to the barrier), and waits for the wgmmas of the step before. So one group of wgmmas is in
// flight over the back edge. Blocks are numbered in groups of 16 rows of blocks, so that those that run
// together share what they read.
//
// The epilogue packs two f16 into a word, turns them through shared memory with stmatrix (each warp for
// itself, in 8 KB that it alone uses), and stores 16 bytes a thread.
//
// test/kernels/matmul_wgmma.c runs it, on the emulator and on a GPU.

module attributes {tile_gpu.num_warps = 8 : i32} {
llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
llvm.func @matmul(%a: !llvm.ptr<1> {tile.name = "a", tile.pointee = f16, tile.divisibility = 16 : i32},
                  %b: !llvm.ptr<1> {tile.name = "b", tile.pointee = f16, tile.divisibility = 16 : i32},
                  %c: !llvm.ptr<1> {tile.name = "c", tile.pointee = f16, tile.divisibility = 16 : i32},
                  %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"})
    attributes {nvvm.kernel, tile.kernel, nvvm.reqntid = array<i32: 256>, tile_gpu.shared_bytes = 196608 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c6 = llvm.mlir.constant(6 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c15 = llvm.mlir.constant(15 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %c64 = llvm.mlir.constant(64 : i32) : i32
  %c127 = llvm.mlir.constant(127 : i32) : i32
  %c128 = llvm.mlir.constant(128 : i32) : i32
  %c255 = llvm.mlir.constant(255 : i32) : i32
  %c256 = llvm.mlir.constant(256 : i32) : i32
  %c512 = llvm.mlir.constant(512 : i32) : i32
  %c1024 = llvm.mlir.constant(1024 : i32) : i32
  %c4096 = llvm.mlir.constant(4096 : i32) : i32
  %c8192 = llvm.mlir.constant(8192 : i32) : i32
  %c49152 = llvm.mlir.constant(49152 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %pid = nvvm.read.ptx.sreg.ctaid.x : i32
  %shared = llvm.mlir.addressof @tile_shared : !llvm.ptr<3>

  // Which block: 16 rows of blocks are a group; within it, down each column.
  %m_blocks = llvm.lshr %m, %c7 : i32
  %n_blocks = llvm.lshr %n, %c8 : i32
  %in_group = llvm.mul %c16, %n_blocks : i32
  %group = llvm.udiv %pid, %in_group : i32
  %first_m = llvm.mul %group, %c16 : i32
  %left_m = llvm.sub %m_blocks, %first_m : i32
  %group_m = llvm.intr.umin(%left_m, %c16) : (i32, i32) -> i32
  %rest = llvm.urem %pid, %in_group : i32
  %sub_m = llvm.urem %rest, %group_m : i32
  %block_n = llvm.udiv %rest, %group_m : i32
  %block_m = llvm.add %first_m, %sub_m : i32
  %m0 = llvm.mul %block_m, %c128 : i32
  %n0 = llvm.mul %block_n, %c256 : i32

  // Copies of a: thread t takes chunk t % 8 (16 bytes) of rows t / 8 + 0, 32, 64, 96.
  %a_chunk = llvm.and %tid, %c7 : i32
  %a_row = llvm.lshr %tid, %c3 : i32
  %a_phase = llvm.and %a_row, %c7 : i32
  %a_swizzled = llvm.xor %a_chunk, %a_phase : i32
  %a_line = llvm.mul %a_row, %c128 : i32
  %a_column = llvm.mul %a_swizzled, %c16 : i32
  %a_place = llvm.add %a_line, %a_column : i32
  %a_m = llvm.add %m0, %a_row : i32
  %a_m64 = llvm.zext %a_m : i32 to i64
  %k64 = llvm.zext %k : i32 to i64
  %n64 = llvm.zext %n : i32 to i64
  %a_start = llvm.mul %a_m64, %k64 : i64
  %a_k = llvm.mul %a_chunk, %c8 : i32
  %a_k64 = llvm.zext %a_k : i32 to i64
  %a_offset = llvm.add %a_start, %a_k64 : i64
  %a_first = llvm.getelementptr %a[%a_offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  %c32_64 = llvm.mlir.constant(32 : i64) : i64
  %c8_64 = llvm.mlir.constant(8 : i64) : i64
  %c64_64 = llvm.mlir.constant(64 : i64) : i64
  %a_stride = llvm.mul %k64, %c32_64 : i64

  // Copies of b: chunk t % 32 of rows t / 32 + 0, 8, .. 56; chunk c is in panel c / 8.
  %b_chunk = llvm.and %tid, %c31 : i32
  %b_row = llvm.lshr %tid, %c5 : i32
  %b_panel = llvm.lshr %b_chunk, %c3 : i32
  %b_inside = llvm.and %b_chunk, %c7 : i32
  %b_swizzled = llvm.xor %b_inside, %b_row : i32
  %b_panel_at = llvm.mul %b_panel, %c8192 : i32
  %b_line = llvm.mul %b_row, %c128 : i32
  %b_column = llvm.mul %b_swizzled, %c16 : i32
  %b_sum = llvm.add %b_panel_at, %b_line : i32
  %b_place = llvm.add %b_sum, %b_column : i32
  %b_row64 = llvm.zext %b_row : i32 to i64
  %b_start = llvm.mul %b_row64, %n64 : i64
  %b_chunk_n = llvm.mul %b_chunk, %c8 : i32
  %b_n = llvm.add %n0, %b_chunk_n : i32
  %b_n64 = llvm.zext %b_n : i32 to i64
  %b_offset = llvm.add %b_start, %b_n64 : i64
  %b_first = llvm.getelementptr %b[%b_offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  %b_stride = llvm.mul %n64, %c8_64 : i64
  %b_step = llvm.mul %n64, %c64_64 : i64

  %steps = llvm.lshr %k, %c6 : i32
  %a_to = llvm.getelementptr %shared[%a_place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %b_to = llvm.getelementptr %shared[%b_place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8

  // The first two steps.
  %atp = llvm.mul %c0, %c49152 : i32
  %asp = llvm.getelementptr %a_to[%atp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %bsp = llvm.getelementptr %b_to[%atp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %adp0 = llvm.getelementptr %asp[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  "tile_ptx.cp_async"(%adp0, %a_first, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %adp1 = llvm.getelementptr %asp[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %app1 = llvm.getelementptr %a_first[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%adp1, %app1, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %adp2 = llvm.getelementptr %asp[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %app2 = llvm.getelementptr %app1[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%adp2, %app2, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %adp3 = llvm.getelementptr %asp[12288] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %app3 = llvm.getelementptr %app2[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%adp3, %app3, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %bdp0 = llvm.getelementptr %bsp[16384] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  "tile_ptx.cp_async"(%bdp0, %b_first, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %bdp1 = llvm.getelementptr %bsp[17408] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %bpp1 = llvm.getelementptr %b_first[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%bdp1, %bpp1, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %bdp2 = llvm.getelementptr %bsp[18432] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %bpp2 = llvm.getelementptr %bpp1[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%bdp2, %bpp2, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %bdp3 = llvm.getelementptr %bsp[19456] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %bpp3 = llvm.getelementptr %bpp2[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%bdp3, %bpp3, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %bdp4 = llvm.getelementptr %bsp[20480] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %bpp4 = llvm.getelementptr %bpp3[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%bdp4, %bpp4, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %bdp5 = llvm.getelementptr %bsp[21504] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %bpp5 = llvm.getelementptr %bpp4[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%bdp5, %bpp5, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %bdp6 = llvm.getelementptr %bsp[22528] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %bpp6 = llvm.getelementptr %bpp5[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%bdp6, %bpp6, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  %bdp7 = llvm.getelementptr %bsp[23552] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %bpp7 = llvm.getelementptr %bpp6[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  "tile_ptx.cp_async"(%bdp7, %bpp7, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  "tile_ptx.cp_async_commit"() : () -> ()
  %two = llvm.icmp "ugt" %steps, %c1 : i32
  %a_second = llvm.getelementptr %a_first[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
  %b_second = llvm.getelementptr %b_first[%b_step] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  scf.if %two {
    %atq = llvm.mul %c1, %c49152 : i32
    %asq = llvm.getelementptr %a_to[%atq] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %bsq = llvm.getelementptr %b_to[%atq] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %adq0 = llvm.getelementptr %asq[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    "tile_ptx.cp_async"(%adq0, %a_second, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %adq1 = llvm.getelementptr %asq[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %apq1 = llvm.getelementptr %a_second[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%adq1, %apq1, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %adq2 = llvm.getelementptr %asq[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %apq2 = llvm.getelementptr %apq1[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%adq2, %apq2, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %adq3 = llvm.getelementptr %asq[12288] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %apq3 = llvm.getelementptr %apq2[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%adq3, %apq3, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %bdq0 = llvm.getelementptr %bsq[16384] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    "tile_ptx.cp_async"(%bdq0, %b_second, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %bdq1 = llvm.getelementptr %bsq[17408] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bpq1 = llvm.getelementptr %b_second[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%bdq1, %bpq1, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %bdq2 = llvm.getelementptr %bsq[18432] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bpq2 = llvm.getelementptr %bpq1[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%bdq2, %bpq2, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %bdq3 = llvm.getelementptr %bsq[19456] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bpq3 = llvm.getelementptr %bpq2[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%bdq3, %bpq3, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %bdq4 = llvm.getelementptr %bsq[20480] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bpq4 = llvm.getelementptr %bpq3[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%bdq4, %bpq4, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %bdq5 = llvm.getelementptr %bsq[21504] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bpq5 = llvm.getelementptr %bpq4[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%bdq5, %bpq5, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %bdq6 = llvm.getelementptr %bsq[22528] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bpq6 = llvm.getelementptr %bpq5[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%bdq6, %bpq6, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    %bdq7 = llvm.getelementptr %bsq[23552] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bpq7 = llvm.getelementptr %bpq6[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    "tile_ptx.cp_async"(%bdq7, %bpq7, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  }
  "tile_ptx.cp_async_commit"() : () -> ()
  %a_next = llvm.getelementptr %a_first[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
  %b_next = llvm.getelementptr %b_second[%b_step] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16

  // Descriptors: address / 16, stride between 8 rows 1024 bytes; swizzle 128. b has n contiguous: panels are
  // 8192 bytes apart.
  %wide = llvm.lshr %tid, %c7 : i32
  %warp_group = nvvm.shfl.sync idx %all, %wide, %c0, %c31 : i32 -> i32
  %low = llvm.ptrtoint %shared : !llvm.ptr<3> to i32
  %mask = llvm.mlir.constant(262143 : i32) : i32
  %window = llvm.and %low, %mask : i32
  %base = llvm.lshr %window, %c4 : i32
  %own_rows = llvm.mul %warp_group, %c512 : i32
  %own = llvm.add %base, %own_rows : i32
  %a_base = llvm.zext %own : i32 to i64
  %b_at = llvm.add %base, %c1024 : i32
  %b_base = llvm.zext %b_at : i32 to i64
  %a_rest = llvm.mlir.constant(4611686293305294848 : i64) : i64
  %b_rest = llvm.mlir.constant(4611686293338849280 : i64) : i64
  %a_descriptor = llvm.or %a_base, %a_rest : i64
  %b_descriptor = llvm.or %b_base, %b_rest : i64
  %stage_step = llvm.mlir.constant(3072 : i64) : i64

  %loop:130 = scf.for %step = %c0 to %steps step %c1 iter_args(%pa = %a_next, %pb = %b_next, %acc0 = %zero, %acc1 = %zero, %acc2 = %zero, %acc3 = %zero, %acc4 = %zero, %acc5 = %zero, %acc6 = %zero, %acc7 = %zero, %acc8 = %zero, %acc9 = %zero, %acc10 = %zero, %acc11 = %zero, %acc12 = %zero, %acc13 = %zero, %acc14 = %zero, %acc15 = %zero, %acc16 = %zero, %acc17 = %zero, %acc18 = %zero, %acc19 = %zero, %acc20 = %zero, %acc21 = %zero, %acc22 = %zero, %acc23 = %zero, %acc24 = %zero, %acc25 = %zero, %acc26 = %zero, %acc27 = %zero, %acc28 = %zero, %acc29 = %zero, %acc30 = %zero, %acc31 = %zero, %acc32 = %zero, %acc33 = %zero, %acc34 = %zero, %acc35 = %zero, %acc36 = %zero, %acc37 = %zero, %acc38 = %zero, %acc39 = %zero, %acc40 = %zero, %acc41 = %zero, %acc42 = %zero, %acc43 = %zero, %acc44 = %zero, %acc45 = %zero, %acc46 = %zero, %acc47 = %zero, %acc48 = %zero, %acc49 = %zero, %acc50 = %zero, %acc51 = %zero, %acc52 = %zero, %acc53 = %zero, %acc54 = %zero, %acc55 = %zero, %acc56 = %zero, %acc57 = %zero, %acc58 = %zero, %acc59 = %zero, %acc60 = %zero, %acc61 = %zero, %acc62 = %zero, %acc63 = %zero, %acc64 = %zero, %acc65 = %zero, %acc66 = %zero, %acc67 = %zero, %acc68 = %zero, %acc69 = %zero, %acc70 = %zero, %acc71 = %zero, %acc72 = %zero, %acc73 = %zero, %acc74 = %zero, %acc75 = %zero, %acc76 = %zero, %acc77 = %zero, %acc78 = %zero, %acc79 = %zero, %acc80 = %zero, %acc81 = %zero, %acc82 = %zero, %acc83 = %zero, %acc84 = %zero, %acc85 = %zero, %acc86 = %zero, %acc87 = %zero, %acc88 = %zero, %acc89 = %zero, %acc90 = %zero, %acc91 = %zero, %acc92 = %zero, %acc93 = %zero, %acc94 = %zero, %acc95 = %zero, %acc96 = %zero, %acc97 = %zero, %acc98 = %zero, %acc99 = %zero, %acc100 = %zero, %acc101 = %zero, %acc102 = %zero, %acc103 = %zero, %acc104 = %zero, %acc105 = %zero, %acc106 = %zero, %acc107 = %zero, %acc108 = %zero, %acc109 = %zero, %acc110 = %zero, %acc111 = %zero, %acc112 = %zero, %acc113 = %zero, %acc114 = %zero, %acc115 = %zero, %acc116 = %zero, %acc117 = %zero, %acc118 = %zero, %acc119 = %zero, %acc120 = %zero, %acc121 = %zero, %acc122 = %zero, %acc123 = %zero, %acc124 = %zero, %acc125 = %zero, %acc126 = %zero, %acc127 = %zero) -> (!llvm.ptr<1>, !llvm.ptr<1>, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) : i32 {
    "tile_ptx.cp_async_wait"() {pending = 1 : i32} : () -> ()
    nvvm.barrier0
    %stage = llvm.and %step, %c3 : i32
    %stage64 = llvm.zext %stage : i32 to i64
    %at = llvm.mul %stage64, %stage_step : i64
    %add = llvm.add %a_descriptor, %at : i64
    %bdd = llvm.add %b_descriptor, %at : i64
    %more = llvm.icmp "ne" %step, %c0 : i32
    %yes = llvm.mlir.constant(true) : i1
    "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
    %w0:128 = "tile_ptx.wgmma"(%acc0, %acc1, %acc2, %acc3, %acc4, %acc5, %acc6, %acc7, %acc8, %acc9, %acc10, %acc11, %acc12, %acc13, %acc14, %acc15, %acc16, %acc17, %acc18, %acc19, %acc20, %acc21, %acc22, %acc23, %acc24, %acc25, %acc26, %acc27, %acc28, %acc29, %acc30, %acc31, %acc32, %acc33, %acc34, %acc35, %acc36, %acc37, %acc38, %acc39, %acc40, %acc41, %acc42, %acc43, %acc44, %acc45, %acc46, %acc47, %acc48, %acc49, %acc50, %acc51, %acc52, %acc53, %acc54, %acc55, %acc56, %acc57, %acc58, %acc59, %acc60, %acc61, %acc62, %acc63, %acc64, %acc65, %acc66, %acc67, %acc68, %acc69, %acc70, %acc71, %acc72, %acc73, %acc74, %acc75, %acc76, %acc77, %acc78, %acc79, %acc80, %acc81, %acc82, %acc83, %acc84, %acc85, %acc86, %acc87, %acc88, %acc89, %acc90, %acc91, %acc92, %acc93, %acc94, %acc95, %acc96, %acc97, %acc98, %acc99, %acc100, %acc101, %acc102, %acc103, %acc104, %acc105, %acc106, %acc107, %acc108, %acc109, %acc110, %acc111, %acc112, %acc113, %acc114, %acc115, %acc116, %acc117, %acc118, %acc119, %acc120, %acc121, %acc122, %acc123, %acc124, %acc125, %acc126, %acc127, %add, %bdd, %more) {shape = array<i32: 64, 256, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = true, operandSegmentSizes = array<i32: 128, 1, 1, 1>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
    %ka1 = llvm.mlir.constant(2 : i64) : i64
    %kb1 = llvm.mlir.constant(128 : i64) : i64
    %da1 = llvm.add %add, %ka1 : i64
    %db1 = llvm.add %bdd, %kb1 : i64
    %w1:128 = "tile_ptx.wgmma"(%w0#0, %w0#1, %w0#2, %w0#3, %w0#4, %w0#5, %w0#6, %w0#7, %w0#8, %w0#9, %w0#10, %w0#11, %w0#12, %w0#13, %w0#14, %w0#15, %w0#16, %w0#17, %w0#18, %w0#19, %w0#20, %w0#21, %w0#22, %w0#23, %w0#24, %w0#25, %w0#26, %w0#27, %w0#28, %w0#29, %w0#30, %w0#31, %w0#32, %w0#33, %w0#34, %w0#35, %w0#36, %w0#37, %w0#38, %w0#39, %w0#40, %w0#41, %w0#42, %w0#43, %w0#44, %w0#45, %w0#46, %w0#47, %w0#48, %w0#49, %w0#50, %w0#51, %w0#52, %w0#53, %w0#54, %w0#55, %w0#56, %w0#57, %w0#58, %w0#59, %w0#60, %w0#61, %w0#62, %w0#63, %w0#64, %w0#65, %w0#66, %w0#67, %w0#68, %w0#69, %w0#70, %w0#71, %w0#72, %w0#73, %w0#74, %w0#75, %w0#76, %w0#77, %w0#78, %w0#79, %w0#80, %w0#81, %w0#82, %w0#83, %w0#84, %w0#85, %w0#86, %w0#87, %w0#88, %w0#89, %w0#90, %w0#91, %w0#92, %w0#93, %w0#94, %w0#95, %w0#96, %w0#97, %w0#98, %w0#99, %w0#100, %w0#101, %w0#102, %w0#103, %w0#104, %w0#105, %w0#106, %w0#107, %w0#108, %w0#109, %w0#110, %w0#111, %w0#112, %w0#113, %w0#114, %w0#115, %w0#116, %w0#117, %w0#118, %w0#119, %w0#120, %w0#121, %w0#122, %w0#123, %w0#124, %w0#125, %w0#126, %w0#127, %da1, %db1, %yes) {shape = array<i32: 64, 256, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = true, operandSegmentSizes = array<i32: 128, 1, 1, 1>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
    %ka2 = llvm.mlir.constant(4 : i64) : i64
    %kb2 = llvm.mlir.constant(256 : i64) : i64
    %da2 = llvm.add %add, %ka2 : i64
    %db2 = llvm.add %bdd, %kb2 : i64
    %w2:128 = "tile_ptx.wgmma"(%w1#0, %w1#1, %w1#2, %w1#3, %w1#4, %w1#5, %w1#6, %w1#7, %w1#8, %w1#9, %w1#10, %w1#11, %w1#12, %w1#13, %w1#14, %w1#15, %w1#16, %w1#17, %w1#18, %w1#19, %w1#20, %w1#21, %w1#22, %w1#23, %w1#24, %w1#25, %w1#26, %w1#27, %w1#28, %w1#29, %w1#30, %w1#31, %w1#32, %w1#33, %w1#34, %w1#35, %w1#36, %w1#37, %w1#38, %w1#39, %w1#40, %w1#41, %w1#42, %w1#43, %w1#44, %w1#45, %w1#46, %w1#47, %w1#48, %w1#49, %w1#50, %w1#51, %w1#52, %w1#53, %w1#54, %w1#55, %w1#56, %w1#57, %w1#58, %w1#59, %w1#60, %w1#61, %w1#62, %w1#63, %w1#64, %w1#65, %w1#66, %w1#67, %w1#68, %w1#69, %w1#70, %w1#71, %w1#72, %w1#73, %w1#74, %w1#75, %w1#76, %w1#77, %w1#78, %w1#79, %w1#80, %w1#81, %w1#82, %w1#83, %w1#84, %w1#85, %w1#86, %w1#87, %w1#88, %w1#89, %w1#90, %w1#91, %w1#92, %w1#93, %w1#94, %w1#95, %w1#96, %w1#97, %w1#98, %w1#99, %w1#100, %w1#101, %w1#102, %w1#103, %w1#104, %w1#105, %w1#106, %w1#107, %w1#108, %w1#109, %w1#110, %w1#111, %w1#112, %w1#113, %w1#114, %w1#115, %w1#116, %w1#117, %w1#118, %w1#119, %w1#120, %w1#121, %w1#122, %w1#123, %w1#124, %w1#125, %w1#126, %w1#127, %da2, %db2, %yes) {shape = array<i32: 64, 256, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = true, operandSegmentSizes = array<i32: 128, 1, 1, 1>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
    %ka3 = llvm.mlir.constant(6 : i64) : i64
    %kb3 = llvm.mlir.constant(384 : i64) : i64
    %da3 = llvm.add %add, %ka3 : i64
    %db3 = llvm.add %bdd, %kb3 : i64
    %w3:128 = "tile_ptx.wgmma"(%w2#0, %w2#1, %w2#2, %w2#3, %w2#4, %w2#5, %w2#6, %w2#7, %w2#8, %w2#9, %w2#10, %w2#11, %w2#12, %w2#13, %w2#14, %w2#15, %w2#16, %w2#17, %w2#18, %w2#19, %w2#20, %w2#21, %w2#22, %w2#23, %w2#24, %w2#25, %w2#26, %w2#27, %w2#28, %w2#29, %w2#30, %w2#31, %w2#32, %w2#33, %w2#34, %w2#35, %w2#36, %w2#37, %w2#38, %w2#39, %w2#40, %w2#41, %w2#42, %w2#43, %w2#44, %w2#45, %w2#46, %w2#47, %w2#48, %w2#49, %w2#50, %w2#51, %w2#52, %w2#53, %w2#54, %w2#55, %w2#56, %w2#57, %w2#58, %w2#59, %w2#60, %w2#61, %w2#62, %w2#63, %w2#64, %w2#65, %w2#66, %w2#67, %w2#68, %w2#69, %w2#70, %w2#71, %w2#72, %w2#73, %w2#74, %w2#75, %w2#76, %w2#77, %w2#78, %w2#79, %w2#80, %w2#81, %w2#82, %w2#83, %w2#84, %w2#85, %w2#86, %w2#87, %w2#88, %w2#89, %w2#90, %w2#91, %w2#92, %w2#93, %w2#94, %w2#95, %w2#96, %w2#97, %w2#98, %w2#99, %w2#100, %w2#101, %w2#102, %w2#103, %w2#104, %w2#105, %w2#106, %w2#107, %w2#108, %w2#109, %w2#110, %w2#111, %w2#112, %w2#113, %w2#114, %w2#115, %w2#116, %w2#117, %w2#118, %w2#119, %w2#120, %w2#121, %w2#122, %w2#123, %w2#124, %w2#125, %w2#126, %w2#127, %da3, %db3, %yes) {shape = array<i32: 64, 256, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = true, operandSegmentSizes = array<i32: 128, 1, 1, 1>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
    "tile_ptx.wgmma_commit"() : () -> ()
    %ahead = llvm.add %step, %c2 : i32
    %is_ahead = llvm.icmp "ult" %ahead, %steps : i32
    %free = llvm.and %ahead, %c3 : i32
    scf.if %is_ahead {
      %atl = llvm.mul %free, %c49152 : i32
      %asl = llvm.getelementptr %a_to[%atl] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %bsl = llvm.getelementptr %b_to[%atl] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %adl0 = llvm.getelementptr %asl[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      "tile_ptx.cp_async"(%adl0, %pa, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %adl1 = llvm.getelementptr %asl[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %apl1 = llvm.getelementptr %pa[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%adl1, %apl1, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %adl2 = llvm.getelementptr %asl[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %apl2 = llvm.getelementptr %apl1[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%adl2, %apl2, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %adl3 = llvm.getelementptr %asl[12288] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %apl3 = llvm.getelementptr %apl2[%a_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%adl3, %apl3, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %bdl0 = llvm.getelementptr %bsl[16384] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      "tile_ptx.cp_async"(%bdl0, %pb, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %bdl1 = llvm.getelementptr %bsl[17408] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %bpl1 = llvm.getelementptr %pb[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%bdl1, %bpl1, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %bdl2 = llvm.getelementptr %bsl[18432] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %bpl2 = llvm.getelementptr %bpl1[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%bdl2, %bpl2, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %bdl3 = llvm.getelementptr %bsl[19456] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %bpl3 = llvm.getelementptr %bpl2[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%bdl3, %bpl3, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %bdl4 = llvm.getelementptr %bsl[20480] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %bpl4 = llvm.getelementptr %bpl3[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%bdl4, %bpl4, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %bdl5 = llvm.getelementptr %bsl[21504] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %bpl5 = llvm.getelementptr %bpl4[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%bdl5, %bpl5, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %bdl6 = llvm.getelementptr %bsl[22528] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %bpl6 = llvm.getelementptr %bpl5[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%bdl6, %bpl6, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
      %bdl7 = llvm.getelementptr %bsl[23552] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %bpl7 = llvm.getelementptr %bpl6[%b_stride] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      "tile_ptx.cp_async"(%bdl7, %bpl7, %c16) {bytes = 16 : i32, cache = "cg"} : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    }
    "tile_ptx.cp_async_commit"() : () -> ()
    %kept:128 = "tile_ptx.wgmma_wait"(%w3#0, %w3#1, %w3#2, %w3#3, %w3#4, %w3#5, %w3#6, %w3#7, %w3#8, %w3#9, %w3#10, %w3#11, %w3#12, %w3#13, %w3#14, %w3#15, %w3#16, %w3#17, %w3#18, %w3#19, %w3#20, %w3#21, %w3#22, %w3#23, %w3#24, %w3#25, %w3#26, %w3#27, %w3#28, %w3#29, %w3#30, %w3#31, %w3#32, %w3#33, %w3#34, %w3#35, %w3#36, %w3#37, %w3#38, %w3#39, %w3#40, %w3#41, %w3#42, %w3#43, %w3#44, %w3#45, %w3#46, %w3#47, %w3#48, %w3#49, %w3#50, %w3#51, %w3#52, %w3#53, %w3#54, %w3#55, %w3#56, %w3#57, %w3#58, %w3#59, %w3#60, %w3#61, %w3#62, %w3#63, %w3#64, %w3#65, %w3#66, %w3#67, %w3#68, %w3#69, %w3#70, %w3#71, %w3#72, %w3#73, %w3#74, %w3#75, %w3#76, %w3#77, %w3#78, %w3#79, %w3#80, %w3#81, %w3#82, %w3#83, %w3#84, %w3#85, %w3#86, %w3#87, %w3#88, %w3#89, %w3#90, %w3#91, %w3#92, %w3#93, %w3#94, %w3#95, %w3#96, %w3#97, %w3#98, %w3#99, %w3#100, %w3#101, %w3#102, %w3#103, %w3#104, %w3#105, %w3#106, %w3#107, %w3#108, %w3#109, %w3#110, %w3#111, %w3#112, %w3#113, %w3#114, %w3#115, %w3#116, %w3#117, %w3#118, %w3#119, %w3#120, %w3#121, %w3#122, %w3#123, %w3#124, %w3#125, %w3#126, %w3#127) {pending = 1 : i32, operandSegmentSizes = array<i32: 128, 0>, resultSegmentSizes = array<i32: 128, 0>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
    %pa_next = llvm.getelementptr %pa[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
    %pb_next = llvm.getelementptr %pb[%b_step] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    scf.yield %pa_next, %pb_next, %kept#0, %kept#1, %kept#2, %kept#3, %kept#4, %kept#5, %kept#6, %kept#7, %kept#8, %kept#9, %kept#10, %kept#11, %kept#12, %kept#13, %kept#14, %kept#15, %kept#16, %kept#17, %kept#18, %kept#19, %kept#20, %kept#21, %kept#22, %kept#23, %kept#24, %kept#25, %kept#26, %kept#27, %kept#28, %kept#29, %kept#30, %kept#31, %kept#32, %kept#33, %kept#34, %kept#35, %kept#36, %kept#37, %kept#38, %kept#39, %kept#40, %kept#41, %kept#42, %kept#43, %kept#44, %kept#45, %kept#46, %kept#47, %kept#48, %kept#49, %kept#50, %kept#51, %kept#52, %kept#53, %kept#54, %kept#55, %kept#56, %kept#57, %kept#58, %kept#59, %kept#60, %kept#61, %kept#62, %kept#63, %kept#64, %kept#65, %kept#66, %kept#67, %kept#68, %kept#69, %kept#70, %kept#71, %kept#72, %kept#73, %kept#74, %kept#75, %kept#76, %kept#77, %kept#78, %kept#79, %kept#80, %kept#81, %kept#82, %kept#83, %kept#84, %kept#85, %kept#86, %kept#87, %kept#88, %kept#89, %kept#90, %kept#91, %kept#92, %kept#93, %kept#94, %kept#95, %kept#96, %kept#97, %kept#98, %kept#99, %kept#100, %kept#101, %kept#102, %kept#103, %kept#104, %kept#105, %kept#106, %kept#107, %kept#108, %kept#109, %kept#110, %kept#111, %kept#112, %kept#113, %kept#114, %kept#115, %kept#116, %kept#117, %kept#118, %kept#119, %kept#120, %kept#121, %kept#122, %kept#123, %kept#124, %kept#125, %kept#126, %kept#127 : !llvm.ptr<1>, !llvm.ptr<1>, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
  }
  %sum:128 = "tile_ptx.wgmma_wait"(%loop#2, %loop#3, %loop#4, %loop#5, %loop#6, %loop#7, %loop#8, %loop#9, %loop#10, %loop#11, %loop#12, %loop#13, %loop#14, %loop#15, %loop#16, %loop#17, %loop#18, %loop#19, %loop#20, %loop#21, %loop#22, %loop#23, %loop#24, %loop#25, %loop#26, %loop#27, %loop#28, %loop#29, %loop#30, %loop#31, %loop#32, %loop#33, %loop#34, %loop#35, %loop#36, %loop#37, %loop#38, %loop#39, %loop#40, %loop#41, %loop#42, %loop#43, %loop#44, %loop#45, %loop#46, %loop#47, %loop#48, %loop#49, %loop#50, %loop#51, %loop#52, %loop#53, %loop#54, %loop#55, %loop#56, %loop#57, %loop#58, %loop#59, %loop#60, %loop#61, %loop#62, %loop#63, %loop#64, %loop#65, %loop#66, %loop#67, %loop#68, %loop#69, %loop#70, %loop#71, %loop#72, %loop#73, %loop#74, %loop#75, %loop#76, %loop#77, %loop#78, %loop#79, %loop#80, %loop#81, %loop#82, %loop#83, %loop#84, %loop#85, %loop#86, %loop#87, %loop#88, %loop#89, %loop#90, %loop#91, %loop#92, %loop#93, %loop#94, %loop#95, %loop#96, %loop#97, %loop#98, %loop#99, %loop#100, %loop#101, %loop#102, %loop#103, %loop#104, %loop#105, %loop#106, %loop#107, %loop#108, %loop#109, %loop#110, %loop#111, %loop#112, %loop#113, %loop#114, %loop#115, %loop#116, %loop#117, %loop#118, %loop#119, %loop#120, %loop#121, %loop#122, %loop#123, %loop#124, %loop#125, %loop#126, %loop#127, %loop#128, %loop#129) {pending = 0 : i32, operandSegmentSizes = array<i32: 128, 0>, resultSegmentSizes = array<i32: 128, 0>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)

  // The epilogue: a warp's 16 rows of 512 bytes, chunk c of row r at c ^ (r % 8).
  nvvm.barrier0
  %warp = llvm.lshr %tid, %c5 : i32
  %lane = llvm.and %tid, %c31 : i32
  %warp_at = llvm.mul %warp, %c8192 : i32
  %mine = llvm.getelementptr %shared[%warp_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %e_row = llvm.and %lane, %c15 : i32
  %e_phase = llvm.and %lane, %c7 : i32
  %e_half = llvm.lshr %lane, %c4 : i32
  %e_line = llvm.mul %e_row, %c512 : i32
  %e_at = llvm.getelementptr %mine[%e_line] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %h0 = llvm.fptrunc %sum#0 : f32 to f16
  %h1 = llvm.fptrunc %sum#1 : f32 to f16
  %u0 = llvm.mlir.undef : vector<2xf16>
  %v0 = llvm.insertelement %h0, %u0[%c0 : i32] : vector<2xf16>
  %x0 = llvm.insertelement %h1, %v0[%c1 : i32] : vector<2xf16>
  %r0 = llvm.bitcast %x0 : vector<2xf16> to i32
  %h2 = llvm.fptrunc %sum#2 : f32 to f16
  %h3 = llvm.fptrunc %sum#3 : f32 to f16
  %u2 = llvm.mlir.undef : vector<2xf16>
  %v2 = llvm.insertelement %h2, %u2[%c0 : i32] : vector<2xf16>
  %x2 = llvm.insertelement %h3, %v2[%c1 : i32] : vector<2xf16>
  %r2 = llvm.bitcast %x2 : vector<2xf16> to i32
  %h4 = llvm.fptrunc %sum#4 : f32 to f16
  %h5 = llvm.fptrunc %sum#5 : f32 to f16
  %u4 = llvm.mlir.undef : vector<2xf16>
  %v4 = llvm.insertelement %h4, %u4[%c0 : i32] : vector<2xf16>
  %x4 = llvm.insertelement %h5, %v4[%c1 : i32] : vector<2xf16>
  %r4 = llvm.bitcast %x4 : vector<2xf16> to i32
  %h6 = llvm.fptrunc %sum#6 : f32 to f16
  %h7 = llvm.fptrunc %sum#7 : f32 to f16
  %u6 = llvm.mlir.undef : vector<2xf16>
  %v6 = llvm.insertelement %h6, %u6[%c0 : i32] : vector<2xf16>
  %x6 = llvm.insertelement %h7, %v6[%c1 : i32] : vector<2xf16>
  %r6 = llvm.bitcast %x6 : vector<2xf16> to i32
  %q0 = llvm.mlir.constant(0 : i32) : i32
  %qc0 = llvm.add %q0, %e_half : i32
  %qs0 = llvm.xor %qc0, %e_phase : i32
  %qb0 = llvm.mul %qs0, %c16 : i32
  %qp0 = llvm.getelementptr %e_at[%qb0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp0, %r0, %r2, %r4, %r6) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h8 = llvm.fptrunc %sum#8 : f32 to f16
  %h9 = llvm.fptrunc %sum#9 : f32 to f16
  %u8 = llvm.mlir.undef : vector<2xf16>
  %v8 = llvm.insertelement %h8, %u8[%c0 : i32] : vector<2xf16>
  %x8 = llvm.insertelement %h9, %v8[%c1 : i32] : vector<2xf16>
  %r8 = llvm.bitcast %x8 : vector<2xf16> to i32
  %h10 = llvm.fptrunc %sum#10 : f32 to f16
  %h11 = llvm.fptrunc %sum#11 : f32 to f16
  %u10 = llvm.mlir.undef : vector<2xf16>
  %v10 = llvm.insertelement %h10, %u10[%c0 : i32] : vector<2xf16>
  %x10 = llvm.insertelement %h11, %v10[%c1 : i32] : vector<2xf16>
  %r10 = llvm.bitcast %x10 : vector<2xf16> to i32
  %h12 = llvm.fptrunc %sum#12 : f32 to f16
  %h13 = llvm.fptrunc %sum#13 : f32 to f16
  %u12 = llvm.mlir.undef : vector<2xf16>
  %v12 = llvm.insertelement %h12, %u12[%c0 : i32] : vector<2xf16>
  %x12 = llvm.insertelement %h13, %v12[%c1 : i32] : vector<2xf16>
  %r12 = llvm.bitcast %x12 : vector<2xf16> to i32
  %h14 = llvm.fptrunc %sum#14 : f32 to f16
  %h15 = llvm.fptrunc %sum#15 : f32 to f16
  %u14 = llvm.mlir.undef : vector<2xf16>
  %v14 = llvm.insertelement %h14, %u14[%c0 : i32] : vector<2xf16>
  %x14 = llvm.insertelement %h15, %v14[%c1 : i32] : vector<2xf16>
  %r14 = llvm.bitcast %x14 : vector<2xf16> to i32
  %q1 = llvm.mlir.constant(2 : i32) : i32
  %qc1 = llvm.add %q1, %e_half : i32
  %qs1 = llvm.xor %qc1, %e_phase : i32
  %qb1 = llvm.mul %qs1, %c16 : i32
  %qp1 = llvm.getelementptr %e_at[%qb1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp1, %r8, %r10, %r12, %r14) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h16 = llvm.fptrunc %sum#16 : f32 to f16
  %h17 = llvm.fptrunc %sum#17 : f32 to f16
  %u16 = llvm.mlir.undef : vector<2xf16>
  %v16 = llvm.insertelement %h16, %u16[%c0 : i32] : vector<2xf16>
  %x16 = llvm.insertelement %h17, %v16[%c1 : i32] : vector<2xf16>
  %r16 = llvm.bitcast %x16 : vector<2xf16> to i32
  %h18 = llvm.fptrunc %sum#18 : f32 to f16
  %h19 = llvm.fptrunc %sum#19 : f32 to f16
  %u18 = llvm.mlir.undef : vector<2xf16>
  %v18 = llvm.insertelement %h18, %u18[%c0 : i32] : vector<2xf16>
  %x18 = llvm.insertelement %h19, %v18[%c1 : i32] : vector<2xf16>
  %r18 = llvm.bitcast %x18 : vector<2xf16> to i32
  %h20 = llvm.fptrunc %sum#20 : f32 to f16
  %h21 = llvm.fptrunc %sum#21 : f32 to f16
  %u20 = llvm.mlir.undef : vector<2xf16>
  %v20 = llvm.insertelement %h20, %u20[%c0 : i32] : vector<2xf16>
  %x20 = llvm.insertelement %h21, %v20[%c1 : i32] : vector<2xf16>
  %r20 = llvm.bitcast %x20 : vector<2xf16> to i32
  %h22 = llvm.fptrunc %sum#22 : f32 to f16
  %h23 = llvm.fptrunc %sum#23 : f32 to f16
  %u22 = llvm.mlir.undef : vector<2xf16>
  %v22 = llvm.insertelement %h22, %u22[%c0 : i32] : vector<2xf16>
  %x22 = llvm.insertelement %h23, %v22[%c1 : i32] : vector<2xf16>
  %r22 = llvm.bitcast %x22 : vector<2xf16> to i32
  %q2 = llvm.mlir.constant(4 : i32) : i32
  %qc2 = llvm.add %q2, %e_half : i32
  %qs2 = llvm.xor %qc2, %e_phase : i32
  %qb2 = llvm.mul %qs2, %c16 : i32
  %qp2 = llvm.getelementptr %e_at[%qb2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp2, %r16, %r18, %r20, %r22) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h24 = llvm.fptrunc %sum#24 : f32 to f16
  %h25 = llvm.fptrunc %sum#25 : f32 to f16
  %u24 = llvm.mlir.undef : vector<2xf16>
  %v24 = llvm.insertelement %h24, %u24[%c0 : i32] : vector<2xf16>
  %x24 = llvm.insertelement %h25, %v24[%c1 : i32] : vector<2xf16>
  %r24 = llvm.bitcast %x24 : vector<2xf16> to i32
  %h26 = llvm.fptrunc %sum#26 : f32 to f16
  %h27 = llvm.fptrunc %sum#27 : f32 to f16
  %u26 = llvm.mlir.undef : vector<2xf16>
  %v26 = llvm.insertelement %h26, %u26[%c0 : i32] : vector<2xf16>
  %x26 = llvm.insertelement %h27, %v26[%c1 : i32] : vector<2xf16>
  %r26 = llvm.bitcast %x26 : vector<2xf16> to i32
  %h28 = llvm.fptrunc %sum#28 : f32 to f16
  %h29 = llvm.fptrunc %sum#29 : f32 to f16
  %u28 = llvm.mlir.undef : vector<2xf16>
  %v28 = llvm.insertelement %h28, %u28[%c0 : i32] : vector<2xf16>
  %x28 = llvm.insertelement %h29, %v28[%c1 : i32] : vector<2xf16>
  %r28 = llvm.bitcast %x28 : vector<2xf16> to i32
  %h30 = llvm.fptrunc %sum#30 : f32 to f16
  %h31 = llvm.fptrunc %sum#31 : f32 to f16
  %u30 = llvm.mlir.undef : vector<2xf16>
  %v30 = llvm.insertelement %h30, %u30[%c0 : i32] : vector<2xf16>
  %x30 = llvm.insertelement %h31, %v30[%c1 : i32] : vector<2xf16>
  %r30 = llvm.bitcast %x30 : vector<2xf16> to i32
  %q3 = llvm.mlir.constant(6 : i32) : i32
  %qc3 = llvm.add %q3, %e_half : i32
  %qs3 = llvm.xor %qc3, %e_phase : i32
  %qb3 = llvm.mul %qs3, %c16 : i32
  %qp3 = llvm.getelementptr %e_at[%qb3] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp3, %r24, %r26, %r28, %r30) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h32 = llvm.fptrunc %sum#32 : f32 to f16
  %h33 = llvm.fptrunc %sum#33 : f32 to f16
  %u32 = llvm.mlir.undef : vector<2xf16>
  %v32 = llvm.insertelement %h32, %u32[%c0 : i32] : vector<2xf16>
  %x32 = llvm.insertelement %h33, %v32[%c1 : i32] : vector<2xf16>
  %r32 = llvm.bitcast %x32 : vector<2xf16> to i32
  %h34 = llvm.fptrunc %sum#34 : f32 to f16
  %h35 = llvm.fptrunc %sum#35 : f32 to f16
  %u34 = llvm.mlir.undef : vector<2xf16>
  %v34 = llvm.insertelement %h34, %u34[%c0 : i32] : vector<2xf16>
  %x34 = llvm.insertelement %h35, %v34[%c1 : i32] : vector<2xf16>
  %r34 = llvm.bitcast %x34 : vector<2xf16> to i32
  %h36 = llvm.fptrunc %sum#36 : f32 to f16
  %h37 = llvm.fptrunc %sum#37 : f32 to f16
  %u36 = llvm.mlir.undef : vector<2xf16>
  %v36 = llvm.insertelement %h36, %u36[%c0 : i32] : vector<2xf16>
  %x36 = llvm.insertelement %h37, %v36[%c1 : i32] : vector<2xf16>
  %r36 = llvm.bitcast %x36 : vector<2xf16> to i32
  %h38 = llvm.fptrunc %sum#38 : f32 to f16
  %h39 = llvm.fptrunc %sum#39 : f32 to f16
  %u38 = llvm.mlir.undef : vector<2xf16>
  %v38 = llvm.insertelement %h38, %u38[%c0 : i32] : vector<2xf16>
  %x38 = llvm.insertelement %h39, %v38[%c1 : i32] : vector<2xf16>
  %r38 = llvm.bitcast %x38 : vector<2xf16> to i32
  %q4 = llvm.mlir.constant(8 : i32) : i32
  %qc4 = llvm.add %q4, %e_half : i32
  %qs4 = llvm.xor %qc4, %e_phase : i32
  %qb4 = llvm.mul %qs4, %c16 : i32
  %qp4 = llvm.getelementptr %e_at[%qb4] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp4, %r32, %r34, %r36, %r38) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h40 = llvm.fptrunc %sum#40 : f32 to f16
  %h41 = llvm.fptrunc %sum#41 : f32 to f16
  %u40 = llvm.mlir.undef : vector<2xf16>
  %v40 = llvm.insertelement %h40, %u40[%c0 : i32] : vector<2xf16>
  %x40 = llvm.insertelement %h41, %v40[%c1 : i32] : vector<2xf16>
  %r40 = llvm.bitcast %x40 : vector<2xf16> to i32
  %h42 = llvm.fptrunc %sum#42 : f32 to f16
  %h43 = llvm.fptrunc %sum#43 : f32 to f16
  %u42 = llvm.mlir.undef : vector<2xf16>
  %v42 = llvm.insertelement %h42, %u42[%c0 : i32] : vector<2xf16>
  %x42 = llvm.insertelement %h43, %v42[%c1 : i32] : vector<2xf16>
  %r42 = llvm.bitcast %x42 : vector<2xf16> to i32
  %h44 = llvm.fptrunc %sum#44 : f32 to f16
  %h45 = llvm.fptrunc %sum#45 : f32 to f16
  %u44 = llvm.mlir.undef : vector<2xf16>
  %v44 = llvm.insertelement %h44, %u44[%c0 : i32] : vector<2xf16>
  %x44 = llvm.insertelement %h45, %v44[%c1 : i32] : vector<2xf16>
  %r44 = llvm.bitcast %x44 : vector<2xf16> to i32
  %h46 = llvm.fptrunc %sum#46 : f32 to f16
  %h47 = llvm.fptrunc %sum#47 : f32 to f16
  %u46 = llvm.mlir.undef : vector<2xf16>
  %v46 = llvm.insertelement %h46, %u46[%c0 : i32] : vector<2xf16>
  %x46 = llvm.insertelement %h47, %v46[%c1 : i32] : vector<2xf16>
  %r46 = llvm.bitcast %x46 : vector<2xf16> to i32
  %q5 = llvm.mlir.constant(10 : i32) : i32
  %qc5 = llvm.add %q5, %e_half : i32
  %qs5 = llvm.xor %qc5, %e_phase : i32
  %qb5 = llvm.mul %qs5, %c16 : i32
  %qp5 = llvm.getelementptr %e_at[%qb5] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp5, %r40, %r42, %r44, %r46) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h48 = llvm.fptrunc %sum#48 : f32 to f16
  %h49 = llvm.fptrunc %sum#49 : f32 to f16
  %u48 = llvm.mlir.undef : vector<2xf16>
  %v48 = llvm.insertelement %h48, %u48[%c0 : i32] : vector<2xf16>
  %x48 = llvm.insertelement %h49, %v48[%c1 : i32] : vector<2xf16>
  %r48 = llvm.bitcast %x48 : vector<2xf16> to i32
  %h50 = llvm.fptrunc %sum#50 : f32 to f16
  %h51 = llvm.fptrunc %sum#51 : f32 to f16
  %u50 = llvm.mlir.undef : vector<2xf16>
  %v50 = llvm.insertelement %h50, %u50[%c0 : i32] : vector<2xf16>
  %x50 = llvm.insertelement %h51, %v50[%c1 : i32] : vector<2xf16>
  %r50 = llvm.bitcast %x50 : vector<2xf16> to i32
  %h52 = llvm.fptrunc %sum#52 : f32 to f16
  %h53 = llvm.fptrunc %sum#53 : f32 to f16
  %u52 = llvm.mlir.undef : vector<2xf16>
  %v52 = llvm.insertelement %h52, %u52[%c0 : i32] : vector<2xf16>
  %x52 = llvm.insertelement %h53, %v52[%c1 : i32] : vector<2xf16>
  %r52 = llvm.bitcast %x52 : vector<2xf16> to i32
  %h54 = llvm.fptrunc %sum#54 : f32 to f16
  %h55 = llvm.fptrunc %sum#55 : f32 to f16
  %u54 = llvm.mlir.undef : vector<2xf16>
  %v54 = llvm.insertelement %h54, %u54[%c0 : i32] : vector<2xf16>
  %x54 = llvm.insertelement %h55, %v54[%c1 : i32] : vector<2xf16>
  %r54 = llvm.bitcast %x54 : vector<2xf16> to i32
  %q6 = llvm.mlir.constant(12 : i32) : i32
  %qc6 = llvm.add %q6, %e_half : i32
  %qs6 = llvm.xor %qc6, %e_phase : i32
  %qb6 = llvm.mul %qs6, %c16 : i32
  %qp6 = llvm.getelementptr %e_at[%qb6] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp6, %r48, %r50, %r52, %r54) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h56 = llvm.fptrunc %sum#56 : f32 to f16
  %h57 = llvm.fptrunc %sum#57 : f32 to f16
  %u56 = llvm.mlir.undef : vector<2xf16>
  %v56 = llvm.insertelement %h56, %u56[%c0 : i32] : vector<2xf16>
  %x56 = llvm.insertelement %h57, %v56[%c1 : i32] : vector<2xf16>
  %r56 = llvm.bitcast %x56 : vector<2xf16> to i32
  %h58 = llvm.fptrunc %sum#58 : f32 to f16
  %h59 = llvm.fptrunc %sum#59 : f32 to f16
  %u58 = llvm.mlir.undef : vector<2xf16>
  %v58 = llvm.insertelement %h58, %u58[%c0 : i32] : vector<2xf16>
  %x58 = llvm.insertelement %h59, %v58[%c1 : i32] : vector<2xf16>
  %r58 = llvm.bitcast %x58 : vector<2xf16> to i32
  %h60 = llvm.fptrunc %sum#60 : f32 to f16
  %h61 = llvm.fptrunc %sum#61 : f32 to f16
  %u60 = llvm.mlir.undef : vector<2xf16>
  %v60 = llvm.insertelement %h60, %u60[%c0 : i32] : vector<2xf16>
  %x60 = llvm.insertelement %h61, %v60[%c1 : i32] : vector<2xf16>
  %r60 = llvm.bitcast %x60 : vector<2xf16> to i32
  %h62 = llvm.fptrunc %sum#62 : f32 to f16
  %h63 = llvm.fptrunc %sum#63 : f32 to f16
  %u62 = llvm.mlir.undef : vector<2xf16>
  %v62 = llvm.insertelement %h62, %u62[%c0 : i32] : vector<2xf16>
  %x62 = llvm.insertelement %h63, %v62[%c1 : i32] : vector<2xf16>
  %r62 = llvm.bitcast %x62 : vector<2xf16> to i32
  %q7 = llvm.mlir.constant(14 : i32) : i32
  %qc7 = llvm.add %q7, %e_half : i32
  %qs7 = llvm.xor %qc7, %e_phase : i32
  %qb7 = llvm.mul %qs7, %c16 : i32
  %qp7 = llvm.getelementptr %e_at[%qb7] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp7, %r56, %r58, %r60, %r62) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h64 = llvm.fptrunc %sum#64 : f32 to f16
  %h65 = llvm.fptrunc %sum#65 : f32 to f16
  %u64 = llvm.mlir.undef : vector<2xf16>
  %v64 = llvm.insertelement %h64, %u64[%c0 : i32] : vector<2xf16>
  %x64 = llvm.insertelement %h65, %v64[%c1 : i32] : vector<2xf16>
  %r64 = llvm.bitcast %x64 : vector<2xf16> to i32
  %h66 = llvm.fptrunc %sum#66 : f32 to f16
  %h67 = llvm.fptrunc %sum#67 : f32 to f16
  %u66 = llvm.mlir.undef : vector<2xf16>
  %v66 = llvm.insertelement %h66, %u66[%c0 : i32] : vector<2xf16>
  %x66 = llvm.insertelement %h67, %v66[%c1 : i32] : vector<2xf16>
  %r66 = llvm.bitcast %x66 : vector<2xf16> to i32
  %h68 = llvm.fptrunc %sum#68 : f32 to f16
  %h69 = llvm.fptrunc %sum#69 : f32 to f16
  %u68 = llvm.mlir.undef : vector<2xf16>
  %v68 = llvm.insertelement %h68, %u68[%c0 : i32] : vector<2xf16>
  %x68 = llvm.insertelement %h69, %v68[%c1 : i32] : vector<2xf16>
  %r68 = llvm.bitcast %x68 : vector<2xf16> to i32
  %h70 = llvm.fptrunc %sum#70 : f32 to f16
  %h71 = llvm.fptrunc %sum#71 : f32 to f16
  %u70 = llvm.mlir.undef : vector<2xf16>
  %v70 = llvm.insertelement %h70, %u70[%c0 : i32] : vector<2xf16>
  %x70 = llvm.insertelement %h71, %v70[%c1 : i32] : vector<2xf16>
  %r70 = llvm.bitcast %x70 : vector<2xf16> to i32
  %q8 = llvm.mlir.constant(16 : i32) : i32
  %qc8 = llvm.add %q8, %e_half : i32
  %qs8 = llvm.xor %qc8, %e_phase : i32
  %qb8 = llvm.mul %qs8, %c16 : i32
  %qp8 = llvm.getelementptr %e_at[%qb8] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp8, %r64, %r66, %r68, %r70) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h72 = llvm.fptrunc %sum#72 : f32 to f16
  %h73 = llvm.fptrunc %sum#73 : f32 to f16
  %u72 = llvm.mlir.undef : vector<2xf16>
  %v72 = llvm.insertelement %h72, %u72[%c0 : i32] : vector<2xf16>
  %x72 = llvm.insertelement %h73, %v72[%c1 : i32] : vector<2xf16>
  %r72 = llvm.bitcast %x72 : vector<2xf16> to i32
  %h74 = llvm.fptrunc %sum#74 : f32 to f16
  %h75 = llvm.fptrunc %sum#75 : f32 to f16
  %u74 = llvm.mlir.undef : vector<2xf16>
  %v74 = llvm.insertelement %h74, %u74[%c0 : i32] : vector<2xf16>
  %x74 = llvm.insertelement %h75, %v74[%c1 : i32] : vector<2xf16>
  %r74 = llvm.bitcast %x74 : vector<2xf16> to i32
  %h76 = llvm.fptrunc %sum#76 : f32 to f16
  %h77 = llvm.fptrunc %sum#77 : f32 to f16
  %u76 = llvm.mlir.undef : vector<2xf16>
  %v76 = llvm.insertelement %h76, %u76[%c0 : i32] : vector<2xf16>
  %x76 = llvm.insertelement %h77, %v76[%c1 : i32] : vector<2xf16>
  %r76 = llvm.bitcast %x76 : vector<2xf16> to i32
  %h78 = llvm.fptrunc %sum#78 : f32 to f16
  %h79 = llvm.fptrunc %sum#79 : f32 to f16
  %u78 = llvm.mlir.undef : vector<2xf16>
  %v78 = llvm.insertelement %h78, %u78[%c0 : i32] : vector<2xf16>
  %x78 = llvm.insertelement %h79, %v78[%c1 : i32] : vector<2xf16>
  %r78 = llvm.bitcast %x78 : vector<2xf16> to i32
  %q9 = llvm.mlir.constant(18 : i32) : i32
  %qc9 = llvm.add %q9, %e_half : i32
  %qs9 = llvm.xor %qc9, %e_phase : i32
  %qb9 = llvm.mul %qs9, %c16 : i32
  %qp9 = llvm.getelementptr %e_at[%qb9] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp9, %r72, %r74, %r76, %r78) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h80 = llvm.fptrunc %sum#80 : f32 to f16
  %h81 = llvm.fptrunc %sum#81 : f32 to f16
  %u80 = llvm.mlir.undef : vector<2xf16>
  %v80 = llvm.insertelement %h80, %u80[%c0 : i32] : vector<2xf16>
  %x80 = llvm.insertelement %h81, %v80[%c1 : i32] : vector<2xf16>
  %r80 = llvm.bitcast %x80 : vector<2xf16> to i32
  %h82 = llvm.fptrunc %sum#82 : f32 to f16
  %h83 = llvm.fptrunc %sum#83 : f32 to f16
  %u82 = llvm.mlir.undef : vector<2xf16>
  %v82 = llvm.insertelement %h82, %u82[%c0 : i32] : vector<2xf16>
  %x82 = llvm.insertelement %h83, %v82[%c1 : i32] : vector<2xf16>
  %r82 = llvm.bitcast %x82 : vector<2xf16> to i32
  %h84 = llvm.fptrunc %sum#84 : f32 to f16
  %h85 = llvm.fptrunc %sum#85 : f32 to f16
  %u84 = llvm.mlir.undef : vector<2xf16>
  %v84 = llvm.insertelement %h84, %u84[%c0 : i32] : vector<2xf16>
  %x84 = llvm.insertelement %h85, %v84[%c1 : i32] : vector<2xf16>
  %r84 = llvm.bitcast %x84 : vector<2xf16> to i32
  %h86 = llvm.fptrunc %sum#86 : f32 to f16
  %h87 = llvm.fptrunc %sum#87 : f32 to f16
  %u86 = llvm.mlir.undef : vector<2xf16>
  %v86 = llvm.insertelement %h86, %u86[%c0 : i32] : vector<2xf16>
  %x86 = llvm.insertelement %h87, %v86[%c1 : i32] : vector<2xf16>
  %r86 = llvm.bitcast %x86 : vector<2xf16> to i32
  %q10 = llvm.mlir.constant(20 : i32) : i32
  %qc10 = llvm.add %q10, %e_half : i32
  %qs10 = llvm.xor %qc10, %e_phase : i32
  %qb10 = llvm.mul %qs10, %c16 : i32
  %qp10 = llvm.getelementptr %e_at[%qb10] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp10, %r80, %r82, %r84, %r86) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h88 = llvm.fptrunc %sum#88 : f32 to f16
  %h89 = llvm.fptrunc %sum#89 : f32 to f16
  %u88 = llvm.mlir.undef : vector<2xf16>
  %v88 = llvm.insertelement %h88, %u88[%c0 : i32] : vector<2xf16>
  %x88 = llvm.insertelement %h89, %v88[%c1 : i32] : vector<2xf16>
  %r88 = llvm.bitcast %x88 : vector<2xf16> to i32
  %h90 = llvm.fptrunc %sum#90 : f32 to f16
  %h91 = llvm.fptrunc %sum#91 : f32 to f16
  %u90 = llvm.mlir.undef : vector<2xf16>
  %v90 = llvm.insertelement %h90, %u90[%c0 : i32] : vector<2xf16>
  %x90 = llvm.insertelement %h91, %v90[%c1 : i32] : vector<2xf16>
  %r90 = llvm.bitcast %x90 : vector<2xf16> to i32
  %h92 = llvm.fptrunc %sum#92 : f32 to f16
  %h93 = llvm.fptrunc %sum#93 : f32 to f16
  %u92 = llvm.mlir.undef : vector<2xf16>
  %v92 = llvm.insertelement %h92, %u92[%c0 : i32] : vector<2xf16>
  %x92 = llvm.insertelement %h93, %v92[%c1 : i32] : vector<2xf16>
  %r92 = llvm.bitcast %x92 : vector<2xf16> to i32
  %h94 = llvm.fptrunc %sum#94 : f32 to f16
  %h95 = llvm.fptrunc %sum#95 : f32 to f16
  %u94 = llvm.mlir.undef : vector<2xf16>
  %v94 = llvm.insertelement %h94, %u94[%c0 : i32] : vector<2xf16>
  %x94 = llvm.insertelement %h95, %v94[%c1 : i32] : vector<2xf16>
  %r94 = llvm.bitcast %x94 : vector<2xf16> to i32
  %q11 = llvm.mlir.constant(22 : i32) : i32
  %qc11 = llvm.add %q11, %e_half : i32
  %qs11 = llvm.xor %qc11, %e_phase : i32
  %qb11 = llvm.mul %qs11, %c16 : i32
  %qp11 = llvm.getelementptr %e_at[%qb11] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp11, %r88, %r90, %r92, %r94) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h96 = llvm.fptrunc %sum#96 : f32 to f16
  %h97 = llvm.fptrunc %sum#97 : f32 to f16
  %u96 = llvm.mlir.undef : vector<2xf16>
  %v96 = llvm.insertelement %h96, %u96[%c0 : i32] : vector<2xf16>
  %x96 = llvm.insertelement %h97, %v96[%c1 : i32] : vector<2xf16>
  %r96 = llvm.bitcast %x96 : vector<2xf16> to i32
  %h98 = llvm.fptrunc %sum#98 : f32 to f16
  %h99 = llvm.fptrunc %sum#99 : f32 to f16
  %u98 = llvm.mlir.undef : vector<2xf16>
  %v98 = llvm.insertelement %h98, %u98[%c0 : i32] : vector<2xf16>
  %x98 = llvm.insertelement %h99, %v98[%c1 : i32] : vector<2xf16>
  %r98 = llvm.bitcast %x98 : vector<2xf16> to i32
  %h100 = llvm.fptrunc %sum#100 : f32 to f16
  %h101 = llvm.fptrunc %sum#101 : f32 to f16
  %u100 = llvm.mlir.undef : vector<2xf16>
  %v100 = llvm.insertelement %h100, %u100[%c0 : i32] : vector<2xf16>
  %x100 = llvm.insertelement %h101, %v100[%c1 : i32] : vector<2xf16>
  %r100 = llvm.bitcast %x100 : vector<2xf16> to i32
  %h102 = llvm.fptrunc %sum#102 : f32 to f16
  %h103 = llvm.fptrunc %sum#103 : f32 to f16
  %u102 = llvm.mlir.undef : vector<2xf16>
  %v102 = llvm.insertelement %h102, %u102[%c0 : i32] : vector<2xf16>
  %x102 = llvm.insertelement %h103, %v102[%c1 : i32] : vector<2xf16>
  %r102 = llvm.bitcast %x102 : vector<2xf16> to i32
  %q12 = llvm.mlir.constant(24 : i32) : i32
  %qc12 = llvm.add %q12, %e_half : i32
  %qs12 = llvm.xor %qc12, %e_phase : i32
  %qb12 = llvm.mul %qs12, %c16 : i32
  %qp12 = llvm.getelementptr %e_at[%qb12] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp12, %r96, %r98, %r100, %r102) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h104 = llvm.fptrunc %sum#104 : f32 to f16
  %h105 = llvm.fptrunc %sum#105 : f32 to f16
  %u104 = llvm.mlir.undef : vector<2xf16>
  %v104 = llvm.insertelement %h104, %u104[%c0 : i32] : vector<2xf16>
  %x104 = llvm.insertelement %h105, %v104[%c1 : i32] : vector<2xf16>
  %r104 = llvm.bitcast %x104 : vector<2xf16> to i32
  %h106 = llvm.fptrunc %sum#106 : f32 to f16
  %h107 = llvm.fptrunc %sum#107 : f32 to f16
  %u106 = llvm.mlir.undef : vector<2xf16>
  %v106 = llvm.insertelement %h106, %u106[%c0 : i32] : vector<2xf16>
  %x106 = llvm.insertelement %h107, %v106[%c1 : i32] : vector<2xf16>
  %r106 = llvm.bitcast %x106 : vector<2xf16> to i32
  %h108 = llvm.fptrunc %sum#108 : f32 to f16
  %h109 = llvm.fptrunc %sum#109 : f32 to f16
  %u108 = llvm.mlir.undef : vector<2xf16>
  %v108 = llvm.insertelement %h108, %u108[%c0 : i32] : vector<2xf16>
  %x108 = llvm.insertelement %h109, %v108[%c1 : i32] : vector<2xf16>
  %r108 = llvm.bitcast %x108 : vector<2xf16> to i32
  %h110 = llvm.fptrunc %sum#110 : f32 to f16
  %h111 = llvm.fptrunc %sum#111 : f32 to f16
  %u110 = llvm.mlir.undef : vector<2xf16>
  %v110 = llvm.insertelement %h110, %u110[%c0 : i32] : vector<2xf16>
  %x110 = llvm.insertelement %h111, %v110[%c1 : i32] : vector<2xf16>
  %r110 = llvm.bitcast %x110 : vector<2xf16> to i32
  %q13 = llvm.mlir.constant(26 : i32) : i32
  %qc13 = llvm.add %q13, %e_half : i32
  %qs13 = llvm.xor %qc13, %e_phase : i32
  %qb13 = llvm.mul %qs13, %c16 : i32
  %qp13 = llvm.getelementptr %e_at[%qb13] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp13, %r104, %r106, %r108, %r110) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h112 = llvm.fptrunc %sum#112 : f32 to f16
  %h113 = llvm.fptrunc %sum#113 : f32 to f16
  %u112 = llvm.mlir.undef : vector<2xf16>
  %v112 = llvm.insertelement %h112, %u112[%c0 : i32] : vector<2xf16>
  %x112 = llvm.insertelement %h113, %v112[%c1 : i32] : vector<2xf16>
  %r112 = llvm.bitcast %x112 : vector<2xf16> to i32
  %h114 = llvm.fptrunc %sum#114 : f32 to f16
  %h115 = llvm.fptrunc %sum#115 : f32 to f16
  %u114 = llvm.mlir.undef : vector<2xf16>
  %v114 = llvm.insertelement %h114, %u114[%c0 : i32] : vector<2xf16>
  %x114 = llvm.insertelement %h115, %v114[%c1 : i32] : vector<2xf16>
  %r114 = llvm.bitcast %x114 : vector<2xf16> to i32
  %h116 = llvm.fptrunc %sum#116 : f32 to f16
  %h117 = llvm.fptrunc %sum#117 : f32 to f16
  %u116 = llvm.mlir.undef : vector<2xf16>
  %v116 = llvm.insertelement %h116, %u116[%c0 : i32] : vector<2xf16>
  %x116 = llvm.insertelement %h117, %v116[%c1 : i32] : vector<2xf16>
  %r116 = llvm.bitcast %x116 : vector<2xf16> to i32
  %h118 = llvm.fptrunc %sum#118 : f32 to f16
  %h119 = llvm.fptrunc %sum#119 : f32 to f16
  %u118 = llvm.mlir.undef : vector<2xf16>
  %v118 = llvm.insertelement %h118, %u118[%c0 : i32] : vector<2xf16>
  %x118 = llvm.insertelement %h119, %v118[%c1 : i32] : vector<2xf16>
  %r118 = llvm.bitcast %x118 : vector<2xf16> to i32
  %q14 = llvm.mlir.constant(28 : i32) : i32
  %qc14 = llvm.add %q14, %e_half : i32
  %qs14 = llvm.xor %qc14, %e_phase : i32
  %qb14 = llvm.mul %qs14, %c16 : i32
  %qp14 = llvm.getelementptr %e_at[%qb14] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp14, %r112, %r114, %r116, %r118) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  %h120 = llvm.fptrunc %sum#120 : f32 to f16
  %h121 = llvm.fptrunc %sum#121 : f32 to f16
  %u120 = llvm.mlir.undef : vector<2xf16>
  %v120 = llvm.insertelement %h120, %u120[%c0 : i32] : vector<2xf16>
  %x120 = llvm.insertelement %h121, %v120[%c1 : i32] : vector<2xf16>
  %r120 = llvm.bitcast %x120 : vector<2xf16> to i32
  %h122 = llvm.fptrunc %sum#122 : f32 to f16
  %h123 = llvm.fptrunc %sum#123 : f32 to f16
  %u122 = llvm.mlir.undef : vector<2xf16>
  %v122 = llvm.insertelement %h122, %u122[%c0 : i32] : vector<2xf16>
  %x122 = llvm.insertelement %h123, %v122[%c1 : i32] : vector<2xf16>
  %r122 = llvm.bitcast %x122 : vector<2xf16> to i32
  %h124 = llvm.fptrunc %sum#124 : f32 to f16
  %h125 = llvm.fptrunc %sum#125 : f32 to f16
  %u124 = llvm.mlir.undef : vector<2xf16>
  %v124 = llvm.insertelement %h124, %u124[%c0 : i32] : vector<2xf16>
  %x124 = llvm.insertelement %h125, %v124[%c1 : i32] : vector<2xf16>
  %r124 = llvm.bitcast %x124 : vector<2xf16> to i32
  %h126 = llvm.fptrunc %sum#126 : f32 to f16
  %h127 = llvm.fptrunc %sum#127 : f32 to f16
  %u126 = llvm.mlir.undef : vector<2xf16>
  %v126 = llvm.insertelement %h126, %u126[%c0 : i32] : vector<2xf16>
  %x126 = llvm.insertelement %h127, %v126[%c1 : i32] : vector<2xf16>
  %r126 = llvm.bitcast %x126 : vector<2xf16> to i32
  %q15 = llvm.mlir.constant(30 : i32) : i32
  %qc15 = llvm.add %q15, %e_half : i32
  %qs15 = llvm.xor %qc15, %e_phase : i32
  %qb15 = llvm.mul %qs15, %c16 : i32
  %qp15 = llvm.getelementptr %e_at[%qb15] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  "tile_ptx.stmatrix"(%qp15, %r120, %r122, %r124, %r126) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  nvvm.bar.warp.sync %all : i32
  %warp_m = llvm.mul %warp, %c16 : i32
  %row0 = llvm.add %m0, %warp_m : i32
  %row64 = llvm.zext %row0 : i32 to i64
  %c_start = llvm.mul %row64, %n64 : i64
  %col = llvm.mul %lane, %c8 : i32
  %col_n = llvm.add %n0, %col : i32
  %col64 = llvm.zext %col_n : i32 to i64
  %c_offset = llvm.add %c_start, %col64 : i64
  %c_to0 = llvm.getelementptr %c[%c_offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  %s0 = llvm.mlir.constant(0 : i32) : i32
  %sx0 = llvm.xor %lane, %s0 : i32
  %sb0 = llvm.mul %sx0, %c16 : i32
  %sr0 = llvm.getelementptr %mine[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp0 = llvm.getelementptr %sr0[%sb0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv0 = llvm.load %sp0 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  llvm.store %sv0, %c_to0 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s1 = llvm.mlir.constant(1 : i32) : i32
  %sx1 = llvm.xor %lane, %s1 : i32
  %sb1 = llvm.mul %sx1, %c16 : i32
  %sr1 = llvm.getelementptr %mine[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp1 = llvm.getelementptr %sr1[%sb1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv1 = llvm.load %sp1 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to1 = llvm.getelementptr %c_to0[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv1, %c_to1 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s2 = llvm.mlir.constant(2 : i32) : i32
  %sx2 = llvm.xor %lane, %s2 : i32
  %sb2 = llvm.mul %sx2, %c16 : i32
  %sr2 = llvm.getelementptr %mine[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp2 = llvm.getelementptr %sr2[%sb2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv2 = llvm.load %sp2 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to2 = llvm.getelementptr %c_to1[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv2, %c_to2 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s3 = llvm.mlir.constant(3 : i32) : i32
  %sx3 = llvm.xor %lane, %s3 : i32
  %sb3 = llvm.mul %sx3, %c16 : i32
  %sr3 = llvm.getelementptr %mine[1536] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp3 = llvm.getelementptr %sr3[%sb3] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv3 = llvm.load %sp3 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to3 = llvm.getelementptr %c_to2[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv3, %c_to3 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s4 = llvm.mlir.constant(4 : i32) : i32
  %sx4 = llvm.xor %lane, %s4 : i32
  %sb4 = llvm.mul %sx4, %c16 : i32
  %sr4 = llvm.getelementptr %mine[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp4 = llvm.getelementptr %sr4[%sb4] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv4 = llvm.load %sp4 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to4 = llvm.getelementptr %c_to3[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv4, %c_to4 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s5 = llvm.mlir.constant(5 : i32) : i32
  %sx5 = llvm.xor %lane, %s5 : i32
  %sb5 = llvm.mul %sx5, %c16 : i32
  %sr5 = llvm.getelementptr %mine[2560] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp5 = llvm.getelementptr %sr5[%sb5] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv5 = llvm.load %sp5 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to5 = llvm.getelementptr %c_to4[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv5, %c_to5 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s6 = llvm.mlir.constant(6 : i32) : i32
  %sx6 = llvm.xor %lane, %s6 : i32
  %sb6 = llvm.mul %sx6, %c16 : i32
  %sr6 = llvm.getelementptr %mine[3072] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp6 = llvm.getelementptr %sr6[%sb6] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv6 = llvm.load %sp6 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to6 = llvm.getelementptr %c_to5[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv6, %c_to6 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s7 = llvm.mlir.constant(7 : i32) : i32
  %sx7 = llvm.xor %lane, %s7 : i32
  %sb7 = llvm.mul %sx7, %c16 : i32
  %sr7 = llvm.getelementptr %mine[3584] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp7 = llvm.getelementptr %sr7[%sb7] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv7 = llvm.load %sp7 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to7 = llvm.getelementptr %c_to6[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv7, %c_to7 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s8 = llvm.mlir.constant(0 : i32) : i32
  %sx8 = llvm.xor %lane, %s8 : i32
  %sb8 = llvm.mul %sx8, %c16 : i32
  %sr8 = llvm.getelementptr %mine[4096] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp8 = llvm.getelementptr %sr8[%sb8] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv8 = llvm.load %sp8 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to8 = llvm.getelementptr %c_to7[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv8, %c_to8 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s9 = llvm.mlir.constant(1 : i32) : i32
  %sx9 = llvm.xor %lane, %s9 : i32
  %sb9 = llvm.mul %sx9, %c16 : i32
  %sr9 = llvm.getelementptr %mine[4608] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp9 = llvm.getelementptr %sr9[%sb9] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv9 = llvm.load %sp9 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to9 = llvm.getelementptr %c_to8[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv9, %c_to9 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s10 = llvm.mlir.constant(2 : i32) : i32
  %sx10 = llvm.xor %lane, %s10 : i32
  %sb10 = llvm.mul %sx10, %c16 : i32
  %sr10 = llvm.getelementptr %mine[5120] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp10 = llvm.getelementptr %sr10[%sb10] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv10 = llvm.load %sp10 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to10 = llvm.getelementptr %c_to9[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv10, %c_to10 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s11 = llvm.mlir.constant(3 : i32) : i32
  %sx11 = llvm.xor %lane, %s11 : i32
  %sb11 = llvm.mul %sx11, %c16 : i32
  %sr11 = llvm.getelementptr %mine[5632] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp11 = llvm.getelementptr %sr11[%sb11] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv11 = llvm.load %sp11 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to11 = llvm.getelementptr %c_to10[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv11, %c_to11 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s12 = llvm.mlir.constant(4 : i32) : i32
  %sx12 = llvm.xor %lane, %s12 : i32
  %sb12 = llvm.mul %sx12, %c16 : i32
  %sr12 = llvm.getelementptr %mine[6144] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp12 = llvm.getelementptr %sr12[%sb12] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv12 = llvm.load %sp12 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to12 = llvm.getelementptr %c_to11[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv12, %c_to12 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s13 = llvm.mlir.constant(5 : i32) : i32
  %sx13 = llvm.xor %lane, %s13 : i32
  %sb13 = llvm.mul %sx13, %c16 : i32
  %sr13 = llvm.getelementptr %mine[6656] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp13 = llvm.getelementptr %sr13[%sb13] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv13 = llvm.load %sp13 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to13 = llvm.getelementptr %c_to12[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv13, %c_to13 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s14 = llvm.mlir.constant(6 : i32) : i32
  %sx14 = llvm.xor %lane, %s14 : i32
  %sb14 = llvm.mul %sx14, %c16 : i32
  %sr14 = llvm.getelementptr %mine[7168] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp14 = llvm.getelementptr %sr14[%sb14] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv14 = llvm.load %sp14 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to14 = llvm.getelementptr %c_to13[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv14, %c_to14 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %s15 = llvm.mlir.constant(7 : i32) : i32
  %sx15 = llvm.xor %lane, %s15 : i32
  %sb15 = llvm.mul %sx15, %c16 : i32
  %sr15 = llvm.getelementptr %mine[7680] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %sp15 = llvm.getelementptr %sr15[%sb15] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %sv15 = llvm.load %sp15 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  %c_to15 = llvm.getelementptr %c_to14[%n64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
  llvm.store %sv15, %c_to15 {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  llvm.return
}
}
