/* SPDX-License-Identifier: MIT */
/* See kernel_info.h. */
#include "driver/kernel_info.h"

#include <mlir-c/Dialect/LLVM.h>
#include <string.h>
#include "base/status.h"
#include "driver/kernel_maps.h"
#include "ir/symbol_names.h"

static char *copy_ref(struct arena *arena, MlirStringRef text) {
  return arena_copy_string(arena, text.data, text.length);
}

static char *type_name(struct arena *arena, MlirType type) {
  struct text text = {0};
  type_print(type, &text);
  return text_keep(&text, arena);
}

/* Stands for the kind of a parameter that no launch can pass, until the lowering has had its say.
 */
static const tile_argument_kind no_kind = (tile_argument_kind)(TILE_ARGUMENT_F64 + 1);

static tile_argument_kind scalar_kind(const char *type) {
  if (strcmp(type, "index") == 0)
    type = "i64";
  for (int kind = TILE_ARGUMENT_I1; kind <= TILE_ARGUMENT_F64; kind++)
    if (strcmp(tile_argument_kind_name((tile_argument_kind)kind), type) == 0)
      return (tile_argument_kind)kind;
  return no_kind;
}

static MlirAttribute entry(MlirAttribute dictionary, const char *name) {
  return mlirAttributeIsNull(dictionary)
             ? (MlirAttribute){0}
             : mlirDictionaryAttrGetElementByName(dictionary, ref(name));
}

static void read_parameter(struct session *session, MlirType type, MlirAttribute attributes,
                           struct arena *arena, tile_parameter *out) {
  bool pointer = type_is_pointer(&session->types, type);
  MlirAttribute name = attribute_entry(attributes, ATTR_ARGUMENT_NAME);
  MlirAttribute divisibility = attribute_entry(attributes, ATTR_DIVISIBILITY);
  MlirAttribute pointee = attribute_entry(attributes, ATTR_POINTEE);
  *out = (tile_parameter){.name = "", .divisibility = 1};
  if (pointer)
    type = pointer_pointee(&session->types, type);
  else if (!mlirAttributeIsNull(pointee) && mlirAttributeIsAType(pointee)) {
    pointer = true;
    type = mlirTypeAttrGetValue(pointee);
  }
  out->type = type_name(arena, type);
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
    out->name = copy_ref(arena, mlirStringAttrGetValue(name));
  if (!mlirAttributeIsNull(divisibility) && mlirAttributeIsAInteger(divisibility)) {
    int64_t value = mlirIntegerAttrGetValueInt(divisibility);
    if (value > 1 && value <= INT32_MAX)
      out->divisibility = (uint32_t)value;
  }
  out->kind = pointer ? TILE_ARGUMENT_POINTER : scalar_kind(out->type);
}

/* `attributes` without those of the tile dialect, which LLVM's translation does not know. */
static MlirAttribute without_own(MlirContext context, MlirAttribute attributes) {
  enum { MAX_ATTRIBUTES = 16 };
  MlirNamedAttribute kept[MAX_ATTRIBUTES];
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(attributes); i++) {
    MlirNamedAttribute attribute = mlirDictionaryAttrGetElement(attributes, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    bool own = name.length > 5 && memcmp(name.data, "tile.", 5) == 0;
    if (!own && count < MAX_ATTRIBUTES)
      kept[count++] = attribute;
  }
  return mlirDictionaryAttrGet(context, count, kept);
}

/* --- Specialised kernels ---------------------------------------------------------------------- */

static intptr_t list_length(MlirAttribute list) {
  return mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list)
             ? 0
             : mlirArrayAttrGetNumElements(list);
}

static int64_t entry_integer(MlirAttribute dictionary, const char *name, int64_t otherwise) {
  MlirAttribute value = entry(dictionary, name);
  return mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value)
             ? otherwise
             : mlirIntegerAttrGetValueInt(value);
}

