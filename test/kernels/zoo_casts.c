/* SPDX-License-Identifier: MIT */
/* Casts among all types, both directions and signs, bit for bit: all 2^8 or 2^16 inputs of narrow
   types, a walk through all bits of wide ones. The reference is exact_casts.h. */
#include "exact_casts.h"

/* --- Cases ------------------------------------------------------------------------------------ */

struct cast {
  enum zoo_type from, to;
  const char *name, *mode; /* arith.NAME, its rounding mode or "" */
  bool is_signed;
};

static uint64_t reference(const struct cast *cast, uint64_t bits) {
  bool toward_zero = cast->mode[0] != 0;
  if (is_float(cast->from)) {
    double x = zoo_decode(cast->from, bits);
    return is_float(cast->to) ? encode(cast->to, x, toward_zero)
                              : to_integer(cast->to, cast->is_signed, x);
  }
  long double x = from_integer(cast->from, cast->is_signed, bits);
  if (is_float(cast->to))
    return encode(cast->to, x, false);
  uint64_t wide = (uint64_t)(cast->is_signed ? (int64_t)x : 0);
  if (!cast->is_signed)
    wide = (uint64_t)x;
  return wide & (UINT64_MAX >> (64 - bits_of(cast->to)));
}

static size_t check(const struct cast *cast, const void *input, const void *out, size_t count,
                    const char *device) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t x = zoo_bits(input, cast->from, i), got = zoo_bits(out, cast->to, i);
    uint64_t wanted = reference(cast, x);
    if (!agree(cast->to, got, wanted) && wrong++ == 0)
      zoo_fail("arith.%s%s %s to %s on %s: %#llx gave %#llx, not %#llx", cast->name, cast->mode,
               zoo_names[cast->from], zoo_names[cast->to], device, (unsigned long long)x,
               (unsigned long long)got, (unsigned long long)wanted);
  }
  return wrong;
}

/* Only targets from sm_89 on have instructions for two of these types. */
static bool has_instructions(enum zoo_type type) {
  return type == E4M3 || type == E5M2;
}

static void run(const struct cast *cast) {
  char line[96];
  snprintf(line, sizeof line, "%%y = arith.%s %%x0%s : $0 to $r", cast->name, cast->mode);
  struct zoo_kernel kernel = {{cast->from}, cast->to, 1, line, NULL};
  size_t count = zoo_count(cast->from);
  void *input = zoo_allocate(count * 8), *out = zoo_allocate(count * 8);
  zoo_fill(input, cast->from, count, 0);
  bool newer = has_instructions(cast->from) || has_instructions(cast->to);
  const struct {
    tile_device *device;
    const char *name, *target;
  } runs[] = {{zoo.emulator, "emulator", NULL},
              {newer ? zoo.emulator : NULL, "sm_90a", "sm_90a"},
              {zoo.cuda, "cuda", NULL}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    tile_device *device = runs[i].device;
    kernel.target = runs[i].target;
    tile_module *module = device ? zoo_compile(device, &kernel) : NULL;
    if (module && zoo_run(device, module, &kernel, &input, count, out)) {
      size_t wrong = check(cast, input, out, count, runs[i].name);
      printf("%-8s%-12s %10s -> %-10s %-9s %zu of %zu wrong\n", cast->name, cast->mode,
             zoo_names[cast->from], zoo_names[cast->to], runs[i].name, wrong, count);
      zoo.rows++;
    }
    tile_module_unload(module);
  }
  free(input);
  free(out);
}

static void run_named(enum zoo_type from, enum zoo_type to, const char *name, const char *mode,
                      bool is_signed) {
  struct cast cast = {from, to, name, mode, is_signed};
  char full[64];
  snprintf(full, sizeof full, "%s %s %s", name, zoo_names[from], zoo_names[to]);
  if (zoo_wants(full))
    run(&cast);
}

static void between(enum zoo_type from, enum zoo_type to) {
  if (is_float(from) && is_float(to)) {
    if (bits_of(from) < bits_of(to))
      run_named(from, to, "extf", "", true);
    if (bits_of(from) > bits_of(to)) {
      run_named(from, to, "truncf", "", true);
      run_named(from, to, "truncf", " toward_zero", true);
    }
  } else if (is_float(from) && !is_float(to)) {
    run_named(from, to, "fptosi", "", true);
    run_named(from, to, "fptoui", "", false);
  } else if (is_float(to) && !is_float(from)) {
    run_named(from, to, "sitofp", "", true);
    run_named(from, to, "uitofp", "", false);
  } else if (!is_float(from) && !is_float(to)) {
    if (bits_of(from) < bits_of(to)) {
      run_named(from, to, "extsi", "", true);
      run_named(from, to, "extui", "", false);
    }
    if (bits_of(from) > bits_of(to))
      run_named(from, to, "trunci", "", false);
  }
}

int main(int argc, char **argv) {
  int code = zoo_start(argc, argv);
  if (code)
    return code - 1;
  for (int from = 0; from < ZOO_TYPES; from++)
    for (int to = 0; to < ZOO_TYPES; to++)
      if (from != to)
        between((enum zoo_type)from, (enum zoo_type)to);
  return zoo_finish();
}
