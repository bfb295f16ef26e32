/* SPDX-License-Identifier: MIT */
/* tile/interop.h on the device at hand: attributes, residents, asynchronous copies, memory of
   others, and on a GPU, through libcuda itself, capture into a graph and a context that is not the
   primary one. */
#include "kernel_test.h"

#include <dlfcn.h>
#include "tile/interop.h"

enum { N = 98432, BLOCK = 1024, PROGRAMS = (N + BLOCK - 1) / BLOCK };

static bool on_gpu(void) {
  return tile_device_get_driver(test_device) == tile_cuda_driver();
}

/* libcuda's own function: CUDA_CALL(cuCtxDestroy_v2, int (*)(void *))(context). */
static void *cuda_symbol(const char *name) {
  const char *named = getenv("TILE_LIBCUDA");
  void *library = dlopen(named && *named ? named : "libcuda.so.1", RTLD_NOW);
  void *symbol = library ? dlsym(library, name) : NULL;
  if (!symbol) {
    printf("libcuda has no %s\n", name);
    exit(1);
  }
  return symbol;
}
#define CUDA_CALL(name, type) ((type)cuda_symbol(#name))

/* The vector addition, with x = i, y = 2 i and out = 0 on a device. */
struct adder {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  tile_buffer *x, *y, *out;
  tile_pinned *host;
  tile_stream *stream;
  tile_argument arguments[4];
};

static struct adder adder_make(tile_device *device) {
  tile_device *before = test_device;
  test_device = device;
  struct adder a = {.device = device, .module = compile_kernels("vector_add.mlir", 4)};
  test_device = before;
  size_t bytes = N * sizeof(float);
  check_ok(tile_module_kernel(a.module, "add_kernel", &a.kernel), "kernel");
  check_ok(tile_stream_create(device, &a.stream), "stream");
  check_ok(tile_pinned_create(device, bytes, &a.host), "pinned");
  check_ok(tile_buffer_create(device, bytes, &a.x), "x");
  check_ok(tile_buffer_create(device, bytes, &a.y), "y");
  check_ok(tile_buffer_create(device, bytes, &a.out), "out");
  float *host = tile_pinned_data(a.host);
  for (int i = 0; i < N; i++)
    host[i] = (float)i;
  check_ok(tile_buffer_write_async(a.x, 0, a.host, 0, bytes, a.stream), "write x");
  check_ok(tile_stream_synchronize(a.stream), "wait for x");
  for (int i = 0; i < N; i++)
    host[i] = (float)(2 * i);
  check_ok(tile_buffer_write_async(a.y, 0, a.host, 0, bytes, a.stream), "write y");
  check_ok(tile_buffer_fill(a.out, 0, 0, bytes, a.stream), "fill");
  check_ok(tile_stream_synchronize(a.stream), "wait for y");
  a.arguments[0] = tile_argument_buffer(a.x);
  a.arguments[1] = tile_argument_buffer(a.y);
  a.arguments[2] = tile_argument_buffer(a.out);
  a.arguments[3] = tile_argument_i32(N);
  return a;
}

static tile_status adder_launch(struct adder *a, uint32_t programs,
                                const tile_launch_options *options) {
  return tile_launch_with(a->kernel, (uint32_t[]){programs, 1, 1}, a->stream, a->arguments, 4,
                          options);
}

/* Is `out` factor * i? It is zeros afterwards. */
static void adder_check(struct adder *a, int factor) {
  int wrong = 0;
  check_ok(tile_buffer_read_async(a->out, 0, a->host, 0, N * sizeof(float), a->stream), "read");
  check_ok(tile_buffer_fill(a->out, 0, 0, N * sizeof(float), a->stream), "fill");
  check_ok(tile_stream_synchronize(a->stream), "wait");
  const float *host = tile_pinned_data(a->host);
  for (int i = 0; i < N; i++)
    wrong += host[i] != (float)(factor * i);
  CHECK_EQUAL(wrong, 0);
}

