/* SPDX-License-Identifier: MIT */
/* String literals: adjacent ones joined, f-strings split into text and fields.

       f"a{x!r:>{w}}b" "c"   ->   FSTRING "a", FORMATTED x 'r' (FSTRING ">", FORMATTED w), "bc"

   The expression of a field is parsed by this parser with a lexer of its own that covers the rest
   of the literal: it stops at the '}', ':', '!' or '=' that ends the expression. */
#include "frontend/parser_internal.h"

#include <string.h>

/* The parts collected for one group of adjacent literals. */
struct string_group {
  struct text text;    /* text not yet made a part */
  uint32_t text_start; /* where that text begins in the source */
  bool is_formatted;
};

static struct node *make_string(struct parser *parser, uint32_t start, struct text *text,
                                bool is_bytes) {
  const char *copy = arena_copy_string(parser->arena, text_string(text), text->length);
  struct slice value = {copy, text->length};
  return MAKE(parser, start, NODE_STRING, .string = {value, is_bytes});
}

/* Pushes the collected text as a part. */
static void flush_text(struct parser *parser, struct string_group *group, uint32_t end) {
  if (group->text.length > 0) {
    struct node *part = make_string(parser, group->text_start, &group->text, false);
    if (part)
      part->span.length = end - group->text_start;
    push_node(parser, part);
  }
  group->text.length = 0;
}

static void decode_next(struct parser *parser, const struct string_form *form, uint32_t end,
                        uint32_t *position, struct string_group *group) {
  uint32_t start = *position;
  if (group->text.length == 0)
    group->text_start = start;
  const char *error = string_decode_next(parser->source, form, end, position, &group->text);
  if (error)
    syntax_error(parser, (struct span){start, *position - start}, "%s", error);
}

/* --- Fields ----------------------------------------------------------------------------------- */

static uint32_t parse_text(struct parser *parser, const struct string_form *form, uint32_t position,
                           bool in_specification, struct string_group *group);

/* {expression=}: the source text up to and with the "=" and the blanks after it is shown too. */
static void add_debug_text(struct parser *parser, struct string_group *group, uint32_t open) {
  if (group->text.length == 0)
    group->text_start = open;
  uint32_t end = parser->token.span.offset;
  text_append(&group->text, source_at(parser->source, open + 1), end - open - 1);
}

/* !r, !s or !a. */
static uint64_t parse_conversion(struct parser *parser) {
  if (!accept_token(parser, TOKEN_EXCLAMATION))
    return 0;
  const char *word = expect_name(parser, "'r', 's' or 'a' after '!' in an f-string");
  if (word && (strchr("rsa", word[0]) == NULL || word[1] != 0))
    syntax_error(
        parser,
        (struct span){parser->previous_end - (uint32_t)strlen(word), (uint32_t)strlen(word)},
        "no conversion '!%s' in an f-string; use '!r', '!s' or '!a'", word);
  return word ? (uint64_t)(unsigned char)word[0] : 0;
}

/* From after ":" to the closing brace. */
static struct node *parse_specification(struct parser *parser, const struct string_form *form,
                                        uint32_t *position) {
  uint32_t start = *position;
  size_t mark = parser->stack_count;
  struct string_group group = {.is_formatted = true};
  *position = parse_text(parser, form, start, true, &group);
  flush_text(parser, &group, *position);
  text_free(&group.text);
  struct node_list parts = take_nodes(parser, mark);
  parser->previous_end = *position;
  return MAKE(parser, start, NODE_FSTRING, .fstring = {parts});
}

/* With the parser inside the field: the expression and what follows it. Returns the offset after
   the closing brace. */
