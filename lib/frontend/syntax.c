/* SPDX-License-Identifier: MIT */
/* The tree's tables and walks, all derived from syntax.def and operators.def. */
#include "frontend/syntax.h"

static const char *const kind_names[] = {
#define NODE(identifier, member, ...) #member,
#include "frontend/syntax.def"
#undef NODE
};

static const enum node_class kind_classes[] = {
#define NODE(identifier, member, class, ...) NODE_CLASS_##class,
#include "frontend/syntax.def"
#undef NODE
};

static const char *const operators[] = {
#define OPERATOR(identifier, spelling, ...) spelling,
#include "frontend/operators.def"
#undef OPERATOR
};

const char *node_kind_name(enum node_kind kind) {
  return kind_names[kind];
}

enum node_class node_kind_class(enum node_kind kind) {
  return kind_classes[kind];
}

const char *operator_spelling(enum operator_kind op) {
  return operators[op];
}

static const char *const phrases[NODE_KIND_COUNT] = {
    [NODE_NAME] = "a name",
    [NODE_INTEGER] = "a number",
    [NODE_FLOAT] = "a number",
    [NODE_IMAGINARY] = "an imaginary number",
    [NODE_STRING] = "a string",
    [NODE_NONE] = "None",
    [NODE_BOOL] = "True or False",
    [NODE_ELLIPSIS] = "'...'",
    [NODE_FSTRING] = "an f-string",
    [NODE_FORMATTED] = "a field of an f-string",
    [NODE_ATTRIBUTE] = "an attribute",
    [NODE_SUBSCRIPT] = "a subscript",
    [NODE_SLICE] = "a slice",
    [NODE_CALL] = "a call",
    [NODE_KEYWORD] = "a keyword argument",
    [NODE_STARRED] = "a starred expression",
    [NODE_UNARY] = "an operation",
    [NODE_BINARY] = "an operation",
    [NODE_LOGICAL] = "'and' or 'or'",
    [NODE_COMPARE] = "a comparison",
    [NODE_CONDITIONAL] = "a conditional expression",
    [NODE_LAMBDA] = "a lambda",
    [NODE_TUPLE] = "a tuple",
    [NODE_LIST] = "a list",
    [NODE_SET] = "a set",
    [NODE_DICT] = "a dictionary",
    [NODE_ENTRY] = "an entry of a dictionary",
    [NODE_COMPREHENSION] = "a comprehension",
    [NODE_CLAUSE] = "a clause of a comprehension",
    [NODE_WALRUS] = "an assignment with ':='",
    [NODE_AWAIT] = "'await'",
    [NODE_YIELD] = "'yield'",
    [NODE_FUNCTION] = "a function",
    [NODE_PARAMETER] = "a parameter",
    [NODE_CLASS] = "a class",
    [NODE_IF] = "an 'if' statement",
    [NODE_BRANCH] = "a branch of an 'if' statement",
    [NODE_FOR] = "a 'for' loop",
    [NODE_WHILE] = "a 'while' loop",
    [NODE_RETURN] = "a 'return' statement",
    [NODE_PASS] = "a 'pass' statement",
    [NODE_BREAK] = "a 'break' statement",
    [NODE_CONTINUE] = "a 'continue' statement",
    [NODE_ASSERT] = "an 'assert' statement",
    [NODE_RAISE] = "a 'raise' statement",
    [NODE_ASSIGN] = "an assignment",
    [NODE_AUGMENTED] = "an augmented assignment",
    [NODE_ANNOTATED] = "an annotated assignment",
    [NODE_EVALUATE] = "an expression",
    [NODE_DELETE] = "a 'del' statement",
    [NODE_IMPORT] = "an 'import' statement",
    [NODE_IMPORT_FROM] = "a 'from ... import' statement",
    [NODE_ALIAS] = "an imported name",
    [NODE_GLOBAL] = "a 'global' statement",
    [NODE_NONLOCAL] = "a 'nonlocal' statement",
    [NODE_WITH] = "a 'with' statement",
    [NODE_WITH_ITEM] = "an item of a 'with' statement",
    [NODE_TRY] = "a 'try' statement",
    [NODE_HANDLER] = "an 'except' block",
    [NODE_MATCH] = "a 'match' statement",
    [NODE_CASE] = "a 'case' block",
    [NODE_TYPE_ALIAS] = "a 'type' statement",
    [NODE_BROKEN] = "a statement with a syntax error",
    [NODE_MODULE] = "a file",
};

const char *node_kind_phrase(enum node_kind kind) {
  return phrases[kind];
}

/* --- Walking: one function per kind, made from its row ---------------------------------------- */

#define CALL_BACK(method, ...)                                                                     \
  if (visitor->method)                                                                             \
    visitor->method(visitor, __VA_ARGS__);
