/* SPDX-License-Identifier: MIT */
/* See tile_translate_c.h. */
#include "tile_translate_c.h"

#include <string.h>
#include "ahead/tuned.h"
#include "base/files.h"
#include "base/status.h"

static tile_status read_formats(const struct flag_place *place, const char *flag, const char *text,
                                char *data) {
  static const struct {
    const char *name;
    tile_image_format format;
  } names[] = {
      {"ptx", TILE_IMAGE_PTX}, {"cubin", TILE_IMAGE_CUBIN}, {"emulator", TILE_IMAGE_OBJECT}};
  size_t count = sizeof names / sizeof *names, length = strcspn(text, ","), i = 0;
  while (i < count &&
         (strlen(names[i].name) != length || strncmp(names[i].name, text, length) != 0))
    i++;
  if (i == count)
    return FAIL(TILE_INVALID_ARGUMENT,
                "%s takes ptx, cubin and emulator, or several of them with commas, not '%.*s'",
                flag, (int)length, text);
  *(unsigned *)(data + place->offset) |= 1u << names[i].format;
  return text[length] ? read_formats(place, flag, text + length + 1, data) : NULL;
}

bool to_c_flag(struct to_c_arguments *to_c, const char *name, const char *value,
               tile_status *status) {
  static const struct flag_place places[] = {
    FLAG_PLACE("tile-to-c", switch, struct to_c_arguments, wanted),
    FLAG_PLACE("grid", text, struct to_c_arguments, grid),
    FLAG_PLACE("when", text, struct to_c_arguments, when),
    FLAG_PLACE("tuned", text, struct to_c_arguments, tuned),
    FLAG_PLACE("tuned-device", text, struct to_c_arguments, tuned_device),
    FLAG_LIST("variant", struct to_c_arguments, variants, variant_count),
    FLAG_LIST("c-name", struct to_c_arguments, c_names, c_name_count),
    {"embed", read_formats, offsetof(struct to_c_arguments, formats), 0, 0, 0, 0},
  };
  return flag_store(places, sizeof places / sizeof *places, name, value, to_c, status);
}

/* --- Variants --------------------------------------------------------------------------------- */

/* One way to compile, all flags together. */
struct variant {
  const struct to_c_input *input;
  struct source_options read;
  tile_compile_options options;
  const char *when;
  const char *target; /* of a winner's; NULL: all */
  size_t same;        /* as in struct ahead_variant */
};

struct variants {
  struct arena arena;
  struct variant *list; /* MAX_C_VERSIONS */
  size_t count;
  struct text tuned; /* for the header */
};

static tile_status load(struct session *session, void *data, const char *target,
                        struct ahead_parameters *seen, MlirModule *out) {
  const struct variant *variant = data;
  struct source_options options = variant->read;
  options.import.target = target;
  options.import.num_warps = variant->options.num_warps;
  options.import.num_stages = variant->options.num_stages;
  ahead_watch(&options.import, seen);
  return source_load(session, variant->input->name, variant->input->source, &options, out);
}

/* A flag of --variant. */
static tile_status variant_flag(struct variant *variant, const char *name, const char *value) {
  tile_status status;
  if (source_flag(&variant->read, name, value, &status) ||
      compile_flag(&variant->options, name, value, &status))
    return status;
  if (strcmp(name, "when") != 0)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "--variant has no flag --%s; it has --signature, --constexpr, --config, --arg-value, "
        "--when, --num-warps, --num-stages, --programs-per-block, --fewer-warps and "
        "--low-occupancy, each with a value",
        name);
  variant->when = value;
  return NULL;
}

