/* SPDX-License-Identifier: MIT */
/* Blocks side by side: those that wait for each other, how many run at a time, contention,
 * deadlocks. */
#include "base/text.h"
#include "emulator/device_atomics.h"
#include "emulator/launch.h"
#include "emulator_fixture.h"

#define ATOMICS "declare i64 @tile_emu_atomic(ptr, ptr, i32, i32, i64, i64, i32, i32, ptr)\n"
#define DATA "  %d = call ptr @arg(ptr %args, i32 0)\n"
/* Adds `value` to data[at]; %NAME is the old value. */
#define ADD(name, at, value, order)                                                                \
  "  %" name ".p = getelementptr i32, ptr %d, i32 " at "\n"                                        \
  "  %" name ".w = call i64 @tile_emu_atomic(ptr %t, ptr %" name ".p, i32 0, i32 1, i64 " value    \
  ", i64 0, i32 " order ", i32 1, ptr @l1)\n"                                                      \
  "  %" name " = trunc i64 %" name ".w to i32\n"
#define RELAXED "0"
#define ACQUIRE "1"
#define RELEASE "2"
_Static_assert(ATOMIC_ADD == 0 && ATOMIC_BITS32 == 1, "ADD names them by number");
_Static_assert(ATOMIC_ACQUIRES == 1 && ATOMIC_RELEASES == 2, "so it does these");

enum { SEEDS = 20 };

static tile_status launch(const char *text, int *data, size_t count,
                          tile_emulator_launch_options options, tile_emulator_report **report) {
  tile_emulator_program *program = make_program(text, 1);
  tile_status status = launch_on(program, data, count, options, report);
  tile_emulator_program_destroy(program);
  return status;
}

/* --- Waiting ---------------------------------------------------------------------------------- */

/* Blocks take their turns from `first`, by `step`: block b waits until data[0] is its place in the
   row, adds to data[1] and hands on. */
#define TURNS(place, acquire, release)                                                             \
  ATOMICS KERNEL(                                                                                  \
      DATA "  %last = call i32 @tile_emu_block_count(ptr %t, i32 0)\n" place "  br label %wait\n"  \
           "wait:\n" ADD(                                                                          \
               "seen", "0", "0",                                                                   \
               acquire) "  %mine = icmp eq i32 %seen, %place\n"                                    \
                        "  br i1 %mine, label %go, label %wait\n"                                  \
                        "go:\n"                                                                    \
                        "  %v = call i32 @get(ptr %t, ptr %d, i32 1, i32 1, ptr @l2)\n"            \
                        "  %w = add i32 %v, 1\n"                                                   \
                        "  call void @put(ptr %t, ptr %d, i32 1, i32 %w, i32 1, ptr @l2)\n" ADD(   \
                            "next", "0", "1", release))
#define FORWARD "  %place = add i32 %bid, 0\n"
#define BACKWARD                                                                                   \
  "  %l = sub i32 %last, 1\n"                                                                      \
  "  %place = sub i32 %l, %bid\n"

/* Whoever is first, the others are run, in any order. */
static void blocks_wait_for_each_other(void) {
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int data[2] = {0}, back[2] = {0};
    tile_emulator_launch_options options = {
        .threads = 1, .grid = {20}, .seed = seed, .check = true};
    CHECK_STATUS(launch(TURNS(FORWARD, ACQUIRE, RELEASE), data, 2, options, NULL), TILE_OK, NULL);
    CHECK_EQUAL(data[1], 20);
    CHECK_STATUS(launch(TURNS(BACKWARD, ACQUIRE, RELEASE), back, 2, options, NULL), TILE_OK, NULL);
    CHECK_EQUAL(back[1], 20);
  }
}

/* Waiting for an earlier block never needs more than two residents; waiting for the last one needs
   them all. */
