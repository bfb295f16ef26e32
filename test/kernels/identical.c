/* SPDX-License-Identifier: MIT */
/* The kernels of the tutorials give the same bits however they are run: by the function that
   tile-translate --tile-to-c writes, by the compiler and the runtime as libraries, and by tile-run.
   identical/cases.c lists them; where a kernel has @triton.autotune, all of its configurations run.

     kernel_identical [--device emulator|cuda] [--kernels DIR] [--cc COMMAND] [--all | --some]
   [WORD]

   --kernels: where the folder test/kernels is, instead of where it was when this program was built;
   the headers are found beside it. --cc: the C compiler for the generated files. --some: of each
   kernel the first and the last configuration; what a build with sanitizers does, which is slower,
   unless --all says otherwise. WORD picks the runs whose line contains it. Without
   --device: on the emulator. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "identical/identical.h"

#if defined(__SANITIZE_ADDRESS__)
#define SOME true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SOME true
#endif
#endif
#ifndef SOME
#define SOME false
#endif

enum { MAX_RUNS = 100 };

static struct identical_run runs[MAX_RUNS];
static tile_configurations *lists[MAX_RUNS]; /* of the cases; runs borrow from them */
static int run_count;

static void must(tile_status status) {
  if (!status)
    return;
  fprintf(stderr, "kernel_identical: %s\n", tile_status_message(status));
  exit(2);
}

static void add_run(const struct identical_case *from, const struct identical_run *how,
                    const char *word) {
  struct identical_run *run = &runs[run_count];
  char line[200];
  snprintf(line, sizeof line, "%s %s %s", from->name, how->config, how->warps);
  if (run_count == MAX_RUNS || (word && !strstr(line, word)))
    return;
  *run = *how;
  run->from = from;
  run->number = run_count++;
  identical_arguments(run);
  identical_grid(run);
}

/* One that is not tuned: with each of its numbers of warps. */
static void add_warps(const struct identical_case *from, bool some, const char *word) {
  char storage[64];
  const char *words[MAX_WORDS];
  size_t count = identical_words(from->warps ? from->warps : "", storage, sizeof storage, words);
  for (size_t i = 0; i < count; i++) {
    struct identical_run how = {0};
    snprintf(how.warps, sizeof how.warps, "%s", words[i]);
    if (!some || i == 0 || i == count - 1)
      add_run(from, &how, word);
  }
  if (!count)
    add_run(from, &(struct identical_run){0}, word);
}

static tile_configurations *configurations_of(const struct identical_context *context,
                                              const struct identical_case *from) {
  char path[600];
  static char text[1 << 20];
  tile_configurations *list = NULL;
  snprintf(path, sizeof path, "%s/%s", context->kernels, from->file);
  FILE *file = fopen(path, "rb");
  size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  tile_import_options import = {.kernel = from->kernel, .target = context->target};
  if (file)
    fclose(file);
  must(tile_configurations_create(context->compiler, path, text, length, &import, &list));
  return list;
}

static void add_configurations(const struct identical_case *from, const tile_configurations *list,
                               bool some, const char *word) {
  size_t count = tile_configurations_count(list);
  if (count < 2) {
    fprintf(stderr, "%s: %zu configurations\n", from->name, count);
    exit(2);
  }
  for (size_t i = 0; i < count; i++) {
    const tile_configuration *config = tile_configurations_get(list, i);
    struct identical_run how = {.constants = config->constants,
                                .constant_count = config->constant_count};
    snprintf(how.config, sizeof how.config, "%zu", i);
    if (!some || i == 0 || i == count - 1)
      add_run(from, &how, word);
  }
}

static void list_runs(const struct identical_context *context, bool some, const char *word) {
  for (size_t i = 0; i < identical_case_count; i++) {
    const struct identical_case *from = &identical_cases[i];
    if (from->tuned)
      add_configurations(from, lists[i] = configurations_of(context, from), some, word);
    else
      add_warps(from, some, word);
  }
}

/* Each way left the same bits, and something other than it found. */
static bool same(const struct identical_run *run) {
  bool wrote = false, good = true;
  for (size_t i = 0; i < run->count; i++) {
    const struct identical_argument *argument = &run->arguments[i];
    if (!argument->is_buffer)
      continue;
    wrote |= memcmp(argument->before, argument->after[0], argument->bytes) != 0;
    for (int way = 1; way < WAYS; way++)
      if (memcmp(argument->after[0], argument->after[way], argument->bytes) != 0) {
        printf("'%s' differs between %s and %s\n", argument->name, identical_way_names[0],
               identical_way_names[way]);
        good = false;
      }
  }
  if (!wrote)
    printf("nothing was written\n");
  return good && wrote;
}

