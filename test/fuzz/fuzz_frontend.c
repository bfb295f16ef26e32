/* SPDX-License-Identifier: MIT */
/* fuzz_frontend: mutants of kernel files through lexer, parser and checker. See frame.h for the
   flags.

   Files ending in .py are mutated; of all files given, lines with --kernel and --signature (RUN
   lines, `# flags:`) say how a kernel can be imported. A kernel that none of them names gets a
   signature from its parameters' names. What must hold: nothing crashes or leaks, a message or a
   module comes, the module verifies, memory is bounded. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "base/status.h"
#include "driver/source.h"
#include "frame.h"
#include "frontend/module.h"
#include "ir/passes.h"
#include "mutate_python.h"

#define PICK(random, table) ((table)[random_below((random), sizeof(table) / sizeof *(table))])

/* With ASan's part; the checker stops at a fixed number of statements. */
enum { MAX_KILOBYTES = 1500 * 1024 };
enum { OUTCOME_UNREAD, OUTCOME_REFUSED, OUTCOME_UNVERIFIED, OUTCOME_IMPORTED };

/* A line that says how to import a kernel. */
struct recipe {
  char *kernel, *signature;
};

static struct corpus corpus;
static struct recipe *recipes;
static size_t recipe_count;

/* --- Corpus ----------------------------------------------------------------------------------- */

/* The word or the quoted text after `flag` in a line; NULL when it is not there. */
static char *flag_value(const char *line, size_t length, const char *flag) {
  const char *at = memmem(line, length, flag, strlen(flag)), *end = line + length;
  if (!at)
    return NULL;
  at += strlen(flag);
  while (at < end && *at == ' ')
    at++;
  char quote = at < end && (*at == '"' || *at == '\'') ? *at++ : ' ';
  const char *close = memchr(at, quote, (size_t)(end - at));
  size_t size = (size_t)((close ? close : end) - at);
  return arena_copy_string(&corpus.arena, at, size);
}

static void add_recipe(const char *line, size_t length) {
  char *kernel = flag_value(line, length, "--kernel");
  char *signature = flag_value(line, length, "--signature");
  if (!kernel || !signature)
    return;
  recipes = tile_reallocate(recipes, (recipe_count + 1) * sizeof *recipes);
  recipes[recipe_count++] = (struct recipe){kernel, signature};
}

static void add_piece(const char *text, size_t length) {
  struct corpus *c = &corpus;
  if (c->count == c->capacity) {
    c->capacity = c->capacity ? c->capacity * 2 : 64;
    c->modules = tile_reallocate(c->modules, c->capacity * sizeof *c->modules);
  }
  c->modules[c->count++] = (struct slice){arena_copy_string(&c->arena, text, length), length};
}

