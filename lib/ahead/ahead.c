/* SPDX-License-Identifier: MIT */
/* See ahead.h. */
#include "ahead/ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ahead/c_file.h"
#include "ahead/expression.h"
#include "ahead/names.h"
#include "ahead/parameters.h"
#include "base/c_locale.h"
#include "base/status.h"
#include "runtime/gpu_code.h"
#include "runtime/versions.h"

/* --- Compiling -------------------------------------------------------------------------------- */

/* What a file is being made of. */
struct making {
  struct session *session;
  const struct ahead_options *options;
  const struct pipeline_options *how;
  struct arena arena;
  struct ahead_parameters run_time; /* of any variant */
  tile_image **parts; /* one for each target, kind of code and variant, but for those that are the
                         same; owned */
  size_t part_count;
  tile_image *conditioned; /* one for each target, kind of code and variant: with all conditions */
  size_t conditioned_count;
  tile_image *image; /* all of them; owned */
  struct c_file file;
};

static const char *constant_in_c(struct arena *arena, const char *text, bool *is_integer,
                                 int64_t *value);

/* What an expression may name: the arguments, and the constants of a version. */
static struct expression_names make_names(struct making *m, const tile_kernel_info *kernel,
                                          const tile_kernel_version *version,
                                          const char *const *arguments) {
  struct expression_name *names = ARENA_ARRAY(
      &m->arena, struct expression_name, kernel->parameter_count + version->constant_count + 1);
  size_t count = 0;
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    const tile_parameter *parameter = &kernel->parameters[i];
    bool integer = parameter->kind >= TILE_ARGUMENT_I1 && parameter->kind <= TILE_ARGUMENT_I64;
    if (parameter->name[0])
      names[count++] = (struct expression_name){.name = parameter->name,
                                                .c = !integer    ? NULL
                                                     : arguments ? arguments[i]
                                                                 : "",
                                                .what = parameter->kind == TILE_ARGUMENT_POINTER
                                                            ? "a pointer"
                                                            : "a floating-point number",
                                                .argument = (uint32_t)i};
  }
  for (size_t i = 0; i < version->constant_count; i++) {
    struct expression_name *name = &names[count++];
    *name = (struct expression_name){.name = version->constants[i].name,
                                     .what = version->constants[i].value,
                                     .is_constant = true};
    bool integer;
    const char *c = constant_in_c(&m->arena, name->what, &integer, &name->value);
    name->c = integer ? c : NULL;
  }
  return (struct expression_names){names, count};
}

/* Adds what --when says to the versions of a part. */
static tile_status add_conditions(struct making *m, const char *when,
                                  const tile_kernel_info *kernel, tile_kernel_version *version) {
  struct problems problems;
  const tile_condition *more;
  size_t count, own = version->condition_count;
  struct expression_names names = make_names(m, kernel, version, NULL);
  problems_create(&problems, &m->arena);
  bool good = expression_conditions(&m->arena, &problems, when, &names, &more, &count);
  import_deliver_problems(m->session, &problems);
  if (!good)
    return FAIL(TILE_INVALID_ARGUMENT, "the condition of a variant of kernel '%s' cannot be used",
                kernel->name);
  tile_condition *all = ARENA_ARRAY(&m->arena, tile_condition, own + count + 1);
  for (size_t i = 0; i < own + count; i++)
    all[i] = i < own ? version->conditions[i] : more[i - own];
  version->conditions = all;
  version->condition_count = own + count;
  return NULL;
}

static tile_status condition_part(struct making *m, const char *when, const tile_image *part,
                                  tile_image *out) {
  tile_kernel_info *kernels = ARENA_ARRAY(&m->arena, tile_kernel_info, part->kernel_count);
  *out = *part;
  out->kernels = kernels;
  for (size_t i = 0; i < part->kernel_count; i++) {
    kernels[i] = part->kernels[i];
    tile_kernel_version *versions =
        ARENA_ARRAY(&m->arena, tile_kernel_version, kernels[i].version_count);
    for (size_t k = 0; k < kernels[i].version_count; k++) {
      versions[k] = kernels[i].versions[k];
      TRY(add_conditions(m, when, &kernels[i], &versions[k]));
    }
    kernels[i].versions = versions;
  }
  return NULL;
}

