/* SPDX-License-Identifier: MIT */
/* mutate: are all barriers of a kernel needed, and would the emulator notice if one were missing?

     mutate softmax.py --kernel softmax_row_kernel --grid 5 --arg ... [--same out=in@5] [--known
     FILE]

   The kernel is lowered as tile-run does it. Then one operation that orders something (mutants.def)
   is dropped at a time, or, where it says how much may still be under way, allows one more, or
   expects other numbers of bytes, or waits for the other parity; with
   --moves it is also moved before or after an access of shared memory, and exchanged with the next
   one. The mutant runs on the emulator with all checks, with several seeds. It is killed when the
   emulator reports a hazard, or when it computes something else than the kernel.

   A survivor is an operation that the compiler need not have put there, or a hazard that the
   emulator does not see, or one that these arguments do not show. A barrier that is there because
   buffers could be the same memory shows with --same, one that some numbers of iterations need with
   --with, which gives a scalar argument another value; they are tried where nothing else kills.
   What survives for another reason stands in the file of --known, a line each, and the reason after
   it:

     KERNEL, without OPERATION #N at "LINE OF THE FILE": why it survives

   where N counts the kernel's operations of that name and line, from 1; "weaker", "more", "fewer",
   "other parity", "earlier", "later" and "swapped" stand for "without" in other mutants.

   With --every N each N-th mutant is made, from the first on: with sanitizers all of them take
   long.

   Exit code 1: a survivor that is not known. Known ones that do not survive any more are named. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "driver/compile.h"
#include "driver/kernel_info.h"
#include "driver/kernel_maps.h"
#include "mutate.h"

struct options {
  struct run_options run;
  const char *known;
  const char *same[MAX_ALIASES], *with[MAX_ALIASES];
  size_t same_count, with_count;
  long long seeds, every;
  bool moves;
};

static const struct flag flags[] = {
    SOURCE_FLAGS,
    {"grid", FLAG_VALUE, "X[,Y[,Z]]", "programs to launch along each axis"},
    {"arg", FLAG_VALUE, "NAME=SPEC", "as for tile-run"},
    {"num-warps", FLAG_VALUE, "N", "warps per program"},
    {"num-stages", FLAG_VALUE, "N", "stages of loops"},
    {"tensor-maps", FLAG_VALUE, "on|off", "the version with tensor maps, where there is one"},
    {"pairs", FLAG_VALUE, "on|off", "clusters of two blocks in that version (default: off)"},
    {"same", FLAG_VALUE, "A=B[@X[,Y[,Z]]]", "another way to launch: buffer A is buffer B"},
    {"with", FLAG_VALUE, "NAME=SPEC", "another way to launch: another scalar argument"},
    {"known", FLAG_VALUE, "FILE", "survivors, with their reasons"},
    {"seeds", FLAG_VALUE, "N", "launches of each mutant (default 3)"},
    {"every", FLAG_VALUE, "N", "each N-th mutant alone (default 1)"},
    {"moves", FLAG_SWITCH, NULL, "move operations past accesses, too"},
    {"v", FLAG_SWITCH, NULL, "say what killed each mutant"},
    {"help", FLAG_SWITCH, NULL, "this text"},
};

static tile_status on_flag(const struct flag *flag, const char *value, void *data) {
  struct options *options = data;
  if (strcmp(flag->name, "known") == 0) {
    options->known = value;
  } else if (strcmp(flag->name, "with") == 0) {
    if (options->with_count == MAX_ALIASES)
      return FAIL(TILE_INVALID_ARGUMENT, "at most %d --with", MAX_ALIASES);
    options->with[options->with_count++] = value;
  } else if (strcmp(flag->name, "moves") == 0) {
    options->moves = true;
  } else if (strcmp(flag->name, "seeds") == 0) {
    return parse_integer("--seeds", value, 1, MAX_SEEDS, &options->seeds);
  } else if (strcmp(flag->name, "every") == 0) {
    return parse_integer("--every", value, 1, INT_MAX, &options->every);
  } else if (strcmp(flag->name, "same") == 0) {
    if (options->same_count == MAX_ALIASES)
      return FAIL(TILE_INVALID_ARGUMENT, "at most %d --same", MAX_ALIASES);
    options->same[options->same_count++] = value;
  } else {
    return run_on_flag(flag, value, &options->run);
  }
  return NULL;
}

static tile_status on_positional(const char *argument, void *data) {
  return run_on_positional(argument, &((struct options *)data)->run);
}

/* --- Ways to launch --------------------------------------------------------------------------- */