static void add_file(const char *text, size_t length) {
  const char *end = text + length, *start = text;
  bool has_kernels = memmem(text, length, "jit", 3) != NULL;
  for (const char *line = text; line < end;) {
    const char *next = memchr(line, '\n', (size_t)(end - line));
    next = next ? next + 1 : end;
    add_recipe(line, (size_t)(next - line));
    bool is_separator = (size_t)(next - line) > 7 && memcmp(line, "# -----", 7) == 0;
    if (has_kernels && (is_separator || next == end)) {
      add_piece(start, (size_t)((is_separator ? line : end) - start));
      start = next;
    }
    line = next;
  }
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static const char *const pointers[] = {"*fp32:16", "*fp32", "*fp16:16", "*bf16",
                                       "*i32",     "*i64",  "*i8",      "*fp8e4nv",
                                       "*i1",      "None",  "*u8",      "*fp64"};
static const char *const scalars[] = {"i32", "i32",  "i32:16", "i32:1", "i64", "fp32",
                                      "1",   "None", "u32",    "fp64",  "i1"};
static const char *const constants[] = {
    "16",    "32",   "64", "128",      "1", "2",          "4",  "8",   "1024",    "True",
    "False", "None", "0",  "\"relu\"", "3", "tl.float16", "-1", "0.5", "1048576", "\"sum\""};

static bool looks_like_pointer(const char *name) {
  size_t length = strlen(name);
  return (length >= 3 && strcmp(name + length - 3, "ptr") == 0) ||
         (length == 1 && *name < 'a' && *name != 'N' && *name != 'M');
}

/* An entry a parameter, by the parameter's name and annotation. */
static void draw_signature(const struct node *function, struct random *random, struct text *out) {
  const struct node_list *parameters = &function->function.parameters;
  for (uint32_t i = 0; i < parameters->count; i++) {
    const struct node *parameter = parameters->items[i];
    const char *entry = parameter->parameter.annotation                 ? PICK(random, constants)
                        : looks_like_pointer(parameter->parameter.name) ? PICK(random, pointers)
                                                                        : PICK(random, scalars);
    text_printf(out, "%s%s", i ? ", " : "", entry);
  }
}

/* A few entries of a signature become others. */
static void mutate_signature(const char *signature, struct random *random, struct text *out) {
  struct text changed = {0};
  for (const char *at = signature;;) {
    size_t length = strcspn(at, ",");
    if (random_one_in(random, 8))
      text_printf(&changed, " %s",
                  random_one_in(random, 2)   ? PICK(random, constants)
                  : random_one_in(random, 2) ? PICK(random, scalars)
                                             : PICK(random, pointers));
    else
      text_append(&changed, at, length);
    at += length;
    if (!*at)
      break;
    if (!random_one_in(random, 50))
      text_puts(&changed, ",");
    at++;
  }
  if (random_one_in(random, 20))
    mutate_bytes(random, &changed);
  text_append(out, text_string(&changed), strlen(text_string(&changed)));
  text_free(&changed);
}

struct input {
  struct text text, signature;
  char kernel[128]; /* "": the only one */
  bool repeat;
};

/* A kernel of the file, and a signature for it: a recipe's, sometimes changed, or a drawn one. */
static void draw_kernel(struct random *random, struct input *input) {
  struct module module;
  module_read(&module, "k.py", text_string(&input->text), input->text.length);
  if (module.kernel_count) {
    const struct kernel *kernel = &module.kernels[random_below(random, module.kernel_count)];
    snprintf(input->kernel, sizeof input->kernel, "%s", kernel->name);
    size_t first = random_below(random, recipe_count), i = 0;
    for (; i < recipe_count; i++)
      if (strcmp(recipes[(first + i) % recipe_count].kernel, kernel->name) == 0)
        break;
    if (i == recipe_count)
      draw_signature(kernel->function, random, &input->signature);
    else if (random_one_in(random, 3))
      mutate_signature(recipes[(first + i) % recipe_count].signature, random, &input->signature);
    else
      text_puts(&input->signature, recipes[(first + i) % recipe_count].signature);
  }
  module_free(&module);
}

/* --- Running ---------------------------------------------------------------------------------- */

static void swallow(const struct diagnostic *diagnostic, void *data) {
  (void)diagnostic;
  ++*(size_t *)data;
}

/* Prints what the verifier says, with TILE_FUZZ_STRICT in the environment: then it is a crash. */
static int verify(struct session *session, MlirModule module) {
  const struct pipeline_options how = {.verify_each = false};
  session->diagnostics.handler = NULL;
  bool strict = getenv("TILE_FUZZ_STRICT") != NULL;
  if (!strict)
    session->diagnostics.stream = fopen("/dev/null", "w");
  tile_status status = pipeline_run(session, "", &how, module);
  if (!strict)
    fclose(session->diagnostics.stream);
  session->diagnostics.stream = stderr;
  if (status && strict)
    abort();
  int outcome = status ? OUTCOME_UNVERIFIED : OUTCOME_IMPORTED;
  tile_status_free(status);
  return outcome;
}

/* A second import of the same text is the same text, or else this is a crash. */
static void check_repeatable(struct session *session, const struct input *input,
                             const struct import_options *options, MlirModule first) {
  MlirModule second;
  struct text a = {0}, b = {0};
  tile_status status = import_kernel(session, "k.py", text_string(&input->text), input->text.length,
                                     options, &second);
  if (status)
    abort();
  mlirOperationPrint(mlirModuleGetOperation(first), print_to_text, &a);
  mlirOperationPrint(mlirModuleGetOperation(second), print_to_text, &b);
  if (strcmp(text_string(&a), text_string(&b)) != 0) {
    fputs("two imports differ\n", stderr);
    abort();
  }
  text_free(&a);
  text_free(&b);
  mlirModuleDestroy(second);
}

static int import(struct session *session, const struct input *input) {
  size_t messages = 0;
  session->diagnostics.handler = swallow;
  session->diagnostics.data = &messages;
  struct import_options options = {.kernel = input->kernel[0] ? input->kernel : NULL,
                                   .signature = text_string(&input->signature)};
  MlirModule module;
  tile_status status = import_kernel(session, "k.py", text_string(&input->text), input->text.length,
                                     &options, &module);
  if (!status) {
    int outcome = verify(session, module);
    if (input->repeat)
      check_repeatable(session, input, &options, module);
    mlirModuleDestroy(module);
    return outcome;
  }
  bool unread = tile_status_code(status) == TILE_NOT_FOUND;
  if (tile_status_code(status) == TILE_INTERNAL)
    abort();
  tile_status_free(status);
  return unread ? OUTCOME_UNREAD : OUTCOME_REFUSED;
}

static long peak_kilobytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* Mostly a piece that holds no expected error: those come far. */
static struct slice draw_piece(struct random *random) {
  struct slice piece = {0};
  for (int attempt = 0; attempt < 4; attempt++) {
    piece = corpus.modules[random_below(random, corpus.count)];
    if (!memmem(piece.data, piece.length, "expected-error", 14))
      break;
  }
  return piece;
}

static int run(uint64_t seed, uint64_t index, fuzz_note *note, void *data) {
  struct random random = {seed};
  random.state = random_next(&random) ^ index;
  random_next(&random);
  struct input input = {.repeat = random_one_in(&random, 4)};
  mutate_kernels(&corpus, draw_piece(&random), &random, &input.text);
  note(text_string(&input.text), input.text.length, "lexer and parser", data);
  draw_kernel(&random, &input);
  struct text what = {0};
  text_printf(&what, "tile-translate --import-triton --kernel '%s' --signature '%s'", input.kernel,
              text_string(&input.signature));
  note(text_string(&input.text), input.text.length, text_string(&what), data);
  struct session session;
  tile_status status = session_create(&session);
  if (status)
    abort();
  long before = peak_kilobytes();
  int outcome = import(&session, &input);
  session_destroy(&session);
  if (peak_kilobytes() - before > MAX_KILOBYTES + (long)input.text.length) {
    fprintf(stderr, "%ld KiB of memory\n", peak_kilobytes() - before);
    abort();
  }
  text_free(&input.text);
  text_free(&input.signature);
  text_free(&what);
  return outcome;
}

int main(int argc, char **argv) {
  const struct fuzz_target target = {
      .name = "fuzz_frontend",
      .ending = ".py",
      .outcomes = {"without a kernel", "refused", "refused by the verifier", "imported"},
      .most_cpu_seconds = 20,
      .add_file = add_file,
      .run = run,
  };
  int code = fuzz_main(argc, argv, &target);
  corpus_destroy(&corpus);
  free(recipes);
  return code;
}
