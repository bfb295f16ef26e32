/* SPDX-License-Identifier: MIT */
/* Configurations and the import of Triton-language files through the public API: what a tuner in C
   would do. And host code of every kind, damaged, which must never end the process. */
#include <stdlib.h>
#include "check.h"
#include "tile/compiler.h"
#include "tile/emulator_device.h"

static void discard(const tile_diagnostic *diagnostic, void *data) {
  (void)diagnostic;
  ++*(int *)data;
}

static const char two_kernels[] =
    "import triton, torch\n"
    "import triton.language as tl\n"
    "def hook(args): pass\n"
    "@triton.autotune(configs=[\n"
    "    triton.Config({'BLOCK': 64, 'WIDE': True, 'SCALE': 0.5, 'MODE': 'fast', 'T': tl.float16,\n"
    "                   'NOTHING': None, 'PAIR': (1, 2)}, num_warps=8, num_stages=2, num_ctas=1,\n"
    "                  maxnreg=96, pre_hook=hook),\n"
    "    triton.Config({'BLOCK': 32})],\n"
    "  key=['n', 'm'], reset_to_zero=['x'], restore_value=['x'],\n"
    "  prune_configs_by={'top_k': 2})\n"
    "@triton.heuristics({'EVEN': lambda args: args['n'] % args['BLOCK'] == 0})\n"
    "@triton.jit\n"
    "def tuned(x, n, m, BLOCK: tl.constexpr, EVEN: tl.constexpr, WIDE: tl.constexpr = True,\n"
    "          SCALE: tl.constexpr = 1.0, MODE: tl.constexpr = '', T: tl.constexpr = None,\n"
    "          NOTHING: tl.constexpr = None, PAIR: tl.constexpr = None):\n"
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    if EVEN:\n"
    "        tl.store(x + i, 1.0)\n"
    "    else:\n"
    "        tl.store(x + i, 1.0, mask=i < n)\n"
    "@triton.autotune(configs=torch.some(), key=[])\n"
    "@triton.jit\n"
    "def outside(x): pass\n";

static tile_configurations *list_of(tile_compiler *compiler, const char *kernel) {
  tile_configurations *list = NULL;
  tile_status status =
      tile_configurations_create(compiler, "k.py", two_kernels, sizeof two_kernels - 1,
                                 &(tile_import_options){.kernel = kernel}, &list);
  CHECK_TEXT(tile_status_message(status), "");
  tile_status_free(status);
  return list;
}

static void lists_are_read(void) {
  tile_compiler *compiler = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_configurations *list = list_of(compiler, "tuned");
  tile_compiler_destroy(compiler); /* the list does not need it */
  CHECK_TEXT(tile_configurations_kernel(list), "tuned");
  CHECK(tile_configurations_computed(list) == NULL);
  CHECK_EQUAL(tile_configurations_count(list), 2);
  const tile_configuration *first = tile_configurations_get(list, 0);
  CHECK_EQUAL(first->num_warps, 8);
  CHECK_EQUAL(first->num_stages, 2);
  CHECK_EQUAL(first->num_ctas, 1);
  CHECK_EQUAL(first->max_registers, 96);
  CHECK_TEXT(first->pre_hook, "hook");
  const tile_configuration *second = tile_configurations_get(list, 1);
  CHECK_EQUAL(second->num_warps, 4);
  CHECK_EQUAL(second->num_stages, 3);
  CHECK_EQUAL(second->max_registers, 0);
  CHECK(second->pre_hook == NULL);
  CHECK_EQUAL(second->constant_count, 1);
  CHECK(tile_configurations_get(list, 2) == NULL);
  tile_configurations_destroy(list);
}

static void constants_have_kinds(void) {
  static const struct {
    const char *name, *text;
    tile_constant_kind kind;
  } expected[] = {{"BLOCK", "64", TILE_CONSTANT_INTEGER},  {"WIDE", "True", TILE_CONSTANT_BOOL},
                  {"SCALE", "0.5", TILE_CONSTANT_FLOAT},   {"MODE", "'fast'", TILE_CONSTANT_STRING},
                  {"T", "tl.float16", TILE_CONSTANT_TYPE}, {"NOTHING", "None", TILE_CONSTANT_NONE},
                  {"PAIR", "[1, 2]", TILE_CONSTANT_OTHER}};
  tile_compiler *compiler = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_configurations *list = list_of(compiler, "tuned");
  const tile_configuration *config = tile_configurations_get(list, 0);
  CHECK_EQUAL(config->constant_count, 7);
  for (size_t i = 0; i < config->constant_count; i++) {
    CHECK_TEXT(config->constants[i].name, expected[i].name);
    CHECK_TEXT(config->constants[i].text, expected[i].text);
    CHECK_EQUAL(config->constants[i].kind, expected[i].kind);
  }
  CHECK_EQUAL(config->constants[0].integer, 64);
  CHECK_EQUAL(config->constants[1].integer, 1);
  CHECK(config->constants[2].number == 0.5);
  tile_configurations_destroy(list);
  tile_compiler_destroy(compiler);
}

