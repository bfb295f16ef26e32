/* SPDX-License-Identifier: MIT */
/* See signature.h. */
#include "frontend/check/signature.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/status.h"

/* tl.float16, triton.language.float16: a type as a value. */
static bool parse_dtype_value(struct slice text, struct value *out) {
  static const char *const prefixes[] = {"tl.", "triton.language."};
  for (size_t i = 0; i < 2; i++) {
    size_t length = strlen(prefixes[i]);
    struct dtype dtype;
    if (text.length > length && memcmp(text.data, prefixes[i], length) == 0 &&
        dtype_find(text.data + length, text.length - length, &dtype)) {
      *out = (struct value){.kind = VALUE_DTYPE, .dtype = dtype};
      return true;
    }
  }
  return false;
}

static bool parse_number(struct arena *arena, struct slice text, struct value *out) {
  char *copy = arena_copy_string(arena, text.data, text.length), *end;
  errno = 0;
  long long integer = strtoll(copy, &end, 0);
  if (*copy && !*end && !errno) {
    *out = value_integer(integer);
    return true;
  }
  double number = c_strtod(copy, &end);
  if (*copy && !*end) {
    *out = value_float(number);
    return true;
  }
  return false;
}

/* The end of the entry that begins at `text`: a comma outside of quotes and brackets, or the end.
 */
static size_t entry_length(struct slice text) {
  char quote = 0;
  int depth = 0;
  for (size_t i = 0; i < text.length; i++) {
    char c = text.data[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (strchr("([<", c))
      depth++;
    else if (strchr(")]>", c))
      depth--;
    else if (c == ',' && depth <= 0)
      return i;
  }
  return text.length;
}

enum { DEEPEST_TUPLE = 16 };

static tile_status parse_value(struct signature_names *names, struct slice text, int depth,
                               struct value *out);

/* (1, 2), [1, 2], (1,), (): `text` is what stands between the brackets. */
static tile_status parse_tuple(struct signature_names *names, struct slice text, int depth,
                               struct value *out) {
  size_t count = 0;
  struct value *items = ARENA_ARRAY(names->arena, struct value, text.length + 1);
  while (slice_trim(text).length) {
    size_t length = entry_length(text);
    TRY(parse_value(names, (struct slice){text.data, length}, depth + 1, &items[count++]));
    length += length < text.length;
    text = (struct slice){text.data + length, text.length - length};
  }
  *out = (struct value){.kind = VALUE_TUPLE, .tuple = {items, count}};
  return NULL;
}

static bool is_enclosed(struct slice text, char open, char close) {
  return text.length >= 2 && text.data[0] == open && text.data[text.length - 1] == close;
}

static tile_status parse_value(struct signature_names *names, struct slice text, int depth,
                               struct value *out) {
  struct arena *arena = names->arena;
  text = slice_trim(text);
  struct slice inside = {text.data + 1, text.length >= 2 ? text.length - 2 : 0};
  if (slice_equals(text, "None")) {
    *out = value_none();
  } else if (slice_equals(text, "True") || slice_equals(text, "False")) {
    *out = value_bool(text.data[0] == 'T');
  } else if (is_enclosed(text, '"', '"') || is_enclosed(text, '\'', '\'')) {
    char *copy = arena_copy_string(arena, inside.data, inside.length);
    *out = (struct value){.kind = VALUE_STRING, .text = {copy, inside.length}};
  } else if (depth < DEEPEST_TUPLE &&
             (is_enclosed(text, '(', ')') || is_enclosed(text, '[', ']'))) {
    return parse_tuple(names, inside, depth, out);
  } else if (!parse_dtype_value(text, out) && !parse_number(arena, text, out) &&
             !(names->find && names->find(names, text, out))) {
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "'%.*s' is no value: a number, True, False, None, a quoted string, a tuple of values, a "
        "type such as tl.float16, or a name of the file",
        (int)text.length, text.data);
  }
  return NULL;
}

tile_status signature_constant(struct signature_names *names, struct slice text,
                               struct value *out) {
  return parse_value(names, text, 0, out);
}

/* A power of two up to 256. Triton knows 16; vectors of halves do with 8. */
static bool read_divisor(struct slice text, int64_t *out) {
  static const char *const divisors[] = {"1", "2", "4", "8", "16", "32", "64", "128", "256"};
  for (int i = 0; i <= 8; i++)
    if (slice_equals(text, divisors[i])) {
      *out = INT64_C(1) << i;
      return true;
    }
  return false;
}

