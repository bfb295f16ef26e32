/* SPDX-License-Identifier: MIT */
/* Opening libcuda, and its errors in our words. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "runtime/cuda/cuda_api.h"

/* Filled in by open_once; afterwards nothing changes them. */
static struct cuda_api api;
static tile_code failure;
static char failure_message[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The names in the order of struct cuda_api's members, with '?' before those that may be missing.
   One string, since a table of pointers to names is three times as large in a program that may be
   loaded anywhere. */
static const char symbols[] =
#define X(name, symbol, parameters) symbol "\0"
#define OPTIONAL(name, symbol, parameters) "?" symbol "\0"
#include "runtime/cuda/cuda_symbols.def"
#undef OPTIONAL
#undef X
    ;

static void fail(tile_code code, const char *message, const char *detail) {
  failure = code;
  snprintf(failure_message, sizeof failure_message, message, detail);
}

static const char *name_of(cuda_result result) {
  const char *name = NULL;
  return api.error_name(result, &name) == CUDA_SUCCESS && name ? name : "an unknown error";
}

/* NULL after a failure that has been noted. */
static void *open_library(void) {
  const char *named = getenv("TILE_LIBCUDA");
  void *library = dlopen(named && *named ? named : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library)
    return library;
  const char *reason = dlerror();
  fail(TILE_NO_DEVICE,
       "no CUDA driver: %s; install the NVIDIA driver, name libcuda in TILE_LIBCUDA, or open the "
       "emulator "
       "(tile_driver_find, tile-run --device emulator)",
       reason ? reason : "libcuda.so.1 was not found");
  return NULL;
}

/* The library stays open: threads may be inside it until the process ends. */
static void open_once(void) {
  void *library = open_library();
  if (!library)
    return;
  char *member = (char *)&api;
  for (const char *name = symbols; *name; name += strlen(name) + 1) {
    bool optional = *name == '?';
    name += optional;
    void *address = dlsym(library, name);
    if (!address && !optional) {
      fail(TILE_DRIVER_TOO_OLD,
           "the CUDA driver is too old: it has no %s; CUDA 11.0 or later is needed", name);
      return;
    }
    memcpy(member, &address, sizeof address);
    member += sizeof address;
  }
  cuda_result result = api.init(0);
  if (result == CUDA_NO_DEVICE)
    fail(TILE_NO_DEVICE,
         "the CUDA driver finds no GPU (%s); without one there is the emulator (tile_driver_find)",
         name_of(result));
  else if (result == CUDA_SYSTEM_DRIVER_MISMATCH)
    fail(TILE_DRIVER_TOO_OLD, "libcuda and the kernel's driver do not match (%s)", name_of(result));
  else if (result != CUDA_SUCCESS)
    fail(TILE_NO_DEVICE, "the CUDA driver does not start: %s", name_of(result));
}

tile_status cuda_open(const struct cuda_api **out) {
  pthread_once(&once, open_once);
  if (failure != TILE_OK)
    return FAIL(failure, "%s", failure_message);
  *out = &api;
  return NULL;
}

static bool is_capture(cuda_result result) {
  return result >= CUDA_FIRST_CAPTURE && result <= CUDA_LAST_CAPTURE;
}

static tile_code code_of(cuda_result result) {
  if (is_capture(result))
    return TILE_INVALID_ARGUMENT;
  switch (result) {
  case CUDA_OUT_OF_MEMORY:
    return TILE_OUT_OF_MEMORY;
  case CUDA_NO_DEVICE:
    return TILE_NO_DEVICE;
  case CUDA_INVALID_IMAGE:
  case CUDA_INVALID_PTX:
  case CUDA_INVALID_SOURCE:
  case CUDA_NOT_FOUND:
    return TILE_BAD_IMAGE;
  case CUDA_NO_BINARY_FOR_GPU:
    return TILE_WRONG_TARGET;
  case CUDA_UNSUPPORTED_PTX_VERSION:
  case CUDA_JIT_COMPILER_NOT_FOUND:
    return TILE_DRIVER_TOO_OLD;
  case CUDA_INVALID_VALUE:
  case CUDA_INVALID_CONTEXT:
  case CUDA_INVALID_HANDLE:
  case CUDA_CONTEXT_IS_DESTROYED:
  case CUDA_HOST_MEMORY_REGISTERED:
  case CUDA_HOST_MEMORY_NOT_REGISTERED:
  case CUDA_LAUNCH_OUT_OF_RESOURCES:
  case CUDA_COOPERATIVE_TOO_LARGE:
  case CUDA_INVALID_CLUSTER_SIZE:
    return TILE_INVALID_ARGUMENT;
  default:
    return TILE_DEVICE_FAILED;
  }
}

/* The errors after which a context does nothing any more. */
static bool is_sticky(cuda_result result) {
  return result == CUDA_ILLEGAL_ADDRESS || result == CUDA_LAUNCH_TIMEOUT || result == CUDA_ASSERT ||
         (result >= CUDA_HARDWARE_STACK && result <= CUDA_LAUNCH_FAILED);
}

tile_status cuda_check(const struct cuda_api *cuda, cuda_result result, const char *doing) {
  if (result == CUDA_SUCCESS)
    return NULL;
  const char *text = NULL;
  cuda->error_string(result, &text);
  return FAIL(code_of(result), "%s: %s (%s)%s", doing, text ? text : "no description",
              name_of(result),
              is_sticky(result)
                  ? "; a kernel launched before broke down, and this process's CUDA context with "
                    "it: run it under compute-sanitizer, or with --device emulator --check"
              : is_capture(result) ? "; a CUDA graph is being captured, see docs/interoperation.md "
                                     "for the calls that may be in it"
                                   : "");
}