static void names_are_listed(void) {
  static const struct {
    tile_configuration_names which;
    size_t count;
    const char *first;
  } expected[] = {{TILE_NAMES_KEY, 2, "n"},
                  {TILE_NAMES_RESET_TO_ZERO, 1, "x"},
                  {TILE_NAMES_RESTORE_VALUE, 1, "x"},
                  {TILE_NAMES_PRUNE, 1, "top_k = 2"},
                  {TILE_NAMES_HEURISTICS, 1, "EVEN"}};
  tile_compiler *compiler = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_configurations *list = list_of(compiler, "tuned");
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    CHECK_EQUAL(tile_configurations_name_count(list, expected[i].which), expected[i].count);
    CHECK_TEXT(tile_configurations_name(list, expected[i].which, 0), expected[i].first);
    CHECK(tile_configurations_name(list, expected[i].which, expected[i].count) == NULL);
  }
  tile_configurations_destroy(list);
  tile_compiler_destroy(compiler);
}

/* prune_configs_by and how to measure: what a tuner asks. */
static void pruning_is_carried_out(void) {
  static const char text[] =
      "import triton\n"
      "def prune(configs, named_args, **kwargs):\n"
      "    return [c for c in configs if c.kwargs['B'] <= named_args['n']] + [triton.Config({'B': "
      "1})]\n"
      "@triton.autotune([triton.Config({'B': b}) for b in (64, 16, 32)], ['n'],\n"
      "                 prune_configs_by={'early_config_prune': prune}, warmup=5, "
      "use_cuda_graph=True, do_bench=bench)\n"
      "@triton.jit\n"
      "def k(x, n, B: tl.constexpr): pass\n";
  static const int64_t numbers[] = {1, 2, -1}, blocks[] = {16, 32, 1};
  const char *values[] = {"n=40"};
  tile_compiler *compiler = NULL;
  tile_configurations *list = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_import_options options = {.argument_values = values, .argument_value_count = 1};
  CHECK(tile_configurations_create(compiler, "k.py", text, sizeof text - 1, &options, &list) ==
        NULL);
  CHECK_EQUAL(tile_configurations_count(list), 3);
  CHECK_EQUAL(tile_configurations_left_count(list), 3);
  for (size_t i = 0; i < 3; i++) {
    int64_t number = 7;
    CHECK_EQUAL(tile_configurations_left(list, i, &number)->constants[0].integer, blocks[i]);
    CHECK_EQUAL(number, numbers[i]);
  }
  CHECK(tile_configurations_left(list, 3, NULL) == NULL);
  CHECK(tile_configurations_pruning_note(list) == NULL);
  const tile_tuning_settings *settings = tile_configurations_settings(list);
  CHECK(settings->warmup == 5 && settings->rep == -1);
  CHECK(settings->use_cuda_graph && !settings->cache_results && !settings->pre_hook &&
        !settings->post_hook);
  CHECK_TEXT(settings->do_bench, "bench");
  tile_configurations_destroy(list);
  options.argument_value_count = 0;
  CHECK(tile_configurations_create(compiler, "k.py", text, sizeof text - 1, &options, &list) ==
        NULL);
  CHECK_EQUAL(tile_configurations_left_count(list), 3);
  CHECK_EQUAL(tile_configurations_left(list, 0, NULL)->constants[0].integer, 64);
  CHECK_TEXT(tile_configurations_pruning_note(list),
             "early_config_prune is not evaluated: k.py:3:35: it needs the value of argument 'n'");
  tile_configurations_destroy(list);
  tile_compiler_destroy(compiler);
}

static void run_time_lists_say_why(void) {
  tile_compiler *compiler = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_configurations *list = list_of(compiler, "outside");
  CHECK_EQUAL(tile_configurations_count(list), 0);
  CHECK_TEXT(tile_configurations_computed(list),
             "k.py:21:26: it calls torch.some(), which is known at run time only");
  tile_configurations_destroy(list);
  tile_compiler_destroy(compiler);
}

