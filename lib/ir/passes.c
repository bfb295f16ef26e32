/* SPDX-License-Identifier: MIT */
/* The pass table and options. */
#include "ir/passes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"

const struct pass_option no_options[] = {{0}};

const struct pass_info pass_table[PASS_COUNT] = {
#define X(function, flag_text, option_table, anchor_text, summary_text)                            \
  [PASS_##function] = {.flag = flag_text,                                                          \
                       .anchor = anchor_text,                                                      \
                       .summary = summary_text,                                                    \
                       .options = option_table,                                                    \
                       .body = run_##function},
#include "ir/passes.def"
#undef X
};

const struct pass_option tile_to_tile_gpu_options[] = {
    {"num-warps", OPTION_INTEGER, "4", "warps per program: a power of two from 1 to 32"},
    {"fewer-warps", OPTION_BOOLEAN, "false", "fewer where the tiles are too small for them"},
    {"fma", OPTION_BOOLEAN, "true", "multiplications and additions become fused multiply-adds"},
    {0}};
const struct pass_option tile_gpu_to_llvm_options[] = {
    {"programs-per-block", OPTION_INTEGER, "1",
     "at most; a power of two, or 0: what makes four warps"},
    {0}};
const struct pass_option tile_to_llvm_options[] = {
    {"num-warps", OPTION_INTEGER, "4", "warps per program: a power of two from 1 to 32"},
    {"fewer-warps", OPTION_BOOLEAN, "false", "fewer where the tiles are too small for them"},
    {"fma", OPTION_BOOLEAN, "true", "multiplications and additions become fused multiply-adds"},
    {"programs-per-block", OPTION_INTEGER, "1",
     "at most; a power of two, or 0: what makes four warps"},
    {0}};

const struct pipeline_info pipeline_table[] = {
#define X(flag_text, option_table, summary_text, ...)                                              \
  {.flag = flag_text,                                                                              \
   .summary = summary_text,                                                                        \
   .options = option_table,                                                                        \
   .stages = (const char *const[]){__VA_ARGS__, NULL}},
#include "ir/pipelines.def"
#undef X
    {0}};

const struct pass_info *pass_find(struct slice flag) {
  for (size_t i = 0; i < PASS_COUNT; i++)
    if (slice_equals(flag, pass_table[i].flag))
      return &pass_table[i];
  return NULL;
}

static tile_status parse_value(const char *flag, const struct pass_option *option,
                               struct slice text, struct pass_value *out) {
  char *copy = tile_allocate(text.length + 1);
  memcpy(copy, text.data, text.length);
  copy[text.length] = 0;
  tile_status status = NULL;
  char *end = copy;
  switch (option->kind) {
  case OPTION_INTEGER:
    errno = 0;
    out->integer = strtoll(copy, &end, 10);
    if (*copy == 0 || *end || errno)
      status = FAIL(TILE_INVALID_ARGUMENT, "%s: option %s is an integer, not '%s'", flag,
                    option->name, copy);
    break;
  case OPTION_BOOLEAN:
    out->integer = strcmp(copy, "true") == 0 || strcmp(copy, "1") == 0;
    if (!out->integer && strcmp(copy, "false") != 0 && strcmp(copy, "0") != 0)
      status = FAIL(TILE_INVALID_ARGUMENT, "%s: option %s is true or false, not '%s'", flag,
                    option->name, copy);
    break;
  case OPTION_STRING:
    free(out->string);
    out->string = copy;
    return NULL;
  }
  free(copy);
  return status;
}

static tile_status parse_one(const char *flag, const struct pass_option *options, struct slice item,
                             struct pass_value *values) {
  const char *equals = memchr(item.data, '=', item.length);
  struct slice name = {item.data, equals ? (size_t)(equals - item.data) : item.length};
  struct slice value =
      equals ? (struct slice){equals + 1, item.length - name.length - 1} : slice_of("true");
  const char *names[MAX_PASS_OPTIONS];
  size_t count = 0;
  for (; options[count].name; count++) {
    names[count] = options[count].name;
    if (slice_equals(name, names[count]))
      return parse_value(flag, &options[count], value, &values[count]);
  }
  if (count == 0)
    return FAIL(TILE_INVALID_ARGUMENT, "%s takes no options, but has '%.*s'", flag,
                (int)item.length, item.data);
  struct text word = {0};
  text_append(&word, name.data, name.length);
  const char *near = nearest_word(text_string(&word), names, count);
  tile_status status =
      FAIL(TILE_INVALID_ARGUMENT, "%s has no option '%s'%s%s%s", flag, text_string(&word),
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  text_free(&word);
  return status;
}

tile_status pass_parse_options(const char *flag, const struct pass_option *options,
                               struct slice text, struct pass_value values[MAX_PASS_OPTIONS]) {
  memset(values, 0, sizeof *values * MAX_PASS_OPTIONS);
  tile_status status = NULL;
  for (size_t i = 0; options[i].name && !status; i++)
    status = parse_value(flag, &options[i], slice_of(options[i].initial), &values[i]);
  while (!status) {
    text = slice_trim(text);
    if (!text.length)
      break;
    size_t length = 0;
    while (length < text.length && text.data[length] != ' ' && text.data[length] != '\t')
      length++;
    status = parse_one(flag, options, (struct slice){text.data, length}, values);
    text.data += length;
    text.length -= length;
  }
  if (status)
    pass_values_free(values);
  return status;
}

void pass_values_free(struct pass_value values[MAX_PASS_OPTIONS]) {
  for (size_t i = 0; i < MAX_PASS_OPTIONS; i++)
    free(values[i].string);
  memset(values, 0, sizeof *values * MAX_PASS_OPTIONS);
}
