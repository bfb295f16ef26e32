/* SPDX-License-Identifier: MIT */
/* map_elementwise(scalar_fn, x, y, ..., pack): a function of scalars on each element of tiles.

   The function is called once, in the region of a tile.map: with one element of each tile, or with
   `pack` of each, those of the first tile first. It returns one value, or a tuple; with `pack`, so
   many values of the first result, then of the second. */
#include "frontend/check/checker.h"

enum { MAX_TILES = 8, MAX_PACKED = 16 };

struct mapping {
  const struct builtin_call *call;
  struct value operands[MAX_TILES];
  size_t operand_count;
  int64_t pack;
  struct value results[MAX_TILES * MAX_PACKED]; /* of the function */
  size_t result_count;
  bool single;
};

/* The tiles in one shape; numbers have the type that they have on their own. */
static bool read_tiles(struct checker *c, struct mapping *map) {
  const struct argument *argument = &map->call->arguments[1];
  const struct value *items;
  argument_items(argument, &items, &map->operand_count);
  if (map->operand_count < 1 || map->operand_count > MAX_TILES)
    return check_fail(c, argument->span, "a function is mapped over one to %d tiles, not %zu",
                      MAX_TILES, map->operand_count);
  for (size_t i = 0; i < map->operand_count; i++)
    if (!emit_runtime(&c->e, &items[i], &map->operands[i]))
      return check_fail_emitter(c, argument->span);
  for (size_t i = 1; i < map->operand_count; i++)
    if (!emit_broadcast(&c->e, &map->operands[0], &map->operands[i]))
      return check_fail_emitter(c, argument->span);
  for (size_t i = 1; i < map->operand_count; i++)
    if (!emit_broadcast(&c->e, &map->operands[0], &map->operands[i]))
      return check_fail_emitter(c, argument->span);
  return true;
}

static bool read_pack(struct checker *c, struct mapping *map) {
  const struct argument *argument = &map->call->arguments[2];
  if (!argument_integer(c, argument, 1, &map->pack))
    return false;
  int64_t elements = type_elements(mlirValueGetType(map->operands[0].run_time.ir));
  if (map->pack >= 1 && map->pack <= MAX_PACKED && !(map->pack & (map->pack - 1)) &&
      map->pack <= elements)
    return true;
  return check_fail(c, argument->span,
                    "pack is 1, 2, 4, 8 or 16 and at most the number of elements (%lld), not %lld",
                    (long long)elements, (long long)map->pack);
}

/* What the function returned, as run-time scalars: `pack` of one type for each result. */
static bool read_results(struct checker *c, struct mapping *map, const struct value *returned) {
  struct span span = map->call->span;
  map->single = returned->kind != VALUE_TUPLE;
  const struct value *items = map->single ? returned : returned->tuple.items;
  map->result_count = map->single ? 1 : returned->tuple.count;
  size_t pack = (size_t)map->pack;
  if (map->result_count == 0 || map->result_count % pack || map->result_count > MAX_TILES * pack)
    return check_fail(c, span,
                      "the function returns %zu value%s; it returns one to %d results, each "
                      "as %zu value%s",
                      map->result_count, map->result_count == 1 ? "" : "s", MAX_TILES, pack,
                      pack == 1 ? "" : "s");
  for (size_t i = 0; i < map->result_count; i++) {
    struct argument item = {items[i], span, true};
    if (!argument_run_time(c, &item, &map->results[i]))
      return false;
    if (type_is_tensor(mlirValueGetType(map->results[i].run_time.ir)))
      return argument_fail(c, &item, "a scalar as the result of the function");
    if (!dtype_equal(map->results[i].run_time.dtype, map->results[i / pack * pack].run_time.dtype))
      return check_fail(c, span, "the %zu values of a result have one type", pack);
  }
  return true;
}

