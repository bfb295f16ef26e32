/* SPDX-License-Identifier: MIT */
/* Providers of the toolkit: kernel files that are compiled here, for each configuration, and images
   that were compiled before. Code that is the same for several sizes is loaded once. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "driver/compile.h"
#include "tile_bench_kernel.h"

static bool is_triton(const struct bench_step *step) {
  size_t length = strlen(step->file);
  return length > 3 && strcmp(step->file + length - 3, ".py") == 0;
}

/* --- Once ------------------------------------------------------------------------------------- */

tile_status bench_refuse(struct bench *bench, struct toml_span span, const char *format, ...) {
  struct text message = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&message, format, arguments);
  va_end(arguments);
  bench_fail(&bench->file->text, span, "%s", text_string(&message));
  text_free(&message);
  return bench_problems(bench);
}

static tile_status find_kernel(struct bench *bench, struct bench_step *step) {
  struct bench_step_state *state = step->state;
  struct text list = {0};
  size_t count = tile_source_kernels_count(state->kernels);
  for (size_t i = 0; i < count; i++) {
    const tile_source_kernel *kernel = tile_source_kernels_get(state->kernels, i);
    if (step->kernel ? strcmp(step->kernel, kernel->name) == 0 : count == 1)
      state->info = kernel;
    text_printf(&list, "%s%s", i ? ", " : "", kernel->name);
  }
  tile_status status = NULL;
  if (!state->info && step->kernel)
    status = bench_refuse(bench, step->span, "'%s' has no kernel '%s'; there is %s", step->file,
                          step->kernel, count ? text_string(&list) : "none");
  else if (!state->info)
    status = bench_refuse(bench, step->span, "'%s' has the kernels %s; say which with 'kernel'",
                          step->file, text_string(&list));
  text_free(&list);
  return status;
}

static tile_status open_kernel_step(struct bench *bench, struct bench_step *step) {
  step->state = ARENA_NEW(&bench->arena, struct bench_step_state);
  TRY(file_read(step->file, &step->state->source));
  const struct text *source = &step->state->source;
  if (!is_triton(step))
    return step->has_arguments ? NULL
                               : bench_refuse(bench, step->span,
                                              "a kernel in MLIR needs 'arguments', in its order");
  TRY(tile_source_kernels_create(bench->compiler, step->file, text_string(source), source->length,
                                 &step->state->kernels));
  return find_kernel(bench, step);
}

static tile_status open_image_step(struct bench *bench, struct bench_step *step) {
  step->state = ARENA_NEW(&bench->arena, struct bench_step_state);
  if (step->constant_count || step->signature)
    return bench_refuse(bench, step->span,
                        "an image is compiled already; it takes no constexprs and no signature");
  return tile_image_read(step->file, &step->state->image);
}

/* What a configuration of @triton.autotune sets, as constants of ours. */
static void keep_configuration(struct bench *bench, const tile_configuration *from, size_t number,
                               struct bench_config *out) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%zu", number);
  out->number = arena_copy_string(&bench->arena, digits, (size_t)length);
  for (size_t i = 0; i < from->constant_count && out->constant_count < BENCH_MAX_CONSTANTS; i++) {
    const tile_constant *constant = &from->constants[i];
    bool is_integer =
        constant->kind == TILE_CONSTANT_INTEGER || constant->kind == TILE_CONSTANT_BOOL;
    if (is_integer || constant->kind == TILE_CONSTANT_FLOAT)
      out->constants[out->constant_count++] = (struct bench_constant){
          .name = arena_copy_string(&bench->arena, constant->name, strlen(constant->name)),
          .value = {.given = true,
                    .number = is_integer ? value_integer(constant->integer)
                                         : value_float(constant->number)}};
  }
}

