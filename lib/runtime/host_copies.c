/* SPDX-License-Identifier: MIT */
/* See host_copies.h. */
#include "runtime/host_copies.h"

#include <stdlib.h>
#include <string.h>
#include "base/status.h"

enum { MAX_COPIES = 1024 }; /* that are noted: a program need never wait */

void host_copies_create(struct host_copies *copies) {
  *copies = (struct host_copies){0};
  pthread_mutex_init(&copies->lock, NULL);
}

void host_copies_destroy(struct host_copies *copies) {
  host_copies_forget(copies);
  pthread_mutex_destroy(&copies->lock);
}

/* Not for safety, but any changed byte shows. */
static uint64_t sum_of(const unsigned char *memory, size_t bytes) {
  uint64_t sum = bytes, word;
  for (; bytes >= sizeof word; memory += sizeof word, bytes -= sizeof word) {
    memcpy(&word, memory, sizeof word);
    sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    sum ^= sum >> 29;
  }
  for (; bytes; memory++, bytes--)
    sum = (sum ^ *memory) * UINT64_C(0x100000001B3);
  return sum;
}

static void remove_copy(struct host_copies *copies, struct host_copy **at) {
  struct host_copy *copy = *at;
  *at = copy->next;
  copies->count--;
  free(copy);
}

static bool overlap(const struct host_copy *copy, const unsigned char *memory, size_t bytes) {
  return copy->memory < memory + bytes && memory < copy->memory + copy->bytes;
}

/* A copy to the host changes what older ones have read or written, and rightly so: the stream
   orders them. */
static void forget_overlapping(struct host_copies *copies, const unsigned char *memory,
                               size_t bytes) {
  for (struct host_copy **at = &copies->first; *at;)
    if (overlap(*at, memory, bytes))
      remove_copy(copies, at);
    else
      at = &(*at)->next;
}

void host_copies_note(struct host_copies *copies, const void *stream, const void *memory,
                      size_t bytes, bool to_device) {
  struct host_copy *copy = malloc(sizeof *copy);
  if (!copy)
    return;
  *copy = (struct host_copy){.stream = stream,
                             .memory = memory,
                             .bytes = bytes,
                             .sum = sum_of(memory, bytes),
                             .to_device = to_device};
  pthread_mutex_lock(&copies->lock);
  if (!to_device)
    forget_overlapping(copies, memory, bytes);
  if (copies->count == MAX_COPIES)
    remove_copy(copies, &copies->first);
  struct host_copy **at = &copies->first;
  while (*at)
    at = &(*at)->next;
  copy->number = ++copies->last;
  *at = copy;
  copies->count++;
  pthread_mutex_unlock(&copies->lock);
}

uint64_t host_copies_last(struct host_copies *copies) {
  pthread_mutex_lock(&copies->lock);
  uint64_t last = copies->last;
  pthread_mutex_unlock(&copies->lock);
  return last;
}

static tile_status changed(const struct host_copy *copy) {
  return FAIL(TILE_HAZARD,
              "%zu bytes of host memory at %p were changed before an asynchronous copy %s them was "
              "known to be done; wait "
              "before with tile_stream_synchronize or tile_event_synchronize",
              copy->bytes, (const void *)copy->memory, copy->to_device ? "from" : "to");
}

static tile_status wait(struct host_copies *copies, bool all, const void *stream, uint64_t number) {
  tile_status status = NULL;
  pthread_mutex_lock(&copies->lock);
  for (struct host_copy **at = &copies->first; *at;) {
    struct host_copy *copy = *at;
    if (copy->number > number || (!all && copy->stream != stream)) {
      at = &copy->next;
      continue;
    }
    if (!status && sum_of(copy->memory, copy->bytes) != copy->sum)
      status = changed(copy);
    remove_copy(copies, at);
  }
  pthread_mutex_unlock(&copies->lock);
  return status;
}

tile_status host_copies_wait(struct host_copies *copies, const void *stream, uint64_t number) {
  return wait(copies, false, stream, number);
}

tile_status host_copies_wait_all(struct host_copies *copies) {
  return wait(copies, true, NULL, UINT64_MAX);
}

void host_copies_forget(struct host_copies *copies) {
  pthread_mutex_lock(&copies->lock);
  while (copies->first)
    remove_copy(copies, &copies->first);
  pthread_mutex_unlock(&copies->lock);
}
