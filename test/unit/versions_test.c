/* SPDX-License-Identifier: MIT */
/* Versions of a kernel: which is launched, what is passed to it, what a device takes, what goes
 * together. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "runtime_conformance.h"

#include <dlfcn.h>
#include "runtime/null/null.h"
#include "runtime/versions.h"
#include "tile/emulator_device.h"
#include "tile/image.h"

static const struct subject null = {.name = "null", .driver = tile_null_driver, .load = load_plain};

/* --- Launching -------------------------------------------------------------------------------- */

/* k(x, n, s, bias, small): several specialisations, the general one last. */
static const tile_parameter parameters[] = {{"x", "f32", TILE_ARGUMENT_POINTER, 4},
                                            {"n", "i32", TILE_ARGUMENT_I32, 1},
                                            {"s", "f32", TILE_ARGUMENT_F32, 1},
                                            {"bias", "f16", TILE_ARGUMENT_POINTER, 1},
                                            {"small", "i8", TILE_ARGUMENT_I8, 1}};
static const tile_condition ones[] = {{TILE_CONDITION_EQUAL, 1, 1}, {TILE_CONDITION_ABSENT, 3, 0}};
static const tile_condition half[] = {{TILE_CONDITION_EQUAL, 2, 0x3F000000}}; /* 0.5f */
static const tile_condition wide[] = {{TILE_CONDITION_DIVISIBLE, 0, 16},
                                      {TILE_CONDITION_DIVISIBLE, 1, 8}};
static const tile_condition short_rows[] = {{TILE_CONDITION_AT_MOST, 4, -3}};
static const tile_condition few[] = {{TILE_CONDITION_FEW_BLOCKS, 0, 2}};
static const tile_named_constant constants[] = {{"BLOCK", "64"}, {"ACTIVATION", "'relu'"}};
static const tile_kernel_version all_versions[] = {
    {.symbol = "k_ones", .num_warps = 1, .threads = 32, .conditions = ones, .condition_count = 2},
    {.symbol = "k_half", .num_warps = 1, .threads = 32, .conditions = half, .condition_count = 1},
    {.symbol = "k_wide",
     .num_warps = 2,
     .threads = 64,
     .conditions = wide,
     .condition_count = 2,
     .constants = constants,
     .constant_count = 2},
    {.symbol = "k_short",
     .num_warps = 1,
     .threads = 64,
     .programs_per_block = 2,
     .conditions = short_rows,
     .condition_count = 1},
    {.symbol = "k_few", .num_warps = 4, .threads = 128, .conditions = few, .condition_count = 1},
    {.symbol = "k", .num_warps = 4, .threads = 128}};

static struct plain_image family(size_t count) {
  struct plain_image plain =
      plain_image("k", ".version .entry k( k_ones k_half k_wide k_short k_few");
  plain.info.parameters = parameters;
  plain.info.parameter_count = 5;
  plain.info.versions = all_versions;
  plain.info.version_count = count;
  return plain;
}

static tile_module *load(tile_device *device, struct plain_image *plain) {
  tile_module *module = NULL;
  plain->image = (tile_image){&plain->section, 1, &plain->info, 1};
  FINE(tile_module_load(device, &plain->image, &module));
  return module;
}

struct call {
  uint64_t x;
  int32_t n;
  float s;
  uint64_t bias;
  int8_t small;
  uint32_t programs;
  const char *symbol;
  uint64_t passed[6]; /* what the function gets */
};

static void arguments_of(const struct call *call, tile_argument *out) {
  out[0] = tile_argument_address(call->x);
  out[1] = tile_argument_i32(call->n);
  out[2] = tile_argument_f32(call->s);
  out[3] = tile_argument_address(call->bias);
  out[4] = tile_argument_i8(call->small);
}

