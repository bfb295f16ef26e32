/* SPDX-License-Identifier: MIT */
/* fuzz_image: mutants of images through the reader, and what was read through all that images are
   for. See frame.h for the flags.

   The .mlir files given are compiled; images of one section (PTX, and a made-up cubin), objects of
   the emulator, and containers are made of them. A mutant has bytes, lines of metadata or words
   changed; mostly its checksums are put right afterwards, so that what lies after them is reached.
   What must hold: nothing crashes, leaks or reads beyond the bytes; a message or an image comes;
   what was read can be written, is then the same, and can be listed, verified, extracted from,
   joined and loaded. */
#define _GNU_SOURCE /* memmem */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../tools/tile-image/tile_image.h"
#include "base/status.h"
#include "frame.h"
#include "mutate.h"
#include "runtime/image.h"
#include "runtime/metadata.h"
#include "tile/compiler.h"
#include "tile/runtime.h"

enum { OUTCOME_REFUSED, OUTCOME_READ, OUTCOME_LOADED, OUTCOME_LAUNCHED };
enum { CHECK_DIGITS = 16, HEADER_SIZE_AT = 16 };

static struct corpus corpus; /* its "modules" are images */

/* Nothing goes wrong with what we make ourselves. */
static void must(tile_status status) {
  if (!status)
    return;
  fprintf(stderr, "fuzz_image: %s\n", tile_status_message(status));
  abort();
}

/* --- Corpus ----------------------------------------------------------------------------------- */

static void add_image(const tile_image *image) {
  struct corpus *c = &corpus;
  void *bytes;
  size_t size;
  must(tile_image_serialize(image, &bytes, &size));
  if (c->count == c->capacity) {
    c->capacity = c->capacity ? c->capacity * 2 : 64;
    c->modules = tile_reallocate(c->modules, c->capacity * sizeof *c->modules);
  }
  c->modules[c->count++] = (struct slice){arena_copy_string(&c->arena, bytes, size), size};
  free(bytes);
}

/* An ELF file with two sections, names and the kernel's code; no more than tile-image verify reads.
 */
struct made_cubin {
  Elf64_Ehdr header;
  Elf64_Shdr sections[2];
  char names[64];
};

static void make_cubin(const char *symbol, struct made_cubin *out) {
  *out = (struct made_cubin){
      .header = {.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1, 0x41, 8},
                 .e_machine = EM_CUDA,
                 .e_flags = 80 << 8,
                 .e_shoff = offsetof(struct made_cubin, sections),
                 .e_shentsize = sizeof(Elf64_Shdr),
                 .e_shnum = 2}};
  out->sections[0] =
      (Elf64_Shdr){.sh_offset = offsetof(struct made_cubin, names), .sh_size = sizeof out->names};
  out->sections[1] = (Elf64_Shdr){.sh_name = 1};
  snprintf(out->names + 1, sizeof out->names - 1, ".text.%s", symbol);
}

/* The image of PTX with a cubin in the place of its code. */
static void add_cubin(const tile_image *image, const tile_image *with) {
  struct made_cubin cubin;
  make_cubin(image->kernels->versions->symbol, &cubin);
  tile_section section = *image->sections;
  tile_kernel_info *kernels = tile_allocate(image->kernel_count * sizeof *kernels);
  tile_kernel_version *versions = tile_allocate(image->kernel_count * sizeof *versions);
  section.format = TILE_IMAGE_CUBIN;
  section.data = &cubin;
  section.size = sizeof cubin;
  for (size_t i = 0; i < image->kernel_count; i++) {
    kernels[i] = image->kernels[i];
    versions[i] = kernels[i].versions[0];
    versions[i].section = &section;
    kernels[i].versions = &versions[i];
    kernels[i].version_count = 1;
  }
  tile_image made = {&section, 1, kernels, image->kernel_count}, *joined;
  add_image(&made);
  must(tile_image_join((const tile_image *[]){&made, with, image}, 3, &joined));
  add_image(joined);
  tile_image_free(joined);
  free(kernels);
  free(versions);
}

