/* SPDX-License-Identifier: MIT */
/* Changes of layout between random pairs of linear layouts: a tile is loaded in one, converted, and
   stored from the other, so the buffers are equal afterwards. Kernels of the tile_gpu stage,
   written here as text, through the public API; on the emulator a few, on a GPU a sample of all
   kinds of exchanges. (The unit test lowering_convert_test draws many more on the emulator.)

       kernel_converts [--device emulator|cuda] [--seed N] [--count N]     pairs of layouts */
#include "kernel_test.h"

enum { KERNELS = 20, MAX_BITS = 16, LANE_BITS = 5, MAX_ELEMENTS = 8192 };

static struct {
  uint64_t seed, count; /* count 0: 40 on the emulator, 200 on a GPU */
} arguments = {1, 0};

static uint64_t state;

static uint32_t below(uint32_t bound) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)((state >> 20) % bound);
}

static const struct {
  const char *name;
  size_t bytes;
} types[] = {{"i8", 1}, {"i16", 2}, {"f16", 2}, {"i32", 4}, {"f32", 4}, {"i64", 8}, {"f64", 8}};

/* Where the bits of register, lane and warp, in this order, lead to: flat element numbers. Lanes
   and warps whose word is 0 hold copies. */
struct layout {
  uint32_t words[3 * MAX_BITS];
  int registers, warps;
};

/* One kernel: the tile's type, its 2^total elements in `rank` dimensions of 2^bits[i], the last one
   fastest. */
struct pair {
  int type, total, rank, bits[3];
  bool back; /* there, back and there again, without leaving the warp */
  struct layout a, b;
};

/* --- Drawing ---------------------------------------------------------------------------------- */

/* Words that span 2^count: single bits in random order, or any. */
static void draw_words(uint32_t *words, int count, bool any) {
  for (int i = 0; i < count; i++)
    words[i] = UINT32_C(1) << i;
  for (int i = count - 1; i > 0; i--) {
    uint32_t j = below((uint32_t)i + 1), swap = words[i];
    words[i] = words[j];
    words[j] = swap;
  }
  for (int i = 0; any && i < 3 * count; i++) {
    uint32_t x = below((uint32_t)count), y = below((uint32_t)count);
    if (x != y)
      words[x] ^= words[y];
  }
}

static struct layout draw_layout(int total, int warp_bits, bool any) {
  struct layout layout = {.warps = warp_bits};
  uint32_t words[MAX_BITS], threads[LANE_BITS + MAX_BITS] = {0};
  int threads_left = LANE_BITS + warp_bits;
  draw_words(words, total, any);
  for (int i = 0; i < total; i++) {
    int place = (int)below((uint32_t)(threads_left + 3));
    if (place < threads_left && !threads[place])
      threads[place] = words[i];
    else
      layout.words[layout.registers++] = words[i];
  }
  memcpy(layout.words + layout.registers, threads, sizeof *threads * (size_t)threads_left);
  return layout;
}

/* The same elements in each warp, in other registers and lanes. */
static struct layout mix_within_warps(const struct layout *layout, bool any) {
  struct layout mixed = *layout;
  uint32_t own = (uint32_t)layout->registers + LANE_BITS;
  for (int i = 0; i < 40; i++) {
    uint32_t *a = &mixed.words[below(own)], *b = &mixed.words[below(own)], swap = *a;
    if (a == b || !*a || !*b)
      continue;
    *a = *b ^ (any ? swap : 0);
    *b = swap;
  }
  return mixed;
}

static struct pair draw_pair(int warp_bits) {
  struct pair pair = {.type = (int)below(sizeof types / sizeof *types),
                      .total = (int)below(warp_bits >= 2 ? 14 : 12),
                      .rank = 1 + (int)below(3),
                      .back = below(3) == 0};
  bool any = below(4) == 0;
  for (int i = 0; i < pair.total; i++)
    pair.bits[below((uint32_t)pair.rank)]++;
  pair.a = draw_layout(pair.total, warp_bits, any);
  pair.b = pair.back ? mix_within_warps(&pair.a, any) : draw_layout(pair.total, warp_bits, any);
  return pair;
}

