/* SPDX-License-Identifier: MIT */
/* See exercise.h. */
#include "exercise.h"

#include <string.h>
#include "base/status.h"
#include "driver/compile.h"
#include "ir/module_target.h"

static const char *const targets[] = {"sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a"};
static const int warps[] = {1, 2, 4, 8, 32};

static void swallow(const struct diagnostic *diagnostic, void *data) {
  (void)diagnostic, (void)data;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void draw_pass(struct random *random, struct text *out) {
  if (out->length)
    text_puts(out, ",");
  if (random_one_in(random, 3)) {
    size_t count = 0;
    while (upstream_pass_names[count])
      count++;
    const char *name = upstream_pass_names[random_below(random, count)];
    text_puts(out, strcmp(name, "print-ir") == 0 ? "canonicalize" : name);
    return;
  }
  const struct pass_info *pass = &pass_table[random_below(random, PASS_COUNT)];
  text_puts(out, pass->flag);
  if (pass->options->name && random_one_in(random, 2))
    text_printf(out, "{%s=%d}", pass->options->name, warps[random_below(random, 5)]);
}

/* Passes in any order; now and then a damaged pipeline's text. */
static void draw_passes(struct random *random, struct text *out) {
  for (size_t count = 1 + random_below(random, 3); count > 0; count--)
    draw_pass(random, out);
  static const char *const anchors[] = {"func.func", "builtin.module", "llvm.func", "any",
                                        "scf.for"};
  struct text changed = {0};
  if (random_one_in(random, 4))
    text_printf(&changed, "%s(%s)", anchors[random_below(random, 5)], text_string(out));
  else if (random_one_in(random, 4))
    mutate_pipeline(text_string(out), random, &changed);
  else
    return;
  text_free(out);
  *out = changed;
}

void exercise_draw(const struct corpus *corpus, uint64_t seed, uint64_t index,
                   struct exercise *out) {
  struct random random = {seed};
  random.state = random_next(&random) ^ index;
  random_next(&random);
  *out = (struct exercise){.target = targets[random_below(&random, 6)],
                           .num_warps = warps[random_below(&random, 5)],
                           .optimization_level = random_one_in(&random, 8) ? 3 : 1};
  mutate_module(corpus, &random, &out->module);
  switch (random_below(&random, 8)) {
  case 0:
  case 1:
    draw_passes(&random, &out->pipeline);
    break;
  case 2:
    text_printf(&out->pipeline,
                "tile-to-tile-gpu{num-warps=%d},tile-gpu-allocate-shared,"
                "tile-gpu-insert-barriers,convert-tile-gpu-to-nvvm",
                out->num_warps);
    break;
  case 3:
    out->end = END_EMULATOR;
    break;
  default:
    text_printf(&out->pipeline, "tile-to-ptx{num-warps=%d}%s", out->num_warps,
                random_one_in(&random, 8) ? ",tile-emit-line-tables" : "");
    out->end = END_PTX;
    break;
  }
  out->as_bytecode = random_one_in(&random, 16);
  out->random = random;
}

void exercise_to_bytecode(struct exercise *exercise) {
  struct session session;
  tile_status status = session_create(&session);
  if (status) {
    tile_status_free(status);
    return;
  }
  session.diagnostics.handler = swallow;
  struct text *module = &exercise->module;
  MlirModule parsed = session_parse(&session, "input", text_string(module), module->length);
  if (!mlirModuleIsNull(parsed)) {
    struct text bytes = {0};
    mlirOperationWriteBytecode(mlirModuleGetOperation(parsed), print_to_text, &bytes);
    mutate_bytes(&exercise->random, &bytes);
    text_free(module);
    *module = bytes;
    mlirModuleDestroy(parsed);
  }
  session_destroy(&session);
}

/* --- Running ---------------------------------------------------------------------------------- */

static tile_status emit_ptx(struct session *session, MlirModule module,
                            const struct exercise *exercise) {
  tile_compile_options options = tile_compile_options_default();
  options.target = exercise->target;
  options.optimization_level = exercise->optimization_level;
  struct text ptx = {0};
  tile_status status = compile_emit(session, module, &options, TILE_OUTPUT_PTX, &ptx, NULL);
  text_free(&ptx);
  return status;
}

static tile_status compile_program(struct session *session, MlirModule module,
                                   const struct exercise *exercise) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = exercise->num_warps;
  tile_emulator_program *program = NULL;
  tile_status status = compile_for_emulator(session, module, &options, &program);
  tile_emulator_program_destroy(program);
  return status;
}

static tile_status run_passes(struct session *session, MlirModule module,
                              const struct exercise *exercise) {
  const struct pipeline_options how = {.verify_each = false};
  if (exercise->end == END_PTX) /* as compile_lower does: lowerings ask for it */
    attribute_set(mlirModuleGetOperation(module), ATTR_TARGET,
                  attribute_string(session->context, exercise->target));
  TRY(pipeline_run(session, text_string(&exercise->pipeline), &how, module));
  struct text printed = {0};
  mlirOperationPrint(mlirModuleGetOperation(module), print_to_text, &printed);
  text_free(&printed);
  return exercise->end == END_PTX ? emit_ptx(session, module, exercise) : NULL;
}

static enum exercise_outcome run_module(struct session *session, const struct exercise *exercise) {
  MlirModule module =
      session_parse(session, "input", text_string(&exercise->module), exercise->module.length);
  if (mlirModuleIsNull(module))
    return OUTCOME_NO_MODULE;
  tile_status status = exercise->end == END_EMULATOR ? compile_program(session, module, exercise)
                                                     : run_passes(session, module, exercise);
  enum exercise_outcome outcome = status ? OUTCOME_REFUSED : OUTCOME_DONE;
  tile_status_free(status);
  mlirModuleDestroy(module);
  return outcome;
}

enum exercise_outcome exercise_run(const struct exercise *exercise) {
  struct session session;
  tile_status status = session_create(&session);
  if (status) {
    tile_status_free(status);
    return OUTCOME_NO_MODULE;
  }
  session.diagnostics.handler = swallow;
  enum exercise_outcome outcome = run_module(&session, exercise);
  session_destroy(&session);
  return outcome;
}

void exercise_describe(const struct exercise *exercise, struct text *out) {
  if (exercise->end == END_EMULATOR) {
    text_printf(out, "tile-run --num-warps=%d (the compilation)", exercise->num_warps);
    return;
  }
  text_printf(out, "tile-opt --pass-pipeline='%s'", text_string(&exercise->pipeline));
  if (exercise->end == END_PTX)
    text_printf(out, ", then PTX for %s at -O%d", exercise->target, exercise->optimization_level);
}

void exercise_destroy(struct exercise *exercise) {
  text_free(&exercise->module);
  text_free(&exercise->pipeline);
}
