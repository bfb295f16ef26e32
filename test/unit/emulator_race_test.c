/* SPDX-License-Identifier: MIT */
/* Which races the emulator sees where several have loaded a byte, or added to it: some of them
   ordered before the store that comes, some not, in every order; in a block and between blocks. */
#include "base/text.h"
#include "emulator/device_atomics.h"
#include "emulator_fixture.h"

#define ATOMICS "declare i64 @tile_emu_atomic(ptr, ptr, i32, i32, i64, i64, i32, i32, ptr)\n"
#define DATA "  %d = call ptr @arg(ptr %args, i32 0)\n"

enum { SEEDS = 40, SHARED_BYTES = 64 };

/* --- Pieces of kernels ------------------------------------------------------------------------ */

static int next_name;

/* An atomic addition to data[at] by the threads whose predicate is not 0; %o<name> is the old
 * value. */
static int put_add(struct text *out, int at, int value, int order, const char *predicate) {
  int name = next_name++;
  text_printf(out,
              "  %%p%d = getelementptr i32, ptr %%d, i32 %d\n"
              "  %%w%d = call i64 @tile_emu_atomic(ptr %%t, ptr %%p%d, i32 %d, i32 %d, i64 %d, "
              "i64 0, i32 %d, i32 %s, ptr @l4)\n"
              "  %%o%d = trunc i64 %%w%d to i32\n",
              name, at, name, name, ATOMIC_ADD, ATOMIC_BITS32, value, order, predicate, name, name);
  return name;
}

/* %<name> = 1 where %<what> is `value`, else 0. */
static void put_equal(struct text *out, const char *name, const char *what, int value) {
  text_printf(out, "  %%%s1 = icmp eq i32 %%%s, %d\n  %%%s = zext i1 %%%s1 to i32\n", name, what,
              value, name, name);
}

static void put_begin(struct text *out) {
  next_name = 0;
  text_puts(out, ATOMICS PRELUDE "define void @k(ptr %t, ptr %args) {\n"
                                 "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"
                                 "  %bid = call i32 @tile_emu_block_index(ptr %t, i32 0)\n" DATA);
}

static tile_emulator_program *finish(struct text *out) {
  text_puts(out, "  ret void\n}\n");
  tile_emulator_program *program = make_program(text_string(out), 1);
  text_free(out);
  return program;
}

/* --- Readers in several blocks, then a store -------------------------------------------------- */

/* data[0] is loaded by blocks 0 and 1. Block 0 then adds to flag data[1], with a release; block 1
   adds to flag data[1 + other], with order `release`. Block 2 adds 0 to data[1], and to data[2],
   with an acquire, and stores to data[0] where both have come by. data[3] is counted up by each
   block as it begins, and data[4 + block] is what it counted: their order. */
struct readers {
  int other;   /* the flag of the second reader: 0 or 1 */
  int release; /* its order */
  bool atomic; /* the readers add, too, instead of loading */
};

static tile_emulator_program *readers_program(const struct readers *r) {
  struct text out = {0};
  put_begin(&out);
  put_equal(&out, "a", "bid", 0);
  put_equal(&out, "b", "bid", 1);
  put_equal(&out, "c", "bid", 2);
  text_printf(&out, "  %%turn = add i32 0, %%o%d\n  %%place = add i32 %%bid, 4\n",
              put_add(&out, 3, 1, 0, "1"));
  text_puts(&out, "  call void @put(ptr %t, ptr %d, i32 %place, i32 %turn, i32 1, ptr @l3)\n"
                  "  %reads = or i32 %a, %b\n");
  if (r->atomic)
    put_add(&out, 0, 1, 0, "%reads");
  else
    text_puts(&out, "  %v = call i32 @get(ptr %t, ptr %d, i32 0, i32 %reads, ptr @l1)\n");
  put_add(&out, 1, 1, ATOMIC_RELEASES, "%a");
  put_add(&out, 1 + r->other, 1, r->release, "%b");
  int one = put_add(&out, 1, 0, ATOMIC_ACQUIRES, "%c");
  int two = put_add(&out, 2, 0, ATOMIC_ACQUIRES, "%c");
  text_printf(&out, "  %%flags = add i32 %%o%d, %%o%d\n", one, two);
  put_equal(&out, "both", "flags", 2);
  text_puts(&out, "  %stores = and i32 %c, %both\n"
                  "  call void @put(ptr %t, ptr %d, i32 0, i32 99, i32 %stores, ptr @l2)\n");
  return finish(&out);
}

