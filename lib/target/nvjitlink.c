/* SPDX-License-Identifier: MIT */
/* The CUDA Toolkit's nvJitLink, opened at run time: PTX to cubin in this process, for whoever has
   no ptxas, or asks for it.

   It is not the default, since its code is not that of ptxas, although it has the same compiler
   inside: it links objects, and so compiles each as `ptxas -c` does, which calls functions for the
   slow paths of divisions and allots registers otherwise. Nothing that it takes turns that off
   (CUDA 12.8 and 13.0). docs/performance.md has figures.

   The functions are declared here, from NVIDIA's documentation of nvJitLink (12.0 and later): the
   toolkit's headers are not needed to build. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dlinfo */
#endif
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/status.h"
#include "target/assemble.h"

typedef struct nvjitlink_object *nvjitlink_handle;
enum { NVJITLINK_SUCCESS = 0, NVJITLINK_INPUT_PTX = 2 };

struct nvjitlink {
  int (*create)(nvjitlink_handle *handle, uint32_t count, const char **options);
  int (*destroy)(nvjitlink_handle *handle);
  int (*add_data)(nvjitlink_handle handle, int kind, const void *data, size_t size,
                  const char *name);
  int (*complete)(nvjitlink_handle handle);
  int (*cubin_size)(nvjitlink_handle handle, size_t *size);
  int (*cubin)(nvjitlink_handle handle, void *cubin);
  int (*error_size)(nvjitlink_handle handle, size_t *size);
  int (*error)(nvjitlink_handle handle, char *log);
  int (*info_size)(nvjitlink_handle handle, size_t *size);
  int (*info)(nvjitlink_handle handle, char *log);
};

static const struct symbol {
  const char *name;
  size_t offset;
} symbols[] = {{"nvJitLinkCreate", offsetof(struct nvjitlink, create)},
               {"nvJitLinkDestroy", offsetof(struct nvjitlink, destroy)},
               {"nvJitLinkAddData", offsetof(struct nvjitlink, add_data)},
               {"nvJitLinkComplete", offsetof(struct nvjitlink, complete)},
               {"nvJitLinkGetLinkedCubinSize", offsetof(struct nvjitlink, cubin_size)},
               {"nvJitLinkGetLinkedCubin", offsetof(struct nvjitlink, cubin)},
               {"nvJitLinkGetErrorLogSize", offsetof(struct nvjitlink, error_size)},
               {"nvJitLinkGetErrorLog", offsetof(struct nvjitlink, error)},
               {"nvJitLinkGetInfoLogSize", offsetof(struct nvjitlink, info_size)},
               {"nvJitLinkGetInfoLog", offsetof(struct nvjitlink, info)}};

/* --- Finding it ------------------------------------------------------------------------------- */

static const char *const names[] = {"libnvJitLink.so.13", "libnvJitLink.so.12"};
enum { NAMES = sizeof names / sizeof *names };

/* In the folder of a toolkit. */
static bool find_in(const char *toolkit, struct text *path) {
  static const char *const folders[] = {"lib64", "lib", "targets/x86_64-linux/lib",
                                        "targets/sbsa-linux/lib"};
  for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
    for (size_t n = 0; n < NAMES; n++) {
      path->length = 0;
      text_printf(path, "%s/%s/%s", toolkit, folders[f], names[n]);
      if (access(path->data, R_OK) == 0)
        return true;
    }
  path->length = 0;
  return false;
}

/* As programs find libraries, which is where a package of the library alone puts it. */
static bool find_by_name(struct text *path) {
  for (size_t n = 0; n < NAMES; n++) {
    void *library = dlopen(names[n], RTLD_NOW | RTLD_LOCAL);
    if (!library)
      continue;
    dlclose(library);
    text_puts(path, names[n]);
    return true;
  }
  return false;
}

bool nvjitlink_find(struct text *path) {
  const char *home = getenv("CUDA_HOME");
  return (home && *home && find_in(home, path)) || find_in("/usr/local/cuda", path) ||
         find_by_name(path);
}

void nvjitlink_resolve(const char *library, struct text *path) {
  void *opened = strchr(library, '/') ? NULL : dlopen(library, RTLD_NOW | RTLD_LOCAL);
  struct link_map *map = NULL;
  bool found = opened && dlinfo(opened, RTLD_DI_LINKMAP, &map) == 0 && map;
  text_puts(path, found ? map->l_name : library);
}

