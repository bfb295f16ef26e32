/* SPDX-License-Identifier: MIT */
/* Programs of the emulator in images: the same as those compiled in the process, bit for bit, and
 * loaded from any bytes. */
#include "runtime_conformance.h"

#include <stdint.h>
#include <stdlib.h>
#include "base/files.h"
#include "emulator/object.h"
#include "runtime/versions.h"
#include "tile/compiler.h"
#include "tile/emulator_device.h"
#include "tile/interop.h"

/* Objects are written on x86-64 alone. */
static bool has_objects(void) {
  return OBJECT_HOST[0];
}

/* A kernel of test/kernels, and a launch. Buffers come first, `bytes` each; then i32 arguments. */
struct subject_kernel {
  const char *file, *kernel, *signature;
  uint32_t grid[3];
  size_t buffers, bytes, integers;
  int32_t integer[8];
  bool halves;
};

static const struct subject_kernel kernels[] = {
    {"vector_add.mlir", "add_kernel", NULL, {3, 1, 1}, 3, 2048 * 4, 1, {2048}, false},
    {"softmax.py",
     "softmax_row_kernel",
     "*fp32:16, *fp32:16, i32:16, i32:16, i32:16, 512",
     {5, 1, 1},
     2,
     5 * 512 * 4,
     3,
     {512, 512, 496},
     false},
    {"matmul.py",
     "matmul_kernel",
     "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, i32:16, 1, 32, "
     "32, 32, 8, \"\"",
     {4, 1, 1},
     3,
     64 * 64 * 2,
     6,
     {64, 64, 64, 64, 64, 64},
     true}};

static tile_status import(tile_compiler *compiler, const struct subject_kernel *kernel,
                          struct text *out) {
  struct text path = {0}, source = {0};
  tile_blob mlir = {0};
  text_printf(&path, TILE_SOURCE_DIRECTORY "/test/kernels/%s", kernel->file);
  FINE(file_read(text_string(&path), &source));
  tile_import_options options = {.kernel = kernel->kernel, .signature = kernel->signature};
  tile_status status = NULL;
  if (kernel->signature)
    status =
        tile_import_triton(compiler, kernel->file, source.data, source.length, &options, &mlir);
  text_append(out, kernel->signature ? mlir.data : source.data,
              kernel->signature ? mlir.size : source.length);
  free(mlir.data);
  text_free(&path);
  text_free(&source);
  return status;
}

/* The kernel compiled; an object goes through bytes, as from a file. */
static tile_image *compile(const struct subject_kernel *kernel, tile_image_format format) {
  tile_compiler *compiler = NULL;
  tile_compile_options options = tile_compile_options_default();
  struct text mlir = {0};
  tile_image *image = NULL, *read = NULL;
  void *bytes = NULL;
  size_t size = 0;
  options.target = "sm_80";
  FINE(tile_compiler_create(&compiler));
  FINE(import(compiler, kernel, &mlir));
  FINE(tile_compile_kernels(compiler, kernel->file, mlir.data, mlir.length, &options, format,
                            &image));
  tile_compiler_destroy(compiler);
  text_free(&mlir);
  if (!image)
    exit(1);
  if (format == TILE_IMAGE_EMULATOR)
    return image;
  FINE(tile_image_serialize(image, &bytes, &size));
  tile_image_free(image);
  FINE(tile_image_parse(kernel->file, bytes, size, &read));
  free(bytes);
  return read;
}

static void fill(const struct subject_kernel *kernel, unsigned char *bytes) {
  uint32_t state = 1;
  for (size_t i = 0; i < kernel->bytes / 2; i++) {
    state = state * 1664525 + 1013904223;
    if (kernel->halves)
      ((uint16_t *)bytes)[i] = (uint16_t)(0x3000 | (state >> 16 & 0x8FFF));
    else if (i % 2)
      ((float *)bytes)[i / 2] = (float)(int32_t)state * 0x1p-30f;
  }
}

