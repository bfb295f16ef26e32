/* The parts of tile-run. */
#ifndef TILE_TOOLS_TILE_RUN_H
#define TILE_TOOLS_TILE_RUN_H

#include "base/element.h"
#include "base/text.h"
#include "ir/session.h"
#include "tile/status.h"

enum { RUN_MAX_ARGUMENTS = 160, RUN_MAX_RANK = 8 };

/* One --arg: name=type:value for a scalar, name=type[shape]:contents for a buffer. */
struct run_argument {
  char *name;
  enum element_type type;
  bool is_buffer;
  int rank;
  int64_t shape[RUN_MAX_RANK];
  size_t bytes;
  unsigned char *data; /* owned: the buffer, or the scalar's bytes */
  void *pointer;       /* data, for passing its address */
};

/* What the kernel's parameter wants, read from the module before it is lowered. */
struct run_parameter {
  char *name;       /* of the parameter (tile.name), or "" */
  char *type;       /* MLIR text of a scalar's type, or of the pointee */
  bool is_pointer;
  int64_t divisibility; /* promised: bytes for pointers, a divisor for integers; 1 without a promise */
};

struct run_kernel {
  char *name;
  struct run_parameter *parameters;
  size_t count;
};

/* Parses one --arg and fills its contents; `seed` draws random contents (mixed with the name). */
tile_status run_argument_parse(const char *text, uint64_t seed, struct run_argument *out);
void run_argument_destroy(struct run_argument *argument);

/* Finds the kernel called `name`, or the only one when `name` is NULL. */
tile_status run_kernel_read(struct session *session, MlirModule module, const char *name,
                            struct run_kernel *out);
void run_kernel_destroy(struct run_kernel *kernel);

/* Puts the arguments into the order of the parameters (by name when the kernel names all of its
   parameters, as given otherwise) and checks count, types and promised divisibility. */
tile_status run_match_arguments(const struct run_kernel *kernel, struct run_argument *arguments,
                                size_t count, struct run_argument **ordered);

#endif
