/* SPDX-License-Identifier: MIT */
/* See parameters.h. */
#include "ahead/parameters.h"

#include <string.h>
#include "base/element.h"
#include "base/status.h"
#include "driver/kernel_info.h"

/* --- What the import says --------------------------------------------------------------------- */

static struct ahead_parameter *add(struct ahead_parameters *parameters) {
  parameters->list = arena_grow(parameters->arena, parameters->list, parameters->count,
                                &parameters->capacity, sizeof *parameters->list);
  return &parameters->list[parameters->count++];
}

static const char *print_constant(struct arena *arena, const struct value *value) {
  struct text text = {0};
  if (value->kind == VALUE_BOOL)
    text_puts(&text, value->boolean ? "True" : "False");
  else if (value->kind == VALUE_STRING)
    text_printf(&text, "'%.*s'", (int)value->text.length, value->text.data);
  else
    value_format(value, &text);
  return text_keep(&text, arena);
}

static void see_parameter(const struct signature_entry *entry, const char *name, void *data) {
  struct ahead_parameters *seen = data;
  const struct value *value = &entry->constant;
  struct ahead_parameter *out = add(seen);
  *out = (struct ahead_parameter){.name = arena_copy_string(seen->arena, name, strlen(name)),
                                  .dtype = entry->dtype,
                                  .is_constant = entry->kind == SIGNATURE_CONSTANT,
                                  .kind = value->kind};
  if (!out->is_constant)
    return;
  out->text = print_constant(seen->arena, value);
  if (value->kind == VALUE_INTEGER || value->kind == VALUE_BOOL)
    out->integer = value->kind == VALUE_BOOL ? value->boolean : value->integer;
  out->number = value->kind == VALUE_FLOAT ? value->number : (double)out->integer;
}

void ahead_watch(struct import_options *options, struct ahead_parameters *seen) {
  options->visit_parameter = see_parameter;
  options->parameter_data = seen;
  if (options->config)
    seen->config = arena_copy_string(seen->arena, options->config, strlen(options->config));
}

const struct ahead_parameter *parameters_find(const struct ahead_parameters *parameters,
                                              const char *name) {
  for (size_t i = 0; i < parameters->count; i++)
    if (strcmp(parameters->list[i].name, name) == 0)
      return &parameters->list[i];
  return NULL;
}

void parameters_collect(struct ahead_parameters *all, const struct ahead_parameters *seen) {
  for (size_t i = 0; i < seen->count; i++)
    if (!seen->list[i].is_constant && !parameters_find(all, seen->list[i].name))
      *add(all) = seen->list[i];
}

/* --- What the image is to know ---------------------------------------------------------------- */

/* The scalar of a type, or what a pointer points to, as MLIR names it. */
static MlirType scalar_type(MlirContext context, struct dtype dtype, enum element_type *element) {
  const char *name = dtype_table[dtype.id].short_name;
  if (dtype.pointers > 1 || !element_find(name, strlen(name), element))
    element_find("i8", 2, element);
  return mlirTypeParseGet(context, ref(element_table[*element].mlir));
}

static tile_status wrong_constant(const struct ahead_parameter *constant,
                                  const struct ahead_parameter *argument) {
  struct text type = {0};
  dtype_print(argument->dtype, &type);
  tile_status status = FAIL(TILE_INVALID_ARGUMENT,
                            "parameter '%s' is %s in one variant and a run-time %s in another; %s",
                            constant->name, constant->text, text_string(&type),
                            dtype_is_pointer(argument->dtype) ? "an absent pointer is None"
                                                              : "no such argument is equal to it");
  text_free(&type);
  return status;
}

/* The bits of a constant as an argument's type has them; false when no argument is equal to it. */
static bool argument_bits(const struct ahead_parameter *constant, struct dtype dtype,
                          enum element_type element, int64_t *out) {
  bool integer = constant->kind == VALUE_INTEGER || constant->kind == VALUE_BOOL;
  unsigned bits = dtype_bits(dtype);
  *out = 0;
  if (dtype_is_float(dtype)) {
    element_store(element, out, constant->number);
    return (integer || constant->kind == VALUE_FLOAT) &&
           element_load(element, out) == constant->number;
  }
  *out = constant->integer;
  if (dtype_is_bool(dtype))
    return integer && (*out == 0 || *out == 1);
  return integer &&
         (bits == 64 || (*out >= -(INT64_C(1) << (bits - 1)) && *out < INT64_C(1) << (bits - 1)));
}

