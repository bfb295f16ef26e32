/* SPDX-License-Identifier: MIT */
/* See tool.h. Summaries are the same text everywhere; only what must not stand in a manual page or
   in a shell's word is written differently. */
#include "driver/tool.h"

#include <stdio.h>
#include <string.h>
#include "base/status.h"
#include "tile/version.h"

void tool_print_help(const struct tool *tool) {
  for (size_t i = 0; tool->usage[i]; i++)
    printf("%s %s\n", i ? "      " : "usage:", tool->usage[i]);
  printf("%s\n\n", tool->description);
  command_line_print_flags(tool->flags, tool->flag_count);
  if (tool->more_heading) {
    printf("\n%s:\n", tool->more_heading);
    command_line_print_flags(tool->more, tool->more_count);
  }
}

bool tool_tells(const struct tool *tool, bool help, bool version) {
  if (help)
    tool_print_help(tool);
  else if (version)
    command_line_print_version(tool->name);
  return help || version;
}

static const char *dashes(const struct flag *flag) {
  return strlen(flag->name) == 1 ? "-" : "--";
}

/* Calls `print` for each flag that --help shows. */
static void each_flag(const struct tool *tool, void (*print)(const struct flag *)) {
  for (size_t i = 0; i < tool->flag_count + tool->more_count; i++) {
    const struct flag *flag =
        i < tool->flag_count ? &tool->flags[i] : &tool->more[i - tool->flag_count];
    if (flag->summary)
      print(flag);
  }
}

/* --- The manual page -------------------------------------------------------------------------- */

/* Text as man reads it: dashes that can be copied, no control lines. */
static void print_roff(const char *text) {
  if (*text == '.' || *text == '\'')
    fputs("\\&", stdout);
  for (; *text; text++) {
    if (*text == '-')
      fputs("\\-", stdout);
    else if (*text == '\\')
      fputs("\\e", stdout);
    else
      putchar(*text);
    if (*text == '\n' && (text[1] == '.' || text[1] == '\''))
      fputs("\\&", stdout);
  }
}

static void print_roff_flag(const struct flag *flag) {
  printf(".TP\n.B ");
  print_roff(dashes(flag));
  print_roff(flag->name);
  if (flag->argument) {
    printf(flag->kind == FLAG_VALUE ? "\\fR \\fI" : "\\fR[=\\fI");
    print_roff(flag->argument);
    printf(flag->kind == FLAG_VALUE ? "\\fR" : "\\fR]");
  }
  putchar('\n');
  print_roff(flag->summary);
  putchar('\n');
}

static void print_manual(const struct tool *tool) {
  printf(".TH %s 1 \"\" \"tile %s\" \"The tile toolkit\"\n.SH NAME\n", tool->name,
         tile_version()->text);
  print_roff(tool->name);
  printf(" \\- ");
  print_roff(tool->summary);
  printf("\n.SH SYNOPSIS\n.nf\n");
  for (size_t i = 0; tool->usage[i]; i++) {
    print_roff(tool->usage[i]);
    putchar('\n');
  }
  printf(".fi\n.SH DESCRIPTION\n");
  print_roff(tool->description);
  printf("\n.SH OPTIONS\n");
  struct tool part = *tool;
  part.more_count = 0;
  each_flag(&part, print_roff_flag);
  if (tool->more_heading) {
    printf(".SH \"PASSES AND PIPELINES\"\n");
    print_roff(tool->more_heading);
    printf(".\n");
    part.flag_count = 0;
    part.more_count = tool->more_count;
    each_flag(&part, print_roff_flag);
  }
  printf(".SH \"EXIT STATUS\"\n0 when all went well, else 1: standard error says why, and no file "
         "was written.\n.SH \"SEE ALSO\"\n");
  static const char *const tools[] = {"tile-bench", "tile-image",     "tile-opt",
                                      "tile-run",   "tile-translate", "tile-tune"};
  const char *comma = "";
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
    if (strcmp(tools[i], tool->name) != 0) {
      printf("%s.BR ", comma);
      print_roff(tools[i]);
      printf(" (1)");
      comma = ",\n";
    }
  putchar('\n');
}

/* --- Completion ------------------------------------------------------------------------------- */

