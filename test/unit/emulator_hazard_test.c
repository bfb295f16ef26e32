/* SPDX-License-Identifier: MIT */
/* What the emulator reports: one hazard per test, and the near miss that must stay silent. */
#include "base/text.h"
#include "emulator_fixture.h"

#define DATA "  %data = call ptr @arg(ptr %args, i32 0)\n"

/* data[2 * thread + 1]: the last thread of four runs past seven elements. */
static void store_past_the_end(void) {
  int data[8] = {0};
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(
      KERNEL(DATA "  %i = shl i32 %tid, 1\n"
                  "  %last = add i32 %i, 1\n"
                  "  call void @put(ptr %t, ptr %data, i32 %last, i32 1, i32 1, ptr @l2)\n"),
      data, 7, OPTIONS(.grid = {2}, .threads = 4), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_OUT_OF_BOUNDS);
  CHECK_EQUAL(hazard->is_store, true);
  CHECK_EQUAL(hazard->bytes, 4);
  CHECK(hazard->address == (uint64_t)(uintptr_t)&data[7]);
  CHECK_TEXT(hazard->site.location, "k.py:2:1");
  CHECK_EQUAL(hazard->site.thread, 3);
  CHECK_TEXT(hazard->buffer, "data");
  CHECK_EQUAL(hazard->buffer_bytes, 28);
  CHECK_EQUAL(hazard->offset, 28);
  CHECK_EQUAL(hazard->distance, 4);
  CHECK_EQUAL(hazard->repeats, 1); /* the other block */
  CHECK(strstr(hazard->text, "the store of 4 bytes at address 0x"));
  CHECK(strstr(hazard->text, "reaches 4 bytes past the end of buffer 'data' (offset 28 of 28"));
  CHECK(strstr(hazard->text, "(repeated 1 time"));
  CHECK_EQUAL(data[7], 0); /* turned aside */
  CHECK_EQUAL(data[5], 1);
  tile_emulator_report_free(report);
}

static void load_before_the_start(void) {
  int data[8] = {0};
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(
      KERNEL(DATA "  %v = call i32 @get(ptr %t, ptr %data, i32 -3, i32 1, ptr @l1)\n"
                  "  call void @put(ptr %t, ptr %data, i32 0, i32 %v, i32 1, ptr @l2)\n"),
      data, 8, OPTIONS(.threads = 1), &report);
  CHECK_EQUAL(hazard->is_store, false);
  CHECK_EQUAL(hazard->distance, -12);
  CHECK_EQUAL(hazard->offset, -12);
  CHECK(strstr(hazard->text, "the load of 4 bytes"));
  CHECK(strstr(hazard->text, "12 bytes before the start of buffer 'data'"));
  CHECK_EQUAL((uint32_t)data[0], 0xCBCBCBCB); /* what the load yielded */
  tile_emulator_report_free(report);
}

static void access_to_no_buffer(void) {
  int data[8] = {0};
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(KERNEL("  %v = call i32 @get(ptr %t, ptr null, i32 4, i32 1, ptr null)\n"),
                     data, 8, OPTIONS(.threads = 1), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_OUT_OF_BOUNDS);
  CHECK(hazard->buffer == NULL);
  CHECK_EQUAL(hazard->address, 16);
  CHECK_TEXT(hazard->text, "out-of-bounds at unknown location, thread 0 of block (0, 0, 0): the "
                           "load of 4 bytes at address 0x10 belongs to no buffer");
  tile_emulator_report_free(report);
}

static void misaligned_access(void) {
  _Alignas(16) int data[8] = {0};
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(
      KERNEL(DATA "  %p = getelementptr i8, ptr %data, i32 8\n"
                  "  %s = call ptr @tile_emu_global(ptr %t, ptr %p, i32 16, i32 16, i32 0, i32 1, "
                  "ptr @l3)\n"
                  "  %v = load <4 x i32>, ptr %s, align 16\n"),
      data, 8, OPTIONS(.threads = 1), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_MISALIGNED);
  CHECK_EQUAL(hazard->alignment, 16);
  CHECK_EQUAL(hazard->bytes, 16);
  CHECK_EQUAL(hazard->offset, 8);
  CHECK(strstr(hazard->text, "needs an alignment of 16 bytes"));
  tile_emulator_report_free(report);
}

