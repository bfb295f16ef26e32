/* SPDX-License-Identifier: MIT */
/* Named tuples: class P(NamedTuple) with its fields, namedtuple("P", ["a", "b"]), and their values,
   which are tuples whose items have names too. */
#include <string.h>
#include "frontend/check/checker.h"
#include "frontend/check/objects.h"

bool class_is_record(const struct scope *scope, const struct node *class) {
  const struct node_list *bases = &class->class_definition.arguments;
  for (uint32_t i = 0; i < bases->count; i++)
    if (strcmp(after_last(scope_path(scope, bases->items[i]), '.'), "NamedTuple") == 0)
      return true;
  return false;
}

static struct record *new_record(struct checker *c, const char *name, size_t most) {
  struct record *record = ARENA_NEW(&c->e.arena, struct record);
  record->name = name;
  record->fields = ARENA_ARRAY(&c->e.arena, const char *, most + 1);
  record->defaults = ARENA_ARRAY(&c->e.arena, struct value, most + 1);
  record->has_default = ARENA_ARRAY(&c->e.arena, bool, most + 1);
  return record;
}

static void set_default(struct record *record, size_t field, const struct value *value) {
  record->defaults[field] = *value;
  ((bool *)(uintptr_t)record->has_default)[field] = true;
}

enum { MAX_CLASSES = 8 };

/* Statements in the bodies of the class and those that it inherits from: there are not more fields.
 */
static size_t count_statements(const struct scope *scope, const struct node *class) {
  size_t count = 0;
  for (int depth = 0; class && depth <= MAX_CLASSES; depth++) {
    count += class->class_definition.body.count;
    class = class_base(scope, class);
  }
  return count;
}

/* x: type and x: type = default, in their order; those of the base come first. */
static bool add_fields(struct checker *c, const struct scope *scope, const struct node *class,
                       struct record *record, int depth) {
  const struct node_list *body = &class->class_definition.body;
  const struct node *base = class_base(scope, class);
  if (base && depth < MAX_CLASSES && !add_fields(c, scope, base, record, depth + 1))
    return false;
  for (uint32_t i = 0; i < body->count; i++) {
    const struct node *node = body->items[i];
    struct value value;
    if (!node_is(node, NODE_ANNOTATED) || !node_is(node->annotated.target, NODE_NAME))
      continue;
    const char *name = node->annotated.target->name.id;
    if (node->annotated.value) {
      if (!check_in_scope(c, scope, name, node->annotated.value, node->span, &value))
        return false;
      set_default(record, record->count, &value);
    }
    record->fields[record->count++] = name;
  }
  return true;
}

bool record_of_class(struct checker *c, const struct scope *scope, const struct node *class,
                     struct value *out) {
  struct record *record =
      new_record(c, class->class_definition.name, count_statements(scope, class));
  record->class = class;
  record->scope = scope;
  *out = (struct value){.kind = VALUE_RECORD, .object = record};
  return add_fields(c, scope, class, record, 0);
}

static const char *word_of(struct checker *c, struct slice text) {
  return words_intern(&c->module->words, arena_copy_string(&c->e.arena, text.data, text.length));
}

/* "a b, c" */
static void split_fields(struct checker *c, struct slice text, struct record *record) {
  while (text.length) {
    size_t length = 0;
    while (length < text.length && !strchr(" ,\t\n", text.data[length]))
      length++;
    if (length)
      record->fields[record->count++] = word_of(c, (struct slice){text.data, length});
    length += length < text.length;
    text = (struct slice){text.data + length, text.length - length};
  }
}

/* namedtuple(typename, field_names, defaults=()): the defaults are those of the last fields. */
bool builtin_namedtuple(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *names = &call->arguments[1], *defaults = &call->arguments[3];
  const struct value *items;
  size_t count, given = 0;
  bool text = names->value.kind == VALUE_STRING;
  argument_items(names, &items, &count);
  if (call->arguments[0].value.kind != VALUE_STRING)
    return argument_fail(c, &call->arguments[0], "the name of the class");
  struct record *record = new_record(c, word_of(c, call->arguments[0].value.text),
                                     text ? names->value.text.length : count);
  if (text)
    split_fields(c, names->value.text, record);
  for (size_t i = 0; i < count && !text; i++) {
    if (items[i].kind != VALUE_STRING)
      return argument_fail(c, names, "the names of the fields");
    record->fields[record->count++] = word_of(c, items[i].text);
  }
  if (argument_given(defaults))
    argument_items(defaults, &items, &given);
  if (given > record->count)
    return check_fail(c, defaults->span, "%zu defaults for %zu fields", given, record->count);
  for (size_t i = 0; i < given; i++)
    set_default(record, record->count - given + i, &items[i]);
  *out = (struct value){.kind = VALUE_RECORD, .object = record};
  return true;
}

static bool find_field(const struct record *record, const char *name, size_t *out) {
  for (*out = 0; *out < record->count; ++*out)
    if (strcmp(record->fields[*out], name) == 0)
      return true;
  return false;
}

bool record_field(const struct value *tuple, const char *name, struct value *out) {
  size_t field;
  if (tuple->kind != VALUE_TUPLE || !tuple->tuple.record ||
      !find_field(tuple->tuple.record, name, &field) || field >= tuple->tuple.count)
    return false;
  *out = tuple->tuple.items[field];
  return true;
}

static bool fill_field(struct checker *c, const struct record *record, const struct given *given,
                       size_t field, struct value *items, bool *filled) {
  if (filled[field])
    return check_fail(c, given->span, "the field '%s' is given twice", record->fields[field]);
  items[field] = given->value;
  filled[field] = true;
  return true;
}

bool call_record(struct checker *c, const struct record *record, const struct given *given,
                 size_t count, struct span span, struct value *out) {
  struct value *items = ARENA_ARRAY(&c->e.arena, struct value, record->count + 1);
  bool *filled = ARENA_ARRAY(&c->e.arena, bool, record->count + 1);
  for (size_t i = 0; i < count; i++) {
    size_t field = i;
    if (given[i].name ? !find_field(record, given[i].name, &field) : i >= record->count)
      return check_fail(c, given[i].span, "'%s' has %zu fields%s%s%s", record->name, record->count,
                        given[i].name ? ", and none is '" : "", given[i].name ? given[i].name : "",
                        given[i].name ? "'" : "");
    if (!fill_field(c, record, &given[i], field, items, filled))
      return false;
  }
  for (size_t i = 0; i < record->count; i++) {
    if (!filled[i] && !record->has_default[i])
      return check_fail(c, span, "'%s' needs a value for its field '%s'", record->name,
                        record->fields[i]);
    if (!filled[i])
      items[i] = record->defaults[i];
  }
  *out = (struct value){.kind = VALUE_TUPLE, .tuple = {items, record->count, record}};
  return check_value_size(c, span, out);
}
