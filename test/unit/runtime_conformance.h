/* SPDX-License-Identifier: MIT */
/* What every driver of the runtime must do, as tests on a device of it. Each test takes a subject:
   a driver, a way to open its device, and a way to load add_kernel(x, y, out, n), the vector
   addition of test/kernels/vector_add.mlir, on it.

       static const struct subject null = {...};
       CONFORMANCE_TESTS(DEFINE_ROW, null)             one function null_TEST for each test
       RUN_TESTS(argc, argv, CONFORMANCE_TESTS(ROW, null) ...) */
#ifndef TILE_TEST_RUNTIME_CONFORMANCE_H
#define TILE_TEST_RUNTIME_CONFORMANCE_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include "check.h"
#include "runtime_plain_kernel.h"
#include "tile/runtime.h"

struct subject {
  const char *name;
  const tile_driver *(*driver)(void);
  tile_status (*load)(tile_device *device, tile_module **out);
  bool computes; /* launches do what the kernel says */
};

#define CONFORMANCE_TESTS(ROW, subject)                                                            \
  ROW(subject, properties)                                                                         \
  ROW(subject, wrong_index)                                                                        \
  ROW(subject, copies)                                                                             \
  ROW(subject, ranges)                                                                             \
  ROW(subject, empty_buffers)                                                                      \
  ROW(subject, out_of_memory)                                                                      \
  ROW(subject, many_buffers)                                                                       \
  ROW(subject, streams)                                                                            \
  ROW(subject, events)                                                                             \
  ROW(subject, unrecorded_events)                                                                  \
  ROW(subject, other_devices)                                                                      \
  ROW(subject, any_order_of_destruction)                                                           \
  ROW(subject, nothing_is_fine)                                                                    \
  ROW(subject, module)                                                                             \
  ROW(subject, bad_images)                                                                         \
  ROW(subject, wrong_infos)                                                                        \
  ROW(subject, launch)                                                                             \
  ROW(subject, launch_on_stream)                                                                   \
  ROW(subject, addresses)                                                                          \
  ROW(subject, wrong_count)                                                                        \
  ROW(subject, wrong_kinds)                                                                        \
  ROW(subject, broken_promises)                                                                    \
  ROW(subject, wrong_grids)                                                                        \
  ROW(subject, errors_leave_it_usable)                                                             \
  ROW(subject, threads)                                                                            \
  ROW(subject, bench)                                                                              \
  ROW(subject, bench_that_fails)
#define DEFINE_ROW(subject, test)                                                                  \
  static void subject##_##test(void) {                                                             \
    conform_##test(&subject);                                                                      \
  }
#define ROW(subject, test) {#subject ": " #test, subject##_##test},

/* --- Shorthands ------------------------------------------------------------------------------- */

/* Checks the code of a status and that its message contains `words`; frees it. */
static inline void expect_(const char *file, int line, tile_status status, tile_code code,
                           const char *words) {
  const char *message = tile_status_message(status);
  if (tile_status_code(status) != code || !strstr(message, words) ||
      (status && !strstr(tile_status_origin(status), ".c:"))) {
    check_failures_++;
    printf("%s:%d: %s: '%s' (%s); expected %s: '%s'\n", file, line,
           tile_code_name(tile_status_code(status)), message, tile_status_origin(status),
           tile_code_name(code), words);
  }
  tile_status_free(status);
}
#define EXPECT(status, code, words) expect_(__FILE__, __LINE__, (status), (code), (words))
#define FINE(status) EXPECT((status), TILE_OK, "")

static inline tile_device *open_device(const struct subject *subject) {
  tile_device *device = NULL;
  FINE(tile_device_open(subject->driver(), 0, &device));
  if (!device)
    exit(1);
  return device;
}

static inline tile_buffer *make_buffer(tile_device *device, size_t bytes) {
  tile_buffer *buffer = NULL;
  FINE(tile_buffer_create(device, bytes, &buffer));
  if (!buffer)
    exit(1);
  return buffer;
}

/* A device with the kernel, and buffers of N floats: x[i] = i, y[i] = 2 i, out poisoned. */
enum { N = 2000 };
struct adder {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  tile_buffer *x, *y, *out;
  tile_argument arguments[4];
};

