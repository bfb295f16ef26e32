/* SPDX-License-Identifier: MIT */
/* Running candidates: once to compare their results, then in rounds to take their times. */
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "frontend/config/listing.h"
#include "runtime/emulator/emulator_driver.h"
#include "tile/interop.h"
#include "tune/endless.h"
#include "tune/estimate.h"
#include "tune/grid.h"
#include "tune/results.h"

enum { FLUSH_BYTES = 256 << 20, WARMUP_RUNS = 1000, MAX_SPILLED = 512 };

struct measuring {
  tile_tuning *tuning;
  struct results results;
  tile_argument *arguments;            /* owned: in the order of the kernel's parameters, */
  const tile_kernel_info *ordered_for; /* once a kernel is known; borrowed */
  tile_buffer *flush;                  /* or NULL */
  tile_event **events;                 /* two for each entry */
  size_t event_count;
  int *runs;     /* that a test's clock was asked for */
  double *last;  /* milliseconds of a candidate's last run; 0: none yet */
  int *together; /* launches that a candidate's current run has */
  size_t round;
  uint64_t turn_limit; /* of the device, before the tuning */
};

static bool is_fatal(tile_status status) {
  return tile_status_code(status) == TILE_DEVICE_FAILED ||
         tile_status_code(status) == TILE_NO_DEVICE;
}

/* --- Before the first run --------------------------------------------------------------------- */

static tile_status compute_grid(struct measuring *m, struct tune_entry *entry,
                                const tile_kernel_version *version) {
  const tile_tune_options *options = m->tuning->options;
  entry->grid[0] = entry->grid[1] = entry->grid[2] = 1;
  if (options->grid_function) {
    void **pointers = tile_allocate((options->argument_count + 1) * sizeof *pointers);
    for (size_t i = 0; i < options->argument_count; i++)
      pointers[i] = &m->arguments[i].value;
    tile_status status =
        options->grid_function(options->grid_context, version, pointers, entry->grid);
    free(pointers);
    return status;
  }
  struct tune_grid_argument *list = tile_allocate((options->argument_count + 1) * sizeof *list);
  for (size_t i = 0; i < options->argument_count; i++)
    list[i] = (struct tune_grid_argument){options->arguments[i].name, &options->arguments[i].value};
  tile_status status =
      tune_grid(options->grid, list, options->argument_count, version, entry->grid);
  free(list);
  return status;
}

static const tile_tune_argument *find_argument(const tile_tune_options *options, const char *name) {
  for (size_t i = 0; i < options->argument_count; i++)
    if (strcmp(options->arguments[i].name, name) == 0)
      return &options->arguments[i];
  return NULL;
}

/* Puts the arguments into the order of the parameters, which all candidates share. Where the
   signature is made of the arguments, those that are folded in are no parameters. */
static tile_status order_arguments(struct measuring *m, const tile_kernel_info *info) {
  const tile_tune_options *options = m->tuning->options;
  bool folds =
      m->tuning->extras.derived_names != NULL && info->parameter_count < options->argument_count;
  if (info->parameter_count != options->argument_count && !folds)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' takes %zu arguments, %zu were given",
                info->name, info->parameter_count, options->argument_count);
  for (size_t i = 0; i < info->parameter_count; i++) {
    const tile_tune_argument *argument = find_argument(options, info->parameters[i].name);
    if (!argument)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "kernel '%s' has a parameter '%s', which no argument gives", info->name,
                  info->parameters[i].name);
    if (m->ordered_for &&
        (info->parameter_count != m->ordered_for->parameter_count ||
         strcmp(m->ordered_for->parameters[i].name, info->parameters[i].name) != 0))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "its run-time parameters are others than those of the first candidate");
    m->arguments[i] = argument->value;
  }
  m->ordered_for = info;
  return NULL;
}

