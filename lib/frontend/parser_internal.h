/* SPDX-License-Identifier: MIT */
/* What the parser's files share.

   An error puts the parser in panic: the current token becomes STOP, which no rule accepts, so all
   rules return at once (with NULL for a node), and parser_statement picks up the pieces. A rule
   that loops therefore loops on accepting a token, and checks `panic` only before it looks into a
   node. */
#ifndef TILE_FRONTEND_PARSER_INTERNAL_H
#define TILE_FRONTEND_PARSER_INTERNAL_H

#include "base/map.h"
#include "frontend/lexer.h"
#include "frontend/parser.h"
#include "frontend/strings.h"

struct parser {
  const struct source *source;
  struct arena *arena;
  struct words *words;
  struct problems *problems;
  struct lexer lexer;
  struct token token;    /* the next one, not yet consumed */
  uint32_t previous_end; /* where the last consumed token ends */
  bool panic;
  struct token stopped;      /* in panic: the token at which the error was found */
  uint32_t statement_column; /* of the innermost statement, for recovery */
  struct token outdented;    /* if it begins a line: see next_statement */
  uint32_t nesting;          /* active rules that recurse */
  uint32_t loops;            /* around this place, in this function */
  uint32_t kernel_count;     /* kernels seen so far */
  bool items_allowed;        /* the next atom may be the parenthesis of a `with` */
  struct map imports;        /* word -> struct imported_name *, for recognising triton.jit */
  struct node **stack;       /* children whose parent is still being parsed */
  size_t stack_count, stack_capacity;
};

/* --- parser.c: tokens, errors, nodes ---------------------------------------------------------- */

static inline bool at_token(const struct parser *parser, enum token_kind kind) {
  return parser->token.kind == kind;
}
void next_token(struct parser *parser);
bool accept_token(struct parser *parser, enum token_kind kind);
/* Consumes the token or fails: "expected ')' after the arguments, found ...". `place` may be NULL.
 */
bool expect_token(struct parser *parser, enum token_kind kind, const char *place);
/* Consumes the closing bracket, or fails with a note at the opening one. */
bool expect_close(struct parser *parser, enum token_kind kind, uint32_t open);
/* Consumes a name; NULL after the error "expected <what>". */
const char *expect_name(struct parser *parser, const char *what);

/* Reports an error and begins the panic; NULL when in panic already. */
struct problem *syntax_error(struct parser *parser, struct span span, const char *format, ...)
    TILE_PRINTF(3, 4);
/* The same at the current token; after the previous one when that is a line's end. Inside
   brackets, at a token that looks like the next statement, the error is that the bracket was never
   closed. */
struct problem *syntax_error_here(struct parser *parser, const char *format, ...) TILE_PRINTF(2, 3);
/* Adds a note to what syntax_error returned. */
void syntax_note(struct parser *parser, struct problem *problem, struct span span,
                 const char *format, ...) TILE_PRINTF(4, 5);
/* The current token for a message: "'def'", "'x'", "the end of the line". Valid until the next
   call; `buffer` has TOKEN_PHRASE_SIZE bytes. */
enum { TOKEN_PHRASE_SIZE = 64 };
const char *token_phrase(const struct parser *parser, char buffer[static TOKEN_PHRASE_SIZE]);

/* Counts a rule that recurses: `if (!enter_rule(parser)) return NULL; ... leave_rule(parser);`. */
bool enter_rule(struct parser *parser);
static inline void leave_rule(struct parser *parser) {
  parser->nesting--;
}

/* From `start` to the end of the last consumed token. */
static inline struct span span_from(const struct parser *parser, uint32_t start) {
  return (struct span){start, parser->previous_end > start ? parser->previous_end - start : 0};
}
/* A copy of `node` in the arena with span and height filled in; NULL in panic.
   `MAKE(parser, start, NODE_UNARY, .unary = {op, operand})`. */
struct node *make_node(struct parser *parser, uint32_t start, const struct node *node);
#define MAKE(parser, start, node_kind, ...)                                                        \
  make_node((parser), (start), &(struct node){.kind = (node_kind), __VA_ARGS__})

/* The stack: push children, then take those above `mark` as a list. */
void push_node(struct parser *parser, struct node *node);
struct node_list take_nodes(struct parser *parser, size_t mark);

/* --- expressions.c ---------------------------------------------------------------------------- */

