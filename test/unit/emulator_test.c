/* The emulator: what runs, what is checked, what a report says. Kernels are LLVM IR in host form. */
#include "emulator_fixture.h"

/* for i = block * threads + thread: if (i < n) out[i] = x[i] + y[i] */
static const char add_text[] =
    "declare i32 @tile_emu_thread_index(ptr)\n"
    "declare i32 @tile_emu_block_index(ptr, i32)\n"
    "declare ptr @tile_emu_global(ptr, ptr, i32, i32, i32, i32, ptr)\n"
    "@l0 = private constant [10 x i8] c\"add.py:3:5\"\n"
    "@l1 = private constant [11 x i8] c\"add.py:5:5\\00\"\n"
    "define void @add(ptr %t, ptr %args) {\n"
    "  %a0 = load ptr, ptr %args\n"
    "  %p1 = getelementptr ptr, ptr %args, i32 1\n"
    "  %a1 = load ptr, ptr %p1\n"
    "  %p2 = getelementptr ptr, ptr %args, i32 2\n"
    "  %a2 = load ptr, ptr %p2\n"
    "  %p3 = getelementptr ptr, ptr %args, i32 3\n"
    "  %a3 = load ptr, ptr %p3\n"
    "  %x = load ptr addrspace(1), ptr %a0\n"
    "  %y = load ptr addrspace(1), ptr %a1\n"
    "  %o = load ptr addrspace(1), ptr %a2\n"
    "  %n = load i32, ptr %a3\n"
    "  %tid = call i32 @tile_emu_thread_index(ptr %t)\n"
    "  %bid = call i32 @tile_emu_block_index(ptr %t, i32 0)\n"
    "  %b = mul i32 %bid, 64\n"
    "  %i = add i32 %b, %tid\n"
    "  %m = icmp slt i32 %i, %n\n"
    "  %pred = zext i1 %m to i32\n"
    "  %xi = getelementptr float, ptr addrspace(1) %x, i32 %i\n"
    "  %yi = getelementptr float, ptr addrspace(1) %y, i32 %i\n"
    "  %oi = getelementptr float, ptr addrspace(1) %o, i32 %i\n"
    "  %xc = addrspacecast ptr addrspace(1) %xi to ptr\n"
    "  %yc = addrspacecast ptr addrspace(1) %yi to ptr\n"
    "  %oc = addrspacecast ptr addrspace(1) %oi to ptr\n"
    "  %xs = call ptr @tile_emu_global(ptr %t, ptr %xc, i32 4, i32 4, i32 0, i32 %pred, ptr @l1)\n"
    "  %xv = load float, ptr %xs\n"
    "  %ys = call ptr @tile_emu_global(ptr %t, ptr %yc, i32 4, i32 4, i32 0, i32 %pred, ptr @l1)\n"
    "  %yv = load float, ptr %ys\n"
    "  %s = fadd float %xv, %yv\n"
    "  %os = call ptr @tile_emu_global(ptr %t, ptr %oc, i32 4, i32 4, i32 1, i32 %pred, ptr @l1)\n"
    "  store float %s, ptr %os\n"
    "  ret void\n"
    "}\n";

static void adds(void) {
  tile_emulator_program *program = make_program(add_text, "add", 4);
  enum { N = 1000 };
  static float x[N], y[N], out[N];
  for (int i = 0; i < N; i++)
    x[i] = (float)i, y[i] = 2.0f * (float)i;
  tile_emulator_buffer buffers[] = {{.name = "x", .base = x, .bytes = sizeof x},
                                    {.name = "y", .base = y, .bytes = sizeof y},
                                    {.name = "out", .base = out, .bytes = sizeof out}};
  float *px = x, *py = y, *po = out;
  int n = N;
  void *arguments[] = {&px, &py, &po, &n};
  for (uint64_t seed = 0; seed < 5; seed++) {
    memset(out, 0, sizeof out);
    n = seed == 4 ? N + 3 : N;
    tile_emulator_report *report;
    tile_status status = tile_emulator_launch(
        program, "add",
        &(tile_emulator_launch_options){.grid = {16, 1, 1}, .threads = 64, .seed = seed, .check = seed & 1,
          .buffers = buffers, .buffer_count = 3, .arguments = arguments, .argument_count = 4}, &report);
    printf("%s\n", tile_status_message(status));
    for (size_t i = 0; i < tile_emulator_report_count(report); i++)
      puts(tile_emulator_report_hazard(report, i)->text);
    tile_emulator_report_free(report);
    tile_status_free(status);
    int wrong = 0;
    for (int i = 0; i < N; i++)
      wrong += out[i] != 3.0f * (float)i;
    CHECK_EQUAL(wrong, 0);
  }
  tile_emulator_program_destroy(program);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"adds", adds});
}