/* A way to launch, and what the kernel itself makes of it with each seed. */
struct way {
  struct trial trial;
  struct contents expected[MAX_SEEDS];
  uint32_t grid[3];
  bool depends_on_order;     /* atomic operations, ...: only hazards tell mutants */
  struct run_argument other; /* owned: what --with gives */
  struct run_argument *arguments[RUN_MAX_ARGUMENTS]; /* with it */
};

static tile_status find_buffer(const struct trial *trial, const char *name, size_t length,
                               size_t *out) {
  for (*out = 0; *out < trial->count; (*out)++) {
    const struct run_argument *argument = trial->arguments[*out];
    if (argument->is_buffer && strlen(argument->name) == length &&
        memcmp(argument->name, name, length) == 0)
      return NULL;
  }
  return FAIL(TILE_INVALID_ARGUMENT, "--same: no --arg gives a buffer called '%.*s'", (int)length,
              name);
}

/* "A=B" or "A=B@GRID". */
static tile_status share_buffers(const char *text, struct way *way) {
  struct trial *trial = &way->trial;
  const char *equals = strchr(text, '='), *at = strchr(text, '@');
  size_t one, other;
  if (!equals || (at && at < equals))
    return FAIL(TILE_INVALID_ARGUMENT, "--same is A=B or A=B@GRID, not '%s'", text);
  const char *end = at ? at : text + strlen(text);
  TRY(find_buffer(trial, text, (size_t)(equals - text), &one));
  TRY(find_buffer(trial, equals + 1, (size_t)(end - equals - 1), &other));
  if (trial->arguments[one]->bytes > trial->arguments[other]->bytes)
    return FAIL(TILE_INVALID_ARGUMENT, "--same %s: the second buffer is smaller", text);
  trial->same_as[one] = other;
  return at ? run_parse_grid(at + 1, way->grid) : NULL;
}

/* "NAME=SPEC" as of --arg, for a scalar of the same type. */
static tile_status replace_scalar(const char *text, struct way *way) {
  struct trial *trial = &way->trial;
  TRY(run_argument_parse(text, 0, &way->other));
  for (size_t i = 0; i < trial->count; i++) {
    const struct run_argument *argument = trial->arguments[i];
    if (argument->is_buffer || way->other.is_buffer || argument->type != way->other.type ||
        strcmp(argument->name, way->other.name) != 0)
      continue;
    memcpy(way->arguments, trial->arguments, trial->count * sizeof *way->arguments);
    way->arguments[i] = &way->other;
    trial->arguments = way->arguments;
    return NULL;
  }
  return FAIL(TILE_INVALID_ARGUMENT, "--with %s: no --arg gives a scalar of that name and type",
              text);
}

static bool equal_contents(const struct contents *a, const struct contents *b) {
  return a->bytes == b->bytes && (a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0);
}

/* Runs the kernel itself, which must not misbehave. */
static tile_status expect(const struct options *options, tile_emulator_program *program,
                          struct way *way) {
  for (long long seed = 0; seed < options->seeds; seed++) {
    struct text hazards = {0};
    tile_status status =
        trial_launch(&way->trial, program, (uint64_t)seed, &way->expected[seed], &hazards);
    if (!status && hazards.length)
      status = FAIL(TILE_HAZARD, "the kernel as it is misbehaves: %s", text_string(&hazards));
    text_free(&hazards);
    TRY(status);
    way->depends_on_order |= !equal_contents(&way->expected[0], &way->expected[seed]);
  }
  return NULL;
}

