/* SPDX-License-Identifier: MIT */
/* Results of fallible calls.

   A `tile_status` is NULL for success, or an owned error with a code, a message and the place in
   this library that raised it. Every function that returns one hands ownership to the caller, who
   ends it with tile_status_free (NULL is fine). Messages are complete sentences for people:
   what is wrong, then the way out.

   NULL for an object or an out parameter, where a function does not say what it means, is refused
   with TILE_INVALID_ARGUMENT by every function that returns a status; others must not be given it.

   Threads: a status is plain data; any thread may own it, one at a time. */
#ifndef TILE_STATUS_H
#define TILE_STATUS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TILE_EXPORT __attribute__((visibility("default")))
#define TILE_PRINTF(text, first) __attribute__((format(printf, text, first)))
/* The compiler warns where the result is not looked at; tile_status_free(f()) says that it does not
   matter. */
#define TILE_CHECKED __attribute__((warn_unused_result))
#else
#define TILE_EXPORT
#define TILE_CHECKED
#define TILE_PRINTF(text, first)
#endif

/* An exported function that returns a status. */
#define TILE_RESULT TILE_EXPORT TILE_CHECKED

typedef enum tile_code {
  TILE_OK = 0,
  TILE_INVALID_ARGUMENT, /* the caller's input is wrong: bad IR, bad flag, bad type */
  TILE_NOT_FOUND,        /* a file, a kernel, a symbol, a program is not there */
  TILE_IO_ERROR,         /* the operating system refused a read or a write */
  TILE_OUT_OF_MEMORY,
  TILE_UNSUPPORTED,   /* correct input that this version cannot handle */
  TILE_HAZARD,        /* the emulator found an out-of-bounds access, a race, a deadlock */
  TILE_EXTERNAL_TOOL, /* ptxas or another program failed */
  TILE_INTERNAL,      /* a bug in this library */
  TILE_NO_DEVICE,     /* no driver library, or the driver sees no device */
  TILE_DRIVER_TOO_OLD,
  TILE_BAD_IMAGE,    /* not a kernel image, or one that the driver finds wrong */
  TILE_WRONG_TARGET, /* the image is for another kind of device */
  TILE_DEVICE_FAILED /* a kernel or the device broke down: an illegal address, a trap */
} tile_code;

typedef struct tile_status_object *tile_status;

/* Makes an error. `origin` is a static string ("file.c:12"), borrowed; the message is formatted
   and copied. Falls back to a static out-of-memory status when there is no memory. */
TILE_RESULT tile_status tile_status_make(tile_code code, const char *origin, const char *format,
                                         ...) TILE_PRINTF(3, 4);
/* The code; TILE_OK for NULL. */
TILE_EXPORT tile_code tile_status_code(tile_status status);
/* The message, borrowed; "" for NULL. */
TILE_EXPORT const char *tile_status_message(tile_status status);
/* Where the error was raised, borrowed; "" for NULL. */
TILE_EXPORT const char *tile_status_origin(tile_status status);
/* Stable name of a code: "invalid-argument". */
TILE_EXPORT const char *tile_code_name(tile_code code);
TILE_EXPORT void tile_status_free(tile_status status);

#ifdef __cplusplus
}
#endif
#endif
