/* SPDX-License-Identifier: MIT */
/* Atomic operations on the emulator, from host code: what they compute, what they order; prints. */
#include "base/text.h"
#include "emulator/device_atomics.h"
#include "emulator_fixture.h"

#define DECLARATIONS                                                                               \
  "declare i64 @tile_emu_atomic(ptr, ptr, i32, i32, i64, i64, i32, i32, ptr)\n"                    \
  "declare void @tile_emu_fence(ptr)\n"

/* --- Order ------------------------------------------------------------------------------------ */

/* Blocks of 8 threads take turns with data[0..8), by a lock in data[8]: thread 0 waits until it has
   stored 1 in place of 0; then each thread counts up the element of its number, and thread 0 stores
   0. */
struct handover {
  int acquire, release; /* order of the first and the second operation on the lock */
  bool barrier_after_acquire, barrier_before_release;
  bool fence_after_acquire, fence_before_release; /* of each thread, on this side of the barrier */
};

static struct text handover_kernel(const struct handover *h) {
  struct text text = {0};
  static const char barrier[] = "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n";
  static const char fence[] = "  call void @tile_emu_fence(ptr %t)\n";
  text_puts(&text, DECLARATIONS PRELUDE "define void @k(ptr %t, ptr %args) {\n"
                                        "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"
                                        "  %d = call ptr @arg(ptr %args, i32 0)\n"
                                        "  %lock = getelementptr i32, ptr %d, i32 8\n"
                                        "  %zero = icmp eq i32 %tid, 0\n"
                                        "  %first = zext i1 %zero to i32\n"
                                        "  br label %try\ntry:\n");
  text_printf(&text,
              "  %%old = call i64 @tile_emu_atomic(ptr %%t, ptr %%lock, i32 %d, i32 %d, i64 1, i64 "
              "0, i32 %d, i32 %%first, ptr @l1)\n",
              ATOMIC_CAS, ATOMIC_BITS32, h->acquire);
  text_puts(&text, "  %taken = icmp eq i64 %old, 1\n"
                   "  %again = and i1 %zero, %taken\n"
                   "  br i1 %again, label %try, label %go\ngo:\n");
  text_puts(&text, h->fence_after_acquire ? fence : "");
  text_puts(&text, h->barrier_after_acquire ? barrier : "");
  text_puts(&text, "  %v = call i32 @get(ptr %t, ptr %d, i32 %tid, i32 1, ptr @l2)\n"
                   "  %w = add i32 %v, 1\n"
                   "  call void @put(ptr %t, ptr %d, i32 %tid, i32 %w, i32 1, ptr @l2)\n");
  text_puts(&text, h->barrier_before_release ? barrier : "");
  text_puts(&text, h->fence_before_release ? fence : "");
  text_printf(&text,
              "  call i64 @tile_emu_atomic(ptr %%t, ptr %%lock, i32 %d, i32 %d, i64 0, i64 0, i32 "
              "%d, i32 %%first, ptr @l3)\n",
              ATOMIC_XCHG, ATOMIC_BITS32, h->release);
  text_puts(&text, "  ret void\n}\n");
  return text;
}

/* Races are found, or not, for every seed. */
static void check_handover(struct handover handover, bool races) {
  struct text text = handover_kernel(&handover);
  tile_emulator_program *program = make_program(text_string(&text), 1);
  text_free(&text);
  for (uint64_t seed = 0; seed < 5; seed++) {
    int data[9] = {0};
    CHECK_STATUS(launch_on(program, data, 9,
                           OPTIONS(.threads = 8, .grid = {3}, .seed = seed, .check = true), NULL),
                 races ? TILE_HAZARD : TILE_OK, NULL);
    CHECK_EQUAL(data[7], 3);
    CHECK_EQUAL(data[8], 0);
  }
  tile_emulator_program_destroy(program);
}

static void release_and_acquire_order_blocks(void) {
  check_handover((struct handover){ATOMIC_ACQUIRES, ATOMIC_RELEASES, true, true}, false);
  check_handover((struct handover){ATOMIC_ACQUIRES | ATOMIC_RELEASES,
                                   ATOMIC_ACQUIRES | ATOMIC_RELEASES, true, true},
                 false);
}

static void each_part_is_needed(void) {
  check_handover((struct handover){0, ATOMIC_RELEASES, true, true}, true);
  check_handover((struct handover){ATOMIC_ACQUIRES, 0, true, true}, true);
  check_handover((struct handover){ATOMIC_ACQUIRES, ATOMIC_RELEASES, false, true}, true);
  check_handover((struct handover){ATOMIC_ACQUIRES, ATOMIC_RELEASES, true, false}, true);
}

/* A relaxed operation and a fence after it acquire, a fence and a relaxed operation after it
   release. */
static void fences_order_blocks(void) {
  check_handover((struct handover){0, 0, true, true, true, true}, false);
  check_handover((struct handover){ATOMIC_ACQUIRES, 0, true, true, false, true}, false);
  check_handover((struct handover){0, ATOMIC_RELEASES, true, true, true, false}, false);
  check_handover((struct handover){0, 0, true, true, true, false}, true);
  check_handover((struct handover){0, 0, true, true, false, true}, true);
  check_handover((struct handover){0, 0, false, true, true, true}, true);
  check_handover((struct handover){0, 0, true, false, true, true}, true);
  check_handover((struct handover){ATOMIC_IN_BLOCK, 0, true, true, true, true}, true);
  check_handover((struct handover){0, ATOMIC_IN_BLOCK, true, true, true, true}, true);
}

/* --- Values ----------------------------------------------------------------------------------- */

