/* The conformance suite on the null driver, on the emulator, and on CUDA where a device is present;
   and what is particular to each. The CUDA driver without a GPU: runtime_cuda_test.c. */
#include "runtime_conformance.h"
#include "runtime_plain_kernel.h"

#include <unistd.h>
#include "base/files.h"
#include "runtime/metadata.h"
#include "runtime/null/null.h"
#include "tile/compiler.h"
#include "tile/version.h"

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

/* --- Versions ---------------------------------------------------------------------------------- */

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

/* --- The null driver ----------------------------------------------------------------------------
 */

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
  tile_kernel_info info = {.name = "k", .target = "", .ptx_isa = "", .num_warps = 1, .threads = 128, .programs_per_block = 4};
  tile_image image = {.format = TILE_IMAGE_PTX, .data = ".version .entry k(", .size = 18, .kernels = &info, .kernel_count = 1};
  FINE(tile_module_load(device, &image, &module));
  FINE(tile_launch(tile_module_kernel_at(module, 0), (const uint32_t[3]){7, 2, 3}, NULL, NULL, 0));
  null_device_record(device, &record);
  CHECK_EQUAL(record.grid[0], 2);
  CHECK_EQUAL(record.grid[1], 2);
  CHECK_EQUAL(record.grid[2], 3);
  CHECK_EQUAL(record.values[0], 7);
  tile_module_unload(module);
  info.threads = 126;
  EXPECT(tile_module_load(device, &image, &module), TILE_INVALID_ARGUMENT, "do not hold 4 programs");
  tile_device_close(device);
}

/* Blocks of all axes together decide; a device without room for the second version does without it. */
static void null_chooses_versions(void) {
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  struct null_record record;
  tile_kernel_info info = {.name = "k",
                           .target = "",
                           .ptx_isa = "",
                           .num_warps = 4,
                           .threads = 128,
                           .shared_bytes = 1000,
                           .small_grid = {.name = "k$small", .shared_bytes = 2000, .blocks = 6}};
  static const char text[] = ".version .entry k( .entry k$small(";
  tile_image image = {.format = TILE_IMAGE_PTX, .data = text, .size = sizeof text - 1, .kernels = &info, .kernel_count = 1};
  static const struct {
    uint32_t grid[3];
    const char *kernel;
  } launches[] = {{{1, 1, 1}, "k$small"}, {{1, 3, 2}, "k$small"}, {{7, 1, 1}, "k"}, {{2, 2, 2}, "k"}};
  CHECK_EQUAL(tile_device_get_properties(device)->multiprocessors, 1);
  FINE(tile_module_load(device, &image, &module));
  CHECK_EQUAL(tile_module_kernel_count(module), 1);
  for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
    FINE(tile_launch(tile_module_kernel_at(module, 0), launches[i].grid, NULL, NULL, 0));
    null_device_record(device, &record);
    CHECK_TEXT(record.kernel, launches[i].kernel);
  }
  tile_module_unload(module);
  info.small_grid.shared_bytes = tile_device_get_properties(device)->shared_bytes + 1;
  FINE(tile_module_load(device, &image, &module));
  FINE(tile_launch(tile_module_kernel_at(module, 0), launches[0].grid, NULL, NULL, 0));
  null_device_record(device, &record);
  CHECK_TEXT(record.kernel, "k");
  tile_module_unload(module);
  info.small_grid = (tile_small_grid){.name = "missing", .shared_bytes = 2000, .blocks = 6};
  EXPECT(tile_module_load(device, &image, &module), TILE_BAD_IMAGE, "no kernel 'missing'");
  tile_device_close(device);
}