static tile_status compile_part(struct making *m, const struct ahead_variant *variant,
                                const char *target, tile_image_format format, tile_image **out) {
  tile_compile_options own = *variant->options;
  own.target = target;
  if (format != TILE_IMAGE_OBJECT) /* the emulator's hazards name programs as they were asked for */
    compile_set_device_defaults(&own);
  struct ahead_parameters seen = {.arena = &m->arena};
  MlirModule module;
  TRY(variant->load(m->session, variant->data, target, &seen, &module));
  if (m->options->variant_count == 1)
    parameters_collect(&m->run_time, &seen);
  bool empty = mlirOperationIsNull(mlirBlockGetFirstOperation(mlirModuleGetBody(module)));
  tile_status status = empty
                           ? FAIL(TILE_INVALID_ARGUMENT,
                                  "'%s' is empty: it has no kernel, a func.func marked tile.kernel",
                                  m->options->from)
                           : parameters_annotate(m->session, module, &seen, &m->run_time);
  if (!status)
    status = compile_to_image(m->session, module, &own, format, m->how, NULL, out);
  mlirModuleDestroy(module);
  if (!status && (*out)->kernel_count == 0)
    status = FAIL(TILE_INVALID_ARGUMENT, "'%s' has no kernel: no function is marked tile.kernel",
                  m->options->from);
  return status;
}

/* Which parameters are arguments of some variant. */
static tile_status collect_arguments(struct making *m) {
  for (size_t v = 0; m->options->variant_count > 1 && v < m->options->variant_count; v++) {
    const struct ahead_variant *variant = &m->options->variants[v];
    const char *target = variant->target ? variant->target : m->options->targets[0];
    struct ahead_parameters seen = {.arena = &m->arena};
    MlirModule module;
    if (variant->same)
      continue;
    TRY(variant->load(m->session, variant->data, target, &seen, &module));
    mlirModuleDestroy(module);
    parameters_collect(&m->run_time, &seen);
  }
  return NULL;
}

/* `made` has the parts of the variants of this target and kind of code. */
static tile_status compile_variants(struct making *m, const char *target, tile_image_format format,
                                    tile_image **made) {
  for (size_t v = 0; v < m->options->variant_count; v++) {
    const struct ahead_variant *variant = &m->options->variants[v];
    if (variant->target && strcmp(variant->target, target) != 0)
      continue;
    if (variant->same) {
      made[v] = made[variant->same - 1];
    } else {
      TRY(compile_part(m, variant, target, format, &m->parts[m->part_count]));
      made[v] = m->parts[m->part_count++];
    }
    tile_image *out = &m->conditioned[m->conditioned_count++];
    *out = *made[v];
    if (variant->when)
      TRY(condition_part(m, variant->when, made[v], out));
  }
  return NULL;
}

/* The target whose code the emulator runs: the newest, with all features that it has. */
static size_t emulated_target(const struct ahead_options *options) {
  size_t best = 0;
  struct gpu_code code, most = {0};
  for (size_t t = 0; t < options->target_count; t++)
    if (gpu_code_parse(options->targets[t], &code) &&
        (code.version > most.version ||
         (code.version == most.version && code.features > most.features))) {
      most = code;
      best = t;
    }
  return best;
}

