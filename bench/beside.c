/* SPDX-License-Identifier: MIT */
/* beside: our kernels and other compilers' on the same buffers of one GPU, in turns, as CSV.

     beside MANIFEST [--device cuda|emulator] [--rounds N] [--repeat-ms X] [--only NAME] [--each 1]
     [--shard I/N] [--keep-going 1] [--from N] [--seconds N]

   A peer script (bench/peers) writes the manifest and saves the other compiler's cubins beside it.
   One line a thing; words are separated by spaces, lists by commas:

     case NAME SHAPE [bytes=N] [flops=N] [tolerance=X]
     buffer NAME TYPE COUNT FILL
     ours file=F kernel=K signature=S [label=L] [target=sm_80] [imports=DIR,DIR]
          [constexpr=A=1,B='x'] [warps=N] [warps_fixed=1] [stages=N] [skip=PASS]
          [pairs=1] [name=P] [after=1] grid=X,Y,Z args=A,B,...   (in one line)
     peer name=P [label=L] cubin=F|ptx=F [target=sm_80] kernel=K warps=N shared=N [after=1]
          grid=X,Y,Z args=A,B,...
     peer name=P [label=L] image=F [after=1] grid=X,Y,Z args=A,B,...
     gemm library=F type=fp16|bf16 m=M n=N k=K [batch=N] args=A,B,C
     time name=P median_ms=X
     output NAME ...
     end

   FILL: rand (from -1 to 1, integers from 0 to 100), positive, negative, scaled:X (from -X to X),
   value:X, zero, bytes (random bits), poison, scratch, or file:F with all elements.
   Several `ours` lines are one kernel in several configurations, and so are several `peer` lines of
   one name: the fastest one counts, its label is printed; with --each every one of ours has a row.
   All are timed for a short while, those within 6% of the fastest for longer, and what is left then
   is what the rounds time.
   skip: without that pass ($TILE_SKIP_PASSES), a peer "without PASS" where that changes the PTX of
   a configuration; so one sees what the pass is worth. pairs: with --pairs=on, as a peer "pairs". A
   file may be MLIR of any level, as tile-translate takes it; its signature is of no use. name: a
   peer of that name, as for the same kernel written otherwise. warps_fixed: all the warps that were
   asked for, docs/decisions/0018. With after=1 a line is launched after the kernel of the line
   before and counts as part of it; what the one leaves to the other is in buffers of scratch,
   poisoned before each kernel and not compared. With a target that is older than the device, ours
   is compiled to PTX for that and the driver takes it further, as it does with a peer's PTX. A
   peer's image is what another build of tile-translate has written: it is launched as its metadata
   say, with all of its versions. An argument is a buffer's name, i1:1, i32:5, i64:5 or f32:0.5.
   `gemm` is a peer cublas, c = a b, of the libcublas.so of that path; its buffers must hold as many
   elements as it takes. `time` states what the script measured itself. Signatures have no spaces.
   Outputs of ours and of each peer are compared on the device, elements that differ by more than
   the tolerance (relative to the largest magnitude) end the program: figures of wrong kernels are
   worth nothing. Every kernel starts from the same data. A row for each case: the times, and ours
   relative to each (above 1: ours is faster). Where the time went is said on standard error.

   --shard I/N takes every N-th case, from case I on (the first is 0): several GPUs, or several
   machines, share a sweep. --from N leaves the first N cases out.

   With --keep-going 1 a case that fails has a row, NAME,SHAPE,failed,WHY, and the next one follows.
   Where the device is of no use any more, as after an access out of bounds, the exit code is 3:
   --from goes on behind that case. A case that takes longer than --seconds ends the program by
   SIGALRM, without a row.

   The emulator is for tests: its times mean nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "beside/beside.h"

void stop(const struct bench *bench, const char *text) {
  if (bench->trap) {
    snprintf(bench->trap->reason, sizeof bench->trap->reason, "%s", text);
    longjmp(bench->trap->jump, 1);
  }
  fprintf(stderr, "beside: error: %s\n", text);
  exit(1);
}

void fail(const struct bench *bench, const char *what, const char *word) {
  char text[1024];
  snprintf(text, sizeof text, "line %d: %s '%s'", bench->line, what, word);
  stop(bench, text);
}

void check(const struct bench *bench, tile_status status) {
  if (!status)
    return;
  char text[1024];
  snprintf(text, sizeof text, "%s", tile_status_message(status));
  tile_status_free(status);
  fail(bench, bench->name, text);
}

/* Seconds since the last call, added to *total. */
static void lap(double *total) {
  static struct timespec last;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (total)
    *total += (double)(now.tv_sec - last.tv_sec) + (double)(now.tv_nsec - last.tv_nsec) * 1e-9;
  last = now;
}