/* A flag's words, such as those of "on|off"; 0 when it takes something else. */
static bool has_choices(const struct flag *flag) {
  return flag->argument && strchr(flag->argument, '|') &&
         strspn(flag->argument, "abcdefghijklmnopqrstuvwxyz0123456789|") == strlen(flag->argument);
}

static void print_bash_flag(const struct flag *flag) {
  printf(" %s%s%s", dashes(flag), flag->name, flag->kind == FLAG_OPTIONAL_VALUE ? "=" : "");
}

static void print_bash_case(const struct flag *flag) {
  if (flag->kind != FLAG_VALUE)
    return;
  printf("  %s%s) ", dashes(flag), flag->name);
  if (has_choices(flag)) {
    printf("COMPREPLY=($(compgen -W \"");
    for (const char *c = flag->argument; *c; c++)
      putchar(*c == '|' ? ' ' : *c);
    printf("\" -- \"$word\"))");
  } else if (strstr(flag->argument, "FILE")) {
    printf("COMPREPLY=($(compgen -f -- \"$word\"))");
  } else if (strcmp(flag->argument, "DIR") == 0) {
    printf("COMPREPLY=($(compgen -d -- \"$word\"))");
  } else {
    printf("COMPREPLY=()");
  }
  printf("; return ;;\n");
}

/* The function has the tool's name with '_' for what bash does not like in names. */
static void print_function_name(const struct tool *tool) {
  putchar('_');
  for (const char *c = tool->name; *c; c++)
    putchar(*c == '-' ? '_' : *c);
}

static void print_bash(const struct tool *tool) {
  printf("# Completion of %s for bash, written by %s --print-interface=bash.\n", tool->name,
         tool->name);
  print_function_name(tool);
  printf("() {\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  case $before in\n");
  each_flag(tool, print_bash_case);
  printf("  esac\n  case $word in\n  -*) COMPREPLY=($(compgen -W \"");
  each_flag(tool, print_bash_flag);
  printf("\" -- \"$word\"))\n    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace ;;\n"
         "  *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F ");
  print_function_name(tool);
  printf(" %s\n", tool->name);
}

/* Text inside '...[...]' of _arguments. */
static void print_zsh_text(const char *text) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (strchr("[]:\\", *text))
      printf("\\%c", *text);
    else
      putchar(*text);
  }
}

static void print_zsh_flag(const struct flag *flag) {
  printf(" \\\n  '*%s%s%s[", dashes(flag), flag->name,
         flag->kind == FLAG_OPTIONAL_VALUE ? "=-" : "");
  print_zsh_text(flag->summary);
  putchar(']');
  if (flag->argument) {
    printf(flag->kind == FLAG_VALUE ? ":" : "::");
    print_zsh_text(flag->argument);
    putchar(':');
    if (has_choices(flag)) {
      putchar('(');
      for (const char *c = flag->argument; *c; c++)
        putchar(*c == '|' ? ' ' : *c);
      putchar(')');
    } else if (strstr(flag->argument, "FILE")) {
      printf("_files");
    } else if (strcmp(flag->argument, "DIR") == 0) {
      printf("_directories");
    }
  }
  putchar('\'');
}

static void print_zsh(const struct tool *tool) {
  printf("#compdef %s\n# Written by %s --print-interface=zsh.\n_arguments", tool->name, tool->name);
  each_flag(tool, print_zsh_flag);
  printf(" \\\n  '*:file:_files'\n");
}

bool tool_prints_interface(const struct tool *tool, int argc, char **argv, tile_status *out) {
  static const char flag[] = "--print-interface=";
  if (argc != 2 || strncmp(argv[1], flag, sizeof flag - 1) != 0)
    return false;
  const char *kind = argv[1] + sizeof flag - 1;
  *out = NULL;
  if (strcmp(kind, "man") == 0)
    print_manual(tool);
  else if (strcmp(kind, "bash") == 0)
    print_bash(tool);
  else if (strcmp(kind, "zsh") == 0)
    print_zsh(tool);
  else
    *out = FAIL(TILE_INVALID_ARGUMENT, "--print-interface is man, bash or zsh, not '%s'", kind);
  return true;
}