static tile_status read_configurations(struct bench *bench, struct bench_provider *provider,
                                       tile_configurations *list) {
  const char *computed = tile_configurations_computed(list);
  size_t count = tile_configurations_count(list);
  if (computed)
    return bench_refuse(bench, provider->span,
                        "the kernel's configurations are not known before it runs: %s", computed);
  if (!count || count > BENCH_MAX_CONFIGS)
    return bench_refuse(
        bench, provider->span,
        "the kernel has %zu configurations of @triton.autotune; from 1 to %d are taken", count,
        BENCH_MAX_CONFIGS);
  provider->configs = ARENA_ARRAY(&bench->arena, struct bench_config, count);
  for (; provider->config_count < count; provider->config_count++)
    keep_configuration(bench, tile_configurations_get(list, provider->config_count),
                       provider->config_count, &provider->configs[provider->config_count]);
  return NULL;
}

static tile_status open_configurations(struct bench *bench, struct bench_provider *provider) {
  const struct bench_step *step = &provider->steps[0];
  if (!is_triton(step))
    return bench_refuse(bench, provider->span,
                        "only kernels in the Triton language have configurations");
  tile_import_options options = {.kernel = step->kernel,
                                 .target = tile_device_get_properties(bench->device)->target};
  tile_configurations *list;
  const struct text *source = &step->state->source;
  TRY(tile_configurations_create(bench->compiler, step->file, text_string(source), source->length,
                                 &options, &list));
  tile_status status = read_configurations(bench, provider, list);
  tile_configurations_destroy(list);
  return status;
}

static tile_status open_state(struct bench *bench, struct bench_provider *provider) {
  provider->state = ARENA_NEW(&bench->arena, struct kernel_state);
  return NULL;
}

static tile_status kernel_open(struct bench *bench, struct bench_provider *provider) {
  TRY(open_state(bench, provider));
  for (size_t i = 0; i < provider->step_count; i++)
    TRY(open_kernel_step(bench, &provider->steps[i]));
  if (provider->tuned && !is_triton(&provider->steps[0]))
    return bench_refuse(bench, provider->span,
                        "only kernels in the Triton language have configurations");
  return provider->configs_of_file ? open_configurations(bench, provider) : NULL;
}

static tile_status image_open(struct bench *bench, struct bench_provider *provider) {
  TRY(open_state(bench, provider));
  for (size_t i = 0; i < provider->step_count; i++)
    TRY(open_image_step(bench, &provider->steps[i]));
  return provider->config_count || provider->configs_of_file || provider->tuned
             ? bench_refuse(bench, provider->span,
                            "an image is compiled already; it takes no configurations")
             : NULL;
}

static void kernel_close(struct bench_provider *provider) {
  for (size_t i = 0; i < provider->step_count; i++) {
    struct bench_step_state *state = provider->steps[i].state;
    if (!state)
      continue;
    for (size_t m = 0; m < state->module_count; m++) {
      tile_module_unload(state->modules[m].module);
      text_free(&state->modules[m].bytes);
    }
    free(state->modules);
    text_free(&state->source);
    tile_image_free(state->image);
    tile_source_kernels_destroy(state->kernels);
  }
}

/* --- Modules ---------------------------------------------------------------------------------- */

static tile_status load(struct bench *bench, struct bench_step_state *state,
                        const tile_image *image, tile_module **out) {
  struct text bytes = {0};
  if (image == state->image && state->module_count) {
    *out = state->modules[0].module;
    return NULL;
  }
  tile_status status =
      bench->emulated || image == state->image ? NULL : compile_print_image(image, &bytes);
  for (size_t i = 0; i < state->module_count && !status && bytes.length; i++)
    if (bytes.length == state->modules[i].bytes.length &&
        memcmp(bytes.data, state->modules[i].bytes.data, bytes.length) == 0) {
      *out = state->modules[i].module;
      text_free(&bytes);
      return NULL;
    }
  if (!status)
    status = tile_module_load(bench->device, image, out);
  if (status) {
    text_free(&bytes);
    return status;
  }
  state->modules =
      tile_reallocate(state->modules, (state->module_count + 1) * sizeof *state->modules);
  state->modules[state->module_count++] = (struct loaded){bytes, *out};
  return NULL;
}

