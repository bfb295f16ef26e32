/* SPDX-License-Identifier: MIT */
/* tile-inline: replaces every call of a function in the module by its body.

   Needs: a module of func.func, as the front end or a user writes it. Keeps: what is computed, and
   where it came from: an inlined operation's location is callsite(its own at the call's), so line
   tables survive. Breaks: hints on a callee's parameters, which have no value left to stand on.

       func.func private @twice(%x: f32) -> f32        func.func @k(%a: f32) {
         %r = arith.addf %x, %x                          %r = arith.addf %a, %a
         return %r                             ==>       "use"(%r)
       func.func @k(%a: f32)
         %r = call @twice(%a)
         "use"(%r)

   A function's own calls are replaced before it is copied anywhere, so that every copy is free of
   calls. Kernels have no call stack: recursion is an error, as are a missing body and a body of
   several blocks. Afterwards private functions that nothing names any more are erased; kernels
   (`tile.kernel`) and public functions stay. */
#include "base/arena.h"
#include "ir/passes.h"

/* Limits that keep a small input from taking the machine: a chain of calls costs C stack, and n
   functions that call each other twice make 2^n copies. */
enum { DEEPEST_CALLS = 256, MAX_INLINED = 1 << 20 };

enum progress { NOT_STARTED, IN_PROGRESS, DONE };

struct function {
  MlirOperation op;
  enum progress progress;
  size_t size;             /* operations in its body, once DONE */
  struct function *caller; /* while IN_PROGRESS: who asked for it */
  bool is_named;           /* some attribute refers to it after inlining */
};

struct inliner {
  struct session *session;
  struct arena arena;
  struct map functions; /* MlirIdentifier.ptr of the name -> struct function */
  size_t inlined;       /* operations copied so far */
  int depth;
};

/* The function that a call is in, and what is done to it. */
struct caller {
  struct inliner *inliner;
  struct function *function;
};

static const void *key_of(struct inliner *inliner, MlirStringRef name) {
  return mlirIdentifierGet(inliner->session->context, name).ptr;
}

static MlirStringRef name_of(const struct function *function) {
  return op_string(function->op, "sym_name");
}

static void collect_functions(struct inliner *inliner, MlirOperation module) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (kind_of(inliner->session, op) != OP_FUNC)
      continue;
    struct function *function = ARENA_NEW(&inliner->arena, struct function);
    function->op = op;
    map_set(&inliner->functions, key_of(inliner, name_of(function)), function);
  }
}

/* "@a -> @b -> @a": the callers from `last` back to `first`, then `first` again. */
static void print_cycle(const struct function *first, const struct function *last,
                        struct text *out) {
  if (last != first)
    print_cycle(first, last->caller, out);
  MlirStringRef name = name_of(last);
  text_printf(out, "@%.*s -> ", (int)name.length, name.data);
}

static MlirLogicalResult fail_recursion(MlirOperation call, const struct function *callee,
                                        const struct function *caller) {
  struct text cycle = {0};
  print_cycle(callee, caller, &cycle);
  MlirStringRef name = name_of(callee);
  fail_op(call, "recursion: %s@%.*s; a kernel has no call stack, write a loop", text_string(&cycle),
          (int)name.length, name.data);
  text_free(&cycle);
  return FAILURE;
}

static MlirLogicalResult check_callee(MlirOperation call, struct caller *caller,
                                      const struct function *callee, MlirStringRef name) {
  int length = (int)name.length;
  if (!callee)
    return fail_op(call, "there is no function @%.*s in this module", length, name.data);
  if (mlirBlockIsNull(op_body(callee->op, 0)))
    return fail_op(call, "@%.*s has no body; define it in this module, as nothing is linked later",
                   length, name.data);
  if (callee->progress == IN_PROGRESS)
    return fail_recursion(call, callee, caller->function);
  MlirBlock body = op_body(callee->op, 0);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return fail_op(call,
                   "@%.*s has several blocks, and only a single block can be inlined; use scf.if, "
                   "scf.for or scf.while instead of cf and early returns",
                   length, name.data);
  if (kind_of(caller->inliner->session, mlirBlockGetTerminator(body)) != OP_RETURN)
    return fail_op(call, "@%.*s does not end in func.return, so it has no values to give back",
                   length, name.data);
  return SUCCESS;
}

static MlirLogicalResult add_call_site(MlirOperation op, void *call_location) {
  MlirLocation own = mlirOperationGetLocation(op);
  mlirOperationSetLocation(op, mlirLocationCallSiteGet(own, *(MlirLocation *)call_location));
  return SUCCESS;
}