static void add_file(const char *text, size_t length) {
  tile_compiler *compiler;
  tile_image *images[2];
  tile_compile_options options = tile_compile_options_default();
  must(tile_compiler_create(&compiler));
  options.low_occupancy = TILE_CHOICE_YES;
  must(
      tile_compile_kernels(compiler, "k.mlir", text, length, &options, TILE_IMAGE_PTX, &images[0]));
  options.target = "sm_80";
  must(
      tile_compile_kernels(compiler, "k.mlir", text, length, &options, TILE_IMAGE_PTX, &images[1]));
#ifdef __x86_64__
  tile_image *object, *joined;
  must(
      tile_compile_kernels(compiler, "k.mlir", text, length, &options, TILE_IMAGE_OBJECT, &object));
  must(tile_image_join((const tile_image *[]){images[0], object}, 2, &joined));
  add_image(object);
  add_image(joined);
  tile_image_free(object);
  tile_image_free(joined);
#endif
  tile_compiler_destroy(compiler);
  add_image(images[0]);
  add_cubin(images[1], images[0]);
  tile_image_free(images[0]);
  tile_image_free(images[1]);
}

/* --- Mutation --------------------------------------------------------------------------------- */

static const char *const values[] = {"0",
                                     "1",
                                     "-1",
                                     "2",
                                     "16",
                                     "64",
                                     "128",
                                     "255",
                                     "256",
                                     "1024",
                                     "4096",
                                     "65535",
                                     "65536",
                                     "2147483647",
                                     "2147483648",
                                     "4294967296",
                                     "9223372036854775807",
                                     "-9223372036854775808",
                                     "18446744073709551615",
                                     "99999999999999999999",
                                     "",
                                     "ptx",
                                     "cubin",
                                     "pointer",
                                     "i1",
                                     "i8",
                                     "i32",
                                     "i64",
                                     "f16",
                                     "f32",
                                     "f64",
                                     "equal",
                                     "absent",
                                     "divisible",
                                     "at-most",
                                     "few-blocks",
                                     "sm_80",
                                     "sm_90a",
                                     "sm_100f",
                                     "sm_999",
                                     "%00",
                                     "%41",
                                     "%"};
static const char *const lines[] = {
    METADATA_SECTION "format=ptx target=sm_80 isa=8.0 driver=12000\n",
    METADATA_KERNEL "name=other\n",
    METADATA_ARGUMENT "name=z kind=i32 type=i32 divisibility=1\n",
    METADATA_ARGUMENT "name=p kind=pointer type=f32 divisibility=16\n",
    METADATA_VERSION "section=0 symbol=k warps=4 threads=128 shared=0 programs=1\n",
    METADATA_VERSION "section=1 symbol=k warps=1 threads=64 shared=300000 programs=2\n",
    METADATA_CONDITION "kind=few-blocks value=2\n",
    METADATA_CONDITION "kind=equal argument=0 value=1\n",
    METADATA_CONDITION "kind=absent argument=0\n",
    METADATA_CONDITION "kind=divisible argument=1 value=16\n",
    METADATA_CONDITION "kind=at-most argument=3 value=-5\n",
    METADATA_CONSTANT "name=BLOCK value=64\n",
    "\n"};

static void replace(struct text *text, size_t at, size_t length, const char *with,
                    size_t with_length) {
  struct text out = {0};
  text_append(&out, text_string(text), at);
  text_append(&out, with, with_length);
  text_append(&out, text->data + at + length, text->length - at - length);
  text_free(text);
  *text = out;
}

/* Where the metadata begin; the length when there are none. */
static size_t metadata_start(const struct text *text) {
  for (size_t at = text->length; at-- > 0;)
    if (text->data[at] == '/' &&
        slice_begins((struct slice){text->data + at, text->length - at}, METADATA_OPENING))
      return at;
  return text->length;
}

static size_t line_end(const struct text *text, size_t at) {
  const char *newline = memchr(text->data + at, '\n', text->length - at);
  return newline ? (size_t)(newline - text->data) + 1 : text->length;
}

/* The start of a line of the metadata, drawn. */
static size_t draw_line(struct random *random, const struct text *text) {
  size_t start = metadata_start(text), at = start + random_below(random, text->length - start);
  while (at > start && text->data[at - 1] != '\n')
    at--;
  return at;
}

static void change_line(struct random *random, struct text *text) {
  if (metadata_start(text) == text->length)
    return;
  size_t at = draw_line(random, text), end = line_end(text, at), other = draw_line(random, text);
  const char *line = lines[random_below(random, sizeof lines / sizeof *lines)];
  struct text copy = {0};
  text_append(&copy, text->data + other, line_end(text, other) - other);
  switch (random_below(random, 4)) {
  case 0:
    replace(text, at, end - at, "", 0);
    break;
  case 1:
    replace(text, at, 0, line, strlen(line));
    break;
  case 2:
    replace(text, at, 0, text_string(&copy), copy.length);
    break;
  default:
    replace(text, at, end - at, text_string(&copy), copy.length);
    break;
  }
  text_free(&copy);
}

