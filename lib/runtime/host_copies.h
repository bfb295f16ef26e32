/* SPDX-License-Identifier: MIT */
/* Asynchronous copies on devices that do them at once: what the host must not touch before it has
   waited.

   Such a device copies when it is asked to, so a program that forgets to wait works here and fails
   on a GPU. Therefore each copy is noted with a checksum of its host memory. When the program
   waits, the sum is taken again: another one means that the host wrote to memory that a copy could
   still have been reading, or writing. */
#ifndef TILE_RUNTIME_HOST_COPIES_H
#define TILE_RUNTIME_HOST_COPIES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/status.h"

struct host_copy {
  struct host_copy *next; /* a younger one */
  const void *stream;
  const unsigned char *memory; /* of the host */
  size_t bytes;
  uint64_t number, sum;
  bool to_device;
};

struct host_copies {
  pthread_mutex_t lock; /* guards what follows */
  struct host_copy *first;
  size_t count;
  uint64_t last; /* the number of the youngest */
};

void host_copies_create(struct host_copies *copies);
void host_copies_destroy(struct host_copies *copies);
/* Notes a copy that has just been made. Where memory is short it is not noted. */
void host_copies_note(struct host_copies *copies, const void *stream, const void *memory,
                      size_t bytes, bool to_device);
/* The number of the youngest copy now. */
uint64_t host_copies_last(struct host_copies *copies);
/* The program has waited for the copies of a stream up to a number: TILE_HAZARD when host memory of
   one of them has changed. */
tile_status host_copies_wait(struct host_copies *copies, const void *stream, uint64_t number);
/* The same for all streams. */
tile_status host_copies_wait_all(struct host_copies *copies);
/* Notes nothing of the copies so far any more: something may rightly have changed their memory. */
void host_copies_forget(struct host_copies *copies);

#endif
