/* The kernel's parameters, and matching arguments with them. */
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"
#include "tile_run.h"

static char *copy_ref(MlirStringRef text) {
  char *copy = tile_allocate(text.length + 1);
  memcpy(copy, text.data, text.length);
  copy[text.length] = 0;
  return copy;
}

/* The kernel called `name`; with NULL the only one. `names` collects those there are. */
static tile_status find_kernel(struct session *session, MlirModule module, const char *name,
                               MlirOperation *out) {
  struct text names = {0};
  size_t count = 0;
  *out = (MlirOperation){0};
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (kind_of(session, op) != OP_FUNC || !op_has_attribute(op, "tile.kernel"))
      continue;
    MlirStringRef symbol = op_string(op, "sym_name");
    text_printf(&names, "%s%.*s", count++ ? ", " : "", (int)symbol.length, symbol.data);
    if (!name || ref_equals(symbol, name))
      *out = op;
  }
  tile_status status = NULL;
  if (count == 0)
    status = FAIL(TILE_NOT_FOUND, "the module has no kernel: no function is marked tile.kernel");
  else if (!name && count > 1)
    status = FAIL(TILE_INVALID_ARGUMENT, "the module has %zu kernels; choose one with --kernel: %s",
                  count, text_string(&names));
  else if (mlirOperationIsNull(*out))
    status = FAIL(TILE_NOT_FOUND, "there is no kernel '%s'; there is %s", name, text_string(&names));
  text_free(&names);
  return status;
}

static void read_parameter(struct session *session, MlirType type, MlirAttribute attributes,
                           struct run_parameter *out) {
  *out = (struct run_parameter){.divisibility = 1};
  out->is_pointer = type_is_pointer(&session->types, type);
  struct text text = {0};
  type_print(out->is_pointer ? pointer_pointee(&session->types, type) : type, &text);
  out->type = text_take(&text);
  MlirAttribute name = {0}, divisibility = {0};
  if (!mlirAttributeIsNull(attributes)) {
    name = mlirDictionaryAttrGetElementByName(attributes, ref("tile.name"));
    divisibility = mlirDictionaryAttrGetElementByName(attributes, ref("tile.divisibility"));
  }
  bool named = !mlirAttributeIsNull(name) && mlirAttributeIsAString(name);
  out->name = copy_ref(named ? mlirStringAttrGetValue(name) : ref(""));
  if (!mlirAttributeIsNull(divisibility) && mlirAttributeIsAInteger(divisibility))
    out->divisibility = mlirIntegerAttrGetValueInt(divisibility);
}

tile_status run_kernel_read(struct session *session, MlirModule module, const char *name,
                            struct run_kernel *out) {
  *out = (struct run_kernel){0};
  MlirOperation function;
  TRY(find_kernel(session, module, name, &function));
  out->name = copy_ref(op_string(function, "sym_name"));
  MlirType type =
      mlirTypeAttrGetValue(mlirOperationGetAttributeByName(function, ref("function_type")));
  MlirAttribute attributes = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  out->count = (size_t)mlirFunctionTypeGetNumInputs(type);
  out->parameters = tile_allocate((out->count + 1) * sizeof *out->parameters);
  for (size_t i = 0; i < out->count; i++) {
    MlirAttribute own = {0};
    if (!mlirAttributeIsNull(attributes))
      own = mlirArrayAttrGetElement(attributes, (intptr_t)i);
    read_parameter(session, mlirFunctionTypeGetInput(type, (intptr_t)i), own, &out->parameters[i]);
  }
  return NULL;
}

void run_kernel_destroy(struct run_kernel *kernel) {
  for (size_t i = 0; i < kernel->count; i++) {
    free(kernel->parameters[i].name);
    free(kernel->parameters[i].type);
  }
  free(kernel->parameters);
  free(kernel->name);
  *kernel = (struct run_kernel){0};
}

static bool all_named(const struct run_kernel *kernel) {
  for (size_t i = 0; i < kernel->count; i++)
    if (!kernel->parameters[i].name[0])
      return false;
  return true;
}

static tile_status check_match(size_t index, const struct run_parameter *parameter,
                               const struct run_argument *argument) {
  const char *type = element_table[argument->type].mlir;
  if (parameter->is_pointer != argument->is_buffer)
    return FAIL(TILE_INVALID_ARGUMENT, "argument %zu, '%s': the kernel takes %s%s here, not %s",
                index, argument->name, parameter->is_pointer ? "a pointer to " : "a scalar ",
                parameter->type, argument->is_buffer ? "a buffer" : "a scalar");
  if (strcmp(type, parameter->type) != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "argument %zu, '%s', is %s; the kernel takes %s%s here",
                index, argument->name, element_table[argument->type].name,
                parameter->is_pointer ? "a pointer to " : "", parameter->type);
  if (!parameter->is_pointer && parameter->divisibility > 1 &&
      (int64_t)element_load(argument->type, argument->data) % parameter->divisibility != 0)
    return FAIL(TILE_INVALID_ARGUMENT,
                "argument %zu, '%s' = %lld, is not divisible by %lld, which the kernel was promised "
                "(tile.divisibility)",
                index, argument->name, (long long)element_load(argument->type, argument->data),
                (long long)parameter->divisibility);
  return NULL;
}

static struct run_argument *find_argument(struct run_argument *arguments, size_t count,
                                          const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(arguments[i].name, name) == 0)
      return &arguments[i];
  return NULL;
}

tile_status run_match_arguments(const struct run_kernel *kernel, struct run_argument *arguments,
                                size_t count, struct run_argument **ordered) {
  if (count != kernel->count)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' takes %zu arguments, %zu were given with --arg",
                kernel->name, kernel->count, count);
  bool by_name = kernel->count > 0 && all_named(kernel);
  for (size_t i = 0; i < count; i++) {
    ordered[i] = by_name ? find_argument(arguments, count, kernel->parameters[i].name)
                         : &arguments[i];
    if (!ordered[i])
      return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' has a parameter '%s', which no --arg gives",
                  kernel->name, kernel->parameters[i].name);
    TRY(check_match(i, &kernel->parameters[i], ordered[i]));
  }
  return NULL;
}
