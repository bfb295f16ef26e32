/* SPDX-License-Identifier: MIT */
/* What a launch must know of a module's kernels, gathered on either side of the lowering:
   parameters while the functions still are func.func with tile types, block size and shared memory
   when those have been decided. */
#ifndef TILE_DRIVER_KERNEL_INFO_H
#define TILE_DRIVER_KERNEL_INFO_H

#include "base/arena.h"
#include "ir/session.h"
#include "target/target.h"
#include "tile/image.h"

struct kernel_infos {
  tile_kernel_info *kernels;     /* owned by the arena, as are their strings */
  tile_kernel_version *versions; /* one for each kernel: what is known of its versions before the
                                    lowering */
  size_t count;
};

/* Of a kernel that a front end has specialised: arguments that callers pass and that are constants
   here (ATTR_FIXED_ARGUMENTS), as an array of dictionaries

       {position = 2 : i32, name = "stride", type = i32, value = 1 : i64}
       {position = 3 : i32, name = "bias", type = f16, absent}

   (a scalar, of a float its bits; a null pointer, with its pointee's type) with the place in the
   list of all arguments, in rising order; and compile-time parameters (ATTR_CONSTANTS), an array of
   [name, value] as text; and the number of the configuration of @triton.autotune (ATTR_CONFIG).
   They end in the image as conditions, constants and config of
   the version (tile/image.h). */

/* Reads names and parameters of the functions marked tile.kernel, from a module that is verified
   but not lowered. A kernel may also be given in lowered form, as an llvm.func marked nvvm.kernel
   and tile.kernel, whose pointers say with tile.pointee what they point to. */
void kernel_infos_read(struct session *session, MlirModule module, struct arena *arena,
                       struct kernel_infos *out);
/* Takes the tile dialect's attributes off the parameters of such kernels: LLVM's translation warns
   of what it does not know. */
void kernel_infos_strip(struct session *session, MlirModule module);
/* Adds versions with their threads and shared memory, after lowering: the kernel as it is, and
   before it the one for few blocks, and before that the one with tensor maps, where there are such
   ones. `target` is NULL for the emulator; names are
   the arena's. Errors: TILE_UNSUPPORTED for a parameter that no launch can pass. */
tile_status kernel_infos_complete(struct session *session, MlirModule module,
                                  const struct machine *machine, struct arena *arena,
                                  struct kernel_infos *infos);
/* Adds what ptxas's report says of the versions. */
void kernel_infos_add_report(struct kernel_infos *infos, const char *report);
/* The kernel called `name`; with NULL the only one. TILE_NOT_FOUND and TILE_INVALID_ARGUMENT list
   those there are. */
tile_status kernel_infos_find(const struct kernel_infos *infos, const char *name,
                              const tile_kernel_info **out);

#endif
