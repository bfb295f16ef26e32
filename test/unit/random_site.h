/* SPDX-License-Identifier: MIT */
/* Stores of random kernels. Each has a buffer of its own, in which every program and every element
   has a place of its own (a "site"). A site is loaded and stored again only at the same positions.
 */
#ifndef TILE_TEST_RANDOM_SITE_H
#define TILE_TEST_RANDOM_SITE_H

#include "random_value.h"

/* --- Sites ------------------------------------------------------------------------------------ */

/* The main shape, with some dimensions of size 1, or a vector of one of its sizes. */
static struct type any_shape(struct maker *m, enum element e) {
  struct type type = with_element(m->main_type, e);
  if (chance(m, 20))
    return (struct type){.element = e, .rank = 1, .shape = {type.shape[below(m, type.rank)]}};
  if (chance(m, 10))
    return scalar_type(e);
  for (int d = 0; d < type.rank; d++)
    if (chance(m, 10))
      type.shape[d] = 1;
  return type;
}

static bool is_visible(struct maker *m, int id) {
  for (int i = 0; i < m->visible_count; i++)
    if (m->visible[i] == id)
      return true;
  return false;
}

static int site_pointer(struct maker *m, struct site *site, int *mask) {
  int pointer = site->pointer, offsets = -1;
  *mask = -1;
  if (site->limit < 0 && pointer >= 0 && is_visible(m, pointer) && chance(m, 50))
    return pointer;
  int argument = -1;
  for (int i = 0; i < m->kernel->argument_count; i++)
    if (m->kernel->arguments[i].buffer == site->buffer)
      argument = m->kernel->arguments[i].value;
  for (;;) {
    pointer = emit_pointers(m, argument, site->type, site->map, &offsets);
    if (site->limit < 0 || offsets >= 0)
      break;
  }
  if (site->limit >= 0)
    *mask = limit_mask(m, offsets, site->limit);
  site->pointer = show(m, pointer);
  return pointer;
}

static void store_site(struct maker *m, struct site *site, int value) {
  int mask;
  int pointer = site_pointer(m, site, &mask);
  if (chance(m, 25)) {
    int more = want(m, with_element(site->type, I1), 2);
    mask = mask < 0 ? more : emit_binary(m, ANDI, more, mask);
  }
  struct step step = {.kind = STEP_STORE};
  emit_generic(m, step, "tile.store", "", site->type, pointer, value, mask);
}

/* A scalar is loaded without a mask, so that conditions are never undefined. */
static int load_site(struct maker *m, struct site *site) {
  int mask, other = -1;
  int pointer = site_pointer(m, site, &mask);
  if (mask >= 0 && (!site->type.rank || chance(m, 60)))
    other = want(m, site->type, 1);
  return show(m, emit_load(m, pointer, mask, other));
}

static bool has_room(const struct maker *m) {
  return m->site_count < MAX_SITES && m->kernel->buffer_count < MAX_BUFFERS - 8;
}

static struct site *new_site(struct maker *m, struct type type) {
  struct site *site = &m->sites[m->site_count++];
  *site = (struct site){.type = type, .limit = -1, .pointer = -1};
  int64_t count, position = chance(m, 15) ? between(m, 1, 9) : 0;
  site->map = injective_mapping(m, site->type, &count);
  if (site->type.rank && chance(m, 40)) {
    count -= between(m, 0, count / 2);
    site->limit = count;
  }
  site->buffer = add_buffer(m, site->type.element, count + position + between(m, 0, 5), true);
  pointer_argument(m, site->buffer, position);
  return site;
}

#endif
