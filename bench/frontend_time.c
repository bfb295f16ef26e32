/* SPDX-License-Identifier: MIT */
/* frontend_time: the front end alone, from text to tile IR, in one process.

     frontend_time [--lines N] [--dense] [--runs N] [--limit-ms MS] [--limit-mb MB]
     frontend_time [-I DIR] FILE KERNEL SIGNATURE [...]

   Without a file, one of N lines (1000) is made up: a kernel of loads, arithmetic on tiles, loops,
   branches and calls of a helper in half of them, comments and host code in the others; with
   --dense all is kernel, six operations a line. Prints the size, the median processor time of
   reading (lexer, parser, index) and of all of it, and how much the largest resident set grows by
   the first import. A FILE is imported with its package; what finding, reading and parsing the
   other files takes is printed too. Exit code 1 when an import fails or a limit is passed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "base/files.h"
#include "base/status.h"
#include "driver/command_line.h"
#include "driver/import_files.h"
#include "frontend/import/import.h"
#include "frontend/module.h"

enum { MAX_RUNS = 1000, MAX_FILES = 64 };

struct settings {
  long lines, runs;
  double limit_ms, limit_mb;
  const char *file;
  bool dense;
  struct import_options import;
  const char *folder; /* -I */
  char *others[MAX_FILES];
  size_t other_count;
};

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static long peak_kilobytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *times, long count) {
  qsort(times, (size_t)count, sizeof *times, compare);
  return times[count / 2];
}

/* --- A long kernel ---------------------------------------------------------------------------- */

/* Nine lines of host code. */
static void make_host_code(long i, struct text *out) {
  text_printf(
      out,
      "\n\ndef launch%ld(x: torch.Tensor, *, out: torch.Tensor = None):\n"
      "    # Allocates the output, then launches enough programs for all elements.\n"
      "    y = torch.empty_like(x) if out is None else out\n"
      "    assert x.is_contiguous() and x.shape == y.shape, f\"shapes {x.shape}, {y.shape}\"\n"
      "    grid = lambda meta: (triton.cdiv(x.numel(), meta[\"BLOCK\"]), 1, 1)\n"
      "    long_kernel[grid](x, y, x.numel(), x.stride(0), FLAG=True, BLOCK=256, num_warps=4)\n"
      "    return y, {\"name\": \"launch%ld\", \"sizes\": [n for n in x.shape]}\n",
      i, i);
}

static void make_file(long lines, bool dense, struct text *out) {
  text_puts(out,
            "import torch\nimport triton\nimport triton.language as tl\n\n\n"
            "@triton.jit\ndef scale(x, factor):\n    return x * factor + 1.0\n\n\n"
            "@triton.jit\n"
            "def long_kernel(x_ptr, y_ptr, n, stride, FLAG: tl.constexpr, BLOCK: tl.constexpr):\n"
            "    pid = tl.program_id(0)\n    offs = pid * BLOCK + tl.arange(0, BLOCK)\n"
            "    mask = offs < n\n    acc = tl.zeros((BLOCK,), dtype=tl.float32)\n");
  long parts = (lines - 17) / (dense ? 9 : 18);
  for (long i = 0; i < parts; i++)
    text_printf(out,
                "    # part %ld: a block of the input, scaled and added up\n"
                "    x%ld = tl.load(x_ptr + offs + %ld * stride, mask=mask, other=0.0)\n"
                "    if FLAG:\n"
                "        x%ld = tl.where(x%ld > 0, x%ld, 0.01 * x%ld)\n"
                "    for i in range(0, n, BLOCK):\n"
                "        acc += scale(x%ld, 0.5) * tl.exp(-acc)\n"
                "    limit = tl.minimum(n + %ld, stride * 2 - (pid + 3) %% 7)\n"
                "    acc = acc / (1.0 + tl.abs(acc)) - limit\n"
                "    tl.store(y_ptr + offs + %ld * stride, acc, mask=mask & (offs < limit))\n",
                i, i, i, i, i, i, i, i, i, i);
  text_puts(out, "    tl.store(y_ptr + offs, acc, mask=mask)\n");
  for (long i = 0; i < parts && !dense; i++)
    make_host_code(i, out);
}

/* --- Measuring -------------------------------------------------------------------------------- */

static tile_status read_once(const char *name, const struct text *source) {
  struct module module;
  bool good = module_read(&module, name, text_string(source), source->length);
  module_free(&module);
  return good ? NULL : FAIL(TILE_INVALID_ARGUMENT, "'%s' has errors", name);
}

static tile_status import_once(struct session *session, const char *name, const struct text *source,
                               const struct settings *settings) {
  MlirModule module;
  struct import_options options = settings->import;
  struct import_files files = {0};
  if (settings->file)
    options.packages =
        import_files_options(&files, name, &settings->folder, settings->folder ? 1 : 0);
  tile_status status =
      import_kernel(session, name, text_string(source), source->length, &options, &module);
  import_files_free(&files);
  if (!status)
    mlirModuleDestroy(module);
  return status;
}

