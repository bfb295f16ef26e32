/* SPDX-License-Identifier: MIT */
/* A libnvJitLink for machines without one, named to the compiler in TILE_NVJITLINK. Its "cubin" is
   an ELF magic, the options, and the PTX. FAKE_NVJITLINK names a function that fails: create, add,
   complete, cubin; or "empty" for a cubin of no bytes. */
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define API(name, ...)                                                                             \
  EXPORT int name(__VA_ARGS__);                                                                    \
  EXPORT int name(__VA_ARGS__)

enum { OK = 0, FAILED = 4, PTX = 2 };
static const char report[] = "fake     , line 7; fatal   : no such thing\n",
                  notes[] = "fake info : Used 255 registers\n";

struct link {
  char *bytes;
  size_t size;
};

static int fails(const char *what) {
  const char *named = getenv("FAKE_NVJITLINK");
  return named && strcmp(named, what) == 0;
}

static void append(struct link *link, const char *bytes, size_t size) {
  link->bytes = realloc(link->bytes, link->size + size);
  if (!link->bytes)
    abort();
  memcpy(link->bytes + link->size, bytes, size);
  link->size += size;
}

API(nvJitLinkCreate, struct link **out, unsigned count, const char **options) {
  if (fails("create"))
    return FAILED;
  *out = calloc(1, sizeof **out);
  append(*out, "\177ELF", 4);
  for (unsigned i = 0; i < count; i++) {
    append(*out, options[i], strlen(options[i]));
    append(*out, "\n", 1);
  }
  return OK;
}

API(nvJitLinkDestroy, struct link **link) {
  free((*link)->bytes);
  free(*link);
  *link = NULL;
  return OK;
}

API(nvJitLinkAddData, struct link *link, int kind, const char *data, size_t size,
    const char *name) {
  if (fails("add") || kind != PTX || !name || size == 0 || data[size - 1] != 0 ||
      strlen(data) != size - 1)
    return FAILED;
  append(link, data, size - 1);
  return OK;
}

API(nvJitLinkComplete, struct link *link) {
  if (fails("empty"))
    link->size = 0;
  return fails("complete") ? FAILED : OK;
}

API(nvJitLinkGetLinkedCubinSize, struct link *link, size_t *size) {
  *size = link->size;
  return OK;
}

API(nvJitLinkGetLinkedCubin, struct link *link, char *cubin) {
  memcpy(cubin, link->bytes, link->size);
  return fails("cubin") ? FAILED : OK;
}

API(nvJitLinkGetErrorLogSize, struct link *link, size_t *size) {
  (void)link;
  *size = sizeof report;
  return OK;
}

API(nvJitLinkGetErrorLog, struct link *link, char *log) {
  (void)link;
  memcpy(log, report, sizeof report);
  return OK;
}

API(nvJitLinkGetInfoLogSize, struct link *link, size_t *size) {
  (void)link;
  *size = sizeof notes;
  return OK;
}

API(nvJitLinkGetInfoLog, struct link *link, char *log) {
  (void)link;
  memcpy(log, notes, sizeof notes);
  return OK;
}
