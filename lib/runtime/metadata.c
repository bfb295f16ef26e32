/* See metadata.h. */
#include "runtime/metadata.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"

static const char *const kind_names[] = {
#define X(id, name, bytes) [TILE_ARGUMENT_##id] = name,
#include "runtime/argument_kinds.def"
#undef X
};
static const uint32_t kind_bytes[] = {
#define X(id, name, bytes) [TILE_ARGUMENT_##id] = bytes,
#include "runtime/argument_kinds.def"
#undef X
};
enum { KIND_COUNT = sizeof kind_bytes / sizeof *kind_bytes };
_Static_assert(KIND_COUNT == TILE_ARGUMENT_F64 + 1, "every kind has a row");

const char *tile_argument_kind_name(tile_argument_kind kind) {
  return (unsigned)kind < KIND_COUNT ? kind_names[kind] : "an unknown kind";
}

uint32_t tile_argument_kind_bytes(tile_argument_kind kind) {
  return (unsigned)kind < KIND_COUNT ? kind_bytes[kind] : 0;
}

static const char opening[] = "// tile.metadata ";
static const char kernel_line[] = "// tile.kernel";
static const char small_line[] = "// tile.small-grid";
static const char argument_line[] = "// tile.argument";
static const char closing[] = "// tile.end";
enum { VERSION = 4 };

/* FNV-1a, 64 bits. */
static uint64_t checksum(const char *bytes, size_t size) {
  uint64_t hash = 0xCBF29CE484222325;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001B3;
  return hash;
}

/* --- Writing ------------------------------------------------------------------------------------
 */

static void write_word(struct text *out, const char *key, const char *value) {
  text_printf(out, " %s=", key);
  for (const unsigned char *c = (const unsigned char *)value; *c; c++)
    if (*c > ' ' && *c < 0x7F && *c != '%')
      text_append(out, (const char *)c, 1);
    else
      text_printf(out, "%%%02X", *c);
}

static void write_parameter(const tile_parameter *parameter, struct text *out) {
  text_puts(out, argument_line);
  write_word(out, "name", parameter->name);
  write_word(out, "kind", kind_names[parameter->kind]);
  write_word(out, "type", parameter->type);
  text_printf(out, " divisibility=%u\n", (unsigned)parameter->divisibility);
}

static void write_small_grid(const tile_small_grid *small, struct text *out) {
  text_puts(out, small_line);
  write_word(out, "name", small->name);
  text_printf(out, " shared=%u blocks=%u\n", (unsigned)small->shared_bytes, (unsigned)small->blocks);
}

void metadata_close(struct text *out, size_t start) {
  size_t length = out->length - start;
  uint64_t sum = checksum(out->data + start, length);
  text_printf(out, "%s bytes=%zu check=%016" PRIX64 "\n", closing, length, sum);
}

void metadata_write(const tile_kernel_info *kernels, size_t count, struct text *out) {
  size_t start = out->length;
  text_printf(out, "%s%d\n", opening, VERSION);
  for (size_t i = 0; i < count; i++) {
    const tile_kernel_info *kernel = &kernels[i];
    text_puts(out, kernel_line);
    write_word(out, "name", kernel->name);
    if (kernel->symbol)
      write_word(out, "symbol", kernel->symbol);
    write_word(out, "target", kernel->target);
    write_word(out, "isa", kernel->ptx_isa);
    text_printf(out, " driver=%d warps=%u threads=%u shared=%u programs=%u\n",
                kernel->minimum_driver, (unsigned)kernel->num_warps, (unsigned)kernel->threads,
                (unsigned)kernel->shared_bytes,
                kernel->programs_per_block ? (unsigned)kernel->programs_per_block : 1);
    if (kernel->small_grid.name)
      write_small_grid(&kernel->small_grid, out);
    for (size_t p = 0; p < kernel->parameter_count; p++)
      write_parameter(&kernel->parameters[p], out);
  }
  metadata_close(out, start);
}

/* --- Reading ------------------------------------------------------------------------------------
 */

/* Where reading is. The last kernel's parameters grow in place until the next kernel begins. */
struct reader {
  const char *name; /* of the image */
  struct arena *arena;
  struct slice line; /* the current one, without its end */
  size_t number;     /* of it, from 1 */
  tile_kernel_info *kernels;
  tile_parameter *parameters; /* of the last kernel */
  size_t count;
};

static tile_status bad_line(const struct reader *reader, const char *what) {
  return FAIL(TILE_BAD_IMAGE, "'%s': line %zu of the metadata %s: '%.*s'", reader->name,
              reader->number, what, (int)(reader->line.length < 80 ? reader->line.length : 80),
              reader->line.data);
}

static bool begins_with(struct slice line, const char *start) {
  size_t length = strlen(start);
  return line.length >= length && memcmp(line.data, start, length) == 0;
}