/* One part for each target, kind of code and variant. */
static tile_status compile_parts(struct making *m) {
  tile_image **made = ARENA_ARRAY(&m->arena, tile_image *, m->options->variant_count + 1);
  const struct ahead_options *options = m->options;
  unsigned formats = options->formats ? options->formats : 1u << TILE_IMAGE_PTX;
  for (size_t t = 0; t < options->target_count; t++)
    for (int format = TILE_IMAGE_PTX; format <= TILE_IMAGE_OBJECT; format++)
      if (formats >> format & 1 && (format != TILE_IMAGE_OBJECT || t == emulated_target(options)))
        TRY(compile_variants(m, options->targets[t], (tile_image_format)format, made));
  return NULL;
}

/* --- Variants that are never taken ------------------------------------------------------------ */

static bool same_code(const tile_section *a, const tile_section *b) {
  return a->format == b->format && a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* The variant, from 1, that a version was made by. The first target's parts are looked at, which
   stand first; 0: of another one. */
static size_t variant_of(const struct making *m, const tile_kernel_version *version) {
  for (size_t v = 0; v < m->options->variant_count; v++)
    for (size_t i = 0; i < m->parts[v]->section_count; i++)
      if (same_code(&m->parts[v]->sections[i], version->section))
        return v + 1;
  return 0;
}

/* The variant that takes all that the version would, or 0. */
static size_t variant_before(const struct making *m, const tile_kernel_info *kernel,
                             const tile_kernel_version *version) {
  size_t own = variant_of(m, version);
  for (const tile_kernel_version *first = kernel->versions; first < version; first++) {
    size_t other = variant_of(m, first);
    if (other && other != own && version_covers(first, version))
      return other;
  }
  return 0;
}

static void warn_if_never_taken(const struct making *m, const tile_kernel_info *kernel,
                                size_t variant) {
  const tile_kernel_version *one = NULL;
  size_t before = 0;
  for (size_t i = 0; i < kernel->version_count; i++) {
    if (variant_of(m, &kernel->versions[i]) != variant)
      continue;
    one = &kernel->versions[i];
    before = variant_before(m, kernel, one);
    if (!before)
      return;
  }
  if (!one)
    return;
  struct text constants = {0};
  for (size_t i = 0; i < one->constant_count; i++)
    text_printf(&constants, "%s%s = %s", i ? ", " : ", with ", one->constants[i].name,
                one->constants[i].value);
  diagnostics_report(&m->session->diagnostics, SEVERITY_WARNING,
                     mlirLocationUnknownGet(m->session->context),
                     "kernel '%s': variant %zu%s, is never taken: variant %zu is tried before it "
                     "and takes all that it would; "
                     "put it first, or say with --when what each is for",
                     kernel->name, variant, text_string(&constants), before);
  text_free(&constants);
}

/* Variants of winners have conditions that were made with regard to each other; and several may
   have one part. */
static bool are_winners(const struct making *m) {
  for (size_t v = 0; v < m->options->variant_count; v++)
    if (m->options->variants[v].same || m->options->variants[v].target)
      return true;
  return false;
}

static void warn_of_variants(const struct making *m) {
  if (are_winners(m))
    return;
  for (size_t k = 0; k < m->image->kernel_count; k++)
    for (size_t variant = 2; variant <= m->options->variant_count; variant++)
      warn_if_never_taken(m, &m->image->kernels[k], variant);
}

/* All parts as one image. */
static tile_status compile_all(struct making *m) {
  const struct ahead_options *options = m->options;
  size_t most = (2 * options->target_count + 1) * options->variant_count;
  m->parts = ARENA_ARRAY(&m->arena, tile_image *, most);
  m->conditioned = ARENA_ARRAY(&m->arena, tile_image, most);
  const tile_image **list = ARENA_ARRAY(&m->arena, const tile_image *, most);
  for (size_t t = 0; t < options->target_count; t++) {
    tile_compile_options own = *options->variants[0].options;
    const struct machine *target;
    own.target = options->targets[t];
    TRY(compile_check_options(&own, &target));
  }
  TRY(collect_arguments(m));
  TRY(compile_parts(m));
  for (size_t i = 0; i < m->conditioned_count; i++)
    list[i] = &m->conditioned[i];
  TRY(tile_image_join(list, m->conditioned_count, &m->image));
  warn_of_variants(m);
  return NULL;
}

/* --- Kernels in C ----------------------------------------------------------------------------- */

/* A value as Python writes it, in C; NULL for what has no form there. */
static const char *constant_in_c(struct arena *arena, const char *text, bool *is_integer,
                                 int64_t *value) {
  char *end;
  struct text out = {0};
  bool truth = strcmp(text, "True") == 0;
  *is_integer = true;
  *value = truth;
  if (truth || strcmp(text, "False") == 0)
    return truth ? "1" : "0";
  errno = 0;
  *value = strtoll(text, &end, 10);
  if (end != text && !*end && !errno && *value != INT64_MIN) {
    bool narrow = *value >= INT32_MIN && *value <= INT32_MAX;
    text_printf(&out, narrow ? *value < 0 ? "(%lld)" : "%lld" : "INT64_C(%lld)", (long long)*value);
    return text_keep(&out, arena);
  }
  *is_integer = false;
  size_t length = strlen(text);
  bool digits = strspn(text, "-+.eE0123456789") == length && strpbrk(text, "0123456789");
  if (digits && strpbrk(text, ".eE") && (c_strtod(text, &end), !*end))
    text_printf(&out, *text == '-' ? "(%s)" : "%s", text);
  else if (length >= 2 && (*text == '\'' || *text == '"') && text[length - 1] == *text &&
           !strchr(text, '\\'))
    c_print_string(&out, arena_copy_string(arena, text + 1, length - 2));
  else
    return NULL;
  return text_keep(&out, arena);
}

static const struct c_parameter *make_parameters(struct making *m, const tile_kernel_info *info) {
  struct c_parameter *list = ARENA_ARRAY(&m->arena, struct c_parameter, info->parameter_count + 1);
  const char **taken = ARENA_ARRAY(&m->arena, const char *, info->parameter_count + 1);
  for (size_t i = 0; i < info->parameter_count; i++) {
    const tile_parameter *parameter = &info->parameters[i];
    const struct ahead_parameter *seen = parameters_find(&m->run_time, parameter->name);
    taken[i] = c_parameter_name(&m->arena, parameter->name, taken, i);
    list[i] = (struct c_parameter){.name = parameter->name,
                                   .c_name = taken[i],
                                   .type = parameter->type,
                                   .kind = parameter->kind,
                                   .divisibility = parameter->divisibility,
                                   .is_unsigned = seen && dtype_is_unsigned(seen->dtype)};
  }
  return list;
}

/* Where the grid's function finds the integer arguments, as int64_t. */
static const char *const *make_arguments(struct making *m, const struct c_kernel *kernel) {
  const char **list = ARENA_ARRAY(&m->arena, const char *, kernel->parameter_count + 1);
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    const struct c_parameter *parameter = &kernel->parameters[i];
    bool wide = parameter->kind == TILE_ARGUMENT_I64 && parameter->is_unsigned;
    list[i] = text_format(&m->arena, "%s*(const %s *)arguments[%zu]%s",
                          wide ? "tile_int_of_u64(bad, " : "", c_parameter_type(parameter), i,
                          wide ? ")" : "");
  }
  return list;
}

