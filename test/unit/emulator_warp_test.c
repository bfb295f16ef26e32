/* SPDX-License-Identifier: MIT */
/* Shuffles between lanes, and what the emulator sees of shared memory. */
#include "base/text.h"
#include "emulator_fixture.h"

#define DATA "  %data = call ptr @arg(ptr %args, i32 0)\n"
#define PUT "  call void @put(ptr %t, ptr %data, i32 %tid, i32 %v, i32 1, ptr @l2)\n"

/* The lane that lane `lane` reads from, by the pseudo-code of PTX's shfl.sync. */
static int source_lane(int kind, int lane, int b, int c) {
  int mask = c >> 8 & 31, clamp = c & 31;
  int most = (lane & mask) | (clamp & ~mask & 31), least = lane & mask;
  int from = 0;
  bool in_range = false;
  switch (kind) {
  case 0:
    from = least | (b & ~mask & 31), in_range = from <= most;
    break;
  case 1:
    from = lane ^ b, in_range = from <= most;
    break;
  case 2:
    from = lane - b, in_range = from >= most;
    break;
  case 3:
    from = lane + b, in_range = from <= most;
    break;
  }
  return in_range ? from : lane;
}

/* Eight shuffles in a row: a lane that is ahead must not disturb those that are after. */
static void shuffle_of_every_kind(void) {
  static const int clamps[] = {0x1F, 0, 0x181F, 0x1800, 0x1C1F};
  for (int kind = 0; kind < 4; kind++)
    for (size_t c = 0; c < sizeof clamps / sizeof *clamps; c++)
      for (int b = 0; b < 32; b += 3) {
        struct text text = {0};
        text_puts(&text, PRELUDE "define void @k(ptr %t, ptr %args) {\n"
                                 "  %v0 = call i32 @tile_emu_thread_index(ptr %t)\n" DATA);
        for (int i = 0; i < 8; i++)
          text_printf(
              &text,
              "  %%v%d = call i32 @tile_emu_shuffle(ptr %%t, i32 -1, i32 %d, i32 %%v%d, i32 %d, "
              "i32 %d, ptr @l1)\n",
              i + 1, kind, i, b, clamps[c]);
        text_puts(&text, "  call void @put(ptr %t, ptr %data, i32 %v0, i32 %v8, i32 1, ptr @l2)\n"
                         "  ret void\n}\n");
        int data[64];
        run_clean(text_string(&text), data, 64, OPTIONS(.threads = 64, .check = true, .seed = 3));
        text_free(&text);
        for (int thread = 0; thread < 64; thread++) {
          int lane = thread % 32;
          for (int i = 0; i < 8; i++)
            lane = source_lane(kind, lane, b, clamps[c]);
          CHECK_EQUAL(data[thread], thread / 32 * 32 + lane);
        }
      }
}

static void redux_of_every_kind(void) {
  for (int kind = 0; kind < 8; kind++) {
    struct text text = {0};
    text_puts(&text, PRELUDE "define void @k(ptr %t, ptr %args) {\n"
                             "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n" DATA
                             "  %m = mul i32 %tid, -3\n"
                             "  %x = add i32 %m, 1\n");
    text_printf(&text,
                "  %%v = call i32 @tile_emu_redux(ptr %%t, i32 -1, i32 %d, i32 %%x, ptr @l1)\n",
                kind);
    text_puts(&text, PUT "  ret void\n}\n");
    int data[32], result = 0;
    run_clean(text_string(&text), data, 32, OPTIONS(.threads = 32));
    text_free(&text);
    for (int i = 0; i < 32; i++) {
      int x = 1 - 3 * i;
      result = i == 0      ? x
               : kind == 0 ? result + x
               : kind == 1 ? result & x
               : kind == 2 ? result | x
               : kind == 3 ? result ^ x
               : kind == 4 ? (x < result ? x : result)
               : kind == 5 ? (x > result ? x : result)
               : kind == 6 ? ((unsigned)x < (unsigned)result ? x : result)
                           : ((unsigned)x > (unsigned)result ? x : result);
    }
    CHECK_EQUAL(data[0], result);
    CHECK_EQUAL(data[31], result);
  }
}

