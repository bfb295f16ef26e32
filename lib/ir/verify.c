/* SPDX-License-Identifier: MIT */
/* tile-verify: checks what IRDL cannot. Needs: any module. Keeps: everything; it only reads.

   Every tensor has a static power-of-two shape of rank 1 to 16 with at most 2^20 elements of a
   known type; in one function either no tensor has a layout (tile) or all have (tile_gpu); an
   elementwise operation has one layout throughout; and each of our operations satisfies its own
   rule. */
#include "ir/verify.h"

#include <string.h>
#include "base/machine.h"
#include "ir/tile_ops.h"
#include "ir/waits.h"

const char *show_type(MlirType type, struct text *text) {
  type_print(type, text);
  return text_string(text);
}

static MlirLogicalResult fail_type(MlirOperation op, MlirType type, const char *what) {
  struct text text = {0};
  fail_op(op, "%s: %s", show_type(type, &text), what);
  text_free(&text);
  return FAILURE;
}

/* For sizes up to MAX_TILE_ELEMENTS. */
static int64_t next_power_of_two(int64_t value) {
  int64_t power = 1;
  while (power < value)
    power *= 2;
  return power;
}

_Static_assert(MAX_RANK == 16, "the message says 16");
static MlirLogicalResult verify_shape(MlirOperation op, MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank < 1 || rank > MAX_RANK)
    return fail_type(op, type, "a tile has 1 to 16 dimensions; use a scalar for rank 0");
  int64_t elements = 1;
  for (intptr_t i = 0; i < rank; i++) {
    if (mlirShapedTypeIsDynamicDim(type, i))
      return fail_type(op, type, "a tile's shape is static; mask a tile of fixed size instead");
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    struct text text = {0};
    MlirLogicalResult result = SUCCESS;
    if (size > MAX_TILE_ELEMENTS || elements * size > MAX_TILE_ELEMENTS)
      result = fail_op(op,
                       "%s: a tile has at most %d elements; split it into several programs or a "
                       "loop",
                       show_type(type, &text), MAX_TILE_ELEMENTS);
    else if (size <= 0 || (size & (size - 1)) != 0)
      result = fail_op(op,
                       "%s: dimension %d has size %lld, which is not a power of two; pad it to "
                       "%lld and mask the rest",
                       show_type(type, &text), (int)i, (long long)size,
                       (long long)next_power_of_two(size));
    text_free(&text);
    TRY_IR(result);
    elements *= size;
  }
  return SUCCESS;
}

/* The number of warps that the module around `op` is for; 0 before layouts are assigned. */
static int64_t module_warps(struct session *session, MlirOperation op) {
  while (!mlirOperationIsNull(op) && kind_of(session, op) != OP_MODULE)
    op = mlirOperationGetParentOperation(op);
  return mlirOperationIsNull(op) ? 0 : attribute_number(op, ATTR_NUM_WARPS, 0);
}

static MlirLogicalResult verify_layout(struct session *session, MlirOperation op, MlirType type) {
  MlirAttribute attribute = type_layout(type);
  if (mlirAttributeIsNull(attribute))
    return SUCCESS;
  const struct layout_info *info;
  tile_status status = layout_decode(&session->layouts, attribute, &info);
  struct text text = {0};
  MlirLogicalResult result = SUCCESS;
  if (status)
    result = fail_op(op, "%s: %s", show_type(type, &text), tile_status_message(status));
  else if (info->rank != mlirShapedTypeGetRank(type))
    result = fail_op(op, "%s: the layout is for rank %d, the tensor has rank %d",
                     show_type(type, &text), info->rank, (int)mlirShapedTypeGetRank(type));
  int64_t warps = module_warps(session, op);
  if (!FAILED(result) && warps && layout_warps(info) != warps)
    result = fail_op(op, "%s: the layout is for %d warps, the module has tile_gpu.num_warps = %lld",
                     show_type(type, &text), layout_warps(info), (long long)warps);
  tile_status_free(status);
  text_free(&text);
  return result;
}

/* A number, index, or a pointer to a number or pointer. */
static bool is_known_element(struct session *session, MlirType element) {
  if (!type_is_pointer(&session->types, element))
    return type_is_number(element) || mlirTypeIsAIndex(element);
  MlirType pointee = pointer_pointee(&session->types, element);
  if (mlirTypeIsNull(pointee))
    return false;
  return type_is_pointer(&session->types, pointee) ? is_known_element(session, pointee)
                                                   : type_is_number(pointee);
}