/* Each condition by itself, the order among several, and arguments that are not passed on. */
static void first_that_holds(void) {
  static const struct call calls[] = {
      {32, 1, 2.0f, 0, 0, 9, "k_ones", {32, 0x40000000, 0}},
      {32, 1, 0.5f, 16, 0, 9, "k_half", {32, 1, 16, 0}},
      {32, 1, 0.5f, 0, 0, 9, "k_ones", {32, 0x3F000000, 0}},
      {48, -8, 1.0f, 16, -3, 9, "k_wide", {48, 0xFFFFFFF8, 0x3F800000, 16, 0xFD}},
      {8, -8, 1.0f, 16, -3, 9, "k_short", {8, 0xFFFFFFF8, 0x3F800000, 16, 0xFD, 9}},
      {48, 12, 1.0f, 16, -128, 9, "k_short", {48, 12, 0x3F800000, 16, 0x80, 9}},
      {48, 12, 1.0f, 16, -2, 9, "k", {48, 12, 0x3F800000, 16, 0xFE}},
      {48, 12, 1.0f, 16, -2, 2, "k_few", {48, 12, 0x3F800000, 16, 0xFE}},
      {0, 0, -0.0f, 16, 100, 3, "k_wide", {0, 0, 0x80000000, 16, 100}}};
  tile_device *device = open_device(&null);
  struct plain_image plain = family(6);
  tile_module *module = load(device, &plain);
  tile_kernel *kernel = tile_module_kernel_at(module, 0);
  CHECK_EQUAL(tile_kernel_get_info(kernel)->version_count, 6);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    tile_argument arguments[5];
    struct null_record record, again;
    const tile_kernel_version *version = NULL;
    const uint32_t grid[3] = {calls[i].programs, 1, 1};
    arguments_of(&calls[i], arguments);
    FINE(tile_launch(kernel, grid, NULL, arguments, 5));
    null_device_record(device, &record);
    CHECK_TEXT(record.kernel, calls[i].symbol);
    CHECK(memcmp(record.values, calls[i].passed, sizeof calls[i].passed) == 0);
    FINE(tile_kernel_select(kernel, grid, arguments, 5, &version));
    CHECK_TEXT(version->symbol, calls[i].symbol);
    CHECK_TEXT(all_versions[version->index].symbol, calls[i].symbol);
    void *pointers[] = {&arguments[0].value, &arguments[1].value, &arguments[2].value,
                        &arguments[3].value, &arguments[4].value};
    FINE(tile_launch_pointers(kernel, grid, NULL, pointers));
    null_device_record(device, &again);
    CHECK_EQUAL(again.launches, record.launches + 1);
    CHECK_TEXT(again.kernel, calls[i].symbol);
    CHECK(memcmp(record.values, again.values, sizeof record.values) == 0);
  }
  tile_module_unload(module);
  tile_device_close(device);
}

/* Without the general version: the message says of each version what does not hold. */
static void none_that_holds(void) {
  tile_device *device = open_device(&null);
  struct plain_image plain = family(5);
  tile_module *module = load(device, &plain);
  tile_kernel *kernel = tile_module_kernel_at(module, 0);
  const struct call call = {8, 12, 1.0f, 16, 0, 9, NULL, {0}};
  tile_argument arguments[5];
  arguments_of(&call, arguments);
  EXPECT(tile_launch(kernel, (const uint32_t[3]){9, 1, 1}, NULL, arguments, 5),
         TILE_INVALID_ARGUMENT,
         "kernel 'k': none of its 5 versions for this device takes these arguments: (1) needs n = "
         "1, is 12; (2) needs s "
         "= 1056964608, is 0x3f800000; (3) needs x divisible by 16, is 0x8; (4) needs small <= -3, "
         "is 0; (5) needs "
         "blocks for each multiprocessor <= 2; join a version without conditions");
  /* What all versions were promised is checked before. */
  arguments[0] = tile_argument_address(2);
  EXPECT(tile_launch(kernel, (const uint32_t[3]){9, 1, 1}, NULL, arguments, 5),
         TILE_INVALID_ARGUMENT, "argument 0 ('x'): address 0x2 is not divisible by 4");
  arguments[0] = tile_argument_i32(2);
  EXPECT(tile_launch(kernel, (const uint32_t[3]){9, 1, 1}, NULL, arguments, 5),
         TILE_INVALID_ARGUMENT, "the kernel takes a pointer to f32, the launch passes i32");
  EXPECT(tile_kernel_select(kernel, (const uint32_t[3]){9, 1, 0}, arguments, 5,
                            &(const tile_kernel_version *){0}),
         TILE_INVALID_ARGUMENT, "passes i32");
  EXPECT(tile_launch_pointers(kernel, (const uint32_t[3]){9, 1, 1}, NULL, NULL),
         TILE_INVALID_ARGUMENT, "arguments is NULL");
  tile_module_unload(module);
  tile_device_close(device);
}

