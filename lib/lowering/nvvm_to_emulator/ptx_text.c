/* SPDX-License-Identifier: MIT */
/* See ptx_text.h: a tokenizer, declarations, instructions. */
#include "base/c_locale.h"
#include "lowering/nvvm_to_emulator/ptx_text.h"

#include <stdlib.h>
#include <string.h>
#include "base/text.h"

enum { NAME_BYTES = 32 };

struct reader {
  const char *at, *end;
  struct slice word; /* the current token; empty at the end */
  int operands;
  int declared;
  char names[PTX_MAX_REGISTERS][NAME_BYTES];
  struct ptx_program *out;
};

/* --- Words ------------------------------------------------------------------------------------ */

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '%';
}

static bool starts(const struct reader *reader, const char *text) {
  size_t length = strlen(text);
  return (size_t)(reader->end - reader->at) >= length && memcmp(reader->at, text, length) == 0;
}

/* White space and comments. */
static void skip_blanks(struct reader *reader) {
  while (reader->at < reader->end) {
    const char *close = NULL;
    if (starts(reader, "//"))
      close = "\n";
    else if (starts(reader, "/*"))
      close = "*/";
    else if (!strchr(" \t\r\n", *reader->at))
      return;
    if (!close) {
      reader->at++;
      continue;
    }
    while (reader->at < reader->end && !starts(reader, close))
      reader->at++;
    reader->at += starts(reader, close) ? strlen(close) : 0;
  }
}

/* A name, number, "$3", or one character. */
static void next_word(struct reader *reader) {
  skip_blanks(reader);
  const char *first = reader->at;
  if (reader->at < reader->end) {
    reader->at++;
    bool longer = is_name(*first) || *first == '$' || *first == '-';
    while (longer && reader->at < reader->end && is_name(*reader->at))
      reader->at++;
  }
  reader->word = (struct slice){first, (size_t)(reader->at - first)};
}

static bool is_word(const struct reader *reader, const char *text) {
  return slice_equals(reader->word, text);
}

static bool take(struct reader *reader, const char *text) {
  if (!is_word(reader, text))
    return false;
  next_word(reader);
  return true;
}

/* --- Registers -------------------------------------------------------------------------------- */

static bool declare(struct reader *reader, struct slice name, int number) {
  struct text text = {0};
  text_append(&text, name.data, name.length);
  if (number >= 0)
    text_printf(&text, "%d", number);
  bool fits = text.length < NAME_BYTES && reader->operands + reader->declared < PTX_MAX_REGISTERS;
  if (fits)
    strcpy(reader->names[reader->declared++], text_string(&text));
  text_free(&text);
  return fits;
}

static bool read_count(const struct reader *reader, int *out) {
  char digits[8] = {0};
  if (reader->word.length == 0 || reader->word.length >= sizeof digits)
    return false;
  memcpy(digits, reader->word.data, reader->word.length);
  char *end;
  *out = (int)strtol(digits, &end, 10);
  return *end == 0 && *out >= 0;
}

/* .reg .b32 a, t<4>; after the first word. */
static bool read_declaration(struct reader *reader) {
  next_word(reader); /* the type does not matter: registers hold bits */
  do {
    struct slice name = reader->word;
    int count = -1;
    next_word(reader);
    if (take(reader, "<")) {
      if (!read_count(reader, &count))
        return false;
      next_word(reader);
      if (!take(reader, ">"))
        return false;
    }
    if (count < 0 && !declare(reader, name, -1))
      return false;
    for (int i = 0; i < count; i++)
      if (!declare(reader, name, i))
        return false;
  } while (take(reader, ","));
  return is_word(reader, ";");
}

static bool find_declared(const struct reader *reader, struct ptx_operand *out) {
  for (int i = reader->declared; i-- > 0;)
    if (slice_equals(reader->word, reader->names[i])) {
      *out = (struct ptx_operand){.index = reader->operands + i};
      return true;
    }
  return false;
}

/* -7, 0x1F, 0f3F800000, 0d..., 20., 1.5 */
static bool read_number(const struct reader *reader, struct ptx_operand *out) {
  char digits[24] = {0};
  if (reader->word.length >= sizeof digits || reader->word.length == 0)
    return false;
  memcpy(digits, reader->word.data, reader->word.length);
  bool bits = digits[0] == '0' && digits[1] != 0 && strchr("fFdD", digits[1]) && digits[2] != 0;
  char *end;
  *out = (struct ptx_operand){.is_number = true};
  out->is_decimal = strchr(digits, '.') && strspn(digits, "-.0123456789") == reader->word.length;
  if (out->is_decimal) {
    double number = c_strtod(digits, &end);
    memcpy(&out->bits, &number, sizeof number);
  } else if (bits)
    out->bits = strtoull(digits + 2, &end, 16);
  else
    out->bits = digits[0] == '-' ? (uint64_t)strtoll(digits, &end, 0) : strtoull(digits, &end, 0);
  return *end == 0 && (bits || strchr("-0123456789", digits[0]));
}

