/* SPDX-License-Identifier: MIT */
/* Attributes and methods of host values. */
#include <string.h>
#include "frontend/eval/host.h"

/* --- Attributes ------------------------------------------------------------------------------- */

/* torch.cuda.get_device_properties(): what the target says. Others depend on the device. */
static bool device_attribute(struct host *host, struct span span, const char *name,
                             struct value *out) {
  const struct machine *machine = host->machine ? host->machine : machine_default();
  const struct {
    const char *name;
    int64_t value;
  } rows[] = {{"major", host->capability / 10},
              {"minor", host->capability % 10},
              {"shared_memory_per_block_optin", machine->block_shared_bytes},
              {"shared_memory_per_multiprocessor", machine->shared_bytes},
              {"shared_memory_per_block", MACHINE_LAUNCH_SHARED_BYTES},
              {"regs_per_multiprocessor", machine->registers},
              {"warp_size", machine->lanes}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows && host->capability && host->machine; i++)
    if (strcmp(rows[i].name, name) == 0) {
      *out = value_integer(rows[i].value);
      return true;
    }
  return host_unknown(host, span, "the device's '%s' is not known", name);
}

static bool target_attribute(struct host *host, struct span span, const char *name,
                             struct value *out) {
  if (strcmp(name, "backend") == 0)
    *out = value_text(host->eval.arena, "cuda", 4);
  else if (strcmp(name, "warp_size") == 0)
    *out = value_integer(machine_default()->lanes);
  else if (strcmp(name, "arch") == 0 && host->capability)
    *out = value_integer(host->capability);
  else
    return host_unknown(host, span, "the target's '%s' is not known", name);
  return true;
}

static bool outside_attribute(struct host *host, struct span span, const char *owner,
                              const char *name, struct value *out) {
  struct dtype dtype;
  if (strcmp(owner, "<target>") == 0)
    return target_attribute(host, span, name, out);
  if (strcmp(owner, "<device>") == 0)
    return device_attribute(host, span, name, out);
  bool is_file, good = host_file_attribute(host, span, owner, name, &is_file, out);
  if (is_file)
    return good;
  bool language =
      strcmp(owner, "triton.language") == 0 || strcmp(owner, "triton.language.core") == 0;
  const char *full = text_format(host->eval.arena, "%s.%s", owner, name);
  if (language && dtype_find(name, strlen(name), &dtype))
    *out = (struct value){.kind = VALUE_DTYPE, .dtype = dtype};
  else if (strcmp(full, "os.environ") == 0)
    *out = host_dict_new(host);
  else if (!value_of_name(full, out))
    *out = host_name(host, full);
  return true;
}

/* Bytes of an element; of a pointer, of what it points to. */
static int64_t item_size(struct dtype dtype) {
  return (dtype_table[dtype.id].bits + 7) / 8;
}

/* Of an argument, which is known by its type if at all. */
static bool check_tensor(struct host *host, struct span span, const struct value *object) {
  if (object->argument.untyped)
    return host_needs_type(host, span, object->argument.name);
  return object->argument.dtype.pointers || host_needs(host, span, object->argument.name);
}

static bool argument_attribute(struct host *host, struct span span, const struct value *object,
                               const char *name, struct value *out) {
  struct dtype dtype = object->argument.dtype;
  if (!check_tensor(host, span, object))
    return false;
  if (strcmp(name, "dtype") == 0)
    *out = (struct value){.kind = VALUE_DTYPE, .dtype = {.id = dtype.id}};
  else if (strcmp(name, "itemsize") == 0)
    *out = value_integer(item_size(dtype));
  else
    return host_unknown(host, span, "'%s' of argument '%s' is known at run time only", name,
                        object->argument.name);
  return true;
}

bool host_attribute(struct host *host, struct span span, const struct value *object,
                    const char *name, struct value *out) {
  if (object->kind == VALUE_NAME)
    return outside_attribute(host, span, object->text.data, name, out);
  if (object->kind == VALUE_CONFIG && strcmp(name, "all_kwargs") != 0)
    return host_config_attribute(host, span, object->config, name, out);
  if (object->kind == VALUE_ARGUMENT && strcmp(name, "element_size") != 0)
    return argument_attribute(host, span, object, name, out);
  if (object->kind == VALUE_DTYPE && strcmp(name, "itemsize") == 0) {
    *out = value_integer(item_size(object->dtype));
    return true;
  }
  struct host_method *method = ARENA_NEW(host->eval.arena, struct host_method);
  *method = (struct host_method){.object = *object, .name = name};
  *out = (struct value){.kind = VALUE_METHOD, .method = method};
  return true;
}

/* --- Methods ---------------------------------------------------------------------------------- */

static bool update(struct host *host, const struct host_call *call, struct value_dict *dict) {
  const struct value_dict named = {.entries = (struct value_entry *)(uintptr_t)call->named,
                                   .count = call->named_count};
  if (call->count && call->positional[0].kind != VALUE_DICT)
    return host_unknown(host, call->span, "this update() is not evaluated");
  return (!call->count || host_dict_merge(host, call->span, dict, call->positional[0].dict)) &&
         host_dict_merge(host, call->span, dict, &named);
}

