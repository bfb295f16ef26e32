/* SPDX-License-Identifier: MIT */
/* Integers of a kernel as linear forms: sums of products of scalars, constants, and one position in
   a tile.

     %r = tile.range 0 to 64                  position along dimension 0
     %x = splat (%pid * 64) + %r              [%pid * 64] + position
     %o = %x * splat %stride                  [%pid * 64] [%stride] + [%stride] position

   What is in brackets is an SSA value as the kernel computes it. A loop-carried number or pointer
   that advances by the same in every iteration is what it is before the loop and so many times its
   advance.

   Overflow. A form says what the kernel computes where no operation wraps. Scalars are taken apart
   only where they change in the loop, or count in 64 bits. A product of two run-time numbers in 32
   bits is marked as narrow: who uses the form must see to it that it does not wrap. Of the rest
   docs say that it does not: sums of numbers that are not negative (axis_info.h), and of a number
   and a constant below 2^28 (tile.addptr). */
#ifndef TILE_ANALYSIS_LINEAR_FORM_H
#define TILE_ANALYSIS_LINEAR_FORM_H

#include "analysis/axis_info.h"

enum { MAX_FORM_TERMS = 24, MAX_FORM_SCALARS = 4 };

/* factor * scalars * (position along `dim`). */
struct form_term {
  int64_t factor;
  MlirValue scalars[MAX_FORM_SCALARS]; /* i32 or i64, signed; in order of their addresses */
  int scalar_count;
  int dim;           /* -1: no position */
  MlirValue wrapped; /* tile of rank 1: its number at the position in place of the position */
  bool narrow;       /* a product that was made in 32 bits */
};

struct linear_form {
  struct form_term terms[MAX_FORM_TERMS];
  int count;
};

/* What reading forms needs. `problem`: why a form could not be made, a static text. */
struct form_reader {
  struct session *session;
  struct axis_analysis *axis;
  MlirOperation loop; /* the innermost one around what is read */
  const char *problem;
};

/* Of an integer, scalar or tile. */
bool form_of(struct form_reader *reader, MlirValue value, struct linear_form *out);
/* Of a pointer, scalar or tile: the pointer that it begins with, and the distance in elements. */
bool form_of_pointer(struct form_reader *reader, MlirValue pointer, MlirValue *base,
                     struct linear_form *out);

/* Of what is put into bounds, x % n or where(x < n, x, 0): x and n. */
bool form_of_wrapped(struct form_reader *reader, MlirValue wrapped, struct linear_form *index,
                     struct linear_form *size);

/* out = out + factor * form. False where it has too many terms. */
bool form_add(struct linear_form *out, const struct linear_form *form, int64_t factor);
bool form_add_term(struct linear_form *out, struct form_term term);
/* One product without a position: the number 1 times `factor`. */
struct form_term form_number(int64_t factor);
struct form_term form_scalar(MlirValue scalar);
bool form_is_zero(const struct linear_form *form);
/* The same scalars? */
bool terms_have_one_product(const struct form_term *a, const struct form_term *b);
/* Is it a number: *out? */
bool form_is_number(const struct linear_form *form, int64_t *out);
/* term / by, where `by` divides it. */
bool form_divide_term(const struct form_term *term, const struct form_term *by,
                      struct form_term *out);
/* Takes i32 products apart that are scalars of the form, for divisions; they are narrow then. */
bool form_expand(struct form_reader *reader, const struct form_term *term, struct linear_form *out);
/* The term with one of its scalars, a sum or a product, as what it is made of, of 32 bits, too: for
   what is taken not to wrap. False where the scalar is none. */
bool form_take_apart(struct form_reader *reader, const struct form_term *term, MlirValue scalar,
                     struct linear_form *out);
/* Is the term, a loop's counter times a number, below 2^31 in every iteration, as far as is known?
 */
bool form_counter_fits(struct form_reader *reader, const struct form_term *term);
/* Does a scalar of the term change in the loop? */
bool term_changes_in(struct session *session, const struct form_term *term, MlirOperation loop);
/* Is `value` defined before `op`, in its block or in one around it? */
bool value_is_before(MlirValue value, MlirOperation op);
/* Can `value` be used at `op`, or computed there again? */
bool value_is_available(struct session *session, MlirValue value, MlirOperation op);
/* A power of two that divides the term at every position, as far as is known. */
int64_t term_divisor(struct axis_analysis *axis, const struct form_term *term);
/* Are all its factors known not to be negative? */
bool term_is_non_negative(struct form_reader *reader, const struct form_term *term);

#endif
