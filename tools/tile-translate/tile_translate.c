/* SPDX-License-Identifier: MIT */
/* tile-translate: a module of kernels in, LLVM IR, PTX or a cubin out.

   For tests, --verify-diagnostics compares the messages with expected-error comments, and
   --split-input-file cuts the input at lines `# -----` (`// -----` in MLIR). A piece in the Triton
   language may have a line `# flags: --kernel NAME --signature "..."` of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/files.h"
#include "base/status.h"
#include "driver/tool.h"
#include "driver/compile.h"
#include "driver/expectations.h"
#include "driver/source.h"
#include "tile/tools.h"
#include "tile_translate_c.h"

struct arguments {
  const char *input, *output;
  tile_compile_options options;
  const char *depfile;
  bool has_output_kind, list_configs, list_imports, json, help, version, verbose,
      verify_diagnostics, split_input;
  struct source_options source;
  tile_output kind;
  struct pipeline_options how;
  struct to_c_arguments to_c;
};

static const struct flag flags[] = {
    {"import-triton", FLAG_SWITCH, NULL, "write the kernel of a Triton-language file as tile MLIR"},
    {"tile-to-llvmir", FLAG_SWITCH, NULL, "write LLVM IR as text"},
    {"tile-to-ptx", FLAG_SWITCH, NULL, "write PTX"},
    {"tile-to-cubin", FLAG_SWITCH, NULL, "write a cubin, assembled by ptxas"},
    {"tile-to-emulator", FLAG_SWITCH, NULL,
     "write an image for the emulator on this architecture, which runs without LLVM"},
    TO_C_FLAGS,
    {"list-configs", FLAG_SWITCH, NULL, "list what the decorators of a .py file's kernels say"},
    {"list-imports", FLAG_SWITCH, NULL, "list the files that importing a .py file's kernel reads"},
    {"depfile", FLAG_VALUE, "FILE", "write them to FILE as well, as a rule for make"},
    {"json", FLAG_SWITCH, NULL, "with --list-configs: one line of JSON a kernel"},
    SOURCE_FLAGS,
    {"target", FLAG_VALUE, "NAME",
     "sm_80, sm_86, sm_89, sm_90a (default), sm_100a, sm_120a; with --tile-to-c several with "
     "commas"},
    COMPILE_FLAGS("off; with --tile-to-c on",
                  "off; with --tile-to-c on; tile_launch chooses, see tile/image.h",
                  "1, with --tile-to-c fill; launch with tile_launch, see tile/image.h"),
    {"O", FLAG_VALUE, "LEVEL", "LLVM's optimisation: 1, light (default), or 3"},
    {"g", FLAG_SWITCH, NULL, "line tables; ptxas still optimises"},
    {"o", FLAG_VALUE, "FILE", "output file (default: -, standard output)"},
    {"v", FLAG_SWITCH, NULL, "with --tile-to-cubin: print ptxas's report on standard error"},
    {"mlir-timing", FLAG_SWITCH, NULL, "report the time of each pass"},
    {"mlir-print-ir-after-all", FLAG_SWITCH, NULL, "print the IR after each pass"},
    {"mlir-print-ir-before-all", FLAG_SWITCH, NULL, "print the IR before each pass"},
    {"split-input-file", FLAG_SWITCH, NULL,
     "pieces between lines `# -----` are files of their own"},
    {"verify-diagnostics", FLAG_SWITCH, NULL, "compare messages with expected-error comments"},
    {"help", FLAG_SWITCH, NULL, "this text"},
    {"version", FLAG_SWITCH, NULL, "the version"},
};

static const struct tool tool = {
    .name = "tile-translate",
    .summary = "compiles tile kernels to LLVM IR, PTX, cubins and C",
    .usage = {"tile-translate --tile-to-llvmir | --tile-to-ptx | --tile-to-cubin | "
              "--tile-to-emulator [flags] FILE",
              "tile-translate --tile-to-c [--grid EXPR] [flags] -o NAME FILE",
              "tile-translate --import-triton --kernel NAME --signature TEXT FILE.py",
              "tile-translate --list-configs [--json] [--kernel NAME] FILE.py",
              "tile-translate --list-imports --kernel NAME --signature TEXT FILE.py"},
    .description = "Compiles tile kernels (MLIR text or bytecode, or the Triton language in a .py "
                   "file; - reads\nstandard input).",
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
};

static tile_status set_kind(struct arguments *arguments, tile_output kind) {
  if (arguments->has_output_kind && arguments->kind != kind)
    return FAIL(TILE_INVALID_ARGUMENT, "choose one of --tile-to-llvmir, --tile-to-ptx, "
                                       "--tile-to-cubin and --tile-to-emulator");
  arguments->has_output_kind = true;
  arguments->kind = kind;
  return NULL;
}

static const struct flag_place places[] = {
    FLAG_PLACE("import-triton", switch, struct arguments, source.is_triton),
    FLAG_PLACE("list-configs", switch, struct arguments, list_configs),
    FLAG_PLACE("list-imports", switch, struct arguments, list_imports),
    FLAG_PLACE("depfile", text, struct arguments, depfile),
    FLAG_PLACE("json", switch, struct arguments, json),
    FLAG_PLACE("target", text, struct arguments, options.target),
    FLAG_PLACE("fmad", off, struct arguments, options.no_fma),
    FLAG_INTEGER("O", struct arguments, options.optimization_level, 1, 3),
    FLAG_PLACE("g", switch, struct arguments, options.line_tables),
    FLAG_PLACE("o", text, struct arguments, output),
    FLAG_PLACE("v", switch, struct arguments, verbose),
    FLAG_PLACE("mlir-timing", switch, struct arguments, how.timing),
    FLAG_PLACE("mlir-print-ir-after-all", switch, struct arguments, how.print_after_all),
    FLAG_PLACE("mlir-print-ir-before-all", switch, struct arguments, how.print_before_all),
    FLAG_PLACE("split-input-file", switch, struct arguments, split_input),
    FLAG_PLACE("verify-diagnostics", switch, struct arguments, verify_diagnostics),
    FLAG_PLACE("help", switch, struct arguments, help),
    FLAG_PLACE("version", switch, struct arguments, version),
};

static tile_status on_flag(const struct flag *flag, const char *value, void *data) {
  static const struct {
    const char *name;
    tile_output kind;
  } outputs[] = {{"tile-to-llvmir", TILE_OUTPUT_LLVMIR},
                 {"tile-to-ptx", TILE_OUTPUT_PTX},
                 {"tile-to-cubin", TILE_OUTPUT_CUBIN},
                 {"tile-to-emulator", TILE_OUTPUT_EMULATOR}};
  struct arguments *arguments = data;
  const char *name = flag->name;
  tile_status status;
  if (source_flag(&arguments->source, name, value, &status) ||
      to_c_flag(&arguments->to_c, name, value, &status) ||
      compile_flag(&arguments->options, name, value, &status) ||
      flag_store(places, sizeof places / sizeof *places, name, value, data, &status))
    return status;
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs && !status; i++)
    if (strcmp(outputs[i].name, name) == 0)
      status = set_kind(arguments, outputs[i].kind);
  return status;
}

static tile_status on_positional(const char *argument, void *data) {
  struct arguments *arguments = data;
  if (arguments->input)
    return FAIL(TILE_INVALID_ARGUMENT, "one input file, not both '%s' and '%s'", arguments->input,
                argument);
  arguments->input = argument;
  return NULL;
}

static const char *input_name(const struct arguments *arguments) {
  return strcmp(arguments->input, "-") == 0 ? "<stdin>" : arguments->input;
}

/* --import-triton alone: the module as it came out of the front end, verified. */
static tile_status print_module(struct session *session, const struct arguments *arguments,
                                MlirModule module, struct text *out) {
  TRY(pipeline_run(session, "", &arguments->how, module));
  mlirOperationPrint(mlirModuleGetOperation(module), print_to_text, out);
  text_puts(out, "\n");
  return NULL;
}

