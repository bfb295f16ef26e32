/* SPDX-License-Identifier: MIT */
/* Embedded images: loaded once for each device, by any number of threads, again after errors, and
   gone with the device. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "runtime/null/null.h"
#include "tile/embedded.h"

static const char ptx[] =
    ".version 8.0\n.visible .entry k(\n.visible .entry k_short(\n.visible .entry other(\n";
static const tile_section sections[] = {{.format = TILE_IMAGE_PTX,
                                         .target = "sm_80",
                                         .ptx_isa = "8.0",
                                         .data = ptx,
                                         .size = sizeof ptx - 1},
                                        {.format = TILE_IMAGE_PTX,
                                         .target = "sm_120a",
                                         .ptx_isa = "8.7",
                                         .data = ptx,
                                         .size = sizeof ptx - 1}};
static const tile_parameter parameters[] = {{"x", "f32", TILE_ARGUMENT_POINTER, 16},
                                            {"n", "i64", TILE_ARGUMENT_I64, 1}};
static const tile_condition at_most_100[] = {{TILE_CONDITION_AT_MOST, 1, 100}};
static const tile_condition at_least_0[] = {{TILE_CONDITION_AT_LEAST, 1, -7}};
static const tile_kernel_version versions[] = {{.section = &sections[0],
                                                .symbol = "k_short",
                                                .index = 0,
                                                .num_warps = 4,
                                                .threads = 128,
                                                .conditions = at_most_100,
                                                .condition_count = 1},
                                               {.section = &sections[0],
                                                .symbol = "k",
                                                .index = 1,
                                                .num_warps = 4,
                                                .threads = 128,
                                                .conditions = at_least_0,
                                                .condition_count = 1}};
/* For another kind of device only. */
static const tile_kernel_version strange = {
    .section = &sections[1], .symbol = "other", .num_warps = 4, .threads = 128};
static const tile_kernel_info infos[] = {
    {.name = "k",
     .parameters = parameters,
     .parameter_count = 2,
     .versions = versions,
     .version_count = 2},
    {.name = "other", .versions = &strange, .version_count = 1}};
static const tile_image whole = {sections, 2, infos, 2};

/* n programs of the second version, a tenth of them of the first. */
static void grid_of_k(uint32_t version, void *const *arguments, tile_embedded_grid *out) {
  int64_t n = *(const int64_t *)arguments[1];
  out->size[0] = version == 0 ? tile_int_divide_up(&out->bad, n, 10)
                              : tile_int_multiply(&out->bad, n, 1000000007);
  out->size[1] = 2;
}
static const tile_embedded_kernel kernels[] = {{"k", "pl", grid_of_k, "n"},
                                               {"other", "", NULL, ""}};

struct fixture {
  void *bytes;
  tile_embedded embedded;
  tile_device *device;
};

static struct fixture begin(void) {
  struct fixture f = {0};
  size_t size = 0;
  CHECK(tile_image_serialize(&whole, &f.bytes, &size) == NULL);
  f.embedded = (tile_embedded){"test", f.bytes, size, kernels, 2, 0};
  CHECK(tile_device_open(tile_null_driver(), 0, &f.device) == NULL);
  return f;
}

static void end(struct fixture *f) {
  tile_device_close(f->device);
  free(f->bytes);
}

static tile_status launch(struct fixture *f, uint64_t x, int64_t n) {
  void *arguments[] = {&x, &n};
  return tile_embedded_launch(&f->embedded, 0, f->device, NULL, NULL, arguments);
}

static void check_fails(tile_status status, tile_code code, const char *words) {
  CHECK_EQUAL(tile_status_code(status), code);
  if (!strstr(tile_status_message(status), words))
    CHECK_TEXT(tile_status_message(status), words);
  tile_status_free(status);
}

static void check_launched(struct fixture *f, const char *kernel, uint32_t grid, uint64_t count) {
  struct null_record record;
  null_device_record(f->device, &record);
  CHECK_TEXT(record.kernel, kernel);
  CHECK_EQUAL(record.grid[0], grid);
  CHECK_EQUAL(record.launches, count);
}

static void versions_have_grids_of_their_own(void) {
  struct fixture f = begin();
  CHECK(launch(&f, 16, 91) == NULL);
  check_launched(&f, "k_short", 10, 1);
  check_fails(launch(&f, 16, 0), TILE_INVALID_ARGUMENT, "grid x of 'n' is 0 for these arguments");
  check_fails(launch(&f, 16, -100), TILE_INVALID_ARGUMENT,
              "grid x of 'n' is -10 for these arguments");
  check_fails(launch(&f, 16, 101), TILE_INVALID_ARGUMENT,
              "grid x of 'n' is 101000000707 for these arguments");
  check_fails(launch(&f, 16, INT64_MAX), TILE_INVALID_ARGUMENT,
              "the grid 'n' overflows or divides by zero");
  check_fails(launch(&f, 17, 5), TILE_INVALID_ARGUMENT, "not divisible by 16");
  uint64_t x = 16;
  int64_t n = 300;
  void *arguments[] = {&x, &n};
  CHECK(tile_embedded_launch(&f.embedded, 0, f.device, NULL, (const uint32_t[3]){7, 1, 1},
                             arguments) == NULL);
  check_launched(&f, "k", 7, 2);
  end(&f);
}

