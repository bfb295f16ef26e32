/* SPDX-License-Identifier: MIT */
/* Work on the rows of large matrices, spread over the host's cores. */
#ifndef TILE_TEST_PARALLEL_H
#define TILE_TEST_PARALLEL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

enum { ROWS_AT_ONCE = 16, MAX_WORKERS = 16 };

/* Works on rows [first, past), at most ROWS_AT_ONCE; several calls run at one time. */
typedef void rows_work(void *data, int64_t first, int64_t past);

struct workers {
  rows_work *work;
  void *data;
  int64_t count;
  atomic_llong next;
};

static inline void *work_on_rows(void *data) {
  struct workers *workers = data;
  for (;;) {
    int64_t first = atomic_fetch_add(&workers->next, ROWS_AT_ONCE), past = first + ROWS_AT_ONCE;
    if (first >= workers->count)
      return NULL;
    workers->work(workers->data, first, past < workers->count ? past : workers->count);
  }
}

/* Returns when all rows are done. The caller's thread takes part: no thread that cannot be made is
   missed. */
static inline void for_rows(rows_work *work, void *data, int64_t count) {
  struct workers workers = {.work = work, .data = data, .count = count};
  pthread_t threads[MAX_WORKERS];
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int made = 0;
  while (made < MAX_WORKERS - 1 && made < cores - 1 && made < count / ROWS_AT_ONCE &&
         pthread_create(&threads[made], NULL, work_on_rows, &workers) == 0)
    made++;
  work_on_rows(&workers);
  while (made-- > 0)
    pthread_join(threads[made], NULL);
}

#endif
