/* SPDX-License-Identifier: MIT */
/* Requests that a cache may answer: the steps around a compilation, each of which does nothing
   where there is no cache.

       struct cached_request request;
       struct key_builder key;
       key_begin(&key, "compile"); ... everything that decides what comes out ...
       cached_begin(&request, cache, &key, NULL);
       if (!cached_find(&request, &sink, &bytes)) {      // hands its diagnostics to the sink, too
         cached_record(&request, &session->diagnostics);
         ... compile ...
         cached_keep(&request, bytes.data, bytes.length); // after success only
       }
       cached_end(&request);

   Which other files a kernel imports from, one knows when it was imported. So such a request has
   two entries. The first, under the request's own key, is a list of lists of files. The second has
   a key made of the request's and of what those files hold (or that they are not there), and is the
   result. What the lists say is only where to look: the second key names all that the importer was
   told, so that a result is never given for other files. */
#ifndef TILE_DRIVER_CACHED_H
#define TILE_DRIVER_CACHED_H

#include "base/arena.h"
#include "cache/cache.h"
#include "frontend/import/import.h"
#include "ir/diagnostics.h"
#include "tile/compiler.h"

/* What the importer was told of a file. */
struct file_answer {
  const char *path; /* the arena's */
  bool found;
  struct slice text; /* borrowed from the reader */
  struct cache_key content;
};

struct file_answers {
  struct file_answer *list;
  size_t count, capacity;
};

struct cached_request {
  tile_cache *cache; /* borrowed; NULL: nothing is found and nothing kept */
  struct cache_key key;
  struct package_options files; /* `read` is NULL when no other file is read */
  struct arena arena;
  struct file_answers answers; /* while compiling */
  struct diagnostics_record record;
  struct diagnostics *recorded; /* whose record that is, or NULL */
};

/* `packages` is NULL for what reads no other file. Otherwise its reader is replaced by one that
   notes what it was asked, until cached_end; what it reads lives as long as it did. */
void cached_begin(struct cached_request *request, tile_cache *cache, const struct key_builder *key,
                  struct package_options *packages);
/* True when there was an entry: its bytes are appended. */
bool cached_find(struct cached_request *request, struct diagnostics *sink, struct text *out);
/* From here on the sink's diagnostics are kept with the result. */
void cached_record(struct cached_request *request, struct diagnostics *sink);
void cached_keep(struct cached_request *request, const void *bytes, size_t size);
void cached_end(struct cached_request *request);

/* --- What keys are made of -------------------------------------------------------------------- */

/* All options; of a cubin also what assembles it. */
void key_add_compile_options(struct key_builder *key, const tile_compile_options *options,
                             tile_output output);
/* All options but the reader of other files; their places are in. */
void key_add_import_options(struct key_builder *key, const struct import_options *options);

#endif
