/* Transcendental functions through PTX's approximations, in f32; f16 and bf16 pass through f32.

     exp(x)  = ex2.approx(x * log2(e))       log(x)   = lg2.approx(x) * ln(2)
     exp2(x) = ex2.approx(x)                 log2(x)  = lg2.approx(x)
     rsqrt(x) = rsqrt.approx(x)

   Errors: 2 ulp for ex2 plus the rounding of the product (relative 2^-22 * |x| for exp), absolute
   2^-22 for lg2, relative 2^-22.9 for rsqrt (PTX ISA, floating-point instructions). */
#include "lowering/tile_gpu_to_nvvm/lowering.h"

static MlirValue constant_f32(struct lowering *lw, double value) {
  MlirType f32 = mlirF32TypeGet(lw->session->context);
  return constant_attribute(lw, mlirFloatAttrDoubleGet(lw->session->context, f32, value), f32);
}

/* `name`(x * before) * after in f32, converted from and to the operation's type. */
static MlirValue approximate(struct lowering *lw, MlirOperation op, MlirValue x, const char *name,
                             double before, double after) {
  MlirType type = register_type(lw, op_result_type(op, 0));
  MlirType f32 = mlirF32TypeGet(lw->session->context);
  if (mlirTypeIsAF64(type)) {
    fail_op(op, "f64 has no fast form; convert to f32 first");
    return (MlirValue){0};
  }
  bool narrow = !mlirTypeIsAF32(type);
  if (narrow)
    x = BUILD(&lw->b, "arith.extf", IN(x), OUT(f32));
  if (before != 1.0)
    x = BUILD(&lw->b, "arith.mulf", IN(x, constant_f32(lw, before)), OUT(f32));
  x = BUILD(&lw->b, name, IN(x), OUT(f32));
  if (after != 1.0)
    x = BUILD(&lw->b, "arith.mulf", IN(x, constant_f32(lw, after)), OUT(f32));
  return narrow ? BUILD(&lw->b, "arith.truncf", IN(x), OUT(type)) : x;
}

#define LOG2_E 1.4426950408889634
#define LN_2 0.6931471805599453

#define MATH_RULE(function, instruction, before, after)                                            \
  static MlirValue emit_##function(struct lowering *lw, MlirOperation op,                          \
                                   const MlirValue *operands) {                                    \
    return approximate(lw, op, operands[0], instruction, before, after);                           \
  }                                                                                                \
  MlirLogicalResult lower_##function(struct lowering *lw, MlirOperation op) {                      \
    return lower_each(lw, op, emit_##function);                                                    \
  }

MATH_RULE(exp, "tile_ptx.ex2_approx", LOG2_E, 1.0)
MATH_RULE(exp2, "tile_ptx.ex2_approx", 1.0, 1.0)
MATH_RULE(log, "tile_ptx.lg2_approx", 1.0, LN_2)
MATH_RULE(log2, "tile_ptx.lg2_approx", 1.0, 1.0)
MATH_RULE(rsqrt, "tile_ptx.rsqrt_approx", 1.0, 1.0)
