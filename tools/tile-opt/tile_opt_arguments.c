/* SPDX-License-Identifier: MIT */
/* tile-opt's command line: its own flags, and one flag for every pass and named pipeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"
#include "driver/tool.h"
#include "tile_opt.h"

static const struct flag own_flags[] = {
    {"pass-pipeline", FLAG_VALUE, "TEXT",
     "passes to run: 'builtin.module(a,b{option=1},func.func(c))'"},
    {"o", FLAG_VALUE, "FILE", "output file (default: -, standard output)"},
    {"split-input-file", FLAG_SWITCH, NULL, "cut the input at lines '// -----'"},
    {"verify-diagnostics", FLAG_SWITCH, NULL, "compare diagnostics with expected-* comments"},
    {"verify-only", FLAG_SWITCH, NULL, "write nothing"},
    {"verify-each", FLAG_OPTIONAL_VALUE, "0|1", "run tile-verify between passes"},
    {"allow-unregistered-dialect", FLAG_SWITCH, NULL, "accept operations of unknown dialects"},
    {"emit-bytecode", FLAG_SWITCH, NULL, "write MLIR bytecode"},
    {"mlir-print-op-generic", FLAG_SWITCH, NULL, "print every operation in generic form"},
    {"mlir-print-debuginfo", FLAG_SWITCH, NULL, "print locations"},
    {"mlir-print-ir-before", FLAG_VALUE, "PASS", "print the IR before this pass"},
    {"mlir-print-ir-after", FLAG_VALUE, "PASS", "print the IR after this pass"},
    {"mlir-print-ir-before-all", FLAG_SWITCH, NULL, "print the IR before each pass"},
    {"mlir-print-ir-after-all", FLAG_SWITCH, NULL, "print the IR after each pass"},
    {"mlir-timing", FLAG_SWITCH, NULL, "report the time of each pass"},
    {"list-passes", FLAG_SWITCH, NULL, "list passes and named pipelines with their options"},
    {"print-reference", FLAG_VALUE, "NAME",
     "Markdown reference of tile, tile_gpu, tile_ptx, passes or attributes"},
    {"help", FLAG_SWITCH, NULL, "this text"},
    {"version", FLAG_SWITCH, NULL, "the version"},
};
enum { OWN_FLAGS = sizeof own_flags / sizeof *own_flags };

/* Own flags, then one flag for each pass, named pipeline and upstream pass. */
static struct flag *make_flags(size_t *count) {
  size_t pipelines = 0, upstream = 0;
  while (pipeline_table[pipelines].flag)
    pipelines++;
  while (upstream_pass_names[upstream])
    upstream++;
  *count = OWN_FLAGS + PASS_COUNT + pipelines + upstream;
  struct flag *flags = tile_allocate(*count * sizeof *flags), *next = flags;
  memcpy(flags, own_flags, sizeof own_flags);
  next += OWN_FLAGS;
  for (size_t i = 0; i < PASS_COUNT; i++)
    *next++ =
        (struct flag){pass_table[i].flag, FLAG_OPTIONAL_VALUE, "OPTIONS", pass_table[i].summary};
  for (size_t i = 0; i < pipelines; i++)
    *next++ = (struct flag){pipeline_table[i].flag, FLAG_OPTIONAL_VALUE, "OPTIONS",
                            pipeline_table[i].summary};
  for (size_t i = 0; i < upstream; i++)
    *next++ =
        (struct flag){upstream_pass_names[i], FLAG_OPTIONAL_VALUE, "OPTIONS", "upstream MLIR"};
  return flags;
}

static tile_status add_pass(struct opt_arguments *arguments, const char *name,
                            const char *options) {
  if (arguments->has_pipeline_flag)
    return FAIL(TILE_INVALID_ARGUMENT,
                "--%s beside --pass-pipeline: name all passes in one of the two ways", name);
  arguments->has_pass_flags = true;
  text_printf(&arguments->pipeline, "%s%s", arguments->pipeline.length ? "," : "", name);
  if (options)
    text_printf(&arguments->pipeline, "{%s}", options);
  return NULL;
}

static tile_status add_name(const char *name, const char **list, size_t *count) {
  if (*count == 16)
    return FAIL(TILE_INVALID_ARGUMENT, "at most 16 passes can be named for printing");
  list[(*count)++] = name;
  return NULL;
}

static tile_status set_pipeline(struct opt_arguments *arguments, const char *text) {
  if (arguments->has_pass_flags || arguments->has_pipeline_flag)
    return FAIL(TILE_INVALID_ARGUMENT, "--pass-pipeline stands alone: it names all passes");
  arguments->has_pipeline_flag = true;
  text_puts(&arguments->pipeline, text);
  return NULL;
}

