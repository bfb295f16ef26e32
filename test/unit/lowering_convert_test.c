/* SPDX-License-Identifier: MIT */
/* Random pairs of layouts on the emulator: a tensor is loaded in one, converted, and stored from
   the other, with races, uninitialised loads and bounds checked. The kernels are of the tile_gpu
   stage.

       lowering_convert_test                        the fixed set that CI runs
       lowering_convert_test --seed 7 --count 2000 */
#include <inttypes.h>
#include <llvm-c/Core.h>
#include <mlir-c/RegisterEverything.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdlib.h>
#include "base/text.h"
#include "check.h"
#include "emulator/compile/compile.h"
#include "ir/passes.h"
#include "layout_random.h"

enum { KERNELS = 20, MAX_ELEMENTS = 8192 };

static const struct {
  const char *name;
  int bytes;
} types[] = {{"i8", 1}, {"i16", 2}, {"f16", 2}, {"i32", 4}, {"f32", 4}, {"i64", 8}, {"f64", 8}};
enum { TYPES = sizeof types / sizeof *types };

/* One kernel of a module. */
struct pair {
  int type, total;
  bool within_warps; /* there, back and there again */
};

static struct linear_layout with_shape(const struct linear_layout *flat, const int64_t *shape,
                                       int rank) {
  struct layout_space space;
  tile_status_free(layout_space_from_shape(shape, rank, &space));
  return linear_layout_reshape(flat, &space);
}

static void put_layout(struct session *session, struct text *text, const char *name, int index,
                       const struct linear_layout *layout) {
  text_printf(text, "#%s%d = ", name, index);
  mlirAttributePrint(linear_attribute(&session->layouts, layout), print_to_text, text);
  text_puts(text, "\n");
}

static void put_pointers(struct text *text, const char *side, const char *argument, int count,
                         const char *type, int k) {
  text_printf(text,
              "  %%r%s = \"tile.range\"() {start = 0 : i32, end = %d : i32} : () -> tensor<%dxi32, "
              "#%sflat%d>\n",
              side, count, count, side, k);
  text_printf(
      text,
      "  %%s%s = \"tile.splat\"(%%%s) : (!tile.ptr<%s>) -> tensor<%dx!tile.ptr<%s>, #%sflat%d>\n",
      side, argument, type, count, type, side, k);
  text_printf(text,
              "  %%p%s = \"tile.addptr\"(%%s%s, %%r%s) : (tensor<%dx!tile.ptr<%s>, #%sflat%d>, "
              "tensor<%dxi32, #%sflat%d>) -> tensor<%dx!tile.ptr<%s>, #%sflat%d>\n",
              side, side, side, count, type, side, k, count, side, k, count, type, side, k);
}

static void put_kernel(struct text *text, const struct pair *pair, const char *shape, int k) {
  const char *t = types[pair->type].name;
  int count = 1 << pair->total;
  text_printf(
      text, "func.func @k%d(%%x: !tile.ptr<%s>, %%out: !tile.ptr<%s>) attributes {tile.kernel} {\n",
      k, t, t);
  put_pointers(text, "a", "x", count, t, k);
  put_pointers(text, "b", "out", count, t, k);
  text_printf(text,
              "  %%v = \"tile.load\"(%%pa) {operandSegmentSizes = array<i32: 1, 0, 0>} : "
              "(tensor<%dx!tile.ptr<%s>, #aflat%d>) -> tensor<%dx%s, #aflat%d>\n",
              count, t, k, count, t, k);
  text_printf(text,
              "  %%w = \"tile.reshape\"(%%v) : (tensor<%dx%s, #aflat%d>) -> tensor<%s%s, #a%d>\n",
              count, t, k, shape, t, k);
  const char *last = "w";
  if (pair->within_warps) {
    text_printf(
        text,
        "  %%w1 = \"tile_gpu.convert_layout\"(%%w) : (tensor<%s%s, #a%d>) -> tensor<%s%s, #b%d>\n"
        "  %%w2 = \"tile_gpu.convert_layout\"(%%w1) : (tensor<%s%s, #b%d>) -> tensor<%s%s, #a%d>\n",
        shape, t, k, shape, t, k, shape, t, k, shape, t, k);
    last = "w2";
  }
  text_printf(
      text,
      "  %%y = \"tile_gpu.convert_layout\"(%%%s) : (tensor<%s%s, #a%d>) -> tensor<%s%s, #b%d>\n",
      last, shape, t, k, shape, t, k);
  text_printf(text,
              "  %%z = \"tile.reshape\"(%%y) : (tensor<%s%s, #b%d>) -> tensor<%dx%s, #bflat%d>\n",
              shape, t, k, count, t, k);
  text_printf(text,
              "  \"tile.store\"(%%pb, %%z) : (tensor<%dx!tile.ptr<%s>, #bflat%d>, tensor<%dx%s, "
              "#bflat%d>) -> ()\n  return\n}\n",
              count, t, k, count, t, k);
}