static bool add_once(struct host *host, const struct host_call *call, struct value_list *set) {
  bool equal = false;
  for (size_t i = 0; i < set->count && !equal; i++)
    if (!host_equal(host, call->span, &set->items[i], &call->positional[0], &equal))
      return false;
  return equal || host_list_add(host, call->span, set, &call->positional[0]);
}

/* keys(), values(), items() */
static bool list_entries(struct host *host, const struct host_call *call,
                         const struct value_dict *dict, const char *name, struct value *out) {
  *out = host_list_new(host);
  for (size_t i = 0; i < dict->count; i++) {
    struct value pair = host_list_new(host);
    const struct value_entry *entry = &dict->entries[i];
    const struct value *item = strcmp(name, "keys") == 0 ? &entry->key : &entry->value;
    if (strcmp(name, "items") == 0) {
      if (!host_list_add(host, call->span, pair.list, &entry->key) ||
          !host_list_add(host, call->span, pair.list, &entry->value))
        return false;
      item = &pair;
    }
    if (!host_list_add(host, call->span, out->list, item))
      return false;
  }
  return true;
}

/* get(key, otherwise), setdefault(key, otherwise) */
static bool get_or(struct host *host, const struct host_call *call, struct value_dict *dict,
                   bool sets, struct value *out) {
  struct value *found;
  if (!host_dict_find(host, call->span, dict, &call->positional[0], &found))
    return false;
  *out = found ? *found : call->count == 2 ? call->positional[1] : value_none();
  return found || !sets || host_dict_set(host, call->span, dict, &call->positional[0], out);
}

static bool list_method(struct host *host, struct value_list *list, const char *name,
                        const struct host_call *call, struct value *out) {
  *out = value_none();
  if (strcmp(name, "append") == 0 && call->count == 1)
    return host_list_add(host, call->span, list, &call->positional[0]);
  if (strcmp(name, "extend") == 0 && call->count == 1)
    return call->positional[0].kind == VALUE_LIST
               ? host_list_extend(host, call->span, list, call->positional[0].list->items,
                                  call->positional[0].list->count)
               : host_unknown(host, call->span, "extend() by %s is not evaluated",
                              host_describe(host, &call->positional[0]));
  if (strcmp(name, "sort") == 0 && call->count == 0)
    return host_sort(host, call, list);
  if (strcmp(name, "add") == 0 && call->count == 1) /* a set's */
    return add_once(host, call, list);
  if (strcmp(name, "copy") == 0 && call->count == 0)
    return eval_copy(&host->eval, call->span, list->items, list->count, false, out);
  return host_unknown(host, call->span, "a list's %s() is not evaluated", name);
}

static bool dict_method(struct host *host, struct value_dict *dict, const char *name,
                        const struct host_call *call, struct value *out) {
  *out = value_none();
  bool sets = strcmp(name, "setdefault") == 0;
  if ((sets || strcmp(name, "get") == 0) && (call->count == 1 || call->count == 2))
    return get_or(host, call, dict, sets, out);
  if (strcmp(name, "update") == 0 && call->count <= 1)
    return update(host, call, dict);
  if (strcmp(name, "copy") == 0 && call->count == 0) {
    *out = host_dict_new(host);
    return host_dict_merge(host, call->span, out->dict, dict);
  }
  if (call->count == 0 &&
      (strcmp(name, "keys") == 0 || strcmp(name, "values") == 0 || strcmp(name, "items") == 0))
    return list_entries(host, call, dict, name, out);
  return host_unknown(host, call->span, "a dictionary's %s() is not evaluated", name);
}

static bool string_method(struct host *host, struct slice string, const char *name,
                          const struct host_call *call, struct value *out) {
  const struct text_call method = {.text = string,
                                   .name = name,
                                   .span = call->span,
                                   .positional = call->positional,
                                   .count = call->count,
                                   .named = call->named,
                                   .named_count = call->named_count};
  bool good;
  if (eval_text_method(&host->eval, &method, out, &good))
    return good;
  return host_unknown(host, call->span, "a string's %s() is not evaluated", name);
}

bool host_call_method(struct host *host, const struct host_method *method,
                      const struct host_call *call, struct value *out) {
  const struct value *object = &method->object;
  if (object->kind == VALUE_LIST)
    return list_method(host, object->list, method->name, call, out);
  if (object->kind == VALUE_DICT)
    return dict_method(host, object->dict, method->name, call, out);
  if (object->kind == VALUE_STRING)
    return string_method(host, object->text, method->name, call, out);
  if (object->kind == VALUE_CONFIG)
    return strcmp(method->name, "all_kwargs") == 0
               ? host_config_all(host, call->span, object->config, out)
               : host_unknown(host, call->span, "a triton.Config's %s() is not evaluated",
                              method->name);
  if (object->kind == VALUE_ARGUMENT) {
    if (!check_tensor(host, call->span, object))
      return false;
    *out = value_integer(item_size(object->argument.dtype));
    return true;
  }
  return host_unknown(host, call->span, "%s's %s() is not evaluated", host_describe(host, object),
                      method->name);
}
