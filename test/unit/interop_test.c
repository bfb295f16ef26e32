/* SPDX-License-Identifier: MIT */
/* Memory, contexts and streams of others (tile/interop.h), on the null driver, on the emulator and
   on a libcuda that is not real (fake_cuda.c): what is wrapped is used, checked and never freed;
   copies that go on after the host's back. */
#include "interop_fixture.h"

/* --- Memory that exists ----------------------------------------------------------------------- */

/* Memory that `subject` can wrap: the host's, or on CUDA what somebody else took from the driver.
 */
struct foreign {
  void *memory;
  tile_buffer *owner;
};

static struct foreign foreign_memory(const struct subject *subject, tile_device *device,
                                     size_t bytes) {
  struct foreign foreign = {0};
  if (subject != &fake) {
    foreign.memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return foreign;
  }
  foreign.owner = make_buffer(device, bytes);
  foreign.memory = (void *)(uintptr_t)tile_buffer_address(foreign.owner);
  return foreign;
}

static void foreign_free(struct foreign *foreign) {
  if (!foreign->owner)
    free(foreign->memory);
  tile_buffer_destroy(foreign->owner);
}

static tile_buffer *wrap(tile_device *device, void *memory, size_t bytes) {
  tile_buffer *buffer = NULL;
  FINE(tile_buffer_wrap(device, (uintptr_t)memory, bytes, &buffer));
  if (!buffer)
    exit(1);
  return buffer;
}

/* A kernel works on three tensors of another library; they are there afterwards. */
static void wrapped_buffers(const struct subject *subject) {
  struct adder a = adder_open(subject);
  size_t bytes = N * sizeof(float);
  struct foreign memory = foreign_memory(subject, a.device, 3 * 8192);
  char *tensors = memory.memory;
  tile_buffer *x = wrap(a.device, tensors, bytes), *y = wrap(a.device, tensors + 8192, bytes);
  tile_buffer *out = wrap(a.device, tensors + 16384, bytes);
  CHECK_EQUAL(tile_buffer_bytes(x), bytes);
  CHECK(tile_buffer_address(x) == (uintptr_t)tensors);
  FINE(tile_buffer_copy(x, 0, a.x, 0, bytes, NULL));
  FINE(tile_buffer_copy(y, 0, a.y, 0, bytes, NULL));
  tile_argument arguments[] = {tile_argument_buffer(x), tile_argument_buffer(y),
                               tile_argument_buffer(out), tile_argument_i32(N)};
  FINE(tile_launch(a.kernel, adder_grid, NULL, arguments, 4));
  tile_buffer_destroy(x);
  tile_buffer_destroy(y);
  tile_buffer_destroy(out);
  if (subject->computes)
    CHECK_EQUAL(((float *)(tensors + 16384))[N - 1], 3 * (N - 1));
  foreign_free(&memory);
  adder_close(&a);
}

static void wrong_wraps(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_buffer *buffer = NULL;
  char byte;
  EXPECT(tile_buffer_wrap(NULL, 4096, 16, &buffer), TILE_INVALID_ARGUMENT, "device is NULL");
  EXPECT(tile_buffer_wrap(device, 4096, 16, NULL), TILE_INVALID_ARGUMENT, "out is NULL");
  EXPECT(tile_buffer_wrap(device, 0, 16, &buffer), TILE_INVALID_ARGUMENT,
         "16 bytes at a null address");
  EXPECT(tile_buffer_wrap(device, UINT64_MAX - 7, 16, &buffer), TILE_INVALID_ARGUMENT,
         "leave the address space");
  CHECK(!buffer);
  struct foreign memory = foreign_memory(subject, device, 256);
  FINE(tile_buffer_wrap(device, (uintptr_t)memory.memory, 16, &buffer));
  EXPECT(tile_buffer_read(buffer, 10, &byte, 7, NULL), TILE_INVALID_ARGUMENT,
         "leave the buffer, which has 16");
  tile_buffer_destroy(buffer);
  FINE(tile_buffer_wrap(device, 0, 0, &buffer)); /* no bytes at all */
  tile_buffer_destroy(buffer);
  foreign_free(&memory);
  tile_device_close(device);
}

