/* SPDX-License-Identifier: MIT */
/* tile-version-descriptors: a second version of kernels whose products read blocks that the copy
   engine can bring.

     kernel @k(%p, %m, %n)                     kernel @k$tma(%p, %m, %n, %d)   made by the launch
       %d = tile.make_descriptor %p, ...         for ...
       for ...                            ->       %a = tile.descriptor_load %d, ...
         %a = tile.descriptor_load %d, ...     kernel @k(%p, %m, %n)           as it was
         ... tile.dot %a, ...

   Needs: tensors without layouts, tile-inline before it. Keeps: each kernel as it is, for launches
   whose arguments a descriptor cannot say (runtime/tensor_maps.h), and for targets without copy
   engine. Adds the version before it, with one parameter for each descriptor (ir/tensor_maps.h) of
   loads in loops that end up in products, and of those before all loops that dots alone read.
   tile-gpu-pipeline takes it away again where the loads could not be pipelined. Not where all such
   loops are known to end after two iterations.

   A descriptor's parts are what the launch knows: parameters, and products of them and constants;
   a base that moves from program to program is places in outer dimensions (outer_descriptors.h).
   Other descriptors are left to tile-decompose-descriptors. */
#include "analysis/loop_schedule.h"
#include "analysis/loop_stages.h"
#include "analysis/offsets.h"
#include "analysis/row_axis.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tensor_maps.h"
#include "ir/tile_ops.h"
#include "transforms/coarsen_blocks.h"
#include "transforms/find_descriptors.h"
#include "transforms/outer_descriptors.h"
#include "transforms/versions.h"

struct versioning {
  struct session *session;
  MlirOperation kernel;
  struct map described;  /* MlirOperation.ptr of each tile.make_descriptor of the kernel's own */
  struct map parameters; /* MlirOperation.ptr of a tile.make_descriptor, or of a load before all
                            loops -> its parameter's pointer */
  bool pays;             /* there is a load through a parameter that may be copied often enough */
};

static MlirLogicalResult note_described(MlirOperation op, void *data) {
  struct versioning *state = data;
  if (op_is(state->session, op, OP_TILE_MAKE_DESCRIPTOR))
    map_set(&state->described, op.ptr, op.ptr);
  return SUCCESS;
}

/* Are a block's rows along the dimension that its product sums up? As far as is known, through
   conversions and permutations. */
static bool has_rows_along_k(struct session *session, MlirOperation load) {
  MlirValue value = op_result(load, 0);
  int row = (int)mlirShapedTypeGetRank(mlirValueGetType(value)) - 1;
  for (MlirOperation user = only_user(value); !mlirOperationIsNull(user); user = only_user(value)) {
    if (op_has(session, user, IS_DOT)) {
      int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(value));
      bool first = mlirValueEqual(op_operand(user, 0), value);
      return row == (first ? rank - 1 : rank - 2);
    }
    if (op_is(session, user, OP_TILE_PERMUTE))
      row = row_axis_after(session, user, row);
    else if (!op_has(session, user, IS_ELEMENTWISE))
      return true;
    value = op_result(user, 0);
  }
  return true;
}

/* Rows along K that are shorter than a cache line take as many requests as when threads make them,
   which tile-coarsen-k mends for pointers. */
static bool has_long_rows(struct session *session, MlirOperation load) {
  int64_t shape[MAX_RANK];
  MlirType block = op_result_type(load, 0);
  int rank = type_shape(block, shape);
  return shape[rank - 1] * type_bytes(&session->types, type_element(block)) >=
             machine_of(load)->line_bytes ||
         !has_rows_along_k(session, load);
}

/* Is it loaded before all loops, for products alone? */
static bool is_before_loops(struct session *session, MlirOperation load) {
  return !is_in_loop(session, load) && feeds_only_products(session, op_result(load, 0));
}

/* The copy engine reads past the order of the kernel's own accesses: not what the kernel writes. */
static bool is_candidate(struct versioning *state, MlirOperation op) {
  struct session *session = state->session;
  if (!op_is(session, op, OP_TILE_DESCRIPTOR_LOAD) ||
      !(is_in_loop(session, op) ? feeds_product(session, op_result(op, 0))
                                : is_before_loops(session, op)))
    return false;
  MlirOperation make = value_definition(op_operand(op, 0));
  return op_is(session, make, OP_TILE_MAKE_DESCRIPTOR) &&
         (map_get(&state->described, make.ptr) || has_long_rows(session, op)) &&
         !mlirAttributeIsNull(tensor_map_recipe(session, make)) &&
         !parameter_is_written(session, op_operand(make, 0));
}