/* The kernel, its grid and the version that a launch takes. */
static tile_status settle(struct measuring *m, struct tune_entry *entry) {
  TRY(tile_module_kernel(entry->module, NULL, &entry->kernel));
  const tile_kernel_info *info = tile_kernel_get_info(entry->kernel);
  TRY(order_arguments(m, info));
  TRY(compute_grid(m, entry, &info->versions[0]));
  return tile_kernel_select(entry->kernel, entry->grid, m->arguments, info->parameter_count,
                            &entry->version);
}

static bool same_code(const struct tune_entry *a, const struct tune_entry *b) {
  const tile_section *x = a->image->sections, *y = b->image->sections;
  return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && a->image->section_count == 1 &&
         b->image->section_count == 1 && x->format == y->format &&
         x->format != TILE_IMAGE_EMULATOR && x->size == y->size &&
         memcmp(x->data, y->data, x->size) == 0 && a->version->threads == b->version->threads &&
         a->version->shared_bytes == b->version->shared_bytes;
}

static void drop_equal_code(struct measuring *m, size_t index) {
  struct tune_entry *entries = m->tuning->entries;
  for (size_t i = 0; i < index && entries[index].outcome == TILE_TUNE_OK; i++)
    if (entries[i].outcome == TILE_TUNE_OK && same_code(&entries[i], &entries[index]))
      tuning_out(&entries[index], TILE_TUNE_DROPPED, "the same code as candidate %zu", i);
}

static void settle_all(struct measuring *m) {
  for (size_t i = 0; i < m->tuning->count; i++) {
    struct tune_entry *entry = &m->tuning->entries[i];
    if (entry->outcome != TILE_TUNE_OK)
      continue;
    tile_status status = settle(m, entry);
    if (status)
      tuning_failed(entry, status);
    else
      drop_equal_code(m, i);
  }
}

/* Bytes of a thread's registers and arrays in memory; 0 where that is not known. */
static uint32_t spilled(const struct tune_entry *entry) {
  tile_kernel_resources resources = {0};
  tile_status_free(tile_kernel_get_resources(entry->kernel, entry->version, &resources));
  return resources.local_bytes;
}

/* Registers that go to memory and back cost more than anything that such a configuration gains,
 * where another needs none. */
static void drop_spilling(struct measuring *m) {
  bool one_fits = false;
  for (size_t i = 0; i < m->tuning->count && !one_fits; i++)
    one_fits =
        m->tuning->entries[i].outcome == TILE_TUNE_OK && spilled(&m->tuning->entries[i]) == 0;
  for (size_t i = 0; i < m->tuning->count && one_fits; i++) {
    struct tune_entry *entry = &m->tuning->entries[i];
    if (entry->outcome == TILE_TUNE_OK && spilled(entry) > MAX_SPILLED)
      tuning_out(entry, TILE_TUNE_DROPPED,
                 "hopeless: %u bytes of each thread's registers are in memory",
                 (unsigned)spilled(entry));
  }
}

/* --- Runs ------------------------------------------------------------------------------------- */

static tile_status launch(struct measuring *m, struct tune_entry *entry) {
  return tile_launch(entry->kernel, entry->grid, NULL, m->arguments,
                     m->ordered_for->parameter_count);
}

static tile_status run_once(struct measuring *m, struct tune_entry *entry) {
  tile_event *end = m->events[1];
  TRY(results_restore(&m->results));
  TRY(results_prepare(&m->results));
  TRY(launch(m, entry));
  TRY(tile_event_record(end, NULL));
  return endless_wait(m->tuning, end);
}

/* Why the device cannot be used any more: who is to blame is known, for it ran alone. */
static void blame(struct tune_entry *entry, tile_status status) {
  const char *message = tile_status_message(status);
  if (endless_on_gpu(status))
    tuning_out(entry, TILE_TUNE_TIMEOUT, "%s", message);
  else
    tuning_out(entry, TILE_TUNE_FAILED, BROKE_DEVICE ": %s", message);
}