/* --- Arguments -------------------------------------------------------------------------------- */

static bool is_constant(const char *name, const struct bench_constant *constants, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(constants[i].name, name) == 0)
      return true;
  return false;
}

/* The kernel's run-time parameter number `index`, or NULL. */
static const char *parameter_name(const struct bench_step *step, const struct bench_config *config,
                                  size_t index) {
  const tile_source_kernel *info = step->state->info;
  for (size_t i = 0; info && i < info->parameter_count; i++) {
    const char *name = info->parameters[i].name;
    bool constant = info->parameters[i].is_constexpr ||
                    is_constant(name, step->constants, step->constant_count) ||
                    (config && is_constant(name, config->constants, config->constant_count));
    if (!constant && index-- == 0)
      return name;
  }
  return NULL;
}

static tile_status give(struct bench *bench, const struct bench_argument *argument,
                        const struct bench_names *names, const char *parameter,
                        struct given *given) {
  struct run_argument *out = &given->list[given->count];
  if (argument->value) {
    TRY(bench_argument_make(bench, argument, names, out));
    memcpy(given->scalars[given->count], out->data, out->bytes);
    run_argument_destroy(&(struct run_argument){.name = out->name, .data = out->data});
    out->data = given->scalars[given->count];
    out->name = (char *)(uintptr_t)argument->name;
  } else {
    const struct bench_argument *declared = bench_find_argument(bench->file, argument->name);
    size_t index = (size_t)(declared - bench->file->arguments);
    *out = bench->data.host[index];
    given->buffers[given->count] = bench->data.buffers[index];
  }
  if (parameter)
    out->name = (char *)(uintptr_t)parameter;
  given->count++;
  return NULL;
}

tile_status bench_give_all(struct bench *bench, const struct bench_step *step,
                           const struct bench_config *config, const struct bench_names *names,
                           struct given *given) {
  given->count = 0;
  for (size_t i = 0; i < step->argument_count; i++)
    TRY(give(bench, &step->arguments[i], names, parameter_name(step, config, i), given));
  for (size_t i = 0; !step->has_arguments; i++) {
    const char *name = parameter_name(step, config, i);
    if (!name)
      break;
    if (!bench_find_argument(bench->file, name))
      return bench_refuse(
          bench, step->span,
          "the kernel's parameter '%s' is none of [arguments] and no constant; 'arguments' "
          "lists the ones to take, in order",
          name);
    TRY(give(bench, &(struct bench_argument){.name = name}, names, name, given));
  }
  return NULL;
}

/* --- Compiling -------------------------------------------------------------------------------- */

/* Names that stand for numbers from here on. */
tile_status bench_set_names(struct bench *bench, const struct bench_constant *constants,
                            size_t count, struct bench_names *names) {
  for (size_t i = 0; i < count; i++) {
    struct value number;
    if (constants[i].text)
      continue;
    if (!bench_expression_evaluate(&bench->file->text, &constants[i].value, names, &number))
      return bench_problems(bench);
    bench_names_set(names, constants[i].name, number);
  }
  return NULL;
}

static bool has_parameter(const struct bench_step *step, const char *name) {
  const tile_source_kernel *info = step->state->info;
  for (size_t i = 0; info && i < info->parameter_count; i++)
    if (strcmp(info->parameters[i].name, name) == 0)
      return true;
  return false;
}

