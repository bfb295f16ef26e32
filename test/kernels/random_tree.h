/* Random kernels in the Triton language, as trees: what random_text.h prints, random_values.h
   carries out exactly, and random_make.h draws.

   Types are those of the language, integers with and without a sign. An expression has a type and a
   shape of up to three dimensions (none: a scalar). A variable keeps its type and shape. Nothing is
   approximate: what may be rounded differently (division, sums of floats whose order is free) is
   not drawn. */
#ifndef TILE_TEST_RANDOM_TREE_H
#define TILE_TEST_RANDOM_TREE_H

#include "exact_casts.h"

/* --- Types ------------------------------------------------------------------------- */

enum kind {
  KI1,
  KI8,
  KI16,
  KI32,
  KI64,
  KU8,
  KU16,
  KU32,
  KU64,
  KE4,
  KE5,
  KE4Z,
  KE5Z,
  KF16,
  KBF16,
  KF32,
  KF64,
  KINDS
};

struct kind_row {
  const char *name, *pointee; /* tl.NAME, *POINTEE in a signature */
  enum zoo_type type;
  bool is_unsigned;
};
static const struct kind_row kinds[KINDS] = {
    [KI1] = {"int1", "i1", I1, true},
    [KI8] = {"int8", "i8", I8, false},
    [KI16] = {"int16", "i16", I16, false},
    [KI32] = {"int32", "i32", I32, false},
    [KI64] = {"int64", "i64", I64, false},
    [KU8] = {"uint8", "u8", I8, true},
    [KU16] = {"uint16", "u16", I16, true},
    [KU32] = {"uint32", "u32", I32, true},
    [KU64] = {"uint64", "u64", I64, true},
    [KE4] = {"float8e4nv", "fp8e4nv", E4M3, false},
    [KE5] = {"float8e5", "fp8e5", E5M2, false},
    [KE4Z] = {"float8e4b8", "fp8e4b8", E4M3Z, false},
    [KE5Z] = {"float8e5b16", "fp8e5b16", E5M2Z, false},
    [KF16] = {"float16", "fp16", F16, false},
    [KBF16] = {"bfloat16", "bf16", BF16, false},
    [KF32] = {"float32", "fp32", F32, false},
    [KF64] = {"float64", "fp64", F64, false},
};

static inline bool kind_is_float(enum kind k) {
  return k >= KE4;
}

static inline bool kind_is_fp8(enum kind k) {
  return k >= KE4 && k <= KE5Z;
}

static inline int kind_bits(enum kind k) {
  return bits_of(kinds[k].type);
}

static inline size_t kind_bytes(enum kind k) {
  return zoo_bytes[kinds[k].type];
}

/* The common type of two operands; KINDS where there is none. */
static inline enum kind promote(enum kind a, enum kind b) {
  if (a == b)
    return a;
  if (!kind_is_float(a) && !kind_is_float(b)) {
    if (kinds[a].is_unsigned == kinds[b].is_unsigned)
      return kind_bits(a) > kind_bits(b) ? a : b;
    enum kind without = kinds[a].is_unsigned ? a : b, with = without == a ? b : a;
    return kind_bits(without) >= kind_bits(with) ? without : with;
  }
  if (a == KF64 || b == KF64)
    return KF64;
  if (a == KF32 || b == KF32)
    return KF32;
  if (a == KF16 || b == KF16)
    return KF16;
  if (a == KBF16 || b == KBF16)
    return KF32;
  return kind_is_float(a) && kind_is_float(b) ? KF16 : KINDS;
}

/* --- Expressions ------------------------------------------------------------------- */

enum node_op {
  NODE_VARIABLE, /* number: which */
  NODE_LITERAL,  /* number: a number of the source, of its neighbour's type */
  NODE_NUMBER,   /* the same as the value of a variable: int32, or fp32 */
  NODE_ARGUMENT, /* n */
  NODE_FULL,     /* tl.full of a number */
  NODE_RANGE,    /* tl.arange(number, number + size) */
  NODE_PROGRAM,  /* tl.program_id(0) */
  NODE_LOAD,     /* number: which buffer; in: offsets, mask, other (each may be missing behind the
                    first) */
  NODE_BINARY,   /* number: an operator of binary_texts */
  NODE_WHERE,
  NODE_UNARY,    /* number: of unary_texts */
  NODE_CAST,     /* to its type */
  NODE_TRUNCATE, /* the same toward zero */
  NODE_BITCAST,
  NODE_EXPAND, /* number: axis */
  NODE_BROADCAST,
  NODE_RESHAPE,
  NODE_PERMUTE, /* number: the order's digits */
  NODE_REDUCE,  /* number: of reduce_texts; axis */
  NODE_SCAN,    /* number: of scan_texts; axis: negative ones backwards, -1 - axis */
  NODE_SORT     /* number: descending */
};

