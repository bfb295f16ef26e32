/* SPDX-License-Identifier: MIT */
/* Images: compiled kernels together with what a launch must know of them.

   The compiler makes images (tile_compile_kernels), tile_image_join makes one of several, a device
   loads them (tile_module_load). An image has sections, each with code for one target, and kernels.
   A kernel is a list of versions; each is a function of a section, with conditions under which it
   may be launched. tile_module_load keeps the versions that run on the device, tile_launch takes
   the first whose conditions hold.

   On disk an image is one file. With one section that is PTX or a cubin, and after it a block of
   comment lines with the metadata, which ptxas and the driver pass over
   (docs/decisions/0011-metadata-after-the-image.md):

       // tile.metadata 5
       // tile.section format=ptx target=sm_90a isa=8.0 driver=12000 check=9C0E5B1D73F2A680
       // tile.kernel name=add_kernel
       // tile.argument name=x kind=pointer type=f32 divisibility=16
       // tile.argument name=n kind=i32 type=i32 divisibility=1
       // tile.version section=0 symbol=add_kernel warps=4 threads=128 shared=0 programs=1
           and of a cubin registers=24 local=0 spills=0, of a kernel with @triton.autotune config=2
       // tile.constant name=BLOCK value=1024                    a compile-time parameter of this
   version
       // tile.condition kind=divisible argument=1 value=16      when this version may be launched
       // tile.map base=0 type=f16 sizes=1*5,1*4 strides=2*7 box=64,128 swizzle=128 outside=zero
           a tensor map that a launch makes of arguments, see tile_tensor_map
       // tile.end bytes=436 check=5B03E8F0D1C2A497

   The section's checksum is that of the code. A cubin with another one is refused; PTX is text,
   which may be changed by hand and is read all the same, and tile-image verify tells.

   With several sections it is a container: a header, the sections, and the same lines at the end,
   which say where each section lies and what its checksum is
   (docs/decisions/0024-versions-and-containers.md). The last line says how many bytes of metadata
   stand before it, and their checksum. A program that links libtile_runtime alone has all it needs
   in the file.

   Threads: an image is plain data that nothing changes; any number of threads may read it. */
#ifndef TILE_IMAGE_H
#define TILE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a kernel takes in one place. Integers carry no sign: i32 stands for both. */
typedef enum tile_argument_kind {
  TILE_ARGUMENT_POINTER, /* the address of device memory */
  TILE_ARGUMENT_I1,      /* one byte, 0 or 1 */
  TILE_ARGUMENT_I8,
  TILE_ARGUMENT_I16,
  TILE_ARGUMENT_I32,
  TILE_ARGUMENT_I64,
  TILE_ARGUMENT_F16,
  TILE_ARGUMENT_BF16,
  TILE_ARGUMENT_F32,
  TILE_ARGUMENT_F64
} tile_argument_kind;

/* Stable name of a kind: "pointer", "i32". */
TILE_EXPORT const char *tile_argument_kind_name(tile_argument_kind kind);
/* Bytes of an argument as it is passed; a pointer has 8. */
TILE_EXPORT uint32_t tile_argument_kind_bytes(tile_argument_kind kind);

typedef struct tile_parameter {
  const char *name; /* as in the kernel's source, or "" */
  const char *type; /* MLIR's name of the scalar's type, or of what the pointer points to: "f32" */
  tile_argument_kind kind;
  uint32_t divisibility; /* promised to the compiler: of the address in bytes, or of the integer;
                            1 without a promise */
} tile_parameter;

typedef enum tile_image_format {
  TILE_IMAGE_PTX,      /* text; a zero after it is not needed */
  TILE_IMAGE_CUBIN,    /* an ELF file */
  TILE_IMAGE_EMULATOR, /* `data` is a tile_emulator_program, `size` is not used */
  TILE_IMAGE_OBJECT    /* a program of the emulator as an object file, for the architecture that
                          `target` names: "x86-64" */
} tile_image_format;

/* Code for one target. Everything here and below is borrowed from the image, or from whoever fills
 * it in by hand. */
typedef struct tile_section {
  tile_image_format format;
  const char *target;  /* "sm_90a"; NULL and "" run on any device */
  const char *ptx_isa; /* "8.0"; NULL and "" when unknown. Of an emulator's object the toolkit's
                          version, which must be the same */
  int minimum_driver;  /* CUDA driver that it needs at least, 12000 for 12.0; 0: any */
  const void *data;    /* NULL in what tile_kernel_get_info gives: the driver has it */
  size_t size;
} tile_section;

/* What must hold of a launch. An argument that must be equal to something, or absent, is a
   compile-time constant of the version: callers pass it as any other, and tile_launch leaves it out
   of what it passes on. */