struct grid_context {
  size_t calls;
  uint32_t programs;
};

static tile_status compute_grid(void *context, const tile_kernel_version *version,
                                void *const *arguments, uint32_t grid[3]) {
  struct grid_context *own = context;
  const char *block = tile_kernel_version_constant(version, "BLOCK");
  own->calls++;
  if (*(const int32_t *)arguments[1] < 0)
    return tile_status_make(TILE_UNSUPPORTED, "versions_test.c:1", "no rows");
  grid[0] = block ? 1000 + (uint32_t)atoi(block) : own->programs;
  return NULL;
}

/* A grid that depends on the version is computed for each one whose arguments fit. */
static void computed_grids(void) {
  tile_device *device = open_device(&null);
  struct plain_image plain = family(6);
  tile_module *module = load(device, &plain);
  tile_kernel *kernel = tile_module_kernel_at(module, 0);
  uint64_t x = 48, bias = 16;
  int32_t n = 8;
  float s = 1.0f;
  int8_t small = 0;
  void *pointers[] = {&x, &n, &s, &bias, &small};
  struct grid_context context = {.programs = 3};
  struct null_record record;
  FINE(tile_launch_computed(kernel, compute_grid, &context, NULL, pointers));
  null_device_record(device, &record);
  CHECK_TEXT(record.kernel, "k_wide");
  CHECK_EQUAL(record.grid[0], 1064);
  CHECK_EQUAL(context.calls, 1);
  n = 7;
  FINE(tile_launch_computed(kernel, compute_grid, &context, NULL, pointers));
  null_device_record(device, &record);
  CHECK_TEXT(record.kernel, "k"); /* three blocks are not few */
  CHECK_EQUAL(context.calls, 3);
  context.programs = 2;
  FINE(tile_launch_computed(kernel, compute_grid, &context, NULL, pointers));
  null_device_record(device, &record);
  CHECK_TEXT(record.kernel, "k_few");
  context.programs = 0;
  EXPECT(tile_launch_computed(kernel, compute_grid, &context, NULL, pointers),
         TILE_INVALID_ARGUMENT, "grid x = 0");
  n = -1;
  EXPECT(tile_launch_computed(kernel, compute_grid, &context, NULL, pointers), TILE_UNSUPPORTED,
         "no rows");
  EXPECT(tile_launch_computed(kernel, NULL, &context, NULL, pointers), TILE_INVALID_ARGUMENT,
         "grid is NULL");
  tile_module_unload(module);
  tile_device_close(device);
}

/* --- Devices ---------------------------------------------------------------------------------- */

static unsigned rank(int capability, tile_image_format format, const char *target) {
  tile_device_properties device = {.target = "sm_80",
                                   .compute_major = capability / 10,
                                   .compute_minor = capability % 10,
                                   .image_formats = 1u << TILE_IMAGE_PTX | 1u << TILE_IMAGE_CUBIN};
  return section_rank(&device, &(tile_section){.format = format, .target = target});
}

