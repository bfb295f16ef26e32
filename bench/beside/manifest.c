/* SPDX-License-Identifier: MIT */
/* The manifest's lines: words that are separated by spaces, lists by commas; beside.c says which
 * there are. */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "beside/beside.h"

/* --- Words ------------------------------------------------------------------------------------ */

/* The value of `key` among the words of a line, copied into `out`; false when it is not there. */
static bool word_of(const char *line, const char *key, char *out, size_t room) {
  size_t length = strlen(key);
  for (const char *at = line; (at = strstr(at, key)); at += length) {
    if ((at != line && at[-1] != ' ') || at[length] != '=')
      continue;
    at += length + 1;
    size_t end = strcspn(at, " \n");
    snprintf(out, room, "%.*s", (int)end, at);
    return true;
  }
  return false;
}

static void need_word(const struct bench *bench, const char *line, const char *key, char *out,
                      size_t room) {
  if (!word_of(line, key, out, room))
    fail(bench, "missing", key);
}

static double number_of(const char *line, const char *key, double otherwise) {
  char word[64];
  return word_of(line, key, word, sizeof word) ? atof(word) : otherwise;
}

static size_t type_bytes(const struct bench *bench, const char *type) {
  const char *digits = strpbrk(type, "0123456789");
  int bits = digits ? atoi(digits) : 0;
  if (bits < 8 || bits > 64)
    fail(bench, "unknown type", type);
  return (size_t)bits / 8;
}

static char *read_file(const struct bench *bench, const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fail(bench, "cannot read", path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*length + 1);
  if (!text || fread(text, 1, *length, file) != *length)
    fail(bench, "cannot read", path);
  text[*length] = 0;
  fclose(file);
  return text;
}

/* --- Buffers and kernels ---------------------------------------------------------------------- */

void begin_case(struct bench *bench, const char *line) {
  if (sscanf(line, "case %127s %63s", bench->name, bench->shape) != 2)
    fail(bench, "not NAME SHAPE:", line);
  bench->bytes = number_of(line, "bytes", 0);
  bench->flops = number_of(line, "flops", 0);
  bench->tolerance = number_of(line, "tolerance", 1e-5);
}

void add_buffer(struct bench *bench, const char *line) {
  if (bench->buffer_count == MAX_BUFFERS)
    fail(bench, "too many buffers", line);
  struct buffer *buffer = &bench->buffers[bench->buffer_count++];
  *buffer = (struct buffer){0};
  if (sscanf(line, "buffer %31s %11s %zu %63s", buffer->name, buffer->type, &buffer->count,
             buffer->fill) != 4)
    fail(bench, "not NAME TYPE COUNT FILL:", line);
  buffer->bytes = buffer->count * type_bytes(bench, buffer->type);
  data_create(bench, buffer, (int)bench->buffer_count);
}

static struct buffer *find_buffer(struct bench *bench, const char *name, size_t length) {
  for (size_t i = 0; i < bench->buffer_count; i++)
    if (strlen(bench->buffers[i].name) == length &&
        memcmp(bench->buffers[i].name, name, length) == 0)
      return &bench->buffers[i];
  return NULL;
}

static tile_argument read_argument(struct bench *bench, const char *text, size_t length) {
  struct buffer *buffer = find_buffer(bench, text, length);
  if (buffer)
    return tile_argument_buffer(buffer->device);
  if (strncmp(text, "i32:", 4) == 0)
    return tile_argument_i32((int32_t)atoll(text + 4));
  if (strncmp(text, "i1:", 3) == 0)
    return tile_argument_i1(text[3] != '0');
  if (strncmp(text, "i64:", 4) == 0)
    return tile_argument_i64(atoll(text + 4));
  if (strncmp(text, "f32:", 4) == 0)
    return tile_argument_f32((float)atof(text + 4));
  fail(bench, "neither a buffer nor i32:, i64:, f32:", text);
}

static void read_arguments(struct bench *bench, const char *line, struct kernel *kernel) {
  char word[4096];
  need_word(bench, line, "args", word, sizeof word);
  for (const char *at = word; *at;) {
    size_t length = strcspn(at, ",");
    if (kernel->argument_count == MAX_ARGUMENTS)
      fail(bench, "too many arguments", word);
    kernel->arguments[kernel->argument_count++] = read_argument(bench, at, length);
    at += length + (at[length] == ',');
  }
}