/* How often `key=` stands in a line; the value behind the first, as written. */
static int count_words(struct slice line, const char *key, struct slice *out) {
  const char *at = line.data, *end = at + line.length;
  size_t length = strlen(key);
  int count = 0;
  while (at < end) {
    const char *word = at;
    while (at < end && *at != ' ')
      at++;
    if ((size_t)(at - word) > length && memcmp(word, key, length) == 0 && word[length] == '=') {
      if (count++ == 0)
        *out = (struct slice){word + length + 1, (size_t)(at - word) - length - 1};
    }
    at += at < end;
  }
  return count;
}

static bool find_word(const struct reader *reader, const char *key, struct slice *out) {
  return count_words(reader->line, key, out) == 1;
}

static tile_status missing(const struct reader *reader, const char *key, const char *what) {
  struct slice word;
  bool twice = count_words(reader->line, key, &word) > 1;
  return bad_line(reader, twice ? "has a word twice" : what);
}

static int hex_digit(char c) {
  return isdigit((unsigned char)c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static tile_status read_string(const struct reader *reader, const char *key, const char **out) {
  struct slice word;
  if (!find_word(reader, key, &word))
    return missing(reader, key, "lacks a word");
  char *text = arena_allocate(reader->arena, word.length + 1), *end = text;
  for (size_t i = 0; i < word.length; i++) {
    if (word.data[i] != '%') {
      *end++ = word.data[i];
      continue;
    }
    int high = i + 2 < word.length ? hex_digit(word.data[i + 1]) : -1;
    int low = i + 2 < word.length ? hex_digit(word.data[i + 2]) : -1;
    if (high < 0 || low < 0 || high + low == 0) /* %00 would end the string */
      return bad_line(reader, "has a broken escape");
    *end++ = (char)(high * 16 + low);
    i += 2;
  }
  *out = text;
  return NULL;
}

static tile_status read_number(const struct reader *reader, const char *key, uint32_t *out) {
  struct slice word;
  if (!find_word(reader, key, &word) || word.length == 0 || word.length > 9)
    return missing(reader, key, "lacks a number");
  *out = 0;
  for (size_t i = 0; i < word.length; i++) {
    if (!isdigit((unsigned char)word.data[i]))
      return bad_line(reader, "has a broken number");
    *out = *out * 10 + (uint32_t)(word.data[i] - '0');
  }
  return NULL;
}

static tile_status read_kernel(struct reader *reader) {
  tile_kernel_info *kernel = &reader->kernels[reader->count++];
  uint32_t driver;
  TRY(read_string(reader, "name", &kernel->name));
  struct slice symbol;
  if (count_words(reader->line, "symbol", &symbol))
    TRY(read_string(reader, "symbol", &kernel->symbol));
  TRY(read_string(reader, "target", &kernel->target));
  TRY(read_string(reader, "isa", &kernel->ptx_isa));
  TRY(read_number(reader, "driver", &driver));
  TRY(read_number(reader, "warps", &kernel->num_warps));
  TRY(read_number(reader, "threads", &kernel->threads));
  TRY(read_number(reader, "shared", &kernel->shared_bytes));
  TRY(read_number(reader, "programs", &kernel->programs_per_block));
  kernel->minimum_driver = (int)driver;
  kernel->parameters = reader->parameters;
  return NULL;
}

static tile_status read_small_grid(struct reader *reader) {
  if (reader->count == 0)
    return bad_line(reader, "is a version of no kernel");
  tile_small_grid *small = &reader->kernels[reader->count - 1].small_grid;
  TRY(read_string(reader, "name", &small->name));
  TRY(read_number(reader, "shared", &small->shared_bytes));
  return read_number(reader, "blocks", &small->blocks);
}

static tile_status read_parameter(struct reader *reader) {
  if (reader->count == 0)
    return bad_line(reader, "is an argument of no kernel");
  tile_parameter *parameter = reader->parameters++;
  const char *kind;
  TRY(read_string(reader, "name", &parameter->name));
  TRY(read_string(reader, "type", &parameter->type));
  TRY(read_string(reader, "kind", &kind));
  TRY(read_number(reader, "divisibility", &parameter->divisibility));
  if (parameter->divisibility == 0)
    return bad_line(reader, "promises divisibility by 0");
  reader->kernels[reader->count - 1].parameter_count++;
  for (int i = 0; i < KIND_COUNT; i++)
    if (strcmp(kind_names[i], kind) == 0) {
      parameter->kind = (tile_argument_kind)i;
      return NULL;
    }
  return bad_line(reader, "has an unknown kind");
}

/* --- Finding ------------------------------------------------------------------------------------ */

static bool is_blank(char c) {
  return c == 0 || isspace((unsigned char)c);
}

/* The last line with anything on it, whatever the bytes are. */
static struct slice last_line(const char *bytes, size_t size) {
  while (size > 0 && is_blank(bytes[size - 1]))
    size--;
  size_t start = size;
  while (start > 0 && bytes[start - 1] != '\n')
    start--;
  return (struct slice){bytes + start, size - start};
}

/* A number of digits of a base up to 16. */
static bool parse_number(struct slice word, unsigned base, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < word.length; i++) {
    int digit = hex_digit(word.data[i]);
    if (digit < 0 || (unsigned)digit >= base)
      return false;
    *out = *out * base + (unsigned)digit;
  }
  return word.length > 0 && word.length <= 16;
}

static bool contains(const char *bytes, size_t size, const char *what) {
  size_t length = strlen(what);
  for (size_t at = 0; at + length <= size; at++)
    if (memcmp(bytes + at, what, length) == 0)
      return true;
  return false;
}

tile_status metadata_find(const char *name, const char *bytes, size_t size, size_t *out_code, size_t *out_size) {
  struct slice line = last_line(bytes, size), words[2];
  uint64_t length, sum;
  if (!begins_with(line, closing))
    return contains(bytes, size, opening)
               ? FAIL(TILE_BAD_IMAGE, "'%s': the metadata is cut off, or something stands behind it", name)
               : FAIL(TILE_BAD_IMAGE, "'%s' has no metadata: it does not come from tile-translate", name);
  if (count_words(line, "bytes", &words[0]) != 1 || count_words(line, "check", &words[1]) != 1 ||
      !parse_number(words[0], 10, &length) || !parse_number(words[1], 16, &sum))
    return FAIL(TILE_BAD_IMAGE, "'%s' has metadata of another version: compile it with the tile-translate of "
                "this library", name);
  size_t before = (size_t)(line.data - bytes);
  if (length > before || !begins_with((struct slice){line.data - length, (size_t)length}, opening) ||
      checksum(line.data - length, (size_t)length) != sum)
    return FAIL(TILE_BAD_IMAGE, "'%s': the metadata is damaged, its checksum is another one; compile it anew", name);
  *out_code = before - (size_t)length;
  *out_size = (size_t)length;
  return NULL;
}

/* --- All of it ---------------------------------------------------------------------------------- */

static size_t count_lines(const char *text, size_t size) {
  size_t count = 1;
  for (size_t i = 0; i < size; i++)
    count += text[i] == '\n';
  return count;
}

/* The next line into reader->line; false at the end. */
static bool next_line(struct reader *reader, const char **at, const char *end) {
  if (*at >= end)
    return false;
  const char *newline = memchr(*at, '\n', (size_t)(end - *at));
  const char *stop = newline ? newline : end;
  reader->line = slice_trim((struct slice){*at, (size_t)(stop - *at)});
  reader->number++;
  *at = stop + 1;
  return true;
}

static struct slice slice_behind(struct slice line, size_t count) {
  return slice_trim((struct slice){line.data + count, line.length - count});
}

tile_status metadata_read(const char *name, const char *block, size_t size, struct arena *arena,
                          const tile_kernel_info **out_kernels, size_t *out_count) {
  size_t lines = count_lines(block, size);
  struct reader reader = {.name = name,
                          .arena = arena,
                          .kernels = ARENA_ARRAY(arena, tile_kernel_info, lines),
                          .parameters = ARENA_ARRAY(arena, tile_parameter, lines)};
  const char *at = block, *end = block + size;
  uint64_t version = 0;
  if (next_line(&reader, &at, end) && reader.line.length > sizeof opening - 1)
    parse_number(slice_behind(reader.line, sizeof opening - 1), 10, &version);
  if (version != VERSION)
    return bad_line(&reader, "has a version that this library does not know");
  while (next_line(&reader, &at, end)) {
    if (begins_with(reader.line, kernel_line))
      TRY(read_kernel(&reader));
    else if (begins_with(reader.line, small_line))
      TRY(read_small_grid(&reader));
    else if (begins_with(reader.line, argument_line))
      TRY(read_parameter(&reader));
    else
      return bad_line(&reader, "is not known");
  }
  *out_kernels = reader.kernels;
  *out_count = reader.count;
  return metadata_check(name, reader.kernels, reader.count);
}

/* --- Copying ------------------------------------------------------------------------------------
 */

static const char *copy_string(struct arena *arena, const char *text) {
  return arena_copy_string(arena, text, strlen(text));
}

const tile_kernel_info *metadata_copy(struct arena *arena, const tile_kernel_info *kernels,
                                      size_t count) {
  tile_kernel_info *copies = ARENA_ARRAY(arena, tile_kernel_info, count);
  for (size_t i = 0; i < count; i++) {
    tile_parameter *parameters = ARENA_ARRAY(arena, tile_parameter, kernels[i].parameter_count);
    for (size_t p = 0; p < kernels[i].parameter_count; p++) {
      parameters[p] = kernels[i].parameters[p];
      parameters[p].name = copy_string(arena, parameters[p].name);
      parameters[p].type = copy_string(arena, parameters[p].type);
    }
    copies[i] = kernels[i];
    copies[i].name = copy_string(arena, kernels[i].name);
    copies[i].target = copy_string(arena, kernels[i].target);
    copies[i].ptx_isa = copy_string(arena, kernels[i].ptx_isa);
    copies[i].parameters = parameters;
    if (kernels[i].symbol)
      copies[i].symbol = copy_string(arena, kernels[i].symbol);
    if (kernels[i].small_grid.name)
      copies[i].small_grid.name = copy_string(arena, kernels[i].small_grid.name);
  }
  return copies;
}
