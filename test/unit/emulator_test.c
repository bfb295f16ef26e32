/* SPDX-License-Identifier: MIT */
/* The emulator's launches: what runs and in which order, options, modules it refuses, reuse.
   `emulator_test --measure` prints what things cost instead. */
#include "emulator/launch.h"
#include "emulator_fixture.h"

#include <inttypes.h>
#include <pthread.h>
#include <time.h>

/* i = block * 64 + thread; out[i] = x[i] + y[i] where i < n */
static const char add_kernel[] =
    KERNEL("  %x = call ptr @arg(ptr %args, i32 0)\n"
           "  %y = call ptr @arg(ptr %args, i32 1)\n"
           "  %out = call ptr @arg(ptr %args, i32 2)\n"
           "  %slot = getelementptr ptr, ptr %args, i32 3\n"
           "  %np = load ptr, ptr %slot\n"
           "  %n = load i32, ptr %np\n"
           "  %b = mul i32 %bid, 64\n"
           "  %i = add i32 %b, %tid\n"
           "  %m = icmp slt i32 %i, %n\n"
           "  %p = zext i1 %m to i32\n"
           "  %xv = call i32 @get(ptr %t, ptr %x, i32 %i, i32 %p, ptr @l1)\n"
           "  %yv = call i32 @get(ptr %t, ptr %y, i32 %i, i32 %p, ptr @l1)\n"
           "  %s = add i32 %xv, %yv\n"
           "  call void @put(ptr %t, ptr %out, i32 %i, i32 %s, i32 %p, ptr @l2)\n");

/* The masked tail neither loads nor stores, whatever the order. */
static void adds_vectors_under_a_mask(void) {
  enum { N = 1000 };
  static int x[N], y[N], out[N];
  for (int i = 0; i < N; i++)
    x[i] = i, y[i] = 2 * i;
  tile_emulator_buffer buffers[] = {{.name = "x", .base = x, .bytes = sizeof x, .read_only = true},
                                    {.name = "y", .base = y, .bytes = sizeof y, .read_only = true},
                                    {.name = "out", .base = out, .bytes = sizeof out}};
  void *arguments[] = {&(int *){x}, &(int *){y}, &(int *){out}, &(int){N}};
  tile_emulator_program *program = make_program(add_kernel, 4);
  for (uint64_t seed = 0; seed < 8; seed++) {
    memset(out, 0, sizeof out);
    tile_emulator_launch_options options = {.grid = {16, 1, 1},
                                            .threads = 64,
                                            .seed = seed,
                                            .check = seed % 2,
                                            .buffers = buffers,
                                            .buffer_count = 3,
                                            .arguments = arguments,
                                            .argument_count = 4};
    CHECK_STATUS(tile_emulator_launch(program, "k", &options, NULL), TILE_OK, NULL);
    int wrong = 0;
    for (int i = 0; i < N; i++)
      wrong += out[i] != 3 * i;
    CHECK_EQUAL(wrong, 0);
  }
  tile_emulator_program_destroy(program);
}

/* data[++data[0]] = x + 10 y + 100 z + 1000 thread: the order in which threads run. */
static const char order_kernel[] =
    KERNEL("  %data = call ptr @arg(ptr %args, i32 0)\n"
           "  %y = call i32 @tile_emu_block_index(ptr %t, i32 1)\n"
           "  %z = call i32 @tile_emu_block_index(ptr %t, i32 2)\n"
           "  %y10 = mul i32 %y, 10\n"
           "  %z100 = mul i32 %z, 100\n"
           "  %t1000 = mul i32 %tid, 1000\n"
           "  %a = add i32 %bid, %y10\n"
           "  %b = add i32 %a, %z100\n"
           "  %c = add i32 %b, %t1000\n"
           "  %n = load i32, ptr %data\n"
           "  %n1 = add i32 %n, 1\n"
           "  store i32 %n1, ptr %data\n"
           "  call void @put(ptr %t, ptr %data, i32 %n1, i32 %c, i32 1, ptr @l1)\n");

enum { ORDERED = 3 * 2 * 2 * 4 };