/* "*fp16:16": false when it does not begin like a type. */
static bool parse_run_time(struct slice text, struct signature_entry *out, bool *bad_hint) {
  int pointers = 0;
  while (text.length && text.data[0] == '*')
    text.data++, text.length--, pointers++;
  bool constant = pointers == 1 && text.length && text.data[0] == 'k'; /* no type's first letter */
  if (constant)
    text.data++, text.length--;
  const char *colon = memchr(text.data, ':', text.length);
  size_t length = colon ? (size_t)(colon - text.data) : text.length;
  struct slice name = slice_trim((struct slice){text.data, length});
  if (!dtype_find(name.data, name.length, &out->dtype))
    return false;
  out->kind = SIGNATURE_RUN_TIME;
  out->dtype.pointers = pointers;
  out->dtype.constant = constant;
  out->divisibility = 1;
  *bad_hint = false;
  if (colon) {
    struct slice hint = slice_trim((struct slice){colon + 1, text.length - length - 1});
    *bad_hint = !read_divisor(hint, &out->divisibility);
    if (out->divisibility == 1 && !*bad_hint && !pointers) { /* the argument 1 is folded */
      out->kind = SIGNATURE_CONSTANT;
      out->constant = value_integer(1);
      out->folded = true;
    }
  }
  return true;
}

/* What is being parsed: the number of the whole entry, for messages, and how deep in tuples. */
struct parsing {
  struct signature_names *names;
  size_t number;
  int depth;
};

static tile_status parse_entry(struct parsing *p, struct slice text, struct signature_entry *out);

/* --- Tensor descriptors ----------------------------------------------------------------------- */

static tile_status fail_descriptor(const struct parsing *p, struct slice text, const char *why) {
  return FAIL(TILE_INVALID_ARGUMENT,
              "signature, entry %zu: '%.*s': %s; a descriptor is tensordesc<fp16[128,64]>, or "
              "tensordesc<fp16[128,64],nan> where it pads with NaN",
              p->number, (int)text.length, text.data, why);
}

/* The sizes of a block, "128, 64": how many, 0 if something is wrong with them. */
static int read_block(struct slice text, int64_t *out) {
  int64_t elements = 1;
  int rank = 0;
  while (text.length) {
    size_t length = entry_length(text), digits = 0;
    struct slice item = slice_trim((struct slice){text.data, length});
    int64_t size = 0;
    for (; digits < item.length && item.data[digits] >= '0' && item.data[digits] <= '9'; digits++)
      size = size > MAX_TILE_ELEMENTS ? size : 10 * size + (item.data[digits] - '0');
    if (digits < item.length || size < 1 || (size & (size - 1)) || rank == MAX_RANK ||
        size > MAX_TILE_ELEMENTS || (elements *= size) > MAX_TILE_ELEMENTS)
      return 0;
    out[rank++] = size;
    length += length < text.length;
    text = (struct slice){text.data + length, text.length - length};
  }
  return rank;
}

/* The parts that a launch passes. A host's descriptor promises a base and strides of 16 bytes. */
static void add_descriptor_parts(struct arena *arena, int rank, struct signature_entry *out) {
  struct dtype pointer = {.id = out->dtype.id, .pointers = 1};
  int64_t bytes = (dtype_bits(out->dtype) + 7) / 8;
  out->part_count = 1 + 2 * (size_t)rank;
  out->parts = ARENA_ARRAY(arena, struct signature_entry, out->part_count);
  out->parts[0] =
      (struct signature_entry){.kind = SIGNATURE_RUN_TIME, .dtype = pointer, .divisibility = 16};
  for (int i = 0; i < rank; i++) {
    out->parts[1 + i] = (struct signature_entry){
        .kind = SIGNATURE_RUN_TIME, .dtype = DTYPE(INT32), .divisibility = 1};
    out->parts[1 + rank + i] = (struct signature_entry){
        .kind = SIGNATURE_RUN_TIME, .dtype = DTYPE(INT64), .divisibility = 16 / bytes};
  }
  out->parts[2 * rank] = (struct signature_entry){.constant = value_integer(1)};
}

