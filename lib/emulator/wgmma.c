/* SPDX-License-Identifier: MIT */
/* See wgmma.h: the state of wgmmas in flight, and stores that concern them. */
#include "emulator/wgmma.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/launch.h"
#include "emulator/wgmma_flight.h"

static void forget_flights(struct wgmma_group *group) {
  while (group->first) {
    struct wgmma_flight *flight = group->first;
    group->first = flight->next;
    free(flight);
  }
  group->last = NULL;
  for (int i = 0; i < WGMMA_SETS; i++)
    group->sets[i].id = group->sets[i].in_flight = 0;
}

void wgmma_begin_block(struct emulator_block *block) {
  struct wgmma_state *state = &block->wgmma;
  size_t bytes = block->memory.shared.bytes;
  for (int g = 0; g < WGMMA_GROUPS && state->latest_id; g++)
    forget_flights(&state->groups[g]);
  if (state->readers)
    memset(state->readers, 0, (bytes / WGMMA_PIECE + 1) * sizeof *state->readers);
  state->in_flight = 0;
  if (!block->memory.shared.pages || !bytes)
    return;
  if (!state->stored)
    state->stored = tile_allocate(bytes * sizeof *state->stored);
  memset(state->stored, 0, bytes * sizeof *state->stored);
}

void wgmma_destroy(struct wgmma_state *state) {
  for (int g = 0; g < WGMMA_GROUPS; g++) {
    forget_flights(&state->groups[g]);
    for (int i = 0; i < WGMMA_SETS; i++)
      free(state->groups[g].sets[i].values);
  }
  free(state->stored);
  free(state->readers);
  *state = (struct wgmma_state){0};
}

/* --- Pieces being read ------------------------------------------------------------------------ */

void wgmma_mark(struct emulator_block *block, const struct wgmma_flight *flight, int change) {
  struct wgmma_state *state = &block->wgmma;
  size_t pieces = block->memory.shared.bytes / WGMMA_PIECE + 1;
  if (!state->readers) {
    state->readers = tile_allocate(pieces * sizeof *state->readers);
    memset(state->readers, 0, pieces * sizeof *state->readers);
  }
  state->in_flight += (uint32_t)change;
  for (int operand = flight->a_in_registers; operand < 2; operand++) {
    uint32_t offsets[WGMMA_MAX_PIECES];
    unsigned count = wgmma_pieces(&flight->operands[operand], offsets);
    for (unsigned i = 0; i < count; i++)
      if (offsets[i] / WGMMA_PIECE < pieces)
        state->readers[offsets[i] / WGMMA_PIECE] =
            (uint16_t)(state->readers[offsets[i] / WGMMA_PIECE] + change);
  }
}

static bool reads(const struct wgmma_flight *flight, size_t piece) {
  for (int operand = flight->a_in_registers; operand < 2; operand++) {
    uint32_t offsets[WGMMA_MAX_PIECES];
    unsigned count = wgmma_pieces(&flight->operands[operand], offsets);
    for (unsigned i = 0; i < count; i++)
      if (offsets[i] / WGMMA_PIECE == piece)
        return true;
  }
  return false;
}

static const struct wgmma_flight *find_reader(const struct wgmma_state *state, size_t piece) {
  for (int g = 0; g < WGMMA_GROUPS; g++)
    for (const struct wgmma_flight *flight = state->groups[g].first; flight; flight = flight->next)
      if (reads(flight, piece))
        return flight;
  return NULL;
}

static void report_overwrite(struct emulator_thread *thread, size_t offset, const char *location) {
  struct emulator_block *block = thread->block;
  const struct wgmma_flight *flight = find_reader(&block->wgmma, offset / WGMMA_PIECE);
  tile_emulator_hazard hazard =
      launch_shared_hazard(thread, TILE_EMULATOR_OPERAND_OVERWRITE, offset, location);
  hazard.is_store = true;
  if (flight)
    hazard.other = launch_site(&block->threads[flight->thread], flight->location);
  report_add(thread->launch->report, &hazard);
}

void wgmma_note_store(struct emulator_thread *thread, uintptr_t address, size_t bytes, bool generic,
                      const char *location) {
  struct wgmma_state *state = &thread->block->wgmma;
  size_t first = address - thread->block->memory.shared.base;
  for (size_t piece = first / WGMMA_PIECE; state->in_flight && piece * WGMMA_PIECE < first + bytes;
       piece++)
    if (state->readers[piece]) {
      size_t start = piece * WGMMA_PIECE;
      report_overwrite(thread, start < first ? first : start, location);
      break;
    }
  for (size_t i = first; state->stored && i < first + bytes; i++)
    state->stored[i] = generic ? state->fences + 1 : 0;
}
