/* SPDX-License-Identifier: MIT */
/* Keys: BLAKE3 over what is asked for, field by field.

       struct key_builder builder;
       key_begin(&builder, "compile");
       key_add_string(&builder, options->target);
       struct cache_key key = key_end(&builder);

   Each field goes in with its length, so that no two lists of fields are the same bytes. */
#ifndef TILE_CACHE_KEY_H
#define TILE_CACHE_KEY_H

#include <llvm-c/blake3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KEY_BYTES = LLVM_BLAKE3_OUT_LEN };

struct cache_key {
  uint8_t bytes[KEY_BYTES];
};

struct key_builder {
  llvm_blake3_hasher hasher;
};

/* Begins a key of a kind of request: the kind, the build id and the version of the LLVM that runs
   are in every key. */
void key_begin(struct key_builder *builder, const char *kind);
void key_add(struct key_builder *builder, const void *bytes, size_t size);
/* NULL is something else than "". */
void key_add_string(struct key_builder *builder, const char *string);
void key_add_number(struct key_builder *builder, int64_t number);
struct cache_key key_end(const struct key_builder *builder);

/* The hash of some bytes alone. */
struct cache_key key_of_bytes(const void *bytes, size_t size);
bool key_equals(const struct cache_key *a, const struct cache_key *b);

#endif
