/* SPDX-License-Identifier: MIT */
/* See program.h. */
#include "emulator/program.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "emulator/launch.h"
#include "emulator/object.h"

struct tile_emulator_program {
  atomic_size_t references;
  struct emulator_code code;                /* owned */
  struct emulator_compiled_kernel *kernels; /* owned */
  size_t count;
};

tile_emulator_program *emulator_program_make(const struct emulator_code *code) {
  tile_emulator_program *program = tile_allocate(sizeof *program);
  *program = (tile_emulator_program){.code = *code};
  atomic_init(&program->references, 1);
  return program;
}

static char *copy_name(const char *name) {
  size_t length = strlen(name) + 1;
  return memcpy(tile_allocate(length), name, length);
}

static void free_kernel(const struct emulator_compiled_kernel *kernel) {
  free((char *)kernel->info.name);
  free((char *)kernel->info.symbol);
}

tile_status emulator_program_add(tile_emulator_program *program,
                                 const struct emulator_kernel *kernel) {
  struct emulator_compiled_kernel added = {.info = *kernel};
  struct text symbol = {0};
  void *address = NULL;
  if (!added.info.machine)
    added.info.machine = machine_default();
  added.info.name = copy_name(kernel->name);
  added.info.symbol = copy_name(kernel->symbol ? kernel->symbol : kernel->name);
  text_printf(&symbol, EMULATOR_SYMBOL, added.info.symbol);
  tile_status status = program->code.find(program->code.state, text_string(&symbol), &address);
  text_free(&symbol);
  if (status) {
    free_kernel(&added);
    return status;
  }
  added.entry = (emulator_entry *)(uintptr_t)address;
  program->kernels =
      tile_reallocate(program->kernels, (program->count + 1) * sizeof *program->kernels);
  program->kernels[program->count++] = added;
  return NULL;
}

/* --- Objects ---------------------------------------------------------------------------------- */

static tile_status find_in_object(void *state, const char *name, void **out) {
  *out = object_find(state, name);
  return *out ? NULL : FAIL(TILE_BAD_IMAGE, "the emulator's object has no function '%s'", name);
}

static void destroy_object(void *state) {
  object_destroy(state);
}

tile_status emulator_program_load(const void *bytes, size_t size, tile_emulator_program **out) {
  struct object *object;
  TRY(object_load(bytes, size, &object));
  *out = emulator_program_make(
      &(struct emulator_code){.state = object, .find = find_in_object, .destroy = destroy_object});
  return NULL;
}

const struct machine *emulator_program_machine(const tile_emulator_program *program) {
  const struct machine *found = machine_default();
  struct text symbol = {0};
  for (size_t i = 0; i < machine_count; i++) {
    text_printf(&symbol, EMULATOR_TARGET, machines[i].name);
    if (object_find(program->code.state, text_string(&symbol)))
      found = &machines[i];
    symbol.length = 0;
  }
  text_free(&symbol);
  return found;
}

/* --- Owners and kernels ----------------------------------------------------------------------- */

tile_emulator_program *emulator_program_retain(tile_emulator_program *program) {
  atomic_fetch_add_explicit(&program->references, 1, memory_order_relaxed);
  return program;
}

void tile_emulator_program_destroy(tile_emulator_program *program) {
  if (!program || atomic_fetch_sub_explicit(&program->references, 1, memory_order_acq_rel) != 1)
    return;
  program->code.destroy(program->code.state);
  for (size_t i = 0; i < program->count; i++)
    free_kernel(&program->kernels[i]);
  free(program->kernels);
  free(program);
}

const struct emulator_compiled_kernel *emulator_program_find(const tile_emulator_program *program,
                                                             const char *name) {
  for (size_t i = 0; i < program->count; i++)
    if (strcmp(program->kernels[i].info.name, name) == 0)
      return &program->kernels[i];
  for (size_t i = 0; i < program->count; i++)
    if (strcmp(program->kernels[i].info.symbol, name) == 0)
      return &program->kernels[i];
  return NULL;
}

size_t tile_emulator_program_kernel_count(const tile_emulator_program *program) {
  return program->count;
}

const char *tile_emulator_program_kernel_name(const tile_emulator_program *program, size_t index) {
  return index < program->count ? program->kernels[index].info.name : NULL;
}
