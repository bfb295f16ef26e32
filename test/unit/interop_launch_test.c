/* SPDX-License-Identifier: MIT */
/* Launches with attributes, what loaded kernels take, capture into graphs, and hooks
 * (tile/interop.h). */
#include "interop_fixture.h"

#include <sys/wait.h>
#include <unistd.h>
#include "tile/emulator_device.h"

struct fake_launch {
  int launches;
  unsigned cluster[3];
  int cooperative, programmatic;
  unsigned grid[3];
};

static struct fake_launch last_launch(void) {
  struct fake_launch last;
  CALL(fake_cuda_last_launch, void (*)(struct fake_launch *))(&last);
  return last;
}

static tile_status launch_with(const struct adder *a, uint32_t blocks,
                               tile_launch_options options) {
  return tile_launch_with(a->kernel, (const uint32_t[]){blocks, 1, 1}, NULL, a->arguments, 4,
                          &options);
}

/* Runs `test` in a child with NAME=VALUE in its environment; its failures count here. */
static void in_child(const char *name, const char *value, void (*test)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    setenv(name, value, 1);
    check_failures_ = 0;
    test();
    fflush(stdout);
    _exit(check_failures_ != 0);
  }
  int state = 1;
  waitpid(child, &state, 0);
  CHECK_EQUAL(state, 0);
}

/* --- Attributes ------------------------------------------------------------------------------- */

static void attributes_reach_cuda(void) {
  struct adder a = adder_open(&fake);
  FINE(launch_with(
      &a, 4, (tile_launch_options){.cluster = {2}, .cooperative = true, .programmatic = true}));
  struct fake_launch last = last_launch();
  CHECK_EQUAL(last.cluster[0], 2);
  CHECK_EQUAL(last.cluster[1], 1);
  CHECK_EQUAL(last.cluster[2], 1);
  CHECK(last.cooperative && last.programmatic);
  FINE(launch_with(&a, 4, (tile_launch_options){.programmatic = true}));
  last = last_launch();
  CHECK(!last.cluster[0] && !last.cooperative && last.programmatic);
  FINE(launch_with(&a, 3, (tile_launch_options){.cluster = {1, 1, 1}}));
  FINE(tile_launch_with(a.kernel, adder_grid, NULL, a.arguments, 4, NULL));
  CHECK(!last_launch().programmatic);
  adder_close(&a);
}

/* Blocks of clusters are as many as there are programs; others are as many as the device holds. */
static void clusters_of_residents(void) {
  tile_device *device = open_device(&fake);
  tile_module *module = NULL;
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.resident_blocks = 1;
  FINE(plain_load(&plain, device, &module));
  tile_kernel *kernel = tile_module_kernel_at(module, 0);
  uint32_t most = (uint32_t)tile_device_get_properties(device)->multiprocessors;
  const uint32_t grid[3] = {2 * most, 1, 1};
  FINE(tile_launch_with(kernel, grid, NULL, NULL, 0, &(tile_launch_options){.cluster = {2}}));
  CHECK_EQUAL(last_launch().grid[0], 2 * most);
  FINE(tile_launch_with(kernel, grid, NULL, NULL, 0, &(tile_launch_options){.programmatic = true}));
  CHECK_EQUAL(last_launch().grid[0], most);
  tile_module_unload(module);
  tile_device_close(device);
}

