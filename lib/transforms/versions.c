/* SPDX-License-Identifier: MIT */
/* See versions.h. */
#include "transforms/versions.h"

static bool is_taken(MlirBlock module, const char *name) {
  MlirOperation op = mlirBlockGetFirstOperation(module);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (ref_equals(op_string(op, "sym_name"), name))
      return true;
  return false;
}

MlirOperation version_clone(struct session *session, MlirOperation kernel, const char *suffix,
                            enum attribute_name version_of) {
  MlirOperation copy = {0};
  MlirAttribute name = mlirOperationGetAttributeByName(kernel, ref("sym_name"));
  MlirStringRef text = mlirStringAttrGetValue(name);
  struct text own = {0};
  text_printf(&own, "%.*s%s", (int)text.length, text.data, suffix);
  if (!is_taken(mlirOperationGetBlock(kernel), text_string(&own))) {
    copy = mlirOperationClone(kernel);
    mlirOperationSetAttributeByName(copy, ref("sym_name"),
                                    attribute_string(session->context, text_string(&own)));
    attribute_set(copy, version_of, name);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(kernel), kernel, copy);
  }
  text_free(&own);
  return copy;
}
