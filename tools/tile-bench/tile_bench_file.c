/* SPDX-License-Identifier: MIT */
/* A whole benchmark file: parsed, every key known, every expression read. What it is good for is
   found out when it runs. */
#include "tile_bench.h"

#include <string.h>

static const char *const file_keys[] = {"title",     "sizes",   "arguments", "outputs",
                                        "providers", "bytes",   "flops",     "metric",
                                        "check",     "measure", "plot",      NULL};

static bool read_arguments(struct bench_file *file) {
  const struct toml_value *table;
  if (!bench_read_table(&file->text, file->text.root, "arguments", &table))
    return false;
  for (const struct toml_entry *entry = table ? table->table.first : NULL; entry;
       entry = entry->next) {
    if (file->argument_count == BENCH_MAX_ARGUMENTS)
      return bench_fail(&file->text, entry->span, "there are more than %d arguments",
                        BENCH_MAX_ARGUMENTS);
    if (strlen(entry->key.data) != entry->key.length || strchr(entry->key.data, '=') ||
        !entry->key.length)
      return bench_fail(&file->text, entry->span, "'%s' is no name for an argument",
                        entry->key.data);
    if (!bench_argument_read(&file->text, entry->key.data, entry->value,
                             &file->arguments[file->argument_count++]))
      return false;
  }
  return true;
}

/* Which buffers are compared. */
static bool read_outputs(struct bench_file *file) {
  const char **names = NULL;
  size_t count = 0;
  if (!bench_read_strings(&file->text, file->text.root, "outputs", &names, &count))
    return false;
  const struct toml_value *value = toml_get(file->text.root, "outputs");
  for (size_t i = 0; i < count; i++) {
    struct bench_argument *argument =
        (struct bench_argument *)(uintptr_t)bench_find_argument(file, names[i]);
    if (!argument || !argument->is_buffer)
      return bench_fail(&file->text, value->span, "'%s' is no buffer of [arguments]", names[i]);
    argument->is_output = true;
  }
  return count ||
         bench_fail(&file->text, value ? value->span : (struct toml_span){0, 0},
                    "the file needs 'outputs': the arguments that are results, which are compared");
}

static bool read_metric(struct bench_file *file) {
  static const char *const metrics[] = {"ms", "GB/s", "TFLOP/s", NULL};
  if (!bench_read_expression(&file->text, file->text.root, "bytes", &file->bytes) ||
      !bench_read_expression(&file->text, file->text.root, "flops", &file->flops) ||
      !bench_read_string(&file->text, file->text.root, "metric", &file->metric))
    return false;
  const struct toml_value *value = toml_get(file->text.root, "metric");
  if (!value) {
    file->metric = file->flops.given ? "TFLOP/s" : file->bytes.given ? "GB/s" : "ms";
    return true;
  }
  size_t i = 0;
  while (metrics[i] && strcmp(metrics[i], file->metric) != 0)
    i++;
  if (!metrics[i])
    return bench_fail(&file->text, value->span, "'metric' is ms, GB/s or TFLOP/s, not '%s'",
                      file->metric);
  if ((i == 1 && !file->bytes.given) || (i == 2 && !file->flops.given))
    return bench_fail(&file->text, value->span, "%s needs '%s': how many a run %s", metrics[i],
                      i == 1 ? "bytes" : "flops", i == 1 ? "moves" : "computes");
  return true;
}

static bool read_check(struct bench_file *file) {
  static const char *const keys[] = {"absolute", "relative", NULL};
  const struct toml_value *table;
  return bench_read_table(&file->text, file->text.root, "check", &table) &&
         (!table || (bench_check_keys(&file->text, table, keys, "[check]") &&
                     bench_read_number(&file->text, table, "absolute", 0, 1e30, &file->absolute) &&
                     bench_read_number(&file->text, table, "relative", 0, 1e30, &file->relative)));
}

