/* SPDX-License-Identifier: MIT */
/* Versions with tensor maps: which launches take them, what is made and passed, what is remembered;
   their metadata, and images that cannot be true. */
#include "runtime_conformance.h"

#include <sys/wait.h>
#include <unistd.h>
#include "runtime/metadata.h"
#include "runtime/null/null.h"
#include "runtime/tensor_maps.h"
#include "runtime/versions.h"
#include "temporary.h"
#include "tile/interop.h"

static const struct subject null = {.name = "null", .driver = tile_null_driver, .load = load_plain};
static const struct subject fake = {.name = "fake", .driver = tile_cuda_driver, .load = load_plain};

/* k(a, b, m, k, row): a of m x k, whose rows lie `row` elements apart, and b of k elements. */
static const tile_parameter parameters[] = {{"a", "f16", TILE_ARGUMENT_POINTER, 1},
                                            {"b", "f32", TILE_ARGUMENT_POINTER, 1},
                                            {"m", "i32", TILE_ARGUMENT_I32, 1},
                                            {"k", "i32", TILE_ARGUMENT_I32, 1},
                                            {"row", "i64", TILE_ARGUMENT_I64, 1}};
static const tile_tensor_map maps[] = {{.base = 0,
                                        .rank = 2,
                                        .type = "f16",
                                        .sizes = {{1, 1, {3}}, {1, 1, {2}}},
                                        .strides = {{2, 1, {4}}},
                                        .box = {64, 128},
                                        .swizzle = 128},
                                       {.base = 1,
                                        .rank = 1,
                                        .type = "f32",
                                        .sizes = {{4, 2, {2, 3}}},
                                        .box = {8},
                                        .pads_with_nan = true}};
static const tile_condition fixed_k[] = {{TILE_CONDITION_EQUAL, 3, 64}};
static const tile_condition few[] = {{TILE_CONDITION_FEW_BLOCKS, 0, 2}};
static const tile_kernel_version versions[] = {
    {.symbol = "k$one",
     .num_warps = 1,
     .threads = 64,
     .programs_per_block = 2,
     .conditions = fixed_k,
     .condition_count = 1,
     .maps = maps,
     .map_count = 1},
    {.symbol = "k$tma", .num_warps = 4, .threads = 128, .maps = maps, .map_count = 2},
    {.symbol = "k$small", .num_warps = 4, .threads = 128, .conditions = few, .condition_count = 1},
    {.symbol = "k", .num_warps = 4, .threads = 128}};

static struct plain_image family_of(const char *text, const tile_kernel_version *some,
                                    size_t count) {
  struct plain_image plain = plain_image("k", text);
  plain.info.parameters = parameters;
  plain.info.parameter_count = 5;
  plain.info.versions = some;
  plain.info.version_count = count;
  return plain;
}

static struct plain_image family(void) {
  return family_of(".version .entry k$one( .entry k$tma( .entry k$small( .entry k(", versions, 4);
}

static tile_image *link_family(struct plain_image *plain) {
  plain->image = (tile_image){&plain->section, 1, &plain->info, 1};
  return &plain->image;
}

struct loaded {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
};

static struct loaded load(const struct subject *subject, struct plain_image *plain) {
  struct loaded l = {.device = open_device(subject)};
  FINE(tile_module_load(l.device, link_family(plain), &l.module));
  if (!l.module)
    exit(1);
  l.kernel = tile_module_kernel_at(l.module, 0);
  return l;
}

static void unload(const struct loaded *l) {
  tile_module_unload(l->module);
  tile_device_close(l->device);
}

struct call {
  uint64_t a, b;
  int32_t m, k;
  int64_t row;
  uint32_t programs;
  const char *symbol;
};

static tile_status launch(const struct loaded *l, const struct call *call) {
  tile_argument arguments[] = {tile_argument_address(call->a), tile_argument_address(call->b),
                               tile_argument_i32(call->m), tile_argument_i32(call->k),
                               tile_argument_i64(call->row)};
  return tile_launch(l->kernel, (const uint32_t[]){call->programs, 1, 1}, NULL, arguments, 5);
}

/* --- Choosing --------------------------------------------------------------------------------- */

