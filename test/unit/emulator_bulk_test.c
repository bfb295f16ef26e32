/* SPDX-License-Identifier: MIT */
/* Bulk copies on the emulator, and the barriers in shared memory that they complete on: when they
   land, who sees it, and what is reported. */
#include "emulator_matrix.h"

/* Thread 0 is %p. The block's memory: 2048 bytes for copies from %area on, a barrier at %bar. The
   argument 0 is the result, 1 the tensor map. */
#define BULK(body)                                                                                 \
  PRELUDE                                                                                          \
  "declare void @tile_emu_mbarrier_init(ptr, ptr, i32, i32, ptr)\n"                                \
  "declare void @tile_emu_mbarrier_inval(ptr, ptr, i32, ptr)\n"                                    \
  "declare void @tile_emu_mbarrier_expect_tx(ptr, ptr, i32, i32, ptr)\n"                           \
  "declare void @tile_emu_mbarrier_wait(ptr, ptr, i32, ptr)\n"                                     \
  "declare void @tile_emu_fence_mbarrier_init(ptr)\n"                                              \
  "declare void @tile_emu_named_barrier(ptr, i32, i32, ptr)\n"                                     \
  "declare void @tile_emu_fence_async_shared(ptr)\n"                                               \
  "declare void @tile_emu_tensor_copy(ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32, i32, i32, "     \
  "ptr)\n"                                                                                         \
  "define private i32 @shared_get(ptr %t, ptr %p, ptr %l) {\n"                                     \
  "  %s = call ptr @tile_emu_shared_access(ptr %t, ptr %p, i32 4, i32 4, i32 0, i32 1, ptr %l)\n"  \
  "  %v = load i32, ptr %s\n"                                                                      \
  "  ret i32 %v\n"                                                                                 \
  "}\n"                                                                                            \
  "define private void @shared_put(ptr %t, ptr %p, i32 %v, ptr %l) {\n"                            \
  "  %s = call ptr @tile_emu_shared_access(ptr %t, ptr %p, i32 4, i32 4, i32 1, i32 1, ptr %l)\n"  \
  "  store i32 %v, ptr %s\n"                                                                       \
  "  ret void\n"                                                                                   \
  "}\n"                                                                                            \
  "define void @k(ptr %t, ptr %args) {\n"                                                          \
  "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"                                             \
  "  %first = icmp eq i32 %tid, 0\n"                                                               \
  "  %p = zext i1 %first to i32\n"                                                                 \
  "  %out = call ptr @arg(ptr %args, i32 0)\n"                                                     \
  "  %slot = getelementptr ptr, ptr %args, i32 1\n"                                                \
  "  %map = load ptr, ptr %slot\n"                                                                 \
  "  %area = call ptr @tile_emu_shared(ptr %t)\n"                                                  \
  "  %own = getelementptr i32, ptr %area, i32 %tid\n"                                              \
  "  %area2 = getelementptr i8, ptr %area, i32 1024\n"                                             \
  "  %own2 = getelementptr i32, ptr %area2, i32 %tid\n"                                            \
  "  %bar = getelementptr i8, ptr %area, i32 2048\n"                                               \
  "  %bar2 = getelementptr i8, ptr %area, i32 2056\n" body "  ret void\n}\n"

#define INIT(bar)                                                                                  \
  "  call void @tile_emu_mbarrier_init(ptr %t, ptr " bar ", i32 1, i32 %p, ptr @l4)\n"
#define INVAL "  call void @tile_emu_mbarrier_inval(ptr %t, ptr %bar, i32 %p, ptr @l4)\n"
#define FENCE "  call void @tile_emu_fence_mbarrier_init(ptr %t)\n"
#define BARRIER "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
#define MADE INIT("%bar") FENCE BARRIER
#define EXPECT(bar, bytes)                                                                         \
  "  call void @tile_emu_mbarrier_expect_tx(ptr %t, ptr " bar ", i32 " bytes ", i32 %p, ptr "      \
  "@l3)\n"
#define COPY(place, bar, x, y)                                                                     \
  "  call void @tile_emu_tensor_copy(ptr %t, ptr " place ", ptr %map, ptr " bar                    \
  ", i32 %p, i32 2, i32 " x ", i32 " y ", i32 0, i32 0, i32 0, ptr @l1)\n"