static void record_order(tile_emulator_program *program, uint64_t seed, int data[ORDERED + 1]) {
  memset(data, 0, (ORDERED + 1) * sizeof *data);
  CHECK_STATUS(launch_on(program, data, ORDERED + 1,
                         OPTIONS(.grid = {3, 2, 2}, .threads = 4, .seed = seed), NULL),
               TILE_OK, NULL);
  CHECK_EQUAL(data[0], ORDERED);
}

/* Every thread of every block once; equal seeds, equal order; other seeds, other orders. */
static void seed_draws_the_order(void) {
  static int first[ORDERED + 1], again[ORDERED + 1], other[ORDERED + 1];
  tile_emulator_program *program = make_program(order_kernel, 1);
  record_order(program, 7, first);
  record_order(program, 7, again);
  record_order(program, 8, other);
  tile_emulator_program_destroy(program);
  CHECK(memcmp(first, again, sizeof first) == 0);
  CHECK(memcmp(first, other, sizeof first) != 0);
  static bool seen[4000];
  for (int i = 1; i <= ORDERED; i++) {
    CHECK(!seen[first[i]]);
    seen[first[i]] = true;
  }
}

/* Each thread adds its index into its own element, barriers between: 1000 blocks of threads that
   wait twice, on stacks that are reused. */
static const char waiting_kernel[] =
    KERNEL("  %data = call ptr @arg(ptr %args, i32 0)\n"
           "  %v = call i32 @get(ptr %t, ptr %data, i32 %tid, i32 1, ptr @l1)\n"
           "  call void @tile_emu_barrier(ptr %t, ptr @l2)\n"
           "  %w = add i32 %v, %tid\n"
           "  call void @tile_emu_barrier(ptr %t, ptr @l2)\n"
           "  call void @put(ptr %t, ptr %data, i32 %tid, i32 %w, i32 1, ptr @l3)\n");

static void stacks_are_reused(void) {
  static int data[1024];
  static const struct {
    uint32_t threads, blocks;
  } shapes[] = {{1, 1}, {32, 1000}, {1024, 30}, {33, 20}, {1024, 1}};
  tile_emulator_program *program = make_program(waiting_kernel, 1);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    memset(data, 0, sizeof data);
    CHECK_STATUS(launch_on(program, data, 1024,
                           OPTIONS(.grid = {shapes[s].blocks}, .threads = shapes[s].threads), NULL),
                 TILE_OK, NULL);
    int wrong = 0;
    for (uint32_t i = 0; i < shapes[s].threads; i++)
      wrong += data[i] != (int)(i * shapes[s].blocks);
    CHECK_EQUAL(wrong, 0);
  }
  tile_emulator_program_destroy(program);
}

/* shared[thread] = thread; barrier; data[thread] = shared[63 - thread], and what shared[64] holds.
 */
static const char shared_kernel[] =
    KERNEL("  %data = call ptr @arg(ptr %args, i32 0)\n"
           "  %shared = call ptr @tile_emu_shared(ptr %t)\n"
           "  %mine = getelementptr i32, ptr %shared, i32 %tid\n"
           "  store i32 %tid, ptr %mine\n"
           "  call void @tile_emu_barrier(ptr %t, ptr @l1)\n"
           "  %mirror = sub i32 63, %tid\n"
           "  %theirs = getelementptr i32, ptr %shared, i32 %mirror\n"
           "  %v = load i32, ptr %theirs\n"
           "  call void @put(ptr %t, ptr %data, i32 %tid, i32 %v, i32 1, ptr @l2)\n"
           "  %fresh = getelementptr i32, ptr %shared, i32 64\n"
           "  %poison = load i32, ptr %fresh\n"
           "  %last = icmp eq i32 %tid, 63\n"
           "  %p = zext i1 %last to i32\n"
           "  call void @put(ptr %t, ptr %data, i32 64, i32 %poison, i32 %p, ptr @l2)\n");