/* One operation on data[0..1] as 64 bits of which `number` takes its part; the old value goes to
   data[2..3]. */
static uint64_t operate(int operation, int number, uint64_t memory, uint64_t value,
                        uint64_t compare, uint64_t *old) {
  struct text text = {0};
  text_puts(&text, DECLARATIONS PRELUDE);
  text_printf(
      &text,
      "define void @k(ptr %%t, ptr %%args) {\n"
      "  %%d = call ptr @arg(ptr %%args, i32 0)\n"
      "  %%o = call i64 @tile_emu_atomic(ptr %%t, ptr %%d, i32 %d, i32 %d, i64 %lld, i64 %lld, "
      "i32 0, i32 1, ptr @l1)\n"
      "  %%p = getelementptr i32, ptr %%d, i32 2\n"
      "  store i64 %%o, ptr %%p\n"
      "  ret void\n}\n",
      operation, number, (long long)value, (long long)compare);
  _Alignas(8) int data[4] = {0};
  memcpy(data, &memory, sizeof memory);
  run_clean(text_string(&text), data, 4, OPTIONS(.threads = 1));
  text_free(&text);
  memcpy(old, &data[2], sizeof *old);
  memcpy(&memory, data, sizeof memory);
  return memory;
}

static void operations_touch_their_bytes(void) {
  static const struct {
    int operation, number;
    uint64_t memory, value, compare, after, old;
  } rows[] = {
      {ATOMIC_ADD, ATOMIC_BITS32, 0x11FFFFFFFF, 2, 0, 0x1100000001, 0xFFFFFFFF},
      {ATOMIC_ADD, ATOMIC_BITS64, 0xFFFFFFFF, 1, 0, 0x100000000, 0xFFFFFFFF},
      {ATOMIC_MAX, ATOMIC_BITS32, 0xFFFFFFFF, 0, 0, 0, 0xFFFFFFFF},
      {ATOMIC_UMAX, ATOMIC_BITS32, 0xFFFFFFFF, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF},
      {ATOMIC_MIN, ATOMIC_BITS64, 5, UINT64_MAX, 0, UINT64_MAX, 5},
      {ATOMIC_UMIN, ATOMIC_BITS64, 5, UINT64_MAX, 0, 5, 5},
      {ATOMIC_XCHG, ATOMIC_BITS32, 1, 2, 0, 2, 1},
      {ATOMIC_CAS, ATOMIC_BITS16, 0x70007, 9, 7, 0x70009, 7},
      {ATOMIC_CAS, ATOMIC_BITS16, 0x70007, 9, 8, 0x70007, 7},
      {ATOMIC_ADD, ATOMIC_F16, 0xAAAA3C00, 0x4000, 0, 0xAAAA4200, 0x3C00}, /* 1 + 2 */
      {ATOMIC_ADD, ATOMIC_F16X2, 0xC0003C00, 0x40004000, 0, 0x00004200, 0xC0003C00},
      {ATOMIC_ADD, ATOMIC_BF16, 0x3F80, 0x4000, 0, 0x4040, 0x3F80}, /* 1 + 2 */
      {ATOMIC_ADD, ATOMIC_BF16X2, 0x3F803F80, 0x40004000, 0, 0x40404040, 0x3F803F80},
      {ATOMIC_ADD, ATOMIC_F32, 0x3F800000, 0x40000000, 0, 0x40400000, 0x3F800000}, /* 1 + 2 */
      {ATOMIC_ADD, ATOMIC_F32, 1, 1, 0, 0, 1}, /* subnormal numbers are flushed */
      {ATOMIC_ADD, ATOMIC_F64, 1, 1, 0, 2, 1}, /* not these */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint64_t old;
    CHECK_EQUAL(operate(rows[i].operation, rows[i].number, rows[i].memory, rows[i].value,
                        rows[i].compare, &old),
                rows[i].after);
    CHECK_EQUAL(old, rows[i].old);
  }
}

/* --- Prints ----------------------------------------------------------------------------------- */

static void collect(void *context, const char *text, size_t length) {
  text_append(context, text, length);
}

static void prints_go_to_the_handler(void) {
  static const char kernel[] =
      "declare i32 @tile_emu_vprintf(ptr, ptr, ptr)\n"
      "@format = private constant [27 x i8] c\"%d%% of %lld, %f 0x%08x.\\0A\\00\\00\"\n" KERNEL(
          "  %area = alloca [4 x i64]\n"
          "  store i32 -7, ptr %area\n"
          "  %a8 = getelementptr i8, ptr %area, i32 8\n"
          "  store i64 5000000000, ptr %a8\n"
          "  %a16 = getelementptr i8, ptr %area, i32 16\n"
          "  store double 0.5, ptr %a16\n"
          "  %a24 = getelementptr i8, ptr %area, i32 24\n"
          "  store i32 48879, ptr %a24\n"
          "  call i32 @tile_emu_vprintf(ptr %t, ptr @format, ptr %area)\n");
  struct text out = {0};
  int data[1] = {0};
  run_clean(kernel, data, 1, OPTIONS(.threads = 1, .print = collect, .print_context = &out));
  CHECK_TEXT(text_string(&out), "-7% of 5000000000, 0.500000 0x0000beef.\n");
  text_free(&out);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"release-and-acquire-order-blocks", release_and_acquire_order_blocks},
      {"fences-order-blocks", fences_order_blocks}, {"each-part-is-needed", each_part_is_needed},
      {"operations-touch-their-bytes", operations_touch_their_bytes},
      {"prints-go-to-the-handler", prints_go_to_the_handler});
}
