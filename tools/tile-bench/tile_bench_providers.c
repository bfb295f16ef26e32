/* SPDX-License-Identifier: MIT */
/* [[providers]]: who computes. The key that says of which kind one is: kernel or file (a kernel
   file that is compiled here), image (compiled before), command (a program of its own), cublas,
   cudnn. */
#include <string.h>
#include "tile_bench.h"
#include "tile_bench_run.h"

/* --- Arguments -------------------------------------------------------------------------------- */

/* The comma or bracket that ends a size of "[n, cdiv(m, 2)]", from `at` on. */
static size_t end_of_size(struct slice spec, size_t at) {
  for (int depth = 0; at < spec.length; at++) {
    char c = spec.data[at];
    if (!depth && (c == ',' || c == ']'))
      break;
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
  }
  return at;
}

static bool read_shape(struct bench_text *text, struct bench_argument *out, size_t *at) {
  struct slice spec = out->value->string;
  for (++*at; *at < spec.length && spec.data[*at] != ']';) {
    size_t end = end_of_size(spec, *at);
    if (end == spec.length)
      return bench_fail(text, out->value->span, "the shape is not closed with ']'");
    if (out->rank == RUN_MAX_RANK)
      return bench_fail(text, out->value->span, "a shape has at most %d sizes", RUN_MAX_RANK);
    if (!bench_expression_parse(text, out->value, *at, end - *at, &out->shape[out->rank++]))
      return false;
    *at = end + (spec.data[end] == ',');
  }
  if (*at >= spec.length)
    return bench_fail(text, out->value->span, "the shape is not closed with ']'");
  ++*at;
  return true;
}

bool bench_argument_read(struct bench_text *text, const char *name, const struct toml_value *value,
                         struct bench_argument *out) {
  enum element_type type;
  const char *string;
  *out = (struct bench_argument){.name = name, .span = value->span, .value = value};
  if (!bench_string_of(text, value, name, &string))
    return false;
  size_t at = strcspn(string, "[:");
  if (!element_find(string, at, &type))
    return bench_fail(
        text, value->span,
        "'%.*s' is no type; an argument is \"fp32[n]:rand\" or \"i32:n\", and types are i1, i8, "
        "i16, i32, "
        "i64, u8, u16, u32, u64, fp16, bf16, fp32, fp64, fp8e4nv, fp8e5, fp8e4b8, fp8e5b16",
        (int)at, string);
  out->type = element_table[type].name;
  out->is_buffer = string[at] == '[';
  if (out->is_buffer && !read_shape(text, out, &at))
    return false;
  if (string[at] != ':' || !string[at + 1])
    return bench_fail(text, value->span, "after the type stands ':' and %s",
                      out->is_buffer ? "what fills it: rand, zeros, ones, arange, poison, a number"
                                     : "the value");
  out->contents = string + at + 1;
  return out->is_buffer ||
         bench_expression_parse(text, value, at + 1, value->string.length - at - 1, &out->scalar);
}

const struct bench_argument *bench_find_argument(const struct bench_file *file, const char *name) {
  for (size_t i = 0; i < file->argument_count; i++)
    if (strcmp(file->arguments[i].name, name) == 0)
      return &file->arguments[i];
  return NULL;
}

