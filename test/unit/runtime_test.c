/* SPDX-License-Identifier: MIT */
/* The conformance suite on the null driver, on the emulator, and on CUDA where a device is present;
   and what is particular to each. The CUDA driver without a GPU: runtime_cuda_test.c. */
#include "runtime_conformance.h"
#include "runtime_plain_kernel.h"

#include <inttypes.h>
#include <unistd.h>
#include "base/files.h"
#include "runtime/metadata.h"
#include "runtime/null/null.h"
#include "tile/compiler.h"
#include "tile/interop.h"
#include "tile/version.h"

/* Options are the emulator's. */
static void options_by_name(void) {
  tile_device *device = NULL;
  FINE(tile_device_open(tile_null_driver(), 0, &device));
  EXPECT(tile_device_set_option(device, "seed", 1), TILE_UNSUPPORTED,
         "devices of the driver 'null' have no options");
  tile_device_close(device);
  FINE(tile_device_open(tile_emulator_driver(), 0, &device));
  FINE(tile_device_set_option(device, "seed", UINT64_MAX));
  FINE(tile_device_set_option(device, "check", 1));
  FINE(tile_device_set_option(device, "resident_blocks", 7));
  EXPECT(tile_device_set_option(device, "check", 2), TILE_INVALID_ARGUMENT,
         "option 'check' of the emulator is at most 1, not 2");
  EXPECT(tile_device_set_option(device, "resident_blocks", 65537), TILE_INVALID_ARGUMENT,
         "at most 65536");
  EXPECT(tile_device_set_option(device, "Seed", 1), TILE_NOT_FOUND,
         "no option 'Seed'; there are seed, check, resident_blocks, "
         "multiprocessors and turn_limit");
  tile_device_close(device);
}

static const struct subject null = {.name = "null", .driver = tile_null_driver, .load = load_plain};

/* vector_add.mlir, compiled for the device. */
static tile_status load_compiled(tile_device *device, tile_module **out) {
  struct text source = {0};
  tile_compiler *compiler;
  tile_compile_options options = tile_compile_options_default();
  tile_status status = file_read(TILE_SOURCE_DIRECTORY "/test/kernels/vector_add.mlir", &source);
  if (!status)
    status = tile_compiler_create(&compiler);
  if (!status) {
    status = tile_compile_for_device(compiler, "vector_add.mlir", source.data, source.length,
                                     &options, device, out);
    tile_compiler_destroy(compiler);
  }
  text_free(&source);
  return status;
}

static const struct subject emulator = {
    .name = "emulator", .driver = tile_emulator_driver, .load = load_compiled, .computes = true};
static const struct subject cuda = {
    .name = "cuda", .driver = tile_cuda_driver, .load = load_compiled, .computes = true};

CONFORMANCE_TESTS(DEFINE_ROW, null)
CONFORMANCE_TESTS(DEFINE_ROW, emulator)
CONFORMANCE_TESTS(DEFINE_ROW, cuda)

/* --- Versions --------------------------------------------------------------------------------- */

/* The library's number is the headers', in both forms; both libraries of one build have one id. */
static void version_is_the_headers(void) {
  const tile_version_info *version = tile_version();
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", TILE_VERSION_MAJOR, TILE_VERSION_MINOR,
           TILE_VERSION_PATCH);
  CHECK_EQUAL(version->number, TILE_VERSION_NUMBER);
  CHECK_TEXT(version->text, text);
  CHECK_EQUAL((int)strlen(version->build_id), 32);
  CHECK_TEXT(version->build_id, tile_compiler_build_id());
  CHECK(strncmp(tile_llvm_version(), "22.", 3) == 0);
}

/* --- The null driver -------------------------------------------------------------------------- */

