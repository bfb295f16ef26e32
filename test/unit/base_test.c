/* SPDX-License-Identifier: MIT */
/* lib/base: arenas, text, maps, element conversions, .npy files, whole-file writing. */
#include <dirent.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/element.h"
#include "base/files.h"
#include "base/map.h"
#include "base/npy.h"
#include "base/status.h"
#include "base/text.h"
#include "check.h"
#include "temporary.h"

/* --- Memory and text -------------------------------------------------------------------------- */

static void arena_gives_zeroed_aligned_memory(void) {
  struct arena arena = {0};
  unsigned char *previous = NULL;
  for (size_t size = 0; size < 5000; size += 37) {
    unsigned char *bytes = arena_allocate(&arena, size);
    CHECK_EQUAL((uintptr_t)bytes % _Alignof(max_align_t), 0);
    CHECK(bytes != previous || size == 37);
    for (size_t i = 0; i < size; i++)
      if (bytes[i] != 0) {
        CHECK(bytes[i] == 0);
        break;
      }
    memset(bytes, 0xFF, size);
    previous = bytes;
  }
  unsigned char *large = arena_allocate(&arena, 3 << 20); /* larger than any chunk */
  large[(3 << 20) - 1] = 1;
  CHECK_TEXT(arena_copy_string(&arena, "copied text", 6), "copied");
  CHECK_TEXT(arena_copy_string(&arena, NULL, 0), "");
  arena_destroy(&arena);
  CHECK(arena.head == NULL);
}

static void text_grows_and_moves_out(void) {
  struct text text = {0};
  CHECK_TEXT(text_string(&text), "");
  for (int i = 0; i < 1000; i++)
    text_printf(&text, "%d,", i);
  CHECK_EQUAL(text.length, 10 * 2 + 90 * 3 + 900 * 4);
  CHECK_EQUAL(strlen(text_string(&text)), text.length);
  text_append(&text, "\0x", 2); /* zeros are bytes like others */
  CHECK_EQUAL(text.length, 10 * 2 + 90 * 3 + 900 * 4 + 2);
  char *taken = text_take(&text);
  CHECK(memcmp(taken, "0,1,2,", 6) == 0);
  CHECK_TEXT(text_string(&text), "");
  free(taken);
  taken = text_take(&text); /* of an empty text: an empty string, not NULL */
  CHECK_TEXT(taken, "");
  free(taken);
}

static void slices_compare_and_trim(void) {
  CHECK(slice_equals(slice_of("abc"), "abc"));
  CHECK(!slice_equals(slice_of("ab"), "abc"));
  CHECK(!slice_equals(slice_of("abc"), "ab"));
  CHECK(slice_equals(slice_trim(slice_of(" \t a b \n")), "a b"));
  CHECK(slice_equals(slice_trim(slice_of("   ")), ""));
}

/* Without the folder, which would differ from builder to builder. */
static void status_says_the_file_that_raised_it(void) {
  tile_status status = FAIL(TILE_NOT_FOUND, "no %s", "thing");
  char expected[64];
  snprintf(expected, sizeof expected, "base_test.c:%d", __LINE__ - 2);
  CHECK_TEXT(tile_status_origin(status), expected);
  CHECK_TEXT(tile_status_message(status), "no thing");
  tile_status_free(status);
}

static void nearest_word_proposes_only_near_words(void) {
  static const char *const words[] = {"tile-cleanup", "tile-inline", "cse"};
  const char *near = nearest_word("tile-clenup", words, 3);
  CHECK(near && strcmp(near, "tile-cleanup") == 0);
  near = nearest_word("cs", words, 3);
  CHECK(near && strcmp(near, "cse") == 0);
  CHECK(nearest_word("frobnicate", words, 3) == NULL);
  CHECK(nearest_word("", words, 3) == NULL);
  CHECK(nearest_word("cse", words, 0) == NULL);
  char longest[200];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  CHECK(nearest_word(longest, words, 3) == NULL);
}