static bool read_step_argument(struct bench_file *file, const struct toml_value *value,
                               struct bench_argument *out) {
  const char *string;
  if (!bench_string_of(&file->text, value, "arguments", &string))
    return false;
  if (strchr(string, ':')) {
    if (!bench_argument_read(&file->text, "a scalar", value, out))
      return false;
    return !out->is_buffer || bench_fail(&file->text, value->span,
                                         "buffers are declared in [arguments]; here is "
                                         "the name of one, or a scalar: \"i32:n\"");
  }
  *out = (struct bench_argument){.name = string, .span = value->span};
  if (bench_find_argument(file, string))
    return true;
  const char *known[BENCH_MAX_ARGUMENTS];
  for (size_t i = 0; i < file->argument_count; i++)
    known[i] = file->arguments[i].name;
  const char *near = nearest_word(string, known, file->argument_count);
  return bench_fail(&file->text, value->span, "[arguments] has no '%s'%s%s%s", string,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool read_step_arguments(struct bench_file *file, const struct toml_value *table,
                                struct bench_step *step) {
  const struct toml_value *value = toml_get(table, "arguments");
  if (!value)
    return true;
  if (value->kind != TOML_ARRAY)
    return bench_fail(&file->text, value->span,
                      "'arguments' is an array of names, in the order of the kernel's parameters");
  if (value->array.count > BENCH_MAX_ARGUMENTS)
    return bench_fail(&file->text, value->span, "there are more than %d arguments",
                      BENCH_MAX_ARGUMENTS);
  step->has_arguments = true;
  for (; step->argument_count < value->array.count; step->argument_count++)
    if (!read_step_argument(file, value->array.items[step->argument_count],
                            &step->arguments[step->argument_count]))
      return false;
  return true;
}

/* --- Constants -------------------------------------------------------------------------------- */

/* What is given to the kernel as it stands: None, True, 'text', "text", tl.float16. */
static bool is_python_text(const char *text) {
  static const char *const words[] = {"None", "True", "False"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(text, words[i]) == 0)
      return true;
  return *text == '\'' || *text == '"' || (strncmp(text, "tl.", 3) == 0 && !strchr(text, '('));
}

static bool read_constant(struct bench_text *text, const struct toml_entry *entry,
                          struct bench_constant *out) {
  const struct toml_value *value = entry->value;
  *out = (struct bench_constant){.name = entry->key.data, .span = entry->span};
  if (value->kind == TOML_BOOLEAN)
    out->text = value->boolean ? "True" : "False";
  else if (value->kind == TOML_STRING && is_python_text(value->string.data))
    return bench_string_of(text, value, out->name, &out->text);
  else
    return bench_expression_read(text, value, &out->value);
  return true;
}

bool bench_constants_read(struct bench_text *text, const struct toml_value *table,
                          struct bench_constant *out, size_t *count) {
  for (const struct toml_entry *entry = table ? table->table.first : NULL; entry;
       entry = entry->next) {
    if (strcmp(entry->key.data, "num_warps") == 0 || strcmp(entry->key.data, "num_stages") == 0)
      continue;
    if (*count == BENCH_MAX_CONSTANTS)
      return bench_fail(text, entry->span, "there are more than %d constants", BENCH_MAX_CONSTANTS);
    if (!read_constant(text, entry, &out[(*count)++]))
      return false;
  }
  return true;
}

/* --- Kernels and images ----------------------------------------------------------------------- */

static bool read_config(struct bench_text *text, const struct toml_value *table,
                        struct bench_config *out) {
  out->span = table->span;
  if (table->kind != TOML_TABLE)
    return bench_fail(text, table->span,
                      "a configuration is a table: {BLOCK = 1024, num_warps = 8}");
  return bench_constants_read(text, table, out->constants, &out->constant_count) &&
         bench_read_expression(text, table, "num_warps", &out->num_warps) &&
         bench_read_expression(text, table, "num_stages", &out->num_stages);
}

static bool read_configs(struct bench_text *text, const struct toml_value *table,
                         struct bench_provider *provider) {
  const struct toml_value *value = toml_get(table, "configs");
  if (!value)
    return true;
  if (value->kind == TOML_STRING && slice_equals(value->string, "file")) {
    provider->configs_of_file = true;
    return true;
  }
  if (value->kind == TOML_STRING && slice_equals(value->string, "tuned")) {
    provider->tuned = true;
    return !toml_get(table, "then") || bench_fail(text, value->span,
                                                  "a kernel is tuned by itself; with 'then', "
                                                  "'configs' is an array of tables or \"file\"");
  }
  if (value->kind != TOML_ARRAY || !value->array.count)
    return bench_fail(text, value->span,
                      "'configs' is an array of tables, \"file\" for those of @triton.autotune, or "
                      "\"tuned\" for the one that tuning finds");
  if (value->array.count > BENCH_MAX_CONFIGS)
    return bench_fail(text, value->span, "there are more than %d configurations",
                      BENCH_MAX_CONFIGS);
  provider->configs = ARENA_ARRAY(&text->arena, struct bench_config, value->array.count);
  for (; provider->config_count < value->array.count; provider->config_count++)
    if (!read_config(text, value->array.items[provider->config_count],
                     &provider->configs[provider->config_count]))
      return false;
  return true;
}

/* num_warps and num_stages of a step are constants that every kernel has. */
static bool read_step(struct bench_file *file, const struct toml_value *table, const char *file_key,
                      const char *default_file, struct bench_step *step) {
  struct bench_text *text = &file->text;
  const struct toml_value *constants;
  const char *path = NULL;
  step->span = table->span;
  if (!bench_read_string(text, table, file_key, &path) ||
      !bench_read_string(text, table, "kernel", &step->kernel) ||
      !bench_read_string(text, table, "signature", &step->signature) ||
      !bench_read_table(text, table, "constexprs", &constants) ||
      !bench_constants_read(text, constants, step->constants, &step->constant_count) ||
      !bench_read_expression(text, table, "grid", &step->grid) ||
      !read_step_arguments(file, table, step))
    return false;
  step->file = path ? bench_path(text, path) : default_file;
  if (!step->file)
    return bench_fail(text, table->span, "a kernel needs '%s', the file that it is in", file_key);
  return step->grid.given || bench_fail(text, table->span,
                                        "a kernel needs 'grid': how many programs there are, as in "
                                        "\"cdiv(n, BLOCK)\"");
}

static bool read_further_steps(struct bench_file *file, const struct toml_value *value,
                               const char *file_key, struct bench_provider *provider) {
  static const char *const keys[] = {"file",       "image", "kernel",    "signature",
                                     "constexprs", "grid",  "arguments", NULL};
  if (value->kind != TOML_ARRAY || value->array.count >= BENCH_MAX_STEPS)
    return bench_fail(&file->text, value->span,
                      "'then' is an array of at most %d kernels that are launched after the first",
                      BENCH_MAX_STEPS - 1);
  for (size_t i = 0; i < value->array.count; i++) {
    const struct toml_value *table = value->array.items[i];
    if (table->kind != TOML_TABLE)
      return bench_fail(&file->text, table->span,
                        "a kernel is a table: {kernel = \"sum\", grid = 1}");
    if (!bench_check_keys(&file->text, table, keys, "a kernel") ||
        !read_step(file, table, file_key, provider->steps[0].file,
                   &provider->steps[provider->step_count++]))
      return false;
  }
  return true;
}

static bool read_kernels(struct bench_file *file, const struct toml_value *table,
                         struct bench_provider *provider, const char *file_key) {
  static const char *const keys[] = {
      "name",      "file",    "image", "kernel",    "signature",  "constexprs", "grid",
      "arguments", "configs", "then",  "num_warps", "num_stages", NULL};
  const struct toml_value *then = toml_get(table, "then");
  if (!bench_check_keys(&file->text, table, keys, "a provider with a kernel"))
    return false;
  provider->steps = ARENA_ARRAY(&file->text.arena, struct bench_step, BENCH_MAX_STEPS);
  provider->step_count = 1;
  if (!read_step(file, table, file_key, NULL, &provider->steps[0]) ||
      !read_configs(&file->text, table, provider))
    return false;
  bool has_own = toml_get(table, "num_warps") || toml_get(table, "num_stages");
  if (has_own && (provider->config_count || provider->configs_of_file || provider->tuned))
    return bench_fail(&file->text, table->span,
                      "num_warps and num_stages stand in the configurations where there are some");
  if (has_own) {
    provider->configs = ARENA_NEW(&file->text.arena, struct bench_config);
    provider->config_count = 1;
    provider->configs->span = table->span;
    if (!bench_read_expression(&file->text, table, "num_warps", &provider->configs->num_warps) ||
        !bench_read_expression(&file->text, table, "num_stages", &provider->configs->num_stages))
      return false;
  }
  return !then || read_further_steps(file, then, file_key, provider);
}

static bool read_kernel(struct bench_file *file, const struct toml_value *table,
                        struct bench_provider *provider) {
  return read_kernels(file, table, provider, "file");
}

static bool read_image(struct bench_file *file, const struct toml_value *table,
                       struct bench_provider *provider) {
  return read_kernels(file, table, provider, "image");
}

/* --- cuBLAS, cuDNN and programs --------------------------------------------------------------- */

static bool read_operand(struct bench_file *file, const struct toml_value *table, const char *key,
                         const char *what, const char **out) {
  const struct toml_value *value = toml_get(table, key);
  *out = key;
  if (!bench_read_string(&file->text, table, key, out))
    return false;
  const struct bench_argument *argument = bench_find_argument(file, *out);
  return (argument && argument->is_buffer) ||
         bench_fail(&file->text, value ? value->span : table->span,
                    "'%s', the %s %s, is no buffer of [arguments]", *out, what, key);
}

static bool read_cublas(struct bench_file *file, const struct toml_value *table,
                        struct bench_provider *provider) {
  static const char *const keys[] = {"name",        "cublas",      "a",    "b",          "c",
                                     "transpose_a", "transpose_b", "tf32", "algorithms", NULL};
  struct bench_text *text = &file->text;
  struct bench_product *product = ARENA_NEW(&text->arena, struct bench_product);
  const char *what = "";
  provider->product = product;
  product->algorithms = 1;
  if (!bench_check_keys(text, table, keys, "a provider with cublas") ||
      !bench_read_string(text, table, "cublas", &what))
    return false;
  if (strcmp(what, "matmul") != 0)
    return bench_fail(text, toml_get(table, "cublas")->span, "'cublas' is \"matmul\": c = a b");
  return read_operand(file, table, "a", "matrix", &product->names[0]) &&
         read_operand(file, table, "b", "matrix", &product->names[1]) &&
         read_operand(file, table, "c", "matrix", &product->names[2]) &&
         bench_read_boolean(text, table, "transpose_a", &product->transposed[0]) &&
         bench_read_boolean(text, table, "transpose_b", &product->transposed[1]) &&
         bench_read_boolean(text, table, "tf32", &product->tf32) &&
         bench_read_integer(text, table, "algorithms", 1, 32, &product->algorithms);
}

static bool read_cudnn(struct bench_file *file, const struct toml_value *table,
                       struct bench_provider *provider) {
  static const char *const softmax_keys[] = {"name", "cudnn", "x", "y", NULL};
  static const char *const norm_keys[] = {"name",   "cudnn", "x",       "y",
                                          "weight", "bias",  "epsilon", NULL};
  struct bench_text *text = &file->text;
  struct bench_normalisation *own = ARENA_NEW(&text->arena, struct bench_normalisation);
  const char *what = "";
  provider->normalisation = own;
  own->epsilon = 1e-5;
  if (!bench_read_string(text, table, "cudnn", &what))
    return false;
  own->is_norm = strcmp(what, "layer_norm") == 0;
  if (!own->is_norm && strcmp(what, "softmax") != 0)
    return bench_fail(text, toml_get(table, "cudnn")->span,
                      "'cudnn' is \"softmax\" or \"layer_norm\", of rows");
  if (!bench_check_keys(text, table, own->is_norm ? norm_keys : softmax_keys,
                        own->is_norm ? "cuDNN's LayerNorm" : "cuDNN's softmax") ||
      !read_operand(file, table, "x", "tensor", &own->names[0]) ||
      !read_operand(file, table, "y", "tensor", &own->names[1]))
    return false;
  return !own->is_norm || (read_operand(file, table, "weight", "tensor", &own->names[2]) &&
                           read_operand(file, table, "bias", "tensor", &own->names[3]) &&
                           bench_read_number(text, table, "epsilon", 0, 1, &own->epsilon));
}

static bool read_command(struct bench_file *file, const struct toml_value *table,
                         struct bench_provider *provider) {
  static const char *const keys[] = {"name", "command", "timeout_seconds", NULL};
  struct bench_text *text = &file->text;
  const char *slash = strrchr(text->name, '/');
  size_t count = 0;
  provider->seconds = 600;
  if (slash)
    provider->folder = slash == text->name ? "/"
                                           : arena_copy_string(&text->arena, text->name,
                                                               (size_t)(slash - text->name));
  return bench_check_keys(text, table, keys, "a provider with a command") &&
         bench_read_integer(text, table, "timeout_seconds", 1, 86400, &provider->seconds) &&
         bench_read_strings(text, table, "command", &provider->command, &count) &&
         ((count && *provider->command[0]) ||
          bench_fail(text, toml_get(table, "command")->span,
                     "'command' is a program and its arguments: [\"python3\", \"peer.py\"]"));
}

/* --- Providers -------------------------------------------------------------------------------- */

static const struct {
  const char *key;
  const struct bench_provider_kind *kind;
  bool (*read)(struct bench_file *file, const struct toml_value *table,
               struct bench_provider *provider);
} kinds[] = {{"file", &bench_kernel_kind, read_kernel},
             {"image", &bench_image_kind, read_image},
             {"cublas", &bench_cublas_kind, read_cublas},
             {"cudnn", &bench_cudnn_kind, read_cudnn},
             {"command", &bench_command_kind, read_command}};

static bool read_provider(struct bench_file *file, const struct toml_value *table,
                          struct bench_provider *provider) {
  struct bench_text *text = &file->text;
  if (table->kind != TOML_TABLE)
    return bench_fail(text, table->span, "a provider is a table, under [[providers]]");
  provider->span = table->span;
  if (!bench_read_string(text, table, "name", &provider->name))
    return false;
  if (!provider->name || !*provider->name)
    return bench_fail(text, table->span,
                      "a provider needs 'name', which the table and the legend show");
  for (const struct bench_provider *other = file->providers; other < provider; other++)
    if (strcmp(other->name, provider->name) == 0)
      return bench_fail(text, toml_get(table, "name")->span, "there are two providers called '%s'",
                        provider->name);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (toml_get(table, kinds[i].key)) {
      provider->kind = kinds[i].kind;
      return kinds[i].read(file, table, provider);
    }
  return bench_fail(text, table->span,
                    "provider '%s' says not what it is: a 'file' with a kernel, an 'image', "
                    "'cublas', 'cudnn', or a 'command'",
                    provider->name);
}

bool bench_providers_read(struct bench_file *file) {
  const struct toml_value *value = toml_get(file->text.root, "providers");
  if (!value)
    return bench_fail(&file->text, (struct toml_span){0, 0}, "the file has no [[providers]]");
  if (value->kind != TOML_ARRAY || !value->array.count)
    return bench_fail(&file->text, value->span,
                      "providers are an array of tables: [[providers]] above each");
  if (value->array.count > BENCH_MAX_PROVIDERS)
    return bench_fail(&file->text, value->span, "there are more than %d providers",
                      BENCH_MAX_PROVIDERS);
  for (size_t i = 0; i < value->array.count; i++) {
    if (!read_provider(file, value->array.items[i], &file->providers[i]))
      return false;
    file->provider_count++;
  }
  return true;
}
