/* SPDX-License-Identifier: MIT */
/* tile_status: one allocation per error, freed by its owner. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tile_status_object {
  tile_code code;
  const char *origin;
  const char *message; /* inside the same allocation, or static */
};

/* What is returned when the error itself cannot be allocated; never freed. */
static struct tile_status_object no_memory = {TILE_OUT_OF_MEMORY, "status.c", "out of memory"};

tile_status tile_status_make(tile_code code, const char *origin, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  struct tile_status_object *status =
      length < 0 ? NULL : malloc(sizeof *status + (size_t)length + 1);
  if (!status) {
    va_end(again);
    return &no_memory;
  }
  char *text = (char *)(status + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  *status = (struct tile_status_object){.code = code, .origin = origin, .message = text};
  return status;
}

tile_status status_null(const char *function, const char *names, size_t index) {
  for (; index; index--)
    names = strchr(names, ',') + 2;
  return FAIL(TILE_INVALID_ARGUMENT, "%s: %.*s is NULL", function, (int)strcspn(names, ","), names);
}

tile_code tile_status_code(tile_status status) {
  return status ? status->code : TILE_OK;
}

const char *tile_status_message(tile_status status) {
  return status ? status->message : "";
}

const char *tile_status_origin(tile_status status) {
  return status ? status->origin : "";
}

void tile_status_free(tile_status status) {
  if (status != &no_memory)
    free(status);
}

const char *tile_code_name(tile_code code) {
  switch (code) {
  case TILE_OK:
    return "ok";
  case TILE_INVALID_ARGUMENT:
    return "invalid-argument";
  case TILE_NOT_FOUND:
    return "not-found";
  case TILE_IO_ERROR:
    return "io-error";
  case TILE_OUT_OF_MEMORY:
    return "out-of-memory";
  case TILE_UNSUPPORTED:
    return "unsupported";
  case TILE_HAZARD:
    return "hazard";
  case TILE_EXTERNAL_TOOL:
    return "external-tool";
  case TILE_INTERNAL:
    return "internal";
  case TILE_NO_DEVICE:
    return "no-device";
  case TILE_DRIVER_TOO_OLD:
    return "driver-too-old";
  case TILE_BAD_IMAGE:
    return "bad-image";
  case TILE_WRONG_TARGET:
    return "wrong-target";
  case TILE_DEVICE_FAILED:
    return "device-failed";
  }
  return "unknown";
}
