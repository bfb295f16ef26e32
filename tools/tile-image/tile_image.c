/* SPDX-License-Identifier: MIT */
/* tile-image: inspects images, takes them apart, puts them together. */
#include "tile_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/files.h"
#include "base/status.h"
#include "driver/tool.h"
#include "tile/tools.h"

enum command { NO_COMMAND, LIST, EXTRACT, VERIFY, JOIN, COMMAND_COUNT };

static const char *const command_names[COMMAND_COUNT] = {[NO_COMMAND] = "",
                                                         [LIST] = "list",
                                                         [EXTRACT] = "extract",
                                                         [VERIFY] = "verify",
                                                         [JOIN] = "join"};

struct arguments {
  enum command command;
  const char **files; /* as many as there are arguments */
  size_t file_count;
  const char *output;
  struct section_choice choice;
  bool json, code_only, help, version;
};

static const struct flag flags[] = {
    {"json", FLAG_SWITCH, NULL, "list: one line of JSON a file"},
    {"section", FLAG_VALUE, "N", "extract: the section of this number"},
    {"target", FLAG_VALUE, "NAME", "extract: the section for this target, as in sm_90a"},
    {"format", FLAG_VALUE, "ptx|cubin|emulator", "extract: the section of this format"},
    {"code-only", FLAG_SWITCH, NULL, "extract: without the lines that say what a launch must know"},
    {"o", FLAG_VALUE, "FILE", "extract, join: output file (default: -, standard output)"},
    {"help", FLAG_SWITCH, NULL, "this text"},
    {"version", FLAG_SWITCH, NULL, "the version"},
};

static const struct tool tool = {
    .name = "tile-image",
    .summary = "lists, takes apart, verifies and joins images of compiled kernels",
    .usage = {"tile-image list [--json] FILE...",
              "tile-image extract [--section N] [--target NAME] [--format F] [--code-only] [-o "
              "OUT] FILE",
              "tile-image verify FILE...", "tile-image join -o OUT FILE..."},
    .description = "Images are files with compiled kernels, for one target or several. list says "
                   "what is in them,\n"
                   "extract writes one section as an image of its own, verify checks all of it, "
                   "join makes one image of\n"
                   "several: kernels with one name become versions of one kernel, tried in the "
                   "order of the files.",
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
};

static tile_status read_format(const struct flag_place *place, const char *flag, const char *value,
                               char *data) {
  if (strcmp(value, "ptx") != 0 && strcmp(value, "cubin") != 0 && strcmp(value, "emulator") != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "%s is ptx, cubin or emulator, not '%s'", flag, value);
  return flag_reads_text(place, flag, value, data);
}

static tile_status on_flag(const struct flag *flag, const char *value, void *data) {
  static const struct flag_place places[] = {
    FLAG_PLACE("json", switch, struct arguments, json),
    FLAG_INTEGER("section", struct arguments, choice.index, 0, 1 << 20),
    FLAG_PLACE("target", text, struct arguments, choice.target),
    {"format", read_format, offsetof(struct arguments, choice.format), 0, 0, 0, 0},
    FLAG_PLACE("code-only", switch, struct arguments, code_only),
    FLAG_PLACE("o", text, struct arguments, output),
    FLAG_PLACE("help", switch, struct arguments, help),
    FLAG_PLACE("version", switch, struct arguments, version),
  };
  struct arguments *arguments = data;
  tile_status status;
  flag_store(places, sizeof places / sizeof *places, flag->name, value, arguments, &status);
  arguments->choice.by_index |= strcmp(flag->name, "section") == 0;
  return status;
}

static tile_status on_positional(const char *argument, void *data) {
  struct arguments *arguments = data;
  if (arguments->command != NO_COMMAND) {
    arguments->files[arguments->file_count++] = argument;
    return NULL;
  }
  for (int i = LIST; i < COMMAND_COUNT; i++)
    if (strcmp(command_names[i], argument) == 0)
      arguments->command = (enum command)i;
  return arguments->command != NO_COMMAND
             ? NULL
             : FAIL(TILE_INVALID_ARGUMENT,
                    "unknown command '%s'; there are list, extract, verify and join", argument);
}

/* Flags that the command has no use for are mistakes. */
static tile_status check_flags(const struct arguments *arguments) {
  enum command command = arguments->command;
  const struct section_choice *choice = &arguments->choice;
  const char *wrong = arguments->json && command != LIST           ? "--json"
                      : arguments->code_only && command != EXTRACT ? "--code-only"
                      : (choice->target || choice->format || choice->by_index) && command != EXTRACT
                          ? "--section, --target or --format"
                      : arguments->output && command != EXTRACT && command != JOIN ? "-o"
                                                                                   : NULL;
  if (wrong)
    return FAIL(TILE_INVALID_ARGUMENT, "tile-image %s does not take %s; --help says what does",
                command_names[command], wrong);
  if (!arguments->file_count)
    return FAIL(TILE_INVALID_ARGUMENT, "no image; - reads standard input");
  if (command == EXTRACT && arguments->file_count > 1)
    return FAIL(TILE_INVALID_ARGUMENT, "one image, not both '%s' and '%s'", arguments->files[0],
                arguments->files[1]);
  return NULL;
}