/* Lane 5 of the second warp leaves before the shuffle. */
static void lane_that_has_exited(void) {
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(KERNEL("  %gone = icmp eq i32 %tid, 37\n"
                            "  br i1 %gone, label %out, label %in\n"
                            "in:\n"
                            "  %v = call i32 @tile_emu_shuffle(ptr %t, i32 -1, i32 1, i32 0, i32 "
                            "1, i32 31, ptr @l3)\n"
                            "  br label %out\n"
                            "out:\n"),
                     data, 1, OPTIONS(.threads = 64), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_SHUFFLE_DIVERGENCE);
  CHECK_EQUAL(hazard->other.thread, 37);
  CHECK_EQUAL(hazard->other_exited, true);
  CHECK(strstr(hazard->text, "shuffle divergence at k.py:3:1, thread "));
  CHECK(strstr(hazard->text, "waits at a shuffle while thread 37 has exited"));
  tile_emulator_report_free(report);
}

/* A warp shuffles, but one of its lanes waits at the barrier: nobody would ever come. */
static void lane_that_waits_at_a_barrier(void) {
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(KERNEL("  %early = icmp eq i32 %tid, 7\n"
                            "  br i1 %early, label %wait, label %in\n"
                            "in:\n"
                            "  %v = call i32 @tile_emu_shuffle(ptr %t, i32 -1, i32 1, i32 0, i32 "
                            "1, i32 31, ptr @l3)\n"
                            "  br label %wait\n"
                            "wait:\n"
                            "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"),
                     data, 1, OPTIONS(.threads = 64), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_SHUFFLE_DIVERGENCE);
  CHECK(strstr(hazard->text,
               "waits at a shuffle while a barrier is waited at by k.py:4:1, thread 7"));
  tile_emulator_report_free(report);
}

static void two_shuffles(void) {
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(KERNEL("  %odd = trunc i32 %tid to i1\n"
                            "  %l = select i1 %odd, ptr @l1, ptr @l2\n"
                            "  %v = call i32 @tile_emu_shuffle(ptr %t, i32 -1, i32 1, i32 0, i32 "
                            "1, i32 31, ptr %l)\n"),
                     data, 1, OPTIONS(.threads = 32), &report);
  CHECK(strstr(hazard->text, "waits at a shuffle while another shuffle is waited at by k.py:"));
  tile_emulator_report_free(report);
}

/* --- Member masks ----------------------------------------------------------------------------- */

/* The lower half of a warp and the upper one shuffle and reduce on their own, each as often as the
   other or not: thread i ends with the sum of its half's numbers of i ^ 1. */
static void halves_of_a_warp(void) {
  int data[64] = {0};
  for (uint64_t seed = 0; seed < 5; seed++) {
    run_clean(KERNEL("  %d = call ptr @arg(ptr %args, i32 0)\n"
                     "  %lane = and i32 %tid, 31\n"
                     "  %upper = icmp uge i32 %lane, 16\n"
                     "  br i1 %upper, label %up, label %low\n"
                     "low:\n"
                     "  %l = call i32 @tile_emu_shuffle(ptr %t, i32 65535, i32 1, i32 %tid, i32 1, "
                     "i32 31, ptr @l1)\n"
                     "  br label %out\n"
                     "up:\n"
                     "  %u = call i32 @tile_emu_shuffle(ptr %t, i32 -65536, i32 1, i32 %tid, i32 "
                     "1, i32 31, ptr @l2)\n"
                     "  %s = call i32 @tile_emu_redux(ptr %t, i32 -65536, i32 0, i32 %u, ptr @l3)\n"
                     "  br label %out\n"
                     "out:\n"
                     "  %v = phi i32 [%l, %low], [%s, %up]\n"
                     "  call void @put(ptr %t, ptr %d, i32 %tid, i32 %v, i32 1, ptr @l4)\n"),
              data, 64, OPTIONS(.threads = 64, .seed = seed));
    int wrong = 0;
    for (int i = 0; i < 64; i++)
      wrong += data[i] != (i % 32 < 16 ? (i ^ 1) : 16 * (i / 32 * 32) + 376);
    CHECK_EQUAL(wrong, 0);
  }
}

