/* SPDX-License-Identifier: MIT */
/* The variables of a frame: by word, each assignment a new struct variable, so that a copy of the
   table is a snapshot. */
#include <string.h>
#include "frontend/check/control.h"

struct variable *frame_find(struct frame *frame, const char *word) {
  return map_get(&frame->variables, word);
}

void frame_set(struct checker *c, const char *word, const struct value *value, struct span span) {
  struct variable *variable = ARENA_NEW(&c->e.arena, struct variable);
  *variable = (struct variable){.value = *value, .assigned = span};
  map_set(&c->frame->variables, word, variable);
}

void frame_poison(struct checker *c, const char *word, enum poison_reason reason,
                  struct span span) {
  struct value poison = {.kind = VALUE_POISON, .poison = reason};
  frame_set(c, word, &poison, span);
}

struct map copy_variables(const struct map *variables) {
  struct map copy = {0};
  for (size_t i = 0; i < variables->capacity; i++)
    if (variables->slots[i].key && variables->slots[i].value)
      map_set(&copy, variables->slots[i].key, variables->slots[i].value);
  return copy;
}

void restore_variables(struct checker *c, struct map *saved) {
  map_free(&c->frame->variables);
  c->frame->variables = *saved;
  *saved = (struct map){0};
}

/* --- Which variables statements assign -------------------------------------------------------- */

struct assigned {
  struct checker *c;
  struct word_list words;
  struct map seen;
};

static void add_word(struct assigned *list, const char *word) {
  struct word_list *words = &list->words;
  if (map_get(&list->seen, word))
    return;
  map_set(&list->seen, word, list);
  words->items = arena_grow(&list->c->e.arena, words->items, words->count, &words->capacity,
                            sizeof *words->items);
  words->items[words->count++] = word;
}

static void add_target(const struct node *target, void *list) {
  while (node_is(target, NODE_ATTRIBUTE)) /* self.x = ... makes another self */
    target = target->attribute.value;
  if (node_is(target, NODE_NAME))
    add_word(list, target->name.id);
}

static bool find_targets(struct node *node, void *list) {
  if (node_is(node, NODE_FUNCTION))
    add_word(list, node->function.name);
  node_targets(node, add_target, list);
  return !node_is(node, NODE_FUNCTION) && !node_is(node, NODE_LAMBDA) &&
         !node_is(node, NODE_COMPREHENSION);
}

struct word_list assigned_by(struct checker *c, const struct node_list *body,
                             struct node *condition) {
  struct assigned list = {.c = c};
  if (condition)
    node_walk(condition, find_targets, &list);
  for (uint32_t i = 0; i < body->count; i++)
    node_walk(body->items[i], find_targets, &list);
  map_free(&list.seen);
  return list.words;
}

void poison_assigned(struct checker *c, struct node *statement) {
  struct word_list words = assigned_by(c, &(struct node_list){&statement, 1}, NULL);
  for (size_t i = 0; i < words.count; i++)
    frame_poison(c, words.items[i], POISON_ERROR, statement->span);
}
