/* SPDX-License-Identifier: MIT */
/* Kernels over tensors become the program of one thread, for any device (device_ops.h): one
   llvm.func per kernel, of llvm, arith, math and scf operations and the device's own, on scalars
   and short vectors.

     func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel}  ->  llvm.func @k(%p: !llvm.ptr<1>)
 */
#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "analysis/pressure.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

static lower_rule *const rules[OP_KIND_COUNT] = {
#define X(kind, rule) [OP_##kind] = rule,
#include "lowering/tile_gpu_to_llvm/rules.def"
#undef X
#define F(kind, name, function) [OP_##kind] = lower_math,
#include "ir/math_functions.def"
#undef F
};

static lower_rule *find_rule(struct lowering *lw, MlirOperation op) {
  enum op_kind kind = kind_of(lw->session, op);
  if (lw->device->rules[kind])
    return lw->device->rules[kind];
  return kind_has(kind, IS_LOWERED_AS_IS) ? lower_elementwise : rules[kind];
}

MlirLogicalResult lower_block(struct lowering *lw, MlirBlock block) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationEqual(op, terminator); op = mlirOperationGetNextInBlock(op)) {
    lower_rule *rule = find_rule(lw, op);
    if (!rule)
      return fail_op(op,
                     "no lowering rule to %s; the dialect references in docs/dialects list "
                     "what kernels may contain",
                     lw->device->name);
    lw->b.location = mlirOperationGetLocation(op);
    TRY_IR(rule(lw, op));
  }
  return SUCCESS;
}

/* Refuses what the emitter cannot see through: several blocks, arguments without a register. */
static MlirLogicalResult check_function(struct lowering *lw, MlirOperation function) {
  MlirRegion region = mlirOperationGetRegion(function, 0);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return fail_op(function, "a kernel has one block; use scf.if and scf.for instead of branches");
  if (kind_of(lw->session, mlirBlockGetTerminator(block)) != OP_RETURN)
    return fail_op(mlirBlockGetTerminator(block), "a kernel ends in func.return");
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(block, i));
    if (!type_is_number(type) && !type_is_pointer(&lw->session->types, type) &&
        !type_is_descriptor(&lw->session->types, type)) {
      struct text text = {0};
      type_print(type, &text);
      fail_op(function,
              "kernel argument %d is %s; a kernel takes numbers, !tile.ptr<T> and "
              "!tile.descriptor<T>",
              (int)i, text_string(&text));
      text_free(&text);
      return FAILURE;
    }
  }
  return SUCCESS;
}

/* What tile-gpu-pack-programs says may have been written by hand. */
static MlirLogicalResult check_programs(MlirOperation function, int num_warps) {
  int64_t programs = attribute_number(function, ATTR_PROGRAMS_PER_BLOCK, 1);
  if (programs < 1 || (programs & (programs - 1)) != 0 ||
      programs > MACHINE_BLOCK_WARPS / num_warps)
    return fail_op(function,
                   "tile_gpu.programs_per_block = %lld is not a power of two from 1 to %d; a "
                   "block has %d warps, a program here %d",
                   (long long)programs, MACHINE_BLOCK_WARPS / num_warps, MACHINE_BLOCK_WARPS,
                   num_warps);
  if (programs > 1 && attribute_number(function, ATTR_SHARED_BYTES, 0) != 0)
    return fail_op(function, "programs with shared memory need a block each; leave "
                             "tile_gpu.programs_per_block to tile-gpu-pack-programs");
  return SUCCESS;
}

/* No more than the threads start with, as they are to give some away. */
static MlirLogicalResult check_producers(const struct lowering *lw, MlirOperation function) {
  if (!attribute_has(function, ATTR_PRODUCER_REGISTERS))
    return SUCCESS;
  if (lw->producer_warps == 0)
    return fail_op(function, "tile_gpu.producer_registers without warps that copy; give the kernel "
                             "tile_gpu.producer_warps, or leave it out");
  int64_t registers = attribute_number(function, ATTR_PRODUCER_REGISTERS, 0);
  int most = machine_role_registers(machine_of(lw->module), lw->num_warps, lw->producer_warps,
                                    MACHINE_PRODUCER_REGISTERS)
                 .launch;
  if (most == 0)
    return fail_op(function, "tile_gpu.producer_registers, but every thread of the block has all "
                             "registers that it can have; leave it out");
  if (registers < MACHINE_PRODUCER_REGISTERS || registers > most ||
      registers % MACHINE_REGISTER_STEP != 0)
    return fail_op(
        function,
        "tile_gpu.producer_registers = %lld is not a multiple of %d from %d to %d, which "
        "the block's threads start with",
        (long long)registers, MACHINE_REGISTER_STEP, MACHINE_PRODUCER_REGISTERS, most);
  return SUCCESS;
}