static void residency_is_what_is_said(void) {
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int data[2] = {0};
    tile_emulator_launch_options options = {
        .threads = 1, .grid = {9}, .seed = seed, .resident_blocks = 2};
    CHECK_STATUS(launch(TURNS(FORWARD, ACQUIRE, RELEASE), data, 2, options, NULL), TILE_OK, NULL);
  }
  int data[2] = {0};
  tile_emulator_launch_options options = {.threads = 1, .grid = {9}, .resident_blocks = 9};
  CHECK_STATUS(launch(TURNS(BACKWARD, ACQUIRE, RELEASE), data, 2, options, NULL), TILE_OK, NULL);
  data[0] = 0;
  options.resident_blocks = 8;
  CHECK_STATUS(launch(TURNS(BACKWARD, ACQUIRE, RELEASE), data, 2, options, NULL), TILE_HAZARD,
               "all 8 resident blocks wait, and 1 more come to run only when one of these ends");
  options.resident_blocks = 65537;
  CHECK_STATUS(launch(TURNS(BACKWARD, ACQUIRE, RELEASE), data, 2, options, NULL),
               TILE_INVALID_ARGUMENT, "resident_blocks = 65537 exceeds the limit of 65536");
}

static const struct machine *of(const char *target) {
  return machine_find(target, strlen(target));
}

static void residency_by_default(void) {
  CHECK_EQUAL(residency_default(machine_default(), 128, 0), 132 * 2);
  CHECK_EQUAL(residency_default(of("sm_90a"), 256, 0), 132);
  CHECK_EQUAL(residency_default(of("sm_90a"), 1024, 0), 132);
  CHECK_EQUAL(residency_default(of("sm_90a"), 32, 0), 132 * 8);
  CHECK_EQUAL(residency_default(of("sm_90a"), 32, 100 << 10), 132 * 2);
  CHECK_EQUAL(residency_default(of("sm_90a"), 32, machine_most_shared_bytes()), 132);
  CHECK_EQUAL(residency_default(of("sm_80"), 128, 0), 108 * 2);
  CHECK_EQUAL(residency_default(of("sm_80"), 32, 100 << 10), 108);
  CHECK_EQUAL(residency_default(of("sm_86"), 32, 49 << 10), 84 * 2);
  CHECK_EQUAL(residency_default(of("sm_89"), 256, 0), 142);
  CHECK_EQUAL(residency_default(of("sm_100a"), 32, 100 << 10), 148 * 2);
  CHECK_EQUAL(residency_default(of("sm_120a"), 256, 0), 188);
}

/* A barrier of the whole grid: all that are resident by default meet. */
static void a_whole_grid_meets(void) {
  static const char kernel[] =
      ATOMICS KERNEL(DATA "  %n = call i32 @tile_emu_block_count(ptr %t, i32 0)\n" ADD(
          "before", "0", "1",
          RELEASE) "  br label %wait\n"
                   "wait:\n" ADD("seen", "0", "0", ACQUIRE) "  %all = icmp eq i32 %seen, %n\n"
                                                            "  br i1 %all, label %go, label %wait\n"
                                                            "go:\n");
  int data[1] = {0};
  CHECK_STATUS(launch(kernel, data, 1, OPTIONS(.threads = 4, .grid = {132}), NULL), TILE_HAZARD,
               "deadlock"); /* 4 * 132 have come */
  data[0] = -132 * 3;
  CHECK_STATUS(launch(kernel, data, 1, OPTIONS(.threads = 4, .grid = {132}), NULL), TILE_OK, NULL);
}

/* --- Order ------------------------------------------------------------------------------------ */

