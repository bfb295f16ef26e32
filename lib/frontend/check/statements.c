/* SPDX-License-Identifier: MIT */
/* Statements that are no control flow, and lists of statements. A statement that fails spoils the
   variables it assigns, and the list goes on: independent errors show in one go. */
#include <string.h>
#include "frontend/check/control.h"
#include "frontend/check/objects.h"

enum { MAX_STATEMENTS = 200000 }; /* a kernel, unrolled and inlined */

/* --- Assignment ------------------------------------------------------------------------------- */

static bool assign(struct checker *c, const struct node *target, const struct value *value,
                   bool plain);

static bool fail_count(struct checker *c, const struct node *target, const struct value *value,
                       uint32_t names) {
  return check_fail(c, target->span, "%u name%s for %s", (unsigned)names, names == 1 ? "" : "s",
                    value_describe(&c->e.arena, value));
}

/* Triton goes by the names of `a, b = ...`, where Python counts. */
static bool drops_rest(const struct checker *c, const struct node *target,
                       const struct value *value, bool has_star, bool plain) {
  uint32_t names = node_elements(target)->count;
  return plain && c->frame->kind == FRAME_JIT && node_is(target, NODE_TUPLE) && !has_star &&
         value->kind == VALUE_TUPLE && names > 0 && value->tuple.count > names;
}

static bool assign_parts(struct checker *c, const struct node *target,
                         const struct node_list *elements, const struct value *value, bool plain) {
  size_t starred = elements->count, count = value->tuple.count;
  for (uint32_t i = 0; i < elements->count; i++) {
    if (!node_is(elements->items[i], NODE_STARRED))
      continue;
    if (starred != elements->count)
      return check_fail(c, target->span, "only one '*' can take the rest");
    starred = i;
  }
  bool has_star = starred != elements->count;
  if (drops_rest(c, target, value, has_star, plain))
    check_remark(c, target->span, "%u name%s for %s: the rest is dropped, as by Triton",
                 (unsigned)elements->count, elements->count == 1 ? "" : "s",
                 value_describe(&c->e.arena, value));
  else if (value->kind != VALUE_TUPLE ||
           (has_star ? count + 1 < elements->count : count != elements->count))
    return fail_count(c, target, value, elements->count);
  size_t next = 0;
  for (uint32_t i = 0; i < elements->count; i++) {
    struct value item = value->tuple.items[next];
    const struct node *part = elements->items[i];
    if (i == starred) {
      size_t taken = count + 1 - elements->count;
      item = (struct value){.kind = VALUE_TUPLE, .tuple = {value->tuple.items + next, taken}};
      part = part->starred.value;
      next += taken;
    } else {
      next++;
    }
    if (!assign(c, part, &item, plain))
      return false;
  }
  return true;
}

/* What a plain variable holds: numbers get the type they have at run time (int32, fp32, ...), so
   that arithmetic with them promotes as Triton's does, where variables are tensors. */
static struct value typed(const struct checker *c, const struct value *value) {
  struct value out = *value;
  if (!value_is_number(value) || c->frame->kind != FRAME_JIT)
    return out;
  out.is_typed = true;
  if (value->kind == VALUE_FLOAT && value->number >= -3.4028235677973366e38 &&
      value->number <= 3.4028235677973366e38)
    out.number = (float)value->number;
  return out;
}

static bool is_declared(const struct checker *c, const char *word) {
  for (const struct declared *at = c->frame->declared; at; at = at->next)
    if (at->word == word)
      return true;
  return false;
}

/* x: tl.constexpr = value, or the same in two statements. */
static void assign_constant(struct checker *c, const struct node *target, struct value value) {
  value.is_typed = false;
  frame_set(c, target->name.id, &value, target->span);
  frame_find(c->frame, target->name.id)->is_constexpr = true;
}

/* `plain`: by an assignment, not as the variable of a compile-time loop. */
static bool assign(struct checker *c, const struct node *target, const struct value *value,
                   bool plain) {
  if (node_is(target, NODE_TUPLE) || node_is(target, NODE_LIST))
    return assign_parts(c, target, node_elements(target), value, plain);
  if (node_is(target, NODE_SUBSCRIPT))
    return check_fail(c, target->span,
                      "an element of a tile or tuple cannot be assigned; use tl.where "
                      "for tiles, tl.store for memory, and build a new tuple");
  if (node_is(target, NODE_ATTRIBUTE))
    return object_assign(c, target, value);
  if (!node_is(target, NODE_NAME))
    return check_fail(c, target->span,
                      "a kernel assigns to names and tuples of names; use tl.store to "
                      "write memory");
  if (plain && value_is_constant(value) && is_declared(c, target->name.id)) {
    assign_constant(c, target, *value);
    return true;
  }
  struct value own = plain ? typed(c, value) : *value;
  frame_set(c, target->name.id, &own, target->span);
  return true;
}