struct listing {
  bool json;
  struct text *out;
};

static void list_kernel(tile_configurations *list, void *data) {
  const struct listing *listing = data;
  (listing->json ? listing_print_json : listing_print)(list, listing->out);
  tile_configurations_destroy(list);
}

static tile_status list_configs(struct session *session, const struct arguments *arguments,
                                const struct text *source, struct text *out) {
  struct import_options import = arguments->source.import;
  struct import_files files = {0};
  import.constants = arguments->source.constants;
  import.argument_values = arguments->source.argument_values;
  import.packages = source_packages(&files, input_name(arguments), &arguments->source);
  tile_status status = source_list_configurations(
      session, input_name(arguments), text_string(source), source->length, &import, list_kernel,
      &(struct listing){arguments->json, out});
  import_files_free(&files);
  if (status && out->length) { /* what is right is shown beside what is wrong */
    tile_status written = file_write(arguments->output, text_string(out), out->length);
    tile_status_free(written);
  }
  return status;
}

/* --- The files that were read ----------------------------------------------------------------- */

static void add_line(const char *file, void *out) {
  text_printf(out, "%s\n", file);
}

/* A name as make reads it: blanks, '#', ':' and '\\' after a backslash, '$' doubled. */
static void print_make_name(const char *name, struct text *out) {
  for (; *name; name++)
    text_printf(out, "%s%c", strchr(" \t#:\\", *name) ? "\\" : *name == '$' ? "$" : "", *name);
}