static void wrong_attributes(const struct subject *subject) {
  struct adder a = adder_open(subject);
  EXPECT(launch_with(&a, 9, (tile_launch_options){.cluster = {3, 3, 1}}), TILE_INVALID_ARGUMENT,
         "kernel 'add_kernel': a cluster of 3 x 3 x 1 blocks; it has at most 8 in all");
  EXPECT(launch_with(&a, 9, (tile_launch_options){.cluster = {UINT32_MAX, 2, UINT32_MAX}}),
         TILE_INVALID_ARGUMENT, "at most 8");
  EXPECT(launch_with(&a, 9, (tile_launch_options){.cluster = {2}}), TILE_INVALID_ARGUMENT,
         "9 blocks along x are no multiple of the cluster's 2");
  EXPECT(launch_with(&a, 4, (tile_launch_options){.cluster = {0, 4}}), TILE_INVALID_ARGUMENT,
         "1 blocks along y");
  EXPECT(tile_launch_with(a.kernel, adder_grid, NULL, a.arguments, 3, NULL), TILE_INVALID_ARGUMENT,
         "passes 3");
  EXPECT(tile_launch_with(NULL, adder_grid, NULL, a.arguments, 4, NULL), TILE_INVALID_ARGUMENT,
         "kernel is NULL");
  EXPECT(tile_launch_with(a.kernel, NULL, NULL, a.arguments, 4, NULL), TILE_INVALID_ARGUMENT,
         "grid is NULL");
  adder_works(&a, subject);
  adder_close(&a);
}

/* What the driver refuses has its reason in our words. */
static void attributes_that_cuda_refuses(void) {
  struct adder a = adder_open(&fake);
  FINE(launch_with(&a, 132 * 16, (tile_launch_options){.cooperative = true}));
  EXPECT(launch_with(&a, 132 * 16 + 1, (tile_launch_options){.cooperative = true}),
         TILE_INVALID_ARGUMENT,
         "a cooperative launch of 2113 blocks, of which fake GPU 0 runs 2112 at one time");
  EXPECT(launch_with(&a, 8, (tile_launch_options){.cluster = {8}}), TILE_INVALID_ARGUMENT,
         "cuLaunchKernelEx");
  adder_close(&a);
}

static void expect_no_attributes(void) {
  struct adder a = adder_open(&fake);
  EXPECT(launch_with(&a, 2, (tile_launch_options){.cluster = {2}}), TILE_UNSUPPORTED,
         "clusters need compute capability 9.0, fake GPU 0 has 8.6");
  EXPECT(launch_with(&a, 2, (tile_launch_options){.programmatic = true}), TILE_UNSUPPORTED,
         "dependent launches need");
  FINE(launch_with(&a, 2, (tile_launch_options){.cooperative = true}));
  adder_close(&a);
}

static void expect_old_driver(void) {
  struct adder a = adder_open(&fake);
  EXPECT(launch_with(&a, 2, (tile_launch_options){.cooperative = true}), TILE_DRIVER_TOO_OLD,
         "it has no cuLaunchKernelEx; CUDA 11.8 or later is needed");
  adder_works(&a, &fake);
  adder_close(&a);
}

static void old_machines(void) {
  in_child("FAKE_CUDA_CAPABILITY", "86", expect_no_attributes);
  in_child("TILE_LIBCUDA", FAKE_CUDA_11_LIBRARY, expect_old_driver);
}

/* The emulator runs all residents side by side; more than there is room for cannot wait for each
   other. */
static void emulated_attributes(void) {
  struct adder a = adder_open(&emulator);
  tile_emulator_device_configure(a.device, &(tile_emulator_device_options){.resident_blocks = 2});
  FINE(launch_with(
      &a, 2,
      (tile_launch_options){.cooperative = true, .programmatic = true, .cluster = {1, 1, 1}}));
  adder_compare(&a, &emulator, NULL);
  EXPECT(launch_with(&a, 3, (tile_launch_options){.cooperative = true}), TILE_INVALID_ARGUMENT,
         "a cooperative launch of 3 blocks, of which the emulator runs 2 at one time");
  EXPECT(launch_with(&a, 2, (tile_launch_options){.cluster = {2}}), TILE_UNSUPPORTED,
         "the emulator has clusters of one block only, not of 2 x 1 x 1");
  adder_close(&a);
}

/* --- What a kernel takes ---------------------------------------------------------------------- */

