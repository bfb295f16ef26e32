/* SPDX-License-Identifier: MIT */
/* Clusters of two blocks on the emulator: copies to both, arrivals at the other one's barriers,
   barriers of the cluster. Each step that is left out, or done too early, is found whatever the
   order in which the blocks run. */
#include "emulator_matrix.h"

/* Both blocks bring half of each of two stages' contents to both: %full says that it has come,
   %empty that the warps of both have read it. Thread 0 is %p, lane 0 of each warp %q. */
#define CLUSTER(body)                                                                              \
  PRELUDE                                                                                          \
  "declare i32 @tile_emu_cluster_rank(ptr)\n"                                                      \
  "declare void @tile_emu_cluster_arrive(ptr, ptr)\n"                                              \
  "declare void @tile_emu_cluster_wait(ptr, ptr)\n"                                                \
  "declare void @tile_emu_mbarrier_init(ptr, ptr, i32, i32, ptr)\n"                                \
  "declare void @tile_emu_mbarrier_expect_tx(ptr, ptr, i32, i32, ptr)\n"                           \
  "declare void @tile_emu_mbarrier_arrive_at(ptr, ptr, i32, i32, ptr)\n"                           \
  "declare void @tile_emu_mbarrier_wait(ptr, ptr, i32, ptr)\n"                                     \
  "declare void @tile_emu_fence_mbarrier_init(ptr)\n"                                              \
  "declare void @tile_emu_tensor_multicast(ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32, i32, "     \
  "i32, i32, ptr)\n"                                                                               \
  "define private i32 @shared_get(ptr %t, ptr %p, ptr %l) {\n"                                     \
  "  %s = call ptr @tile_emu_shared_access(ptr %t, ptr %p, i32 4, i32 4, i32 0, i32 1, ptr %l)\n"  \
  "  %v = load i32, ptr %s\n"                                                                      \
  "  ret i32 %v\n"                                                                                 \
  "}\n"                                                                                            \
  "define void @k(ptr %t, ptr %args) {\n"                                                          \
  "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"                                             \
  "  %rank = call i32 @tile_emu_cluster_rank(ptr %t)\n"                                            \
  "  %bid = call i32 @tile_emu_block_index(ptr %t, i32 0)\n"                                       \
  "  %first = icmp eq i32 %tid, 0\n"                                                               \
  "  %p = zext i1 %first to i32\n"                                                                 \
  "  %lane = and i32 %tid, 31\n"                                                                   \
  "  %leads = icmp eq i32 %lane, 0\n"                                                              \
  "  %q = zext i1 %leads to i32\n"                                                                 \
  "  %second = icmp eq i32 %rank, 1\n"                                                             \
  "  %out = call ptr @arg(ptr %args, i32 0)\n"                                                     \
  "  %slot = getelementptr ptr, ptr %args, i32 1\n"                                                \
  "  %map = load ptr, ptr %slot\n"                                                                 \
  "  %area = call ptr @tile_emu_shared(ptr %t)\n"                                                  \
  "  %own = getelementptr i32, ptr %area, i32 %tid\n"                                              \
  "  %own2 = getelementptr i32, ptr %own, i32 64\n"                                                \
  "  %start = mul i32 %rank, 256\n"                                                                \
  "  %half = getelementptr i8, ptr %area, i32 %start\n"                                            \
  "  %y = mul i32 %rank, 4\n"                                                                      \
  "  %later = add i32 %y, 8\n"                                                                     \
  "  %full = getelementptr i8, ptr %area, i32 2048\n"                                              \
  "  %empty = getelementptr i8, ptr %area, i32 2056\n"                                             \
  "  %place = mul i32 %bid, 128\n"                                                                 \
  "  %at = add i32 %place, %tid\n"                                                                 \
  "  %at2 = add i32 %at, 64\n" body "  ret void\n}\n"

#define INIT(bar, count)                                                                           \
  "  call void @tile_emu_mbarrier_init(ptr %t, ptr " bar ", i32 " count ", i32 %p, ptr @l4)\n"
#define FENCE "  call void @tile_emu_fence_mbarrier_init(ptr %t)\n"
#define ARRIVE "  call void @tile_emu_cluster_arrive(ptr %t, ptr @l4)\n"
#define WAIT "  call void @tile_emu_cluster_wait(ptr %t, ptr @l4)\n"
#define MEET ARRIVE WAIT
#define BARRIER "  call void @tile_emu_barrier(ptr %t, ptr @l4)\n"
#define MADE INIT("%full", "1") INIT("%empty", "4") FENCE
#define EXPECT(bytes)                                                                              \
  "  call void @tile_emu_mbarrier_expect_tx(ptr %t, ptr %full, i32 " bytes ", i32 %p, ptr @l3)\n"
