/* SPDX-License-Identifier: MIT */
/* PTX as LLVM writes it, changed where ptxas reads it otherwise.

   - A quote in a file's name is \" in LLVM's text; ptxas knows it as \042 only.
   - ptxas (12.8 to 13.0, -O1 and above) takes neg.s16 for the negation of a number that never is
     the
     least one: -(-32768), extended to 32 bits or compared, gives 32768, not -32768. So it does for
     abs.s16 and for sub.s16 from 0. Written with sub.u16, the numbers wrap.

         neg.s16 %rs2, %rs1;      sub.u16 %rs2, 0, %rs1;
         abs.s16 %rs2, %rs1;      sub.u16 %rs2, 0, %rs1;
                                  max.s16 %rs2, %rs1, %rs2;

   - ptxas (13.0) takes the upper half of a 32-bit product, minus 64 bits, for one instruction that
     adds
     what is subtracted with its sign changed, where the carry is lost if the low word is zero: x -
     0 is 2^32 too little. Written with the complement, it is a sum.

         mul.hi.u32 %r2, ...;               mul.hi.u32 %r2, ...;
         cvt.u64.u32 %rd1, %r2;             cvt.u64.u32 %rd1, %r2;
         sub.s64 %rd3, %rd1, %rd2;          not.b64 %rd3, %rd2;
                                            add.s64 %rd3, %rd1, %rd3;
                                            add.s64 %rd3, %rd3, 1;

   - ptxas (12.8 to 13.0, sm_90a) makes one instruction of the smaller or larger of 16 bits and a
     constant and its comparison with that constant. It works on both halves of a word, with one
     predicate for both, and that is the one of the upper half, where anything may be. The constant
     may be one that only ptxas finds. Complements are compared as numbers.

         min.u16 %rs3, %rs1, %rs2;          min.u16 %rs3, %rs1, %rs2;
         setp.eq.b16 %p1, %rs3, 0;          not.b16 %own, %rs3;
                                            not.b16 %other, 0;
                                            setp.eq.b16 %p1, %own, %other;

   - ptxas (13.0) makes one instruction of a complement and what takes it, ~x & y; where x is known
     to be a constant, behind a branch on x == 5, say, it puts that in x's place and loses the
     complement. Of 16 bits it folds an exclusive or right, of 32 it makes a complement of it.

         not.b16 %rs2, %rs1;                xor.b16 %rs2, %rs1, -1;
         not.b32 %r2, %r1;                  sub.s32 %r2, -1, %r1;

   The registers of LLVM's instructions are written once, so that %rs2 is not %rs1. Assembly of the
   user's is left as it is. */
#include <stdint.h>
#include <string.h>
#include "base/map.h"
#include "target/target.h"

/* Registers of a function that hold the upper half of a product: as 32 bits, and extended to 64;
   and of 16 bits that hold the smaller or the larger of two numbers. */
struct results {
  struct map words, wide, extremes;
};

/* The next backslash with `escaped` after it; a backslash that is escaped itself is none. NULL:
   there is none. */
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
static bool append_unary(const char *line, size_t length, struct text *out) {
  static const struct {
    const char *begins, *as; /* as: of the result and the operand, each as often as it is there */
  } names[] = {{"\tneg.s16 ", "\tsub.u16 \t%1$s, 0, %2$s;\n"},
               {"\tabs.s16 ", "\tsub.u16 \t%1$s, 0, %2$s;\n\tmax.s16 \t%1$s, %2$s, %1$s;\n"},
               {"\tnot.b16 ", "\txor.b16 \t%1$s, %2$s, -1;\n"},
               {"\tnot.b32 ", "\tsub.s32 \t%1$s, -1, %2$s;\n"}};
  enum { COUNT = sizeof names / sizeof *names };
  char copy[64], to[24], from[24];
  size_t name = 0;
  while (name < COUNT && !slice_begins((struct slice){line, length}, names[name].begins))
    name++;
  if (name == COUNT || length >= sizeof copy)
    return false;
  memcpy(copy, line, length);
  copy[length] = 0;
  if (sscanf(copy, "%*s %23[^, \t], %23[^; \t];", to, from) != 2)
    return false;
  text_printf(out, names[name].as, to, from);
  return true;
}

/* The number of "%rd12", where the text begins with `prefix`, plus one, as a key; NULL: it does
   not. */