static void adder_end(struct adder *a) {
  tile_pinned_destroy(a->host);
  tile_buffer_destroy(a->x);
  tile_buffer_destroy(a->y);
  tile_buffer_destroy(a->out);
  tile_stream_destroy(a->stream);
  tile_module_unload(a->module);
}

static void expect_code(tile_status status, tile_code code, const char *words) {
  CHECK_EQUAL(tile_status_code(status), code);
  CHECK(strstr(tile_status_message(status), words));
  tile_status_free(status);
}

/* Cooperative launches of as many blocks as are resident, and one more. */
static void residents(void) {
  struct adder a = adder_make(test_device);
  tile_kernel_resources taken = {0};
  tile_launch_options cooperative = {.cooperative = true};
  check_ok(tile_kernel_get_resources(a.kernel, NULL, &taken), "resources");
  printf("%u registers, %u bytes local, %u shared, at most %u threads, %u blocks a multiprocessor, "
         "%llu programs\n",
         taken.registers, taken.local_bytes, taken.shared_bytes, taken.most_threads,
         taken.blocks_per_multiprocessor, (unsigned long long)taken.resident_programs);
  CHECK(taken.resident_programs >= 1);
  CHECK(taken.most_threads >= tile_kernel_get_info(a.kernel)->versions[0].threads);
  CHECK(!on_gpu() || taken.registers > 0);
  check_ok(adder_launch(&a, PROGRAMS, &cooperative), "cooperative");
  adder_check(&a, 3);
  check_ok(adder_launch(&a, (uint32_t)taken.resident_programs, &cooperative), "all residents");
  adder_check(&a, 3);
  uint32_t programs = tile_kernel_get_info(a.kernel)->versions[0].programs_per_block;
  expect_code(adder_launch(&a, (uint32_t)taken.resident_programs + (programs > 1 ? programs : 1),
                           &cooperative),
              TILE_INVALID_ARGUMENT, "at one time");
  adder_end(&a);
}

static void attributes(void) {
  struct adder a = adder_make(test_device);
  bool has = tile_device_get_properties(test_device)->compute_major >= 9;
  bool emulated = !on_gpu();
  tile_launch_options cluster = {.cluster = {2, 1, 1}}, early = {.programmatic = true};
  tile_status status = adder_launch(&a, PROGRAMS + PROGRAMS % 2 + 8,
                                    &cluster); /* an even number, whatever a block holds */
  if (has) {
    check_ok(status, "cluster");
    adder_check(&a, 3);
  } else {
    expect_code(status, TILE_UNSUPPORTED, "clusters");
  }
  status = adder_launch(&a, PROGRAMS, &early);
  if (has || emulated) {
    check_ok(status, "programmatic");
    adder_check(&a, 3);
  } else {
    expect_code(status, TILE_UNSUPPORTED, "compute capability");
  }
  adder_end(&a);
}

/* Memory of the host that nobody pinned, where the GPU cannot reach it. */
static void expect_unknown_memory(void) {
  static char unknown[64];
  tile_buffer *none = NULL;
  int reached = 1;
  if (on_gpu())
    CUDA_CALL(cuDeviceGetAttribute, int (*)(int *, int, int))(&reached, 88, 0);
  if (!reached)
    expect_code(tile_buffer_wrap(test_device, (uintptr_t)unknown, 64, &none), TILE_INVALID_ARGUMENT,
                "does not know the address");
}