typedef enum tile_condition_kind {
  TILE_CONDITION_DIVISIBLE, /* the pointer's address or the integer, by `value`: a power of two */
  TILE_CONDITION_EQUAL, /* the scalar is `value`: an integer, signed in its kind (an i1 is 0 or 1),
                           or a float's bits */
  TILE_CONDITION_AT_MOST,    /* the integer, signed, is no more than `value` */
  TILE_CONDITION_ABSENT,     /* the pointer is null */
  TILE_CONDITION_FEW_BLOCKS, /* there are at most `value` blocks for each multiprocessor; `argument`
                                is not used */
  TILE_CONDITION_AT_LEAST,   /* the integer, signed, is no less than `value` */
  TILE_CONDITION_SPLIT_ROWS  /* a tensor map through which the version loads has a stride from row
                                to row that is no multiple of `value` bytes, a power of two;
                                `argument` is not used */
} tile_condition_kind;

/* Stable name of a kind: "divisible", "equal", "at-most", "absent", "few-blocks", "at-least",
   "split-rows". */
TILE_EXPORT const char *tile_condition_kind_name(tile_condition_kind kind);

typedef struct tile_condition {
  tile_condition_kind kind;
  uint32_t argument; /* of the kernel's parameters */
  int64_t value;
} tile_condition;

/* A compile-time parameter of a version, as the kernel's source has it: BLOCK = 1024, ACTIVATION =
 * 'relu'. */
typedef struct tile_named_constant {
  const char *name, *value;
} tile_named_constant;

/* A number that a launch computes: `factor` times the integers that it is passed for `arguments`,
   signed. */
#define TILE_PRODUCT_ARGUMENTS 7
typedef struct tile_product {
  int64_t factor; /* 0 or more */
  uint32_t argument_count;
  uint32_t arguments[TILE_PRODUCT_ARGUMENTS]; /* of the kernel's parameters, integers */
} tile_product;

/* A tensor map: what the copy engine of a GPU knows of a tensor in global memory, of which it
   brings blocks to shared memory (CUDA driver API, cuTensorMapEncodeTiled). tile_launch makes it of
   the launch's arguments and passes it as a parameter of its own, by value. Dimensions are numbered
   from the innermost one, whose elements are adjacent. A launch whose arguments make none takes
   another version (docs/runtime.md, "Tensor maps", has the rules). */
#define TILE_TENSOR_MAP_RANK 5
#define TILE_TENSOR_MAP_BYTES 128 /* as it is passed, aligned to 64 */
typedef struct tile_tensor_map {
  uint32_t base;    /* of the kernel's parameters, a pointer: address of the first element */
  uint32_t rank;    /* 1 to 5; what is beyond it below is not used */
  const char *type; /* of the elements, MLIR's name: "f16" */
  tile_product sizes[TILE_TENSOR_MAP_RANK];       /* in elements */
  tile_product strides[TILE_TENSOR_MAP_RANK - 1]; /* in bytes, of dimensions 1 and up */
  uint32_t box[TILE_TENSOR_MAP_RANK];             /* of one copy, in elements, 1 to 256 */
  uint32_t swizzle;   /* how a box lies in shared memory: 0 row after row, or chunks of 16 bytes
                         within so many bytes (32, 64, 128) in another order */
  bool pads_with_nan; /* what lies outside of the tensor reads as NaN, else as zero */
  bool stores;        /* the version stores boxes of the tensor, and loads none */
  uint32_t narrow;    /* bit d: the kernel counts distances along dimension d in 32 bits. Over these
                         dimensions the sum of (size - 1) * stride, in elements, is below 2^31 */
} tile_tensor_map;

#define TILE_RESIDENT_PROGRAMS 0x40000000 /* the last one and one step more are an i32 */
#define TILE_PART_COUNTERS 1024           /* numbers of 32 bits before the parts of sums */
#define TILE_PARTS 8                      /* of one sum at most */