static inline struct adder adder_on(tile_device *device, const struct subject *subject) {
  struct adder a = {.device = device};
  FINE(subject->load(device, &a.module));
  if (!a.module)
    exit(1);
  FINE(tile_module_kernel(a.module, "add_kernel", &a.kernel));
  a.x = make_buffer(device, N * sizeof(float));
  a.y = make_buffer(device, N * sizeof(float));
  a.out = make_buffer(device, N * sizeof(float));
  float values[N];
  for (int i = 0; i < N; i++)
    values[i] = (float)i;
  FINE(tile_buffer_write(a.x, 0, values, sizeof values, NULL));
  for (int i = 0; i < N; i++)
    values[i] = (float)(2 * i);
  FINE(tile_buffer_write(a.y, 0, values, sizeof values, NULL));
  FINE(tile_buffer_fill(a.out, 0, 0xCB, sizeof values, NULL));
  a.arguments[0] = tile_argument_buffer(a.x);
  a.arguments[1] = tile_argument_buffer(a.y);
  a.arguments[2] = tile_argument_buffer(a.out);
  a.arguments[3] = tile_argument_i32(N);
  return a;
}

static inline struct adder adder_open(const struct subject *subject) {
  tile_device *device = open_device(subject);
  return adder_on(device, subject);
}

static inline void adder_close(struct adder *a) {
  tile_buffer_destroy(a->x);
  tile_buffer_destroy(a->y);
  tile_buffer_destroy(a->out);
  tile_module_unload(a->module);
  tile_device_close(a->device);
}

static const uint32_t adder_grid[3] = {2, 1, 1};

static inline void adder_compare(const struct adder *a, const struct subject *subject,
                                 tile_stream *stream) {
  float values[N];
  int wrong = 0;
  FINE(tile_buffer_read(a->out, 0, values, sizeof values, stream));
  for (int i = 0; i < N && subject->computes; i++)
    wrong += values[i] != (float)(3 * i);
  CHECK_EQUAL(wrong, 0);
}

/* Launches and looks at the result: the device works. */
static inline void adder_works(const struct adder *a, const struct subject *subject) {
  FINE(tile_launch(a->kernel, adder_grid, NULL, a->arguments, 4));
  adder_compare(a, subject, NULL);
}

/* --- Devices ---------------------------------------------------------------------------------- */

static inline void conform_properties(const struct subject *subject) {
  tile_device *device = open_device(subject);
  const tile_device_properties *properties = tile_device_get_properties(device);
  int count = 0;
  FINE(tile_driver_device_count(subject->driver(), &count));
  CHECK(count >= 1);
  CHECK(properties->name[0]);
  CHECK(properties->multiprocessors >= 1);
  CHECK(properties->memory_bytes >= 1 << 28);
  CHECK(properties->shared_bytes >= 48 * 1024);
  CHECK(properties->image_formats != 0);
  CHECK(tile_device_get_driver(device) == subject->driver());
  CHECK(tile_driver_name(subject->driver())[0]);
  uint64_t free_bytes = 0;
  FINE(tile_device_free_memory(device, &free_bytes));
  CHECK(free_bytes > 0 && free_bytes <= properties->memory_bytes);
  FINE(tile_device_synchronize(device));
  tile_device_close(device);
}