/* The same elements in each warp, in other registers and lanes of it. */
static struct linear_layout mixed_within_warps(const struct linear_layout *layout, bool any) {
  struct linear_layout mixed = *layout;
  uint32_t own = (uint32_t)(layout->in.bits[LAYOUT_REGISTER] + layout->in.bits[LAYOUT_LANE]);
  for (int i = 0; i < 40 && own; i++) {
    uint32_t *a = &mixed.bases[random_below(own)], *b = &mixed.bases[random_below(own)], swap = *a;
    if (a == b || !*a || !*b)
      continue;
    *a = *b ^ (any ? swap : 0);
    *b = swap;
  }
  return mixed;
}

/* Layouts of single bits three times in four; of the same lanes, so that shuffles occur, now and
   then. */
static void make_pair(struct session *session, struct text *layouts, struct text *kernels,
                      struct pair *pair, int warp_bits, int k) {
  int64_t shape[3] = {1, 1, 1};
  int rank = 1 + (int)random_below(3);
  *pair = (struct pair){(int)random_below(TYPES), (int)random_below(warp_bits >= 2 ? 14 : 12),
                        random_below(3) == 0};
  for (int i = 0; i < pair->total; i++)
    shape[random_below((uint32_t)rank)] *= 2;
  bool any = random_below(4) == 0;
  struct linear_layout a = random_tensor_layout(pair->total, warp_bits, any), b;
  do
    b = random_tensor_layout(pair->total, warp_bits, any);
  while (!linear_layout_is_surjective(&b));
  while (!linear_layout_is_surjective(&a))
    a = random_tensor_layout(pair->total, warp_bits, any);
  if (pair->within_warps)
    b = mixed_within_warps(&a, any);
  struct linear_layout shaped_a = with_shape(&a, shape, rank),
                       shaped_b = with_shape(&b, shape, rank);
  put_layout(session, layouts, "aflat", k, &a);
  put_layout(session, layouts, "bflat", k, &b);
  put_layout(session, layouts, "a", k, &shaped_a);
  put_layout(session, layouts, "b", k, &shaped_b);
  struct text dims = {0};
  for (int i = 0; i < rank; i++)
    text_printf(&dims, "%lldx", (long long)shape[i]);
  put_kernel(kernels, pair, text_string(&dims), k);
  text_free(&dims);
}

/* Lowers and compiles; the kernels' names are "k0", "k1", ... */
static tile_emulator_program *compile(struct session *session, const struct text *text, int warps) {
  MlirModule module = session_parse(session, "convert.mlir", text->data, text->length);
  tile_emulator_program *program = NULL;
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module))
    return NULL;
  struct pipeline_options options = {.verify_each = true};
  tile_status status =
      pipeline_run(session,
                   "tile-verify,tile-gpu-to-llvm,tile-verify-lowered{device=emulator},"
                   "convert-to-emulator",
                   &options, module);
  if (!status) {
    struct emulator_kernel kernels[KERNELS];
    char names[KERNELS][16];
    uint32_t shared = 0;
    MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
    for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      if (attribute_number(op, ATTR_SHARED_BYTES, 0) > shared)
        shared = (uint32_t)attribute_number(op, ATTR_SHARED_BYTES, 0);
    for (int k = 0; k < KERNELS; k++) {
      snprintf(names[k], sizeof names[k], "k%d", k);
      kernels[k] = (struct emulator_kernel){names[k], 2, (uint32_t)warps * 32, shared};
    }
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef llvm = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), context);
    status = emulator_program_create(llvm, context, kernels, KERNELS, &program);
  }
  if (status)
    printf("%s\n", tile_status_message(status));
  CHECK(status == NULL);
  tile_status_free(status);
  mlirModuleDestroy(module);
  return program;
}