static void resources_on_cuda(void) {
  tile_device *device = open_device(&fake);
  tile_module *module = NULL;
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.threads = 256;
  plain.version.programs_per_block = 2;
  plain.version.shared_bytes = 40000;
  FINE(plain_load(&plain, device, &module));
  tile_kernel_resources out = {0};
  FINE(tile_kernel_get_resources(tile_module_kernel_at(module, 0), NULL, &out));
  CHECK_EQUAL(out.registers, 80);
  CHECK_EQUAL(out.local_bytes, 24);
  CHECK_EQUAL(out.shared_bytes, 40016);
  CHECK_EQUAL(out.constant_bytes, 400);
  CHECK_EQUAL(out.most_threads, 768);
  CHECK_EQUAL(out.blocks_per_multiprocessor, 5);
  CHECK_EQUAL(out.resident_blocks, 5 * 132);
  CHECK_EQUAL(out.resident_programs, 2 * 5 * 132);
  tile_kernel_version other = {0};
  EXPECT(tile_kernel_get_resources(tile_module_kernel_at(module, 0), &other, &out),
         TILE_INVALID_ARGUMENT, "none of kernel 'k'");
  EXPECT(tile_kernel_get_resources(NULL, NULL, &out), TILE_INVALID_ARGUMENT, "kernel is NULL");
  EXPECT(tile_kernel_get_resources(tile_module_kernel_at(module, 0), NULL, NULL),
         TILE_INVALID_ARGUMENT, "out is NULL");
  tile_module_unload(module);
  tile_device_close(device);
}

/* The device in mind is one of the target that the kernel was compiled for. */
static void emulated_resources_of_a_target(void) {
  tile_device *device = open_device(&emulator);
  tile_module *module = NULL;
  tile_kernel_resources out = {0};
  FINE(load_compiled_for(device, "sm_80", &module));
  FINE(tile_kernel_get_resources(tile_module_kernel_at(module, 0), NULL, &out));
  CHECK_EQUAL(out.resident_blocks, 108 * 2);
  tile_module_unload(module);
  tile_device_close(device);
}

static void emulated_resources(void) {
  struct adder a = adder_open(&emulator);
  tile_kernel_resources out;
  FINE(tile_kernel_get_resources(a.kernel, NULL, &out));
  CHECK_EQUAL(out.resident_blocks,
              132 * 2); /* of 128 threads with any number of registers on an H100 */
  CHECK_EQUAL(out.most_threads, 128);
  tile_emulator_device_configure(a.device, &(tile_emulator_device_options){.resident_blocks = 7});
  FINE(tile_kernel_get_resources(a.kernel, &tile_kernel_get_info(a.kernel)->versions[0], &out));
  CHECK_EQUAL(out.resident_programs, 7);
  FINE(launch_with(&a, (uint32_t)out.resident_blocks, (tile_launch_options){.cooperative = true}));
  adder_close(&a);
}

/* --- Graphs ----------------------------------------------------------------------------------- */

/* What may be captured is done when the graph runs; what must not be says so, and the capture goes
   on. */