/* The block of a descriptor: what one access reads or writes. */
static MlirLogicalResult verify_block(struct session *session, MlirOperation op,
                                      MlirType descriptor) {
  MlirType block = descriptor_block(&session->types, descriptor);
  if (mlirTypeIsNull(block) || !type_is_tensor(block) || !type_is_number(type_element(block)) ||
      !mlirAttributeIsNull(type_layout(block)) ||
      mlirShapedTypeGetRank(block) > MAX_DESCRIPTOR_RANK)
    return fail_type(op, descriptor,
                     "a descriptor's block is a tensor of numbers with 1 to 5 dimensions, without "
                     "a layout");
  return verify_shape(op, block);
}

/* Checks a type that occurs on `op` (shape, element type, layout). */
static MlirLogicalResult verify_type(struct session *session, MlirOperation op, MlirType type) {
  if (type_is_pointer(&session->types, type) && !is_known_element(session, type))
    return fail_type(op, type,
                     "a pointer's pointee is i1, i8, i16, i32, i64, f16, bf16, f32, f64, an fp8 "
                     "type or a pointer");
  if (type_is_descriptor(&session->types, type))
    return verify_block(session, op, type);
  if (!mlirTypeIsATensor(type))
    return SUCCESS;
  if (!type_is_tensor(type))
    return fail_type(op, type, "a tile's shape is static; mask a tile of fixed size instead");
  if (!is_known_element(session, type_element(type)))
    return fail_type(
        op, type,
        "a tile's elements are i1, i8, i16, i32, i64, f16, bf16, f32, f64, fp8 or pointers");
  TRY_IR(verify_shape(op, type));
  return verify_layout(session, op, type);
}

/* --- One function is either before or after layout assignment --------------------------------- */

struct walk_state {
  struct session *session;
  bool any_layout, any_plain; /* in the current function */
};

static void note_layout(struct walk_state *state, MlirType type) {
  if (!type_is_tensor(type))
    return;
  if (mlirAttributeIsNull(type_layout(type)))
    state->any_plain = true;
  else
    state->any_layout = true;
}

static MlirLogicalResult verify_one_layout(MlirOperation op) {
  MlirAttribute layout = {0};
  bool seen = false;
  intptr_t operands = mlirOperationGetNumOperands(op);
  intptr_t count = operands + mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; i++) {
    MlirType type = i < operands ? op_operand_type(op, i) : op_result_type(op, i - operands);
    if (!type_is_tensor(type))
      continue;
    MlirAttribute here = type_layout(type);
    if (seen && here.ptr != layout.ptr)
      return fail_op(op, "operands and results have different layouts; insert "
                         "tile_gpu.convert_layout");
    layout = here;
    seen = true;
  }
  return SUCCESS;
}

static MlirLogicalResult verify_block_arguments(struct walk_state *state, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
        MlirType type = mlirValueGetType(mlirBlockGetArgument(block, i));
        TRY_IR(verify_type(state->session, op, type));
        note_layout(state, type);
      }
  }
  return SUCCESS;
}

/* Of an operation that waits in this way. */
static MlirLogicalResult verify_pending(MlirOperation op, enum way_of_waiting way) {
  if (way == WAY_COUNT || wait_table[way].most_pending < 0)
    return SUCCESS;
  int64_t pending = op_integer(op, "pending", -1);
  if (pending < 0 || pending > wait_table[way].most_pending)
    return fail_op(op, "pending is an integer from 0 to %d", wait_table[way].most_pending);
  return SUCCESS;
}

static verify_rule *const rules[OP_KIND_COUNT] = {
#define X(kind, rule) [OP_##kind] = rule,
#include "ir/verify.def"
#undef X
};