static bool run_pair(tile_emulator_program *program, const struct pair *pair, int k,
                     uint64_t seed) {
  static _Alignas(64) uint8_t x[MAX_ELEMENTS * 8], out[MAX_ELEMENTS * 8];
  size_t bytes = (size_t)types[pair->type].bytes << pair->total;
  for (size_t i = 0; i < bytes; i++)
    x[i] = (uint8_t)((i * 2654435761u >> 13) ^ i); /* elements differ */
  memset(out, 0xCB, bytes);
  char name[16];
  snprintf(name, sizeof name, "k%d", k);
  void *pointers[] = {x, out};
  tile_emulator_buffer buffers[] = {{.name = "x", .base = x, .bytes = bytes},
                                    {.name = "out", .base = out, .bytes = bytes}};
  void *arguments[] = {&pointers[0], &pointers[1]};
  tile_emulator_launch_options options = {.grid = {1, 1, 1},
                                          .seed = seed,
                                          .check = true,
                                          .buffers = buffers,
                                          .buffer_count = 2,
                                          .arguments = arguments,
                                          .argument_count = 2};
  tile_status status = tile_emulator_launch(program, name, &options, NULL);
  bool good = !status && memcmp(x, out, bytes) == 0;
  if (status)
    printf("%s\n", tile_status_message(status));
  tile_status_free(status);
  return good;
}

static struct { uint64_t seed, count; } arguments = {1, 200};

static bool test_module(struct session *session, uint64_t seed) {
  random_state_ = seed * 0x9E3779B97F4A7C15u + 1;
  struct pair pairs[KERNELS];
  struct text layouts = {0}, kernels = {0};
  int warp_bits = (int)random_below(4);
  for (int k = 0; k < KERNELS; k++)
    make_pair(session, &layouts, &kernels, &pairs[k], warp_bits, k);
  text_printf(&layouts, "module attributes {tile_gpu.num_warps = %d : i32} {\n", 1 << warp_bits);
  text_append(&layouts, kernels.data, kernels.length);
  text_puts(&layouts, "}\n");
  tile_emulator_program *program = compile(session, &layouts, 1 << warp_bits);
  bool good = program != NULL;
  for (int k = 0; k < KERNELS && good; k++) {
    good = run_pair(program, &pairs[k], k, seed);
    if (!good)
      printf("seed %" PRIu64 ", kernel k%d, %d warps\n%s\n", seed, k, 1 << warp_bits,
             text_string(&layouts));
  }
  tile_emulator_program_destroy(program);
  text_free(&layouts);
  text_free(&kernels);
  return good;
}

static void random_pairs(void) {
  for (uint64_t done = 0; done < arguments.count; done += KERNELS) {
    struct session session;
    tile_status status = session_create(&session);
    CHECK(status == NULL);
    if (status) {
      tile_status_free(status);
      return;
    }
    mlirRegisterAllLLVMTranslations(session.context);
    bool good = test_module(&session, arguments.seed + done / KERNELS);
    session_destroy(&session);
    CHECK(good);
    if (!good)
      break;
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], "--seed") == 0)
      arguments.seed = strtoull(argv[++i], NULL, 0);
    else if (strcmp(argv[i], "--count") == 0)
      arguments.count = strtoull(argv[++i], NULL, 0);
  }
  return RUN_TESTS(1, argv, {"random-pairs", random_pairs});
}
