/* SPDX-License-Identifier: MIT */
/* tile_tune on the emulator: candidates that are good, wrong, failing and hanging; what happens to
   buffers; with a clock of the test's own, who wins and what a lost device leaves. */
#include "tile/tune.h"

#include <pthread.h>
#include <stdlib.h>
#include "base/status.h"
#include "check.h"
#include "tune/tuning.h"

enum { COUNT = 200 };

static const char kernels[] =
    "import triton\n"
    "import triton.language as tl\n"
    "\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': b}, num_warps=w) for b, w in [(64, 2), "
    "(128, 4), (256, 4)]], key=['n'])\n"
    "@triton.jit\n"
    "def add(x, out, n, BLOCK: tl.constexpr):\n"
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    tl.store(out + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)\n"
    "\n"
    "@triton.jit\n"
    "def modes(x, out, n, BLOCK: tl.constexpr, MODE: tl.constexpr):\n"
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    tl.static_assert(MODE != 3, 'mode 3 does not compile')\n"
    "    if MODE == 2:\n"
    "        tl.store(out + i + n, 0.0)\n"
    "    if MODE == 4:\n"
    "        while tl.atomic_add(out, 0.0) < 1e30:\n"
    "            pass\n"
    "    if MODE == 5:\n"
    "        v = n\n"
    "        while v > 0:\n"
    "            v += tl.where(v == 7, 1, 0)\n"
    "        tl.store(out, v * 1.0)\n"
    "    if MODE == 6:\n"
    "        while n > 0:\n"
    "            tl.debug_barrier()\n"
    "    tl.store(out + i, tl.load(x + i, mask=i < n) + (2 if MODE == 1 else 1), mask=i < n)\n"
    "\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': b}) for b in (64, 128)], key=[], "
    "reset_to_zero=['out'],\n"
    "                 restore_value=['x'])\n"
    "@triton.jit\n"
    "def counted(x, out, n, BLOCK: tl.constexpr):\n"
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    before = tl.atomic_add(out, 1.0)\n"
    "    v = tl.load(x + i, mask=i < n, other=1.0)\n"
    "    past = tl.where((before >= tl.num_programs(0)) | (v > 1.5), 1 << 24, 0)\n"
    "    tl.store(x + i + past, v + 1, mask=i < n)\n"
    "\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': b}) for b in (64, 128, 256)], key=[], "
    "warmup=1, rep=2,\n"
    "                 prune_configs_by={'early_config_prune': lambda configs, args, **kwargs: [c "
    "for c in configs if c.kwargs['BLOCK'] <= args['n']]})\n"
    "@triton.jit\n"
    "def pruned(x, out, n, BLOCK: tl.constexpr):\n"
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    tl.store(out + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)\n"
    "\n"
    "@triton.jit\n"
    "def product(x, out, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, FAR: tl.constexpr = "
    "0):\n"
    "    i = tl.arange(0, 16)\n"
    "    a = tl.full((M, K), 1.0, tl.float16)\n"
    "    b = tl.full((K, N), 1.0, tl.float16)\n"
    "    c = tl.dot(a, b)\n"
    "    tl.store(out + i + FAR, tl.sum(tl.sum(c, axis=0), axis=0) + i)\n"
    "\n"
    "@triton.jit\n"
    "def plain(x, out, n, BLOCK: tl.constexpr):\n"
    "    tl.store(out, 1.0)\n";

/* A device with two buffers, x of ones and out of sevens. */
struct fixture {
  tile_device *device;
  tile_buffer *x, *out;
  float ones[COUNT], sevens[COUNT];
  tile_tune_argument arguments[3];
  tile_import_options import;
  tile_tune_options options;
};

static void fine(tile_status status) {
  CHECK_TEXT(tile_status_message(status), "");
  tile_status_free(status);
}

