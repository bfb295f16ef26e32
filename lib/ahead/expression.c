/* SPDX-License-Identifier: MIT */
/* See expression.h. A tree of the front end's parser in, nested calls of the functions in
   tile/embedded.h out. */
#include "ahead/expression.h"

#include <inttypes.h>
#include <string.h>
#include "frontend/parser.h"
#include "tile/embedded.h"

bool expression_fail(const struct expression *e, const struct node *node, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  problems_add_v(e->problems, PROBLEM_ERROR, e->source, node->span, format, arguments);
  va_end(arguments);
  return false;
}

/* --- Names ------------------------------------------------------------------------------------ */

static void unknown_name(const struct expression *e, const struct node *node, const char *name) {
  const struct expression_names *names = e->names;
  struct arena arena = {0};
  const char **known = ARENA_ARRAY(&arena, const char *, names->count + 1);
  struct text list = {0};
  for (size_t i = 0; i < names->count; i++) {
    known[i] = names->names[i].name;
    text_printf(&list, "%s%s", i ? ", " : "", known[i]);
  }
  const char *near = strlen(name) > 2 ? nearest_word(name, known, names->count) : NULL;
  if (near)
    expression_fail(e, node,
                    "'%s' is no argument and no constant of the kernel; did you mean '%s'?", name,
                    near);
  else
    expression_fail(e, node, "'%s' is no argument and no constant of the kernel; there is %s", name,
                    list.length ? text_string(&list) : "none");
  text_free(&list);
  arena_destroy(&arena);
}

/* The name that a node spells, as the kernel's parameters have it: "t.0" of t[0]. False for what is
   none. */
static bool spell(const struct node *node, const char *meta, struct text *out) {
  if (!node_is(node, NODE_SUBSCRIPT))
    return node_dotted_name(node, out);
  const struct node *index =
      node->subscript.indices.count == 1 ? node->subscript.indices.items[0] : NULL;
  if (!index || !spell(node->subscript.value, meta, out))
    return false;
  if (node_is(index, NODE_INTEGER)) {
    text_printf(out, ".%" PRIu64, index->integer.value);
    return true;
  }
  if (!node_is(index, NODE_STRING) || !meta || strcmp(text_string(out), meta) != 0)
    return false;
  out->length = 0;
  text_append(out, index->string.value.data, index->string.value.length);
  return true;
}

const struct expression_name *expression_find(const struct expression *e, const struct node *node) {
  const struct expression_name *found = NULL;
  struct text name = {0};
  bool named = spell(node, e->meta, &name);
  for (size_t i = 0; i < e->names->count && named; i++)
    if (strcmp(e->names->names[i].name, text_string(&name)) == 0)
      found = &e->names->names[i];
  if (!named)
    expression_fail(e, node, "%s is no argument and no constant of the kernel",
                    node_kind_phrase(node_kind(node)));
  else if (!found)
    unknown_name(e, node, text_string(&name));
  else if (!found->c)
    expression_fail(e, node, "'%s' is %s; only integers can be used here", found->name,
                    found->what);
  text_free(&name);
  return found && found->c ? found : NULL;
}

/* --- Operations ------------------------------------------------------------------------------- */

#define OPERATION(name)                                                                            \
  { name, #name }

const struct expression_operation *expression_operator(const struct expression *e,
                                                       const struct node *binary) {
  static const struct {
    enum operator_kind op;
    struct expression_operation operation;
  } rows[] = {{OPERATOR_ADD, OPERATION(tile_int_add)},
              {OPERATOR_SUB, OPERATION(tile_int_subtract)},
              {OPERATOR_MUL, OPERATION(tile_int_multiply)},
              {OPERATOR_FLOOR_DIV, OPERATION(tile_int_divide)},
              {OPERATOR_MOD, OPERATION(tile_int_modulo)}};
  enum operator_kind op = binary->binary.op;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].op == op)
      return &rows[i].operation;
  if (op == OPERATOR_DIV)
    expression_fail(e, binary, "'/' gives a float; write '//', or cdiv(a, b) to round up");
  else
    expression_fail(e, binary, "the operator '%s' cannot be used here; there are + - * // %%",
                    operator_spelling(op));
  return NULL;
}

