/* SPDX-License-Identifier: MIT */
/* For the emulator's tests: programs from LLVM IR text in host form, and shorthands to launch them.

   A kernel text is KERNEL("body"): the body of `void k(ptr %t, ptr %args)`, after a prelude that
   declares the device functions and defines

       ptr  @arg(ptr args, i32 i)                                   the pointer in argument i
       i32  @get(ptr t, ptr base, i32 index, i32 pred, ptr location)         checked load
       void @put(ptr t, ptr base, i32 index, i32 value, i32 pred, ptr location)  checked store

   and the locations @l1 .. @l4: "k.py:1:1" and so on. */
#ifndef TILE_TEST_EMULATOR_FIXTURE_H
#define TILE_TEST_EMULATOR_FIXTURE_H

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include "check.h"
#include "emulator/compile/compile.h"

#define PRELUDE                                                                                    \
  "declare i32 @tile_emu_thread_index(ptr)\n"                                                      \
  "declare i32 @tile_emu_block_index(ptr, i32)\n"                                                  \
  "declare i32 @tile_emu_block_count(ptr, i32)\n"                                                  \
  "declare ptr @tile_emu_global(ptr, ptr, i32, i32, i32, i32, ptr)\n"                              \
  "declare ptr @tile_emu_shared(ptr)\n"                                                            \
  "declare ptr @tile_emu_shared_access(ptr, ptr, i32, i32, i32, i32, ptr)\n"                       \
  "declare i32 @tile_emu_shuffle(ptr, i32, i32, i32, i32, i32, ptr)\n"                             \
  "declare i32 @tile_emu_redux(ptr, i32, i32, i32, ptr)\n"                                         \
  "declare void @tile_emu_barrier(ptr, ptr)\n"                                                     \
  "declare void @tile_emu_warp_barrier(ptr, ptr)\n"                                                \
  "declare void @tile_emu_trap(ptr, ptr, ptr)\n"                                                   \
  "@l1 = private constant [9 x i8] c\"k.py:1:1\\00\"\n"                                            \
  "@l2 = private constant [9 x i8] c\"k.py:2:1\\00\"\n"                                            \
  "@l3 = private constant [9 x i8] c\"k.py:3:1\\00\"\n"                                            \
  "@l4 = private constant [9 x i8] c\"k.py:4:1\\00\"\n"                                            \
  "define private ptr @arg(ptr %args, i32 %i) {\n"                                                 \
  "  %slot = getelementptr ptr, ptr %args, i32 %i\n"                                               \
  "  %value = load ptr, ptr %slot\n"                                                               \
  "  %arg = load ptr, ptr %value\n"                                                                \
  "  ret ptr %arg\n"                                                                               \
  "}\n"                                                                                            \
  "define private i32 @get(ptr %t, ptr %base, i32 %i, i32 %pred, ptr %l) {\n"                      \
  "  %p = getelementptr i32, ptr %base, i32 %i\n"                                                  \
  "  %s = call ptr @tile_emu_global(ptr %t, ptr %p, i32 4, i32 4, i32 0, i32 %pred, ptr %l)\n"     \
  "  %v = load i32, ptr %s\n"                                                                      \
  "  ret i32 %v\n"                                                                                 \
  "}\n"                                                                                            \
  "define private void @put(ptr %t, ptr %base, i32 %i, i32 %v, i32 %pred, ptr %l) {\n"             \
  "  %p = getelementptr i32, ptr %base, i32 %i\n"                                                  \
  "  %s = call ptr @tile_emu_global(ptr %t, ptr %p, i32 4, i32 4, i32 1, i32 %pred, ptr %l)\n"     \
  "  store i32 %v, ptr %s\n"                                                                       \
  "  ret void\n"                                                                                   \
  "}\n"

#define KERNEL(body)                                                                               \
  PRELUDE "define void @k(ptr %t, ptr %args) {\n"                                                  \
          "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"                                     \
          "  %bid = call i32 @tile_emu_block_index(ptr %t, i32 0)\n" body "  ret void\n"           \
          "}\n"

/* Compiles `text`, whose one kernel is `row`. */
static inline tile_status try_kernel(const char *text, const struct emulator_kernel *row,
                                     tile_emulator_program **out) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "kernel.ll");
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMParseIRInContext(context, buffer, &module, &message)) {
    printf("%s\n%s\n", text, message);
    exit(2);
  }
  *out = NULL;
  return emulator_program_create(module, context, row, 1, out);
}