/* Each rule that a launch may break, by itself; then the next version is tried. */
static void which_is_launched(void) {
  static const struct call calls[] = {{1024, 2048, 100, 65, 72, 9, "k$tma"},
                                      {1024, 2048, 100, 65, 72, 1, "k$tma"},
                                      {1024, 2048, 100, 64, 72, 9, "k$one"},
                                      {1024, 2056, 100, 64, 72, 9, "k$one"}, /* no map of b */
                                      {1024, 2056, 100, 65, 72, 9, "k"},
                                      {1032, 2048, 100, 65, 72, 9, "k"},
                                      {1032, 2048, 100, 65, 72, 2, "k$small"},
                                      {0, 2048, 100, 65, 72, 9, "k"},
                                      {1024, 2048, 0, 65, 72, 9, "k"},
                                      {1024, 2048, 100, -1, 72, 9, "k"},
                                      {1024, 2048, 1 << 20, 1 << 12, 72, 9, "k"}, /* b: 2^34 */
                                      {1024, 2048, 1 << 18, 1 << 12, 72, 9, "k$tma"},
                                      {1024, 2048, 100, 65, 71, 9, "k"}, /* bytes: 142 */
                                      {1024, 2048, 100, 65, -72, 9, "k"},
                                      {1024, 2048, 100, 65, INT64_C(1) << 39, 9, "k"},
                                      {1024, 2048, 100, 65, (INT64_C(1) << 39) - 8, 9, "k$tma"},
                                      {1024, 2048, 100, 65, INT64_MAX / 2 + 8, 9, "k"}};
  struct plain_image plain = family();
  struct loaded l = load(&null, &plain);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    struct null_record record;
    FINE(launch(&l, &calls[i]));
    null_device_record(l.device, &record);
    CHECK_TEXT(record.kernel, calls[i].symbol);
  }
  unload(&l);
}

/* A version for rows that begin at no multiple of 128 bytes, in clusters: not where the caller asks
   for some of its own. Alone, it says what it needs. */
static void rows_that_split_lines(void) {
  static const tile_condition split[] = {{TILE_CONDITION_SPLIT_ROWS, 0, 128}};
  static const tile_kernel_version some[] = {{.symbol = "k$pairs",
                                              .num_warps = 4,
                                              .threads = 128,
                                              .resident_blocks = 1,
                                              .cluster_blocks = 2,
                                              .conditions = split,
                                              .condition_count = 1,
                                              .maps = maps,
                                              .map_count = 2},
                                             {.symbol = "k$tma",
                                              .num_warps = 4,
                                              .threads = 128,
                                              .resident_blocks = 1,
                                              .maps = maps,
                                              .map_count = 2},
                                             {.symbol = "k", .num_warps = 4, .threads = 128}};
  static const struct call calls[] = {{1024, 2048, 100, 64, 72, 9, "k$pairs"},
                                      {1024, 2048, 100, 64, 64, 9, "k$tma"},
                                      {1024, 2048, 100, 64, 128, 9, "k$tma"},
                                      {1024, 2048, 100, 64, 96, 9, "k$pairs"},
                                      {1024, 2048, 100, 64, 71, 9, "k"}};
  struct plain_image plain = family_of(".version .entry k$pairs( .entry k$tma( .entry k(", some, 3);
  struct loaded l = load(&null, &plain);
  struct null_record record;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    FINE(launch(&l, &calls[i]));
    null_device_record(l.device, &record);
    CHECK_TEXT(record.kernel, calls[i].symbol);
  }
  tile_argument arguments[] = {tile_argument_address(1024), tile_argument_address(2048),
                               tile_argument_i32(100), tile_argument_i32(64),
                               tile_argument_i64(72)};
  FINE(tile_launch_with(l.kernel, (const uint32_t[]){8, 1, 1}, NULL, arguments, 5,
                        &(tile_launch_options){.cluster = {4, 1, 1}}));
  null_device_record(l.device, &record);
  CHECK_TEXT(record.kernel, "k$tma");
  unload(&l);
  /* rows of what is stored do not count */
  tile_tensor_map stored[2] = {maps[0], maps[1]};
  tile_kernel_version of_stores[] = {some[0], some[1], some[2]};
  stored[0].stores = stored[1].stores = true;
  stored[0].pads_with_nan = stored[1].pads_with_nan = false;
  of_stores[0].maps = of_stores[1].maps = stored;
  plain.info.versions = of_stores;
  l = load(&null, &plain);
  FINE(launch(&l, &calls[0]));
  null_device_record(l.device, &record);
  CHECK_TEXT(record.kernel, "k$tma");
  unload(&l);
  plain.info.versions = some;
  plain.info.version_count = 1;
  l = load(&null, &plain);
  EXPECT(launch(&l, &(struct call){1024, 2048, 100, 64, 64, 9, NULL}), TILE_INVALID_ARGUMENT,
         "(1) needs a row stride of a tensor map no multiple of 128 bytes");
  unload(&l);
}