static inline void conform_wrong_index(const struct subject *subject) {
  tile_device *device = NULL;
  EXPECT(tile_device_open(subject->driver(), -1, &device), TILE_INVALID_ARGUMENT, "device -1");
  EXPECT(tile_device_open(subject->driver(), 1000, &device), TILE_INVALID_ARGUMENT, "device 1000");
  CHECK(!device);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static inline void conform_copies(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_buffer *a = make_buffer(device, 1000), *b = make_buffer(device, 1000);
  unsigned char in[1000], out[1000];
  for (int i = 0; i < 1000; i++)
    in[i] = (unsigned char)(i * 7);
  CHECK_EQUAL(tile_buffer_bytes(a), 1000);
  CHECK(tile_buffer_address(a) % 256 == 0 && tile_buffer_address(a) != 0);
  FINE(tile_buffer_write(a, 0, in, 1000, NULL));
  FINE(tile_buffer_copy(b, 0, a, 0, 1000, NULL));
  FINE(tile_buffer_read(b, 0, out, 1000, NULL));
  CHECK(memcmp(in, out, 1000) == 0);
  FINE(tile_buffer_fill(b, 10, 0x55, 20, NULL));
  FINE(tile_buffer_copy(b, 500, a, 900, 100, NULL));
  FINE(tile_buffer_copy(a, 0, a, 500, 100, NULL)); /* within one buffer */
  FINE(tile_buffer_read(b, 0, out, 1000, NULL));
  for (int i = 0; i < 1000; i++) {
    int expected = i >= 10 && i < 30 ? 0x55 : in[i >= 500 && i < 600 ? i + 400 : i];
    if (out[i] != expected) {
      CHECK_EQUAL(out[i], expected);
      break;
    }
  }
  FINE(tile_buffer_read(a, 1, out, 50, NULL));
  CHECK(memcmp(out, in + 501, 50) == 0);
  tile_buffer_destroy(a);
  tile_buffer_destroy(b);
  tile_device_close(device);
}

static inline void conform_ranges(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_buffer *a = make_buffer(device, 100), *b = make_buffer(device, 50);
  char bytes[200] = {0};
  EXPECT(tile_buffer_write(a, 0, bytes, 101, NULL), TILE_INVALID_ARGUMENT, "leave the buffer");
  EXPECT(tile_buffer_write(a, 101, bytes, 0, NULL), TILE_INVALID_ARGUMENT, "offset 101");
  EXPECT(tile_buffer_read(a, 60, bytes, 41, NULL), TILE_INVALID_ARGUMENT, "which has 100");
  EXPECT(tile_buffer_read(a, 1, bytes, SIZE_MAX, NULL), TILE_INVALID_ARGUMENT, "leave");
  EXPECT(tile_buffer_fill(a, SIZE_MAX, 0, 2, NULL), TILE_INVALID_ARGUMENT, "leave");
  EXPECT(tile_buffer_copy(b, 0, a, 0, 51, NULL), TILE_INVALID_ARGUMENT, "copy, to");
  EXPECT(tile_buffer_copy(a, 0, b, 1, 50, NULL), TILE_INVALID_ARGUMENT, "copy, from");
  EXPECT(tile_buffer_copy(a, 0, a, 10, 11, NULL), TILE_INVALID_ARGUMENT, "overlap");
  EXPECT(tile_buffer_copy(a, 10, a, 0, 11, NULL), TILE_INVALID_ARGUMENT, "overlap");
  FINE(tile_buffer_copy(a, 0, a, 11, 11, NULL));
  FINE(tile_buffer_write(a, 100, bytes, 0, NULL));
  tile_buffer_destroy(a);
  tile_buffer_destroy(b);
  tile_device_close(device);
}

static inline void conform_empty_buffers(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_buffer *empty = make_buffer(device, 0);
  char byte = 7;
  CHECK_EQUAL(tile_buffer_bytes(empty), 0);
  FINE(tile_buffer_write(empty, 0, &byte, 0, NULL));
  FINE(tile_buffer_fill(empty, 0, 1, 0, NULL));
  EXPECT(tile_buffer_read(empty, 0, &byte, 1, NULL), TILE_INVALID_ARGUMENT, "which has 0");
  CHECK_EQUAL(byte, 7);
  tile_buffer_destroy(empty);
  tile_device_close(device);
}

static inline void conform_out_of_memory(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_buffer *huge = NULL;
  size_t too_much = (size_t)tile_device_get_properties(a.device)->memory_bytes + 1;
  EXPECT(tile_buffer_create(a.device, too_much, &huge), TILE_OUT_OF_MEMORY, "are free");
  EXPECT(tile_buffer_create(a.device, SIZE_MAX / 2, &huge), TILE_OUT_OF_MEMORY, "no room");
  CHECK(!huge);
  adder_works(&a, subject);
  adder_close(&a);
}

static inline void conform_many_buffers(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_buffer *buffers[100];
  for (int i = 0; i < 100; i++)
    buffers[i] = make_buffer(a.device, (size_t)(i * 13));
  for (int i = 0; i < 100; i += 3) {
    tile_buffer_destroy(buffers[i]);
    buffers[i] = NULL;
  }
  adder_works(&a, subject);
  for (int i = 0; i < 100; i++)
    tile_buffer_destroy(buffers[i]);
  adder_close(&a);
}

/* --- Streams and events ----------------------------------------------------------------------- */

static inline void conform_streams(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_stream *one, *two, *same;
  tile_event *event;
  tile_buffer *a = make_buffer(device, 64), *b = make_buffer(device, 64);
  FINE(tile_stream_create(device, &one));
  FINE(tile_stream_create(device, &two));
  FINE(tile_stream_wrap(device, NULL, &same)); /* the default stream */
  FINE(tile_event_create(device, &event));
  FINE(tile_buffer_fill(a, 0, 42, 64, one));
  FINE(tile_event_record(event, one));
  FINE(tile_stream_wait(two, event));
  FINE(tile_buffer_copy(b, 0, a, 0, 64, two));
  FINE(tile_stream_synchronize(two));
  unsigned char out[64] = {0};
  FINE(tile_buffer_read(b, 0, out, 64, same));
  CHECK_EQUAL(out[63], 42);
  FINE(tile_buffer_fill(a, 0, 43, 64, one));
  FINE(tile_event_record(event, one));
  FINE(tile_stream_wait(NULL, event)); /* the default stream, too */
  FINE(tile_buffer_copy(b, 0, a, 0, 64, NULL));
  FINE(tile_buffer_read(b, 0, out, 64, NULL));
  CHECK_EQUAL(out[63], 43);
  FINE(tile_stream_synchronize(same));
  tile_event_destroy(event);
  tile_stream_destroy(one);
  tile_stream_destroy(two);
  tile_stream_destroy(same);
  tile_buffer_destroy(a);
  tile_buffer_destroy(b);
  tile_device_close(device);
}

static inline void conform_events(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_event *start, *end;
  tile_buffer *buffer = make_buffer(device, 1 << 20);
  FINE(tile_event_create(device, &start));
  FINE(tile_event_create(device, &end));
  for (int turn = 0; turn < 2; turn++) { /* events may be recorded again */
    double milliseconds = -1;
    FINE(tile_event_record(start, NULL));
    FINE(tile_buffer_fill(buffer, 0, 1, 1 << 20, NULL));
    FINE(tile_event_record(end, NULL));
    FINE(tile_event_synchronize(end));
    bool done = false;
    FINE(tile_event_done(end, &done));
    CHECK(done);
    FINE(tile_event_elapsed(start, end, &milliseconds));
    CHECK(milliseconds >= 0 && milliseconds < 10000);
  }
  tile_event_destroy(start);
  tile_event_destroy(end);
  tile_buffer_destroy(buffer);
  tile_device_close(device);
}

static inline void conform_unrecorded_events(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_event *start, *end;
  tile_stream *stream;
  double milliseconds = 7;
  FINE(tile_event_create(device, &start));
  FINE(tile_event_create(device, &end));
  FINE(tile_stream_create(device, &stream));
  FINE(tile_event_record(start, stream));
  EXPECT(tile_event_synchronize(end), TILE_INVALID_ARGUMENT, "never recorded");
  bool done;
  EXPECT(tile_event_done(end, &done), TILE_INVALID_ARGUMENT, "never recorded");
  EXPECT(tile_stream_wait(stream, end), TILE_INVALID_ARGUMENT, "never recorded");
  EXPECT(tile_event_elapsed(start, end, &milliseconds), TILE_INVALID_ARGUMENT, "never recorded");
  EXPECT(tile_event_elapsed(end, start, &milliseconds), TILE_INVALID_ARGUMENT, "never recorded");
  CHECK_EQUAL(milliseconds, 7);
  tile_event_destroy(start);
  tile_event_destroy(end);
  tile_stream_destroy(stream);
  tile_device_close(device);
}

/* Two handles of one device are two devices: their streams, events and buffers do not mix. */
static inline void conform_other_devices(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_device *other = open_device(subject);
  tile_stream *stream;
  tile_event *event;
  tile_buffer *buffer = make_buffer(other, 64);
  double milliseconds;
  FINE(tile_stream_create(other, &stream));
  FINE(tile_event_create(a.device, &event));
  EXPECT(tile_launch(a.kernel, adder_grid, stream, a.arguments, 4), TILE_INVALID_ARGUMENT,
         "another device");
  EXPECT(tile_buffer_fill(a.x, 0, 0, 4, stream), TILE_INVALID_ARGUMENT, "another device");
  EXPECT(tile_event_record(event, stream), TILE_INVALID_ARGUMENT, "another device");
  EXPECT(tile_buffer_copy(buffer, 0, a.x, 0, 4, NULL), TILE_INVALID_ARGUMENT, "two devices");
  FINE(tile_event_record(event, NULL));
  EXPECT(tile_stream_wait(stream, event), TILE_INVALID_ARGUMENT, "another device");
  tile_event *foreign;
  FINE(tile_event_create(other, &foreign));
  FINE(tile_event_record(foreign, stream));
  EXPECT(tile_event_elapsed(event, foreign, &milliseconds), TILE_INVALID_ARGUMENT, "two devices");
  tile_event_destroy(foreign);
  tile_event_destroy(event);
  tile_stream_destroy(stream);
  tile_buffer_destroy(buffer);
  tile_device_close(other);
  adder_works(&a, subject);
  adder_close(&a);
}

static inline void conform_any_order_of_destruction(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_stream *stream;
  tile_event *event;
  FINE(tile_stream_create(a.device, &stream));
  FINE(tile_event_create(a.device, &event));
  tile_device_close(a.device);
  adder_works(&a, subject);
  tile_module_unload(a.module);
  tile_buffer_destroy(a.out);
  tile_stream_destroy(stream);
  tile_buffer_destroy(a.y);
  tile_event_destroy(event);
  tile_buffer_destroy(a.x);
}

static inline void conform_nothing_is_fine(const struct subject *subject) {
  (void)subject;
  tile_device_close(NULL);
  tile_buffer_destroy(NULL);
  tile_stream_destroy(NULL);
  tile_event_destroy(NULL);
  tile_module_unload(NULL);
  tile_image_free(NULL);
  tile_status_free(NULL);
}

/* --- Modules ---------------------------------------------------------------------------------- */

static inline void conform_module(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_kernel *kernel = NULL;
  CHECK_EQUAL(tile_module_kernel_count(a.module), 1);
  CHECK(tile_module_kernel_at(a.module, 0) == a.kernel);
  CHECK(!tile_module_kernel_at(a.module, 1));
  FINE(tile_module_kernel(a.module, NULL, &kernel));
  CHECK(kernel == a.kernel);
  EXPECT(tile_module_kernel(a.module, "mul_kernel", &kernel), TILE_NOT_FOUND,
         "it has 'add_kernel'");
  const tile_kernel_info *info = tile_kernel_get_info(a.kernel);
  CHECK_TEXT(info->name, "add_kernel");
  CHECK_EQUAL(info->version_count, 1);
  CHECK_EQUAL(info->versions[0].threads, 128);
  CHECK_EQUAL(info->versions[0].num_warps, 4);
  CHECK_EQUAL(info->parameter_count, 4);
  CHECK_TEXT(info->parameters[2].name, "out");
  CHECK_TEXT(info->parameters[2].type, "f32");
  CHECK_EQUAL(info->parameters[2].kind, TILE_ARGUMENT_POINTER);
  CHECK_EQUAL(info->parameters[2].divisibility, 16);
  CHECK_EQUAL(info->parameters[3].kind, TILE_ARGUMENT_I32);
  adder_close(&a);
}

/* Loads what cannot be loaded: PTX, a cubin, something for the emulator, whichever the device is.
 */
static inline void conform_bad_images(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_module *module = NULL;
  uint32_t formats = tile_device_get_properties(a.device)->image_formats;
  for (int format = 0; format <= TILE_IMAGE_EMULATOR; format++) {
    struct plain_image plain = plain_image("k", "nonsense");
    plain.section.format = (tile_image_format)format;
    if (format != TILE_IMAGE_EMULATOR || !(formats >> format & 1)) {
      tile_status status = plain_load(&plain, a.device, &module);
      tile_code code = tile_status_code(status);
      CHECK(code == TILE_BAD_IMAGE || code == TILE_WRONG_TARGET);
      tile_status_free(status);
    }
    plain.section.data = NULL;
    EXPECT(plain_load(&plain, a.device, &module), TILE_BAD_IMAGE, "empty");
    plain.section.data = "nonsense";
    plain.image.kernel_count = 0;
    EXPECT(tile_module_load(a.device, &plain.image, &module), TILE_BAD_IMAGE, "names no kernels");
  }
  struct plain_image other = plain_image("k", "nonsense");
  other.section.format = (tile_image_format)17;
  EXPECT(plain_load(&other, a.device, &module), TILE_INVALID_ARGUMENT, "no image format 17");
  EXPECT(tile_module_load(a.device, &(tile_image){0}, &module), TILE_BAD_IMAGE, "empty");
  CHECK(!module);
  adder_works(&a, subject);
  adder_close(&a);
}

/* Metadata that cannot be true is refused before the driver sees the image. */
static inline void conform_wrong_infos(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_module *module = NULL;
  const tile_device_properties *properties = tile_device_get_properties(device);
  tile_parameter parameter = {.name = "p", .type = "f32", .divisibility = 0};
  tile_condition condition = {.kind = TILE_CONDITION_EQUAL, .argument = 1};
  struct plain_image plain = plain_image("k", ".version");
  if (!(properties->image_formats >> TILE_IMAGE_PTX & 1))
    plain.section.format = TILE_IMAGE_EMULATOR;
  const struct plain_image right = plain;
  plain.version.threads = 1025;
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT, "1025 threads");
  plain.version.threads = 0;
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT, "0 threads");
  plain = right;
  plain.version.shared_bytes = 1 << 20;
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT, "shared memory");
  plain = right;
  plain.info.name = "";
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT, "without name");
  plain = right;
  plain.info.parameters = &parameter;
  plain.info.parameter_count = 1;
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT, "parameter 0");
  plain.info.parameter_count = 100000;
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT, "the limit is");
  plain = right;
  plain.version.conditions = &condition;
  plain.version.condition_count = 1;
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT,
         "of no kind or of no argument");
  plain = right;
  plain.version.section = &right.section;
  EXPECT(plain_load(&plain, device, &module), TILE_INVALID_ARGUMENT, "not one of the image's");
  plain = right;
  plain_link(&plain);
  plain.info.version_count = 0;
  EXPECT(tile_module_load(device, &plain.image, &module), TILE_INVALID_ARGUMENT, "has no version");
  plain = right;
  if (properties->target[0]) {
    plain.section.target = "sm_999";
    EXPECT(plain_load(&plain, device, &module), TILE_WRONG_TARGET, "compute capability");
    plain.section.target = "gfx942";
    EXPECT(plain_load(&plain, device, &module), TILE_WRONG_TARGET, "names no GPU");
    plain.section.target = properties->compute_major == 8 ? "sm_90a" : "sm_80a";
    EXPECT(plain_load(&plain, device, &module), TILE_WRONG_TARGET, "compile it for");
    plain = right;
    plain.section.minimum_driver = 99000;
    EXPECT(plain_load(&plain, device, &module), TILE_DRIVER_TOO_OLD, "CUDA 99.0");
  }
  CHECK(!module);
  tile_device_close(device);
}