/* --- Commands --------------------------------------------------------------------------------- */

/* Prints what was found out about one file; the number of problems is what matters. */
static size_t print_lines(FILE *stream, const char *path, const char *kind, const char *lines) {
  size_t count = 0;
  for (; *lines; count++) {
    int length = (int)strcspn(lines, "\n");
    fprintf(stream, "%s: %s: %.*s\n", path, kind, length, lines);
    lines += length + (lines[length] == '\n');
  }
  return count;
}

static bool verify_file(const char *path) {
  tile_image *image = NULL;
  struct text problems = {0}, notes = {0};
  tile_status status = tile_image_read(path, &image);
  if (status)
    text_printf(&problems, "%s\n", tile_status_message(status));
  else
    image_verify(image, &problems, &notes);
  size_t count = print_lines(stderr, path, "error", text_string(&problems));
  print_lines(stderr, path, "note", text_string(&notes));
  if (!count)
    printf("%s: right\n", path);
  fflush(stdout); /* in order with standard error; a failure shows at the end */
  tile_status_free(status);
  tile_image_free(image);
  text_free(&problems);
  text_free(&notes);
  return !count;
}

static tile_status verify(const struct arguments *arguments) {
  size_t wrong = 0;
  for (size_t i = 0; i < arguments->file_count; i++)
    wrong += !verify_file(arguments->files[i]);
  return wrong ? FAIL(TILE_BAD_IMAGE, "%zu of %zu image%s wrong", wrong, arguments->file_count,
                      arguments->file_count == 1 ? " is" : "s are")
               : NULL;
}

static tile_status list(const struct arguments *arguments, const char *path,
                        const tile_image *image) {
  struct text out = {0};
  if (arguments->json)
    image_list_json(path, image, &out);
  else
    image_list(path, image, &out);
  fputs(text_string(&out), stdout);
  text_free(&out);
  return NULL;
}

static tile_status list_files(const struct arguments *arguments) {
  for (size_t i = 0; i < arguments->file_count; i++) {
    tile_image *image;
    TRY(tile_image_read(arguments->files[i], &image));
    tile_status status = list(arguments, arguments->files[i], image);
    tile_image_free(image);
    TRY(status);
  }
  return NULL;
}

static tile_status extract(const struct arguments *arguments) {
  tile_image *image;
  struct text out = {0};
  TRY(tile_image_read(arguments->files[0], &image));
  tile_status status = image_extract(image, &arguments->choice, arguments->code_only, &out);
  tile_image_free(image);
  if (!status)
    status = file_write(arguments->output ? arguments->output : "-", out.data, out.length);
  text_free(&out);
  return status;
}

static tile_status join_files(const struct arguments *arguments, tile_image **images) {
  for (size_t i = 0; i < arguments->file_count; i++)
    TRY(tile_image_read(arguments->files[i], &images[i]));
  tile_image *joined;
  TRY(tile_image_join((const tile_image *const *)images, arguments->file_count, &joined));
  tile_status status = tile_image_write(joined, arguments->output ? arguments->output : "-");
  tile_image_free(joined);
  return status;
}

static tile_status join(const struct arguments *arguments) {
  tile_image **images = tile_allocate(arguments->file_count * sizeof *images);
  memset(images, 0, arguments->file_count * sizeof *images);
  tile_status status = join_files(arguments, images);
  for (size_t i = 0; i < arguments->file_count; i++)
    tile_image_free(images[i]);
  free(images);
  return status;
}

/* --- The tool --------------------------------------------------------------------------------- */

static tile_status run_command(const struct arguments *arguments) {
  TRY(check_flags(arguments));
  switch (arguments->command) {
  case LIST:
    return list_files(arguments);
  case EXTRACT:
    return extract(arguments);
  case VERIFY:
    return verify(arguments);
  case JOIN:
  case NO_COMMAND:
  case COMMAND_COUNT:
    break;
  }
  return join(arguments);
}

static tile_status run(int argc, char **argv) {
  tile_status printed;
  if (tool_prints_interface(&tool, argc, argv, &printed))
    return printed;
  struct arguments arguments = {.files = tile_allocate((size_t)argc * sizeof *arguments.files)};
  tile_status status =
      command_line_parse(argc, argv, flags, tool.flag_count, on_flag, on_positional, &arguments);
  if (!status && !tool_tells(&tool, arguments.help, arguments.version))
    status = arguments.command == NO_COMMAND
                 ? FAIL(TILE_INVALID_ARGUMENT,
                        "say what to do: list, extract, verify or join; --help says more")
                 : run_command(&arguments);
  free(arguments.files);
  return status;
}

int tile_image_main(int argc, char **argv) {
  streams_open();
  return streams_finish("tile-image", run(argc, argv));
}
