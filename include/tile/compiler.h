/* SPDX-License-Identifier: MIT */
/* Compiling tile kernels from a C program.

       tile_compiler *compiler;
       tile_status status = tile_compiler_create(&compiler);
       tile_compile_options options = tile_compile_options_default();
       tile_blob ptx;
       if (!status)
         status = tile_compile(compiler, "add.mlir", text, length, &options, TILE_OUTPUT_PTX, &ptx);

   A compiler serves one thread at a time; any number of them may exist. The same input gives the
   same bytes on every run. Diagnostics with source places go to standard error, or to a handler;
   the first error is in the status's message, too. */
#ifndef TILE_COMPILER_H
#define TILE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/cache.h"
#include "tile/emulator_device.h"
#include "tile/image.h"
#include "tile/runtime.h"
#include "tile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tile_compiler tile_compiler;

/* libtile's build id, as in tile/version.h; static. What it compiles may differ where this does. */
TILE_EXPORT const char *tile_compiler_build_id(void);
/* LLVM's version, "22.1.0", of the library that runs; static. */
TILE_EXPORT const char *tile_llvm_version(void);

typedef enum tile_choice { TILE_CHOICE_DEFAULT, TILE_CHOICE_YES, TILE_CHOICE_NO } tile_choice;

/* programs_per_block: as many as make four warps, which fill a multiprocessor's blocks. */
#define TILE_FILL_BLOCK (-1)

/* Begin with tile_compile_options_default(): not everything may be zero. */
typedef struct tile_compile_options {
  const char *target;      /* "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a" */
  int num_warps;           /* warps per program, a power of two from 1 to 32; 0: the module's
                              tile.num_warps, which a chosen configuration sets, else 4 */
  tile_choice fewer_warps; /* fewer warps than that where the tiles are too small for them
                              (docs/decisions/0018); tile_kernel_info.num_warps says how many there
                              are. By default tile_compile_for_device and tile_compile_to_c do so
                              for GPUs, and nobody else */
  int num_stages;          /* iterations of a loop that are in progress at one time, 1 to 16, for
                              loops of matrix products and others that load (docs/pipelining.md);
                              0: the module's tile.num_stages, else 3 */
  int programs_per_block;  /* several programs in one block of threads, at most so many, for kernels
                              whose threads do not meet in the block; a power of two or
                              TILE_FILL_BLOCK. 0: one, but for tile_compile_for_device and
                              tile_compile_to_c, which fill a GPU's blocks. See
                              tile_kernel_info.programs_per_block for what a launch of one's own has
                              to do */
  tile_choice low_occupancy; /* kernels with matrix products get a second version with more stages,
                                for launches that leave multiprocessors half empty
                                (docs/decisions/0020). By default tile_compile_for_device and
                                tile_compile_to_c do so for GPUs, and nobody else. tile_launch
                                chooses; a launch of one's own may, see TILE_CONDITION_FEW_BLOCKS */
  bool line_tables;          /* .loc lines in PTX; does not turn ptxas's optimiser off */
  int optimization_level; /* LLVM's: 1 is the light pipeline (default), 3 is O3 without unrolling */
  bool no_fma;            /* round every product by itself instead of fusing it with a sum */
  tile_choice tensor_maps; /* kernels whose products read blocks of tensors through descriptors get
                              a second version, which the copy engine brings them, on targets that
                              have one; it takes tensor maps that tile_launch makes (tile/image.h).
                              By default they do. A launch of one's own takes the plain version,
                              which has the kernel's name */
  tile_choice pairs;       /* in versions with tensor maps that take programs in turn the blocks of
                              two neighbouring programs form a cluster, and bring one another halves
                              of what both read (docs/decisions/0030). By default a version of its
                              own does, for launches with a tensor whose rows begin inside of cache
                              lines */
} tile_compile_options;

/* sm_90a, the module's number of warps or else 4, its number of stages or else 3, no line tables,
   light pipeline. */
TILE_EXPORT tile_compile_options tile_compile_options_default(void);

typedef enum tile_output {
  TILE_OUTPUT_LLVMIR,
  TILE_OUTPUT_PTX,
  TILE_OUTPUT_CUBIN,
  TILE_OUTPUT_EMULATOR /* an image (tile/image.h) with a program for the emulator on this
                          architecture; on x86-64 alone */
} tile_output;

/* Bytes owned by the caller: free(data). Text has a zero after it that `size` does not count. */
typedef struct tile_blob {
  char *data;
  size_t size;
} tile_blob;

/* What a diagnostic handler gets. `severity` is "error", "warning", "remark" or "note"; file is ""
   when the place is unknown; line and column count from 1. Borrowed during the call. */
typedef struct tile_diagnostic {
  const char *severity, *file, *message;
  unsigned line, column;
} tile_diagnostic;
typedef void tile_diagnostic_handler(const tile_diagnostic *diagnostic, void *data);