/* --- Launches --------------------------------------------------------------------------------- */

static inline void conform_launch(const struct subject *subject) {
  struct adder a = adder_open(subject);
  adder_works(&a, subject);
  adder_works(&a, subject);
  adder_close(&a);
}

static inline void conform_launch_on_stream(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_stream *stream;
  FINE(tile_stream_create(a.device, &stream));
  FINE(tile_device_synchronize(a.device)); /* the buffers were filled on the default stream */
  FINE(tile_launch(a.kernel, adder_grid, stream, a.arguments, 4));
  adder_compare(&a, subject, stream);
  tile_stream_destroy(stream);
  adder_close(&a);
}

/* Addresses are numbers that a kernel computes with: they survive memory, and bytes may be added to
   them. */
static inline void conform_addresses(const struct subject *subject) {
  struct adder a = adder_open(subject);
  enum { PAST = 32, COUNT = 16 }; /* elements */
  uint64_t written[] = {tile_buffer_address(a.x), tile_buffer_address(a.y) + PAST * sizeof(float),
                        tile_buffer_address(a.out) + PAST * sizeof(float)};
  uint64_t read[3] = {0};
  tile_buffer *array = make_buffer(a.device, sizeof written);
  FINE(tile_buffer_write(array, 0, written, sizeof written, NULL));
  FINE(tile_buffer_read(array, 0, read, sizeof read, NULL));
  for (int i = 0; i < 3; i++)
    a.arguments[i] = tile_argument_address(read[i]);
  a.arguments[3] = tile_argument_i32(COUNT);
  FINE(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4));
  float out[N];
  FINE(tile_buffer_read(a.out, 0, out, sizeof out, NULL));
  unsigned char poison[sizeof *out];
  memset(poison, 0xCB, sizeof poison);
  for (int i = 0; i < N; i++) {
    bool inside = i >= PAST && i < PAST + COUNT && subject->computes;
    float expected = (float)(i - PAST + 2 * i);
    if (memcmp(&out[i], inside ? (void *)&expected : poison, sizeof *out) != 0) {
      printf("element %d is %g\n", i, (double)out[i]);
      check_failures_++;
      break;
    }
  }
  tile_buffer_destroy(array);
  adder_close(&a);
}