/* What is stored has rows of whole units of 16 bytes; the same rows may be loaded. */
static void rows_that_are_stored(void) {
  static const struct {
    int32_t k;
    const char *loaded, *stored;
  } cases[] = {{64, "k$tma", "k$tma"}, {56, "k$tma", "k$tma"}, {60, "k$tma", "k"}};
  for (int stores = 0; stores < 2; stores++) {
    tile_tensor_map map = maps[0];
    map.stores = stores;
    const tile_kernel_version some[] = {
        {.symbol = "k$tma", .num_warps = 4, .threads = 128, .maps = &map, .map_count = 1},
        {.symbol = "k", .num_warps = 4, .threads = 128}};
    struct plain_image plain = family_of(".version .entry k$tma( .entry k(", some, 2);
    struct loaded l = load(&null, &plain);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      struct null_record record;
      FINE(launch(&l, &(struct call){1024, 2048, 100, cases[i].k, 64, 9, NULL}));
      null_device_record(l.device, &record);
      CHECK_TEXT(record.kernel, stores ? cases[i].stored : cases[i].loaded);
    }
    unload(&l);
  }
}

/* After the arguments of the version come its maps, then the number of programs. */
static void what_is_passed(void) {
  struct plain_image plain = family();
  struct loaded l = load(&null, &plain);
  struct null_record record;
  FINE(launch(&l, &(struct call){1024, 2048, 100, 65, 72, 9, NULL}));
  null_device_record(l.device, &record);
  static const uint64_t tma[] = {1024, 2048, 100, 65, 72, 1024, 2048, 0};
  CHECK(memcmp(record.values, tma, sizeof tma) == 0);
  static const uint64_t map_a[10] = {1024, 65, 100, 0, 0, 0, 144}, map_b[10] = {2048, 4 * 100 * 65};
  CHECK(memcmp(record.maps[0], map_a, sizeof map_a) == 0);
  CHECK(memcmp(record.maps[1], map_b, sizeof map_b) == 0);
  FINE(launch(&l, &(struct call){1024, 2048, 100, 64, 72, 9, NULL}));
  null_device_record(l.device, &record);
  static const uint64_t one[] = {1024, 2048, 100, 72, 1024, 9, 0};
  CHECK(memcmp(record.values, one, sizeof one) == 0);
  CHECK_EQUAL(record.grid[0], 5);
  static const uint64_t map_one[10] = {1024, 64, 100, 0, 0, 0, 144};
  CHECK(memcmp(record.maps[0], map_one, sizeof map_one) == 0);
  /* The same from addresses of arguments, and the version that is told. */
  uint64_t a = 1024, b = 2048;
  int32_t m = 100, k = 64;
  int64_t row = 72;
  FINE(tile_launch_pointers(l.kernel, (const uint32_t[]){9, 1, 1}, NULL,
                            (void *[]){&a, &b, &m, &k, &row}));
  null_device_record(l.device, &record);
  CHECK_TEXT(record.kernel, "k$one");
  CHECK(memcmp(record.maps[0], map_one, sizeof map_one) == 0);
  unload(&l);
}

/* The message says which rule is broken where there is no other version. */
static void none_that_can_be_made(void) {
  static const struct {
    struct call call;
    const char *words;
  } cases[] = {{{1032, 2048, 100, 65, 72, 9, NULL},
                "(1) needs a tensor map of a, whose address, 0x408, is no multiple of 16"},
               {{1024, 0, 100, 65, 72, 9, NULL}, "a tensor map of b, whose address, 0x0, is null"},
               {{1024, 2048, 0, 65, 72, 9, NULL},
                "a tensor map of a, whose size along dimension 1, 0, is not 1 to 2^32"},
               {{1024, 2048, 100, 65, 71, 9, NULL},
                "whose stride along dimension 1, 142, is no multiple of 16"},
               {{1024, 2048, 100, 65, INT64_C(1) << 39, 9, NULL},
                "whose stride along dimension 1, 1099511627776, is not below 2^40"}};
  struct plain_image plain = family();
  plain.info.versions = &versions[1];
  plain.info.version_count = 1;
  struct loaded l = load(&null, &plain);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    EXPECT(launch(&l, &cases[i].call), TILE_INVALID_ARGUMENT, cases[i].words);
  unload(&l);
}