/* What kills the mutant, in words; stays empty when nothing does. */
static tile_status try_way(const struct options *options, tile_emulator_program *program,
                           const struct way *way, struct text *verdict) {
  for (long long seed = 0; seed < options->seeds && !verdict->length; seed++) {
    struct contents found;
    TRY(trial_launch(&way->trial, program, (uint64_t)seed, &found, verdict));
    if (!verdict->length && !way->depends_on_order && !equal_contents(&found, &way->expected[seed]))
      text_printf(verdict, "other results with seed %lld", seed);
    free(found.data);
  }
  return NULL;
}

/* --- Mutants ---------------------------------------------------------------------------------- */

struct mutation {
  const struct options *options;
  struct session *session;
  MlirModule module; /* lowered to llvm, nvvm and tile_ptx operations */
  struct way ways[1 + 2 * MAX_ALIASES];
  int way_count;
  const char *source; /* the file's text */
  struct arena arena;
  struct sites sites;
  bool *survives; /* by site; in the arena */
};

static tile_status finish(struct session *session, MlirModule module, tile_emulator_program **out) {
  TRY(pipeline_run(session, "tile-verify-lowered{device=emulator},convert-to-emulator",
                   &compile_quietly, module));
  return compile_emulate(session, module, out);
}

static tile_status compile_copy(struct mutation *m, tile_emulator_program **out) {
  MlirModule copy = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(m->module)));
  tile_status status = finish(m->session, copy, out);
  mlirModuleDestroy(copy);
  return status;
}

static tile_status expect_all(struct mutation *m) {
  tile_emulator_program *program;
  TRY(compile_copy(m, &program));
  tile_status status = NULL;
  for (int i = 0; i < m->way_count && !status; i++)
    status = expect(m->options, program, &m->ways[i]);
  tile_emulator_program_destroy(program);
  return status;
}

static tile_status judge(struct mutation *m, size_t index, struct text *verdict) {
  tile_emulator_program *program;
  MlirModule mutant = mutant_create(m->module, &m->sites.list[index]);
  tile_status status = finish(m->session, mutant, &program);
  mlirModuleDestroy(mutant);
  TRY(status);
  for (int i = 0; i < m->way_count && !status && !verdict->length; i++)
    status = try_way(m->options, program, &m->ways[i], verdict);
  tile_emulator_program_destroy(program);
  return status;
}

static tile_status judge_all(struct mutation *m) {
  m->survives = ARENA_ARRAY(&m->arena, bool, m->sites.count + 1);
  for (size_t i = 0; i < m->sites.count; i += (size_t)m->options->every) {
    const struct site *site = &m->sites.list[i];
    struct text verdict = {0};
    tile_status status = judge(m, i, &verdict);
    m->survives[i] = !status && verdict.length == 0;
    if (m->options->run.verbose && !m->survives[i])
      printf("killed: %s %s at %s: %s\n", mutation_name(site->kind), site->op, site->location,
             text_string(&verdict));
    text_free(&verdict);
    TRY(status);
  }
  return NULL;
}

/* --- The verdict ------------------------------------------------------------------------------ */

/* As a line of --known begins. */
static void site_key(const struct mutation *m, const struct site *site, struct text *out) {
  text_printf(out, "%s, %s %s #%zu at \"%s\":", m->ways[0].trial.kernel, mutation_name(site->kind),
              site->op, site->ordinal, site->line);
}

static bool begins_with(const char *line, size_t length, const struct text *key) {
  return length >= key->length && memcmp(line, text_string(key), key->length) == 0;
}

static bool is_known(const char *known, const struct text *key) {
  for (const char *line = known; *line;) {
    size_t length = strcspn(line, "\n");
    if (begins_with(line, length, key))
      return true;
    line += length + (line[length] == '\n');
  }
  return false;
}