bool assign_target(struct checker *c, const struct node *target, const struct value *value) {
  return assign(c, target, value, false);
}

bool assign_plain(struct checker *c, const struct node *target, const struct value *value) {
  return assign(c, target, value, true);
}

static bool check_assign(struct checker *c, const struct node *node) {
  struct value value;
  if (!check_expression(c, node->assign.value, &value))
    return false;
  for (uint32_t i = 0; i < node->assign.targets.count; i++)
    if (!assign(c, node->assign.targets.items[i], &value, true))
      return false;
  return true;
}

static bool check_augmented(struct checker *c, const struct node *node) {
  struct value old, operand, result;
  return check_expression(c, node->augmented.target, &old) &&
         check_expression(c, node->augmented.value, &operand) &&
         check_operator(c, node->augmented.op, node->span, &old, &operand, &result) &&
         assign(c, node->augmented.target, &result, true);
}

bool check_is_constexpr(const struct node *annotation) {
  return slice_equals(annotation_name(annotation), "constexpr");
}

static void declare(struct checker *c, const char *word) {
  struct declared *declared = ARENA_NEW(&c->e.arena, struct declared);
  *declared = (struct declared){word, c->frame->declared};
  c->frame->declared = declared;
}

/* x: tl.constexpr = ... keeps a compile-time value as it is, and so do later assignments to x where
   the annotation stands alone; any other annotation is documentation. */
static bool check_annotated(struct checker *c, const struct node *node) {
  const struct node *target = node->annotated.target;
  if (!node->annotated.value) {
    if (node_is(target, NODE_NAME) && check_is_constexpr(node->annotated.annotation))
      declare(c, target->name.id);
    return true;
  }
  struct value value;
  if (!check_expression(c, node->annotated.value, &value))
    return false;
  /* As in Triton, a run-time value may be annotated so; it is none for all that. */
  bool is_constexpr = check_is_constexpr(node->annotated.annotation) && value_is_constant(&value);
  if (!is_constexpr || !node_is(target, NODE_NAME))
    return assign(c, target, &value, true);
  assign_constant(c, target, value);
  return true;
}

static bool check_return(struct checker *c, const struct node *node) {
  struct value result = value_none();
  if (c->frame->loops)
    return check_fail(
        c, node->span,
        "Cannot have `return` statements inside `while` or `for` statements in triton; let a "
        "'while' condition end the loop and return after it, or unroll with tl.static_range");
  if (node->return_statement.value && !check_expression(c, node->return_statement.value, &result))
    return false;
  if (!c->frame->caller) /* a launch has no result: as in Triton, nobody sees it */
    result = value_none();
  c->frame->result = typed(c, &result);
  c->frame->returned = RETURN_ALWAYS;
  c->frame->return_span = node->span;
  return true;
}

static bool check_evaluate(struct checker *c, const struct node *node) {
  struct value ignored;
  if (node_is(node->evaluate.value, NODE_STRING) || node_is(node->evaluate.value, NODE_ELLIPSIS))
    return true; /* a docstring */
  return check_expression(c, node->evaluate.value, &ignored);
}

/* --- Messages that the kernel itself gives ---------------------------------------------------- */

/* The text of a message: a compile-time value, or nothing when it is none. Appends. */
static void append_message(struct checker *c, const struct node *node, struct text *out) {
  struct value value;
  struct problems before = c->module->problems;
  if (node && check_expression(c, node, &value) && value_is_compile_time(&value)) {
    text_puts(out, ": ");
    value_format(&value, out);
  } else {
    check_rollback(c, &before);
  }
}

static bool check_assertion(struct checker *c, const struct node *node) {
  struct value condition;
  if (!check_expression(c, node->assertion.condition, &condition))
    return false;
  bool run_time = !value_is_compile_time(&condition), good = false;
  if (!run_time && value_truth(&condition))
    return true;
  struct text text = {0};
  append_message(c, node->assertion.message, &text);
  check_locate(c, node->span);
  if (run_time) { /* as tl.device_assert; the message is after ": " */
    const char *message = text.length ? text_string(&text) + 2 : "";
    good = check_device_assert(c, &condition, NULL, slice_of(message), node->span);
  } else {
    check_fail(c, node->span, "assertion failed%s", text_string(&text));
  }
  text_free(&text);
  return good;
}

/* raise on a path that compile-time conditions take: the author's message. */
static bool check_raise(struct checker *c, const struct node *node) {
  const struct node *exception = node->raise.exception;
  struct text text = {0};
  if (node_is(exception, NODE_CALL)) {
    node_dotted_name(exception->call.function, &text);
    if (exception->call.arguments.count)
      append_message(c, exception->call.arguments.items[0], &text);
  } else if (exception) {
    node_dotted_name(exception, &text);
  }
  check_fail(c, node->span, "the kernel raises %s",
             text.length ? text_string(&text) : "an exception");
  text_free(&text);
  return false;
}