/* What the file asks of its device is answered for the target, and not known without one. */
static void targets_are_asked(void) {
  static const char text[] =
      "@triton.autotune(configs=[triton.Config({'B': b}) for b in [1, 2]\n"
      "                          if torch.cuda.get_device_capability()[0] > 8 or b > 1], key=[])\n"
      "@triton.jit\n"
      "def k(x, B: tl.constexpr): pass\n";
  static const struct {
    const char *target;
    size_t count;
  } rows[] = {{"sm_80", 1}, {"sm_90a", 2}, {NULL, 0}};
  tile_compiler *compiler = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tile_configurations *list = NULL;
    CHECK(tile_configurations_create(compiler, "k.py", text, sizeof text - 1,
                                     &(tile_import_options){.target = rows[i].target},
                                     &list) == NULL);
    CHECK_EQUAL(tile_configurations_count(list), rows[i].count);
    CHECK_EQUAL(tile_configurations_computed(list) != NULL, rows[i].target == NULL);
    tile_configurations_destroy(list);
  }
  tile_compiler_destroy(compiler);
}

static void errors_are_statuses(void) {
  int seen = 0;
  tile_compiler *compiler = NULL;
  tile_configurations *list = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_compiler_on_diagnostic(compiler, discard, &seen);
  tile_import_options any = {0};
  tile_status status =
      tile_configurations_create(compiler, "k.py", two_kernels, sizeof two_kernels - 1,
                                 &(tile_import_options){.kernel = "absent"}, &list);
  CHECK_EQUAL(tile_status_code(status), TILE_NOT_FOUND);
  tile_status_free(status);
  status = tile_configurations_create(compiler, "k.py", two_kernels, sizeof two_kernels - 1, &any,
                                      &list);
  CHECK_TEXT(tile_status_message(status), "'k.py' has 2 kernels; name one: tuned, outside");
  tile_status_free(status);
  const char *wrong = "@triton.autotune(configs=[1])\n@triton.jit\ndef k(x): pass\n";
  status = tile_configurations_create(compiler, "k.py", wrong, strlen(wrong), &any, &list);
  CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
  CHECK_EQUAL(seen, 1);
  tile_status_free(status);
  tile_configurations_destroy(NULL);
  tile_compiler_destroy(compiler);
}

/* What a compiled kernel says of where it comes from. */
static void check_origin(const tile_kernel_info *kernel) {
  const tile_kernel_version *version = kernel->versions;
  CHECK_TEXT(version->config, "0");
  CHECK_TEXT(tile_kernel_version_constant(version, "BLOCK"), "64");
  CHECK_TEXT(tile_kernel_version_constant(version, "EVEN"), "False");
  CHECK_TEXT(tile_kernel_version_constant(version, "MODE"), "'fast'");
  CHECK(!tile_kernel_version_constant(version, "n"));
}

/* The same of one that was loaded. */
static void check_loaded(tile_compiler *compiler, const tile_blob *mlir) {
  tile_compile_options options = tile_compile_options_default();
  tile_device *device = NULL;
  tile_module *module = NULL;
  tile_status status = tile_device_open(tile_emulator_driver(), 0, &device);
  if (!status)
    status = tile_compile_for_device(compiler, "k.mlir", mlir->data, mlir->size, &options, device,
                                     &module);
  CHECK_TEXT(tile_status_message(status), "");
  if (module)
    check_origin(tile_kernel_get_info(tile_module_kernel_at(module, 0)));
  tile_status_free(status);
  tile_module_unload(module);
  tile_device_close(device);
}

/* Import with a configuration, compile, and look at what a launch would use. */
static void configurations_compile(void) {
  const char *values[] = {"n=100"};
  tile_import_options import = {.kernel = "tuned",
                                .signature = "*fp32:16, i32, i32",
                                .config = "0",
                                .argument_values = values,
                                .argument_value_count = 1};
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  tile_image *image = NULL;
  tile_blob mlir = {0};
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_status status =
      tile_import_triton(compiler, "k.py", two_kernels, sizeof two_kernels - 1, &import, &mlir);
  CHECK_TEXT(tile_status_message(status), "");
  CHECK(mlir.data && strstr(mlir.data, "arith.cmpi") != NULL); /* 100 is no multiple of 64 */
  status = tile_compile_kernels(compiler, "k.mlir", mlir.data, mlir.size, &options, TILE_IMAGE_PTX,
                                &image);
  CHECK_TEXT(tile_status_message(status), "");
  CHECK_EQUAL(image->kernels[0].versions->num_warps, 8);
  check_origin(image->kernels);
  tile_image_free(image);
  check_loaded(compiler, &mlir);
  options.num_warps = 2; /* what is asked for wins */
  status = tile_compile_kernels(compiler, "k.mlir", mlir.data, mlir.size, &options, TILE_IMAGE_PTX,
                                &image);
  CHECK_TEXT(tile_status_message(status), "");
  CHECK_EQUAL(image->kernels[0].versions->num_warps, 2);
  tile_image_free(image);
  free(mlir.data);
  tile_compiler_destroy(compiler);
}

/* --- Damaged host code ------------------------------------------------------------------------ */

