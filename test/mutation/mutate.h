/* SPDX-License-Identifier: MIT */
/* The parts of mutate: what mutants do to the operations of a kernel, and what a launch of one
   shows. */
#ifndef TILE_TEST_MUTATION_MUTATE_H
#define TILE_TEST_MUTATION_MUTATE_H

#include "../../tools/tile-run/tile_run.h"
#include "base/arena.h"

/* --- Mutants ---------------------------------------------------------------------------------- */

/* What a mutant does to an operation that orders something: it is left out (an exchange does
   nothing, a comparison finds what it compares with); its count of what may still be under way is
   one higher; it expects more or fewer bytes or arrivals; it waits for the other parity; it copies
   to its own block of a cluster alone; it stands before the access of shared memory before it, or
   after the one after it; it changes places with the next one that orders something. */
enum mutation_kind {
  MUTANT_WITHOUT,
  MUTANT_WEAKER,
  MUTANT_MORE,
  MUTANT_FEWER,
  MUTANT_PARITY,
  MUTANT_ALONE,
  MUTANT_EARLIER,
  MUTANT_LATER,
  MUTANT_SWAPPED
};

/* A mutant of the lowered kernel. */
struct site {
  enum mutation_kind kind;
  const char *op, *what; /* the operation's name, and what it orders */
  const char *location;  /* "file:line:column", without folders; in the arena */
  const char *crossed;   /* moves: "tile_ptx.store at file:line:column", what it moves across; in
                            the arena */
  const char *line;      /* what stands there, without the space around it; in the arena */
  size_t number;         /* among the kernel's operations that order something */
  size_t ordinal;        /* among those of this name and line, from 1 */
};

struct sites {
  struct site *list; /* in the arena */
  size_t count;
};

/* "without", "weaker", ... */
const char *mutation_name(enum mutation_kind kind);
/* All mutants of a lowered module, in the order of the program, with those that move operations if
   `moves`; `source` is the text of its file. */
void sites_find(MlirModule module, const char *source, bool moves, struct arena *arena,
                struct sites *out);
/* A mutant, a copy of `module`; the caller destroys it. */
MlirModule mutant_create(MlirModule module, const struct site *site);

/* --- Trials ----------------------------------------------------------------------------------- */

enum { MAX_SEEDS = 16, MAX_ALIASES = 8 };

/* How a kernel is launched: the same way for it and for its mutants. */
struct trial {
  const char *kernel;
  const uint32_t *grid;
  struct run_argument **arguments; /* in the kernel's order, with their contents before a launch */
  size_t count;
  size_t same_as[RUN_MAX_ARGUMENTS]; /* the argument whose memory a buffer shares; itself: none */
  const tile_tensor_map *maps;       /* that the kernel takes after its arguments; */
  size_t map_count;                  /* borrowed */
  /* Along each axis, the last arguments of kernels whose blocks take them in turn; or 0. */
  uint32_t programs[3];
  uint32_t part_bytes; /* of blocks that share programs, which take memory for that; or 0 */
};

/* The buffers after a launch, one after another. */
struct contents {
  unsigned char *data; /* owned: free */
  size_t bytes;
};

/* One launch. `hazards` receives the first hazard in words, or nothing. */
tile_status trial_launch(const struct trial *trial, tile_emulator_program *program, uint64_t seed,
                         struct contents *out, struct text *hazards);

#endif
