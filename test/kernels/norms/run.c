/* SPDX-License-Identifier: MIT */
/* Compiling and launching a problem, comparing its outputs, and the line that says how it went. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "suite.h"

/* --- Compiling -------------------------------------------------------------------------------- */

static char *read_file(const char *folder, const char *name, size_t *length) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "cannot open %s; say where the kernels are with --kernels DIR\n", path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(1, *length + 1);
  if (!text || fread(text, 1, *length, file) != *length)
    exit(1);
  fclose(file);
  return text;
}

/* "*fp32:16, None, i32, 1024": the whole signature, in the caller's buffer. */
static void write_signature(const struct problem *p, char *out, size_t size) {
  size_t length = 0;
  for (size_t i = 0; i < p->count && length < size; i++)
    length +=
        (size_t)snprintf(out + length, size - length, "%s%s", i ? ", " : "", p->parameters[i].text);
}

/* Fewer warps and several programs a block where that suits the kernel: what a GPU gets, on every
   second module for the emulator too. */
static void choose_blocks(struct problem *p, tile_compile_options *options) {
  bool fill = p->suite->is_gpu || p->suite->modules++ % 2;
  options->programs_per_block = fill ? TILE_FILL_BLOCK : 1;
  options->fewer_warps = fill ? TILE_CHOICE_YES : TILE_CHOICE_NO;
}

static tile_status compile(struct problem *p, const char *signature, tile_module **out) {
  struct suite *suite = p->suite;
  tile_import_options import = {.kernel = p->kernel, .signature = signature, .target = "sm_90a"};
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = p->warps;
  choose_blocks(p, &options);
  tile_blob mlir = {0}, ptx = {0};
  size_t length;
  char *text = read_file(suite->kernels, p->file, &length);
  tile_status status = tile_import_triton(suite->compiler, p->file, text, length, &import, &mlir);
  if (!status && !suite->is_gpu) /* what the emulator runs has to become PTX too */
    status = tile_compile(suite->compiler, p->file, mlir.data, mlir.size, &options, TILE_OUTPUT_PTX,
                          &ptx);
  if (!status)
    status = tile_compile_for_device(suite->compiler, p->file, mlir.data, mlir.size, &options,
                                     suite->device, out);
  free(ptx.data);
  free(mlir.data);
  free(text);
  return status;
}

/* The module for the problem: that of the problem before it, when nothing differs. */
static tile_status find_module(struct problem *p) {
  struct suite *suite = p->suite;
  char signature[2048], key[2300];
  write_signature(p, signature, sizeof signature);
  snprintf(key, sizeof key, "%s %d %s", p->kernel, p->warps, signature);
  if (suite->module_key && strcmp(suite->module_key, key) == 0)
    return NULL;
  tile_module_unload(suite->module);
  free(suite->module_key);
  suite->module = NULL, suite->module_key = NULL;
  tile_status status = compile(p, signature, &suite->module);
  if (!status)
    suite->module_key = strdup(key);
  return status;
}

/* --- Launching -------------------------------------------------------------------------------- */

struct run {
  tile_buffer *buffers[MAX_PARAMETERS];
  void *after[MAX_PARAMETERS]; /* what the buffers hold after the launch */
};

/* Arguments go by place: a problem that describes them in another order is a mistake of this
 * program. */
static void check_name(const struct problem *p, const tile_kernel *kernel, size_t argument,
                       const char *name) {
  const tile_kernel_info *info = tile_kernel_get_info(kernel);
  const char *own = argument < info->parameter_count ? info->parameters[argument].name : "nothing";
  if (strcmp(own, name) == 0)
    return;
  fprintf(stderr, "%s: argument %zu is %s, not %s\n", p->label, argument, own, name);
  exit(1);
}

static tile_status launch(struct problem *p, struct run *run) {
  tile_argument arguments[MAX_PARAMETERS];
  size_t count = 0;
  tile_kernel *kernel;
  tile_status status = tile_module_kernel(p->suite->module, p->kernel, &kernel);
  for (size_t i = 0; i < p->count && !status; i++) {
    struct parameter *parameter = &p->parameters[i];
    size_t bytes = parameter->count * type_bytes(parameter->type);
    if (parameter->kind != CONSTANT)
      check_name(p, kernel, count, parameter->name);
    if (parameter->kind == INTEGER)
      arguments[count++] = tile_argument_i32(parameter->integer);
    if (parameter->kind == NUMBER)
      arguments[count++] = tile_argument_f32(parameter->number);
    if (parameter->kind != POINTER)
      continue;
    if (!run->buffers[i])
      status = tile_buffer_create(p->suite->device, bytes, &run->buffers[i]);
    if (status)
      break;
    tile_emulator_name_buffer(run->buffers[i], parameter->name);
    status = tile_buffer_write(run->buffers[i], 0, parameter->data, bytes, NULL);
    arguments[count++] = tile_argument_buffer(run->buffers[i]);
  }
  return status ? status : tile_launch(kernel, p->grid, NULL, arguments, count);
}