#define WAIT(bar, parity)                                                                          \
  "  call void @tile_emu_mbarrier_wait(ptr %t, ptr " bar ", i32 " parity ", ptr @l2)\n"
#define GET(name, place) "  " name " = call i32 @shared_get(ptr %t, ptr " place ", ptr @l2)\n"
#define PUT(index, value)                                                                          \
  "  call void @put(ptr %t, ptr %out, i32 " index ", i32 " value ", i32 1, ptr @l3)\n"
#define SHOW GET("%v", "%own") PUT("%tid", "%v")

static void set_up(struct setting *s, uint32_t swizzle, bool nan) {
  *s = (struct setting){.seed = 1};
  number_by_place(s);
  struct tensor_map_fields fields = matrix_fields(s);
  fields.swizzle = swizzle;
  if (nan) {
    fields.element = ELEMENT_F32;
    fields.pads_with_nan = true;
  }
  encode_map(s, fields);
}

static void runs_clean(struct setting *s, const char *text) {
  runs_clean_with(s, text, 4);
}

static void finds(const char *text, tile_emulator_hazard_kind kind, char line, const char *words) {
  struct setting s;
  set_up(&s, 0, false);
  finds_in(&s, text, kind, line, words);
}

/* --- What is right ---------------------------------------------------------------------------- */

static void copy_lands_at_its_wait(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s, BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "4") WAIT("%bar", "0")
                          SHOW BARRIER INVAL));
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(s.out[i], (4 + i / SIZE) * 100 + i % SIZE);
}

/* The number of bytes may be said after the copy has started. */
static void bytes_are_expected_late(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(
      &s, BULK(MADE COPY("%area", "%bar", "0", "0") EXPECT("%bar", "256") WAIT("%bar", "0") SHOW));
  CHECK_EQUAL(s.out[17], 101);
}

static void what_lies_outside_is_zero(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s, BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "-4", "13") WAIT("%bar", "0")
                          SHOW));
  for (int i = 0; i < THREADS; i++) {
    int row = 13 + i / SIZE, column = i % SIZE - 4;
    CHECK_EQUAL(s.out[i], row < SIZE && column >= 0 ? row * 100 + column : 0);
  }
}

static void what_lies_outside_is_nan(void) {
  struct setting s;
  set_up(&s, 0, true);
  runs_clean(
      &s, BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "4", "0") WAIT("%bar", "0") SHOW));
  CHECK_EQUAL(s.out[0], 4);
  CHECK((s.out[15] & 0x7F800000) == 0x7F800000 && (s.out[15] & 0x7FFFFF));
}

/* Row r of 64 bytes: chunk c is at c ^ (r / 2 % 4). */
static void rows_are_swizzled(void) {
  struct setting s;
  set_up(&s, 64, false);
  runs_clean(
      &s, BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0") WAIT("%bar", "0") SHOW));
  for (int i = 0; i < THREADS; i++) {
    int row = i / SIZE, chunk = i % SIZE / 4 ^ (row / 2 % 4);
    CHECK_EQUAL(s.out[i], row * 100 + chunk * 4 + i % 4);
  }
}

/* One thread's wait and a barrier of the block after it show the data to all. */
static void one_waits_for_all(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(
      &s, BULK(MADE EXPECT("%bar", "256")
                   COPY("%area", "%bar", "0", "0") "  br i1 %first, label %w, label %go\nw:\n" WAIT(
                       "%bar", "0") "  br label %go\ngo:\n" BARRIER SHOW));
}

/* Two copies on one barrier, and the phase after it with the other parity. */
#define TWO_PHASES(reuse, parity)                                                                  \
  BULK(MADE EXPECT("%bar", "512") COPY("%area", "%bar", "0", "0") COPY("%area2", "%bar", "0", "4") \
           WAIT("%bar", "0") GET("%v", "%own") GET("%v2", "%own2")                                 \
               PUT("%tid", "%v") "  %i2 = add i32 %tid, 64\n" PUT("%i2", "%v2")                    \
                   reuse EXPECT("%bar", "256") COPY("%area", "%bar", "0", "8")                     \
                       WAIT("%bar", parity)                                                        \
                           GET("%v3", "%own") "  %i3 = add i32 %tid, 128\n" PUT("%i3", "%v3"))

static void phases_take_turns(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s, TWO_PHASES(BARRIER, "1"));
  CHECK_EQUAL(s.out[0], 0);
  CHECK_EQUAL(s.out[64], 400);
  CHECK_EQUAL(s.out[128 + 63], 1115);
}