/* The candidate's failure, which is no other's. */
static void failed_run(struct measuring *m, struct tune_entry *entry, tile_status status) {
  if (!endless_on_emulator(m->tuning, status)) {
    tuning_failed(entry, status);
    return;
  }
  tuning_out(entry, TILE_TUNE_TIMEOUT, "%s", tile_status_message(status));
  tile_status_free(status);
}

static tile_status check_entry(struct measuring *m, size_t index) {
  struct tune_entry *entry = &m->tuning->entries[index];
  const struct tune_extras *extras = &m->tuning->extras;
  double unused;
  tile_status status = extras->time ? extras->time(extras->context, index, -1, &unused) : NULL;
  if (!status)
    status = run_once(m, entry);
  if (!status) {
    if (!m->results.has_expected)
      endless_first(m->tuning, m->turn_limit);
    return results_compare(&m->results, index);
  }
  if (is_fatal(status)) {
    blame(entry, status);
    return status;
  }
  failed_run(m, entry, status);
  return NULL;
}

static tile_status check_all(struct measuring *m) {
  tile_tuning *tuning = m->tuning;
  size_t done = 0, total = tuning_left(tuning);
  for (size_t i = 0; i < tuning->count; i++) {
    if (tuning->entries[i].outcome != TILE_TUNE_OK)
      continue;
    TRY(check_entry(m, i));
    TRY(tuning_progress(tuning, &(tile_tune_progress){.stage = TILE_TUNE_CHECKING,
                                                      .done = ++done,
                                                      .total = total,
                                                      .left = tuning_left(tuning)}));
  }
  return NULL;
}

/* --- Times ------------------------------------------------------------------------------------ */

/* A kernel of a few microseconds takes longer where its instructions have to be fetched, which
   those of the other candidates have replaced: it runs once before, as it would in a loop of its
   own. */
static tile_status fetch_instructions(struct measuring *m, size_t index) {
  enum { BRIEF_MICROSECONDS = 100 };
  if (!m->flush || m->last[index] <= 0 || m->last[index] * 1e3 > BRIEF_MICROSECONDS)
    return NULL;
  TRY(results_prepare(&m->results));
  return launch(m, &m->tuning->entries[index]);
}

/* With use_cuda_graph Triton times what a graph of many launches takes, one right after the other
   and with warm caches. A device that is given several while it is busy with what stands before
   them runs them likewise; no graph is needed for that. Not where a run needs its buffers prepared.
 */
static int launches_together(const struct measuring *m, size_t index) {
  enum { MAX_TOGETHER = 10 };
  const double together_ms = 1;
  if (!m->tuning->list->settings.use_cuda_graph || m->last[index] <= 0 ||
      results_need_preparing(&m->results))
    return 1;
  double fit = together_ms / m->last[index];
  return fit < 1 ? 1 : fit > MAX_TOGETHER ? MAX_TOGETHER : (int)fit;
}

static tile_status begin_run(struct measuring *m, size_t index) {
  tile_event *const *events = &m->events[2 * index];
  m->together[index] = launches_together(m, index);
  if (m->together[index] == 1)
    TRY(fetch_instructions(m, index));
  TRY(results_prepare(&m->results));
  if (m->flush)
    TRY(tile_buffer_fill(m->flush, 0, 0, tile_buffer_bytes(m->flush), NULL));
  if (m->together[index] > 1) /* warms the caches */
    TRY(launch(m, &m->tuning->entries[index]));
  TRY(tile_event_record(events[0], NULL));
  for (int i = 0; i < m->together[index]; i++)
    TRY(launch(m, &m->tuning->entries[index]));
  return tile_event_record(events[1], NULL);
}