static void begin(struct fixture *f, const char *kernel) {
  memset(f, 0, sizeof *f);
  for (int i = 0; i < COUNT; i++)
    f->ones[i] = 1, f->sevens[i] = 7;
  fine(tile_emulator_device_create(NULL, &f->device));
  fine(tile_buffer_create(f->device, sizeof f->ones, &f->x));
  fine(tile_buffer_create(f->device, sizeof f->sevens, &f->out));
  fine(tile_buffer_write(f->x, 0, f->ones, sizeof f->ones, NULL));
  fine(tile_buffer_write(f->out, 0, f->sevens, sizeof f->sevens, NULL));
  f->arguments[0] = (tile_tune_argument){"out", tile_argument_buffer(f->out), f->out};
  f->arguments[1] = (tile_tune_argument){"n", tile_argument_i32(COUNT), NULL};
  f->arguments[2] = (tile_tune_argument){"x", tile_argument_buffer(f->x), f->x};
  f->import = (tile_import_options){.kernel = kernel, .signature = "*fp32, *fp32, i32"};
  f->options = (tile_tune_options){.device = f->device,
                                   .import = &f->import,
                                   .arguments = f->arguments,
                                   .argument_count = 3,
                                   .grid = "cdiv(n, BLOCK)",
                                   .database = "",
                                   .threads = 2};
}

/* What the buffers held is there again. */
static void end(struct fixture *f, tile_tuning *tuning) {
  static float now[COUNT];
  fine(tile_buffer_read(f->x, 0, now, sizeof now, NULL));
  CHECK(memcmp(now, f->ones, sizeof now) == 0);
  fine(tile_buffer_read(f->out, 0, now, sizeof now, NULL));
  CHECK(memcmp(now, f->sevens, sizeof now) == 0);
  tile_tuning_destroy(tuning);
  tile_buffer_destroy(f->x);
  tile_buffer_destroy(f->out);
  tile_device_close(f->device);
}

static tile_tuning *tune_with(struct fixture *f, const struct tune_extras *extras,
                              tile_code expected, const char *message) {
  tile_tuning *tuning = NULL;
  tile_status status =
      tuning_run("k.py", kernels, sizeof kernels - 1, &f->options, extras, &tuning);
  CHECK_EQUAL(tile_status_code(status), expected);
  if (!strstr(tile_status_message(status), message))
    CHECK_TEXT(tile_status_message(status), message);
  tile_status_free(status);
  return tuning;
}

static tile_tuning *tune(struct fixture *f, tile_code expected, const char *message) {
  return tune_with(f, NULL, expected, message);
}

static void check_row(const tile_tuning *tuning, size_t index, tile_tune_outcome outcome,
                      const char *message) {
  const tile_tune_row *row = tile_tuning_row(tuning, index);
  CHECK_EQUAL(row->outcome, outcome);
  if (!strstr(row->message, message))
    CHECK_TEXT(row->message, message);
  CHECK_EQUAL(row->message[0] != 0, outcome != TILE_TUNE_OK);
}

/* --- The emulator's estimate ------------------------------------------------------------------ */

static void tunes_a_kernel(void) {
  struct fixture f;
  begin(&f, "add");
  tile_tuning *tuning = tune(&f, TILE_OK, "");
  size_t count, again;
  CHECK(tile_tuning_estimated(tuning));
  CHECK_EQUAL(tile_tuning_count(tuning), 3);
  for (size_t i = 0; i < 3; i++) {
    check_row(tuning, i, TILE_TUNE_OK, "");
    CHECK(tile_tuning_row(tuning, i)->milliseconds > 0);
    CHECK_EQUAL(tile_tuning_row(tuning, i)->config, (int)i);
  }
  CHECK(!tile_tuning_row(tuning, 3));
  CHECK_TEXT(tile_tuning_row(tuning, 1)->candidate,
             "{\"constants\":{\"BLOCK\":\"128\"},\"num_warps\":4,\"num_stages\":3,\"num_ctas\":1,"
             "\"maxnreg\":0}");
  CHECK_TEXT(tile_tuning_row(tuning, 1)->description, "BLOCK=128 num_warps=4 num_stages=3");
  again = tile_tuning_winner(tuning);
  const char *const *constants = tile_tuning_constants(tuning, &count);
  CHECK_EQUAL(count, 4);
  CHECK(strncmp(constants[0], "BLOCK=", 6) == 0 && strncmp(constants[1], "num_warps=", 10) == 0);
  CHECK_TEXT(constants[2], "num_stages=3");
  end(&f, tuning);
  for (int threads = 1; threads <= 4;
       threads += 3) { /* the same again, with any number of threads */
    begin(&f, "add");
    f.options.threads = threads;
    tuning = tune(&f, TILE_OK, "");
    CHECK_EQUAL(tile_tuning_winner(tuning), again);
    end(&f, tuning);
  }
}

