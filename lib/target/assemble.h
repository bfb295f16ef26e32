/* SPDX-License-Identifier: MIT */
/* The two ways from PTX to a cubin; cubin.c chooses. */
#ifndef TILE_TARGET_ASSEMBLE_H
#define TILE_TARGET_ASSEMBLE_H

#include "target/target.h"

/* ptxas as a child process: `program`, as ptxas_find found it. */
tile_status ptxas_assemble(const char *program, const char *ptx, size_t length,
                           const struct target_options *options, struct text *cubin,
                           struct text *log);

/* The CUDA release that a ptxas says it is of, 13000 for 13.0; 0 when it does not say. Runs it. */
int ptxas_release(const char *program);

/* A nvJitLink library: its path, or a name for the dynamic linker to look up. False when there is
   none. */
bool nvjitlink_find(struct text *path);
/* Assembles in this process. What the library says goes to the status or to `log`, as for ptxas. */
tile_status nvjitlink_assemble(const char *library, const char *ptx, size_t length,
                               const struct target_options *options, struct text *cubin,
                               struct text *log);
/* The file that a path or a name stands for; appended. */
void nvjitlink_resolve(const char *library, struct text *path);

#endif
