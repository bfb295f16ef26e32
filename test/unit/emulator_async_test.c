/* SPDX-License-Identifier: MIT */
/* Asynchronous copies on the emulator: when they land, what a wait covers, and what is reported. */
#include "emulator_fixture.h"

#define ASYNC(body)                                                                                \
  PRELUDE "declare void @tile_emu_cp_async(ptr, ptr, ptr, i32, i32, i32, ptr)\n"                   \
          "declare void @tile_emu_cp_async_commit(ptr)\n"                                          \
          "declare void @tile_emu_cp_async_wait(ptr, i32)\n"                                       \
          "define private i32 @shared_get(ptr %t, ptr %p, ptr %l) {\n"                             \
          "  %s = call ptr @tile_emu_shared_access(ptr %t, ptr %p, i32 4, i32 4, i32 0, i32 1, "   \
          "ptr %l)\n"                                                                              \
          "  %v = load i32, ptr %s\n"                                                              \
          "  ret i32 %v\n"                                                                         \
          "}\n"                                                                                    \
          "define void @k(ptr %t, ptr %args) {\n"                                                  \
          "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"                                     \
          "  %data = call ptr @arg(ptr %args, i32 0)\n"                                            \
          "  %area = call ptr @tile_emu_shared(ptr %t)\n"                                          \
          "  %from = getelementptr i32, ptr %data, i32 %tid\n"                                     \
          "  %own = getelementptr i32, ptr %area, i32 %tid\n" body "  ret void\n}\n"

#define COPY(to, from, bytes)                                                                      \
  "  call void @tile_emu_cp_async(ptr %t, ptr " to ", ptr " from ", i32 4, i32 " bytes             \
  ", i32 1, ptr @l1)\n"
#define COMMIT "  call void @tile_emu_cp_async_commit(ptr %t)\n"
#define WAIT(pending) "  call void @tile_emu_cp_async_wait(ptr %t, i32 " pending ")\n"
#define BARRIER "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
#define GET(place) "  %v = call i32 @shared_get(ptr %t, ptr " place ", ptr @l2)\n"
#define PUT "  call void @put(ptr %t, ptr %data, i32 %tid, i32 %v, i32 1, ptr @l3)\n"

enum { THREADS = 32 };

static tile_emulator_launch_options options(void) {
  return OPTIONS(.threads = THREADS, .shared_bytes = 1024, .check = true, .seed = 5);
}

static void fill(int *data) {
  for (int i = 0; i < THREADS; i++)
    data[i] = 100 + i;
}

/* The neighbour's copy, after wait and barrier. */
static void copy_lands_at_its_wait(void) {
  int data[THREADS];
  fill(data);
  run_clean(ASYNC(COPY("%own", "%from", "4") COMMIT WAIT("0") BARRIER
                  "  %n = xor i32 %tid, 1\n  %other = getelementptr i32, ptr %area, i32 %n\n" GET(
                      "%other") PUT),
            data, THREADS, options());
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(data[i], 100 + (i ^ 1));
}

static void bytes_beyond_the_source_are_zero(void) {
  int data[THREADS];
  fill(data);
  run_clean(ASYNC("  %even = and i32 %tid, 1\n  %b = shl i32 %even, 2\n" COPY("%own", "%from", "%b")
                      COMMIT WAIT("0") GET("%own") PUT),
            data, THREADS, options());
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(data[i], i % 2 ? 100 + i : 0);
}

static void check_in_flight(const char *text) {
  int data[THREADS];
  fill(data);
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(text, data, THREADS, options(), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_IN_FLIGHT);
  CHECK(strcmp(hazard->site.location, "k.py:2:1") == 0);
  CHECK(strcmp(hazard->other.location, "k.py:1:1") == 0);
  CHECK(!hazard->is_store);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL((unsigned)data[i], 0xCBCBCBCBu);
  tile_emulator_report_free(report);
}

static void load_without_wait(void) {
  check_in_flight(ASYNC(COPY("%own", "%from", "4") COMMIT GET("%own") PUT WAIT("0")));
}

