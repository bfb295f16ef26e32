/* The parts of mutate: which operations a mutant can lack, and what a launch of it shows. */
#ifndef TILE_TEST_MUTATION_MUTATE_H
#define TILE_TEST_MUTATION_MUTATE_H

#include "../../tools/tile-run/tile_run.h"
#include "base/arena.h"

/* --- Mutants ------------------------------------------------------------------------------------ */

/* An operation of the lowered kernel that orders something. */
struct site {
  const char *op, *what; /* its name, and what it orders */
  const char *location;  /* "file:line:column", without folders; in the arena */
  const char *line;      /* what stands there, without the space around it; in the arena */
};

struct sites {
  struct site *list; /* in the arena */
  size_t count;
};

/* All sites of a lowered module, in the order of the program; `source` is the text of its file. */
void sites_find(MlirModule module, const char *source, struct arena *arena, struct sites *out);
/* A copy of `module` that lacks site `index`; the caller destroys it. */
MlirModule mutant_create(MlirModule module, size_t index);

/* --- Trials -------------------------------------------------------------------------------------- */

enum { MAX_SEEDS = 16, MAX_ALIASES = 8 };

/* How a kernel is launched: the same way for it and for its mutants. */
struct trial {
  const char *kernel;
  const uint32_t *grid;
  struct run_argument **arguments; /* in the kernel's order, with their contents before a launch */
  size_t count;
  size_t same_as[RUN_MAX_ARGUMENTS]; /* the argument whose memory a buffer shares; itself: none */
};

/* The buffers behind a launch, one after another. */
struct contents {
  unsigned char *data; /* owned: free */
  size_t bytes;
};

/* One launch. `hazards` receives the first hazard in words, or nothing. */
tile_status trial_launch(const struct trial *trial, tile_emulator_program *program, uint64_t seed,
                         struct contents *out, struct text *hazards);

#endif