/* Runs the kernel; what its buffers hold then goes to `out`. */
static tile_status run(const struct subject_kernel *kernel, const tile_image *image, uint64_t seed,
                       unsigned char *out) {
  tile_device *device = NULL;
  tile_module *module = NULL;
  tile_kernel *loaded = NULL;
  tile_buffer *buffers[4] = {NULL};
  tile_argument arguments[16];
  FINE(tile_emulator_device_create(&(tile_emulator_device_options){.check = true, .seed = seed},
                                   &device));
  FINE(tile_module_load(device, image, &module));
  FINE(tile_module_kernel(module, kernel->kernel, &loaded));
  unsigned char *host = malloc(kernel->bytes);
  fill(kernel, host);
  for (size_t i = 0; i < kernel->buffers; i++) {
    buffers[i] = make_buffer(device, kernel->bytes);
    FINE(tile_buffer_write(buffers[i], 0, host, kernel->bytes, NULL));
    arguments[i] = tile_argument_buffer(buffers[i]);
  }
  for (size_t i = 0; i < kernel->integers; i++)
    arguments[kernel->buffers + i] = tile_argument_i32(kernel->integer[i]);
  tile_status status =
      tile_launch(loaded, kernel->grid, NULL, arguments, kernel->buffers + kernel->integers);
  for (size_t i = 0; i < kernel->buffers; i++) {
    FINE(tile_buffer_read(buffers[i], 0, out + i * kernel->bytes, kernel->bytes, NULL));
    tile_buffer_destroy(buffers[i]);
  }
  free(host);
  tile_module_unload(module);
  tile_device_close(device);
  return status;
}

static void same_results(void) {
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels && has_objects(); i++) {
    const struct subject_kernel *kernel = &kernels[i];
    size_t size = kernel->buffers * kernel->bytes;
    unsigned char *one = calloc(1, size), *other = calloc(1, size),
                  *before = calloc(1, kernel->bytes);
    tile_image *program = compile(kernel, TILE_IMAGE_EMULATOR),
               *object = compile(kernel, TILE_IMAGE_OBJECT);
    CHECK_TEXT(object->sections->target, OBJECT_HOST);
    for (uint64_t seed = 0; seed < 3; seed++) {
      FINE(run(kernel, program, seed, one));
      FINE(run(kernel, object, seed, other));
      CHECK(memcmp(one, other, size) == 0);
    }
    fill(kernel, before);
    CHECK(memcmp(one, before, kernel->bytes) != 0 ||
          memcmp(one + size - kernel->bytes, before, kernel->bytes) !=
              0); /* something was computed */
    tile_image_free(program);
    tile_image_free(object);
    free(one);
    free(other);
    free(before);
  }
}

/* A hazard has its place in the source. */
static void hazards(void) {
  if (!has_objects())
    return;
  struct subject_kernel kernel = kernels[0];
  unsigned char out[3 * 2048 * 4];
  tile_image *object = compile(&kernel, TILE_IMAGE_OBJECT);
  kernel.integer[0] = 3072;
  EXPECT(run(&kernel, object, 0, out), TILE_HAZARD, "vector_add.mlir:17:8");
  tile_image_free(object);
}

/* As many blocks are resident as on a device of the kernel's target, an A100 (108 multiprocessors,
   of two such blocks), whether the program was compiled in this process or comes from a file. */
static void residents(void) {
  for (int i = 0; i < 1 + has_objects(); i++) {
    tile_image *image = compile(&kernels[0], i ? TILE_IMAGE_OBJECT : TILE_IMAGE_EMULATOR);
    tile_device *device = NULL;
    tile_module *module = NULL;
    tile_kernel_resources resources = {0};
    FINE(tile_device_open(tile_emulator_driver(), 0, &device));
    FINE(tile_module_load(device, image, &module));
    FINE(tile_kernel_get_resources(tile_module_kernel_at(module, 0), NULL, &resources));
    CHECK_EQUAL(resources.most_threads, 128);
    CHECK_EQUAL(resources.blocks_per_multiprocessor, 108 * 2);
    tile_module_unload(module);
    tile_device_close(device);
    tile_image_free(image);
  }
}

