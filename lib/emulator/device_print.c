/* SPDX-License-Identifier: MIT */
/* Device functions: vprintf and __assertfail.

   The arguments lie one after the other, each aligned to its size, as on the device. Formats are
   the compiler's own: %d, %x and %f with widths, ll for 8 bytes, %%. */
#include "emulator/device.h"

#include <stdio.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/text.h"
#include "emulator/launch.h"

/* One conversion: from the percent sign to its letter. */
struct conversion {
  char text[16];
  size_t length;
  bool wide;
  char letter;
};

static struct conversion read_conversion(const char *format) {
  struct conversion conversion = {.length = 1};
  while (strchr("0123456789l", format[conversion.length]) && format[conversion.length])
    conversion.wide |= format[conversion.length++] == 'l';
  conversion.letter = format[conversion.length++];
  size_t room = sizeof conversion.text - 1;
  memcpy(conversion.text, format, conversion.length < room ? conversion.length : room);
  return conversion;
}

static const unsigned char *align_to(const unsigned char *at, size_t size) {
  return (const unsigned char *)(((uintptr_t)at + size - 1) / size * size);
}

static void put_argument(struct text *out, const struct conversion *conversion,
                         const unsigned char **arguments) {
  size_t size = conversion->wide || conversion->letter == 'f' ? 8 : 4;
  const unsigned char *at = align_to(*arguments, size);
  long long wide;
  int narrow;
  double number;
  char text[400]; /* the largest double has 309 digits */
  if (conversion->letter == 'f') {
    memcpy(&number, at, sizeof number);
    c_snprintf(text, sizeof text, "%f", number);
  } else if (conversion->wide) {
    memcpy(&wide, at, sizeof wide);
    c_snprintf(text, sizeof text, conversion->text, wide);
  } else {
    memcpy(&narrow, at, sizeof narrow);
    c_snprintf(text, sizeof text, conversion->text, narrow);
  }
  text_puts(out, text);
  *arguments = at + size;
}

uint32_t tile_emu_vprintf(struct emulator_thread *thread, const char *format,
                          const unsigned char *arguments) {
  const tile_emulator_launch_options *options = thread->launch->options;
  struct text line = {0};
  while (*format) {
    if (*format != '%' || format[1] == '%') {
      text_append(&line, format, 1);
      format += 1 + (*format == '%');
      continue;
    }
    struct conversion conversion = read_conversion(format);
    put_argument(&line, &conversion, &arguments);
    format += conversion.length;
  }
  if (options->print)
    options->print(options->print_context, line.data, line.length);
  else
    fwrite(line.data, 1, line.length, stdout);
  text_free(&line);
  return 0;
}

_Noreturn void tile_emu_assertfail(struct emulator_thread *thread, const char *message,
                                   const char *file, uint32_t line, const char *function,
                                   uint64_t character_bytes, const char *location) {
  (void)character_bytes;
  char text[1024];
  c_snprintf(text, sizeof text, "assertion failed: %s (%s:%u, in %s)", message, file,
             (unsigned)line, function);
  tile_emu_trap(thread, location, text);
}