/* --- Using it --------------------------------------------------------------------------------- */

/* The library stays open: its threads and its tables are its own affair, and it is needed again. */
static tile_status open_library(const char *path, struct nvjitlink *out) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return FAIL(TILE_NOT_FOUND,
                "nvJitLink cannot be opened: %s; correct TILE_NVJITLINK, or unset it to run ptxas",
                reason ? reason : path);
  }
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *address = dlsym(library, symbols[i].name);
    if (!address)
      return FAIL(TILE_UNSUPPORTED,
                  "'%s' has no %s: CUDA 12.0 or later is needed; correct TILE_NVJITLINK, or unset "
                  "it to run ptxas",
                  path, symbols[i].name);
    memcpy((char *)out + symbols[i].offset, &address, sizeof address);
  }
  return NULL;
}

/* Appends one of the two logs. */
static void take_log(nvjitlink_handle handle, int (*get_size)(nvjitlink_handle, size_t *),
                     int (*get)(nvjitlink_handle, char *), struct text *out) {
  size_t size = 0;
  if (get_size(handle, &size) != NVJITLINK_SUCCESS || size < 2)
    return;
  char *log = calloc(size + 1, 1);
  if (log && get(handle, log) == NVJITLINK_SUCCESS)
    text_puts(out, log);
  free(log);
}

static tile_status failed(const struct nvjitlink *api, nvjitlink_handle handle, const char *target,
                          int code) {
  struct text log = {0};
  if (handle)
    take_log(handle, api->error_size, api->error, &log);
  struct slice report = slice_trim((struct slice){text_string(&log), log.length});
  tile_status status =
      FAIL(TILE_EXTERNAL_TOOL, "nvJitLink failed for %s (error %d)%s%.*s", target, code,
           report.length ? ":\n" : " and says nothing", (int)report.length, report.data);
  text_free(&log);
  return status;
}

static int take_cubin(const struct nvjitlink *api, nvjitlink_handle handle, struct text *cubin) {
  size_t size = 0;
  int code = api->cubin_size(handle, &size);
  char *bytes = code == NVJITLINK_SUCCESS ? calloc(size + 1, 1) : NULL;
  if (bytes)
    code = api->cubin(handle, bytes);
  if (bytes && code == NVJITLINK_SUCCESS)
    text_append(cubin, bytes, size);
  free(bytes);
  return code;
}

static tile_status link_ptx(const struct nvjitlink *api, nvjitlink_handle handle, const char *ptx,
                            size_t length, const char *target, struct text *cubin,
                            struct text *log) {
  /* with the zero after it */
  int code = api->add_data(handle, NVJITLINK_INPUT_PTX, ptx, length + 1, "kernel");
  if (code == NVJITLINK_SUCCESS)
    code = api->complete(handle);
  if (code == NVJITLINK_SUCCESS)
    code = take_cubin(api, handle, cubin);
  if (code != NVJITLINK_SUCCESS)
    return failed(api, handle, target, code);
  if (!cubin->length)
    return FAIL(TILE_EXTERNAL_TOOL, "nvJitLink succeeded but gave no cubin for %s", target);
  if (log)
    take_log(handle, api->info_size, api->info, log);
  return NULL;
}

tile_status nvjitlink_assemble(const char *library, const char *ptx, size_t length,
                               const struct target_options *options, struct text *cubin,
                               struct text *log) {
  struct nvjitlink api;
  TRY(open_library(library, &api));
  struct text architecture = {0};
  text_printf(&architecture, "-arch=%s", options->target->name);
  const char *arguments[] = {architecture.data, "-verbose", "-lineinfo"};
  nvjitlink_handle handle = NULL;
  int code = api.create(&handle, options->line_tables ? 3 : 2, arguments);
  tile_status status = code == NVJITLINK_SUCCESS
                           ? link_ptx(&api, handle, ptx, length, options->target->name, cubin, log)
                           : failed(&api, handle, options->target->name, code);
  if (handle)
    (void)api.destroy(&handle);
  text_free(&architecture);
  return status;
}
