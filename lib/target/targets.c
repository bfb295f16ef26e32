/* SPDX-License-Identifier: MIT */
/* Targets by their names, and what a module needs beyond its target. */
#include <string.h>
#include "base/status.h"
#include "target/target.h"

/* Instructions that came with PTX ISA 8.4, known by two words of their text. */
static const struct {
  const char *instruction, *types;
} with_ptx84[] = {
    {"mma.sync", ".e4m3"}, {"mma.sync", ".e5m2"}, {"wgmma", ".s8.u8 "}, {"wgmma", ".u8.s8 "}};

struct later {
  struct session *session;
  bool found;
};

static MlirLogicalResult find_later(MlirOperation op, void *data) {
  struct later *later = data;
  if (!op_is(later->session, op, OP_LLVM_INLINE_ASM))
    return SUCCESS;
  MlirStringRef assembly = op_string(op, "asm_string");
  struct text text = {0};
  text_append(&text, assembly.data, assembly.length);
  for (size_t i = 0; i < sizeof with_ptx84 / sizeof *with_ptx84; i++)
    later->found |= strstr(text_string(&text), with_ptx84[i].instruction) &&
                    strstr(text_string(&text), with_ptx84[i].types);
  text_free(&text);
  return SUCCESS;
}

struct machine target_for(struct session *session, const struct machine *target,
                          MlirModule module) {
  struct machine result = *target;
  struct later later = {.session = session};
  (void)visit_operations(mlirModuleGetOperation(module), find_later, &later);
  if (later.found && strcmp(target->ptx_isa, "8.4") < 0) {
    result.ptx_feature = "+ptx84";
    result.ptx_isa = "8.4";
    result.driver = 12040;
  }
  return result;
}

tile_status target_find(const char *name, const struct machine **out) {
  *out = machine_find(name, strlen(name));
  if (*out)
    return NULL;
  struct text known = {0};
  for (size_t i = 0; i < machine_count; i++)
    text_printf(&known, "%s%s", i ? ", " : "", machines[i].name);
  tile_status status =
      FAIL(TILE_INVALID_ARGUMENT, "unknown target '%s'; known are %s", name, text_string(&known));
  text_free(&known);
  return status;
}
