/* SPDX-License-Identifier: MIT */
/* See command_line.h. */
#include "driver/command_line.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/text.h"
#include "tile/version.h"

static const struct flag *find_flag(const struct flag *flags, size_t count, const char *name,
                                    size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(flags[i].name) == length && memcmp(flags[i].name, name, length) == 0)
      return &flags[i];
  return NULL;
}

static tile_status unknown_flag(const struct flag *flags, size_t count, const char *argument) {
  const char **names = tile_allocate(count * sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = flags[i].name;
  struct text word = {0}; /* without dashes and value */
  const char *start = argument + strspn(argument, "-");
  text_append(&word, start, strcspn(start, "="));
  bool help = strcmp(text_string(&word), "h") == 0;
  const char *near = help ? "help" : nearest_word(text_string(&word), names, count);
  text_free(&word);
  free(names);
  return FAIL(TILE_INVALID_ARGUMENT, "unknown flag '%s'%s%s%s; --help lists all", argument,
              !near               ? ""
              : strlen(near) == 1 ? ", did you mean -"
                                  : ", did you mean --",
              near ? near : "", near ? "?" : "");
}

tile_status command_line_parse(int argc, char **argv, const struct flag *flags, size_t count,
                               flag_function *on_flag, positional_function *on_positional,
                               void *data) {
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i];
    if (argument[0] != '-' || argument[1] == 0) {
      TRY(on_positional(argument, data));
      continue;
    }
    const char *name = argument + (argument[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    const struct flag *flag = find_flag(flags, count, name, length);
    if (!flag)
      return unknown_flag(flags, count, argument);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (flag->kind == FLAG_SWITCH && value)
      return FAIL(TILE_INVALID_ARGUMENT, "flag --%s takes no value", flag->name);
    if (flag->kind == FLAG_VALUE && !value) {
      if (i + 1 == argc)
        return FAIL(TILE_INVALID_ARGUMENT, "flag %s needs a value: %s", argument, flag->argument);
      value = argv[++i];
    }
    TRY(on_flag(flag, value, data));
  }
  return NULL;
}

void command_line_print_flags(const struct flag *flags, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!flags[i].summary)
      continue;
    struct text left = {0};
    text_printf(&left, "  %s%s", strlen(flags[i].name) == 1 ? "-" : "--", flags[i].name);
    if (flags[i].argument)
      text_printf(&left, flags[i].kind == FLAG_VALUE ? " %s" : "[=%s]", flags[i].argument);
    printf("%-38s %s\n", text_string(&left), flags[i].summary);
    text_free(&left);
  }
}

void command_line_print_version(const char *tool) {
  printf("%s %s\nbuild %s, LLVM %s\n", tool, tile_version()->text, tile_compiler_build_id(),
         tile_llvm_version());
}

const char *command_line_next_word(const char **at, struct arena *arena) {
  *at += strspn(*at, " \t\r");
  if (!**at || **at == '\n')
    return NULL;
  struct text word = {0};
  for (char quote = 0; **at && **at != '\n' && (quote || !strchr(" \t\r", **at)); ++*at) {
    if (quote ? **at == quote : **at == '\'' || **at == '"')
      quote = quote ? 0 : **at;
    else
      text_append(&word, *at, 1);
  }
  return text_keep(&word, arena);
}

tile_status parse_integer(const char *what, const char *text, long long low, long long high,
                          long long *out) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (*text == 0 || *end || errno || value < low || value > high)
    return FAIL(TILE_INVALID_ARGUMENT, "%s is an integer from %lld to %lld, not '%s'", what, low,
                high, text);
  *out = value;
  return NULL;
}

/* --- Where values go -------------------------------------------------------------------------- */

tile_status flag_reads_switch(const struct flag_place *place, const char *flag, const char *value,
                              char *data) {
  (void)flag, (void)value;
  *(bool *)(data + place->offset) = true;
  return NULL;
}

/* Whether the value is "on"; an error where it is neither "on" nor "off". */
static tile_status read_on(const char *flag, const char *value, bool *out) {
  *out = strcmp(value, "on") == 0;
  if (!*out && strcmp(value, "off") != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "%s is on or off, not '%s'", flag, value);
  return NULL;
}

tile_status flag_reads_off(const struct flag_place *place, const char *flag, const char *value,
                           char *data) {
  bool on;
  TRY(read_on(flag, value, &on));
  *(bool *)(data + place->offset) = !on;
  return NULL;
}

