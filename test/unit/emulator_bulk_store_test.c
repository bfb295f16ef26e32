/* SPDX-License-Identifier: MIT */
/* Bulk stores on the emulator: when they read shared memory, when they land, and what is reported.
 */
#include "emulator_matrix.h"

/* Thread 0 is %p. Each thread puts a number of its own, 1000 + its index, in its place of %area,
   which is a box; the block's memory is two such areas. The argument 0 is the result, 1 the tensor
   map, 2 the matrix. */
#define BULK(body)                                                                                 \
  PRELUDE                                                                                          \
  "declare void @tile_emu_fence_async_shared(ptr)\n"                                               \
  "declare void @tile_emu_tensor_store(ptr, ptr, ptr, i32, i32, i32, i32, i32, i32, i32, ptr)\n"   \
  "declare void @tile_emu_tensor_add(ptr, ptr, ptr, i32, i32, i32, i32, i32, i32, i32, ptr)\n"     \
  "declare void @tile_emu_bulk_commit(ptr)\n"                                                      \
  "declare void @tile_emu_bulk_wait(ptr, i32)\n"                                                   \
  "declare void @tile_emu_bulk_wait_read(ptr, i32)\n"                                              \
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
  "  %matrix = call ptr @arg(ptr %args, i32 2)\n"                                                  \
  "  %area = call ptr @tile_emu_shared(ptr %t)\n"                                                  \
  "  %own = getelementptr i32, ptr %area, i32 %tid\n"                                              \
  "  %area2 = getelementptr i8, ptr %area, i32 1024\n"                                             \
  "  %own2 = getelementptr i32, ptr %area2, i32 %tid\n"                                            \
  "  %number = add i32 %tid, 1000\n"                                                               \
  "  %number2 = add i32 %tid, 2000\n" body "  ret void\n}\n"

#define FILL(place, number)                                                                        \
  "  call void @shared_put(ptr %t, ptr " place ", i32 " number ", ptr @l4)\n"
#define FENCE "  call void @tile_emu_fence_async_shared(ptr %t)\n"
#define BARRIER "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
#define FILLED FILL("%own", "%number") FENCE BARRIER
#define STORE(place, x, y)                                                                         \
  "  call void @tile_emu_tensor_store(ptr %t, ptr %map, ptr " place ", i32 %p, i32 2, i32 " x      \
  ", i32 " y ", i32 0, i32 0, i32 0, ptr @l1)\n"
#define ADD(place, x, y)                                                                           \
  "  call void @tile_emu_tensor_add(ptr %t, ptr %map, ptr " place ", i32 %p, i32 2, i32 " x        \
  ", i32 " y ", i32 0, i32 0, i32 0, ptr @l1)\n"
#define COMMIT "  call void @tile_emu_bulk_commit(ptr %t)\n"
#define READ(pending) "  call void @tile_emu_bulk_wait_read(ptr %t, i32 " pending ")\n"
#define WAIT(pending) "  call void @tile_emu_bulk_wait(ptr %t, i32 " pending ")\n"
/* The matrix from row 4 on, by threads. */
#define LOOK                                                                                       \
  "  %i = add i32 %tid, 64\n"                                                                      \
  "  %v = call i32 @get(ptr %t, ptr %matrix, i32 %i, i32 1, ptr @l2)\n"                            \
  "  call void @put(ptr %t, ptr %out, i32 %tid, i32 %v, i32 1, ptr @l3)\n"

/* The matrix's numbers are 0, -1, -2, ... */
static void set_up_sized(struct setting *s, uint32_t swizzle, uint64_t columns, uint64_t rows) {
  *s = (struct setting){.seed = 1};
  for (int i = 0; i < SIZE * SIZE; i++)
    s->matrix[i] = -i;
  struct tensor_map_fields fields = matrix_fields(s);
  fields.sizes[0] = columns;
  fields.sizes[1] = rows;
  fields.swizzle = swizzle;
  encode_map(s, fields);
}

static void set_up(struct setting *s, uint32_t swizzle, uint64_t rows) {
  set_up_sized(s, swizzle, SIZE, rows);
}

static void runs_clean(struct setting *s, const char *text) {
  runs_clean_with(s, text, 1);
}

static void finds(const char *text, tile_emulator_hazard_kind kind, char line, const char *words) {
  struct setting s;
  set_up(&s, 0, SIZE);
  finds_in(&s, text, kind, line, words);
}

/* --- What is right ---------------------------------------------------------------------------- */

/* One that is only known to have read its memory has landed when the launch is over. */
static void lands_by_the_end(void) {
  struct setting s;
  set_up(&s, 0, SIZE);
  runs_clean(&s, BULK(FILLED STORE("%area", "0", "4") COMMIT READ("0")));
  for (int i = 0; i < SIZE * SIZE; i++)
    CHECK_EQUAL(s.matrix[i], i / THREADS == 1 ? 1000 + i % THREADS : -i);
}