#define COPY(mask, y)                                                                              \
  "  call void @tile_emu_tensor_multicast(ptr %t, ptr %half, ptr %map, ptr %full, i32 %p, "        \
  "i32 " mask ", i32 2, i32 0, i32 " y ", i32 0, i32 0, i32 0, ptr @l1)\n"
#define FULL(parity)                                                                               \
  "  call void @tile_emu_mbarrier_wait(ptr %t, ptr %full, i32 " parity ", ptr @l2)\n"
#define READ(n)                                                                                    \
  "  %v" n " = call i32 @shared_get(ptr %t, ptr %own, ptr @l2)\n"                                  \
  "  %w" n " = call i32 @shared_get(ptr %t, ptr %own2, ptr @l2)\n"                                 \
  "  call void @put(ptr %t, ptr %out, i32 %at, i32 %v" n ", i32 1, ptr @l3)\n"                     \
  "  call void @put(ptr %t, ptr %out, i32 %at2, i32 %w" n ", i32 1, ptr @l3)\n"
#define WARP "  call void @tile_emu_warp_barrier(ptr %t, ptr @l4)\n"
#define FREE(rank)                                                                                 \
  "  call void @tile_emu_mbarrier_arrive_at(ptr %t, ptr %empty, i32 " rank ", i32 %q, ptr @l3)\n"
/* Thread 0 waits for all to have read the stage. */
#define EMPTY                                                                                      \
  "  br i1 %first, label %w, label %go\nw:\n"                                                      \
  "  call void @tile_emu_mbarrier_wait(ptr %t, ptr %empty, i32 0, ptr @l4)\n"                      \
  "  br label %go\ngo:\n"
#define FREE_BOTH WARP FREE("0") FREE("1")
#define PHASES(free, empty)                                                                        \
  EXPECT("512")                                                                                    \
  COPY("3", "%y")                                                                                  \
  FULL("0") READ("1") free empty EXPECT("512") COPY("3", "%later") FULL("1") READ("2")

static void set_up(struct setting *s) {
  *s = (struct setting){.seed = 1, .blocks = BLOCKS, .cluster = 2};
  number_by_place(s);
  encode_map(s, matrix_fields(s));
}

static void runs_clean(struct setting *s, const char *text) {
  runs_clean_with(s, text, 8);
}

/* With every seed. */
static void finds(const char *text, tile_emulator_hazard_kind kind, char line, const char *words) {
  struct setting s;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    set_up(&s);
    s.seed = seed;
    finds_in(&s, text, kind, line, words);
  }
}

/* Some hazard, with every seed. */
static void fails(const char *text) {
  struct setting s;
  set_up(&s);
  for (s.seed = 1; s.seed <= 8; s.seed++)
    CHECK_STATUS(launch(&s, text, NULL), TILE_HAZARD, NULL);
}

/* --- What is right ---------------------------------------------------------------------------- */

static void halves_go_to_both(void) {
  struct setting s;
  set_up(&s);
  runs_clean(&s, CLUSTER(MADE MEET EXPECT("512") COPY("3", "%y") FULL("0") READ("1") MEET));
  for (int i = 0; i < 2 * THREADS * BLOCKS; i++)
    CHECK_EQUAL(s.out[i], i % (2 * THREADS) / SIZE * 100 + i % SIZE);
}

static void stages_are_used_again(void) {
  struct setting s;
  set_up(&s);
  runs_clean(&s, CLUSTER(MADE MEET PHASES(FREE_BOTH, EMPTY) MEET));
  for (int i = 0; i < 2 * THREADS * BLOCKS; i++)
    CHECK_EQUAL(s.out[i], (8 + i % (2 * THREADS) / SIZE) * 100 + i % SIZE);
}

/* A barrier of the cluster is one of each block, too, and a barrier of the block after one thread's
   wait shows the others what that has seen. */
static void barriers_of_both_kinds(void) {
  struct setting s;
  set_up(&s);
  runs_clean(&s, CLUSTER(MADE ARRIVE
                         "  br i1 %first, label %a, label %b\na:\n" WAIT
                         "  br label %b\nb:\n" BARRIER EXPECT("512") COPY("3", "%y") FULL("0")
                             READ("1") "  br i1 %first, label %d, label %c\nc:\n" WAIT
                                       "  br label %d\nd:\n" MEET));
}

/* A thread that ends is not waited for. */
static void threads_end_early(void) {
  struct setting s;
  set_up(&s);
  runs_clean(&s, CLUSTER("  %c = icmp ult i32 %tid, 40\n  br i1 %c, label %a, label %b\na:\n" MEET
                         "  br label %b\nb:\n"));
}

/* A launch of blocks that are in no cluster: the mask of a copy names the block alone. */
static void block_without_cluster(void) {
  struct setting s;
  set_up(&s);
  s.cluster = 0;
  runs_clean(&s,
             CLUSTER(INIT("%full", "1") FENCE BARRIER MEET EXPECT("256") COPY("1", "0") FULL("0")));
}

