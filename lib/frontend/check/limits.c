/* SPDX-License-Identifier: MIT */
/* What compile-time values may take: one of them, all of a kernel together, and the work on them.

   Values share their parts (t = (t, t) is two pointers), so that a few lines can describe more than
   any machine holds. Everything that walks a value may therefore rely on its bounds: parts in all,
   each counted as often as it is reached, and depth. Whatever makes a text or a tuple asks here. */
#include "frontend/check/checker.h"

enum {
  LONGEST_TEXT = 64 << 10, /* bytes */
  MAX_ITEMS = 4096,        /* of a tuple */
  MAX_PARTS = 16384,       /* of a tuple, those of the tuples in it included */
  DEEPEST_VALUE = 32,      /* tuples in tuples */
  DEEPEST_LEVEL = 2000,    /* statements and expressions in one another, calls followed */
  MAX_MEBIBYTES = 512,     /* of all values of a kernel */
  MAX_STEPS = 100000000
};

bool check_work(struct checker *c, struct span span, size_t steps) {
  if (c->stopped)
    return false;
  c->work += steps;
  if (c->work > MAX_STEPS) {
    c->stopped = true;
    return check_fail(c, span,
                      "compile-time evaluation takes more than %d steps; compute less, or pass the "
                      "result as a tl.constexpr",
                      MAX_STEPS);
  }
  if (c->e.arena.allocated >> 20 < MAX_MEBIBYTES)
    return true;
  c->stopped = true;
  return check_fail(c, span, "the kernel's compile-time values take more than %d MiB",
                    MAX_MEBIBYTES);
}

bool check_level(struct checker *c, struct span span) {
  return c->level < DEEPEST_LEVEL ||
         check_fail(c, span,
                    "statements and expressions are nested more than %d deep, calls followed",
                    DEEPEST_LEVEL);
}

bool check_text_size(struct checker *c, struct span span, size_t length) {
  if (length > LONGEST_TEXT)
    return check_fail(c, span, "a string of more than %d bytes at compile time", LONGEST_TEXT);
  return check_work(c, span, length);
}

struct extent {
  size_t parts;
  bool too_deep;
};

static void measure(const struct value *value, int depth, struct extent *extent) {
  extent->parts++;
  if (!value_is_composite(value))
    return;
  extent->too_deep |= depth == DEEPEST_VALUE;
  for (size_t i = 0; i < value->tuple.count && extent->parts <= MAX_PARTS; i++)
    if (!extent->too_deep)
      measure(&value->tuple.items[i], depth + 1, extent);
}

bool check_item_count(struct checker *c, struct span span, size_t count) {
  return count <= MAX_ITEMS || check_fail(c, span, "a tuple of more than %d items", MAX_ITEMS);
}

bool check_value_size(struct checker *c, struct span span, const struct value *value) {
  struct extent extent = {0};
  if (value->kind != VALUE_TUPLE)
    return true;
  if (!check_item_count(c, span, value->tuple.count))
    return false;
  measure(value, 0, &extent);
  if (extent.too_deep)
    return check_fail(c, span, "tuples are nested more than %d deep", DEEPEST_VALUE);
  if (extent.parts > MAX_PARTS)
    return check_fail(c, span, "a tuple of more than %d parts, with those of the tuples in it",
                      MAX_PARTS);
  return check_work(c, span, extent.parts);
}