static void what_waiting_orders(void) {
  static const struct {
    const char *text;
    bool races;
  } rows[] = {{TURNS(FORWARD, ACQUIRE, RELEASE), false},
              {TURNS(FORWARD, "3", "3"), false},
              {TURNS(FORWARD, RELAXED, RELEASE), true},
              {TURNS(FORWARD, ACQUIRE, RELAXED), true},
              {TURNS(FORWARD, RELAXED, RELAXED), true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint64_t seed = 0; seed < 5; seed++) {
      int data[2] = {0};
      CHECK_STATUS(launch(rows[i].text, data, 2,
                          OPTIONS(.threads = 1, .grid = {5}, .seed = seed, .check = true), NULL),
                   rows[i].races ? TILE_HAZARD : TILE_OK,
                   rows[i].races ? "race at k.py:2:1" : NULL);
      CHECK_EQUAL(data[1], 5);
    }
}

/* A volatile load of a flag that an atomic operation sets is no race, and orders nothing. */
static void volatile_loads_wait(void) {
  static const char kernel[] = ATOMICS KERNEL(
      DATA "  %first = icmp eq i32 %bid, 0\n"
           "  br i1 %first, label %set, label %wait\n"
           "set:\n"
           "  call void @put(ptr %t, ptr %d, i32 1, i32 7, i32 1, ptr @l3)\n" ADD(
               "old", "0", "1",
               RELEASE) "  br label %out\n"
                        "wait:\n"
                        "  %p = call ptr @tile_emu_global(ptr %t, ptr %d, i32 4, i32 4, i32 2, "
                        "i32 1, ptr @l2)\n"
                        "  %v = load volatile i32, ptr %p\n"
                        "  %go = icmp ne i32 %v, 0\n"
                        "  br i1 %go, label %use, label %wait\n"
                        "use:\n"
                        "  %w = call i32 @get(ptr %t, ptr %d, i32 1, i32 %first.i, ptr @l4)\n"
                        "  call void @put(ptr %t, ptr %d, i32 2, i32 %w, i32 1, ptr @l4)\n"
                        "  br label %out\n"
                        "out:\n");
  for (int uses = 0; uses < 2; uses++) {
    struct text text = {0};
    const char *at = strstr(kernel, "%first.i");
    text_append(&text, kernel, (size_t)(at - kernel));
    text_printf(&text, "%d%s", uses, at + strlen("%first.i"));
    for (uint64_t seed = 0; seed < 5; seed++) {
      int data[3] = {0};
      CHECK_STATUS(launch(text_string(&text), data, 3,
                          OPTIONS(.threads = 1, .grid = {2}, .seed = seed, .check = true), NULL),
                   uses ? TILE_HAZARD : TILE_OK, uses ? "race at k.py:4:1" : NULL);
      CHECK_EQUAL(data[2], uses ? 7 : (int)0xCBCBCBCB);
    }
    text_free(&text);
  }
}

/* --- Contention ------------------------------------------------------------------------------- */

/* Each block adds 1 to data[1] under a lock, and to data[2] where it found the lock taken. */
static void locks_are_contended(void) {
  static const char kernel[] = ATOMICS KERNEL(
      DATA
      "  br label %try\n"
      "try:\n"
      "  %w = call i64 @tile_emu_atomic(ptr %t, ptr %d, i32 9, i32 1, i64 1, i64 0, i32 1, i32 "
      "1, ptr @l1)\n"
      "  %free = icmp eq i64 %w, 0\n"
      "  br i1 %free, label %go, label %taken\n"
      "taken:\n" ADD("waits", "2", "1",
                     RELAXED) "  br label %try\n"
                              "go:\n"
                              "  %v = call i32 @get(ptr %t, ptr %d, i32 1, i32 1, ptr @l2)\n" ADD(
                                  "held", "3", "1",
                                  RELAXED) "  %x = add i32 %v, 1\n"
                                           "  call void @put(ptr %t, ptr %d, i32 1, i32 %x, "
                                           "i32 1, ptr @l2)\n"
                                           "  call i64 @tile_emu_atomic(ptr %t, ptr %d, i32 8, "
                                           "i32 1, i64 0, i64 0, i32 2, i32 1, ptr @l3)\n");
  int waited = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int data[4] = {0};
    CHECK_STATUS(launch(kernel, data, 4,
                        OPTIONS(.threads = 1, .grid = {10}, .seed = seed, .check = true), NULL),
                 TILE_OK, NULL);
    CHECK_EQUAL(data[1], 10);
    waited += data[2] > 0;
  }
  CHECK(waited > SEEDS / 2);
}
_Static_assert(ATOMIC_CAS == 9 && ATOMIC_XCHG == 8, "the kernel names them by number");