/* Dimensions along which the kernel counts in 32 bits: elements from the first to the last. */
static void counted_in_32_bits(void) {
  tile_tensor_map own[2] = {maps[0], maps[1]};
  tile_kernel_version version = versions[1];
  version.maps = own;
  version.map_count = 1;
  struct plain_image plain = family();
  plain.info.versions = &version;
  plain.info.version_count = 1;
  own[0].narrow = 2; /* (m - 1) * row */
  struct loaded l = load(&null, &plain);
  FINE(launch(&l, &(struct call){1024, 2048, 1 << 21, 64, 1024, 9, NULL}));
  EXPECT(launch(&l, &(struct call){1024, 2048, 1 + (1 << 21), 64, 1024, 9, NULL}),
         TILE_INVALID_ARGUMENT, "a tensor map of a, whose extent, 2147483648, is not below 2^31");
  EXPECT(launch(&l, &(struct call){1024, 2048, INT32_MAX, 64, INT64_C(1) << 38, 9, NULL}),
         TILE_INVALID_ARGUMENT, "is not below 2^31");
  unload(&l);
  own[0].narrow = 3; /* and k - 1 */
  l = load(&null, &plain);
  FINE(launch(&l, &(struct call){1024, 2048, 1 << 21, 1024, 1024, 9, NULL}));
  EXPECT(launch(&l, &(struct call){1024, 2048, 1 << 21, 1025, 1024, 9, NULL}),
         TILE_INVALID_ARGUMENT, "whose extent, 2147483648,");
  unload(&l);
  own[0].narrow = 4;
  CHECK_TEXT(tensor_map_problem(&plain.info, &own[0]),
             "distances are counted in 32 bits along a dimension that it has not got");
}

/* --- Remembering ------------------------------------------------------------------------------ */

static uint64_t encoded_by(const struct loaded *l, uint64_t a, int32_t m) {
  struct null_record before, after;
  null_device_record(l->device, &before);
  FINE(launch(l, &(struct call){a, 4096, m, 65, 72, 9, NULL}));
  null_device_record(l->device, &after);
  CHECK_TEXT(after.kernel, "k$tma");
  CHECK_EQUAL(after.maps[0][0], a);
  CHECK_EQUAL(after.maps[0][2], m);
  return after.encoded - before.encoded;
}

/* Only what has changed is made anew. */
static void made_once(void) {
  struct plain_image plain = family();
  struct loaded l = load(&null, &plain);
  CHECK_EQUAL(encoded_by(&l, 1024, 100), 2);
  CHECK_EQUAL(encoded_by(&l, 1024, 100), 0);
  CHECK_EQUAL(encoded_by(&l, 1040, 100), 1);
  CHECK_EQUAL(encoded_by(&l, 1040, 101), 2);
  CHECK_EQUAL(encoded_by(&l, 1040, 101), 0);
  for (int i = 0; i < 1000; i++)
    CHECK(encoded_by(&l, 1024 + 16 * (uint64_t)i, 100 + i % 7) <= 2);
  unload(&l);
}

/* Threads that make maps of one version with ever other values, each its own. */
struct maker {
  const tile_kernel *kernel;
  uint64_t seed;
  size_t wrong;
};

static void *make_many(void *data) {
  struct maker *maker = data;
  for (uint64_t i = 0; i < 20000; i++) {
    uint64_t a = 16 * (1 + (i * 7 + maker->seed) % 24), bits[] = {a, 32, 3 + a, 5, 8};
    struct tensor_map_bytes made[RUNTIME_MAP_LIMIT];
    bool fine = tensor_maps_make(maker->kernel, &maker->kernel->versions[1], bits, made);
    maker->wrong += !fine || made[0].words[0] != a || made[0].words[2] != 3 + a ||
                    made[1].words[0] != 32 || made[1].words[1] != 20 * (3 + a);
  }
  return NULL;
}

