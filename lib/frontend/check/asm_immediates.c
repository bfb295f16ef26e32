/* SPDX-License-Identifier: MIT */
/* The constraint "n" of inline assembly: an operand that is written into the text as a number.

       "lop3.b32 $0, $1, $2, $3;"  "=r,r,n,n"  [x, 0xff, 0xaa]
         ->  "lop3.b32 $0, $1, 255, 170;"  "=r,r"  [x]

   tile.inline_asm has registers only, so this is where immediates end; the operands after them
   count down. */
#include <string.h>
#include "frontend/check/checker.h"
#include "frontend/check/asm_immediates.h"

enum { MAX_REFERENCES = 128 }; /* more than tile.inline_asm has registers */

/* What $N stands for, by N. */
struct references {
  struct {
    bool immediate;
    int64_t number; /* the number itself, or the N of what is left */
  } at[MAX_REFERENCES];
  int count, left;
};

/* The next entry of the list; its comma is skipped. */
static struct slice next_entry(struct slice *list) {
  const char *comma = memchr(list->data, ',', list->length);
  struct slice entry = {list->data, comma ? (size_t)(comma - list->data) : list->length};
  size_t skipped = entry.length + (comma != NULL);
  *list = (struct slice){list->data + skipped, list->length - skipped};
  return entry;
}

static bool is_immediate(struct slice entry) {
  return slice_equals(entry, "n") || slice_equals(entry, "i");
}

/* How many entries an operand has: elements narrower than 32 bits travel together. */
static int64_t entries_of(const struct value *value, int64_t pack) {
  struct dtype dtype = value_is_number(value) ? number_dtype(value) : value->run_time.dtype;
  int64_t bits = dtype_bits(dtype) < 8 ? 32 : dtype_bits(dtype);
  return bits >= 32 ? pack : (pack * bits + 31) / 32;
}

static void add_reference(struct references *all, bool immediate, int64_t number) {
  if (all->count == MAX_REFERENCES)
    return;
  all->at[all->count].immediate = immediate;
  all->at[all->count++].number = immediate ? number : all->left;
  all->left += !immediate;
}

static void keep_entry(struct text *list, struct slice entry) {
  text_puts(list, list->length ? "," : "");
  text_append(list, entry.data, entry.length);
}

/* "$3" and "${3}" in their new form. */
static void rewrite(struct slice from, const struct references *all, struct text *out) {
  for (size_t i = 0; i < from.length; i++) {
    bool braces = i + 1 < from.length && from.data[i] == '$' && from.data[i + 1] == '{';
    size_t first = i + 1 + braces, end = first;
    int number = 0;
    for (; end < from.length && from.data[end] >= '0' && from.data[end] <= '9'; end++)
      number = number < MAX_REFERENCES ? 10 * number + (from.data[end] - '0') : number;
    bool known = from.data[i] == '$' && end > first && number < all->count &&
                 (!braces || (end < from.length && from.data[end] == '}'));
    if (!known) {
      size_t taken = from.data[i] == '$' && i + 1 < from.length && from.data[i + 1] == '$' ? 2 : 1;
      text_append(out, from.data + i, taken);
      i += taken - 1;
      continue;
    }
    if (all->at[number].immediate)
      text_printf(out, "%lld", (long long)all->at[number].number);
    else
      text_printf(out, braces ? "${%lld}" : "$%lld", (long long)all->at[number].number);
    i = end - 1 + braces;
  }
}

/* Reads the list entry by entry; `operands` keeps those that stay in registers. */
static bool sort_operands(struct checker *c, const struct asm_parts *parts, struct value *operands,
                          size_t *count, struct references *all, struct text *list) {
  struct slice rest = parts->constraints;
  size_t kept = 0;
  while (rest.length && rest.data[0] == '=') {
    keep_entry(list, next_entry(&rest));
    add_reference(all, false, 0);
  }
  for (size_t i = 0; i < *count; i++) {
    bool immediate = false;
    for (int64_t k = entries_of(&operands[i], parts->pack); k > 0 && rest.length; k--) {
      struct slice entry = next_entry(&rest);
      const struct value *value = &operands[i];
      immediate = is_immediate(entry);
      if (immediate && (!value_is_number(value) || value->kind == VALUE_FLOAT)) {
        struct argument argument = {*value, parts->span, true};
        return argument_fail(c, &argument,
                             "an integer that is known at compile time, for the "
                             "constraint 'n',");
      }
      add_reference(all, immediate, value->kind == VALUE_BOOL ? value->boolean : value->integer);
      if (!immediate)
        keep_entry(list, entry);
    }
    if (!immediate)
      operands[kept++] = operands[i];
  }
  while (rest.length)
    keep_entry(list, next_entry(&rest));
  *count = kept;
  return true;
}

bool asm_fold_immediates(struct checker *c, struct asm_parts *parts, struct value *operands,
                         size_t *count) {
  bool any = false;
  for (struct slice rest = parts->constraints; rest.length;)
    any |= is_immediate(next_entry(&rest));
  if (!any)
    return true;
  struct references all = {.count = 0};
  struct text list = {0}, text = {0};
  bool good = sort_operands(c, parts, operands, count, &all, &list);
  rewrite(parts->text, &all, &text);
  parts->constraints.length = list.length;
  parts->constraints.data = text_keep(&list, &c->e.arena);
  parts->text.length = text.length;
  parts->text.data = text_keep(&text, &c->e.arena);
  return good;
}
