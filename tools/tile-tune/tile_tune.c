/* SPDX-License-Identifier: MIT */
/* tile-tune: inspects databases of tuning results, and moves results between them. */
#include "tile_tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"
#include "driver/tool.h"
#include "tile/tools.h"

/* Names of flags with a space between them; "filter" stands for kernel, device and toolkit. */
struct command {
  const char *name;
  const char *flags;
  size_t least_files, most_files;
  tile_status (*run)(const struct tune_arguments *arguments);
};

enum { ANY = 1 << 20 };

static const struct command commands[] = {
    {"show", "database json measurements filter", 0, 0, database_show},
    {"export", "database o filter", 0, 0, database_export},
    {"import", "database quiet", 1, ANY, database_import},
    {"merge", "o quiet", 1, ANY, database_merge},
    {"clear", "database filter quiet", 0, 0, database_clear},
    {"plan", "jobs o", 0, 0, database_plan},
    {"work", "database shard quiet", 1, ANY, database_work},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

struct parsing {
  struct tune_arguments arguments;
  const struct command *command;
  const struct flag *given[64]; /* for the check that the command takes them */
  size_t given_count;
  bool help, version;
};

static const struct flag flags[] = {
    {"database", FLAG_VALUE, "FILE",
     "the database (default: $TILE_TUNE_DATABASE, else tune.sqlite3 in the cache's folder)"},
    {"kernel", FLAG_VALUE, "PATTERN",
     "show, export, clear: kernels of this name; * and ? as in a shell"},
    {"device", FLAG_VALUE, "PATTERN",
     "show, export, clear: devices of this name; * and ? as in a shell"},
    {"toolkit", FLAG_VALUE, "ID", "show, export, clear: results of the toolkit of this build id"},
    {"measurements", FLAG_SWITCH, NULL, "show: all that was measured, not the winners alone"},
    {"json", FLAG_SWITCH, NULL, "show: one line of JSON a row"},
    {"jobs", FLAG_VALUE, "N", "plan: at most so many jobs (default: one for each candidate)"},
    {"shard", FLAG_VALUE, "I/N",
     "work: every N-th job, from job I on, which is below N (default: 0/1, all)"},
    {"o", FLAG_VALUE, "FILE",
     "export, plan: output file (default: -, standard output); merge: the database to add to"},
    {"quiet", FLAG_SWITCH, NULL, "import, merge, clear, work: no word of what was done"},
    {"help", FLAG_SWITCH, NULL, "this text"},
    {"version", FLAG_SWITCH, NULL, "the version"},
};

static const struct tool tool = {
    .name = "tile-tune",
    .summary = "shows, moves and joins results of tuning, and divides it among machines",
    .usage = {"tile-tune show [--kernel K] [--device D] [--toolkit ID] [--measurements] [--json]",
              "tile-tune export [--kernel K] [--device D] [--toolkit ID] [-o FILE]",
              "tile-tune import [--quiet] FILE...", "tile-tune merge [--quiet] FILE... -o DATABASE",
              "tile-tune clear [--kernel K] [--device D] [--toolkit ID] [--quiet]",
              "tile-tune plan [--jobs N] [-o PLAN] -- FILE [FLAGS OF TILE-RUN]",
              "tile-tune work [--shard I/N] [--database FILE] [--quiet] PLAN..."},
    .description = "Works on the database in which tile-run --tune keeps what it measured. show "
                   "prints the winners,\n"
                   "export writes all as JSON, import adds what export has written. merge adds "
                   "databases and exports to\n"
                   "one database, which is made where it is missing. clear removes rows. "
                   "docs/tuning.md says more.",
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
};

static tile_status on_flag(const struct flag *flag, const char *value, void *data) {
  static const struct flag_place places[] = {
    FLAG_PLACE("database", text, struct parsing, arguments.database),
    FLAG_PLACE("kernel", text, struct parsing, arguments.filter.kernel),
    FLAG_PLACE("device", text, struct parsing, arguments.filter.device),
    FLAG_PLACE("toolkit", text, struct parsing, arguments.filter.toolkit),
    FLAG_PLACE("measurements", switch, struct parsing, arguments.measurements),
    FLAG_PLACE("json", switch, struct parsing, arguments.json),
    FLAG_INTEGER("jobs", struct parsing, arguments.jobs, 1, 1 << 20),
    FLAG_PLACE("shard", shard, struct parsing, arguments.shard),
    FLAG_PLACE("o", text, struct parsing, arguments.output),
    FLAG_PLACE("quiet", switch, struct parsing, arguments.quiet),
    FLAG_PLACE("help", switch, struct parsing, help),
    FLAG_PLACE("version", switch, struct parsing, version),
  };
  struct parsing *parsing = data;
  tile_status status;
  flag_store(places, sizeof places / sizeof *places, flag->name, value, parsing, &status);
  if (parsing->given_count < sizeof parsing->given / sizeof *parsing->given)
    parsing->given[parsing->given_count++] = flag;
  return status;
}

static void print_commands(struct text *out) {
  for (size_t i = 0; i < COMMANDS; i++)
    text_printf(out, "%s%s", i == 0 ? "" : i + 1 == COMMANDS ? " and " : ", ", commands[i].name);
}

static tile_status no_command(const char *word) {
  struct text names = {0};
  print_commands(&names);
  tile_status status =
      word ? FAIL(TILE_INVALID_ARGUMENT, "unknown command '%s'; there are %s", word,
                  text_string(&names))
           : FAIL(TILE_INVALID_ARGUMENT, "say what to do: there are %s; --help says more",
                  text_string(&names));
  text_free(&names);
  return status;
}

static tile_status on_positional(const char *argument, void *data) {
  struct parsing *parsing = data;
  if (parsing->command) {
    parsing->arguments.files[parsing->arguments.file_count++] = argument;
    return NULL;
  }
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(commands[i].name, argument) == 0)
      parsing->command = &commands[i];
  return parsing->command ? NULL : no_command(argument);
}