static MlirLogicalResult verify_operation(MlirOperation op, void *data) {
  struct walk_state *state = data;
  TRY_IR(verify_attributes(op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    TRY_IR(verify_type(state->session, op, op_operand_type(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    TRY_IR(verify_type(state->session, op, op_result_type(op, i)));
    note_layout(state, op_result_type(op, i));
  }
  TRY_IR(verify_block_arguments(state, op));
  if (op_has(state->session, op, IS_ELEMENTWISE))
    TRY_IR(verify_one_layout(op));
  enum op_kind kind = kind_of(state->session, op);
  TRY_IR(verify_pending(op, way_waited_by(kind)));
  return rules[kind] ? rules[kind](state->session, op) : SUCCESS;
}

static MlirLogicalResult verify_has_body(MlirOperation function) {
  if (mlirOperationGetNumRegions(function) != 1 || mlirBlockIsNull(op_body(function, 0)))
    return fail_op(function, "the kernel has no body; define it in this module");
  return SUCCESS;
}

/* Other names that PTX does not have are changed (symbol_names.h). */
static MlirLogicalResult verify_kernel_name(MlirOperation function) {
  MlirStringRef name = op_string(function, "sym_name");
  if (name.length == 0)
    return fail_op(function, "the kernel has no name; give it one, so that a launch can name it");
  if (memchr(name.data, 0, name.length))
    return fail_op(function, "the kernel's name has a zero byte, where names end; leave it out");
  return SUCCESS;
}

static MlirLogicalResult verify_kernel_attributes(MlirOperation function) {
  if (!attribute_has(function, ATTR_KERNEL))
    return SUCCESS;
  TRY_IR(verify_has_body(function));
  TRY_IR(verify_kernel_name(function));
  MlirAttribute type = mlirOperationGetAttributeByName(function, ref("function_type"));
  MlirType signature = mlirTypeAttrGetValue(type);
  if (mlirTypeIsAFunction(signature) && mlirFunctionTypeGetNumResults(signature) != 0)
    return fail_op(function, "a kernel returns nothing; store results through pointer arguments");
  return SUCCESS;
}

static MlirLogicalResult verify_function(struct session *session, MlirOperation function) {
  struct walk_state state = {.session = session};
  TRY_IR(verify_attributes(function));
  TRY_IR(verify_parameter_attributes(function));
  TRY_IR(verify_kernel_attributes(function));
  TRY_IR(verify_block_arguments(&state, function));
  TRY_IR(visit_operations(function, verify_operation, &state));
  if (state.any_layout && state.any_plain)
    return fail_op(function, "some tensors have a layout and some have none; run "
                             "tile-assign-layouts on the whole function");
  return SUCCESS;
}

static MlirLogicalResult verify_target(MlirOperation module) {
  MlirStringRef name = attribute_text(module, ATTR_TARGET);
  if (!attribute_has(module, ATTR_TARGET) || machine_find(name.data, name.length))
    return SUCCESS;
  struct text known = {0};
  for (size_t i = 0; i < machine_count; i++)
    text_printf(&known, "%s%s", i ? ", " : "", machines[i].name);
  fail_op(module, "tile_gpu.target names no target; it is one of %s", text_string(&known));
  text_free(&known);
  return FAILURE;
}

static MlirLogicalResult verify_module(MlirOperation module) {
  TRY_IR(verify_target(module));
  if (!attribute_has(module, ATTR_NUM_WARPS))
    return SUCCESS;
  int64_t warps = attribute_number(module, ATTR_NUM_WARPS, 0);
  if (!machine_is_warp_count(warps))
    return fail_op(module, "tile_gpu.num_warps is a power of two from 1 to %d, not %lld",
                   MACHINE_BLOCK_WARPS, (long long)warps);
  return SUCCESS;
}

static MlirLogicalResult verify_inside(struct session *session, MlirOperation op);

/* An operation that is in no func.func, and what is in it. */
static MlirLogicalResult verify_top(struct session *session, MlirOperation op) {
  if (kind_of(session, op) == OP_FUNC)
    return verify_function(session, op);
  if (kind_of(session, op) == OP_MODULE)
    TRY_IR(verify_module(op));
  if (kind_of(session, op) == OP_LLVM_FUNC && attribute_has(op, ATTR_NVVM_KERNEL)) {
    TRY_IR(verify_parameter_attributes(op));
    TRY_IR(verify_has_body(op));
    TRY_IR(verify_kernel_name(op));
  }
  struct walk_state state = {.session = session};
  TRY_IR(verify_operation(op, &state));
  return verify_inside(session, op);
}

static MlirLogicalResult verify_inside(struct session *session, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation child = mlirBlockGetFirstOperation(block);
      for (; !mlirOperationIsNull(child); child = mlirOperationGetNextInBlock(child))
        TRY_IR(verify_top(session, child));
    }
  }
  return SUCCESS;
}

MlirLogicalResult run_verify(struct pass_context *context, MlirOperation root) {
  return verify_top(context->session, root);
}

MlirLogicalResult verify_num_warps(MlirOperation module, const char *pass, int64_t num_warps) {
  if (machine_is_warp_count(num_warps))
    return SUCCESS;
  return fail_at(mlirOperationGetLocation(module),
                 "%s: num-warps = %lld is not a power of two from 1 to %d", pass,
                 (long long)num_warps, MACHINE_BLOCK_WARPS);
}