enum binary {
  ADD,
  SUB,
  MUL,
  DIV,
  REM,
  AND,
  OR,
  XOR,
  SHL,
  SHR,
  MIN,
  MAX,
  MIN_NAN,
  MAX_NAN,
  LT,
  LE,
  GT,
  GE,
  EQ,
  NE,
  BINARIES
};
static const char *const binary_texts[BINARIES] = {
    "+",       "-",       "*",       "//",      "%", "&",  "|", "^",  "<<", ">>",
    "minimum", "maximum", "minimum", "maximum", "<", "<=", ">", ">=", "==", "!="};
enum unary { NEGATE, INVERT, ABSOLUTE, FLOOR, CEIL, UNARIES };
static const char *const unary_texts[UNARIES] = {"-", "~", "tl.abs", "tl.floor", "tl.ceil"};
enum reduce { SUM, MAXIMUM, MINIMUM, XOR_SUM, ARGMAX, ARGMIN, REDUCES };
static const char *const reduce_texts[REDUCES] = {"sum",     "max",    "min",
                                                  "xor_sum", "argmax", "argmin"};
enum scan { CUMSUM, CUMPROD, SCANS };
static const char *const scan_texts[SCANS] = {"cumsum", "cumprod"};

enum { MOST_RANK = 3, MOST_STATEMENTS = 40, MOST_VARIABLES = 96, MOST_TREE_BUFFERS = 24 };

struct shape {
  int rank, size[MOST_RANK];
};

static inline int shape_count(struct shape s) {
  int count = 1;
  for (int d = 0; d < s.rank; d++)
    count *= s.size[d];
  return count;
}

static inline bool same_shape(struct shape a, struct shape b) {
  bool same = a.rank == b.rank;
  for (int d = 0; same && d < a.rank; d++)
    same = a.size[d] == b.size[d];
  return same;
}

struct node {
  enum node_op op;
  enum kind kind;
  struct shape shape;
  int64_t number;
  int axis;
  int divisor; /* of a literal or number: what `number` is divided by; 0 of an integer */
  bool raw;    /* its bits are those of memory or of integers: a NaN's count */
  struct node *in[3];
};

/* A literal's value as Python has it. */
static inline double number_value(const struct node *n) {
  return n->divisor ? (double)n->number / n->divisor : (double)n->number;
}

/* --- Statements -------------------------------------------------------------------- */

enum statement_op { ASSIGN, STORE, FOR, IF };

struct block {
  struct statement *items[MOST_STATEMENTS];
  int count;
};

struct statement {
  enum statement_op op;
  int variable; /* of an assignment, of a loop; the buffer of a store */
  struct node *value, *mask;
  int first, step, trips; /* of a loop; trips < 0: the argument n */
  bool is_static;
  struct block body[2];
};

struct tree_buffer {
  enum kind kind;
  size_t count;
  bool is_output;
  unsigned char *input, *expected, *actual;
};

struct tree {
  struct block body;
  struct {
    enum kind kind;
    struct shape shape; /* rank -1: it is not known here */
    bool is_index;      /* of a loop */
  } variables[MOST_VARIABLES];
  int variable_count;
  struct tree_buffer buffers[MOST_TREE_BUFFERS];
  int buffer_count;
  int programs, n, num_warps;
  bool is_wrong; /* random_values.h */
  char *memory;  /* an arena for all of it */
  size_t used;
};

enum { TREE_MEMORY = 128 << 20 };

static inline void *tree_take(struct tree *tree, size_t bytes) {
  void *at = tree->memory + tree->used;
  tree->used += (bytes + 15) / 16 * 16;
  if (tree->used > TREE_MEMORY)
    abort(); /* a kernel this large is not drawn */
  return memset(at, 0, bytes);
}

#endif
