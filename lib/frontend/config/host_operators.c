/* SPDX-License-Identifier: MIT */
/* Python's operators on host values. Integers have 64 bits; a result that does not fit is an error.
 */
#include <math.h>
#include <string.h>
#include "frontend/config/host.h"

/* An operand whose value is known at a launch only: says which. */
static bool check_known(struct host *host, struct span span, const struct host_value *value) {
  if (value->kind == HOST_ARGUMENT && value->argument.untyped)
    return host_needs(host, span, value->argument.name);
  if (value->kind == HOST_ARGUMENT && !value->argument.dtype.pointers)
    return host_needs(host, span, value->argument.name);
  if (value->kind == HOST_NAME || value->kind == HOST_ARGUMENT)
    return host_unknown(host, span, "'%s' is known at run time only", host_source(host, span));
  return true;
}

/* --- Arithmetic
 * ----------------------------------------------------------------------------------- */

static bool overflow(struct host *host, struct span span) {
  return host_wrong(host, span, "the result does not fit 64 bits");
}

static bool floor_divide(struct host *host, enum operator_kind op, struct span span, int64_t a,
                         int64_t b, struct host_value *out) {
  if (b == 0)
    return host_wrong(host, span, "it divides by zero");
  if (a == INT64_MIN && b == -1)
    return op == OPERATOR_MOD ? (*out = host_integer(0), true) : overflow(host, span);
  int64_t quotient = a / b, remainder = a % b;
  if (remainder && (remainder < 0) != (b < 0))
    quotient--, remainder += b;
  *out = host_integer(op == OPERATOR_MOD ? remainder : quotient);
  return true;
}

static bool integer_power(struct host *host, struct span span, int64_t a, int64_t b,
                          struct host_value *out) {
  if (b < 0) {
    if (a == 0)
      return host_wrong(host, span, "it divides by zero");
    *out = host_float(pow((double)a, (double)b));
    return true;
  }
  int64_t result = 1;
  if (a == 0 || a == 1)
    result = b ? a : 1;
  else if (a == -1)
    result = b & 1 ? -1 : 1;
  else
    for (; b > 0; b--)
      if (__builtin_mul_overflow(result, a, &result))
        return overflow(host, span);
  *out = host_integer(result);
  return true;
}

static bool shift(struct host *host, enum operator_kind op, struct span span, int64_t a, int64_t b,
                  struct host_value *out) {
  if (b < 0)
    return host_wrong(host, span, "it shifts by a negative number");
  if (op == OPERATOR_SHIFT_RIGHT) {
    *out = host_integer(b > 63 ? (a < 0 ? -1 : 0) : a >> b);
    return true;
  }
  int64_t result = 0;
  if (a && (b > 62 || __builtin_mul_overflow(a, (int64_t)1 << b, &result)))
    return overflow(host, span);
  *out = host_integer(result);
  return true;
}

static bool integers(struct host *host, enum operator_kind op, struct span span, int64_t a,
                     int64_t b, bool bools, struct host_value *out) {
  int64_t result = 0;
  bool wraps = false;
  switch ((int)op) {
  case OPERATOR_ADD:
    wraps = __builtin_add_overflow(a, b, &result);
    break;
  case OPERATOR_SUB:
    wraps = __builtin_sub_overflow(a, b, &result);
    break;
  case OPERATOR_MUL:
    wraps = __builtin_mul_overflow(a, b, &result);
    break;
  case OPERATOR_FLOOR_DIV:
  case OPERATOR_MOD:
    return floor_divide(host, op, span, a, b, out);
  case OPERATOR_POWER:
    return integer_power(host, span, a, b, out);
  case OPERATOR_SHIFT_LEFT:
  case OPERATOR_SHIFT_RIGHT:
    return shift(host, op, span, a, b, out);
  case OPERATOR_BIT_AND:
  case OPERATOR_BIT_OR:
  case OPERATOR_BIT_XOR:
    result = op == OPERATOR_BIT_AND ? a & b : op == OPERATOR_BIT_OR ? a | b : a ^ b;
    *out = bools ? host_bool(result != 0) : host_integer(result);
    return true;
  default:
    return host_unknown(host, span, "'%s' is not evaluated", operator_spelling(op));
  }
  if (wraps)
    return overflow(host, span);
  *out = host_integer(result);
  return true;
}