static const char *const mode_candidates[] = {
    "{\"constants\":{\"BLOCK\":\"64\",\"MODE\":\"3\"}}",
    "{\"constants\":{\"BLOCK\":\"128\",\"MODE\":\"0\"}}",
    "{\"constants\":{\"BLOCK\":\"128\",\"MODE\":\"1\"}}",
    "{\"constants\":{\"BLOCK\":\"128\",\"MODE\":\"2\"}}",
    "{\"constants\":{\"BLOCK\":\"32\",\"MODE\":\"4\"},\"num_warps\":1}",
    "{\"constants\":{\"BLOCK\":\"128\",\"MODE\":\"0\"}}",
    "{\"constants\":{\"BLOCK\":\"100\",\"MODE\":\"0\"}}",
    "{\"constants\":{\"BLOCK\":\"256\",\"MODE\":\"0\"}}",
    "{\"constants\":{\"BLOCK\":\"32\",\"MODE\":\"5\"},\"num_warps\":1}",
    "{\"constants\":{\"BLOCK\":\"32\",\"MODE\":\"6\"},\"num_warps\":1}",
};

static void begin_modes(struct fixture *f) {
  begin(f, "modes");
  f->options.candidates = mode_candidates;
  f->options.candidate_count = sizeof mode_candidates / sizeof *mode_candidates;
}

/* One that does not compile, one that is wrong, one that runs out of bounds, one that never ends,
 * one twice, one that is no tile. */
static void bad_candidates(void) {
  struct fixture f;
  begin_modes(&f);
  tile_tuning *tuning = tune(&f, TILE_OK, "");
  check_row(tuning, 0, TILE_TUNE_FAILED, "mode 3 does not compile");
  check_row(tuning, 1, TILE_TUNE_OK, "");
  check_row(tuning, 2, TILE_TUNE_WRONG, "element 0 of 'out' is 3; candidate 1 has 2");
  check_row(tuning, 3, TILE_TUNE_FAILED, "out-of-bounds");
  check_row(tuning, 4, TILE_TUNE_TIMEOUT, "deadlock");
  check_row(tuning, 5, TILE_TUNE_DROPPED, "the same as candidate 1");
  check_row(tuning, 6, TILE_TUNE_FAILED, "100");
  check_row(tuning, 7, TILE_TUNE_OK, "");
  check_row(tuning, 8, TILE_TUNE_TIMEOUT, "endless loop at k.py:");
  check_row(tuning, 8, TILE_TUNE_TIMEOUT, "more than 100000 turns of loops");
  check_row(tuning, 9, TILE_TUNE_TIMEOUT, "more than 100000 turns of loops");
  CHECK_EQUAL(tile_tuning_row(tuning, 1)->config, -1);
  end(&f, tuning);
}

/* The first one to run is held to the time limit, a second of which is 100,000 turns; the device's
 * own limit is as it was. */
static void endless_first(void) {
  static const char *const candidates[] = {
      "{\"constants\":{\"BLOCK\":\"32\",\"MODE\":\"5\"},\"num_warps\":1}",
      "{\"constants\":{\"BLOCK\":\"32\",\"MODE\":\"0\"},\"num_warps\":1}"};
  struct fixture f;
  begin(&f, "modes");
  f.options.candidates = candidates;
  f.options.candidate_count = 2;
  f.options.time_limit = 0.02;
  fine(tile_device_set_option(f.device, "turn_limit", 3000));
  tile_tuning *tuning = tune(&f, TILE_OK, "");
  check_row(tuning, 0, TILE_TUNE_TIMEOUT, "more than 2000 turns of loops");
  check_row(tuning, 1, TILE_TUNE_OK, "");
  CHECK_EQUAL(tile_tuning_winner(tuning), 1);
  tile_tuning_destroy(tuning);
  f.options.time_limit = 0.04;
  tuning = tune(&f, TILE_OK, "");
  check_row(tuning, 0, TILE_TUNE_TIMEOUT, "more than 3000 turns of loops");
  end(&f, tuning);
}