static tile_status end_run(struct measuring *m, size_t index, double *out) {
  struct emulator_counts counts;
  bool hung;
  if (emulator_device_counts(m->tuning->options->device, &counts, &hung)) {
    *out = tune_estimate(&counts);
    return NULL;
  }
  TRY(endless_wait(m->tuning, m->events[2 * index + 1]));
  TRY(tile_event_elapsed(m->events[2 * index], m->events[2 * index + 1], out));
  *out /= m->together[index];
  m->last[index] = *out;
  return NULL;
}

static tile_status time_by_hooks(struct measuring *m, size_t index, double *out) {
  const struct tune_extras *extras = &m->tuning->extras;
  return extras->time(extras->context, index, m->runs[index]++, out);
}

/* Takes a failure: the candidate's, or the tuning's. */
static tile_status fail_run(struct measuring *m, size_t index, tile_status status, double *out) {
  *out = -1;
  if (!status || is_fatal(status))
    return status;
  failed_run(m, &m->tuning->entries[index], status);
  return NULL;
}

/* A round on a GPU is given to it as a whole, and begins with another candidate each time: the
   first one's runs follow a pause. The emulator and a test's clock tell a time at once. */
static tile_status run_round(void *context, const size_t *list, size_t count, double *out) {
  struct measuring *m = context;
  bool hooked = m->tuning->extras.time != NULL, at_once = hooked || m->tuning->estimated;
  size_t first = at_once ? 0 : m->round++ % count;
  for (size_t k = 0; k < count; k++) {
    size_t i = (first + k) % count;
    tile_status status = hooked ? time_by_hooks(m, list[i], &out[i]) : begin_run(m, list[i]);
    if (!status && at_once && !hooked)
      status = end_run(m, list[i], &out[i]);
    if (status)
      TRY(fail_run(m, list[i], status, &out[i]));
    else if (!at_once)
      out[i] = 0;
  }
  for (size_t i = 0; i < count && !at_once; i++) {
    tile_status status = out[i] < 0 ? NULL : end_run(m, list[i], &out[i]);
    if (status)
      TRY(fail_run(m, list[i], status, &out[i]));
  }
  return NULL;
}

static bool tell_round(void *context, int round, int rounds, size_t left, size_t best,
                       double milliseconds) {
  struct measuring *m = context;
  struct text line = {0};
  tune_candidate_describe(&m->tuning->entries[best].candidate, &line);
  tile_status status =
      tuning_progress(m->tuning, &(tile_tune_progress){.stage = TILE_TUNE_TIMING,
                                                       .done = (size_t)round,
                                                       .total = (size_t)rounds,
                                                       .left = left,
                                                       .best = text_string(&line),
                                                       .milliseconds = milliseconds});
  text_free(&line);
  bool goes_on = !status;
  tile_status_free(status);
  return goes_on;
}

/* The clock of a GPU that has been idle is low at first. */
static tile_status warm_up(struct measuring *m) {
  tile_tuning *tuning = m->tuning;
  double asked = tuning->options->warmup_ms, said = tuning->list->settings.warmup, spent = 0;
  double wanted = asked > 0 ? asked : said > 0 ? said : 5;
  size_t first = 0;
  while (first < tuning->count && tuning->entries[first].outcome != TILE_TUNE_OK)
    first++;
  for (int i = 0; i < WARMUP_RUNS && spent < wanted && first < tuning->count &&
                  !tuning->estimated && !tuning->extras.time;
       i++) {
    double one;
    TRY(begin_run(m, first));
    TRY(end_run(m, first, &one));
    spent += one > 0.001 ? one : 0.001;
  }
  return NULL;
}

/* How many launches go together is known after a run of each. */
static tile_status inspect_each(struct measuring *m) {
  tile_tuning *tuning = m->tuning;
  double unused;
  bool wanted = tuning->list->settings.use_cuda_graph && !tuning->estimated && !tuning->extras.time;
  for (size_t i = 0; i < tuning->count && wanted; i++) {
    if (tuning->entries[i].outcome != TILE_TUNE_OK)
      continue;
    tile_status status = begin_run(m, i);
    if (!status)
      status = end_run(m, i, &unused);
    if (status)
      TRY(fail_run(m, i, status, &unused));
  }
  return NULL;
}