/* Another value for a word of a line. */
static void change_word(struct random *random, struct text *text) {
  if (metadata_start(text) == text->length)
    return;
  size_t at = draw_line(random, text), end = line_end(text, at);
  at += random_below(random, end - at);
  while (at < end && text->data[at] != '=')
    at++;
  if (at >= end)
    return;
  size_t length = 0;
  while (at + 1 + length < end && !strchr(" \n", text->data[at + 1 + length]))
    length++;
  const char *value = values[random_below(random, sizeof values / sizeof *values)];
  replace(text, at + 1, length, value, strlen(value));
}

static void change_number(struct random *random, struct text *text) {
  if (text->length < 8)
    return;
  size_t at =
      random_below(random, text->length < 256 || random_one_in(random, 2) ? 64 : text->length - 8);
  uint64_t number =
      random_one_in(random, 2) ? UINT64_MAX >> random_below(random, 64) : random_below(random, 300);
  if (at + 8 <= text->length)
    memcpy(text->data + at, &number, (size_t)1 << random_below(random, 4));
}

static void cut(struct random *random, struct text *text) {
  size_t at = random_below(random, text->length),
         length = random_below(random, text->length - at + 1);
  if (random_one_in(random, 2))
    length = text->length - at;
  replace(text, at, length, "", 0);
}

static void splice(struct random *random, struct text *text) {
  struct slice other = corpus.modules[random_below(random, corpus.count)];
  size_t at = random_below(random, text->length + 1), from = random_below(random, other.length);
  replace(text, at, random_below(random, text->length - at + 1), other.data + from,
          random_below(random, other.length - from + 1));
}

static void mutate(struct random *random, struct text *text) {
  switch (random_below(random, 12)) {
  case 0:
    mutate_bytes(random, text);
    break;
  case 1:
    cut(random, text);
    break;
  case 2:
    splice(random, text);
    break;
  case 3:
  case 4:
    change_number(random, text);
    break;
  case 5:
  case 6:
  case 7:
    change_line(random, text);
    break;
  default:
    change_word(random, text);
    break;
  }
}

/* --- Checksums -------------------------------------------------------------------------------- */

/* Writes the right checksum of the section that a line describes. */
static void mend_section(struct text *text, size_t code, struct slice line) {
  struct slice offset = {0}, size = {0}, check = {0};
  uint64_t at = 0, length = code;
  char digits[CHECK_DIGITS + 1];
  if (metadata_count_words(line, "check", &check) != 1 || check.length != CHECK_DIGITS)
    return;
  if (metadata_count_words(line, "offset", &offset) == 1 &&
      metadata_count_words(line, "bytes", &size) == 1 &&
      (!metadata_parse_number(offset, 10, &at) || !metadata_parse_number(size, 10, &length)))
    return;
  if (at > code || length > code - at)
    return;
  snprintf(digits, sizeof digits, "%016" PRIX64, metadata_checksum(text->data + at, length));
  memcpy(text->data + (check.data - text->data), digits, CHECK_DIGITS);
}

/* Puts checksums and sizes right, so that the rest is read. */
static void mend(struct text *text) {
  size_t start = metadata_start(text), at = start;
  if (start == text->length)
    return;
  for (size_t next; at < text->length; at = next) {
    next = line_end(text, at);
    struct slice line = {text->data + at, next - at};
    if (slice_begins(line, METADATA_SECTION))
      mend_section(text, start, slice_trim(line));
    if (slice_begins(line, METADATA_CLOSING))
      break;
  }
  text->length = at;
  metadata_close(text, start);
  uint64_t size = text->length;
  if (container_begins(text->data, text->length) && text->length >= CONTAINER_HEADER_BYTES)
    memcpy(text->data + HEADER_SIZE_AT, &size, sizeof size);
}

/* --- What images are for ---------------------------------------------------------------------- */