/* Views of one tensor overlap. The same memory may be wrapped twice, and each wrapper ends by
   itself. */
static void overlapping_views(const struct subject *subject) {
  struct adder a = adder_open(subject);
  size_t bytes = N * sizeof(float);
  struct foreign memory = foreign_memory(subject, a.device, 2 * bytes + 256);
  char *tensor = memory.memory;
  tile_buffer *all = wrap(a.device, tensor, 2 * bytes), *x = wrap(a.device, tensor, bytes);
  tile_buffer *same = wrap(a.device, tensor, bytes), *late = wrap(a.device, tensor + 128, bytes);
  tile_buffer_destroy(same);
  FINE(tile_buffer_copy(x, 0, a.x, 0, bytes, NULL));
  tile_argument arguments[] = {tile_argument_buffer(x), tile_argument_buffer(a.y),
                               tile_argument_buffer(a.out), tile_argument_i32(N)};
  FINE(tile_launch(a.kernel, adder_grid, NULL, arguments, 4));
  adder_compare(&a, subject, NULL);
  tile_buffer_destroy(all);
  FINE(tile_launch(a.kernel, adder_grid, NULL, arguments, 4));
  tile_buffer_destroy(x);
  tile_buffer_destroy(late);
  foreign_free(&memory);
  adder_close(&a);
}

/* The emulator checks the bounds of what is wrapped, and forgets it with the wrapper. */
static void emulated_bounds(void) {
  struct adder a = adder_open(&emulator);
  size_t bytes = N * sizeof(float);
  char *memory = aligned_alloc(256, 8192);
  tile_buffer *half = wrap(a.device, memory, bytes / 2);
  a.arguments[2] = tile_argument_buffer(half);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_HAZARD,
         "past the end of buffer 'out'");
  tile_buffer_destroy(half);
  tile_buffer *all = wrap(a.device, memory, bytes);
  FINE(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4));
  tile_buffer_destroy(all);
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_HAZARD, "out-of-bounds");
  free(memory);
  adder_close(&a);
}

/* What the driver has not heard of would break the context at the first launch. */
static void unknown_to_cuda(void) {
  tile_device *device = open_device(&fake);
  tile_buffer *buffer = NULL, *known = make_buffer(device, 1024);
  static char memory[64];
  EXPECT(tile_buffer_wrap(device, (uintptr_t)memory, sizeof memory, &buffer), TILE_INVALID_ARGUMENT,
         "the first of 64 bytes to be wrapped: it is neither device memory nor");
  EXPECT(tile_buffer_wrap(device, tile_buffer_address(known), 2048, &buffer), TILE_INVALID_ARGUMENT,
         "the last of 2048 bytes");
  CHECK(!buffer);
  tile_buffer_destroy(known);
  tile_device_close(device);
}

/* --- Contexts and handles --------------------------------------------------------------------- */

/* A context of somebody else's: our calls work in it, and leave the thread's current one and the
   context alone. */
static void foreign_contexts(void) {
  void *context = NULL, *current = NULL, *native = NULL;
  tile_device *device = NULL, *nothing = NULL;
  CHECK_EQUAL(CALL(cuCtxCreate_v2, int (*)(void **, unsigned, int))(&context, 0, 0), 0);
  FINE(tile_device_open_context(tile_cuda_driver(), NULL, &device)); /* the current one */
  CHECK_EQUAL(CALL(cuCtxPopCurrent_v2, int (*)(void **))(&current), 0);
  CHECK(current == context);
  EXPECT(tile_device_open_context(tile_cuda_driver(), NULL, &nothing), TILE_INVALID_ARGUMENT,
         "no CUDA context is current");
  tile_device *same = NULL;
  FINE(tile_device_open_context(tile_cuda_driver(), context, &same));
  FINE(tile_device_native(same, &native));
  CHECK(native == context);
  CHECK_TEXT(tile_device_get_properties(same)->target, "sm_90a");
  struct adder a = adder_on(device, &fake);
  adder_works(&a, &fake);
  CALL(cuCtxGetCurrent, int (*)(void **))(&current);
  CHECK(!current); /* not ours to leave there */
  tile_device *primary = open_device(&fake);
  FINE(tile_device_native(primary, &native));
  CHECK(native && native != context);
  adder_close(&a);
  tile_device_close(primary);
  tile_device_close(same);
  uint64_t bytes;
  FINE(tile_device_open_context(tile_cuda_driver(), context,
                                &device)); /* closing devices left it alone */
  FINE(tile_device_free_memory(device, &bytes));
  tile_device_close(device);
  CHECK_EQUAL(CALL(cuCtxDestroy_v2, int (*)(void *))(context), 0);
}

