/* SPDX-License-Identifier: MIT */
/* Images: written and read again, joined, damaged. */
#include "runtime_conformance.h"

#include <unistd.h>
#include "base/files.h"
#include "runtime/metadata.h"
#include "tile/compiler.h"
#include "tile/emulator_device.h"
#include "temporary.h"

static const struct subject null = {.name = "null", .driver = tile_null_driver, .load = load_plain};
static const struct subject emulator = {.name = "emulator", .driver = tile_emulator_driver};

/* --- Images ----------------------------------------------------------------------------------- */

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
  CHECK_EQUAL(image->section_count, 1);
  CHECK_TEXT(image->sections->target, "sm_80");
  CHECK_TEXT(image->sections->ptx_isa, "8.0");
  CHECK_EQUAL(image->sections->minimum_driver, 12000);
  CHECK_EQUAL(first->version_count, 1);
  CHECK_EQUAL(first->versions->threads, 256);
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
  char *path = temporary_file("image");
  FINE(tile_image_write(image, path));
  FINE(tile_image_read(path, &again));
  CHECK_EQUAL(again->sections->format, TILE_IMAGE_PTX);
  CHECK(again->sections->size == image->sections->size &&
        memcmp(again->sections->data, image->sections->data, image->sections->size) == 0);
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
  free(path);
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

#define OPEN "// tile.metadata 5\n"
#define SECTION "// tile.section format=ptx target=sm_80 isa=8.0 driver=12000\n"
#define VERSION "// tile.version section=0 symbol=k warps=4 threads=128 shared=0 programs=1\n"
#define ARGUMENT "// tile.argument name=x kind=i32 type=i32 divisibility=1\n"
#define BLOCK(words)                                                                               \
  OPEN SECTION "// tile.kernel name=k\n// tile.version section=0 symbol=k " words "\n"