TILE_RESULT tile_status tile_compiler_create(tile_compiler **out);
TILE_EXPORT void tile_compiler_destroy(tile_compiler *compiler);
/* Sends diagnostics to `handler` with `data`; NULL goes back to standard error. */
TILE_EXPORT void tile_compiler_on_diagnostic(tile_compiler *compiler,
                                             tile_diagnostic_handler *handler, void *data);

/* From now on the compiler looks for what it is asked for in `cache` (tile/cache.h), and keeps
   there what it had to make: what tile_import_triton, tile_compile, tile_compile_kernels,
   tile_compile_for_device and tile_compile_to_c give, but for the emulator's programs. NULL: in
   none, as it begins. The cache may be closed before the compiler is destroyed. */
TILE_RESULT tile_status tile_compiler_use_cache(tile_compiler *compiler, tile_cache *cache);

/* Compiles a module of kernels (MLIR text in the tile dialect, or bytecode), called `name` in
   diagnostics. After PTX and cubins stands the kernels' metadata, see tile/image.h. `out` is filled
   on success only.
   Errors: TILE_INVALID_ARGUMENT for a wrong kernel or option (diagnostics say where),
   TILE_NOT_FOUND and TILE_EXTERNAL_TOOL for ptxas, TILE_UNSUPPORTED for what LLVM cannot select. */
TILE_RESULT tile_status tile_compile(tile_compiler *compiler, const char *name, const char *text,
                                     size_t length, const tile_compile_options *options,
                                     tile_output output, tile_blob *out);

/* Compiles to an image: code together with what a launch must know of each kernel. The caller ends
   it with tile_image_free. The image loads on any number of devices (tile_module_load), also in
   other processes (tile_image_write). Errors as for tile_compile. */
TILE_RESULT tile_status tile_compile_kernels(tile_compiler *compiler, const char *name,
                                             const char *text, size_t length,
                                             const tile_compile_options *options,
                                             tile_image_format format, tile_image **out);

/* Compiles for the device at hand, GPU or emulator, and loads the module. A GPU has its own target,
   whatever options->target says (tile_compile_kernels and tile_module_load run code of an older one
   on it); the emulator runs the code of any, so that there it is the options' one. Errors: those of
   tile_compile and of tile_module_load. */
TILE_RESULT tile_status tile_compile_for_device(tile_compiler *compiler, const char *name,
                                                const char *text, size_t length,
                                                const tile_compile_options *options,
                                                tile_device *device, tile_module **out);

/* Compiles the same for the emulator: the lowered program of one thread, ready to launch. The
   program (tile_emulator_program_destroy) is independent of the compiler. */
TILE_RESULT tile_status tile_compile_for_emulator(tile_compiler *compiler, const char *name,
                                                  const char *text, size_t length,
                                                  const tile_compile_options *options,
                                                  tile_emulator_program **out);

/* --- Kernels in the Triton language
   ------------------------------------------------------------------

       const char *constants[] = {"ACTIVATION=None"};
       tile_import_options import = {.kernel = "matmul_kernel", .signature = "*fp16:16, ...",
                                     .constants = constants, .constant_count = 1, .config = "0",
                                     .target = "sm_90a"};
       tile_configurations *list;
       status = tile_configurations_create(compiler, "k.py", text, length, &import, &list);
       for (size_t i = 0; !status && i < tile_configurations_count(list); i++)
         ... tile_configurations_get(list, i)->num_warps ...
       tile_blob mlir;
       status = tile_import_triton(compiler, "k.py", text, length, &import, &mlir);
       status = tile_compile(compiler, "k.py", mlir.data, mlir.size, &options, ...);              */

/* The content of the file `path`, which an import statement of a kernel's file leads to: true, and
   the text, borrowed until the call that reads ends; false when there is no such file. Paths are
   made from the kernel file's name and the import folders: "pkg/ops/utils.py". */
typedef bool tile_read_source(void *data, const char *path, const char **out_text,
                              size_t *out_length);

/* What to make of a kernel file. All members are borrowed during the call; zero is "not given". */
typedef struct tile_import_options {
  const char *kernel; /* NULL: the only one of the file */
  /* "*fp32:16, i32, 1024", see docs/language.md. The parts of tuples and descriptors are parameters
     of their own, named "t.0" and "desc.base". */
  const char *signature;
  const char *const *constants; /* "NAME=VALUE", for parameters that the signature leaves out */
  size_t constant_count;
  const char *config;                 /* the number of a configuration of @triton.autotune */
  const char *const *argument_values; /* "NAME=VALUE" of run-time arguments, for heuristics */
  size_t argument_value_count;
  const char *target; /* "sm_90a": what the file's host code asks of its device; NULL: not known */
  /* Other files (docs/language.md, "Imports"). With neither of these, none is read, not even those
     beside the kernel's file; one folder will do for these, "". */
  tile_read_source *read_source; /* NULL: files on disk, if there are import folders */
  void *read_data;
  const char *const *import_folders; /* where packages begin; "" is the current folder */
  size_t import_folder_count;
} tile_import_options;

