/* For the emulator's tests: programs from LLVM IR text, and shorthands to launch them. */
#ifndef TILE_TEST_EMULATOR_FIXTURE_H
#define TILE_TEST_EMULATOR_FIXTURE_H

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include "check.h"
#include "emulator/program.h"

/* Compiles `text` with one kernel. */
static inline tile_status try_program(const char *text, const char *kernel, size_t argument_count,
                                      tile_emulator_program **out) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "kernel.ll");
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMParseIRInContext(context, buffer, &module, &message)) {
    printf("%s\n", message);
    exit(2);
  }
  struct emulator_kernel row = {.name = kernel, .argument_count = argument_count};
  *out = NULL;
  return emulator_program_create(module, context, &row, 1, out);
}

static inline tile_emulator_program *make_program(const char *text, const char *kernel,
                                                  size_t argument_count) {
  tile_emulator_program *program;
  tile_status status = try_program(text, kernel, argument_count, &program);
  if (status) {
    printf("%s\n", tile_status_message(status));
    exit(2);
  }
  return program;
}

/* Checks the code of a status and frees it. */
#define CHECK_STATUS(expression, code)                                                             \
  do {                                                                                             \
    tile_status status_ = (expression);                                                            \
    CHECK_EQUAL(tile_status_code(status_), code);                                                  \
    if (status_ && tile_status_code(status_) != (code))                                            \
      printf("  %s\n", tile_status_message(status_));                                              \
    tile_status_free(status_);                                                                     \
  } while (0)

#endif