static const void *register_key(const char *text, const char *prefix) {
  unsigned number;
  size_t length = strlen(prefix);
  if (strncmp(text, prefix, length) != 0 || sscanf(text + length, "%u", &number) != 1)
    return NULL;
  return (const void *)((uintptr_t)number + 1);
}

/* min.u16, max.s16 and their like. */
static bool is_extreme(const char *name) {
  return (strncmp(name, "min.", 4) == 0 || strncmp(name, "max.", 4) == 0) &&
         (strcmp(name + 4, "u16") == 0 || strcmp(name + 4, "s16") == 0);
}

/* Is an extreme equal to something? Of the complements. */
static bool append_equality(struct results *results, const char *name, const char *to,
                            const char *from, const char *other, struct text *out) {
  if ((strcmp(name, "setp.eq.b16") != 0 && strcmp(name, "setp.ne.b16") != 0) ||
      !register_key(from, "%rs") || !map_get(&results->extremes, register_key(from, "%rs")))
    return false;
  text_printf(out, "\t{\n\t.reg .b16 %%own, %%other;\n\tnot.b16 \t%%own, %s;\n", from);
  text_printf(out, "\tnot.b16 \t%%other, %s;\n\t%s \t%s, %%own, %%other;\n\t}\n", other, name, to);
  return true;
}

/* May append_followed know the instruction, which begins after a tab? Few lines go through sscanf.
 */
static bool is_followed(struct slice instruction) {
  static const char *const names[] = {"mul.hi.u32",  "cvt.u64.u32", "sub.s64", "setp.eq.b16",
                                      "setp.ne.b16", "min.",        "max."};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (slice_begins(instruction, names[i]))
      return true;
  return false;
}

/* Follows upper halves of products and extremes, and rewrites what is subtracted from the one and
   asked of the other; false: it is another line. */
static bool append_followed(struct results *results, const char *line, size_t length,
                            struct text *out) {
  char copy[96], name[24], to[24], from[24], other[24];
  if (slice_begins((struct slice){line, length}, "{")) { /* another function's registers */
    map_clear(&results->words);
    map_clear(&results->wide);
    map_clear(&results->extremes);
  }
  if (length < 2 || line[0] != '\t' || length >= sizeof copy ||
      !is_followed((struct slice){line + 1, length - 1}))
    return false;
  memcpy(copy, line, length);
  copy[length] = 0;
  int parts = sscanf(copy, " %23s %23[^, \t], %23[^,; \t], %23[^; \t];", name, to, from, other);
  if (parts == 4 && strcmp(name, "mul.hi.u32") == 0 && register_key(to, "%r"))
    map_set(&results->words, register_key(to, "%r"), results);
  if (parts == 3 && strcmp(name, "cvt.u64.u32") == 0 && register_key(from, "%r") &&
      map_get(&results->words, register_key(from, "%r")) && register_key(to, "%rd"))
    map_set(&results->wide, register_key(to, "%rd"), results);
  if (parts == 4 && is_extreme(name) && register_key(to, "%rs"))
    map_set(&results->extremes, register_key(to, "%rs"), results);
  if (parts == 4 && append_equality(results, name, to, from, other, out))
    return true;
  if (parts != 4 || strcmp(name, "sub.s64") != 0 || !register_key(from, "%rd") ||
      !map_get(&results->wide, register_key(from, "%rd")))
    return false;
  text_printf(out, "\tnot.b64 \t%s, %s;\n\tadd.s64 \t%s, %s, %s;\n\tadd.s64 \t%s, %s, 1;\n", to,
              other, to, from, to, to, to);
  return true;
}

void append_ptx(const char *ptx, size_t length, struct text *out) {
  const char *end = ptx + length;
  struct results results = {0};
  bool users = false; /* between LLVM's comments around inline assembly */
  for (const char *line = ptx, *next; line < end; line = next) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    next = newline ? newline + 1 : end;
    size_t bytes = (size_t)(next - line);
    if (slice_begins((struct slice){line, bytes}, "\t// begin inline asm"))
      users = true;
    else if (slice_begins((struct slice){line, bytes}, "\t// end inline asm"))
      users = false;
    if (slice_begins((struct slice){line, bytes}, "\t.file\t"))
      append_file(line, next, out);
    else if (users ||
             (!append_unary(line, bytes, out) && !append_followed(&results, line, bytes, out)))
      text_append(out, line, bytes);
  }
  map_free(&results.words);
  map_free(&results.wide);
  map_free(&results.extremes);
}
