/* Events of drivers that run everything at once, on the host: moments of the host's clock. */
#ifndef TILE_RUNTIME_HOST_CLOCK_H
#define TILE_RUNTIME_HOST_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

struct host_event {
  _Atomic uint64_t nanoseconds;
};

static inline void host_event_record(struct host_event *event) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  atomic_store(&event->nanoseconds, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}

static inline double host_event_elapsed(struct host_event *start, struct host_event *end) {
  return (double)(int64_t)(atomic_load(&end->nanoseconds) - atomic_load(&start->nanoseconds)) *
         1e-6;
}

#endif
