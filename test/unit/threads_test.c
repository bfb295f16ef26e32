/* SPDX-License-Identifier: MIT */
/* What several threads do at once, on every driver: launch one kernel on streams of their own, make
   and destroy objects, open and close devices, compile, run into hazards. Each thread checks its
   own results; the preset tsan builds this test with ThreadSanitizer, which finds the races that
   leave no wrong result after. */
#include "cache_fixture.h"
#include "emulator_fixture.h"
#include "runtime_plain_kernel.h"

#include <pthread.h>
#include <stdatomic.h>
#include "tile/compiler.h"

enum { THREADS = 4, TURNS = 8, COUNT = 512 };

/* --- Threads ---------------------------------------------------------------------------------- */

struct crew {
  void (*work)(struct crew *crew, int index);
  pthread_barrier_t start; /* all begin together */
  tile_device *device;     /* what they share, or NULL */
  tile_kernel *kernel;
  tile_emulator_program *program;
  const tile_driver *driver;
  tile_cache *cache;
  atomic_int failures, reports;
};

struct member {
  struct crew *crew;
  int index;
};

static void *run_member(void *data) {
  struct member *member = data;
  pthread_barrier_wait(&member->crew->start);
  member->crew->work(member->crew, member->index);
  return NULL;
}

static void run_crew(struct crew *crew) {
  pthread_t threads[THREADS];
  struct member members[THREADS];
  pthread_barrier_init(&crew->start, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    members[i] = (struct member){crew, i};
    pthread_create(&threads[i], NULL, run_member, &members[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&crew->start);
  CHECK_EQUAL(crew->failures, 0);
}

/* Counts a failure: the harness is one thread's. */
static bool fine(struct crew *crew, tile_status status) {
  if (!status)
    return true;
  printf("%s\n", tile_status_message(status));
  tile_status_free(status);
  crew->failures++;
  return false;
}

static void expect(struct crew *crew, tile_status status, tile_code code) {
  crew->failures += tile_status_code(status) != code;
  tile_status_free(status);
}

/* --- A kernel that the emulator computes ------------------------------------------------------ */

/* out[i] = x[i] + y[i]; the addition happens in another layout, so that threads meet at barriers.
 */
static const char adder[] =
    "func.func @add_kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>,\n"
    "                      %n: i32) attributes {tile.kernel} {\n"
    "  %pid = \"tile.program_id\"() {axis = 0 : i32} : () -> i32\n"
    "  %block = arith.constant 256 : i32\n"
    "  %start = arith.muli %pid, %block : i32\n"
    "  %range = \"tile.range\"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>\n"
    "  %starts = \"tile.splat\"(%start) : (i32) -> tensor<256xi32>\n"
    "  %offsets = arith.addi %starts, %range : tensor<256xi32>\n"
    "  %limit = \"tile.splat\"(%n) : (i32) -> tensor<256xi32>\n"
    "  %mask = arith.cmpi slt, %offsets, %limit : tensor<256xi32>\n"
    "  %xs = \"tile.splat\"(%x) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>\n"
    "  %xp = \"tile.addptr\"(%xs, %offsets) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> "
    "tensor<256x!tile.ptr<f32>>\n"
    "  %a = \"tile.load\"(%xp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : "
    "(tensor<256x!tile.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>\n"
    "  %ys = \"tile.splat\"(%y) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>\n"
    "  %yp = \"tile.addptr\"(%ys, %offsets) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> "
    "tensor<256x!tile.ptr<f32>>\n"
    "  %b = \"tile.load\"(%yp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : "
    "(tensor<256x!tile.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>\n"
    "  %sum = arith.addf %a, %b : tensor<256xf32>\n"
    "  %os = \"tile.splat\"(%out) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>\n"
    "  %op = \"tile.addptr\"(%os, %offsets) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> "
    "tensor<256x!tile.ptr<f32>>\n"
    "  \"tile.store\"(%op, %sum, %mask) : (tensor<256x!tile.ptr<f32>>, tensor<256xf32>, "
    "tensor<256xi1>) -> ()\n"
    "  return\n"
    "}\n";

static tile_status load_adder(tile_device *device, tile_module **out) {
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler;
  tile_status status = tile_compiler_create(&compiler);
  if (status)
    return status;
  status = tile_compile_for_device(compiler, "adder.mlir", adder, sizeof adder - 1, &options,
                                   device, out);
  tile_compiler_destroy(compiler);
  return status;
}

/* --- Launches on streams ---------------------------------------------------------------------- */

/* Buffers, a stream and an event of its own; launches of the shared kernel, right and wrong ones.
 */
static void launch_often(struct crew *crew, int index) {
  bool computes = crew->driver == tile_emulator_driver();
  float x[COUNT], out[COUNT];
  tile_buffer *buffers[3] = {0};
  tile_stream *stream = NULL;
  tile_event *event = NULL;
  fine(crew, tile_stream_create(crew->device, &stream));
  fine(crew, tile_event_create(crew->device, &event));
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)(i * (index + 1));
  for (int turn = 0; turn < TURNS; turn++) {
    for (int i = 0; i < 3; i++)
      if (!fine(crew, tile_buffer_create(crew->device, sizeof x, &buffers[i])))
        return;
    fine(crew, tile_buffer_write(buffers[0], 0, x, sizeof x, stream));
    fine(crew, tile_buffer_copy(buffers[1], 0, buffers[0], 0, sizeof x, stream));
    fine(crew, tile_buffer_fill(buffers[2], 0, 0, sizeof x, stream));
    tile_argument arguments[] = {tile_argument_buffer(buffers[0]), tile_argument_buffer(buffers[1]),
                                 tile_argument_buffer(buffers[2]), tile_argument_i32(COUNT)};
    fine(crew, tile_launch(crew->kernel, (uint32_t[]){2, 1, 1}, stream, arguments, 4));
    expect(crew, tile_launch(crew->kernel, (uint32_t[]){2, 1, 1}, stream, arguments, 3),
           TILE_INVALID_ARGUMENT);
    fine(crew, tile_event_record(event, stream));
    fine(crew, tile_event_synchronize(event));
    fine(crew, tile_stream_synchronize(stream));
    fine(crew, tile_buffer_read(buffers[2], 0, out, sizeof out, stream));
    for (int i = 0; i < COUNT && computes; i++)
      crew->failures += out[i] != 2 * x[i];
    for (int i = 0; i < 3; i++)
      tile_buffer_destroy(buffers[i]);
  }
  tile_event_destroy(event);
  tile_stream_destroy(stream);
}

/* Opens a device of its own, loads the kernel and works on it; closes in two orders. */
static void open_and_launch(struct crew *crew, int index) {
  struct crew own = {.driver = crew->driver};
  tile_module *module = NULL;
  for (int turn = 0; turn < 2; turn++) {
    if (!fine(crew, tile_device_open(crew->driver, 0, &own.device)) ||
        !fine(crew, crew->driver == tile_emulator_driver() ? load_adder(own.device, &module)
                                                           : load_plain(own.device, &module)))
      return;
    fine(crew, tile_module_kernel(module, "add_kernel", &own.kernel));
    launch_often(&own, index);
    crew->failures += own.failures;
    if (turn)
      tile_module_unload(module);
    tile_device_close(own.device);
    if (!turn)
      tile_module_unload(module);
  }
}

static void on_one_device(const tile_driver *driver) {
  struct crew crew = {.work = launch_often, .driver = driver};
  tile_module *module = NULL;
  CHECK(tile_device_open(driver, 0, &crew.device) == NULL);
  CHECK((driver == tile_emulator_driver() ? load_adder(crew.device, &module)
                                          : load_plain(crew.device, &module)) == NULL);
  CHECK(tile_module_kernel(module, NULL, &crew.kernel) == NULL);
  run_crew(&crew);
  tile_module_unload(module);
  tile_device_close(crew.device);
}

static void on_own_devices(const tile_driver *driver) {
  struct crew crew = {.work = open_and_launch, .driver = driver};
  run_crew(&crew);
}

static void emulator_streams(void) {
  on_one_device(tile_emulator_driver());
}
static void emulator_devices(void) {
  on_own_devices(tile_emulator_driver());
}
static void null_streams(void) {
  on_one_device(tile_null_driver());
}
static void null_devices(void) {
  on_own_devices(tile_null_driver());
}
static void cuda_streams(void) {
  on_one_device(tile_cuda_driver());
}
static void cuda_devices(void) {
  on_own_devices(tile_cuda_driver());
}

/* --- Launches of one program ------------------------------------------------------------------ */

/* Each thread of the block adds to its own element between barriers. */
static const char meets[] =
    KERNEL("  %data = call ptr @arg(ptr %args, i32 0)\n"
           "  %a = call i32 @get(ptr %t, ptr %data, i32 %tid, i32 1, ptr @l1)\n"
           "  call void @tile_emu_barrier(ptr %t, ptr @l2)\n"
           "  %b = add i32 %a, 1\n"
           "  call void @put(ptr %t, ptr %data, i32 %tid, i32 %b, i32 1, ptr @l3)\n"
           "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n");

/* Workspaces go from one host thread to another, and with them the fibers. */
static void launch_program(struct crew *crew, int index) {
  int data[64] = {0};
  for (int turn = 0; turn < TURNS; turn++)
    fine(crew,
         launch_on(crew->program, data, 64,
                   OPTIONS(.threads = 64, .seed = (uint64_t)index, .check = index % 2 == 0), NULL));
  for (int i = 0; i < 64; i++)
    crew->failures += data[i] != TURNS;
}

/* The same beyond the end: every launch reports, each to its own thread. */
static void launch_hazards(struct crew *crew, int index) {
  int data[64] = {0};
  (void)index;
  for (int turn = 0; turn < TURNS; turn++) {
    tile_emulator_report *report = NULL;
    expect(crew, launch_on(crew->program, data, 60, OPTIONS(.threads = 64, .check = true), &report),
           TILE_HAZARD);
    crew->failures += !report || tile_emulator_report_count(report) != 2;
    tile_emulator_report_free(report);
  }
}

static void one_program(void) {
  struct crew crew = {.work = launch_program, .program = make_program(meets, 1)};
  run_crew(&crew);
  tile_emulator_program_destroy(crew.program);
}

static void hazards(void) {
  struct crew crew = {.work = launch_hazards, .program = make_program(meets, 1)};
  run_crew(&crew);
  tile_emulator_program_destroy(crew.program);
}

/* --- Handlers and options of one device ------------------------------------------------------- */

static void count_report(void *context, const char *kernel, const tile_emulator_report *report) {
  struct crew *crew = context;
  crew->failures += strcmp(kernel, "add_kernel") != 0 || tile_emulator_report_count(report) != 0;
  crew->reports++;
}

static void handlers(void) {
  struct crew crew = {.work = launch_often, .driver = tile_emulator_driver()};
  tile_module *module = NULL;
  tile_emulator_device_options options = {
      .check = true, .on_report = count_report, .context = &crew};
  CHECK(tile_emulator_device_create(&options, &crew.device) == NULL);
  CHECK(load_adder(crew.device, &module) == NULL);
  CHECK(tile_module_kernel(module, NULL, &crew.kernel) == NULL);
  run_crew(&crew);
  CHECK_EQUAL(crew.reports, THREADS * TURNS);
  tile_module_unload(module);
  tile_device_close(crew.device);
}

/* A buffer may go while a launch runs that does not use it, and yet is reported near it. */
static void destroy_other(void *context, uint64_t done, uint64_t total) {
  tile_buffer **other = context;
  (void)total;
  if (done == 1) {
    tile_buffer_destroy(*other);
    *other = NULL;
  }
}

static void destroyed_meanwhile(void) {
  tile_buffer *other = NULL, *y = NULL, *out = NULL;
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  tile_emulator_device_options options = {
      .on_progress = destroy_other, .context = &other, .resident_blocks = 1}; /* one by one */
  CHECK(tile_emulator_device_create(&options, &device) == NULL);
  CHECK(load_adder(device, &module) == NULL);
  CHECK(tile_module_kernel(module, NULL, &kernel) == NULL);
  CHECK(tile_buffer_create(device, 256 * sizeof(float), &other) == NULL);
  CHECK(tile_buffer_create(device, COUNT * sizeof(float), &y) == NULL);
  CHECK(tile_buffer_create(device, COUNT * sizeof(float), &out) == NULL);
  tile_emulator_name_buffer(other, "other");
  /* Block 0 reads all of `other`, block 1 what is after it. */
  tile_argument arguments[] = {tile_argument_buffer(other), tile_argument_buffer(y),
                               tile_argument_buffer(out), tile_argument_i32(COUNT)};
  CHECK_STATUS(tile_launch(kernel, (uint32_t[]){2, 1, 1}, NULL, arguments, 4), TILE_HAZARD,
               "'other'");
  CHECK(other == NULL);
  tile_buffer_destroy(y);
  tile_buffer_destroy(out);
  tile_module_unload(module);
  tile_device_close(device);
}

/* --- Compilers -------------------------------------------------------------------------------- */

static void ignore(const tile_diagnostic *diagnostic, void *data) {
  (void)diagnostic, (void)data;
}

/* The first compilers of the process: what LLVM and MLIR set up once is set up here. */
static void compile(struct crew *crew, int index) {
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  tile_blob ptx = {0};
  if (!fine(crew, tile_compiler_create(&compiler)))
    return;
  tile_compiler_on_diagnostic(compiler, ignore, NULL);
  options.num_warps = 1 << index % 3;
  fine(crew, tile_compile(compiler, "adder.mlir", adder, sizeof adder - 1, &options,
                          TILE_OUTPUT_PTX, &ptx));
  free(ptx.data);
  expect(crew,
         tile_compile(compiler, "wrong.mlir", "func.func", 9, &options, TILE_OUTPUT_PTX, &ptx),
         TILE_INVALID_ARGUMENT);
  tile_compiler_destroy(compiler);
}

static void compilers(void) {
  struct crew crew = {.work = compile};
  run_crew(&crew);
}

/* --- One cache -------------------------------------------------------------------------------- */

enum { VARIANTS = 3 };
static tile_blob expected[VARIANTS]; /* as compiled without a cache */

static tile_status compile_variant(tile_cache *cache, int variant, tile_blob *out) {
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  options.num_warps = 1 << variant;
  tile_status status = tile_compiler_create(&compiler);
  if (!status)
    status = tile_compiler_use_cache(compiler, cache);
  if (!status)
    status = tile_compile(compiler, "adder.mlir", adder, sizeof adder - 1, &options,
                          TILE_OUTPUT_PTX, out);
  tile_compiler_destroy(compiler);
  return status;
}

/* Compilers of their own, one cache; one thread empties it now and then, and all look at its
   numbers. */
static void use_cache(struct crew *crew, int index) {
  for (int turn = 0; turn < 10 * TURNS; turn++) {
    tile_blob blob = {0};
    tile_cache_statistics statistics;
    tile_cache_usage usage;
    int variant = (index + turn) % VARIANTS;
    if (!fine(crew, compile_variant(crew->cache, variant, &blob)))
      return;
    crew->failures += blob.size != expected[variant].size ||
                      memcmp(blob.data, expected[variant].data, blob.size) != 0;
    free(blob.data);
    if (index == 0 && turn % 20 == 7)
      fine(crew, tile_cache_clear(crew->cache));
    fine(crew, tile_cache_get_statistics(crew->cache, &statistics));
    fine(crew, tile_cache_measure(crew->cache, &usage));
    fine(crew, tile_cache_problem(crew->cache));
  }
}

static void one_cache(void) {
  char *folder = make_test_folder();
  struct crew crew = {.work = use_cache};
  tile_cache_statistics statistics = {0};
  for (int i = 0; i < VARIANTS; i++)
    fine(&crew, compile_variant(NULL, i, &expected[i]));
  /* Room for one entry in memory. */
  fine(&crew, tile_cache_open(
                  &(tile_cache_options){.folder = folder, .memory_bytes = expected[0].size * 3 / 2},
                  &crew.cache));
  run_crew(&crew);
  fine(&crew, tile_cache_get_statistics(crew.cache, &statistics));
  CHECK(statistics.disk_hits > 0 && statistics.misses >= VARIANTS);
  CHECK_EQUAL(statistics.memory_hits + statistics.disk_hits + statistics.misses,
              10 * TURNS * THREADS);
  CHECK_EQUAL(statistics.corrupt + statistics.errors, 0);
  tile_cache_close(crew.cache);
  for (int i = 0; i < VARIANTS; i++)
    free(expected[i].data);
  remove_test_folder(folder);
}

int main(int argc, char **argv) {
  setenv("TILE_LIBCUDA", FAKE_CUDA_LIBRARY, 1);
  return RUN_TESTS(argc, argv, {"compilers", compilers}, {"emulator: streams", emulator_streams},
                   {"emulator: devices", emulator_devices}, {"emulator: handlers", handlers},
                   {"emulator: a buffer destroyed meanwhile", destroyed_meanwhile},
                   {"null: streams", null_streams}, {"null: devices", null_devices},
                   {"cuda: streams", cuda_streams}, {"cuda: devices", cuda_devices},
                   {"one program", one_program}, {"hazards", hazards}, {"one cache", one_cache});
}