static void capture(void) {
  struct adder a = adder_open(&fake);
  tile_buffer *buffer = make_buffer(a.device, 64);
  tile_pinned *pinned;
  tile_stream *stream, *other;
  tile_event *event, *join;
  void *native, *graph = NULL, *executable = NULL;
  char byte = 0;
  FINE(tile_pinned_create(a.device, 64, &pinned));
  FINE(tile_stream_create(a.device, &stream));
  FINE(tile_stream_create(a.device, &other));
  FINE(tile_event_create(a.device, &event));
  FINE(tile_event_create(a.device, &join));
  FINE(tile_stream_native(stream, &native));
  memset(tile_pinned_data(pinned), 1, 64);
  int before = last_launch().launches;
  CHECK_EQUAL(CALL(cuStreamBeginCapture_v2, int (*)(void *, int))(native, 0), 0);
  FINE(tile_buffer_fill(buffer, 0, 42, 64, stream));
  FINE(tile_launch(a.kernel, adder_grid, stream, a.arguments, 4));
  FINE(tile_launch_with(a.kernel, adder_grid, stream, a.arguments, 4,
                        &(tile_launch_options){.programmatic = true}));
  FINE(tile_event_record(event, stream)); /* a branch, and back */
  FINE(tile_stream_wait(other, event));
  FINE(tile_buffer_copy(a.x, 0, buffer, 0, 64, other));
  FINE(tile_event_record(join, other));
  FINE(tile_stream_wait(stream, join));
  FINE(tile_buffer_read_async(a.x, 0, pinned, 0, 64, stream));
  EXPECT(tile_buffer_read(buffer, 0, &byte, 1, stream), TILE_INVALID_ARGUMENT,
         "captured into a CUDA graph; use tile_buffer_read_async");
  EXPECT(tile_buffer_write(buffer, 0, &byte, 1, stream), TILE_INVALID_ARGUMENT,
         "use tile_buffer_write_async");
  EXPECT(tile_stream_synchronize(stream), TILE_INVALID_ARGUMENT, "wait when the graph runs");
  CHECK_EQUAL(CALL(cuStreamEndCapture, int (*)(void *, void **))(native, &graph), 0);
  CHECK_EQUAL(((char *)tile_pinned_data(pinned))[63], 1); /* nothing has been done yet */
  CHECK_EQUAL(last_launch().launches, before);
  CHECK_EQUAL(CALL(cuGraphInstantiateWithFlags,
                   int (*)(void **, void *, unsigned long long))(&executable, graph, 0),
              0);
  CHECK_EQUAL(CALL(cuGraphLaunch, int (*)(void *, void *))(executable, native), 0);
  FINE(tile_stream_synchronize(stream));
  CHECK_EQUAL(((char *)tile_pinned_data(pinned))[63], 42);
  CHECK_EQUAL(last_launch().launches, before + 2);
  CALL(cuGraphExecDestroy, int (*)(void *))(executable);
  CALL(cuGraphDestroy, int (*)(void *))(graph);
  tile_pinned_destroy(pinned);
  tile_event_destroy(event);
  tile_event_destroy(join);
  tile_stream_destroy(other);
  tile_stream_destroy(stream);
  tile_buffer_destroy(buffer);
  adder_close(&a);
}

/* A graph may run beside its stream: its kernels share no programs, and nothing is allocated for
   them. */
static void captured_kernels_share_nothing(void) {
  tile_device *device = open_device(&fake);
  tile_module *module = NULL;
  tile_stream *stream;
  void *native, *graph = NULL;
  uint64_t before, after;
  struct plain_image plain = plain_image("k", ".version .entry k(");
  plain.version.resident_blocks = 1;
  plain.version.part_bytes = 1024;
  FINE(plain_load(&plain, device, &module));
  tile_kernel *kernel = tile_module_kernel_at(module, 0);
  uint32_t most = (uint32_t)tile_device_get_properties(device)->multiprocessors;
  const uint32_t grid[3] = {most + 1, 1, 1};
  FINE(tile_stream_create(device, &stream));
  FINE(tile_stream_native(stream, &native));
  FINE(tile_device_free_memory(device, &before));
  CHECK_EQUAL(CALL(cuStreamBeginCapture_v2, int (*)(void *, int))(native, 0), 0);
  FINE(tile_launch(kernel, grid, stream, NULL, 0));
  CHECK_EQUAL(CALL(cuStreamEndCapture, int (*)(void *, void **))(native, &graph), 0);
  CHECK(graph);
  FINE(tile_device_free_memory(device, &after));
  CHECK_EQUAL(after, before);
  FINE(tile_launch(kernel, grid, stream, NULL, 0));
  CHECK_EQUAL(last_launch().grid[0], most);
  FINE(tile_device_free_memory(device, &after));
  CHECK(after < before);
  CALL(cuGraphDestroy, int (*)(void *))(graph);
  tile_stream_destroy(stream);
  tile_module_unload(module);
  tile_device_close(device);
}

/* What the driver alone can see spoils the capture, and is told apart from a breakdown. */
static void spoilt_capture(void) {
  struct adder a = adder_open(&fake);
  tile_stream *stream;
  tile_buffer *buffer = NULL;
  void *native, *graph = NULL;
  FINE(tile_stream_create(a.device, &stream));
  FINE(tile_stream_native(stream, &native));
  CHECK_EQUAL(CALL(cuStreamBeginCapture_v2, int (*)(void *, int))(native, 0), 0);
  EXPECT(tile_buffer_create(a.device, 64, &buffer), TILE_INVALID_ARGUMENT,
         "a CUDA graph is being captured, see docs/interoperation.md");
  EXPECT(tile_device_synchronize(a.device), TILE_INVALID_ARGUMENT,
         "a CUDA graph is being captured");
  CHECK_EQUAL(CALL(cuStreamEndCapture, int (*)(void *, void **))(native, &graph), 901);
  adder_works(&a, &fake);
  tile_stream_destroy(stream);
  adder_close(&a);
}

