/* Compiling tile kernels from a C program.

       tile_compiler *compiler;
       tile_status status = tile_compiler_create(&compiler);
       tile_compile_options options = tile_compile_options_default();
       tile_blob ptx;
       if (!status)
         status = tile_compile(compiler, "add.mlir", text, length, &options, TILE_OUTPUT_PTX, &ptx);

   A compiler serves one thread at a time; any number of them may exist. The same input gives the
   same bytes on every run. Diagnostics with source places go to standard error, or to a handler. */
#ifndef TILE_COMPILER_H
#define TILE_COMPILER_H

#include <stddef.h>
#include "tile/emulator_device.h"
#include "tile/image.h"
#include "tile/runtime.h"
#include "tile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tile_compiler tile_compiler;

typedef struct tile_compile_options {
  const char *target;     /* "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a" */
  int num_warps;          /* warps per program, a power of two from 1 to 32 */
  bool line_tables;       /* .loc lines in PTX; does not turn ptxas's optimiser off */
  int optimization_level; /* LLVM's: 1 is the light pipeline (default), 3 is O3 without unrolling */
} tile_compile_options;

/* sm_90a, 4 warps, no line tables, light pipeline. */
TILE_EXPORT tile_compile_options tile_compile_options_default(void);

typedef enum tile_output { TILE_OUTPUT_LLVMIR, TILE_OUTPUT_PTX, TILE_OUTPUT_CUBIN } tile_output;

/* Bytes owned by the caller: free(data). Text has a zero behind it that `size` does not count. */
typedef struct tile_blob {
  char *data;
  size_t size;
} tile_blob;

/* What a diagnostic handler gets. `severity` is "error", "warning", "remark" or "note"; file is ""
   when the place is unknown; line and column count from 1. Borrowed during the call. */
typedef struct tile_diagnostic {
  const char *severity, *file, *message;
  unsigned line, column;
} tile_diagnostic;
typedef void tile_diagnostic_handler(const tile_diagnostic *diagnostic, void *data);

TILE_EXPORT tile_status tile_compiler_create(tile_compiler **out);
TILE_EXPORT void tile_compiler_destroy(tile_compiler *compiler);
/* Sends diagnostics to `handler` with `data`; NULL goes back to standard error. */
TILE_EXPORT void tile_compiler_on_diagnostic(tile_compiler *compiler,
                                             tile_diagnostic_handler *handler, void *data);

/* Compiles a module of kernels (MLIR text in the tile dialect, or bytecode), called `name` in
   diagnostics. Behind PTX and cubins stands the kernels' metadata, see tile/image.h. `out` is filled
   on success only.
   Errors: TILE_INVALID_ARGUMENT for a wrong kernel or option (diagnostics say where),
   TILE_NOT_FOUND and TILE_EXTERNAL_TOOL for ptxas, TILE_UNSUPPORTED for what LLVM cannot select. */
TILE_EXPORT tile_status tile_compile(tile_compiler *compiler, const char *name, const char *text,
                                     size_t length, const tile_compile_options *options,
                                     tile_output output, tile_blob *out);

/* Compiles to an image: code together with what a launch must know of each kernel. The caller ends
   it with tile_image_free. The image loads on any number of devices (tile_module_load), also in other
   processes (tile_image_write). Errors as for tile_compile. */
TILE_EXPORT tile_status tile_compile_kernels(tile_compiler *compiler, const char *name,
                                             const char *text, size_t length,
                                             const tile_compile_options *options,
                                             tile_image_format format, tile_image **out);

/* Compiles for the device at hand, GPU or emulator, and loads the module. options->target is not
   used: the device has one. Errors: those of tile_compile and of tile_module_load. */
TILE_EXPORT tile_status tile_compile_for_device(tile_compiler *compiler, const char *name,
                                                const char *text, size_t length,
                                                const tile_compile_options *options,
                                                tile_device *device, tile_module **out);

/* Compiles the same for the emulator: the lowered program of one thread, ready to launch. The
   program (tile_emulator_program_destroy) is independent of the compiler. The target is not used. */
TILE_EXPORT tile_status tile_compile_for_emulator(tile_compiler *compiler, const char *name,
                                                  const char *text, size_t length,
                                                  const tile_compile_options *options,
                                                  tile_emulator_program **out);

#ifdef __cplusplus
}
#endif
#endif