static void print_all(const tile_image *image) {
  struct text out = {0}, problems = {0};
  image_list("image", image, &out);
  image_list_json("image", image, &out);
  image_verify(image, &problems, &out);
  for (size_t i = 0; i < image->section_count; i++)
    must(image_extract(image, &(struct section_choice){.by_index = true, .index = i}, false,
                       &problems));
  text_free(&out);
  text_free(&problems);
}

/* Written and read again it is the same. */
static void write_again(const tile_image *image) {
  void *first, *second;
  size_t size, again_size;
  tile_image *again;
  must(tile_image_serialize(image, &first, &size));
  must(tile_image_parse("again", first, size, &again));
  must(tile_image_serialize(again, &second, &again_size));
  if (size != again_size || memcmp(first, second, size) != 0)
    abort();
  tile_image_free(again);
  free(first);
  free(second);
}

static void join_some(struct random *random, const tile_image *image) {
  struct slice bytes = corpus.modules[random_below(random, corpus.count)];
  tile_image *other, *joined = NULL;
  must(tile_image_parse("other", bytes.data, bytes.length, &other));
  tile_status_free(tile_image_join((const tile_image *[]){image, other, image}, 3, &joined));
  if (joined)
    write_again(joined);
  tile_image_free(joined);
  tile_image_free(other);
}

static bool launch_some(struct random *random, tile_kernel *kernel) {
  const tile_kernel_info *info = tile_kernel_get_info(kernel);
  tile_argument *arguments = calloc(info->parameter_count + 1, sizeof *arguments);
  bool fine = false;
  for (int run = 0; run < 4; run++) {
    for (size_t i = 0; i < info->parameter_count; i++)
      arguments[i] = (tile_argument){.kind = info->parameters[i].kind,
                                     .value.i64 = random_below(random, 4) * 16};
    uint32_t grid[3] = {1 + (uint32_t)random_below(random, 4), 1, 1};
    tile_status status = tile_launch(kernel, grid, NULL, arguments, info->parameter_count);
    fine |= !status;
    tile_status_free(status);
  }
  free(arguments);
  return fine;
}

static int load(struct random *random, const tile_image *image) {
  int outcome = OUTCOME_READ;
  tile_device *device;
  tile_module *module = NULL;
  must(tile_device_open(tile_null_driver(), 0, &device));
  tile_status status = tile_module_load(device, image, &module);
  if (!status)
    outcome = OUTCOME_LOADED;
  for (size_t i = 0; module && i < tile_module_kernel_count(module); i++)
    if (launch_some(random, tile_module_kernel_at(module, i)))
      outcome = OUTCOME_LAUNCHED;
  tile_status_free(status);
  tile_module_unload(module);
  tile_device_close(device);
  return outcome;
}

static int exercise(struct random *random, const struct text *text) {
  tile_image *image = NULL;
  char *exact = malloc(text->length ? text->length : 1); /* ends where AddressSanitizer sees it */
  memcpy(exact, text_string(text), text->length);
  tile_status status = tile_image_parse("image", exact, text->length, &image);
  free(exact);
  if (!status != !!image)
    abort();
  tile_status_free(status);
  if (!image)
    return OUTCOME_REFUSED;
  print_all(image);
  write_again(image);
  if (random_one_in(random, 4))
    join_some(random, image);
  int outcome = load(random, image);
  tile_image_free(image);
  return outcome;
}

static int run(uint64_t seed, uint64_t index, fuzz_note *note, void *data) {
  struct random random = {seed};
  random.state = random_next(&random) ^ index;
  random_next(&random);
  struct slice image = corpus.modules[random_below(&random, corpus.count)];
  struct text text = {0};
  text_append(&text, image.data, image.length);
  for (size_t i = random_one_in(&random, 3) ? 1 + random_below(&random, 4) : 1;
       i > 0 && text.length; i--)
    mutate(&random, &text);
  if (text.length && !random_one_in(&random, 4))
    mend(&text);
  note(text_string(&text), text.length, "tile-image verify FILE", data);
  int outcome = exercise(&random, &text);
  text_free(&text);
  return outcome;
}

int main(int argc, char **argv) {
  const struct fuzz_target target = {
      .name = "fuzz_image",
      .ending = ".mlir",
      .outcomes = {"refused", "read", "loaded", "launched"},
      .most_cpu_seconds = 20,
      .batch = 2000,
      .add_file = add_file,
      .run = run,
  };
  int code = fuzz_main(argc, argv, &target);
  corpus_destroy(&corpus);
  return code;
}