/* A function, and when it may be launched. Zeros are fine where a comment says so. */
typedef struct tile_kernel_version {
  const tile_section *section; /* one of the image's; NULL: its first */
  const char *symbol;          /* of the function in the section; NULL: the kernel's name */
  uint32_t index;     /* place in the image's list of this kernel; filled in by what makes and loads
                         images */
  uint32_t num_warps; /* of 32 threads, a program; see tile_compile_options.fewer_warps */
  uint32_t threads;   /* per block: of these warps, and of others that only copy for them */
  uint32_t programs_per_block; /* along x; 0 and 1: one. With more, a launch has as many blocks as
                                  hold the programs of its grid, and passes grid[0] as one more
                                  argument of type i32, after the others; tile_launch does both */
  uint32_t shared_bytes;       /* of dynamic shared memory per block */
  uint32_t registers;          /* of a thread; 0: not known */
  const tile_condition *conditions; /* all must hold */
  size_t condition_count;
  const tile_named_constant *constants;
  size_t constant_count;
  uint32_t local_bytes; /* of a thread, in memory: what was spilled, and arrays; known where
                           registers are */
  uint32_t spill_bytes; /* of a thread: what it stores because it has no register for it; likewise
                         */
  const char *config;   /* the number of the configuration of @triton.autotune that it was made
                           with, "2"; NULL and "": none */
  const tile_tensor_map
      *maps; /* the function's parameters after those that callers pass (and before
                the numbers of programs), each of 128 bytes, aligned to 64 */
  size_t map_count;
  uint32_t resident_blocks; /* 0: a launch has a block for each program, or as programs_per_block
                               says. Else its blocks take the programs in turn, numbered along x,
                               then y, then z, beginning at the block's own number, in steps of how
                               many blocks there are: tile_launch starts at most so many for each
                               multiprocessor, along x, and passes grid[0], grid[1] and grid[2] as
                               three more arguments of type i32, after the others. There are then
                               at most TILE_RESIDENT_PROGRAMS; a launch of more takes another
                               version */
  uint32_t part_bytes;      /* 0, or with resident_blocks: several blocks may share each of the
                               programs that are left over for the last turn, and some before
                               them, and each block then stores a part of one's sum, of so many
                               bytes. The launch passes one more argument, after the numbers of
                               programs: the address of TILE_PART_COUNTERS numbers of 32 bits, all
                               zero, which the kernel leaves so, and of a part for each block after
                               them, for this launch alone; or 0: nothing is shared. It is then
                               launched with no more blocks than programs, else with any number up
                               to TILE_PART_COUNTERS. Blocks wait for others of lower numbers */
  uint32_t cluster_blocks;  /* 0, or of the clusters that the function's blocks form along x
                               (.reqnctapercluster): the number of blocks along x is a multiple of
                               it, of blocks that take programs in turn rounded up, even beyond the
                               number of programs. A launch names no other cluster */
} tile_kernel_version;

/* A kernel: what callers pass, and the versions in the order in which they are tried. */
typedef struct tile_kernel_info {
  const char *name;
  const tile_parameter
      *parameters; /* of all versions, those included that some have as constants; a divisibility
                      here is a promise that every version counts on */
  size_t parameter_count;
  const tile_kernel_version *versions;
  size_t version_count;
} tile_kernel_info;

/* All fields borrowed when filled in by hand; owned by the image when a function below made it. */
typedef struct tile_image {
  const tile_section *sections;
  size_t section_count;
  const tile_kernel_info *kernels;
  size_t kernel_count;
} tile_image;

/* The value of a version's constant, borrowed; NULL when it has none of this name. */
TILE_EXPORT const char *tile_kernel_version_constant(const tile_kernel_version *version,
                                                     const char *name);

/* Reads PTX text, a cubin, or a container, with metadata after it. `bytes` is copied. `name` is
   for messages. Errors: TILE_BAD_IMAGE when there is no metadata, when it or a section is damaged
   or cut off, malformed (the message names the line) or cannot be true, or when the code is neither
   PTX nor a cubin. Any bytes are read safely. */
TILE_RESULT tile_status tile_image_parse(const char *name, const void *bytes, size_t size,
                                         tile_image **out);
/* The same from a file; TILE_NOT_FOUND and TILE_IO_ERROR for the file itself. */
TILE_RESULT tile_status tile_image_read(const char *path, tile_image **out);
/* Writes what tile_image_read reads; complete or not at all. Errors: TILE_UNSUPPORTED for the
   emulator's, TILE_INVALID_ARGUMENT and TILE_BAD_IMAGE for what would not be read again. */
TILE_RESULT tile_status tile_image_write(const tile_image *image, const char *path);
/* The same to memory, owned by the caller: free with free. */
TILE_RESULT tile_status tile_image_serialize(const tile_image *image, void **out, size_t *out_size);

/* Makes one image of several: for several targets, specialisations, configurations. Equal names
   become versions of one kernel, in the order of the parts. Parameters must agree in number, name
   and type; where one part has an argument as a constant (a condition says so), another gives its
   type. A promise (divisibility) that not every part counts on becomes a condition of those that
   do. The parts are copied. Errors: TILE_INVALID_ARGUMENT names what does not go together;
   TILE_UNSUPPORTED for an emulator's program in memory. */
TILE_RESULT tile_status tile_image_join(const tile_image *const *parts, size_t count,
                                        tile_image **out);
/* Ends an image that a function made; NULL is fine. Modules loaded from it live on. */
TILE_EXPORT void tile_image_free(tile_image *image);

#ifdef __cplusplus
}
#endif
#endif