static inline void conform_wrong_count(const struct subject *subject) {
  struct adder a = adder_open(subject);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 3), TILE_INVALID_ARGUMENT,
         "takes 4 arguments, the launch passes 3");
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 5), TILE_INVALID_ARGUMENT,
         "passes 5");
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, NULL, 0), TILE_INVALID_ARGUMENT, "passes 0");
  adder_works(&a, subject);
  adder_close(&a);
}

static inline void conform_wrong_kinds(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_argument right = a.arguments[3];
  const tile_argument wrong[] = {tile_argument_i1(true),    tile_argument_i8(16),
                                 tile_argument_i16(16),     tile_argument_i64(16),
                                 tile_argument_f16(0),      tile_argument_bf16(0),
                                 tile_argument_f32(16),     tile_argument_f64(16),
                                 tile_argument_address(16), {.kind = (tile_argument_kind)99}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    a.arguments[3] = wrong[i];
    EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_INVALID_ARGUMENT,
           "argument 3 ('n'): the kernel takes i32, the launch passes ");
  }
  a.arguments[3] = right;
  a.arguments[1] = right;
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_INVALID_ARGUMENT,
         "argument 1 ('y'): the kernel takes a pointer to f32, the launch passes i32");
  a.arguments[1] = tile_argument_buffer(a.y);
  adder_works(&a, subject);
  adder_close(&a);
}

