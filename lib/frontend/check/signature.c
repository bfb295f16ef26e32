/* See signature.h. */
#include "frontend/check/signature.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
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
  double number = strtod(copy, &end);
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
    else if (c == '(' || c == '[')
      depth++;
    else if (c == ')' || c == ']')
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
  const char *colon = memchr(text.data, ':', text.length);
  size_t length = colon ? (size_t)(colon - text.data) : text.length;
  struct slice name = slice_trim((struct slice){text.data, length});
  if (!dtype_find(name.data, name.length, &out->dtype))
    return false;
  out->is_run_time = true;
  out->dtype.pointers = pointers;
  out->divisibility = 1;
  *bad_hint = false;
  if (colon) {
    struct slice hint = slice_trim((struct slice){colon + 1, text.length - length - 1});
    *bad_hint = !read_divisor(hint, &out->divisibility);
    if (out->divisibility == 1 && !*bad_hint && !pointers) { /* the argument 1 is folded */
      out->is_run_time = false;
      out->constant = value_integer(1);
    }
  }
  return true;
}

static tile_status parse_entry(struct signature_names *names, struct slice text, size_t number,
                               struct signature_entry *out) {
  text = slice_trim(text);
  bool bad_hint = false;
  if (!parse_run_time(text, out, &bad_hint)) {
    tile_status status = signature_constant(names, text, &out->constant);
    if (status) {
      tile_status_free(status);
      return FAIL(TILE_INVALID_ARGUMENT,
                  "signature, entry %zu: '%.*s' is no type (*fp32, i32:16, ...) and no value (a "
                  "number, True, None, \"text\", tl.float16)",
                  number, (int)text.length, text.data);
    }
  }
  if (bad_hint)
    return FAIL(TILE_INVALID_ARGUMENT, "signature, entry %zu: '%.*s': a hint is :16 or another power "
                "of two up to 256, or :1", number,
                (int)text.length, text.data);
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
    TRY(parse_entry(names, (struct slice){left.data, length}, *count + 1, &(*out)[*count]));
    ++*count;
    if (length == left.length)
      return NULL;
    left = (struct slice){left.data + length + 1, left.length - length - 1};
  }
}