static void nobody_is_left(void) {
  struct fixture f;
  begin_modes(&f);
  f.options.candidate_count = 1;
  tile_tuning *tuning = tune(&f, TILE_NOT_FOUND, "candidate 0 failed: ");
  size_t count = 7;
  CHECK_EQUAL(tile_tuning_winner(tuning), 1);
  CHECK(!tile_tuning_constants(tuning, &count));
  check_row(tuning, 0, TILE_TUNE_FAILED, "mode 3 does not compile");
  end(&f, tuning);
}

/* A run that begins with what the last one left goes out of bounds. */
static void buffers_before_each_run(void) {
  struct fixture f;
  begin(&f, "counted");
  tile_tuning *tuning = tune(&f, TILE_OK, "");
  check_row(tuning, 0, TILE_TUNE_OK, "");
  check_row(tuning, 1, TILE_TUNE_WRONG, "'out'"); /* counts programs: other blocks, another sum */
  end(&f, tuning);
}

static tile_status ten_programs(void *context, const tile_kernel_version *version,
                                void *const *arguments, uint32_t grid[3]) {
  const char *block = tile_kernel_version_constant(version, "BLOCK");
  int *calls = context;
  ++*calls;
  (void)arguments;
  if (!block)
    return FAIL(TILE_NOT_FOUND, "BLOCK is not there");
  grid[0] = (uint32_t)((COUNT + atoi(block) - 1) / atoi(block));
  return NULL;
}

static void grid_functions(void) {
  struct fixture f;
  int calls = 0;
  begin(&f, "add");
  f.options.grid = NULL;
  f.options.grid_function = ten_programs;
  f.options.grid_context = &calls;
  tile_tuning *tuning = tune(&f, TILE_OK, "");
  CHECK_EQUAL(calls, 3);
  end(&f, tuning);
}

/* What prune_configs_by leaves for these arguments, with its numbers. */
static void pruned_candidates(void) {
  struct fixture f;
  begin(&f, "pruned");
  tile_tuning *tuning = tune(&f, TILE_OK, "");
  CHECK_EQUAL(tile_tuning_count(tuning), 2);
  CHECK_EQUAL(tile_tuning_row(tuning, 1)->config, 1);
  end(&f, tuning);
}

/* Sums that no thread can hold, operands that no block can, tiles that move too much: dropped
 * before they are compiled. */
static void hopeless_candidates(void) {
  static const char *const candidates[] = {
      "{\"constants\":{\"M\":\"256\",\"N\":\"256\",\"K\":\"16\"},\"num_warps\":4}",
      "{\"constants\":{\"M\":\"16\",\"N\":\"16\",\"K\":\"16\"},\"num_warps\":1}",
      "{\"constants\":{\"M\":\"128\",\"N\":\"64\",\"K\":\"16\"},\"num_warps\":4}",
      "{\"constants\":{\"M\":\"64\",\"N\":\"64\",\"K\":\"1024\"},\"num_warps\":4}"};
  struct fixture f;
  begin(&f, "product");
  f.options.candidates = candidates;
  f.options.candidate_count = 4;
  f.options.grid = "cdiv(n * 8, M) * cdiv(n * 8, N)";
  tile_tuning *tuning = tune(&f, TILE_OK, "");
  check_row(tuning, 0, TILE_TUNE_DROPPED,
            "hopeless: the accumulators of a dot take 512 registers of a thread, which has 255");
  check_row(tuning, 1, TILE_TUNE_DROPPED, "hopeless: by traffic and waves it takes ");
  check_row(tuning, 2, TILE_TUNE_OK, "");
  check_row(tuning, 3, TILE_TUNE_DROPPED, "hopeless: the operands of a dot are 262144 bytes");
  end(&f, tuning);
}

