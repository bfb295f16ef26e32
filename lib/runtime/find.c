/* SPDX-License-Identifier: MIT */
/* Drivers by name. The emulator is not in this library: it is libtile's, where the program has
   that, else libtile_emulator's, which stands beside this library and is opened when it is asked
   for. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT, dladdr */
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "base/status.h"
#include "base/text.h"
#include "emulator/library/library.h"
#include "runtime/driver.h"
#include "tile/version.h"

/* Filled in by open_once; afterwards nothing changes them. */
static const tile_driver *emulator;
static tile_code failure;
static char failure_message[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fail(tile_code code, const char *what, const char *detail) {
  failure = code;
  snprintf(failure_message, sizeof failure_message, "no emulator: %s%s", what, detail);
}

/* The library in the folder of this one, or where the loader finds it. */
static void *open_library(void) {
  Dl_info info;
  void *library = NULL;
  const char *slash = dladdr((void *)(uintptr_t)open_library, &info) && info.dli_fname
                          ? strrchr(info.dli_fname, '/')
                          : NULL;
  if (slash) {
    struct text path = {0};
    text_append(&path, info.dli_fname, (size_t)(slash - info.dli_fname) + 1);
    text_puts(&path, EMULATOR_LIBRARY);
    library = dlopen(text_string(&path), RTLD_NOW | RTLD_LOCAL);
    text_free(&path);
  }
  return library ? library : dlopen(EMULATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

/* It stays open, as its driver may be used until the end. */
static void open_once(void) {
  typedef const tile_driver *driver_function(void);
  driver_function *here = (driver_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "tile_emulator_driver");
  if (here) {
    emulator = here();
    return;
  }
  void *library = open_library();
  if (!library) {
    const char *reason = dlerror();
    fail(TILE_NO_DEVICE, reason ? reason : EMULATOR_LIBRARY " cannot be opened",
         "; put it beside libtile_runtime, with the archive of that beside the program, or where "
         "the loader looks "
         "(LD_LIBRARY_PATH); or link libtile");
    return;
  }
  emulator_library_driver *driver =
      (emulator_library_driver *)(uintptr_t)dlsym(library, EMULATOR_LIBRARY_DRIVER);
  emulator = driver ? driver(tile_version()->text) : NULL;
  if (!emulator)
    fail(TILE_NO_DEVICE, EMULATOR_LIBRARY " is of another version than this library, which is ",
         tile_version()->text);
}

static tile_status find_emulator(const tile_driver **out) {
  pthread_once(&once, open_once);
  if (!emulator)
    return FAIL(failure, "%s", failure_message);
  *out = emulator;
  return NULL;
}

tile_status tile_driver_find(const char *name, const tile_driver **out) {
  TRY(REQUIRED(name, out));
  const tile_driver *const own[] = {tile_cuda_driver(), tile_null_driver()};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(name, tile_driver_name(own[i])) == 0) {
      *out = own[i];
      return NULL;
    }
  if (strcmp(name, "emulator") == 0)
    return find_emulator(out);
  return FAIL(TILE_NOT_FOUND, "there is no driver '%s'; there are cuda, emulator and null", name);
}
