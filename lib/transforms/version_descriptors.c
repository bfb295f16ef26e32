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
   loads in loops that end up in products. tile-gpu-pipeline takes it away again where the loads
   could not be pipelined.

   A descriptor's parts are what the launch knows: parameters, and products of them and constants.
   Other descriptors are left to tile-decompose-descriptors. */
#include "analysis/loop_schedule.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tensor_maps.h"
#include "ir/tile_ops.h"
#include "transforms/find_descriptors.h"
#include "transforms/versions.h"

struct versioning {
  struct session *session;
  MlirOperation kernel;
  struct map
      parameters; /* MlirOperation.ptr of a tile.make_descriptor -> its parameter's pointer */
  int count;      /* loads through parameters */
};

/* The copy engine reads past the order of the kernel's own accesses: not what the kernel writes. */
static bool is_candidate(struct session *session, MlirOperation op) {
  if (!op_is(session, op, OP_TILE_DESCRIPTOR_LOAD) || !is_in_loop(session, op) ||
      !feeds_product(session, op_result(op, 0)))
    return false;
  MlirOperation make = value_definition(op_operand(op, 0));
  return op_is(session, make, OP_TILE_MAKE_DESCRIPTOR) &&
         !mlirAttributeIsNull(tensor_map_recipe(session, make)) &&
         !parameter_is_written(session, op_operand(make, 0));
}

static MlirLogicalResult count_candidate(MlirOperation op, void *data) {
  struct versioning *state = data;
  state->count += is_candidate(state->session, op);
  return SUCCESS;
}

static MlirValue parameter_of(struct versioning *state, MlirOperation make) {
  void *known = map_get(&state->parameters, make.ptr);
  if (known)
    return (MlirValue){known};
  MlirContext context = state->session->context;
  MlirNamedAttribute recipe =
      attribute_with(context, ATTR_TENSOR_MAP, tensor_map_recipe(state->session, make));
  MlirValue parameter = function_add_parameter(state->kernel, op_result_type(make, 0),
                                               mlirDictionaryAttrGet(context, 1, &recipe));
  map_set(&state->parameters, make.ptr, (void *)parameter.ptr);
  return parameter;
}

static MlirLogicalResult take_parameter(MlirOperation op, void *data) {
  struct versioning *state = data;
  if (is_candidate(state->session, op))
    mlirOperationSetOperand(op, 0, parameter_of(state, value_definition(op_operand(op, 0))));
  return SUCCESS;
}

static MlirLogicalResult find_product(MlirOperation op, void *session) {
  return op_has(session, op, IS_PRODUCT) && is_in_loop(session, op) ? FAILURE : SUCCESS;
}

static void add_version(struct session *session, MlirOperation kernel) {
  struct versioning state = {.session = session};
  if (!FAILED(visit_operations(kernel, find_product, session)))
    return;
  state.kernel = version_clone(session, kernel, "$tma", ATTR_TENSOR_MAPS_OF);
  if (mlirOperationIsNull(state.kernel))
    return;
  find_descriptors(session, state.kernel, false);
  visit_operations(state.kernel, count_candidate, &state);
  if (state.count)
    visit_operations(state.kernel, take_parameter, &state);
  else
    mlirOperationDestroy(state.kernel);
  map_free(&state.parameters);
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