static bool read_operand(struct reader *reader, struct ptx_operand *out) {
  if (reader->word.length > 1 && reader->word.data[0] == '$') {
    struct reader number = *reader;
    number.word = (struct slice){reader->word.data + 1, reader->word.length - 1};
    *out = (struct ptx_operand){0};
    return read_count(&number, &out->index) && out->index < reader->operands;
  }
  return find_declared(reader, out) || read_number(reader, out);
}

/* --- Statements ------------------------------------------------------------------------------- */

/* {a, b}, from the brace on. */
static bool read_parts(struct reader *reader, struct ptx_instruction *out) {
  do {
    next_word(reader);
    if (out->part_count == PTX_MAX_PARTS || !read_operand(reader, &out->parts[out->part_count++]))
      return false;
    next_word(reader);
  } while (is_word(reader, ","));
  return (out->part_count == 2 || out->part_count == 4) && take(reader, "}");
}

/* The operands of a mov one of whose sides stands in braces. */
static bool read_vector_move(struct reader *reader, struct ptx_instruction *out) {
  out->takes_apart = is_word(reader, "{");
  if (out->takes_apart) {
    if (!read_parts(reader, out) || !take(reader, ",") || !read_operand(reader, &out->sources[0]))
      return false;
    for (int i = 0; i < out->part_count; i++)
      if (out->parts[i].is_number)
        return false;
    next_word(reader);
    return true;
  }
  if (!read_operand(reader, &out->target) || out->target.is_number)
    return false;
  next_word(reader);
  return is_word(reader, ",") && (next_word(reader), is_word(reader, "{")) &&
         read_parts(reader, out);
}

/* A mov whose operands have braces. */
static bool is_vector_move(const struct reader *reader, const struct ptx_opcode *opcode) {
  struct reader ahead = *reader;
  if (strncmp(opcode->name, "mov.b", 5) != 0)
    return false;
  while (ahead.word.length && !is_word(&ahead, ";") && !is_word(&ahead, "{"))
    next_word(&ahead);
  return is_word(&ahead, "{");
}

/* @p or @!p before an instruction. */
static bool read_guard(struct reader *reader, struct ptx_instruction *out) {
  if (!take(reader, "@"))
    return true;
  out->has_guard = true;
  out->guard_negated = take(reader, "!");
  if (!find_declared(reader, &out->guard))
    return false;
  next_word(reader);
  return true;
}

static bool read_instruction(struct reader *reader) {
  struct ptx_instruction instruction = {0};
  if (!read_guard(reader, &instruction))
    return false;
  if (!ptx_opcode_find(reader->word, &instruction.opcode) ||
      reader->out->count == PTX_MAX_INSTRUCTIONS)
    return false;
  next_word(reader);
  if (is_vector_move(reader, &instruction.opcode)) {
    if (!read_vector_move(reader, &instruction))
      return false;
    reader->out->instructions[reader->out->count++] = instruction;
    return is_word(reader, ";");
  }
  if (!read_operand(reader, &instruction.target) || instruction.target.is_number)
    return false;
  next_word(reader);
  for (int i = 0; i < instruction.opcode.sources; i++) {
    if (!take(reader, ",") || !read_operand(reader, &instruction.sources[i]))
      return false;
    next_word(reader);
  }
  reader->out->instructions[reader->out->count++] = instruction;
  return is_word(reader, ";");
}

static bool read_statements(struct reader *reader) {
  for (next_word(reader); reader->word.length; next_word(reader)) {
    if (is_word(reader, ";") || is_word(reader, "{") || is_word(reader, "}"))
      continue;
    bool known;
    if (is_word(reader, ".reg")) {
      next_word(reader);
      known = read_declaration(reader);
    } else {
      known = read_instruction(reader);
    }
    if (!known)
      return false;
  }
  return true;
}

bool ptx_text_read(MlirStringRef text, int operands, struct ptx_program *out, char *what) {
  struct reader *reader = calloc(1, sizeof *reader);
  if (!reader)
    abort();
  *out = (struct ptx_program){0};
  reader->at = text.length ? text.data : ""; /* an empty text has no data */
  reader->end = reader->at + text.length;
  reader->operands = operands;
  reader->out = out;
  bool known = read_statements(reader);
  size_t length = reader->word.length < 63 ? reader->word.length : 63;
  if (length)
    memcpy(what, reader->word.data, length);
  what[length] = 0;
  out->registers = operands + reader->declared;
  free(reader);
  return known;
}
