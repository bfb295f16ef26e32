/* SPDX-License-Identifier: MIT */
/* Vector addition, both forms, against a double-precision reference: n = 98432 as in the tutorial,
   n = 16, and an n that is one vector short of a block; 1 to 8 warps, several seeds, checks on. */
#include "kernel_test.h"

static const int32_t sizes[] = {98432, 16, 1008, 1024, 2064};

static void compare(const float *x, const float *y, const float *out, int32_t n) {
  int wrong = 0;
  for (int32_t i = 0; i < n; i++)
    wrong += out[i] != (float)((double)x[i] + (double)y[i]);
  CHECK_EQUAL(wrong, 0);
}

static void run(const char *file, const char *kernel, int num_warps, int32_t num_blocks) {
  tile_module *module = compile_kernels(file, num_warps);
  for (size_t s = 0; module && s < sizeof sizes / sizeof *sizes; s++) {
    int32_t n = sizes[s];
    size_t bytes = (size_t)n * sizeof(float);
    float *x = random_floats((size_t)n, 1), *y = random_floats((size_t)n, 2);
    uint32_t per_program = 1024 * (uint32_t)(num_blocks ? num_blocks : 1);
    uint32_t programs = ((uint32_t)n + per_program - 1) / per_program;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      float *out = poisoned(bytes);
      if (num_blocks)
        LAUNCH(module, kernel, GRID(programs, 1, 1), seed, BUFFER(x, bytes), BUFFER(y, bytes),
               BUFFER(out, bytes), SCALAR(n), SCALAR(num_blocks));
      else
        LAUNCH(module, kernel, GRID(programs, 1, 1), seed, BUFFER(x, bytes), BUFFER(y, bytes),
               BUFFER(out, bytes), SCALAR(n));
      compare(x, y, out, n);
      free(out);
    }
    free(x);
    free(y);
  }
  tile_module_unload(module);
}

static void one_block_a_program(void) {
  run("vector_add.mlir", "add_kernel", 4, 0);
}

static void one_warp_and_eight(void) {
  run("vector_add.mlir", "add_kernel", 1, 0);
  run("vector_add.mlir", "add_kernel", 8, 0);
}

/* 32 warps: as many threads as elements, so that every access is 4 bytes wide. */
static void as_many_threads_as_elements(void) {
  run("vector_add.mlir", "add_kernel", 32, 0);
}

static void several_blocks_a_program(void) {
  run("vector_add_blocks.mlir", "add_blocks_kernel", 4, 3);
  run("vector_add_blocks.mlir", "add_blocks_kernel", 4, 1);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"one block a program", one_block_a_program},
                          {"one warp and eight warps", one_warp_and_eight},
                          {"as many threads as elements", as_many_threads_as_elements},
                          {"several blocks a program", several_blocks_a_program});
}