/* The table of compatibility.c, row by row. */
static void compatible_code(void) {
  static const struct {
    const char *target;
    int device;
    bool cubin, ptx;
  } rows[] = {{"sm_80", 80, true, true},
              {"sm_80", 86, true, true},
              {"sm_80", 90, false, true},
              {"sm_80", 120, false, true},
              {"sm_86", 80, false, false},
              {"sm_86", 89, true, true},
              {"sm_89", 86, false, false},
              {"sm_90", 90, true, true},
              {"sm_90a", 90, true, true},
              {"sm_90a", 100, false, false},
              {"sm_90a", 89, false, false},
              {"sm_100a", 100, true, true},
              {"sm_100a", 103, false, false},
              {"sm_100f", 103, true, true},
              {"sm_100f", 110, false, false},
              {"sm_103f", 100, false, false},
              {"sm_120a", 120, true, true},
              {"sm_120a", 121, false, false},
              {"", 80, true, true},
              {"sm_", 80, false, false},
              {"sm_8", 80, false, false},
              {"sm_80x", 80, false, false},
              {"sm_80aa", 80, false, false},
              {"gfx942", 90, false, false},
              {"sm_99999999999", 80, false, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!!rank(rows[i].device, TILE_IMAGE_CUBIN, rows[i].target) != rows[i].cubin ||
        !!rank(rows[i].device, TILE_IMAGE_PTX, rows[i].target) != rows[i].ptx)
      printf("%s on %d\n", rows[i].target, rows[i].device);
    CHECK(!!rank(rows[i].device, TILE_IMAGE_CUBIN, rows[i].target) == rows[i].cubin);
    CHECK(!!rank(rows[i].device, TILE_IMAGE_PTX, rows[i].target) == rows[i].ptx);
  }
  CHECK(rank(90, TILE_IMAGE_CUBIN, "sm_90a") > rank(90, TILE_IMAGE_CUBIN, "sm_90"));
  CHECK(rank(90, TILE_IMAGE_CUBIN, "sm_90") > rank(90, TILE_IMAGE_PTX, "sm_90a"));
  CHECK(rank(90, TILE_IMAGE_PTX, "sm_90a") > rank(90, TILE_IMAGE_PTX, "sm_90"));
  CHECK(rank(90, TILE_IMAGE_PTX, "sm_90") > rank(90, TILE_IMAGE_PTX, "sm_80"));
  CHECK(rank(89, TILE_IMAGE_CUBIN, "sm_86") > rank(89, TILE_IMAGE_CUBIN, "sm_80"));
  CHECK(rank(103, TILE_IMAGE_CUBIN, "sm_100f") > rank(103, TILE_IMAGE_CUBIN, "sm_103"));
  CHECK_EQUAL(rank(90, TILE_IMAGE_EMULATOR, ""), 0);
}

/* --- Joining ---------------------------------------------------------------------------------- */

/* A part with one kernel of two arguments, for one target. */
struct part {
  tile_parameter parameters[2];
  tile_condition condition;
  struct plain_image plain;
};

static const tile_image *make_part(struct part *part, const char *target, const char *symbol) {
  part->parameters[0] = (tile_parameter){"x", "f32", TILE_ARGUMENT_POINTER, 16};
  part->parameters[1] = (tile_parameter){"n", "i32", TILE_ARGUMENT_I32, 1};
  part->plain = plain_image("k", ".version .entry one two three four");
  part->plain.section.target = target;
  part->plain.info.parameters = part->parameters;
  part->plain.info.parameter_count = 2;
  part->plain.version.symbol = symbol;
  plain_link(&part->plain);
  return &part->plain.image;
}

static void one_condition(struct part *part, tile_condition_kind kind, uint32_t argument,
                          int64_t value) {
  part->condition = (tile_condition){kind, argument, value};
  part->plain.version.conditions = &part->condition;
  part->plain.version.condition_count = 1;
}

static const char *launched(tile_device *device, tile_kernel *kernel, uint64_t x, int32_t n) {
  static struct null_record record;
  tile_argument arguments[] = {tile_argument_address(x), tile_argument_i32(n)};
  tile_status status = tile_launch(kernel, adder_grid, NULL, arguments, 2);
  null_device_record(device, &record);
  const char *code = tile_code_name(tile_status_code(status));
  bool fine = !status;
  tile_status_free(status);
  return fine ? record.kernel : code;
}

