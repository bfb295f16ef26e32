/* SPDX-License-Identifier: MIT */
/* x[...]: new dimensions of tiles, items and slices of tuples. */
#include <string.h>
#include "frontend/check/checker.h"
#include "frontend/check/objects.h"

static bool is_left_out(const struct node *bound) {
  return !bound || node_is(bound, NODE_NONE);
}

/* `:`, and `None:None` */
static bool is_full_slice(const struct node *index) {
  return node_is(index, NODE_SLICE) && is_left_out(index->slice.lower) &&
         is_left_out(index->slice.upper) && is_left_out(index->slice.step);
}

/* None, written or as the value of a name. */
static bool is_new_axis(struct checker *c, const struct node *index) {
  struct variable *variable =
      node_is(index, NODE_NAME) ? frame_find(c->frame, index->name.id) : NULL;
  return node_is(index, NODE_NONE) || (variable && variable->value.kind == VALUE_NONE);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

static bool fail_index(struct checker *c, const struct node *index) {
  if (node_is(index, NODE_SLICE))
    return check_fail(c, index->span,
                      "a tile cannot be sliced; load the part through pointers, or take "
                      "it apart with tl.reshape and tl.split");
  return check_fail(c, index->span,
                    "a tile is indexed with ':' and None only; single elements are "
                    "reached with tl.gather, or with tl.sum of tl.where");
}

/* x[:, None]: `:` keeps a dimension, None makes a new one; what is left out is kept. As in Triton,
   a `:` after the last dimension says nothing: p[None, :] of a scalar has one dimension, and so has
   p[:, None]. */
static bool index_tile(struct checker *c, const struct node *node, struct value *value) {
  const struct node_list *indices = &node->subscript.indices;
  int64_t shape[MAX_RANK + 1];
  int rank = type_shape(mlirValueGetType(value->run_time.ir), shape);
  check_locate(c, node->span);
  for (uint32_t i = 0; i < indices->count; i++) {
    const struct node *index = indices->items[i];
    if (!is_full_slice(index) && !is_new_axis(c, index))
      return rank == 0 ? check_fail(c, node->span,
                                    "unsupported tensor index: a scalar is not indexed; "
                                    "load through a pointer instead")
                       : fail_index(c, index);
    if (is_full_slice(index))
      continue;
    if (rank > 0 && (int)i > rank)
      return check_fail(c, index->span, "the tile has fewer dimensions than the index");
    if (rank == MAX_RANK)
      return check_fail(c, node->span, "a tile has at most %d dimensions", MAX_RANK);
    if (rank == 0 ? !emit_broadcast_to(&c->e, value, 1, (int64_t[]){1})
                  : !emit_expand_dims(&c->e, value, (int)i))
      return check_fail_emitter(c, index->span);
    rank++;
  }
  return true;
}

/* --- Tuples and strings ----------------------------------------------------------------------- */

static bool index_tuple(struct checker *c, const struct node *node, const struct value *owner,
                        struct value *out) {
  const struct node *index = node->subscript.indices.items[0];
  int64_t position = 0, count = (int64_t)owner->tuple.count;
  if (node_is(index, NODE_SLICE))
    return eval_slice(&c->eval, index, owner->tuple.items, owner->tuple.count, out);
  if (!check_constant_integer(c, index, "the index of a tuple", &position))
    return false;
  if (position < -count || position >= count)
    return check_fail(c, index->span, "index %lld of a tuple of %lld", (long long)position,
                      (long long)count);
  *out = owner->tuple.items[position < 0 ? position + count : position];
  return true;
}

bool check_subscript(struct checker *c, const struct node *node, struct value *out) {
  struct value owner;
  if (!check_expression(c, node->subscript.value, &owner))
    return false;
  if (owner.kind == VALUE_RUNTIME) {
    *out = owner;
    return index_tile(c, node, out);
  }
  if (value_is_number(&owner) && owner.is_typed) { /* a scalar: x[None] */
    check_locate(c, node->span);
    return (emit_runtime(&c->e, &owner, out) || check_fail_emitter(c, node->span)) &&
           index_tile(c, node, out);
  }
  if (object_has_method(&owner, "__getitem__") && node->subscript.indices.count == 1) {
    struct given given = {.span = node->span};
    return check_expression(c, node->subscript.indices.items[0], &given.value) &&
           object_call(c, &owner, "__getitem__", &given, 1, node->span, out);
  }
  if (owner.kind == VALUE_TUPLE && node->subscript.indices.count == 1 && !node->subscript.is_tuple)
    return index_tuple(c, node, &owner, out);
  return check_fail(c, node->span,
                    "%s cannot be indexed so; tiles take ':' and None, tuples one integer or "
                    "slice",
                    value_describe(&c->e.arena, &owner));
}