static const char host_code[] =
    "import itertools, os, math, torch, triton\n"
    "import triton.language as tl\n"
    "A = [1, 2, 4]\nB = {'x': 1, 'y': (2, 3)}\nA += [8]\nA.append(A[0] + len(A))\n"
    "for i in range(3):\n    A.extend([i * 2, i ** 2, i << 1, ~i, -i])\n"
    "def f(a, b=2, *c, d=4, **e):\n"
    "    total = 0\n"
    "    for i, x in enumerate(c if d else list(c)):\n        total += x if x % 2 else i\n"
    "    while total > 100 and b:\n        total //= 2\n        if total == 3: break\n"
    "    return [triton.Config({'P': a, 'Q': n, **B}, num_warps=1 << b) for n in A if n not in (3, "
    "4)]\n"
    "def g(xs):\n    return list(filter(lambda c: c.kwargs['P'] < max(A[1:3]), xs)) or xs\n"
    "def early(configs, named, **kw):\n"
    "    s = torch.cuda.get_device_properties(0).shared_memory_per_block_optin\n"
    "    for c in configs:\n        c.num_stages = 2 if c.kwargs['P'] * 2 < s else c.num_stages\n"
    "    configs.sort(key=lambda c: (c.num_warps, c.kwargs['Q']), reverse=kw['n'] > 3)\n"
    "    return configs[:9] + [max(configs, key=lambda c: c.num_warps)]\n"
    "def model(n, P, Q, num_warps, **rest):\n    return n // max(P, 1) + Q / num_warps\n"
    "@triton.heuristics({'P': lambda args: triton.next_power_of_2(args['n']),\n"
    "  'Q': lambda args: args['x'].dtype == torch.float16 and args.get('n', 3) is None})\n"
    "@triton.autotune(configs=g(f(1, *A, d=math.ceil(2.5)) + f(a=2, **{'b': 1})) + [\n"
    "  triton.Config(dict(P=p, Q=q), num_stages=max(1, min(p, q))) for p, q in "
    "itertools.product(A[:3], A)],\n"
    "  key=['n'], prune_configs_by={'early_config_prune': early, 'perf_model': model, 'top_k': 3}, "
    "warmup=5)\n"
    "@triton.jit(do_not_specialize=['n'])\n"
    "def k(x, n, y, P: tl.constexpr, Q: tl.constexpr): pass\n";

static unsigned draw(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Copies a piece of the text over another one, or puts a character somewhere. */
static void damage(char *text, size_t length, unsigned *state) {
  static const char characters[] = "()[]{}:,.=+-*/%<>'\"\n 019aAxnPQ#@\\";
  if (draw(state) % 3) {
    text[draw(state) % length] = characters[draw(state) % (sizeof characters - 1)];
    return;
  }
  size_t size = 1 + draw(state) % 12, from = draw(state) % (length - size);
  memmove(text + draw(state) % (length - size), text + from, size);
}

static void damaged_host_code_is_survived(void) {
  unsigned state = 1;
  int seen = 0, good = 0, pruned = 0;
  tile_compiler *compiler = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_compiler_on_diagnostic(compiler, discard, &seen);
  for (int round = 0; round < 3000; round++) {
    char text[sizeof host_code];
    tile_configurations *list = NULL;
    tile_blob mlir = {0};
    memcpy(text, host_code, sizeof text);
    for (unsigned i = 0; i < draw(&state) % 4; i++)
      damage(text, sizeof text - 1, &state);
    const char *values[] = {"n=5"};
    tile_import_options listed = {
        .target = "sm_90a", .argument_values = values, .argument_value_count = 1};
    tile_status status =
        tile_configurations_create(compiler, "k.py", text, sizeof text - 1, &listed, &list);
    good += !status;
    tile_status_free(status);
    if (list) {
      pruned +=
          tile_configurations_left_count(list) == 3 && !tile_configurations_pruning_note(list);
      tile_configurations_destroy(list);
    }
    tile_import_options import = {.signature = "*fp32, i32, None",
                                  .config = round % 2 ? "0" : NULL,
                                  .argument_values = values,
                                  .argument_value_count = round % 3 ? 1 : 0};
    status = tile_import_triton(compiler, "k.py", text, sizeof text - 1, &import, &mlir);
    free(mlir.data);
    tile_status_free(status);
  }
  CHECK(good > 300);
  CHECK(pruned > 300);
  CHECK(seen > 300);
  tile_compiler_destroy(compiler);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"lists_are_read", lists_are_read},
      {"constants_have_kinds", constants_have_kinds}, {"names_are_listed", names_are_listed},
      {"pruning_is_carried_out", pruning_is_carried_out},
      {"run_time_lists_say_why", run_time_lists_say_why}, {"targets_are_asked", targets_are_asked},
      {"errors_are_statuses", errors_are_statuses},
      {"configurations_compile", configurations_compile},
      {"damaged_host_code_is_survived", damaged_host_code_is_survived});
}
