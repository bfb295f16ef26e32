/* SPDX-License-Identifier: MIT */
/* See options.h. */
#include "frontend/config/options.h"

#include <string.h>
#include "frontend/config/tuning.h"

const char *option_value(const char *const *list, size_t count, const char *name) {
  size_t length = strlen(name);
  const char *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (strncmp(list[i], name, length) == 0 && list[i][length] == '=')
      found = list[i] + length + 1;
  return found;
}

size_t option_parameters(const struct import_options *options, const struct kernel *kernel) {
  size_t count = 0;
  for (size_t i = 0; i < options->constant_count; i++) {
    const char *text = options->constants[i];
    count += kernel_parameter(kernel, (struct slice){text, strcspn(text, "=")}) >= 0;
  }
  return count;
}