static void null_records_launches(void) {
  struct adder a = adder_open(&null);
  struct null_record record;
  FINE(tile_launch(a.kernel, (const uint32_t[3]){7, 8, 9}, NULL, a.arguments, 4));
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 3), TILE_INVALID_ARGUMENT, "");
  null_device_record(a.device, &record);
  CHECK_EQUAL(record.launches, 1);
  CHECK_TEXT(record.kernel, "add_kernel");
  CHECK_EQUAL(record.grid[0], 7);
  CHECK_EQUAL(record.grid[2], 9);
  CHECK(record.values[2] == tile_buffer_address(a.out));
  CHECK_EQUAL(record.values[3], N);
  adder_close(&a);
}

/* Seven programs in blocks of four: two blocks, and the kernel hears of seven. */
static void null_packs_programs(void) {
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  struct null_record record;
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.threads = 128;
  plain.version.programs_per_block = 4;
  FINE(plain_load(&plain, device, &module));
  FINE(tile_launch(tile_module_kernel_at(module, 0), (const uint32_t[3]){7, 2, 3}, NULL, NULL, 0));
  null_device_record(device, &record);
  CHECK_EQUAL(record.grid[0], 2);
  CHECK_EQUAL(record.grid[1], 2);
  CHECK_EQUAL(record.grid[2], 3);
  CHECK_EQUAL(record.values[0], 7);
  tile_module_unload(module);
  plain.version.threads = 126;
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT, "do not hold 4 programs");
  tile_device_close(device);
}

/* Blocks of all axes together decide; a device without room for the second version does without it.
 */
static void null_chooses_versions(void) {
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  struct null_record record;
  struct plain_image plain = plain_image("k", ".version .entry k( .entry k$small(");
  tile_condition few = {.kind = TILE_CONDITION_FEW_BLOCKS, .value = 6};
  tile_kernel_version versions[] = {{.symbol = "k$small",
                                     .num_warps = 4,
                                     .threads = 128,
                                     .shared_bytes = 2000,
                                     .conditions = &few,
                                     .condition_count = 1},
                                    {.num_warps = 4, .threads = 128, .shared_bytes = 1000}};
  tile_image image = *plain_link(&plain);
  plain.info.versions = versions;
  plain.info.version_count = 2;
  static const struct {
    uint32_t grid[3];
    const char *kernel;
  } launches[] = {
      {{1, 1, 1}, "k$small"}, {{1, 3, 2}, "k$small"}, {{7, 1, 1}, "k"}, {{2, 2, 2}, "k"}};
  CHECK_EQUAL(tile_device_get_properties(device)->multiprocessors, 1);
  FINE(tile_module_load(device, &image, &module));
  CHECK_EQUAL(tile_module_kernel_count(module), 1);
  for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
    FINE(tile_launch(tile_module_kernel_at(module, 0), launches[i].grid, NULL, NULL, 0));
    null_device_record(device, &record);
    CHECK_TEXT(record.kernel, launches[i].kernel);
  }
  tile_module_unload(module);
  versions[0].shared_bytes = tile_device_get_properties(device)->shared_bytes + 1;
  FINE(tile_module_load(device, &image, &module));
  FINE(tile_launch(tile_module_kernel_at(module, 0), launches[0].grid, NULL, NULL, 0));
  null_device_record(device, &record);
  CHECK_TEXT(record.kernel, "k");
  tile_module_unload(module);
  versions[0].shared_bytes = 2000;
  versions[0].symbol = "missing";
  EXPECT(tile_module_load(device, &image, &module), TILE_BAD_IMAGE, "no kernel 'missing'");
  tile_device_close(device);
}