static inline void conform_broken_promises(const struct subject *subject) {
  struct adder a = adder_open(subject);
  a.arguments[0] = tile_argument_address(tile_buffer_address(a.x) + 4);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_INVALID_ARGUMENT,
         "is not divisible by 16, which the kernel was promised");
  a.arguments[0] = tile_argument_buffer(a.x);
  a.arguments[3] = tile_argument_i32(N + 1);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_INVALID_ARGUMENT,
         "argument 3 ('n'): 2001 is not divisible by 16");
  a.arguments[3] = tile_argument_i32(-8);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_INVALID_ARGUMENT,
         "-8 is not divisible by 16");
  a.arguments[3] = tile_argument_i32(-16);
  FINE(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4)); /* nothing to add */
  a.arguments[3] = tile_argument_i32(N);
  adder_works(&a, subject);
  adder_close(&a);
}

static inline void conform_wrong_grids(const struct subject *subject) {
  struct adder a = adder_open(subject);
  static const struct {
    uint32_t grid[3];
    const char *words;
  } wrong[] = {{{0, 1, 1}, "grid x = 0 is not in 1..2147483647"},
               {{1, 0, 1}, "grid y = 0 is not in 1..65535"},
               {{1, 1, 0}, "grid z = 0"},
               {{0x80000000u, 1, 1}, "grid x = 2147483648"},
               {{0xFFFFFFFFu, 1, 1}, "grid x = 4294967295"},
               {{1, 65536, 1}, "grid y = 65536"},
               {{1, 1, 65536}, "grid z = 65536"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    EXPECT(tile_launch(a.kernel, wrong[i].grid, NULL, a.arguments, 4), TILE_INVALID_ARGUMENT,
           wrong[i].words);
  adder_works(&a, subject);
  adder_close(&a);
}

/* One error after another, a thousand times: nothing leaks, nothing wears out. */
static inline void conform_errors_leave_it_usable(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_buffer *buffer = NULL;
  tile_kernel *kernel = NULL;
  for (int i = 0; i < 1000; i++) {
    EXPECT(tile_buffer_create(a.device, SIZE_MAX / 4, &buffer), TILE_OUT_OF_MEMORY, "");
    EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 2), TILE_INVALID_ARGUMENT, "");
    EXPECT(tile_module_kernel(a.module, "no", &kernel), TILE_NOT_FOUND, "");
  }
  adder_works(&a, subject);
  adder_close(&a);
}

