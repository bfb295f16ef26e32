/* SPDX-License-Identifier: MIT */
/* See import_files.h. */
#include "driver/import_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/files.h"

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* package_options.read: regular files only. */
static bool read_regular(void *data, const char *path, struct slice *out) {
  struct import_files *files = data;
  if (!is_file(path))
    return false;
  struct import_file *file = ARENA_NEW(&files->arena, struct import_file);
  tile_status status = file_read(path, &file->text);
  if (status) {
    tile_status_free(status);
    return false;
  }
  file->next = files->first;
  files->first = file;
  *out = (struct slice){text_string(&file->text), file->text.length};
  return true;
}

/* A relative name has no folders above the current one: where a package goes on there, the name is
   looked up from the root of the file system. */
static const char *absolute_name(struct import_files *files, const char *name) {
  char *current =
      is_file("__init__.py") && name[0] != '/' && name[0] != '<' ? getcwd(NULL, 0) : NULL;
  if (!current)
    return NULL;
  const char *path = text_format(&files->arena, "%s/%s", current, name);
  free(current);
  return path;
}

struct package_options import_files_options(struct import_files *files, const char *name,
                                            const char *const *folders, size_t count) {
  return (struct package_options){.read = read_regular,
                                  .data = files,
                                  .folders = folders,
                                  .folder_count = count,
                                  .path = absolute_name(files, name)};
}

void import_files_free(struct import_files *files) {
  for (struct import_file *file = files->first; file; file = file->next)
    text_free(&file->text);
  arena_destroy(&files->arena);
  *files = (struct import_files){0};
}