/* --- What is wrong ---------------------------------------------------------------------------- */

static void no_barrier_at_the_beginning(void) {
  fails(CLUSTER(MADE BARRIER EXPECT("512") COPY("3", "%y") FULL("0") READ("1") MEET));
  fails(CLUSTER(MADE BARRIER PHASES(FREE_BOTH, EMPTY) MEET));
}

static void arrival_without_wait(void) {
  fails(CLUSTER(MADE ARRIVE BARRIER EXPECT("512") COPY("3", "%y") FULL("0") READ("1")));
  finds(CLUSTER(MADE ARRIVE BARRIER EXPECT("512") COPY("3", "%y") FULL("0") READ("1") MEET),
        TILE_EMULATOR_MBARRIER_MISUSE, '4', "a second time without waiting");
}

static void wait_without_arrival(void) {
  finds(CLUSTER(WAIT), TILE_EMULATOR_MBARRIER_MISUSE, '4', "at which it has not arrived");
}

static void barriers_made_after_the_barrier(void) {
  fails(CLUSTER(MEET MADE BARRIER EXPECT("512") COPY("3", "%y") FULL("0") READ("1") MEET));
}

/* Among what is found with some seed there is this. */
static void finds_with_some_seed(const char *text, const char *words) {
  struct setting s;
  set_up(&s);
  int found = 0;
  for (s.seed = 1; s.seed <= 32; s.seed++) {
    tile_emulator_report *report = NULL;
    tile_status_free(launch(&s, text, &report));
    for (size_t i = 0; i < tile_emulator_report_count(report); i++)
      found += strstr(tile_emulator_report_hazard(report, i)->text, words) != NULL;
    tile_emulator_report_free(report);
  }
  CHECK(found > 0);
}

/* In some orders the other block has made its barrier before, and in some not. */
static void made_before_by_chance(void) {
  const char *text = CLUSTER(MADE BARRIER "  br i1 %second, label %s, label %e\ns:\n" FREE(
      "0") "  br label %e\ne:\n" MEET);
  fails(text);
  finds_with_some_seed(text, "has not waited at a barrier of the cluster since");
  finds_with_some_seed(text, "there is no barrier");
}

static void no_fence(void) {
  finds(CLUSTER(INIT("%full", "1") INIT("%empty", "4") MEET FREE_BOTH MEET),
        TILE_EMULATOR_MBARRIER_MISUSE, '3', "no fence_mbarrier_init");
}

static void no_barrier_at_the_end(void) {
  fails(CLUSTER(MADE MEET EXPECT("512") COPY("3", "%y") FULL("0") READ("1")));
  fails(CLUSTER(MADE MEET PHASES(FREE_BOTH, EMPTY)));
}

/* The last thing that happens between the blocks is an arrival. */
static void arrival_at_the_end(void) {
  finds(CLUSTER(MADE MEET FREE_BOTH), TILE_EMULATOR_MBARRIER_MISUSE, '3', "the cluster");
}

static void nobody_releases_the_other_stage(void) {
  finds(CLUSTER(MADE MEET PHASES(WARP FREE("%rank"), EMPTY) MEET), TILE_EMULATOR_DEADLOCK, '4',
        "it lacks 2 arrivals and 0 bytes");
}

static void nobody_releases_the_own_stage(void) {
  finds(CLUSTER(MADE MEET "  %other = xor i32 %rank, 1\n" PHASES(WARP FREE("%other"), EMPTY) MEET),
        TILE_EMULATOR_DEADLOCK, '4', "it lacks 2 arrivals");
}

/* Both releases go to one's own barrier: as many as are counted, but the other block's warps may
   still read. */
static void releases_to_the_own_block_alone(void) {
  finds(CLUSTER(MADE MEET PHASES(WARP FREE("%rank") FREE("%rank"), EMPTY) MEET),
        TILE_EMULATOR_READ_WRITE_RACE, '1', "nothing orders the two");
}

static void too_few_arrivals_are_counted(void) {
  fails(CLUSTER(INIT("%full", "1") INIT("%empty", "2") FENCE MEET PHASES(FREE_BOTH, EMPTY) MEET));
}

static void nobody_waits_for_the_release(void) {
  fails(CLUSTER(MADE MEET PHASES(FREE_BOTH, "") MEET));
}

static void release_before_the_loads(void) {
  finds(CLUSTER(MADE MEET EXPECT("512") COPY("3", "%y") FULL("0") FREE_BOTH READ("1")
                    EMPTY EXPECT("512") COPY("3", "%later") FULL("1") MEET),
        TILE_EMULATOR_READ_WRITE_RACE, '1', "nothing orders the two");
}

