/* SPDX-License-Identifier: MIT */
/* The kernels around matrix products, against references in double precision: softmax, LayerNorm
   and RMSNorm with all their switches, rotary embedding, dropout, cross entropy, SwiGLU and GELU,
   quantisation, running sums. test/kernels/norms/ has a file for each family and what they share.

     kernel_norms [--all] [--device emulator|cuda] [--kernels DIR] [--seeds N] [--part I/N] [WORD]

   Without --all each variant runs once, with one type on one small shape. --all (or --full, as
   other kernel tests say) runs every type and shape, with five seeds. The emulator runs with all
   checks on; on a GPU, repeated runs must give the same bits. Without --device it is the emulator,
   and then a GPU where there is one. WORD picks the cases whose line contains it; --part 0/4 runs a
   quarter of them, so that four processes share the work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "norms/suite.h"

static void run_families(struct suite *suite) {
#define FAMILY(name) run_##name(suite);
#include "norms/families.def"
#undef FAMILY
}

static bool report(tile_status status, const char *what) {
  if (status)
    printf("%s: %s\n", what, tile_status_message(status));
  tile_status_free(status);
  return !status;
}

/* Runs everything on a device; 0, or 1 after a failure. */
static int run_on(struct suite suite, const tile_driver *driver, bool needed, int totals[2]) {
  const char *name = tile_driver_name(driver);
  tile_status status = tile_device_open(driver, 0, &suite.device);
  if (tile_status_code(status) == TILE_NO_DEVICE && !needed) {
    printf("skipped: %s: %s\n", name, tile_status_message(status));
    tile_status_free(status);
    return 0;
  }
  if (!report(status, name) || !report(tile_compiler_create(&suite.compiler), "the compiler"))
    return 1;
  suite.is_gpu = driver == tile_cuda_driver();
  printf("on %s:\n", tile_device_get_properties(suite.device)->name);
  run_families(&suite);
  tile_module_unload(suite.module);
  free(suite.module_key);
  tile_compiler_destroy(suite.compiler);
  tile_device_close(suite.device);
  totals[0] += suite.passed;
  totals[1] += suite.failed;
  return suite.failed != 0;
}

static int usage(const char *program) {
  fprintf(stderr,
          "usage: %s [--all] [--device emulator|cuda] [--kernels DIR] [--seeds N] [--part I/N] "
          "[WORD]\n",
          program);
  return 2;
}

int main(int argc, char **argv) {
  const char *device = "";
  struct suite suite = {.kernels = KERNEL_DIRECTORY};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--all") == 0 || strcmp(argv[i], "--full") == 0)
      suite.all = true;
    else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
      device = argv[++i];
    else if (strcmp(argv[i], "--kernels") == 0 && i + 1 < argc)
      suite.kernels = argv[++i];
    else if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc)
      suite.seeds = atoi(argv[++i]);
    else if (strcmp(argv[i], "--part") == 0 && i + 1 < argc &&
             sscanf(argv[i + 1], "%d/%d", &suite.part, &suite.parts) == 2 && suite.part >= 0 &&
             suite.part < suite.parts)
      i++;
    else if (argv[i][0] == '-' || suite.filter)
      return usage(argv[0]);
    else
      suite.filter = argv[i];
  }
  if (*device && strcmp(device, "emulator") != 0 && strcmp(device, "cuda") != 0)
    return usage(argv[0]);
  if (suite.seeds <= 0)
    suite.seeds = suite.all ? 5 : 2;
  int totals[2] = {0}, code = 0;
  if (strcmp(device, "cuda") != 0)
    code |= run_on(suite, tile_emulator_driver(), true, totals);
  if (strcmp(device, "emulator") != 0)
    code |= run_on(suite, tile_cuda_driver(), *device, totals);
  printf("%d passed, %d failed\n", totals[0], totals[1]);
  return code;
}
