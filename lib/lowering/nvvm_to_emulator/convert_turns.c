/* SPDX-License-Identifier: MIT */
/* Turns of loops are told to the emulator, so that it can end a loop that has no end:

     llvm.br ^loop          ->  llvm.call @tile_emu_turn(%thread, @"k.py:7:9")
                                llvm.br ^loop

   In whatever order blocks stand, each loop has a branch to its own block or to one before it; the
   call stands before those. */
#include "lowering/nvvm_to_emulator/convert_to_emulator.h"

/* Numbers a function's blocks from 1 in their order. */
static void number_blocks(MlirBlock first, struct map *out) {
  uintptr_t number = 0;
  for (MlirBlock at = first; !mlirBlockIsNull(at); at = mlirBlockGetNextInRegion(at))
    map_set(out, at.ptr, (void *)++number);
}

static bool goes_back(const struct map *numbers, MlirBlock block, MlirOperation branch) {
  uintptr_t own = (uintptr_t)map_get(numbers, block.ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(branch); i++)
    if ((uintptr_t)map_get(numbers, mlirOperationGetSuccessor(branch, i).ptr) <= own)
      return true;
  return false;
}

void convert_turns(struct conversion *c) {
  struct map numbers = {0};
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(c->function, 0));
  number_blocks(block, &numbers);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation branch = mlirBlockGetTerminator(block);
    if (!goes_back(&numbers, block, branch))
      continue;
    struct builder b = builder_before(branch);
    MlirValue in[] = {c->thread, conversion_location(c, &b)};
    conversion_call(c, &b, "tile_emu_turn", 2, in, (MlirType){0});
  }
  map_free(&numbers);
}
