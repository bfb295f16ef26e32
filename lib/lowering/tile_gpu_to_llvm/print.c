/* SPDX-License-Identifier: MIT */
/* print and assert: calls of the device's vprintf and __assertfail, which the emulator has, too.

   One line an element, and one of the threads that hold it prints it:

     pid (1, 0, 0) idx (3, 17) x: 0.500000

   An index is as wide as its dimension's last one. A scalar has no indices, `idx ()`, and text
   alone not even that; both are the program's, and every thread prints them, as Triton's kernels
   do. The prefix follows as it is, then `(operand 2) ` where the operation numbers its operands.

   vprintf takes a format and the address of its arguments, each aligned to its size (CUDA
   programming guide, formatted output). The program's ids come first, then the indices, then the
   value; one area in the thread's local memory serves all prints of a kernel. */
#include <string.h>
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* Words of 8 bytes: three ids and 16 indices of 4 bytes, after them a value of 8. */
enum { ARGUMENT_WORDS = (3 + LAYOUT_MAX_RANK + 1) / 2 + 1 };

static MlirType plain_pointer(struct lowering *lw) {
  return mlirTypeParseGet(lw->session->context, ref("!llvm.ptr"));
}

/* --- Symbols ---------------------------------------------------------------------------------- */

static struct builder module_builder(struct lowering *lw) {
  MlirBlock top = op_body(lw->module, 0);
  return (struct builder){.context = lw->session->context,
                          .block = top,
                          .before = mlirBlockGetFirstOperation(top),
                          .location = lw->b.location};
}

static bool has_symbol(struct lowering *lw, const char *name) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(lw->module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (ref_equals(op_string(op, "sym_name"), name))
      return true;
  return false;
}

static MlirNamedAttribute linkage(struct lowering *lw, const char *attribute) {
  MlirContext context = lw->session->context;
  return attribute_named(context, "linkage", mlirAttributeParseGet(context, ref(attribute)));
}

static void declare(struct lowering *lw, const char *name, const char *type) {
  MlirContext context = lw->session->context;
  if (has_symbol(lw, name))
    return;
  struct builder b = module_builder(lw);
  BUILD_OP(&b, "llvm.func", REGIONS(mlirRegionCreate()),
           ATTRIBUTES(attribute_named(context, "sym_name", attribute_string(context, name)),
                      attribute_named(context, "function_type",
                                      mlirTypeAttrGet(mlirTypeParseGet(context, ref(type)))),
                      attribute_named(context, "CConv",
                                      mlirAttributeParseGet(context, ref("#llvm.cconv<ccc>"))),
                      linkage(lw, "#llvm.linkage<external>")));
}

/* A global with these bytes, under the next free name; its symbol. */
static MlirAttribute build_string(struct lowering *lw, MlirAttribute value, size_t length) {
  MlirContext context = lw->session->context;
  struct text name = {0}, type = {0};
  do {
    name.length = 0;
    text_printf(&name, "tile_string_%d", lw->next_string++);
  } while (has_symbol(lw, text_string(&name)));
  text_printf(&type, "!llvm.array<%zu x i8>", length);
  MlirType array = mlirTypeParseGet(context, ref(text_string(&type)));
  struct builder b = module_builder(lw);
  BUILD_OP(&b, "llvm.mlir.global", REGIONS(mlirRegionCreate()),
           ATTRIBUTES(
               attribute_named(context, "sym_name", attribute_string(context, text_string(&name))),
               attribute_named(context, "global_type", mlirTypeAttrGet(array)),
               linkage(lw, "#llvm.linkage<internal>"), attribute_named(context, "value", value),
               attribute_named(context, "constant", mlirUnitAttrGet(context)),
               attribute_named(context, "addr_space", attribute_integer(context, 32, 0))));
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(context, ref(text_string(&name)));
  text_free(&name);
  text_free(&type);
  return symbol;
}