static void store_to_a_read_only_buffer(void) {
  int data[4] = {0};
  tile_emulator_buffer buffer = {.name = "x", .base = data, .bytes = 16, .read_only = true};
  void *arguments[] = {&(int *){data}};
  tile_emulator_launch_options options = {.grid = {1, 1, 1},
                                          .threads = 1,
                                          .buffers = &buffer,
                                          .buffer_count = 1,
                                          .arguments = arguments,
                                          .argument_count = 1};
  tile_emulator_program *program = make_program(
      KERNEL(DATA "  %v = call i32 @get(ptr %t, ptr %data, i32 0, i32 1, ptr @l1)\n"
                  "  call void @put(ptr %t, ptr %data, i32 0, i32 1, i32 1, ptr @l2)\n"),
      1);
  CHECK_STATUS(tile_emulator_launch(program, "k", &options, NULL), TILE_HAZARD,
               "kernel 'k': read-only at k.py:2:1, thread 0 of block (0, 0, 0)");
  tile_emulator_program_destroy(program);
  CHECK_EQUAL(data[0], 0);
}

/* A masked access is not checked, does nothing, and loads poison. */
static void masked_accesses_are_harmless(void) {
  int data[1] = {0};
  run_clean(KERNEL(DATA "  %v = call i32 @get(ptr %t, ptr null, i32 0, i32 0, ptr @l1)\n"
                        "  call void @put(ptr %t, ptr null, i32 0, i32 0, i32 0, ptr @l1)\n"
                        "  %w = call i32 @get(ptr %t, ptr null, i32 0, i32 0, ptr @l1)\n"
                        "  %x = xor i32 %v, %w\n"
                        "  %r = or i32 %x, %v\n"
                        "  call void @put(ptr %t, ptr %data, i32 0, i32 %r, i32 1, ptr @l1)\n"),
            data, 1, OPTIONS(.threads = 1));
  CHECK_EQUAL((uint32_t)data[0], 0xCBCBCBCB);
}

/* Threads 2 and 3 store to data[2]. */
static const char write_write[] =
    KERNEL(DATA "  %first = icmp ult i32 %tid, 2\n"
                "  %j = select i1 %first, i32 %tid, i32 2\n"
                "  call void @put(ptr %t, ptr %data, i32 %j, i32 1, i32 1, ptr @l1)\n");

static void write_write_race_in_a_block(void) {
  int data[4];
  for (uint64_t seed = 0; seed < 4; seed++) {
    tile_emulator_report *report;
    const tile_emulator_hazard *hazard = run_for_hazard(
        write_write, data, 4, OPTIONS(.threads = 4, .check = true, .seed = seed), &report);
    CHECK_EQUAL(hazard->kind, TILE_EMULATOR_WRITE_WRITE_RACE);
    CHECK_EQUAL(hazard->offset, 8);
    CHECK_EQUAL(hazard->site.thread + hazard->other.thread, 5);
    CHECK_TEXT(hazard->other.location, "k.py:1:1");
    CHECK_EQUAL(hazard->repeats, 3); /* the word's other bytes */
    tile_emulator_report_free(report);
  }
  run_clean(write_write, data, 4, OPTIONS(.threads = 4)); /* not looked for without `check` */
  run_clean(write_write, data, 4, OPTIONS(.threads = 3, .check = true));
}

/* Thread i of each block stores to data[i]: a race between blocks, barrier or not. */
static void write_write_race_between_blocks(void) {
  int data[4];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(
      KERNEL(DATA "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
                  "  call void @put(ptr %t, ptr %data, i32 %tid, i32 1, i32 1, ptr @l1)\n"),
      data, 4, OPTIONS(.grid = {1, 1, 2}, .threads = 4, .check = true), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_WRITE_WRITE_RACE);
  CHECK_EQUAL(hazard->site.thread, hazard->other.thread);
  CHECK_EQUAL(hazard->site.block[2] + hazard->other.block[2], 1);
  CHECK_EQUAL(hazard->repeats, 15);
  CHECK(strstr(hazard->text, "and nothing orders the two"));
  tile_emulator_report_free(report);
}

/* Each of four threads stores its element and loads its neighbour's. */
#define NEIGHBOUR(between)                                                                         \
  KERNEL(DATA "  call void @put(ptr %t, ptr %data, i32 %tid, i32 %tid, i32 1, ptr @l1)\n" between  \
              "  %n = add i32 %tid, 1\n"                                                           \
              "  %i = and i32 %n, 3\n"                                                             \
              "  %v = call i32 @get(ptr %t, ptr %data, i32 %i, i32 1, ptr @l2)\n")