static tile_status read_variant(struct arena *arena, const char *text, struct variant *out) {
  const char *at = text, *word;
  while ((word = command_line_next_word(&at, arena)) != NULL) {
    const char *equals = strchr(word, '='), *value = equals ? equals + 1 : NULL;
    if (strncmp(word, "--", 2) != 0)
      return FAIL(TILE_INVALID_ARGUMENT, "--variant takes flags with their values, '%s' is none",
                  word);
    const char *name =
        arena_copy_string(arena, word + 2, (equals ? (size_t)(equals - word) : strlen(word)) - 2);
    if (!value && !(value = command_line_next_word(&at, arena)))
      return FAIL(TILE_INVALID_ARGUMENT, "--variant '%s': flag %s needs a value", text, word);
    TRY(variant_flag(out, name, value));
  }
  return *at ? FAIL(TILE_INVALID_ARGUMENT, "--variant is one line of flags") : NULL;
}

/* One variant for each number of --config 0,2. */
static tile_status add_variant(struct variants *variants, const struct variant *variant) {
  const char *configs = variant->read.import.config;
  do {
    if (variants->count == MAX_C_VARIANTS)
      return FAIL(TILE_INVALID_ARGUMENT, "at most %d variants", MAX_C_VARIANTS);
    struct variant *out = &variants->list[variants->count++];
    *out = *variant;
    if (!configs)
      return NULL;
    size_t length = strcspn(configs, ",");
    out->read.import.config = arena_copy_string(&variants->arena, configs, length);
    configs = configs[length] ? configs + length + 1 : NULL;
  } while (configs);
  return NULL;
}

/* "sm_80,sm_90a" in pieces, in the arena. */
static tile_status split_targets(struct arena *arena, const char *text, const char **out,
                                 size_t *count) {
  *count = 0;
  for (;;) {
    size_t length = strcspn(text, ",");
    if (*count == MAX_C_TARGETS)
      return FAIL(TILE_INVALID_ARGUMENT, "at most %d targets", MAX_C_TARGETS);
    out[(*count)++] = arena_copy_string(arena, text, length);
    if (!text[length])
      return NULL;
    text += length + 1;
  }
}

/* --- Winners ---------------------------------------------------------------------------------- */

static tile_status add_version(struct variants *variants, const struct variant *from,
                               const struct tuned_version *version, size_t first) {
  if (variants->count == MAX_C_VERSIONS || version->constant_count > MAX_CONSTANTS)
    return FAIL(TILE_INVALID_ARGUMENT, "the winners of the database make more than %d versions",
                MAX_C_VERSIONS);
  struct variant *out = &variants->list[variants->count++];
  *out = *from;
  out->when = version->when;
  out->target = version->target;
  out->same = version->same ? first + version->same : 0;
  for (size_t i = 0; i < version->constant_count; i++)
    out->read.constants[i] = version->constants[i];
  out->read.import.constant_count = version->constant_count;
  return NULL;
}

/* A variant becomes one for each winner. */
static tile_status tune_variant(const struct to_c_arguments *to_c, const struct to_c_input *input,
                                const struct variant *from, struct variants *out) {
  const char *targets[MAX_C_TARGETS];
  struct import_options import = from->read.import;
  struct import_files files = {0};
  const struct tuned_version *versions;
  size_t count = 0, first = out->count;
  import.constants = from->read.constants;
  import.packages = source_packages(&files, input->name, &from->read);
  struct tuned_request request = {.database = *to_c->tuned ? to_c->tuned : NULL,
                                  .device = to_c->tuned_device,
                                  .name = input->name,
                                  .text = text_string(input->source),
                                  .length = input->source->length,
                                  .import = &import,
                                  .options = &from->options,
                                  .when = from->when,
                                  .targets = targets};
  tile_status status = split_targets(&out->arena, input->targets, targets, &request.target_count);
  if (!status)
    status = tuned_versions_read(&out->arena, &request, &versions, &count, &out->tuned);
  for (size_t i = 0; i < count && !status; i++)
    status = add_version(out, from, &versions[i], first);
  import_files_free(&files);
  return status;
}

