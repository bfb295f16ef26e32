/* SPDX-License-Identifier: MIT */
/* Launches: each kernel once to compare what it computes, then in turns to time it. */
#include <stdio.h>
#include <string.h>
#include "beside/beside.h"

static tile_status launch(void *context, tile_stream *stream) {
  tile_status status = NULL;
  for (struct kernel *kernel = context; kernel && !status; kernel = kernel->after)
    status = kernel->gemm.bench ? gemm_launch(kernel, stream)
                                : tile_launch(kernel->kernel, kernel->grid, stream,
                                              kernel->arguments, kernel->argument_count);
  return status;
}

void verify(struct bench *bench) {
  for (size_t k = 0; k < bench->kernel_count; k++) {
    data_reset(bench);
    check(bench, launch(&bench->kernels[k], NULL));
    for (size_t i = 0; i < bench->buffer_count; i++) {
      if (bench->buffers[i].is_output && k == 0)
        data_keep(bench, &bench->buffers[i]);
      else if (bench->buffers[i].is_output)
        data_compare(bench, &bench->buffers[i], &bench->kernels[k]);
    }
  }
  data_reset(bench);
}

static double time_once(struct bench *bench, struct kernel *kernel, double repeat_ms) {
  tile_bench_options options = {.warmup_ms = repeat_ms / 4, .repeat_ms = repeat_ms};
  tile_bench_result result;
  check(bench, tile_do_bench(bench->device, launch, kernel, &options, &result));
  return result.median;
}

/* The kernel that is timed in this round and at this place of it. The card's clock falls while it
   works, and falls most behind a kernel that takes much power: the first of a list would win, and
   one that always follows the same other would lose. So every second round goes through the list
   backwards, and every two begin one further: twice as many rounds as kernels treat all alike. */
static size_t in_turn(const struct bench *bench, int round, size_t place) {
  size_t count = bench->kernel_count, first = (size_t)round / 2 % count;
  return (first + (round % 2 ? count - 1 - place : place)) % count;
}

/* The mean of a kernel's medians in all rounds. */
static void time_rounds(struct bench *bench, int rounds, double repeat_ms) {
  for (size_t k = 0; k < bench->kernel_count; k++)
    bench->kernels[k].median = 0;
  for (int round = 0; round < rounds; round++)
    for (size_t place = 0; place < bench->kernel_count; place++) {
      struct kernel *kernel = &bench->kernels[in_turn(bench, round, place)];
      kernel->median += time_once(bench, kernel, repeat_ms) / rounds;
    }
}

static bool is_kept(const struct bench *bench, const struct kernel *kernel) {
  return bench->each && strcmp(kernel->name, "ours") == 0;
}

/* The shortest time of its name. */
static double shortest(const struct bench *bench, const char *name) {
  double best = 0;
  for (size_t k = 0; k < bench->kernel_count; k++)
    if (strcmp(bench->kernels[k].name, name) == 0 && (best == 0 || bench->kernels[k].median < best))
      best = bench->kernels[k].median;
  return best;
}

/* Those of each name that are not within 6% of its fastest. */
static void drop_slow(struct bench *bench) {
  const double most = 1.06;
  bool slow[MAX_KERNELS] = {false};
  for (size_t k = 0; k < bench->kernel_count; k++)
    slow[k] = !is_kept(bench, &bench->kernels[k]) &&
              bench->kernels[k].median > most * shortest(bench, bench->kernels[k].name);
  size_t count = 0;
  for (size_t k = 0; k < bench->kernel_count; k++) {
    if (slow[k])
      unload(&bench->kernels[k]);
    else
      bench->kernels[count++] = bench->kernels[k];
  }
  bench->kernel_count = count;
}

/* All for a short time, then those that come near the fastest for longer: between slower kernels
   the card cools down, and one that takes more power than another wins which loses to it when it
   runs alone. */
static void time_choices(struct bench *bench) {
  enum { ROUNDS = 3 };
  time_rounds(bench, ROUNDS, bench->repeat_ms / 2 / ROUNDS);
  drop_slow(bench);
  time_rounds(bench, ROUNDS, bench->repeat_ms);
}

void choose_fastest(struct bench *bench) {
  size_t count = 0;
  time_choices(bench);
  for (size_t k = 0; k < bench->kernel_count; k++) {
    struct kernel kernel = bench->kernels[k];
    size_t known = is_kept(bench, &kernel) ? count : 0;
    while (known < count && strcmp(bench->kernels[known].name, kernel.name) != 0)
      known++;
    struct kernel *best = &bench->kernels[known];
    if (known == count) {
      *best = kernel;
      count++;
    } else {
      bool faster = kernel.median < best->median;
      unload(faster ? best : &kernel);
      if (faster)
        *best = kernel;
    }
  }
  bench->kernel_count = count;
}

static void print_row(const struct bench *bench, const struct kernel *kernel) {
  double ours = kernel->median;
  printf("%s,%s,%s,%.6f", bench->name, bench->shape, kernel->label, ours);
  if (bench->flops > 0)
    printf(",%.1f TFLOP/s", bench->flops / ours * 1e-9);
  else
    printf(",%.1f GB/s", bench->bytes / ours * 1e-6);
  for (size_t k = 0; k < bench->kernel_count; k++) {
    const struct kernel *peer = &bench->kernels[k];
    if (strcmp(peer->name, "ours") != 0)
      printf(",%s%s%s,%.6f,%.3f", peer->name, *peer->label ? ":" : "", peer->label, peer->median,
             peer->median / ours);
  }
  for (size_t i = 0; i < bench->time_count; i++)
    printf(",%s,%.6f,%.3f", bench->times[i].name, bench->times[i].median,
           bench->times[i].median / ours);
  printf("\n");
  fflush(stdout);
}

void measure(struct bench *bench) {
  time_rounds(bench, bench->rounds, bench->repeat_ms);
  for (size_t k = 0; k < bench->kernel_count; k++)
    if (strcmp(bench->kernels[k].name, "ours") == 0)
      print_row(bench, &bench->kernels[k]);
}
