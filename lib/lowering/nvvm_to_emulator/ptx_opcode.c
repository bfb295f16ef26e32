/* SPDX-License-Identifier: MIT */
/* What an instruction's name stands for: the rows of ptx_text.def. */
#include <string.h>
#include "base/text.h"
#include "lowering/nvvm_to_emulator/ptx_text.h"

struct row {
  const char *name;           /* without types, with a part that may be left out in brackets; or */
  const char *targets, *list; /* whole, where there is no list of source types */
  enum ptx_type type, source_type;
  int sources;
  const char *operation;
  int predicate;
};

static const struct row rows[] = {
#define X(name, types, sources, operation) {name, NULL, types, 0, 0, sources, operation, -1},
#define C(name, targets, types, sources, operation)                                                \
  {name, targets, types, 0, 0, sources, operation, -1},
#define S(name, types, operation, predicate) {name, NULL, types, 0, 0, 2, operation, predicate},
#define W(name, type, source_type, sources, operation)                                             \
  {name, NULL, NULL, type, source_type, sources, operation, -1},
#include "lowering/nvvm_to_emulator/ptx_text.def"
#undef X
#undef C
#undef S
#undef W
};

static bool lists(const char *words, struct slice word) {
  for (size_t length; *words; words += length + (words[length] == ' ')) {
    length = strcspn(words, " ");
    if (length == word.length && memcmp(words, word.data, length) == 0)
      return true;
  }
  return false;
}

static enum ptx_type type_named(struct slice name) {
  static const char *const names[] = {[PTX_B1] = "pred",         [PTX_B8] = "b8 s8 u8",
                                      [PTX_B16] = "b16 s16 u16", [PTX_B32] = "b32 s32 u32 tf32",
                                      [PTX_B64] = "b64 s64 u64", [PTX_F16] = "f16",
                                      [PTX_BF16] = "bf16",       [PTX_F16X2] = "f16x2",
                                      [PTX_BF16X2] = "bf16x2",   [PTX_F32] = "f32",
                                      [PTX_F64] = "f64"};
  enum ptx_type type = PTX_B1;
  while (type < PTX_F64 && !lists(names[type], name))
    type++;
  return type;
}

/* Takes the last part off a.b.c. */
static struct slice take_part(struct slice *name) {
  size_t start = name->length;
  while (start > 0 && name->data[start - 1] != '.')
    start--;
  struct slice part = {name->data + start, name->length - start};
  name->length = start ? start - 1 : 0;
  return part;
}

static bool take_front(struct slice *name, const char *front, size_t length) {
  if (name->length < length || memcmp(name->data, front, length) != 0)
    return false;
  name->data += length;
  name->length -= length;
  return true;
}

/* Is it a row's name, with or without what stands in brackets? */
static bool has_name(struct slice name, const char *pattern, bool is_f32) {
  size_t front = strcspn(pattern, "["), part = strcspn(pattern + front, "]");
  if (!pattern[front])
    return slice_equals(name, pattern);
  if (!take_front(&name, pattern, front))
    return false;
  if (is_f32 || strncmp(pattern + front, "[.ftz", part) != 0)
    take_front(&name, pattern + front + 1, part - 1);
  return slice_equals(name, pattern + front + part + 1);
}

/* The operation with the types in place of $S and $T. */
static void print_operation(const char *operation, struct slice source, struct slice target,
                            char *out) {
  struct text text = {0};
  for (; *operation; operation++) {
    bool is_type = *operation == '$';
    operation += is_type;
    struct slice type = *operation == 'S' ? source : target;
    text_append(&text, is_type ? type.data : operation, is_type ? type.length : 1);
  }
  strcpy(out, text_string(&text));
  text_free(&text);
}

static bool is_row(const struct row *row, struct slice name, struct ptx_opcode *out) {
  struct slice target = {0}, source = {0};
  if (!row->list) {
    if (!slice_equals(name, row->name))
      return false;
    out->type = row->type;
    out->source_type = row->source_type;
  } else {
    source = take_part(&name);
    target = row->targets ? take_part(&name) : source;
    if (!lists(row->list, source) || (row->targets && !lists(row->targets, target)))
      return false;
    out->source_type = type_named(source);
    out->type = row->predicate >= 0 ? PTX_B1 : type_named(target);
    if (!has_name(name, row->name, out->source_type == PTX_F32))
      return false;
  }
  print_operation(row->operation, source, target, out->operation);
  out->sources = row->sources;
  out->predicate = row->predicate;
  return true;
}

bool ptx_opcode_find(struct slice name, struct ptx_opcode *out) {
  *out = (struct ptx_opcode){0};
  if (name.length >= sizeof out->name)
    return false;
  memcpy(out->name, name.data, name.length);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is_row(&rows[i], name, out))
      return true;
  return false;
}