static MlirLogicalResult check_has_layout(MlirOperation op, void *data) {
  (void)data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirType type = op_result_type(op, i);
    if (type_is_tensor(type) && mlirAttributeIsNull(type_layout(type)))
      return fail_op(op, "the tensor has no layout; run tile-assign-layouts first");
  }
  return SUCCESS;
}

/* A thread has 255 registers of 32 bits; what is more lies in its local memory, which is slow and
   right. The limit is there for the time of compiling: ours grows with the number (1 s for 2048
   elements through an exponential), that of ptxas with about its cube (0.4 s of CPU for 512, 3 for
   1024, 20 for 2048). */
enum { MAX_REGISTERS = 4096 };

static MlirLogicalResult check_size(MlirOperation op, void *data) {
  struct lowering *lw = data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    int count = register_count(lw, op_result_type(op, i));
    if (count > MAX_REGISTERS)
      return fail_op(op,
                     "a thread would hold %d elements of this tile, the limit is %d; use a "
                     "smaller tile or more warps",
                     count, MAX_REGISTERS);
  }
  return SUCCESS;
}

/* --- The new function ------------------------------------------------------------------------- */

/* What the device says of descriptors among the parameters, as llvm.func has it. */
static void mark_descriptors(struct lowering *lw, MlirBlock old, MlirOperation function) {
  MlirContext context = lw->session->context;
  intptr_t count = mlirBlockGetNumArguments(old);
  intptr_t all = mlirBlockGetNumArguments(op_body(function, 0));
  MlirAttribute *list = ARENA_ARRAY(&lw->arena, MlirAttribute, (size_t)all + 1);
  bool any = false;
  for (intptr_t i = 0; i < all; i++)
    list[i] = mlirDictionaryAttrGet(context, 0, NULL);
  for (intptr_t i = 0; i < count; i++) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(old, i));
    if (!type_is_descriptor(&lw->session->types, type))
      continue;
    list[i] = lw->device->descriptor_attributes(context);
    any = true;
  }
  if (any)
    mlirOperationSetAttributeByName(function, ref("arg_attrs"),
                                    mlirArrayAttrGet(context, all, list));
}

static MlirOperation create_function(struct lowering *lw, MlirOperation old) {
  MlirContext context = lw->session->context;
  MlirBlock old_block = op_body(old, 0);
  intptr_t count = mlirBlockGetNumArguments(old_block);
  MlirType *types = ARENA_ARRAY(&lw->arena, MlirType, (size_t)count + 2);
  for (intptr_t i = 0; i < count; i++)
    types[i] = register_type(lw, mlirValueGetType(mlirBlockGetArgument(old_block, i)));
  if (lw->programs > 1)
    types[count++] = mlirIntegerTypeGet(context, 32);
  MlirType type = mlirLLVMFunctionTypeGet(mlirLLVMVoidTypeGet(context), count, types, false);
  struct builder b = builder_before(old);
  MlirOperation function =
      build_llvm_function(&b, mlirOperationGetAttributeByName(old, ref("sym_name")), type,
                          region_with_block(&b, count, types));
  mark_descriptors(lw, old_block, function);
  MlirAttribute registers = attribute_get(mlirOperationGetParentOperation(old), ATTR_MAXNREG);
  MlirAttribute few = attribute_get(old, ATTR_REGISTER_BOUND);
  if (!mlirAttributeIsNull(few))
    attribute_set(function, ATTR_REGISTER_BOUND, few);
  if (mlirAttributeIsNull(registers))
    registers = few;
  int warps = lw->num_warps * lw->programs + lw->producer_warps;
  lw->device->mark_kernel(lw, function, warps * MACHINE_LANES, registers);
  return function;
}

/* Which program of the block this thread belongs to, and its number there. */
static void find_program(struct lowering *lw) {
  MlirType i32 = integer_type(&lw->b, 32);
  int threads = lw->num_warps * MACHINE_LANES, shift = __builtin_ctz((unsigned)threads);
  MlirValue block = lw->device->index(lw, INDEX_BLOCK, 0);
  MlirValue first =
      BUILD(&lw->b, "arith.muli", IN(block, build_integer(&lw->b, 32, lw->programs)), OUT(i32));
  MlirValue own =
      BUILD(&lw->b, "arith.shrui", IN(lw->thread, build_integer(&lw->b, 32, shift)), OUT(i32));
  lw->program = BUILD(&lw->b, "arith.addi", IN(first, own), OUT(i32));
  lw->program_count = mlirBlockGetArgument(lw->entry, mlirBlockGetNumArguments(lw->entry) - 1);
  lw->thread =
      BUILD(&lw->b, "arith.andi", IN(lw->thread, build_integer(&lw->b, 32, threads - 1)), OUT(i32));
}