static void many_threads(void) {
  enum { THREADS = 4 };
  struct plain_image plain = family();
  struct loaded l = load(&null, &plain);
  pthread_t threads[THREADS];
  struct maker makers[THREADS];
  for (uint64_t i = 0; i < THREADS; i++) {
    makers[i] = (struct maker){l.kernel, i * 5, 0};
    CHECK_EQUAL(pthread_create(&threads[i], NULL, make_many, &makers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    CHECK_EQUAL(makers[i].wrong, 0);
  }
  unload(&l);
}

/* --- Devices ---------------------------------------------------------------------------------- */

/* A driver without maps has the plain version; where there is none, the message says why. */
static void drivers_without_maps(void) {
  struct plain_image plain = family();
  const tile_kernel_version *list[4];
  size_t count;
  plain.info.versions = NULL;
  tile_kernel_version own[4];
  for (int i = 0; i < 4; i++) {
    own[i] = versions[i];
    own[i].section = &plain.section;
  }
  plain.info.versions = own;
  tile_device_properties device = {.target = "sm_90a",
                                   .compute_major = 9,
                                   .shared_bytes = 1 << 16,
                                   .image_formats = 1u << TILE_IMAGE_PTX};
  FINE(versions_for_device(&device, &plain.info, list, &count));
  CHECK_EQUAL(count, 2);
  CHECK_TEXT(list[0]->symbol, "k$small");
  plain.info.version_count = 2;
  EXPECT(versions_for_device(&device, &plain.info, list, &count), TILE_DRIVER_TOO_OLD,
         "kernel 'k' has tensor maps, which this driver does not make: CUDA 12.0");
  device.tensor_maps = true;
  plain.info.version_count = 4;
  FINE(versions_for_device(&device, &plain.info, list, &count));
  CHECK_EQUAL(count, 4);
}

static char *log_name;

static bool log_has(const char *words) {
  static char text[1 << 16];
  FILE *file = fopen(log_name, "r");
  size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[size] = 0;
  if (file)
    fclose(file);
  return strstr(text, words);
}

/* What the CUDA driver is called with. What it refuses runs as the next version. */
static void made_by_cuda(void) {
  struct plain_image plain = family();
  struct loaded l = load(&fake, &plain);
  FINE(launch(&l, &(struct call){1024, 2048, 100, 65, 72, 9, NULL}));
  CHECK(
      log_has("map type 6 rank 2 base 0x400 size 65 box 64 step 1 stride 144 size 100 box 128 step "
              "1 interleave 0 swizzle 3 promotion 2 outside 0\n"));
  CHECK(log_has("map type 7 rank 1 base 0x800 size 26000 box 8 step 1 interleave 0 swizzle 0 "
                "promotion 2 outside 1\n"));
  CHECK(log_has("launch k$tma grid 9 1 1"));
  CHECK(!log_has("launch k$small"));
  FINE(launch(&l, &(struct call){1024, 2048, 13, 65, 72, 9, NULL}));
  CHECK(log_has("launch k$small grid 9 1 1"));
  void *module, *own, *plain_one, *tma;
  const tile_kernel_info *info = tile_kernel_get_info(l.kernel);
  FINE(tile_kernel_native(l.kernel, &info->versions[2], &module, &own));
  FINE(tile_kernel_native(l.kernel, NULL, &module, &plain_one));
  FINE(tile_kernel_native(l.kernel, &info->versions[1], &module, &tma));
  CHECK(own == plain_one && own != tma);
  unload(&l);
}

static void refused_by_cuda(void) {
  struct plain_image plain = family();
  plain.info.versions = &versions[1];
  plain.info.version_count = 1;
  struct loaded l = load(&fake, &plain);
  EXPECT(launch(&l, &(struct call){1024, 2048, 13, 65, 72, 9, NULL}), TILE_INVALID_ARGUMENT,
         "(1) needs tensor maps that the driver makes");
  unload(&l);
}

static void old_cuda(void) {
  struct plain_image plain = family();
  struct loaded l = load(&fake, &plain);
  CHECK(!tile_device_get_properties(l.device)->tensor_maps);
  FINE(launch(&l, &(struct call){1024, 2048, 100, 65, 72, 9, NULL}));
  CHECK(log_has("launch k$small grid 9 1 1"));
  unload(&l);
}

static void in_child(const char *library, void (*test)(void)) {
  log_name = temporary_file("tensor-maps");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    setenv("TILE_LIBCUDA", library, 1);
    setenv("FAKE_CUDA_LOG", log_name, 1);
    check_failures_ = 0;
    test();
    fflush(stdout);
    _exit(check_failures_ != 0);
  }
  int state = 1;
  waitpid(child, &state, 0);
  CHECK_EQUAL(state, 0);
  unlink(log_name);
  free(log_name);
}

static void cuda(void) {
  in_child(FAKE_CUDA_LIBRARY, made_by_cuda);
  in_child(FAKE_CUDA_LIBRARY, refused_by_cuda);
  in_child(FAKE_CUDA_11_LIBRARY, old_cuda);
}

/* --- Images ----------------------------------------------------------------------------------- */

static void check_same_product(const tile_product *a, const tile_product *b) {
  CHECK_EQUAL(a->factor, b->factor);
  CHECK_EQUAL(a->argument_count, b->argument_count);
  CHECK(memcmp(a->arguments, b->arguments, a->argument_count * sizeof *a->arguments) == 0);
}

static void check_same_maps(const tile_kernel_version *version) {
  CHECK_EQUAL(version->map_count, 2);
  for (int i = 0; i < 2 && version->map_count == 2; i++) {
    const tile_tensor_map *map = &version->maps[i];
    CHECK_EQUAL(map->base, maps[i].base);
    CHECK_EQUAL(map->rank, maps[i].rank);
    CHECK_TEXT(map->type, maps[i].type);
    for (uint32_t k = 0; k < map->rank; k++) {
      check_same_product(&map->sizes[k], &maps[i].sizes[k]);
      CHECK_EQUAL(map->box[k], maps[i].box[k]);
    }
    check_same_product(&map->strides[0], &maps[i].strides[0]);
    CHECK_EQUAL(map->swizzle, maps[i].swizzle);
    CHECK_EQUAL(map->pads_with_nan, maps[i].pads_with_nan);
  }
}

static void through_a_file(void) {
  struct plain_image plain = family();
  void *bytes = NULL;
  size_t size = 0;
  tile_image *read = NULL;
  FINE(tile_image_serialize(link_family(&plain), &bytes, &size));
  char *text = strndup(bytes, size);
  CHECK(strstr(
      text,
      "\n// tile.map base=0 type=f16 sizes=1*3,1*2 strides=2*4 box=64,128 swizzle=128 narrow=0 "
      "outside=zero\n"
      "// tile.map base=1 type=f32 sizes=4*2*3 strides= box=8 swizzle=0 narrow=0 "
      "outside=nan\n"));
  free(text);
  FINE(tile_image_parse("maps", bytes, size, &read));
  free(bytes);
  CHECK_EQUAL(read->kernels->version_count, 4);
  CHECK_EQUAL(read->kernels->versions[0].map_count, 1);
  check_same_maps(&read->kernels->versions[1]);
  CHECK_EQUAL(read->kernels->versions[2].map_count, 0);
  tile_image_free(read);
}

/* The lines of an image as somebody else might write them. */
static void broken_lines(void) {
  static const struct {
    const char *line, *words;
  } cases[] = {
      {"base=0 type=f16 sizes=1*3 strides= box=64 swizzle=128 narrow=0 outside=zero", ""},
      {"base=0 type=f16 sizes=1*3 strides= box=64 swizzle=128 narrow=0 outside=none", ""},
      {"base=0 type=f16 sizes=1*3 strides= box=64 swizzle=128 narrow=0", "lacks the word outside="},
      {"base=0 type=f16 sizes=1*3 strides= box=64 swizzle=128 narrow=0 outside=one",
       "neither zero nor nan"},
      {"base=0 type=f16 sizes=1*3,1*2 strides= box=64 swizzle=128 narrow=0 outside=zero",
       "lists that do not go together"},
      {"base=0 type=f16 sizes=1*3 strides= box=64,64 swizzle=128 narrow=0 outside=zero",
       "lists that do not go together"},
      {"base=0 type=f16 sizes= strides= box= swizzle=128 narrow=0 outside=zero",
       "lists that do not go together"},
      {"base=0 type=f16 sizes=1,1,1,1,1,1 strides=2,2,2,2 box=1,1,1,1,1 swizzle=0 narrow=0 "
       "outside=zero",
       "a list that is broken or too long"},
      {"base=0 type=f16 sizes=1*x strides= box=64 swizzle=128 narrow=0 outside=zero",
       "a list that is broken"},
      {"base=0 type=f16 sizes=-1 strides= box=64 swizzle=128 narrow=0 outside=zero",
       "a list that is broken"},
      {"base=0 type=f16 sizes=1*2*2*2*2*2*2*2*2 strides= box=64 swizzle=0 narrow=0 outside=zero",
       "a list that is broken"},
      {"base=2 type=f16 sizes=1*3 strides= box=64 swizzle=128 narrow=0 outside=zero",
       "its base is no pointer"},
      {"base=9 type=f16 sizes=1*3 strides= box=64 swizzle=128 narrow=0 outside=zero",
       "its base is no pointer"},
      {"base=0 type=f17 sizes=1*3 strides= box=64 swizzle=128 narrow=0 outside=zero",
       "no elements of its type"},
      {"base=0 type=f16 sizes=1*1 strides= box=64 swizzle=128 narrow=0 outside=zero",
       "products of integers"},
      {"base=0 type=f16 sizes=1*5 strides= box=64 swizzle=128 narrow=0 outside=zero",
       "products of integers"},
      {"base=0 type=f16 sizes=1*3 strides= box=257 swizzle=0 narrow=0 outside=zero",
       "1 to 256 elements"},
      {"base=0 type=f16 sizes=1*3 strides= box=8*2 swizzle=0 narrow=0 outside=zero",
       "1 to 256 elements"},
      {"base=0 type=f16 sizes=1*3 strides= box=4 swizzle=0 narrow=0 outside=zero",
       "multiples of 16 bytes"},
      {"base=0 type=f16 sizes=1*3 strides= box=64 swizzle=16 narrow=0 outside=zero",
       "0, 32, 64 or 128"},
      {"base=0 type=f16 sizes=1*3 strides= box=64 swizzle=64 narrow=0 outside=zero",
       "no longer than"},
      {"base=0 type=i16 sizes=1*3 strides= box=64 swizzle=128 narrow=0 outside=nan",
       "have no NaN"}};
  struct plain_image plain = family();
  plain.info.versions = &versions[3];
  plain.info.version_count = 1;
  void *bytes = NULL;
  size_t size = 0;
  FINE(tile_image_serialize(link_family(&plain), &bytes, &size));
  char *head = strndup(bytes, size);
  *strstr(head, "// tile.end") = 0;
  size_t start = (size_t)(strstr(head, "// tile.metadata") - head);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct text text = {0};
    tile_image *read = NULL;
    text_printf(&text, "%s// tile.map %s\n", head, cases[i].line);
    metadata_close(&text, start);
    tile_status status = tile_image_parse("maps", text.data, text.length, &read);
    EXPECT(status, *cases[i].words ? TILE_BAD_IMAGE : TILE_OK, cases[i].words);
    tile_image_free(read);
    text_free(&text);
  }
  free(head);
  free(bytes);
}

