/* SPDX-License-Identifier: MIT */
/* tile/interop.h from several threads at once, on the null driver and on a libcuda that is not
   real: hooks that come and go while others launch, memory that is wrapped and pinned on one
   device. Needs the runtime alone: it is built with ThreadSanitizer, too. */
#include "runtime_conformance.h"
#include "runtime_plain_kernel.h"

#include <stdatomic.h>
#include "tile/interop.h"

enum { THREADS = 4, TURNS = 50 };

static const struct subject null = {.name = "null", .driver = tile_null_driver, .load = load_plain};
static const struct subject fake = {.name = "fake", .driver = tile_cuda_driver, .load = load_plain};

/* The harness is one thread's; failures are counted here. */
static atomic_int failures;

static bool fine(tile_status status) {
  bool good = !status;
  if (!good) {
    printf("%s\n", tile_status_message(status));
    failures++;
  }
  tile_status_free(status);
  return good;
}

static void run_threads(void *(*work)(void *), struct adder *a) {
  pthread_t threads[THREADS];
  failures = 0;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, a);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  CHECK_EQUAL(failures, 0);
}

/* --- Hooks ------------------------------------------------------------------------------------ */

struct counting {
  atomic_int begun, ended;
};

static void count_begin(void *context, const tile_launch_event *event) {
  struct counting *counting = context;
  counting->begun++;
  failures += strcmp(event->kernel, "add_kernel") != 0 || event->status;
}

static void count_end(void *context, const tile_launch_event *event) {
  struct counting *counting = context;
  counting->ended++;
  failures += event->status != NULL;
}

/* Whoever is added sees whole launches only, and none after it was removed: its counts are gone
   then. */
static void *hook_and_launch(void *data) {
  struct adder *a = data;
  for (int turn = 0; turn < TURNS; turn++) {
    struct counting *counting = calloc(1, sizeof *counting);
    tile_hook *hook = NULL;
    fine(tile_hooks_add(
        &(tile_hooks){.launch_begins = count_begin, .launch_ends = count_end, .context = counting},
        &hook));
    for (int i = 0; i < 5; i++)
      fine(tile_launch_with(a->kernel, adder_grid, NULL, a->arguments, 4,
                            &(tile_launch_options){.programmatic = i % 2}));
    fine(tile_hooks_remove(hook));
    failures += counting->begun != counting->ended || counting->begun < 5;
    free(counting);
  }
  return NULL;
}

static void hooks(const struct subject *subject) {
  struct adder a = adder_open(subject);
  run_threads(hook_and_launch, &a);
  adder_close(&a);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void *copy_behind_the_back(void *data) {
  struct adder *a = data;
  for (int turn = 0; turn < TURNS; turn++) {
    tile_buffer *view = NULL;
    tile_pinned *pinned = NULL;
    tile_stream *stream = NULL;
    tile_event *event = NULL;
    if (!fine(tile_buffer_wrap(a->device, tile_buffer_address(a->x), 256, &view)) ||
        !fine(tile_pinned_create(a->device, 256, &pinned)) ||
        !fine(tile_stream_create(a->device, &stream)) ||
        !fine(tile_event_create(a->device, &event)))
      return NULL;
    fine(tile_buffer_read_async(view, 0, pinned, 0, 256, stream));
    fine(tile_event_record(event, stream));
    fine(turn % 2 ? tile_event_synchronize(event) : tile_stream_synchronize(stream));
    failures += ((const float *)tile_pinned_data(pinned))[63] != 63;
    tile_event_destroy(event);
    tile_stream_destroy(stream);
    tile_pinned_destroy(pinned);
    tile_buffer_destroy(view);
  }
  return NULL;
}

static void copies(const struct subject *subject) {
  struct adder a = adder_open(subject);
  run_threads(copy_behind_the_back, &a);
  adder_close(&a);
}

static void null_hooks(void) {
  hooks(&null);
}
static void fake_hooks(void) {
  hooks(&fake);
}
static void null_copies(void) {
  copies(&null);
}
static void fake_copies(void) {
  copies(&fake);
}

int main(int argc, char **argv) {
  setenv("TILE_LIBCUDA", FAKE_CUDA_LIBRARY, 1);
  return RUN_TESTS(argc, argv, {"null: hooks", null_hooks}, {"fake: hooks", fake_hooks},
                   {"null: copies", null_copies}, {"fake: copies", fake_copies});
}
