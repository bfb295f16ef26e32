/* beside: our kernels and other compilers' on the same buffers of one GPU, in turns, as CSV.

     beside MANIFEST [--rounds N] [--repeat-ms X] [--only NAME] [--each 1]

   A peer script (bench/peers) writes the manifest and saves the other compiler's cubins beside it. One
   line a thing; words are separated by spaces, lists by commas:

     case NAME SHAPE bytes=N [flops=N] [tolerance=X]
     buffer NAME TYPE COUNT rand|poison|zero|positive|scratch
     ours file=F kernel=K signature=S [label=L] [target=sm_80] [constexpr=A=1,B='x'] [warps=N] [warps_fixed=1] [stages=N]
          [behind=1] grid=X,Y,Z args=A,B,...   (in one line)
     peer name=P [label=L] cubin=F|ptx=F [target=sm_80] kernel=K warps=N shared=N [behind=1]
          grid=X,Y,Z args=A,B,...
     time name=P median_ms=X
     output NAME ...
     end

   Several `ours` lines are one kernel in several configurations, and so are several `peer` lines of one name: the fastest
   one counts, its label is printed; with --each every one of ours has a row. warps_fixed: all the warps that were asked for,
   docs/decisions/0018. With behind=1 a line is launched behind the kernel of
   the line before and counts as part of it; what the one leaves to the other is in buffers of scratch, poisoned before each
   kernel and not compared. With a target that is older than the device, ours is compiled to PTX for that and the driver takes
   it further, as it does with a peer's PTX. An argument is a buffer's name, i1:1, i32:5, i64:5 or f32:0.5. `time` states
   what the script measured itself. Signatures have no spaces. Outputs of ours and of each peer are compared, elements that
   differ by more than the tolerance (relative to the largest magnitude) end the program: figures of
   wrong kernels are worth nothing. Every kernel starts from the same data. A row for each case: the
   times, and ours relative to each (above 1: ours is faster). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tile/compiler.h"

enum { MAX_BUFFERS = 24, MAX_ARGUMENTS = 64, MAX_KERNELS = 40, MAX_TIMES = 6, MAX_LINE = 1 << 16 };

struct buffer {
  char name[32], type[8], fill[12];
  size_t count, bytes;
  bool is_output;
  tile_buffer *device;
  void *initial, *reference;
};

struct kernel {
  char name[48];  /* "ours" or the peer's */
  char label[48]; /* of the configuration */
  int warps;
  tile_module *module;
  tile_kernel *kernel;
  uint32_t grid[3];
  tile_argument arguments[MAX_ARGUMENTS];
  size_t argument_count;
  struct kernel *behind; /* launched behind this one; owned; or NULL */
  double median;
};

struct timing {
  char name[48];
  double median;
};

struct bench {
  tile_device *device;
  tile_compiler *compiler;
  char folder[1024]; /* of the manifest */
  int rounds;
  bool each; /* configuration in a row of its own */
  double repeat_ms;
  const char *only;
  char name[64], shape[64];
  double bytes, flops, tolerance;
  struct buffer buffers[MAX_BUFFERS];
  size_t buffer_count;
  struct kernel kernels[MAX_KERNELS];
  size_t kernel_count;
  struct timing times[MAX_TIMES];
  size_t time_count;
  int line;
};

static _Noreturn void fail(const struct bench *bench, const char *what, const char *word) {
  fprintf(stderr, "beside: error: line %d: %s '%s'\n", bench->line, what, word);
  exit(1);
}

static void check(const struct bench *bench, tile_status status) {
  if (status)
    fail(bench, bench->name, tile_status_message(status));
}

/* --- Reading ------------------------------------------------------------------------------------------ */

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

/* --- Data --------------------------------------------------------------------------------------------- */

