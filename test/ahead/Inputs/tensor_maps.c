/* SPDX-License-Identifier: MIT */
/* Launches a product of matrices of small integers, whose sums are exact, and says which version
   ran and whether they are right. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "k.h"
#include "tile/interop.h"

#ifndef ROWS
#define ROWS 40
#endif
#ifndef COLUMNS
#define COLUMNS 72
#endif

enum { M = ROWS, N = COLUMNS, MAX_K = 64, SLACK = 8 };

static uint16_t a[M * MAX_K + SLACK], b[MAX_K * N], c[M * N];

static void report(const char *what, tile_status status) {
  if (status)
    printf("%s: %s\n", what, tile_status_message(status));
  tile_status_free(status);
}

static void show(void *context, const tile_launch_event *event) {
  (void)context;
  printf("%s, ", event->version->symbol);
}

/* 0 to 3 in f16. */
static const uint16_t numbers[] = {0, 0x3C00, 0x4000, 0x4200};

static double value(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double value = bits & 1023;
  value = exponent ? (value + 1024) / 1024 : value;
  for (int i = 15; i < exponent; i++)
    value *= 2;
  return bits ? value : 0;
}

static bool is_right(int k) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int l = 0; l < k; l++)
        sum += (i + 3 * l) % 4 * ((l + j) % 4);
      if (value(c[i * N + j]) != sum)
        return false;
    }
  return true;
}

/* The first matrix begins `offset` elements into its buffer. */
static void product(tile_device *device, int k, int offset) {
  tile_buffer *buffers[3] = {NULL};
  const size_t bytes[] = {sizeof a, sizeof b, sizeof c};
  for (int i = 0; i < M * k; i++)
    a[offset + i] = numbers[(i / k + 3 * (i % k)) % 4];
  for (int i = 0; i < k * N; i++)
    b[i] = numbers[(i / N + i % N) % 4];
  for (int i = 0; i < 3; i++)
    report("create", tile_buffer_create(device, bytes[i], &buffers[i]));
  report("write", tile_buffer_write(buffers[0], 0, a, sizeof a, NULL));
  report("write", tile_buffer_write(buffers[1], 0, b, sizeof b, NULL));
  report("launch", mm(device, NULL, tile_buffer_address(buffers[0]) + 2 * (uint64_t)offset,
                      tile_buffer_address(buffers[1]), tile_buffer_address(buffers[2]), M, N, k));
  report("read", tile_buffer_read(buffers[2], 0, c, sizeof c, NULL));
  printf("k = %d: %s\n", k, is_right(k) ? "right" : "wrong");
  for (int i = 0; i < 3; i++)
    tile_buffer_destroy(buffers[i]);
}

int main(void) {
  const tile_driver *emulator = NULL;
  tile_device *device = NULL;
  tile_hook *hook;
  tile_hooks hooks = {.launch_begins = show};
  report("emulator", tile_driver_find("emulator", &emulator));
  report("open", tile_device_open(emulator, 0, &device));
  report("hooks", tile_hooks_add(&hooks, &hook));
  product(device, 64, 0);
  product(device, 48, 0);
  product(device, 44, 0); /* rows of 88 bytes */
  product(device, 64, 8);
  product(device, 64, 4); /* an address that is no multiple of 16 */
  report("hooks", tile_hooks_remove(hook));
  tile_device_close(device);
  return 0;
}
