/* SPDX-License-Identifier: MIT */
/* Import statements, and whether a decorator is triton.jit.

   The parser must know kernels when it meets them, because errors inside them count. It therefore
   notes imports as it goes; module.c builds the proper index later. */
#include "frontend/parser_internal.h"

#include <string.h>

static void note_import(struct parser *parser, const char *name, const char *module,
                        const char *original) {
  struct imported_name *entry = ARENA_NEW(parser->arena, struct imported_name);
  *entry = (struct imported_name){module, original};
  map_set(&parser->imports, name, entry);
}

/* name ("." name)*: one word. Sets `*first` to the word of the first name. */
static const char *parse_dotted_name(struct parser *parser, const char **first) {
  const char *name = expect_name(parser, "the name of a module");
  *first = name;
  if (!name || !at_token(parser, TOKEN_DOT))
    return name;
  struct text dotted = {0};
  text_puts(&dotted, name);
  while (accept_token(parser, TOKEN_DOT)) {
    name = expect_name(parser, "the name of a module after '.'");
    text_printf(&dotted, ".%s", name ? name : "");
  }
  const char *word = words_intern(parser->words, text_string(&dotted));
  text_free(&dotted);
  return word;
}

/* ["as" name] */
static const char *parse_as(struct parser *parser) {
  return accept_token(parser, TOKEN_AS) ? expect_name(parser, "a name after 'as'") : NULL;
}

struct node *parse_import(struct parser *parser, struct token first_token) {
  size_t mark = parser->stack_count;
  do {
    uint32_t alias_start = parser->token.span.offset;
    const char *first, *name = parse_dotted_name(parser, &first), *as_name = parse_as(parser);
    if (parser->panic)
      break;
    note_import(parser, as_name ? as_name : first, as_name ? name : first, NULL);
    push_node(parser, MAKE(parser, alias_start, NODE_ALIAS, .alias = {name, as_name}));
  } while (accept_token(parser, TOKEN_COMMA));
  struct node_list names = take_nodes(parser, mark);
  return MAKE(parser, first_token.span.offset, NODE_IMPORT, .import = {names});
}

static void parse_imported_name(struct parser *parser, const char *module) {
  uint32_t start = parser->token.span.offset;
  const char *name = expect_name(parser, "a name to import"), *as_name = parse_as(parser);
  if (parser->panic)
    return;
  note_import(parser, as_name ? as_name : name, module, name);
  push_node(parser, MAKE(parser, start, NODE_ALIAS, .alias = {name, as_name}));
}

/* What follows `import`: "*", names, or names in parentheses. Pushed. */
static void parse_imported_names(struct parser *parser, const char *module) {
  uint32_t start = parser->token.span.offset;
  if (accept_token(parser, TOKEN_STAR)) {
    const char *star = words_intern(parser->words, "*");
    push_node(parser, MAKE(parser, start, NODE_ALIAS, .alias = {star, NULL}));
    return;
  }
  bool parentheses = accept_token(parser, TOKEN_PAREN_OPEN);
  do {
    if (parentheses && at_token(parser, TOKEN_PAREN_CLOSE))
      break;
    parse_imported_name(parser, module);
  } while (accept_token(parser, TOKEN_COMMA));
  if (parentheses)
    expect_close(parser, TOKEN_PAREN_CLOSE, start);
}

struct node *parse_import_from(struct parser *parser, struct token first_token) {
  size_t mark = parser->stack_count;
  uint64_t level = 0;
  const char *first, *module = NULL;
  for (;;)
    if (accept_token(parser, TOKEN_DOT))
      level += 1;
    else if (accept_token(parser, TOKEN_ELLIPSIS))
      level += 3;
    else
      break;
  if (level == 0 || !at_token(parser, TOKEN_IMPORT))
    module = parse_dotted_name(parser, &first);
  expect_token(parser, TOKEN_IMPORT, "after the module");
  parse_imported_names(parser, module ? module : words_intern(parser->words, ""));
  struct node_list names = take_nodes(parser, mark);
  return MAKE(parser, first_token.span.offset, NODE_IMPORT_FROM,
              .import_from = {level, module, names});
}

/* --- Decorators ------------------------------------------------------------------------------- */

/* True when one of the dotted components of `path` is `name`. */
static bool has_component(const char *path, const char *name) {
  size_t length = strlen(name);
  for (const char *at = path; at; at = strchr(at, '.')) {
    at += *at == '.';
    if (strncmp(at, name, length) == 0 && (at[length] == 0 || at[length] == '.'))
      return true;
  }
  return false;
}

/* The dotted name of a decorator with its first part replaced by what it was imported as. */
static bool resolve(const struct parser *parser, const struct node *node, struct text *out) {
  if (node_is(node, NODE_ATTRIBUTE)) {
    if (!resolve(parser, node->attribute.value, out))
      return false;
    text_printf(out, ".%s", node->attribute.name);
    return true;
  }
  if (!node_is(node, NODE_NAME))
    return false;
  const struct imported_name *import = map_get(&parser->imports, node->name.id);
  if (import)
    text_printf(out, "%s%s%s", import->module, import->original ? "." : "",
                import->original ? import->original : "");
  else
    text_puts(out, node->name.id);
  return true;
}

/* The last component is `jit`, and it is not another compiler's. */
bool is_jit_decorator(const struct parser *parser, const struct node *decorator) {
  static const char *const others[] = {"numba", "jax", "torch", "cupy", "cupyx", "taichi", "gluon"};
  if (node_is(decorator, NODE_CALL))
    decorator = decorator->call.function;
  struct text path = {0};
  bool is_jit = decorator && resolve(parser, decorator, &path);
  const char *name = text_string(&path);
  is_jit = is_jit && strcmp(after_last(name, '.'), "jit") == 0;
  bool is_triton = has_component(name, "triton") && !has_component(name, "gluon");
  for (size_t i = 0; i < sizeof others / sizeof *others && !is_triton; i++)
    is_jit = is_jit && !has_component(name, others[i]);
  text_free(&path);
  return is_jit;
}
