/* SPDX-License-Identifier: MIT */
/* print and assert, by what the device has for them (device_ops.h).

   One line an element, and one of the threads that hold it prints it:

     pid (1, 0, 0) idx (3, 17) x: 0.500000

   An index is as wide as its dimension's last one. A scalar has no indices, `idx ()`, and text
   alone not even that; both are the program's, and every thread prints them, as Triton's kernels
   do. The prefix follows as it is, then `(operand 2) ` where the operation numbers its operands.
   The program's ids come first among the arguments, then the indices, then the value. */
#include "lowering/tile_gpu_to_llvm/device_ops.h"

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

/* One call, as it is put together. */
struct line {
  struct lowering *lw;
  struct text format;
  int64_t end; /* of its arguments */
};

static void add_number(struct line *line, const char *conversion, MlirValue value) {
  text_puts(&line->format, conversion);
  line->lw->device->print_argument(line->lw, value, &line->end);
}

/* "pid (%d, %d, %d)" */
static void add_program(struct line *line) {
  static const char *const conversions[] = {"pid (%d", ", %d", ", %d)"};
  struct lowering *lw = line->lw;
  for (int i = 0; i < 3; i++)
    add_number(line, conversions[i], program_index(lw, i));
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
    add_number(line, text_string(&conversion), index);
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
  add_number(line, text_string(&conversion), value);
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
    add_number(line, "%f", convert(lw, "arith.extf", value, f64));
  }
}

static void end_line(struct line *line) {
  text_puts(&line->format, "\n");
  line->lw->device->print(line->lw, &line->format);
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

MlirLogicalResult lower_assert(struct lowering *lw, MlirOperation op) {
  struct builder outside = begin_if(lw, any_failure(lw, op));
  lw->device->fail(lw, op_string(op, "message"), op_string(op, "file"), op_integer(op, "line", 0),
                   op_string(op, "function"));
  end_if(lw, outside);
  return SUCCESS;
}