static void read_launch(struct bench *bench, const char *line, struct kernel *kernel) {
  char word[64];
  need_word(bench, line, "grid", word, sizeof word);
  kernel->grid[0] = kernel->grid[1] = kernel->grid[2] = 1;
  sscanf(word, "%u,%u,%u", &kernel->grid[0], &kernel->grid[1], &kernel->grid[2]);
  read_arguments(bench, line, kernel);
}

/* A kernel of its own, or one after the last. */
static struct kernel *add_kernel(struct bench *bench, const char *name, const char *line) {
  struct kernel *kernel;
  if (number_of(line, "after", 0) != 0) {
    if (bench->kernel_count == 0)
      fail(bench, "after what?", name);
    struct kernel *last = &bench->kernels[bench->kernel_count - 1];
    while (last->after)
      last = last->after;
    kernel = last->after = calloc(1, sizeof *kernel);
    if (!kernel)
      fail(bench, "no memory for", name);
  } else {
    if (bench->kernel_count == MAX_KERNELS)
      fail(bench, "too many kernels", name);
    kernel = &bench->kernels[bench->kernel_count++];
    *kernel = (struct kernel){0};
  }
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  return kernel;
}

/* The words of a list, which is cut up. */
static size_t split(char *list, const char **words, size_t most) {
  size_t count = 0;
  for (char *word; count < most && (word = strsep(&list, ",")) && *word;)
    words[count++] = word;
  return count;
}

/* What the line has compiled, without the pass `skip`. */
static struct source *read_source(struct bench *bench, const char *line, const char *skip) {
  struct source *source = calloc(1, sizeof *source);
  if (!source)
    fail(bench, "no memory for", "ours");
  need_word(bench, line, "file", source->file, sizeof source->file);
  need_word(bench, line, "kernel", source->kernel, sizeof source->kernel);
  need_word(bench, line, "signature", source->signature, sizeof source->signature);
  word_of(line, "constexpr", source->constants, sizeof source->constants);
  word_of(line, "imports", source->folders, sizeof source->folders);
  word_of(line, "target", source->target, sizeof source->target);
  snprintf(source->skip, sizeof source->skip, "%s", skip);
  tile_compile_options *options = &source->options;
  *options = tile_compile_options_default();
  options->num_warps = (int)number_of(line, "warps", 4);
  options->num_stages = (int)number_of(line, "stages", 3);
  if (number_of(line, "warps_fixed", 0) != 0)
    options->fewer_warps = TILE_CHOICE_NO;
  if (number_of(line, "pairs", 0) != 0)
    options->pairs = TILE_CHOICE_YES;
  if (asprintf(&source->key, "%s %s %s %s %s %d %d %d %d %s", source->file, source->kernel,
               source->signature, source->constants, source->target, options->num_warps,
               options->num_stages, (int)options->fewer_warps, (int)options->pairs, skip) < 0)
    fail(bench, "no memory for", "ours");
  source->constant_count = split(source->constants, source->constant_list, MAX_CONSTANTS);
  source->folder_count = split(source->folders, source->folder_list, MAX_FOLDERS);
  source->text = read_file(bench, source->file, &source->length);
  return source;
}

/* The image of a peer's line; NULL where it has none. */
static struct source *read_image(struct bench *bench, const char *line) {
  char file[512];
  if (!word_of(line, "image", file, sizeof file))
    return NULL;
  struct source *source = calloc(1, sizeof *source);
  if (!source)
    fail(bench, "no memory for", file);
  source->is_image = true;
  snprintf(source->file, sizeof source->file, "%.500s/%s", bench->folder, file);
  if (asprintf(&source->key, "image %s", source->file) < 0)
    fail(bench, "no memory for", file);
  return source;
}

/* With a pass that is left out, the source with it, too. */
static struct source *source_of(struct bench *bench, const char *line) {
  struct source *image = read_image(bench, line);
  if (image)
    return source_intern(bench, image);
  char skip[128] = "";
  word_of(line, "skip", skip, sizeof skip);
  struct source *source = source_intern(bench, read_source(bench, line, skip));
  if (*skip && !source->whole) {
    source->whole = source_intern(bench, read_source(bench, line, ""));
    source->wants_ptx = source->whole->wants_ptx = true;
  }
  return source;
}

void add_source(struct bench *bench, const char *line) {
  source_of(bench, line);
}