static tile_status make_grid(struct making *m, const struct c_kernel *kernel,
                             const tile_kernel_info *info, const tile_kernel_version *from,
                             struct c_version *version) {
  struct problems problems;
  struct text sizes[3] = {{0}};
  size_t count = 0;
  struct expression_names names = make_names(m, info, from, make_arguments(m, kernel));
  problems_create(&problems, &m->arena);
  bool good = expression_grid(&m->arena, &problems, kernel->grid, &names, sizes, &count);
  for (size_t i = 0; i < 3; i++) {
    if (i < count)
      version->grid[i] = text_keep(&sizes[i], &m->arena);
    text_free(&sizes[i]);
  }
  import_deliver_problems(m->session, &problems);
  return good ? NULL
              : FAIL(TILE_INVALID_ARGUMENT, "the grid of kernel '%s' cannot be computed",
                     kernel->name);
}

static const char *make_conditions(struct making *m, const tile_kernel_info *info,
                                   const tile_kernel_version *version) {
  struct text text = {0};
  for (size_t i = 0; i < version->condition_count; i++) {
    text_puts(&text, i ? ", " : "");
    condition_print(info, &version->conditions[i], &text);
  }
  if (version->map_count)
    text_printf(&text, "%stensor maps can be made", version->condition_count ? ", " : "");
  return text_keep(&text, &m->arena);
}

