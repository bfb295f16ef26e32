/* SPDX-License-Identifier: MIT */
/* See source.h. */
#include "driver/source.h"

#include <string.h>
#include "ahead/ahead.h"
#include "base/status.h"
#include "driver/import_files.h"

bool source_flag(struct source_options *options, const char *name, const char *value,
                 tile_status *status) {
  static const struct flag_place places[] = {
      FLAG_PLACE("kernel", text, struct source_options, import.kernel),
      FLAG_PLACE("signature", text, struct source_options, import.signature),
      FLAG_PLACE("config", text, struct source_options, import.config),
      FLAG_LIST("constexpr", struct source_options, constants, import.constant_count),
      FLAG_LIST("arg-value", struct source_options, argument_values, import.argument_value_count),
      FLAG_LIST("I", struct source_options, folders, import.packages.folder_count),
  };
  return flag_store(places, sizeof places / sizeof *places, name, value, options, status);
}

const char *source_argument_value(struct arena *arena, const char *name, enum element_type type,
                                  const void *data) {
  return element_is_float(type)
             ? text_format(arena, "%s=%.17g", name, element_load(type, data))
             : text_format(arena, "%s=%lld", name, (long long)element_load_integer(type, data));
}

bool source_is_triton(const char *name, const struct source_options *options) {
  size_t length = strlen(name);
  return options->is_triton || (length > 3 && strcmp(name + length - 3, ".py") == 0);
}

struct package_options source_packages(struct import_files *files, const char *name,
                                       const struct source_options *options) {
  return import_files_options(files, name, options->folders, options->import.packages.folder_count);
}

/* Does a line of the text begin with this word? Only its first lines count. */
static bool begins_a_line(const char *text, size_t text_length, const char *word) {
  enum { FIRST = 4096 };
  size_t length = strlen(word), end = text_length < FIRST ? text_length : FIRST;
  for (size_t i = 0; i + length <= end; i++)
    if ((i == 0 || text[i - 1] == '\n') && memcmp(text + i, word, length) == 0)
      return true;
  return false;
}

tile_status source_refuse_code(const char *name, const char *text, size_t length) {
  static const char elf[] = "\177ELF", container[] = "\211tile\r\n";
  bool image = length > 7 && memcmp(text, container, 7) == 0;
  bool cubin = length > 4 && memcmp(text, elf, 4) == 0;
  bool ptx =
      !cubin && begins_a_line(text, length, ".version ") && begins_a_line(text, length, ".target ");
  if (!image && !cubin && !ptx)
    return NULL;
  return FAIL(TILE_INVALID_ARGUMENT,
              "'%s' is %s, compiled code; a kernel is read as .py or .mlir. A "
              "program launches compiled code with tile_module_load "
              "(tile/runtime.h)",
              name,
              image   ? "an image"
              : cubin ? "a cubin"
                      : "PTX");
}

tile_status source_load(struct session *session, const char *name, const struct text *text,
                        const struct source_options *options, MlirModule *out) {
  TRY(source_refuse_code(name, text_string(text), text->length));
  if (source_is_triton(name, options)) {
    struct import_options import = options->import;
    import.constants = options->constants;
    import.argument_values = options->argument_values;
    struct import_files files = {0};
    import.packages =
        options->packages ? *options->packages : source_packages(&files, name, options);
    tile_status status =
        options->plain
            ? import_kernel(session, name, text_string(text), text->length, &import, out)
            : import_kernel_noted(session, name, text_string(text), text->length, &import, out);
    import_files_free(&files);
    return status;
  }
  const struct import_options *import = &options->import;
  if (import->signature || import->constant_count || import->config ||
      import->argument_value_count || import->packages.folder_count)
    return FAIL(TILE_INVALID_ARGUMENT,
                "--signature and --constexpr are for kernels in the Triton "
                "language (.py), as are --config, --arg-value and -I; '%s' "
                "is MLIR",
                name);
  *out = session_parse(session, name, text_string(text), text->length);
  return mlirModuleIsNull(*out) ? FAIL(TILE_INVALID_ARGUMENT, "'%s' is not a valid module", name)
                                : NULL;
}