/* "NAME=VALUE" of constants, for the importer; of a configuration's those that the kernel has. */
static tile_status add_constants(struct bench *bench, const struct bench_step *step,
                                 const struct bench_constant *constants, size_t count,
                                 bool known_only, const struct bench_names *names,
                                 struct arena *arena, struct source_options *out) {
  for (size_t i = 0; i < count; i++) {
    const char *name = constants[i].name;
    struct value number;
    if (known_only && !has_parameter(step, constants[i].name))
      continue;
    if (!constants[i].text &&
        !bench_expression_evaluate(&bench->file->text, &constants[i].value, names, &number))
      return bench_problems(bench);
    out->constants[out->import.constant_count++] =
        constants[i].text            ? text_format(arena, "%s=%s", name, constants[i].text)
        : number.kind == VALUE_FLOAT ? text_format(arena, "%s=%.17g", name, number.number)
                                     : text_format(arena, "%s=%" PRId64, name, number.integer);
  }
  return NULL;
}

static tile_status set_number(struct bench *bench, const struct bench_expression *expression,
                              const struct bench_names *names, const char *what, int64_t high,
                              int *out) {
  int64_t number;
  if (!expression->given)
    return NULL;
  if (!bench_expression_integer(&bench->file->text, expression, names, what, 1, high, &number))
    return bench_problems(bench);
  *out = (int)number;
  return NULL;
}

tile_status bench_step_options(struct bench *bench, const struct bench_step *step,
                               const struct bench_names *names, struct given *given,
                               struct arena *arena, struct run_options *run) {
  *run = (struct run_options){.input = step->file,
                              .device = bench->emulated ? "emulator" : "cuda",
                              .compile = tile_compile_options_default(),
                              .spec_count = given->count,
                              .cache = bench->cache,
                              .kernel = step->kernel};
  run->source.import.kernel = step->kernel;
  run->source.import.signature = step->signature;
  return add_constants(bench, step, step->constants, step->constant_count, false, names, arena,
                       &run->source);
}

/* A tuning's winner comes with all constants, those of the step among them. */
static tile_status take_tuned(const struct bench_config *config, struct source_options *source) {
  if (config->tuned_count > MAX_CONSTANTS)
    return FAIL(TILE_UNSUPPORTED, "there are more than %d constants", MAX_CONSTANTS);
  source->import.constant_count = config->tuned_count;
  memcpy(source->constants, config->tuned, config->tuned_count * sizeof *config->tuned);
  return NULL;
}

static tile_status set_configuration(struct bench *bench, const struct bench_step *step,
                                     const struct bench_config *config,
                                     const struct bench_names *names, struct arena *arena,
                                     struct run_options *run) {
  struct source_options *source = &run->source;
  if (!config)
    return NULL;
  if (config->tuned)
    return take_tuned(config, source);
  if (config->number && step->state->info && step->state->info->tuned)
    source->import.config = config->number;
  else
    TRY(add_constants(bench, step, config->constants, config->constant_count, true, names, arena,
                      source));
  TRY(set_number(bench, &config->num_warps, names, "num_warps", 32, &run->compile.num_warps));
  return set_number(bench, &config->num_stages, names, "num_stages", 16, &run->compile.num_stages);
}

static tile_status compile_step(struct bench *bench, const struct bench_step *step,
                                const struct bench_config *config, const struct bench_names *names,
                                struct given *given, struct run_code *code) {
  struct run_options run;
  struct arena arena = {0};
  const struct machine *target;
  tile_status status = bench_step_options(bench, step, names, given, &arena, &run);
  if (!status)
    status = set_configuration(bench, step, config, names, &arena, &run);
  if (!status)
    status = compile_check_options(&run.compile, &target);
  if (!status)
    status = run_make_code(&run, &step->state->source, given->list, bench->device, code);
  arena_destroy(&arena);
  return status;
}

static void set_arguments(const struct given *given, const struct run_code *code,
                          struct ready_step *out) {
  out->argument_count = code->kernel->parameter_count;
  for (size_t i = 0; i < out->argument_count; i++) {
    const struct run_argument *argument = code->ordered[i];
    size_t index = (size_t)(argument - given->list);
    out->arguments[i].kind = code->kernel->parameters[i].kind;
    if (argument->is_buffer)
      out->arguments[i] = tile_argument_buffer(given->buffers[index]);
    else
      memcpy(&out->arguments[i].value, argument->data, argument->bytes);
  }
}