static void wait_without_commit_covers_nothing(void) {
  check_in_flight(ASYNC(COPY("%own", "%from", "4") WAIT("0") GET("%own") PUT));
}

/* Two groups, one may stay in flight: the first has landed, the second has not. */
#define TWO_GROUPS                                                                                 \
  "  %second = getelementptr i32, ptr %own, i32 64\n" COPY("%own", "%from", "4")                   \
      COMMIT COPY("%second", "%from", "4") COMMIT WAIT("1")

static void wait_leaves_the_latest_groups(void) {
  int data[THREADS];
  fill(data);
  run_clean(ASYNC(TWO_GROUPS GET("%own") PUT WAIT("0")), data, THREADS, options());
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(data[i], 100 + i);
  check_in_flight(ASYNC(TWO_GROUPS GET("%second") PUT WAIT("0")));
}

/* A wait is one thread's: the others need a barrier. */
static void wait_without_barrier_is_a_race(void) {
  int data[THREADS];
  fill(data);
  tile_emulator_program *program =
      make_program(ASYNC(COPY("%own", "%from", "4") COMMIT WAIT(
                       "0") "  %n = xor i32 %tid, 1\n  %other = getelementptr i32, ptr %area, i32 "
                            "%n\n" GET("%other") "  %e = icmp eq i32 %v, 0\n"),
                   1);
  tile_emulator_report *report = NULL;
  tile_status status = launch_on(program, data, THREADS, options(), &report);
  CHECK_EQUAL(tile_status_code(status), TILE_HAZARD);
  bool found = false;
  for (size_t i = 0; i < tile_emulator_report_count(report); i++) {
    const tile_emulator_hazard *hazard = tile_emulator_report_hazard(report, i);
    found |= hazard->kind == TILE_EMULATOR_READ_WRITE_RACE && !hazard->is_store &&
             strcmp(hazard->other.location, "k.py:1:1") == 0;
  }
  CHECK(found);
  tile_emulator_report_free(report);
  tile_status_free(status);
  tile_emulator_program_destroy(program);
}

/* The earliest that a copy may write is when it starts. */
static void copy_over_what_others_still_load(void) {
  int data[THREADS];
  fill(data);
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(
      ASYNC(COPY("%own", "%from", "4") COMMIT WAIT("0") BARRIER
            "  %n = xor i32 %tid, 1\n  %other = getelementptr i32, ptr %area, i32 %n\n" GET(
                "%other") "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
                          "  %w = call i32 @shared_get(ptr %t, ptr %other, ptr @l2)\n"
                          "  %g = call i32 @tile_emu_shuffle(ptr %t, i32 -1, i32 0, i32 %w, i32 0, "
                          "i32 31, ptr @l4)\n" COPY("%own", "%from", "4")),
      data, THREADS, options(), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_READ_WRITE_RACE);
  CHECK(hazard->is_store);
  tile_emulator_report_free(report);
}

static void source_out_of_bounds(void) {
  int data[THREADS];
  fill(data);
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(ASYNC("  %far = getelementptr i32, ptr %from, i32 1\n" COPY(
                         "%own", "%far", "4") COMMIT WAIT("0")),
                     data, THREADS, options(), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_OUT_OF_BOUNDS);
  CHECK_EQUAL(hazard->repeats, 0);
  tile_emulator_report_free(report);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"copy-lands-at-its-wait", copy_lands_at_its_wait},
                   {"bytes-beyond-the-source-are-zero", bytes_beyond_the_source_are_zero},
                   {"load-without-wait", load_without_wait},
                   {"wait-without-commit-covers-nothing", wait_without_commit_covers_nothing},
                   {"wait-leaves-the-latest-groups", wait_leaves_the_latest_groups},
                   {"wait-without-barrier-is-a-race", wait_without_barrier_is_a_race},
                   {"copy-over-what-others-still-load", copy_over_what_others_still_load},
                   {"source-out-of-bounds", source_out_of_bounds});
}