/* Each kind arrives in its size, whatever lies behind it. */
static void null_receives_every_kind(void) {
  static const tile_parameter parameters[] = {
      {"", "i1", TILE_ARGUMENT_I1, 1},     {"", "i8", TILE_ARGUMENT_I8, 2},
      {"", "i16", TILE_ARGUMENT_I16, 3},   {"", "i32", TILE_ARGUMENT_I32, 1},
      {"", "i64", TILE_ARGUMENT_I64, 48},  {"", "f16", TILE_ARGUMENT_F16, 1},
      {"", "bf16", TILE_ARGUMENT_BF16, 1}, {"", "f32", TILE_ARGUMENT_F32, 1},
      {"", "f64", TILE_ARGUMENT_F64, 1},   {"", "f64", TILE_ARGUMENT_POINTER, 1}};
  tile_kernel_info info = {.name = "k",
                           .target = "",
                           .ptx_isa = "",
                           .num_warps = 32,
                           .threads = 1024,
                           .parameters = parameters,
                           .parameter_count = 10};
  tile_image image = {.format = TILE_IMAGE_PTX,
                      .data = ".version .entry k(",
                      .size = 18,
                      .kernels = &info,
                      .kernel_count = 1};
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  FINE(tile_module_load(device, &image, &module));
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

/* --- The emulator -------------------------------------------------------------------------------
 */

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

static void emulator_refuses_ptx(void) {
  tile_device *device = open_device(&emulator);
  tile_module *module = NULL;
  EXPECT(load_plain(device, &module), TILE_BAD_IMAGE, "does not take PTX; compile for this device");
  tile_device_close(device);
}

/* --- Images -------------------------------------------------------------------------------------
 */

static tile_status compile(tile_image_format format, tile_image **out) {
  static const char text[] =
      "func.func @first(%p: !tile.ptr<f16> {tile.name = \"a b%\\n\"}, %n: i1, %f: f64) "
      "attributes {tile.kernel} { return }\n"
      "func.func @second() attributes {tile.kernel} { return }\n";
  tile_compiler *compiler = NULL;
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = 8;
  options.target = "sm_80";
  FINE(tile_compiler_create(&compiler));
  tile_status status =
      tile_compile_kernels(compiler, "two.mlir", text, strlen(text), &options, format, out);
  tile_compiler_destroy(compiler);
  return status;
}

static void check_two_kernels(const tile_image *image) {
  CHECK_EQUAL(image->kernel_count, 2);
  const tile_kernel_info *first = &image->kernels[0], *second = &image->kernels[1];
  CHECK_TEXT(first->name, "first");
  CHECK_TEXT(first->target, "sm_80");
  CHECK_TEXT(first->ptx_isa, "8.0");
  CHECK_EQUAL(first->minimum_driver, 12000);
  CHECK_EQUAL(first->threads, 256);
  CHECK_EQUAL(first->parameter_count, 3);
  CHECK_TEXT(first->parameters[0].name, "a b%\n");
  CHECK_TEXT(first->parameters[0].type, "f16");
  CHECK_EQUAL(first->parameters[0].divisibility, 1);
  CHECK_EQUAL(first->parameters[1].kind, TILE_ARGUMENT_I1);
  CHECK_TEXT(first->parameters[1].name, "");
  CHECK_EQUAL(first->parameters[2].kind, TILE_ARGUMENT_F64);
  CHECK_TEXT(second->name, "second");
  CHECK_EQUAL(second->parameter_count, 0);
}

/* Written and read back, an image is the same; and it loads on a device. */
static void images_survive_a_file(void) {
  tile_image *image = NULL, *again = NULL;
  FINE(compile(TILE_IMAGE_PTX, &image));
  if (!image)
    return;
  check_two_kernels(image);
  char path[] = "/tmp/tile-image-XXXXXX";
  int descriptor = mkstemp(path);
  CHECK(descriptor >= 0);
  FINE(tile_image_write(image, path));
  FINE(tile_image_read(path, &again));
  CHECK_EQUAL(again->format, TILE_IMAGE_PTX);
  CHECK(again->size == image->size && memcmp(again->data, image->data, image->size) == 0);
  check_two_kernels(again);
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  FINE(tile_module_load(device, again, &module));
  tile_image_free(again);
  CHECK_TEXT(tile_kernel_get_info(tile_module_kernel_at(module, 0))->parameters[0].name, "a b%\n");
  tile_module_unload(module);
  tile_device_close(device);
  tile_image_free(image);
  remove(path);
  close(descriptor);
}

/* One image for the emulator serves several devices and outlives none of its modules. */
static void emulator_images(void) {
  tile_image *image = NULL;
  FINE(compile(TILE_IMAGE_EMULATOR, &image));
  if (!image)
    return;
  tile_device *one = open_device(&emulator), *two = open_device(&emulator);
  tile_module *first = NULL, *second = NULL;
  EXPECT(tile_image_write(image, "/dev/null"), TILE_UNSUPPORTED, "lives in memory");
  FINE(tile_module_load(one, image, &first));
  FINE(tile_module_load(two, image, &second));
  tile_image_free(image);
  FINE(tile_launch(tile_module_kernel_at(first, 1), adder_grid, NULL, NULL, 0));
  tile_module_unload(first);
  FINE(tile_launch(tile_module_kernel_at(second, 1), adder_grid, NULL, NULL, 0));
  tile_module_unload(second);
  tile_device_close(one);
  tile_device_close(two);
}

#define META                                                                                       \
  "// tile.metadata 4\n"                                                                           \
  "// tile.kernel name=k target=sm_80 isa=8.0 driver=12000 warps=4 threads=128 shared=0 programs=1\n"
static const struct {
  const char *text, *words;
} broken_images[] = {
    {"", "neither PTX nor a cubin"},
    {"hello", "neither PTX nor a cubin"},
    {META, "neither PTX nor a cubin"},
    {".version 8.0\n", "has no metadata"},
    {"\x7F"
     "ELF and so on",
     "has no metadata"},
    {".version\n// tile.metadata 3\n", "version"},
    {".version\n// tile.metadata 4\n// tile.small-grid name=x shared=1 blocks=1\n", "version of no kernel"},
    {".version\n" META "// tile.small-grid name=x shared=1\n", "lacks a number"},
    {".version\n" META "// tile.argument name=x kind=i32 type=i32\n", "line 3"},
    {".version\n" META "// tile.argument name=x kind=i33 type=i32 divisibility=1\n",
     "unknown kind"},
    {".version\n" META "// tile.argument name=x kind=i32 type=i32 divisibility=0\n", "by 0"},
    {".version\n" META "// tile.argument name=x kind=i32 type=i32 divisibility=1x\n", "number"},
    {".version\n" META "// tile.argument name=x kind=i32 type=i32 divisibility=99999999999\n",
     "number"},
    {".version\n" META "// tile.argument kind=i32 type=i32 divisibility=1\n", "lacks"},
    {".version\n" META "// tile.argument name=%4 kind=i32 type=i32 divisibility=1\n", "escape"},
    {".version\n" META "// tile.argument name=%00 kind=i32 type=i32 divisibility=1\n", "escape"},
    {".version\n" META "// tile.argument name=%ZZ kind=i32 type=i32 divisibility=1\n", "escape"},
    {".version\n" META "int main() {}\n", "is not known: 'int main() {}'"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k target=sm_80 isa=8.0 driver=12000 warps=4 threads=0 shared=0 programs=1\n",
     "32 threads for each warp"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k target=sm_80 isa=8.0 driver=12000 warps=4 threads=4096 shared=0 programs=1\n",
     "32 threads for each warp"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k target=sm_80 isa=8.0 driver=12000 warps=3 threads=96 shared=0 programs=1\n",
     "a power of two from 1 to 32"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k target=sm_80 isa=8.0 driver=12000 warps=4 threads=128 shared=0 programs=0\n",
     "programs in a block"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k target=sm_80 isa=8.0 driver=12000 warps=4 threads=128 shared=999999999 programs=1\n",
     "shared memory"},
    {".version\n// tile.metadata 4\n// tile.kernel name= target=sm_80 isa=8.0 driver=12000 warps=4 threads=128 shared=0 programs=1\n",
     "has no name"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k name=l target=sm_80 isa=8.0 driver=12000 warps=4 threads=128 shared=0 programs=1\n",
     "has a word twice"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k target=sm_80 isa=8.0 driver=12000 warps=4 warps=8 threads=128 shared=0 programs=1\n",
     "has a word twice"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k symbol= target=sm_80 isa=8.0 driver=12000 warps=4 threads=128 shared=0 programs=1\n",
     "has no name"},
    {".version\n" META "// tile.kernel name=k target=sm_80 isa=8.0 driver=12000 warps=4 threads=128 shared=0 programs=1\n",
     "another kernel has its name"},
    {".version\n" META "// tile.argument name=x kind=i32 type=f32 divisibility=1\n", "has kind i32 and type f32"},
    {".version\n" META "// tile.small-grid name=x shared=1 blocks=0\n", "is for no block"},
    {".version\n// tile.metadata 4\n// tile.argument name=x kind=i32 type=i32 divisibility=1\n",
     "argument of no kernel"},
    {".version\n// tile.metadata 4\n// tile.kernel name=k\n", "lacks"}};

/* `text`, whose metadata begin at the last "// tile.metadata", with the closing line. */
static struct text close_metadata(const char *text, size_t length) {
  static const char opening[] = "// tile.metadata";
  struct text file = {0};
  text_append(&file, text, length);
  for (size_t at = length; at-- > 0;)
    if (strncmp(text_string(&file) + at, opening, sizeof opening - 1) == 0) {
      metadata_close(&file, at);
      break;
    }
  return file;
}

/* Parses a copy that ends where AddressSanitizer sees it. */
static tile_status parse_copy(const char *bytes, size_t size, tile_image **out) {
  char *copy = malloc(size ? size : 1);
  memcpy(copy, bytes, size);
  tile_status status = tile_image_parse("k.ptx", copy, size, out);
  free(copy);
  return status;
}

static void broken_metadata(void) {
  tile_image *image = NULL;
  for (size_t i = 0; i < sizeof broken_images / sizeof *broken_images; i++) {
    struct text file = close_metadata(broken_images[i].text, strlen(broken_images[i].text));
    EXPECT(parse_copy(text_string(&file), file.length, &image), TILE_BAD_IMAGE, broken_images[i].words);
    text_free(&file);
  }
  static const char meta[] = ".version\n" META;
  EXPECT(parse_copy(meta, sizeof meta - 1, &image), TILE_BAD_IMAGE, "cut off");
  static const char old[] = ".version\n// tile.metadata 3\n// tile.end\n";
  EXPECT(parse_copy(old, sizeof old - 1, &image), TILE_BAD_IMAGE, "metadata of another version");
  EXPECT(tile_image_read("/nowhere/k.ptx", &image), TILE_NOT_FOUND, "/nowhere/k.ptx");
  CHECK(!image);
}

/* Every prefix of a right image, and every byte of it changed, is an error; with other code before it is an image. */
static void cut_off_images(void) {
  static const char text[] =
      ".version\n" META
      "// tile.small-grid name=x shared=1 blocks=1\n"
      "// tile.argument name=%41b kind=pointer type=f32 divisibility=16 later=1\n";
  struct text file = close_metadata(text, sizeof text - 1);
  tile_image *image = NULL;
  FINE(parse_copy(file.data, file.length, &image));
  if (image)
    CHECK_TEXT(image->kernels[0].parameters[0].name, "Ab");
  tile_image_free(image);
  for (size_t length = 0; length < file.length; length++) {
    image = NULL;
    tile_status status = parse_copy(file.data, length, &image);
    CHECK(!status == (length + 1 == file.length)); /* only the last line's end may be missing */
    tile_image_free(image);
    tile_status_free(status);
  }
  for (size_t at = sizeof ".version"; at < file.length - 1; at++) {
    image = NULL;
    file.data[at] ^= 1;
    tile_status status = parse_copy(file.data, file.length, &image);
    file.data[at] ^= 1;
    if (!status)
      printf("byte %zu of %s\n", at, file.data);
    CHECK(status && !image);
    tile_image_free(image);
    tile_status_free(status);
  }
  text_free(&file);
}

/* Any bytes are read safely: the pieces that metadata consist of, in any order, with a closing line. */
static void random_images(void) {
  static const char *const pieces[] = {
      "// tile.metadata 4\n", "// tile.metadata ", "// tile.kernel", "// tile.argument", "// tile.small-grid",
      " name=", " name=k", " kind=i32", " type=i32", " divisibility=4", " bytes=", " bytes=99", " check=", " shared=0",
      " blocks=1", " warps=4", " threads=128", " programs=1", " driver=0", " isa=", " target=sm_80", "\n", "%41", "%", "4",
      "// tile.end", ".version", "\177ELF", " symbol=x"};
  uint32_t seed = 1;
  for (int run = 0; run < 20000; run++) {
    struct text text = {0};
    for (uint32_t i = 0, count = run % 40; i < count; i++) {
      seed = seed * 1664525 + 1013904223;
      text_puts(&text, pieces[(seed >> 8) % (sizeof pieces / sizeof *pieces)]);
    }
    struct text file = run & 1 ? close_metadata(text_string(&text), text.length) : text;
    tile_image *image = NULL;
    tile_status status = parse_copy(text_string(&file), file.length, &image);
    CHECK(!status == !!image);
    tile_image_free(image);
    tile_status_free(status);
    if (run & 1)
      text_free(&file);
    text_free(&text);
  }
}

/* A cubin is an ELF file, which ends in any byte. */
static void cubins_survive_a_file(void) {
  static const char elf[] = "\x7F" "ELF with zeros\0\0and // tile.metadata 4\n in it\0";
  tile_image *image = NULL, *again = NULL;
  FINE(compile(TILE_IMAGE_PTX, &image));
  if (!image)
    return;
  tile_image cubin = *image;
  cubin.format = TILE_IMAGE_CUBIN;
  cubin.data = elf;
  cubin.size = sizeof elf;
  char path[] = "/tmp/tile-image-XXXXXX";
  int descriptor = mkstemp(path);
  FINE(tile_image_write(&cubin, path));
  FINE(tile_image_read(path, &again));
  if (again) {
    CHECK_EQUAL(again->format, TILE_IMAGE_CUBIN);
    CHECK(again->size == sizeof elf && memcmp(again->data, elf, sizeof elf) == 0);
    check_two_kernels(again);
  }
  tile_image_free(again);
  tile_image_free(image);
  remove(path);
  close(descriptor);
}

/* Nothing is written that would not be read again. */
static void images_filled_in_by_hand(void) {
  tile_parameter parameter = {.name = "p", .type = "i32", .kind = TILE_ARGUMENT_I32, .divisibility = 1};
  tile_kernel_info info = {.name = "k", .target = "sm_80", .ptx_isa = "8.0", .num_warps = 4, .threads = 128,
                           .programs_per_block = 1, .parameters = &parameter, .parameter_count = 1};
  tile_image image = {.format = TILE_IMAGE_PTX, .data = ".version", .size = 8, .kernels = &info, .kernel_count = 1};
  char path[] = "/tmp/tile-image-XXXXXX";
  int descriptor = mkstemp(path);
  FINE(tile_image_write(&image, path));
  tile_image *again = NULL;
  FINE(tile_image_read(path, &again));
  tile_image_free(again);
  EXPECT(tile_image_write(NULL, path), TILE_INVALID_ARGUMENT, "tile_image_write: image is NULL");
  parameter.kind = (tile_argument_kind)77;
  EXPECT(tile_image_write(&image, path), TILE_INVALID_ARGUMENT, "parameter 0 is not filled in");
  parameter.kind = TILE_ARGUMENT_F32;
  EXPECT(tile_image_write(&image, path), TILE_BAD_IMAGE, "has kind f32 and type i32");
  parameter.kind = TILE_ARGUMENT_I32;
  info.threads = 4096;
  EXPECT(tile_image_write(&image, path), TILE_BAD_IMAGE, "32 threads for each warp");
  image.format = (tile_image_format)3;
  EXPECT(tile_image_write(&image, path), TILE_INVALID_ARGUMENT, "no image format 3");
  remove(path);
  close(descriptor);
}

/* Numbers that no enum has, and NULL where something is needed. */
static void arguments_that_are_none(void) {
  static const char text[] = "func.func @k() attributes {tile.kernel} { return }\n";
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  tile_blob blob;
  tile_image *image = NULL;
  FINE(tile_compiler_create(&compiler));
  EXPECT(tile_compile(compiler, "k", text, sizeof text - 1, &options, (tile_output)3, &blob), TILE_INVALID_ARGUMENT,
         "no output 3");
  EXPECT(tile_compile(compiler, "k", NULL, 5, &options, TILE_OUTPUT_PTX, &blob), TILE_INVALID_ARGUMENT, "text is NULL");
  EXPECT(tile_compile(compiler, "k", text, sizeof text - 1, NULL, TILE_OUTPUT_PTX, &blob), TILE_INVALID_ARGUMENT,
         "options is NULL");
  EXPECT(tile_compile_kernels(compiler, "k", text, sizeof text - 1, &options, (tile_image_format)-1, &image),
         TILE_INVALID_ARGUMENT, "no image format -1");
  options.fewer_warps = (tile_choice)3;
  EXPECT(tile_compile(compiler, "k", text, sizeof text - 1, &options, TILE_OUTPUT_PTX, &blob), TILE_INVALID_ARGUMENT,
         "tile_choice, not 3");
  tile_import_options import = {.constant_count = 1};
  EXPECT(tile_import_triton(compiler, "k", text, 1, &import, &blob), TILE_INVALID_ARGUMENT, "constants has no string 0");
  EXPECT(tile_image_parse("k", NULL, 4, &image), TILE_INVALID_ARGUMENT, "bytes is NULL");
  EXPECT(tile_device_open(NULL, 0, NULL), TILE_INVALID_ARGUMENT, "driver is NULL");
  EXPECT(tile_launch(NULL, NULL, NULL, NULL, 0), TILE_INVALID_ARGUMENT, "kernel is NULL");
  EXPECT(tile_emulator_launch(NULL, "k", NULL, NULL), TILE_INVALID_ARGUMENT, "program is NULL");
  CHECK_TEXT(tile_argument_kind_name((tile_argument_kind)-1), "an unknown kind");
  CHECK(tile_code_name((tile_code)99) && tile_emulator_hazard_name((tile_emulator_hazard_kind)99));
  tile_device *device = open_device(&null);
  tile_buffer *buffer = make_buffer(device, 16);
  EXPECT(tile_buffer_write(buffer, 0, NULL, 16, NULL), TILE_INVALID_ARGUMENT, "from is NULL");
  EXPECT(tile_do_bench(device, NULL, NULL, NULL, &(tile_bench_result){0}), TILE_INVALID_ARGUMENT, "function is NULL");
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
    found |= image->kernels[i].shared_bytes > 0;
  CHECK(found);
  tile_image_free(image);
  tile_compiler_destroy(compiler);
  text_free(&source);
}

/* Warps and programs of a kernel of scalars for which eight warps are asked. */
static void expect_block(const struct subject *subject, tile_choice fewer, uint32_t warps, uint32_t programs) {
  static const char text[] =
      "func.func @k(%p: !tile.ptr<i32>) attributes {tile.kernel} {\n"
      "  %x = \"tile.program_id\"() {axis = 0 : i32} : () -> i32\n"
      "  \"tile.store\"(%p, %x) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<i32>, i32) -> ()\n"
      "  return\n}\n";
  tile_compiler *compiler = NULL;
  tile_device *device = open_device(subject);
  tile_module *module = NULL;
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = 8;
  options.fewer_warps = fewer;
  FINE(tile_compiler_create(&compiler));
  FINE(tile_compile_for_device(compiler, "k.mlir", text, strlen(text), &options, device, &module));
  const tile_kernel_info *info = tile_kernel_get_info(tile_module_kernel_at(module, 0));
  CHECK_EQUAL(info->num_warps, warps);
  CHECK_EQUAL(info->programs_per_block, programs);
  CHECK_EQUAL(info->threads, 32 * warps * programs);
  tile_module_unload(module);
  tile_compiler_destroy(compiler);
  tile_device_close(device);
}

/* A device that takes PTX gets warps and blocks that suit the kernel, the emulator what was asked for. */
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
      {"null chooses versions", null_chooses_versions},
      {"null receives every kind", null_receives_every_kind},
      {"emulator reports hazards", emulator_reports_hazards},
      {"emulator refuses PTX", emulator_refuses_ptx},
      {"images survive a file", images_survive_a_file},
      {"emulator images", emulator_images},
      {"broken metadata", broken_metadata},
      {"cut off images", cut_off_images},
      {"random images", random_images},
      {"cubins survive a file", cubins_survive_a_file},
      {"images filled in by hand", images_filled_in_by_hand},
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