/* --- Hooks ------------------------------------------------------------------------------------ */

/* What two hooks have seen, one letter a call: L and l a launch's beginning and end, C and c a
   compilation's. */
static char seen[64];
static tile_launch_event last_event;
static tile_launch_options last_options;
static tile_code last_code;
static uint64_t began, ended;

static void note(void *context, const char *letter) {
  size_t length = strlen(seen);
  snprintf(seen + length, sizeof seen - length, "%s%s", letter, (const char *)context);
}
static void note_launch(void *context, const tile_launch_event *event) {
  note(context, "L");
  began = event->nanoseconds;
}
static void note_launched(void *context, const tile_launch_event *event) {
  note(context, "l");
  ended = event->nanoseconds;
  last_event = *event;
  last_options = event->options ? *event->options : (tile_launch_options){0};
  last_code = tile_status_code(event->status);
}
static void note_compile(void *context, const tile_compile_event *event) {
  note(context, "C");
  CHECK(!event->status);
}
static void note_compiled(void *context, const tile_compile_event *event) {
  note(context, "c");
  last_code = tile_status_code(event->status);
  CHECK_TEXT(event->function, "tile_compile");
  CHECK_TEXT(event->name, "k.mlir");
  CHECK_TEXT(event->target, "sm_80");
}

static tile_hook *add_hook(const char *name) {
  tile_hook *hook = NULL;
  FINE(tile_hooks_add(
      &(tile_hooks){note_launch, note_launched, note_compile, note_compiled, (void *)name}, &hook));
  return hook;
}

static void hooks_around_launches(const struct subject *subject) {
  struct adder a = adder_open(subject);
  tile_stream *stream;
  FINE(tile_stream_create(a.device, &stream));
  seen[0] = 0;
  tile_hook *one = add_hook("1"), *two = add_hook("2"), *quiet = NULL;
  FINE(tile_hooks_add(&(tile_hooks){0}, &quiet));
  FINE(tile_launch(a.kernel, adder_grid, stream, a.arguments, 4));
  CHECK_TEXT(seen, "L1L2l2l1");
  CHECK_TEXT(last_event.kernel, "add_kernel");
  CHECK(last_event.device == a.device && last_event.stream == stream);
  CHECK(last_event.version == &tile_kernel_get_info(a.kernel)->versions[0]);
  CHECK_EQUAL(last_event.grid[0], adder_grid[0]);
  CHECK(!last_event.options);
  CHECK(began <= ended && ended > 0);
  EXPECT(tile_launch(a.kernel, adder_grid, stream, a.arguments, 3), TILE_INVALID_ARGUMENT,
         ""); /* never gets there */
  CHECK_TEXT(seen, "L1L2l2l1");
  FINE(tile_hooks_remove(one));
  seen[0] = 0;
  FINE(launch_with(&a, 1, (tile_launch_options){.programmatic = true}));
  CHECK_TEXT(seen, "L2l2");
  CHECK(last_options.programmatic && !last_event.stream);
  FINE(tile_hooks_remove(two));
  FINE(tile_hooks_remove(quiet));
  FINE(tile_hooks_remove(NULL));
  FINE(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4));
  CHECK_TEXT(seen, "L2l2");
  EXPECT(tile_hooks_add(NULL, &one), TILE_INVALID_ARGUMENT, "hooks is NULL");
  EXPECT(tile_hooks_add(&(tile_hooks){0}, NULL), TILE_INVALID_ARGUMENT, "out is NULL");
  tile_stream_destroy(stream);
  adder_close(&a);
}

