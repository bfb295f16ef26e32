/* SPDX-License-Identifier: MIT */
/* How many blocks there is room for on a multiprocessor, said to ptxas (PTX ISA, .minnctapersm).

   ptxas does not know what shared memory a launch takes. It saves registers for blocks that have no
   room there, at the cost of a loop in which copies read their addresses late and the next
   addresses wait for the same few registers: 128 x 32 x 32 with 64 registers in place of 72, where
   four blocks of 128 threads may have 128.

   It is said only where it takes nothing away: where so many blocks leave each thread all registers
   that it can have, or as many as the kernel does with (tile_gpu.registers, of a kernel with one
   dot by warp groups). */
#include "target/target.h"

static int64_t threads_of(MlirOperation kernel) {
  MlirAttribute threads = attribute_get(kernel, ATTR_NVVM_THREADS);
  bool known = !mlirAttributeIsNull(threads) && mlirDenseArrayGetNumElements(threads) == 1;
  return known ? mlirDenseI32ArrayGetElement(threads, 0) : 0;
}

struct saying {
  struct session *session;
  const struct machine *target;
};

static MlirLogicalResult say_blocks(MlirOperation op, void *data) {
  const struct saying *saying = data;
  const struct machine *target = saying->target;
  int64_t threads = op_is(saying->session, op, OP_LLVM_FUNC) ? threads_of(op) : 0;
  int64_t bytes = attribute_number(op, ATTR_SHARED_BYTES, 0),
          needed = attribute_number(op, ATTR_REGISTERS, 0);
  if (!threads || !bytes || attribute_has(op, ATTR_NVVM_MAXNREG) ||
      attribute_has(op, ATTR_NVVM_MIN_BLOCKS))
    return SUCCESS;
  int64_t blocks =
      machine_blocks(target, (struct machine_block){.threads = threads, .shared_bytes = bytes});
  int64_t registers = blocks ? machine_registers_for(target, blocks * threads) : 0;
  if (registers >= target->thread_registers || (needed && registers >= needed))
    attribute_set_integer(op, ATTR_NVVM_MIN_BLOCKS, blocks);
  return SUCCESS;
}

void say_blocks_of_kernels(struct session *session, MlirModule module,
                           const struct machine *target) {
  struct saying saying = {session, target};
  visit_operations(mlirModuleGetOperation(module), say_blocks, &saying);
}