static bool fail_jump(struct checker *c, const struct node *node) {
  bool is_break = node_is(node, NODE_BREAK);
  return check_fail(c, node->span,
                    is_break ? "'break' is not supported in a kernel; make the loop a "
                               "'while' whose condition ends it"
                             : "'continue' is not supported in a kernel; put the rest "
                               "of the body under an 'if'");
}

/* A function defined inside a kernel's body. */
static bool check_nested_function(struct checker *c, const struct node *node) {
  return check_fail(c, node->span,
                    "a kernel defines no nested function; define '%s' at the top of the file, with "
                    "@triton.jit",
                    node->function.name);
}

/* --- Lists ------------------------------------------------------------------------------------ */

static bool check_nothing(struct checker *c, const struct node *node) {
  (void)c, (void)node;
  return true;
}

/* Statements that are no control flow. */
typedef bool statement_rule(struct checker *c, const struct node *node);
static statement_rule *const statements[NODE_KIND_COUNT] = {
    [NODE_ASSIGN] = check_assign,       [NODE_AUGMENTED] = check_augmented,
    [NODE_ANNOTATED] = check_annotated, [NODE_EVALUATE] = check_evaluate,
    [NODE_RETURN] = check_return,       [NODE_ASSERT] = check_assertion,
    [NODE_RAISE] = check_raise,         [NODE_BREAK] = fail_jump,
    [NODE_CONTINUE] = fail_jump,        [NODE_FUNCTION] = check_nested_function,
    [NODE_PASS] = check_nothing,        [NODE_IMPORT] = check_nothing,
    [NODE_IMPORT_FROM] = check_nothing,
};

static bool check_statement(struct checker *c, const struct node *node, const struct rest *rest,
                            bool *consumed) {
  if (!check_level(c, node->span))
    return false;
  if (node_is(node, NODE_IF))
    return check_if(c, node, rest, consumed);
  if (node_is(node, NODE_FOR))
    return check_for(c, node, rest, consumed);
  if (node_is(node, NODE_WHILE))
    return check_while(c, node, rest, consumed);
  statement_rule *rule = statements[node->kind];
  return rule ? rule(c, node)
              : check_fail(c, node->span, "%s is not supported in a kernel",
                           node_kind_phrase(node_kind(node)));
}

bool count_statement_at(struct checker *c, struct span span) {
  if (c->stopped)
    return false;
  if (++c->statements <= MAX_STATEMENTS)
    return check_work(c, span, 1);
  c->stopped = true;
  return check_fail(c, span,
                    "the kernel has more than %d statements once loops are unrolled and calls "
                    "inlined; use run-time loops",
                    MAX_STATEMENTS);
}

bool count_statement(struct checker *c, const struct node *node) {
  return count_statement_at(c, node->span);
}

bool run_list(struct checker *c, const struct node_list *list, uint32_t start,
              const struct rest *next, bool *consumed) {
  bool good = true;
  for (uint32_t i = start; i < list->count && c->frame->returned != RETURN_ALWAYS; i++) {
    struct rest rest = {.list = list, .index = i, .next = next};
    if (c->frame->returned == RETURN_MAYBE) {
      *consumed = true;
      return guard_rest(c, &rest) && good;
    }
    if (c->module->problems.errors >= PROBLEMS_SHOWN || !count_statement(c, list->items[i]))
      return false;
    rest.index++;
    c->level++;
    bool done = check_statement(c, list->items[i], &rest, consumed);
    c->level--;
    if (!done) {
      poison_assigned(c, list->items[i]);
      good = false;
    }
    if (*consumed)
      return good;
  }
  return good;
}

bool run_rest(struct checker *c, const struct rest *rest) {
  bool good = true;
  for (; rest && c->frame->returned != RETURN_ALWAYS; rest = rest->next) {
    bool consumed = false;
    if (c->frame->returned == RETURN_MAYBE)
      return guard_rest(c, rest) && good;
    if (rest->run)
      return rest->run(c, rest) && good;
    good = run_list(c, rest->list, rest->index, rest->next, &consumed) && good;
    if (consumed)
      return good;
  }
  return good;
}

static bool check_result(struct checker *c, struct value *out) {
  const struct frame *frame = c->frame;
  *out = frame->returned == RETURN_NO ? value_none() : frame->result;
  if (frame->returned != RETURN_MAYBE || out->kind == VALUE_NONE)
    return true;
  return check_fail(c, frame->return_span,
                    "'%s' returns a value here and nothing elsewhere, as a run-time 'if' decides; "
                    "return a value at its end too",
                    frame->kernel->name);
}

bool check_function(struct checker *c, const struct node_list *body, struct value *out) {
  bool consumed = false;
  bool good = run_list(c, body, 0, NULL, &consumed);
  return good && check_result(c, out);
}
