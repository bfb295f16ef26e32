/* SPDX-License-Identifier: MIT */
/* Linear forms as code. */
#ifndef TILE_TRANSFORMS_BUILD_FORM_H
#define TILE_TRANSFORMS_BUILD_FORM_H

#include "analysis/linear_form.h"
#include "ir/build.h"

/* As i64 at the builder's place: what is defined later is computed again there. */
MlirValue build_term(struct builder *b, const struct form_term *term);
MlirValue build_form(struct builder *b, const struct linear_form *form);

#endif