/* After a wait for all of it, and a barrier, all threads of the block see it. */
static void is_seen_after_a_wait(void) {
  struct setting s;
  set_up(&s, 0, SIZE);
  runs_clean(&s, BULK(FILLED STORE("%area", "0", "4") COMMIT WAIT("0") BARRIER LOOK));
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(s.out[i], 1000 + i);
}

/* What lies outside of the tensor is not written: columns before it, rows after row 14. */
static void is_clipped(void) {
  struct setting s;
  set_up(&s, 0, SIZE - 1);
  runs_clean(&s, BULK(FILLED STORE("%area", "-4", "13") COMMIT READ("0")));
  for (int i = 0; i < SIZE * SIZE; i++) {
    int row = i / SIZE, column = i % SIZE;
    bool written = row >= 13 && row < SIZE - 1 && column < SIZE - 4;
    CHECK_EQUAL(s.matrix[i], written ? 1000 + (row - 13) * SIZE + column + 4 : -i);
  }
}

/* Row r of 64 bytes: chunk c is at c ^ (r / 2 % 4). */
static void rows_are_swizzled(void) {
  struct setting s;
  set_up(&s, 64, SIZE);
  runs_clean(&s, BULK(FILLED STORE("%area", "0", "0") COMMIT READ("0")));
  for (int i = 0; i < THREADS; i++) {
    int row = i / SIZE, chunk = i % SIZE / 4 ^ (row / 2 % 4);
    CHECK_EQUAL(s.matrix[i], 1000 + row * SIZE + chunk * 4 + i % 4);
  }
}

/* With one group left, the first of two slots may be filled again. */
static void slots_take_turns(void) {
  struct setting s;
  set_up(&s, 0, SIZE);
  runs_clean(&s, BULK(FILLED STORE("%area", "0", "0") COMMIT FILL("%own2", "%number2")
                          FENCE BARRIER STORE("%area2", "0", "4") COMMIT READ("1")
                              BARRIER FILL("%own", "%number2")
                                  FENCE BARRIER STORE("%area", "0", "8") COMMIT READ("0")));
  CHECK_EQUAL(s.matrix[5], 1005);
  CHECK_EQUAL(s.matrix[64 + 5], 2005);
  CHECK_EQUAL(s.matrix[128 + 5], 2005);
}

/* --- What is wrong ---------------------------------------------------------------------------- */

static void memory_must_outlive_the_reads(void) {
  finds(BULK(FILLED STORE("%area", "0", "0") COMMIT), TILE_EMULATOR_MBARRIER_MISUSE, '1',
        "the block ends while the store reads");
  /* a store of no group is waited for by nobody */
  finds(BULK(FILLED STORE("%area", "0", "0") READ("0")), TILE_EMULATOR_MBARRIER_MISUSE, '1',
        "the block ends while the store reads");
  finds(BULK(FILLED STORE("%area", "0", "0") COMMIT READ("1")), TILE_EMULATOR_MBARRIER_MISUSE, '1',
        "the block ends while the store reads");
}

static void nobody_stores_meanwhile(void) {
  finds(BULK(FILLED STORE("%area", "0", "0") COMMIT BARRIER FILL("%own", "%number2") READ("0")),
        TILE_EMULATOR_IN_FLIGHT, '4', "still reads");
  /* the wait is of one thread; the others need a barrier after it */
  finds(BULK(FILLED STORE("%area", "0", "0") COMMIT READ("0") FILL("%own", "%number2") FENCE),
        TILE_EMULATOR_READ_WRITE_RACE, '4', "");
}

static void others_stores_come_by_fence_and_barrier(void) {
  finds(BULK(FILL("%own", "%number") BARRIER STORE("%area", "0", "0") COMMIT READ("0")),
        TILE_EMULATOR_PROXY_FENCE, '1', "the bulk store reads byte");
  finds(BULK(FILL("%own", "%number") FENCE STORE("%area", "0", "0") COMMIT READ("0")),
        TILE_EMULATOR_READ_WRITE_RACE, '4', "");
  finds(BULK(STORE("%area", "0", "0") COMMIT READ("0")), TILE_EMULATOR_UNINITIALISED, '1', "");
}

/* That the memory has been read does not say that the tensor has been written. */
static void nobody_looks_meanwhile(void) {
  finds(BULK(FILLED STORE("%area", "0", "4") COMMIT READ("0") BARRIER LOOK),
        TILE_EMULATOR_IN_FLIGHT, '2', "still writes");
  finds(BULK(FILLED STORE("%area", "0", "4") COMMIT WAIT("0") LOOK), TILE_EMULATOR_READ_WRITE_RACE,
        '2', "");
}

static void two_of_one_place_have_a_wait_between(void) {
  finds(BULK(FILLED STORE("%area", "0", "4") COMMIT STORE("%area", "0", "6") COMMIT READ("0")),
        TILE_EMULATOR_IN_FLIGHT, '1', "still writes");
  struct setting s;
  set_up(&s, 0, SIZE);
  runs_clean(&s, BULK(FILLED STORE("%area", "0", "4") COMMIT WAIT("0") STORE("%area", "0", "6")
                          COMMIT READ("0")));
}