/* A shuffle of all with `mask`: what is reported first. */
static void check_mask(const char *mask, const char *kind, const char *distance,
                       const char *words) {
  struct text text = {0};
  text_printf(&text,
              "%s  %%v = call i32 @tile_emu_shuffle(ptr %%t, i32 %s, i32 %s, i32 %%tid, i32 %s, "
              "i32 31, ptr "
              "@l1)\n  ret void\n}\n",
              PRELUDE
              "define void @k(ptr %t, ptr %args) {\n"
              "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"
              "  %odd = trunc i32 %tid to i1\n  %some = select i1 %odd, i32 -1, i32 2147483647\n",
              mask, kind, distance);
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(text_string(&text), data, 1, OPTIONS(.threads = 32), &report);
  CHECK(hazard && strstr(hazard->text, words));
  if (hazard && !strstr(hazard->text, words))
    printf("%s\n", hazard->text);
  tile_emulator_report_free(report);
  text_free(&text);
}

static void lanes_that_a_mask_does_not_name(void) {
  check_mask(
      "-9", "1", "0",
      "lane mask at k.py:1:1, thread 3 of block (0, 0, 0) executes a shuffle as lane 3, which the "
      "member mask 0xfffffff7 does not name");
  check_mask("%some", "1", "2",
             "waits at a shuffle while another shuffle is waited at by k.py:1:1");
}

/* Four lanes shuffle down by one: the last of them reads a lane that the mask leaves out; or one of
   them has left. */
static void lanes_that_are_read_or_missed(void) {
  static const char *const words[] = {
      "reads by a shuffle from lane 4, which the member mask 0x0000000f does not name",
      "waits at a shuffle while thread 2 has exited"};
  for (int gone = 0; gone < 2; gone++) {
    struct text text = {0};
    text_printf(&text,
                "%s  %%in = icmp ult i32 %%tid, 4\n  %%gone = icmp eq i32 %%tid, %d\n"
                "  %%stays = xor i1 %%gone, true\n  %%goes = and i1 %%in, %%stays\n"
                "  br i1 %%goes, label %%shuffle, label %%out\nshuffle:\n"
                "  %%v = call i32 @tile_emu_shuffle(ptr %%t, i32 15, i32 3, i32 %%tid, i32 1, i32 "
                "31, ptr @l1)\n"
                "  br label %%out\nout:\n  ret void\n}\n",
                PRELUDE "define void @k(ptr %t, ptr %args) {\n"
                        "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n",
                gone ? 2 : 99);
    int data[1];
    tile_emulator_report *report;
    const tile_emulator_hazard *hazard =
        run_for_hazard(text_string(&text), data, 1, OPTIONS(.threads = 32), &report);
    CHECK(hazard && strstr(hazard->text, words[gone]));
    tile_emulator_report_free(report);
    text_free(&text);
  }
}

/* --- Shared memory ---------------------------------------------------------------------------- */

#define SHARED(index, store, location, number)                                                     \
  "  %a" number " = getelementptr i32, ptr %shared, i32 " index "\n"                               \
  "  %s" number " = call ptr @tile_emu_shared_access(ptr %t, ptr %a" number                        \
  ", i32 4, i32 4, i32 " store ", i32 1, ptr @" location ")\n"
#define AREA "  %shared = call ptr @tile_emu_shared(ptr %t)\n"

/* shared[thread] = thread; data[thread] = shared[63 - thread], with and without the barrier. */
#define MIRROR(barrier)                                                                            \
  KERNEL(DATA AREA SHARED("%tid", "1", "l1",                                                       \
                          "1") "  store i32 %tid, ptr %s1\n" barrier                               \
                               "  %mirror = sub i32 63, %tid\n" SHARED("%mirror", "0", "l2",       \
                                                                       "2") "  %v = load "         \
                                                                            "i32, ptr %s2\n" PUT)

