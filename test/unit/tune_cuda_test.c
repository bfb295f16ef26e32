/* SPDX-License-Identifier: MIT */
/* tile_tune where a candidate breaks the GPU, or never ends on it: the driver is fake_cuda.c, which
   runs nothing and knows kernels by their names. Each test is a process of its own, since a GPU
   that is lost is lost to all of it. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"
#include "temporary.h"
#include "tile/tune.h"

static const char text[] =
    "import triton\n"
    "import triton.language as tl\n"
    "\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': b}) for b in (32, 64)], key=[])\n"
    "@triton.jit\n"
    "def breaks(x, BLOCK: tl.constexpr):\n"
    "    tl.store(x + tl.arange(0, BLOCK), 1.0)\n"
    "\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': b}) for b in (32, 64)], key=[])\n"
    "@triton.jit\n"
    "def endless(x, BLOCK: tl.constexpr):\n"
    "    tl.store(x + tl.arange(0, BLOCK), 1.0)\n"
    "\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': b}) for b in (32, 64)], key=[])\n"
    "@triton.jit\n"
    "def good(x, BLOCK: tl.constexpr):\n"
    "    tl.store(x + tl.arange(0, BLOCK), 1.0)\n"
    "\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': b}) for b in (32, 64)], key=[], "
    "use_cuda_graph=True)\n"
    "@triton.jit\n"
    "def graphed(x, BLOCK: tl.constexpr):\n"
    "    tl.store(x + tl.arange(0, BLOCK), 1.0)\n"
    "\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': b}) for b in (32, 64)], key=[], "
    "use_cuda_graph=True, reset_to_zero=['x'])\n"
    "@triton.jit\n"
    "def reset(x, BLOCK: tl.constexpr):\n"
    "    tl.store(x + tl.arange(0, BLOCK), 1.0)\n";

static tile_tuning *tune(const char *kernel, tile_code expected) {
  tile_device *device;
  tile_buffer *x;
  tile_tuning *tuning = NULL;
  CHECK(!tile_device_open(tile_cuda_driver(), 0, &device));
  CHECK(!tile_buffer_create(device, 1024, &x));
  const tile_tune_argument arguments[] = {{"x", tile_argument_buffer(x), x}};
  const tile_import_options import = {.kernel = kernel, .signature = "*fp32:16"};
  const tile_tune_options options = {.device = device,
                                     .import = &import,
                                     .arguments = arguments,
                                     .argument_count = 1,
                                     .grid = "BLOCK * BLOCK * BLOCK // 32768",
                                     .database = "",
                                     .time_limit = 0.01};
  tile_status status = tile_tune("k.py", text, sizeof text - 1, &options, &tuning);
  if (tile_status_code(status) != expected)
    CHECK_TEXT(tile_status_message(status), "");
  CHECK_EQUAL(tile_status_code(status), expected);
  tile_status_free(status);
  return tuning;
}

static void expect_row(const tile_tuning *tuning, tile_tune_outcome outcome, const char *message) {
  const tile_tune_row *row = tile_tuning_row(tuning, 0);
  CHECK_EQUAL(row->outcome, outcome);
  if (!strstr(row->message, message))
    CHECK_TEXT(row->message, message);
  CHECK_EQUAL(tile_tuning_row(tuning, 1)->rounds, 0);
}

static void expect_broken(void) {
  expect_row(tune("breaks", TILE_DEVICE_FAILED), TILE_TUNE_FAILED, "it broke the device: ");
}

static void expect_timeout(void) {
  expect_row(tune("endless", TILE_DEVICE_FAILED), TILE_TUNE_TIMEOUT,
             "the run did not end within 0.01 s");
}

static void expect_winner(void) {
  tile_tuning *tuning = tune("good", TILE_OK);
  CHECK(tile_tuning_winner(tuning) < 2);
  CHECK(!tile_tuning_estimated(tuning));
  tile_tuning_destroy(tuning);
}

/* A ptxas that says which release it is of, notes that it ran, and gives the PTX back. */
static void use_ptxas(const char *release, const char *folder) {
  char program[256], log[256];
  snprintf(program, sizeof program, "%s/ptxas", folder);
  snprintf(log, sizeof log, "%s/log", folder);
  FILE *file = fopen(program, "w");
  CHECK(file);
  fprintf(file,
          "#!/bin/sh\necho \"$1\" >> '%s'\n"
          "[ \"$1\" = --version ] && echo 'Cuda compilation tools, release %s' || cat "
          "/proc/self/fd/3 > /proc/self/fd/4\n",
          log, release);
  CHECK(fclose(file) == 0 && chmod(program, 0755) == 0);
  setenv("TILE_PTXAS", program, 1);
}