/* Does a loop around the load have more than FEW_TRIPS iterations, as far as is known? Threads
   start the copies of so few before the loop, in less shared memory and without mbarriers. */
static bool is_repeated(struct session *session, MlirOperation load) {
  enum { FEW_TRIPS = 2 };
  bool exact;
  MlirOperation op = mlirOperationGetParentOperation(load);
  for (; !op_is(session, op, OP_FUNC); op = mlirOperationGetParentOperation(op)) {
    int64_t trips = op_is(session, op, OP_SCF_FOR) ? loop_most_trips(session, op, &exact) : 1;
    if (trips == 0 || trips > FEW_TRIPS)
      return true;
  }
  return false;
}

static MlirLogicalResult look_at_candidate(MlirOperation op, void *data) {
  struct versioning *state = data;
  state->pays |=
      is_in_loop(state->session, op) && is_candidate(state, op) && is_repeated(state->session, op);
  return SUCCESS;
}

/* What is loaded before all loops has a parameter of its own: it may lie in shared memory in
   another way. */
static MlirValue parameter_of(struct versioning *state, MlirOperation load) {
  MlirOperation make = value_definition(op_operand(load, 0));
  void *key = is_in_loop(state->session, load) ? make.ptr : load.ptr;
  void *known = map_get(&state->parameters, key);
  if (known)
    return (MlirValue){known};
  MlirContext context = state->session->context;
  MlirNamedAttribute recipe =
      attribute_with(context, ATTR_TENSOR_MAP, tensor_map_recipe(state->session, make));
  MlirValue parameter = function_add_parameter(state->kernel, op_result_type(make, 0),
                                               mlirDictionaryAttrGet(context, 1, &recipe));
  map_set(&state->parameters, key, (void *)parameter.ptr);
  return parameter;
}

static MlirLogicalResult take_parameter(MlirOperation op, void *data) {
  struct versioning *state = data;
  if (is_candidate(state, op))
    mlirOperationSetOperand(op, 0, parameter_of(state, op));
  return SUCCESS;
}

static MlirLogicalResult find_product(MlirOperation op, void *session) {
  return op_has(session, op, IS_DOT) && is_in_loop(session, op) ? FAILURE : SUCCESS;
}

static void coarsen_loops(struct session *session, MlirOperation kernel) {
  struct axis_analysis axis;
  axis_analysis_run(&axis, session, kernel);
  struct loop_list loops = loops_of(session, kernel);
  for (size_t i = 0; i < loops.count; i++)
    coarsen_blocks(session, &axis, loops.list[i]);
  loops_free(&loops);
  axis_analysis_destroy(&axis);
}

static void add_version(struct session *session, MlirOperation kernel) {
  struct versioning state = {.session = session};
  if (!FAILED(visit_operations(kernel, find_product, session)))
    return;
  state.kernel = version_clone(session, kernel, "$tma", ATTR_TENSOR_MAPS_OF);
  if (mlirOperationIsNull(state.kernel))
    return;
  outer_descriptors(session, state.kernel);
  visit_operations(state.kernel, note_described, &state);
  find_descriptors(session, state.kernel, false);
  coarsen_loops(session, state.kernel);
  visit_operations(state.kernel, look_at_candidate, &state);
  if (state.pays)
    visit_operations(state.kernel, take_parameter, &state);
  else
    mlirOperationDestroy(state.kernel);
  map_free(&state.parameters);
  map_free(&state.described);
}

MlirLogicalResult run_version_descriptors(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  if (!machine_has(machine_of(module), FEATURE_BULK_COPY) ||
      attribute_has(module, ATTR_TENSOR_MAPS_OFF))
    return SUCCESS;
  MlirOperation op = {0};
  while (next_kernel(session, module, &op))
    if (!attribute_has(op, ATTR_TENSOR_MAPS_OF))
      add_version(session, op);
  return SUCCESS;
}