/* The primary context stays current where somebody else holds it, and goes where nobody does. */
static void primary_context_of_others(void) {
  void *context = NULL, *current = NULL;
  int (*get)(void **) = CALL(cuCtxGetCurrent, int (*)(void **));
  CALL(cuDevicePrimaryCtxRetain, int (*)(void **, int))(&context, 0);
  CALL(cuCtxSetCurrent, int (*)(void *))(context);
  tile_device_close(open_device(&fake));
  get(&current);
  CHECK(current == context);
  tile_device *device = open_device(&fake);
  CALL(cuDevicePrimaryCtxRelease_v2, int (*)(int))(0);
  tile_device_close(device);
  get(&current);
  CHECK(!current);
}

static void native_handles(void) {
  struct adder a = adder_open(&fake);
  tile_stream *stream, *same, *standard;
  tile_event *event;
  void *native = NULL, *function = NULL;
  FINE(tile_stream_create(a.device, &stream));
  FINE(tile_event_create(a.device, &event));
  FINE(tile_stream_native(stream, &native));
  CHECK_EQUAL(CALL(cuStreamSynchronize, int (*)(void *))(native), 0);
  FINE(tile_stream_wrap(a.device, native, &same));
  FINE(tile_launch(a.kernel, adder_grid, same, a.arguments, 4));
  FINE(tile_stream_wrap(a.device, NULL, &standard));
  FINE(tile_stream_native(standard, &native));
  CHECK(!native);
  FINE(tile_event_native(event, &native));
  CHECK_EQUAL(CALL(cuEventRecord, int (*)(void *, void *))(native, NULL), 0);
  FINE(tile_kernel_native(a.kernel, NULL, &native, &function));
  CHECK(native && function);
  CHECK_EQUAL(CALL(cuFuncSetAttribute, int (*)(void *, int, int))(function, 8, 1024), 0);
  FINE(tile_kernel_native(a.kernel, &tile_kernel_get_info(a.kernel)->versions[0], NULL, &native));
  CHECK(native == function);
  tile_kernel_version other = {0};
  EXPECT(tile_kernel_native(a.kernel, &other, NULL, NULL), TILE_INVALID_ARGUMENT,
         "none of kernel 'add_kernel'");
  EXPECT(tile_kernel_native(NULL, NULL, NULL, NULL), TILE_INVALID_ARGUMENT, "kernel is NULL");
  EXPECT(tile_device_native(a.device, NULL), TILE_INVALID_ARGUMENT, "out_context is NULL");
  EXPECT(tile_stream_native(NULL, &native), TILE_INVALID_ARGUMENT, "stream is NULL");
  EXPECT(tile_event_native(event, NULL), TILE_INVALID_ARGUMENT, "out_event is NULL");
  tile_stream_destroy(standard);
  tile_stream_destroy(same);
  tile_stream_destroy(stream);
  tile_event_destroy(event);
  adder_close(&a);
}

