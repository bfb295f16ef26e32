/* SPDX-License-Identifier: MIT */
/* Random kernels in the Triton language, as trees: what random_text.h prints, random_values.h
   carries out exactly, and random_make.h draws.

   Types are those of the language, integers with and without a sign. An expression has a type and a
   shape of up to five dimensions (none: a scalar). A variable keeps its type and shape. Nothing is
   approximate: what may be rounded differently (division, sums of floats whose order is free) is
   not drawn, but for floats that are small integers, with a bound that sums and products keep. */
#ifndef TILE_TEST_RANDOM_TREE_H
#define TILE_TEST_RANDOM_TREE_H

#include "exact_casts.h"

/* --- Types ------------------------------------------------------------------------------------ */

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
  KE4B,
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
    [KE4B] = {"float8e4b15", "fp8e4b15", I8, false}, /* float_value, encode_kind */
    [KF16] = {"float16", "fp16", F16, false},
    [KBF16] = {"bfloat16", "bf16", BF16, false},
    [KF32] = {"float32", "fp32", F32, false},
    [KF64] = {"float64", "fp64", F64, false},
};

static inline bool kind_is_float(enum kind k) {
  return k >= KE4;
}

static inline bool kind_is_fp8(enum kind k) {
  return k >= KE4 && k <= KE4B;
}

static inline int kind_bits(enum kind k) {
  return bits_of(kinds[k].type);
}

static inline size_t kind_bytes(enum kind k) {
  return zoo_bytes[kinds[k].type];
}

/* fp8e4b15 is an fp16 without the upper bit of its exponent and seven of its fraction. */
static inline double float_value(enum kind k, uint64_t bits) {
  if (k == KE4B)
    return zoo_decode(F16, (bits & 0x80) << 8 | (bits & 0x7f) << 7);
  return zoo_decode(kinds[k].type, bits);
}

