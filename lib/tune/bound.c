/* SPDX-License-Identifier: MIT */
/* See bound.h. */
#include "tune/bound.h"

#include <inttypes.h>
#include <string.h>
#include "ir/module_target.h"
#include "ir/types.h"
#include "tune/tuning.h"

enum { DEFAULT_WARPS = 4 };

static const double l2_bytes_per_cycle = 32;

/* --- One kernel ------------------------------------------------------------------------------- */

struct reading {
  struct session *session;
  struct tune_bound *out;
  const struct machine *machine;
  int64_t warps;
  int dots;
};

static void read_dot(struct reading *r, MlirOperation op) {
  int64_t a[MAX_RANK], b[MAX_RANK];
  MlirType left = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType right = mlirValueGetType(mlirOperationGetOperand(op, 1));
  MlirType accumulators = mlirValueGetType(mlirOperationGetResult(op, 0));
  int rank = type_shape(left, a);
  if (rank < 2 || type_shape(right, b) != rank)
    return;
  struct type_cache *types = &r->session->types;
  double m = (double)a[rank - 2], n = (double)b[rank - 1];
  double bits = type_bits(types, type_element(left));
  int64_t bytes = (type_elements(left) * type_bits(types, type_element(left)) +
                   type_elements(right) * type_bits(types, type_element(right))) /
                  8;
  int64_t registers = type_elements(accumulators) * type_bits(types, type_element(accumulators)) /
                      32 / (r->machine->lanes * r->warps);
  struct tune_bound *out = r->out;
  out->accumulators = registers > out->accumulators ? (int)registers : out->accumulators;
  out->operand_bytes = bytes > out->operand_bytes ? bytes : out->operand_bytes;
  double work = m * n * bits / 16 / r->machine->fmas_per_cycle,
         traffic = (m + n) * bits / 8 / l2_bytes_per_cycle;
  out->tile = m * n;
  out->cycles = work > traffic ? work : traffic;
  r->dots++;
}

static MlirLogicalResult read_operation(MlirOperation op, void *data) {
  struct reading *r = data;
  if (kind_of(r->session, op) == OP_TILE_DOT)
    read_dot(r, op);
  return SUCCESS;
}

void tune_bound_read(struct session *session, MlirModule module, struct tune_bound *out) {
  MlirOperation root = mlirModuleGetOperation(module);
  *out = (struct tune_bound){0};
  struct reading r = {
      .session = session, .out = out, .machine = machine_of(root), .warps = DEFAULT_WARPS};
  MlirAttribute warps = attribute_get(root, ATTR_ASKED_WARPS);
  if (!mlirAttributeIsNull(warps))
    r.warps = mlirIntegerAttrGetValueInt(warps);
  out->registers = module_registers(root, (int)r.warps);
  visit_operations(root, read_operation, &r);
  if (r.dots != 1)
    out->tile = out->cycles = 0;
}

/* --- All candidates --------------------------------------------------------------------------- */

static void drop_what_does_not_fit(struct tune_entry *entry, const tile_device_properties *device) {
  const struct tune_bound *bound = &entry->bound;
  if (bound->accumulators > bound->registers)
    tuning_out(entry, TILE_TUNE_DROPPED,
               "hopeless: the accumulators of a dot take %d registers of a thread, which has %d",
               bound->accumulators, bound->registers);
  else if (device->shared_bytes && bound->operand_bytes > device->shared_bytes)
    tuning_out(entry, TILE_TUNE_DROPPED,
               "hopeless: the operands of a dot are %" PRId64
               " bytes, more than the %u of shared memory that a block can have",
               bound->operand_bytes, (unsigned)device->shared_bytes);
}

static double estimate(const struct tune_entry *entry, uint64_t multiprocessors) {
  uint64_t waves = (entry->bound.programs + multiprocessors - 1) / multiprocessors;
  return (double)waves * entry->bound.cycles;
}

static bool is_comparable(const struct tune_entry *entry) {
  return entry->outcome == TILE_TUNE_OK && entry->bound.programs && entry->bound.cycles > 0;
}

/* Do two candidates cut the work into tiles of the same matrix? */
static bool same_area(const struct tune_entry *a, const struct tune_entry *b) {
  double first = (double)a->bound.programs * a->bound.tile,
         second = (double)b->bound.programs * b->bound.tile;
  return first <= 2 * second && second <= 2 * first;
}

static void drop_slow(tile_tuning *tuning, uint64_t multiprocessors) {
  for (size_t i = 0; i < tuning->count; i++) {
    struct tune_entry *entry = &tuning->entries[i];
    for (size_t k = 0; k < tuning->count && is_comparable(entry); k++) {
      const struct tune_entry *other = &tuning->entries[k];
      if (!is_comparable(other) || !same_area(entry, other))
        continue;
      double own = estimate(entry, multiprocessors), best = estimate(other, multiprocessors);
      entry->doubted = own > TUNE_BOUND_FAR * best;
      if (entry->doubted)
        tuning_out(entry, TILE_TUNE_DROPPED,
                   "hopeless: by traffic and waves it takes %.1f times as long as candidate %zu",
                   own / best, k);
    }
  }
}

void tune_bound_drop(tile_tuning *tuning) {
  const tile_device_properties *device = tile_device_get_properties(tuning->options->device);
  uint64_t multiprocessors = tuning->estimated || device->multiprocessors < 1
                                 ? (uint64_t)machine_default()->multiprocessors
                                 : (uint64_t)device->multiprocessors;
  for (size_t i = 0; i < tuning->count; i++)
    if (tuning->entries[i].outcome == TILE_TUNE_OK)
      drop_what_does_not_fit(&tuning->entries[i], device);
  if (!tuning->extras.shards)
    drop_slow(tuning, multiprocessors);
}

bool tune_bound_revive(tile_tuning *tuning) {
  bool any = false;
  for (size_t i = 0; i < tuning->count; i++) {
    struct tune_entry *entry = &tuning->entries[i];
    if (!entry->doubted)
      continue;
    entry->outcome = TILE_TUNE_OK;
    entry->doubted = false;
    text_free(&entry->message);
    any = true;
  }
  return any;
}
