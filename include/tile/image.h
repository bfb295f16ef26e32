/* Images: compiled kernels together with what a launch must know of them.

   The compiler makes images (tile_compile_kernels); a device loads them (tile_module_load). On disk
   an image is one file: PTX or a cubin, and behind it a block of comment lines with the metadata,

       // tile.metadata 4
       // tile.kernel name=add_kernel target=sm_90a isa=8.0 driver=12000 warps=4 threads=128
   shared=0 programs=1
       // tile.small-grid name=add_kernel$small shared=98304 blocks=2        where there is one
       // tile.argument name=x kind=pointer type=f32 divisibility=16
       // tile.argument name=n kind=i32 type=i32 divisibility=16
       // tile.end bytes=308 check=5B03E8F0D1C2A497

   (and symbol=NAME behind the name where the function has another), which ptxas and the driver pass over
   (docs/decisions/0011-metadata-behind-the-image.md), so that a program which links libtile_runtime alone has all it needs in
   the file. The last line says how many bytes of metadata stand before it, and their checksum.

   Threads: an image is plain data that nothing changes; any number of threads may read it. */
#ifndef TILE_IMAGE_H
#define TILE_IMAGE_H

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

/* A second version of a kernel, with the same arguments and threads, for launches that leave multiprocessors half empty:
   more stages, which take shared memory that nobody else asks for. tile_launch takes it where a launch has no more
   than `blocks` blocks for each multiprocessor. */
typedef struct tile_small_grid {
  const char *name; /* of the function in the image; NULL: there is none */
  uint32_t shared_bytes, blocks;
} tile_small_grid;

/* Everything borrowed from the image, or from whoever fills it in by hand. */
typedef struct tile_kernel_info {
  const char *name;
  const char *target;    /* "sm_90a"; "" runs on any device */
  const char *ptx_isa;   /* "8.0"; "" when unknown */
  int minimum_driver;    /* CUDA driver that it needs at least, 12000 for 12.0; 0: any */
  uint32_t num_warps;    /* of 32 threads, a program; see tile_compile_options.fewer_warps */
  uint32_t threads;      /* per block */
  uint32_t programs_per_block; /* along x; 0 and 1: one. With more, a launch has as many blocks as hold
                                  the programs of its grid, and passes grid[0] as one more argument of
                                  type i32, behind the others; tile_launch does both */
  uint32_t shared_bytes; /* of dynamic shared memory per block */
  tile_small_grid small_grid;
  const tile_parameter *parameters;
  size_t parameter_count;
  const char *symbol; /* of the function in the image, where that cannot have the kernel's name: PTX takes letters, digits,
                         _ and $. NULL: `name` */
} tile_kernel_info;

typedef enum tile_image_format {
  TILE_IMAGE_PTX,     /* text; a zero behind it is not needed */
  TILE_IMAGE_CUBIN,   /* an ELF file */
  TILE_IMAGE_EMULATOR /* `data` is a tile_emulator_program, `size` is not used */
} tile_image_format;

/* All fields borrowed when filled in by hand; owned by the image when a function below made it. */
typedef struct tile_image {
  tile_image_format format;
  const void *data;
  size_t size;
  const tile_kernel_info *kernels;
  size_t kernel_count;
} tile_image;

/* Reads PTX text or a cubin with metadata behind it. `bytes` is copied. `name` is for messages.
   Errors: TILE_BAD_IMAGE when there is no metadata, when it is damaged, malformed (the message names the line) or cannot be true,
   or when what is before it is neither PTX nor a cubin. Any bytes are read safely. */
TILE_EXPORT tile_status tile_image_parse(const char *name, const void *bytes, size_t size,
                                         tile_image **out);
/* The same from a file; TILE_NOT_FOUND and TILE_IO_ERROR for the file itself. */
TILE_EXPORT tile_status tile_image_read(const char *path, tile_image **out);
/* Writes what tile_image_read reads; complete or not at all. Errors: TILE_UNSUPPORTED for the emulator's,
   TILE_INVALID_ARGUMENT and TILE_BAD_IMAGE for what would not be read again. */
TILE_EXPORT tile_status tile_image_write(const tile_image *image, const char *path);
/* Ends an image that a function made; NULL is fine. Modules loaded from it live on. */
TILE_EXPORT void tile_image_free(tile_image *image);

#ifdef __cplusplus
}
#endif
#endif