/* Two barriers are waited for in the other order than the copies were started. */
static void copies_land_in_any_order(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s, BULK(INIT("%bar") INIT("%bar2") FENCE BARRIER EXPECT("%bar", "256")
                          EXPECT("%bar2", "256") COPY("%area", "%bar", "0", "0")
                              COPY("%area2", "%bar2", "0", "4") WAIT("%bar2", "0")
                                  GET("%v2", "%own2") WAIT("%bar", "0") SHOW));
}

/* Two copies of one phase; then threads store where one has landed, while a further copy takes the
   place of the other. `second` is its place. */
#define STORE_BESIDE(second)                                                                       \
  BULK(MADE EXPECT("%bar", "512") COPY("%area", "%bar", "0", "0") COPY("%area2", "%bar", "0", "4") \
           WAIT("%bar", "0") BARRIER                                                               \
       "  call void @shared_put(ptr %t, ptr %own, i32 0, ptr @l3)\n" EXPECT("%bar", "256")         \
           COPY(second, "%bar", "0", "8") WAIT("%bar", "1"))

static void a_store_reads_nothing_of_its_phase(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s, STORE_BESIDE("%area2"));
  finds(STORE_BESIDE("%area"), TILE_EMULATOR_WRITE_WRITE_RACE, '1', "nothing orders the two");
}

/* A barrier may be made again where one has ended. */
static void barriers_are_made_again(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s,
             BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0") WAIT("%bar", "0")
                      SHOW BARRIER INVAL MADE EXPECT("%bar", "256") COPY("%area2", "%bar", "0", "4")
                          WAIT("%bar", "0") GET("%v2", "%own2") GET("%v3", "%own")));
}

/* --- Waits ------------------------------------------------------------------------------------ */

static void load_without_wait(void) {
  finds(BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0") SHOW WAIT("%bar", "0")),
        TILE_EMULATOR_IN_FLIGHT, '2', "no wait for its barrier has come before");
}

/* Thread 0 waits, the others load at once. */
static void load_without_own_wait(void) {
  finds(BULK(MADE EXPECT("%bar", "256")
                 COPY("%area", "%bar", "0", "0") "  br i1 %first, label %w, label %go\nw:\n" WAIT(
                     "%bar", "0") "  br label %go\ngo:\n" SHOW),
        TILE_EMULATOR_IN_FLIGHT, '2', "barrier");
}

static void wait_for_the_other_parity(void) {
  finds(BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0") WAIT("%bar", "1") SHOW),
        TILE_EMULATOR_IN_FLIGHT, '2', "no wait for its barrier has come before");
}

static void wait_for_the_phase_before(void) {
  finds(TWO_PHASES(BARRIER, "0"), TILE_EMULATOR_IN_FLIGHT, '2',
        "no wait for its barrier has come before");
}

static void block_ends_before_the_copy(void) {
  finds(BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0")),
        TILE_EMULATOR_MBARRIER_MISUSE, '1', "the block ends while the copy is in flight");
}

static void stage_is_written_again_too_early(void) {
  finds(TWO_PHASES("", "1"), TILE_EMULATOR_IN_FLIGHT, '2', "which the copy started at k.py:1:1");
}

/* --- Counts ----------------------------------------------------------------------------------- */

static void too_few_bytes(void) {
  finds(BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0")
                 COPY("%area2", "%bar", "0", "4") WAIT("%bar", "0") SHOW),
        TILE_EMULATOR_MBARRIER_MISUSE, '1', "fewer bytes were expected than are copied");
}

static void too_many_bytes(void) {
  finds(BULK(MADE EXPECT("%bar", "260") COPY("%area", "%bar", "0", "0") WAIT("%bar", "0") SHOW),
        TILE_EMULATOR_DEADLOCK, '2',
        "64 threads wait for the end of a phase of parity 0 of the barrier at byte 2048 of shared "
        "memory, made at k.py:4:1; it lacks 0 arrivals and 4 bytes");
}

static void nobody_arrives(void) {
  finds(BULK(MADE COPY("%area", "%bar", "0", "0") WAIT("%bar", "0") SHOW), TILE_EMULATOR_DEADLOCK,
        '2', "it lacks 1 arrival and -256 bytes");
}