const struct expression_operation *expression_function(const struct expression *e,
                                                       const struct node *call) {
  enum { MAX_NUMBERS = 64 };
  static const struct {
    const char *name;
    struct expression_operation operation;
    uint32_t most;
  } rows[] = {{"cdiv", OPERATION(tile_int_divide_up), 2},
              {"triton.cdiv", OPERATION(tile_int_divide_up), 2},
              {"tl.cdiv", OPERATION(tile_int_divide_up), 2},
              {"min", OPERATION(tile_int_minimum), MAX_NUMBERS},
              {"max", OPERATION(tile_int_maximum), MAX_NUMBERS}};
  enum { ROWS = sizeof rows / sizeof *rows };
  uint32_t count = call->call.arguments.count;
  struct text name = {0};
  size_t found = node_dotted_name(call->call.function, &name) ? 0 : ROWS;
  while (found < ROWS && strcmp(rows[found].name, text_string(&name)) != 0)
    found++;
  text_free(&name);
  if (found == ROWS)
    expression_fail(e, call->call.function, "only cdiv, min and max can be called here");
  else if (count < 2 || count > rows[found].most)
    expression_fail(e, call, "%s takes %s, not %u", rows[found].name,
                    rows[found].most == 2 ? "two numbers" : "two numbers or more", (unsigned)count);
  else
    return &rows[found].operation;
  return NULL;
}

bool expression_is_in_range(const struct expression *e, const struct node *integer) {
  return (!integer->integer.too_large && integer->integer.value <= INT64_MAX) ||
         expression_fail(e, integer, "the number does not fit into 64 bits");
}

/* --- The C of numbers ------------------------------------------------------------------------- */

enum expression_type { TYPE_INTEGER, TYPE_CONDITION };

/* One text being translated. */
struct translation {
  struct expression e;
  struct text *out;
};

static bool emit(struct translation *t, const struct node *node, enum expression_type type);

static bool emit_name(struct translation *t, const struct node *node) {
  const struct expression_name *found = expression_find(&t->e, node);
  text_puts(t->out, found ? found->c : "");
  return found;
}

/* min(a, b, c) is min(min(a, b), c). */
static bool emit_operation(struct translation *t, const struct expression_operation *operation,
                           struct node *const *operands, uint32_t count) {
  for (uint32_t i = 1; i < count && operation; i++)
    text_printf(t->out, "%s(bad, ", operation->c);
  for (uint32_t i = 0; i < count && operation; i++) {
    text_puts(t->out, i ? ", " : "");
    if (!emit(t, operands[i], TYPE_INTEGER))
      return false;
    text_puts(t->out, i ? ")" : "");
  }
  return operation;
}

static bool emit_binary(struct translation *t, const struct node *node) {
  struct node *const operands[] = {node->binary.left, node->binary.right};
  return emit_operation(t, expression_operator(&t->e, node), operands, 2);
}

static bool emit_call(struct translation *t, const struct node *node) {
  const struct node_list *arguments = &node->call.arguments;
  return emit_operation(t, expression_function(&t->e, node), arguments->items, arguments->count);
}

static bool emit_unary(struct translation *t, const struct node *node) {
  const struct node_unary *unary = &node->unary;
  if (unary->op == OPERATOR_PLUS)
    return emit(t, unary->operand, TYPE_INTEGER);
  if (unary->op != OPERATOR_NEGATE)
    return expression_fail(&t->e, node, "the operator '%s' cannot be used here",
                           operator_spelling(unary->op));
  text_puts(t->out, "tile_int_subtract(bad, 0, ");
  if (!emit(t, unary->operand, TYPE_INTEGER))
    return false;
  text_puts(t->out, ")");
  return true;
}

static bool emit_conditional(struct translation *t, const struct node *node,
                             enum expression_type type) {
  text_puts(t->out, "(");
  if (!emit(t, node->conditional.condition, TYPE_CONDITION))
    return false;
  text_puts(t->out, " ? ");
  if (!emit(t, node->conditional.then, type))
    return false;
  text_puts(t->out, " : ");
  if (!emit(t, node->conditional.otherwise, type))
    return false;
  text_puts(t->out, ")");
  return true;
}

static bool emit_integer(struct translation *t, const struct node *node) {
  enum node_kind kind = node_kind(node);
  if (kind == NODE_NAME || kind == NODE_ATTRIBUTE || kind == NODE_SUBSCRIPT)
    return emit_name(t, node);
  if (kind == NODE_BINARY)
    return emit_binary(t, node);
  if (kind == NODE_UNARY)
    return emit_unary(t, node);
  if (kind == NODE_CALL)
    return emit_call(t, node);
  if (kind == NODE_CONDITIONAL)
    return emit_conditional(t, node, TYPE_INTEGER);
  if (kind != NODE_INTEGER)
    return expression_fail(&t->e, node, "%s is no integer", node_kind_phrase(kind));
  if (!expression_is_in_range(&t->e, node))
    return false;
  text_printf(t->out, "INT64_C(%" PRIu64 ")", node->integer.value);
  return true;
}

/* --- Conditions ------------------------------------------------------------------------------- */

static const char *c_comparison(enum operator_kind op) {
  bool compares = op == OPERATOR_EQ || op == OPERATOR_NE || op == OPERATOR_LT ||
                  op == OPERATOR_LE || op == OPERATOR_GT || op == OPERATOR_GE;
  return compares ? operator_spelling(op) : NULL;
}