static tile_status fixed_argument(struct session *session, const struct ahead_parameter *constant,
                                  const struct ahead_parameter *argument, int64_t position,
                                  MlirAttribute *out) {
  MlirContext context = session->context;
  enum element_type element;
  int64_t bits = 0;
  MlirType type = scalar_type(context, argument->dtype, &element);
  bool absent = dtype_is_pointer(argument->dtype);
  if (absent ? constant->kind != VALUE_NONE
             : !argument_bits(constant, argument->dtype, element, &bits))
    return wrong_constant(constant, argument);
  MlirNamedAttribute list[] = {
      absent ? attribute_named(context, "absent", mlirUnitAttrGet(context))
             : attribute_named(context, "value", attribute_integer(context, 64, bits)),
      attribute_named(context, "name", attribute_string(context, constant->name)),
      attribute_named(context, "position", attribute_integer(context, 32, position)),
      attribute_named(context, "type", mlirTypeAttrGet(type)),
  };
  *out = mlirDictionaryAttrGet(context, 4, list);
  return NULL;
}

static tile_status annotate(struct session *session, MlirOperation kernel,
                            const struct ahead_parameters *seen,
                            const struct ahead_parameters *run_time, MlirAttribute *fixed,
                            MlirAttribute *constants) {
  MlirContext context = session->context;
  intptr_t fixed_count = 0, constant_count = 0;
  int64_t position = 0;
  for (size_t i = 0; i < seen->count; i++) {
    const struct ahead_parameter *own = &seen->list[i];
    const struct ahead_parameter *argument =
        own->is_constant ? parameters_find(run_time, own->name) : own;
    MlirAttribute pair[2];
    if (own->is_constant && argument) {
      TRY(fixed_argument(session, own, argument, position, &fixed[fixed_count++]));
    } else if (own->is_constant) {
      pair[0] = attribute_string(context, own->name);
      pair[1] = attribute_string(context, own->text);
      constants[constant_count++] = mlirArrayAttrGet(context, 2, pair);
    }
    position += argument != NULL;
  }
  if (fixed_count)
    attribute_set(kernel, ATTR_FIXED_ARGUMENTS, mlirArrayAttrGet(context, fixed_count, fixed));
  if (constant_count)
    attribute_set(kernel, ATTR_CONSTANTS, mlirArrayAttrGet(context, constant_count, constants));
  if (seen->config)
    attribute_set(kernel, ATTR_CONFIG, attribute_string(context, seen->config));
  return NULL;
}

tile_status parameters_annotate(struct session *session, MlirModule module,
                                const struct ahead_parameters *seen,
                                const struct ahead_parameters *run_time) {
  struct arena arena = {0};
  MlirOperation kernel = {0};
  if (!next_kernel(session, mlirModuleGetOperation(module), &kernel))
    return NULL;
  tile_status status =
      annotate(session, kernel, seen, run_time, ARENA_ARRAY(&arena, MlirAttribute, seen->count + 1),
               ARENA_ARRAY(&arena, MlirAttribute, seen->count + 1));
  arena_destroy(&arena);
  return status;
}

tile_status parameters_annotate_constants(struct session *session, MlirModule module,
                                          const struct ahead_parameters *seen) {
  struct ahead_parameters run_time = {.arena = seen->arena};
  parameters_collect(&run_time, seen);
  return parameters_annotate(session, module, seen, &run_time);
}

tile_status import_kernel_noted(struct session *session, const char *name, const char *text,
                                size_t length, const struct import_options *options,
                                MlirModule *out) {
  struct arena arena = {0};
  struct ahead_parameters seen = {.arena = &arena};
  struct import_options own = *options;
  if (!own.visit_parameter)
    ahead_watch(&own, &seen);
  tile_status status = import_kernel(session, name, text, length, &own, out);
  if (!status && own.parameter_data == &seen) {
    status = parameters_annotate_constants(session, *out, &seen);
    if (status)
      mlirModuleDestroy(*out);
  }
  arena_destroy(&arena);
  return status;
}