static void no_copy(void) {
  finds(BULK(MADE EXPECT("%bar", "256") WAIT("%bar", "0")), TILE_EMULATOR_DEADLOCK, '2',
        "it lacks 0 arrivals and 256 bytes");
}

static void one_arrival_too_many(void) {
  finds(BULK(MADE EXPECT("%bar", "256") EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0")
                 WAIT("%bar", "0") SHOW),
        TILE_EMULATOR_MBARRIER_MISUSE, '3', "once more than its phase takes arrivals");
}

/* Thread 0 waits for the barrier in shared memory, the others for the block. */
static void two_kinds_of_waiting(void) {
  finds(BULK(MADE "  br i1 %first, label %w, label %b\nw:\n" WAIT(
            "%bar", "0") "  br label %end\nb:\n" BARRIER "  br label %end\nend:\n"),
        TILE_EMULATOR_DEADLOCK, '2', "1 thread waits for the end of a phase of parity 0");
}

/* --- Making and ending ------------------------------------------------------------------------ */

static void made_twice(void) {
  finds(BULK(MADE MADE), TILE_EMULATOR_MBARRIER_MISUSE, '4', "the barrier is made twice");
}

static void used_before_it_is_made(void) {
  finds(BULK(WAIT("%bar", "1")), TILE_EMULATOR_MBARRIER_MISUSE, '2', "there is no barrier");
}

static void used_after_its_end(void) {
  finds(BULK(MADE INVAL BARRIER EXPECT("%bar", "256")), TILE_EMULATOR_MBARRIER_MISUSE, '3',
        "the barrier has been ended");
}

static void made_without_barrier_of_the_block(void) {
  finds(BULK(INIT("%bar") FENCE EXPECT("%bar", "256")
                 COPY("%area", "%bar", "0",
                      "0") "  br i1 %first, label %go, label %go\ngo:\n" WAIT("%bar", "0")),
        TILE_EMULATOR_READ_WRITE_RACE, '2', "nothing orders the two");
}

static void made_without_fence(void) {
  finds(BULK(INIT("%bar") BARRIER EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0")
                 WAIT("%bar", "0") SHOW),
        TILE_EMULATOR_MBARRIER_MISUSE, '1', "no fence_mbarrier_init");
}

static void ended_with_copies_in_flight(void) {
  finds(BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0") INVAL),
        TILE_EMULATOR_MBARRIER_MISUSE, '4', "ended while copies");
}

static void ended_before_all_have_waited(void) {
  finds(BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "0") WAIT("%bar", "0") INVAL),
        TILE_EMULATOR_READ_WRITE_RACE, '4', "nothing orders the two");
}

static void memory_of_a_barrier(void) {
  finds(BULK(MADE "  call void @shared_put(ptr %t, ptr %bar, i32 0, ptr @l3)\n"),
        TILE_EMULATOR_MBARRIER_MISUSE, '3', "an access of memory that is a barrier");
}

/* --- Places ----------------------------------------------------------------------------------- */

static void destination_is_not_aligned(void) {
  finds(BULK(MADE "  %odd = getelementptr i8, ptr %area, i32 64\n" COPY("%odd", "%bar", "0", "0")),
        TILE_EMULATOR_MISALIGNED, '1', "needs an alignment of 128 bytes");
}

static void row_is_not_aligned(void) {
  finds(BULK(MADE COPY("%area", "%bar", "2", "0")), TILE_EMULATOR_MBARRIER_MISUSE, '1',
        "no multiple of 16 bytes");
}

static void destination_is_outside(void) {
  finds(
      BULK(MADE "  %far = getelementptr i8, ptr %area, i32 1920\n" COPY("%far", "%bar", "0", "0")),
      TILE_EMULATOR_OUT_OF_BOUNDS, '1', "past the end");
}

static void source_is_outside(void) {
  struct setting s;
  tile_emulator_report *report = NULL;
  set_up(&s, 0, false);
  s.map.sizes[1] = SIZE + 1;
  tile_status status = launch(
      &s, BULK(MADE EXPECT("%bar", "256") COPY("%area", "%bar", "0", "13") WAIT("%bar", "0") SHOW),
      &report);
  CHECK_EQUAL(tile_status_code(status), TILE_HAZARD);
  CHECK_EQUAL(tile_emulator_report_hazard(report, 0)->kind, TILE_EMULATOR_OUT_OF_BOUNDS);
  tile_emulator_report_free(report);
  tile_status_free(status);
}