/* a < b < c is a < b and b < c. */
static bool emit_compare(struct translation *t, const struct node *node) {
  const struct node_compare *compare = &node->compare;
  text_puts(t->out, "(");
  for (uint32_t i = 0; i + 1 < compare->operands.count; i++) {
    const char *op = c_comparison(compare->operators[i]);
    if (!op)
      return expression_fail(&t->e, node,
                             "the operator '%s' cannot be used here; there are == != < <= > >=",
                             operator_spelling(compare->operators[i]));
    text_puts(t->out, i ? " && " : "");
    if (!emit(t, compare->operands.items[i], TYPE_INTEGER))
      return false;
    text_printf(t->out, " %s ", op);
    if (!emit(t, compare->operands.items[i + 1], TYPE_INTEGER))
      return false;
  }
  text_puts(t->out, ")");
  return true;
}

static bool emit_logical(struct translation *t, const struct node *node) {
  const struct node_logical *logical = &node->logical;
  text_puts(t->out, "(");
  for (uint32_t i = 0; i < logical->operands.count; i++) {
    text_puts(t->out, !i ? "" : logical->op == OPERATOR_AND ? " && " : " || ");
    if (!emit(t, logical->operands.items[i], TYPE_CONDITION))
      return false;
  }
  text_puts(t->out, ")");
  return true;
}

static bool emit_condition(struct translation *t, const struct node *node) {
  if (node_is(node, NODE_COMPARE))
    return emit_compare(t, node);
  if (node_is(node, NODE_LOGICAL))
    return emit_logical(t, node);
  if (node_is(node, NODE_CONDITIONAL))
    return emit_conditional(t, node, TYPE_CONDITION);
  if (node_is(node, NODE_BOOL)) {
    text_puts(t->out, node->boolean.value ? "1" : "0");
    return true;
  }
  if (node_is(node, NODE_UNARY) && node->unary.op == OPERATOR_NOT) {
    text_puts(t->out, "!");
    return emit(t, node->unary.operand, TYPE_CONDITION);
  }
  text_puts(t->out, "(");
  if (!emit_integer(t, node))
    return false;
  text_puts(t->out, " != 0)");
  return true;
}

static bool emit(struct translation *t, const struct node *node, enum expression_type type) {
  return type == TYPE_INTEGER ? emit_integer(t, node) : emit_condition(t, node);
}

/* --- Texts ------------------------------------------------------------------------------------ */

const struct source *expression_source(struct arena *arena, const char *option, const char *text) {
  struct source *source = ARENA_NEW(arena, struct source);
  *source = source_create(arena, option, text, strlen(text), 0);
  return source;
}

const struct node *expression_parse(struct arena *arena, struct problems *problems,
                                    const struct source *source, const char *wanted) {
  struct words words;
  size_t kernels, errors = problems->errors;
  words_create(&words, arena);
  struct node *tree = parse_file(source, arena, &words, problems, &kernels);
  problems_promote(problems, source, (struct span){0, source->end + 1});
  const struct node_list *body = &tree->module.body;
  if (problems->errors > errors)
    return NULL;
  if (body->count == 1 && node_is(body->items[0], NODE_EVALUATE))
    return body->items[0]->evaluate.value;
  problems_add(problems, PROBLEM_ERROR, source,
               body->count ? body->items[0]->span : (struct span){0, 0}, "%s takes %s",
               source->name, wanted);
  return NULL;
}

static const char wanted[] = "up to three integers, such as cdiv(n, BLOCK), m";

const struct node_list *expression_grid_sizes(struct arena *arena, struct expression *e) {
  const struct node *node = expression_parse(arena, e->problems, e->source, wanted);
  if (!node)
    return NULL;
  if (node_is(node, NODE_LAMBDA) && node->lambda.parameters.count == 1) {
    e->meta = node->lambda.parameters.items[0]->parameter.name;
    node = node->lambda.body;
  }
  struct node_list *one = ARENA_NEW(arena, struct node_list);
  *one = (struct node_list){.items = ARENA_NEW(arena, struct node *), .count = 1};
  one->items[0] = (struct node *)(uintptr_t)node;
  const struct node_list *list = node_is(node, NODE_TUPLE) ? &node->tuple.elements : one;
  if (list->count >= 1 && list->count <= 3)
    return list;
  expression_fail(e, node, "--grid takes %s", wanted);
  return NULL;
}

bool expression_grid(struct arena *arena, struct problems *problems, const char *text,
                     const struct expression_names *names, struct text out[3], size_t *count) {
  struct translation t = {.e = {expression_source(arena, "--grid", text), problems, names, NULL}};
  const struct node_list *list = expression_grid_sizes(arena, &t.e);
  if (!list)
    return false;
  *count = list->count;
  for (uint32_t i = 0; i < list->count; i++) {
    t.out = &out[i];
    if (!emit(&t, list->items[i], TYPE_INTEGER))
      return false;
  }
  return true;
}