void add_ours(struct bench *bench, const char *line) {
  struct source *source = source_of(bench, line);
  char name[160] = "ours";
  if (source->whole && source->status) {
    fprintf(stderr, "beside: line %d: without %s: %s\n", bench->line, source->skip,
            tile_status_message(source->status));
    return;
  }
  if (source->whole)
    snprintf(name, sizeof name, "without %s", source->skip);
  else if (source->options.pairs)
    snprintf(name, sizeof name, "pairs");
  else
    word_of(line, "name", name, sizeof name);
  for (char *comma; (comma = strchr(name, ','));)
    *comma = '+';
  struct kernel *kernel = add_kernel(bench, name, line);
  if (source->status)
    fail(bench, bench->name, tile_status_message(source->status));
  kernel->unchanged = source->whole && !source->module;
  check(bench, tile_module_kernel(kernel->unchanged ? source->whole->module : source->module, NULL,
                                  &kernel->kernel));
  if (!word_of(line, "label", kernel->label, sizeof kernel->label))
    snprintf(kernel->label, sizeof kernel->label, "w%d", source->options.num_warps);
  read_launch(bench, line, kernel);
}

static bool is_unchanged(const struct kernel *kernel) {
  for (; kernel; kernel = kernel->after)
    if (!kernel->unchanged)
      return false;
  return true;
}

void drop_unchanged(struct bench *bench) {
  size_t kept = 0;
  for (size_t k = 0; k < bench->kernel_count; k++) {
    struct kernel *kernel = &bench->kernels[k];
    bool changed = false;
    for (size_t i = 0; i < bench->kernel_count; i++)
      changed |=
          strcmp(bench->kernels[i].name, kernel->name) == 0 && !is_unchanged(&bench->kernels[i]);
    if (changed)
      bench->kernels[kept++] = *kernel;
    else
      unload(kernel);
  }
  bench->kernel_count = kept;
}

/* What another build of the compiler has made. */
static void add_image(struct bench *bench, const char *name, const char *line) {
  struct source *source = source_of(bench, line);
  if (source->status)
    fail(bench, bench->name, tile_status_message(source->status));
  struct kernel *kernel = add_kernel(bench, name, line);
  check(bench, tile_module_kernel(source->module, NULL, &kernel->kernel));
  word_of(line, "label", kernel->label, sizeof kernel->label);
  read_launch(bench, line, kernel);
}

/* A cubin or PTX without metadata: the parameters are what the line passes. */
void add_peer(struct bench *bench, const char *line) {
  char name[48], file[512], path[2048], symbol[128], target[32] = "sm_90a";
  need_word(bench, line, "name", name, sizeof name);
  if (word_of(line, "image", file, sizeof file)) {
    add_image(bench, name, line);
    return;
  }
  bool is_ptx = word_of(line, "ptx", file, sizeof file);
  if (!is_ptx)
    need_word(bench, line, "cubin", file, sizeof file);
  need_word(bench, line, "kernel", symbol, sizeof symbol);
  word_of(line, "target", target, sizeof target);
  snprintf(path, sizeof path, "%s/%s", bench->folder, file);
  struct kernel *kernel = add_kernel(bench, name, line);
  word_of(line, "label", kernel->label, sizeof kernel->label);
  read_launch(bench, line, kernel);
  tile_parameter parameters[MAX_ARGUMENTS];
  for (size_t i = 0; i < kernel->argument_count; i++) {
    tile_argument_kind kind = kernel->arguments[i].kind;
    const char *type = kind == TILE_ARGUMENT_I32   ? "i32"
                       : kind == TILE_ARGUMENT_I64 ? "i64"
                       : kind == TILE_ARGUMENT_I1  ? "i1"
                                                   : "f32";
    parameters[i] = (tile_parameter){"argument", type, kind, 1};
  }
  uint32_t warps = (uint32_t)number_of(line, "warps", 4);
  tile_kernel_version version = {.num_warps = warps,
                                 .threads = 32 * warps,
                                 .shared_bytes = (uint32_t)number_of(line, "shared", 0)};
  tile_kernel_info info = {.name = symbol,
                           .parameters = parameters,
                           .parameter_count = kernel->argument_count,
                           .versions = &version,
                           .version_count = 1};
  size_t length;
  char *code = read_file(bench, path, &length);
  tile_section section = {.format = is_ptx ? TILE_IMAGE_PTX : TILE_IMAGE_CUBIN,
                          .target = target,
                          .data = code,
                          .size = length};
  tile_image image = {
      .sections = &section, .section_count = 1, .kernels = &info, .kernel_count = 1};
  check(bench, tile_module_load(bench->device, &image, &kernel->module));
  kernel->kernel = tile_module_kernel_at(kernel->module, 0);
  free(code);
}

