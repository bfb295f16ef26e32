/* SPDX-License-Identifier: MIT */
/* What a tuning remembers: winners found again, keys that differ, tuners that are killed or run at
   once, dangerous candidates, and databases that cannot be used. Times are the test's own. */
#include "tile/tune.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/files.h"
#include "base/status.h"
#include "check.h"
#include "temporary.h"
#include "tune/database.h"
#include "tune/tuning.h"

static const char kernel[] = "import triton\n"
                             "import triton.language as tl\n"
                             "from .helper import one\n"
                             "\n"
                             "@triton.autotune(configs=[triton.Config({'BLOCK': b}, num_warps=1) "
                             "for b in (32, 64, 128)], key=['n'])\n"
                             "@triton.jit\n"
                             "def add(x, n, m, BLOCK: tl.constexpr, MORE: tl.constexpr = 0):\n"
                             "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                             "    tl.store(x + i, m + one() + MORE, mask=i < n)\n";

static const char *const helpers[] = {
    "import triton\n@triton.jit\ndef one():\n    return 1\n",
    "import triton\n@triton.jit\ndef one():\n    return 2\n",
};

/* One tuning's world. */
struct world {
  char *folder;
  struct text database;
  const char *helper;
  int32_t n, m;
  const char *signature, *constant;
  const char *const *candidates;
  size_t candidate_count;
  bool again;
  double truth[4];
  int runs;             /* of the clock, those not counted that are compared */
  size_t breaks, hangs; /* a candidate that breaks the device, or never ends, in the run that is
                           compared; 99: none */
  int kill_at;          /* a stage at which the process is killed; -1: none */
  bool finds;           /* tile_tune_find */
};

static bool read_helper(void *data, const char *path, const char **out_text, size_t *out_length) {
  struct world *world = data;
  if (!strstr(path, "helper.py"))
    return false;
  *out_text = world->helper;
  *out_length = strlen(world->helper);
  return true;
}

static tile_status tell_time(void *context, size_t candidate, int run, double *out) {
  struct world *world = context;
  if (run < 0 && candidate == world->breaks)
    return FAIL(TILE_DEVICE_FAILED, "an illegal address");
  if (run < 0 && candidate == world->hangs)
    return FAIL(TILE_DEVICE_FAILED, TUNING_NO_END " within 10 s");
  world->runs += run >= 0;
  *out = world->truth[candidate];
  return NULL;
}

static bool maybe_die(void *context, const tile_tune_progress *progress) {
  struct world *world = context;
  if ((int)progress->stage == world->kill_at && progress->done > 1)
    raise(SIGKILL);
  return true;
}

static struct world make_world(void) {
  struct world world = {.folder = temporary_folder("tune"),
                        .helper = helpers[0],
                        .n = 100,
                        .m = 5,
                        .signature = "*i32:16, i32, i32",
                        .truth = {3, 1, 2, 9},
                        .breaks = 99,
                        .hangs = 99,
                        .kill_at = -1};
  text_printf(&world.database, "%s/tune.sqlite3", world.folder);
  return world;
}

static void end_world(struct world *world) {
  char command[512];
  snprintf(command, sizeof command, "rm -rf '%s'", world->folder);
  CHECK(system(command) == 0);
  free(world->folder);
  text_free(&world->database);
}

/* A tuning on a device of its own; the status' code and message in `out_code` and `message`. */
static tile_tuning *tune(struct world *world, tile_code *out_code, char message[300]) {
  tile_device *device;
  tile_buffer *x = NULL;
  tile_tuning *tuning = NULL;
  CHECK(!tile_emulator_device_create(NULL, &device) && !tile_buffer_create(device, 1024, &x));
  const tile_tune_argument arguments[] = {{"x", tile_argument_buffer(x), x},
                                          {"n", tile_argument_i32(world->n), NULL},
                                          {"m", tile_argument_i32(world->m), NULL}};
  const tile_import_options import = {.signature = world->signature,
                                      .constants = &world->constant,
                                      .constant_count = world->constant != NULL,
                                      .read_source = read_helper,
                                      .read_data = world};
  const tile_tune_options options = {.device = device,
                                     .import = &import,
                                     .arguments = arguments,
                                     .argument_count = 3,
                                     .grid = "cdiv(n, BLOCK)",
                                     .candidates = world->candidates,
                                     .candidate_count = world->candidate_count,
                                     .database = text_string(&world->database),
                                     .again = world->again,
                                     .threads = 1,
                                     .progress = maybe_die,
                                     .progress_context = world};
  const struct tune_extras extras = {.time = tell_time, .context = world};
  world->runs = 0;
  tile_status status = (world->finds ? tuning_find : tuning_run)(
      "pkg/k.py", kernel, sizeof kernel - 1, &options, &extras, &tuning);
  *out_code = tile_status_code(status);
  snprintf(message, 300, "%s", tile_status_message(status));
  tile_status_free(status);
  tile_buffer_destroy(x);
  tile_device_close(device);
  return tuning;
}

