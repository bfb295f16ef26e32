/* SPDX-License-Identifier: MIT */
/* See combine.h. */
#include "frontend/check/combine.h"

/* --- Arguments -------------------------------------------------------------------------------- */

static int rank_of(const struct value *value, int64_t *shape) {
  return type_shape(mlirValueGetType(value->run_time.ir), shape);
}

bool combine_read_axis(struct checker *c, struct combination *combination,
                       const struct argument *argument) {
  int64_t shape[MAX_RANK];
  int rank = rank_of(&combination->operands[0], shape);
  combination->all = !argument_given(argument);
  if (combination->all)
    return true;
  if (rank == 0)
    return check_fail(c, argument->span, "a scalar has no axis");
  return argument_axis(c, argument, rank, 0, &combination->axis);
}

bool combine_read_operands(struct checker *c, struct combination *combination,
                           const struct argument *argument) {
  const struct value *items;
  argument_items(argument, &items, &combination->count);
  if (combination->count == 0 || combination->count > MAX_COMBINED)
    return check_fail(c, argument->span, "one to %d tiles are combined together, not %zu",
                      MAX_COMBINED, combination->count);
  for (size_t i = 0; i < combination->count; i++) {
    struct argument item = {items[i], argument->span, true};
    if (items[i].kind == VALUE_RUNTIME && dtype_is_pointer(items[i].run_time.dtype))
      return argument_fail(c, &item, "a tile of numbers");
    if (!argument_run_time(c, &item, &combination->operands[i]))
      return false;
    if (!type_same_shape(mlirValueGetType(combination->operands[0].run_time.ir),
                         mlirValueGetType(combination->operands[i].run_time.ir)))
      return check_fail(c, argument->span,
                        "tiles that are combined together have one shape; broadcast them first");
  }
  return true;
}

void combine_flatten(struct checker *c, struct combination *combination, bool any_order) {
  MlirNamedAttribute reorder = unit_attribute(&c->e, "reorder");
  for (size_t i = 0; i < combination->count; i++) {
    MlirValue *ir = &combination->operands[i].run_time.ir;
    int64_t shape[MAX_RANK], elements = type_elements(mlirValueGetType(*ir));
    if (rank_of(&combination->operands[i], shape) < 2)
      continue;
    MlirType type =
        tensor_type(1, &elements, type_element(mlirValueGetType(*ir)), (MlirAttribute){0});
    *ir = BUILD(&c->e.b, "tile.reshape", .in = ir, .in_count = 1, OUT(type), .attributes = &reorder,
                .attribute_count = any_order);
  }
}

struct dtype combine_sum_dtype(struct dtype dtype) {
  if (!dtype_is_integer(dtype) || dtype_bits(dtype) >= 32)
    return dtype;
  bool is_unsigned = dtype_is_unsigned(dtype) || dtype_is_bool(dtype);
  return is_unsigned ? DTYPE(UINT32) : DTYPE(INT32);
}

/* --- The region ------------------------------------------------------------------------------- */

bool combine_binary(struct checker *c, const struct combination *combination,
                    const struct value *values, struct value *results) {
  return emit_binary(&c->e, combination->operation, &values[0], &values[1], results);
}

bool combine_callee(struct checker *c, const struct combination *combination,
                    const struct value *values, struct value *results) {
  struct value result;
  size_t count = combination->count;
  if (!check_apply(c, combination->callee, values, 2 * count, combination->call->span, &result))
    return false;
  bool tuple = result.kind == VALUE_TUPLE;
  if (tuple ? result.tuple.count != count : count != 1)
    return check_fail(c, combination->call->span, "the combiner gives %zu value%s for %zu tile%s",
                      tuple ? result.tuple.count : 1, tuple && result.tuple.count != 1 ? "s" : "",
                      count, count == 1 ? "" : "s");
  for (size_t i = 0; i < count; i++)
    results[i] = tuple ? result.tuple.items[i] : result;
  return true;
}

/* A result has its operand's type; a number that is known at compile time takes it. */
static bool fit_result(struct checker *c, const struct combination *combination, size_t i,
                       struct value *result) {
  struct span span = combination->call->span;
  struct dtype wanted = combination->operands[i].run_time.dtype;
  if (value_is_number(result)) {
    struct value number = *result;
    return emit_number(&c->e, &number, wanted, result) || check_fail_emitter(c, span);
  }
  if (result->kind == VALUE_RUNTIME && dtype_equal(result->run_time.dtype, wanted) &&
      !type_is_tensor(mlirValueGetType(result->run_time.ir)))
    return true;
  return check_fail(c, span,
                    "the combiner gives %s for elements of type %s; it keeps the type (cast with "
                    ".to(), or cast the tile before)",
                    value_describe(&c->e.arena, result), dtype_text(&c->e.arena, wanted));
}

static bool is_unused(struct checker *c, MlirOperation op) {
  enum op_effects effects = op_info(&c->e.session->names, op)->effects;
  bool unused = effects == EFFECTS_PURE || effects == EFFECTS_PURE_MAY_TRAP;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && unused; i++)
    unused = mlirOpOperandIsNull(mlirValueGetFirstUse(op_result(op, i)));
  return unused;
}

/* A combiner may make a tile for its type alone, and whatever else it does not use. */
static void remove_unused(struct checker *c, MlirBlock block) {
  size_t count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count++;
  MlirOperation *all = ARENA_ARRAY(&c->e.arena, MlirOperation, count + 1);
  op = mlirBlockGetFirstOperation(block);
  for (size_t i = 0; i < count; i++, op = mlirOperationGetNextInBlock(op))
    all[i] = op;
  while (count-- > 0)
    if (is_unused(c, all[count]))
      mlirOperationDestroy(all[count]);
}