/* One entry of ATTR_FIXED_ARGUMENTS; false when it is none. */
static bool read_fixed(MlirAttribute fixed, struct arena *arena, tile_parameter *out,
                       tile_condition *condition) {
  bool dictionary = mlirAttributeIsADictionary(fixed);
  MlirAttribute name = dictionary ? entry(fixed, "name") : (MlirAttribute){0};
  MlirAttribute type = dictionary ? entry(fixed, "type") : (MlirAttribute){0};
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) || mlirAttributeIsNull(type) ||
      !mlirAttributeIsAType(type))
    return false;
  bool absent = !mlirAttributeIsNull(entry(fixed, "absent"));
  *out = (tile_parameter){.name = copy_ref(arena, mlirStringAttrGetValue(name)),
                          .type = type_name(arena, mlirTypeAttrGetValue(type)),
                          .divisibility = 1};
  out->kind = absent ? TILE_ARGUMENT_POINTER : scalar_kind(out->type);
  *condition = (tile_condition){.kind = absent ? TILE_CONDITION_ABSENT : TILE_CONDITION_EQUAL,
                                .value = absent ? 0 : entry_integer(fixed, "value", 0)};
  return true;
}

/* The list of all arguments: the function's own, with the fixed ones at their places. Conditions go
   to `version`. */
static void add_fixed(MlirOperation function, struct arena *arena, tile_kernel_info *kernel,
                      tile_kernel_version *version) {
  MlirAttribute list = attribute_get(function, ATTR_FIXED_ARGUMENTS);
  size_t count = (size_t)list_length(list), total = kernel->parameter_count + count, fixed = 0,
         own = 0;
  if (!count)
    return;
  tile_parameter *all = ARENA_ARRAY(arena, tile_parameter, total);
  tile_condition *conditions = ARENA_ARRAY(arena, tile_condition, count);
  for (size_t i = 0; i < total; i++) {
    MlirAttribute next =
        fixed < count ? mlirArrayAttrGetElement(list, (intptr_t)fixed) : (MlirAttribute){0};
    bool here =
        fixed < count && (own == kernel->parameter_count || !mlirAttributeIsADictionary(next) ||
                          entry_integer(next, "position", 0) <= (int64_t)i);
    if (!here)
      all[i] = kernel->parameters[own++];
    else if (!read_fixed(next, arena, &all[i], &conditions[fixed]))
      return; /* not ours */
    else
      conditions[fixed++].argument = (uint32_t)i;
  }
  kernel->parameters = all;
  kernel->parameter_count = total;
  version->conditions = conditions;
  version->condition_count = count;
}

