/* Which function lowers which operation. A row here is all that a new operation needs besides its
   function; upstream's elementwise operations are listed because not every one can be lowered. */
#include "ir/passes.h"
#include "lowering/tile_gpu_to_nvvm/lowering.h"

struct rule {
  const char *name;
  lower_rule *lower;
};

static const struct rule rules[] = {
    {"tile.program_id", lower_program_id},
    {"tile.num_programs", lower_num_programs},
    {"tile.range", lower_range},
    {"tile.splat", lower_splat},
    {"tile.broadcast", lower_broadcast},
    {"tile.expand_dims", lower_expand_dims},
    {"tile.addptr", lower_addptr},
    {"tile.ptr_to_int", lower_ptr_to_int},
    {"tile.int_to_ptr", lower_int_to_ptr},
    {"tile.bitcast", lower_pointer_cast},
    {"tile.load", lower_load},
    {"tile.store", lower_store},
    {"tile.assume", lower_assume},
    {"tile.reshape", lower_relabelling},
    {"tile.permute", lower_relabelling},
    {"tile.join", lower_relabelling},
    {"tile.split", lower_relabelling},
    {"tile.reduce", lower_reduce},
    {"tile.scan", lower_scan},
    {"tile_gpu.convert_layout", lower_relabelling},
    {"tile_gpu.barrier", lower_barrier},
    {"scf.for", lower_for},
    {"scf.if", lower_if},
    {"scf.while", lower_while},
    {"arith.constant", lower_constant},
    {"arith.addi", lower_addi},
    {"arith.subi", lower_subi},
    {"arith.muli", lower_muli},
    {"arith.shli", lower_shli},
    {"arith.addf", lower_elementwise},
    {"arith.subf", lower_elementwise},
    {"arith.mulf", lower_elementwise},
    {"arith.divf", lower_elementwise},
    {"arith.negf", lower_elementwise},
    {"arith.maximumf", lower_elementwise},
    {"arith.minimumf", lower_elementwise},
    {"arith.maxnumf", lower_elementwise},
    {"arith.minnumf", lower_elementwise},
    {"arith.cmpf", lower_elementwise},
    {"arith.cmpi", lower_elementwise},
    {"arith.select", lower_elementwise},
    {"arith.andi", lower_elementwise},
    {"arith.ori", lower_elementwise},
    {"arith.xori", lower_elementwise},
    {"arith.shrsi", lower_elementwise},
    {"arith.shrui", lower_elementwise},
    {"arith.divsi", lower_elementwise},
    {"arith.divui", lower_elementwise},
    {"arith.remsi", lower_elementwise},
    {"arith.remui", lower_elementwise},
    {"arith.maxsi", lower_elementwise},
    {"arith.minsi", lower_elementwise},
    {"arith.maxui", lower_elementwise},
    {"arith.minui", lower_elementwise},
    {"arith.extsi", lower_elementwise},
    {"arith.extui", lower_elementwise},
    {"arith.trunci", lower_elementwise},
    {"arith.extf", lower_elementwise},
    {"arith.truncf", lower_elementwise},
    {"arith.sitofp", lower_elementwise},
    {"arith.uitofp", lower_elementwise},
    {"arith.fptosi", lower_elementwise},
    {"arith.fptoui", lower_elementwise},
    {"arith.bitcast", lower_elementwise},
    {"arith.index_cast", lower_elementwise},
    {"arith.index_castui", lower_elementwise},
    {"arith.mului_extended", lower_extended_product},
    {"arith.mulsi_extended", lower_extended_product},
    {"math.absf", lower_elementwise},
    {"math.absi", lower_elementwise},
    {"math.fma", lower_elementwise},
    {"math.sqrt", lower_elementwise},
    {"math.floor", lower_elementwise},
    {"math.ceil", lower_elementwise},
    {"math.trunc", lower_elementwise},
    {"math.roundeven", lower_elementwise},
    {"math.exp", lower_exp},
    {"math.exp2", lower_exp2},
    {"math.log", lower_log},
    {"math.log2", lower_log2},
    {"math.rsqrt", lower_rsqrt},
};

/* Interned names to rules, filled on first use in this session. */
lower_rule *find_rule(struct lowering *lw, MlirOperation op) {
  struct map *index = &lw->rules;
  if (index->count == 0)
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
      map_set(index, mlirIdentifierGet(lw->session->context, ref(rules[i].name)).ptr,
              (void *)&rules[i]);
  const struct rule *rule = map_get(index, mlirOperationGetName(op).ptr);
  return rule ? rule->lower : NULL;
}