/* Each kind arrives in its size, whatever lies after it. */
static void null_receives_every_kind(void) {
  static const tile_parameter parameters[] = {
      {"", "i1", TILE_ARGUMENT_I1, 1},     {"", "i8", TILE_ARGUMENT_I8, 2},
      {"", "i16", TILE_ARGUMENT_I16, 3},   {"", "i32", TILE_ARGUMENT_I32, 1},
      {"", "i64", TILE_ARGUMENT_I64, 48},  {"", "f16", TILE_ARGUMENT_F16, 1},
      {"", "bf16", TILE_ARGUMENT_BF16, 1}, {"", "f32", TILE_ARGUMENT_F32, 1},
      {"", "f64", TILE_ARGUMENT_F64, 1},   {"", "f64", TILE_ARGUMENT_POINTER, 1}};
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.num_warps = 32;
  plain.version.threads = 1024;
  plain.info.parameters = parameters;
  plain.info.parameter_count = 10;
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  FINE(plain_load(&plain, device, &module));
  tile_argument arguments[] = {
      tile_argument_i1(true),     tile_argument_i8(-2),
      tile_argument_i16(-3),      tile_argument_i32(-4),
      tile_argument_i64(-48),     tile_argument_f16(0x3C00),
      tile_argument_bf16(0x3F80), tile_argument_f32(1.0f),
      tile_argument_f64(1.0),     tile_argument_address(UINT64_C(0x123456789A))};
  FINE(tile_launch(tile_module_kernel_at(module, 0), adder_grid, NULL, arguments, 10));
  struct null_record record;
  null_device_record(device, &record);
  static const uint64_t expected[] = {1,
                                      0xFE,
                                      0xFFFD,
                                      0xFFFFFFFC,
                                      (uint64_t)-48,
                                      0x3C00,
                                      0x3F80,
                                      0x3F800000,
                                      UINT64_C(0x3FF0000000000000),
                                      UINT64_C(0x123456789A)};
  for (int i = 0; i < 10; i++)
    CHECK(record.values[i] == expected[i]);
  arguments[4] = tile_argument_i64(-47);
  EXPECT(tile_launch(tile_module_kernel_at(module, 0), adder_grid, NULL, arguments, 10),
         TILE_INVALID_ARGUMENT, "argument 4 (''): -47 is not divisible by 48");
  arguments[4] = tile_argument_i64(0);
  arguments[2] = tile_argument_i16(4);
  EXPECT(tile_launch(tile_module_kernel_at(module, 0), adder_grid, NULL, arguments, 10),
         TILE_INVALID_ARGUMENT, "4 is not divisible by 3");
  tile_module_unload(module);
  tile_device_close(device);
}

/* --- The emulator ----------------------------------------------------------------------------- */

static void count_hazards(void *context, const char *kernel, const tile_emulator_report *report) {
  (void)kernel;
  *(size_t *)context += tile_emulator_report_count(report);
}

/* A launch that runs past a buffer fails, the report goes to the handler with the parameter's name
   in it, and the device goes on. */
static void emulator_reports_hazards(void) {
  size_t hazards = 0;
  tile_device *device = NULL;
  FINE(tile_emulator_device_create(
      &(tile_emulator_device_options){
          .seed = 3, .check = true, .on_report = count_hazards, .context = &hazards},
      &device));
  struct adder a = adder_on(device, &emulator);
  tile_buffer *small = make_buffer(device, 4000);
  a.arguments[2] = tile_argument_buffer(small);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_HAZARD, "buffer 'out'");
  CHECK(hazards > 0);
  a.arguments[2] = tile_argument_buffer(a.out);
  hazards = 0;
  adder_works(&a, &emulator);
  CHECK_EQUAL(hazards, 0);
  tile_buffer_destroy(small);
  adder_close(&a);
}

/* What is accessed through an argument that points into no buffer: the report names the argument.
 */
static void emulator_names_pointers_into_nothing(void) {
  static float host[98432];
  char of_host[160];
  tile_device *device = open_device(&emulator);
  struct adder a = adder_on(device, &emulator);
  a.arguments[2] = tile_argument_address(0);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_HAZARD,
         "belongs to no buffer; a null pointer was passed for out");
  a.arguments[0] = tile_argument_address(0);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_HAZARD,
         "belongs to no buffer; a null pointer was passed for x, out");
  uint64_t address = ((uint64_t)(uintptr_t)host + 15) / 16 * 16;
  snprintf(of_host, sizeof of_host,
           "belongs to no buffer; 'x' is 0x%" PRIx64
           ", which is in no buffer of the device: create one, or",
           address);
  a.arguments[0] = tile_argument_address(address);
  a.arguments[2] = tile_argument_buffer(a.out);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_HAZARD, of_host);
  a.arguments[0] = tile_argument_buffer(a.x);
  adder_works(&a, &emulator);
  adder_close(&a);
}