static void add_constants(MlirOperation function, struct arena *arena,
                          tile_kernel_version *version) {
  MlirAttribute list = attribute_get(function, ATTR_CONSTANTS);
  size_t count = (size_t)list_length(list);
  tile_named_constant *constants = ARENA_ARRAY(arena, tile_named_constant, count);
  for (size_t i = 0; i < count; i++) {
    MlirAttribute pair = mlirArrayAttrGetElement(list, (intptr_t)i);
    const char *words[2] = {"", ""};
    for (intptr_t k = 0; k < 2 && k < list_length(pair); k++) {
      MlirAttribute word = mlirArrayAttrGetElement(pair, k);
      if (mlirAttributeIsAString(word))
        words[k] = copy_ref(arena, mlirStringAttrGetValue(word));
    }
    constants[i] = (tile_named_constant){words[0], words[1]};
  }
  version->constants = constants;
  version->constant_count = count;
  MlirStringRef config = attribute_text(function, ATTR_CONFIG);
  version->config = config.length ? copy_ref(arena, config) : NULL;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void read_kernel(struct session *session, MlirOperation function, struct arena *arena,
                        tile_kernel_info *out, tile_kernel_version *version) {
  MlirType type =
      mlirTypeAttrGetValue(mlirOperationGetAttributeByName(function, ref("function_type")));
  MlirAttribute attributes = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  bool lowered = !mlirTypeIsAFunction(type);
  size_t count = (size_t)(lowered ? mlirLLVMFunctionTypeGetNumInputs(type)
                                  : mlirFunctionTypeGetNumInputs(type));
  tile_parameter *parameters = ARENA_ARRAY(arena, tile_parameter, count);
  *out = (tile_kernel_info){.name = copy_ref(arena, op_string(function, "sym_name")),
                            .parameters = parameters,
                            .parameter_count = count};
  for (size_t i = 0; i < count; i++) {
    MlirAttribute own = {0};
    if (!mlirAttributeIsNull(attributes))
      own = mlirArrayAttrGetElement(attributes, (intptr_t)i);
    MlirType input = lowered ? mlirLLVMFunctionTypeGetInput(type, (intptr_t)i)
                             : mlirFunctionTypeGetInput(type, (intptr_t)i);
    read_parameter(session, input, own, arena, &parameters[i]);
  }
  *version = (tile_kernel_version){0};
  add_fixed(function, arena, out, version);
  add_constants(function, arena, version);
}

static bool is_kernel(struct session *session, MlirOperation op) {
  bool lowered = kind_of(session, op) == OP_LLVM_FUNC && attribute_has(op, ATTR_NVVM_KERNEL);
  return (kind_of(session, op) == OP_FUNC || lowered) && attribute_has(op, ATTR_KERNEL) &&
         !attribute_has(op, ATTR_TENSOR_MAPS_OF);
}

void kernel_infos_read(struct session *session, MlirModule module, struct arena *arena,
                       struct kernel_infos *out) {
  MlirOperation first = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  size_t count = 0;
  for (MlirOperation op = first; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += is_kernel(session, op);
  *out = (struct kernel_infos){.kernels = ARENA_ARRAY(arena, tile_kernel_info, count),
                               .versions = ARENA_ARRAY(arena, tile_kernel_version, count)};
  for (MlirOperation op = first; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (is_kernel(session, op)) {
      read_kernel(session, op, arena, &out->kernels[out->count], &out->versions[out->count]);
      out->count++;
    }
}

void kernel_infos_strip(struct session *session, MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute attributes = mlirOperationGetAttributeByName(op, ref("arg_attrs"));
    if (!is_kernel(session, op) || kind_of(session, op) == OP_FUNC ||
        mlirAttributeIsNull(attributes))
      continue;
    struct arena arena = {0};
    intptr_t count = mlirArrayAttrGetNumElements(attributes);
    MlirAttribute *kept = ARENA_ARRAY(&arena, MlirAttribute, (size_t)count + 1);
    for (intptr_t i = 0; i < count; i++)
      kept[i] = without_own(session->context, mlirArrayAttrGetElement(attributes, i));
    mlirOperationSetAttributeByName(op, ref("arg_attrs"),
                                    mlirArrayAttrGet(session->context, count, kept));
    arena_destroy(&arena);
  }
}

static tile_status check_parameters(const tile_kernel_info *kernel) {
  for (size_t i = 0; i < kernel->parameter_count; i++)
    if (kernel->parameters[i].kind == no_kind)
      return FAIL(TILE_UNSUPPORTED, "kernel '%s', parameter %zu: a launch cannot pass a %s",
                  kernel->name, i, kernel->parameters[i].type);
  return NULL;
}

/* Up to how many blocks on a multiprocessor a deeper version is for: as many as it holds, and FEW,
   since more hide one another's waits; FEWER, where it is as deep as the kernel's steps are
   elsewhere. */
static uint32_t few_blocks(const struct machine *machine, const tile_kernel_version *version,
                           bool fewer) {
  enum { FEW = 2, FEWER = 3 };
  struct machine_block block = {.threads = version->threads, .shared_bytes = version->shared_bytes};
  int64_t blocks = machine_blocks(machine, block);
  uint32_t most = fewer ? FEWER : FEW;
  return blocks < most ? (uint32_t)blocks : most;
}

static void add_condition(struct arena *arena, tile_condition condition,
                          tile_kernel_version *version) {
  tile_condition *conditions = ARENA_ARRAY(arena, tile_condition, version->condition_count + 1);
  for (size_t i = 0; i < version->condition_count; i++)
    conditions[i] = version->conditions[i];
  conditions[version->condition_count++] = condition;
  version->conditions = conditions;
}

/* The version that a lowered function is; the rest comes from what was read before the lowering. */
static tile_status complete_version(MlirOperation op, int64_t warps, const struct machine *machine,
                                    struct arena *arena, const tile_kernel_info *kernel,
                                    tile_kernel_version *version) {
  version->symbol = copy_ref(arena, op_string(op, "sym_name"));
  version->num_warps = (uint32_t)warps;
  version->programs_per_block = (uint32_t)attribute_number(op, ATTR_PROGRAMS_PER_BLOCK, 1);
  version->threads =
      (uint32_t)machine->lanes * (version->num_warps * version->programs_per_block +
                                  (uint32_t)attribute_number(op, ATTR_PRODUCER_WARPS, 0));
  version->resident_blocks = (uint32_t)attribute_number(op, ATTR_RESIDENT_BLOCKS, 0);
  version->part_bytes = (uint32_t)attribute_number(op, ATTR_PART_BYTES, 0);
  version->cluster_blocks = (uint32_t)attribute_number(op, ATTR_CLUSTER_BLOCKS, 0);
  version->shared_bytes = (uint32_t)attribute_number(op, ATTR_SHARED_BYTES, 0);
  if (attribute_has(op, ATTR_LOW_OCCUPANCY_OF))
    add_condition(arena,
                  (tile_condition){.kind = TILE_CONDITION_FEW_BLOCKS,
                                   .value = few_blocks(machine, version,
                                                       attribute_has(op, ATTR_FEWER_BLOCKS))},
                  version);
  if (attribute_has(op, ATTR_SPLIT_ROWS))
    add_condition(arena,
                  (tile_condition){.kind = TILE_CONDITION_SPLIT_ROWS,
                                   .value = attribute_number(op, ATTR_SPLIT_ROWS, 0)},
                  version);
  return kernel_maps_read(op, arena, kernel, version);
}

/* 0: it is for any number. */
static int64_t most_blocks(const tile_kernel_version *version) {
  for (size_t i = 0; i < version->condition_count; i++)
    if (version->conditions[i].kind == TILE_CONDITION_FEW_BLOCKS)
      return version->conditions[i].value;
  return 0;
}

/* Whether a version is tried before another one: with tensor maps, or with more conditions; of two
   for few blocks that for fewer. */
static bool goes_before(const tile_kernel_version *version, const tile_kernel_version *other) {
  if (!version->map_count != !other->map_count)
    return version->map_count > 0;
  if (version->condition_count != other->condition_count)
    return version->condition_count > other->condition_count;
  return most_blocks(version) <= most_blocks(other) || !most_blocks(other);
}

/* Adds a version to a kernel, in its place. */
static void add_version(struct arena *arena, tile_kernel_info *kernel,
                        const tile_kernel_version *version) {
  tile_kernel_version *versions =
      ARENA_ARRAY(arena, tile_kernel_version, kernel->version_count + 1);
  size_t place = 0;
  while (place < kernel->version_count && !goes_before(version, &kernel->versions[place]))
    place++;
  for (size_t i = 0; i <= kernel->version_count; i++) {
    versions[i] = i == place ? *version : kernel->versions[i - (i > place)];
    versions[i].index = (uint32_t)i;
  }
  kernel->versions = versions;
  kernel->version_count++;
}

tile_status kernel_infos_complete(struct session *session, MlirModule module,
                                  const struct machine *machine, struct arena *arena,
                                  struct kernel_infos *infos) {
  int64_t warps = attribute_number(mlirModuleGetOperation(module), ATTR_NUM_WARPS, 1);
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (kind_of(session, op) != OP_LLVM_FUNC)
      continue;
    MlirStringRef name = symbol_kernel_name(op);
    for (size_t i = 0; i < infos->count; i++) {
      if (!ref_equals(name, infos->kernels[i].name))
        continue;
      tile_kernel_version version = infos->versions[i];
      TRY(complete_version(op, warps, machine, arena, &infos->kernels[i], &version));
      add_version(arena, &infos->kernels[i], &version);
      TRY(check_parameters(&infos->kernels[i]));
    }
  }
  return NULL;
}

void kernel_infos_add_report(struct kernel_infos *infos, const char *report) {
  for (size_t i = 0; i < infos->count; i++)
    for (size_t v = 0; v < infos->kernels[i].version_count; v++) {
      /* ours: add_version */
      tile_kernel_version *version = (tile_kernel_version *)&infos->kernels[i].versions[v];
      struct ptxas_usage usage = ptxas_usage(report, version->symbol);
      version->registers = usage.registers;
      version->local_bytes = usage.local_bytes;
      version->spill_bytes = usage.spill_bytes;
    }
}

tile_status kernel_infos_find(const struct kernel_infos *infos, const char *name,
                              const tile_kernel_info **out) {
  *out = NULL;
  struct text names = {0};
  for (size_t i = 0; i < infos->count; i++) {
    text_printf(&names, "%s%s", i ? ", " : "", infos->kernels[i].name);
    if (!name || strcmp(infos->kernels[i].name, name) == 0)
      *out = &infos->kernels[i];
  }
  tile_status status = NULL;
  if (infos->count == 0)
    status = FAIL(TILE_NOT_FOUND, "the module has no kernel: no function is marked tile.kernel");
  else if (!name && infos->count > 1)
    status = FAIL(TILE_INVALID_ARGUMENT, "the module has %zu kernels; choose one with --kernel: %s",
                  infos->count, text_string(&names));
  else if (!*out)
    status =
        FAIL(TILE_NOT_FOUND, "there is no kernel '%s'; there is %s", name, text_string(&names));
  text_free(&names);
  return status;
}