/* tensordesc<TYPE[SIZE, ...]> or tensordesc<TYPE[SIZE, ...],nan>. */
static tile_status parse_descriptor(const struct parsing *p, struct slice text,
                                    struct signature_entry *out) {
  if (text.data[text.length - 1] != '>')
    return fail_descriptor(p, text, "no '>' at the end");
  size_t prefix = strlen("tensordesc<");
  struct slice inside = {text.data + prefix, text.length - prefix - 1};
  const char *open = memchr(inside.data, '[', inside.length);
  const char *close = memchr(inside.data, ']', inside.length);
  if (!open || !close || close < open)
    return fail_descriptor(p, text, "no block such as [128,64] after the type");
  struct slice type = slice_trim((struct slice){inside.data, (size_t)(open - inside.data)});
  struct slice block = {open + 1, (size_t)(close - open) - 1};
  struct slice padding =
      slice_trim((struct slice){close + 1, inside.length - (size_t)(close + 1 - inside.data)});
  out->kind = SIGNATURE_DESCRIPTOR;
  if (!dtype_find(type.data, type.length, &out->dtype))
    return fail_descriptor(p, text, "no type of elements");
  int rank = read_block(block, out->block);
  if (rank == 0)
    return fail_descriptor(p, text, "the block's sizes are powers of two, one a dimension");
  if (padding.length && padding.data[0] == ',')
    padding = slice_trim((struct slice){padding.data + 1, padding.length - 1});
  out->pads_with_nan = slice_equals(padding, "nan");
  if (padding.length && !out->pads_with_nan && !slice_equals(padding, "zero"))
    return fail_descriptor(p, text, "the padding is zero or nan");
  if (out->pads_with_nan && !dtype_is_float(out->dtype))
    return fail_descriptor(p, text, "only floating-point elements are padded with NaN");
  add_descriptor_parts(p->names->arena, rank, out);
  return NULL;
}

/* --- Entries ---------------------------------------------------------------------------------- */

/* Name(...) of a named tuple or a class of the file: what stands between the brackets, and its
   type. */
static bool is_named_tuple(struct signature_names *names, struct slice *text,
                           const struct record **out) {
  const char *open = memchr(text->data, '(', text->length);
  struct value type;
  if (!open || open == text->data || !is_enclosed(*text, text->data[0], ')') || !names->find ||
      !names->find(names, slice_trim((struct slice){text->data, (size_t)(open - text->data)}),
                   &type) ||
      type.kind != VALUE_RECORD)
    return false;
  *out = type.object;
  text->length -= (size_t)(open - text->data);
  text->data = open;
  return true;
}

/* The entries between the brackets; all constants are one constant. */
static tile_status parse_parts(struct parsing *p, struct slice text, struct signature_entry *out) {
  struct arena *arena = p->names->arena;
  bool constant = true;
  out->parts = ARENA_ARRAY(arena, struct signature_entry, text.length + 1);
  p->depth++;
  while (slice_trim(text).length) {
    size_t length = entry_length(text);
    struct signature_entry *part = &out->parts[out->part_count++];
    TRY(parse_entry(p, (struct slice){text.data, length}, part));
    constant &= part->kind == SIGNATURE_CONSTANT;
    length += length < text.length;
    text = (struct slice){text.data + length, text.length - length};
  }
  p->depth--;
  out->kind = constant ? SIGNATURE_CONSTANT : SIGNATURE_TUPLE;
  struct value *items = ARENA_ARRAY(arena, struct value, out->part_count + 1);
  for (size_t i = 0; i < out->part_count && constant; i++)
    items[i] = out->parts[i].constant;
  if (out->record && out->record->count != out->part_count)
    return FAIL(TILE_INVALID_ARGUMENT, "signature, entry %zu: '%s' has %zu fields, not %zu",
                p->number, out->record->name, out->record->count, out->part_count);
  if (constant)
    out->constant =
        (struct value){.kind = VALUE_TUPLE, .tuple = {items, out->part_count, out->record}};
  return NULL;
}