static void no_native_handles(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_stream *stream;
  tile_event *event;
  void *native = NULL;
  tile_device *device = NULL;
  FINE(tile_stream_create(a.device, &stream));
  FINE(tile_event_create(a.device, &event));
  EXPECT(tile_device_open_context(subject->driver(), NULL, &device), TILE_UNSUPPORTED,
         "has no contexts");
  EXPECT(tile_device_open_context(NULL, NULL, &device), TILE_INVALID_ARGUMENT, "driver is NULL");
  EXPECT(tile_device_open_context(subject->driver(), NULL, NULL), TILE_INVALID_ARGUMENT,
         "out is NULL");
  EXPECT(tile_device_native(a.device, &native), TILE_UNSUPPORTED, "no native context");
  EXPECT(tile_stream_native(stream, &native), TILE_UNSUPPORTED, "no native stream");
  EXPECT(tile_event_native(event, &native), TILE_UNSUPPORTED, "no native event");
  EXPECT(tile_kernel_native(a.kernel, NULL, &native, NULL), TILE_UNSUPPORTED, "no native kernel");
  CHECK(!native && !device);
  tile_event_destroy(event);
  tile_stream_destroy(stream);
  adder_close(&a);
}

/* --- Pinned memory and asynchronous copies ---------------------------------------------------- */

static void async_copies(const struct subject *subject) {
  struct adder a = adder_open(subject);
  size_t bytes = N * sizeof(float);
  tile_pinned *x, *out;
  tile_stream *stream;
  FINE(tile_pinned_create(a.device, bytes + 16, &x));
  FINE(tile_pinned_create(a.device, bytes, &out));
  FINE(tile_stream_create(a.device, &stream));
  CHECK_EQUAL(tile_pinned_bytes(x), bytes + 16);
  float *values = (float *)((char *)tile_pinned_data(x) + 16);
  for (int i = 0; i < N; i++)
    values[i] = (float)i;
  FINE(tile_buffer_fill(a.x, 0, 0, bytes, stream));
  FINE(tile_buffer_write_async(a.x, 0, x, 16, bytes, stream));
  FINE(tile_launch(a.kernel, adder_grid, stream, a.arguments, 4));
  FINE(tile_buffer_read_async(subject->computes ? a.out : a.x, 0, out, 0, bytes, stream));
  FINE(tile_stream_synchronize(stream));
  const float *sums = tile_pinned_data(out);
  CHECK_EQUAL(sums[N - 1], subject->computes ? 3 * (N - 1) : N - 1);
  values[0] = 7; /* the copy is done */
  FINE(tile_device_synchronize(a.device));
  FINE(tile_buffer_write_async(a.x, 0, x, 16, bytes, stream)); /* destroying waits for it */
  tile_pinned_destroy(x);
  tile_pinned_destroy(out);
  tile_pinned_destroy(NULL);
  tile_stream_destroy(stream);
  adder_close(&a);
}

static void wrong_async_copies(const struct subject *subject) {
  tile_device *device = open_device(subject), *other = open_device(subject);
  tile_buffer *buffer = make_buffer(device, 64);
  tile_pinned *pinned, *foreign;
  tile_stream *stream;
  FINE(tile_pinned_create(device, 32, &pinned));
  FINE(tile_pinned_create(other, 32, &foreign));
  FINE(tile_stream_create(other, &stream));
  EXPECT(tile_buffer_write_async(NULL, 0, pinned, 0, 1, NULL), TILE_INVALID_ARGUMENT,
         "buffer is NULL");
  EXPECT(tile_buffer_write_async(buffer, 0, NULL, 0, 1, NULL), TILE_INVALID_ARGUMENT,
         "from is NULL");
  EXPECT(tile_buffer_read_async(buffer, 0, NULL, 0, 1, NULL), TILE_INVALID_ARGUMENT, "to is NULL");
  EXPECT(tile_buffer_write_async(buffer, 60, pinned, 0, 5, NULL), TILE_INVALID_ARGUMENT,
         "tile_buffer_write_async: 5 bytes from offset 60 leave the buffer, which has 64");
  EXPECT(tile_buffer_read_async(buffer, 0, pinned, 30, 3, NULL), TILE_INVALID_ARGUMENT,
         "tile_buffer_read_async: 3 bytes from offset 30 leave the pinned memory, which has 32");
  EXPECT(tile_buffer_write_async(buffer, 0, foreign, 0, 4, NULL), TILE_INVALID_ARGUMENT,
         "are of two devices");
  EXPECT(tile_buffer_read_async(buffer, 0, pinned, 0, 4, stream), TILE_INVALID_ARGUMENT,
         "another device");
  FINE(tile_buffer_read_async(buffer, 64, pinned, 32, 0, NULL));
  tile_pinned *same; /* as the message says */
  FINE(tile_pinned_wrap(device, tile_pinned_data(foreign), 32, &same));
  FINE(tile_buffer_write_async(buffer, 0, same, 0, 32, NULL));
  tile_pinned_destroy(same);
  tile_pinned_destroy(pinned);
  tile_pinned_destroy(foreign);
  tile_stream_destroy(stream);
  tile_buffer_destroy(buffer);
  tile_device_close(device);
  tile_device_close(other);
}