#define META OPEN SECTION "// tile.kernel name=k\n" VERSION
static const struct {
  const char *text, *words;
} broken_images[] = {
    {"", "is empty"},
    {"hello", "neither PTX nor a cubin"},
    {META, "neither PTX nor a cubin"},
    {".version 8.0\n", "has no metadata"},
    {"\x7F"
     "ELF and so on",
     "has no metadata"},
    {".version\n// tile.metadata 4\n", "version"},
    {".version\n" OPEN VERSION, "version of no kernel"},
    {".version\n" OPEN SECTION "// tile.condition kind=absent argument=0\n",
     "condition of no version"},
    {".version\n" OPEN SECTION "// tile.kernel name=k\n// tile.constant name=B value=1\n",
     "constant of no version"},
    {".version\n" OPEN SECTION "// tile.kernel name=k\n", "it has no version"},
    {".version\n" OPEN "// tile.kernel name=k\n" VERSION, "names a section that there is not"},
    {".version\n" OPEN SECTION SECTION "// tile.kernel name=k\n" VERSION, "counts 2 sections"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 local=-1"), "local"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 spills=16777217"),
     "so much memory of its own"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 config=%0"), "broken escape"},
    {".version\n" OPEN, "counts 0 sections"},
    {".version\n" OPEN SECTION, "name no kernels"},
    {".version\n" OPEN
     "// tile.section format=ptx target= isa= driver=0 offset=0 bytes=9 check=0\n",
     "says so of a file that is no container"},
    {"\x7F"
     "ELF\n" OPEN "// tile.section format=cubin target= isa= driver=0 check=0\n",
     "section 0 is damaged"},
    {".version\n" OPEN "// tile.section format=cubin target= isa= driver=0\n",
     "is not the cubin that"},
    {".version\n" OPEN "// tile.section format=wasm target= isa= driver=0\n", "unknown kind"},
    {".version\n" META "// tile.condition kind=few-blocks\n", "lacks the word value="},
    {".version\n" META "// tile.condition kind=few-blocks value=0\n", "cannot be met"},
    {".version\n" META "// tile.condition kind=few-blocks value=9223372036854775808\n",
     "broken number"},
    {".version\n" META "// tile.condition kind=few-blocks value=-\n", "broken number"},
    {".version\n" META "// tile.condition kind=absent argument=0\n", "of no argument"},
    {".version\n" META ARGUMENT "// tile.condition kind=absent argument=0\n",
     "cannot be met: x absent"},
    {".version\n" META ARGUMENT "// tile.condition kind=equal argument=0 value=2147483648\n",
     "cannot be met: x = 2147483648"},
    {".version\n" META ARGUMENT "// tile.condition kind=divisible argument=0 value=12\n",
     "cannot be met: x divisible by 12"},
    {".version\n" META ARGUMENT "// tile.condition kind=like argument=0 value=12\n",
     "unknown kind"},
    {".version\n" META "// tile.argument name=x kind=i32 type=i32\n", "line 5"},
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
    {".version\n" META "// tile.argument name=x kind=i32 type=f32 divisibility=1\n",
     "has kind i32 and type f32"},
    {".version\n" META "int main() {}\n", "is not known: 'int main() {}'"},
    {".version\n" BLOCK("warps=4 threads=0 shared=0 programs=1"), "32 threads for each warp"},
    {".version\n" BLOCK("warps=4 threads=4096 shared=0 programs=1"), "32 threads for each warp"},
    {".version\n" BLOCK("warps=3 threads=96 shared=0 programs=1"), "a power of two from 1 to 32"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=3"), "programs in a block"},
    {".version\n" BLOCK("warps=4 threads=128 shared=999999999 programs=1"), "shared memory"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 resident=65"),
     "take programs in turn"},
    {".version\n" BLOCK("warps=1 threads=64 shared=0 programs=2 resident=1"),
     "take programs in turn"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 part=1024"), "parts of sums"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 resident=1 part=24"),
     "parts of sums"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 resident=1 part=1048576"),
     "parts of sums"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 cluster=1"), "2 to 8 blocks"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 cluster=9"), "2 to 8 blocks"},
    {".version\n" BLOCK("warps=1 threads=64 shared=0 programs=2 cluster=2"), "2 to 8 blocks"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0 programs=1 registers=256"),
     "so many registers"},
    {".version\n" BLOCK("warps=4 warps=8 threads=128 shared=0 programs=1"), "has a word twice"},
    {".version\n" BLOCK("warps=4 threads=128 shared=0"), "lacks the word programs="},
    {".version\n" OPEN SECTION "// tile.kernel name=\n" VERSION, "has no name"},
    {".version\n" OPEN SECTION "// tile.kernel name=k name=l\n" VERSION, "has a word twice"},
    {".version\n" OPEN SECTION "// tile.kernel name=k\n// tile.version section=0 symbol= warps=4 "
     "threads=128 shared=0 programs=1\n",
     "has no name"},
    {".version\n" META "// tile.kernel name=k\n" VERSION, "another kernel has its name"},
    {".version\n" OPEN ARGUMENT, "argument of no kernel"}};

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
    EXPECT(parse_copy(text_string(&file), file.length, &image), TILE_BAD_IMAGE,
           broken_images[i].words);
    text_free(&file);
  }
  static const char meta[] = ".version\n" META;
  EXPECT(parse_copy(meta, sizeof meta - 1, &image), TILE_BAD_IMAGE, "cut off");
  static const char old[] = ".version\n// tile.metadata 3\n// tile.end\n";
  EXPECT(parse_copy(old, sizeof old - 1, &image), TILE_BAD_IMAGE, "metadata of another version");
  EXPECT(tile_image_read("/nowhere/k.ptx", &image), TILE_NOT_FOUND, "/nowhere/k.ptx");
  CHECK(!image);
}

/* Every prefix of a right image, and every byte of it changed, is an error; with other code before
 * it is an image. */
