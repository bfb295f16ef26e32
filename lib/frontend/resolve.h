/* SPDX-License-Identifier: MIT */
/* What names mean across files: import statements followed to what they stand for.

       from .utils import exp          exp in this file's folder, in utils.py: its binding there,
                                       or, where that is an import, what that one means
       import pkg.lang as tle          a module; tle.f is the f of that file
       import triton.language as tl    a library: tl.exp is only a name, "triton.language.exp"
       try: from x import f            the handler's, where the try's imports are not to be had
       except ImportError: ...
       if FLAG: exp = tl.exp           the one whose condition holds, where that can be told
       else: exp = fast_exp

   Nothing is executed: conditions are asked of `evaluate` (packages.h). */
#ifndef TILE_FRONTEND_RESOLVE_H
#define TILE_FRONTEND_RESOLVE_H

#include "frontend/packages.h"

enum meaning_kind {
  MEANS_NOTHING, /* not bound anywhere: `name` is how it is written */
  MEANS_BINDING, /* `binding`, which is no import */
  MEANS_OUTSIDE, /* a thing of a library, or of a file that was not found: `name` is all there is */
  MEANS_MODULE,  /* `module` */
  MEANS_PART,    /* an attribute of a binding: `name` is how it is written */
  MEANS_MISSING  /* a file that should have it has not: `why` */
};

struct meaning {
  enum meaning_kind kind;
  const char *name; /* a word: dotted, imports replaced by what they import */
  const struct binding *binding;
  struct module *module;
  const char *why; /* MEANS_MISSING: a sentence without a full stop */
  /* The import statement that was followed first, NULL for none; what it led to, for the next ones.
   */
  const struct binding *import;
  const struct meaning *next;
};

/* What a NAME or dotted name stands for in a scope. False when `node` is neither. */
bool meaning_of(const struct scope *scope, const struct node *node, struct meaning *out);
/* The same for a word. */
struct meaning meaning_of_word(const struct scope *scope, const char *word);
/* What an import binding leads to; that of another kind means itself. */
struct meaning meaning_of_import(const struct binding *binding);
/* What module.word is, for others. */
struct meaning meaning_of_member(struct module *module, const char *word);

/* Of the definitions of a name, the one that counts: whose conditions hold. Where that cannot be
   told, a jit function, else the last one (scope_find); *sure, unless NULL, says whether it could.
   */
const struct binding *binding_choose(const struct binding *binding, bool *sure);
/* Of several definitions under conditions that nobody knows, an import: it may be a library's. */
const struct binding *binding_prefer_import(const struct binding *binding);

/* Is the body of this TRY carried out? Its imports say so. */
enum truth try_runs(const struct scope *scope, const struct node *node);

#endif