static bool read_measure(struct bench_file *file) {
  static const char *const keys[] = {"rounds", "warmup_ms", "repeat_ms", "data_seed", NULL};
  const struct toml_value *table;
  return bench_read_table(&file->text, file->text.root, "measure", &table) &&
         (!table ||
          (bench_check_keys(&file->text, table, keys, "[measure]") &&
           bench_read_integer(&file->text, table, "rounds", 1, BENCH_MAX_ROUNDS, &file->rounds) &&
           bench_read_integer(&file->text, table, "data_seed", 0, INT64_MAX, &file->data_seed) &&
           bench_read_number(&file->text, table, "warmup_ms", 0.001, 1e5, &file->warmup_ms) &&
           bench_read_number(&file->text, table, "repeat_ms", 0.001, 1e5, &file->repeat_ms)));
}

static bool read_scale(struct bench_file *file, const struct toml_value *table, const char *key,
                       bool *is_log) {
  const char *scale = NULL;
  if (!bench_read_string(&file->text, table, key, &scale) || !scale)
    return !toml_get(table, key);
  if (strcmp(scale, "log") != 0 && strcmp(scale, "linear") != 0)
    return bench_fail(&file->text, toml_get(table, key)->span, "'%s' is log or linear, not '%s'",
                      key, scale);
  *is_log = *scale == 'l' && scale[1] == 'o';
  return true;
}

static bool read_plot(struct bench_file *file) {
  static const char *const keys[] = {"x", "x_label", "y_label", "x_scale", "y_scale", NULL};
  const struct toml_value *table;
  bool log_x = true;
  if (!bench_read_table(&file->text, file->text.root, "plot", &table))
    return false;
  if (!table)
    return true;
  if (!bench_check_keys(&file->text, table, keys, "[plot]") ||
      !bench_read_string(&file->text, table, "x", &file->plot.x) ||
      !bench_read_string(&file->text, table, "x_label", &file->plot.x_label) ||
      !bench_read_string(&file->text, table, "y_label", &file->plot.y_label) ||
      !read_scale(file, table, "x_scale", &log_x) ||
      !read_scale(file, table, "y_scale", &file->plot.log_y))
    return false;
  file->plot.linear_x = !log_x;
  for (size_t i = 0; i < file->axis_count && file->plot.x; i++)
    if (strcmp(file->axes[i], file->plot.x) == 0)
      return true;
  return !file->plot.x || bench_fail(&file->text, toml_get(table, "x")->span,
                                     "'%s' is none of the sizes", file->plot.x);
}

static bool read_all(struct bench_file *file, const char *const *choices, size_t choice_count) {
  struct bench_text *text = &file->text;
  return bench_check_keys(text, text->root, file_keys, "a benchmark") &&
         bench_read_string(text, text->root, "title", &file->title) &&
         bench_sizes_read(file, choices, choice_count) && read_arguments(file) &&
         read_outputs(file) && read_metric(file) && read_check(file) && read_measure(file) &&
         read_plot(file) && bench_providers_read(file);
}

bool bench_file_read(struct bench_file *file, const char *name, const struct text *content,
                     const char *const *choices, size_t choice_count) {
  struct bench_text *text = &file->text;
  struct toml_error error;
  *file = (struct bench_file){
      .absolute = 1e-5, .relative = 1e-5, .rounds = 7, .warmup_ms = 5, .repeat_ms = 20};
  text->name = name;
  size_t length = content->length < TOML_LARGEST ? content->length : TOML_LARGEST + 1;
  text->source = source_create(&text->arena, name, text_string(content), length, 0);
  problems_create(&text->problems, &text->arena);
  if (!toml_parse(&text->arena, text_string(content), length, &text->root, &error))
    return bench_fail(text, error.span, "%s", error.message);
  file->title = name;
  return read_all(file, choices, choice_count);
}

void bench_file_destroy(struct bench_file *file) {
  arena_destroy(&file->text.arena);
}