/* In parts the same are dropped that do not fit, whoever is in the part; what is slower than
   another is not, as that other may be elsewhere. */
static void hopeless_in_parts(void) {
  static const char *const candidates[] = {
      "{\"constants\":{\"M\":\"128\",\"N\":\"64\",\"K\":\"16\"},\"num_warps\":4}",
      "{\"constants\":{\"M\":\"16\",\"N\":\"16\",\"K\":\"16\"},\"num_warps\":1}",
      "{\"constants\":{\"M\":\"256\",\"N\":\"256\",\"K\":\"16\"},\"num_warps\":4}",
      "{\"constants\":{\"M\":\"64\",\"N\":\"64\",\"K\":\"1024\"},\"num_warps\":4}"};
  for (size_t shard = 0; shard < 3; shard++) {
    struct fixture f;
    begin(&f, "product");
    f.options.candidates = candidates;
    f.options.candidate_count = 4;
    f.options.grid = "cdiv(n * 8, M) * cdiv(n * 8, N)";
    tile_tuning *tuning =
        tune_with(&f, &(struct tune_extras){.shard = shard, .shards = 3}, TILE_OK, "");
    CHECK_EQUAL(tile_tuning_count(tuning), 2);
    check_row(tuning, 0, TILE_TUNE_OK, "");
    if (shard == 0)
      CHECK(!strstr(tile_tuning_row(tuning, 1)->message, "hopeless"));
    else
      check_row(tuning, 1, TILE_TUNE_DROPPED,
                shard == 1 ? "hopeless: the accumulators" : "hopeless: the operands");
    end(&f, tuning);
  }
}

/* The first one is hopeless in every part, also where it is alone. */
static void hopeless_first(void) {
  static const char *const candidates[] = {
      "{\"constants\":{\"M\":\"256\",\"N\":\"256\",\"K\":\"16\"},\"num_warps\":4}",
      "{\"constants\":{\"M\":\"16\",\"N\":\"16\",\"K\":\"16\"},\"num_warps\":1}"};
  struct fixture f;
  begin(&f, "product");
  f.options.candidates = candidates;
  f.options.candidate_count = 2;
  f.options.grid = "1";
  tile_tuning *tuning = tune_with(&f, &(struct tune_extras){.shard = 1, .shards = 2}, TILE_OK, "");
  CHECK_EQUAL(tile_tuning_count(tuning), 1);
  check_row(tuning, 0, TILE_TUNE_DROPPED, "hopeless: the accumulators");
  end(&f, tuning);
}

/* --- A clock of the test's own ---------------------------------------------------------------- */

struct clock {
  double truth[3];
  int breaks_in, fails_in; /* the run of candidate 1 that does */
  int runs;
};

static tile_status tell_time(void *context, size_t candidate, int run, double *out) {
  struct clock *clock = context;
  clock->runs += run >= 0;
  if (candidate == 1 && run == clock->breaks_in)
    return FAIL(TILE_DEVICE_FAILED, "the device is gone");
  if (candidate == 1 && run == clock->fails_in)
    return FAIL(TILE_UNSUPPORTED, "it does not like to run again");
  *out = clock->truth[candidate];
  return NULL;
}

static tile_tuning *tune_by(struct fixture *f, struct clock *clock, tile_code expected,
                            const char *message) {
  begin(f, "add");
  return tune_with(f, &(struct tune_extras){.time = tell_time, .context = clock}, expected,
                   message);
}

/* The one with hope fails when it runs: then the others get their turn, since an estimate may be
 * wrong. */
