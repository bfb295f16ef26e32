/* SPDX-License-Identifier: MIT */
/* See names.h. */
#include "ahead/names.h"

#include <string.h>
#include "ahead/reserved_words.def"
#include "base/status.h"

#define X(word) #word,
static const char *const keywords[] = {KEYWORD_LIST(X)};
static const char *const functions[] = {FUNCTION_LIST(X)};
/* What a generated function uses beside its parameters. */
static const char *const own[] = {"device", "stream", "grid_x", "grid_y", "grid_z"};
#undef X

static bool is_among(const char *name, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(list[i], name) == 0)
      return true;
  return false;
}

#define IS_AMONG(name, list) is_among((name), (list), sizeof(list) / sizeof *(list))

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool c_is_identifier(const char *name) {
  if (!is_letter(*name))
    return false;
  while (is_letter(*name) || is_digit(*name))
    name++;
  return !*name;
}

/* _X and __x are the compiler's. */
static bool is_compilers(const char *name) {
  return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

tile_status c_check_function_name(const char *kernel, const char *name) {
  const char *why = NULL;
  if (!c_is_identifier(name))
    why = "is no identifier of C";
  else if (IS_AMONG(name, keywords))
    why = "is a word of C or C++";
  else if (IS_AMONG(name, functions))
    why = "is a function of the C library or of every program";
  else if (name[0] == '_')
    why = "is reserved: names that begin with _ belong to the compiler and the C library";
  else if (strncmp(name, "tile_", 5) == 0)
    why = "is reserved: names that begin with tile_ belong to the runtime";
  return why ? FAIL(TILE_INVALID_ARGUMENT,
                    "kernel '%s': '%s' %s; name its function with --c-name %s=NAME (FUNCTION of "
                    "tile_add_kernels)",
                    kernel, name, why, kernel)
             : NULL;
}

/* Letters, digits and _ as they are; other bytes as _. */
static void print_identifier(struct text *out, const char *name) {
  if (!is_letter(*name) || is_compilers(name))
    text_puts(out, "arg_");
  for (; *name; name++)
    text_append(out, is_letter(*name) || is_digit(*name) ? name : "_", 1);
}

static bool is_taken(const char *name, const char *const *taken, size_t count) {
  return IS_AMONG(name, keywords) || IS_AMONG(name, own) || strncmp(name, "tile_", 5) == 0 ||
         is_among(name, taken, count);
}

const char *c_parameter_name(struct arena *arena, const char *name, const char *const *taken,
                             size_t count) {
  struct text text = {0};
  if (strncmp(name, "tile_", 5) == 0)
    text_puts(&text, "arg_");
  print_identifier(&text, *name ? name : "arg");
  while (is_taken(text_string(&text), taken, count))
    text_puts(&text, "_");
  return text_keep(&text, arena);
}

const char *c_file_identifier(struct arena *arena, const char *name) {
  struct text text = {0};
  if (!is_letter(*name) || *name == '_')
    text_puts(&text, "kernels_");
  for (; *name; name++)
    text_append(&text, is_letter(*name) || is_digit(*name) ? name : "_", 1);
  return text_keep(&text, arena);
}

/* '?' is escaped because two of them begin a trigraph. */
void c_print_string(struct text *out, const char *string) {
  text_puts(out, "\"");
  for (const unsigned char *at = (const unsigned char *)string; *at; at++)
    if (*at == '"' || *at == '\\' || *at == '?')
      text_printf(out, "\\%c", *at);
    else if (*at < 32 || *at >= 127)
      text_printf(out, "\\%03o", *at);
    else
      text_append(out, (const char *)at, 1);
  text_puts(out, "\"");
}

void c_print_comment(struct text *out, const char *string) {
  for (const char *at = string; *at; at++)
    if ((unsigned char)*at < 32 || *at == 127)
      text_puts(out, " ");
    else if (at > string && ((at[-1] == '*' && *at == '/') || (at[-1] == '/' && *at == '*') ||
                             (at[-1] == '?' && *at == '?')))
      text_printf(out, " %c", *at);
    else
      text_append(out, at, 1);
}