static bool fill_region(struct checker *c, const struct combination *combination,
                        MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  struct value values[2 * MAX_COMBINED], results[MAX_COMBINED];
  MlirValue yielded[MAX_COMBINED];
  size_t count = combination->count;
  for (size_t i = 0; i < 2 * count; i++)
    values[i] = value_runtime(mlirBlockGetArgument(block, (intptr_t)i),
                              combination->operands[i % count].run_time.dtype);
  if (!combination->combine(c, combination, values, results))
    return false;
  check_locate(c, combination->call->span);
  for (size_t i = 0; i < count; i++) {
    if (!fit_result(c, combination, i, &results[i]))
      return false;
    yielded[i] = results[i].run_time.ir;
  }
  BUILD_OP(&c->e.b, "gpu.yield", .in = yielded, .in_count = (intptr_t)count);
  remove_unused(c, block);
  return true;
}

/* The region, filled; a null one after a problem. */
static MlirRegion make_region(struct checker *c, const struct combination *combination) {
  MlirType types[2 * MAX_COMBINED];
  size_t count = combination->count;
  for (size_t i = 0; i < 2 * count; i++)
    types[i] = dtype_to_mlir(&c->e, combination->operands[i % count].run_time.dtype);
  MlirRegion region = region_with_block(&c->e.b, (intptr_t)(2 * count), types);
  struct builder outside = c->e.b;
  c->e.b = builder_at_end(c->e.session->context, mlirRegionGetFirstBlock(region), outside.location);
  bool good = fill_region(c, combination, region);
  c->e.b = outside;
  if (!good) {
    mlirRegionDestroy(region);
    return (MlirRegion){0};
  }
  return region;
}

/* --- The operation ---------------------------------------------------------------------------- */

static MlirLogicalResult find_effect(MlirOperation op, void *data) {
  struct session *session = data;
  enum op_effects effects = op_info(&session->names, op)->effects;
  if (op_is(session, op, OP_TILE_ASSERT))
    return SUCCESS;
  return effects == EFFECTS_READ || effects == EFFECTS_WRITE ? FAILURE : SUCCESS;
}

/* Builds tile.reduce or tile.scan with results of the given types. */
static bool build_combination(struct checker *c, const struct combination *combination,
                              const char *name, const MlirType *types, bool scan,
                              struct value *results) {
  size_t count = combination->count;
  MlirRegion region = make_region(c, combination);
  if (mlirRegionIsNull(region))
    return false;
  MlirValue in[MAX_COMBINED];
  for (size_t i = 0; i < count; i++)
    in[i] = combination->operands[i].run_time.ir;
  MlirNamedAttribute attributes[] = {
      integer_attribute(&c->e, "axis", combination->axis),
      segments_attribute(&c->e, "operandSegmentSizes", count),
      segments_attribute(&c->e, "resultSegmentSizes", count),
      bool_attribute(&c->e, "reverse", combination->reverse),
  };
  MlirOperation op = BUILD_OP(&c->e.b, name, .in = in, .in_count = (intptr_t)count, .out = types,
                              .out_count = (intptr_t)count, .attributes = attributes,
                              .attribute_count = scan ? 4 : 3, REGIONS(region));
  for (size_t i = 0; i < count; i++)
    results[i] = value_runtime(op_result(op, (intptr_t)i), combination->operands[i].run_time.dtype);
  if (FAILED(visit_operations(op, find_effect, c->e.session)))
    return check_fail(c, combination->call->span,
                      "the combiner reads or writes memory; it computes with its arguments only");
  return true;
}

/* Puts back the axes of size 1 that keep_dims asks for. */
static bool keep_axes(struct checker *c, const struct combination *combination, int rank,
                      struct value *result) {
  int64_t ones[MAX_RANK];
  for (int i = 0; i < MAX_RANK; i++)
    ones[i] = 1;
  bool scalar = !type_is_tensor(mlirValueGetType(result->run_time.ir));
  return scalar ? emit_broadcast_to(&c->e, result, rank, ones)
                : emit_expand_dims(&c->e, result, combination->axis);
}

bool combine_reduce(struct checker *c, struct combination *combination, struct value *results) {
  int64_t shape[MAX_RANK];
  int rank = rank_of(&combination->operands[0], shape);
  MlirType types[MAX_COMBINED];
  if (rank == 0) { /* a scalar is its own reduction */
    for (size_t i = 0; i < combination->count; i++)
      results[i] = combination->operands[i];
    return true;
  }
  if (combination->all) {
    combine_flatten(c, combination, true);
    combination->axis = 0;
  }
  int left = rank_of(&combination->operands[0], shape) - 1;
  for (int i = combination->axis; i < left; i++)
    shape[i] = shape[i + 1];
  for (size_t i = 0; i < combination->count; i++) {
    MlirType element = dtype_to_mlir(&c->e, combination->operands[i].run_time.dtype);
    types[i] = left ? tensor_type(left, shape, element, (MlirAttribute){0}) : element;
  }
  if (!build_combination(c, combination, "tile.reduce", types, false, results))
    return false;
  for (size_t i = 0; combination->keep_dims && i < combination->count; i++)
    if (!keep_axes(c, combination, rank, &results[i]))
      return false;
  return true;
}

bool combine_scan(struct checker *c, const struct combination *combination, struct value *results) {
  MlirType types[MAX_COMBINED];
  for (size_t i = 0; i < combination->count; i++)
    types[i] = mlirValueGetType(combination->operands[i].run_time.ir);
  return build_combination(c, combination, "tile.scan", types, true, results);
}