/* An image has its code; kernels are found, and their arguments matched. */
static tile_status find_in_image(struct bench *bench, const struct bench_step *step,
                                 struct given *given, struct run_code *code) {
  tile_module *module;
  tile_kernel *kernel;
  TRY(load(bench, step->state, step->state->image, &module));
  TRY(tile_module_kernel(module, step->kernel, &kernel));
  code->kernel = tile_kernel_get_info(kernel);
  return run_match_arguments(code->kernel, given->list, given->count, false, code->ordered);
}

/* The arguments of an image are the file's with its parameters' names, where the file does not say
   others. */
static tile_status give_to_image(struct bench *bench, const struct bench_step *step,
                                 const struct bench_names *names, struct given *given) {
  tile_module *module;
  tile_kernel *kernel;
  TRY(load(bench, step->state, step->state->image, &module));
  TRY(tile_module_kernel(module, step->kernel, &kernel));
  const tile_kernel_info *info = tile_kernel_get_info(kernel);
  given->count = 0;
  for (size_t i = 0; i < (step->has_arguments ? step->argument_count : info->parameter_count);
       i++) {
    const char *name = i < info->parameter_count ? info->parameters[i].name : NULL;
    struct bench_argument by_name = {.name = name};
    if (!step->has_arguments && (!name || !bench_find_argument(bench->file, name)))
      return bench_refuse(
          bench, step->span,
          "the kernel's parameter '%s' is none of [arguments]; 'arguments' lists the ones "
          "to take, in order",
          name ? name : "");
    TRY(give(bench, step->has_arguments ? &step->arguments[i] : &by_name, names, name, given));
  }
  return NULL;
}

static tile_status ready_code(struct bench *bench, const struct bench_step *step,
                              struct given *given, struct run_code *code, struct ready_step *out) {
  tile_module *module;
  TRY(load(bench, step->state, step->state->image ? step->state->image : code->image, &module));
  TRY(tile_module_kernel(module, code->kernel->name, &out->kernel));
  set_arguments(given, code, out);
  return NULL;
}

static tile_status ready_step(struct bench *bench, const struct bench_step *step,
                              const struct bench_config *config,
                              const struct bench_names *config_names, struct given *given,
                              struct ready_step *out) {
  struct bench_names names = *config_names;
  struct run_code code = {0};
  bool is_image = step->state->image;
  TRY(bench_set_names(bench, step->constants, step->constant_count, &names));
  if (!bench_expression_grid(&bench->file->text, &step->grid, &names, out->grid))
    return bench_problems(bench);
  TRY(is_image ? give_to_image(bench, step, &names, given)
               : bench_give_all(bench, step, config, &names, given));
  tile_status status = is_image ? find_in_image(bench, step, given, &code)
                                : compile_step(bench, step, config, &names, given, &code);
  if (!status)
    status = ready_code(bench, step, given, &code, out);
  tile_image_free(code.image);
  return status;
}

static tile_status ready_variant(struct bench *bench, struct bench_provider *provider,
                                 const struct bench_config *config, struct given *given,
                                 struct variant *out) {
  struct bench_names names = bench->names;
  if (config)
    TRY(bench_set_names(bench, config->constants, config->constant_count, &names));
  out->config = config;
  for (size_t i = 0; i < provider->step_count; i++)
    TRY(ready_step(bench, &provider->steps[i], config, &names, given, &out->steps[i]));
  return NULL;
}

/* --- At one size ------------------------------------------------------------------------------ */

static void kernel_release(struct bench_provider *provider) {
  struct kernel_state *state = provider->state;
  for (size_t i = 0; state && i < state->count; i++)
    free(state->variants[i].steps);
  if (!state)
    return;
  free(state->variants);
  state->variants = NULL;
  state->count = 0;
}