static void keep_other(const char *file, void *data) {
  struct settings *settings = data;
  if (strcmp(file, settings->file) != 0 && settings->other_count < MAX_FILES)
    settings->others[settings->other_count++] = strdup(file);
}

/* From disk to tree, all files that the kernel's imports from. */
static tile_status read_others(const struct settings *settings) {
  for (size_t i = 0; i < settings->other_count; i++) {
    struct text text = {0};
    struct module module;
    TRY(file_read(settings->others[i], &text));
    module_read(&module, settings->others[i], text_string(&text), text.length);
    module_free(&module);
    text_free(&text);
  }
  return NULL;
}

/* The medians in milliseconds, and the growth of the first import in megabytes. */
static tile_status measure(struct settings *settings, const struct text *source, double *read_ms,
                           double *import_ms, double *others_ms, double *megabytes) {
  static double reads[MAX_RUNS], imports[MAX_RUNS], others[MAX_RUNS];
  const char *name = settings->file ? settings->file : "long_kernel.py";
  struct session session;
  TRY(session_create(&session));
  long before = peak_kilobytes();
  if (settings->file) {
    settings->import.visit_file = keep_other;
    settings->import.visit_data = settings;
  }
  tile_status status = import_once(&session, name, source, settings);
  settings->import.visit_file = NULL;
  *megabytes = (double)(peak_kilobytes() - before) / 1024;
  for (long i = 0; i < settings->runs && !status; i++) {
    double start = now_ms();
    status = read_once(name, source);
    double middle = now_ms();
    if (!status)
      status = import_once(&session, name, source, settings);
    reads[i] = middle - start;
    imports[i] = now_ms() - middle;
    start = now_ms();
    if (!status)
      status = read_others(settings);
    others[i] = now_ms() - start;
  }
  session_destroy(&session);
  TRY(status);
  *read_ms = median(reads, settings->runs);
  *import_ms = median(imports, settings->runs);
  *others_ms = median(others, settings->runs);
  return NULL;
}

static tile_status run(struct settings *settings) {
  struct text source = {0};
  double read_ms = 0, import_ms = 0, others_ms = 0, megabytes = 0;
  if (settings->file)
    TRY(file_read(settings->file, &source));
  else
    make_file(settings->lines, settings->dense, &source);
  tile_status status = measure(settings, &source, &read_ms, &import_ms, &others_ms, &megabytes);
  size_t lines = 0;
  for (size_t i = 0; i < source.length; i++)
    lines += source.data[i] == '\n';
  text_free(&source);
  TRY(status);
  printf("%zu lines: read %.2f ms, import %.2f ms, %.1f MB\n", lines, read_ms, import_ms,
         megabytes);
  if (settings->other_count)
    printf("%zu other files: read %.2f ms\n", settings->other_count, others_ms);
  for (size_t i = 0; i < settings->other_count; i++)
    free(settings->others[i]);
  if ((settings->limit_ms > 0 && import_ms > settings->limit_ms) ||
      (settings->limit_mb > 0 && megabytes > settings->limit_mb))
    return FAIL(TILE_INVALID_ARGUMENT, "over the limit of %g ms and %g MB", settings->limit_ms,
                settings->limit_mb);
  return NULL;
}

int main(int argc, char **argv) {
  struct settings settings = {
      .lines = 1000,
      .runs = 50,
      .import = {.kernel = "long_kernel", .signature = "*fp32:16, *fp32:16, i32, i32, True, 256"}};
  for (int i = 1; i < argc; i++) {
    double *limit = strcmp(argv[i], "--limit-ms") == 0   ? &settings.limit_ms
                    : strcmp(argv[i], "--limit-mb") == 0 ? &settings.limit_mb
                                                         : NULL;
    long *count = strcmp(argv[i], "--lines") == 0  ? &settings.lines
                  : strcmp(argv[i], "--runs") == 0 ? &settings.runs
                                                   : NULL;
    if (strcmp(argv[i], "--dense") == 0) {
      settings.dense = true;
    } else if (limit && i + 1 < argc) {
      *limit = atof(argv[++i]);
    } else if (count && i + 1 < argc) {
      *count = atol(argv[++i]);
    } else if (strcmp(argv[i], "-I") == 0 && i + 1 < argc) {
      settings.folder = argv[++i];
    } else if (!settings.file && i + 2 < argc) {
      settings.file = argv[i];
      settings.import.kernel = argv[++i];
      settings.import.signature = argv[++i];
    } else {
      fprintf(
          stderr,
          "usage: frontend_time [--lines N] [--dense] [--runs N] [--limit-ms MS] [--limit-mb MB] "
          "[-I DIR] [FILE KERNEL SIGNATURE]\n");
      return 2;
    }
  }
  if (settings.runs < 1 || settings.runs > MAX_RUNS)
    settings.runs = MAX_RUNS;
  return report_status("frontend_time", run(&settings));
}