static bool floats(struct host *host, enum operator_kind op, struct span span, double a, double b,
                   struct host_value *out) {
  if ((op == OPERATOR_DIV || op == OPERATOR_FLOOR_DIV || op == OPERATOR_MOD) && b == 0)
    return host_wrong(host, span, "it divides by zero");
  double remainder;
  switch ((int)op) {
  case OPERATOR_ADD:
    *out = host_float(a + b);
    return true;
  case OPERATOR_SUB:
    *out = host_float(a - b);
    return true;
  case OPERATOR_MUL:
    *out = host_float(a * b);
    return true;
  case OPERATOR_DIV:
    *out = host_float(a / b);
    return true;
  case OPERATOR_FLOOR_DIV:
    *out = host_float(floor(a / b));
    return true;
  case OPERATOR_MOD:
    remainder = fmod(a, b);
    *out = host_float(remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder);
    return true;
  case OPERATOR_POWER:
    *out = host_float(pow(a, b));
    return true;
  default:
    return host_wrong(host, span, "'%s' takes integers", operator_spelling(op));
  }
}

/* --- Containers
 * ------------------------------------------------------------------------------------- */

static bool add_all(struct host *host, struct span span, struct host_list *list,
                    const struct host_list *items) {
  for (size_t i = 0, count = items->count; i < count; i++)
    if (!host_list_add(host, span, list, &items->items[i]))
      return false;
  return true;
}

static bool repeat(struct host *host, struct span span, const struct host_list *list, int64_t times,
                   struct host_value *out) {
  *out = host_list_new(host);
  for (int64_t i = 0; i < times && list->count; i++)
    if (!add_all(host, span, out->list, list))
      return false;
  return true;
}

static bool join_strings(struct host *host, struct span span, struct slice a, struct slice b,
                         struct host_value *out) {
  if (a.length + b.length > HOST_LENGTH)
    return host_unknown(host, span, "a string grows beyond %d bytes", HOST_LENGTH);
  if (!host_step(host, span, a.length + b.length))
    return false;
  char *both = arena_allocate(host->arena, a.length + b.length + 1);
  memcpy(both, a.data, a.length);
  memcpy(both + a.length, b.data, b.length);
  *out = (struct host_value){.kind = HOST_STRING, .text = {both, a.length + b.length}};
  return true;
}

static bool merge(struct host *host, struct span span, const struct host_dict *a,
                  const struct host_dict *b, struct host_value *out) {
  *out = host_dict_new(host);
  const struct host_dict *both[] = {a, b};
  for (int d = 0; d < 2; d++)
    for (size_t i = 0; i < both[d]->count; i++)
      if (!host_dict_set(host, span, out->dict, &both[d]->entries[i].key,
                         &both[d]->entries[i].value))
        return false;
  return true;
}

bool host_operator(struct host *host, enum operator_kind op, struct span span,
                   const struct host_value *a, const struct host_value *b, struct host_value *out) {
  if (!check_known(host, span, a) || !check_known(host, span, b))
    return false;
  if (host_is_integer(a) && host_is_integer(b) && op != OPERATOR_DIV)
    return integers(host, op, span, host_as_integer(a), host_as_integer(b),
                    a->kind == HOST_BOOL && b->kind == HOST_BOOL, out);
  if (host_is_number(a) && host_is_number(b))
    return floats(host, op, span, host_as_double(a), host_as_double(b), out);
  if (op == OPERATOR_ADD && a->kind == HOST_LIST && b->kind == HOST_LIST) {
    *out = host_list_new(host);
    return add_all(host, span, out->list, a->list) && add_all(host, span, out->list, b->list);
  }
  if (op == OPERATOR_MUL && a->kind == HOST_LIST && host_is_integer(b))
    return repeat(host, span, a->list, host_as_integer(b), out);
  if (op == OPERATOR_ADD && a->kind == HOST_STRING && b->kind == HOST_STRING)
    return join_strings(host, span, a->text, b->text, out);
  if (op == OPERATOR_BIT_OR && a->kind == HOST_DICT && b->kind == HOST_DICT)
    return merge(host, span, a->dict, b->dict, out);
  return host_wrong(host, span, "'%s' does not take %s and %s", operator_spelling(op),
                    host_describe(host, a), host_describe(host, b));
}

bool host_unary(struct host *host, enum operator_kind op, struct span span,
                const struct host_value *a, struct host_value *out) {
  bool truth;
  if (op == OPERATOR_NOT) {
    if (!host_truth(host, span, a, &truth))
      return false;
    *out = host_bool(!truth);
    return true;
  }
  if (!check_known(host, span, a))
    return false;
  if (a->kind == HOST_FLOAT && op != OPERATOR_INVERT) {
    *out = host_float(op == OPERATOR_NEGATE ? -a->number : a->number);
    return true;
  }
  if (!host_is_integer(a))
    return host_wrong(host, span, "'%s' does not take %s", operator_spelling(op),
                      host_describe(host, a));
  int64_t value = host_as_integer(a);
  if (op == OPERATOR_NEGATE && value == INT64_MIN)
    return overflow(host, span);
  *out = host_integer(op == OPERATOR_NEGATE ? -value : op == OPERATOR_INVERT ? ~value : value);
  return true;
}

