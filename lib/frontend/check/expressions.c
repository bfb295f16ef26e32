/* Expressions: names, constants, operators, subscripts. Calls are in calls.c. */
#include <string.h>
#include "frontend/check/control.h"
#include "frontend/check/memory.h"

/* The same message at the same place again, from another copy of an unrolled loop or an inlined call. */
static bool is_repeated(const struct checker *c, const struct problem *problem) {
  for (const struct problem *at = c->module->problems.first; at && at != problem; at = at->next)
    if (at->span.offset == problem->span.offset && strcmp(at->message, problem->message) == 0)
      return true;
  return false;
}

bool check_fail(struct checker *c, struct span span, const char *format, ...) {
  struct problems before = c->module->problems;
  va_list arguments;
  va_start(arguments, format);
  struct problem *problem = problems_add_v(&c->module->problems, PROBLEM_ERROR, &c->module->source,
                                           span, format, arguments);
  va_end(arguments);
  c->problem = problem;
  if (before.errors && is_repeated(c, problem))
    check_rollback(c, &before);
  else
    for (struct frame *frame = c->frame; frame && frame->caller; frame = frame->caller)
      problem_note(&c->module->problems, problem, &c->module->source, frame->call,
                   "in '%s', called from here", frame->kernel->name);
  return false;
}

void check_note(struct checker *c, struct span span, const char *format, ...) {
  struct text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  problem_note(&c->module->problems, c->problem, &c->module->source, span, "%s",
               text_string(&text));
  text_free(&text);
}

void check_rollback(struct checker *c, const struct problems *before) {
  c->module->problems = *before;
  *c->module->problems.last = NULL;
}

bool check_fail_emitter(struct checker *c, struct span span) {
  return check_fail(c, span, "%s", text_string(&c->e.error));
}

void check_locate(struct checker *c, struct span span) {
  const struct source *source = &c->module->source;
  struct place place = source_place(source, span.offset);
  MlirLocation location = mlirLocationFileLineColGet(c->e.session->context, ref(source->name),
                                                     place.line, place.column);
  for (struct frame *frame = c->frame; frame && frame->caller; frame = frame->caller) {
    struct place site = source_place(source, frame->call.offset);
    MlirLocation caller = mlirLocationFileLineColGet(c->e.session->context, ref(source->name),
                                                     site.line, site.column);
    location = mlirLocationCallSiteGet(location, caller);
  }
  c->e.b.location = location;
}

/* --- Names ------------------------------------------------------------------------------------------- */

enum { DEEPEST_GLOBAL = 32 };

/* A global: a constant of the file, evaluated where it is used, or a jit function. */
static bool value_of_global(struct checker *c, const struct node *node,
                            const struct binding *binding, struct value *out) {
  if (binding->kind == BINDING_FUNCTION) {
    const struct kernel *kernel = module_kernel_of(c->module, binding->node);
    if (!kernel)
      return check_fail(c, node->span,
                        "'%s' is host code; decorate it with triton.jit to call it from a kernel",
                        binding->name);
    *out = (struct value){.kind = VALUE_FUNCTION, .object = kernel};
    return true;
  }
  if (binding->kind != BINDING_ASSIGNMENT || !binding->value)
    return check_fail(c, node->span, "'%s' has no value that a kernel can use", binding->name);
  if (c->global_depth >= DEEPEST_GLOBAL)
    return check_fail(c, node->span, "the value of '%s' depends on itself", binding->name);
  c->global_depth++;
  bool good = check_expression(c, binding->value, out);
  c->global_depth--;
  return good;
}

static bool fail_poison(struct checker *c, const struct node *node,
                        const struct variable *variable) {
  const char *name = node->name.id;
  switch (variable->value.poison) {
  case POISON_ERROR:
    return false; /* that error has been told */
  case POISON_BRANCH:
    check_fail(c, node->span,
               "'%s' has a value only if one branch of a run-time 'if' was taken; assign it before "
               "the 'if', or in both branches", name);
    break;
  case POISON_LOOP:
    check_fail(c, node->span,
               "'%s' is first assigned inside a run-time loop, which may run no time; give it a value "
               "in front of the loop", name);
    break;
  case POISON_INDEX:
    check_fail(c, node->span,
               "'%s' is the variable of a run-time loop and has no value behind it; copy it to a "
               "variable that has one in front of the loop", name);
    break;
  }
  check_note(c, variable->assigned, variable->value.poison == POISON_BRANCH ? "assigned here"
                                                                          : "the loop");
  return false;
}