/* Where the store is made, it races or not, whoever has loaded first; each order is seen. */
static void check_readers(struct readers readers, bool races) {
  tile_emulator_program *program = readers_program(&readers);
  int seen[2] = {0};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int data[8] = {0};
    tile_emulator_report *report;
    tile_status status = launch_on(
        program, data, 8, OPTIONS(.threads = 1, .grid = {3}, .seed = seed, .check = true), &report);
    bool stored = data[0] == 99;
    seen[data[4] < data[5]] += stored;
    CHECK_EQUAL(tile_status_code(status), stored && races ? TILE_HAZARD : TILE_OK);
    if (tile_emulator_report_count(report))
      CHECK_TEXT(tile_emulator_report_hazard(report, 0)->site.location, "k.py:2:1");
    tile_emulator_report_free(report);
    tile_status_free(status);
  }
  CHECK(seen[0] > 0 && seen[1] > 0);
  tile_emulator_program_destroy(program);
}

static void second_reader_is_not_ordered(void) {
  check_readers((struct readers){.other = 1, .release = ATOMIC_RELEASES}, false);
  check_readers((struct readers){.other = 0, .release = ATOMIC_RELEASES}, false);
  check_readers((struct readers){.other = 1, .release = 0}, true);
  check_readers((struct readers){.other = 0, .release = 0}, true);
}

static void second_adder_is_not_ordered(void) {
  check_readers((struct readers){.other = 1, .release = ATOMIC_RELEASES, .atomic = true}, false);
  check_readers((struct readers){.other = 1, .release = 0, .atomic = true}, true);
  check_readers((struct readers){.other = 0, .release = 0, .atomic = true}, true);
}

/* Block 0 stores to data[0] and releases. Blocks 1 and 2 add to it when it has: block 1 after an
   acquire, block 2 without. The first addition does not hide the second. */
static void store_before_several_additions(void) {
  for (int acquires = 0; acquires < 2; acquires++) {
    struct text out = {0};
    put_begin(&out);
    put_equal(&out, "a", "bid", 0);
    put_equal(&out, "b", "bid", 1);
    put_equal(&out, "c", "bid", 2);
    text_puts(&out, "  call void @put(ptr %t, ptr %d, i32 0, i32 10, i32 %a, ptr @l1)\n");
    put_add(&out, 1, 1, ATOMIC_RELEASES, "%a");
    int one = put_add(&out, 1, 0, ATOMIC_ACQUIRES, "%b");
    int two = put_add(&out, 1, 0, acquires ? ATOMIC_ACQUIRES : 0, "%c");
    char names[2][16];
    snprintf(names[0], sizeof names[0], "o%d", one);
    snprintf(names[1], sizeof names[1], "o%d", two);
    put_equal(&out, "x", names[0], 1);
    put_equal(&out, "y", names[1], 1);
    text_puts(&out, "  %adds.b = and i32 %b, %x\n  %adds.c = and i32 %c, %y\n");
    put_add(&out, 0, 1, 0, "%adds.b");
    put_add(&out, 0, 1, 0, "%adds.c");
    tile_emulator_program *program = finish(&out);
    int seen = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      int data[2] = {0};
      tile_status status = launch_on(
          program, data, 2, OPTIONS(.threads = 1, .grid = {3}, .seed = seed, .check = true), NULL);
      seen += data[0] == 12;
      if (data[0] == 12)
        CHECK_EQUAL(tile_status_code(status), acquires ? TILE_OK : TILE_HAZARD);
      tile_status_free(status);
    }
    CHECK(seen > 0);
    tile_emulator_program_destroy(program);
  }
}

/* Both threads of block 0 load data[0]; thread 0 releases with no barrier before. That stands for
   its own load, not for the other's. */
static void release_of_one_thread(void) {
  for (int barrier = 0; barrier < 2; barrier++) {
    struct text out = {0};
    put_begin(&out);
    put_equal(&out, "a", "bid", 0);
    put_equal(&out, "b", "bid", 1);
    put_equal(&out, "first", "tid", 0);
    text_puts(&out, "  %v = call i32 @get(ptr %t, ptr %d, i32 0, i32 %a, ptr @l1)\n"
                    "  %releases = and i32 %a, %first\n  %acquires = and i32 %b, %first\n");
    if (barrier)
      text_puts(&out, "  call void @tile_emu_barrier(ptr %t, ptr @l3)\n");
    put_add(&out, 1, 1, ATOMIC_RELEASES, "%releases");
    int seen = put_add(&out, 1, 0, ATOMIC_ACQUIRES, "%acquires");
    char name[16];
    snprintf(name, sizeof name, "o%d", seen);
    put_equal(&out, "x", name, 1);
    text_puts(&out, "  %stores = and i32 %acquires, %x\n"
                    "  call void @put(ptr %t, ptr %d, i32 0, i32 99, i32 %stores, ptr @l2)\n");
    tile_emulator_program *program = finish(&out);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      int data[2] = {0};
      tile_status status = launch_on(
          program, data, 2, OPTIONS(.threads = 2, .grid = {2}, .seed = seed, .check = true), NULL);
      CHECK_EQUAL(tile_status_code(status), data[0] == 99 && !barrier ? TILE_HAZARD : TILE_OK);
      tile_status_free(status);
    }
    tile_emulator_program_destroy(program);
  }
}