static void emulator_refuses_ptx(void) {
  tile_device *device = open_device(&emulator);
  tile_module *module = NULL;
  EXPECT(load_plain(device, &module), TILE_WRONG_TARGET,
         "is compiled for sm_80, not for the emulator; compile it");
  tile_device_close(device);
}

/* --- Compiled kernels ------------------------------------------------------------------------- */

/* Numbers that no enum has, and NULL where something is needed. */
static void arguments_that_are_none(void) {
  static const char text[] = "func.func @k() attributes {tile.kernel} { return }\n";
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  tile_blob blob;
  tile_image *image = NULL;
  FINE(tile_compiler_create(&compiler));
  EXPECT(tile_compile(compiler, "k", text, sizeof text - 1, &options, (tile_output)4, &blob),
         TILE_INVALID_ARGUMENT, "no output 4");
  EXPECT(tile_compile(compiler, "k", NULL, 5, &options, TILE_OUTPUT_PTX, &blob),
         TILE_INVALID_ARGUMENT, "text is NULL");
  EXPECT(tile_compile(compiler, "k", text, sizeof text - 1, NULL, TILE_OUTPUT_PTX, &blob),
         TILE_INVALID_ARGUMENT, "options is NULL");
  EXPECT(tile_compile_kernels(compiler, "k", text, sizeof text - 1, &options, (tile_image_format)-1,
                              &image),
         TILE_INVALID_ARGUMENT, "no image format -1");
  options.fewer_warps = (tile_choice)3;
  EXPECT(tile_compile(compiler, "k", text, sizeof text - 1, &options, TILE_OUTPUT_PTX, &blob),
         TILE_INVALID_ARGUMENT, "tile_choice, not 3");
  tile_import_options import = {.constant_count = 1};
  EXPECT(tile_import_triton(compiler, "k", text, 1, &import, &blob), TILE_INVALID_ARGUMENT,
         "constants has no string 0");
  EXPECT(tile_image_parse("k", NULL, 4, &image), TILE_INVALID_ARGUMENT, "bytes is NULL");
  EXPECT(tile_device_open(NULL, 0, NULL), TILE_INVALID_ARGUMENT, "driver is NULL");
  EXPECT(tile_launch(NULL, NULL, NULL, NULL, 0), TILE_INVALID_ARGUMENT, "kernel is NULL");
  EXPECT(tile_emulator_launch(NULL, "k", NULL, NULL), TILE_INVALID_ARGUMENT, "program is NULL");
  CHECK_TEXT(tile_argument_kind_name((tile_argument_kind)-1), "an unknown kind");
  CHECK(tile_code_name((tile_code)99) && tile_emulator_hazard_name((tile_emulator_hazard_kind)99));
  tile_device *device = open_device(&null);
  tile_buffer *buffer = make_buffer(device, 16);
  EXPECT(tile_buffer_write(buffer, 0, NULL, 16, NULL), TILE_INVALID_ARGUMENT, "from is NULL");
  EXPECT(tile_do_bench(device, NULL, NULL, NULL, &(tile_bench_result){0}), TILE_INVALID_ARGUMENT,
         "function is NULL");
  tile_buffer_destroy(buffer);
  tile_device_close(device);
  tile_compiler_destroy(compiler);
}

/* A kernel that cannot have its name in PTX is launched by it all the same. */
static void kernels_with_other_symbols(void) {
  static const char text[] = "func.func @\"caf\xC3\xA9\"() attributes {tile.kernel} { return }\n";
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  tile_image *image = NULL;
  FINE(tile_compiler_create(&compiler));
  for (tile_image_format format = TILE_IMAGE_PTX; format <= TILE_IMAGE_EMULATOR; format += 2) {
    FINE(tile_compile_kernels(compiler, "k", text, sizeof text - 1, &options, format, &image));
    CHECK_TEXT(image->kernels[0].name, "caf\xC3\xA9");
    tile_device *device = open_device(format == TILE_IMAGE_PTX ? &null : &emulator);
    tile_module *module = NULL;
    tile_kernel *kernel = NULL;
    FINE(tile_module_load(device, image, &module));
    FINE(tile_module_kernel(module, "caf\xC3\xA9", &kernel));
    FINE(tile_launch(kernel, adder_grid, NULL, NULL, 0));
    tile_module_unload(module);
    tile_device_close(device);
    tile_image_free(image);
  }
  tile_compiler_destroy(compiler);
}