static void shared_memory_crosses_a_barrier(void) {
  int data[65];
  run_clean(shared_kernel, data, 65, OPTIONS(.threads = 64, .shared_bytes = 65 * 4, .check = true));
  for (int i = 0; i < 64; i++)
    CHECK_EQUAL(data[i], 63 - i);
  CHECK_EQUAL((uint32_t)data[64], 0xCBCBCBCB);
}

struct launch_job {
  tile_emulator_program *program; /* shared */
  uint64_t seed;
  int data[256];
};

static void *launch_many(void *argument) {
  struct launch_job *job = argument;
  tile_emulator_program_destroy(make_program(waiting_kernel, 1));
  for (int i = 0; i < 20; i++)
    CHECK_STATUS(launch_on(job->program, job->data, 256,
                           OPTIONS(.grid = {4}, .threads = 256, .seed = job->seed), NULL),
                 TILE_OK, NULL);
  return NULL;
}

/* Two host threads compile, and launch one program, at the same time. */
static void launches_run_concurrently(void) {
  static struct launch_job jobs[2];
  pthread_t threads[2];
  tile_emulator_program *program = make_program(waiting_kernel, 1);
  for (uint64_t i = 0; i < 2; i++) {
    jobs[i] = (struct launch_job){.program = program, .seed = i};
    pthread_create(&threads[i], NULL, launch_many, &jobs[i]);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  tile_emulator_program_destroy(program);
  for (int i = 0; i < 256; i++) {
    CHECK_EQUAL(jobs[0].data[i], 80 * i);
    CHECK_EQUAL(jobs[1].data[i], 80 * i);
  }
}

static void count_block(void *context, uint64_t done, uint64_t total) {
  (void)total;
  *(uint64_t *)context = done;
}

static void options_are_checked(void) {
  int data[8] = {0};
  uint64_t done = 0;
  tile_emulator_program *program;
  CHECK_STATUS(try_program(waiting_kernel, 1, 4, &program), TILE_OK, NULL);
#define TRY_LAUNCH(words, ...)                                                                     \
  CHECK_STATUS(launch_on(program, data, 8, OPTIONS(__VA_ARGS__), NULL), TILE_INVALID_ARGUMENT,     \
               words)
  TRY_LAUNCH("grid y = 65536 is not in 1..65535", .grid = {1, 65536});
  TRY_LAUNCH("grid x = 2147483648 is not in", .grid = {0x80000000});
  TRY_LAUNCH("threads = 1025 is not in 1..1024", .threads = 1025);
  TRY_LAUNCH("compiled for 4 threads per block, the launch asks for 5", .threads = 5);
  TRY_LAUNCH("shared_bytes = 232449 exceeds", .shared_bytes = 232449);
#undef TRY_LAUNCH
  tile_emulator_launch_options options = {.grid = {0, 1, 1}};
  CHECK_STATUS(tile_emulator_launch(program, "k", &options, NULL), TILE_INVALID_ARGUMENT,
               "grid x = 0");
  options.grid[0] = 1;
  CHECK_STATUS(tile_emulator_launch(program, "k", &options, NULL), TILE_INVALID_ARGUMENT,
               "takes 1 arguments, the launch passes 0");
  CHECK_STATUS(tile_emulator_launch(program, "q", &options, NULL), TILE_NOT_FOUND,
               "no kernel named 'q'; the program has 'k'");
  CHECK_STATUS(launch_on(program, data, 8,
                         OPTIONS(.grid = {3}, .progress = count_block, .progress_context = &done),
                         NULL),
               TILE_OK, NULL);
  CHECK_EQUAL(done, 3);
  CHECK_EQUAL(tile_emulator_program_kernel_count(program), 1);
  CHECK_TEXT(tile_emulator_program_kernel_name(program, 0), "k");
  tile_emulator_program_destroy(program);
}

static void buffers_are_checked(void) {
  int data[8] = {0};
  void *arguments[] = {&(int *){data}};
  tile_emulator_buffer buffers[] = {{.name = "all", .base = data, .bytes = 32},
                                    {.name = "again", .base = data, .bytes = 32},
                                    {.name = "none", .base = &data[2], .bytes = 0},
                                    {.name = "part", .base = &data[4], .bytes = 8}};
  tile_emulator_launch_options options = {.grid = {1, 1, 1},
                                          .threads = 4,
                                          .buffers = buffers,
                                          .buffer_count = 3,
                                          .arguments = arguments,
                                          .argument_count = 1};
  tile_emulator_program *program = make_program(waiting_kernel, 1);
  CHECK_STATUS(tile_emulator_launch(program, "k", &options, NULL), TILE_OK, NULL);
  options.buffer_count = 4;
  CHECK_STATUS(tile_emulator_launch(program, "k", &options, NULL), TILE_INVALID_ARGUMENT,
               "overlap");
  buffers[0].base = NULL;
  CHECK_STATUS(tile_emulator_launch(program, "k", &options, NULL), TILE_INVALID_ARGUMENT,
               "'all' has 32 bytes but no base address");
  tile_emulator_program_destroy(program);
}

/* What LLVM would abort on, or what would crash, is an error with a name. */
static void modules_are_checked(void) {
  static const struct {
    const char *text, *words;
    tile_code code;
  } rows[] = {
      {"declare void @tile_emu_fly(ptr)\n"
       "define void @k(ptr %t, ptr %a) {\n  call void @tile_emu_fly(ptr %t)\n  ret void\n}",
       "no function 'tile_emu_fly'", TILE_UNSUPPORTED},
      {"declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
       "define void @k(ptr %t, ptr %a) {\n"
       "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret void\n}",
       "llvm.nvvm.read.ptx.sreg.tid.x", TILE_UNSUPPORTED},
      {"define void @k(ptr %t, ptr %a) {\n  call void asm \"bar.sync 0;\", \"\"()\n  ret void\n}",
       "inline assembly", TILE_UNSUPPORTED},
      {"define void @q(ptr %t, ptr %a) {\n  ret void\n}", "does not define the kernel 'k'",
       TILE_INVALID_ARGUMENT},
      {"define void @k(ptr %t) {\n  ret void\n}", "not of the form", TILE_INVALID_ARGUMENT},
      {"define void @k(ptr %t, ptr %a) {\n  %x = load float, ptr %a\n"
       "  %y = fmul contract float %x, %x\n  store float %y, ptr %a\n  ret void\n}",
       "fast-math flags", TILE_INVALID_ARGUMENT},
      {"declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)\n"
       "define void @k(ptr %t, ptr %a) {\n  %x = load bfloat, ptr %a\n"
       "  %y = call bfloat @llvm.fma.bf16(bfloat %x, bfloat %x, bfloat %x)\n"
       "  store bfloat %y, ptr %a\n  ret void\n}",
       "call tile_emu_fma_bf16", TILE_UNSUPPORTED},
      {"declare void @missing_(ptr)\n"
       "define void @k(ptr %t, ptr %a) {\n  call void @missing_(ptr %t)\n  ret void\n}",
       "no function 'missing_'", TILE_UNSUPPORTED},
      {"define void @k(ptr %t, ptr %a) {\n  %x = alloca [3000000 x i8]\n"
       "  %i = load volatile i64, ptr %a\n  %p = getelementptr i8, ptr %x, i64 %i\n"
       "  store volatile i8 1, ptr %p\n  ret void\n}",
       "a thread needs 2999", TILE_UNSUPPORTED},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tile_emulator_program *program;
    CHECK_STATUS(try_program(rows[i].text, 0, 0, &program), rows[i].code, rows[i].words);
    CHECK(program == NULL);
  }
}

static double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* 1000 rounds of one operation per thread; %r counts. */
#define LOOP(body)                                                                                 \
  KERNEL("  %data = call ptr @arg(ptr %args, i32 0)\n"                                             \
         "  br label %loop\n"                                                                      \
         "loop:\n"                                                                                 \
         "  %r = phi i32 [0, %0], [%r1, %loop]\n" body "  %r1 = add i32 %r, 1\n"                   \
         "  %more = icmp slt i32 %r1, 1000\n"                                                      \
         "  br i1 %more, label %loop, label %done\n"                                               \
         "done:\n")

/* Prints nanoseconds per round and thread of a launch of 20 blocks. */
/* Programs that have been launched keep no stacks of their own, however many there are. */
static void stacks_belong_to_the_process(void) {
  enum { PROGRAMS = 100, THREADS = 256 };
  static tile_emulator_program *programs[PROGRAMS];
  int data[8] = {0};
  for (int i = 0; i < PROGRAMS; i++) {
    programs[i] = make_program(KERNEL("  call void @tile_emu_barrier(ptr %t, ptr @l1)\n"), 1);
    CHECK_STATUS(launch_on(programs[i], data, 8, OPTIONS(.threads = THREADS, .grid = {2}), NULL),
                 TILE_OK, NULL);
  }
  CHECK(workspace_kept_stacks() >= THREADS);
  CHECK(workspace_kept_stacks() <= 4 * MACHINE_BLOCK_THREADS);
  for (int i = 0; i < PROGRAMS; i++)
    tile_emulator_program_destroy(programs[i]);
}

static void measure(const char *what, const char *text, uint32_t threads, bool check) {
  static _Alignas(16) int data[1024];
  double start = milliseconds();
  tile_emulator_program *program = make_program(text, 1);
  double compiled = milliseconds(), best = 1e9;
  for (int i = 0; i < 5; i++) {
    double before = milliseconds();
    CHECK_STATUS(launch_on(program, data, 1024, OPTIONS(.threads = threads, .check = check), NULL),
                 TILE_OK, NULL);
    double taken = milliseconds() - before;
    best = taken < best ? taken : best;
  }
  tile_emulator_program_destroy(program);
  printf("%-44s %8.1f ns   (compiled in %.1f ms)\n", what, best * 1e6 / (1000.0 * threads),
         compiled - start);
}

static int measure_all(void) {
  static const char barrier[] = LOOP("  call void @tile_emu_barrier(ptr %t, ptr @l1)\n");
  static const char load[] =
      LOOP("  %v = call i32 @get(ptr %t, ptr %data, i32 %tid, i32 1, ptr @l1)\n");
  static const char store[] =
      LOOP("  call void @put(ptr %t, ptr %data, i32 %tid, i32 %r, i32 1, ptr @l1)\n");
  static const char masked[] =
      LOOP("  call void @put(ptr %t, ptr %data, i32 %tid, i32 %r, i32 0, ptr @l1)\n");
  static const char wide[] = LOOP(
      "  %o = shl i32 %tid, 4\n"
      "  %p = getelementptr i8, ptr %data, i32 %o\n"
      "  %s = call ptr @tile_emu_global(ptr %t, ptr %p, i32 16, i32 16, i32 1, i32 1, ptr @l1)\n"
      "  store <4 x i32> zeroinitializer, ptr %s\n");
  measure("barrier, per thread, 32 threads", barrier, 32, false);
  measure("barrier, per thread, 256 threads", barrier, 256, false);
  measure("barrier, per thread, 1024 threads", barrier, 1024, false);
  measure("load of 4 bytes", load, 256, false);
  measure("store of 4 bytes", store, 256, false);
  measure("masked store of 4 bytes", masked, 256, false);
  measure("load of 4 bytes, race checks on", load, 256, true);
  measure("store of 4 bytes, race checks on", store, 256, true);
  measure("store of 16 bytes", wide, 256, false);
  measure("store of 16 bytes, race checks on", wide, 256, true);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--measure") == 0)
    return measure_all();
  return RUN_TESTS(
      argc, argv, {"adds-vectors-under-a-mask", adds_vectors_under_a_mask},
      {"seed-draws-the-order", seed_draws_the_order}, {"stacks-are-reused", stacks_are_reused},
      {"stacks-belong-to-the-process", stacks_belong_to_the_process},
      {"shared-memory-crosses-a-barrier", shared_memory_crosses_a_barrier},
      {"launches-run-concurrently", launches_run_concurrently},
      {"options-are-checked", options_are_checked}, {"buffers-are-checked", buffers_are_checked},
      {"modules-are-checked", modules_are_checked});
}
