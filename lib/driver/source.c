/* See source.h. */
#include "driver/source.h"

#include <string.h>
#include "base/status.h"

bool source_flag(struct source_options *options, const char *name, const char *value,
                 tile_status *status) {
  *status = NULL;
  if (strcmp(name, "kernel") == 0) {
    options->import.kernel = value;
  } else if (strcmp(name, "signature") == 0) {
    options->import.signature = value;
  } else if (strcmp(name, "constexpr") == 0) {
    if (options->import.constant_count == MAX_CONSTANTS)
      *status = FAIL(TILE_INVALID_ARGUMENT, "at most %d --constexpr", MAX_CONSTANTS);
    else
      options->constants[options->import.constant_count++] = value;
  } else {
    return false;
  }
  return true;
}

bool source_is_triton(const char *name, const struct source_options *options) {
  size_t length = strlen(name);
  return options->is_triton || (length > 3 && strcmp(name + length - 3, ".py") == 0);
}

tile_status source_load(struct session *session, const char *name, const struct text *text,
                        const struct source_options *options, MlirModule *out) {
  if (source_is_triton(name, options)) {
    struct import_options import = options->import;
    import.constants = options->constants;
    return import_kernel(session, name, text_string(text), text->length, &import, out);
  }
  if (options->import.signature || options->import.constant_count)
    return FAIL(TILE_INVALID_ARGUMENT, "--signature and --constexpr are for kernels in the Triton "
                                       "language (.py); '%s' is MLIR",
                name);
  *out = session_parse(session, name, text_string(text), text->length);
  return mlirModuleIsNull(*out) ? FAIL(TILE_INVALID_ARGUMENT, "'%s' is not a valid module", name)
                                : NULL;
}