static bool check_run(const struct identical_context *context, struct identical_run *run) {
  bool good = true;
  for (int way = 0; way < WAYS && good; way++) {
    good = identical_run_way(context, run, (enum identical_way)way);
    if (!good)
      printf("%s failed\n", identical_way_names[way]);
  }
  return good && same(run);
}

/* A new folder: beside this program, since libraries cannot be loaded from everywhere that is
   temporary; else in $TMPDIR. */
static bool make_folder(char *out, size_t size) {
  const char *temporary = getenv("TMPDIR");
  char program[400];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = 0;
  char *slash = strrchr(program, '/');
  if (slash) {
    *slash = 0;
    snprintf(out, size, "%s/identical.XXXXXX", program);
    if (mkdtemp(out))
      return true;
  }
  snprintf(out, size, "%s/identical.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  return mkdtemp(out) != NULL;
}

static void remove_folder(const char *folder) {
  DIR *open = opendir(folder);
  char path[1024];
  for (struct dirent *entry; open && (entry = readdir(open));) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.')
      unlink(path);
  }
  if (open)
    closedir(open);
  rmdir(folder);
}

static int run_all(struct identical_context *context, bool some, const char *word) {
  int passed = 0, failed = 0;
  bool ready = true;
  list_runs(context, some, word);
  for (int i = 0; i < run_count && ready; i++)
    ready = identical_generate(context, &runs[i]);
  ready = ready && identical_open(context, run_count);
  for (int i = 0; i < run_count; i++) {
    bool good = ready && check_run(context, &runs[i]);
    printf("%s %s%s%s%s%s\n", good ? "ok  " : "FAIL", runs[i].from->name,
           runs[i].config[0] ? ", configuration " : "", runs[i].config,
           runs[i].warps[0] ? ", warps " : "", runs[i].warps);
    fflush(stdout);
    good ? passed++ : failed++;
    identical_arguments_free(&runs[i]);
  }
  for (size_t i = 0; i < identical_case_count; i++)
    tile_configurations_destroy(lists[i]);
  printf("%d passed, %d failed\n", passed, failed);
  return failed || !passed;
}

static int usage(void) {
  fputs("usage: kernel_identical [--device emulator|cuda] [--kernels DIR] [--cc COMMAND] [--all | "
        "--some] [WORD]\n",
        stderr);
  return 2;
}

int main(int argc, char **argv) {
  struct identical_context context = {.kernels = KERNEL_DIRECTORY,
                                      .compiler_command = HOST_COMPILER};
  bool some = SOME;
  const char *word = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
      context.is_gpu = strcmp(argv[++i], "cuda") == 0;
    else if (strcmp(argv[i], "--kernels") == 0 && i + 1 < argc)
      context.kernels = argv[++i];
    else if (strcmp(argv[i], "--cc") == 0 && i + 1 < argc)
      context.compiler_command = argv[++i];
    else if (strcmp(argv[i], "--all") == 0 || strcmp(argv[i], "--some") == 0)
      some = argv[i][2] == 's';
    else if (argv[i][0] == '-' || word)
      return usage();
    else
      word = argv[i];
  }
#if !defined(__x86_64__)
  if (!context.is_gpu) {
    puts("skipped: programs for the emulator are embedded on x86-64 alone\n0 passed, 0 failed");
    return 0;
  }
#endif
  char headers[600];
  snprintf(headers, sizeof headers, "%s/../../include", context.kernels);
  context.headers = headers;
  must(tile_device_open(context.is_gpu ? tile_cuda_driver() : tile_emulator_driver(), 0,
                        &context.device));
  must(tile_compiler_create(&context.compiler));
  context.target = context.is_gpu ? tile_device_get_properties(context.device)->target : "sm_90a";
  if (!make_folder(context.folder, sizeof context.folder)) {
    perror(context.folder);
    return 2;
  }
  int code = run_all(&context, some, word);
  tile_compiler_destroy(context.compiler);
  tile_device_close(context.device);
  if (context.generated)
    dlclose(context.generated);
  remove_folder(context.folder);
  return code;
}