static tile_status make_version(struct making *m, const struct c_kernel *kernel,
                                const tile_kernel_info *info, const tile_kernel_version *from,
                                struct c_version *out) {
  static const char *const codes[] = {
      [TILE_IMAGE_PTX] = "PTX", [TILE_IMAGE_CUBIN] = "cubin", [TILE_IMAGE_OBJECT] = "emulator"};
  struct c_constant *constants =
      ARENA_ARRAY(&m->arena, struct c_constant, from->constant_count + 1);
  bool emulated = from->section->format == TILE_IMAGE_OBJECT;
  *out = (struct c_version){.target = section_target(from->section),
                            .emulates =
                                emulated ? m->options->targets[emulated_target(m->options)] : "",
                            .code = codes[from->section->format],
                            .conditions = make_conditions(m, info, from),
                            .threads = from->threads,
                            .num_warps = from->num_warps,
                            .programs_per_block = from->programs_per_block,
                            .resident_blocks = from->resident_blocks,
                            .cluster_blocks = from->cluster_blocks,
                            .shared_bytes = from->shared_bytes,
                            .constants = constants,
                            .constant_count = from->constant_count};
  for (size_t i = 0; i < from->constant_count; i++) {
    int64_t value;
    constants[i] =
        (struct c_constant){.name = from->constants[i].name, .text = from->constants[i].value};
    constants[i].c = constant_in_c(&m->arena, constants[i].text, &constants[i].is_integer, &value);
  }
  return kernel->grid ? make_grid(m, kernel, info, from, out) : NULL;
}

/* The name of a kernel's function: the kernel's, or what --c-name gives. */
static tile_status function_name(const struct making *m, const char *kernel, const char **out) {
  size_t length = strlen(kernel);
  *out = kernel;
  for (size_t i = 0; i < m->options->c_name_count; i++) {
    const char *given = m->options->c_names[i], *equals = strchr(given, '=');
    if (!equals && m->file.kernel_count == 1)
      *out = given;
    else if (!equals)
      return FAIL(TILE_INVALID_ARGUMENT, "--c-name %s: the file has %zu kernels; write KERNEL=NAME",
                  given, m->file.kernel_count);
    else if ((size_t)(equals - given) == length && strncmp(given, kernel, length) == 0)
      *out = equals + 1;
  }
  return c_check_function_name(kernel, *out);
}

static tile_status make_kernel(struct making *m, const tile_kernel_info *info,
                               struct c_kernel *out) {
  struct c_version *versions = ARENA_ARRAY(&m->arena, struct c_version, info->version_count);
  *out = (struct c_kernel){.name = info->name,
                           .parameters = make_parameters(m, info),
                           .parameter_count = info->parameter_count,
                           .versions = versions,
                           .version_count = info->version_count,
                           .tuned = m->options->tuned,
                           .grid = m->options->grid};
  TRY(function_name(m, info->name, &out->function));
  for (size_t i = 0; i < info->version_count; i++)
    TRY(make_version(m, out, info, &info->versions[i], &versions[i]));
  return NULL;
}

/* --- Names that must differ ------------------------------------------------------------------- */

