/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/c_locale.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

/* Lives as long as the process. Without memory for it the program's own locale stays. */
static void create(void) {
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Of this thread; returns the one before. */
static locale_t enter(void) {
  pthread_once(&once, create);
  return c_locale ? uselocale(c_locale) : (locale_t)0;
}

static void leave(locale_t before) {
  if (before)
    uselocale(before);
}

double c_strtod(const char *text, char **end) {
  locale_t before = enter();
  double value = strtod(text, end);
  leave(before);
  return value;
}

int c_vsnprintf(char *out, size_t size, const char *format, va_list arguments) {
  locale_t before = enter();
  int length = vsnprintf(out, size, format, arguments);
  leave(before);
  return length;
}

int c_snprintf(char *out, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = c_vsnprintf(out, size, format, arguments);
  va_end(arguments);
  return length;
}