static void no_map(void) {
  finds(BULK(MADE "  call void @tile_emu_tensor_copy(ptr %t, ptr %area, ptr %area, ptr %bar, i32 "
                  "%p, i32 2, i32 0, i32 0, i32 0, i32 0, i32 0, ptr @l1)\n"),
        TILE_EMULATOR_MBARRIER_MISUSE, '1', "takes for a tensor map is none");
}

static void another_rank(void) {
  finds(BULK(MADE "  call void @tile_emu_tensor_copy(ptr %t, ptr %area, ptr %map, ptr %bar, i32 "
                  "%p, i32 3, i32 0, i32 0, i32 0, i32 0, i32 0, ptr @l1)\n"),
        TILE_EMULATOR_MBARRIER_MISUSE, '1', "another number of dimensions");
}

/* What threads have stored comes before a copy by a fence, and a barrier of the block. */
#define STORED(fence)                                                                              \
  BULK("  call void @shared_put(ptr %t, ptr %own, i32 0, ptr @l3)\n" fence MADE EXPECT(            \
      "%bar", "256") COPY("%area", "%bar", "0", "0") WAIT("%bar", "0") SHOW)

static void stores_come_before_by_a_fence(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s, STORED("  call void @tile_emu_fence_async_shared(ptr %t)\n"));
  finds(STORED(""), TILE_EMULATOR_PROXY_FENCE, '1', "the bulk copy writes byte");
}

/* --- Roles ------------------------------------------------------------------------------------ */

/* Thread 32 copies twice into one stage, the lanes of warp 0 load it twice: %bar says that it is
   full, %bar2 that it is free. */
#define P_EXPECT                                                                                   \
  "  call void @tile_emu_mbarrier_expect_tx(ptr %t, ptr %bar, i32 256, i32 1, ptr @l3)\n"
#define P_COPY(y)                                                                                  \
  "  call void @tile_emu_tensor_copy(ptr %t, ptr %area, ptr %map, ptr %bar, i32 1, i32 2, i32 0, " \
  "i32 " y ", i32 0, i32 0, i32 0, ptr @l1)\n"
#define ARRIVE                                                                                     \
  "  call void @tile_emu_mbarrier_expect_tx(ptr %t, ptr %bar2, i32 0, i32 %p, ptr @l3)\n"
#define WARP_BARRIER "  call void @tile_emu_warp_barrier(ptr %t, ptr @l4)\n"
#define ROLES(free, first, read, second)                                                           \
  BULK(INIT("%bar") INIT("%bar2") FENCE BARRIER                                                    \
       "  %w = lshr i32 %tid, 5\n  %c = icmp eq i32 %w, 0\n"                                       \
       "  br i1 %c, label %consumer, label %other\nother:\n  %o = icmp eq i32 %tid, 32\n"          \
       "  br i1 %o, label %producer, label %end\nproducer:\n" WAIT("%bar2", "1") P_EXPECT P_COPY(  \
           "0") free P_EXPECT P_COPY("4") "  br label %end\nconsumer:\n" WAIT("%bar", "0")         \
           first read second WAIT("%bar", "1") GET("%v2", "%own") "  %i = add i32 %tid, 64\n" PUT( \
               "%i", "%v2") "  br label %end\nend:\n")
#define FREE WAIT("%bar2", "0")

static void stages_are_released(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s, ROLES(FREE, "", SHOW, WARP_BARRIER ARRIVE));
  CHECK_EQUAL(s.out[17], 101);
  CHECK_EQUAL(s.out[64 + 17], 501);
}

static void nobody_releases_the_stage(void) {
  finds(ROLES(FREE, "", SHOW, WARP_BARRIER), TILE_EMULATOR_DEADLOCK, '2',
        "made at k.py:4:1; it lacks 1 arrival and 0 bytes");
}

static void nobody_waits_for_the_release(void) {
  struct setting s;
  set_up(&s, 0, false);
  finds(ROLES("", "", SHOW, WARP_BARRIER ARRIVE), TILE_EMULATOR_MBARRIER_MISUSE, '3',
        "once more than its phase takes arrivals");
}