/* One image serves a GPU and the emulator. */
static void beside_ptx(void) {
  if (!has_objects())
    return;
  tile_image *ptx = compile(&kernels[0], TILE_IMAGE_PTX),
             *object = compile(&kernels[0], TILE_IMAGE_OBJECT);
  tile_image *joined = NULL;
  tile_device *gpu = NULL, *emulator = NULL;
  tile_module *module = NULL;
  FINE(tile_image_join((const tile_image *[]){ptx, object}, 2, &joined));
  FINE(tile_device_open(tile_null_driver(), 0, &gpu));
  FINE(tile_device_open(tile_emulator_driver(), 0, &emulator));
  FINE(tile_module_load(gpu, joined, &module));
  CHECK_EQUAL(tile_kernel_get_info(tile_module_kernel_at(module, 0))->versions->section->format,
              TILE_IMAGE_PTX);
  tile_module_unload(module);
  FINE(tile_module_load(emulator, joined, &module));
  CHECK_EQUAL(tile_kernel_get_info(tile_module_kernel_at(module, 0))->versions->section->format,
              TILE_IMAGE_OBJECT);
  tile_module_unload(module);
  module = NULL;
  EXPECT(tile_module_load(emulator, ptx, &module), TILE_WRONG_TARGET,
         "is compiled for sm_80, not for the emulator");
  ((tile_section *)object->sections)->ptx_isa = "0.0.1";
  EXPECT(tile_module_load(emulator, object, &module), TILE_BAD_IMAGE,
         "compiled with version '0.0.1' of the toolkit");
  ((tile_section *)object->sections)->target = "aarch64";
  EXPECT(tile_module_load(emulator, object, &module), TILE_WRONG_TARGET,
         "compiled for the emulator on aarch64, this machine is x86-64; compile it here");
  tile_module_unload(module);
  tile_device_close(gpu);
  tile_device_close(emulator);
  tile_image_free(ptx);
  tile_image_free(object);
  tile_image_free(joined);
}

/* --- Any bytes -------------------------------------------------------------------------------- */

static tile_status load_copy(const char *bytes, size_t size, struct object **out) {
  char *copy = malloc(size ? size : 1); /* ends where AddressSanitizer sees it */
  if (size)
    memcpy(copy, bytes, size);
  tile_status status = object_load(copy, size, out);
  free(copy);
  return status;
}

/* Loads without running: cut off anywhere, any byte changed, any word another number. */
static void any_bytes(void) {
  if (!has_objects())
    return;
  tile_image *image = compile(&kernels[0], TILE_IMAGE_OBJECT);
  size_t size = image->sections->size;
  char *bytes = malloc(size);
  struct object *object = NULL;
  memcpy(bytes, image->sections->data, size);
  FINE(load_copy(bytes, size, &object));
  CHECK(object_find(object, "kernel.add_kernel") != NULL);
  CHECK(object_find(object, "kernel.add") == NULL);
  CHECK(object_find(object, "tile_emu_global") == NULL);
  object_destroy(object);
  EXPECT(load_copy(bytes, 0, &object), TILE_BAD_IMAGE, "it has no header");
  for (size_t length = 0; length < size; length++) {
    object = NULL;
    tile_status status = load_copy(bytes, length, &object);
    CHECK(!status == !!object);
    tile_status_free(status);
    object_destroy(object);
  }
  static const uint64_t numbers[] = {UINT64_MAX, 0, 1, 0x7FFFFFFF, UINT64_C(1) << 63, 0x10000};
  for (size_t at = 0; at < size; at++)
    for (int change = 0; change < 8; change++) {
      uint64_t old = 0;
      size_t width = size - at < 8 ? size - at : 8;
      memcpy(&old, bytes + at, width);
      if (change < 6)
        memcpy(bytes + at, &numbers[change], width);
      else
        bytes[at] ^= change == 6 ? 1 : 0x80;
      object = NULL;
      tile_status status = load_copy(bytes, size, &object);
      CHECK(!status == !!object);
      tile_status_free(status);
      if (object)
        object_find(object, "kernel.add_kernel");
      object_destroy(object);
      memcpy(bytes + at, &old, width);
    }
  free(bytes);
  tile_image_free(image);
}

/* What is missing is named. */
static void what_is_missing(void) {
  if (!has_objects())
    return;
  tile_image *image = compile(&kernels[0], TILE_IMAGE_OBJECT);
  size_t size = image->sections->size;
  char *bytes = malloc(size), *name = NULL;
  struct object *object = NULL;
  memcpy(bytes, image->sections->data, size);
  for (size_t at = 0; at + 16 < size && !name; at++)
    if (memcmp(bytes + at, "tile_emu_global", 16) == 0)
      name = bytes + at;
  CHECK(name != NULL);
  if (name)
    name[9] = 'x';
  EXPECT(load_copy(bytes, size, &object), TILE_UNSUPPORTED,
         "the emulator has no function 'tile_emu_xlobal': the object was compiled for another "
         "version");
  free(bytes);
  tile_image_free(image);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"same results", same_results}, {"hazards", hazards},
                   {"residents", residents}, {"beside PTX", beside_ptx}, {"any bytes", any_bytes},
                   {"what is missing", what_is_missing});
}