static void registered_memory(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_buffer *buffer = make_buffer(device, 256);
  char *memory = malloc(256), byte = 0;
  memset(memory, 42, 256);
  tile_pinned *pinned = NULL, *again = NULL;
  EXPECT(tile_pinned_register(device, NULL, 16, &again), TILE_INVALID_ARGUMENT, "memory is NULL");
  EXPECT(tile_pinned_register(NULL, memory, 16, &again), TILE_INVALID_ARGUMENT, "device is NULL");
  EXPECT(tile_pinned_create(device, 16, NULL), TILE_INVALID_ARGUMENT, "out is NULL");
  EXPECT(tile_pinned_create(device, (size_t)1 << 46, &again), TILE_OUT_OF_MEMORY, "");
  FINE(tile_pinned_register(device, memory, 256, &pinned));
  CHECK(tile_pinned_data(pinned) == memory);
  EXPECT(tile_pinned_register(device, memory + 100, 10, &again), TILE_INVALID_ARGUMENT,
         "are pinned already; use tile_pinned_wrap");
  CHECK(!again);
  FINE(tile_buffer_write_async(buffer, 0, pinned, 0, 256, NULL));
  FINE(tile_buffer_read(buffer, 255, &byte, 1, NULL));
  CHECK_EQUAL(byte, 42);
  tile_pinned_destroy(pinned);
  FINE(tile_pinned_register(device, memory, 10, &pinned)); /* it is unpinned */
  tile_pinned_destroy(pinned);
  FINE(tile_pinned_register(device, NULL, 0, &pinned));
  tile_pinned_destroy(pinned);
  tile_buffer_destroy(buffer);
  tile_device_close(device);
  free(memory);
}

/* Memory that is not pinned would be copied while the host waits, and nobody would notice. */
static void not_pinned(void) {
  tile_device *device = open_device(&fake);
  tile_buffer *buffer = make_buffer(device, 64);
  tile_pinned *pinned = NULL;
  static char memory[64];
  EXPECT(tile_pinned_wrap(device, memory, 64, &pinned), TILE_INVALID_ARGUMENT,
         "is not pinned memory of the host; pin it with");
  EXPECT(tile_pinned_wrap(device, (void *)(uintptr_t)tile_buffer_address(buffer), 64, &pinned),
         TILE_INVALID_ARGUMENT, "is not pinned");
  CHECK(!pinned);
  tile_buffer_destroy(buffer);
  tile_device_close(device);
}

/* The emulator has copied long ago, but says what would go wrong on a GPU: host memory changed too
   early. */