/* --- Comparisons
 * ------------------------------------------------------------------------------------ */

static bool equal_lists(struct host *host, struct span span, const struct host_list *a,
                        const struct host_list *b, bool *out) {
  *out = a->count == b->count;
  for (size_t i = 0; i < a->count && *out; i++)
    if (!host_equal(host, span, &a->items[i], &b->items[i], out))
      return false;
  return true;
}

static bool equal_known(struct host *host, struct span span, const struct host_value *a,
                        const struct host_value *b, bool *out) {
  *out = false;
  if (host_is_integer(a) && host_is_integer(b))
    *out = host_as_integer(a) == host_as_integer(b);
  else if (host_is_number(a) && host_is_number(b))
    *out = host_as_double(a) == host_as_double(b);
  else if (a->kind != b->kind)
    *out = false;
  else if (a->kind == HOST_STRING)
    *out =
        a->text.length == b->text.length && memcmp(a->text.data, b->text.data, a->text.length) == 0;
  else if (a->kind == HOST_DTYPE)
    *out = dtype_equal(a->dtype, b->dtype);
  else if (a->kind == HOST_NONE)
    *out = true;
  else if (a->kind == HOST_LIST)
    return equal_lists(host, span, a->list, b->list, out);
  else if (a->kind == HOST_FUNCTION)
    *out = a->function == b->function;
  else if (a->kind == HOST_CONFIG)
    return host_config_equal(host, span, a->config, b->config, out);
  else
    return host_unknown(host, span, "%s and %s are not compared", host_describe(host, a),
                        host_describe(host, b));
  return true;
}

bool host_equal(struct host *host, struct span span, const struct host_value *a,
                const struct host_value *b, bool *out) {
  if (!host_step(host, span, 1))
    return false;
  if (++host->depth > HOST_DEPTH)
    return host_unknown(host, span, "it is nested too deeply");
  bool untyped = (a->kind == HOST_ARGUMENT && a->argument.untyped) ||
                 (b->kind == HOST_ARGUMENT && b->argument.untyped);
  bool none = !untyped && (a->kind == HOST_NONE || b->kind == HOST_NONE); /* an argument is not None */
  bool good = true;
  if (none)
    *out = a->kind == b->kind;
  else
    good = check_known(host, span, a) && check_known(host, span, b) &&
           equal_known(host, span, a, b, out);
  host->depth--;
  return good;
}

static bool contains(struct host *host, struct span span, const struct host_value *item,
                     const struct host_value *container, bool *out) {
  *out = false;
  if (container->kind == HOST_DICT) {
    struct host_value *found;
    if (!host_dict_find(host, span, container->dict, item, &found))
      return false;
    *out = found != NULL;
    return true;
  }
  if (container->kind == HOST_STRING && item->kind == HOST_STRING) {
    size_t length = item->text.length;
    for (size_t i = 0; i + length <= container->text.length && !*out; i++)
      *out = memcmp(container->text.data + i, item->text.data, length) == 0;
    return host_step(host, span, container->text.length + length);
  }
  if (container->kind != HOST_LIST)
    return host_wrong(host, span, "'in' does not take %s", host_describe(host, container));
  for (size_t i = 0; i < container->list->count && !*out; i++)
    if (!host_equal(host, span, item, &container->list->items[i], out))
      return false;
  return true;
}

/* Negative, zero or positive. */
static bool order(struct host *host, enum operator_kind op, struct span span,
                  const struct host_value *a, const struct host_value *b, bool *out) {
  bool less, equal;
  if (host_is_integer(a) && host_is_integer(b)) {
    less = host_as_integer(a) < host_as_integer(b),
    equal = host_as_integer(a) == host_as_integer(b);
  } else if (host_is_number(a) && host_is_number(b)) {
    double x = host_as_double(a), y = host_as_double(b);
    if (isnan(x) || isnan(y)) {
      *out = false;
      return true;
    }
    less = x < y, equal = x == y;
  } else if (a->kind == HOST_STRING && b->kind == HOST_STRING) {
    size_t length = a->text.length < b->text.length ? a->text.length : b->text.length;
    int sign = memcmp(a->text.data, b->text.data, length);
    less = sign < 0 || (sign == 0 && a->text.length < b->text.length);
    equal = sign == 0 && a->text.length == b->text.length;
  } else if (a->kind == HOST_LIST && b->kind == HOST_LIST) {
    size_t i = 0;
    for (bool same = true; i < a->list->count && i < b->list->count; i++) {
      if (!host_equal(host, span, &a->list->items[i], &b->list->items[i], &same))
        return false;
      if (!same)
        return host_compare(host, op, span, &a->list->items[i], &b->list->items[i], out);
    }
    less = a->list->count < b->list->count, equal = a->list->count == b->list->count;
  } else {
    return host_wrong(host, span, "'%s' does not compare %s with %s", operator_spelling(op),
                      host_describe(host, a), host_describe(host, b));
  }
  *out = op == OPERATOR_LT   ? less
         : op == OPERATOR_LE ? less || equal
         : op == OPERATOR_GT ? !less && !equal
                             : !less;
  return true;
}

