/* SPDX-License-Identifier: MIT */
/* Methods of texts, for host code and for kernels (evaluator.h). Bytes outside of ASCII stay as
   they are. */
#define _GNU_SOURCE /* memmem */
#include <ctype.h>
#include <string.h>
#include "frontend/eval/evaluator.h"

/* --- Arguments -------------------------------------------------------------------------------- */

static bool takes_texts(const struct text_call *call, size_t count) {
  bool good = call->count == count && !call->named_count;
  for (size_t i = 0; i < count && good; i++)
    good = call->positional[i].kind == VALUE_STRING;
  return good;
}

/* Takes what `text` has. */
static bool finish(struct evaluator *ev, struct text *text, struct value *out) {
  size_t length = text->length;
  *out = (struct value){.kind = VALUE_STRING, .text = {text_keep(text, ev->arena), length}};
  return true;
}

/* The first place of `part` in `text` from `from` on; the text's length where there is none. */
static size_t find(struct slice text, struct slice part, size_t from) {
  const char *found = memmem(text.data + from, text.length - from, part.data, part.length);
  return found ? (size_t)(found - text.data) : text.length;
}

/* --- Methods ---------------------------------------------------------------------------------- */

static bool change_case(struct evaluator *ev, const struct text_call *call, int (*change)(int),
                        struct value *out) {
  *out = value_text(ev->arena, call->text.data, call->text.length);
  char *copy = (char *)(uintptr_t)out->text.data;
  for (size_t i = 0; i < call->text.length; i++)
    copy[i] = (char)change((unsigned char)copy[i]);
  return ev->rules->text(ev, call->span, call->text.length);
}

static bool strip(struct evaluator *ev, const struct text_call *call, struct value *out) {
  struct slice trimmed = slice_trim(call->text);
  *out = value_text(ev->arena, trimmed.data, trimmed.length);
  return ev->rules->text(ev, call->span, call->text.length);
}

static struct value has_end(const struct text_call *call, bool at_end) {
  struct slice text = call->text, part = call->positional[0].text;
  size_t offset = at_end && part.length <= text.length ? text.length - part.length : 0;
  return value_bool(part.length <= text.length &&
                    memcmp(text.data + offset, part.data, part.length) == 0);
}

/* `part` occurs so often, without overlaps. */
static size_t count_of(struct slice text, struct slice part) {
  size_t count = 0;
  for (size_t at = find(text, part, 0); at < text.length; count++)
    at = find(text, part, at + part.length);
  return count;
}

static bool replace(struct evaluator *ev, const struct text_call *call, struct value *out) {
  struct slice from = call->positional[0].text, to = call->positional[1].text;
  size_t count = count_of(call->text, from);
  if (!ev->rules->text(ev, call->span, call->text.length + count * to.length))
    return false;
  struct text text = {0};
  for (size_t at = 0; at < call->text.length;) {
    size_t next = find(call->text, from, at);
    text_append(&text, call->text.data + at, next - at);
    if (next < call->text.length)
      text_append(&text, to.data, to.length);
    at = next + from.length;
  }
  return finish(ev, &text, out);
}

static bool add_part(struct evaluator *ev, const struct text_call *call, size_t from, size_t to,
                     struct value_list *list) {
  struct value part = value_text(ev->arena, call->text.data + from, to - from);
  return ev->rules->add(ev, call->span, list, &part);
}

/* split(): at runs of blanks, of which none makes a part; split(mark): at each mark. */
static bool split(struct evaluator *ev, const struct text_call *call, struct value *out) {
  struct slice text = call->text;
  struct value_list list = {0};
  if (!ev->rules->text(ev, call->span, text.length))
    return false;
  for (size_t at = 0; call->count == 0 && at < text.length;) {
    size_t end = at;
    while (end < text.length && !isspace((unsigned char)text.data[end]))
      end++;
    if (end > at && !add_part(ev, call, at, end, &list))
      return false;
    at = end + 1;
  }
  for (size_t at = 0; call->count == 1 && at <= text.length;) {
    size_t end = find(text, call->positional[0].text, at);
    if (!add_part(ev, call, at, end, &list))
      return false;
    at = end == text.length ? end + 1 : end + call->positional[0].text.length;
  }
  return ev->rules->sequence(ev, call->span, &list, out);
}

static bool join(struct evaluator *ev, const struct text_call *call, struct value *out) {
  const struct value *items;
  size_t count, length = 0;
  value_items(&call->positional[0], &items, &count);
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind != VALUE_STRING)
      return ev->rules->refuse(ev, call->span, &items[i], "join() puts texts together");
    length += items[i].text.length + (i ? call->text.length : 0);
  }
  if (!ev->rules->text(ev, call->span, length))
    return false;
  struct text text = {0};
  for (size_t i = 0; i < count; i++) {
    text_append(&text, call->text.data, i ? call->text.length : 0);
    text_append(&text, items[i].text.data, items[i].text.length);
  }
  return finish(ev, &text, out);
}