/* --- Text ------------------------------------------------------------------------------------- */

/* [[1, 0], [2, 0]]: the coordinates of each word. */
static void put_words(FILE *text, const char *name, const uint32_t *words, int count,
                      const struct pair *pair, bool flat) {
  fprintf(text, "%s = [", name);
  for (int i = 0; i < count; i++) {
    uint32_t word = words[i];
    int shift = pair->total;
    fprintf(text, "%s[", i ? ", " : "");
    for (int dim = 0; dim < pair->rank && !flat; dim++) {
      shift -= pair->bits[dim];
      fprintf(text, "%s%u", dim ? ", " : "",
              word >> shift & ((UINT32_C(1) << pair->bits[dim]) - 1));
    }
    fprintf(text, flat ? "%u]" : "]", word);
  }
  fprintf(text, "]");
}

static void put_layout(FILE *text, const char *name, const struct layout *layout,
                       const struct pair *pair, bool flat) {
  const uint32_t *lanes = layout->words + layout->registers;
  fprintf(text, "#%s = #tile_gpu.linear<{", name);
  put_words(text, "register", layout->words, layout->registers, pair, flat);
  put_words(text, ", lane", lanes, LANE_BITS, pair, flat);
  put_words(text, ", warp", lanes + LANE_BITS, layout->warps, pair, flat);
  fprintf(text, "}>\n");
}

static void put_pointers(FILE *text, const char *side, const char *argument, int count,
                         const char *type, int k) {
  fprintf(
      text,
      "  %%r%s = \"tile.range\"() {start = 0 : i32, end = %d : i32} : () -> tensor<%dxi32, "
      "#%sflat%d>\n"
      "  %%s%s = \"tile.splat\"(%%%s) : (!tile.ptr<%s>) -> tensor<%dx!tile.ptr<%s>, #%sflat%d>\n",
      side, count, count, side, k, side, argument, type, count, type, side, k);
  fprintf(text,
          "  %%p%s = \"tile.addptr\"(%%s%s, %%r%s) : (tensor<%dx!tile.ptr<%s>, #%sflat%d>, "
          "tensor<%dxi32, "
          "#%sflat%d>) -> tensor<%dx!tile.ptr<%s>, #%sflat%d>\n",
          side, side, side, count, type, side, k, count, side, k, count, type, side, k);
}

static void put_conversion(FILE *text, const char *to, const char *from, const char *tile,
                           const char *result, const char *source, int k) {
  fprintf(text,
          "  %%%s = \"tile_gpu.convert_layout\"(%%%s) : (tensor<%s, #%s%d>) -> tensor<%s, #%s%d>\n",
          to, from, tile, source, k, tile, result, k);
}

static void put_kernel(FILE *text, const struct pair *pair, int k) {
  const char *type = types[pair->type].name;
  int count = 1 << pair->total;
  char tile[64], flat[32];
  size_t length = 0;
  for (int dim = 0; dim < pair->rank; dim++)
    length += (size_t)snprintf(tile + length, sizeof tile - length, "%dx", 1 << pair->bits[dim]);
  snprintf(tile + length, sizeof tile - length, "%s", type);
  snprintf(flat, sizeof flat, "%dx%s", count, type);
  fprintf(text,
          "func.func @k%d(%%x: !tile.ptr<%s>, %%out: !tile.ptr<%s>) attributes {tile.kernel} {\n",
          k, type, type);
  put_pointers(text, "a", "x", count, type, k);
  put_pointers(text, "b", "out", count, type, k);
  fprintf(text,
          "  %%v = \"tile.load\"(%%pa) {operandSegmentSizes = array<i32: 1, 0, 0>} : "
          "(tensor<%dx!tile.ptr<%s>, "
          "#aflat%d>) -> tensor<%s, #aflat%d>\n"
          "  %%w = \"tile.reshape\"(%%v) : (tensor<%s, #aflat%d>) -> tensor<%s, #a%d>\n",
          count, type, k, flat, k, flat, k, tile, k);
  if (pair->back) {
    put_conversion(text, "w1", "w", tile, "b", "a", k);
    put_conversion(text, "w2", "w1", tile, "a", "b", k);
  }
  put_conversion(text, "y", pair->back ? "w2" : "w", tile, "b", "a", k);
  fprintf(text,
          "  %%z = \"tile.reshape\"(%%y) : (tensor<%s, #b%d>) -> tensor<%s, #bflat%d>\n"
          "  \"tile.store\"(%%pb, %%z) {operandSegmentSizes = array<i32: 1, 1, 0>} : "
          "(tensor<%dx!tile.ptr<%s>, "
          "#bflat%d>, tensor<%s, #bflat%d>) -> ()\n  return\n}\n",
          tile, k, flat, k, count, type, k, flat, k);
}