static void cut_off_images(void) {
  static const char text[] =
      ".version\n" META
      "// tile.constant name=B value=1\n// tile.condition kind=few-blocks value=1\n"
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

/* Any bytes are read safely: the pieces that metadata consist of, in any order, with a closing
 * line. */
static void random_images(void) {
  static const char *const pieces[] = {OPEN,
                                       SECTION,
                                       VERSION,
                                       "// tile.kernel name=k\n",
                                       "// tile.metadata ",
                                       "// tile.section ",
                                       "// tile.kernel ",
                                       "// tile.argument ",
                                       "// tile.version ",
                                       "// tile.condition ",
                                       "// tile.constant ",
                                       " name=",
                                       " name=k",
                                       " kind=i32",
                                       " kind=equal",
                                       " kind=absent",
                                       " kind=few-blocks",
                                       " argument=0",
                                       " value=1",
                                       " value=-9",
                                       " local=7",
                                       " spills=4294967295",
                                       " config=%41",
                                       " section=0",
                                       " format=ptx",
                                       " format=cubin",
                                       " type=i32",
                                       " divisibility=4",
                                       " bytes=",
                                       " bytes=99",
                                       " offset=64",
                                       " check=",
                                       " shared=0",
                                       " warps=4",
                                       " threads=128",
                                       " programs=1",
                                       " driver=0",
                                       " isa=",
                                       " target=sm_80",
                                       "\n",
                                       "%41",
                                       "%",
                                       "4",
                                       "// tile.end",
                                       ".version",
                                       "\177ELF",
                                       " symbol=x",
                                       "\x89tile\r\n\x1A"};
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
  static const char elf[] = "\x7F"
                            "ELF with zeros\0\0and // tile.metadata 5\n in it\0";
  tile_image *image = NULL, *again = NULL;
  FINE(compile(TILE_IMAGE_PTX, &image));
  if (!image)
    return;
  tile_section section = *image->sections;
  section.format = TILE_IMAGE_CUBIN;
  section.data = elf;
  section.size = sizeof elf;
  tile_kernel_version version = *image->kernels[0].versions, other = *image->kernels[1].versions;
  version.section = other.section = &section;
  tile_kernel_info kernels[2] = {image->kernels[0], image->kernels[1]};
  kernels[0].versions = &version;
  kernels[1].versions = &other;
  tile_image cubin = {&section, 1, kernels, 2};
  char *path = temporary_file("image");
  FINE(tile_image_write(&cubin, path));
  FINE(tile_image_read(path, &again));
  if (again) {
    CHECK_EQUAL(again->sections->format, TILE_IMAGE_CUBIN);
    CHECK(again->sections->size == sizeof elf &&
          memcmp(again->sections->data, elf, sizeof elf) == 0);
    check_two_kernels(again);
  }
  tile_image_free(again);
  tile_image_free(image);
  remove(path);
  free(path);
}

/* Nothing is written that would not be read again. */
static void images_filled_in_by_hand(void) {
  tile_parameter parameter = {
      .name = "p", .type = "i32", .kind = TILE_ARGUMENT_I32, .divisibility = 1};
  struct plain_image plain = plain_image("k", ".version");
  plain.info.parameters = &parameter;
  plain.info.parameter_count = 1;
  plain.version.resident_blocks = 2;
  plain.version.part_bytes = 131072;
  plain.version.cluster_blocks = 2;
  plain.version.registers = 40;
  plain.version.local_bytes = 24;
  plain.version.spill_bytes = 16;
  plain.version.config = "3";
  const tile_image image = *plain_link(&plain);
  char *path = temporary_file("image");
  FINE(tile_image_write(&image, path));
  tile_image *again = NULL;
  FINE(tile_image_read(path, &again));
  if (again) {
    const tile_kernel_version *version = again->kernels->versions;
    CHECK_EQUAL(version->resident_blocks, 2);
    CHECK_EQUAL(version->part_bytes, 131072);
    CHECK_EQUAL(version->cluster_blocks, 2);
    CHECK_EQUAL(version->registers, 40);
    CHECK_EQUAL(version->local_bytes, 24);
    CHECK_EQUAL(version->spill_bytes, 16);
    CHECK_TEXT(version->config, "3");
  }
  tile_image_free(again);
  EXPECT(tile_image_write(NULL, path), TILE_INVALID_ARGUMENT, "tile_image_write: image is NULL");
  parameter.kind = (tile_argument_kind)77;
  EXPECT(tile_image_write(&image, path), TILE_INVALID_ARGUMENT, "parameter 0 is not filled in");
  parameter.kind = TILE_ARGUMENT_F32;
  EXPECT(tile_image_write(&image, path), TILE_BAD_IMAGE, "has kind f32 and type i32");
  parameter.kind = TILE_ARGUMENT_I32;
  plain.version.spill_bytes = UINT32_MAX;
  EXPECT(tile_image_write(&image, path), TILE_BAD_IMAGE, "no thread has so much memory of its own");
  plain.version.threads = 4096;
  EXPECT(tile_image_write(&image, path), TILE_BAD_IMAGE, "32 threads for each warp");
  plain.section.format = (tile_image_format)4;
  EXPECT(tile_image_write(&image, path), TILE_INVALID_ARGUMENT, "no image format 4");
  remove(path);
  free(path);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"images survive a file", images_survive_a_file},
                   {"emulator images", emulator_images}, {"broken metadata", broken_metadata},
                   {"cut off images", cut_off_images}, {"random images", random_images},
                   {"cubins survive a file", cubins_survive_a_file},
                   {"images filled in by hand", images_filled_in_by_hand});
}