/* The warps that are left over in the last block do nothing. The rest of the kernel goes into the
   branch. */
static void enter_program(struct lowering *lw) {
  MlirValue exists = build_compare(&lw->b, I_BELOW, lw->program, lw->program_count);
  MlirOperation branch = BUILD_OP(&lw->b, "scf.if", IN(exists),
                                  REGIONS(region_with_block(&lw->b, 0, NULL), mlirRegionCreate()));
  lw->b = builder_at_end(lw->session->context, op_body(branch, 0), lw->b.location);
}

/* Thread, lane and warp indices, and the marker that separates prologue from body. */
static void build_prologue(struct lowering *lw) {
  MlirType i32 = integer_type(&lw->b, 32);
  lw->thread = lw->device->index(lw, INDEX_THREAD, 0);
  if (lw->programs > 1)
    find_program(lw);
  lw->lane = lw->thread;
  if (lw->num_warps > 1) {
    lw->lane = BUILD(&lw->b, "arith.andi", IN(lw->thread, build_integer(&lw->b, 32, 31)), OUT(i32));
    lw->warp = BUILD(&lw->b, "arith.shrui", IN(lw->thread, build_integer(&lw->b, 32, 5)), OUT(i32));
  }
  lw->prologue = mlirOpResultGetOwner(build_integer(&lw->b, 1, 0));
}

static void bind_arguments(struct lowering *lw, MlirOperation old) {
  MlirBlock block = op_body(old, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    struct lowered *registers = lowered_create(lw, mlirValueGetType(argument));
    registers->base[0] = mlirBlockGetArgument(lw->entry, i);
    lowered_set(lw, argument, registers);
  }
}

static MlirLogicalResult lower_body(struct lowering *lw, MlirOperation old, MlirOperation new_op) {
  lw->entry = op_body(new_op, 0);
  lw->b = builder_at_end(lw->session->context, lw->entry, mlirOperationGetLocation(old));
  build_prologue(lw);
  order_programs(lw, old);
  bind_arguments(lw, old);
  if (lw->programs > 1)
    enter_program(lw);
  TRY_IR(lower_block(lw, op_body(old, 0)));
  lw->b.location = mlirOperationGetLocation(mlirBlockGetTerminator(op_body(old, 0)));
  if (lw->programs > 1) {
    BUILD_OP(&lw->b, "scf.yield", .in = NULL);
    lw->b = builder_at_end(lw->session->context, lw->entry, lw->b.location);
  }
  BUILD_OP(&lw->b, "llvm.return", .in = NULL);
  if (!value_is_used(op_result(lw->prologue, 0)))
    mlirOperationDestroy(lw->prologue);
  return SUCCESS;
}

static void lowering_destroy(struct lowering *lw) {
  map_free(&lw->values);
  map_free(&lw->constants);
  map_free(&lw->coordinates);
  map_free(&lw->views);
  map_free(&lw->full_loops);
  arena_destroy(&lw->arena);
}

/* Dots by warp groups. */
struct dots {
  struct session *session;
  int count, by_warp_groups;
  MlirType accumulators; /* of one by warp groups */
};

static MlirLogicalResult note_dot(MlirOperation op, void *data) {
  struct dots *dots = data;
  dots->count += op_has(dots->session, op, IS_DOT);
  if (starts_async_dot(dots->session, op)) {
    dots->by_warp_groups++;
    dots->accumulators = op_result_type(op, 0);
  }
  return SUCCESS;
}

/* Registers of a thread with which a kernel of one dot, by warp groups, does, for
   target/blocks.c; 0: nobody knows. What is live is not all: what becomes of the accumulators after
   the loop may take half as many again as the loop. */
static int64_t sufficient_registers(struct lowering *lw, const struct dots *dots,
                                    MlirOperation function) {
  if (dots->count != 1 || !dots->by_warp_groups)
    return 0;
  int64_t loop =
      registers_in_flight(lw->session, dots->accumulators, lw->num_warps * MACHINE_LANES);
  int64_t bound = pressure_least_bound(lw->session, function);
  return bound > loop + loop / 2 ? bound : loop + loop / 2;
}

/* What parameters say of their tensor maps, as one list of the new function. */
static void copy_tensor_maps(struct lowering *lw, MlirOperation old, MlirOperation new_op) {
  MlirAttribute all = mlirOperationGetAttributeByName(old, ref("arg_attrs"));
  intptr_t total = mlirAttributeIsNull(all) ? 0 : mlirArrayAttrGetNumElements(all), count = 0;
  MlirAttribute *maps = ARENA_ARRAY(&lw->arena, MlirAttribute, (size_t)total);
  for (intptr_t i = 0; i < total; i++) {
    MlirAttribute map = attribute_entry(mlirArrayAttrGetElement(all, i), ATTR_TENSOR_MAP);
    if (!mlirAttributeIsNull(map))
      maps[count++] = map;
  }
  if (count)
    attribute_set(new_op, ATTR_TENSOR_MAPS, mlirArrayAttrGet(lw->session->context, count, maps));
}