static int count_runs(const char *folder) {
  char log[256], line[64];
  int runs = 0;
  snprintf(log, sizeof log, "%s/log", folder);
  FILE *file = fopen(log, "r");
  while (file && fgets(line, sizeof line, file))
    runs += strcmp(line, "-v\n") == 0;
  if (file)
    fclose(file);
  return runs;
}

static void tune_with_ptxas(const char *release, int expected_runs) {
  char *folder = temporary_folder("ptxas");
  use_ptxas(release, folder);
  expect_winner();
  CHECK_EQUAL(count_runs(folder), expected_runs);
  char name[256];
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "%s/%s", folder, i ? "log" : "ptxas");
    remove(name);
  }
  remove(folder);
  free(folder);
}

/* Candidates are assembled by the threads where ptxas is of the driver's release. */
static void expect_assembled(void) {
  tune_with_ptxas("12.8, V12.8.93", 2);
}

static void expect_not_assembled(void) {
  tune_with_ptxas("12.9, V12.9.86", 0);
}

/* How often the second candidate was launched, whose grid is larger than the first one's of 1. */
static int launches_of_second(const char *log) {
  char line[256];
  int count = 0;
  FILE *file = fopen(log, "r");
  CHECK(file != NULL);
  while (file && fgets(line, sizeof line, file))
    count += strncmp(line, "launch ", 7) == 0 && !strstr(line, " grid 1 ");
  if (file)
    fclose(file);
  return count;
}

/* A run takes 0.05 ms by the clock, however many launches it has. */
static void expect_launches(const char *kernel, double milliseconds, int outside, int each) {
  char *log = temporary_file("launches");
  setenv("FAKE_CUDA_LOG", log, 1);
  setenv("FAKE_CUDA_MS", "0.05", 1);
  tile_tuning *tuning = tune(kernel, TILE_OK);
  const tile_tune_row *row = tile_tuning_row(tuning, 1);
  CHECK(row->rounds > 0);
  CHECK_EQUAL(launches_of_second(log), outside + each * row->rounds);
  CHECK(row->milliseconds > 0.999 * milliseconds && row->milliseconds < 1.001 * milliseconds);
  tile_tuning_destroy(tuning);
  unlink(log);
  free(log);
}

/* The check, and in each round but the first one launch that fetches instructions, and one that is
   timed. With use_cuda_graph one more to see how many go together, and in each round one that warms
   and ten that are timed; not where buffers are prepared for each run. */
static void expect_separate(void) {
  expect_launches("good", 0.05, 0, 2);
}

static void expect_together(void) {
  expect_launches("graphed", 0.005, 2, 11);
}

static void expect_prepared(void) {
  expect_launches("reset", 0.05, 2, 2);
}

static void in_child(void (*run)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    run();
    fflush(stdout);
    _exit(check_failures_ != 0);
  }
  int status = 1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void broken_device(void) {
  in_child(expect_broken);
}

static void endless_run(void) {
  in_child(expect_timeout);
}

static void good_kernel(void) {
  in_child(expect_winner);
}

static void assembled(void) {
  in_child(expect_assembled);
}

static void not_assembled(void) {
  in_child(expect_not_assembled);
}

static void launches_together(void) {
  in_child(expect_separate);
  in_child(expect_together);
  in_child(expect_prepared);
}

int main(int argc, char **argv) {
  setenv("TILE_LIBCUDA", FAKE_CUDA_LIBRARY, 1);
  setenv("FAKE_CUDA_NO_FILL", "1", 1);
  return RUN_TESTS(argc, argv, {"broken_device", broken_device}, {"endless_run", endless_run},
                   {"good_kernel", good_kernel}, {"assembled", assembled},
                   {"not_assembled", not_assembled}, {"launches_together", launches_together});
}
