/* SPDX-License-Identifier: MIT */
/* The steps that the public API and the tools share: parse, lower, translate. */
#ifndef TILE_DRIVER_COMPILE_H
#define TILE_DRIVER_COMPILE_H

#include "ir/passes.h"
#include "target/target.h"
#include "tile/compiler.h"

struct tile_compiler {
  struct session session; /* made when it is first needed: what a cache answers needs none */
  bool has_session;
  tile_diagnostic_handler *handler;
  void *handler_data;
  tile_cache *cache; /* held; or NULL */
};

tile_status compiler_session(tile_compiler *compiler, struct session **out);
/* The outcome of a public function, with the first error that was reported meanwhile: "1 error(s)
   in the kernel; the first: k.py:6:17: ...". `compiler` may be NULL. */
tile_status compiler_explain(tile_compiler *compiler, tile_status status);
/* A sink for diagnostics without a session: where the compiler's go. */
struct diagnostics compiler_sink(tile_compiler *compiler);

/* Checks the options and finds the target. */
tile_status compile_check_options(const tile_compile_options *options,
                                  const struct machine **target);
/* Runs the named pipeline ("tile-to-ptx", "tile-to-emulator", "tile-to-llvm") with the options; of
   a module that is laid out already (driver/laid_out.h), its second half. */
tile_status compile_lower(struct session *session, MlirModule module,
                          const tile_compile_options *options, const char *pipeline,
                          const struct pipeline_options *how);
/* What pipelines are run with when nothing is asked for: tile-verify between passes in dev builds.
 */
extern const struct pipeline_options compile_quietly;
/* Translates a lowered module. `log`, which may be NULL, gets ptxas's report. */
tile_status compile_emit(struct session *session, MlirModule module,
                         const tile_compile_options *options, tile_output output, struct text *out,
                         struct text *log);
/* All of it, from a parsed module to what --tile-to-llvmir, --tile-to-ptx and --tile-to-cubin
   write: code, with the kernels' metadata after PTX and cubins. `log` as above. */
tile_status compile_module(struct session *session, MlirModule module,
                           const tile_compile_options *options, tile_output output,
                           const struct pipeline_options *how, struct text *out, struct text *log);
/* The same to an image that the caller ends with tile_image_free. */
tile_status compile_to_image(struct session *session, MlirModule module,
                             const tile_compile_options *options, tile_image_format format,
                             const struct pipeline_options *how, struct text *log,
                             tile_image **out);
/* The bytes of a file with the image: code, and the kernels' metadata after it. Appends.
   TILE_UNSUPPORTED for an emulator's program. */
tile_status compile_print_image(const tile_image *image, struct text *out);
/* What is chosen for a GPU where the options leave it open, in process and ahead of time: programs
   fill a block, fewer warps and low-occupancy variants are allowed. */
void compile_set_device_defaults(tile_compile_options *options);
/* What is compiled for a device: the options with its defaults in them, and the format. With
   `own_target` a GPU's own target is taken, whatever the options say; else the options' one, which
   the GPU has to be able to run. */
tile_compile_options compile_options_for(const tile_compile_options *options, bool own_target,
                                         const tile_device *device, tile_image_format *out_format);
/* Compiles a module that the pipeline tile-to-emulator has lowered. */
tile_status compile_emulate(struct session *session, MlirModule module,
                            tile_emulator_program **out);
/* Lowers a parsed module for the emulator and compiles it. */
tile_status compile_for_emulator(struct session *session, MlirModule module,
                                 const tile_compile_options *options, tile_emulator_program **out);

#endif