static MlirLogicalResult find_transposer(MlirOperation op, void *session) {
  return op_is(session, op, OP_TILE_GPU_IN_TRANSPOSER) ? FAILURE : SUCCESS;
}

/* Of those that the kernel says itself; else more where some of the producers transpose. */
static int producer_registers_of(struct session *session, MlirOperation function) {
  int least = FAILED(visit_operations(function, find_transposer, session))
                  ? MACHINE_TRANSPOSER_REGISTERS
                  : MACHINE_PRODUCER_REGISTERS;
  return (int)attribute_number(function, ATTR_PRODUCER_REGISTERS, least);
}

static MlirLogicalResult convert_function(struct session *session, const struct device_ops *device,
                                          MlirOperation old, int num_warps) {
  struct lowering lw = {.session = session,
                        .device = device,
                        .num_warps = num_warps,
                        .producer_warps = (int)attribute_number(old, ATTR_PRODUCER_WARPS, 0),
                        .producer_registers = producer_registers_of(session, old),
                        .programs = (int)attribute_number(old, ATTR_PROGRAMS_PER_BLOCK, 1),
                        .cluster_blocks = (int)attribute_number(old, ATTR_CLUSTER_BLOCKS, 1),
                        .module = mlirOperationGetParentOperation(old)};
  MlirLogicalResult result = check_function(&lw, old);
  if (!FAILED(result))
    result = check_programs(old, num_warps);
  if (!FAILED(result))
    result = check_producers(&lw, old);
  if (!FAILED(result))
    result = visit_operations(old, check_has_layout, NULL);
  if (!FAILED(result))
    result = visit_operations(old, check_size, &lw);
  if (!FAILED(result)) {
    struct dots dots = {.session = session};
    visit_operations(old, note_dot, &dots);
    lw.warp_groups = dots.by_warp_groups > 0;
    int64_t registers = sufficient_registers(&lw, &dots, old);
    lw.few_registers = attribute_has(old, ATTR_REGISTER_BOUND);
    axis_analysis_run(&lw.axis, session, old);
    MlirOperation new_op = create_function(&lw, old);
    result = lower_body(&lw, old, new_op);
    attribute_copy(old, new_op, ATTR_SHARED_BYTES);
    attribute_copy(old, new_op, ATTR_DEPTH_FIRST);
    if (registers)
      attribute_set_integer(new_op, ATTR_REGISTERS, registers);
    if (lw.programs > 1)
      attribute_copy(old, new_op, ATTR_PROGRAMS_PER_BLOCK);
    attribute_copy(old, new_op, ATTR_LOW_OCCUPANCY_OF);
    attribute_copy(old, new_op, ATTR_FEWER_BLOCKS);
    attribute_copy(old, new_op, ATTR_PRODUCER_WARPS);
    attribute_copy(old, new_op, ATTR_RESIDENT_BLOCKS);
    attribute_copy(old, new_op, ATTR_CLUSTER_BLOCKS);
    attribute_copy(old, new_op, ATTR_SPLIT_ROWS);
    attribute_copy(old, new_op, ATTR_PART_BYTES);
    attribute_copy(old, new_op, ATTR_TENSOR_MAPS_OF);
    copy_tensor_maps(&lw, old, new_op);
    attribute_copy(old, new_op, ATTR_SOURCE_NAME);
    mlirOperationDestroy(FAILED(result) ? new_op : old);
    axis_analysis_destroy(&lw.axis);
  }
  lowering_destroy(&lw);
  return result;
}

static MlirLogicalResult convert_or_drop(struct session *session, const struct device_ops *device,
                                         MlirOperation function, int num_warps) {
  if (attribute_has(function, ATTR_KERNEL))
    return convert_function(session, device, function, num_warps);
  if (ref_equals(op_string(function, "sym_visibility"), "private")) {
    mlirOperationDestroy(function);
    return SUCCESS;
  }
  return fail_op(function, "the function is no kernel; mark it tile.kernel, or make it private so "
                           "that it is inlined and dropped");
}

MlirLogicalResult convert_kernels(struct session *session, MlirOperation module,
                                  const struct device_ops *device) {
  int64_t num_warps = attribute_number(module, ATTR_NUM_WARPS, 0);
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0)), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (kind_of(session, op) != OP_FUNC)
      continue;
    if (num_warps < 1)
      return fail_op(op, "the module has no tile_gpu.num_warps; run tile-assign-layouts first");
    TRY_IR(convert_or_drop(session, device, op, (int)num_warps));
  }
  return SUCCESS;
}