/* `is`: None, booleans and small things compare as by ==; what else Python says is an accident. */
static bool is_same(struct host *host, struct span span, const struct host_value *a,
                    const struct host_value *b, bool *out) {
  if (a->kind == HOST_NAME && b->kind == HOST_NAME)
    return host_unknown(host, span, "'%s' is known at run time only", host_source(host, span));
  if (a->kind == HOST_BOOL && host_is_number(b) && b->kind != HOST_BOOL)
    return *out = false, true;
  return host_equal(host, span, a, b, out);
}

bool host_compare(struct host *host, enum operator_kind op, struct span span,
                  const struct host_value *a, const struct host_value *b, bool *out) {
  bool negated = op == OPERATOR_NE || op == OPERATOR_NOT_IN || op == OPERATOR_IS_NOT, good;
  if (op == OPERATOR_IS || op == OPERATOR_IS_NOT)
    good = is_same(host, span, a, b, out);
  else if (op == OPERATOR_EQ || op == OPERATOR_NE)
    good = host_equal(host, span, a, b, out);
  else if (op == OPERATOR_IN || op == OPERATOR_NOT_IN)
    good = (a->kind != HOST_ARGUMENT || check_known(host, span, a)) && check_known(host, span, b) &&
           contains(host, span, a, b, out);
  else {
    if (++host->depth > HOST_DEPTH)
      return host_unknown(host, span, "it is nested too deeply");
    good = check_known(host, span, a) && check_known(host, span, b) &&
           order(host, op, span, a, b, out);
    host->depth--;
  }
  if (good && negated)
    *out = !*out;
  return good;
}

bool host_truth(struct host *host, struct span span, const struct host_value *value, bool *out) {
  if (!check_known(host, span, value))
    return false;
  switch ((int)value->kind) {
  case HOST_NONE:
    *out = false;
    return true;
  case HOST_BOOL:
  case HOST_INTEGER:
    *out = host_as_integer(value) != 0;
    return true;
  case HOST_FLOAT:
    *out = value->number != 0;
    return true;
  case HOST_STRING:
    *out = value->text.length != 0;
    return true;
  case HOST_LIST:
    *out = value->list->count != 0;
    return true;
  case HOST_DICT:
    *out = value->dict->count != 0;
    return true;
  default:
    *out = true;
    return true;
  }
}

/* --- Elements and attributes
 * -------------------------------------------------------------------------- */

bool host_index(struct host *host, struct span span, const struct host_value *object,
                const struct host_value *index, struct host_value *out) {
  if (!check_known(host, span, object))
    return false;
  if (object->kind == HOST_DICT) {
    struct host_value *found;
    struct text key = {0};
    if (!host_dict_find(host, span, object->dict, index, &found))
      return false;
    if (found) {
      *out = *found;
      return true;
    }
    host_print(index, &key);
    host_wrong(host, span, "there is no key %s", text_string(&key));
    text_free(&key);
    return false;
  }
  if (!check_known(host, span, index))
    return false;
  if ((object->kind != HOST_LIST && object->kind != HOST_STRING) || !host_is_integer(index))
    return host_wrong(host, span, "%s is not indexed by %s", host_describe(host, object),
                      host_describe(host, index));
  size_t count = object->kind == HOST_LIST ? object->list->count : object->text.length;
  int64_t at = host_as_integer(index);
  if (at < 0)
    at += (int64_t)count;
  if (at < 0 || (size_t)at >= count)
    return host_wrong(host, span, "index %lld is outside of its %zu elements",
                      (long long)host_as_integer(index), count);
  *out = object->kind == HOST_LIST ? object->list->items[at]
                                   : host_string(host, object->text.data + at, 1);
  return true;
}