/* Whether it was tuned anew, or found; -1 for an error. */
static int tune_fine(struct world *world, size_t winner) {
  tile_code code;
  char message[300];
  tile_tuning *tuning = tune(world, &code, message);
  CHECK_TEXT(message, "");
  if (!tuning)
    return -1;
  CHECK_EQUAL(tile_tuning_winner(tuning), winner);
  CHECK(!tile_tuning_problem(tuning));
  bool remembered = tile_tuning_remembered(tuning);
  CHECK_EQUAL(remembered, world->runs == 0);
  tile_tuning_destroy(tuning);
  return remembered;
}

enum { ANEW, FOUND };

static void found_again(void) {
  struct world world = make_world();
  tile_code code;
  char message[300];
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  world.truth[0] = 0.1; /* nobody asks */
  tile_tuning *tuning = tune(&world, &code, message);
  CHECK(tile_tuning_remembered(tuning));
  CHECK_EQUAL(world.runs, 0);
  CHECK_EQUAL(tile_tuning_winner(tuning), 1);
  const tile_tune_row *row = tile_tuning_row(tuning, 0);
  CHECK_EQUAL(row->outcome, TILE_TUNE_DROPPED);
  CHECK_TEXT(row->message, "slower");
  CHECK(row->milliseconds > 2.999 && row->milliseconds < 3.001 && row->rounds == 3);
  tile_tuning_destroy(tuning);
  world.again = true;
  CHECK_EQUAL(tune_fine(&world, 0), ANEW);
  world.again = false;
  CHECK_EQUAL(tune_fine(&world, 0), FOUND);
  end_world(&world);
}

/* What the decorator's key does not name may change; what it names, types, sources and constants
 * may not. */
static void keys(void) {
  struct world world = make_world();
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  world.m = 6;
  CHECK_EQUAL(tune_fine(&world, 1), FOUND);
  world.signature = "*i32, i32, i32"; /* no promise of alignment: the same types */
  CHECK_EQUAL(tune_fine(&world, 1), FOUND);
  world.n = 101;
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  world.n = 100;
  world.signature = "*fp32, i32, i32";
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  world.signature = "*i32, i32, i32";
  world.helper = helpers[1]; /* a file that it imports from */
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  world.constant = "MORE=1";
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  CHECK_EQUAL(tune_fine(&world, 1), FOUND);
  world.constant = NULL;
  CHECK_EQUAL(tune_fine(&world, 1), FOUND);
  world.helper = helpers[0];
  CHECK_EQUAL(tune_fine(&world, 1), FOUND);
  end_world(&world);
}

/* A winner among other candidates is not good enough to tune_tune, and is to tile_tune_find. */
static void other_candidates(void) {
  static const char *const candidates[] = {"{\"constants\":{\"BLOCK\":\"256\"}}",
                                           "{\"constants\":{\"BLOCK\":\"16\"}}"};
  struct world world = make_world();
  tile_code code;
  char message[300];
  world.finds = true;
  CHECK(!tune(&world, &code, message));
  CHECK_EQUAL(code, TILE_NOT_FOUND);
  CHECK_TEXT(message, "kernel 'add' has not been tuned for these arguments on this device");
  world.finds = false;
  world.candidates = candidates, world.candidate_count = 2;
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  CHECK_EQUAL(tune_fine(&world, 1), FOUND);
  world.finds = true;
  world.candidates = NULL, world.candidate_count = 0;
  tile_tuning *tuning = tune(&world, &code, message);
  CHECK_EQUAL(tile_tuning_count(tuning), 4);
  CHECK_EQUAL(tile_tuning_winner(tuning), 3);
  size_t count;
  CHECK_TEXT(tile_tuning_constants(tuning, &count)[0], "BLOCK=16");
  CHECK_EQUAL(count, 1);
  tile_tuning_destroy(tuning);
  world.finds = false;
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  end_world(&world);
}

/* --- What goes wrong -------------------------------------------------------------------------- */

static void die_in_child(struct world *world) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    tile_code code;
    char message[300];
    tune(world, &code, message);
    _exit(7);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Killed at any stage, nothing is there, and the next one tunes. */
