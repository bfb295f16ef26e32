/* SPDX-License-Identifier: MIT */
/* Functions, classes, their decorators, and parameters. */
#include "frontend/parser_internal.h"

#include <string.h>

/* --- Parameters ------------------------------------------------------------------------------- */

/* A list of parameters while it is parsed. */
struct parameter_list {
  enum token_kind close;
  size_t mark;                /* of the first on the parser's stack */
  enum parameter_style style; /* of the next plain one */
  bool star_alone;            /* a bare "*" still waits for its parameter */
  struct node *with_default;  /* the last plain one, if it has a default */
  struct map seen;            /* word -> struct node * */
};

/* "/": everything before it is positional only. */
static void mark_positional(struct parser *parser, struct parameter_list *list) {
  if (parser->stack_count == list->mark)
    syntax_error_here(parser, "a parameter must stand before '/'");
  if (list->style != PARAMETER_PLAIN)
    syntax_error_here(parser, "'/' must stand before '*'");
  next_token(parser);
  for (size_t i = list->mark; i < parser->stack_count; i++)
    if (parser->stack[i]->parameter.style == PARAMETER_PLAIN)
      parser->stack[i]->parameter.style = PARAMETER_POSITIONAL_ONLY;
}

static void check_parameter(struct parser *parser, struct parameter_list *list,
                            struct node *parameter) {
  const struct node_parameter *fields = &parameter->parameter;
  struct node *other = map_get(&list->seen, fields->name);
  if (other)
    syntax_note(parser,
                syntax_error(parser, fields->name_span, "two parameters are named '%s'; rename one",
                             fields->name),
                other->parameter.name_span, "the first one");
  map_set(&list->seen, fields->name, parameter);
  if (fields->style != PARAMETER_PLAIN)
    return;
  if (list->with_default && !fields->default_value)
    syntax_note(parser,
                syntax_error(parser, fields->name_span,
                             "'%s' needs a default, as a parameter before it has one",
                             fields->name),
                list->with_default->span, "the parameter with a default");
  if (fields->default_value)
    list->with_default = parameter;
}

/* What may follow the name: annotation and default. Pushed. */
static void finish_parameter(struct parser *parser, struct parameter_list *list, uint32_t start,
                             enum parameter_style style) {
  struct span name_span = parser->token.span;
  const char *name = expect_name(parser, "the name of a parameter");
  struct node *annotation = NULL, *value = NULL;
  if (list->close == TOKEN_PAREN_CLOSE && accept_token(parser, TOKEN_COLON))
    annotation = style == PARAMETER_REST ? parse_starred(parser) : parse_expression(parser);
  if (style != PARAMETER_REST && style != PARAMETER_KEYWORD_REST &&
      accept_token(parser, TOKEN_EQUAL))
    value = parse_expression(parser);
  struct node *node =
      MAKE(parser, start, NODE_PARAMETER, .parameter = {style, name, name_span, annotation, value});
  if (node)
    check_parameter(parser, list, node);
  push_node(parser, node);
}

static void parse_star_parameter(struct parser *parser, struct parameter_list *list) {
  uint32_t start = parser->token.span.offset;
  if (list->style == PARAMETER_KEYWORD_ONLY)
    syntax_error_here(parser, "a second '*' among the parameters; remove it");
  next_token(parser);
  list->style = PARAMETER_KEYWORD_ONLY;
  list->star_alone = at_token(parser, TOKEN_COMMA) || at_token(parser, list->close);
  if (!list->star_alone)
    finish_parameter(parser, list, start, PARAMETER_REST);
}

static void parse_parameter(struct parser *parser, struct parameter_list *list) {
  uint32_t start = parser->token.span.offset;
  if (at_token(parser, TOKEN_SLASH)) {
    mark_positional(parser, list);
  } else if (at_token(parser, TOKEN_STAR)) {
    parse_star_parameter(parser, list);
  } else if (accept_token(parser, TOKEN_STAR_STAR)) {
    finish_parameter(parser, list, start, PARAMETER_KEYWORD_REST);
    accept_token(parser, TOKEN_COMMA);
    if (!parser->panic && !at_token(parser, list->close))
      syntax_error_here(parser, "nothing can follow the '**' parameter");
  } else {
    finish_parameter(parser, list, start, list->style);
    list->star_alone = false;
  }
}

struct node_list parse_parameters(struct parser *parser, enum token_kind close) {
  struct parameter_list list = {.close = close, .mark = parser->stack_count};
  while (!at_token(parser, close) && !parser->panic) {
    parse_parameter(parser, &list);
    if (!accept_token(parser, TOKEN_COMMA))
      break;
  }
  if (list.star_alone)
    syntax_error_here(parser, "a parameter must follow '*'");
  map_free(&list.seen);
  return take_nodes(parser, list.mark);
}

/* --- Functions and classes -------------------------------------------------------------------- */

/* The [T] of Python 3.12, which no kernel needs. */
static void skip_type_parameters(struct parser *parser) {
  if (at_token(parser, TOKEN_BRACKET_OPEN))
    parse_brackets(parser);
}

/* A definition with an error in its header. */
static struct node *broken_definition(struct parser *parser, uint32_t start, const char *name,
                                      const struct node_list *body) {
  size_t mark = parser->stack_count;
  for (uint32_t i = 0; i < body->count; i++)
    push_node(parser, body->items[i]);
  return make_broken(parser, start, name, mark);
}

