/* SPDX-License-Identifier: MIT */
/* Objects of simple classes of the file. */
#ifndef TILE_FRONTEND_OBJECTS_H
#define TILE_FRONTEND_OBJECTS_H

#include "frontend/check/checker.h"

/* Is the class under triton.aggregate? */
bool class_is_aggregate(const struct scope *scope, const struct node *class);
/* The class of the file that a class inherits from, its first base; NULL. */
const struct node *class_base(const struct scope *scope, const struct node *class);

/* Has the value a method of that name, given by its class? */
bool object_has_method(const struct value *object, const char *name);
/* object.name(...), where object_has_method; Class.name(...), for a CALL. */
bool object_call(struct checker *c, const struct value *object, const char *name,
                 const struct given *given, size_t count, struct span span, struct value *out);
bool class_call(struct checker *c, const struct record *record, const struct node *call,
                struct value *out);
/* Class(...): by __init__, or by its fields. */
bool object_create(struct checker *c, const struct record *record, const struct given *given,
                   size_t count, struct span span, struct value *out);
/* self.field = value, for the ATTRIBUTE on the left. */
bool object_assign(struct checker *c, const struct node *target, const struct value *value);

#endif