static void barrier_orders_shared_memory(void) {
  int data[64];
  run_clean(MIRROR("  call void @tile_emu_barrier(ptr %t, ptr @l3)\n"), data, 64,
            OPTIONS(.threads = 64, .shared_bytes = 256, .check = true));
  for (int i = 0; i < 64; i++)
    CHECK_EQUAL(data[i], 63 - i);
}

#define WARP_BARRIER(location) "  call void @tile_emu_warp_barrier(ptr %t, ptr @" location ")\n"

/* shared[thread] = thread, and then all lanes load what lane 3 stored; lane 5 stores something else
   there, and all load that. Two warps, each in its own half. */
#define BROADCAST(first, second, third)                                                            \
  KERNEL(DATA AREA SHARED(                                                                         \
      "%tid", "1", "l1",                                                                           \
      "1") "  store i32 %tid, ptr %s1\n" first                                                     \
           "  %warp = and i32 %tid, 32\n  %lane = and i32 %tid, 31\n  %at = or i32 %warp, "        \
           "3\n" SHARED("%at", "0", "l2",                                                          \
                        "2") "  %v = load i32, ptr %s2\n" second                                   \
                             "  %five = icmp eq i32 %lane, 5\n  br i1 %five, label %write, label " \
                             "%join\nwrite:\n" SHARED(                                             \
                                 "%at", "1", "l3",                                                 \
                                 "3") "  store i32 %tid, ptr %s3\n  br label %join\njoin:\n" third \
                                 SHARED("%at", "0", "l4",                                          \
                                        "4") "  %w = load i32, ptr %s4\n  %x = mul i32 %w, 100\n"  \
                                             "  %y = add i32 %x, %v\n" PUT_OTHER)
#define PUT_OTHER                                                                                  \
  "  %p = getelementptr i32, ptr %data, i32 %tid\n"                                                \
  "  %q = call ptr @tile_emu_global(ptr %t, ptr %p, i32 4, i32 4, i32 1, i32 1, ptr @l1)\n"        \
  "  store i32 %y, ptr %q\n"

static void warp_barrier_orders_lanes(void) {
  int data[64];
  run_clean(BROADCAST(WARP_BARRIER("l4"), WARP_BARRIER("l4"), WARP_BARRIER("l4")), data, 64,
            OPTIONS(.threads = 64, .shared_bytes = 256, .check = true));
  for (int i = 0; i < 64; i++)
    CHECK_EQUAL(data[i], (i / 32 * 32 + 5) * 100 + i / 32 * 32 + 3);
}

/* Each of the three is needed. */
static void warp_barrier_that_is_missing(void) {
  const char *kernels[] = {BROADCAST("", WARP_BARRIER("l4"), WARP_BARRIER("l4")),
                           BROADCAST(WARP_BARRIER("l4"), "", WARP_BARRIER("l4")),
                           BROADCAST(WARP_BARRIER("l4"), WARP_BARRIER("l4"), "")};
  for (int i = 0; i < 3; i++) {
    int data[64];
    tile_emulator_program *program = make_program(kernels[i], 1);
    CHECK_STATUS(launch_on(program, data, 64,
                           OPTIONS(.threads = 64, .shared_bytes = 256, .check = true), NULL),
                 TILE_HAZARD, NULL);
    tile_emulator_program_destroy(program);
  }
}

/* The mirror image is another warp's: the warp's barrier does not order that, whatever the seed. */
static void warp_barrier_where_a_block_barrier_is_needed(void) {
  int data[64];
  tile_emulator_program *program = make_program(MIRROR(WARP_BARRIER("l3")), 1);
  for (uint64_t seed = 0; seed < 5; seed++) {
    tile_emulator_report *report;
    CHECK_STATUS(launch_on(program, data, 64,
                           OPTIONS(.threads = 64, .shared_bytes = 256, .check = true, .seed = seed),
                           &report),
                 TILE_HAZARD, NULL);
    bool found = false;
    for (size_t i = 0; i < tile_emulator_report_count(report); i++)
      found |= tile_emulator_report_hazard(report, i)->kind == TILE_EMULATOR_READ_WRITE_RACE;
    CHECK(found);
    tile_emulator_report_free(report);
  }
  tile_emulator_program_destroy(program);
}