static tile_status tune_variants(const struct to_c_arguments *to_c, const struct to_c_input *input,
                                 struct variants *variants) {
  struct variants tuned = {.list = ARENA_ARRAY(&variants->arena, struct variant, MAX_C_VERSIONS),
                           .arena = variants->arena};
  tile_status status = NULL;
  if (to_c->tuned_device && !to_c->tuned)
    return FAIL(TILE_INVALID_ARGUMENT, "--tuned-device is for --tuned");
  if (!to_c->tuned)
    return NULL;
  if (!source_is_triton(input->name, input->how_to_read))
    return FAIL(TILE_INVALID_ARGUMENT,
                "--tuned is for kernels in the Triton language (.py); '%s' is MLIR", input->name);
  tuned.arena = variants->arena;
  for (size_t i = 0; i < variants->count && !status; i++)
    status = tune_variant(to_c, input, &variants->list[i], &tuned);
  *variants = tuned;
  return status;
}

/* --- All of them ------------------------------------------------------------------------------ */

static tile_status read_variants(const struct to_c_arguments *to_c, const struct to_c_input *input,
                                 struct variants *out) {
  struct variant common = {
      .input = input, .read = *input->how_to_read, .options = *input->options, .when = to_c->when};
  out->list = ARENA_ARRAY(&out->arena, struct variant, MAX_C_VARIANTS);
  if (!to_c->variant_count)
    return add_variant(out, &common);
  for (size_t i = 0; i < to_c->variant_count; i++) {
    struct variant own = common;
    TRY(read_variant(&out->arena, to_c->variants[i], &own));
    TRY(add_variant(out, &own));
  }
  return NULL;
}

/* --- Both files ------------------------------------------------------------------------------- */

static tile_status write_files(const char *name, const struct text *header,
                               const struct text *source) {
  struct text names[2] = {{0}};
  text_printf(&names[0], "%s.h", name);
  text_printf(&names[1], "%s.c", name);
  tile_status status = file_write_both((const struct file_content[2]){
      {text_string(&names[0]), text_string(header), header->length},
      {text_string(&names[1]), text_string(source), source->length}});
  text_free(&names[0]);
  text_free(&names[1]);
  return status;
}

static tile_status compile(struct session *session, const struct to_c_arguments *to_c,
                           const struct to_c_input *input, struct variants *from) {
  const char *targets[MAX_C_TARGETS];
  struct ahead_variant *variants = ARENA_ARRAY(&from->arena, struct ahead_variant, from->count);
  for (size_t i = 0; i < from->count; i++)
    variants[i] = (struct ahead_variant){.load = load,
                                         .data = &from->list[i],
                                         .options = &from->list[i].options,
                                         .when = from->list[i].when,
                                         .target = from->list[i].target,
                                         .same = from->list[i].same};
  struct ahead_options options = {.name = input->output,
                                  .from = input->name,
                                  .c_names = to_c->c_names,
                                  .c_name_count = to_c->c_name_count,
                                  .grid = to_c->grid,
                                  .targets = targets,
                                  .formats = to_c->formats,
                                  .variants = variants,
                                  .variant_count = from->count,
                                  .tuned = from->tuned.length ? text_string(&from->tuned) : NULL};
  TRY(split_targets(&from->arena, input->targets, targets, &options.target_count));
  struct text header = {0}, source = {0};
  tile_status status = ahead_compile(session, &options, input->how, &header, &source);
  if (!status)
    status = write_files(input->output, &header, &source);
  text_free(&header);
  text_free(&source);
  return status;
}

tile_status to_c_translate(struct session *session, const struct to_c_arguments *to_c,
                           const struct to_c_input *input) {
  struct variants variants = {0};
  tile_status status = read_variants(to_c, input, &variants);
  if (!status)
    status = tune_variants(to_c, input, &variants);
  if (!status)
    status = compile(session, to_c, input, &variants);
  text_free(&variants.tuned);
  arena_destroy(&variants.arena);
  return status;
}