static bool check_name(struct checker *c, const struct node *node, struct value *out) {
  struct variable *variable = frame_find(c->frame, node->name.id);
  if (variable && variable->value.kind == VALUE_POISON)
    return fail_poison(c, node, variable);
  if (variable) {
    *out = variable->value;
    return true;
  }
  enum builtin_lookup found = builtin_resolve(c, node, out);
  if (found != BUILTIN_NONE)
    return found == BUILTIN_FOUND || builtin_fail_unknown(c, node);
  const struct binding *binding = scope_find(c->frame->kernel->scope, node->name.id);
  if (binding && binding->kind != BINDING_IMPORT)
    return value_of_global(c, node, binding, out);
  return check_fail(c, node->span, "'%s' is not defined", node->name.id);
}

bool check_member(struct checker *c, const struct value *module, const struct node *node,
                  struct value *out) {
  struct text name = {0};
  text_printf(&name, "%.*s.%s", (int)module->text.length, module->text.data, node->attribute.name);
  bool found = builtin_of_name(c, text_string(&name), out) == BUILTIN_FOUND;
  if (!found)
    check_fail(c, node->attribute.name_span, "'%s' is not supported", text_string(&name));
  text_free(&name);
  return found;
}

static bool check_attribute(struct checker *c, const struct node *node, struct value *out) {
  enum builtin_lookup found = builtin_resolve(c, node, out);
  if (found != BUILTIN_NONE)
    return found == BUILTIN_FOUND || builtin_fail_unknown(c, node);
  struct value owner;
  if (!check_expression(c, node->attribute.value, &owner))
    return false;
  if (owner.kind == VALUE_MODULE)
    return check_member(c, &owner, node, out);
  if (value_is_view(&owner) && view_attribute(c, &owner, node->attribute.name, out))
    return true;
  if (owner.kind == VALUE_RUNTIME && strcmp(node->attribute.name, "dtype") == 0) {
    *out = (struct value){.kind = VALUE_DTYPE, .dtype = owner.run_time.dtype};
    return true;
  }
  if (owner.kind == VALUE_DTYPE && strcmp(node->attribute.name, "element_ty") == 0 &&
      owner.dtype.pointers) {
    owner.dtype.pointers--;
    *out = owner;
    return true;
  }
  struct text text = {0};
  value_describe(&owner, &text);
  check_fail(c, node->attribute.name_span, "%s has no attribute '%s'", text_string(&text),
             node->attribute.name);
  text_free(&text);
  return false;
}

/* --- Operators --------------------------------------------------------------------------------------- */

static bool binary_of(enum operator_kind op, enum binary_operator *out) {
  static const struct {
    enum operator_kind op;
    enum binary_operator binary;
  } rows[] = {
      {OPERATOR_ADD, BINARY_ADD},
      {OPERATOR_SUB, BINARY_SUBTRACT},
      {OPERATOR_MUL, BINARY_MULTIPLY},
      {OPERATOR_DIV, BINARY_DIVIDE},
      {OPERATOR_FLOOR_DIV, BINARY_FLOOR_DIVIDE},
      {OPERATOR_MOD, BINARY_REMAINDER},
      {OPERATOR_BIT_AND, BINARY_AND},
      {OPERATOR_BIT_OR, BINARY_OR},
      {OPERATOR_BIT_XOR, BINARY_XOR},
      {OPERATOR_SHIFT_LEFT, BINARY_SHIFT_LEFT},
      {OPERATOR_SHIFT_RIGHT, BINARY_SHIFT_RIGHT},
      {OPERATOR_LT, BINARY_LESS},
      {OPERATOR_LE, BINARY_LESS_EQUAL},
      {OPERATOR_GT, BINARY_GREATER},
      {OPERATOR_GE, BINARY_GREATER_EQUAL},
      {OPERATOR_EQ, BINARY_EQUAL},
      {OPERATOR_NE, BINARY_NOT_EQUAL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].op == op) {
      *out = rows[i].binary;
      return true;
    }
  return false;
}