static void revived_candidates(void) {
  static const char *const candidates[] = {
      "{\"constants\":{\"M\":\"16\",\"N\":\"16\",\"K\":\"16\"},\"num_warps\":1}",
      "{\"constants\":{\"M\":\"128\",\"N\":\"64\",\"K\":\"16\",\"FAR\":\"16777216\"},\"num_warps\":"
      "4}"};
  struct fixture f;
  struct clock clock = {.truth = {3, 1}, .breaks_in = 999, .fails_in = 999};
  begin(&f, "product");
  f.options.candidates = candidates;
  f.options.candidate_count = 2;
  f.options.grid = "cdiv(n * 8, M) * cdiv(n * 8, N)";
  tile_tuning *tuning =
      tune_with(&f, &(struct tune_extras){.time = tell_time, .context = &clock}, TILE_OK, "");
  CHECK_EQUAL(tile_tuning_winner(tuning), 0);
  check_row(tuning, 1, TILE_TUNE_FAILED, "out-of-bounds");
  end(&f, tuning);
}

static void times_decide(void) {
  struct fixture f;
  struct clock clock = {.truth = {3, 1.002, 1}, .breaks_in = 999, .fails_in = 999};
  tile_tuning *tuning = tune_by(&f, &clock, TILE_OK, "");
  CHECK_EQUAL(tile_tuning_winner(tuning), 1);
  check_row(tuning, 0, TILE_TUNE_DROPPED, "slower");
  double time = tile_tuning_row(tuning, 1)->milliseconds;
  CHECK(time > 1.00199 && time < 1.00201);
  end(&f, tuning);
}

static void failing_later(void) {
  struct fixture f;
  struct clock clock = {.truth = {3, 1, 2}, .breaks_in = 999, .fails_in = 4};
  tile_tuning *tuning = tune_by(&f, &clock, TILE_OK, "");
  CHECK_EQUAL(tile_tuning_winner(tuning), 2);
  check_row(tuning, 1, TILE_TUNE_FAILED, "it does not like to run again");
  end(&f, tuning);
}

static void lost_device(void) {
  struct fixture f;
  struct clock clock = {.truth = {1, 1, 1}, .breaks_in = 2, .fails_in = 999};
  tile_tuning *tuning = tune_by(&f, &clock, TILE_DEVICE_FAILED, "the device is gone");
  CHECK_EQUAL(tile_tuning_count(tuning), 3);
  CHECK_EQUAL(tile_tuning_winner(tuning), 3);
  end(&f, tuning);
}

/* --- Progress --------------------------------------------------------------------------------- */

struct watcher {
  int stop_at; /* a stage; -1: never */
  size_t compiled, checked, rounds;
};

static bool watch(void *context, const tile_tune_progress *progress) {
  struct watcher *watcher = context;
  size_t *const done[] = {&watcher->compiled, &watcher->checked, &watcher->rounds};
  CHECK(progress->done <= progress->total && progress->left <= 3);
  CHECK_EQUAL(progress->best != NULL, progress->stage == TILE_TUNE_TIMING);
  *done[progress->stage] = progress->done;
  return (int)progress->stage != watcher->stop_at;
}

static tile_tuning *tune_watched(struct fixture *f, struct watcher *watcher, tile_code expected,
                                 const char *message) {
  begin(f, "add");
  f->options.progress = watch;
  f->options.progress_context = watcher;
  return tune(f, expected, message);
}

static void progress(void) {
  struct fixture f;
  struct watcher watcher = {.stop_at = -1};
  tile_tuning *tuning = tune_watched(&f, &watcher, TILE_OK, "");
  CHECK_EQUAL(watcher.compiled, 3);
  CHECK_EQUAL(watcher.checked, 3);
  CHECK_EQUAL(watcher.rounds, 1);
  end(&f, tuning);
}

