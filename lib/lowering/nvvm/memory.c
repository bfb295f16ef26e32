/* SPDX-License-Identifier: MIT */
/* NVIDIA's device, memory: what llvm.load and llvm.store do not say is tile_ptx operations. */
#include "lowering/nvvm/nvvm.h"

static MlirValue always_if_null(struct lowering *lw, MlirValue predicate) {
  return mlirValueIsNull(predicate) ? constant_integer(lw, 1, 1) : predicate;
}

MlirValue nvvm_load(struct lowering *lw, const struct device_access *access, MlirValue other,
                    MlirType type) {
  MlirValue in[] = {access->address, always_if_null(lw, access->predicate), other};
  MlirValue loaded = BUILD(&lw->b, "tile_ptx.load", INS(in, mlirValueIsNull(other) ? 2 : 3),
                           OUT(type), ATTRIBUTE_LIST(access->hints, access->hint_count));
  if (!mlirValueIsNull(access->predicate) && mlirValueIsNull(other) &&
      is_in_loop(lw->session, value_definition(loaded)))
    mlirOperationSetAttributeByName(value_definition(loaded), ref("in_loop"),
                                    mlirUnitAttrGet(lw->session->context));
  return loaded;
}

void nvvm_store(struct lowering *lw, const struct device_access *access, MlirValue value) {
  BUILD_OP(&lw->b, "tile_ptx.store",
           IN(access->address, value, always_if_null(lw, access->predicate)),
           ATTRIBUTE_LIST(access->hints, access->hint_count));
}

void nvvm_prefetch(struct lowering *lw, MlirValue address, MlirValue predicate) {
  BUILD_OP(&lw->b, "tile_ptx.prefetch", IN(address, predicate));
}

MlirValue nvvm_atomic(struct lowering *lw, const struct device_atomic *atomic) {
  MlirContext context = lw->session->context;
  bool cas = !mlirValueIsNull(atomic->compare);
  MlirValue in[] = {atomic->address, atomic->predicate, cas ? atomic->compare : atomic->value,
                    atomic->value};
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "sem", mlirStringAttrGet(context, atomic->sem)),
      attribute_named(context, "scope", mlirStringAttrGet(context, atomic->scope)),
      attribute_named(context, "kind", mlirStringAttrGet(context, atomic->kind))};
  return BUILD(&lw->b, cas ? "tile_ptx.atomic_cas" : "tile_ptx.atomic_rmw", INS(in, cas ? 4 : 3),
               OUT(mlirValueGetType(atomic->value)), ATTRIBUTE_LIST(attributes, cas ? 2 : 3));
}

/* Scopes by LLVM's names. */
void nvvm_fence(struct lowering *lw, MlirStringRef scope) {
  enum { ACQUIRE_RELEASE = 6 };
  const char *name = ref_equals(scope, "cta") ? "block" : ref_equals(scope, "gpu") ? "device" : "";
  MlirContext context = lw->session->context;
  BUILD_OP(&lw->b, "llvm.fence",
           ATTRIBUTES(attribute_named(context, "ordering",
                                      attribute_integer(context, 64, ACQUIRE_RELEASE)),
                      attribute_named(context, "syncscope", attribute_string(context, name))));
}

/* --- Asynchronous copies ---------------------------------------------------------------------- */

void nvvm_copy(struct lowering *lw, MlirValue destination, MlirValue source, int64_t bytes,
               MlirValue source_bytes, MlirValue predicate) {
  enum { PAST_L1_BYTES = 16 }; /* what cp.async.cg takes */
  MlirContext context = lw->session->context;
  MlirValue in[] = {destination, source, source_bytes, predicate};
  MlirAttribute cache = attribute_string(context, bytes == PAST_L1_BYTES ? "cg" : "ca");
  BUILD_OP(&lw->b, "tile_ptx.cp_async", INS(in, mlirValueIsNull(predicate) ? 3 : 4),
           ATTRIBUTES(attribute_named(context, "bytes", attribute_integer(context, 32, bytes)),
                      attribute_named(context, "cache", cache)));
}

void nvvm_copy_commit(struct lowering *lw) {
  BUILD_OP(&lw->b, "tile_ptx.cp_async_commit", .in = NULL);
}

void nvvm_copy_wait(struct lowering *lw, int64_t pending) {
  MlirAttribute count = attribute_integer(lw->session->context, 32, pending);
  BUILD_OP(&lw->b, "tile_ptx.cp_async_wait",
           ATTRIBUTES(attribute_named(lw->session->context, "pending", count)));
}