/* The address of a global string with this text and a zero; one for equal texts. */
static MlirValue string_address(struct lowering *lw, const char *text, size_t length) {
  MlirContext context = lw->session->context;
  struct text bytes = {0};
  text_append(&bytes, text, length);
  text_append(&bytes, "", 1);
  MlirAttribute value = mlirStringAttrGet(context, mlirStringRefCreate(bytes.data, bytes.length));
  text_free(&bytes);
  MlirAttribute symbol = {map_get(&lw->constants, value.ptr)};
  if (mlirAttributeIsNull(symbol)) {
    symbol = build_string(lw, value, length + 1);
    map_set(&lw->constants, value.ptr, (void *)symbol.ptr);
  }
  return BUILD(&lw->b, "llvm.mlir.addressof", OUT(plain_pointer(lw)),
               ATTRIBUTES(attribute_named(context, "global_name", symbol)));
}

static void call(struct lowering *lw, const char *name, intptr_t count, const MlirValue *in,
                 intptr_t results, const MlirType *out) {
  MlirContext context = lw->session->context;
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "callee", mlirFlatSymbolRefAttrGet(context, ref(name))),
      attribute_named(context, "operandSegmentSizes",
                      attribute_dense_i32(context, 2, (int32_t[]){(int32_t)count, 0})),
      attribute_named(context, "op_bundle_sizes", mlirDenseI32ArrayGet(context, 0, NULL)),
  };
  build_op(&lw->b, &(struct op_spec){.name = "llvm.call",
                                     .in = in,
                                     .in_count = count,
                                     .out = out,
                                     .out_count = results,
                                     .attributes = attributes,
                                     .attribute_count = 3});
}

/* --- Under a condition ------------------------------------------------------------------------ */

/* From here to end_if only threads for which `condition` holds do what is built; null: all do. */
static struct builder begin_if(struct lowering *lw, MlirValue condition) {
  struct builder outside = lw->b;
  if (mlirValueIsNull(condition))
    return outside;
  MlirRegion then = region_with_block(&lw->b, 0, NULL);
  MlirBlock block = mlirRegionGetFirstBlock(then);
  BUILD_OP(&lw->b, "scf.if", IN(condition), REGIONS(then, mlirRegionCreate()));
  lw->b = builder_at_end(outside.context, block, outside.location);
  return outside;
}

static void end_if(struct lowering *lw, struct builder outside) {
  if (!mlirBlockEqual(lw->b.block, outside.block))
    BUILD_OP(&lw->b, "scf.yield", .in = NULL);
  lw->b = outside;
}

/* --- One line --------------------------------------------------------------------------------- */

/* The arguments of one call, as they are put together. */
struct line {
  struct lowering *lw;
  struct text format;
  unsigned bytes; /* of arguments so far */
};

static MlirValue argument_area(struct lowering *lw) {
  if (!mlirValueIsNull(lw->print_area))
    return lw->print_area;
  MlirContext context = lw->session->context;
  struct builder b = prologue_builder(lw);
  MlirAttribute words = mlirTypeAttrGet(integer_type(&b, 64));
  lw->print_area =
      BUILD(&b, "llvm.alloca", IN(build_integer(&b, 32, ARGUMENT_WORDS)), OUT(plain_pointer(lw)),
            ATTRIBUTES(attribute_named(context, "elem_type", words),
                       attribute_named(context, "alignment", attribute_integer(context, 64, 8))));
  return lw->print_area;
}

static void add_argument(struct line *line, MlirValue value, unsigned bytes) {
  struct lowering *lw = line->lw;
  MlirContext context = lw->session->context;
  line->bytes = (line->bytes + bytes - 1) / bytes * bytes;
  MlirValue address = BUILD(
      &lw->b, "llvm.getelementptr", IN(argument_area(lw)), OUT(plain_pointer(lw)),
      ATTRIBUTES(
          attribute_named(context, "elem_type", mlirTypeAttrGet(integer_type(&lw->b, 8))),
          attribute_named(context, "rawConstantIndices",
                          attribute_dense_i32(context, 1, (int32_t[]){(int32_t)line->bytes}))));
  BUILD_OP(
      &lw->b, "llvm.store", IN(value, address),
      ATTRIBUTES(attribute_named(context, "alignment", attribute_integer(context, 64, bytes))));
  line->bytes += bytes;
}

static void add_number(struct line *line, const char *conversion, MlirValue value, unsigned bytes) {
  text_puts(&line->format, conversion);
  add_argument(line, value, bytes);
}