/* The end tells of what a launch has run into. */
static void hooks_see_hazards(void) {
  struct adder a = adder_open(&emulator);
  tile_hook *hook = add_hook("1");
  tile_buffer_destroy(a.out);
  a.out = NULL;
  EXPECT(tile_launch(a.kernel, adder_grid, NULL, a.arguments, 4), TILE_HAZARD, "");
  CHECK_EQUAL(last_code, TILE_HAZARD);
  FINE(tile_hooks_remove(hook));
  adder_close(&a);
}

static void hooks_around_compilations(void) {
  tile_compiler *compiler;
  tile_blob blob;
  tile_compile_options options = tile_compile_options_default();
  static const char text[] = "func.func @k() attributes {tile.kernel} { return }";
  options.target = "sm_80";
  FINE(tile_compiler_create(&compiler));
  seen[0] = 0;
  tile_hook *one = add_hook("1"), *two = add_hook("2");
  FINE(tile_compile(compiler, "k.mlir", text, strlen(text), &options, TILE_OUTPUT_PTX, &blob));
  free(blob.data);
  CHECK_TEXT(seen, "C1C2c2c1");
  CHECK_EQUAL(last_code, TILE_OK);
  EXPECT(tile_compile(compiler, "k.mlir", text, strlen(text), &options, (tile_output)77, &blob),
         TILE_INVALID_ARGUMENT, "");
  CHECK_EQUAL(last_code, TILE_INVALID_ARGUMENT);
  FINE(tile_hooks_remove(one));
  FINE(tile_hooks_remove(two));
  tile_compiler_destroy(compiler);
}

/* A hook may launch, which is not reported, and must not change the list that it is called from. */
static const struct adder *hooked;
static void launch_inside(void *context, const tile_launch_event *event) {
  tile_hook *hook = NULL;
  (void)event;
  ++*(int *)context;
  FINE(tile_launch(hooked->kernel, adder_grid, NULL, hooked->arguments, 4));
  EXPECT(tile_hooks_add(&(tile_hooks){0}, &hook), TILE_INVALID_ARGUMENT,
         "tile_hooks_add: called by a hook");
  CHECK(!hook);
}

static void hooks_that_launch(void) {
  struct adder a = adder_open(&null);
  int calls = 0;
  tile_hook *hook;
  hooked = &a;
  FINE(tile_hooks_add(&(tile_hooks){.launch_begins = launch_inside, .context = &calls}, &hook));
  adder_works(&a, &null);
  CHECK_EQUAL(calls, 1);
  FINE(tile_hooks_remove(hook));
  adder_close(&a);
}

#define EACH(ROW, test) ROW(test, null) ROW(test, fake) ROW(test, emulator)
#define DEFINE(test, subject)                                                                      \
  static void test##_##subject(void) {                                                             \
    test(&subject);                                                                                \
  }
#define NAMED(test, subject) {#subject ": " #test, test##_##subject},
EACH(DEFINE, wrong_attributes)
EACH(DEFINE, hooks_around_launches)

int main(int argc, char **argv) {
  setenv("TILE_LIBCUDA", FAKE_CUDA_LIBRARY, 1);
  static const struct test_row rows[] = {
      {"old machines", old_machines}, /* children: before libcuda is opened */
      {"attributes reach CUDA", attributes_reach_cuda},
      {"clusters of resident blocks", clusters_of_residents},
      {"attributes that CUDA refuses", attributes_that_cuda_refuses},
      {"emulated attributes", emulated_attributes},
      {"resources on CUDA", resources_on_cuda},
      {"emulated resources", emulated_resources},
      {"emulated resources of a target", emulated_resources_of_a_target},
      {"capture", capture},
      {"captured kernels share nothing", captured_kernels_share_nothing},
      {"spoilt capture", spoilt_capture},
      {"hooks see hazards", hooks_see_hazards},
      {"hooks around compilations", hooks_around_compilations},
      {"hooks that launch", hooks_that_launch},
      EACH(NAMED, wrong_attributes) EACH(NAMED, hooks_around_launches)};
  return run_tests_(argc, argv, rows, sizeof rows / sizeof *rows);
}