/* The metadata says what the lowering decided. */
static void metadata_of_shared_memory(void) {
  struct text source = {0};
  tile_compiler *compiler = NULL;
  tile_image *image = NULL;
  tile_compile_options options = tile_compile_options_default();
  FINE(file_read(TILE_SOURCE_DIRECTORY "/test/kernels/elementwise.mlir", &source));
  FINE(tile_compiler_create(&compiler));
  FINE(tile_compile_kernels(compiler, "elementwise.mlir", source.data, source.length, &options,
                            TILE_IMAGE_PTX, &image));
  bool found = false;
  for (size_t i = 0; image && i < image->kernel_count; i++)
    found |= image->kernels[i].versions->shared_bytes > 0;
  CHECK(found);
  tile_image_free(image);
  tile_compiler_destroy(compiler);
  text_free(&source);
}

/* The null device has one multiprocessor, with room for six blocks. They stand along x. */
static void null_takes_programs_in_turn(void) {
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  struct null_record record;
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.resident_blocks = 6;
  FINE(plain_load(&plain, device, &module));
  static const uint32_t grids[][4] = {{7, 1, 1, 6}, {3, 2, 1, 6}, {5, 1, 1, 5},
                                      {1, 2, 2, 4}, {7, 2, 5, 6}, {0x40000000, 1, 1, 6}};
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    FINE(tile_launch(tile_module_kernel_at(module, 0), grids[i], NULL, NULL, 0));
    null_device_record(device, &record);
    CHECK_EQUAL(record.grid[0], grids[i][3]);
    CHECK_EQUAL(record.grid[1], 1);
    CHECK_EQUAL(record.grid[2], 1);
    for (size_t k = 0; k < 3; k++)
      CHECK_EQUAL(record.values[k], grids[i][k]);
  }
  EXPECT(tile_launch(tile_module_kernel_at(module, 0), (const uint32_t[3]){0x10000001, 2, 2}, NULL,
                     NULL, 0),
         TILE_INVALID_ARGUMENT, "(1) needs at most 1073741824 programs, are 1073741828");
  tile_module_unload(module);
  tile_device_close(device);
}

/* Of a launch of so many programs: its blocks, and whether they may share the last ones. */
static uint64_t expect_sharing(tile_device *device, tile_module *module, tile_stream *stream,
                               uint32_t programs, uint32_t blocks, bool shares) {
  struct null_record record;
  FINE(tile_launch(tile_module_kernel_at(module, 0), (const uint32_t[3]){programs, 1, 1}, stream,
                   NULL, 0));
  null_device_record(device, &record);
  CHECK_EQUAL(record.grid[0], blocks);
  CHECK_EQUAL(record.values[0], programs);
  CHECK_EQUAL(record.values[3] != 0, shares);
  return record.values[3];
}

/* Six blocks fit. They may share what is left over, in memory of the stream, whose first numbers
   are zero, one for each block. */
