/* SPDX-License-Identifier: MIT */
/* See key.h. */
#include "cache/key.h"

#include <llvm-c/Core.h>
#include <string.h>
#include "base/build_id.h"

void key_begin(struct key_builder *builder, const char *kind) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch); /* a shared LLVM may be another than that of the build */
  llvm_blake3_hasher_init(&builder->hasher);
  key_add_string(builder, kind);
  key_add_string(builder, build_id());
  key_add_number(builder, major);
  key_add_number(builder, minor);
  key_add_number(builder, patch);
}

void key_add(struct key_builder *builder, const void *bytes, size_t size) {
  uint64_t length = size;
  llvm_blake3_hasher_update(&builder->hasher, &length, sizeof length);
  if (size)
    llvm_blake3_hasher_update(&builder->hasher, bytes, size);
}

void key_add_string(struct key_builder *builder, const char *string) {
  key_add_number(builder, string != NULL);
  if (string)
    key_add(builder, string, strlen(string));
}

void key_add_number(struct key_builder *builder, int64_t number) {
  key_add(builder, &number, sizeof number);
}

struct cache_key key_end(const struct key_builder *builder) {
  struct cache_key key;
  llvm_blake3_hasher_finalize(&builder->hasher, key.bytes, sizeof key.bytes);
  return key;
}

struct cache_key key_of_bytes(const void *bytes, size_t size) {
  struct key_builder builder;
  llvm_blake3_hasher_init(&builder.hasher);
  if (size)
    llvm_blake3_hasher_update(&builder.hasher, bytes, size);
  return key_end(&builder);
}

bool key_equals(const struct cache_key *a, const struct cache_key *b) {
  return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}