static tile_status parse_entry(struct parsing *p, struct slice text, struct signature_entry *out) {
  text = slice_trim(text);
  bool bad_hint = false, is_tuple = is_enclosed(text, '(', ')') || is_enclosed(text, '[', ']');
  *out = (struct signature_entry){.kind = SIGNATURE_CONSTANT};
  is_tuple |= !is_tuple && is_named_tuple(p->names, &text, &out->record);
  if (is_tuple && p->depth < DEEPEST_TUPLE)
    return parse_parts(p, (struct slice){text.data + 1, text.length - 2}, out);
  if (text.length > 10 && memcmp(text.data, "tensordesc<", 11) == 0)
    return parse_descriptor(p, text, out);
  if (!parse_run_time(text, out, &bad_hint)) {
    tile_status status = signature_constant(p->names, text, &out->constant);
    if (status) {
      tile_status_free(status);
      return FAIL(TILE_INVALID_ARGUMENT,
                  "signature, entry %zu: '%.*s' is no type (*fp32, i32:16, ...) and no value (a "
                  "number, True, None, \"text\", tl.float16)",
                  p->number, (int)text.length, text.data);
    }
  }
  if (bad_hint)
    return FAIL(TILE_INVALID_ARGUMENT,
                "signature, entry %zu: '%.*s': a hint is :16 or another power "
                "of two up to 256, or :1",
                p->number, (int)text.length, text.data);
  return NULL;
}

tile_status signature_parse(struct signature_names *names, const char *text,
                            struct signature_entry **out, size_t *count) {
  struct slice left = slice_of(text);
  *out = ARENA_ARRAY(names->arena, struct signature_entry, left.length + 1);
  *count = 0;
  if (slice_trim(left).length == 0)
    return NULL;
  for (;;) {
    size_t length = entry_length(left);
    struct parsing parsing = {.names = names, .number = *count + 1};
    TRY(parse_entry(&parsing, (struct slice){left.data, length}, &(*out)[*count]));
    ++*count;
    if (length == left.length)
      return NULL;
    left = (struct slice){left.data + length + 1, left.length - length - 1};
  }
}

/* --- Parts of parameters ---------------------------------------------------------------------- */

/* "base", "shape.0", "strides.1", or the number of a tuple's part. Appends. */
static void part_name(const struct signature_entry *entry, size_t i, struct text *out) {
  size_t rank = (entry->part_count - 1) / 2;
  if (entry->kind == SIGNATURE_TUPLE)
    text_printf(out, "%zu", i);
  else if (i == 0)
    text_printf(out, "base");
  else
    text_printf(out, "%s.%zu", i <= rank ? "shape" : "strides", (i - 1) % rank);
}

void signature_walk(const struct signature_entry *entry, const char *name, signature_visit *visit,
                    void *data) {
  if (entry->kind == SIGNATURE_RUN_TIME)
    visit(entry, name, data);
  if (entry->kind != SIGNATURE_TUPLE && entry->kind != SIGNATURE_DESCRIPTOR)
    return;
  for (size_t i = 0; i < entry->part_count; i++) {
    struct text text = {0};
    text_printf(&text, "%s.", name);
    part_name(entry, i, &text);
    signature_walk(&entry->parts[i], text_string(&text), visit, data);
    text_free(&text);
  }
}

/* --- Entries of parameters -------------------------------------------------------------------- */

static struct signature_entry *find_named(const struct signature_supply *supply,
                                          const char *parameter) {
  const char *at = supply->names;
  for (size_t i = 0; i < supply->count; i++) {
    size_t length = strcspn(at, ",");
    if (strlen(parameter) == length && memcmp(at, parameter, length) == 0)
      return &supply->entries[i];
    at += length + (at[length] == ',');
  }
  return NULL;
}

void signature_generalize(struct signature_entry *entry, unsigned keep) {
  if (entry->kind == SIGNATURE_RUN_TIME && (keep & KEEP_UNALIGNED))
    entry->divisibility = 1;
  if (entry->kind == SIGNATURE_CONSTANT && entry->folded && (keep & KEEP_UNFOLDED))
    entry->kind = SIGNATURE_RUN_TIME;
  for (size_t i = 0; i < entry->part_count && entry->kind != SIGNATURE_DESCRIPTOR; i++) {
    signature_generalize(&entry->parts[i], keep);
    if (entry->parts[i].kind != SIGNATURE_CONSTANT) /* not all are constants any more */
      entry->kind = SIGNATURE_TUPLE;
  }
}

struct signature_entry *signature_supply_take(struct signature_supply *supply,
                                              const char *parameter) {
  if (supply->names)
    return find_named(supply, parameter);
  return supply->next < supply->count ? &supply->entries[supply->next++] : NULL;
}