/* A file once, also when it is read for several variants. */
static void add_dependency(const char *file, void *data) {
  struct text *out = data, name = {0};
  text_puts(&name, " ");
  print_make_name(file, &name);
  const char *at = text_string(out);
  while ((at = strstr(at, text_string(&name))) != NULL && at[name.length] && at[name.length] != ' ')
    at++;
  if (!at)
    text_append(out, text_string(&name), name.length);
  text_free(&name);
}

/* "OUTPUT: FILE.py pkg/utils.py", a rule for make. */
static tile_status write_depfile(const struct arguments *arguments, const struct text *files) {
  struct text rule = {0};
  print_make_name(arguments->output, &rule);
  if (arguments->to_c.wanted) {
    text_puts(&rule, ".c "); /* first, as ninja wants the first output of a rule */
    print_make_name(arguments->output, &rule);
    text_puts(&rule, ".h");
  }
  text_printf(&rule, ":%s\n", text_string(files));
  tile_status status = file_write(arguments->depfile, text_string(&rule), rule.length);
  text_free(&rule);
  return status;
}

static tile_status translate_to_c(struct session *session, const struct arguments *arguments,
                                  const struct text *source) {
  struct source_options read = arguments->source;
  struct text files = {0};
  read.import.visit_file = add_dependency;
  read.import.visit_data = &files;
  struct to_c_input input = {.name = input_name(arguments),
                             .output = arguments->output,
                             .targets = arguments->options.target,
                             .source = source,
                             .how_to_read = &read,
                             .options = &arguments->options,
                             .how = &arguments->how};
  tile_status status = to_c_translate(session, &arguments->to_c, &input);
  if (!status && arguments->depfile)
    status = write_depfile(arguments, &files);
  text_free(&files);
  return status;
}