/* Buffer `name` of a product holds `batch` matrices of these sizes, one behind the other. */
static void check_matrices(struct bench *bench, const char *name, const char *type, int batch,
                           const int size[2]) {
  const struct buffer *buffer = find_buffer(bench, name, strlen(name));
  char text[256];
  size_t count;
  if (!buffer)
    fail(bench, "gemm takes three buffers, args=A,B,C, and there is no buffer", name);
  if (strcmp(buffer->type, type) != 0) {
    snprintf(text, sizeof text,
             "gemm multiplies %s, but a buffer is %s; give it the same type:", type, buffer->type);
    fail(bench, text, name);
  }
  if (__builtin_mul_overflow((size_t)batch * (size_t)size[0], (size_t)size[1], &count) ||
      count > buffer->count) {
    snprintf(text, sizeof text,
             "gemm takes %d x %d x %d elements, but a buffer has %zu; make it larger, or correct "
             "m, n, k and batch:",
             batch, size[0], size[1], buffer->count);
    fail(bench, text, name);
  }
}

/* Nobody looks at sizes once cuBLAS has them. */
static void check_gemm(struct bench *bench, const char *line, const char *type,
                       const struct gemm *gemm) {
  const int sizes[3][2] = {{gemm->m, gemm->k}, {gemm->k, gemm->n}, {gemm->m, gemm->n}};
  char word[4096];
  const char *names[4];
  need_word(bench, line, "args", word, sizeof word);
  if (gemm->m < 1 || gemm->n < 1 || gemm->k < 1 || gemm->batch < 1)
    fail(bench, "gemm needs m, n, k and batch of at least 1:", line);
  if (split(word, names, 4) != 3)
    fail(bench, "gemm takes three buffers, args=A,B,C:", line);
  for (int i = 0; i < 3; i++)
    check_matrices(bench, names[i], type, gemm->batch, sizes[i]);
}

void add_gemm(struct bench *bench, const char *line) {
  char library[1024], type[16];
  need_word(bench, line, "library", library, sizeof library);
  need_word(bench, line, "type", type, sizeof type);
  struct kernel *kernel = add_kernel(bench, "cublas", line);
  kernel->gemm = (struct gemm){.batch = (int)number_of(line, "batch", 1),
                               .m = (int)number_of(line, "m", 0),
                               .n = (int)number_of(line, "n", 0),
                               .k = (int)number_of(line, "k", 0)};
  check_gemm(bench, line, type, &kernel->gemm);
  gemm_read(bench, library, type, &kernel->gemm);
  read_arguments(bench, line, kernel);
}

void add_time(struct bench *bench, const char *line) {
  if (bench->time_count == MAX_TIMES)
    fail(bench, "too many times", line);
  struct timing *timing = &bench->times[bench->time_count++];
  need_word(bench, line, "name", timing->name, sizeof timing->name);
  timing->median = number_of(line, "median_ms", 0);
}

void mark_outputs(struct bench *bench, char *line) {
  for (char *word = strtok(line + strlen("output"), " \n"); word; word = strtok(NULL, " \n")) {
    struct buffer *buffer = find_buffer(bench, word, strlen(word));
    if (!buffer)
      fail(bench, "no buffer", word);
    data_mark_output(bench, buffer);
  }
}

/* --- The end of a case ------------------------------------------------------------------------ */

void unload(struct kernel *kernel) {
  tile_module_unload(kernel->module);
  for (struct kernel *next, *k = kernel->after; k; k = next) {
    next = k->after;
    tile_module_unload(k->module);
    free(k);
  }
}

void end_case(struct bench *bench) {
  for (size_t k = 0; k < bench->kernel_count; k++)
    unload(&bench->kernels[k]);
  for (size_t i = 0; i < bench->buffer_count; i++)
    data_destroy(&bench->buffers[i]);
  bench->kernel_count = bench->buffer_count = bench->time_count = 0;
}
