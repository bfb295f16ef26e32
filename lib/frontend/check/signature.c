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

tile_status signature_constant(struct arena *arena, struct slice text, struct value *out) {
  text = slice_trim(text);
  if (slice_equals(text, "None")) {
    *out = value_none();
  } else if (slice_equals(text, "True") || slice_equals(text, "False")) {
    *out = value_bool(text.data[0] == 'T');
  } else if (text.length >= 2 && (text.data[0] == '"' || text.data[0] == '\'') &&
             text.data[text.length - 1] == text.data[0]) {
    char *copy = arena_copy_string(arena, text.data + 1, text.length - 2);
    *out = (struct value){.kind = VALUE_STRING, .text = {copy, text.length - 2}};
  } else if (!parse_dtype_value(text, out) && !parse_number(arena, text, out)) {
    return FAIL(TILE_INVALID_ARGUMENT,
                "'%.*s' is no value: a number, True, False, None, a quoted string, or a type such as "
                "tl.float16",
                (int)text.length, text.data);
  }
  return NULL;
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
    *bad_hint = !slice_equals(hint, "16") && !slice_equals(hint, "1");
    if (slice_equals(hint, "16"))
      out->divisibility = 16;
    if (slice_equals(hint, "1") && !pointers) { /* the argument 1 is folded */
      out->is_run_time = false;
      out->constant = value_integer(1);
    }
  }
  return true;
}

static tile_status parse_entry(struct arena *arena, struct slice text, size_t number,
                               struct signature_entry *out) {
  text = slice_trim(text);
  bool bad_hint = false;
  if (!parse_run_time(text, out, &bad_hint)) {
    tile_status status = signature_constant(arena, text, &out->constant);
    if (status) {
      tile_status_free(status);
      return FAIL(TILE_INVALID_ARGUMENT,
                  "signature, entry %zu: '%.*s' is no type (*fp32, i32:16, ...) and no value (a "
                  "number, True, None, \"text\", tl.float16)",
                  number, (int)text.length, text.data);
    }
  }
  if (bad_hint)
    return FAIL(TILE_INVALID_ARGUMENT, "signature, entry %zu: '%.*s': a hint is :16 or :1", number,
                (int)text.length, text.data);
  return NULL;
}

tile_status signature_parse(struct arena *arena, const char *text, struct signature_entry **out,
                            size_t *count) {
  size_t most = 1;
  for (const char *c = text; *c; c++)
    most += *c == ',';
  *out = ARENA_ARRAY(arena, struct signature_entry, most);
  *count = 0;
  if (slice_trim(slice_of(text)).length == 0)
    return NULL;
  for (const char *at = text;;) {
    const char *end = at;
    char quote = 0;
    for (; *end && (quote || *end != ','); end++) {
      if (quote)
        quote = *end == quote ? 0 : quote;
      else if (*end == '"' || *end == '\'')
        quote = *end;
    }
    struct slice entry = {at, (size_t)(end - at)};
    TRY(parse_entry(arena, entry, *count + 1, &(*out)[*count]));
    ++*count;
    if (!*end)
      return NULL;
    at = end + 1;
  }
}