#define CHILD(f) CALL_BACK(child, #f, fields->f)
#define OPTIONAL(f) CALL_BACK(child, #f, fields->f)
#define LIST(f) CALL_BACK(list, #f, &fields->f)
#define WORD(f) CALL_BACK(word, #f, fields->f)
#define PLACE(f)
#define FLAG(f) CALL_BACK(flag, #f, fields->f)
#define NUMBER(f) CALL_BACK(number, #f, fields->f)
#define REAL(f) CALL_BACK(real, #f, fields->f)
#define BYTES(f) CALL_BACK(bytes, #f, fields->f)
#define OPERATOR(f) CALL_BACK(operators, #f, &fields->f, 1)
#define OPERATORS(f) CALL_BACK(operators, #f, fields->f, operator_count(node))
#define STYLE(f, t) CALL_BACK(style, #f, (int)fields->f)
#define NOTHING

static size_t operator_count(const struct node *node) {
  return node->kind == NODE_COMPARE ? node->compare.operands.count - 1 : 0;
}

typedef void visit_fields(const struct node *node, struct field_visitor *visitor);

#define NODE(identifier, member, class, row)                                                       \
  static void visit_##member(const struct node *node, struct field_visitor *visitor) {             \
    const struct node_##member *fields = &node->member;                                            \
    (void)fields, (void)visitor;                                                                   \
    row                                                                                            \
  }
#include "frontend/syntax.def"
#undef NODE

static visit_fields *const visits[] = {
#define NODE(identifier, member, ...) visit_##member,
#include "frontend/syntax.def"
#undef NODE
};

void node_visit_fields(const struct node *node, struct field_visitor *visitor) {
  visits[node->kind](node, visitor);
}

struct walk {
  struct field_visitor visitor; /* first: the callbacks' argument is the walk */
  node_visit *visit;
  void *data;
};

static void walk_child(struct field_visitor *visitor, const char *name, struct node *child) {
  (void)name;
  struct walk *walk = (struct walk *)visitor;
  if (child && walk->visit(child, walk->data))
    node_visit_fields(child, visitor);
}

static void walk_list(struct field_visitor *visitor, const char *name,
                      const struct node_list *list) {
  for (uint32_t i = 0; i < list->count; i++)
    walk_child(visitor, name, list->items[i]);
}

void node_walk(struct node *node, node_visit *visit, void *data) {
  struct walk walk = {{.child = walk_child, .list = walk_list}, visit, data};
  walk_child(&walk.visitor, NULL, node);
}

bool node_dotted_name(const struct node *node, struct text *out) {
  if (node_is(node, NODE_NAME)) {
    text_puts(out, node->name.id);
    return true;
  }
  if (!node_is(node, NODE_ATTRIBUTE) || !node_dotted_name(node->attribute.value, out))
    return false;
  text_printf(out, ".%s", node->attribute.name);
  return true;
}

const char **parameter_names(struct arena *arena, const struct node_list *parameters) {
  const char **names = ARENA_ARRAY(arena, const char *, parameters->count + 1);
  for (uint32_t i = 0; i < parameters->count; i++)
    names[i] = parameters->items[i]->parameter.name;
  return names;
}

struct slice annotation_name(const struct node *annotation) {
  if (node_is(annotation, NODE_NAME))
    return slice_of(annotation->name.id);
  if (node_is(annotation, NODE_ATTRIBUTE))
    return slice_of(annotation->attribute.name);
  struct slice text = node_is(annotation, NODE_STRING) ? annotation->string.value : slice_of("");
  size_t start = text.length;
  while (start > 0 && text.data[start - 1] != '.')
    start--;
  return (struct slice){text.data + start, text.length - start};
}

const struct node_list *node_elements(const struct node *node) {
  static const struct node_list none;
  return node_is(node, NODE_TUPLE)  ? &node->tuple.elements
         : node_is(node, NODE_LIST) ? &node->list_display.elements
         : node_is(node, NODE_SET)  ? &node->set_display.elements
                                    : &none;
}

const struct node_list *function_parameters(const struct node *node) {
  return node_is(node, NODE_LAMBDA) ? &node->lambda.parameters : &node->function.parameters;
}

typedef void visit_target(const struct node *target, void *data);

static void visit_parts(const struct node *target, visit_target *visit, void *data) {
  const struct node_list *parts = node_elements(target);
  if (node_is(target, NODE_STARRED))
    visit_parts(target->starred.value, visit, data);
  else if (target && !node_is(target, NODE_TUPLE) && !node_is(target, NODE_LIST))
    visit(target, data);
  for (uint32_t i = 0; i < parts->count; i++)
    visit_parts(parts->items[i], visit, data);
}

bool node_targets(const struct node *node, visit_target *visit, void *data) {
  const struct node_list *several = node_is(node, NODE_ASSIGN)   ? &node->assign.targets
                                    : node_is(node, NODE_DELETE) ? &node->delete_statement.targets
                                                                 : NULL;
  const struct node *one = node_is(node, NODE_AUGMENTED)   ? node->augmented.target
                           : node_is(node, NODE_ANNOTATED) ? node->annotated.target
                           : node_is(node, NODE_FOR)       ? node->for_loop.target
                           : node_is(node, NODE_WITH_ITEM) ? node->with_item.target
                           : node_is(node, NODE_WALRUS)    ? node->walrus.target
                                                           : NULL;
  if (!node_is(node, NODE_ANNOTATED) || node->annotated.value)
    visit_parts(one, visit, data);
  for (uint32_t i = 0; several && i < several->count; i++)
    visit_parts(several->items[i], visit, data);
  return one || several;
}