static void early_changes(const struct subject *subject) {
  tile_device *device = open_device(subject);
  tile_buffer *buffer = make_buffer(device, 64);
  tile_pinned *pinned;
  tile_stream *one, *two;
  tile_event *event;
  char byte;
  FINE(tile_pinned_create(device, 64, &pinned));
  FINE(tile_stream_create(device, &one));
  FINE(tile_stream_create(device, &two));
  FINE(tile_event_create(device, &event));
  char *host = tile_pinned_data(pinned);
  FINE(tile_buffer_write_async(buffer, 0, pinned, 0, 64, one));
  host[63] ^= 1;
  FINE(tile_stream_synchronize(two)); /* not the copy's */
  EXPECT(tile_stream_synchronize(one), TILE_HAZARD,
         "before an asynchronous copy from them was known to be done");
  FINE(tile_stream_synchronize(one)); /* it is said once */
  FINE(tile_buffer_read_async(buffer, 0, pinned, 0, 64, one));
  host[7] ^= 1;
  EXPECT(tile_device_synchronize(device), TILE_HAZARD, "an asynchronous copy to them");
  FINE(tile_buffer_read_async(buffer, 0, pinned, 0, 64, NULL));
  host[0] ^= 1;
  EXPECT(tile_buffer_read(buffer, 0, &byte, 1, NULL), TILE_HAZARD,
         "wait before with"); /* it waits, too */

  FINE(tile_buffer_write_async(buffer, 0, pinned, 0, 32,
                               one)); /* an event knows what is before it, and no more */
  FINE(tile_event_record(event, one));
  FINE(tile_buffer_write_async(buffer, 0, pinned, 32, 32, one));
  FINE(tile_event_synchronize(event));
  host[0] ^= 1;
  FINE(tile_event_synchronize(event));
  host[40] ^= 1;
  EXPECT(tile_stream_synchronize(one), TILE_HAZARD, "32 bytes of host memory");

  FINE(tile_buffer_read_async(buffer, 0, pinned, 0, 64, one)); /* a stream orders its own copies */
  FINE(tile_buffer_fill(buffer, 0, 9, 64, one));
  FINE(tile_buffer_read_async(buffer, 0, pinned, 0, 64, one));
  FINE(tile_stream_synchronize(one));
  FINE(tile_buffer_write_async(buffer, 0, pinned, 0, 64,
                               one)); /* one that waits for the other has waited */
  FINE(tile_event_record(event, one));
  FINE(tile_stream_wait(two, event));
  FINE(tile_stream_synchronize(two));
  host[0] ^= 1;
  FINE(tile_device_synchronize(device));
  for (int i = 0; i < 3000; i++) /* nobody must ever wait */
    FINE(tile_buffer_write_async(buffer, 0, pinned, 0, 1, one));
  tile_event_destroy(event);
  tile_stream_destroy(one);
  tile_stream_destroy(two);
  tile_pinned_destroy(pinned);
  tile_buffer_destroy(buffer);
  tile_device_close(device);
}

#define EACH(ROW, test) ROW(test, null) ROW(test, fake) ROW(test, emulator)
#define HOSTS(ROW, test) ROW(test, null) ROW(test, emulator)
#define DEFINE(test, subject)                                                                      \
  static void test##_##subject(void) {                                                             \
    test(&subject);                                                                                \
  }
#define NAMED(test, subject) {#subject ": " #test, test##_##subject},
EACH(DEFINE, wrapped_buffers)
EACH(DEFINE, wrong_wraps)
EACH(DEFINE, overlapping_views)
EACH(DEFINE, async_copies)
EACH(DEFINE, wrong_async_copies)
EACH(DEFINE, registered_memory)
HOSTS(DEFINE, no_native_handles)
HOSTS(DEFINE, early_changes)

int main(int argc, char **argv) {
  setenv("TILE_LIBCUDA", FAKE_CUDA_LIBRARY, 1);
  static const struct test_row rows[] = {
      EACH(NAMED, wrapped_buffers) EACH(NAMED, wrong_wraps) EACH(NAMED, overlapping_views)
          EACH(NAMED, async_copies) EACH(NAMED, wrong_async_copies) EACH(NAMED, registered_memory)
              HOSTS(NAMED, no_native_handles) HOSTS(NAMED, early_changes){
                  "emulator: bounds of wrapped memory", emulated_bounds},
      {"fake: memory that the driver does not know", unknown_to_cuda},
      {"fake: contexts of others", foreign_contexts},
      {"fake: the primary context of others", primary_context_of_others},
      {"fake: native handles", native_handles},
      {"fake: memory that is not pinned", not_pinned},
  };
  return run_tests_(argc, argv, rows, sizeof rows / sizeof *rows);
}
