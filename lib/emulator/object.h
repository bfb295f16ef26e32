/* SPDX-License-Identifier: MIT */
/* Code of kernels from an object file: what LLVM wrote when they were compiled is loaded without
   LLVM and without a linker.

   The file is an ELF object of the host's architecture in which every address is 64 bits wide (the
   large code model), so that code may lie anywhere: one kind of relocation is all there is. Names
   that it does not define are those of symbols.h. */
#ifndef TILE_EMULATOR_OBJECT_H
#define TILE_EMULATOR_OBJECT_H

#include <stddef.h>
#include "runtime/versions.h"
#include "tile/status.h"

/* The architecture as images name it; "" where objects are neither written nor loaded. */
#define OBJECT_HOST RUNTIME_HOST

struct object;

/* Loads an object from any bytes, which are copied. Errors: TILE_BAD_IMAGE names what is wrong with
   it, TILE_WRONG_TARGET when it is for another architecture, TILE_UNSUPPORTED for a function that
   this emulator lacks. */
tile_status object_load(const void *bytes, size_t size, struct object **out);
/* Address of a function that the object defines; NULL when it does not. */
void *object_find(const struct object *object, const char *name);
void object_destroy(struct object *object);

#endif