static void barrier_orders_a_block(void) {
  int data[4];
  for (uint64_t seed = 0; seed < 4; seed++) {
    tile_emulator_launch_options options = {.threads = 4, .check = true, .seed = seed};
    tile_emulator_program *program = make_program(NEIGHBOUR(""), 1);
    CHECK_STATUS(launch_on(program, data, 4, options, NULL), TILE_HAZARD, "read-write race");
    tile_emulator_program_destroy(program);
    run_clean(NEIGHBOUR("  call void @tile_emu_barrier(ptr %t, ptr @l3)\n"), data, 4, options);
  }
}

/* All threads load data[0], then one stores to it: the store races with loads only. */
static void store_after_many_loads(void) {
  int data[1] = {0};
#define SHARED_LOAD(between)                                                                       \
  KERNEL(DATA "  %v = call i32 @get(ptr %t, ptr %data, i32 0, i32 1, ptr @l1)\n" between           \
              "  %zero = icmp eq i32 %tid, 0\n"                                                    \
              "  %p = zext i1 %zero to i32\n"                                                      \
              "  call void @put(ptr %t, ptr %data, i32 0, i32 1, i32 %p, ptr @l2)\n")
  for (uint64_t seed = 0; seed < 8; seed++) {
    tile_emulator_launch_options options = {.threads = 3, .check = true, .seed = seed};
    tile_emulator_program *program = make_program(SHARED_LOAD(""), 1);
    CHECK_STATUS(launch_on(program, data, 1, options, NULL), TILE_HAZARD, "read-write race");
    tile_emulator_program_destroy(program);
    run_clean(SHARED_LOAD("  call void @tile_emu_barrier(ptr %t, ptr @l3)\n"), data, 1, options);
  }
}

/* Both blocks load data[0], block 1 then stores to it after a barrier: block 0's load is not
   ordered, whichever block runs first. */
static void load_races_with_another_block(void) {
  int data[1] = {0};
  for (uint64_t seed = 0; seed < 8; seed++) {
    tile_emulator_report *report;
    const tile_emulator_hazard *hazard = run_for_hazard(
        KERNEL(DATA "  %v = call i32 @get(ptr %t, ptr %data, i32 0, i32 1, ptr @l1)\n"
                    "  call void @tile_emu_barrier(ptr %t, ptr @l3)\n"
                    "  call void @put(ptr %t, ptr %data, i32 0, i32 1, i32 %bid, ptr @l2)\n"),
        data, 1, OPTIONS(.grid = {2}, .threads = 1, .check = true, .seed = seed), &report);
    CHECK_EQUAL(hazard->kind, TILE_EMULATOR_READ_WRITE_RACE);
    CHECK_EQUAL(hazard->site.block[0] + hazard->other.block[0], 1);
    CHECK(hazard->is_store != hazard->other_is_store);
    CHECK_EQUAL(hazard->site.block[0], hazard->is_store);
    tile_emulator_report_free(report);
  }
}

/* Thread 0 exits before the barrier that the others wait at. */
static void exit_before_a_barrier(void) {
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(KERNEL("  call void @tile_emu_barrier(ptr %t, ptr @l1)\n"
                            "  %zero = icmp eq i32 %tid, 0\n"
                            "  br i1 %zero, label %out, label %wait\n"
                            "wait:\n"
                            "  call void @tile_emu_barrier(ptr %t, ptr @l2)\n"
                            "  br label %out\n"
                            "out:\n"),
                     data, 1, OPTIONS(.grid = {9}, .threads = 40), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_BARRIER_DIVERGENCE);
  CHECK_TEXT(hazard->site.location, "k.py:2:1");
  CHECK_EQUAL(hazard->other.thread, 0);
  CHECK_EQUAL(hazard->other_exited, true);
  CHECK_TEXT(hazard->other.location, "k.py:1:1");
  CHECK(
      strstr(hazard->text, "while thread 0 has exited; the last barrier it passed is at k.py:1:1"));
  tile_emulator_report_free(report);
}