static void boxes_are_aligned(void) {
  finds(BULK(FILLED STORE("%area", "2", "0") COMMIT READ("0")), TILE_EMULATOR_MBARRIER_MISUSE, '1',
        "no multiple of 16 bytes");
  finds(BULK("  %odd = getelementptr i8, ptr %area, i32 64\n" FILLED STORE("%odd", "0", "0")
                 COMMIT READ("0")),
        TILE_EMULATOR_MISALIGNED, '1', "");
}

/* Rows of 14 numbers end in the middle of 16 bytes, which are written; of 12 they do not. */
static void rows_are_whole_units(void) {
  struct setting s;
  set_up_sized(&s, 0, SIZE - 2, SIZE);
  finds_in(&s, BULK(FILLED STORE("%area", "0", "0") COMMIT READ("0")),
           TILE_EMULATOR_MBARRIER_MISUSE, '1', "rows end inside of 16 bytes");
  set_up_sized(&s, 0, SIZE - 4, SIZE);
  runs_clean(&s, BULK(FILLED STORE("%area", "0", "0") COMMIT READ("0")));
}

/* What the launch says of the tensor's size is believed, but not of the buffer's. */
static void targets_are_in_buffers(void) {
  struct setting s;
  set_up(&s, 0, SIZE + 1);
  finds_in(&s, BULK(FILLED STORE("%area", "0", "15") COMMIT READ("0")), TILE_EMULATOR_OUT_OF_BOUNDS,
           '1', "past the end of buffer 'matrix'");
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* 0.5 each, the matrix's numbers being 0, 1, 2, ... */
#define HALVES FILL("%own", "1056964608") FENCE BARRIER

static void set_up_floats(struct setting *s) {
  *s = (struct setting){.seed = 1};
  for (int i = 0; i < SIZE * SIZE; i++) {
    float number = (float)i;
    memcpy(&s->matrix[i], &number, sizeof number);
  }
  struct tensor_map_fields fields = matrix_fields(s);
  fields.element = ELEMENT_F32;
  fields.sizes[1] = SIZE - 1;
  encode_map(s, fields);
}

/* Two of one place need no wait between them; rows that there are not stay as they are. */
static void are_added_up(void) {
  struct setting s;
  set_up_floats(&s);
  runs_clean(&s, BULK(HALVES ADD("%area", "0", "4") ADD("%area", "0", "6") ADD("%area", "-4", "13")
                          COMMIT READ("0")));
  for (int i = 0; i < SIZE * SIZE; i++) {
    int row = i / SIZE, times = (row >= 4 && row < 8) + (row >= 6 && row < 10);
    times += row >= 13 && row < SIZE - 1 && i % SIZE < SIZE - 4;
    float is;
    memcpy(&is, &s.matrix[i], sizeof is);
    CHECK(is == (float)i + 0.5f * (float)times);
  }
}

static void finds_of_floats(const char *text, tile_emulator_hazard_kind kind, char line,
                            const char *words) {
  struct setting s;
  set_up_floats(&s);
  finds_in(&s, text, kind, line, words);
}

/* Other accesses meet them as they meet stores. */
static void sums_are_waited_for(void) {
  finds_of_floats(BULK(HALVES ADD("%area", "0", "4") COMMIT READ("0") BARRIER LOOK),
                  TILE_EMULATOR_IN_FLIGHT, '2', "still writes");
  finds_of_floats(
      BULK(HALVES ADD("%area", "0", "4") COMMIT STORE("%area", "0", "6") COMMIT READ("0")),
      TILE_EMULATOR_IN_FLIGHT, '1', "still writes");
  finds_of_floats(BULK(HALVES ADD("%area", "0", "4") COMMIT), TILE_EMULATOR_MBARRIER_MISUSE, '1',
                  "the block ends while the store reads");
}

static void sums_are_of_floats(void) {
  finds(BULK(FILLED ADD("%area", "0", "4") COMMIT READ("0")), TILE_EMULATOR_MBARRIER_MISUSE, '1',
        "adds up boxes of fp32 alone");
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"lands by the end", lands_by_the_end},
      {"is seen after a wait", is_seen_after_a_wait}, {"is clipped", is_clipped},
      {"rows are swizzled", rows_are_swizzled}, {"slots take turns", slots_take_turns},
      {"memory must outlive the reads", memory_must_outlive_the_reads},
      {"nobody stores meanwhile", nobody_stores_meanwhile},
      {"others stores come by fence and barrier", others_stores_come_by_fence_and_barrier},
      {"nobody looks meanwhile", nobody_looks_meanwhile},
      {"two of one place have a wait between", two_of_one_place_have_a_wait_between},
      {"boxes are aligned", boxes_are_aligned}, {"rows are whole units", rows_are_whole_units},
      {"targets are in buffers", targets_are_in_buffers}, {"sums are added up", are_added_up},
      {"sums are waited for", sums_are_waited_for}, {"sums are of floats", sums_are_of_floats});
}
