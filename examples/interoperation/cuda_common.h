/* SPDX-License-Identifier: MIT */
/* Errors of the CUDA runtime and of cuBLAS as ours. */
#ifndef EXAMPLES_CUDA_COMMON_H
#define EXAMPLES_CUDA_COMMON_H

#include <cuda_runtime_api.h>
#include "common.h"

static inline tile_status from_cuda(cudaError_t error) {
  return error == cudaSuccess
             ? NULL
             : tile_status_make(TILE_DEVICE_FAILED, "example", "%s", cudaGetErrorString(error));
}
#define CUDA(call) TRY(from_cuda(call))

#endif
