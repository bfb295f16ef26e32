/* SPDX-License-Identifier: MIT */
/* What edits put in: numbers at the edges of ranges, types, attributes and operations, ours and
   upstream's, valid somewhere or nowhere. For mutate.c alone. */
#ifndef TILE_FUZZ_WORDS_H
#define TILE_FUZZ_WORDS_H

// clang-format off
static const char *const numbers[] = {
    "0",    "1",    "2",       "3",          "4",          "5",          "7",
    "8",    "16",   "31",      "32",         "33",         "64",         "128",
    "256",  "255",  "512",     "1023",       "1024",       "1025",       "2048",
    "4096", "8192", "65536",   "1048576",    "2097152",    "2147483647", "2147483648",
    "-1",   "-8",   "-2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
    "1.0",  "0.0",  "-0.0",    "1.0e300",    "0x7FC00000", "0x7F800000"};

static const char *const types[] = {
    "i1", "i8", "i16", "i32", "i64", "i7", "i128", "si32", "ui8", "index", "f16", "bf16", "f32",
    "f64", "f80", "f128", "tf32", "f8E4M3FN", "f8E5M2", "f4E2M1FN", "none", "complex<f32>",
    "tuple<i32>", "vector<4xf32>", "memref<4xf32>", "tensor<f32>", "tensor<4xf32>", "tensor<?xf32>",
    "tensor<*xf32>", "tensor<3xf32>", "tensor<0xi32>", "tensor<1x1x1x1x1xi32>",
    "tensor<2x2x2x2x2x2xi8>", "tensor<16x!tile.ptr<f32>>", "!tile.ptr<f32>", "!tile.ptr<i1>",
    "!tile.ptr<!tile.ptr<i8>>", "!tile.ptr<tensor<4xf32>>", "!tile.ptr<index>", "!tile.ptr<none>",
    "!llvm.ptr", "!llvm.ptr<1>", "!llvm.struct<(i32)>", "!llvm.void", "() -> ()", "(i32) -> i32"};

static const char *const attributes[] = {
    "unit", "0 : i32", "1 : i64", "-1 : i8", "7 : index", "1.0 : f32", "true", "\"text\"", "[]",
    "[1, 2]", "{a = 1}", "i32", "array<i32: 1, 1, 1>", "array<i32: 1, 0, 1>", "array<i32: 2, 1>",
    "array<i32>", "array<i64: 1>", "dense<0> : tensor<4xi32>", "dense<[1, 2, 3, 4]> : tensor<4xi32>",
    "dense<> : tensor<0xi32>", "@f", "#tile_gpu.slice<{axis = 0, parent = 1}>",
    ("#tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], "
     "order = [0]}>"),
    "#tile_gpu.blocked<{}>", "#tile_gpu.blocked<1>"};

static const char *const attribute_names[] = {
    "axis", "start", "end", "value", "operandSegmentSizes", "cache", "evict", "volatile",
    "tile.kernel", "tile.divisibility", "tile.name", "tile_gpu.num_warps", "function_type",
    "sym_name", "sym_visibility", "predicate", "fastmath", "overflowFlags", "unsignedCmp",
    "tile_gpu.shared_bytes", "tile_gpu.kernel_arguments", "callee", "nvvm.kernel"};

static const char *const operations[] = {
    "\"tile.program_id\"", "\"tile.num_programs\"", "\"tile.range\"", "\"tile.splat\"",
    "\"tile.broadcast\"", "\"tile.expand_dims\"", "\"tile.addptr\"", "\"tile.ptr_to_int\"",
    "\"tile.int_to_ptr\"", "\"tile.bitcast\"", "\"tile.load\"", "\"tile.store\"", "\"tile.assume\"",
    "\"tile_gpu.convert_layout\"", "\"tile_ptx.load\"", "\"tile_ptx.store\"",
    "\"tile_ptx.ex2_approx\"", "\"tile.unknown\"", "arith.addi", "arith.subi", "arith.muli",
    "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi",
    "arith.ceildivsi", "arith.shli", "arith.shrsi", "arith.shrui", "arith.andi", "arith.ori",
    "arith.xori", "arith.maxsi", "arith.minui", "arith.addf", "arith.subf", "arith.mulf",
    "arith.divf", "arith.remf", "arith.maximumf", "arith.minnumf", "arith.negf", "arith.extsi",
    "arith.extui", "arith.trunci", "arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp",
    "arith.fptosi", "arith.fptoui", "arith.bitcast", "arith.index_cast", "arith.cmpi slt,",
    "arith.cmpf olt,", "arith.select", "math.exp", "math.exp2", "math.log", "math.log2",
    "math.rsqrt", "math.sqrt", "math.absf", "math.absi", "math.sin", "math.tan", "math.tanh",
    "math.erf", "math.powf", "math.fma", "math.floor", "math.roundeven", "math.ctpop",
    "math.cbrt", "scf.yield", "func.return", "func.call @f", "cf.br ^bb0", "ub.poison", "llvm.fneg",
    "llvm.intr.exp", "llvm.intr.sqrt", "llvm.unreachable", "nvvm.barrier0"};

/* Words that may stand for each other without breaking a module's grammar; each row ends with NULL.
   */
static const char *const exchangeable[][24] = {
    {"i1", "i8", "i16", "i32", "i64", "index"},
    {"f16", "bf16", "f32", "f64"},
    {"f32", "i32", "!tile.ptr"},
    {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.divui", "arith.remsi",
     "arith.remui", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui", "arith.shli",
     "arith.shrsi", "arith.shrui", "arith.andi", "arith.ori", "arith.xori", "arith.maxsi",
     "arith.minui", "math.ipowi"},
    {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.maximumf",
     "arith.minnumf", "math.copysign", "math.powf", "math.atan2"},
    {"arith.negf", "math.exp", "math.exp2", "math.log", "math.log2", "math.log1p", "math.rsqrt",
     "math.sqrt", "math.cbrt", "math.absf", "math.sin", "math.cos", "math.tan", "math.tanh",
     "math.erf", "math.floor", "math.ceil", "math.round", "math.roundeven", "math.trunc"},
    {"arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.sitofp",
     "arith.uitofp", "arith.bitcast"},
    {"arith.extf", "arith.truncf", "arith.fptosi", "arith.fptoui", "arith.bitcast"},
    {"slt", "sge", "ult", "ugt", "eq", "ne"},
    {"olt", "oge", "une", "ord", "true"},
    {"\"tile.program_id\"", "\"tile.num_programs\""},
    {"\"tile.broadcast\"", "\"tile_gpu.convert_layout\"", "\"tile.bitcast\""},
    {"\"ca\"", "\"cg\"", "\"cs\"", "\"cv\"", "\"wb\"", "\"wt\""},
    {"func.func", "func.func private"},
};

static const char *const powers[] = {"1", "2", "4", "8", "16", "32", "64", "128", "256", "512",
                                     "1024", "2048", "16384", "65536"};
// clang-format on

#endif