static tile_status check_distinct(const struct making *m) {
  struct arena arena = {0};
  size_t count = 2 * m->file.kernel_count + 1, filled = 0;
  const char **names = ARENA_ARRAY(&arena, const char *, count);
  tile_status status = NULL;
  for (size_t i = 0; i < m->file.kernel_count; i++) {
    names[filled++] = m->file.kernels[i].function;
    names[filled++] = text_format(&arena, "%s_kernel", m->file.kernels[i].function);
  }
  names[filled++] = text_format(&arena, "%s_unload", m->file.identifier);
  for (size_t i = 0; i < count && !status; i++)
    for (size_t k = 0; k < i && !status; k++)
      if (strcmp(names[i], names[k]) == 0)
        status = FAIL(TILE_INVALID_ARGUMENT,
                      "two functions would be called '%s'; name one with --c-name KERNEL=NAME "
                      "(FUNCTION of tile_add_kernels)",
                      names[i]);
  arena_destroy(&arena);
  return status;
}

static tile_status check_c_names(const struct making *m) {
  for (size_t i = 0; i < m->options->c_name_count; i++) {
    const char *given = m->options->c_names[i], *equals = strchr(given, '=');
    bool found = !equals;
    for (size_t k = 0; k < m->file.kernel_count && !found; k++) {
      const char *name = m->file.kernels[k].name;
      found = strlen(name) == (size_t)(equals - given) && strncmp(given, name, strlen(name)) == 0;
    }
    if (!found)
      return FAIL(TILE_INVALID_ARGUMENT, "--c-name %s: there is no kernel '%.*s'", given,
                  (int)(equals - given), given);
  }
  return NULL;
}

/* --- The file --------------------------------------------------------------------------------- */

static tile_status check_file_name(const char *name) {
  const char *base = after_last(name, '/');
  size_t length = strlen(base);
  if (length == 0 || strcmp(name, "-") == 0)
    return FAIL(TILE_INVALID_ARGUMENT,
                "two files are written, NAME.h and NAME.c: say which with -o NAME");
  if (length > 2 && (strcmp(base + length - 2, ".c") == 0 || strcmp(base + length - 2, ".h") == 0))
    return FAIL(TILE_INVALID_ARGUMENT, "'%s': -o takes the name of both files without .h and .c",
                name);
  if (strpbrk(base, "\"\\\n\r\t"))
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' cannot stand in an #include line", name);
  return NULL;
}

static tile_status make_file(struct making *m) {
  const tile_image *from = m->image;
  struct c_kernel *kernels = ARENA_ARRAY(&m->arena, struct c_kernel, from->kernel_count);
  m->file =
      (struct c_file){.name = after_last(m->options->name, '/'),
                      .identifier = c_file_identifier(&m->arena, after_last(m->options->name, '/')),
                      .from = after_last(m->options->from, '/'),
                      .kernels = kernels,
                      .kernel_count = from->kernel_count};
  for (size_t i = 0; i < from->kernel_count; i++)
    TRY(make_kernel(m, &from->kernels[i], &kernels[i]));
  TRY(check_c_names(m));
  return check_distinct(m);
}

static tile_status write_both(struct making *m, struct text *header, struct text *source) {
  void *bytes;
  TRY(tile_image_serialize(m->image, &bytes, &m->file.image_size));
  m->file.image = bytes;
  c_write_header(header, &m->file);
  c_write_source(source, &m->file);
  free(bytes);
  return NULL;
}

tile_status ahead_compile(struct session *session, const struct ahead_options *options,
                          const struct pipeline_options *how, struct text *header,
                          struct text *source) {
  TRY(check_file_name(options->name));
  struct making m = {.session = session, .options = options, .how = how};
  m.run_time.arena = &m.arena;
  tile_status status = compile_all(&m);
  if (!status)
    status = make_file(&m);
  if (!status)
    status = write_both(&m, header, source);
  for (size_t i = 0; i < m.part_count; i++)
    tile_image_free(m.parts[i]);
  tile_image_free(m.image);
  arena_destroy(&m.arena);
  return status;
}