/* Both sides of the race, with their lines, whichever came first. */
static void race_on_shared_memory(void) {
  int data[64];
  tile_emulator_program *program = make_program(MIRROR(""), 1);
  tile_emulator_report *report;
  CHECK_STATUS(launch_on(program, data, 64,
                         OPTIONS(.threads = 64, .shared_bytes = 256, .check = true), &report),
               TILE_HAZARD, NULL);
  bool found = false;
  for (size_t i = 0; i < tile_emulator_report_count(report); i++) {
    const tile_emulator_hazard *hazard = tile_emulator_report_hazard(report, i);
    if (hazard->kind != TILE_EMULATOR_READ_WRITE_RACE)
      continue;
    found = true;
    CHECK(strcmp(hazard->site.location, hazard->other.location) != 0);
    CHECK(hazard->site.thread == 63 - hazard->other.thread);
    CHECK(strstr(hazard->text, "of buffer 'shared memory'"));
  }
  CHECK(found);
  tile_emulator_report_free(report);
  tile_emulator_program_destroy(program);
}

static void two_stores_to_one_place(void) {
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(KERNEL(AREA SHARED("3", "1", "l1", "1") "  store i32 %tid, ptr %s1\n"), data,
                     1, OPTIONS(.threads = 2, .shared_bytes = 16, .check = true), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_WRITE_WRITE_RACE);
  tile_emulator_report_free(report);
}

/* The second block does not see what the first stored. */
static void load_of_what_nobody_stored(void) {
  int data[64];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard = run_for_hazard(
      KERNEL(AREA SHARED("%tid", "0", "l1", "1")
                 SHARED("%tid", "1", "l2", "2") "  store i32 %tid, ptr %s2\n"),
      data, 64, OPTIONS(.grid = {2}, .threads = 1, .shared_bytes = 256, .check = true), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_UNINITIALISED);
  CHECK_EQUAL(hazard->repeats, 7); /* bytes, in two blocks */
  CHECK(strstr(hazard->text, "uninitialised load at k.py:1:1, thread 0 of block ("));
  CHECK(strstr(hazard->text, "loads byte 0 of shared memory, which this block has not stored to"));
  tile_emulator_report_free(report);
}

static void access_past_shared_memory(void) {
  int data[1];
  tile_emulator_report *report;
  const tile_emulator_hazard *hazard =
      run_for_hazard(KERNEL(AREA SHARED("64", "1", "l1", "1") "  store i32 1, ptr %s1\n"), data, 1,
                     OPTIONS(.threads = 1, .shared_bytes = 256), &report);
  CHECK_EQUAL(hazard->kind, TILE_EMULATOR_OUT_OF_BOUNDS);
  CHECK(strstr(hazard->text, "4 bytes past the end of buffer 'shared memory'"));
  tile_emulator_report_free(report);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"shuffle-of-every-kind", shuffle_of_every_kind},
                   {"redux-of-every-kind", redux_of_every_kind},
                   {"lane-that-has-exited", lane_that_has_exited},
                   {"lane-that-waits-at-a-barrier", lane_that_waits_at_a_barrier},
                   {"two-shuffles", two_shuffles}, {"halves-of-a-warp", halves_of_a_warp},
                   {"lanes-that-a-mask-does-not-name", lanes_that_a_mask_does_not_name},
                   {"lanes-that-are-read-or-missed", lanes_that_are_read_or_missed},
                   {"barrier-orders-shared-memory", barrier_orders_shared_memory},
                   {"warp-barrier-orders-lanes", warp_barrier_orders_lanes},
                   {"warp-barrier-that-is-missing", warp_barrier_that_is_missing},
                   {"warp-barrier-where-a-block-barrier-is-needed",
                    warp_barrier_where_a_block_barrier_is_needed},
                   {"race-on-shared-memory", race_on_shared_memory},
                   {"two-stores-to-one-place", two_stores_to_one_place},
                   {"load-of-what-nobody-stored", load_of_what_nobody_stored},
                   {"access-past-shared-memory", access_past_shared_memory});
}