tile_status flag_reads_choice(const struct flag_place *place, const char *flag, const char *value,
                              char *data) {
  bool on;
  TRY(read_on(flag, value, &on));
  *(tile_choice *)(data + place->offset) = on ? TILE_CHOICE_YES : TILE_CHOICE_NO;
  return NULL;
}

tile_status flag_reads_text(const struct flag_place *place, const char *flag, const char *value,
                            char *data) {
  (void)flag;
  *(const char **)(data + place->offset) = value;
  return NULL;
}

tile_status flag_reads_list(const struct flag_place *place, const char *flag, const char *value,
                            char *data) {
  const char **list = (const char **)(data + place->offset);
  size_t *count = (size_t *)(data + place->count_offset), limit = place->size / sizeof *list;
  if (*count == limit)
    return FAIL(TILE_INVALID_ARGUMENT, "at most %zu %s", limit, flag);
  list[(*count)++] = value;
  return NULL;
}

tile_status flag_reads_integer(const struct flag_place *place, const char *flag, const char *value,
                               char *data) {
  long long number;
  TRY(parse_integer(flag, value, place->low, place->high, &number));
  if (place->size == sizeof(int32_t))
    *(int32_t *)(data + place->offset) = (int32_t)number;
  else
    *(int64_t *)(data + place->offset) = number;
  return NULL;
}

tile_status flag_reads_programs(const struct flag_place *place, const char *flag, const char *value,
                                char *data) {
  long long number = TILE_FILL_BLOCK;
  if (strcmp(value, "fill") != 0)
    TRY(parse_integer(flag, value, 1, MACHINE_BLOCK_WARPS, &number));
  *(int *)(data + place->offset) = (int)number;
  return NULL;
}

tile_status flag_reads_shard(const struct flag_place *place, const char *flag, const char *value,
                             char *data) {
  enum { MAX_NUMBERS = 1 << 20 };
  char *end;
  unsigned long index = strtoul(value, &end, 10),
                count = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
  if (!isdigit((unsigned char)*value) || *end || index >= count || count > MAX_NUMBERS)
    return FAIL(TILE_INVALID_ARGUMENT,
                "%s is I/N, part I of N parts from 0/N to N-1/N, as in 0/4; not '%s'", flag, value);
  *(struct shard *)(data + place->offset) = (struct shard){.index = index, .count = count};
  return NULL;
}

bool flag_store(const struct flag_place *places, size_t count, const char *name, const char *value,
                void *data, tile_status *status) {
  *status = NULL;
  for (size_t i = 0; i < count; i++)
    if (strcmp(places[i].name, name) == 0) {
      char flag[64];
      snprintf(flag, sizeof flag, "%s%s", name[1] ? "--" : "-", name);
      *status = places[i].read(&places[i], flag, value, data);
      return true;
    }
  return false;
}

bool compile_flag(tile_compile_options *options, const char *name, const char *value,
                  tile_status *status) {
  static const struct flag_place places[] = {
      FLAG_INTEGER("num-warps", tile_compile_options, num_warps, 1, MACHINE_BLOCK_WARPS),
      FLAG_INTEGER("num-stages", tile_compile_options, num_stages, 1, 16),
      FLAG_PLACE("programs-per-block", programs, tile_compile_options, programs_per_block),
      FLAG_PLACE("fewer-warps", choice, tile_compile_options, fewer_warps),
      FLAG_PLACE("low-occupancy", choice, tile_compile_options, low_occupancy),
      FLAG_PLACE("tensor-maps", choice, tile_compile_options, tensor_maps),
      FLAG_PLACE("pairs", choice, tile_compile_options, pairs),
  };
  return flag_store(places, sizeof places / sizeof *places, name, value, options, status);
}

int report_status(const char *program, tile_status status) {
  if (!status)
    return 0;
  fprintf(stderr, "%s: error: %s\n", program, tile_status_message(status));
  tile_status_free(status);
  return 1;
}

/* A closed stream gets a file that refuses what the stream is for. */
void streams_open(void) {
  static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int stream = 0; stream < 3; stream++)
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[stream]) < 0)
      return; /* the lowest free number is the stream's; without /dev/null nothing can be done */
}

int streams_finish(const char *program, tile_status status) {
  int code = report_status(program, status);
  errno = 0;
  bool lost = fflush(stdout) != 0;
  int reason = errno;
  if (!lost && !ferror(stdout))
    return code;
  fprintf(stderr, "%s: error: cannot write standard output: %s\n", program,
          lost && reason ? strerror(reason) : "what was written before is lost");
  clearerr(stdout);
  return 1;
}