bool check_operator(struct checker *c, enum operator_kind op, struct span span,
                    const struct value *a, const struct value *b, struct value *out) {
  enum binary_operator binary;
  if (!binary_of(op, &binary))
    return check_fail(c, span, "the operator '%s' is not supported in a kernel",
                      operator_spelling(op));
  check_locate(c, span);
  return emit_binary(&c->e, binary, a, b, out) || check_fail_emitter(c, span);
}

/* Equality of compile-time things that are no numbers: None, strings, types. */
static bool same_object(const struct value *a, const struct value *b) {
  if (a->kind != b->kind)
    return false;
  switch ((int)a->kind) {
  case VALUE_NONE:
    return true;
  case VALUE_STRING:
    return a->text.length == b->text.length &&
           memcmp(a->text.data, b->text.data, a->text.length) == 0;
  case VALUE_DTYPE:
    return dtype_equal(a->dtype, b->dtype);
  default:
    return value_is_number(a) && value_as_double(a) == value_as_double(b);
  }
}

static bool check_membership(struct checker *c, const struct node *node, enum operator_kind op,
                             const struct value *a, const struct value *b, struct value *out) {
  if (b->kind != VALUE_TUPLE || !value_is_compile_time(a))
    return check_fail(c, node->span, "'in' looks for a compile-time value in a tuple");
  bool found = false;
  for (size_t i = 0; i < b->tuple.count && !found; i++) {
    const struct value *item = &b->tuple.items[i];
    found = value_is_number(a) && value_is_number(item)
                ? value_as_double(a) == value_as_double(item)
                : same_object(a, item);
  }
  *out = value_bool(found == (op == OPERATOR_IN));
  return true;
}

static bool compare_pair(struct checker *c, const struct node *node, enum operator_kind op,
                         const struct value *a, const struct value *b, struct value *out) {
  bool identity = op == OPERATOR_IS || op == OPERATOR_IS_NOT;
  bool equality = op == OPERATOR_EQ || op == OPERATOR_NE;
  bool objects = value_is_compile_time(a) && value_is_compile_time(b) &&
                 !(value_is_number(a) && value_is_number(b));
  bool none = a->kind == VALUE_NONE || b->kind == VALUE_NONE;
  if (identity || (equality && (objects || none))) {
    bool negated = op == OPERATOR_IS_NOT || op == OPERATOR_NE;
    *out = value_bool(same_object(a, b) != negated);
    return true;
  }
  if (op == OPERATOR_IN || op == OPERATOR_NOT_IN)
    return check_membership(c, node, op, a, b, out);
  return check_operator(c, op, node->span, a, b, out);
}

/* a < b < c is (a < b) and (b < c), each operand evaluated once. */
static bool check_compare(struct checker *c, const struct node *node, struct value *out) {
  const struct node_list *operands = &node->compare.operands;
  struct value left, right, pair;
  if (!check_expression(c, operands->items[0], &left))
    return false;
  for (uint32_t i = 1; i < operands->count; i++) {
    if (!check_expression(c, operands->items[i], &right) ||
        !compare_pair(c, node, node->compare.operators[i - 1], &left, &right, &pair))
      return false;
    if (i == 1)
      *out = pair;
    else if (!emit_binary(&c->e, BINARY_AND, out, &pair, out))
      return check_fail_emitter(c, node->span);
    left = right;
  }
  return true;
}

/* and, or: of compile-time values Python's rule (the operand that decides); of tiles and run-time
   scalars the element-wise & and | of their truth. */
static bool check_logical(struct checker *c, const struct node *node, struct value *out) {
  bool is_and = node->logical.op == OPERATOR_AND;
  const struct node_list *operands = &node->logical.operands;
  if (!check_expression(c, operands->items[0], out))
    return false;
  for (uint32_t i = 1; i < operands->count; i++) {
    if (value_is_compile_time(out)) {
      if (value_truth(out) != is_and)
        return true;
      if (!check_expression(c, operands->items[i], out))
        return false;
      continue;
    }
    struct value next, a, b;
    if (!check_expression(c, operands->items[i], &next))
      return false;
    check_locate(c, node->span);
    if (!emit_truth(&c->e, out, &a) || !emit_truth(&c->e, &next, &b) ||
        !emit_binary(&c->e, is_and ? BINARY_AND : BINARY_OR, &a, &b, out))
      return check_fail_emitter(c, node->span);
  }
  return true;
}