/* fp8e4b15 by way of fp16: ties away from zero, at most 1.75, which NaN becomes, too. */
static inline uint64_t encode_kind(enum kind k, long double value, bool toward_zero) {
  if (k != KE4B)
    return encode(kinds[k].type, value, toward_zero);
  uint64_t half = encode(F16, value, toward_zero), rest = half & 0x7fff;
  return (half >> 15) << 7 | ((rest > 0x3f00 ? 0x3f00 : rest) + 0x40) >> 7;
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

/* --- Expressions ------------------------------------------------------------------------------ */

enum node_op {
  NODE_VARIABLE, /* number: which */
  NODE_LITERAL,  /* number: a number of the source, of its neighbour's type; axis: 1 + the variable
                    of  a static loop whose value it is, or 0 */
  NODE_NUMBER,   /* the same as the value of a variable: int32, or fp32 */
  NODE_ARGUMENT, /* n */
  NODE_FULL,     /* tl.full of a number */
  NODE_RANGE,    /* tl.arange(number, number + size) */
  NODE_PLACES,   /* number + arange[:, None] * strides[0] + ... */
  NODE_PROGRAM,  /* tl.program_id(0) */
  NODE_LOAD,     /* number: which buffer; in: offsets, mask, other (each may be missing after the
                    first) */
  NODE_BLOCK,    /* number: which buffer; a tile of a tensor of `sizes` and `strides` at the offsets
                    `in`; axis: a block pointer (divisor: moved there), or a tensor descriptor */
  NODE_BINARY,   /* number: an operator of binary_texts */
  NODE_WHERE,
  NODE_UNARY,    /* number: of unary_texts */
  NODE_CAST,     /* to its type */
  NODE_TRUNCATE, /* the same toward zero */
  NODE_BITCAST,
  NODE_FMA,
  NODE_CLAMP,  /* between two numbers; number: propagates NaN */
  NODE_EXPAND, /* number: axis */
  NODE_BROADCAST,
  NODE_RESHAPE,
  NODE_PERMUTE,    /* number: the order's digits */
  NODE_FLIP,       /* axis */
  NODE_GATHER,     /* in[0] at in[1] along axis */
  NODE_JOIN,       /* two after each other in a new last dimension */
  NODE_INTERLEAVE, /* in the last dimension */
  NODE_CAT,        /* along the first */
  NODE_SPLIT,      /* number: which half of the last dimension, of two */
  NODE_REDUCE,     /* number: of reduce_texts; axis; -1: all */
  NODE_SCAN,       /* number: of scan_texts; axis: negative ones backwards, -1 - axis */
  NODE_BEST,      /* tl.reduce of pairs: the greatest in[0] and its greatest in[1]; number: which */
  NODE_LINE,      /* tl.associative_scan of pairs, as composed lines; number: which */
  NODE_SORT,      /* number: descending */
  NODE_TOPK,      /* the first ones of the last dimension */
  NODE_HISTOGRAM, /* in[1]: mask, or NULL */
  NODE_DOT,       /* in[0] in[1] + in[2], or from zero; number: of precision_texts */
  NODE_CALL       /* number: which function; axis: which of its results */
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
  HIGH,   /* of a product without signs */
  DIV_RN, /* of f32 and f64, rounded once */
  LT,
  LE,
  GT,
  GE,
  EQ,
  NE,
  BINARIES
};
static const char *const binary_texts[BINARIES] = {
    "+",       "-",       "*",       "//",     "%",      "&", "|",  "^", "<<", ">>", "minimum",
    "maximum", "minimum", "maximum", "umulhi", "div_rn", "<", "<=", ">", ">=", "==", "!="};
enum unary { NEGATE, INVERT, ABSOLUTE, FLOOR, CEIL, ROOT, UNARIES };
static const char *const unary_texts[UNARIES] = {"-",        "~",       "tl.abs",
                                                 "tl.floor", "tl.ceil", "tl.sqrt_rn"};

/* After COMBINED, functions of the file, random_text.h. */
enum reduce {
  SUM,
  MAXIMUM,
  MINIMUM,
  XOR_SUM,
  ARGMAX,
  ARGMIN,
  MAX_INDEX,
  REDUCES,
  BY_AND = REDUCES,
  BY_OR,
  BY_MUL,
  BY_MAX,
  BY_LAST, /* the last that is not zero: of scans alone, as it is not commutative */
  REDUCTIONS
};
static const char *const reduce_texts[REDUCTIONS] = {"sum",    "max",    "min",    "xor_sum",
                                                     "argmax", "argmin", "max",    "by_and",
                                                     "by_or",  "by_mul", "by_max", "by_last"};
enum scan { CUMSUM, CUMPROD, SCANS }; /* and from SCANS on functions, BY_AND + number - SCANS */
static const char *const scan_texts[SCANS] = {"cumsum", "cumprod"};
enum precision { PRECISION_TF32, PRECISION_IEEE, PRECISION_TF32X3, PRECISIONS };
static const char *const precision_texts[PRECISIONS] = {"tf32", "ieee", "tf32x3"};
enum atomic { ATOMIC_ADD, ATOMIC_MAX, ATOMIC_MIN, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMICS };
static const char *const atomic_texts[ATOMICS] = {"add", "max", "min", "and", "or", "xor"};
/* How a tile of a tensor is loaded and stored. */
enum style { STYLE_POINTERS, STYLE_BLOCK, STYLE_DESCRIPTOR };

enum {
  MAX_RANK = 5,
  MAX_STATEMENTS = 40,
  MAX_VARIABLES = 160,
  MAX_TREE_BUFFERS = 32,
  MAX_FUNCTIONS = 4,
  MAX_PARAMETERS = 3
};

struct shape {
  int rank, size[MAX_RANK];
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
  int divisor;  /* of a literal or number: what `number` is divided by; 0 of an integer */
  bool raw;     /* its bits are those of memory or of integers: a NaN's count */
  double bound; /* of a float that is an integer: the greatest; else 0 */
  int sizes[3], strides[MAX_RANK];
  struct node *in[3];
};

/* A literal's value as Python has it. */
static inline double number_value(const struct node *n) {
  return n->divisor ? (double)n->number / n->divisor : (double)n->number;
}

/* --- Statements ------------------------------------------------------------------------------- */

enum statement_op { ASSIGN, STORE, ATOMIC, FOR, WHILE, IF, RETURN };

struct block {
  struct statement *items[MAX_STATEMENTS];
  int count;
};

struct statement {
  enum statement_op op;
  int variable; /* of an assignment, of a loop; the buffer of a store or an atomic operation */
  struct node *value, *mask; /* of a return: the first and the second result, or NULL */
  struct node *at;           /* of an atomic operation: where; number: of atomic_texts */
  int number;                /* of a store: its style, with sizes */
  int sizes[3];
  int first, step, trips; /* of a loop; trips < 0: the argument n */
  int stages;             /* of a loop, or 0 */
  bool is_static;
  struct block body[2];
};

struct tree_buffer {
  enum kind kind;
  size_t count;
  bool is_output, starts; /* starts: an output begins as `input` */
  double bound;           /* of an input of small integers, or 0 */
  unsigned char *input, *expected, *actual;
};

/* Of the file, called by the kernel and by later ones. */
struct tree_function {
  int parameters[MAX_PARAMETERS], parameter_count, results; /* variables; one or two */
  enum kind parameter_kinds[MAX_PARAMETERS], kinds[2];      /* of parameters, of results */
  struct shape parameter_shapes[MAX_PARAMETERS], shapes[2];
  struct block body;
};

struct tree {
  struct block body;
  struct {
    enum kind kind;
    struct shape shape; /* rank -1: it is not known here */
    bool is_index;      /* of a loop */
    double bound;       /* as a node's */
    int64_t constant;   /* of a static loop, at this moment */
  } variables[MAX_VARIABLES];
  int variable_count;
  struct tree_buffer buffers[MAX_TREE_BUFFERS];
  int buffer_count;
  struct tree_function functions[MAX_FUNCTIONS];
  int function_count;
  const char *target;
  int programs, n, num_warps, num_stages, programs_per_block, optimization_level;
  bool fewer_warps, low_occupancy;
  bool is_wrong; /* random_values.h */
  char *memory;  /* an arena for all of it */
  size_t used;
};

enum { TREE_MEMORY = 512 << 20 };

static inline void *tree_take(struct tree *tree, size_t bytes) {
  void *at = tree->memory + tree->used;
  tree->used += (bytes + 15) / 16 * 16;
  if (tree->used > TREE_MEMORY)
    abort(); /* a kernel this large is not drawn */
  return memset(at, 0, bytes);
}

#endif
