/* SPDX-License-Identifier: MIT */
/* The syntax tree of a kernel file: Python's, as far as kernels and the code around them need it.

   syntax.def lists the nodes and their fields. A node is a kind, a span and a union; nodes, lists
   and words belong to the arena of the parse and never change afterwards. Parentheses leave no
   trace but in the span of a tuple. Trees are shallow by construction: no path from a statement at
   the top level to a leaf has more than SYNTAX_HIGHEST nodes, so consumers may recurse.

       switch (node->kind) {
       case NODE_BINARY:
         left = check(node->binary.left); ...

   Threads: a finished tree may be read by any number of threads. */
#ifndef TILE_FRONTEND_SYNTAX_H
#define TILE_FRONTEND_SYNTAX_H

#include "frontend/source.h"

/* Expressions are checked against their bound; blocks add at most three nodes for each of the
   lexer's 100 levels. */
enum { SYNTAX_HIGHEST_EXPRESSION = 500, SYNTAX_HIGHEST = 1000 };

enum node_kind {
#define NODE(identifier, ...) NODE_##identifier,
#include "frontend/syntax.def"
#undef NODE
  NODE_KIND_COUNT
};

enum node_class { NODE_CLASS_EXPRESSION, NODE_CLASS_STATEMENT, NODE_CLASS_PART };

enum operator_kind {
#define OPERATOR(identifier, ...) OPERATOR_##identifier,
#include "frontend/operators.def"
#undef OPERATOR
  OPERATOR_KIND_COUNT
};

enum parameter_style {
  PARAMETER_PLAIN,
  PARAMETER_POSITIONAL_ONLY, /* before "/" */
  PARAMETER_KEYWORD_ONLY,    /* after "*" or "*args" */
  PARAMETER_REST,            /* *args */
  PARAMETER_KEYWORD_REST     /* **kwargs */
};

enum comprehension_style {
  COMPREHENSION_LIST,
  COMPREHENSION_SET,
  COMPREHENSION_DICT,
  COMPREHENSION_GENERATOR
};

struct node;

struct node_list {
  struct node **items;
  uint32_t count;
};

#define CHILD(f) struct node *f;
#define OPTIONAL(f) struct node *f;
#define LIST(f) struct node_list f;
#define WORD(f) const char *f;
#define PLACE(f) struct span f;
#define FLAG(f) bool f;
#define NUMBER(f) uint64_t f;
#define REAL(f) double f;
#define BYTES(f) struct slice f;
#define OPERATOR(f) enum operator_kind f;
#define OPERATORS(f) const enum operator_kind *f;
#define STYLE(f, t) enum t f;
#define NOTHING char nothing;
#define NODE(identifier, member, class, fields)                                                    \
  struct node_##member {                                                                           \
    fields                                                                                         \
  };
#include "frontend/syntax.def"
#undef NODE
#undef CHILD
#undef OPTIONAL
#undef LIST
#undef WORD
#undef PLACE
#undef FLAG
#undef NUMBER
#undef REAL
#undef BYTES
#undef OPERATOR
#undef OPERATORS
#undef STYLE
#undef NOTHING

struct node {
  uint16_t kind;   /* enum node_kind */
  uint16_t height; /* nodes on the longest path down to a leaf, itself included */
  struct span span;
  union {
#define NODE(identifier, member, class, fields) struct node_##member member;
#include "frontend/syntax.def"
#undef NODE
  };
};

/* The kind for a switch that -Wswitch-enum checks. */
static inline enum node_kind node_kind(const struct node *node) {
  return (enum node_kind)node->kind;
}
/* True for nodes of the kind; false for NULL. */
static inline bool node_is(const struct node *node, enum node_kind kind) {
  return node && node->kind == kind;
}

/* What the tables say. Names are static. */
enum node_class node_kind_class(enum node_kind kind);
const char *node_kind_name(enum node_kind kind);
const char *operator_spelling(enum operator_kind op);

/* A node as a reader of messages would call it: "a call", "an 'if' statement". Static. */
const char *node_kind_phrase(enum node_kind kind);

/* Calls back for each field of a node in the order of its row. NULL callbacks are skipped; `name`
   is the field's. Children that are NULL are passed on as NULL. */
struct field_visitor {
  void (*child)(struct field_visitor *visitor, const char *name, struct node *child);
  void (*list)(struct field_visitor *visitor, const char *name, const struct node_list *list);
  void (*word)(struct field_visitor *visitor, const char *name, const char *word);
  void (*flag)(struct field_visitor *visitor, const char *name, bool flag);
  void (*number)(struct field_visitor *visitor, const char *name, uint64_t number);
  void (*real)(struct field_visitor *visitor, const char *name, double real);
  void (*bytes)(struct field_visitor *visitor, const char *name, struct slice bytes);
  void (*operators)(struct field_visitor *visitor, const char *name,
                    const enum operator_kind *operators, size_t count);
  void (*style)(struct field_visitor *visitor, const char *name, int style);
};
void node_visit_fields(const struct node *node, struct field_visitor *visitor);

/* Calls `visit` for `node` and, where it returns true, for everything below, outer before inner, in
   source order. NULL is no node. */
typedef bool node_visit(struct node *node, void *data);
void node_walk(struct node *node, node_visit *visit, void *data);

/* Calls `visit` for each name, attribute and element that a statement or an expression assigns by
   itself, those in tuples one by one: of ASSIGN, AUGMENTED, ANNOTATED with a value, FOR, WITH_ITEM,
   DELETE and WALRUS. False for other nodes. */
bool node_targets(const struct node *node, void (*visit)(const struct node *target, void *data),
                  void *data);

/* The elements of a TUPLE, LIST or SET; an empty list for others and NULL. */
const struct node_list *node_elements(const struct node *node);

/* The parameters of a FUNCTION or LAMBDA. */
const struct node_list *function_parameters(const struct node *node);

/* The names of a list of PARAMETERs, in an arena. */
const char **parameter_names(struct arena *arena, const struct node_list *parameters);

/* The last part of an annotation that is a dotted name, also of one between quotes; else empty. */
struct slice annotation_name(const struct node *annotation);

/* If `node` is a dotted name ("tl.constexpr"), appends it to `out` and returns true. */
bool node_dotted_name(const struct node *node, struct text *out);

#endif
