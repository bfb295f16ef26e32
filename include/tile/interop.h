/* Living in somebody else's program: memory, contexts and streams that exist, native handles, pinned memory and
   asynchronous copies. docs/interoperation.md shows each beside the CUDA runtime, cuBLAS and CUDA graphs.

       tile_buffer *x;                                      a tensor of a framework, or of cudaMalloc
       TRY(tile_buffer_wrap(device, (uint64_t)(uintptr_t)pointer, bytes, &x));
       TRY(tile_stream_wrap(device, cuda_stream, &stream));
       TRY(tile_launch(kernel, grid, stream, arguments, count));
       tile_buffer_destroy(x);                              the memory stays its owner's

   A cudaStream_t is a CUstream, and cudaMalloc's memory belongs to the device's primary context, which is the one that
   tile_device_open uses: the CUDA runtime and this library need nothing else to work together.

   All of this is part of libtile_runtime. Errors, ownership and threads are those of tile/runtime.h. */
#ifndef TILE_INTEROP_H
#define TILE_INTEROP_H

#include "tile/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- What exists: contexts and memory ----------------------------------------------------------- */

/* Opens a device in a context that exists and is not the primary one: `context` is a CUcontext, NULL the one that is current
   on this thread. It is borrowed, and must outlive the device and what is on it. It is made current for the length of each
   call only. Errors: TILE_INVALID_ARGUMENT for what is no context, TILE_UNSUPPORTED for drivers that have none. */
TILE_EXPORT tile_status tile_device_open_context(const tile_driver *driver, void *context, tile_device **out);

/* A buffer around memory that exists: device memory (cuMemAlloc, cudaMalloc, a framework's tensor), memory of the host that
   CUDA knows, or on the emulator any memory of the host. It is borrowed: destroying the buffer leaves it alone, and does not wait. Buffers
   may overlap, as views of one tensor do. On the emulator kernels may access these bytes from now on and no others
   around them. Errors: TILE_INVALID_ARGUMENT for a null address with bytes, and on CUDA for an address that the driver does not know. */
TILE_EXPORT tile_status tile_buffer_wrap(tile_device *device, uint64_t address, size_t bytes, tile_buffer **out);

/* --- Native handles ----------------------------------------------------------------------------- */

/* The driver's own handles, borrowed, for calls that this library has not got. Errors: TILE_UNSUPPORTED on the emulator and the
   null driver, which have none. */

/* A CUcontext. */
TILE_EXPORT tile_status tile_device_native(const tile_device *device, void **out_context);
/* A CUstream. A cudaStream_t is the same. */
TILE_EXPORT tile_status tile_stream_native(const tile_stream *stream, void **out_stream);
/* A CUevent. A cudaEvent_t is the same. */
TILE_EXPORT tile_status tile_event_native(const tile_event *event, void **out_event);
/* A CUmodule and a CUfunction; either out parameter may be NULL. `version` is one of tile_kernel_get_info or
   tile_kernel_select, NULL the first. A launch of one's own uses its threads, shared_bytes and programs_per_block, and leaves
   out the arguments that its conditions fix (tile/image.h). */
TILE_EXPORT tile_status tile_kernel_native(const tile_kernel *kernel, const tile_kernel_version *version,
                                           void **out_module, void **out_function);

/* --- Pinned memory and asynchronous copies ------------------------------------------------------ */

/* Memory of the host that a GPU reads and writes by itself (page-locked). */
typedef struct tile_pinned tile_pinned;

/* Allocates such memory, for all devices of the driver; its content is undefined. Zero bytes are fine. */
TILE_EXPORT tile_status tile_pinned_create(tile_device *device, size_t bytes, tile_pinned **out);
/* Pins memory that exists, until it is destroyed here; it must not be freed before. TILE_INVALID_ARGUMENT when it is pinned already. */
TILE_EXPORT tile_status tile_pinned_register(tile_device *device, void *memory, size_t bytes, tile_pinned **out);
/* Memory that somebody else pinned: cudaMallocHost, cuMemHostRegister, pin_memory() of PyTorch, tile_pinned_create for another
   device. TILE_INVALID_ARGUMENT when the driver says that it is not pinned; the emulator believes it. */
TILE_EXPORT tile_status tile_pinned_wrap(tile_device *device, void *memory, size_t bytes, tile_pinned **out);
/* Waits for asynchronous copies from and to the memory, then frees or unpins it; memory that was wrapped is left alone. */
TILE_EXPORT void tile_pinned_destroy(tile_pinned *pinned);
/* The memory, for the host. */
TILE_EXPORT void *tile_pinned_data(const tile_pinned *pinned);
TILE_EXPORT size_t tile_pinned_bytes(const tile_pinned *pinned);

/* As tile_buffer_write and tile_buffer_read, but they only start the copy. Until the host has waited for it
   (tile_stream_synchronize, or an event that was recorded behind it) it must not write to the memory of either copy, nor look at
   what is read. The buffer must live until then, too. The emulator copies at once, and checks the rule: where the host's memory
   has changed before the host waited, the call that waits is a TILE_HAZARD. */
TILE_EXPORT tile_status tile_buffer_write_async(tile_buffer *buffer, size_t offset, tile_pinned *from,
                                                size_t from_offset, size_t bytes, tile_stream *stream);
TILE_EXPORT tile_status tile_buffer_read_async(const tile_buffer *buffer, size_t offset, tile_pinned *to, size_t to_offset,
                                               size_t bytes, tile_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
