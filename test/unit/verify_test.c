/* SPDX-License-Identifier: MIT */
/* What becomes of IR that a pass has broken: the verifier before the lowering says so, in every
   build, and so does the lowering of a product itself. */
#include <stdlib.h>
#include "check.h"
#include "ir/build.h"
#include "ir/passes.h"

static const char text[] =
    "#acc = #tile_gpu.blocked<{size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta "
    "= [1, 1], order = [1, 0]}>\n"
    "#mma = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>\n"
    "module attributes {tile_gpu.num_warps = 1 : i32} {\n"
    "  func.func @k() attributes {tile.kernel} {\n"
    "    %a = arith.constant dense<1.0> : tensor<16x16xf32, #acc>\n"
    "    %c = arith.constant dense<0.0> : tensor<16x16xf32, #acc>\n"
    "    %d = \"tile.dot\"(%a, %a, %c) {precision = \"ieee\", tile_gpu.shared_offset = 0 : i32}"
    " : (tensor<16x16xf32, #acc>, tensor<16x16xf32, #acc>, tensor<16x16xf32, #acc>) -> "
    "tensor<16x16xf32, #acc>\n"
    "    %e = arith.addf %d, %d : tensor<16x16xf32, #acc>\n"
    "    return\n"
    "  }\n"
    "}\n";

static struct session session;
static char said[4096];

static void remember(const struct diagnostic *diagnostic, void *data) {
  (void)data;
  size_t length = strlen(said);
  snprintf(said + length, sizeof said - length, "%u: %s\n", diagnostic->line, diagnostic->message);
}

static MlirModule parse(void) {
  said[0] = 0;
  session.diagnostics.handler = remember;
  return session_parse(&session, "k.mlir", text, strlen(text));
}

static MlirOperation find(MlirModule module, const char *name) {
  MlirOperation kernel = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirOperation op = mlirBlockGetFirstOperation(op_body(kernel, 0));
  while (!ref_equals(op_name(op), name))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/* As a pass would that looks at a product's neighbour: its sums as tensor cores have them, its
   operands as before. */
static void break_layout(MlirModule module) {
  MlirOperation dot = find(module, "tile.dot");
  struct mma_layout mma = {
      .version = 2, .rank = 2, .warps_per_cta = {1, 1}, .instr_shape = {16, 8}};
  MlirType type = type_with_layout(op_result_type(dot, 0), mma_attribute(&session.layouts, &mma));
  struct builder b = builder_before(dot);
  MlirAttribute zero = mlirFloatAttrDoubleGet(session.context, type_element(type), 0);
  mlirOperationSetOperand(dot, 2,
                          build_constant(&b, mlirDenseElementsAttrSplatGet(type, zero), type));
  mlirValueSetType(op_result(dot, 0), type);
  mlirValueSetType(op_result(find(module, "arith.addf"), 0), type);
}

static bool runs(pass_body *body, MlirModule module) {
  struct pass_context context = {.session = &session};
  return !FAILED(body(&context, mlirModuleGetOperation(module)));
}

static void sound_modules_pass(void) {
  MlirModule module = parse();
  CHECK(runs(run_verify_before_lowering, module));
  CHECK_TEXT(said, "");
  mlirModuleDestroy(module);
}

static void broken_layouts_are_errors(void) {
  MlirModule module = parse();
  break_layout(module);
  CHECK(!runs(run_verify_before_lowering, module));
  CHECK(strstr(said, "7: tile.dot: operand 0 has the layout #tile_gpu.dot_operand with index = 0"));
  CHECK(strstr(said, "3: tile-verify-before-lowering: the compiler's own passes have made what is "
                     "reported above"));
  mlirModuleDestroy(module);
}

static void the_order_of_values_is_checked(void) {
  MlirModule module = parse();
  mlirOperationMoveBefore(find(module, "arith.addf"), find(module, "tile.dot"));
  CHECK(!runs(run_verify_before_lowering, module));
  CHECK(strstr(said, "does not dominate this use"));
  mlirModuleDestroy(module);
}

/* Without the verifier before it. */
static void products_that_do_not_fit_are_not_lowered(void) {
  MlirModule module = parse();
  break_layout(module);
  CHECK(!runs(run_convert_tile_gpu_to_nvvm, module));
  CHECK(strstr(said, "7: tile.dot: operand 0 has the layout #tile_gpu.dot_operand with index = 0"));
  mlirModuleDestroy(module);
}

int main(int argc, char **argv) {
  tile_status status = session_create(&session);
  if (status) {
    printf("%s\n", tile_status_message(status));
    return 1;
  }
  int code = RUN_TESTS(
      argc, argv, {"sound modules pass", sound_modules_pass},
      {"broken layouts are errors", broken_layouts_are_errors},
      {"the order of values is checked", the_order_of_values_is_checked},
      {"products that do not fit are not lowered", products_that_do_not_fit_are_not_lowered});
  session_destroy(&session);
  return code;
}
