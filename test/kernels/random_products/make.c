/* SPDX-License-Identifier: MIT */
/* See products.h: what is drawn. */
#include <stdio.h>
#include <string.h>
#include "products.h"

/* --- Drawing ---------------------------------------------------------------------------------- */

/* splitmix64 */
static uint64_t next(uint64_t *state) {
  uint64_t x = *state += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static int below(uint64_t *state, int count) {
  return (int)(next(state) % (uint64_t)count);
}

static bool chance(uint64_t *state, int percent) {
  return below(state, 100) < percent;
}

#define PICK(state, ...)                                                                           \
  (((const int[]){                                                                                 \
      __VA_ARGS__})[below((state), (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))])

/* --- What is multiplied ----------------------------------------------------------------------- */

struct types {
  const char *a, *b, *c, *sum;
  int largest; /* that the emulator gets: sums of the largest K are exact in f32, or i32 */
  int oldest;  /* architecture that has them */
  int least_k; /* of a block */
};

static const struct types types[] = {
    {"fp16", "fp16", "fp16", "tl.float32", 4, 80, 16},
    {"fp16", "fp16", "fp32", "tl.float32", 4, 80, 16},
    {"bf16", "bf16", "bf16", "tl.float32", 4, 80, 16},
    {"bf16", "bf16", "fp32", "tl.float32", 4, 80, 16},
    {"fp32", "fp32", "fp32", "tl.float32", 8, 80, 16},
    {"i8", "i8", "i32", "tl.int32", 127, 80, 32},
    {"fp8e5", "fp8e5", "fp16", "tl.float32", 2, 80, 32},
    {"fp8e4nv", "fp8e4nv", "fp32", "tl.float32", 2, 89, 32},
    {"fp8e4nv", "fp8e5", "bf16", "tl.float32", 2, 89, 32},
};

static void draw_types(struct product *p, uint64_t *s) {
  static const char *const targets[] = {"sm_90a", "sm_90a", "sm_90a",  "sm_90a",
                                        "sm_80",  "sm_89",  "sm_100a", "sm_120a"};
  static const char *const precisions[] = {"\"tf32\"", "\"tf32\"", "\"ieee\"", "\"tf32x3\""};
  p->target = targets[below(s, 8)];
  int architecture = 0, number;
  sscanf(p->target, "sm_%d", &architecture);
  do
    number = below(s, (int)(sizeof types / sizeof *types));
  while (types[number].oldest > architecture);
  const struct types *t = &types[number];
  p->type[A] = t->a, p->type[B] = t->b, p->type[C] = t->c, p->sum = t->sum;
  p->largest = t->largest;
  p->precision = strcmp(t->a, "fp32") == 0 ? precisions[below(s, 4)] : "None";
  p->block[2] = t->least_k;
}

/* Small ones, those around multiples of tiles, and any. */
static int32_t draw_size(uint64_t *s, int most, int unit) {
  switch (below(s, 4)) {
  case 0:
    return 1 + below(s, 40);
  case 1:
    return 1 + below(s, most);
  case 2: {
    int size = unit * (1 + below(s, most / unit)) + PICK(s, -1, 0, 0, 1);
    return size < 1 ? 1 : size;
  }
  default:
    return unit * (1 + below(s, most / unit));
  }
}

static struct place draw_place(uint64_t *s) {
  struct place place = {.turned = chance(s, 35), .pad = chance(s, 30) ? below(s, 40) : 0};
  place.to = PICK(s, 1, 16, 16, 16);
  return place;
}

/* --- How -------------------------------------------------------------------------------------- */

static void draw_kernel(struct product *p, uint64_t *s) {
  static const char *const kernels[] = {"grid_kernel",       "grouped_kernel",
                                        "grouped_kernel",    "block_kernel",
                                        "persistent_kernel", "descriptor_kernel",
                                        "descriptor_kernel", "persistent_descriptor_kernel"};
  p->kernel = kernels[below(s, 8)];
  if (strstr(p->kernel, "descriptor"))
    p->place[C].turned = false;
}

/* Tiles of which a block has registers and shared memory for, whose products have some work for
   each warp. */
static void draw_blocks(struct product *p, uint64_t *s, bool large) {
  enum { REGISTERS = 128 * 64 }; /* f32 sums for each warp group: 64 registers a thread */
  int least_k = p->block[2];
  do {
    p->num_warps = PICK(s, 1, 2, 4, 4, 4, 8, 8);
    p->block[0] = PICK(s, 16, 32, 64, 64, 128, 128, 256);
    p->block[1] = PICK(s, 16, 32, 64, 64, 128, 128, 256);
    p->block[2] = PICK(s, 16, 32, 32, 64, 64, 128);
  } while (p->block[2] < least_k || p->block[0] * p->block[1] > REGISTERS * p->num_warps / 2 ||
           (large && p->block[0] * p->block[1] < 64 * 64));
  p->num_stages = PICK(s, 1, 2, 3, 3, 4, 5);
  p->group = PICK(s, 1, 2, 4, 8);
  p->programs = PICK(s, 1, 2, 3, 5, 8);
  if (large)
    p->programs = 132;
}

static void draw_options(struct product *p, uint64_t *s) {
  static const char *const passes[] = {"tile-coarsen-k",
                                       "tile-gpu-coalesce",
                                       "tile-gpu-assign-roles",
                                       "tile-gpu-split-tail",
                                       "tile-gpu-store-by-warps",
                                       "tile-gpu-assign-roles,tile-gpu-split-tail",
                                       "tile-version-descriptors",
                                       "tile-gpu-order",
                                       "tile-gpu-optimize-dot-operands",
                                       "tile-gpu-remove-layout-conversions",
                                       "tile-order-programs",
                                       "tile-gpu-spill-to-shared"};
  p->skip = chance(s, 25) ? passes[below(s, (int)(sizeof passes / sizeof *passes))] : "";
  p->tensor_maps = chance(s, 75);
  p->low_occupancy = chance(s, 30);
  p->fewer_warps = chance(s, 30);
  p->optimization_level = chance(s, 15) ? 3 : 1;
  p->has_bias = chance(s, 25);
  p->specialized = chance(s, 80);
  p->aligned = chance(s, 85);
}

/* As for Hopper: tiles of warp groups, rows that the copy engine takes. */
static void prefer_hopper(struct product *p, uint64_t *s) {
  p->target = "sm_90a";
  p->num_warps = PICK(s, 4, 4, 8, 8);
  p->block[0] = p->num_warps == 4 ? 64 << below(s, 2) : 128;
  p->block[1] = PICK(s, 64, 128, 128, 256);
  p->block[2] = PICK(s, 32, 64, 64, 128);
  if (p->num_warps == 4 && p->block[0] * p->block[1] > 128 * 128)
    p->block[1] = 128;
  for (int m = 0; m < MATRICES; m++)
    p->place[m].to = 16;
  p->tensor_maps = p->specialized = p->aligned = true;
}

/* Few tiles of long rows, of which several blocks have a part each. */
static void lengthen(struct product *p, uint64_t *s) {
  static const int32_t block[3] = {128, 256, 64};
  memcpy(p->block, block, sizeof block);
  p->target = "sm_90a";
  p->num_warps = 8;
  p->num_stages = 3;
  p->size[0] = 100 + below(s, 200);
  p->size[1] = 200 + below(s, 300);
  p->size[2] = 1500 + below(s, 800);
}

/* Sums, and products with a vector, stay exact. */
static void enlarge(struct product *p) {
  enum { EXACT_BF16 = 1024 };
  p->has_bias = false;
  p->largest = *p->type[A] == 'i' ? 127 : 1;
  if (strcmp(p->type[C], "bf16") == 0 && p->size[2] > EXACT_BF16)
    p->size[2] = EXACT_BF16;
}

void product_make(struct product *p, uint64_t seed, bool large) {
  enum { SMALL = 300, LARGE = 4096, LONG = 8192 };
  uint64_t state = seed, *s = &state;
  memset(p, 0, sizeof *p);
  p->seed = seed;
  draw_types(p, s);
  draw_blocks(p, s, large);
  for (int d = 0; d < 3; d++)
    p->size[d] = draw_size(s, large ? d == 2 ? LONG : LARGE : SMALL, chance(s, 50) ? 16 : 64);
  for (int m = 0; m < MATRICES; m++)
    p->place[m] = draw_place(s);
  draw_kernel(p, s);
  draw_options(p, s);
  if (chance(s, 50))
    prefer_hopper(p, s);
  if (chance(s, 4) && !large)
    lengthen(p, s);
  if (large)
    enlarge(p);
  product_finish(p);
}

/* --- What follows ----------------------------------------------------------------------------- */

int32_t product_rows(const struct product *p, int matrix) {
  return p->size[matrix == B ? 2 : 0];
}

int32_t product_columns(const struct product *p, int matrix) {
  return p->size[matrix == A ? 2 : 1];
}

bool product_passes(const struct product *p, int32_t number) {
  return !p->specialized || number != 1;
}

/* A number as Triton specializes it. */
static void put_number(struct product *p, int32_t number) {
  size_t length = strlen(p->signature);
  const char *text = !product_passes(p, number)           ? ", 1"
                     : p->specialized && number % 16 == 0 ? ", i32:16"
                                                          : ", i32";
  snprintf(p->signature + length, sizeof p->signature - length, "%s", text);
}

static void put_signature(struct product *p) {
  const char *aligned = p->aligned ? ":16" : "";
  snprintf(p->signature, sizeof p->signature, "*%s%s, *%s%s, *%s%s, *%s%s", p->type[A], aligned,
           p->type[B], aligned, p->type[C], aligned, p->type[C], aligned);
  for (int d = 0; d < 3; d++)
    put_number(p, p->size[d]);
  for (int m = 0; m < MATRICES; m++)
    for (int d = 0; d < 2; d++)
      put_number(p, p->stride[m][d]);
  size_t length = strlen(p->signature);
  snprintf(p->signature + length, sizeof p->signature - length,
           ", %d, %d, %d, %d, %d, %s, %s, %s%s", p->block[0], p->block[1], p->block[2], p->group,
           p->programs, p->sum, p->precision, p->has_bias ? "True" : "False",
           !strstr(p->kernel, "descriptor") ? ""
           : p->place[A].turned             ? p->place[B].turned ? ", True, True" : ", True, False"
           : p->place[B].turned             ? ", False, True"
                                            : ", False, False");
}

void product_finish(struct product *p) {
  for (int m = 0; m < MATRICES; m++) {
    const struct place *place = &p->place[m];
    int32_t line = (place->turned ? product_rows(p, m) : product_columns(p, m)) + place->pad;
    line = (line + place->to - 1) / place->to * place->to;
    p->stride[m][0] = place->turned ? 1 : line;
    p->stride[m][1] = place->turned ? line : 1;
  }
  put_signature(p);
}

void product_grid(const struct product *p, uint32_t out[3]) {
  uint32_t rows = (uint32_t)((p->size[0] + p->block[0] - 1) / p->block[0]);
  uint32_t columns = (uint32_t)((p->size[1] + p->block[1] - 1) / p->block[1]), all = rows * columns;
  bool two = strcmp(p->kernel, "grid_kernel") == 0;
  bool persistent = strncmp(p->kernel, "persistent", strlen("persistent")) == 0;
  out[0] = two ? rows : persistent && all > (uint32_t)p->programs ? (uint32_t)p->programs : all;
  out[1] = two ? columns : 1;
  out[2] = 1;
}

void product_print(const struct product *p) {
  printf("seed %llu: %s, %d x %d x %d, %s times %s in %s, numbers up to %d\n",
         (unsigned long long)p->seed, p->kernel, p->size[0], p->size[1], p->size[2], p->type[A],
         p->type[B], p->type[C], p->largest);
  printf("  TILE_SKIP_PASSES=%s tile-translate --tile-to-ptx --target %s --num-warps %d "
         "--num-stages %d --tensor-maps=%s%s%s -O %d --kernel %s \\\n    --signature '%s' "
         "test/kernels/random_products.py\n",
         p->skip, p->target, p->num_warps, p->num_stages, p->tensor_maps ? "on" : "off",
         p->low_occupancy ? " --low-occupancy on" : "", p->fewer_warps ? " --fewer-warps on" : "",
         p->optimization_level, p->kernel, p->signature);
}