/* Specialisations and targets in one image; through a file of several sections it is the same. */
static void join_and_launch(void) {
  struct part parts[4];
  const tile_image *images[] = {
      make_part(&parts[0], "sm_80", "one"), make_part(&parts[1], "sm_80", "two"),
      make_part(&parts[2], "sm_90a", "three"), make_part(&parts[3], "sm_90a", "four")};
  parts[1].parameters[0].divisibility = 4;
  parts[3].parameters[0].divisibility = 4;
  one_condition(&parts[0], TILE_CONDITION_EQUAL, 1, 1);
  one_condition(&parts[2], TILE_CONDITION_EQUAL, 1, 1);
  parts[2].parameters[1] =
      (tile_parameter){"n", "i64", TILE_ARGUMENT_I64, 1}; /* of no weight: it is a constant there */
  parts[2].plain.section.data = ".version three";
  parts[2].plain.section.size = 14;
  tile_image *joined = NULL, *read = NULL;
  FINE(tile_image_join(images, 4, &joined));
  CHECK_EQUAL(joined->kernel_count, 1);
  CHECK_EQUAL(joined->section_count, 3); /* the first two have one */
  CHECK_EQUAL(joined->kernels->version_count, 4);
  CHECK_EQUAL(joined->kernels->parameters[0].divisibility, 4);
  CHECK_EQUAL(joined->kernels->parameters[1].kind, TILE_ARGUMENT_I32);
  void *bytes = NULL;
  size_t size = 0;
  FINE(tile_image_serialize(joined, &bytes, &size));
  tile_image_free(joined);
  FINE(tile_image_parse("joined", bytes, size, &read));
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  FINE(tile_module_load(device, read, &module));
  tile_image_free(read);
  free(bytes);
  tile_kernel *kernel = tile_module_kernel_at(module, 0);
  /* Of sm_90a's two versions the second takes all that sm_80's take. */
  CHECK_EQUAL(tile_kernel_get_info(kernel)->version_count, 2);
  CHECK_TEXT(tile_kernel_get_info(kernel)->versions[1].section->target, "sm_90a");
  CHECK_EQUAL(tile_kernel_get_info(kernel)->versions[1].index, 3);
  CHECK_TEXT(launched(device, kernel, 16, 1), "three");
  CHECK_TEXT(launched(device, kernel, 4, 1), "four");
  CHECK_TEXT(launched(device, kernel, 16, 2), "four");
  CHECK_TEXT(launched(device, kernel, 2, 1), "invalid-argument");
  tile_module_unload(module);
  tile_device_close(device);
}

/* Where the better code takes some launches only, the other code is there for the rest. */
static void fall_back_to_older_code(void) {
  struct part parts[2];
  const tile_image *images[] = {make_part(&parts[0], "sm_80", "one"),
                                make_part(&parts[1], "sm_90a", "two")};
  one_condition(&parts[1], TILE_CONDITION_DIVISIBLE, 1, 32);
  tile_image *joined = NULL;
  FINE(tile_image_join(images, 2, &joined));
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  FINE(tile_module_load(device, joined, &module));
  tile_kernel *kernel = tile_module_kernel_at(module, 0);
  CHECK_TEXT(launched(device, kernel, 16, 64), "two");
  CHECK_TEXT(launched(device, kernel, 16, 33), "one");
  tile_image_free(joined);
  tile_module_unload(module);
  tile_device_close(device);
}

/* A kernel that this device has no code for does not keep the others from being loaded. */
static void kernels_for_other_devices(void) {
  struct part parts[3];
  const tile_image *images[] = {make_part(&parts[0], "sm_80", "one"),
                                make_part(&parts[1], "sm_100a", "two"),
                                make_part(&parts[2], "sm_120a", "three")};
  parts[1].plain.info.name = parts[2].plain.info.name = "other";
  parts[2].plain.section.format = TILE_IMAGE_CUBIN;
  tile_image *joined = NULL, *none = NULL;
  tile_device *device = open_device(&null);
  tile_module *module = NULL;
  tile_kernel *kernel = NULL;
  FINE(tile_image_join(images, 3, &joined));
  FINE(tile_module_load(device, joined, &module));
  CHECK_EQUAL(tile_module_kernel_count(module), 1);
  FINE(tile_module_kernel(module, NULL, &kernel));
  EXPECT(tile_module_kernel(module, "other", &kernel), TILE_WRONG_TARGET,
         "kernel 'other' is compiled for sm_100a, sm_120a (cubin), the null device has compute "
         "capability 9.0; compile "
         "it for sm_90a");
  tile_module_unload(module);
  module = NULL;
  FINE(tile_image_join(images + 1, 2, &none));
  EXPECT(tile_module_load(device, none, &module), TILE_WRONG_TARGET,
         "compiled for sm_100a, sm_120a (cubin)");
  CHECK(!module);
  tile_image_free(none);
  tile_image_free(joined);
  tile_device_close(device);
}