/* Lines about this kernel whose site does not survive. */
static void report_stale(const struct mutation *m, const char *known) {
  size_t name = strlen(m->ways[0].trial.kernel);
  for (const char *line = known; *line;) {
    size_t length = strcspn(line, "\n");
    bool found =
        length <= name || memcmp(line, m->ways[0].trial.kernel, name) != 0 || line[name] != ',';
    for (size_t i = 0; i < m->sites.count && !found; i++) {
      struct text key = {0};
      site_key(m, &m->sites.list[i], &key);
      found = m->survives[i] && begins_with(line, length, &key);
      text_free(&key);
    }
    if (!found)
      printf("no survivor any more: %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

static tile_status report(const struct mutation *m) {
  struct text known = {0};
  size_t survivors = 0, unknown = 0;
  if (m->options->known)
    TRY(file_read(m->options->known, &known));
  for (size_t i = 0; i < m->sites.count; i++) {
    if (!m->survives[i])
      continue;
    struct text key = {0};
    site_key(m, &m->sites.list[i], &key);
    bool listed = is_known(text_string(&known), &key);
    survivors++;
    unknown += !listed;
    const struct site *site = &m->sites.list[i];
    fprintf(listed ? stdout : stderr, "%s: %s %s: it orders %s%s%s\n",
            listed ? "known survivor" : "survivor", text_string(&key), site->location, site->what,
            *site->crossed ? "; moved across " : "", site->crossed);
    text_free(&key);
  }
  size_t every = (size_t)m->options->every, made = (m->sites.count + every - 1) / every;
  printf("%s: %zu mutants, %zu killed, %zu survived\n", m->ways[0].trial.kernel, made,
         made - survivors, survivors);
  if (every == 1)
    report_stale(m, text_string(&known));
  text_free(&known);
  return unknown ? FAIL(TILE_HAZARD, "%zu of the survivors are unknown", unknown) : NULL;
}

/* --- From the file to mutants ----------------------------------------------------------------- */

/* The kernel, and a version of it that was written by hand. */
static void keep_kernel(struct session *session, MlirModule module, const char *kernel) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (kind_of(session, op) == OP_FUNC && attribute_has(op, ATTR_KERNEL) &&
        !ref_equals(op_string(op, "sym_name"), kernel) &&
        !ref_equals(attribute_text(op, ATTR_TENSOR_MAPS_OF), kernel))
      mlirOperationDestroy(op);
  }
}

/* The lowered version with tensor maps; null where there is none. */
static MlirOperation find_version(struct session *session, MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (!mlirOperationIsNull(op) &&
         !(kind_of(session, op) == OP_LLVM_FUNC && attribute_has(op, ATTR_TENSOR_MAPS_OF)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/* Where there is such a version it alone is looked at; --tensor-maps=off leaves it out. */
static tile_status choose_version(struct mutation *m, const tile_kernel_info *kernel) {
  MlirOperation version = find_version(m->session, m->module), next;
  if (mlirOperationIsNull(version))
    return NULL;
  MlirStringRef name = op_string(version, "sym_name");
  tile_kernel_version read = {.symbol = arena_copy_string(&m->arena, name.data, name.length)};
  TRY(kernel_maps_read(version, &m->arena, kernel, &read));
  for (int i = 0; i < m->way_count; i++) {
    m->ways[i].trial.kernel = read.symbol;
    m->ways[i].trial.maps = read.maps;
    m->ways[i].trial.map_count = read.map_count;
    if (attribute_has(version, ATTR_RESIDENT_BLOCKS)) { /* two for each block */
      uint32_t *grid = m->ways[i].grid;
      uint32_t cluster = (uint32_t)attribute_number(version, ATTR_CLUSTER_BLOCKS, 1);
      memcpy(m->ways[i].trial.programs, grid, sizeof m->ways[i].trial.programs);
      grid[0] = (grid[0] * grid[1] * grid[2] - 1) / 2 + 1;
      grid[0] = (grid[0] + cluster - 1) / cluster * cluster;
      grid[1] = grid[2] = 1;
      m->ways[i].trial.part_bytes = (uint32_t)attribute_number(version, ATTR_PART_BYTES, 0);
    }
  }
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(m->module));
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (attribute_has(op, ATTR_NVVM_KERNEL) && !mlirOperationEqual(op, version))
      mlirOperationDestroy(op);
  }
  return NULL;
}

static tile_status prepare(struct mutation *m, struct run_argument *arguments,
                           struct run_argument **ordered) {
  const struct run_options *run = &m->options->run;
  struct kernel_infos infos;
  const tile_kernel_info *kernel;
  TRY(pipeline_run(m->session, "", &compile_quietly, m->module));
  kernel_infos_read(m->session, m->module, &m->arena, &infos);
  TRY(kernel_infos_find(&infos, run->kernel, &kernel));
  TRY(run_match_arguments(kernel, arguments, run->spec_count, !run->source.import.signature,
                          ordered));
  int with = 1 + (int)m->options->same_count;
  m->way_count = with + (int)m->options->with_count;
  for (int i = 0; i < m->way_count; i++) {
    struct way *way = &m->ways[i];
    memcpy(way->grid, run->grid, sizeof way->grid);
    way->trial = (struct trial){.kernel = kernel->name,
                                .grid = way->grid,
                                .arguments = ordered,
                                .count = kernel->parameter_count};
    for (size_t j = 0; j < kernel->parameter_count; j++)
      way->trial.same_as[j] = j;
    if (i >= with)
      TRY(replace_scalar(m->options->with[i - with], way));
    else if (i)
      TRY(share_buffers(m->options->same[i - 1], way));
  }
  keep_kernel(m->session, m->module, kernel->name);
  TRY(compile_lower(m->session, m->module, &run->compile, "tile-to-llvm", &compile_quietly));
  return choose_version(m, kernel);
}

static tile_status mutate(struct mutation *m, struct run_argument *arguments) {
  struct run_argument *ordered[RUN_MAX_ARGUMENTS];
  TRY(prepare(m, arguments, ordered));
  sites_find(m->module, m->source, m->options->moves, &m->arena, &m->sites);
  TRY(expect_all(m));
  TRY(judge_all(m));
  return report(m);
}

static tile_status mutate_source(const struct options *options, const struct text *source,
                                 struct run_argument *arguments) {
  struct session session;
  TRY(session_create(&session));
  struct mutation *m = tile_allocate(sizeof *m);
  *m = (struct mutation){.options = options, .session = &session, .source = text_string(source)};
  tile_status status = run_load_module(&options->run, &session, source, arguments, &m->module);
  if (!status) {
    status = mutate(m, arguments);
    mlirModuleDestroy(m->module);
  }
  for (int i = 0; i < m->way_count; i++) {
    run_argument_destroy(&m->ways[i].other);
    for (int seed = 0; seed < MAX_SEEDS; seed++)
      free(m->ways[i].expected[seed].data);
  }
  arena_destroy(&m->arena);
  free(m);
  session_destroy(&session);
  return status;
}

static tile_status mutate_file(const struct options *options) {
  struct run_argument arguments[RUN_MAX_ARGUMENTS] = {0};
  struct text source = {0};
  tile_status status = file_read(options->run.input, &source);
  for (size_t i = 0; i < options->run.spec_count && !status; i++)
    status = run_argument_parse(options->run.specs[i], options->run.data_seed, &arguments[i]);
  if (!status)
    status = mutate_source(options, &source, arguments);
  for (size_t i = 0; i < options->run.spec_count; i++)
    run_argument_destroy(&arguments[i]);
  text_free(&source);
  return status;
}

static tile_status run_tool(int argc, char **argv) {
  struct options options = {
      .run = {.compile = tile_compile_options_default(), .device = "emulator"},
      .seeds = 3,
      .every = 1};
  size_t count = sizeof flags / sizeof *flags;
  TRY(command_line_parse(argc, argv, flags, count, on_flag, on_positional, &options));
  if (options.run.help) {
    puts("usage: mutate FILE --grid X[,Y[,Z]] --arg NAME=SPEC ... [flags]\n"
         "Drops one barrier, wait or fence of a kernel at a time and runs what is left.\n");
    command_line_print_flags(flags, count);
    return NULL;
  }
  if (!options.run.input || !options.run.has_grid)
    return FAIL(TILE_INVALID_ARGUMENT, "a kernel file and --grid are needed; see --help");
  return mutate_file(&options);
}

int main(int argc, char **argv) {
  return report_status("mutate", run_tool(argc, argv));
}