/* Configurations that cannot be compiled are left out, as long as one can. */
static tile_status ready_variants(struct bench *bench, struct bench_provider *provider,
                                  struct given *given) {
  struct kernel_state *state = provider->state;
  const struct bench_config *configs = provider->tuned ? &state->tuned : provider->configs;
  size_t count = provider->config_count ? provider->config_count : 1;
  tile_status first = NULL;
  for (size_t i = 0; i < count; i++) {
    struct variant variant = {.steps = calloc(provider->step_count, sizeof *variant.steps)};
    tile_status status =
        variant.steps
            ? ready_variant(bench, provider, configs ? &configs[i] : NULL, given, &variant)
            : FAIL(TILE_OUT_OF_MEMORY, "no memory for a launch");
    if (!status) {
      state->variants[state->count++] = variant;
      continue;
    }
    free(variant.steps);
    if (bench->file->text.problems.errors || count == 1) {
      tile_status_free(first);
      return status;
    }
    tile_status_free(first ? status : NULL);
    first = first ? first : status;
  }
  if (state->count) {
    tile_status_free(first);
    return NULL;
  }
  return first;
}

static tile_status kernel_prepare(struct bench *bench, struct bench_provider *provider,
                                  size_t *variants) {
  struct kernel_state *state = provider->state;
  size_t count = provider->config_count ? provider->config_count : 1;
  struct given *given = calloc(1, sizeof *given);
  state->variants = calloc(count, sizeof *state->variants);
  state->count = 0;
  tile_status status = given && state->variants
                           ? NULL
                           : FAIL(TILE_OUT_OF_MEMORY, "no memory for %zu configurations", count);
  if (!status && provider->tuned)
    status = bench_tuned_config(bench, provider, given, &state->tuned);
  if (!status)
    status = ready_variants(bench, provider, given);
  free(given);
  *variants = state->count;
  return status;
}

static tile_status kernel_launch(struct bench *bench, struct bench_provider *provider,
                                 size_t variant, tile_stream *stream) {
  const struct kernel_state *state = provider->state;
  (void)bench;
  for (size_t i = 0; i < provider->step_count; i++) {
    const struct ready_step *step = &state->variants[variant].steps[i];
    TRY(tile_launch(step->kernel, step->grid, stream, step->arguments, step->argument_count));
  }
  return NULL;
}

static void describe_constant(const struct bench_constant *constant, struct text *out) {
  if (!constant->text && !constant->value.given)
    return;
  text_printf(out, "%s%s=", out->length ? " " : "", constant->name);
  if (constant->text || constant->value.source)
    text_puts(out, constant->text ? constant->text : constant->value.source->text);
  else
    text_printf(out, "%g", value_as_double(&constant->value.number));
}

/* "BLOCK=1024 num_warps=8". */
static void kernel_describe(const struct bench_provider *provider, size_t variant,
                            struct text *out) {
  const struct kernel_state *state = provider->state;
  const struct bench_config *config = state->variants[variant].config;
  if (!config || (provider->config_count == 1 && !config->constant_count))
    return;
  for (size_t i = 0; i < config->constant_count; i++)
    describe_constant(&config->constants[i], out);
  describe_constant(&(struct bench_constant){.name = "num_warps", .value = config->num_warps}, out);
  describe_constant(&(struct bench_constant){.name = "num_stages", .value = config->num_stages},
                    out);
}

const struct bench_provider_kind bench_kernel_kind = {.name = "kernel",
                                                      .open = kernel_open,
                                                      .prepare = kernel_prepare,
                                                      .describe = kernel_describe,
                                                      .launch = kernel_launch,
                                                      .release = kernel_release,
                                                      .close = kernel_close};
const struct bench_provider_kind bench_image_kind = {.name = "image",
                                                     .open = image_open,
                                                     .prepare = kernel_prepare,
                                                     .describe = kernel_describe,
                                                     .launch = kernel_launch,
                                                     .release = kernel_release,
                                                     .close = kernel_close};