static struct node *parse_function(struct parser *parser, uint32_t start, bool is_async,
                                   struct node_list decorators, bool is_kernel) {
  uint32_t kernels = parser->kernel_count, loops = parser->loops;
  struct node_list body;
  struct node *returns = NULL;
  next_token(parser);
  struct span name_span = parser->token.span;
  const char *name = expect_name(parser, "the name of the function");
  skip_type_parameters(parser);
  uint32_t open = parser->token.span.offset;
  expect_token(parser, TOKEN_PAREN_OPEN, "after the name of the function");
  struct node_list parameters = parse_parameters(parser, TOKEN_PAREN_CLOSE);
  expect_close(parser, TOKEN_PAREN_CLOSE, open);
  if (accept_token(parser, TOKEN_ARROW))
    returns = parse_expression(parser);
  parser->loops = 0;
  bool good = parse_block(parser, "the head of the function", &body);
  parser->loops = loops;
  bool has_kernels = parser->kernel_count > kernels;
  parser->kernel_count += is_kernel;
  if (!good)
    return broken_definition(parser, start, name, &body);
  return MAKE(parser, start, NODE_FUNCTION,
              .function = {name, name_span, decorators, parameters, returns, body, is_async,
                           is_kernel, has_kernels});
}

static struct node *parse_class(struct parser *parser, uint32_t start,
                                struct node_list decorators) {
  uint32_t kernels = parser->kernel_count, loops = parser->loops;
  struct node_list arguments = {0}, body;
  next_token(parser);
  struct span name_span = parser->token.span;
  const char *name = expect_name(parser, "the name of the class");
  skip_type_parameters(parser);
  uint32_t open = parser->token.span.offset;
  if (accept_token(parser, TOKEN_PAREN_OPEN))
    arguments = parse_arguments(parser, open);
  parser->loops = 0;
  bool good = parse_block(parser, "the head of the class", &body);
  parser->loops = loops;
  if (!good)
    return broken_definition(parser, start, name, &body);
  return MAKE(parser, start, NODE_CLASS,
              .class_definition = {name, name_span, decorators, arguments, body,
                                   parser->kernel_count > kernels});
}

struct node *parse_definition(struct parser *parser, uint32_t start, struct node_list decorators,
                              bool is_kernel) {
  if (at_token(parser, TOKEN_CLASS))
    return parse_class(parser, start, decorators);
  return parse_function(parser, start, start != parser->token.span.offset, decorators, is_kernel);
}

/* --- Decorators ------------------------------------------------------------------------------- */

/* True when the text of a decorator that could not be parsed speaks of jit. */
static bool mentions_jit(const struct parser *parser, uint32_t start) {
  struct slice line = source_line(parser->source, source_place(parser->source, start).line);
  for (size_t i = 0; i + 3 <= line.length; i++)
    if (memcmp(line.data + i, "jit", 3) == 0)
      return true;
  return false;
}

/* What is known of the decorators above a definition. */
struct decorators {
  struct node_list list;
  bool is_kernel, is_broken;
};

/* One decorator and its line end, pushed. */
static void parse_decorator(struct parser *parser, struct decorators *decorators) {
  uint32_t start = parser->token.span.offset;
  next_token(parser);
  struct node *decorator = parse_named_expression(parser);
  if (!parser->panic)
    decorators->is_kernel |= is_jit_decorator(parser, decorator);
  expect_token(parser, TOKEN_NEWLINE, "after the decorator");
  if (parser->panic) {
    decorators->is_broken = true;
    decorators->is_kernel |= mentions_jit(parser, start);
    recover_statement(parser);
    return;
  }
  push_node(parser, decorator);
}

/* Makes the problems found since `first` count. */
static void count_problems(struct parser *parser, struct problem *first) {
  for (struct problem *problem = first; problem; problem = problem->next)
    problem_set_deferred(parser->problems, problem, false);
}

/* The first token of the line after a kernel is read before the kernel is left; an error in it is
   the host code's. */
static void release_next_line(struct parser *parser, struct problem *first) {
  if (!at_token(parser, TOKEN_STOP) || !first)
    return;
  while (first->next)
    first = first->next;
  problem_set_deferred(parser->problems, first, true);
}

/* async def, def or class below decorators. */
static struct node *parse_decorated_definition(struct parser *parser,
                                               const struct decorators *decorators) {
  uint32_t start = parser->token.span.offset;
  char buffer[TOKEN_PHRASE_SIZE];
  accept_token(parser, TOKEN_ASYNC);
  if (!at_token(parser, TOKEN_DEF) && !at_token(parser, TOKEN_CLASS)) {
    syntax_error_here(parser, "expected 'def' or 'class' below the decorator, found %s",
                      token_phrase(parser, buffer));
    return NULL;
  }
  struct node *node = parse_definition(parser, start, decorators->list, decorators->is_kernel);
  if (!decorators->is_broken || !node_is(node, NODE_FUNCTION))
    return node;
  return broken_definition(parser, start, node->function.name, &node->function.body);
}

struct node *parse_decorated(struct parser *parser) {
  size_t mark = parser->stack_count;
  struct decorators decorators = {0};
  struct problem **problems = parser->problems->last;
  bool deferring = parser->problems->deferring;
  while (at_token(parser, TOKEN_AT))
    parse_decorator(parser, &decorators);
  decorators.list = take_nodes(parser, mark);
  if (decorators.is_kernel) {
    count_problems(parser, *problems);
    parser->problems->deferring = false;
  }
  struct node *node = parse_decorated_definition(parser, &decorators);
  parser->problems->deferring = deferring;
  if (deferring && decorators.is_kernel && !parser->panic)
    release_next_line(parser, *problems);
  return node;
}