/* "pid (%d, %d, %d)" */
static void add_program(struct line *line) {
  static const char *const conversions[] = {"pid (%d", ", %d", ", %d)"};
  struct lowering *lw = line->lw;
  for (int i = 0; i < 3; i++)
    add_number(line, conversions[i], lw->device->index(lw, INDEX_BLOCK, i), 4);
}

/* The digits of the last index of a dimension. */
static int index_width(int64_t size) {
  int width = 1;
  for (int64_t last = size - 1; last >= 10; last /= 10)
    width++;
  return width;
}

/* " idx (%3d, %2d)": where register r lies in the tile; of a scalar " idx ()". */
static void add_indices(struct line *line, const struct linear_layout *layout, int r) {
  struct lowering *lw = line->lw;
  text_puts(&line->format, " idx (");
  if (!layout) {
    text_puts(&line->format, ")");
    return;
  }
  struct layout_point at = {.at = {[LAYOUT_REGISTER] = (uint32_t)r}};
  struct layout_point own = linear_layout_apply(layout, &at);
  for (int dim = 0; dim < layout_space_rank(&layout->out); dim++) {
    MlirValue index = constant_integer(lw, 32, (int64_t)own.at[LAYOUT_DIM0 + dim]);
    MlirValue thread = thread_coordinate(lw, layout, dim);
    if (!mlirValueIsNull(thread))
      index = BUILD(&lw->b, "arith.xori", IN(thread, index), OUT(integer_type(&lw->b, 32)));
    struct text conversion = {0};
    text_printf(&conversion, "%s%%%dd", dim ? ", " : "",
                index_width(linear_layout_out_size(layout, LAYOUT_DIM0 + dim)));
    add_number(line, text_string(&conversion), index, 4);
    text_free(&conversion);
  }
  text_puts(&line->format, ")");
}

static void add_prefix(struct line *line, MlirStringRef prefix) {
  for (size_t i = 0; i < prefix.length; i++) {
    text_append(&line->format, &prefix.data[i], 1);
    if (prefix.data[i] == '%')
      text_puts(&line->format, "%");
  }
}

static MlirValue convert(struct lowering *lw, const char *operation, MlirValue value,
                         MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : BUILD(&lw->b, operation, IN(value), OUT(type));
}

/* Integers of `width` bits, and what is printed as one. */
enum number_form { SIGNED, UNSIGNED, HEX };
static void add_integer(struct line *line, MlirValue value, unsigned width, enum number_form form) {
  struct lowering *lw = line->lw;
  bool wide = width == 64;
  struct text conversion = {0};
  if (form == HEX)
    text_printf(&conversion, "0x%%0%u%s", width < 8 ? 1 : width / 4, wide ? "llx" : "x");
  else
    text_printf(&conversion, "%%%s%s", wide ? "ll" : "", form == UNSIGNED ? "u" : "d");
  value = convert(lw, form != SIGNED || width == 1 ? "arith.extui" : "arith.extsi", value,
                  integer_type(&lw->b, wide ? 64 : 32));
  add_number(line, text_string(&conversion), value, wide ? 8 : 4);
  text_free(&conversion);
}

static void add_value(struct line *line, const struct lowered *registers, int r,
                      enum number_form form) {
  struct lowering *lw = line->lw;
  MlirValue value = register_value(lw, registers, r);
  if (registers->pointer) {
    MlirType word = integer_type(&lw->b, 64);
    add_integer(line, BUILD(&lw->b, "llvm.ptrtoint", IN(value), OUT(word)), 64, HEX);
  } else if (registers->width) {
    add_integer(line, value, registers->width, form);
  } else if (mlirTypeIsAIndex(registers->type)) {
    MlirType word = integer_type(&lw->b, 64);
    add_integer(line, BUILD(&lw->b, "arith.index_cast", IN(value), OUT(word)), 64, form);
  } else if (form == HEX) {
    unsigned width = type_bits(&lw->session->types, registers->type);
    MlirType word = integer_type(&lw->b, width);
    add_integer(line, BUILD(&lw->b, "arith.bitcast", IN(value), OUT(word)), width, HEX);
  } else {
    MlirType f64 = mlirF64TypeGet(lw->session->context);
    add_number(line, "%f", convert(lw, "arith.extf", value, f64), 8);
  }
}

