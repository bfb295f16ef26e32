/* SPDX-License-Identifier: MIT */
/* libcuda as a table of functions, opened at run time: the same binary runs with no GPU and no
   CUDA.

   The declarations are our own, after the public documentation of the driver API; its ABI is
   stable. Numbers below are those of cuda.h. */
#ifndef TILE_RUNTIME_CUDA_API_H
#define TILE_RUNTIME_CUDA_API_H

#include <stddef.h>
#include <stdint.h>
#include "tile/status.h"

typedef int cuda_result;
typedef int cuda_device;
typedef unsigned long long cuda_address;
typedef struct CUctx_st *cuda_context;
typedef struct CUstream_st *cuda_stream;
typedef struct CUevent_st *cuda_event;
typedef struct CUmod_st *cuda_module;
typedef struct CUfunc_st *cuda_function;

enum cuda_result_codes {
  CUDA_SUCCESS = 0,
  CUDA_INVALID_VALUE = 1,
  CUDA_OUT_OF_MEMORY = 2,
  CUDA_NO_DEVICE = 100,
  CUDA_INVALID_IMAGE = 200,
  CUDA_INVALID_CONTEXT = 201,
  CUDA_NO_BINARY_FOR_GPU = 209,
  CUDA_INVALID_PTX = 218,
  CUDA_JIT_COMPILER_NOT_FOUND = 221,
  CUDA_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_INVALID_SOURCE = 300,
  CUDA_INVALID_HANDLE = 400,
  CUDA_NOT_FOUND = 500,
  CUDA_NOT_READY = 600,
  CUDA_ILLEGAL_ADDRESS = 700,
  CUDA_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_LAUNCH_TIMEOUT = 702,
  CUDA_CONTEXT_IS_DESTROYED = 709,
  CUDA_ASSERT = 710,
  CUDA_HOST_MEMORY_REGISTERED = 712,
  CUDA_HOST_MEMORY_NOT_REGISTERED = 713,
  CUDA_HARDWARE_STACK = 714, /* .., illegal instruction, misaligned address, .. */
  CUDA_LAUNCH_FAILED = 719,
  CUDA_COOPERATIVE_TOO_LARGE = 720,
  CUDA_SYSTEM_DRIVER_MISMATCH = 803,
  CUDA_FIRST_CAPTURE = 900, /* what capturing a graph does not allow */
  CUDA_LAST_CAPTURE = 908,
  CUDA_INVALID_CLUSTER_SIZE = 912
};

enum cuda_device_attribute {
  CUDA_MULTIPROCESSORS = 16,
  CUDA_L2_BYTES = 38,
  CUDA_COMPUTE_MAJOR = 75,
  CUDA_COMPUTE_MINOR = 76,
  CUDA_PAGEABLE_MEMORY_ACCESS = 88, /* kernels may access all memory of the host */
  CUDA_SHARED_BYTES_OPTIN = 97
};

enum {
  CUDA_FUNCTION_THREADS = 0,
  CUDA_FUNCTION_STATIC_SHARED_BYTES = 1,
  CUDA_FUNCTION_CONSTANT_BYTES = 2,
  CUDA_FUNCTION_LOCAL_BYTES = 3,
  CUDA_FUNCTION_REGISTERS = 4,
  CUDA_FUNCTION_SHARED_BYTES = 8, /* most dynamic shared memory */
  CUDA_STREAM_NON_BLOCKING = 1,
  CUDA_HOST_PORTABLE = 1, /* pinned for all contexts */
  CUDA_POINTER_MEMORY_TYPE = 2,
  CUDA_MEMORY_HOST = 1,
  CUDA_JIT_ERROR_LOG = 5,
  CUDA_JIT_ERROR_LOG_BYTES = 6
};

/* CUlaunchAttribute and CUlaunchConfig. */
enum { CUDA_LAUNCH_COOPERATIVE = 2, CUDA_LAUNCH_CLUSTER = 4, CUDA_LAUNCH_PROGRAMMATIC = 6 };
struct cuda_launch_attribute {
  int id, padding;
  union {
    char all[64];
    uint32_t cluster[3];
    int flag;
  } value;
};
struct cuda_launch_config {
  unsigned grid[3], block[3], shared_bytes;
  cuda_stream stream;
  struct cuda_launch_attribute *attributes;
  unsigned attribute_count;
};

/* CUtensorMapDataType and other parts of a tensor map. */
enum {
  CUDA_MAP_UINT8 = 0,
  CUDA_MAP_UINT16 = 1,
  CUDA_MAP_INT32 = 3,
  CUDA_MAP_INT64 = 5,
  CUDA_MAP_FLOAT16 = 6,
  CUDA_MAP_FLOAT32 = 7,
  CUDA_MAP_FLOAT64 = 8,
  CUDA_MAP_BFLOAT16 = 9,
  CUDA_MAP_NO_INTERLEAVE = 0,
  CUDA_MAP_SWIZZLE_NONE = 0,
  CUDA_MAP_SWIZZLE_32,
  CUDA_MAP_SWIZZLE_64,
  CUDA_MAP_SWIZZLE_128,
  CUDA_MAP_L2_PROMOTION_128 = 2,
  CUDA_MAP_OUTSIDE_ZERO = 0,
  CUDA_MAP_OUTSIDE_NAN = 1
};

struct cuda_api {
#define OPTIONAL(name, symbol, parameters) X(name, symbol, parameters)
#define X(name, symbol, parameters) cuda_result(*name) parameters;
#include "runtime/cuda/cuda_symbols.def"
#undef X
#undef OPTIONAL
};

/* Opens libcuda and initialises it, once per process; then the table is borrowed for ever. Errors:
   TILE_NO_DEVICE (no library, or it finds no GPU), TILE_DRIVER_TOO_OLD (a symbol is missing). */
tile_status cuda_open(const struct cuda_api **out);

/* NULL for CUDA_SUCCESS, else a status that names the call and the driver's error. */
tile_status cuda_check(const struct cuda_api *cuda, cuda_result result, const char *doing);

#endif
