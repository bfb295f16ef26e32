/* SPDX-License-Identifier: MIT */
/* PTX to cubin: by ptxas as a child process, which can be given a time limit and dies alone; or in
   this process by nvJitLink, where there is no ptxas, or TILE_NVJITLINK asks for it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/status.h"
#include "target/assemble.h"

/* What to assemble with: one of the two, or neither. */
struct assembler {
  struct text ptxas, nvjitlink;
};

static struct assembler assembler_find(void) {
  struct assembler found = {0};
  const char *library = getenv("TILE_NVJITLINK");
  if (library && *library && !getenv("TILE_PTXAS"))
    text_puts(&found.nvjitlink, library);
  else if (!ptxas_find(&found.ptxas)) {
    text_free(&found.ptxas);
    if (getenv("TILE_PTXAS") || !nvjitlink_find(&found.nvjitlink))
      text_free(&found.nvjitlink);
  }
  return found;
}

static void assembler_free(struct assembler *assembler) {
  text_free(&assembler->ptxas);
  text_free(&assembler->nvjitlink);
}

static tile_status no_assembler(void) {
  const char *named = getenv("TILE_PTXAS");
  if (named)
    return FAIL(TILE_NOT_FOUND,
                "TILE_PTXAS names '%s', which is no program; correct it, or unset it to search "
                "PATH",
                named);
  return FAIL(TILE_NOT_FOUND,
              "ptxas was not found: install the CUDA Toolkit, put ptxas on PATH, or name it in "
              "TILE_PTXAS (or libnvJitLink in TILE_NVJITLINK); --tile-to-ptx needs none");
}

tile_status assemble_cubin(const char *ptx, size_t length, const struct target_options *options,
                           struct text *cubin, struct text *log) {
  struct assembler assembler = assembler_find();
  tile_status status;
  if (assembler.nvjitlink.length)
    status = nvjitlink_assemble(assembler.nvjitlink.data, ptx, length, options, cubin, log);
  else if (assembler.ptxas.length)
    status = ptxas_assemble(assembler.ptxas.data, ptx, length, options, cubin, log);
  else
    status = no_assembler();
  assembler_free(&assembler);
  return status;
}

bool assembler_is_of_release(int driver_version) {
  struct assembler assembler = assembler_find();
  bool same = assembler.ptxas.length && driver_version &&
              ptxas_release(assembler.ptxas.data) == driver_version;
  assembler_free(&assembler);
  return same;
}

void assembler_identify(struct text *out) {
  struct assembler assembler = assembler_find();
  struct text path = {0};
  struct stat info;
  if (assembler.nvjitlink.length)
    nvjitlink_resolve(assembler.nvjitlink.data, &path);
  else
    text_puts(&path, text_string(&assembler.ptxas));
  if (path.length && stat(path.data, &info) == 0)
    text_printf(out, "%s %lld %lld.%09ld", path.data, (long long)info.st_size,
                (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  text_free(&path);
  assembler_free(&assembler);
}
