/* SPDX-License-Identifier: MIT */
/* Reading the lines of tile/image.h, of any bytes. Lists grow in place: arguments and versions
   belong to the last kernel, constants, conditions and maps to the last version. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/status.h"
#include "runtime/metadata.h"
#include "runtime/versions.h"

/* Where reading is. Pointers stand at the next free element. */
struct reader {
  const char *name; /* of the image */
  struct arena *arena;
  struct slice line; /* the current one, without its end */
  size_t number;     /* of it, from 1 */
  struct metadata *out;
  tile_parameter *parameters;
  tile_kernel_version *versions;
  tile_condition *conditions;
  tile_named_constant *constants;
  tile_tensor_map *maps;
};

static tile_status bad_line(const struct reader *reader, const char *what) {
  return FAIL(TILE_BAD_IMAGE, "'%s': line %zu of the metadata %s: '%.*s'", reader->name,
              reader->number, what, (int)(reader->line.length < 80 ? reader->line.length : 80),
              reader->line.data);
}

/* --- Words ------------------------------------------------------------------------------------ */

static bool has_word(const struct reader *reader, const char *key) {
  struct slice word;
  return metadata_count_words(reader->line, key, &word) > 0;
}

static tile_status find_word(const struct reader *reader, const char *key, struct slice *out) {
  int count = metadata_count_words(reader->line, key, out);
  if (count == 1)
    return NULL;
  char what[48] = "has a word twice";
  if (count == 0)
    snprintf(what, sizeof what, "lacks the word %s=", key);
  return bad_line(reader, what);
}

