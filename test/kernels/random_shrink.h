/* SPDX-License-Identifier: MIT */
/* Makes a failing random kernel smaller: statements go, expressions become one of their operands or
   a constant, as long as it still fails. */
#ifndef TILE_TEST_RANDOM_SHRINK_H
#define TILE_TEST_RANDOM_SHRINK_H

#include "random_tree.h"

/* Whether the tree, as it is now, still fails. */
typedef bool fails_function(struct tree *tree, void *data);

struct shrinker {
  struct tree *tree;
  fails_function *fails;
  void *data;
  int tries; /* left */
};

static inline bool still_fails(struct shrinker *s) {
  return s->tries-- > 0 && s->fails(s->tree, s->data);
}

static inline bool shrink_node(struct shrinker *s, struct node **place) {
  struct node *n = *place;
  bool smaller = false;
  if (n->op == NODE_LITERAL || n->op == NODE_FULL || n->op == NODE_NUMBER || s->tries <= 0)
    return false;
  struct node *full = tree_take(s->tree, sizeof *full);
  *full = (struct node){.op = NODE_FULL, .kind = n->kind, .shape = n->shape, .number = 1};
  *place = full;
  if (still_fails(s))
    return true;
  for (int i = 0; i < 3; i++) {
    struct node *x = n->in[i];
    if (!x || x->op == NODE_LITERAL || x->kind != n->kind || !same_shape(x->shape, n->shape))
      continue;
    *place = x;
    if (still_fails(s))
      return shrink_node(s, place), true;
  }
  *place = n;
  for (int i = n->op == NODE_LOAD ? 1 : 0; i < 3 && n->op == NODE_LOAD; i++) {
    struct node *x = n->in[i];
    n->in[i] = NULL;
    if (x && (i == 2 || !n->in[2]) && still_fails(s))
      smaller = true;
    else
      n->in[i] = x;
  }
  for (int i = 0; i < 3; i++)
    if (n->in[i])
      smaller |= shrink_node(s, &n->in[i]);
  return smaller;
}

static inline bool shrink_block(struct shrinker *s, struct block *block, bool may_be_empty) {
  bool smaller = false;
  for (int i = block->count - 1; i >= 0; i--) {
    struct block before = *block;
    for (int j = i; j + 1 < block->count; j++)
      block->items[j] = block->items[j + 1];
    block->count--;
    if ((block->count || may_be_empty) && still_fails(s)) {
      smaller = true;
      continue;
    }
    *block = before;
    struct statement *statement = block->items[i];
    for (int side = 0; side < 2; side++)
      smaller |= shrink_block(s, &statement->body[side], side == 1);
    if (statement->value)
      smaller |= shrink_node(s, &statement->value);
    if (statement->at)
      smaller |= shrink_node(s, &statement->at);
    if (statement->mask && statement->op == RETURN)
      smaller |= shrink_node(s, &statement->mask);
    else if (statement->mask) {
      struct node *mask = statement->mask;
      statement->mask = NULL;
      if (still_fails(s))
        smaller = true;
      else
        statement->mask = mask, smaller |= shrink_node(s, &statement->mask);
    }
  }
  return smaller;
}

static inline void tree_shrink(struct tree *tree, fails_function *fails, void *data, int tries) {
  struct shrinker s = {tree, fails, data, tries};
  bool smaller = true;
  while (smaller && s.tries > 0) {
    smaller = shrink_block(&s, &tree->body, true);
    for (int f = 0; f < tree->function_count; f++)
      smaller |= shrink_block(&s, &tree->functions[f].body, false);
  }
}

#endif