static void end_line(struct line *line) {
  struct lowering *lw = line->lw;
  text_puts(&line->format, "\n");
  MlirType i32 = integer_type(&lw->b, 32);
  declare(lw, "vprintf", "!llvm.func<i32 (ptr, ptr)>");
  call(lw, "vprintf", 2,
       (MlirValue[]){string_address(lw, text_string(&line->format), line->format.length),
                     argument_area(lw)},
       1, &i32);
  text_free(&line->format);
}

/* --- The operations --------------------------------------------------------------------------- */

/* An operand's elements, each by one of its holders; a scalar by every thread. */
static void print_operand(struct lowering *lw, MlirOperation op, intptr_t position) {
  MlirValue operand = op_operand(op, position);
  int64_t first = op_integer(op, "first_operand", -1);
  const struct linear_layout *layout = layout_of_pointer(lw, operand);
  const struct lowered *registers = lowered_of(lw, operand);
  bool hex = mlirBoolAttrGetValue(mlirOperationGetAttributeByName(op, ref("hex")));
  bool is_unsigned = op_integer(op, "unsigned_operands", 0) >> position & 1;
  enum number_form form = hex ? HEX : is_unsigned ? UNSIGNED : SIGNED;
  int copies = layout ? (int)linear_layout_free_masks(layout).at[LAYOUT_REGISTER] : 0;
  struct builder outside = begin_if(lw, layout ? storing_thread(lw, layout) : (MlirValue){0});
  for (int r = 0; r < registers->count; r++) {
    if (r & copies)
      continue;
    struct line line = {.lw = lw};
    add_program(&line);
    add_indices(&line, layout, r);
    add_prefix(&line, op_string(op, "prefix"));
    if (first >= 0)
      text_printf(&line.format, "(operand %lld) ", (long long)(first + position));
    add_value(&line, registers, r, form);
    end_line(&line);
  }
  end_if(lw, outside);
}

MlirLogicalResult lower_print(struct lowering *lw, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    if (type_is_fp8(type_element(op_operand_type(op, i))))
      return fail_op(op,
                     "there is no printed form of fp8; convert the tile to f32 with arith.extf");
    print_operand(lw, op, i);
  }
  if (mlirOperationGetNumOperands(op) == 0) {
    struct line line = {.lw = lw};
    add_program(&line);
    add_prefix(&line, op_string(op, "prefix"));
    end_line(&line);
  }
  return SUCCESS;
}

/* i1: some element that this thread is in charge of fails. */
static MlirValue any_failure(struct lowering *lw, MlirOperation op) {
  const struct lowered *condition = lowered_of(lw, op_operand(op, 0));
  const struct lowered *mask =
      mlirOperationGetNumOperands(op) > 1 ? lowered_of(lw, op_operand(op, 1)) : NULL;
  MlirType i1 = integer_type(&lw->b, 1);
  MlirValue any = {0};
  for (int r = 0; r < condition->count; r++) {
    MlirValue failed =
        BUILD(&lw->b, "arith.xori",
              IN(register_value(lw, condition, r), constant_integer(lw, 1, 1)), OUT(i1));
    if (mask)
      failed = conjunction(lw, failed, register_value(lw, mask, r));
    any = mlirValueIsNull(any) ? failed : BUILD(&lw->b, "arith.ori", IN(any, failed), OUT(i1));
  }
  return conjunction(lw, any, storing_thread(lw, layout_of_pointer(lw, op_operand(op, 0))));
}

static MlirValue attribute_address(struct lowering *lw, MlirOperation op, const char *name) {
  MlirStringRef text = op_string(op, name);
  return string_address(lw, text.data, text.length);
}

/* The device prints file, line, function, block and thread beside the message, and ends the launch.
 */
MlirLogicalResult lower_assert(struct lowering *lw, MlirOperation op) {
  struct builder outside = begin_if(lw, any_failure(lw, op));
  declare(lw, "__assertfail", "!llvm.func<void (ptr, ptr, i32, ptr, i64)>");
  call(lw, "__assertfail", 5,
       (MlirValue[]){attribute_address(lw, op, "message"), attribute_address(lw, op, "file"),
                     constant_integer(lw, 32, op_integer(op, "line", 0)),
                     attribute_address(lw, op, "function"), constant_integer(lw, 64, 1)},
       0, NULL);
  end_if(lw, outside);
  return SUCCESS;
}