/* What is filled in by hand is held to the same. */
static void wrong_maps(void) {
  tile_tensor_map many[RUNTIME_MAP_LIMIT + 1];
  for (int i = 0; i <= RUNTIME_MAP_LIMIT; i++)
    many[i] = maps[0];
  tile_kernel_version version = versions[1];
  struct plain_image plain = family();
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  plain.info.versions = &version;
  plain.info.version_count = 1;
  version.maps = many;
  version.map_count = RUNTIME_MAP_LIMIT;
  FINE(tile_module_load(device, link_family(&plain), &module));
  tile_module_unload(module);
  version.map_count++;
  EXPECT(tile_module_load(device, link_family(&plain), &module), TILE_INVALID_ARGUMENT,
         "a version with 17 tensor maps, the limit is 16");
  version.map_count = 1;
  many[0].type = NULL;
  EXPECT(tile_module_load(device, link_family(&plain), &module), TILE_INVALID_ARGUMENT,
         "kernel 'k' has a tensor map that cannot be made: there are no elements of its type");
  many[0] = maps[0];
  many[0].strides[0].factor = -2;
  EXPECT(tile_module_load(device, link_family(&plain), &module), TILE_INVALID_ARGUMENT,
         "products of integers");
  tile_condition split[] = {{TILE_CONDITION_SPLIT_ROWS, 0, 128},
                            {TILE_CONDITION_SPLIT_ROWS, 0, 256}};
  many[0] = maps[0];
  version.conditions = split;
  version.condition_count = 2;
  version.map_count = 0;
  EXPECT(tile_module_load(device, link_family(&plain), &module), TILE_INVALID_ARGUMENT,
         "a condition on rows of tensor maps needs");
  version.map_count = 1;
  for (int64_t rows = -1; rows <= 0; rows++) { /* a remainder by zero would end the process */
    split[1].value = rows;
    EXPECT(tile_module_load(device, link_family(&plain), &module), TILE_INVALID_ARGUMENT,
           "a condition on rows of tensor maps needs");
  }
  EXPECT(metadata_check("maps", link_family(&plain)), TILE_BAD_IMAGE,
         "cannot be true: a condition on rows of tensor maps needs");
  split[1].value = 256;
  FINE(tile_module_load(device, link_family(&plain), &module));
  struct loaded l = {.module = module, .kernel = tile_module_kernel_at(module, 0)};
  FINE(launch(&l, &(struct call){1024, 2048, 100, 64, 72, 9, NULL}));
  EXPECT(launch(&l, &(struct call){1024, 2048, 100, 64, 64, 9, NULL}), TILE_INVALID_ARGUMENT,
         "no multiple of 128 bytes"); /* of 256 it is none either */
  tile_module_unload(module);
  version.conditions = NULL;
  version.condition_count = 0;
  version.maps = NULL;
  EXPECT(tile_module_load(device, link_family(&plain), &module), TILE_INVALID_ARGUMENT,
         "counts conditions, constants or maps that it has not got");
  tile_device_close(device);
}