static void killed_tuners(void) {
  for (int stage = TILE_TUNE_COMPILING; stage <= TILE_TUNE_TIMING; stage++) {
    struct world world = make_world();
    world.kill_at = stage;
    die_in_child(&world);
    world.kill_at = -1;
    CHECK_EQUAL(tune_fine(&world, 1), ANEW);
    CHECK_EQUAL(tune_fine(&world, 1), FOUND);
    world.kill_at = stage; /* what was there stays, when a tuner is killed that measures anew */
    world.again = true;
    die_in_child(&world);
    world.kill_at = -1;
    world.again = false;
    CHECK_EQUAL(tune_fine(&world, 1), FOUND);
    end_world(&world);
  }
}

/* What a device holds while a run goes on is given up: so this is a process that ends. */
static void tune_dangerous(struct world *world, bool hangs) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    tile_code code;
    char message[300];
    tile_tuning *tuning = tune(world, &code, message);
    CHECK_EQUAL(code, TILE_DEVICE_FAILED);
    CHECK_EQUAL(tile_tuning_row(tuning, 1)->outcome, hangs ? TILE_TUNE_TIMEOUT : TILE_TUNE_FAILED);
    fflush(stdout);
    _exit(check_failures_ != 0);
  }
  int status = 1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Who breaks the device, or never ends, is not tried a second time. */
static void dangerous(bool hangs) {
  struct world world = make_world();
  tile_code code;
  char message[300];
  *(hangs ? &world.hangs : &world.breaks) = 1;
  tune_dangerous(&world, hangs);
  world.hangs = world.breaks = 99; /* it would not, this time */
  tile_tuning *tuning = tune(&world, &code, message);
  CHECK_EQUAL(code, TILE_OK);
  CHECK_EQUAL(tile_tuning_winner(tuning), 2);
  CHECK_EQUAL(tile_tuning_row(tuning, 1)->outcome, hangs ? TILE_TUNE_TIMEOUT : TILE_TUNE_FAILED);
  CHECK_EQUAL(tile_tuning_row(tuning, 1)->rounds, 0);
  CHECK(strstr(tile_tuning_row(tuning, 1)->message, hangs ? TUNING_NO_END : "an illegal address"));
  tile_tuning_destroy(tuning);
  world.again = true;
  CHECK_EQUAL(tune_fine(&world, 1), ANEW);
  end_world(&world);
}

static void dangerous_candidates(void) {
  dangerous(false);
  dangerous(true);
}

/* The tuning is as good without, and the file stays as it is. */
static void unusable_databases(void) {
  static const char nonsense[] = "this is no database";
  struct world world = make_world();
  tile_code code;
  char message[300];
  CHECK(!file_write(text_string(&world.database), nonsense, sizeof nonsense - 1));
  tile_tuning *tuning = tune(&world, &code, message);
  CHECK_EQUAL(code, TILE_OK);
  CHECK_EQUAL(tile_tuning_winner(tuning), 1);
  CHECK(strstr(tile_tuning_problem(tuning), "is no SQLite database"));
  tile_tuning_destroy(tuning);
  struct text now = {0};
  CHECK(!file_read(text_string(&world.database), &now));
  CHECK_TEXT(text_string(&now), nonsense);
  text_free(&now);
  world.finds = true;
  CHECK(!tune(&world, &code, message));
  CHECK(strstr(message, "is no SQLite database"));
  world.finds = false;
  text_puts(&world.database, "/below/a/file");
  tuning = tune(&world, &code, message);
  CHECK_EQUAL(code, TILE_OK);
  CHECK(tile_tuning_problem(tuning));
  tile_tuning_destroy(tuning);
  end_world(&world);
}

/* --- Several at once -------------------------------------------------------------------------- */

static void *tune_in_thread(void *data) {
  tile_code code;
  char message[300];
  return tune(data, &code, message);
}

static void two_tuners(void) {
  struct world worlds[2] = {make_world(), make_world()};
  pthread_t threads[2];
  void *tunings[2];
  text_free(&worlds[1].database);
  text_puts(&worlds[1].database, text_string(&worlds[0].database));
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, tune_in_thread, &worlds[i]);
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], &tunings[i]);
    CHECK_EQUAL(tile_tuning_winner(tunings[i]), 1);
    CHECK(!tile_tuning_problem(tunings[i]));
    tile_tuning_destroy(tunings[i]);
  }
  CHECK_EQUAL(tune_fine(&worlds[0], 1), FOUND);
  end_world(&worlds[0]);
  end_world(&worlds[1]);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"found_again", found_again}, {"keys", keys},
                   {"other_candidates", other_candidates}, {"killed_tuners", killed_tuners},
                   {"dangerous_candidates", dangerous_candidates},
                   {"unusable_databases", unusable_databases}, {"two_tuners", two_tuners});
}
