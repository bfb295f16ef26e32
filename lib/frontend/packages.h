/* SPDX-License-Identifier: MIT */
/* Where the modules of Python are found: the files beside a kernel's file.

   A dotted name "pkg.ops.utils" is the file pkg/ops/utils.py, or pkg/ops/utils/__init__.py, below a
   folder: first the one in which the kernel's own package lies, then those that were given (-I),
   then the kernel's own folder. The kernel's package is found as Python does: up from the file's
   folder as long as there is an __init__.py, or from the given folder in which the file lies. A
   relative name counts from the module that has it.

   Files are read on demand and once. Parents of a package are not read: nothing is executed, and
   only what defines a name that a kernel reaches is looked at. The libraries that kernels are
   written with (triton, torch, Python's own) are never looked for: the front end knows what it
   needs of them. */
#ifndef TILE_FRONTEND_PACKAGES_H
#define TILE_FRONTEND_PACKAGES_H

#include "frontend/module.h"

enum truth { TRUTH_UNKNOWN, TRUTH_NO, TRUTH_YES };

/* Where other files come from. All borrowed, and alive as long as the module. */
struct package_options {
  /* The content of the file `path`, alive as long as the module; false when there is none. NULL: no
     other file is read. */
  bool (*read)(void *data, const char *path, struct slice *out);
  void *data;
  const char *const *folders; /* searched for absolute imports, in their order */
  size_t folder_count;
  const char *path; /* the kernel's file, where it is to be looked up under another name than the
                       messages show; or NULL */
};

/* What is known of other files; owned by the root module. */
struct packages {
  struct package_options options;
  const char **folders; /* to search, the kernel's own first */
  size_t folder_count;
  struct map modules; /* path (a word) -> struct module *, or `none` for what is not there */
  struct module none;
  struct module **files; /* those that were read, the root first */
  size_t file_count, file_capacity;
  struct map meanings;   /* struct binding * -> struct meaning * (resolve.c) */
  int depth;             /* of imports that are being followed */
  unsigned searches;     /* through `from m import *`, counted */
  struct map conditions; /* struct node * -> enum truth of a condition or a try (resolve.c) */
  /* The truth of a condition of host code, set by who can evaluate it; NULL: not known. */
  enum truth (*evaluate)(void *data, const struct scope *scope, const struct node *condition);
  void *evaluate_data;
};

/* module_read for a file that may import from others. */
bool module_read_with(struct module *module, const char *name, const char *text, size_t length,
                      const struct package_options *options);
void packages_free(struct packages *packages);

/* True for names of the libraries, "torch.nn" too. */
bool package_is_library(const char *name);

enum package_outcome {
  PACKAGE_FOUND,
  PACKAGE_NONE,    /* no such file */
  PACKAGE_LIBRARY, /* known by name only */
  PACKAGE_ABOVE    /* a relative name with more dots than there are folders in its package */
};

/* The module that a file calls `name`: "pkg.a", "..a" (dots count from the module `from`).
 *out_path becomes its absolute dotted name (a word), also when there is no file. */
enum package_outcome package_find(struct module *from, const char *name, const char **out_path,
                                  struct module **out);
/* The submodule of that absolute name, for a package that lies in `folder` (NULL: anywhere). */
struct module *package_submodule(struct module *root, const char *folder, const char *path);

#endif