/* Reads a kernel file in the Triton language and writes the kernel as a module of the tile dialect,
   as text that tile_compile and its like take. The configuration's number of warps goes with it
   (tile_compile_options, num_warps = 0). Errors: TILE_INVALID_ARGUMENT for a wrong kernel or option
   (diagnostics say where), TILE_NOT_FOUND for a kernel that the file does not have. */
TILE_RESULT tile_status tile_import_triton(tile_compiler *compiler, const char *name,
                                           const char *text, size_t length,
                                           const tile_import_options *options, tile_blob *out);

typedef enum tile_constant_kind {
  TILE_CONSTANT_NONE,
  TILE_CONSTANT_BOOL,
  TILE_CONSTANT_INTEGER,
  TILE_CONSTANT_FLOAT,
  TILE_CONSTANT_STRING,
  TILE_CONSTANT_TYPE,
  TILE_CONSTANT_OTHER /* a list, ...: `text` only */
} tile_constant_kind;

/* A compile-time parameter with its value. */
typedef struct tile_constant {
  const char *name;
  tile_constant_kind kind;
  int64_t integer;  /* TILE_CONSTANT_INTEGER; TILE_CONSTANT_BOOL: 0 or 1 */
  double number;    /* TILE_CONSTANT_FLOAT */
  const char *text; /* as Python writes it: "64", "True", "'ieee'", "tl.float16" */
} tile_constant;

/* One triton.Config of a kernel's @triton.autotune. */
typedef struct tile_configuration {
  const tile_constant *constants;
  size_t constant_count;
  int num_warps, num_stages, num_ctas;
  int max_registers;    /* per thread; 0: not limited */
  const char *pre_hook; /* the source text of the function that runs before a launch, or NULL */
} tile_configuration;

/* What the decorators of one kernel say. It owns everything that the functions below return, and
   needs neither the compiler nor the text after it was made. Threads: any number may read it. */
typedef struct tile_configurations tile_configurations;

/* Lists of names in it. */
typedef enum tile_configuration_names {
  TILE_NAMES_KEY,           /* arguments that a change of which calls for tuning anew */
  TILE_NAMES_RESET_TO_ZERO, /* buffers to be zeroed before each timed run */
  TILE_NAMES_RESTORE_VALUE, /* buffers to be put back after each timed run */
  TILE_NAMES_PRUNE,         /* "early_config_prune = NAME", ...: as written */
  TILE_NAMES_HEURISTICS,    /* what @triton.heuristics computes */
  TILE_NAMES_SETTINGS       /* "warmup = 10", ...: all else that @triton.autotune is given, as
                               written */
} tile_configuration_names;

/* What @triton.autotune says of how to measure. Functions are not run: they are their source text,
   or NULL. */
typedef struct tile_tuning_settings {
  double warmup, rep; /* milliseconds; -1: not given, or known at run time only */
  bool use_cuda_graph, cache_results;
  const char *do_bench, *pre_hook, *post_hook;
} tile_tuning_settings;

/* Reads the decorators of options->kernel. Of the other options, the target and those for other
   files are used, and, for prune_configs_by, the signature, constants and argument_values as far as
   they are given. A kernel without decorators has no configurations. Errors: as tile_import_triton,
   for wrong decorators. */
TILE_RESULT tile_status tile_configurations_create(tile_compiler *compiler, const char *name,
                                                   const char *text, size_t length,
                                                   const tile_import_options *options,
                                                   tile_configurations **out);
TILE_EXPORT void tile_configurations_destroy(tile_configurations *list);
/* The kernel's name. */
TILE_EXPORT const char *tile_configurations_kernel(const tile_configurations *list);
TILE_EXPORT size_t tile_configurations_count(const tile_configurations *list);
/* NULL when there is no configuration of that number. */
TILE_EXPORT const tile_configuration *tile_configurations_get(const tile_configurations *list,
                                                              size_t index);
/* NULL when all is known; else why the configurations cannot be told from the file alone, with the
   place: "k.py:7:12: it calls ...". The count is 0 then. */
TILE_EXPORT const char *tile_configurations_computed(const tile_configurations *list);
/* What prune_configs_by leaves for the arguments in the options, in the order in which they are to
   be tried; without pruning, all. *out_number, which may be NULL, is the number for
   tile_configurations_get, or -1: a pruning function made this one. NULL when there is none of that
   index. */