/* --- format ----------------------------------------------------------------------------------- */

static const struct value *find_named(const struct text_call *call, struct slice name) {
  for (size_t i = 0; i < call->named_count; i++) {
    struct slice key = call->named[i].key.text;
    if (key.length == name.length && memcmp(key.data, name.data, name.length) == 0)
      return &call->named[i].value;
  }
  return NULL;
}

/* What a field shows: the next argument, one by its number, or one by its name. */
static const struct value *find_field(const struct text_call *call, struct slice field,
                                      size_t *next) {
  size_t index = 0, digits = 0;
  while (digits < field.length && digits < 3 && isdigit((unsigned char)field.data[digits]))
    index = 10 * index + (size_t)(field.data[digits++] - '0');
  if (field.length == 0)
    index = (*next)++;
  else if (digits < field.length)
    return find_named(call, field);
  return index < call->count ? &call->positional[index] : NULL;
}

static bool format_field(struct evaluator *ev, const struct text_call *call, struct slice field,
                         size_t *next, struct text *text) {
  const struct value *value = find_field(call, field, next);
  if (!value)
    return ev->rules->refuse(ev, call->span, NULL,
                             "format() has a field without an argument; fields are {}, {0} and "
                             "{name}, without a specification");
  if (value->kind > VALUE_DTYPE)
    return ev->rules->refuse(ev, call->span, value,
                             "format() takes numbers, texts and types that are known");
  value_format(value, text);
  return true;
}

/* Text up to the next brace, then what the brace means: "{{", "}}" or a field. */
static bool format_next(struct evaluator *ev, const struct text_call *call, size_t *at,
                        size_t *next, struct text *text) {
  const char *data = call->text.data, *end = data + call->text.length;
  const char *start = data + *at, *brace = start, *close;
  while (brace < end && *brace != '{' && *brace != '}')
    brace++;
  text_append(text, start, (size_t)(brace - start));
  *at = (size_t)(brace - data);
  if (brace == end)
    return true;
  if (brace + 1 < end && brace[1] == *brace) {
    text_append(text, brace, 1);
    *at += 2;
    return true;
  }
  close = *brace == '{' ? memchr(brace, '}', (size_t)(end - brace)) : NULL;
  if (!close)
    return ev->rules->refuse(ev, call->span, NULL,
                             "format() has a single brace; write {{ or }} for one");
  *at = (size_t)(close - data) + 1;
  return format_field(ev, call, (struct slice){brace + 1, (size_t)(close - brace - 1)}, next, text);
}

/* The length is asked about whenever it has doubled, and at the end. */
static bool format(struct evaluator *ev, const struct text_call *call, struct value *out) {
  struct text text = {0};
  size_t next = 0, asked = 0;
  bool good = true;
  for (size_t at = 0; at < call->text.length && good;) {
    good = format_next(ev, call, &at, &next, &text);
    if (good && text.length > 2 * asked) {
      asked = text.length;
      good = ev->rules->text(ev, call->span, text.length);
    }
  }
  if (good && ev->rules->text(ev, call->span, text.length))
    return finish(ev, &text, out);
  text_free(&text);
  return false;
}

/* --- The call --------------------------------------------------------------------------------- */

bool eval_text_method(struct evaluator *ev, const struct text_call *call, struct value *out,
                      bool *good) {
  const char *name = call->name;
  bool none = takes_texts(call, 0), one = takes_texts(call, 1);
  bool has_part = (one || takes_texts(call, 2)) && call->positional[0].text.length;
  if (none && (strcmp(name, "lower") == 0 || strcmp(name, "upper") == 0)) {
    *good = change_case(ev, call, name[0] == 'u' ? toupper : tolower, out);
  } else if (none && strcmp(name, "strip") == 0) {
    *good = strip(ev, call, out);
  } else if (one && (strcmp(name, "startswith") == 0 || strcmp(name, "endswith") == 0)) {
    *out = has_end(call, name[0] == 'e');
    *good = true;
  } else if ((none || (one && has_part)) && strcmp(name, "split") == 0) {
    *good = split(ev, call, out);
  } else if (has_part && !one && strcmp(name, "replace") == 0) {
    *good = replace(ev, call, out);
  } else if (call->count == 1 && !call->named_count && strcmp(name, "join") == 0 &&
             (call->positional[0].kind == VALUE_TUPLE || call->positional[0].kind == VALUE_LIST)) {
    *good = join(ev, call, out);
  } else if (strcmp(name, "format") == 0) {
    *good = format(ev, call, out);
  } else {
    return false;
  }
  return true;
}