/* --- Threads ---------------------------------------------------------------------------------- */

struct worker {
  const struct subject *subject;
  tile_device *device;
  tile_kernel *kernel; /* shared */
  int failures;
};

/* Own buffers, stream and module, and the shared kernel; all at once. */
static inline void *work(void *data) {
  struct worker *worker = data;
  int before = check_failures_;
  tile_device *own = NULL;
  FINE(tile_device_open(worker->subject->driver(), 0, &own));
  tile_device_close(own);
  tile_stream *stream;
  FINE(tile_stream_create(worker->device, &stream));
  tile_buffer *x = make_buffer(worker->device, N * sizeof(float));
  tile_buffer *out = make_buffer(worker->device, N * sizeof(float));
  float values[N];
  for (int i = 0; i < N; i++)
    values[i] = (float)i;
  FINE(tile_buffer_write(x, 0, values, sizeof values, stream));
  tile_argument arguments[] = {tile_argument_buffer(x), tile_argument_buffer(x),
                               tile_argument_buffer(out), tile_argument_i32(N)};
  for (int turn = 0; turn < 10; turn++) {
    FINE(tile_launch(worker->kernel, adder_grid, stream, arguments, 4));
    EXPECT(tile_launch(worker->kernel, adder_grid, stream, arguments, 1), TILE_INVALID_ARGUMENT,
           "passes 1");
    FINE(tile_buffer_read(out, 0, values, sizeof values, stream));
    for (int i = 0; i < N && worker->subject->computes; i++)
      worker->failures += values[i] != (float)(2 * i);
  }
  tile_buffer_destroy(x);
  tile_buffer_destroy(out);
  tile_stream_destroy(stream);
  worker->failures += check_failures_ - before;
  return NULL;
}