static bool call_function(struct checker *c, struct mapping *map, MlirBlock block) {
  struct value arguments[MAX_TILES * MAX_PACKED], returned;
  MlirValue yielded[MAX_TILES * MAX_PACKED];
  size_t pack = (size_t)map->pack, count = map->operand_count * pack;
  for (size_t i = 0; i < count; i++)
    arguments[i] = value_runtime(mlirBlockGetArgument(block, (intptr_t)i),
                                 map->operands[i / pack].run_time.dtype);
  if (!check_apply(c, &map->call->arguments[0].value, arguments, count, map->call->span,
                   &returned) ||
      !read_results(c, map, &returned))
    return false;
  check_locate(c, map->call->span);
  for (size_t i = 0; i < map->result_count; i++)
    yielded[i] = map->results[i].run_time.ir;
  BUILD_OP(&c->e.b, "gpu.yield", .in = yielded, .in_count = (intptr_t)map->result_count);
  return true;
}

/* The region, filled; a null one after a problem. */
static MlirRegion make_region(struct checker *c, struct mapping *map) {
  MlirType types[MAX_TILES * MAX_PACKED];
  size_t pack = (size_t)map->pack, count = map->operand_count * pack;
  for (size_t i = 0; i < count; i++)
    types[i] = dtype_to_mlir(&c->e, map->operands[i / pack].run_time.dtype);
  MlirRegion region = region_with_block(&c->e.b, (intptr_t)count, types);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  struct builder outside = c->e.b;
  c->e.b = builder_at_end(c->e.session->context, block, outside.location);
  bool good = call_function(c, map, block);
  c->e.b = outside;
  if (good)
    return region;
  mlirRegionDestroy(region);
  return (MlirRegion){0};
}

static MlirLogicalResult find_effect(MlirOperation op, void *data) {
  struct session *session = data;
  enum op_effects effects = op_info(&session->names, op)->effects;
  return effects == EFFECTS_READ || effects == EFFECTS_WRITE ? FAILURE : SUCCESS;
}

static bool build_map(struct checker *c, struct mapping *map, struct value *out) {
  struct value results[MAX_TILES];
  MlirValue in[MAX_TILES];
  MlirType types[MAX_TILES];
  MlirRegion region = make_region(c, map);
  if (mlirRegionIsNull(region))
    return false;
  size_t pack = (size_t)map->pack, count = map->result_count / pack;
  for (size_t i = 0; i < map->operand_count; i++)
    in[i] = map->operands[i].run_time.ir;
  for (size_t i = 0; i < count; i++)
    types[i] = tile_type_like(&c->e, in[0], map->results[i * pack].run_time.dtype);
  MlirNamedAttribute attributes[] = {
      integer_attribute(&c->e, "pack", map->pack),
      segments_attribute(&c->e, "operandSegmentSizes", map->operand_count),
      segments_attribute(&c->e, "resultSegmentSizes", count),
  };
  MlirOperation op =
      BUILD_OP(&c->e.b, "tile.map", .in = in, .in_count = (intptr_t)map->operand_count,
               .out = types, .out_count = (intptr_t)count, .attributes = attributes,
               .attribute_count = 3, REGIONS(region));
  if (FAILED(visit_operations(op, find_effect, c->e.session)))
    return check_fail(c, map->call->span,
                      "the function reads or writes memory; it computes with its arguments only");
  for (size_t i = 0; i < count; i++)
    results[i] = value_runtime(op_result(op, (intptr_t)i), map->results[i * pack].run_time.dtype);
  *out = map->single ? results[0] : value_tuple(&c->e.arena, results, count);
  return true;
}

bool builtin_map_elementwise(struct checker *c, const struct builtin_call *call,
                             struct value *out) {
  struct mapping map = {.call = call};
  const struct value *function = &call->arguments[0].value;
  if (function->kind != VALUE_FUNCTION && function->kind != VALUE_BUILTIN)
    return argument_fail(c, &call->arguments[0], "a function decorated with triton.jit");
  if (!read_tiles(c, &map) || !read_pack(c, &map))
    return false;
  if (type_is_tensor(mlirValueGetType(map.operands[0].run_time.ir)))
    return build_map(c, &map, out);
  return check_apply(c, function, map.operands, map.operand_count, call->span, out);
}
