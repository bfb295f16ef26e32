/* SPDX-License-Identifier: MIT */
/* Dialect loading: upstream's by handle, ours from the embedded IRDL text. */
#include "ir/dialects.h"

#include <mlir-c/Dialect/Arith.h>
#include <mlir-c/Dialect/ControlFlow.h>
#include <mlir-c/Dialect/Func.h>
#include <mlir-c/Dialect/GPU.h>
#include <mlir-c/Dialect/IRDL.h>
#include <mlir-c/Dialect/LLVM.h>
#include <mlir-c/Dialect/Math.h>
#include <mlir-c/Dialect/MemRef.h>
#include <mlir-c/Dialect/NVVM.h>
#include <mlir-c/Dialect/SCF.h>
#include <mlir-c/Dialect/UB.h>
#include "base/status.h"
#include "ir/mlir.h"

/* One section of the three files, in order, so that one parse loads them. */
__asm__(".pushsection .rodata\n"
        ".global dialects_irdl_begin\n"
        ".global dialects_irdl_end\n"
        ".hidden dialects_irdl_begin\n"
        ".hidden dialects_irdl_end\n"
        "dialects_irdl_begin:\n"
        ".incbin \"" TILE_SOURCE_DIRECTORY "/dialects/tile/tile.irdl.mlir\"\n"
        ".incbin \"" TILE_SOURCE_DIRECTORY "/dialects/tile_gpu/tile_gpu.irdl.mlir\"\n"
        ".incbin \"" TILE_SOURCE_DIRECTORY "/dialects/tile_ptx/tile_ptx.irdl.mlir\"\n"
        "dialects_irdl_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern const char dialects_irdl_begin[], dialects_irdl_end[];

MlirStringRef dialects_irdl(void) {
  return mlirStringRefCreate(dialects_irdl_begin,
                             (size_t)(dialects_irdl_end - dialects_irdl_begin));
}

void dialects_register_upstream(MlirDialectRegistry registry) {
  MlirDialectHandle handles[] = {
      mlirGetDialectHandle__func__(), mlirGetDialectHandle__arith__(),
      mlirGetDialectHandle__math__(), mlirGetDialectHandle__scf__(),
      mlirGetDialectHandle__cf__(),   mlirGetDialectHandle__llvm__(),
      mlirGetDialectHandle__nvvm__(), mlirGetDialectHandle__gpu__(),
      mlirGetDialectHandle__irdl__(), mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__ub__(),
  };
  for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
    mlirDialectHandleInsertDialect(handles[i], registry);
}

tile_status dialects_load(MlirContext context) {
  mlirContextLoadAllAvailableDialects(context);
  MlirModule module = mlirModuleCreateParse(context, dialects_irdl());
  if (mlirModuleIsNull(module))
    return FAIL(TILE_INTERNAL, "the embedded IRDL does not parse");
  MlirLogicalResult loaded = mlirLoadIRDLDialects(module);
  mlirModuleDestroy(module);
  return FAILED(loaded) ? FAIL(TILE_INTERNAL, "the embedded IRDL does not load") : NULL;
}