/* Odd and even threads wait at different barriers. The program stays usable. */
static void different_barriers(void) {
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(KERNEL("  %odd = trunc i32 %tid to i1\n"
                            "  %l = select i1 %odd, ptr @l1, ptr @l2\n"
                            "  call void @tile_emu_barrier(ptr %t, ptr %l)\n"),
                     data, 1, OPTIONS(.threads = 8), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_BARRIER_DIVERGENCE);
  CHECK_EQUAL(hazard->other_exited, false);
  CHECK(strcmp(hazard->site.location, hazard->other.location) != 0);
  CHECK(strstr(hazard->text, "waits at a barrier while another barrier is waited at by k.py:"));
  tile_emulator_report_free(report);
}

/* Thread data[0] traps while others wait; afterwards the same program runs to its end, on the
   stacks that the trap left behind. */
static void trap_ends_the_launch(void) {
  int data[1] = {5};
  tile_emulator_program *program =
      make_program("@words = private constant [17 x i8] c\"x must be finite\\00\"\n" KERNEL(
                       DATA "  %v = call i32 @get(ptr %t, ptr %data, i32 0, i32 1, ptr @l1)\n"
                            "  call void @tile_emu_barrier(ptr %t, ptr @l2)\n"
                            "  %mine = icmp eq i32 %v, %tid\n"
                            "  br i1 %mine, label %trap, label %wait\n"
                            "trap:\n"
                            "  call void @tile_emu_trap(ptr %t, ptr @l3, ptr @words)\n"
                            "  unreachable\n"
                            "wait:\n"
                            "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"),
                   1);
  for (int round = 0; round < 3; round++) {
    tile_emulator_launch_options options = {.grid = {5}, .threads = 64, .check = true};
    data[0] = 5;
    CHECK_STATUS(launch_on(program, data, 1, options, NULL), TILE_HAZARD,
                 "kernel 'k': trap at k.py:3:1, thread 5 of block (");
    data[0] = -1;
    CHECK_STATUS(launch_on(program, data, 1, options, NULL), TILE_OK, NULL);
  }
  tile_emulator_program_destroy(program);
}

/* 70 hazards at different locations: 64 are kept, the rest are counted. */
static void reports_are_bounded(void) {
  enum { COUNT = 70 };
  struct text text = {0};
  text_puts(&text, PRELUDE);
  for (int i = 0; i < COUNT; i++)
    text_printf(&text, "@m%d = private constant [8 x i8] c\"k.py:%02d\\00\"\n", i, i);
  text_puts(&text, "define void @k(ptr %t, ptr %args) {\n");
  for (int i = 0; i < COUNT; i++)
    text_printf(&text, "  call void @put(ptr %%t, ptr null, i32 0, i32 0, i32 1, ptr @m%d)\n", i);
  text_puts(&text, "  ret void\n}\n");
  int data[1];
  tile_emulator_report *report;
  tile_emulator_program *program = make_program(text.data, 1);
  text_free(&text);
  CHECK_STATUS(launch_on(program, data, 1, OPTIONS(.threads = 2), &report), TILE_HAZARD,
               "and 75 more hazards");
  CHECK_EQUAL(tile_emulator_report_count(report), 64);
  CHECK_EQUAL(tile_emulator_report_dropped(report), 12);
  CHECK(tile_emulator_report_hazard(report, 64) == NULL);
  CHECK_EQUAL(tile_emulator_report_hazard(report, 0)->repeats, 1);
  tile_emulator_report_free(report);
  tile_emulator_program_destroy(program);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"store-past-the-end", store_past_the_end},
      {"load-before-the-start", load_before_the_start},
      {"access-to-no-buffer", access_to_no_buffer}, {"misaligned-access", misaligned_access},
      {"store-to-a-read-only-buffer", store_to_a_read_only_buffer},
      {"masked-accesses-are-harmless", masked_accesses_are_harmless},
      {"write-write-race-in-a-block", write_write_race_in_a_block},
      {"write-write-race-between-blocks", write_write_race_between_blocks},
      {"barrier-orders-a-block", barrier_orders_a_block},
      {"store-after-many-loads", store_after_many_loads},
      {"load-races-with-another-block", load_races_with_another_block},
      {"exit-before-a-barrier", exit_before_a_barrier}, {"different-barriers", different_barriers},
      {"trap-ends-the-launch", trap_ends_the_launch}, {"reports-are-bounded", reports_are_bounded});
}