static void ended_by_the_caller(void) {
  for (int stage = TILE_TUNE_COMPILING; stage <= TILE_TUNE_TIMING; stage++) {
    struct fixture f;
    struct watcher watcher = {.stop_at = stage};
    bool timed = stage == TILE_TUNE_TIMING;
    tile_tuning *tuning = tune_watched(&f, &watcher, timed ? TILE_OK : TILE_NOT_FOUND,
                                       timed ? "" : "ended by its caller");
    CHECK_EQUAL(tile_tuning_count(tuning), 3);
    end(&f, tuning);
  }
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void wrong_options(void) {
  struct fixture f;
  begin(&f, "plain");
  CHECK(!tune(&f, TILE_INVALID_ARGUMENT, "'plain' has no configurations to choose from"));
  f.import.kernel = NULL;
  CHECK(!tune(&f, TILE_INVALID_ARGUMENT, "has 6 kernels; name one"));
  f.import.kernel = "none";
  CHECK(!tune(&f, TILE_NOT_FOUND, "there is no kernel 'none'"));
  f.import.kernel = "add";
  f.options.grid = NULL;
  CHECK(!tune(&f, TILE_INVALID_ARGUMENT, "there is neither"));
  f.options.grid = "1";
  f.options.import = NULL;
  CHECK(!tune(&f, TILE_INVALID_ARGUMENT, "options.import is NULL"));
  f.options.import = &f.import;
  f.options.candidates = (const char *const[]){"{\"num_warps\":5}"};
  f.options.candidate_count = 1;
  CHECK(!tune(&f, TILE_INVALID_ARGUMENT, "num_warps is a power of two"));
  f.options.candidate_count = 0;
  f.arguments[0].buffer = NULL;
  tile_tuning *tuning =
      tune(&f, TILE_INVALID_ARGUMENT, "argument 'out' is a pointer without a buffer");
  tile_tuning_destroy(tuning);
  f.arguments[0].buffer = f.out;
  f.arguments[1].name = "m";
  tuning = tune(&f, TILE_NOT_FOUND, "a parameter 'n', which no argument gives");
  tile_tuning_destroy(tuning);
  f.arguments[1].name = NULL;
  CHECK(!tune(&f, TILE_INVALID_ARGUMENT, "argument 1 has no name"));
  f.arguments[1].name = "n";
  f.options.grid = "cdiv(n, BLOK)";
  tuning = tune(&f, TILE_NOT_FOUND, "did you mean 'BLOCK'?");
  tile_tuning_destroy(tuning);
  f.options.grid = "n - 200";
  tuning = tune(&f, TILE_NOT_FOUND, "the grid has 0 programs along x");
  tile_tuning *none = (tile_tuning *)&f;
  tile_status status = tile_tune("k.py", "def", 3, &f.options, &none);
  CHECK_EQUAL(tile_status_code(status), TILE_NOT_FOUND);
  CHECK(!none);
  tile_status_free(status);
  end(&f, tuning);
}

/* --- Several at once -------------------------------------------------------------------------- */

static void *tune_in_thread(void *data) {
  struct fixture *f = data;
  static const struct tune_extras nothing;
  tile_tuning *tuning = NULL;
  tile_status status =
      tuning_run("k.py", kernels, sizeof kernels - 1, &f->options, &nothing, &tuning);
  tile_status_free(status);
  return tuning;
}

static void two_at_once(void) {
  struct fixture fixtures[2];
  pthread_t threads[2];
  void *tunings[2];
  for (int i = 0; i < 2; i++) {
    begin(&fixtures[i], "add");
    pthread_create(&threads[i], NULL, tune_in_thread, &fixtures[i]);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], &tunings[i]);
  CHECK_EQUAL(tile_tuning_winner(tunings[0]), tile_tuning_winner(tunings[1]));
  CHECK(tile_tuning_winner(tunings[0]) < 3);
  for (int i = 0; i < 2; i++)
    end(&fixtures[i], tunings[i]);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"tunes_a_kernel", tunes_a_kernel}, {"bad_candidates", bad_candidates},
      {"endless_first", endless_first}, {"nobody_is_left", nobody_is_left},
      {"buffers_before_each_run", buffers_before_each_run}, {"grid_functions", grid_functions},
      {"pruned_candidates", pruned_candidates}, {"hopeless_candidates", hopeless_candidates},
      {"hopeless_in_parts", hopeless_in_parts}, {"hopeless_first", hopeless_first},
      {"revived_candidates", revived_candidates}, {"times_decide", times_decide},
      {"failing_later", failing_later}, {"lost_device", lost_device}, {"progress", progress},
      {"ended_by_the_caller", ended_by_the_caller}, {"wrong_options", wrong_options},
      {"two_at_once", two_at_once});
}
