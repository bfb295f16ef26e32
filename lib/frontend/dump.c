/* SPDX-License-Identifier: MIT */
/* The syntax tree as text. Fields come from syntax.def by way of node_visit_fields; only the nodes
   that stand for themselves are named here. */
#include "frontend/dump.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/c_locale.h"

struct dump {
  struct field_visitor visitor; /* first: the callbacks' argument is the dump */
  const struct source *source;
  int indent;
  struct text *out;
};

/* The shortest decimal that reads back as the same number. */
static void print_real(double value, struct text *out) {
  char digits[40];
  int precision = 1;
  do
    c_snprintf(digits, sizeof digits, "%.*g", precision, value);
  while (precision++ < 17 && c_strtod(digits, NULL) != value);
  text_puts(out, digits);
}

static const char *const comprehension_names[] = {
    [COMPREHENSION_LIST] = "list",
    [COMPREHENSION_SET] = "set",
    [COMPREHENSION_DICT] = "dict",
    [COMPREHENSION_GENERATOR] = "generator",
};

static const char *const parameter_styles[] = {
    [PARAMETER_PLAIN] = "plain",
    [PARAMETER_POSITIONAL_ONLY] = "positional",
    [PARAMETER_KEYWORD_ONLY] = "keyword",
    [PARAMETER_REST] = "rest",
    [PARAMETER_KEYWORD_REST] = "keyword-rest",
};

static void dump_node(struct dump *dump, const struct node *node);

static void dump_child(struct field_visitor *visitor, const char *name, struct node *child) {
  (void)name;
  struct dump *dump = (struct dump *)visitor;
  text_puts(dump->out, " ");
  dump_node(dump, child);
}

/* Statements and the clauses that hold them go on lines of their own. */
static bool has_own_line(const struct node *node) {
  return node_kind_class(node_kind(node)) == NODE_CLASS_STATEMENT || node->kind == NODE_BRANCH ||
         node->kind == NODE_HANDLER || node->kind == NODE_CASE;
}

static void dump_list(struct field_visitor *visitor, const char *name,
                      const struct node_list *list) {
  (void)name;
  struct dump *dump = (struct dump *)visitor;
  text_puts(dump->out, " [");
  dump->indent += 2;
  for (uint32_t i = 0; i < list->count; i++) {
    if (has_own_line(list->items[i]))
      text_printf(dump->out, "\n%*s", dump->indent, "");
    else if (i > 0)
      text_puts(dump->out, " ");
    dump_node(dump, list->items[i]);
  }
  dump->indent -= 2;
  text_puts(dump->out, "]");
}

static void dump_word(struct field_visitor *visitor, const char *name, const char *word) {
  (void)name;
  text_printf(((struct dump *)visitor)->out, " %s", word ? word : "-");
}

static void dump_flag(struct field_visitor *visitor, const char *name, bool flag) {
  if (flag)
    text_printf(((struct dump *)visitor)->out, " :%s", name);
}

static void dump_number(struct field_visitor *visitor, const char *name, uint64_t number) {
  (void)name;
  text_printf(((struct dump *)visitor)->out, " %llu", (unsigned long long)number);
}

static void dump_operators(struct field_visitor *visitor, const char *name,
                           const enum operator_kind *operators, size_t count) {
  (void)name;
  for (size_t i = 0; i < count; i++)
    text_printf(((struct dump *)visitor)->out, " %s", operator_spelling(operators[i]));
}

/* Nodes that are written as themselves; false for all others. */
static bool dump_atom(struct dump *dump, const struct node *node) {
  struct text *out = dump->out;
  if (node_is(node, NODE_NAME)) {
    text_puts(out, node->name.id);
  } else if (node_is(node, NODE_INTEGER)) {
    text_printf(out, "%llu%s", (unsigned long long)node->integer.value,
                node->integer.too_large ? "+" : "");
  } else if (node_is(node, NODE_FLOAT)) {
    double value = node->floating.value;
    print_real(value, out);
    text_puts(out, value == floor(value) && fabs(value) < 1e15 ? "." : "");
  } else if (node_is(node, NODE_IMAGINARY)) {
    print_real(node->imaginary.value, out);
    text_puts(out, "j");
  } else if (node_is(node, NODE_STRING)) {
    text_puts(out, node->string.is_bytes ? "b" : "");
    text_quote(out, node->string.value, '"');
  } else if (node_is(node, NODE_BOOL)) {
    text_puts(out, node->boolean.value ? "True" : "False");
  } else if (node_is(node, NODE_NONE) || node_is(node, NODE_ELLIPSIS)) {
    text_puts(out, node_is(node, NODE_NONE) ? "None" : "...");
  } else {
    return false;
  }
  return true;
}

static void dump_span(struct dump *dump, struct span span) {
  struct place first = source_place(dump->source, span.offset);
  struct place last = source_place(dump->source, span_end(span));
  text_printf(dump->out, "@%u:%u-%u:%u", first.line, first.column, last.line, last.column);
}

static void dump_node(struct dump *dump, const struct node *node) {
  if (!node) {
    text_puts(dump->out, "-");
    return;
  }
  if (dump_atom(dump, node))
    return;
  text_printf(dump->out, "(%s", node_kind_name(node_kind(node)));
  if (node->kind == NODE_COMPREHENSION)
    text_printf(dump->out, " %s", comprehension_names[node->comprehension.style]);
  if (node->kind == NODE_PARAMETER)
    text_printf(dump->out, " %s", parameter_styles[node->parameter.style]);
  node_visit_fields(node, &dump->visitor);
  text_puts(dump->out, ")");
  if (dump->source)
    dump_span(dump, node->span);
}

void node_dump(const struct node *node, const struct source *source, int indent, struct text *out) {
  struct dump dump = {.visitor = {.child = dump_child,
                                  .list = dump_list,
                                  .word = dump_word,
                                  .flag = dump_flag,
                                  .number = dump_number,
                                  .operators = dump_operators},
                      .source = source,
                      .indent = indent,
                      .out = out};
  dump_node(&dump, node);
}