static bool check_unary(struct checker *c, const struct node *node, struct value *out) {
  struct value operand;
  if (!check_expression(c, node->unary.operand, &operand))
    return false;
  check_locate(c, node->span);
  bool done = false;
  switch ((int)node->unary.op) {
  case OPERATOR_NEGATE:
    done = emit_negate(&c->e, &operand, out);
    break;
  case OPERATOR_INVERT:
    done = emit_invert(&c->e, &operand, out);
    break;
  case OPERATOR_NOT:
    if (value_is_compile_time(&operand)) {
      *out = value_bool(!value_truth(&operand));
      return true;
    }
    done = emit_truth(&c->e, &operand, &operand) && emit_invert(&c->e, &operand, out);
    break;
  default:
    *out = operand;
    return true;
  }
  return done || check_fail_emitter(c, node->span);
}

static bool find_call(struct node *node, void *data) {
  *(bool *)data |= node_is(node, NODE_CALL);
  return true;
}

/* One side of a conditional expression, as a branch. */
static bool emit_side(struct checker *c, const struct node *node, struct branch *out) {
  open_branch(c, out);
  struct value value = value_none();
  bool good = check_expression(c, node, &value);
  close_branch(c, out);
  out->value = value;
  return good;
}

static bool choose_by_branch(struct checker *c, const struct node *node, MlirValue condition,
                             struct value *out) {
  struct branch branches[2];
  bool good = emit_side(c, node->conditional.then, &branches[0]);
  good &= emit_side(c, node->conditional.otherwise, &branches[1]);
  if (good)
    return merge_branches(c, node->span, condition, branches, out);
  discard_branch(&branches[0]);
  discard_branch(&branches[1]);
  return false;
}

/* a if condition else b. At run time one side only is carried out if they do more than arithmetic. */
static bool check_conditional(struct checker *c, const struct node *node, struct value *out) {
  struct value condition, a, b;
  bool calls = false;
  if (!check_condition(c, node->conditional.condition, &condition))
    return false;
  if (condition.kind == VALUE_BOOL)
    return check_expression(
        c, condition.boolean ? node->conditional.then : node->conditional.otherwise, out);
  node_walk(node->conditional.then, find_call, &calls);
  node_walk(node->conditional.otherwise, find_call, &calls);
  if (calls)
    return check_nesting(c, node->span) &&
           choose_by_branch(c, node, condition.run_time.ir, out);
  if (!check_expression(c, node->conditional.then, &a) ||
      !check_expression(c, node->conditional.otherwise, &b))
    return false;
  check_locate(c, node->span);
  return emit_where(&c->e, &condition, &a, &b, out) || check_fail_emitter(c, node->span);
}

/* --- Subscripts and tuples --------------------------------------------------------------------------- */

static bool is_full_slice(const struct node *index) {
  return node_is(index, NODE_SLICE) && !index->slice.lower && !index->slice.upper &&
         !index->slice.step;
}

/* x[:, None]: `:` keeps a dimension, None makes a new one. */
static bool index_tile(struct checker *c, const struct node *node, struct value *value) {
  const struct node_list *indices = &node->subscript.indices;
  int64_t shape[MAX_RANK + 1];
  int rank = type_shape(mlirValueGetType(value->run_time.ir), shape);
  if (rank == 0)
    return check_fail(c, node->span, "a scalar is not indexed; load through a pointer instead");
  check_locate(c, node->span);
  for (uint32_t i = 0; i < indices->count; i++) {
    const struct node *index = indices->items[i];
    if (!is_full_slice(index) && !node_is(index, NODE_NONE))
      return check_fail(c, index->span, "a tile is indexed with ':' and None only");
    if (is_full_slice(index)) {
      if ((int)i >= rank)
        return check_fail(c, index->span, "the tile has fewer dimensions than the index");
      continue;
    }
    if (rank == MAX_RANK)
      return check_fail(c, node->span, "a tile has at most %d dimensions", MAX_RANK);
    if (!emit_expand_dims(&c->e, value, (int)i))
      return check_fail_emitter(c, index->span);
    rank++;
  }
  return true;
}

