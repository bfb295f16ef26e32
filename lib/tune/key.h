/* SPDX-License-Identifier: MIT */
/* What a result of tuning belongs to: the parts of struct tune_key (database.h) that the kernel's
   file and the arguments decide about. Whoever keeps results, looks for one, or takes winners into
   a build ahead of time makes them here.

   content     BLAKE3, in hexadecimal digits, of the file, of those that it imports from, of the
               kernel's name, and of the options of compilation that change the code but are not
               tuned (optimisation, fused multiply-adds). The target and what is chosen for a device
               are not in it: a build ahead of time has no device to ask.
   arguments   {"constants":{"ACT":"None"},"types":{"x":"*fp16","M":"i32"},"values":{"M":"512"}}
               constants: compile-time parameters that are not tuned. types: of all run-time
               parameters, without promises of divisibility. values: of the scalars that `key` of
               @triton.autotune names, in its order; without a key of all scalars. Values are texts,
               as Python writes them. */
#ifndef TILE_TUNE_KEY_H
#define TILE_TUNE_KEY_H

#include "frontend/config/listing.h"
#include "tile/compiler.h"

/* Appends `arguments`. `list` was read with the signature, the constants and the values of the
   launch in its options. `key`: names in place of the decorator's, or none. */
void tune_key_arguments(const tile_configurations *list, const char *const *key, size_t key_count,
                        struct text *out);

/* All of it: reads the file and its decorators. Of a file with several kernels import->kernel names
   one. *out_list is the caller's (tile_configurations_destroy) and NULL after an error. Problems go
   to `sink`, which may be NULL. */
tile_status tune_key_read(const char *name, const char *text, size_t length,
                          const struct import_options *import, const tile_compile_options *options,
                          problem_handler *sink, void *sink_data, struct text *out_content,
                          struct text *out_arguments, tile_configurations **out_list);

#endif
