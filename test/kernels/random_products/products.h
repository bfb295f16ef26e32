/* SPDX-License-Identifier: MIT */
/* Random products, as users write them: what is multiplied, by which kernel of random_products.py,
   compiled how. All numbers are integers whose sums f32 holds, so that each element of the result
   is known, in whatever order it is summed. make.c draws products, data.c has their matrices. */
#ifndef TILE_TEST_RANDOM_PRODUCTS_H
#define TILE_TEST_RANDOM_PRODUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { A, B, C, MATRICES };
enum { MAX_SIGNATURE = 512 };

/* How a matrix lies in memory: by columns where it is turned; `pad` elements follow each row or
   column, `to` a multiple of so many. */
struct place {
  bool turned;
  int pad, to;
};

struct product {
  uint64_t seed;
  const char *kernel, *target;
  const char *type[MATRICES], *sum; /* as in a signature; as in the language */
  const char *precision;            /* as in the language */
  const char *skip;                 /* passes that are left out, or "" */
  int32_t size[3];                  /* M, N, K */
  struct place place[MATRICES];
  int32_t block[3], group, programs;
  int num_warps, num_stages, optimization_level;
  bool has_bias, specialized, aligned; /* 1 and multiples of 16 are told; buffers' alignment is */
  bool tensor_maps, low_occupancy, fewer_warps;
  int largest; /* number, in magnitude */
  /* Follows from these. */
  int32_t stride[MATRICES][2]; /* elements from row to row, and from column to column */
  char signature[MAX_SIGNATURE];
};

/* What is drawn: small sizes for the emulator, large ones for a GPU. */
void product_make(struct product *product, uint64_t seed, bool large);
/* Strides and signature, after sizes were changed. */
void product_finish(struct product *product);
/* The sizes of a matrix. */
int32_t product_rows(const struct product *product, int matrix);
int32_t product_columns(const struct product *product, int matrix);
void product_grid(const struct product *product, uint32_t out[3]);
/* Does the kernel get the number by an argument, or by its signature? */
bool product_passes(const struct product *product, int32_t number);
/* As two lines of a shell that translate it. */
void product_print(const struct product *product);

/* A matrix, or the bias, as launches take it. The integers are without what lies between them. */
struct numbers {
  const char *type;
  int32_t rows, columns, stride[2];
  int64_t *integers; /* owned, as `data` */
  void *data;
  size_t count, bytes;
};

struct numbers numbers_of(const struct product *product, int matrix);
struct numbers numbers_of_bias(const struct product *product);
void numbers_free(struct numbers *numbers);
/* Poison everywhere: for what a kernel writes. */
void numbers_poison(struct numbers *numbers);

/* Is c what it should be, in each element, and poison elsewhere? Prints the first that is not,
   unless `quiet`. Large ones by their products with a random vector, which are exact. */
bool product_is_right(const struct product *product, const struct numbers in[2],
                      const struct numbers *bias, const struct numbers *c, bool large, bool quiet);

#endif