/* Versions that differ in their maps alone are two; one with maps does not stand for one without.
 */
static void joined(void) {
  struct plain_image parts[3] = {family(), family(), family()};
  tile_kernel_version own[2] = {versions[1], versions[1]};
  tile_tensor_map other = maps[0];
  other.box[1] = 64;
  own[1].maps = &other;
  own[1].map_count = 1;
  parts[1].info.versions = own;
  parts[1].info.version_count = 2;
  parts[2].info.versions = &versions[3];
  parts[2].info.version_count = 1;
  const tile_image *images[] = {link_family(&parts[0]), link_family(&parts[1]),
                                link_family(&parts[2])};
  tile_image *image = NULL;
  FINE(tile_image_join(images, 3, &image));
  CHECK_EQUAL(image->kernels->version_count, 5);
  check_same_maps(&image->kernels->versions[1]);
  CHECK(!image->kernels->versions[3].map_count);
  CHECK_EQUAL(image->kernels->versions[4].maps[0].box[1], 64);
  CHECK(!version_covers(&versions[1], &versions[3]));
  CHECK(version_covers(&versions[3], &versions[1]));
  CHECK(version_covers(&versions[1], &own[0]));
  CHECK(!version_covers(&versions[1], &own[1]));
  tile_image_free(image);
}