/* The other lanes may still load. */
static void release_of_one_lane(void) {
  finds(CLUSTER(MADE MEET PHASES(FREE("0") FREE("1"), EMPTY) MEET), TILE_EMULATOR_READ_WRITE_RACE,
        '1', "nothing orders the two");
}

static void half_of_the_bytes(void) {
  fails(CLUSTER(MADE MEET EXPECT("256") COPY("3", "%y") FULL("0") READ("1") MEET));
}

static void copies_to_the_own_block(void) {
  finds(CLUSTER(MADE MEET "  %mine = shl i32 1, %rank\n" EXPECT("512") COPY("%mine", "%y") FULL("0")
                    READ("1") MEET),
        TILE_EMULATOR_DEADLOCK, '2', "256 bytes");
}

static void copies_to_no_block(void) {
  finds(CLUSTER(MADE MEET EXPECT("0") COPY("0", "%y") MEET), TILE_EMULATOR_MBARRIER_MISUSE, '1',
        "its mask is 0");
}

static void mask_out_of_range(void) {
  finds(CLUSTER(MADE MEET EXPECT("512") COPY("7", "%y") FULL("0") READ("1") MEET),
        TILE_EMULATOR_MBARRIER_MISUSE, '1', "the cluster has no block of this rank");
}

static void rank_out_of_range(void) {
  finds(CLUSTER(MADE MEET FREE("2") MEET), TILE_EMULATOR_MBARRIER_MISUSE, '3',
        "the cluster has no block of this rank");
}

static void one_block_does_not_come(void) {
  finds(CLUSTER("  br i1 %second, label %a, label %b\na:\n" MEET
                "  br label %c\nb:\n  call void @tile_emu_mbarrier_init(ptr %t, ptr %full, i32 1, "
                "i32 %p, ptr @l4)\n" BARRIER FULL("0") "  br label %c\nc:\n"),
        TILE_EMULATOR_BARRIER_DIVERGENCE, '4', "waits at a barrier");
}

static void some_threads_wait_for_the_block(void) {
  finds(CLUSTER("  br i1 %first, label %a, label %b\na:\n" MEET "  br label %c\nb:\n" BARRIER
                "  br label %c\nc:\n"),
        TILE_EMULATOR_BARRIER_DIVERGENCE, '4', "waits at a barrier");
}

static void other_block_never_arrives(void) {
  finds(CLUSTER(MADE MEET "  br i1 %second, label %s, label %e\ns:\n" FULL("0")
                    FREE("0") "  br label %e\ne:\n"),
        TILE_EMULATOR_DEADLOCK, '2', "wait for the end of a phase");
}

/* Block 0 ends when it has arrived; in some orders before block 1 does. */
static void other_block_has_ended(void) {
  finds_with_some_seed(CLUSTER(MADE MEET FREE_BOTH), "has ended, and its shared memory with it");
}

static void grid_is_odd(void) {
  struct setting s;
  set_up(&s);
  s.blocks = 3;
  CHECK_STATUS(launch(&s, CLUSTER(MEET), NULL), TILE_INVALID_ARGUMENT,
               "grid x = 3 is no multiple of its clusters' 2 blocks");
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"halves go to both", halves_go_to_both},
      {"stages are used again", stages_are_used_again},
      {"barriers of both kinds", barriers_of_both_kinds}, {"threads end early", threads_end_early},
      {"a block without cluster", block_without_cluster},
      {"no barrier at the beginning", no_barrier_at_the_beginning},
      {"an arrival without wait", arrival_without_wait},
      {"a wait without arrival", wait_without_arrival},
      {"barriers made after the barrier", barriers_made_after_the_barrier},
      {"made before by chance", made_before_by_chance}, {"no fence", no_fence},
      {"no barrier at the end", no_barrier_at_the_end},
      {"an arrival at the end", arrival_at_the_end},
      {"nobody releases the other stage", nobody_releases_the_other_stage},
      {"nobody releases the own stage", nobody_releases_the_own_stage},
      {"releases to the own block alone", releases_to_the_own_block_alone},
      {"too few arrivals are counted", too_few_arrivals_are_counted},
      {"nobody waits for the release", nobody_waits_for_the_release},
      {"a release before the loads", release_before_the_loads},
      {"a release of one lane", release_of_one_lane}, {"half of the bytes", half_of_the_bytes},
      {"copies to the own block", copies_to_the_own_block},
      {"copies to no block", copies_to_no_block}, {"a mask out of range", mask_out_of_range},
      {"a rank out of range", rank_out_of_range},
      {"one block does not come", one_block_does_not_come},
      {"some threads wait for the block", some_threads_wait_for_the_block},
      {"the other block never arrives", other_block_never_arrives},
      {"the other block has ended", other_block_has_ended}, {"an odd grid", grid_is_odd});
}