/* The module of all pairs. End it with free. */
static char *write_module(const struct pair *pairs, int warp_bits, size_t *length) {
  char *result = NULL, name[24];
  FILE *text = open_memstream(&result, length);
  if (!text)
    exit(1);
  for (int k = 0; k < KERNELS; k++)
    for (int side = 0; side < 2; side++)
      for (int flat = 0; flat < 2; flat++) {
        snprintf(name, sizeof name, "%c%s%d", 'a' + side, flat ? "flat" : "", k);
        put_layout(text, name, side ? &pairs[k].b : &pairs[k].a, &pairs[k], flat);
      }
  fprintf(text, "module attributes {tile_gpu.num_warps = %d : i32} {\n", 1 << warp_bits);
  for (int k = 0; k < KERNELS; k++)
    put_kernel(text, &pairs[k], k);
  fprintf(text, "}\n");
  fclose(text);
  return result;
}

/* --- Running ---------------------------------------------------------------------------------- */

static bool run_pair(tile_module *module, const struct pair *pair, int k, uint64_t seed) {
  size_t bytes = types[pair->type].bytes << pair->total;
  uint8_t *x = poisoned(bytes), *out = poisoned(bytes);
  char name[16];
  snprintf(name, sizeof name, "k%d", k);
  for (size_t i = 0; i < bytes; i++)
    x[i] = (uint8_t)((i * 2654435761u >> 13) ^ i); /* elements differ */
  LAUNCH(module, name, GRID(1, 1, 1), seed, BUFFER(x, bytes), BUFFER(out, bytes));
  bool same = memcmp(x, out, bytes) == 0;
  free(x);
  free(out);
  return same;
}

static void run_module(uint64_t seed, uint64_t count) {
  state = seed * 0x9E3779B97F4A7C15u + 1;
  struct pair pairs[KERNELS];
  int warp_bits = (int)below(4);
  for (int k = 0; k < KERNELS; k++)
    pairs[k] = draw_pair(warp_bits);
  size_t length;
  char *text = write_module(pairs, warp_bits, &length);
  tile_module *module = compile_text("converts.mlir", text, length, 1 << warp_bits);
  CHECK(module != NULL);
  for (int k = 0; module && k < KERNELS && (uint64_t)k < count; k++) {
    bool same = run_pair(module, &pairs[k], k, seed);
    CHECK(same);
    if (!same)
      printf("seed %llu, kernel k%d, %d warps\n%s\n", (unsigned long long)seed, k, 1 << warp_bits,
             text);
  }
  tile_module_unload(module);
  free(text);
}

static void random_pairs(void) {
  bool gpu = tile_device_get_properties(test_device)->target[0] != 0;
  uint64_t count = arguments.count ? arguments.count : gpu ? 200 : 40;
  for (uint64_t done = 0; done < count; done += KERNELS)
    run_module(arguments.seed + done / KERNELS, count - done);
  printf("%llu pairs of layouts\n", (unsigned long long)count);
}

int main(int argc, char **argv) {
  int left = 1;
  for (int i = 1; i < argc; i++)
    if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
      arguments.seed = strtoull(argv[++i], NULL, 0);
    else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
      arguments.count = strtoull(argv[++i], NULL, 0);
    else
      argv[left++] = argv[i];
  return RUN_KERNEL_TESTS(left, argv, {"random pairs of layouts", random_pairs});
}