static uint32_t parse_field_inside(struct parser *parser, const struct string_form *form,
                                   uint32_t open, struct string_group *group) {
  struct node *value = parse_value(parser), *specification = NULL;
  uint32_t position = span_end(form->body);
  bool debug = at_token(parser, TOKEN_EQUAL);
  if (debug) {
    next_token(parser);
    add_debug_text(parser, group, open);
  }
  flush_text(parser, group, open);
  uint64_t conversion = parse_conversion(parser);
  if (at_token(parser, TOKEN_COLON)) {
    position = span_end(parser->token.span);
    specification = parse_specification(parser, form, &position);
    if (!parser->panic && (position >= span_end(form->body)))
      syntax_error(
          parser, (struct span){open, 1},
          "this field of the f-string is never closed; add '}', or write '{{' for a brace");
    position++;
  } else if (at_token(parser, TOKEN_BRACE_CLOSE)) {
    position = span_end(parser->token.span);
  } else if (at_token(parser, TOKEN_END)) {
    syntax_error(parser, (struct span){open, 1},
                 "this field of the f-string is never closed; add '}', or write '{{' for a brace");
  } else {
    char buffer[TOKEN_PHRASE_SIZE];
    syntax_error_here(parser, "expected '}' after the expression in the f-string, found %s",
                      token_phrase(parser, buffer));
  }
  if (debug && !conversion && !specification)
    conversion = 'r';
  parser->previous_end = position;
  push_node(parser,
            MAKE(parser, open, NODE_FORMATTED, .formatted = {value, conversion, specification}));
  return position;
}

/* A field, from its opening brace on. Returns the offset after it. */
static uint32_t parse_field(struct parser *parser, const struct string_form *form, uint32_t open,
                            struct string_group *group) {
  if (!enter_rule(parser))
    return span_end(form->body);
  struct lexer lexer = parser->lexer;
  struct token token = parser->token;
  uint32_t previous_end = parser->previous_end;
  lexer_create_field(&parser->lexer, parser->source, parser->words, parser->problems,
                     (struct span){open + 1, span_end(form->body) - open - 1});
  parser->token = (struct token){.kind = TOKEN_NEWLINE};
  next_token(parser);
  uint32_t end = parse_field_inside(parser, form, open, group);
  parser->lexer = lexer;
  parser->previous_end = previous_end;
  if (parser->panic)
    parser->stopped = token;
  else
    parser->token = token;
  leave_rule(parser);
  return end;
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Text and fields up to the end of the literal, or of the specification. Returns where it stopped.
 */
static uint32_t parse_text(struct parser *parser, const struct string_form *form, uint32_t position,
                           bool in_specification, struct string_group *group) {
  uint32_t end = span_end(form->body);
  while (position < end && !parser->panic) {
    const char *at = source_at(parser->source, position);
    bool doubled = position + 1 < end && at[1] == *at;
    if (*at == '}' && in_specification)
      return position;
    if (form->is_formatted && (*at == '{' || *at == '}') && !(doubled && !in_specification)) {
      if (*at == '{')
        position = parse_field(parser, form, position, group);
      else
        syntax_error(parser, (struct span){position, 1},
                     "a single '}' in an f-string; write '}}' for a brace");
      continue;
    }
    bool is_brace = form->is_formatted && (*at == '{' || *at == '}');
    decode_next(parser, form, end, &position, group);
    position += is_brace;
  }
  return position;
}

/* One literal: adds its text and fields to the group. */
static void parse_literal(struct parser *parser, struct string_group *group,
                          const struct string_form *form) {
  if (form->is_formatted) {
    group->is_formatted = true;
    parse_text(parser, form, form->body.offset, false, group);
    return;
  }
  uint32_t position = form->body.offset, end = span_end(form->body);
  while (position < end && !parser->panic)
    decode_next(parser, form, end, &position, group);
}

struct node *parse_strings(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  size_t mark = parser->stack_count;
  struct string_group group = {0};
  bool is_bytes = string_form_of(parser->source, parser->token.span).is_bytes;
  while (at_token(parser, TOKEN_STRING)) {
    struct string_form form = string_form_of(parser->source, parser->token.span);
    if (form.is_bytes != is_bytes)
      syntax_error_here(parser, "bytes and text cannot be joined; give all literals a 'b' or none");
    parse_literal(parser, &group, &form);
    next_token(parser);
  }
  struct node *node;
  if (group.is_formatted) {
    flush_text(parser, &group, parser->previous_end);
    struct node_list parts = take_nodes(parser, mark);
    node = MAKE(parser, start, NODE_FSTRING, .fstring = {parts});
  } else {
    node = make_string(parser, start, &group.text, is_bytes);
  }
  text_free(&group.text);
  return node;
}
