/* SPDX-License-Identifier: MIT */
/* Compiles a kernel in the Triton language for the device at hand (a GPU, or the emulator where
   there is none), runs it, and compares the result with the host's. What was compiled is kept for
   the next run.
       in_process softmax.py */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tile/compiler.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    tile_status status_ = (call);                                                                  \
    if (status_)                                                                                   \
      return status_;                                                                              \
  } while (0)

enum { ROWS = 100, WIDTH = 781, BYTES = ROWS * WIDTH * sizeof(float) };
static float in[ROWS][WIDTH], out[ROWS][WIDTH];
static char text[1 << 16];

static tile_status open_device(tile_device **device) {
  tile_status status = tile_device_open(tile_cuda_driver(), 0, device);
  if (tile_status_code(status) != TILE_NO_DEVICE)
    return status;
  tile_status_free(status);
  return tile_device_open(tile_emulator_driver(), 0, device);
}

/* From the text of the file to a loaded module; the compiler may go then. */
static tile_status compile(tile_compiler *compiler, size_t length, tile_device *device,
                           tile_module **module) {
  tile_import_options import = {.kernel = "softmax_kernel",
                                .signature = "*fp32:16, *fp32:16, i32, 1024"};
  tile_compile_options options = tile_compile_options_default();
  tile_blob mlir;
  TRY(tile_import_triton(compiler, "softmax.py", text, length, &import, &mlir));
  tile_status status = tile_compile_for_device(compiler, "softmax.py", mlir.data, mlir.size,
                                               &options, device, module);
  free(mlir.data);
  return status;
}

static tile_status run(tile_device *device, tile_module *module) {
  tile_kernel *kernel;
  tile_buffer *from, *to;
  TRY(tile_module_kernel(module, "softmax_kernel", &kernel));
  TRY(tile_buffer_create(device, BYTES, &from));
  TRY(tile_buffer_create(device, BYTES, &to));
  TRY(tile_buffer_write(from, 0, in, BYTES, NULL));
  tile_argument arguments[] = {tile_argument_buffer(to), tile_argument_buffer(from),
                               tile_argument_i32(WIDTH)};
  TRY(tile_launch(kernel, (uint32_t[]){ROWS, 1, 1}, NULL, arguments, 3));
  TRY(tile_buffer_read(to, 0, out, BYTES, NULL));
  tile_buffer_destroy(from);
  tile_buffer_destroy(to);
  return NULL;
}

/* The largest difference from the same in double precision. */
static double compare(void) {
  double worst = 0;
  for (int row = 0; row < ROWS; row++) {
    double sum = 0;
    for (int column = 0; column < WIDTH; column++)
      sum += exp(in[row][column]);
    for (int column = 0; column < WIDTH; column++)
      worst = fmax(worst, fabs(out[row][column] - exp(in[row][column]) / sum));
  }
  return worst;
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  if (length == 0) {
    fprintf(stderr, "usage: %s softmax.py\n", argv[0]);
    return 2;
  }
  fclose(file);
  for (int i = 0; i < ROWS * WIDTH; i++)
    in[i / WIDTH][i % WIDTH] = (float)(i * 7919 % 1000) / 250 - 2;

  tile_device *device = NULL;
  tile_compiler *compiler = NULL;
  tile_cache *cache = NULL; /* so that the next run need not compile */
  tile_module *module = NULL;
  tile_status status = open_device(&device);
  if (!status)
    status = tile_compiler_create(&compiler);
  if (!status)
    status = tile_cache_open(NULL, &cache);
  if (!status)
    status = tile_compiler_use_cache(compiler, cache);
  if (!status)
    status = compile(compiler, length, device, &module);
  if (!status)
    status = run(device, module);
  if (status)
    fprintf(stderr, "error: %s\n", tile_status_message(status));
  else
    printf("%s: largest error %.1e\n", tile_device_get_properties(device)->name, compare());
  int code = status != NULL || compare() > 1e-6;
  tile_status_free(status);
  tile_module_unload(module);
  tile_compiler_destroy(compiler);
  tile_cache_close(cache);
  tile_device_close(device);
  return code;
}