/* Puts a copy of the callee's body before the call and erases the call. */
static void splice_body(MlirOperation call, const struct function *callee) {
  MlirOperation copy = mlirOperationClone(callee->op);
  MlirLocation location = mlirOperationGetLocation(call);
  visit_operations(copy, add_call_site, &location);
  MlirBlock body = op_body(copy, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), op_operand(call, i));
  MlirOperation end = mlirBlockGetTerminator(body);
  MlirOperation op = mlirBlockGetFirstOperation(body), next;
  for (; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, call);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); i++)
    mlirValueReplaceAllUsesOfWith(op_result(call, i), op_operand(end, i));
  mlirOperationDestroy(call);
  mlirOperationDestroy(copy);
}

static MlirLogicalResult inline_calls_of(struct inliner *inliner, struct function *function);

static MlirLogicalResult inline_call(MlirOperation op, void *data) {
  struct caller *caller = data;
  struct inliner *inliner = caller->inliner;
  caller->function->size++;
  if (kind_of(inliner->session, op) != OP_CALL)
    return SUCCESS;
  MlirStringRef name =
      mlirFlatSymbolRefAttrGetValue(mlirOperationGetAttributeByName(op, ref("callee")));
  struct function *callee = map_get(&inliner->functions, key_of(inliner, name));
  TRY_IR(check_callee(op, caller, callee, name));
  if (callee->progress == NOT_STARTED) {
    if (inliner->depth == DEEPEST_CALLS)
      return fail_op(op, "calls are nested more than %d deep; make the chain shorter",
                     DEEPEST_CALLS);
    callee->caller = caller->function;
    TRY_IR(inline_calls_of(inliner, callee));
  }
  inliner->inlined += callee->size;
  if (inliner->inlined > MAX_INLINED)
    return fail_op(op, "inlining makes more than %d operations; call @%.*s in a loop", MAX_INLINED,
                   (int)name.length, name.data);
  caller->function->size += callee->size;
  splice_body(op, callee);
  return SUCCESS;
}

static MlirLogicalResult inline_calls_of(struct inliner *inliner, struct function *function) {
  function->progress = IN_PROGRESS;
  inliner->depth++;
  struct caller caller = {.inliner = inliner, .function = function};
  TRY_IR(visit_operations(function->op, inline_call, &caller));
  inliner->depth--;
  function->progress = DONE;
  return SUCCESS;
}

/* --- erasing what is left over ---------------------------------------------------------------- */

static void note_reference(struct inliner *inliner, MlirAttribute attribute) {
  if (mlirAttributeIsASymbolRef(attribute)) {
    MlirStringRef name = mlirSymbolRefAttrGetRootReference(attribute);
    struct function *function = map_get(&inliner->functions, key_of(inliner, name));
    if (function)
      function->is_named = true;
  } else if (mlirAttributeIsAArray(attribute)) {
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); i++)
      note_reference(inliner, mlirArrayAttrGetElement(attribute, i));
  } else if (mlirAttributeIsADictionary(attribute)) {
    for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(attribute); i++)
      note_reference(inliner, mlirDictionaryAttrGetElement(attribute, i).attribute);
  }
}

/* Calls are gone; what still names functions (func.constant, say) is nothing that we know. */
static MlirLogicalResult note_references(MlirOperation op, void *data) {
  struct inliner *inliner = data;
  if (op_info(&inliner->session->names, op)->effects != EFFECTS_UNKNOWN)
    return SUCCESS;
  intptr_t count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < count; i++)
    note_reference(inliner, mlirOperationGetAttribute(op, i).attribute);
  return SUCCESS;
}

static bool is_left_over(const struct function *function) {
  return ref_equals(op_string(function->op, "sym_visibility"), "private") && !function->is_named &&
         !attribute_has(function->op, ATTR_KERNEL);
}

static void erase_left_over(struct inliner *inliner, MlirOperation module) {
  visit_operations(module, note_references, inliner);
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0)), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (kind_of(inliner->session, op) != OP_FUNC)
      continue;
    struct function *function =
        map_get(&inliner->functions, key_of(inliner, op_string(op, "sym_name")));
    if (is_left_over(function))
      mlirOperationDestroy(op);
  }
}

static MlirLogicalResult inline_all(struct inliner *inliner, MlirOperation module) {
  collect_functions(inliner, module);
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (kind_of(inliner->session, op) != OP_FUNC)
      continue;
    struct function *function =
        map_get(&inliner->functions, key_of(inliner, op_string(op, "sym_name")));
    if (function->progress == NOT_STARTED)
      TRY_IR(inline_calls_of(inliner, function));
  }
  erase_left_over(inliner, module);
  return SUCCESS;
}

MlirLogicalResult run_inline(struct pass_context *context, MlirOperation root) {
  struct inliner inliner = {.session = context->session};
  MlirLogicalResult result = inline_all(&inliner, root);
  map_free(&inliner.functions);
  arena_destroy(&inliner.arena);
  return result;
}