/* The kernel is `k`. */
static inline tile_status try_program(const char *text, size_t argument_count, uint32_t threads,
                                      tile_emulator_program **out) {
  struct emulator_kernel row = {.name = "k", .argument_count = argument_count, .threads = threads};
  return try_kernel(text, &row, out);
}

static inline tile_emulator_program *make_program(const char *text, size_t argument_count) {
  tile_emulator_program *program;
  tile_status status = try_program(text, argument_count, 0, &program);
  if (status) {
    printf("%s\n", tile_status_message(status));
    exit(2);
  }
  return program;
}

/* Checks the code of a status and, unless `words` is NULL, that its message contains them; frees
   it. */
static inline void check_status(const char *file, int line, tile_status status, tile_code code,
                                const char *words) {
  const char *message = tile_status_message(status);
  if (tile_status_code(status) != code || (words && !strstr(message, words))) {
    check_failures_++;
    printf("%s:%d: %s: '%s'; expected %s: '%s'\n", file, line,
           tile_code_name(tile_status_code(status)), message, tile_code_name(code),
           words ? words : "");
  }
  tile_status_free(status);
}
#define CHECK_STATUS(status, code, words)                                                          \
  check_status(__FILE__, __LINE__, (status), (code), (words))

/* Checks that a launch has ended with hazards, one of them of this kind, at @l`line`, with these
   words in its text; else prints all. Frees both. */
static inline void check_found(tile_status status, tile_emulator_report *report,
                               tile_emulator_hazard_kind kind, char line, const char *words) {
  bool found = false;
  CHECK_EQUAL(tile_status_code(status), TILE_HAZARD);
  for (size_t i = 0; i < tile_emulator_report_count(report); i++) {
    const tile_emulator_hazard *hazard = tile_emulator_report_hazard(report, i);
    found |= hazard->kind == kind && hazard->site.location[5] == line &&
             strstr(hazard->text, words) != NULL;
  }
  if (!found)
    for (size_t i = 0; i < tile_emulator_report_count(report); i++)
      printf("  %s\n", tile_emulator_report_hazard(report, i)->text);
  CHECK(found);
  tile_emulator_report_free(report);
  tile_status_free(status);
}

/* Launches kernel `k` with one argument, an array of `count` integers called "data". */
static inline tile_status launch_on(tile_emulator_program *program, int *data, size_t count,
                                    tile_emulator_launch_options options,
                                    tile_emulator_report **out_report) {
  tile_emulator_buffer buffer = {.name = "data", .base = data, .bytes = count * sizeof *data};
  void *arguments[] = {&data};
  options.buffers = &buffer;
  options.buffer_count = 1;
  options.arguments = arguments;
  options.argument_count = 1;
  for (int axis = 0; axis < 3; axis++)
    options.grid[axis] = options.grid[axis] ? options.grid[axis] : 1;
  return tile_emulator_launch(program, "k", &options, out_report);
}

#define OPTIONS(...) ((tile_emulator_launch_options){__VA_ARGS__})

/* For tests of one hazard: compiles and launches `text`, and returns the only hazard that must be
   found, or NULL. Owned by *out_report. */
static inline const tile_emulator_hazard *run_for_hazard(const char *text, int *data, size_t count,
                                                         tile_emulator_launch_options options,
                                                         tile_emulator_report **out_report) {
  tile_emulator_program *program = make_program(text, 1);
  tile_status status = launch_on(program, data, count, options, out_report);
  tile_emulator_program_destroy(program);
  CHECK_EQUAL(tile_status_code(status), TILE_HAZARD);
  CHECK_EQUAL(tile_emulator_report_count(*out_report), 1);
  tile_status_free(status);
  return tile_emulator_report_hazard(*out_report, 0);
}

/* For tests of no hazard. */
static inline void run_clean(const char *text, int *data, size_t count,
                             tile_emulator_launch_options options) {
  tile_emulator_program *program = make_program(text, 1);
  CHECK_STATUS(launch_on(program, data, count, options, NULL), TILE_OK, NULL);
  tile_emulator_program_destroy(program);
}

#endif
