/* SPDX-License-Identifier: MIT */
/* See field_names.h. */
#include "driver/field_names.h"

#include <string.h>

static const struct {
  const char *flag, *field;
} names[] = {
    {"--kernel", "tile_import_options.kernel"},
    {"--signature", "tile_import_options.signature"},
    {"--constexpr", "tile_import_options.constants"},
    {"--config", "tile_import_options.config"},
    {"--arg-value", "tile_import_options.argument_values"},
    {"--target", "tile_import_options.target"},
    {"-I", "tile_import_options.import_folders"},
    {"--list-configs", "tile_configurations_create"},
    {"--c-name", "tile_c_options.function_names"},
    {"--grid", "tile_c_options.grid"},
    {"--when", "tile_c_variant.when"},
    {"-o", "tile_c_options.name"},
};

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

/* The flag that begins at `at`, as a word of its own; NULL when none does. */
static const char *find(const char *message, const char *at, size_t *length) {
  if (*at != '-' || (at > message && at[-1] != ' ' && at[-1] != '(' && at[-1] != '\''))
    return NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    *length = strlen(names[i].flag);
    if (strncmp(at, names[i].flag, *length) == 0 && !is_word(at[*length]))
      return names[i].field;
  }
  return NULL;
}

void field_names_print(const char *message, struct text *out) {
  for (const char *at = message; *at;) {
    size_t length = 1;
    const char *field = find(message, at, &length);
    if (field)
      text_puts(out, field);
    else
      text_append(out, at, length = 1);
    at += length;
  }
}

tile_status field_names_in(tile_status status) {
  if (!status)
    return NULL;
  struct text text = {0};
  field_names_print(tile_status_message(status), &text);
  tile_status same = tile_status_make(tile_status_code(status), tile_status_origin(status), "%s",
                                      text_string(&text));
  text_free(&text);
  tile_status_free(status);
  return same;
}
