/* SPDX-License-Identifier: MIT */
/* PTX as LLVM writes it, changed where ptxas reads it otherwise.

   - A quote in a file's name is \" in LLVM's text; ptxas knows it as \042 only.
   - ptxas (12.8 to 13.0, -O1 and above) takes neg.s16 for the negation of a number that never is the
     least one: -(-32768), extended to 32 bits or compared, gives 32768, not -32768. So it does for
     abs.s16 and for sub.s16 from 0. Written with sub.u16, the numbers wrap.

         neg.s16 %rs2, %rs1;      sub.u16 %rs2, 0, %rs1;
         abs.s16 %rs2, %rs1;      sub.u16 %rs2, 0, %rs1;
                                  max.s16 %rs2, %rs1, %rs2;

   The registers of LLVM's instructions are written once, so that %rs2 is not %rs1. Assembly of the
   user's is left as it is. */
#include <stdio.h>
#include <string.h>
#include "target/target.h"

static bool starts_with(const char *line, size_t length, const char *word) {
  size_t bytes = strlen(word);
  return length >= bytes && memcmp(line, word, bytes) == 0;
}

/* The next backslash with `escaped` behind it; a backslash that is escaped itself is none. NULL: there
   is none. */
static const char *find_escape(const char *at, const char *end, char escaped) {
  for (; at + 1 < end; at++)
    if (*at == '\\' && at[1] == escaped)
      return at;
    else if (*at == '\\')
      at++;
  return NULL;
}

static void append_file(const char *line, const char *end, struct text *out) {
  for (const char *at; (at = find_escape(line, end, '"')) != NULL; line = at + 2) {
    text_append(out, line, (size_t)(at - line));
    text_puts(out, "\\042");
  }
  text_append(out, line, (size_t)(end - line));
}

/* "\tneg.s16 \t%rs2, %rs1;" and its like, rewritten; false: it is none of them. */
static bool append_sign(const char *line, size_t length, struct text *out) {
  bool negation = starts_with(line, length, "\tneg.s16 ");
  char copy[64], to[24], from[24];
  if ((!negation && !starts_with(line, length, "\tabs.s16 ")) || length >= sizeof copy)
    return false;
  memcpy(copy, line, length);
  copy[length] = 0;
  if (sscanf(copy, "%*s %23[^, \t], %23[^; \t];", to, from) != 2)
    return false;
  text_printf(out, "\tsub.u16 \t%s, 0, %s;\n", to, from);
  if (!negation)
    text_printf(out, "\tmax.s16 \t%s, %s, %s;\n", to, from, to);
  return true;
}

void append_ptx(const char *ptx, size_t length, struct text *out) {
  const char *end = ptx + length;
  bool users = false; /* between LLVM's comments around inline assembly */
  for (const char *line = ptx, *next; line < end; line = next) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    next = newline ? newline + 1 : end;
    size_t bytes = (size_t)(next - line);
    if (starts_with(line, bytes, "\t// begin inline asm"))
      users = true;
    else if (starts_with(line, bytes, "\t// end inline asm"))
      users = false;
    if (starts_with(line, bytes, "\t.file\t"))
      append_file(line, next, out);
    else if (users || !append_sign(line, bytes, out))
      text_append(out, line, bytes);
  }
}