static const struct flag_place places[] = {
    FLAG_PLACE("o", text, struct opt_arguments, output),
    FLAG_PLACE("split-input-file", switch, struct opt_arguments, split_input),
    FLAG_PLACE("verify-diagnostics", switch, struct opt_arguments, verify_diagnostics),
    FLAG_PLACE("verify-only", switch, struct opt_arguments, verify_only),
    FLAG_PLACE("allow-unregistered-dialect", switch, struct opt_arguments, allow_unregistered),
    FLAG_PLACE("emit-bytecode", switch, struct opt_arguments, emit_bytecode),
    FLAG_PLACE("mlir-print-op-generic", switch, struct opt_arguments, print_generic),
    FLAG_PLACE("mlir-print-debuginfo", switch, struct opt_arguments, print_locations),
    FLAG_PLACE("mlir-print-ir-before-all", switch, struct opt_arguments, how.print_before_all),
    FLAG_PLACE("mlir-print-ir-after-all", switch, struct opt_arguments, how.print_after_all),
    FLAG_PLACE("mlir-timing", switch, struct opt_arguments, how.timing),
    FLAG_PLACE("list-passes", switch, struct opt_arguments, list_passes),
    FLAG_PLACE("print-reference", text, struct opt_arguments, print_reference),
    FLAG_PLACE("help", switch, struct opt_arguments, help),
    FLAG_PLACE("version", switch, struct opt_arguments, version),
};

static tile_status on_flag(const struct flag *flag, const char *value, void *data) {
  struct opt_arguments *arguments = data;
  const char *name = flag->name;
  tile_status status;
  if (flag_store(places, sizeof places / sizeof *places, name, value, arguments, &status))
    return status;
  if (strcmp(name, "pass-pipeline") == 0)
    return set_pipeline(arguments, value);
  if (strcmp(name, "verify-each") == 0) {
    long long on = 1;
    if (value)
      TRY(parse_integer("--verify-each", value, 0, 1, &on));
    arguments->how.verify_each = on != 0;
    return NULL;
  }
  if (strcmp(name, "mlir-print-ir-before") == 0)
    return add_name(value, arguments->before, &arguments->how.print_before_count);
  if (strcmp(name, "mlir-print-ir-after") == 0)
    return add_name(value, arguments->after, &arguments->how.print_after_count);
  return add_pass(arguments, name, value);
}

static tile_status on_positional(const char *argument, void *data) {
  struct opt_arguments *arguments = data;
  if (strcmp(arguments->input, "-") != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "one input file, not both '%s' and '%s'", arguments->input,
                argument);
  arguments->input = argument;
  return NULL;
}

tile_status opt_parse_arguments(int argc, char **argv, struct opt_arguments *out) {
#ifdef TILE_VERIFY_EACH
  out->how.verify_each = true;
#endif
  out->how.print_before = out->before;
  out->how.print_after = out->after;
  size_t count;
  struct flag *flags = make_flags(&count);
  tile_status status = command_line_parse(argc, argv, flags, count, on_flag, on_positional, out);
  free(flags);
  return status;
}

void opt_arguments_destroy(struct opt_arguments *arguments) {
  text_free(&arguments->pipeline);
}

/* What --help, the manual and completion say; `flags` are all of make_flags. */
static struct tool describe(const struct flag *flags, size_t count) {
  return (struct tool){
      .name = "tile-opt",
      .summary = "runs passes of the tile compiler over MLIR",
      .usage = {"tile-opt [--PASS[=OPTIONS] ... | --pass-pipeline=TEXT] [flags] [FILE]"},
      .description =
          "Runs passes over a module (MLIR text or bytecode; - or no file reads standard input).",
      .flags = own_flags,
      .flag_count = OWN_FLAGS,
      .more_heading =
          "Passes and named pipelines, each also a flag (--list-passes shows their options)",
      .more = flags + OWN_FLAGS,
      .more_count = count - OWN_FLAGS,
  };
}

void opt_print_help(void) {
  size_t count;
  struct flag *flags = make_flags(&count);
  struct tool tool = describe(flags, count);
  tool_print_help(&tool);
  free(flags);
}

bool opt_prints_interface(int argc, char **argv, tile_status *out) {
  size_t count;
  struct flag *flags = make_flags(&count);
  struct tool tool = describe(flags, count);
  bool printed = tool_prints_interface(&tool, argc, argv, out);
  free(flags);
  return printed;
}
