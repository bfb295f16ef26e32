/* SPDX-License-Identifier: MIT */
/* What random_products.c and mixed_products.c share: the compiler's messages, the device under
   test, and the way through the seeds. */
#ifndef TILE_TEST_SEEDED_PRODUCTS_H
#define TILE_TEST_SEEDED_PRODUCTS_H

#include "kernel_test.h"
#include "seeds.h"

/* What the compiler said of a kernel that it refuses. */
struct said {
  char text[1024];
};

static inline void remember(const tile_diagnostic *diagnostic, void *data) {
  struct said *said = data;
  size_t length = strlen(said->text);
  if (strcmp(diagnostic->severity, "error") == 0)
    snprintf(said->text + length, sizeof said->text - length, "  %u:%u: %s\n", diagnostic->line,
             diagnostic->column, diagnostic->message);
}

typedef bool seed_test(tile_compiler *compiler, uint64_t seed);

/* Checks kernels until one fails. Returns how many were tried. */
static inline uint64_t check_seeds(const struct seeds *seeds, seed_test *is_good) {
  enum { KERNELS_PER_COMPILER = 50 }; /* it keeps what it has seen of types and attributes */
  tile_compiler *compiler = NULL;
  uint64_t done = 0;
  for (uint64_t i = seeds->shard.index; i < seeds->count && seeds_in_time(seeds);
       i += seeds->shard.count) {
    if (done++ % KERNELS_PER_COMPILER == 0) {
      tile_compiler_destroy(compiler);
      compiler = NULL;
      check_ok(tile_compiler_create(&compiler), "tile_compiler_create");
    }
    bool good = compiler && is_good(compiler, seeds->seed + i);
    CHECK(good);
    fflush(stdout);
    if (!good && !seeds->keep_going)
      break;
  }
  tile_compiler_destroy(compiler);
  return done;
}

/* Reads the command line, with `options` of the program's own and --device, and runs the tests on
   that device, the emulator by default. Returns the exit code. */
static inline int seeds_main(int argc, char **argv, struct seeds *seeds,
                             const struct seeds_option *options, const struct test_row *rows,
                             size_t count) {
  const char *device = NULL;
  const struct seeds_option device_option[] = {{"--device", .word = &device}, {0}};
  for (int i = 1; i < argc; i++)
    if (!seeds_take(seeds, argc, argv, &i) && !seeds_take_option(options, argc, argv, &i) &&
        !seeds_take_option(device_option, argc, argv, &i)) {
      fprintf(stderr, "%s: '%s' is no option, or lacks its value\n", argv[0], argv[i]);
      return 1;
    }
  bool cuda = device && strcmp(device, "cuda") == 0;
  tile_status status =
      tile_device_open(cuda ? tile_cuda_driver() : tile_emulator_driver(), 0, &test_device);
  if (status) {
    printf("%s\n", tile_status_message(status));
    tile_status_free(status);
    return 1;
  }
  int code = run_tests_(1, argv, rows, count);
  tile_device_close(test_device);
  return code;
}

#endif