static inline void conform_threads(const struct subject *subject) {
  enum { THREADS = 4 };
  struct adder a = adder_open(subject);
  pthread_t threads[THREADS];
  struct worker workers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (struct worker){.subject = subject, .device = a.device, .kernel = a.kernel};
    pthread_create(&threads[i], NULL, work, &workers[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    CHECK_EQUAL(workers[i].failures, 0);
  }
  adder_works(&a, subject);
  adder_close(&a);
}

/* --- Timing ----------------------------------------------------------------------------------- */

static inline tile_status bench_launch(void *context, tile_stream *stream) {
  struct adder *a = context;
  return tile_launch(a->kernel, adder_grid, stream, a->arguments, 4);
}

static inline void conform_bench(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_bench_result result = {0};
  FINE(
      tile_do_bench(a.device, bench_launch, &a,
                    &(tile_bench_options){
                        .warmup_ms = 1, .repeat_ms = 5, .maximum_runs = 50, .flush_bytes = 1 << 20},
                    &result));
  CHECK(result.runs >= 1 && result.runs <= 50);
  CHECK(result.minimum >= 0 && result.minimum <= result.quantile20);
  CHECK(result.quantile20 <= result.median && result.median <= result.quantile80);
  CHECK(result.quantile80 <= result.maximum);
  CHECK(result.mean >= result.minimum && result.mean <= result.maximum);
  adder_compare(&a, subject, NULL);
  adder_close(&a);
}

static inline void conform_bench_that_fails(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_bench_result result = {.runs = 77};
  a.arguments[3] = tile_argument_i64(N);
  EXPECT(tile_do_bench(a.device, bench_launch, &a, NULL, &result), TILE_INVALID_ARGUMENT, "i64");
  CHECK_EQUAL(result.runs, 77);
  a.arguments[3] = tile_argument_i32(N);
  adder_works(&a, subject);
  adder_close(&a);
}

#endif