static void texts_lie_in_an_arena(void) {
  static const char *const words[] = {"num_warps", "num_stages"};
  struct arena arena = {0};
  struct text text = {0};
  CHECK(strcmp(text_format(&arena, "%d of %s", 2, "three"), "2 of three") == 0);
  text_puts(&text, "kept");
  CHECK(strcmp(text_keep(&text, &arena), "kept") == 0 && !text.data);
  CHECK(strcmp(word_suggestion(&arena, "num_warp", words, 2), "; did you mean 'num_warps'?") == 0);
  CHECK(strcmp(word_suggestion(&arena, "elephant", words, 2), "") == 0);
  CHECK(strcmp(after_last("triton.language.add", '.'), "add") == 0);
  CHECK(strcmp(after_last("add", '.'), "add") == 0);
  arena_destroy(&arena);
}

static void texts_are_written_as_python_writes_them(void) {
  struct text text = {0};
  text_quote(&text, slice_of("it's\n\x01"), '\'');
  CHECK(strcmp(text_string(&text), "'it\\'s\\n\\x01'") == 0);
  text_free(&text);
  static const uint32_t characters[] = {'a', 0xE9, 0x20AC, 0x1F600};
  for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
    text_character(&text, characters[i]);
  CHECK(strcmp(text_string(&text), "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == 0);
  text_free(&text);
  CHECK(digit_value('7') == 7 && digit_value('c') == 12 && digit_value('F') == 15);
  CHECK(digit_value('g') == 99 && digit_value('/') == 99 && digit_value(-1) == 99);
}

static void lists_of_an_arena_grow(void) {
  struct arena arena = {0};
  size_t capacity = 0, wrong = 0;
  int *list = NULL;
  for (int i = 0; i < 100; i++) {
    list = arena_grow(&arena, list, (size_t)i, &capacity, sizeof *list);
    list[i] = i;
  }
  for (int i = 0; i < 100; i++)
    wrong += list[i] != i;
  CHECK_EQUAL(wrong, 0);
  CHECK(capacity >= 100);
  arena_destroy(&arena);
}

/* Whatever the addresses of the keys are. */
static void map_keeps_the_order(void) {
  enum { COUNT = 1000 };
  static char keys[COUNT * 7];
  struct map map = {0};
  for (size_t i = 0; i < COUNT; i++)
    map_set(&map, &keys[i * 37 % COUNT * 7], keys);
  map_set(&map, &keys[37 * 7], NULL); /* replaces, in its place */
  size_t wrong = 0;
  for (size_t i = 0; i < map.count; i++)
    wrong += map.slots[i].key != &keys[i * 37 % COUNT * 7];
  CHECK_EQUAL(map.count, COUNT);
  CHECK_EQUAL(wrong, 0);
  map_clear(&map);
  CHECK(map_get(&map, keys) == NULL);
  map_free(&map);
}

static void map_keeps_what_it_is_given(void) {
  enum { COUNT = 5000 };
  static char keys[COUNT];
  struct map map = {0};
  CHECK(map_get(&map, keys) == NULL);
  for (int i = 0; i < COUNT; i++)
    map_set(&map, &keys[i], &keys[COUNT - 1 - i]);
  CHECK_EQUAL(map.count, COUNT);
  for (int i = 0; i < COUNT; i++)
    map_set(&map, &keys[i], &keys[i]); /* replaces */
  CHECK_EQUAL(map.count, COUNT);
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += map_get(&map, &keys[i]) != &keys[i];
  CHECK_EQUAL(wrong, 0);
  CHECK(map_get(&map, &map) == NULL);
  map_clear(&map);
  CHECK_EQUAL(map.count, 0);
  CHECK(map_get(&map, &keys[1]) == NULL);
  map_free(&map);
}

static void status_carries_code_and_message(void) {
  tile_status status = FAIL(TILE_NOT_FOUND, "no %s in %d", "file", 7);
  CHECK_EQUAL(tile_status_code(status), TILE_NOT_FOUND);
  CHECK_TEXT(tile_status_message(status), "no file in 7");
  tile_status_free(status);
  CHECK_EQUAL(tile_status_code(NULL), TILE_OK);
  CHECK_TEXT(tile_status_message(NULL), "");
  tile_status_free(NULL);
}

/* --- Elements --------------------------------------------------------------------------------- */

/* The value of a small float from its fields, by the formula of IEEE 754. */
static double decode(uint32_t bits, int fraction, int exponent_bits) {
  int exponent = (int)(bits >> fraction) & ((1 << exponent_bits) - 1);
  int bias = (1 << (exponent_bits - 1)) - 1;
  double mantissa = bits & ((1u << fraction) - 1);
  double sign = bits >> (fraction + exponent_bits) ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return mantissa != 0 ? NAN : sign * INFINITY;
  double scale = ldexp(1, (exponent ? exponent : 1) - bias - fraction);
  return sign * ((exponent ? 1u << fraction : 0) + mantissa) * scale;
}

/* Every 16-bit pattern decodes to its value and comes back; halves between neighbours go to even.
 */
static void check_small_float(enum element_type type, int fraction, int exponent_bits) {
  int wrong_values = 0, wrong_patterns = 0, wrong_ties = 0;
  uint32_t infinity = ((1u << exponent_bits) - 1) << fraction;
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    uint16_t pattern = (uint16_t)bits, back;
    double value = element_load(type, &pattern), expected = decode(bits, fraction, exponent_bits);
    if (isnan(expected)) {
      element_store(type, &back, value);
      wrong_values += !isnan(value);
      wrong_patterns += !isnan(element_load(type, &back));
      continue;
    }
    wrong_values += value != expected || signbit(value) != signbit(expected);
    element_store(type, &back, value);
    wrong_patterns += back != pattern;
    if ((bits & 0x7FFF) + 1 >= infinity)
      continue;
    double half = (value + decode(bits + 1, fraction, exponent_bits)) / 2;
    element_store(type, &back, half);
    wrong_ties += back != (bits & 1 ? bits + 1 : bits);
    element_store(type, &back, nextafter(half, value));
    wrong_ties += back != bits;
    element_store(type, &back, nextafter(half, 2 * half - value));
    wrong_ties += back != bits + 1;
  }
  CHECK_EQUAL(wrong_values, 0);
  CHECK_EQUAL(wrong_patterns, 0);
  CHECK_EQUAL(wrong_ties, 0);
}

static void f16_round_trips_exhaustively(void) {
  check_small_float(ELEMENT_F16, 10, 5);
}

static void bf16_round_trips_exhaustively(void) {
  check_small_float(ELEMENT_BF16, 7, 8);
}

/* An fp8 format by its definition: greatest number, bias, and which patterns are no finite numbers.
 */
struct fp8_case {
  enum element_type type;
  int fraction, bias;
  uint32_t greatest; /* its pattern; those above are infinite or NaN, 0x80 of fnuz is NaN */
  bool fnuz;
};

static const struct fp8_case fp8_cases[] = {{ELEMENT_FP8E4NV, 3, 7, 0x7E, false},
                                            {ELEMENT_FP8E5, 2, 15, 0x7B, false},
                                            {ELEMENT_FP8E4B8, 3, 8, 0x7F, true},
                                            {ELEMENT_FP8E5B16, 2, 16, 0x7F, true}};

static double fp8_magnitude(const struct fp8_case *c, uint32_t bits) {
  int exponent = (int)(bits >> c->fraction);
  uint32_t mantissa = bits & ((1u << c->fraction) - 1);
  double leading = exponent ? (double)(1u << c->fraction) : 0;
  return ldexp(leading + mantissa, (exponent ? exponent : 1) - c->bias - c->fraction);
}

/* Every pattern comes back; what lies between two goes to the nearer, halves to the even one; what
   is above the greatest saturates. */
static void check_fp8(const struct fp8_case *c) {
  int wrong = 0;
  for (uint32_t bits = 0; bits < 0x80; bits++)
    for (uint32_t sign = 0; sign <= 0x80; sign += 0x80) {
      uint8_t pattern = (uint8_t)(bits | sign), back;
      double value = element_load(c->type, &pattern), expected = fp8_magnitude(c, bits);
      if (bits > c->greatest || (c->fnuz && pattern == 0x80)) {
        bool infinite = c->type == ELEMENT_FP8E5 && bits == 0x7C;
        wrong += infinite ? value != (sign ? -INFINITY : INFINITY) : !isnan(value);
        continue;
      }
      wrong += value != (sign ? -expected : expected);
      element_store(c->type, &back, value);
      wrong += back != pattern;
      if (bits == c->greatest)
        continue;
      double half = (expected + fp8_magnitude(c, bits + 1)) / 2, flip = sign ? -1 : 1;
      uint32_t zero = bits == 0 && c->fnuz ? 0 : sign;
      element_store(c->type, &back, flip * half);
      wrong += back != (bits & 1 ? (bits + 1) | sign : bits | zero);
      element_store(c->type, &back, flip * nextafter(half, 0));
      wrong += back != (bits | zero);
      element_store(c->type, &back, flip * nextafter(half, INFINITY));
      wrong += back != ((bits + 1) | sign);
    }
  uint8_t back;
  element_store(c->type, &back, INFINITY);
  wrong += back != c->greatest;
  element_store(c->type, &back, -1e300);
  wrong += back != (c->greatest | 0x80);
  element_store(c->type, &back, NAN);
  wrong += !isnan(element_load(c->type, &back));
  CHECK_EQUAL(wrong, 0);
}

static void fp8_round_trips_and_saturates(void) {
  for (size_t i = 0; i < sizeof fp8_cases / sizeof *fp8_cases; i++)
    check_fp8(&fp8_cases[i]);
}

static void small_floats_overflow_to_infinity(void) {
  uint16_t half;
  element_store(ELEMENT_F16, &half, 65519.999); /* below the middle of 65504 and 65536 */
  CHECK_EQUAL(half, 0x7BFF);
  element_store(ELEMENT_F16, &half, 65520);
  CHECK_EQUAL(half, 0x7C00);
  element_store(ELEMENT_F16, &half, -1e300);
  CHECK_EQUAL(half, 0xFC00);
  element_store(ELEMENT_F16, &half, 1e-300);
  CHECK_EQUAL(half, 0);
  element_store(ELEMENT_F16, &half, ldexp(1, -25)); /* half of the least subnormal: to even */
  CHECK_EQUAL(half, 0);
  element_store(ELEMENT_F16, &half, ldexp(1.0001, -25));
  CHECK_EQUAL(half, 1);
  element_store(ELEMENT_BF16, &half, -INFINITY);
  CHECK_EQUAL(half, 0xFF80);
  element_store(ELEMENT_BF16, &half,
                3.4028236e38); /* the middle of the largest and 2^128 rounds up */
  CHECK_EQUAL(half, 0x7F80);
}

static void integers_saturate(void) {
  static const struct {
    enum element_type type;
    double value, expected;
  } rows[] = {
      {ELEMENT_I8, 127, 127},
      {ELEMENT_I8, 128, 127},
      {ELEMENT_I8, -1000, -128},
      {ELEMENT_U8, 300, 255},
      {ELEMENT_U8, -5, 0},
      {ELEMENT_I16, 1e9, 32767},
      {ELEMENT_U16, 1e9, 65535},
      {ELEMENT_I32, -1e300, -2147483648.0},
      {ELEMENT_U32, 1e300, 4294967295.0},
      {ELEMENT_I32, NAN, 0},
      {ELEMENT_I64, 1e300, 0x1p63},
      {ELEMENT_I64, -1e300, -0x1p63},
      {ELEMENT_U64, 1e300, 0x1p64},
      {ELEMENT_I32, 2.75, 2},
      {ELEMENT_I32, -2.75, -2},
      {ELEMENT_I1, 0.5, 1},
      {ELEMENT_I1, 0, 0},
      {ELEMENT_F32, 0.1, (double)0.1f},
      {ELEMENT_F64, 0.1, 0.1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint64_t place = 0xAAAAAAAAAAAAAAAAu;
    element_store(rows[i].type, &place, rows[i].value);
    double value = element_load(rows[i].type, &place);
    if (value != rows[i].expected)
      printf("row %zu: %g as %s is %g, expected %g\n", i, rows[i].value,
             element_table[rows[i].type].name, value, rows[i].expected);
    CHECK(value == rows[i].expected);
    size_t bytes = element_table[rows[i].type].bytes; /* and no byte after it */
    CHECK(bytes == 8 || place >> (8 * bytes) == 0xAAAAAAAAAAAAAAAAu >> (8 * bytes));
  }
}

static void elements_have_two_names(void) {
  enum element_type type;
  CHECK(element_find("fp32", 4, &type) && type == ELEMENT_F32);
  CHECK(element_find("f32[", 3, &type) && type == ELEMENT_F32);
  CHECK(element_find("u8", 2, &type) && type == ELEMENT_U8);
  CHECK(!element_find("f3", 2, &type));
  CHECK(!element_find("", 0, &type));
}

/* --- Files ------------------------------------------------------------------------------------ */

static struct text make_folder(void) {
  char *made = temporary_folder("base-test");
  struct text folder = {0};
  text_puts(&folder, made);
  free(made);
  return folder;
}

static struct text path_in(const struct text *folder, const char *name) {
  struct text path = {0};
  text_printf(&path, "%s/%s", text_string(folder), name);
  return path;
}

static int count_files(const struct text *folder) {
  int count = 0;
  DIR *open = opendir(text_string(folder));
  for (struct dirent *entry; open && (entry = readdir(open));)
    count += entry->d_name[0] != '.';
  if (open)
    closedir(open);
  return count;
}

static void remove_folder(struct text *folder, struct text *path) {
  unlink(text_string(path));
  CHECK_EQUAL(rmdir(text_string(folder)), 0);
  text_free(folder);
  text_free(path);
}

static void npy_round_trips_every_type(void) {
  struct text folder = make_folder(), path = path_in(&folder, "x.npy");
  for (int type = 0; type < ELEMENT_TYPE_COUNT; type++)
    for (int rank = 0; rank <= NPY_MAX_RANK; rank++) {
      int64_t shape[NPY_MAX_RANK];
      for (int i = 0; i < rank; i++)
        shape[i] = 1 + (i + rank) % 3;
      size_t size = (size_t)npy_elements(rank, shape) * element_table[type].bytes;
      unsigned char *bytes = tile_allocate(size);
      for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i * 37 + (size_t)rank);
      tile_status status =
          npy_write(text_string(&path), (enum element_type)type, rank, shape, bytes);
      CHECK(status == NULL);
      struct npy_array array;
      status = npy_read(text_string(&path), &array);
      CHECK_TEXT(tile_status_message(status), "");
      CHECK_TEXT(element_table[array.type].npy, element_table[type].npy);
      CHECK_EQUAL(array.rank, rank);
      CHECK(memcmp(array.shape, shape, (size_t)rank * sizeof *shape) == 0);
      CHECK(array.bytes.length == size && memcmp(array.bytes.data, bytes, size) == 0);
      text_free(&array.bytes);
      tile_status_free(status);
      free(bytes);
    }
  remove_folder(&folder, &path);
}

static void npy_data_begins_at_a_multiple_of_64(void) {
  struct text folder = make_folder(), path = path_in(&folder, "x.npy"), file = {0};
  static const char bytes[1000];
  for (int64_t size = 1; size <= 1000; size *= 10) { /* shapes of one to four digits */
    CHECK(npy_write(text_string(&path), ELEMENT_I8, 1, &size, bytes) == NULL);
    file.length = 0;
    CHECK(file_read(text_string(&path), &file) == NULL);
    CHECK_EQUAL((file.length - (size_t)size) % 64, 0);
  }
  text_free(&file);
  remove_folder(&folder, &path);
}

/* A reader sees the old file or the new one; a failed write leaves the old one and nothing beside
 * it. */
static void file_write_is_atomic(void) {
  struct text folder = make_folder(), path = path_in(&folder, "x"), read = {0};
  CHECK(file_write(text_string(&path), "old", 3) == NULL);
  FILE *open = fopen(text_string(&path), "r");
  CHECK(open != NULL);
  CHECK(file_write(text_string(&path), "newer", 5) == NULL);
  char before[8] = {0};
  CHECK_EQUAL(fread(before, 1, sizeof before, open), 3); /* still the old file */
  fclose(open);
  CHECK_TEXT(before, "old");
  CHECK(file_read(text_string(&path), &read) == NULL);
  CHECK_TEXT(text_string(&read), "newer");
  CHECK_EQUAL(count_files(&folder), 1); /* no temporary file */
  text_free(&read);
  remove_folder(&folder, &path);
}

static void file_write_fails_cleanly(void) {
  struct text folder = make_folder(), path = path_in(&folder, "nowhere/x"),
              inside = path_in(&folder, "folder");
  tile_status status = file_write(text_string(&path), "x", 1);
  CHECK_EQUAL(tile_status_code(status), TILE_IO_ERROR);
  tile_status_free(status);
  CHECK_EQUAL(mkdir(text_string(&inside), 0700), 0);
  status = file_write(text_string(&inside), "x", 1);
  CHECK_EQUAL(tile_status_code(status), TILE_IO_ERROR);
  tile_status_free(status);
  status = file_write("/dev/full", "x", 1);
  CHECK_EQUAL(tile_status_code(status), TILE_IO_ERROR);
  tile_status_free(status);
  CHECK_EQUAL(count_files(&folder), 1);
  CHECK_EQUAL(rmdir(text_string(&inside)), 0);
  text_free(&inside);
  remove_folder(&folder, &path);
}

static void file_write_keeps_zeros_and_emptiness(void) {
  struct text folder = make_folder(), path = path_in(&folder, "x"), read = {0};
  CHECK(file_write(text_string(&path), "a\0b", 3) == NULL);
  CHECK(file_read(text_string(&path), &read) == NULL);
  CHECK(read.length == 3 && memcmp(read.data, "a\0b", 3) == 0);
  read.length = 0;
  CHECK(file_write(text_string(&path), NULL, 0) == NULL);
  CHECK(file_read(text_string(&path), &read) == NULL);
  CHECK_EQUAL(read.length, 0);
  text_free(&read);
  remove_folder(&folder, &path);
}

static void file_read_names_what_is_wrong(void) {
  struct text read = {0};
  tile_status status = file_read("/nonexistent/x", &read);
  CHECK_EQUAL(tile_status_code(status), TILE_NOT_FOUND);
  CHECK_TEXT(tile_status_message(status),
             "cannot open '/nonexistent/x': No such file or directory");
  tile_status_free(status);
  status = file_read("/", &read);
  CHECK_EQUAL(tile_status_code(status), TILE_IO_ERROR);
  tile_status_free(status);
  text_free(&read);
  CHECK(file_is_executable("/bin/sh"));
  CHECK(!file_is_executable("/"));
  CHECK(!file_is_executable("/nonexistent"));
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"arena_gives_zeroed_aligned_memory", arena_gives_zeroed_aligned_memory},
      {"text_grows_and_moves_out", text_grows_and_moves_out},
      {"status_says_the_file_that_raised_it", status_says_the_file_that_raised_it},
      {"slices_compare_and_trim", slices_compare_and_trim},
      {"nearest_word_proposes_only_near_words", nearest_word_proposes_only_near_words},
      {"texts_lie_in_an_arena", texts_lie_in_an_arena},
      {"texts_are_written_as_python_writes_them", texts_are_written_as_python_writes_them},
      {"lists_of_an_arena_grow", lists_of_an_arena_grow},
      {"map_keeps_what_it_is_given", map_keeps_what_it_is_given},
      {"map_keeps_the_order", map_keeps_the_order},
      {"status_carries_code_and_message", status_carries_code_and_message},
      {"f16_round_trips_exhaustively", f16_round_trips_exhaustively},
      {"bf16_round_trips_exhaustively", bf16_round_trips_exhaustively},
      {"fp8_round_trips_and_saturates", fp8_round_trips_and_saturates},
      {"small_floats_overflow_to_infinity", small_floats_overflow_to_infinity},
      {"integers_saturate", integers_saturate},
      {"elements_have_two_names", elements_have_two_names},
      {"npy_round_trips_every_type", npy_round_trips_every_type},
      {"npy_data_begins_at_a_multiple_of_64", npy_data_begins_at_a_multiple_of_64},
      {"file_write_is_atomic", file_write_is_atomic},
      {"file_write_fails_cleanly", file_write_fails_cleanly},
      {"file_write_keeps_zeros_and_emptiness", file_write_keeps_zeros_and_emptiness},
      {"file_read_names_what_is_wrong", file_read_names_what_is_wrong});
}