/* What all runs together may take: Triton's rep is a candidate's. */
static double repeat_ms(const tile_tuning *tuning) {
  double asked = tuning->options->repeat_ms, said = tuning->list->settings.rep;
  return asked > 0 ? asked : said > 0 ? said * (double)tuning->count : 400;
}

static tile_status search(struct measuring *m) {
  tile_tuning *tuning = m->tuning;
  struct tune_score *scores = tile_allocate((tuning->count + 1) * sizeof *scores);
  for (size_t i = 0; i < tuning->count; i++)
    scores[i] = (struct tune_score){.takes_part = tuning->entries[i].outcome == TILE_TUNE_OK};
  const struct tune_field field = {
      .count = tuning->count, .round = run_round, .progress = tell_round, .context = m};
  const struct tune_rules rules = {.exact = tuning->estimated && !tuning->extras.time,
                                   .budget = repeat_ms(tuning)};
  tile_status status = tune_search(&field, &rules, scores, &tuning->winner);
  for (size_t i = 0; i < tuning->count; i++) {
    struct tune_entry *entry = &tuning->entries[i];
    entry->score = scores[i];
    if (scores[i].dropped && entry->outcome == TILE_TUNE_OK)
      tuning_out(entry, TILE_TUNE_DROPPED, "slower");
  }
  free(scores);
  return status;
}

static tile_status make_events(struct measuring *m) {
  tile_device *device = m->tuning->options->device;
  m->event_count = 2 * m->tuning->count;
  m->events = tile_allocate((m->event_count + 1) * sizeof *m->events);
  memset(m->events, 0, (m->event_count + 1) * sizeof *m->events);
  for (size_t i = 0; i < m->event_count; i++)
    TRY(tile_event_create(device, &m->events[i]));
  if (tile_device_get_properties(device)->l2_bytes)
    return tile_buffer_create(device, FLUSH_BYTES, &m->flush);
  return NULL;
}

static tile_status measure(struct measuring *m) {
  const tile_tune_options *options = m->tuning->options;
  m->arguments = tile_allocate((options->argument_count + 1) * sizeof *m->arguments);
  m->runs = tile_allocate((m->tuning->count + 1) * sizeof *m->runs);
  memset(m->runs, 0, (m->tuning->count + 1) * sizeof *m->runs);
  m->last = tile_allocate((m->tuning->count + 1) * sizeof *m->last);
  memset(m->last, 0, (m->tuning->count + 1) * sizeof *m->last);
  m->together = tile_allocate((m->tuning->count + 1) * sizeof *m->together);
  TRY(results_begin(&m->results, m->tuning));
  settle_all(m);
  drop_spilling(m);
  TRY(make_events(m));
  double begin = tuning_now();
  TRY(check_all(m));
  double checked = tuning_now();
  m->tuning->seconds[1] = checked - begin;
  TRY(warm_up(m));
  TRY(inspect_each(m));
  tile_status status = search(m);
  m->tuning->seconds[2] = tuning_now() - checked;
  return status;
}

tile_status tuning_measure(tile_tuning *tuning) {
  struct measuring m = {.tuning = tuning, .turn_limit = endless_begin(tuning)};
  tile_status status = measure(&m);
  endless_end(tuning, m.turn_limit);
  tuning->endless = endless_on_gpu(status);
  tile_status restored = results_end(&m.results, tuning->endless);
  for (size_t i = 0; i < m.event_count && !endless_on_gpu(status); i++)
    tile_event_destroy(m.events[i]);
  free(m.events);
  free(m.arguments);
  free(m.runs);
  free(m.last);
  free(m.together);
  if (!endless_on_gpu(status))
    tile_buffer_destroy(m.flush);
  if (status)
    tile_status_free(restored);
  return status ? status : restored;
}
