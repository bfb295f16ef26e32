/* SPDX-License-Identifier: MIT */
/* Makes a kernel of one program one of many: blocks that stay on their multiprocessor and take
   programs in turn. */
#ifndef TILE_TRANSFORMS_PERSIST_H
#define TILE_TRANSFORMS_PERSIST_H

#include "ir/session.h"

/* NULL, or why a program of the kernel may wait for another one; a static text. */
const char *why_programs_meet(struct session *session, MlirOperation kernel);
/* Is a value computed from parameters and constants alone, and so the same in all programs? */
bool value_is_of_launch(struct session *session, MlirValue value);
/* Are the bounds of the loop? */
bool loop_has_one_length(struct session *session, MlirOperation loop);
/* NULL where persist_kernel may be called; else the reason, for a message. `loop` is the one that
   the kernel is made persistent for, directly in the kernel's body. */
const char *why_not_persistent(struct session *session, MlirOperation kernel, MlirOperation loop);
/* Leaves tile_gpu.resident_blocks = `blocks` (of a multiprocessor), and the numbers of programs
   along x, y and z as last parameters of type i32, which the launch passes. */
void persist_kernel(struct session *session, MlirOperation kernel, int blocks);

#endif
