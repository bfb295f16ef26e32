/* SPDX-License-Identifier: MIT */
/* Names of functions and globals that every code generator takes.

   A kernel's user may call it what MLIR allows: `café`, "a b", "llvm.sin.f32". PTX takes

       [A-Za-z][A-Za-z0-9_$]*  |  [_$%][A-Za-z0-9_$]+          (PTX ISA, "Identifiers")

   without the predefined WARP_SZ, and LLVM ends the process over other names. So a module is given
   names of that form before it is lowered, and a kernel that was renamed says with ATTR_SOURCE_NAME
   what its user calls it. */
#ifndef TILE_IR_SYMBOL_NAMES_H
#define TILE_IR_SYMBOL_NAMES_H

#include "base/text.h"
#include "ir/session.h"

/* Renames the functions and globals of a module, with their uses. Fails, with a diagnostic, where a
   name is taken. */
MlirLogicalResult symbols_rename_for_code(struct session *session, MlirModule module);

/* What a function is called in its source; borrowed from it. */
MlirStringRef symbol_source_name(MlirOperation function);

/* Whether a function is a version of another one, which has the kernel's name: for few blocks, or
   with tensor maps. */
bool symbol_is_second_version(MlirOperation function);
/* What the kernel that a function is a version of is called in its source. */
MlirStringRef symbol_kernel_name(MlirOperation function);

#endif