static tile_status translate_text(struct session *session, const struct arguments *arguments,
                                  const struct text *source, struct text *out) {
  const char *name = input_name(arguments);
  MlirModule module;
  if (arguments->list_configs)
    return list_configs(session, arguments, source, out);
  if (arguments->to_c.wanted)
    return translate_to_c(session, arguments, source);
  struct source_options options = arguments->source;
  struct text files = {0};
  if ((arguments->list_imports || arguments->depfile) && !source_is_triton(name, &options))
    return FAIL(TILE_INVALID_ARGUMENT,
                "--list-imports and --depfile are for kernels in the Triton "
                "language (.py); '%s' is MLIR",
                name);
  options.import.visit_file = arguments->list_imports ? add_line : add_dependency;
  options.import.visit_data = arguments->list_imports ? out : &files;
  options.plain = !arguments->has_output_kind;
  tile_status loaded = source_load(session, name, source, &options, &module);
  if (!loaded && arguments->depfile)
    loaded = write_depfile(arguments, &files);
  text_free(&files);
  if (loaded || arguments->list_imports) {
    if (!loaded)
      mlirModuleDestroy(module);
    return loaded;
  }
  if (!arguments->has_output_kind) {
    tile_status status = print_module(session, arguments, module, out);
    mlirModuleDestroy(module);
    return status;
  }
  if (mlirOperationIsNull(mlirBlockGetFirstOperation(mlirModuleGetBody(module)))) {
    mlirModuleDestroy(module);
    return FAIL(TILE_INVALID_ARGUMENT,
                "'%s' is empty: it has no kernel, a func.func marked "
                "tile.kernel",
                name);
  }
  struct text log = {0};
  tile_status status = compile_module(session, module, &arguments->options, arguments->kind,
                                      &arguments->how, out, &log);
  if (arguments->verbose)
    fputs(text_string(&log), stderr);
  text_free(&log);
  mlirModuleDestroy(module);
  return status;
}

/* --verify-diagnostics: what is wrong with the kernel, or with its flags, is compared. An error
   that has no place, as one in a signature, is expected `@unknown`. */
static tile_status verify_text(struct session *session, const struct arguments *arguments,
                               const struct text *source) {
  struct text discarded = {0};
  struct expectations *expected = expectations_read(input_name(arguments), text_string(source));
  session->diagnostics.handler = expectations_receive;
  session->diagnostics.data = expected;
  tile_status status = translate_text(session, arguments, source, &discarded);
  if (status && session->diagnostics.errors == 0)
    expectations_receive(&(struct diagnostic){.severity = SEVERITY_ERROR,
                                              .file = "",
                                              .message = tile_status_message(status)},
                         expected);
  session->diagnostics.handler = NULL;
  tile_status_free(status);
  text_free(&discarded);
  bool right = expectations_check(expected);
  expectations_destroy(expected);
  return right ? NULL
               : FAIL(TILE_INVALID_ARGUMENT, "'%s': the diagnostics are not the expected ones",
                      arguments->input);
}

static tile_status translate_source(const struct arguments *arguments, const struct text *source,
                                    struct text *out) {
  struct session session;
  TRY(session_create(&session));
  tile_status status = arguments->verify_diagnostics
                           ? verify_text(&session, arguments, source)
                           : translate_text(&session, arguments, source, out);
  session_destroy(&session);
  return status;
}

/* `# flags: --kernel NAME --signature '...' --constexpr NAME=VALUE` in a piece. */
static tile_status read_piece_flags(const char *text, struct arena *arena,
                                    struct source_options *source) {
  static const char mark[] = "# flags:";
  const char *at = text, *flag, *value;
  while ((at = strstr(at, mark)) != NULL && at != text && at[-1] != '\n')
    at += sizeof mark - 1;
  if (!at)
    return NULL;
  at += sizeof mark - 1;
  while ((flag = command_line_next_word(&at, arena)) != NULL) {
    tile_status status;
    value = command_line_next_word(&at, arena);
    if (strncmp(flag, "--", 2) != 0 || !value || !source_flag(source, flag + 2, value, &status))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "'# flags:' has --kernel, --signature and --constexpr, each "
                  "with a value; '%s' is wrong",
                  flag);
    TRY(status);
  }
  return NULL;
}

struct split_input {
  const struct arguments *arguments;
  struct text *out;
};

