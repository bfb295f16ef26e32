/* SPDX-License-Identifier: MIT */
/* Numbers by the million: numbers.h takes some fifty nanoseconds for one, a table two. */
#ifndef TILE_TEST_LARGE_NUMBERS_H
#define TILE_TEST_LARGE_NUMBERS_H

#include "numbers.h"
#include "parallel.h"

/* 64 bits that have nothing to do with those of other seeds (splitmix64). */
static inline uint64_t scatter(uint64_t seed) {
  seed += 0x9E3779B97F4A7C15u;
  seed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9u;
  seed = (seed ^ seed >> 27) * 0x94D049BB133111EBu;
  return seed ^ seed >> 31;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Elements of one type as doubles; the table has all numbers of at most 16 bits. */
struct number_reader {
  const char *type;
  size_t bytes;
  double *table;
};

static inline struct number_reader make_number_reader(const char *type) {
  struct number_reader reader = {.type = type, .bytes = number_bytes(type)};
  if (reader.bytes > 2)
    return reader;
  uint32_t count = 1u << reader.bytes * 8;
  reader.table = malloc(count * sizeof *reader.table);
  if (!reader.table)
    exit(1);
  for (uint32_t bits = 0; bits < count; bits++)
    reader.table[bits] = number_read(&bits, 0, type);
  return reader;
}

/* One for each type, made when it is first asked for and kept. */
static inline const struct number_reader *number_reader_of(const char *type) {
  enum { MAX_TYPES = 16 };
  static struct number_reader readers[MAX_TYPES];
  int i = 0;
  while (i < MAX_TYPES - 1 && readers[i].type && strcmp(readers[i].type, type) != 0)
    i++;
  if (!readers[i].type)
    readers[i] = make_number_reader(type);
  return &readers[i];
}

static inline double number_reader_at(const struct number_reader *reader, const void *data,
                                      size_t i) {
  const char *at = (const char *)data + i * reader->bytes;
  uint16_t half;
  float single;
  int32_t integer;
  double value;
  switch (reader->bytes) {
  case 1:
    return reader->table[*(const uint8_t *)at];
  case 2:
    memcpy(&half, at, sizeof half);
    return reader->table[half];
  case 4:
    memcpy(&single, at, sizeof single);
    memcpy(&integer, at, sizeof integer);
    return *reader->type == 'i' ? integer : single;
  default:
    memcpy(&value, at, sizeof value);
    return value;
  }
}

/* --- Drawing ---------------------------------------------------------------------------------- */

enum { DRAWN = 1 << 16 };

/* Rows of random numbers in [-1, 1) that the type `held` has, of i8 in [-128, 127]. */
struct number_rows {
  unsigned char *data;
  size_t bytes, columns, stride; /* of an element; in elements */
  uint64_t seed;
  uint64_t *table; /* DRAWN elements: what there is to draw from */
};

static inline uint64_t drawn_number(const char *type, const char *held, uint64_t *seed) {
  uint64_t bits = 0;
  double value = draw(seed);
  number_write(&bits, 0, held, value);
  value = *type == 'i' ? floor(value * 128) : number_read(&bits, 0, held);
  bits = 0;
  number_write(&bits, 0, type, value);
  return bits;
}

static inline void draw_rows(void *data, int64_t first, int64_t past) {
  const struct number_rows *rows = data;
  for (int64_t row = first; row < past; row++) {
    unsigned char *to = rows->data + (size_t)row * rows->stride * rows->bytes;
    uint64_t state = scatter(rows->seed + (uint64_t)row * 0x10001);
    for (size_t i = 0; i < rows->columns; i++, to += rows->bytes) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      memcpy(to, &rows->table[state >> 48], rows->bytes);
    }
  }
}

static inline void draw_numbers(void *data, const char *type, const char *held, size_t rows,
                                size_t columns, size_t stride, uint64_t seed) {
  struct number_rows all = {.data = data,
                            .bytes = number_bytes(type),
                            .columns = columns,
                            .stride = stride,
                            .seed = scatter(seeded(seed))};
  all.table = malloc(DRAWN * sizeof *all.table);
  if (!all.table)
    exit(1);
  uint64_t state = seeded(seed);
  for (int i = 0; i < DRAWN; i++)
    all.table[i] = drawn_number(type, held, &state);
  for_rows(draw_rows, &all, (int64_t)rows);
  free(all.table);
}

#endif
