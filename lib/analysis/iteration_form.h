/* SPDX-License-Identifier: MIT */
/* Integers of a loop's body as sums over the number of the iteration, k = 0, 1, 2, ...:

     advance * k + factor * scalar + ... + [least, most]

   The scalars are SSA values from before the loop, sign-extended; [least, most] is what the
   positions of a tile are worth at least and at most.

     scf.for %iv = %lo to %hi step 64
       %x = splat %iv + range 0 to 64           64 k + %lo + [0, 63]

   Exact, overflow or not. A form is a number without bounds, and the kernel's number is that number
   modulo 2^width, whatever the operations in between do (addi, subi, muli, shli and trunci are
   modular). Where the form's number fits into the width, both are equal, so who uses a form has to
   see to it that it fits: forms_fit in transforms/split_loops.c. An arith.extsi needs it of its
   operand, which is noted in the reader's list.

   Magnitudes. Factors are small enough that forms can be computed in 64 bits as long as no scalar
   is beyond 2^SCALAR_BITS, which those of 32 bits are not. */
#ifndef TILE_ANALYSIS_ITERATION_FORM_H
#define TILE_ANALYSIS_ITERATION_FORM_H

#include "ir/session.h"

enum {
  MAX_ITERATION_TERMS = 8,
  MAX_NARROW_FORMS = 8,
  FACTOR_BITS = 18,
  SCALAR_BITS = 40,
  MAX_FORM_OPERATIONS = 200
};

struct iteration_form {
  int64_t advance;
  struct {
    MlirValue scalar; /* i32 or i64 */
    int64_t factor;
  } terms[MAX_ITERATION_TERMS];
  int count;
  int64_t least, most;
};

struct iteration_reader {
  struct session *session;
  MlirOperation loop; /* scf.for with a constant step */
  int64_t step;
  struct iteration_form narrow[MAX_NARROW_FORMS]; /* have to fit into 32 bits */
  int narrow_count;
  int budget;          /* operations that may still be looked at */
  const char *problem; /* why there is no form; a static text */
};

/* Begins with a loop; false, and the problem, where its step is no constant or it counts otherwise
   than in signed numbers of 32 or 64 bits. */
bool iteration_reader_begin(struct iteration_reader *reader, struct session *session,
                            MlirOperation loop);
/* Of an integer of the loop's body, scalar or tile. */
bool iteration_form_read(struct iteration_reader *reader, MlirValue value,
                         struct iteration_form *out);
/* out = out + factor * form, equal scalars together. False where that is too large. */
bool iteration_form_add(struct iteration_form *out, const struct iteration_form *form,
                        int64_t factor);
struct iteration_form iteration_form_number(int64_t number);
/* Of a scalar from before the loop. */
struct iteration_form iteration_form_scalar(MlirValue scalar);

#endif