static void loading_errors_are_returned_and_tried_again(void) {
  struct fixture f = begin();
  tile_embedded good = f.embedded;
  static const tile_embedded_kernel other_kinds[] = {{"k", "pi", grid_of_k, ""},
                                                     {"other", "", NULL, ""}};
  f.embedded.size = 10;
  check_fails(launch(&f, 16, 5), TILE_BAD_IMAGE, "test");
  f.embedded.size = good.size;
  f.embedded.kernels = other_kinds;
  check_fails(launch(&f, 16, 5), TILE_BAD_IMAGE, "are not those that the C file was written for");
  f.embedded.kernels = good.kernels;
  f.embedded.kernel_count = 1;
  check_fails(launch(&f, 16, 5), TILE_BAD_IMAGE, "are not those that the C file was written for");
  f.embedded.kernel_count = 2;
  CHECK(launch(&f, 16, 5) == NULL);
  check_launched(&f, "k_short", 1, 1);
  end(&f);
}

static void kernels_for_other_devices_say_so(void) {
  struct fixture f = begin();
  tile_kernel *kernel = NULL;
  CHECK(tile_embedded_get(&f.embedded, 0, f.device, &kernel) == NULL);
  CHECK_EQUAL(tile_kernel_get_info(kernel)->version_count, 2);
  kernel = NULL;
  check_fails(tile_embedded_get(&f.embedded, 1, f.device, &kernel), TILE_WRONG_TARGET, "sm_120a");
  CHECK(kernel == NULL);
  check_fails(
      tile_embedded_launch(&f.embedded, 1, f.device, NULL, (const uint32_t[3]){1, 1, 1}, NULL),
      TILE_WRONG_TARGET, "sm_120a");
  check_fails(tile_embedded_get(&f.embedded, 2, f.device, &kernel), TILE_INVALID_ARGUMENT,
              "there is no number 2");
  check_fails(tile_embedded_get(NULL, 0, f.device, &kernel), TILE_INVALID_ARGUMENT, "embedded");
  check_fails(tile_embedded_get(&f.embedded, 0, NULL, &kernel), TILE_INVALID_ARGUMENT, "device");
  check_fails(tile_embedded_get(&f.embedded, 0, f.device, NULL), TILE_INVALID_ARGUMENT, "out");
  check_fails(tile_embedded_launch(&f.embedded, 0, f.device, NULL, NULL, NULL),
              TILE_INVALID_ARGUMENT, "arguments");
  end(&f);
}

/* More images than the first parts of a device's table hold, on two devices, unloaded and loaded
   again. */
static void there_may_be_many(void) {
  enum { MANY = 200 };
  struct fixture f = begin();
  tile_device *second;
  static tile_embedded images[MANY];
  CHECK(tile_device_open(tile_null_driver(), 0, &second) == NULL);
  for (int i = 0; i < MANY; i++) {
    images[i] = f.embedded;
    tile_kernel *one = NULL, *again = NULL, *other = NULL;
    CHECK(tile_embedded_get(&images[i], 0, f.device, &one) == NULL);
    CHECK(tile_embedded_get(&images[i], 0, f.device, &again) == NULL);
    if (i % 3 == 0)
      CHECK(tile_embedded_get(&images[i], 0, second, &other) == NULL);
    CHECK(one && one == again && one != other);
  }
  for (int i = 0; i < MANY; i += 2) {
    tile_embedded_unload(&images[i], f.device);
    tile_embedded_unload(&images[i], f.device);
  }
  for (int i = 0; i < MANY; i++) {
    tile_kernel *kernel = NULL;
    CHECK(tile_embedded_get(&images[i], 0, f.device, &kernel) == NULL);
  }
  tile_embedded_unload(&f.embedded, f.device); /* was never loaded */
  tile_device_close(second);
  end(&f);
}

/* A buffer keeps the device open, and with it what was loaded. */
static void modules_live_as_long_as_the_device(void) {
  struct fixture f = begin();
  tile_buffer *buffer;
  CHECK(launch(&f, 16, 5) == NULL);
  CHECK(tile_buffer_create(f.device, 64, &buffer) == NULL);
  tile_device_close(f.device);
  CHECK(launch(&f, tile_buffer_address(buffer), 5) == NULL);
  check_launched(&f, "k_short", 1, 2);
  tile_buffer_destroy(buffer);
  free(f.bytes);
}

enum { THREADS = 8, LAUNCHES = 50 };
static atomic_int ready;

static void *launch_often(void *data) {
  atomic_fetch_add(&ready, 1);
  while (atomic_load(&ready) < THREADS)
    ;
  for (int i = 0; i < LAUNCHES; i++)
    tile_status_free(launch(data, 16, 5));
  return NULL;
}

static void threads_load_once(void) {
  struct fixture f = begin();
  pthread_t threads[THREADS];
  atomic_store(&ready, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, launch_often, &f);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  check_launched(&f, "k_short", 1, THREADS * LAUNCHES);
  end(&f);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"versions_have_grids_of_their_own", versions_have_grids_of_their_own},
      {"loading_errors_are_returned_and_tried_again", loading_errors_are_returned_and_tried_again},
      {"kernels_for_other_devices_say_so", kernels_for_other_devices_say_so},
      {"there_may_be_many", there_may_be_many},
      {"modules_live_as_long_as_the_device", modules_live_as_long_as_the_device},
      {"threads_load_once", threads_load_once});
}