static tile_status read_back(struct problem *p, struct run *run) {
  tile_status status = NULL;
  for (size_t i = 0; i < p->count && !status; i++) {
    size_t bytes = p->parameters[i].count * type_bytes(p->parameters[i].type);
    if (run->buffers[i])
      status = tile_buffer_read(run->buffers[i], 0, run->after[i], bytes, NULL);
  }
  return status;
}

/* --- Comparing -------------------------------------------------------------------------------- */

struct verdict {
  double worst;   /* error in units of what is allowed */
  char text[400]; /* what is wrong, or "" */
};

static void complain(struct verdict *verdict, const struct parameter *parameter, size_t i,
                     double got, const char *fact, double expected) {
  if (!verdict->text[0])
    snprintf(verdict->text, sizeof verdict->text, "%s[%zu] is %.9g, %s %.9g", parameter->name, i,
             got, fact, expected);
}

static double allowed(const struct parameter *parameter, size_t i) {
  double scale = parameter->scale ? parameter->scale[i] : 1;
  double half_ulp = type_rounding(parameter->type) * fabs(parameter->expected[i]);
  if (parameter->type == F16)
    half_ulp = fmax(half_ulp, 0x1p-25);
  return parameter->roundings * half_ulp + parameter->tolerance * scale;
}

static void compare(const struct parameter *parameter, const void *after, struct verdict *verdict) {
  size_t bytes = type_bytes(parameter->type);
  for (size_t i = 0; i < parameter->count; i++) {
    double got = type_load(parameter->type, after, i);
    bool same =
        memcmp((const char *)after + i * bytes, (char *)parameter->data + i * bytes, bytes) == 0;
    if (!parameter->expected || isnan(parameter->expected[i])) {
      if (!same)
        complain(verdict, parameter, i, got, "but should have stayed", parameter->before[i]);
      continue;
    }
    double off = fabs(got - parameter->expected[i]), limit = allowed(parameter, i);
    double error = off == 0 ? 0 : off / limit;
    if (!(error <= 1)) /* NaN too */
      complain(verdict, parameter, i, got, "not", parameter->expected[i]);
    if (!(error <= verdict->worst))
      verdict->worst = error;
  }
}

/* The first run is compared with what is expected, the others with the first. */
static void compare_all(const struct problem *p, void *const *after, void *const *first,
                        struct verdict *verdict) {
  for (size_t i = 0; i < p->count; i++) {
    const struct parameter *parameter = &p->parameters[i];
    if (parameter->kind != POINTER)
      continue;
    bool same =
        first && memcmp(after[i], first[i], parameter->count * type_bytes(parameter->type)) == 0;
    if (first && !p->any_order && !same && !verdict->text[0])
      snprintf(verdict->text, sizeof verdict->text, "%s differs between two runs", parameter->name);
    if (!same)
      compare(parameter, after[i], verdict);
  }
}

static void print_hazards(void *context, const char *kernel, const tile_emulator_report *report) {
  (void)context, (void)kernel;
  for (size_t i = 0; i < tile_emulator_report_count(report); i++)
    printf("  %s\n", tile_emulator_report_hazard(report, i)->text);
}

/* Launches with each seed; the first run's results stay in `first`. */
static tile_status launch_all(struct problem *p, struct verdict *verdict) {
  struct run run = {0};
  void *first[MAX_PARAMETERS] = {0};
  tile_status status = NULL;
  for (size_t i = 0; i < p->count; i++)
    if (p->parameters[i].kind == POINTER) {
      run.after[i] = malloc(p->parameters[i].count * type_bytes(p->parameters[i].type) + 1);
      first[i] = malloc(p->parameters[i].count * type_bytes(p->parameters[i].type) + 1);
    }
  for (int seed = 0; seed < p->suite->seeds && !status && !verdict->text[0]; seed++) {
    tile_emulator_device_configure(
        p->suite->device, &(tile_emulator_device_options){
                              .seed = (uint64_t)seed, .check = true, .on_report = print_hazards});
    status = launch(p, &run);
    if (!status)
      status = read_back(p, &run);
    if (!status)
      compare_all(p, run.after, seed ? first : NULL, verdict);
    for (size_t i = 0; i < p->count && seed == 0; i++)
      if (first[i])
        memcpy(first[i], run.after[i], p->parameters[i].count * type_bytes(p->parameters[i].type));
  }
  for (size_t i = 0; i < p->count; i++) {
    tile_buffer_destroy(run.buffers[i]);
    free(run.after[i]);
    free(first[i]);
  }
  return status;
}

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void finish(struct problem *p) {
  struct verdict verdict = {0};
  double start = now();
  tile_status status = find_module(p);
  if (!status)
    status = launch_all(p, &verdict);
  bool failed = status || verdict.text[0];
  printf("%s %s: %.2f of the allowed error, %.0f ms\n", failed ? "FAIL" : "ok  ", p->label,
         verdict.worst, (now() - start) * 1e3);
  if (failed)
    printf("     %s\n", status ? tile_status_message(status) : verdict.text);
  failed ? p->suite->failed++ : p->suite->passed++;
  tile_status_free(status);
  for (size_t i = 0; i < p->count; i++) {
    free(p->parameters[i].data);
    free(p->parameters[i].before);
    free(p->parameters[i].expected);
    free(p->parameters[i].scale);
  }
  free(p);
}
