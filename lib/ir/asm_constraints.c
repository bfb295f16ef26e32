/* SPDX-License-Identifier: MIT */
/* See asm_constraints.h. */
#include "ir/asm_constraints.h"

#include <string.h>

static bool is_letter(const char *at, const char *end) {
  return end - at == 1 && strchr("bhrlfd", *at) != NULL && *at != 0;
}

static const char unknown[] =
    "a register is =LETTER, =&LETTER, LETTER or the number of an output, LETTER one of b, h, r, l, "
    "f, d";

/* The output's number that an input is tied to; -1 when it is no number. */
static int read_number(const char *at, const char *end) {
  int number = at < end ? 0 : -1;
  for (; at < end && number >= 0; at++)
    number = *at >= '0' && *at <= '9' && number < 1000 ? number * 10 + (*at - '0') : -1;
  return number;
}

static const char *read_output(const char *at, const char *end, struct asm_constraints *out) {
  at++;
  if (at < end && *at == '&')
    at++;
  if (!is_letter(at, end))
    return unknown;
  if (out->inputs)
    return "outputs come before inputs";
  out->letter[out->outputs++] = *at;
  return NULL;
}

static const char *read_input(const char *at, const char *end, struct asm_constraints *out) {
  int tied = read_number(at, end);
  if (tied >= out->outputs)
    return "an input is tied to an output that is not there; outputs are numbered from 0";
  if (tied < 0 && !is_letter(at, end))
    return unknown;
  out->tied[out->inputs] = tied;
  out->letter[out->outputs + out->inputs++] = tied < 0 ? *at : out->letter[tied];
  return NULL;
}

/* "~{name}" */
static const char *read_clobber(const char *at, const char *end) {
  bool closed = end - at > 3 && at[1] == '{' && end[-1] == '}';
  for (const char *c = at + 2; closed && c < end - 1; c++)
    closed = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_';
  return closed ? NULL : "a clobber is ~{name}";
}

const char *asm_constraints_read(MlirStringRef string, struct asm_constraints *out) {
  *out = (struct asm_constraints){0};
  const char *at = string.data, *last = string.data + string.length;
  bool clobbers = false;
  while (at < last) {
    const char *end = memchr(at, ',', (size_t)(last - at));
    end = end ? end : last;
    const char *problem = unknown;
    if (*at == '~') {
      problem = read_clobber(at, end);
      clobbers = true;
    } else if (clobbers) {
      problem = "clobbers come last";
    } else if (out->outputs + out->inputs == MAX_ASM_REGISTERS) {
      problem = "there are more than 64 registers; use a smaller pack";
    } else {
      problem = *at == '=' ? read_output(at, end, out) : read_input(at, end, out);
    }
    if (problem)
      return problem;
    if (end + 1 == last)
      return "the string ends in a comma";
    at = end + 1;
  }
  return NULL;
}
_Static_assert(MAX_ASM_REGISTERS == 64, "a message says 64");

/* After "$N" or "${N}" at `at`; NULL when it is neither, or N is no operand. */
static const char *skip_reference(const char *at, const char *end, int operands) {
  bool braces = at < end && *at == '{';
  const char *digits = at + braces;
  const char *after = digits;
  while (after < end && *after >= '0' && *after <= '9')
    after++;
  int number = after > digits ? read_number(digits, after) : -1;
  if (number < 0 || number >= operands || (braces && (after == end || *after != '}')))
    return NULL;
  return after + braces;
}

/* Nothing but white space: then every output is what an input left in its register. */
static const char *check_empty(MlirStringRef text, const struct asm_constraints *constraints) {
  for (size_t i = 0; i < text.length; i++)
    if (!strchr(" \t\r\n", text.data[i]))
      return NULL;
  for (int output = 0; output < constraints->outputs; output++) {
    bool shared = false;
    for (int i = 0; i < constraints->inputs; i++)
      shared |= constraints->tied[i] == output;
    if (!shared)
      return "the text is empty and never writes $0; write an instruction, or tie an input to each "
             "output (\"=r,0\")";
  }
  return NULL;
}

/* The last character of the comment that begins at i; i where none does. */
static size_t skip_comment(MlirStringRef text, size_t i) {
  bool line = i + 1 < text.length && text.data[i] == '/' && text.data[i + 1] == '/';
  bool block = i + 1 < text.length && text.data[i] == '/' && text.data[i + 1] == '*';
  if (!line && !block)
    return i;
  for (i += 2; i < text.length; i++)
    if (line ? text.data[i] == '\n' : text.data[i] == '/' && text.data[i - 1] == '*')
      break;
  return i;
}

/* Braces that are a scope's or a vector's, not those of ${0}. */
static const char *check_braces(MlirStringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.length && depth >= 0; i++) {
    i = skip_comment(text, i);
    if (i >= text.length)
      break;
    bool reference = i > 0 && text.data[i - 1] == '$';
    depth += text.data[i] == '{' && !reference;
    if (reference && text.data[i] == '{')
      while (i < text.length && text.data[i] != '}')
        i++;
    else
      depth -= text.data[i] == '}';
  }
  return depth < 0   ? "the text closes a brace '}' that it did not open"
         : depth > 0 ? "the text opens a brace '{' that it does not close"
                     : NULL;
}

const char *asm_text_check(MlirStringRef text, const struct asm_constraints *constraints) {
  int operands = constraints->outputs + constraints->inputs;
  const char *problem = check_empty(text, constraints);
  problem = problem ? problem : check_braces(text);
  if (problem || text.length == 0)
    return problem;
  const char *end = text.data + text.length;
  for (const char *at = text.data; at < end;) {
    if (*at == 0)
      return "the text has a zero byte";
    if (*at++ != '$')
      continue;
    if (at < end && *at == '$')
      at++;
    else
      at = skip_reference(at, end, operands);
    if (!at)
      return "\"$\" and a number name an operand, results first, from $0 on; \"$$\" is a dollar "
             "sign";
  }
  return NULL;
}