/* Views into one buffer, as another library would hand them over. */
static void memory_of_others(void) {
  struct adder a = adder_make(test_device);
  size_t bytes = N * sizeof(float);
  tile_buffer *all, *x, *out;
  check_ok(tile_buffer_create(test_device, 2 * bytes, &all), "all");
  check_ok(tile_buffer_wrap(test_device, tile_buffer_address(all), bytes, &x), "wrap x");
  check_ok(tile_buffer_wrap(test_device, tile_buffer_address(all) + bytes, bytes, &out),
           "wrap out");
  check_ok(tile_buffer_copy(x, 0, a.x, 0, bytes, a.stream), "copy");
  a.arguments[0] = tile_argument_buffer(x);
  a.arguments[2] = tile_argument_buffer(out);
  check_ok(adder_launch(&a, PROGRAMS, NULL), "launch");
  check_ok(tile_buffer_copy(a.out, 0, out, 0, bytes, a.stream), "copy back");
  adder_check(&a, 3);
  tile_buffer_destroy(x);
  tile_buffer_destroy(out);
  tile_buffer_destroy(all);
  expect_unknown_memory();
  adder_end(&a);
}

/* out = x + y, then out = x + out twice more, from a graph that runs three times. */
static void graph(void) {
  if (!on_gpu())
    return;
  struct adder a = adder_make(test_device);
  void *context, *native, *graph = NULL, *executable = NULL;
  char byte;
  check_ok(adder_launch(&a, PROGRAMS, NULL), "launch");
  check_ok(tile_stream_synchronize(a.stream), "wait");
  a.arguments[1] = a.arguments[2];
  check_ok(tile_device_native(test_device, &context), "context");
  check_ok(tile_stream_native(a.stream, &native), "stream");
  CHECK_EQUAL(CUDA_CALL(cuCtxSetCurrent, int (*)(void *))(context), 0);
  CHECK_EQUAL(CUDA_CALL(cuStreamBeginCapture_v2, int (*)(void *, int))(native, 0), 0);
  check_ok(adder_launch(&a, PROGRAMS, NULL), "captured launch");
  check_ok(adder_launch(&a, PROGRAMS, NULL), "captured launch");
  expect_code(tile_buffer_read(a.out, 0, &byte, 1, a.stream), TILE_INVALID_ARGUMENT,
              "captured into a CUDA graph");
  expect_code(tile_stream_synchronize(a.stream), TILE_INVALID_ARGUMENT,
              "captured into a CUDA graph");
  CHECK_EQUAL(CUDA_CALL(cuStreamEndCapture, int (*)(void *, void **))(native, &graph), 0);
  CHECK_EQUAL(CUDA_CALL(cuGraphInstantiateWithFlags,
                        int (*)(void **, void *, unsigned long long))(&executable, graph, 0),
              0);
  for (int i = 0; i < 3; i++)
    CHECK_EQUAL(CUDA_CALL(cuGraphLaunch, int (*)(void *, void *))(executable, native), 0);
  adder_check(&a, 3 + 3 * 2);
  CUDA_CALL(cuGraphExecDestroy, int (*)(void *))(executable);
  CUDA_CALL(cuGraphDestroy, int (*)(void *))(graph);
  adder_end(&a);
}

/* Everything in a context of its own, while the primary one is in use, too. */
static void another_context(void) {
  if (!on_gpu())
    return;
  void *context = NULL, *current = NULL;
  tile_device *device = NULL;
  struct adder primary = adder_make(test_device);
  CHECK_EQUAL(CUDA_CALL(cuCtxCreate_v2, int (*)(void **, unsigned, int))(&context, 0, 0), 0);
  CUDA_CALL(cuCtxPopCurrent_v2, int (*)(void **))(&current);
  check_ok(tile_device_open_context(tile_cuda_driver(), context, &device),
           "tile_device_open_context");
  struct adder a = adder_make(device);
  check_ok(adder_launch(&a, PROGRAMS, NULL), "launch there");
  check_ok(adder_launch(&primary, PROGRAMS, NULL), "launch here");
  adder_check(&a, 3);
  adder_check(&primary, 3);
  adder_end(&a);
  adder_end(&primary);
  tile_device_close(device);
  CHECK_EQUAL(CUDA_CALL(cuCtxDestroy_v2, int (*)(void *))(context), 0);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"residents", residents}, {"attributes", attributes},
                          {"memory of others", memory_of_others}, {"graph", graph},
                          {"another context", another_context});
}