static tile_status translate_piece(const char *text, size_t length, bool is_first, void *data) {
  const struct split_input *split = data;
  struct arguments own = *split->arguments;
  struct arena arena = {0};
  struct text source = {0};
  text_append(&source, text, length);
  if (!is_first)
    text_puts(split->out, "// -----\n");
  tile_status status = read_piece_flags(text, &arena, &own.source);
  if (!status)
    status = translate_source(&own, &source, split->out);
  text_free(&source);
  arena_destroy(&arena);
  return status;
}

static tile_status translate(const struct arguments *arguments) {
  struct text source = {0}, out = {0};
  bool python = source_is_triton(arguments->input, &arguments->source);
  struct split_input split = {arguments, &out};
  tile_status status = file_read(arguments->input, &source);
  if (!status)
    status = arguments->split_input
                 ? split_pieces(text_string(&source), python ? "# -----" : "// -----",
                                translate_piece, &split)
                 : translate_source(arguments, &source, &out);
  if (!status && !arguments->verify_diagnostics && !arguments->to_c.wanted)
    status = file_write(arguments->output, text_string(&out), out.length);
  text_free(&source);
  text_free(&out);
  return status;
}

static tile_status check_to_c(const struct arguments *arguments) {
  const struct to_c_arguments *to_c = &arguments->to_c;
  if (!to_c->wanted && (to_c->grid || to_c->c_name_count || to_c->formats || to_c->variant_count ||
                        to_c->when || to_c->tuned || to_c->tuned_device))
    return FAIL(TILE_INVALID_ARGUMENT,
                "--grid, --c-name, --embed, --variant, --tuned and --when are for --tile-to-c");
  if (to_c->wanted &&
      (arguments->has_output_kind || arguments->list_configs || arguments->list_imports))
    return FAIL(TILE_INVALID_ARGUMENT, "--tile-to-c writes two files of C; leave the other flag");
  if (to_c->wanted && strcmp(arguments->output, "-") == 0)
    return FAIL(TILE_INVALID_ARGUMENT,
                "--tile-to-c writes two files, NAME.h and NAME.c: say which with -o NAME");
  return NULL;
}

static tile_status run(int argc, char **argv) {
  struct arguments arguments = {.options = tile_compile_options_default(), .output = "-"};
#ifdef TILE_VERIFY_EACH
  arguments.how.verify_each = true;
#endif
  tile_status status;
  if (tool_prints_interface(&tool, argc, argv, &status))
    return status;
  TRY(command_line_parse(argc, argv, flags, tool.flag_count, on_flag, on_positional, &arguments));
  if (tool_tells(&tool, arguments.help, arguments.version))
    return NULL;
  if (arguments.list_configs && arguments.has_output_kind)
    return FAIL(TILE_INVALID_ARGUMENT,
                "--list-configs writes a list; leave the --tile-to-... flag");
  if (arguments.list_imports && (arguments.has_output_kind || arguments.list_configs))
    return FAIL(TILE_INVALID_ARGUMENT, "--list-imports writes a list; leave the other flag");
  arguments.source.import.target = arguments.options.target;
  arguments.source.import.num_warps = arguments.options.num_warps;
  arguments.source.import.num_stages = arguments.options.num_stages;
  TRY(check_to_c(&arguments));
  if (!arguments.has_output_kind && !arguments.to_c.wanted && !arguments.source.is_triton &&
      !arguments.list_configs && !arguments.list_imports)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "say what to write: --tile-to-llvmir, --tile-to-ptx, "
        "--tile-to-cubin, --tile-to-emulator, --tile-to-c, or --import-triton for tile MLIR");
  if (!arguments.input)
    return FAIL(TILE_INVALID_ARGUMENT, "no input file; - reads standard input");
  const struct machine *target;
  if (!arguments.to_c.wanted) /* which has several targets */
    TRY(compile_check_options(&arguments.options, &target));
  return translate(&arguments);
}

int tile_translate_main(int argc, char **argv) {
  streams_open();
  return streams_finish("tile-translate", run(argc, argv));
}