static bool starts(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

/* The next line of a case that is asked for; false at the end. */
static bool next_line(struct bench *bench, FILE *manifest, char *line) {
  while (fgets(line, MAX_LINE, manifest)) {
    bench->line++;
    if (starts(line, "case ")) {
      begin_case(bench, line);
      bench->case_number++;
    }
    bool other = bench->shards && bench->case_number &&
                 (bench->case_number - 1) % bench->shards != bench->shard;
    bool skip = other || bench->case_number <= bench->from ||
                (bench->only && strcmp(bench->only, bench->name) != 0);
    if (!skip && line[0] != '#' && line[0] != '\n')
      return true;
  }
  rewind(manifest);
  bench->line = 0;
  bench->case_number = 0;
  return false;
}

/* Compares and times what the lines have said. */
static void run_case(struct bench *bench) {
  drop_unchanged(bench);
  verify(bench);
  lap(&bench->comparing);
  choose_fastest(bench);
  measure(bench);
  lap(&bench->measuring);
}

static void read_line(struct bench *bench, char *line) {
  if (starts(line, "end"))
    run_case(bench);
  else if (starts(line, "buffer "))
    add_buffer(bench, line);
  else if (starts(line, "ours "))
    add_ours(bench, line);
  else if (starts(line, "peer "))
    add_peer(bench, line);
  else if (starts(line, "gemm "))
    add_gemm(bench, line);
  else if (starts(line, "time "))
    add_time(bench, line);
  else if (starts(line, "output "))
    mark_outputs(bench, line);
  else if (!starts(line, "case "))
    fail(bench, "unknown line", line);
}

/* False when it has failed; it comes back only with --keep-going. */
static bool attempt(struct bench *bench, char *line) {
  if (bench->trap && setjmp(bench->trap->jump))
    return false;
  read_line(bench, line);
  return true;
}

static bool is_usable(struct bench *bench) {
  char byte;
  tile_buffer *buffer = NULL;
  tile_status status = tile_buffer_create(bench->device, 1, &buffer);
  if (!status)
    status = tile_buffer_read(buffer, 0, &byte, 1, NULL);
  bool is_good = !status;
  tile_status_free(status);
  tile_buffer_destroy(buffer);
  return is_good;
}

/* The case's row; words of the reason that a table of commas would not bear are changed. */
static void give_up(struct bench *bench) {
  for (char *c = bench->trap->reason; *c; c++)
    *c = *c == ',' ? ';' : *c == '\n' ? ' ' : *c;
  printf("%s,%s,failed,%s\n", bench->name, bench->shape, bench->trap->reason);
  fflush(stdout);
  bench->is_given_up = true;
  if (!is_usable(bench))
    exit(3);
}

static void run_manifest(struct bench *bench, FILE *manifest) {
  static char line[MAX_LINE];
  double compiling = 0;
  lap(NULL);
  while (next_line(bench, manifest, line))
    if (starts(line, "ours ") || (starts(line, "peer ") && strstr(line, " image=")))
      add_source(bench, line);
  compile_sources(bench);
  lap(&compiling);
  while (next_line(bench, manifest, line)) {
    if (starts(line, "case "))
      alarm(bench->seconds);
    if (!bench->is_given_up && !attempt(bench, line))
      give_up(bench);
    if (starts(line, "end")) {
      alarm(0);
      end_case(bench);
      bench->is_given_up = false;
    }
  }
  fprintf(
      stderr,
      "beside: %zu kernels compiled in %.1f s; %.1f s preparing and comparing, %.1f s measuring\n",
      bench->source_count, compiling, bench->comparing, bench->measuring);
}

/* False for what is not an option. */
static bool read_option(struct bench *bench, const char *name, const char *value,
                        const tile_driver **driver) {
  if (strcmp(name, "--rounds") == 0)
    bench->rounds = atoi(value);
  else if (strcmp(name, "--repeat-ms") == 0)
    bench->repeat_ms = atof(value);
  else if (strcmp(name, "--only") == 0)
    bench->only = value;
  else if (strcmp(name, "--shard") == 0)
    return sscanf(value, "%zu/%zu", &bench->shard, &bench->shards) == 2 &&
           bench->shard < bench->shards;
  else if (strcmp(name, "--each") == 0)
    bench->each = atoi(value) != 0;
  else if (strcmp(name, "--keep-going") == 0)
    bench->trap = atoi(value) != 0 ? calloc(1, sizeof *bench->trap) : NULL;
  else if (strcmp(name, "--from") == 0)
    bench->from = strtoul(value, NULL, 10);
  else if (strcmp(name, "--seconds") == 0)
    bench->seconds = (unsigned)strtoul(value, NULL, 10);
  else if (strcmp(name, "--device") == 0)
    *driver = strcmp(value, "cuda") == 0       ? tile_cuda_driver()
              : strcmp(value, "emulator") == 0 ? tile_emulator_driver()
                                               : NULL;
  else
    return false;
  return bench->rounds >= 1 && *driver;
}

int main(int argc, char **argv) {
  struct bench *bench = calloc(1, sizeof *bench);
  if (!bench)
    return 1;
  bench->rounds = 5;
  bench->repeat_ms = 40;
  const tile_driver *driver = tile_cuda_driver();
  bool is_usage = argc % 2 == 0;
  for (int i = 2; i + 1 < argc; i += 2)
    is_usage = read_option(bench, argv[i], argv[i + 1], &driver) && is_usage;
  if (!is_usage) {
    fprintf(stderr, "usage: beside MANIFEST [--device cuda|emulator] [--rounds N] [--repeat-ms X] "
                    "[--only NAME] [--each 1] [--shard I/N] [--keep-going 1] [--from N] "
                    "[--seconds N]\n");
    free(bench);
    return 1;
  }
  FILE *manifest = fopen(argv[1], "r");
  if (!manifest)
    fail(bench, "cannot read", argv[1]);
  const char *slash = strrchr(argv[1], '/');
  snprintf(bench->folder, sizeof bench->folder, "%.*s", slash ? (int)(slash - argv[1]) : 1,
           slash ? argv[1] : ".");
  check(bench, tile_device_open(driver, 0, &bench->device));
  printf("case,shape,configuration,ours_ms,ours_rate,peer,peer_ms,peer/ours,...\n");
  fflush(stdout);
  run_manifest(bench, manifest);
  fclose(manifest);
  data_unload(bench);
  sources_destroy(bench);
  cublas_close(bench);
  for (int i = 0; i < MAX_THREADS; i++)
    tile_compiler_destroy(bench->compilers[i]);
  tile_device_close(bench->device);
  free(bench->trap);
  free(bench);
  return 0;
}