/* The other lanes may still load when lane 0 arrives. */
static void release_of_one_lane(void) {
  finds(ROLES(FREE, "", SHOW, ARRIVE), TILE_EMULATOR_READ_WRITE_RACE, '1',
        "nothing orders the two");
}

static void release_before_the_loads(void) {
  finds(ROLES(FREE, WARP_BARRIER ARRIVE, SHOW, ""), TILE_EMULATOR_READ_WRITE_RACE, '1',
        "nothing orders the two");
}

/* --- Barriers of some warps ------------------------------------------------------------------- */

#define NAMED(number, count)                                                                       \
  "  call void @tile_emu_named_barrier(ptr %t, i32 " number ", i32 " count ", ptr @l4)\n"
/* Each thread of warp 0 loads what its neighbour has stored; warp 1 exits at once. */
#define NEIGHBOUR(between)                                                                         \
  BULK("  %c = icmp ult i32 %tid, 32\n  br i1 %c, label %go, label %end\ngo:\n"                    \
       "  call void @shared_put(ptr %t, ptr %own, i32 %tid, ptr @l3)\n" between                    \
       "  %n = xor i32 %tid, 1\n  %other = getelementptr i32, ptr %area, i32 %n\n" GET(            \
           "%v", "%other") PUT("%tid", "%v") "  br label %end\nend:\n")

static void some_warps_meet(void) {
  struct setting s;
  set_up(&s, 0, false);
  runs_clean(&s, NEIGHBOUR(NAMED("1", "32")));
  CHECK_EQUAL(s.out[4], 5);
}

static void barrier_of_another_warp(void) {
  finds(NEIGHBOUR(NAMED("1", "64")), TILE_EMULATOR_BARRIER_DIVERGENCE, '4', "has exited");
}

static void number_out_of_range(void) {
  finds(NEIGHBOUR(NAMED("16", "32")), TILE_EMULATOR_TRAP, '4', "numbers up to 15");
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"a copy lands at its wait", copy_lands_at_its_wait},
      {"bytes are expected late", bytes_are_expected_late},
      {"what lies outside is zero", what_lies_outside_is_zero},
      {"what lies outside is NaN", what_lies_outside_is_nan},
      {"rows are swizzled", rows_are_swizzled}, {"one waits for all", one_waits_for_all},
      {"phases take turns", phases_take_turns},
      {"copies land in any order", copies_land_in_any_order},
      {"barriers are made again", barriers_are_made_again},
      {"a store reads nothing of its phase", a_store_reads_nothing_of_its_phase},
      {"a load without wait", load_without_wait},
      {"a load without own wait", load_without_own_wait},
      {"a wait for the other parity", wait_for_the_other_parity},
      {"a wait for the phase before", wait_for_the_phase_before},
      {"a block ends before the copy", block_ends_before_the_copy},
      {"a stage is written again too early", stage_is_written_again_too_early},
      {"too few bytes", too_few_bytes}, {"too many bytes", too_many_bytes},
      {"nobody arrives", nobody_arrives}, {"no copy", no_copy},
      {"one arrival too many", one_arrival_too_many},
      {"two kinds of waiting", two_kinds_of_waiting}, {"made twice", made_twice},
      {"used before it is made", used_before_it_is_made},
      {"used after its end", used_after_its_end},
      {"made without barrier of the block", made_without_barrier_of_the_block},
      {"made without fence", made_without_fence},
      {"ended with copies in flight", ended_with_copies_in_flight},
      {"ended before all have waited", ended_before_all_have_waited},
      {"memory of a barrier", memory_of_a_barrier},
      {"destination is not aligned", destination_is_not_aligned},
      {"row is not aligned", row_is_not_aligned},
      {"destination is outside", destination_is_outside}, {"source is outside", source_is_outside},
      {"no map", no_map}, {"another rank", another_rank},
      {"stores come before by a fence", stores_come_before_by_a_fence},
      {"stages are released", stages_are_released},
      {"nobody releases the stage", nobody_releases_the_stage},
      {"nobody waits for the release", nobody_waits_for_the_release},
      {"a release of one lane", release_of_one_lane},
      {"a release before the loads", release_before_the_loads},
      {"some warps meet", some_warps_meet}, {"a barrier of another warp", barrier_of_another_warp},
      {"a number out of range", number_out_of_range});
}
