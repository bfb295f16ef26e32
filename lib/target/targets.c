/* The target table. */
#include <string.h>
#include "base/status.h"
#include "target/target.h"

const struct gpu_target gpu_targets[] = {
#define X(name, features, isa, driver, shared) {name, features, isa, driver, shared},
#include "target/targets.def"
#undef X
    {0}};

tile_status target_find(const char *name, const struct gpu_target **out) {
  struct text known = {0};
  for (const struct gpu_target *target = gpu_targets; target->name; target++) {
    if (strcmp(target->name, name) == 0) {
      *out = target;
      text_free(&known);
      return NULL;
    }
    text_printf(&known, "%s%s", target == gpu_targets ? "" : ", ", target->name);
  }
  tile_status status =
      FAIL(TILE_INVALID_ARGUMENT, "unknown target '%s'; known are %s", name, text_string(&known));
  text_free(&known);
  return status;
}
