/* SPDX-License-Identifier: MIT */
/* NVIDIA's device, what a kernel says: calls of the device's vprintf and __assertfail, which the
   emulator has, too.

   vprintf takes a format and the address of its arguments, each aligned to its size (CUDA
   programming guide, formatted output). One buffer in the thread's local memory serves all prints
   of a kernel. */
#include "lowering/nvvm/nvvm.h"

/* Words of 8 bytes: three ids and 16 indices of 4 bytes, after them a value of 8. */
enum { ARGUMENT_WORDS = (3 + LAYOUT_MAX_RANK + 1) / 2 + 1 };

/* The address of a global string with this text and a zero; one for equal texts. */
static MlirValue string_address(struct lowering *lw, MlirStringRef text) {
  struct text bytes = {0};
  text_append(&bytes, text.data, text.length);
  text_append(&bytes, "", 1);
  MlirAttribute value =
      mlirStringAttrGet(lw->session->context, mlirStringRefCreate(bytes.data, bytes.length));
  MlirAttribute symbol = {map_get(&lw->constants, value.ptr)};
  if (mlirAttributeIsNull(symbol)) {
    struct text name = {0};
    do {
      name.length = 0;
      text_printf(&name, "tile_string_%d", lw->next_string++);
    } while (module_has_symbol(lw->module, text_string(&name)));
    struct builder b = builder_at_top(lw->module, lw->b.location);
    symbol = build_string_global(&b, text_string(&name), value, bytes.length);
    map_set(&lw->constants, value.ptr, (void *)symbol.ptr);
    text_free(&name);
  }
  text_free(&bytes);
  return build_address_of(&lw->b, symbol, SPACE_GENERIC);
}

static void call(struct lowering *lw, const char *name, intptr_t count, const MlirValue *in,
                 MlirType result) {
  struct builder b = builder_at_top(lw->module, lw->b.location);
  if (!module_has_symbol(lw->module, name))
    declare_llvm_function(&b, name, count, in, result);
  build_llvm_call(&lw->b, name, count, in, result);
}

static MlirValue argument_buffer(struct lowering *lw) {
  if (!mlirValueIsNull(lw->print_buffer))
    return lw->print_buffer;
  struct builder b = prologue_builder(lw);
  MlirAttribute words = mlirTypeAttrGet(integer_type(&b, 64));
  lw->print_buffer = BUILD(
      &b, "llvm.alloca", IN(build_integer(&b, 32, ARGUMENT_WORDS)),
      OUT(llvm_pointer(b.context, SPACE_GENERIC)),
      ATTRIBUTES(attribute_named(b.context, "elem_type", words), llvm_alignment(b.context, 8)));
  return lw->print_buffer;
}

void nvvm_print_argument(struct lowering *lw, MlirValue argument, int64_t *end) {
  int64_t bytes = type_bytes(&lw->session->types, mlirValueGetType(argument));
  int64_t at = (*end + bytes - 1) / bytes * bytes;
  MlirValue address =
      build_gep(&lw->b, integer_type(&lw->b, 8), argument_buffer(lw), (MlirValue){0}, at);
  BUILD_OP(&lw->b, "llvm.store", IN(argument, address),
           ATTRIBUTES(llvm_alignment(lw->session->context, bytes)));
  *end = at + bytes;
}

void nvvm_print(struct lowering *lw, const struct text *format) {
  MlirValue in[] = {string_address(lw, mlirStringRefCreate(format->data, format->length)),
                    argument_buffer(lw)};
  call(lw, "vprintf", 2, in, integer_type(&lw->b, 32));
}

/* The device prints file, line, function, block and thread beside the message, and ends the launch.
 */
void nvvm_fail(struct lowering *lw, MlirStringRef message, MlirStringRef file, int64_t line,
               MlirStringRef function) {
  MlirValue in[] = {string_address(lw, message), string_address(lw, file),
                    constant_integer(lw, 32, line), string_address(lw, function),
                    constant_integer(lw, 64, 1)};
  call(lw, "__assertfail", 5, in, (MlirType){0});
}