/* --- Readers in one block --------------------------------------------------------------------- */

/* Thread 1 loads an element, then thread 40 of the other warp does or not, then thread 0 stores to
   it, with a barrier of the warp before: that orders thread 1's load, and not thread 40's. The
   elements are of shared or of global memory. */
static tile_emulator_program *block_program(bool shared) {
  struct text out = {0};
  const char *base = "%d", *check = "global";
  put_begin(&out);
  put_equal(&out, "zero", "tid", 0);
  put_equal(&out, "one", "tid", 1);
  put_equal(&out, "far", "tid", 40);
  text_puts(&out, "  %other = call i32 @get(ptr %t, ptr %d, i32 1, i32 1, ptr @l3)\n"
                  "  %second = and i32 %far, %other\n  %loads = or i32 %one, %second\n");
  if (shared) {
    base = "%s", check = "shared_access";
    text_puts(&out, "  %s = call ptr @tile_emu_shared(ptr %t)\n");
  }
  static const char store[] =
      "  %%q%d = call ptr @tile_emu_%s(ptr %%t, ptr %s, i32 4, i32 4, i32 1, "
      "i32 %%zero, ptr @l%d)\n  store i32 %d, ptr %%q%d\n";
  text_printf(&out, store, 0, check, base, 4, 1, 0);
  text_puts(&out, "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n");
  text_printf(&out,
              "  %%r = call ptr @tile_emu_%s(ptr %%t, ptr %s, i32 4, i32 4, i32 0, i32 %%loads, "
              "ptr @l1)\n  %%v = load volatile i32, ptr %%r\n",
              check, base);
  text_puts(&out, "  call void @tile_emu_warp_barrier(ptr %t, ptr @l4)\n");
  text_printf(&out, store, 1, check, base, 2, 99, 1);
  return finish(&out);
}

static void second_reader_in_a_block(void) {
  for (int shared = 0; shared < 2; shared++) {
    tile_emulator_program *program = block_program(shared);
    for (int other = 0; other < 2; other++)
      for (uint64_t seed = 0; seed < SEEDS; seed++) {
        int data[2] = {0, other};
        CHECK_STATUS(launch_on(program, data, 2,
                               OPTIONS(.threads = 64, .seed = seed, .check = true,
                                       .shared_bytes = SHARED_BYTES),
                               NULL),
                     other ? TILE_HAZARD : TILE_OK, other ? "read-write race" : NULL);
      }
    tile_emulator_program_destroy(program);
  }
}

/* --- Bounds ----------------------------------------------------------------------------------- */

/* Each block loads data[0], and releases: all the loads must be remembered, for what may acquire
   them all. 4096 are; of more the report says that they were not. */
static void too_many_readers(void) {
  struct text out = {0};
  put_begin(&out);
  text_puts(&out, "  %v = call i32 @get(ptr %t, ptr %d, i32 0, i32 1, ptr @l1)\n");
  put_add(&out, 1, 1, ATOMIC_RELEASES, "1");
  tile_emulator_program *program = finish(&out);
  for (uint32_t blocks = 4096; blocks < 4099; blocks += 2) {
    int data[2] = {0};
    tile_emulator_report *report;
    CHECK_STATUS(launch_on(program, data, 2, OPTIONS(.threads = 1, .grid = {blocks}, .check = true),
                           &report),
                 TILE_OK, NULL);
    const char *words = tile_emulator_report_incomplete(report);
    if (blocks == 4096)
      CHECK(!words);
    else
      CHECK(words && strstr(words, "first of the load at k.py:1:1"));
    tile_emulator_report_free(report);
  }
  tile_emulator_program_destroy(program);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"second-reader-is-not-ordered", second_reader_is_not_ordered},
                   {"second-adder-is-not-ordered", second_adder_is_not_ordered},
                   {"store-before-several-additions", store_before_several_additions},
                   {"release-of-one-thread", release_of_one_thread},
                   {"second-reader-in-a-block", second_reader_in_a_block},
                   {"too-many-readers", too_many_readers});
}
