/* SPDX-License-Identifier: MIT */
/* Brute force against axis info: random programs of tensor arithmetic, some with a loop, are
   analysed once and executed for many argument values; every claim about every value is checked
   element by element.

   A program is a list of nodes. Each is printed as MLIR, and evaluated on arrays of 64-bit numbers
   that hold the sign-extended bits of the node's type. Runs that break what the language rules out
   (axis_info.h: overflow of non-negative numbers, negative divisors) or that are undefined
   (division by zero, shifts too far) are thrown away; all other overflow stays in. */
#include <stdint.h>
#include <stdlib.h>
#include "analysis/axis_info.h"
#include "check.h"

enum {
  PROGRAMS = 4000,
  RUNS = 16,
  MAX_NODES = 40,
  MAX_ELEMENTS = 64,
  ARGUMENTS = 4, /* three i32, one pointer */
  CARRIED = 2
};

/* --- random numbers: splitmix64, the same on every machine ------------------------------------ */

static uint64_t random_state;

static uint64_t random_bits(void) {
  uint64_t z = (random_state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static int below(int limit) {
  return (int)(random_bits() % (uint64_t)limit);
}

/* --- types ------------------------------------------------------------------------------------ */

enum type { I1, I8, I32, I64, POINTER_1, POINTER_2, POINTER_4, TYPES };

static const struct {
  const char *text;
  int bits, bytes; /* bytes: of the pointee */
} types[TYPES] = {
    {"i1", 1, 1},
    {"i8", 8, 1},
    {"i32", 32, 1},
    {"i64", 64, 1},
    {"!tile.ptr<i8>", 64, 1},
    {"!tile.ptr<i16>", 64, 2},
    {"!tile.ptr<f32>", 64, 4},
};

static bool is_pointer(enum type type) {
  return type >= POINTER_1;
}

static int64_t wrap(int bits, int64_t value) {
  return bits >= 64 ? value : (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static uint64_t as_unsigned(int bits, int64_t value) {
  return bits >= 64 ? (uint64_t)value : (uint64_t)value & (((uint64_t)1 << bits) - 1);
}

/* --- programs --------------------------------------------------------------------------------- */

enum node_kind {
  ROW_RANGE, /* consecutive along the last dimension */
  COLUMN_RANGE,
  CONSTANT,
  ARGUMENT,
  PROGRAM,
  BINARY,
  COMPARE,
  SELECT,
  CAST,
  ADDPTR,
  LOOP_INDEX,
  LOOP_CARRIED,
  LOOP_RESULT,
};

enum binary_kind {
  ADD,
  SUB,
  MUL,
  SHL,
  SHRS,
  SHRU,
  DIVS,
  DIVU,
  CEILDIVS,
  FLOORDIVS,
  REMS,
  REMU,
  AND,
  OR,
  XOR,
  MINS,
  MAXS,
  MINU,
  MAXU,
  BINARIES
};

static const char *const binary_names[BINARIES] = {
    "addi",  "subi",  "muli", "shli", "shrsi", "shrui", "divsi", "divui", "ceildivsi", "floordivsi",
    "remsi", "remui", "andi", "ori",  "xori",  "minsi", "maxsi", "minui", "maxui"};

static const char *const predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                         "sge", "ult", "ule", "ugt", "uge"};

struct node {
  enum node_kind kind;
  enum type type;
  int in[3];
  int64_t parameter; /* constant, start of a range, operation, predicate, index */
  const char *cast;  /* CAST: the operation's name */
  int ops;           /* how many operations it prints as */
};

struct program {
  struct node nodes[MAX_NODES];
  int count, body, after; /* nodes [body, after) are in the loop; equal when there is none */
  int rank, shape[2];
  int lower, upper, step;
  int first[CARRIED], yielded[CARRIED];
  int divisibility[ARGUMENTS];
};

static int elements(const struct program *program) {
  return program->rank == 1 ? program->shape[0] : program->shape[0] * program->shape[1];
}

static struct node *add_node(struct program *program, enum node_kind kind, enum type type) {
  struct node *node = &program->nodes[program->count++];
  *node = (struct node){.kind = kind, .type = type, .ops = 1};
  return node;
}

static const int64_t numbers[] = {0,  1,  2,  4,  8,   16,  32, 64, 3,   6,  12,        24,
                                  48, 7,  15, 31, 63,  -1,  -4, -8, -16, 5,  100,       1 << 20,
                                  9,  17, -3, 33, 127, 128, 14, 30, 47,  96, INT32_MAX, INT32_MIN};

static int64_t pick_number(void) {
  return numbers[below(sizeof numbers / sizeof *numbers)];
}

static void add_leaf(struct program *program) {
  struct node *node;
  switch (below(program->body != program->after && program->count > program->after ? 6 : 5)) {
  case 0:
  case 1:
    node = add_node(program, program->rank == 2 && below(2) ? COLUMN_RANGE : ROW_RANGE, I32);
    node->parameter = below(2) ? 0 : below(2) ? pick_number() % 1000 : 8 * (below(16) - 8);
    node->ops = program->rank == 1 ? 1 : 3;
    break;
  case 2:
    node = add_node(program, CONSTANT, below(2) ? I32 : (enum type)below(POINTER_1));
    node->parameter = wrap(types[node->type].bits, pick_number());
    break;
  case 3:
    node = add_node(program, ARGUMENT, I32);
    node->parameter = below(ARGUMENTS);
    if (node->parameter == ARGUMENTS - 1)
      node->type = POINTER_4;
    break;
  default:
    node = add_node(program, PROGRAM, I32);
    node->ops = 2;
    break;
  }
}

static bool is_in_scope(const struct program *program, int node) {
  return node < program->body || node >= program->after || program->count <= program->after;
}

/* A random earlier node of a type, or -1. */
static int pick_of_type(const struct program *program, enum type type) {
  int found[MAX_NODES], count = 0;
  for (int i = 0; i < program->count; i++)
    if (program->nodes[i].type == type && is_in_scope(program, i))
      found[count++] = i;
  return count ? found[below(count)] : -1;
}

/* The same, often a constant: the rules know most about those. */
static int pick_right(const struct program *program, enum type type) {
  int found[MAX_NODES], count = 0;
  for (int i = 0; i < program->count; i++)
    if (program->nodes[i].type == type && program->nodes[i].kind == CONSTANT &&
        is_in_scope(program, i))
      found[count++] = i;
  return count && below(2) ? found[below(count)] : pick_of_type(program, type);
}

struct cast {
  const char *name;
  enum type from, to;
};

static const struct cast casts[] = {
    {"arith.extsi", I32, I64},
    {"arith.extsi", I32, I64},
    {"arith.extui", I32, I64},
    {"arith.trunci", I64, I32},
    {"arith.trunci", I32, I8},
    {"arith.trunci", I32, I1},
    {"arith.extsi", I8, I32},
    {"arith.extui", I8, I32},
    {"arith.extui", I1, I32},
    {"arith.extsi", I1, I32},
    {"tile.bitcast", POINTER_4, POINTER_2},
    {"tile.bitcast", POINTER_2, POINTER_1},
    {"tile.bitcast", POINTER_1, POINTER_4},
    {"tile.ptr_to_int", POINTER_4, I64},
    {"tile.ptr_to_int", POINTER_1, I64},
    {"tile.int_to_ptr", I64, POINTER_1},
    {"tile.int_to_ptr", I64, POINTER_2},
};

static void add_cast(struct program *program) {
  const struct cast *cast = &casts[below(sizeof casts / sizeof *casts)];
  int in = pick_of_type(program, cast->from);
  if (in < 0)
    return;
  struct node *node = add_node(program, CAST, cast->to);
  node->in[0] = in;
  node->cast = cast->name;
}

static void add_pointer(struct program *program) {
  enum type type = (enum type)(POINTER_1 + below(3));
  int pointer = pick_of_type(program, type), offset = pick_of_type(program, below(2) ? I32 : I64);
  if (pointer < 0 || offset < 0)
    return;
  struct node *node = add_node(program, ADDPTR, type);
  node->in[0] = pointer;
  node->in[1] = offset;
}

static void add_select(struct program *program) {
  enum type type = below(2) ? I32 : (enum type)below(TYPES);
  int in[3] = {pick_of_type(program, I1), pick_of_type(program, type), pick_of_type(program, type)};
  if (in[0] < 0 || in[1] < 0)
    return;
  memcpy(add_node(program, SELECT, type)->in, in, sizeof in);
}

static void add_binary(struct program *program) {
  enum type type = below(4) ? I32 : (enum type)below(POINTER_1);
  int l = pick_of_type(program, type), r = pick_right(program, type);
  if (l < 0)
    return;
  bool compare = below(5) == 0;
  struct node *node = add_node(program, compare ? COMPARE : BINARY, compare ? I1 : type);
  node->in[0] = l;
  node->in[1] = r;
  int binary = below(3) ? below(BINARIES) : ADD;
  node->parameter = compare ? below(10) : binary;
}

static void add_random_node(struct program *program) {
  switch (below(10)) {
  case 0:
    add_cast(program);
    break;
  case 1:
    add_pointer(program);
    break;
  case 2:
    add_select(program);
    break;
  case 3:
    add_leaf(program);
    break;
  default:
    add_binary(program);
    break;
  }
}

static void add_until(struct program *program, int count) {
  for (int tries = 0; program->count < count && tries < 200; tries++)
    add_random_node(program);
}

/* A loop whose carried values are i32: its index and they are leaves, the newest i32 are yielded.
 */
static void add_loop(struct program *program) {
  for (int i = 0; i < CARRIED; i++)
    program->first[i] = pick_of_type(program, I32);
  program->body = program->count;
  program->after = MAX_NODES;
  program->lower = (int)(pick_number() % 100);
  program->step = 1 + below(24);
  program->upper = program->lower + program->step * below(5);
  add_node(program, LOOP_INDEX, I32);
  for (int i = 0; i < CARRIED; i++)
    add_node(program, LOOP_CARRIED, I32)->parameter = i;
  add_until(program, program->count + 6);
  int last = program->count;
  for (int i = 0; i < CARRIED; i++)
    program->yielded[i] = pick_of_type(program, I32);
  for (int i = last - 1; i >= program->body; i--)
    if (program->nodes[i].type == I32) {
      program->yielded[0] = i;
      break;
    }
  program->after = last;
  for (int i = 0; i < CARRIED; i++) {
    struct node *node = add_node(program, LOOP_RESULT, I32);
    node->parameter = i;
    node->ops = i == 0; /* one operation for all */
  }
}

static void make_program(struct program *program) {
  static const int divisors[] = {1, 1, 4, 16, 64};
  *program = (struct program){.rank = 1 + below(2), .body = MAX_NODES, .after = MAX_NODES};
  program->shape[0] = program->rank == 1 ? 32 : 8;
  program->shape[1] = 8;
  for (int i = 0; i < ARGUMENTS; i++)
    program->divisibility[i] = divisors[below(5)];
  for (int i = 0; i < 6; i++)
    add_leaf(program);
  add_until(program, 16);
  if (below(3) == 0 && pick_of_type(program, I32) >= 0)
    add_loop(program);
  add_until(program, program->count + 8);
}

/* --- printing --------------------------------------------------------------------------------- */

static void print_type(struct text *out, const struct program *program, enum type type) {
  if (program->rank == 1)
    text_printf(out, "tensor<%dx%s>", program->shape[0], types[type].text);
  else
    text_printf(out, "tensor<%dx%dx%s>", program->shape[0], program->shape[1], types[type].text);
}

static void print_range(struct text *out, const struct program *program, int i) {
  const struct node *node = &program->nodes[i];
  int axis = program->rank == 2 && node->kind == ROW_RANGE; /* the dimension it runs along */
  int size = program->shape[axis];
  const char *name = program->rank == 1 ? "" : "_range";
  text_printf(out,
              "%%v%d%s = \"tile.range\"() {start = %d : i32, end = %d : i32} : () -> "
              "tensor<%dxi32>\n",
              i, name, (int)node->parameter, (int)node->parameter + size, size);
  if (program->rank == 1)
    return;
  const char *thin = axis ? "1x8" : "8x1";
  text_printf(out,
              "%%v%d_thin = \"tile.expand_dims\"(%%v%d_range) {axis = %d : i32} : "
              "(tensor<%dxi32>) -> tensor<%sxi32>\n",
              i, i, !axis, size, thin);
  text_printf(out, "%%v%d = \"tile.broadcast\"(%%v%d_thin) : (tensor<%sxi32>) -> ", i, i, thin);
  print_type(out, program, I32);
}

static void print_splat(struct text *out, const struct program *program, int i,
                        const char *scalar) {
  text_printf(out, "%%v%d = \"tile.splat\"(%s) : (%s) -> ", i, scalar,
              types[program->nodes[i].type].text);
  print_type(out, program, program->nodes[i].type);
}

static void print_generic(struct text *out, const struct program *program, int i, const char *name,
                          int operands) {
  const struct node *node = &program->nodes[i];
  text_printf(out, "%%v%d = \"%s\"(", i, name);
  for (int k = 0; k < operands; k++)
    text_printf(out, "%s%%v%d", k ? ", " : "", node->in[k]);
  text_puts(out, ") : (");
  for (int k = 0; k < operands; k++) {
    text_puts(out, k ? ", " : "");
    print_type(out, program, program->nodes[node->in[k]].type);
  }
  text_puts(out, ") -> ");
  print_type(out, program, node->type);
}

static void print_loop_end(struct text *out, const struct program *program) {
  text_printf(out, "scf.yield %%v%d, %%v%d : ", program->yielded[0], program->yielded[1]);
  print_type(out, program, I32);
  text_puts(out, ", ");
  print_type(out, program, I32);
  text_puts(out, "\n}\n");
}

static void print_loop_start(struct text *out, const struct program *program) {
  int b = program->body, a = program->after;
  text_printf(out, "%%lower = arith.constant %d : i32\n%%upper = arith.constant %d : i32\n",
              program->lower, program->upper);
  text_printf(out, "%%step = arith.constant %d : i32\n", program->step);
  text_printf(out,
              "%%v%d, %%v%d = scf.for %%iv = %%lower to %%upper step %%step iter_args(%%v%d = "
              "%%v%d, %%v%d = %%v%d) -> (",
              a, a + 1, b + 1, program->first[0], b + 2, program->first[1]);
  print_type(out, program, I32);
  text_puts(out, ", ");
  print_type(out, program, I32);
  text_puts(out, ") : i32 {\n");
}

static void print_node(struct text *out, const struct program *program, int i) {
  const struct node *node = &program->nodes[i];
  char name[32];
  switch (node->kind) {
  case ROW_RANGE:
  case COLUMN_RANGE:
    print_range(out, program, i);
    break;
  case CONSTANT:
    text_printf(out, "%%v%d = arith.constant dense<%lld> : ", i, (long long)node->parameter);
    print_type(out, program, node->type);
    break;
  case ARGUMENT:
    snprintf(name, sizeof name, "%%a%d", (int)node->parameter);
    print_splat(out, program, i, name);
    break;
  case PROGRAM:
    text_printf(out, "%%v%d_id = \"tile.program_id\"() {axis = 0 : i32} : () -> i32\n", i);
    snprintf(name, sizeof name, "%%v%d_id", i);
    print_splat(out, program, i, name);
    break;
  case BINARY:
    text_printf(out, "%%v%d = arith.%s %%v%d, %%v%d : ", i, binary_names[node->parameter],
                node->in[0], node->in[1]);
    print_type(out, program, node->type);
    break;
  case COMPARE:
    text_printf(out, "%%v%d = arith.cmpi %s, %%v%d, %%v%d : ", i, predicates[node->parameter],
                node->in[0], node->in[1]);
    print_type(out, program, program->nodes[node->in[0]].type);
    break;
  case SELECT:
    print_generic(out, program, i, "arith.select", 3);
    break;
  case CAST:
    print_generic(out, program, i, node->cast, 1);
    break;
  case ADDPTR:
    print_generic(out, program, i, "tile.addptr", 2);
    break;
  case LOOP_INDEX:
    print_splat(out, program, i, "%iv");
    break;
  case LOOP_CARRIED:
  case LOOP_RESULT:
    return;
  }
  text_puts(out, "\n");
}

static void print_program(struct text *out, const struct program *program) {
  text_puts(out, "module {\nfunc.func @f(");
  for (int i = 0; i < ARGUMENTS; i++)
    text_printf(out, "%s%%a%d: %s {tile.divisibility = %d : i32}", i ? ", " : "", i,
                i == ARGUMENTS - 1 ? types[POINTER_4].text : "i32", program->divisibility[i]);
  text_puts(out, ") {\n");
  for (int i = 0; i < program->count; i++) {
    if (i == program->body)
      print_loop_start(out, program);
    if (i == program->after)
      print_loop_end(out, program);
    print_node(out, program, i);
  }
  text_puts(out, "func.return\n}\n}\n");
}

/* --- evaluation ------------------------------------------------------------------------------- */

struct run {
  int64_t values[MAX_NODES][MAX_ELEMENTS];
  int64_t arguments[ARGUMENTS], program_id, index;
  int64_t carried[CARRIED][MAX_ELEMENTS];
  bool valid;   /* nothing undefined or ruled out has happened */
  bool wrapped; /* some signed overflow has */
};

static int64_t narrowed(struct run *run, int bits, __int128 exact, bool both_non_negative) {
  int64_t value = wrap(bits, (int64_t)exact);
  if (value != exact)
    run->wrapped = true;
  if (both_non_negative && value < 0 && bits > 1)
    run->valid = false;
  return value;
}

static int64_t divide(struct run *run, enum binary_kind kind, int bits, int64_t l, int64_t r) {
  int64_t lowest = bits >= 64 ? INT64_MIN : -((int64_t)1 << (bits - 1));
  bool is_signed = kind != DIVU && kind != REMU;
  if (r == 0 || (is_signed && r == -1 && l == lowest)) {
    run->valid = false;
    return 0;
  }
  uint64_t ul = as_unsigned(bits, l), ur = as_unsigned(bits, r);
  if (kind == DIVU || kind == REMU)
    return wrap(bits, (int64_t)(kind == DIVU ? ul / ur : ul % ur));
  if (kind == REMS)
    return l % r;
  int64_t quotient = l / r;
  bool inexact = l % r != 0, negative = (l < 0) != (r < 0);
  if (kind == CEILDIVS && inexact && !negative)
    quotient++;
  if (kind == FLOORDIVS && inexact && negative)
    quotient--;
  if (l >= 0 && quotient < 0 && bits > 1)
    run->valid = false;
  return quotient;
}

static int64_t shift(struct run *run, enum binary_kind kind, int bits, int64_t l, int64_t r) {
  if (as_unsigned(bits, r) >= (uint64_t)bits) {
    run->valid = false;
    return 0;
  }
  r = (int64_t)as_unsigned(bits, r);
  if (kind == SHL)
    return narrowed(run, bits, (__int128)l * ((__int128)1 << r), l >= 0);
  return kind == SHRS ? l >> r : wrap(bits, (int64_t)(as_unsigned(bits, l) >> r));
}

static int64_t binary(struct run *run, enum binary_kind kind, int bits, int64_t l, int64_t r) {
  uint64_t ul = as_unsigned(bits, l), ur = as_unsigned(bits, r);
  bool non_negative = l >= 0 && r >= 0;
  switch (kind) {
  case ADD:
    return narrowed(run, bits, (__int128)l + r, non_negative);
  case SUB:
    return narrowed(run, bits, (__int128)l - r, false);
  case MUL:
    return narrowed(run, bits, (__int128)l * r, non_negative);
  case SHL:
  case SHRS:
  case SHRU:
    return shift(run, kind, bits, l, r);
  case AND:
    return l & r;
  case OR:
    return l | r;
  case XOR:
    return l ^ r;
  case MINS:
    return l < r ? l : r;
  case MAXS:
    return l > r ? l : r;
  case MINU:
    return ul < ur ? l : r;
  case MAXU:
    return ul > ur ? l : r;
  default:
    return divide(run, kind, bits, l, r);
  }
}

static bool compare(int predicate, int bits, int64_t l, int64_t r) {
  uint64_t ul = as_unsigned(bits, l), ur = as_unsigned(bits, r);
  const bool results[] = {l == r,  l != r, l<r, l <= r, l> r, l >= r, ul<ur, ul <= ur, ul> ur,
                          ul >= ur};
  return results[predicate];
}

static int64_t cast_value(const struct node *node, int from, int64_t value) {
  if (strcmp(node->cast, "arith.extui") == 0)
    return (int64_t)as_unsigned(from, value);
  return wrap(types[node->type].bits, value);
}

static int64_t evaluate_element(const struct program *program, struct run *run,
                                const struct node *node, int e) {
  const int64_t in[3] = {run->values[node->in[0]][e], run->values[node->in[1]][e],
                         run->values[node->in[2]][e]};
  enum type from = program->nodes[node->in[0]].type;
  int bits = types[node->type].bits;
  switch (node->kind) {
  case ROW_RANGE:
    return node->parameter + (program->rank == 1 ? e : e % program->shape[1]);
  case COLUMN_RANGE:
    return node->parameter + e / program->shape[1];
  case CONSTANT:
    return node->parameter;
  case ARGUMENT:
    return run->arguments[node->parameter];
  case PROGRAM:
    return run->program_id;
  case BINARY:
    return binary(run, (enum binary_kind)node->parameter, bits, in[0], in[1]);
  case COMPARE:
    return -compare((int)node->parameter, types[from].bits, in[0], in[1]);
  case SELECT:
    return in[0] ? in[1] : in[2];
  case CAST:
    return cast_value(node, types[from].bits, in[0]);
  case ADDPTR:
    return (int64_t)((uint64_t)in[0] + (uint64_t)in[1] * (uint64_t)types[node->type].bytes);
  case LOOP_INDEX:
    return run->index;
  case LOOP_CARRIED:
  case LOOP_RESULT:
    return run->carried[node->parameter][e];
  }
  return 0;
}

/* --- checking --------------------------------------------------------------------------------- */

struct subject {
  const struct program *program;
  const struct axis_info *claims[MAX_NODES];
  int64_t found[3]; /* how many claims beyond 1 were checked, by property */
};

/* Checks one line of `count` elements, `stride` apart. */
static bool check_line(struct subject *subject, const struct run *run, int n, int d,
                       const int64_t *line, int count, int stride) {
  const struct axis_info *info = subject->claims[n];
  enum type type = subject->program->nodes[n].type;
  int bits = types[type].bits, bytes = types[type].bytes;
  int64_t c = info->contiguity[d], divisor = info->divisibility[d], k = info->constancy[d];
  int64_t whole = c; /* how much of a run must be exact: see axis_info.h */
  if (run->wrapped && bits == 64)
    whole = divisor / bytes < c ? divisor / bytes : c;
  whole = whole < 1 ? 1 : whole;
  for (int i = 0; i < count; i++) {
    int64_t value = line[i * stride], start = line[i / whole * whole * stride];
    uint64_t step = (uint64_t)(i % whole) * (uint64_t)bytes;
    if (wrap(bits, (int64_t)((uint64_t)value - (uint64_t)start - step)) != 0)
      return false;
    if (i % c == 0 && value % divisor != 0)
      return false;
    if (value != line[i / k * k * stride])
      return false;
    if (info->non_negative && bits > 1 && !is_pointer(type) && value < 0)
      return false;
    if (info->is_constant && info->constant != (bits == 1 ? value & 1 : value))
      return false;
  }
  subject->found[0] += c > 1;
  subject->found[1] += divisor > 1;
  subject->found[2] += k > 1;
  return true;
}

static bool check_node(struct subject *subject, const struct run *run, int n) {
  const struct program *program = subject->program;
  const int64_t *values = run->values[n];
  if (program->rank == 1)
    return check_line(subject, run, n, 0, values, program->shape[0], 1);
  for (int row = 0; row < program->shape[0]; row++)
    if (!check_line(subject, run, n, 1, values + row * program->shape[1], program->shape[1], 1))
      return false;
  for (int column = 0; column < program->shape[1]; column++)
    if (!check_line(subject, run, n, 0, values + column, program->shape[0], program->shape[1]))
      return false;
  return true;
}

static void report(const struct subject *subject, int n) {
  const struct axis_info *info = subject->claims[n];
  struct text text = {0};
  print_program(&text, subject->program);
  printf("%swrong about %%v%d:", text_string(&text), n);
  for (int d = 0; d < info->rank; d++)
    printf(" c = %lld, d = %lld, k = %lld;", (long long)info->contiguity[d],
           (long long)info->divisibility[d], (long long)info->constancy[d]);
  printf(" constant %d, non-negative %d\n", info->is_constant, info->non_negative);
  text_free(&text);
}

/* Evaluates and checks nodes [from, to); false when a claim is wrong. */
static bool step_through(struct subject *subject, struct run *run, int from, int to) {
  for (int n = from; n < to && run->valid; n++) {
    for (int e = 0; e < elements(subject->program); e++)
      run->values[n][e] = evaluate_element(subject->program, run, &subject->program->nodes[n], e);
    if (run->valid && !check_node(subject, run, n)) {
      report(subject, n);
      return false;
    }
  }
  return true;
}

static bool step_through_loop(struct subject *subject, struct run *run) {
  const struct program *program = subject->program;
  for (int i = 0; i < CARRIED; i++)
    memcpy(run->carried[i], run->values[program->first[i]], sizeof run->carried[i]);
  for (run->index = program->lower; run->index < program->upper; run->index += program->step) {
    if (!step_through(subject, run, program->body, program->after))
      return false;
    if (!run->valid)
      return true;
    for (int i = 0; i < CARRIED; i++)
      memcpy(run->carried[i], run->values[program->yielded[i]], sizeof run->carried[i]);
  }
  return true;
}

static bool has_loop(const struct program *program) {
  return program->body < program->count;
}

static void draw_arguments(const struct program *program, struct run *run) {
  int width = below(3) == 0 ? 32 : 8 + below(12);
  for (int i = 0; i < ARGUMENTS; i++)
    run->arguments[i] =
        wrap(width, (int64_t)random_bits()) / program->divisibility[i] * program->divisibility[i];
  run->program_id = below(below(2) ? 16 : INT32_MAX);
}

static bool check_run(struct subject *subject, int64_t *valid) {
  static struct run run;
  const struct program *program = subject->program;
  run.valid = true;
  run.wrapped = false;
  draw_arguments(program, &run);
  if (!step_through(subject, &run, 0, has_loop(program) ? program->body : program->count))
    return false;
  if (has_loop(program) && run.valid) {
    if (!step_through_loop(subject, &run))
      return false;
    if (run.valid && !step_through(subject, &run, program->after, program->count))
      return false;
  }
  *valid += run.valid;
  return true;
}

/* --- from nodes to MLIR values ---------------------------------------------------------------- */

static MlirOperation skip(MlirOperation op, int count) {
  while (count-- > 0)
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/* Looks up nodes [from, to), which start at `op`; returns the operation after them. */
static MlirOperation look_up(struct subject *subject, struct axis_analysis *analysis, int from,
                             int to, MlirOperation op) {
  for (int n = from; n < to; n++) {
    const struct node *node = &subject->program->nodes[n];
    if (node->kind == LOOP_CARRIED) {
      MlirValue value = mlirBlockGetArgument(mlirOperationGetBlock(op), node->parameter + 1);
      subject->claims[n] = axis_info_of(analysis, value);
      continue;
    }
    if (node->kind == LOOP_RESULT) {
      subject->claims[n] = axis_info_of(analysis, op_result(op, node->parameter));
      op = skip(op, node->parameter == CARRIED - 1);
      continue;
    }
    op = skip(op, node->ops - 1);
    subject->claims[n] = axis_info_of(analysis, op_result(op, 0));
    op = skip(op, 1);
  }
  return op;
}

static void look_up_all(struct subject *subject, struct axis_analysis *analysis, MlirBlock entry) {
  const struct program *program = subject->program;
  MlirOperation op = mlirBlockGetFirstOperation(entry);
  if (!has_loop(program)) {
    look_up(subject, analysis, 0, program->count, op);
    return;
  }
  op = look_up(subject, analysis, 0, program->body, op);
  MlirOperation loop = skip(op, 3); /* bounds and step */
  MlirOperation inner = mlirBlockGetFirstOperation(op_body(loop, 0));
  look_up(subject, analysis, program->body, program->after, inner);
  look_up(subject, analysis, program->after, program->count, loop);
}

struct totals {
  int64_t valid, found[3];
};

static bool check_program(struct session *session, const struct program *program,
                          struct totals *totals) {
  struct text text = {0};
  print_program(&text, program);
  MlirModule module = session_parse(session, "random", text.data, text.length);
  if (mlirModuleIsNull(module)) {
    printf("%s", text_string(&text));
    text_free(&text);
    return false;
  }
  MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  struct axis_analysis analysis;
  axis_analysis_run(&analysis, session, function);
  struct subject subject = {.program = program};
  look_up_all(&subject, &analysis, op_body(function, 0));
  bool right = true;
  for (int i = 0; i < RUNS && right; i++)
    right = check_run(&subject, &totals->valid);
  for (int i = 0; i < 3; i++)
    totals->found[i] += subject.found[i];
  axis_analysis_destroy(&analysis);
  mlirModuleDestroy(module);
  text_free(&text);
  return right;
}

static void random_programs_keep_their_claims(void) {
  struct session session;
  struct totals totals = {0};
  CHECK(session_create(&session) == NULL);
  int wrong = 0;
  for (int i = 0; i < PROGRAMS && wrong < 3; i++) {
    struct program program;
    random_state = (uint64_t)i;
    make_program(&program);
    if (!check_program(&session, &program, &totals)) {
      printf("program %d\n", i);
      wrong++;
    }
  }
  CHECK_EQUAL(wrong, 0);
  /* The test tests something: enough runs survive, and enough claims say more than 1. */
  CHECK(totals.valid > PROGRAMS * RUNS / 10);
  for (int i = 0; i < 3; i++)
    CHECK(totals.found[i] > PROGRAMS * RUNS);
  session_destroy(&session);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv,
                   {"random_programs_keep_their_claims", random_programs_keep_their_claims});
}