/* Equal seeds, equal runs; different ones differ. */
static void seeds_draw_the_interleaving(void) {
  static const char kernel[] = ATOMICS KERNEL(DATA ADD("a", "0", "1", RELAXED) ADD(
      "b", "0", "1", RELAXED) "  %i = add i32 %bid, 1\n"
                              "  call void @put(ptr %t, ptr %d, i32 %i, i32 %b, i32 1, "
                              "ptr @l2)\n");
  int different = 0, first[9] = {0};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int data[9] = {0}, again[9] = {0};
    tile_emulator_launch_options options = {.threads = 1, .grid = {8}, .seed = seed};
    CHECK_STATUS(launch(kernel, data, 9, options, NULL), TILE_OK, NULL);
    CHECK_STATUS(launch(kernel, again, 9, options, NULL), TILE_OK, NULL);
    CHECK(memcmp(data, again, sizeof data) == 0);
    if (seed == 0)
      memcpy(first, data, sizeof data);
    different += memcmp(first, data, sizeof data) != 0;
  }
  CHECK(different > SEEDS / 2);
}

/* --- Deadlocks -------------------------------------------------------------------------------- */

/* Two blocks, each of which waits for what the other does afterwards. */
static void a_deadlock_says_who_waits_where(void) {
  static const char kernel[] = ATOMICS KERNEL(
      DATA
      "  %other = sub i32 1, %bid\n"
      "  %odd = trunc i32 %bid to i1\n"
      "  %l = select i1 %odd, ptr @l1, ptr @l2\n"
      "  %p = getelementptr i32, ptr %d, i32 %bid\n"
      "  br label %wait\n"
      "wait:\n"
      "  %w = call i64 @tile_emu_atomic(ptr %t, ptr %p, i32 9, i32 1, i64 1, i64 1, i32 1, i32 "
      "1, ptr %l)\n"
      "  %set = icmp eq i64 %w, 1\n"
      "  br i1 %set, label %go, label %wait\n"
      "go:\n" ADD("old", "%other", "1", RELEASE));
  int data[2] = {0};
  tile_emulator_report *report;
  CHECK_STATUS(launch(kernel, data, 2, OPTIONS(.threads = 1, .grid = {2}), &report), TILE_HAZARD,
               "deadlock at k.py:");
  CHECK_EQUAL(tile_emulator_report_count(report), 2);
  for (size_t i = 0; i < tile_emulator_report_count(report); i++) {
    const tile_emulator_hazard *hazard = tile_emulator_report_hazard(report, i);
    CHECK_EQUAL(hazard->kind, TILE_EMULATOR_DEADLOCK);
    CHECK_EQUAL(hazard->offset, 4 * hazard->site.block[0]);
    CHECK_TEXT(hazard->site.location, hazard->site.block[0] ? "k.py:1:1" : "k.py:2:1");
    CHECK_EQUAL(hazard->other.block[0], 1 - hazard->site.block[0]);
    CHECK(strstr(hazard->text, "of buffer 'data' to change, while one waits at k.py:"));
    CHECK(strstr(hazard->text, "; all 2 blocks that are left wait"));
  }
  tile_emulator_report_free(report);
  CHECK_STATUS(launch(kernel, data, 2, OPTIONS(.threads = 1), NULL), TILE_HAZARD,
               "thread 0 of block (0, 0, 0) waits for byte 0 of buffer 'data' to change; no other "
               "block is left to change it");
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"blocks-wait-for-each-other", blocks_wait_for_each_other},
      {"residency-is-what-is-said", residency_is_what_is_said},
      {"residency-by-default", residency_by_default}, {"a-whole-grid-meets", a_whole_grid_meets},
      {"what-waiting-orders", what_waiting_orders}, {"volatile-loads-wait", volatile_loads_wait},
      {"locks-are-contended", locks_are_contended},
      {"seeds-draw-the-interleaving", seeds_draw_the_interleaving},
      {"a-deadlock-says-who-waits-where", a_deadlock_says_who_waits_where});
}
