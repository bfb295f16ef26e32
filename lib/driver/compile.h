/* The steps that the public API and the tools share: parse, lower, translate. */
#ifndef TILE_DRIVER_COMPILE_H
#define TILE_DRIVER_COMPILE_H

#include "ir/passes.h"
#include "target/target.h"
#include "tile/compiler.h"

struct tile_compiler {
  struct session session;
  tile_diagnostic_handler *handler;
  void *handler_data;
};

/* Checks the options and finds the target. */
tile_status compile_check_options(const tile_compile_options *options,
                                  const struct gpu_target **target);
/* Runs the named pipeline ("tile-to-ptx", "tile-to-emulator") with the options. */
tile_status compile_lower(struct session *session, MlirModule module,
                          const tile_compile_options *options, const char *pipeline,
                          const struct pipeline_options *how);
/* What pipelines are run with when nothing is asked for: tile-verify between passes in dev builds. */
extern const struct pipeline_options compile_quietly;
/* Translates a lowered module. `log`, which may be NULL, gets ptxas's report. */
tile_status compile_emit(struct session *session, MlirModule module,
                         const tile_compile_options *options, tile_output output, struct text *out,
                         struct text *log);
/* Lowers a parsed module for the emulator and compiles it. */
tile_status compile_for_emulator(struct session *session, MlirModule module,
                                 const tile_compile_options *options, tile_emulator_program **out);

#endif
