/* SPDX-License-Identifier: MIT */
/* Calls in host code: of the file's functions and lambdas, and, by name, of what is known from
   outside. */
#include <string.h>
#include "frontend/eval/host.h"

const struct value *host_call_named(const struct host_call *call, const char *name) {
  for (size_t i = 0; i < call->named_count; i++)
    if (slice_equals(call->named[i].key.text, name))
      return &call->named[i].value;
  return NULL;
}

static bool is_a_parameter(const struct node_list *parameters, struct slice name) {
  for (uint32_t i = 0; i < parameters->count; i++) {
    const struct node_parameter *parameter = &parameters->items[i]->parameter;
    if (parameter->style == PARAMETER_KEYWORD_REST ||
        (parameter->style != PARAMETER_REST && slice_equals(name, parameter->name)))
      return true;
  }
  return false;
}

static bool check_named(struct host *host, const struct host_call *call,
                        const struct node_list *parameters) {
  for (size_t i = 0; i < call->named_count; i++)
    if (!is_a_parameter(parameters, call->named[i].key.text))
      return host_wrong(host, call->span, "the function has no parameter '%.*s'",
                        (int)call->named[i].key.text.length, call->named[i].key.text.data);
  return true;
}

/* *args and **kwargs: all arguments that no other parameter took. */
static bool bind_rest(struct host *host, const struct host_call *call,
                      const struct node_list *parameters, bool named, size_t next,
                      struct value *out) {
  *out = named ? host_dict_new(host) : host_list_new(host);
  for (size_t i = next; !named && i < call->count; i++)
    if (!host_list_add(host, call->span, out->list, &call->positional[i]))
      return false;
  for (size_t i = 0; named && i < call->named_count; i++) {
    bool own = false;
    for (uint32_t p = 0; p < parameters->count && !own; p++)
      own = parameters->items[p]->parameter.style != PARAMETER_KEYWORD_REST &&
            slice_equals(call->named[i].key.text, parameters->items[p]->parameter.name);
    if (!own &&
        !host_dict_set(host, call->span, out->dict, &call->named[i].key, &call->named[i].value))
      return false;
  }
  return true;
}

/* A default, which does not see the parameters. */
static bool evaluate_default(struct host *host, const struct host_frame *frame,
                             const struct node *node, struct value *out) {
  struct host_frame *caller = host->frame;
  host->frame = frame->parent;
  bool good = host_evaluate(host, node, out);
  host->frame = caller;
  return good;
}

static bool bind_parameters(struct host *host, const struct host_call *call,
                            const struct node_list *parameters, struct host_frame *frame) {
  size_t next = 0;
  bool rest = false;
  for (uint32_t i = 0; i < parameters->count; i++) {
    const struct node_parameter *parameter = &parameters->items[i]->parameter;
    const struct value *named = host_call_named(call, parameter->name);
    struct value value;
    if (parameter->style == PARAMETER_REST || parameter->style == PARAMETER_KEYWORD_REST) {
      bool is_named = parameter->style == PARAMETER_KEYWORD_REST;
      if (!bind_rest(host, call, parameters, is_named, next, &value))
        return false;
      rest |= !is_named;
    } else if (parameter->style != PARAMETER_KEYWORD_ONLY && next < call->count) {
      if (named)
        return host_wrong(host, call->span, "parameter '%s' is given twice", parameter->name);
      value = call->positional[next++];
    } else if (named) {
      value = *named;
    } else if (!parameter->default_value) {
      return host_wrong(host, call->span, "parameter '%s' is not given", parameter->name);
    } else if (!evaluate_default(host, frame, parameter->default_value, &value)) {
      return false;
    }
    host_set(host, frame, parameter->name, &value);
  }
  if (next < call->count && !rest)
    return host_wrong(host, call->span, "it gives %zu arguments, the function takes %zu",
                      call->count, next);
  return check_named(host, call, parameters);
}

/* Decorators that leave what a function computes. */
static bool check_decorators(struct host *host, const struct node *function) {
  static const char *const harmless[] = {"functools.lru_cache",
                                         "functools.cache",
                                         "staticmethod",
                                         "triton.constexpr_function",
                                         "triton.runtime.jit.constexpr_function",
                                         "triton.language.constexpr_function"};
  const struct node_list *decorators = &function->function.decorators;
  for (uint32_t i = 0; i < decorators->count; i++) {
    const struct node *node = decorators->items[i];
    const char *path = scope_path(host->scope, node);
    bool known = false;
    for (size_t k = 0; k < sizeof harmless / sizeof *harmless && !known; k++)
      known = strcmp(path, harmless[k]) == 0;
    if (!known)
      return host_unknown(host, node->span, "the decorator of '%s' is not evaluated",
                          function->function.name);
  }
  return !function->function.is_async ||
         host_unknown(host, function->span, "'%s' is async", function->function.name);
}

static bool call_function(struct host *host, const struct host_function *function,
                          const struct host_call *call, struct value *out) {
  const struct node *node = function->node;
  struct host_frame *caller = host->frame, *frame = ARENA_NEW(host->eval.arena, struct host_frame);
  bool is_lambda = node_is(node, NODE_LAMBDA);
  frame->parent = function->closure;
  if ((!is_lambda && !check_decorators(host, node)) ||
      !bind_parameters(host, call, function_parameters(node), frame))
    return false;
  host->frame = frame;
  bool good = is_lambda ? host_evaluate(host, node->lambda.body, out)
                        : host_run(host, &node->function.body);
  if (!is_lambda)
    *out = frame->flow == HOST_RETURN ? frame->result : value_none();
  host->frame = caller;
  return good;
}

bool host_call(struct host *host, const struct value *callee, const struct host_call *call,
               struct value *out) {
  if (callee->kind == VALUE_NAME)
    return host_call_builtin(host, callee->text.data, call, out);
  if (callee->kind == VALUE_METHOD)
    return host_call_method(host, callee->method, call, out);
  if (callee->kind != VALUE_HOST_FUNCTION)
    return host_wrong(host, call->span, "%s is not called", host_describe(host, callee));
  if (++host->calls > HOST_CALLS)
    return host_unknown(host, call->span,
                        "calls are nested more than %d deep: a recursion without end?", HOST_CALLS);
  struct host_place outer;
  host_in_scope(host, callee->function->scope, &outer);
  bool good = call_function(host, callee->function, call, out);
  host_leave_scope(host, &outer);
  host->calls--;
  return good;
}