/* Grammar: `expression`, no := at the outermost level. */
struct node *parse_expression(struct parser *parser);
/* expression with :=. */
struct node *parse_named_expression(struct parser *parser);
/* Below `lambda` and `if else`: the iterable of a comprehension. */
struct node *parse_disjunction(struct parser *parser);
/* Down to `|`: a target, where `in` does not belong to the expression. */
struct node *parse_operand(struct parser *parser);
/* expression or *operand. */
struct node *parse_starred(struct parser *parser);
/* a, *b, c: a TUPLE unless it is one expression without a comma. */
struct node *parse_expression_list(struct parser *parser);
struct node *parse_named_expression_list(struct parser *parser);
/* The same or `yield`. */
struct node *parse_value(struct parser *parser);
/* What `for` assigns to. Checked. */
struct node *parse_targets(struct parser *parser);
/* A name, attribute or subscript. */
static inline bool is_single_target(const struct node *node) {
  return node_is(node, NODE_NAME) || node_is(node, NODE_ATTRIBUTE) || node_is(node, NODE_SUBSCRIPT);
}
/* Fails when nothing can be assigned to the node: "cannot assign to a call; ...". */
bool check_target(struct parser *parser, const struct node *target, const char *verb);
bool begins_expression(enum token_kind kind);
/* The operator of an augmented assignment token; false for other tokens. */
bool augmented_operator(enum token_kind kind, enum operator_kind *out);

/* --- primaries.c ------------------------------------------------------------------------------ */

/* Names, literals, displays, then any number of calls, subscripts and attributes. */
struct node *parse_primary(struct parser *parser);
/* From after "(" to ")", consumed. */
struct node_list parse_arguments(struct parser *parser, uint32_t open);

/* --- displays.c ------------------------------------------------------------------------------- */

/* Each begins at its opening bracket. */
struct node *parse_parentheses(struct parser *parser);
struct node *parse_brackets(struct parser *parser);
struct node *parse_braces(struct parser *parser);
/* `for ... in ...` clauses when the token is `for` or `async`; an empty list otherwise. */
struct node_list parse_clauses(struct parser *parser);
static inline bool at_clause(const struct parser *parser) {
  return at_token(parser, TOKEN_FOR) || at_token(parser, TOKEN_ASYNC);
}

/* --- formatted_strings.c ---------------------------------------------------------------------- */

/* One or more adjacent STRING tokens: STRING or FSTRING. */
struct node *parse_strings(struct parser *parser);

/* --- statements.c ----------------------------------------------------------------------------- */

/* Statements of a block or of the file, until DEDENT or END, pushed. */
void parse_statements(struct parser *parser);
/* ":" and the block after it: a line, or an indented block. `what` completes "expected ':' after
   ..." and "expected an indented block after ...". Ends the panic of the header. False when there
   was an error in the header, or there is no block: then the statement becomes BROKEN. */
bool parse_block(struct parser *parser, const char *what, struct node_list *out);
/* Reports an error without panic. */
void report_error(struct parser *parser, struct span span, const char *format, ...)
    TILE_PRINTF(3, 4);

/* --- compounds.c, definitions.c --------------------------------------------------------------- */

/* A compound statement; false when the token begins none. `*out` is NULL in panic. */
bool parse_compound(struct parser *parser, struct node **out);
/* Decorators and what they decorate. */
struct node *parse_decorated(struct parser *parser);
/* From `def` or `class` on; `start` is where `async` or the keyword stands. */
struct node *parse_definition(struct parser *parser, uint32_t start, struct node_list decorators,
                              bool is_kernel);
/* Parameters of a function (`close` is ")") or a lambda (":"), not consuming `close`. */
struct node_list parse_parameters(struct parser *parser, enum token_kind close);

/* --- parser.c: recovery ----------------------------------------------------------------------- */

/* Notes where a statement begins, and begins the panic that a STOP at its start left to it. */
void begin_statement(struct parser *parser);
/* Ends the panic: skips to the next line that can begin a statement. */
void recover_statement(struct parser *parser);
/* A BROKEN node with the children above `mark` as its body. */
struct node *make_broken(struct parser *parser, uint32_t start, const char *name, size_t mark);

/* --- imports.c -------------------------------------------------------------------------------- */

/* Where an imported name comes from. `original` NULL: the module itself. */
struct imported_name {
  const char *module, *original;
};

/* After the keyword, which `first` is. */
struct node *parse_import(struct parser *parser, struct token first);
struct node *parse_import_from(struct parser *parser, struct token first);
/* True when a decorator is triton.jit in one of its spellings. */
bool is_jit_decorator(const struct parser *parser, const struct node *decorator);

#endif