static bool check_subscript(struct checker *c, const struct node *node, struct value *out) {
  struct value owner;
  if (!check_expression(c, node->subscript.value, &owner))
    return false;
  if (owner.kind == VALUE_RUNTIME) {
    *out = owner;
    return index_tile(c, node, out);
  }
  if (owner.kind != VALUE_TUPLE || node->subscript.indices.count != 1)
    return check_fail(c, node->span, "only tiles and tuples are indexed");
  int64_t index = 0;
  if (!check_constant_integer(c, node->subscript.indices.items[0], "an index", &index))
    return false;
  int64_t count = (int64_t)owner.tuple.count;
  if (index < -count || index >= count)
    return check_fail(c, node->span, "index %lld of a tuple of %lld", (long long)index,
                      (long long)count);
  *out = owner.tuple.items[index < 0 ? index + count : index];
  return true;
}

static void append(struct checker *c, struct value_list *list, const struct value *value) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 4;
    struct value *items = ARENA_ARRAY(&c->e.arena, struct value, list->capacity);
    if (list->count)
      memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
  }
  list->items[list->count++] = *value;
}

bool check_elements(struct checker *c, const struct node *node, struct value_list *list) {
  struct value value;
  bool starred = node_is(node, NODE_STARRED);
  if (!check_expression(c, starred ? node->starred.value : node, &value))
    return false;
  if (starred && value.kind != VALUE_TUPLE)
    return check_fail(c, node->span, "'*' takes a tuple or a list");
  for (size_t i = 0; starred && i < value.tuple.count; i++)
    append(c, list, &value.tuple.items[i]);
  if (!starred)
    append(c, list, &value);
  return true;
}

/* Tuples and lists: the same thing here, as nothing is changed in place. */
static bool check_tuple(struct checker *c, const struct node_list *elements, struct value *out) {
  struct value_list list = {0};
  for (uint32_t i = 0; i < elements->count; i++)
    if (!check_elements(c, elements->items[i], &list))
      return false;
  *out = (struct value){.kind = VALUE_TUPLE, .tuple = {list.items, list.count}};
  return true;
}

bool check_constant_integer(struct checker *c, const struct node *node, const char *what,
                            int64_t *out) {
  struct value value;
  if (!check_expression(c, node, &value))
    return false;
  if (value.kind != VALUE_INTEGER && value.kind != VALUE_BOOL)
    return check_fail(c, node->span, "%s is a compile-time integer%s", what,
                      value.kind == VALUE_RUNTIME ? "; this value is known at run time only: make "
                                                    "the parameter a tl.constexpr"
                                                  : "");
  *out = value.kind == VALUE_BOOL ? value.boolean : value.integer;
  return true;
}

static bool check_binary(struct checker *c, const struct node *node, struct value *out) {
  struct value a, b;
  return check_expression(c, node->binary.left, &a) &&
         check_expression(c, node->binary.right, &b) &&
         check_operator(c, node->binary.op, node->span, &a, &b, out);
}

bool check_expression(struct checker *c, const struct node *node, struct value *out) {
  switch ((int)node->kind) {
  case NODE_NAME:
    return check_name(c, node, out);
  case NODE_INTEGER:
    if (node->integer.too_large || node->integer.value > INT64_MAX)
      return check_fail(c, node->span, "the integer does not fit 64 bits");
    *out = value_integer((int64_t)node->integer.value);
    return true;
  case NODE_FLOAT:
    *out = value_float(node->floating.value);
    return true;
  case NODE_STRING:
    *out = (struct value){.kind = VALUE_STRING, .text = node->string.value};
    return true;
  case NODE_NONE:
    *out = value_none();
    return true;
  case NODE_BOOL:
    *out = value_bool(node->boolean.value);
    return true;
  case NODE_ATTRIBUTE:
    return check_attribute(c, node, out);
  case NODE_SUBSCRIPT:
    return check_subscript(c, node, out);
  case NODE_CALL:
    return check_call(c, node, out);
  case NODE_UNARY:
    return check_unary(c, node, out);
  case NODE_BINARY:
    return check_binary(c, node, out);
  case NODE_LOGICAL:
    return check_logical(c, node, out);
  case NODE_COMPARE:
    return check_compare(c, node, out);
  case NODE_CONDITIONAL:
    return check_conditional(c, node, out);
  case NODE_TUPLE:
    return check_tuple(c, &node->tuple.elements, out);
  case NODE_LIST:
    return check_tuple(c, &node->list_display.elements, out);
  default:
    return check_fail(c, node->span, "%s is not supported in a kernel",
                      node_kind_phrase(node_kind(node)));
  }
}
