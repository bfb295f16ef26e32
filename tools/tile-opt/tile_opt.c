/* SPDX-License-Identifier: MIT */
/* tile-opt: a module in, passes, a module out.

   With --split-input-file the input is cut at lines `// -----`; every piece is a module of its own,
   and its lines keep the numbers they have in the file. */
#include "tile_opt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "driver/command_line.h"
#include "driver/expectations.h"
#include "driver/source.h"
#include "tile/tools.h"

static void write_module(const struct opt_arguments *arguments, MlirModule module,
                         struct text *out) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (arguments->emit_bytecode) {
    mlirOperationWriteBytecode(op, print_to_text, out);
    return;
  }
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (arguments->print_generic)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (arguments->print_locations)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(op, flags, print_to_text, out);
  mlirOpPrintingFlagsDestroy(flags);
  text_puts(out, "\n");
}

/* One module through the pipeline. With --verify-diagnostics failing is no failure in itself. */
static tile_status process_module(const struct opt_arguments *arguments, struct session *session,
                                  const char *name, const char *text, size_t length,
                                  struct text *out) {
  TRY(source_refuse_code(name, text, length));
  MlirModule module = session_parse(session, name, text, length);
  if (mlirModuleIsNull(module))
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is not a valid module", name);
  tile_status status =
      pipeline_run(session, text_string(&arguments->pipeline), &arguments->how, module);
  if (!status)
    write_module(arguments, module, out);
  mlirModuleDestroy(module);
  return status;
}

static tile_status process_verifying(const struct opt_arguments *arguments, struct session *session,
                                     const char *name, const char *text, size_t length) {
  struct expectations *expectations = expectations_read(name, text);
  session->diagnostics.handler = expectations_receive;
  session->diagnostics.data = expectations;
  struct text discarded = {0};
  tile_status status = process_module(arguments, session, name, text, length, &discarded);
  session->diagnostics.handler = NULL;
  text_free(&discarded);
  bool right = expectations_check(expectations);
  expectations_destroy(expectations);
  /* Errors of the kernel were compared; errors of the command line are still errors. */
  if (tile_status_code(status) == TILE_INVALID_ARGUMENT && session->diagnostics.errors > 0) {
    tile_status_free(status);
    status = NULL;
  }
  if (!status && !right)
    status = FAIL(TILE_INVALID_ARGUMENT, "'%s': the diagnostics are not the expected ones", name);
  return status;
}

static tile_status process_piece(const struct opt_arguments *arguments, const char *name,
                                 const char *text, size_t length, struct text *out) {
  struct session session;
  TRY(session_create(&session));
  if (arguments->allow_unregistered)
    mlirContextSetAllowUnregisteredDialects(session.context, true);
  tile_status status = arguments->verify_diagnostics
                           ? process_verifying(arguments, &session, name, text, length)
                           : process_module(arguments, &session, name, text, length, out);
  session_destroy(&session);
  return status;
}

struct split_input {
  const struct opt_arguments *arguments;
  const char *name;
  struct text *out;
};

static tile_status process_split_piece(const char *text, size_t length, bool is_first, void *data) {
  const struct split_input *split = data;
  if (!is_first)
    text_puts(split->out, "// -----\n");
  return process_piece(split->arguments, split->name, text, length, split->out);
}

static tile_status process_split(const struct opt_arguments *arguments, const char *name,
                                 const char *text, struct text *out) {
  struct split_input split = {arguments, name, out};
  return split_pieces(text, "// -----", process_split_piece, &split);
}

static tile_status process(const struct opt_arguments *arguments) {
  struct text source = {0}, out = {0};
  const char *name = strcmp(arguments->input, "-") == 0 ? "<stdin>" : arguments->input;
  tile_status status = file_read(arguments->input, &source);
  if (!status)
    status = arguments->split_input
                 ? process_split(arguments, name, text_string(&source), &out)
                 : process_piece(arguments, name, text_string(&source), source.length, &out);
  if (!status && !arguments->verify_diagnostics && !arguments->verify_only)
    status = file_write(arguments->output, text_string(&out), out.length);
  text_free(&source);
  text_free(&out);
  return status;
}

static tile_status run(int argc, char **argv, struct opt_arguments *arguments) {
  tile_status status;
  if (opt_prints_interface(argc, argv, &status))
    return status;
  TRY(opt_parse_arguments(argc, argv, arguments));
  if (arguments->help) {
    opt_print_help();
    return NULL;
  }
  if (arguments->version) {
    command_line_print_version("tile-opt");
    return NULL;
  }
  if (arguments->list_passes) {
    opt_print_passes();
    return NULL;
  }
  if (arguments->print_reference)
    return opt_print_reference(arguments->print_reference);
  return process(arguments);
}

int tile_opt_main(int argc, char **argv) {
  struct opt_arguments arguments = {.input = "-", .output = "-"};
  streams_open();
  int code = streams_finish("tile-opt", run(argc, argv, &arguments));
  opt_arguments_destroy(&arguments);
  return code;
}