/* --- What a command takes --------------------------------------------------------------------- */

static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
      return true;
  return false;
}

static bool takes(const struct command *command, const char *flag) {
  static const char filter[] = "kernel device toolkit";
  return has_word(command->flags, flag) ||
         (has_word(filter, flag) && has_word(command->flags, "filter"));
}

/* Flags that the command has no use for are mistakes. */
static tile_status check(const struct parsing *parsing) {
  const struct command *command = parsing->command;
  const struct tune_arguments *arguments = &parsing->arguments;
  for (size_t i = 0; i < parsing->given_count; i++) {
    const char *name = parsing->given[i]->name;
    if (!takes(command, name))
      return FAIL(TILE_INVALID_ARGUMENT, "tile-tune %s does not take %s%s; --help says what does",
                  command->name, name[1] ? "--" : "-", name);
  }
  if (arguments->file_count < command->least_files)
    return FAIL(TILE_INVALID_ARGUMENT, "tile-tune %s needs a file; - is standard input",
                command->name);
  if (arguments->file_count > command->most_files)
    return FAIL(TILE_INVALID_ARGUMENT,
                "tile-tune %s takes no file such as '%s'; --database names the database",
                command->name, arguments->files[0]);
  if (arguments->rest && command->run != database_plan)
    return FAIL(TILE_INVALID_ARGUMENT, "tile-tune %s takes nothing after --", command->name);
  return NULL;
}

static tile_status run_parsed(struct parsing *parsing) {
  if (tool_tells(&tool, parsing->help, parsing->version))
    return NULL;
  if (!parsing->command)
    return no_command(NULL);
  TRY(check(parsing));
  return parsing->command->run(&parsing->arguments);
}

static tile_status run(int argc, char **argv) {
  tile_status printed;
  if (tool_prints_interface(&tool, argc, argv, &printed))
    return printed;
  int own = 1; /* words before -- */
  while (own < argc && strcmp(argv[own], "--") != 0)
    own++;
  struct tune_arguments arguments = {.shard = {.index = 0, .count = 1}};
  if (own < argc) {
    arguments.rest = (const char *const *)argv + own + 1;
    arguments.rest_count = (size_t)(argc - own - 1);
  }
  arguments.files = tile_allocate((size_t)argc * sizeof *arguments.files);
  struct parsing parsing = {.arguments = arguments};
  tile_status status =
      command_line_parse(own, argv, flags, tool.flag_count, on_flag, on_positional, &parsing);
  if (!status)
    status = run_parsed(&parsing);
  free(arguments.files);
  return status;
}

int tile_tune_main(int argc, char **argv) {
  streams_open();
  return streams_finish("tile-tune", run(argc, argv));
}