static void what_does_not_join(void) {
  struct part parts[2];
  const tile_image *images[] = {make_part(&parts[0], "sm_80", "one"),
                                make_part(&parts[1], "sm_90a", "two")};
  tile_image *joined = NULL;
  parts[1].parameters[1].name = "m";
  EXPECT(tile_image_join(images, 2, &joined), TILE_INVALID_ARGUMENT,
         "parameter 1 is 'n' in one part and 'm' in another");
  parts[1].parameters[1] = (tile_parameter){"n", "i64", TILE_ARGUMENT_I64, 1};
  EXPECT(tile_image_join(images, 2, &joined), TILE_INVALID_ARGUMENT,
         "parameter 1 ('n') is i32 in one part and i64 in another");
  parts[1].parameters[1] = (tile_parameter){"n", "f16", TILE_ARGUMENT_POINTER, 1};
  EXPECT(tile_image_join(images, 2, &joined), TILE_INVALID_ARGUMENT,
         "is i32 in one part and a pointer to f16 in");
  parts[1].plain.info.parameter_count = 1;
  EXPECT(tile_image_join(images, 2, &joined), TILE_INVALID_ARGUMENT,
         "has 2 parameters in one part and 1 in another");
  images[1] = make_part(&parts[1], "sm_90a", "two");
  parts[1].parameters[0].divisibility = 48;
  EXPECT(tile_image_join(images, 2, &joined), TILE_INVALID_ARGUMENT,
         "divisible by 48, which is no condition");
  images[1] = make_part(&parts[1], "sm_90a", "two");
  parts[1].plain.section.format = TILE_IMAGE_EMULATOR;
  EXPECT(tile_image_join(images, 2, &joined), TILE_UNSUPPORTED, "lives in memory only");
  images[1] = make_part(&parts[1], "sm_90a", "two");
  parts[1].plain.version.threads = 31;
  EXPECT(tile_image_join(images, 2, &joined), TILE_BAD_IMAGE,
         "'an image to join': the metadata of kernel 'k'");
  images[1] = NULL;
  EXPECT(tile_image_join(images, 2, &joined), TILE_INVALID_ARGUMENT, "is NULL");
  EXPECT(tile_image_join(images, 0, &joined), TILE_INVALID_ARGUMENT, "no image to join");
  CHECK(!joined);
}

/* The same part twice is there once; joined images join again. */
static void join_again(void) {
  struct part parts[2];
  const tile_image *images[] = {make_part(&parts[0], "sm_80", "one"),
                                make_part(&parts[1], "sm_90a", "two")};
  tile_image *joined = NULL, *again = NULL;
  FINE(tile_image_join(images, 2, &joined));
  FINE(tile_image_join((const tile_image *[]){joined, images[0], joined}, 3, &again));
  CHECK_EQUAL(again->section_count, 2);
  CHECK_EQUAL(again->kernels->version_count, 2);
  CHECK_EQUAL(again->kernels->versions[1].condition_count, 0);
  tile_image_free(joined);
  tile_image_free(again);
}

static void drivers_by_name(void) {
  const tile_driver *driver = NULL;
  FINE(tile_driver_find("null", &driver));
  CHECK(driver == tile_null_driver());
  FINE(tile_driver_find("cuda", &driver));
  CHECK(driver == tile_cuda_driver());
  /* The one of the library that the program has; where it is part of the program, and not seen from
     outside, libtile_emulator's. */
  FINE(tile_driver_find("emulator", &driver));
  CHECK_TEXT(tile_driver_name(driver), "emulator");
  CHECK(driver == tile_emulator_driver() || !dlsym(RTLD_DEFAULT, "tile_emulator_driver"));
  EXPECT(tile_driver_find("opencl", &driver), TILE_NOT_FOUND,
         "no driver 'opencl'; there are cuda, emulator and null");
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"first that holds", first_that_holds},
                   {"none that holds", none_that_holds}, {"computed grids", computed_grids},
                   {"compatible code", compatible_code}, {"join and launch", join_and_launch},
                   {"fall back to older code", fall_back_to_older_code},
                   {"kernels for other devices", kernels_for_other_devices},
                   {"what does not join", what_does_not_join}, {"join again", join_again},
                   {"drivers by name", drivers_by_name});
}