static void null_shares_programs(void) {
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.resident_blocks = 6;
  plain.version.part_bytes = 1024;
  FINE(plain_load(&plain, device, &module));
  static const struct {
    uint32_t programs, blocks;
    bool shares;
  } rows[] = {{7, 6, true}, {9, 6, true}, {10, 6, true}, {12, 6, false},    {6, 6, false},
              {5, 6, true}, {3, 6, true}, {1, 6, true},  {1000003, 6, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_sharing(device, module, NULL, rows[i].programs, rows[i].blocks, rows[i].shares);
  uint64_t first = expect_sharing(device, module, NULL, 7, 6, true);
  CHECK_EQUAL(first % 16, 0);
  for (size_t i = 0; i < TILE_PART_COUNTERS; i++)
    CHECK_EQUAL(((const uint32_t *)(uintptr_t)first)[i], 0);
  tile_module_unload(module);
  plain.version.resident_blocks = 20; /* eight parts of a program at most */
  FINE(plain_load(&plain, device, &module));
  expect_sharing(device, module, NULL, 1, 8, true);
  tile_module_unload(module);
  plain.version.resident_blocks = TILE_PART_COUNTERS + 1;
  FINE(plain_load(&plain, device, &module));
  expect_sharing(device, module, NULL, TILE_PART_COUNTERS, TILE_PART_COUNTERS, false);
  tile_module_unload(module);
  plain.version.resident_blocks = 20;
  plain.version.part_bytes = 1 << 19; /* more than there was memory for */
  FINE(plain_load(&plain, device, &module));
  CHECK(expect_sharing(device, module, NULL, 21, 20, true) != first);
  tile_module_unload(module);
  tile_device_close(device);
}

/* An even number of blocks, whether there are fewer programs than room or more. */
static void blocks_form_clusters(void) {
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  struct null_record record;
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.resident_blocks = 7;
  plain.version.cluster_blocks = 2;
  FINE(plain_load(&plain, device, &module));
  static const uint32_t rows[][2] = {{1, 2}, {2, 2}, {3, 4}, {6, 6}, {7, 6}, {1000, 6}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    FINE(tile_launch(tile_module_kernel_at(module, 0), (const uint32_t[3]){rows[i][0], 1, 1}, NULL,
                     NULL, 0));
    null_device_record(device, &record);
    CHECK_EQUAL(record.grid[0], rows[i][1]);
    CHECK_EQUAL(record.values[0], rows[i][0]);
  }
  tile_module_unload(module);
  plain.version.part_bytes = 1024;
  FINE(plain_load(&plain, device, &module));
  expect_sharing(device, module, NULL, 7, 6, true);
  expect_sharing(device, module, NULL, 5, 6, true);
  expect_sharing(device, module, NULL, 3, 6, true);
  tile_module_unload(module);
  plain.version.resident_blocks = 1; /* no room for two */
  FINE(plain_load(&plain, device, &module));
  expect_sharing(device, module, NULL, 5, 2, true);
  tile_module_unload(module);
  tile_device_close(device);
}

/* Launches that may run beside one another never have the same memory. */
static void streams_share_nothing(void) {
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  tile_stream *a, *b, *foreign, *wrapped;
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.resident_blocks = 6;
  plain.version.part_bytes = 1024;
  FINE(plain_load(&plain, device, &module));
  FINE(tile_stream_create(device, &a));
  FINE(tile_stream_create(device, &b));
  FINE(tile_stream_wrap(device, NULL, &wrapped));
  FINE(tile_stream_wrap(device, &module, &foreign));
  uint64_t of_default = expect_sharing(device, module, NULL, 7, 6, true),
           of_a = expect_sharing(device, module, a, 7, 6, true),
           of_b = expect_sharing(device, module, b, 7, 6, true);
  CHECK(of_a != of_b && of_a != of_default && of_b != of_default);
  CHECK_EQUAL(expect_sharing(device, module, a, 9, 6, true), of_a);
  CHECK_EQUAL(expect_sharing(device, module, wrapped, 7, 6, true), of_default);
  expect_sharing(device, module, foreign, 7, 6, false);
  tile_stream_destroy(a);
  tile_stream_destroy(b);
  tile_stream_destroy(wrapped);
  tile_stream_destroy(foreign);
  struct null_record record;
  tile_kernel *kernel = tile_module_kernel_at(module, 0);
  FINE(tile_launch_with(kernel, (const uint32_t[3]){7, 1, 1}, NULL, NULL, 0,
                        &(tile_launch_options){.programmatic = true}));
  null_device_record(device, &record);
  CHECK_EQUAL(record.values[3], 0);
  tile_module_unload(module);
  plain.version.part_bytes = 1 << 19;
  plain.version.resident_blocks = 60;
  FINE(plain_load(&plain, device, &module));
  tile_buffer *rest = NULL;
  uint64_t free_bytes;
  FINE(tile_device_free_memory(device, &free_bytes));
  FINE(tile_buffer_create(device, free_bytes - 4096, &rest));
  expect_sharing(device, module, NULL, 61, 60, false);
  tile_buffer_destroy(rest);
  expect_sharing(device, module, NULL, 61, 60, true);
  tile_module_unload(module);
  tile_device_close(device);
}

/* Warps and programs of a kernel of scalars for which eight warps are asked. */
static void expect_block(const struct subject *subject, tile_choice fewer, uint32_t warps,
                         uint32_t programs) {
  static const char text[] = "func.func @k(%p: !tile.ptr<i32>) attributes {tile.kernel} {\n"
                             "  %x = \"tile.program_id\"() {axis = 0 : i32} : () -> i32\n"
                             "  \"tile.store\"(%p, %x) {operandSegmentSizes = array<i32: 1, 1, 0>} "
                             ": (!tile.ptr<i32>, i32) -> ()\n"
                             "  return\n}\n";
  tile_compiler *compiler = NULL;
  tile_device *device = open_device(subject);
  tile_module *module = NULL;
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = 8;
  options.fewer_warps = fewer;
  FINE(tile_compiler_create(&compiler));
  FINE(tile_compile_for_device(compiler, "k.mlir", text, strlen(text), &options, device, &module));
  const tile_kernel_version *info =
      tile_kernel_get_info(tile_module_kernel_at(module, 0))->versions;
  CHECK_EQUAL(info->num_warps, warps);
  CHECK_EQUAL(info->programs_per_block, programs);
  CHECK_EQUAL(info->threads, 32 * warps * programs);
  tile_module_unload(module);
  tile_compiler_destroy(compiler);
  tile_device_close(device);
}

/* A device that takes PTX gets warps and blocks that suit the kernel, the emulator what was asked
   for. */
static void blocks_by_device(void) {
  expect_block(&null, TILE_CHOICE_DEFAULT, 1, 4);
  expect_block(&null, TILE_CHOICE_NO, 8, 1);
  expect_block(&emulator, TILE_CHOICE_DEFAULT, 8, 1);
  expect_block(&emulator, TILE_CHOICE_YES, 1, 1);
}

int main(int argc, char **argv) {
  static const struct test_row rows[] = {
      CONFORMANCE_TESTS(ROW, null)
          CONFORMANCE_TESTS(ROW, emulator){"version is the headers'", version_is_the_headers},
      {"null records launches", null_records_launches},
      {"null packs programs", null_packs_programs},
      {"null shares programs", null_shares_programs},
      {"blocks form clusters", blocks_form_clusters},
      {"streams share nothing", streams_share_nothing},
      {"null takes programs in turn", null_takes_programs_in_turn},
      {"null chooses versions", null_chooses_versions},
      {"null receives every kind", null_receives_every_kind},
      {"options by name", options_by_name},
      {"emulator reports hazards", emulator_reports_hazards},
      {"emulator names pointers into nothing", emulator_names_pointers_into_nothing},
      {"emulator refuses PTX", emulator_refuses_ptx},
      {"arguments that are none", arguments_that_are_none},
      {"kernels with other symbols", kernels_with_other_symbols},
      {"metadata of shared memory", metadata_of_shared_memory},
      {"blocks by device", blocks_by_device},
      CONFORMANCE_TESTS(ROW, cuda)};
  size_t count = sizeof rows / sizeof *rows;
  int devices;
  tile_status status = tile_driver_device_count(tile_cuda_driver(), &devices);
  if (status) {
    printf("skipped: cuda: %s\n", tile_status_message(status));
    tile_status_free(status);
    while (strncmp(rows[count - 1].name, "cuda: ", 6) == 0)
      count--;
  }
  return run_tests_(argc, argv, rows, count);
}