/* What is for two blocks a multiprocessor takes none of what is for three from it. */
static void launches_of_few_blocks(void) {
  static const tile_condition more[] = {{TILE_CONDITION_FEW_BLOCKS, 0, 3}};
  tile_kernel_version two = {.symbol = "k", .conditions = few, .condition_count = 1};
  tile_kernel_version three = {.symbol = "k", .conditions = more, .condition_count = 1};
  CHECK(version_covers(&three, &two));
  CHECK(!version_covers(&two, &three));
  CHECK(version_covers(&two, &two));
}

static void words(void) {
  struct plain_image plain = family();
  struct text text = {0};
  tensor_map_print(&plain.info, &maps[0], &text);
  text_puts(&text, "\n");
  tensor_map_print(&plain.info, &maps[1], &text);
  CHECK_TEXT(text_string(&text),
             "a: f16, k x m, strides of 2 * row bytes, boxes of 64 x 128, swizzle 128\n"
             "b: f32, 4 * m * k, boxes of 8, NaN outside");
  text_free(&text);
}

int main(int argc, char **argv) {
  static const struct test_row rows[] = {
      {"CUDA", cuda}, /* children: before libcuda is opened */
      {"which is launched", which_is_launched},
      {"rows that split lines", rows_that_split_lines},
      {"rows that are stored", rows_that_are_stored},
      {"what is passed", what_is_passed},
      {"none that can be made", none_that_can_be_made},
      {"counted in 32 bits", counted_in_32_bits},
      {"counted in 32 bits", counted_in_32_bits},
      {"made once", made_once},
      {"many threads", many_threads},
      {"drivers without maps", drivers_without_maps},
      {"through a file", through_a_file},
      {"broken lines", broken_lines},
      {"wrong maps", wrong_maps},
      {"joined", joined},
      {"launches of few blocks", launches_of_few_blocks},
      {"words", words},
  };
  return run_tests_(argc, argv, rows, sizeof rows / sizeof *rows);
}