static uint16_t half_of(float value) { /* to nearest for normal numbers, to zero below */
  union {
    float number;
    uint32_t bits;
  } u = {value};
  uint32_t sign = u.bits >> 16 & 0x8000, magnitude = u.bits & 0x7fffffff;
  if (magnitude < 0x38800000)
    return (uint16_t)sign;
  return (uint16_t)(sign | ((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13));
}

static float float_of_half(uint16_t half) {
  int exponent = half >> 10 & 31;
  float mantissa = (float)(half & 1023);
  float value = exponent == 0    ? ldexpf(mantissa, -24)
                : exponent == 31 ? (half & 1023 ? NAN : INFINITY)
                                 : ldexpf(1024 + mantissa, exponent - 25);
  return half & 0x8000 ? -value : value;
}

static float float_of_bits(uint32_t bits) {
  union {
    uint32_t bits;
    float number;
  } u = {bits};
  return u.number;
}

static float numbers_of_half[1 << 16]; /* filled once */

/* What an element's bytes mean, found once a buffer. */
enum number { FP16, BF16, FP32, FP64, INT8, INT16, INT32, INT64 };

static enum number number_of_type(const char *type) {
  static const char *const names[] = {"fp16", "bf16", "fp32", "fp64"};
  for (int i = 0; i < 4; i++)
    if (strcmp(type, names[i]) == 0)
      return (enum number)i;
  int bits = atoi(type + strcspn(type, "0123456789"));
  return bits == 8 ? INT8 : bits == 16 ? INT16 : bits == 32 ? INT32 : INT64;
}

static double element(enum number type, const void *data, size_t i) {
  switch (type) {
  case FP16:
    return numbers_of_half[((const uint16_t *)data)[i]];
  case BF16:
    return float_of_bits((uint32_t)((const uint16_t *)data)[i] << 16);
  case FP32:
    return ((const float *)data)[i];
  case FP64:
    return ((const double *)data)[i];
  case INT8:
    return ((const int8_t *)data)[i];
  case INT16:
    return ((const int16_t *)data)[i];
  case INT32:
    return ((const int32_t *)data)[i];
  default:
    return (double)((const int64_t *)data)[i];
  }
}

static void draw_element(const struct buffer *buffer, enum number type, size_t i, double value) {
  float number = (float)value;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  if (type == FP32)
    ((float *)buffer->initial)[i] = number;
  else if (type == FP16)
    ((uint16_t *)buffer->initial)[i] = half_of(number);
  else if (type == BF16)
    ((uint16_t *)buffer->initial)[i] = (uint16_t)((bits + 0x8000) >> 16);
  else
    memset((char *)buffer->initial + i * (buffer->bytes / buffer->count), (int)(value * 100) & 127,
           buffer->bytes / buffer->count);
}

/* Random numbers; beyond some millions, of which no kernel sees the end of the sequence, they repeat. */
static void fill_buffer(struct buffer *buffer, uint64_t seed) {
  enum { PERIOD = 3999971 }; /* a prime, so that rows differ */
  if (strcmp(buffer->fill, "poison") == 0 || strcmp(buffer->fill, "scratch") == 0 ||
      strcmp(buffer->fill, "zero") == 0) {
    memset(buffer->initial, buffer->fill[0] == 'z' ? 0 : 0xCB, buffer->bytes);
    return;
  }
  enum number type = number_of_type(buffer->type);
  double low = strcmp(buffer->fill, "positive") == 0 ? 0.01 : -1.0;
  for (size_t i = 0; i < buffer->count && i < PERIOD; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    draw_element(buffer, type, i, low + (1.0 - low) * (double)(seed >> 11) * 0x1p-53);
  }
  size_t period = PERIOD * (buffer->bytes / buffer->count);
  for (size_t at = period; at < buffer->bytes; at += period) {
    size_t rest = buffer->bytes - at;
    memcpy((char *)buffer->initial + at, buffer->initial, rest < period ? rest : period);
  }
}

/* --- Lines -------------------------------------------------------------------------------------------- */

static void add_buffer(struct bench *bench, const char *line) {
  if (bench->buffer_count == MAX_BUFFERS)
    fail(bench, "too many buffers", line);
  struct buffer *buffer = &bench->buffers[bench->buffer_count++];
  *buffer = (struct buffer){0};
  if (sscanf(line, "buffer %31s %7s %zu %11s", buffer->name, buffer->type, &buffer->count,
             buffer->fill) != 4)
    fail(bench, "not NAME TYPE COUNT FILL:", line);
  buffer->bytes = buffer->count * type_bytes(bench, buffer->type);
  buffer->initial = malloc(buffer->bytes);
  buffer->reference = malloc(buffer->bytes);
  if (!buffer->initial || !buffer->reference)
    fail(bench, "no memory for buffer", buffer->name);
  fill_buffer(buffer, bench->buffer_count);
  check(bench, tile_buffer_create(bench->device, buffer->bytes, &buffer->device));
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

static void read_launch(struct bench *bench, const char *line, struct kernel *kernel) {
  char word[4096];
  need_word(bench, line, "grid", word, sizeof word);
  kernel->grid[0] = kernel->grid[1] = kernel->grid[2] = 1;
  sscanf(word, "%u,%u,%u", &kernel->grid[0], &kernel->grid[1], &kernel->grid[2]);
  need_word(bench, line, "args", word, sizeof word);
  for (const char *at = word; *at;) {
    size_t length = strcspn(at, ",");
    if (kernel->argument_count == MAX_ARGUMENTS)
      fail(bench, "too many arguments", word);
    kernel->arguments[kernel->argument_count++] = read_argument(bench, at, length);
    at += length + (at[length] == ',');
  }
}

/* A kernel of its own, or one behind the last. */
static struct kernel *add_kernel(struct bench *bench, const char *name, const char *line) {
  struct kernel *kernel;
  if (number_of(line, "behind", 0) != 0) {
    if (bench->kernel_count == 0)
      fail(bench, "behind what?", name);
    struct kernel *last = &bench->kernels[bench->kernel_count - 1];
    while (last->behind)
      last = last->behind;
    kernel = last->behind = calloc(1, sizeof *kernel);
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

/* For the device; or, if `as_ptx`, for options->target, and the driver sees how the device runs it. */
static void load_ours(struct bench *bench, const char *file, const tile_blob *module,
                      const tile_compile_options *options, bool as_ptx, struct kernel *kernel) {
  if (!as_ptx) {
    check(bench, tile_compile_for_device(bench->compiler, file, module->data, module->size, options,
                                         bench->device, &kernel->module));
    return;
  }
  tile_image *image;
  check(bench, tile_compile_kernels(bench->compiler, file, module->data, module->size, options,
                                    TILE_IMAGE_PTX, &image));
  check(bench, tile_module_load(bench->device, image, &kernel->module));
  tile_image_free(image);
}

static void add_ours(struct bench *bench, char *line) {
  char file[1024], name[128], signature[8192], constants[4096] = "", target[32] = "";
  const char *list[64];
  size_t length, count = 0;
  need_word(bench, line, "file", file, sizeof file);
  need_word(bench, line, "kernel", name, sizeof name);
  need_word(bench, line, "signature", signature, sizeof signature);
  word_of(line, "constexpr", constants, sizeof constants);
  word_of(line, "target", target, sizeof target);
  for (char *word = strtok(constants, ","); word && count < 64; word = strtok(NULL, ","))
    list[count++] = word;
  char *text = read_file(bench, file, &length);
  tile_import_options import = {
      .kernel = name, .signature = signature, .constants = list, .constant_count = count};
  struct kernel *kernel = add_kernel(bench, "ours", line);
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = kernel->warps = (int)number_of(line, "warps", 4);
  options.num_stages = (int)number_of(line, "stages", 3);
  options.fewer_warps = number_of(line, "warps_fixed", 0) != 0 ? TILE_CHOICE_NO : TILE_CHOICE_DEFAULT;
  if (*target)
    import.target = options.target = target;
  if (!word_of(line, "label", kernel->label, sizeof kernel->label))
    snprintf(kernel->label, sizeof kernel->label, "w%d", kernel->warps);
  tile_blob module;
  check(bench, tile_import_triton(bench->compiler, file, text, length, &import, &module));
  load_ours(bench, file, &module, &options, *target, kernel);
  check(bench, tile_module_kernel(kernel->module, NULL, &kernel->kernel));
  free(module.data);
  free(text);
  read_launch(bench, line, kernel);
}

/* A cubin or PTX without metadata: the parameters are what the line passes. */
static void add_peer(struct bench *bench, const char *line) {
  char name[48], file[512], path[2048], symbol[128], target[32] = "sm_90a";
  need_word(bench, line, "name", name, sizeof name);
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
  tile_kernel_info info = {.name = symbol,
                           .target = target,
                           .ptx_isa = "",
                           .num_warps = warps,
                           .threads = 32 * warps,
                           .shared_bytes = (uint32_t)number_of(line, "shared", 0),
                           .parameters = parameters,
                           .parameter_count = kernel->argument_count};
  size_t length;
  char *code = read_file(bench, path, &length);
  tile_image image = {.format = is_ptx ? TILE_IMAGE_PTX : TILE_IMAGE_CUBIN,
                      .data = code,
                      .size = length,
                      .kernels = &info,
                      .kernel_count = 1};
  check(bench, tile_module_load(bench->device, &image, &kernel->module));
  kernel->kernel = tile_module_kernel_at(kernel->module, 0);
  free(code);
}

static void add_time(struct bench *bench, const char *line) {
  if (bench->time_count == MAX_TIMES)
    fail(bench, "too many times", line);
  struct timing *timing = &bench->times[bench->time_count++];
  need_word(bench, line, "name", timing->name, sizeof timing->name);
  timing->median = number_of(line, "median_ms", 0);
}

static void mark_outputs(struct bench *bench, char *line) {
  for (char *word = strtok(line + strlen("output"), " \n"); word; word = strtok(NULL, " \n")) {
    struct buffer *buffer = find_buffer(bench, word, strlen(word));
    if (!buffer)
      fail(bench, "no buffer", word);
    buffer->is_output = true;
  }
}

/* --- Running ------------------------------------------------------------------------------------------ */

static tile_status launch(void *context, tile_stream *stream) {
  tile_status status = NULL;
  for (struct kernel *kernel = context; kernel && !status; kernel = kernel->behind)
    status = tile_launch(kernel->kernel, kernel->grid, stream, kernel->arguments,
                         kernel->argument_count);
  return status;
}

static void unload(struct kernel *kernel) {
  tile_module_unload(kernel->module);
  for (struct kernel *next, *k = kernel->behind; k; k = next) {
    next = k->behind;
    tile_module_unload(k->module);
    free(k);
  }
}

/* The data that every kernel starts from; inputs are written once. */
static void reset(struct bench *bench, bool inputs_too) {
  for (size_t i = 0; i < bench->buffer_count; i++)
    if (inputs_too || bench->buffers[i].is_output || strcmp(bench->buffers[i].fill, "scratch") == 0)
      check(bench, tile_buffer_write(bench->buffers[i].device, 0, bench->buffers[i].initial,
                                     bench->buffers[i].bytes, NULL));
}

static void compare(const struct bench *bench, const struct buffer *buffer, const void *data,
                    const struct kernel *other) {
  enum number type = number_of_type(buffer->type);
  double scale = 0;
  for (size_t i = 0; i < buffer->count; i++) {
    double size = fabs(element(type, buffer->reference, i));
    scale = size > scale ? size : scale;
  }
  double most = bench->tolerance * scale;
  for (size_t i = 0; i < buffer->count; i++) {
    double a = element(type, buffer->reference, i), b = element(type, data, i);
    if (fabs(a - b) <= most || a == b || (isnan(a) && isnan(b)))
      continue;
    fprintf(stderr, "beside: error: %s %s: %s[%zu] is %.9g in ours, %.9g in %s (%s)\n",
            bench->name, bench->shape, buffer->name, i, a, b, other->name, other->label);
    exit(1);
  }
}

/* Runs every kernel once from the same data and compares what it leaves in the outputs. */
static void verify(struct bench *bench) {
  for (size_t k = 0; k < bench->kernel_count; k++) {
    reset(bench, k == 0);
    check(bench, launch(&bench->kernels[k], NULL));
    for (size_t i = 0; i < bench->buffer_count; i++) {
      struct buffer *buffer = &bench->buffers[i];
      if (!buffer->is_output)
        continue;
      void *data = k == 0 ? buffer->reference : malloc(buffer->bytes);
      check(bench, tile_buffer_read(buffer->device, 0, data, buffer->bytes, NULL));
      if (k != 0 && memcmp(buffer->reference, data, buffer->bytes) != 0)
        compare(bench, buffer, data, &bench->kernels[k]);
      if (k != 0)
        free(data);
    }
  }
  reset(bench, false);
}

static double time_once(struct bench *bench, struct kernel *kernel, double repeat_ms) {
  tile_bench_options options = {.warmup_ms = repeat_ms / 4, .repeat_ms = repeat_ms};
  tile_bench_result result;
  check(bench, tile_do_bench(bench->device, launch, kernel, &options, &result));
  return result.median;
}

/* Keeps the fastest of those of one name, where the first of them was; with --each, all of ours. */
static void choose_fastest(struct bench *bench) {
  size_t count = 0;
  for (size_t k = 0; k < bench->kernel_count; k++) {
    struct kernel kernel = bench->kernels[k];
    size_t known = bench->each && strcmp(kernel.name, "ours") == 0 ? count : 0;
    while (known < count && strcmp(bench->kernels[known].name, kernel.name) != 0)
      known++;
    kernel.median = time_once(bench, &kernel, bench->repeat_ms / 2);
    struct kernel *best = &bench->kernels[known];
    if (known == count) {
      *best = kernel;
      count++;
    } else {
      bool faster = kernel.median < best->median;
      unload(faster ? best : &kernel);
      if (faster)
        *best = kernel;
    }
  }
  bench->kernel_count = count;
}

static void measure(struct bench *bench) {
  for (size_t k = 0; k < bench->kernel_count; k++)
    bench->kernels[k].median = 0;
  for (int round = 0; round < bench->rounds; round++)
    for (size_t k = 0; k < bench->kernel_count; k++)
      bench->kernels[k].median +=
          time_once(bench, &bench->kernels[k], bench->repeat_ms) / bench->rounds;
}

static void print_row(const struct bench *bench, const struct kernel *kernel) {
  double ours = kernel->median;
  printf("%s,%s,%s,%.6f", bench->name, bench->shape, kernel->label, ours);
  if (bench->flops > 0)
    printf(",%.1f TFLOP/s", bench->flops / ours * 1e-9);
  else
    printf(",%.1f GB/s", bench->bytes / ours * 1e-6);
  for (size_t k = 0; k < bench->kernel_count; k++) {
    const struct kernel *peer = &bench->kernels[k];
    if (strcmp(peer->name, "ours") != 0)
      printf(",%s%s%s,%.6f,%.3f", peer->name, *peer->label ? ":" : "", peer->label, peer->median,
             peer->median / ours);
  }
  for (size_t i = 0; i < bench->time_count; i++)
    printf(",%s,%.6f,%.3f", bench->times[i].name, bench->times[i].median,
           bench->times[i].median / ours);
  printf("\n");
  fflush(stdout);
}

static void end_case(struct bench *bench) {
  for (size_t k = 0; k < bench->kernel_count; k++)
    unload(&bench->kernels[k]);
  for (size_t i = 0; i < bench->buffer_count; i++) {
    tile_buffer_destroy(bench->buffers[i].device);
    free(bench->buffers[i].initial);
    free(bench->buffers[i].reference);
  }
  bench->kernel_count = bench->buffer_count = bench->time_count = 0;
}

static void begin_case(struct bench *bench, const char *line) {
  if (sscanf(line, "case %63s %63s", bench->name, bench->shape) != 2)
    fail(bench, "not NAME SHAPE:", line);
  bench->bytes = number_of(line, "bytes", 0);
  bench->flops = number_of(line, "flops", 0);
  bench->tolerance = number_of(line, "tolerance", 1e-5);
}

static bool starts(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

static void run_manifest(struct bench *bench, FILE *manifest) {
  static char line[MAX_LINE];
  bool skip = false;
  while (fgets(line, sizeof line, manifest)) {
    bench->line++;
    if (starts(line, "case ")) {
      begin_case(bench, line);
      skip = bench->only && strcmp(bench->only, bench->name) != 0;
    } else if (skip || line[0] == '#' || line[0] == '\n') {
      continue;
    } else if (starts(line, "buffer ")) {
      add_buffer(bench, line);
    } else if (starts(line, "ours ")) {
      add_ours(bench, line);
    } else if (starts(line, "peer ")) {
      add_peer(bench, line);
    } else if (starts(line, "time ")) {
      add_time(bench, line);
    } else if (starts(line, "output ")) {
      mark_outputs(bench, line);
    } else if (starts(line, "end")) {
      verify(bench);
      choose_fastest(bench);
      measure(bench);
      for (size_t k = 0; k < bench->kernel_count; k++)
        if (strcmp(bench->kernels[k].name, "ours") == 0)
          print_row(bench, &bench->kernels[k]);
      end_case(bench);
    } else {
      fail(bench, "unknown line", line);
    }
  }
}

int main(int argc, char **argv) {
  struct bench *bench = calloc(1, sizeof *bench);
  if (!bench)
    return 1;
  for (uint32_t i = 0; i < 1 << 16; i++)
    numbers_of_half[i] = float_of_half((uint16_t)i);
  bench->rounds = 5;
  bench->repeat_ms = 40;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--rounds") == 0)
      bench->rounds = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--repeat-ms") == 0)
      bench->repeat_ms = atof(argv[i + 1]);
    else if (strcmp(argv[i], "--only") == 0)
      bench->only = argv[i + 1];
    else if (strcmp(argv[i], "--each") == 0)
      bench->each = atoi(argv[i + 1]) != 0;
    else
      argc = 1;
  }
  if (argc < 2 || argc % 2 || bench->rounds < 1) {
    fprintf(stderr, "usage: beside MANIFEST [--rounds N] [--repeat-ms X] [--only NAME] [--each 1]\n");
    return 1;
  }
  FILE *manifest = fopen(argv[1], "r");
  if (!manifest)
    fail(bench, "cannot read", argv[1]);
  const char *slash = strrchr(argv[1], '/');
  snprintf(bench->folder, sizeof bench->folder, "%.*s", slash ? (int)(slash - argv[1]) : 1,
           slash ? argv[1] : ".");
  check(bench, tile_device_open(tile_cuda_driver(), 0, &bench->device));
  check(bench, tile_compiler_create(&bench->compiler));
  printf("case,shape,configuration,ours_ms,ours_rate,peer,peer_ms,peer/ours,...\n");
  run_manifest(bench, manifest);
  fclose(manifest);
  tile_compiler_destroy(bench->compiler);
  tile_device_close(bench->device);
  free(bench);
  return 0;
}