TILE_EXPORT size_t tile_configurations_left_count(const tile_configurations *list);
TILE_EXPORT const tile_configuration *tile_configurations_left(const tile_configurations *list,
                                                               size_t index, int64_t *out_number);
/* NULL, or which functions of prune_configs_by were not carried out, with place and reason; they
   leave what there was. */
TILE_EXPORT const char *tile_configurations_pruning_note(const tile_configurations *list);
TILE_EXPORT const tile_tuning_settings *
tile_configurations_settings(const tile_configurations *list);
TILE_EXPORT size_t tile_configurations_name_count(const tile_configurations *list,
                                                  tile_configuration_names which);
/* NULL when there is no name of that index. */
TILE_EXPORT const char *tile_configurations_name(const tile_configurations *list,
                                                 tile_configuration_names which, size_t index);

/* --- Ahead-of-time C
   --------------------------------------------------------------------------------- What
   tile-translate --tile-to-c writes (docs/ahead-of-time.md). */

/* One way to compile the kernel. Zero is "not given"; all borrowed during the call. */
typedef struct tile_c_variant {
  const tile_import_options *import;   /* of text in the Triton language; NULL: it is a module
                                          (MLIR). The target is not used */
  const tile_compile_options *options; /* NULL: tile_compile_options_default(), with what
                                          tile_compile_for_device does on a GPU in place of
                                          TILE_CHOICE_DEFAULT and 0. The target is not used */
  const char *when;                    /* "n <= 1024 and m % 16 == 0" */
} tile_c_variant;

typedef struct tile_c_options {
  const char *name; /* of the files, without .h and .c; the source includes the part after the last
                       '/' */
  const char *const *function_names; /* "KERNEL=NAME", or "NAME" for the only kernel; else the
                                        kernels' names */
  size_t function_name_count;
  const char *grid;           /* "cdiv(n, BLOCK)"; NULL: launches say it */
  const char *const *targets; /* none: sm_90a */
  size_t target_count;
  unsigned formats;               /* bits 1 << tile_image_format of what is embedded: PTX, CUBIN,
                                     OBJECT; 0: PTX */
  const tile_c_variant *variants; /* in the order in which a launch tries them; none: a module,
                                     with all defaults */
  size_t variant_count;
  const char *tuned;        /* path of a database of tuning results ("": the default one):
                               every variant becomes one for each winner, chosen by the
                               values of the arguments (docs/ahead-of-time.md). NULL: not
                               used */
  const char *tuned_device; /* winners of this device, a pattern as a shell's; NULL: of the
                               one that the target fits */
} tile_c_options;

/* Compiles a kernel file, called `name` in diagnostics, and gives the text of a header and of a
   source; both are owned by the caller. Errors: those of tile_import_triton, tile_compile and
   tile_image_join; TILE_INVALID_ARGUMENT for names, a grid or a condition that cannot be used;
   TILE_NOT_FOUND for a kernel without winners, and those of the database. */
TILE_RESULT tile_status tile_compile_to_c(tile_compiler *compiler, const char *name,
                                          const char *text, size_t length,
                                          const tile_c_options *options, tile_blob *out_header,
                                          tile_blob *out_source);

/* --- The kernels of a file -------------------------------------------------------------------- */

/* A parameter as the file has it. */
typedef struct tile_source_parameter {
  const char *name;
  const char *annotation;    /* as written: "tl.constexpr"; NULL: none */
  const char *default_value; /* as written: "1e-5"; NULL: none */
  bool is_constexpr;         /* a compile-time parameter */
} tile_source_parameter;

typedef struct tile_source_kernel {
  const char *name; /* what tile_import_options.kernel takes: "add_kernel", "Class.run" */
  unsigned line;    /* of its definition, from 1 */
  const tile_source_parameter *parameters;
  size_t parameter_count;
  bool tuned, has_heuristics; /* tile_configurations_create says more */
} tile_source_kernel;

/* It owns everything that the functions below return, and needs neither the compiler nor the text
   after it was made. Threads: any number may read it. */
typedef struct tile_source_kernels tile_source_kernels;

/* Lists the kernels of a file in the Triton language, in its order; nothing is compiled, and no
   other file is read. A file without kernels has none. Errors: TILE_INVALID_ARGUMENT for a kernel
   that cannot be read (diagnostics say where). */
TILE_RESULT tile_status tile_source_kernels_create(tile_compiler *compiler, const char *name,
                                                   const char *text, size_t length,
                                                   tile_source_kernels **out);
TILE_EXPORT void tile_source_kernels_destroy(tile_source_kernels *list);
TILE_EXPORT size_t tile_source_kernels_count(const tile_source_kernels *list);
/* NULL when there is no kernel of that number. */
TILE_EXPORT const tile_source_kernel *tile_source_kernels_get(const tile_source_kernels *list,
                                                              size_t index);

#ifdef __cplusplus
}
#endif
#endif