static int hex_digit(char c) {
  return isdigit((unsigned char)c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static tile_status read_string(const struct reader *reader, const char *key, const char **out) {
  struct slice word;
  TRY(find_word(reader, key, &word));
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

static tile_status read_unsigned(const struct reader *reader, const char *key, unsigned base,
                                 uint64_t *out) {
  struct slice word;
  TRY(find_word(reader, key, &word));
  return metadata_parse_number(word, base, out) ? NULL : bad_line(reader, "has a broken number");
}

static tile_status read_number(const struct reader *reader, const char *key, uint32_t *out) {
  uint64_t value;
  TRY(read_unsigned(reader, key, 10, &value));
  if (value > INT32_MAX)
    return bad_line(reader, "has a number that is too large");
  *out = (uint32_t)value;
  return NULL;
}

/* Any int64_t. */
static tile_status read_integer(const struct reader *reader, const char *key, int64_t *out) {
  struct slice word;
  TRY(find_word(reader, key, &word));
  bool negative = word.length && word.data[0] == '-';
  uint64_t value = 0, limit = (uint64_t)INT64_MAX + negative;
  for (size_t i = negative; i < word.length; i++) {
    unsigned digit = (unsigned)(word.data[i] - '0');
    if (digit > 9 || value > (limit - digit) / 10)
      return bad_line(reader, "has a broken number");
    value = value * 10 + digit;
  }
  if (word.length == negative)
    return bad_line(reader, "has a broken number");
  *out = (int64_t)(negative ? 0 - value : value);
  return NULL;
}

/* Which of `count` names stands in the word; the last one is at `count` - 1. */
static tile_status read_name(const struct reader *reader, const char *key,
                             const char *(*name_of)(int), int count, int *out) {
  struct slice word;
  TRY(find_word(reader, key, &word));
  for (*out = 0; *out < count; ++*out)
    if (slice_equals(word, name_of(*out)))
      return NULL;
  return bad_line(reader, "has an unknown kind");
}

static const char *argument_kind_name(int kind) {
  return tile_argument_kind_name((tile_argument_kind)kind);
}

static const char *condition_kind_name(int kind) {
  return tile_condition_kind_name((tile_condition_kind)kind);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static tile_status read_section(struct reader *reader) {
  tile_section *section = &reader->out->sections[reader->out->section_count];
  struct section_place *place = &reader->out->places[reader->out->section_count++];
  uint32_t driver;
  int format;
  TRY(read_name(reader, "format", metadata_format_name, TILE_IMAGE_OBJECT + 1, &format));
  if (format == TILE_IMAGE_EMULATOR)
    return bad_line(reader, "has a program that lives in memory only");
  TRY(read_string(reader, "target", &section->target));
  TRY(read_string(reader, "isa", &section->ptx_isa));
  TRY(read_number(reader, "driver", &driver));
  section->format = (tile_image_format)format;
  section->minimum_driver = (int)driver;
  place->has_place = has_word(reader, "offset") || has_word(reader, "bytes");
  place->has_check = has_word(reader, "check");
  if (place->has_place) {
    TRY(read_unsigned(reader, "offset", 10, &place->offset));
    TRY(read_unsigned(reader, "bytes", 10, &place->size));
  }
  return place->has_check ? read_unsigned(reader, "check", 16, &place->check) : NULL;
}

static tile_status read_kernel(struct reader *reader) {
  tile_kernel_info *kernel = &reader->out->kernels[reader->out->kernel_count++];
  kernel->parameters = reader->parameters;
  kernel->versions = reader->versions;
  return read_string(reader, "name", &kernel->name);
}

static tile_kernel_info *last_kernel(const struct reader *reader) {
  return reader->out->kernel_count ? &reader->out->kernels[reader->out->kernel_count - 1] : NULL;
}

static tile_status read_parameter(struct reader *reader) {
  if (!last_kernel(reader))
    return bad_line(reader, "is an argument of no kernel");
  tile_parameter *parameter = reader->parameters++;
  int kind;
  TRY(read_string(reader, "name", &parameter->name));
  TRY(read_string(reader, "type", &parameter->type));
  TRY(read_name(reader, "kind", argument_kind_name, TILE_ARGUMENT_F64 + 1, &kind));
  TRY(read_number(reader, "divisibility", &parameter->divisibility));
  if (parameter->divisibility == 0)
    return bad_line(reader, "promises divisibility by 0");
  parameter->kind = (tile_argument_kind)kind;
  last_kernel(reader)->parameter_count++;
  return NULL;
}

/* What only some versions say. */
static tile_status read_resources(struct reader *reader, tile_kernel_version *version) {
  static const char *const names[] = {"resident",  "part",  "cluster",
                                      "registers", "local", "spills"};
  uint32_t *const places[] = {&version->resident_blocks, &version->part_bytes,
                              &version->cluster_blocks,  &version->registers,
                              &version->local_bytes,     &version->spill_bytes};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (has_word(reader, names[i]))
      TRY(read_number(reader, names[i], places[i]));
  return has_word(reader, "config") ? read_string(reader, "config", &version->config) : NULL;
}

static tile_status read_version(struct reader *reader) {
  tile_kernel_info *kernel = last_kernel(reader);
  if (!kernel)
    return bad_line(reader, "is a version of no kernel");
  tile_kernel_version *version = reader->versions++;
  uint32_t section;
  *version = (tile_kernel_version){.index = (uint32_t)kernel->version_count++,
                                   .conditions = reader->conditions,
                                   .constants = reader->constants,
                                   .maps = reader->maps};
  TRY(read_number(reader, "section", &section));
  if (section >= reader->out->section_count)
    return bad_line(reader, "names a section that there is not");
  version->section = &reader->out->sections[section];
  TRY(read_string(reader, "symbol", &version->symbol));
  TRY(read_number(reader, "warps", &version->num_warps));
  TRY(read_number(reader, "threads", &version->threads));
  TRY(read_number(reader, "shared", &version->shared_bytes));
  TRY(read_number(reader, "programs", &version->programs_per_block));
  return read_resources(reader, version);
}

static tile_kernel_version *last_version(const struct reader *reader) {
  tile_kernel_info *kernel = last_kernel(reader);
  return kernel && kernel->version_count ? reader->versions - 1 : NULL;
}

static tile_status read_constant(struct reader *reader) {
  if (!last_version(reader))
    return bad_line(reader, "is a constant of no version");
  tile_named_constant *constant = reader->constants++;
  last_version(reader)->constant_count++;
  TRY(read_string(reader, "name", &constant->name));
  return read_string(reader, "value", &constant->value);
}

static tile_status read_condition(struct reader *reader) {
  if (!last_version(reader))
    return bad_line(reader, "is a condition of no version");
  tile_condition *condition = reader->conditions++;
  int kind;
  last_version(reader)->condition_count++;
  TRY(read_name(reader, "kind", condition_kind_name, TILE_CONDITION_SPLIT_ROWS + 1, &kind));
  condition->kind = (tile_condition_kind)kind;
  if (condition_has_argument(condition))
    TRY(read_number(reader, "argument", &condition->argument));
  return condition->kind == TILE_CONDITION_ABSENT
             ? NULL
             : read_integer(reader, "value", &condition->value);
}

/* The part of `rest` up to the next `end`; both are taken off. */
static struct slice take_part(struct slice *rest, char end) {
  size_t length = 0;
  while (length < rest->length && rest->data[length] != end)
    length++;
  struct slice part = {rest->data, length};
  length += length < rest->length;
  *rest = (struct slice){rest->data + length, rest->length - length};
  return part;
}

/* "2*7*0": a factor and arguments. */
static bool parse_product(struct slice word, tile_product *out) {
  uint64_t number;
  *out = (tile_product){0};
  if (!metadata_parse_number(take_part(&word, '*'), 10, &number) || number > INT64_MAX)
    return false;
  out->factor = (int64_t)number;
  while (word.length) {
    if (out->argument_count == TILE_PRODUCT_ARGUMENTS ||
        !metadata_parse_number(take_part(&word, '*'), 10, &number) || number > INT32_MAX)
      return false;
    out->arguments[out->argument_count++] = (uint32_t)number;
  }
  return true;
}

/* At most `most`, with commas between them. */
static tile_status read_products(const struct reader *reader, const char *key, uint32_t most,
                                 tile_product *out, uint32_t *count) {
  struct slice word;
  TRY(find_word(reader, key, &word));
  for (*count = 0; word.length; ++*count)
    if (*count == most || !parse_product(take_part(&word, ','), &out[*count]))
      return bad_line(reader, "has a list that is broken or too long");
  return NULL;
}

static tile_status read_map(struct reader *reader) {
  if (!last_version(reader))
    return bad_line(reader, "is a map of no version");
  tile_tensor_map *map = reader->maps++;
  tile_product box[TILE_TENSOR_MAP_RANK];
  uint32_t strides, boxes;
  struct slice outside;
  last_version(reader)->map_count++;
  TRY(read_number(reader, "base", &map->base));
  TRY(read_string(reader, "type", &map->type));
  TRY(read_products(reader, "sizes", TILE_TENSOR_MAP_RANK, map->sizes, &map->rank));
  TRY(read_products(reader, "strides", TILE_TENSOR_MAP_RANK - 1, map->strides, &strides));
  TRY(read_products(reader, "box", TILE_TENSOR_MAP_RANK, box, &boxes));
  TRY(read_number(reader, "swizzle", &map->swizzle));
  TRY(read_number(reader, "narrow", &map->narrow));
  TRY(find_word(reader, "outside", &outside));
  if (strides + 1 != map->rank || boxes != map->rank)
    return bad_line(reader, "has lists that do not go together");
  for (uint32_t i = 0; i < boxes; i++)
    map->box[i] = box[i].argument_count || box[i].factor > UINT32_MAX ? 0 : (uint32_t)box[i].factor;
  map->pads_with_nan = slice_equals(outside, "nan");
  map->stores = slice_equals(outside, "none");
  return map->pads_with_nan || map->stores || slice_equals(outside, "zero")
             ? NULL
             : bad_line(reader, "says neither zero nor nan nor none");
}

enum { SECTION, KERNEL, ARGUMENT, VERSION, CONDITION, CONSTANT, MAP, ROW_COUNT };
static const struct {
  const char *start;
  tile_status (*read)(struct reader *);
} rows[ROW_COUNT] = {
    [SECTION] = {METADATA_SECTION, read_section},
    [KERNEL] = {METADATA_KERNEL, read_kernel},
    [ARGUMENT] = {METADATA_ARGUMENT, read_parameter},
    [VERSION] = {METADATA_VERSION, read_version},
    [CONDITION] = {METADATA_CONDITION, read_condition},
    [CONSTANT] = {METADATA_CONSTANT, read_constant},
    [MAP] = {METADATA_MAP, read_map},
};

static int find_row(struct slice line) {
  int row = 0;
  while (row < ROW_COUNT && !slice_begins(line, rows[row].start))
    row++;
  return row;
}

/* --- All of it -------------------------------------------------------------------------------- */

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

/* Room for as many elements as there are lines of each row. */
static void make_room(struct reader *reader, const char *at, const char *end) {
  struct reader scan = {0};
  size_t counts[ROW_COUNT + 1] = {0};
  while (next_line(&scan, &at, end))
    counts[find_row(scan.line)]++;
  reader->out->sections = ARENA_ARRAY(reader->arena, tile_section, counts[SECTION]);
  reader->out->places = ARENA_ARRAY(reader->arena, struct section_place, counts[SECTION]);
  reader->out->kernels = ARENA_ARRAY(reader->arena, tile_kernel_info, counts[KERNEL]);
  reader->parameters = ARENA_ARRAY(reader->arena, tile_parameter, counts[ARGUMENT]);
  reader->versions = ARENA_ARRAY(reader->arena, tile_kernel_version, counts[VERSION]);
  reader->conditions = ARENA_ARRAY(reader->arena, tile_condition, counts[CONDITION]);
  reader->constants = ARENA_ARRAY(reader->arena, tile_named_constant, counts[CONSTANT]);
  reader->maps = ARENA_ARRAY(reader->arena, tile_tensor_map, counts[MAP]);
}

static tile_status read_opening(struct reader *reader, const char **at, const char *end) {
  size_t length = strlen(METADATA_OPENING);
  uint64_t number = 0;
  if (next_line(reader, at, end) && reader->line.length > length)
    metadata_parse_number((struct slice){reader->line.data + length, reader->line.length - length},
                          10, &number);
  return number == METADATA_NUMBER
             ? NULL
             : bad_line(reader, "has a version that this library does not know; compile it "
                                "with the tile-translate of this library");
}

tile_status metadata_read(const char *name, const char *block, size_t size, struct arena *arena,
                          struct metadata *out) {
  *out = (struct metadata){0};
  struct reader reader = {.name = name, .arena = arena, .out = out};
  const char *at = block, *end = block + size;
  TRY(read_opening(&reader, &at, end));
  make_room(&reader, at, end);
  while (next_line(&reader, &at, end)) {
    int row = find_row(reader.line);
    TRY(row < ROW_COUNT ? rows[row].read(&reader) : bad_line(&reader, "is not known"));
  }
  return NULL;
}
