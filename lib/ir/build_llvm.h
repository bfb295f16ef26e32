/* SPDX-License-Identifier: MIT */
/* Building what the LLVM dialect says in more than a name: pointers, addresses, globals, functions
   and calls. Past the conversion to LLVM and before it alike. */
#ifndef TILE_IR_BUILD_LLVM_H
#define TILE_IR_BUILD_LLVM_H

#include <mlir-c/Dialect/LLVM.h>
#include "ir/build.h"

/* Address spaces of NVPTX and AMDGPU. */
enum address_space { SPACE_GENERIC = 0, SPACE_GLOBAL = 1, SPACE_SHARED = 3, SPACE_CONSTANT = 4 };

/* !llvm.ptr<space>; is a type that? */
MlirType llvm_pointer(MlirContext context, enum address_space space);
bool is_llvm_pointer(MlirType type, enum address_space space);
/* One value as it is, several as a struct. */
MlirType llvm_struct(MlirContext context, intptr_t count, const MlirType *types);

/* The attribute `alignment` of accesses and globals. */
MlirNamedAttribute llvm_alignment(MlirContext context, int64_t bytes);
/* The same bits as another type; the value itself where it has that. */
MlirValue build_bitcast(struct builder *b, MlirValue value, MlirType type);
/* pointer + (index + constant) * the size of `element`; a null index is 0, and only then may the
   constant, of 32 bits, be other than 0. */
MlirValue build_gep(struct builder *b, MlirType element, MlirValue pointer, MlirValue index,
                    int64_t constant);

/* A builder before all else in a module. */
struct builder builder_at_top(MlirOperation module, MlirLocation location);
bool module_has_symbol(MlirOperation module, const char *name);

struct llvm_global {
  const char *name;
  MlirType type;
  MlirAttribute value; /* null: external */
  enum address_space space;
  int64_t alignment; /* 0: the type's */
  bool constant;
};
/* A global, seen outside of the module only where it is external; its symbol, and its address. */
MlirAttribute build_global(struct builder *b, const struct llvm_global *global);
MlirValue build_address_of(struct builder *b, MlirAttribute symbol, enum address_space space);
/* A constant string of `length` bytes. */
MlirAttribute build_string_global(struct builder *b, const char *name, MlirAttribute value,
                                  size_t length);

/* An external llvm.func; without a body where the region, which is taken, is empty. */
MlirOperation build_llvm_function(struct builder *b, MlirAttribute name, MlirType type,
                                  MlirRegion region);
/* Calls a function of these types; a null result means void. */
MlirOperation build_llvm_call(struct builder *b, const char *name, intptr_t count,
                              const MlirValue *in, MlirType result);
/* Declares the function that such a call calls. */
void declare_llvm_function(struct builder *b, const char *name, intptr_t count, const MlirValue *in,
                           MlirType result);

#endif
