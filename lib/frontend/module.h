/* SPDX-License-Identifier: MIT */
/* A kernel file, read: its tree, its problems, and an index of what its names mean.

   module_read is the whole of lexer, parser and index in one call. Host code around the kernels is
   parsed as far as it goes; a syntax error in it is kept as a deferred problem and reported only
   when a kernel needs what it spoils (module_report_deferred). Errors inside kernels (functions
   decorated with triton.jit, decorators included) count.

       struct module module;
       if (!module_read(&module, "k.py", text, length)) ... module.problems say why
       const struct kernel *kernel = module_find_kernel(&module, "add_kernel");
       const struct binding *b = scope_find(kernel->scope, word);
       module_free(&module);

   Files that it imports from become modules too, one each, when a name of theirs is needed
   (frontend/packages.h). The module that reading began with is the root of all: its arena, words
   and problems serve every file, so that words compare by pointer, and its offsets begin at 0,
   while each other file has a range of its own after it: a span says its file (module_source).

   Ownership: the root owns one arena with everything in it; all pointers below are borrowed from
   it. Threads: one at a time while reading, then any number of readers (module_report_deferred,
   words_intern and all that follows imports are writing). */
#ifndef TILE_FRONTEND_MODULE_H
#define TILE_FRONTEND_MODULE_H

#include "base/map.h"
#include "frontend/diagnostics.h"
#include "frontend/syntax.h"
#include "frontend/words.h"

enum binding_kind {
  BINDING_FUNCTION,   /* node: FUNCTION, a kernel or not */
  BINDING_CLASS,      /* node: CLASS */
  BINDING_ASSIGNMENT, /* node: ASSIGN, AUGMENTED or ANNOTATED; value where it can be told */
  BINDING_IMPORT,     /* node: IMPORT or IMPORT_FROM; module and original say of what */
  BINDING_OTHER,      /* node: the FOR, WITH, TRY, ... statement that binds the name */
  BINDING_BROKEN      /* node: BROKEN; a deferred problem says why */
};

/* What must hold so that a statement runs: the blocks around it. */
enum guard_kind {
  GUARD_BRANCH,  /* NODE_IF: branch `branch`, or the else when that is the count of branches */
  GUARD_TRY,     /* NODE_TRY: its body */
  GUARD_HANDLER, /* NODE_TRY: one of its handlers */
  GUARD_OTHER    /* for, while, with, match: not told */
};
struct guard {
  const struct guard *outer;
  enum guard_kind kind;
  uint32_t branch;
  const struct node *statement;
};

/* One definition of a name. The one that counts is what scope_find gives: the last, except that
   what an `except` block defines gives way to what its `try` defines. */
struct binding {
  const char *name; /* a word */
  enum binding_kind kind;
  bool conditional;          /* under if, for, while, with, try or match */
  bool in_handler;           /* in an `except` block */
  const struct guard *guard; /* NULL for one that is not conditional */
  const struct scope *scope; /* where it is bound */
  struct span span;          /* the name where it is bound */
  struct node *node;
  /* BINDING_ASSIGNMENT: the expression assigned to this name; of `a, b = 1, 2` its own element.
     NULL when the value is a part of something else or comes from `+=`. */
  struct node *value;
  struct node *annotation; /* BINDING_ASSIGNMENT by `name: annotation = value`, else NULL */
  /* BINDING_IMPORT: `import m` binds the first part of m (module "a" for `import a.b`), `import m
     as n` has module m; `from m import o as n` has module m (dots of a relative import first)
     and original o; `from m import *` binds "*", its original too. Words. */
  const char *module, *original;
  const struct binding *earlier; /* another definition of the name in the same scope, or NULL */
};

/* The names of a file, of a class, or of a function that contains kernels. */
struct scope {
  struct module *module;
  struct scope *parent; /* the scope around it; NULL for the file's */
  struct node *owner;   /* FUNCTION or CLASS; NULL for the file's */
  struct map names;     /* word -> struct binding * */
  struct scope *next;   /* all scopes of the root, for module_free */
};

/* A function decorated with triton.jit, launched or called from others: the tree cannot tell. */
struct kernel {
  const char *name;      /* a word */
  const char *qualified; /* "Class.name", "function.name"; the name at the top level; a word */
  struct node *function; /* FUNCTION */
  struct node_list decorators; /* the topmost first; of a call that makes a kernel, its calls */
  const struct scope *scope;   /* where it is defined */
  const struct scope *made_in; /* what its decorators' names mean: the same, but for calls in other
                                  files */
  uint32_t offset;       /* where it is made: of its definition, or of the call that makes it */
  struct node *jit;      /* the decorator that makes it a kernel: an expression or a CALL */
  struct node *autotune; /* the CALL of triton.autotune (or one of that name), or NULL */
  struct node_list heuristics;      /* the CALLs of triton.heuristics, the topmost first */
  struct node_list unknown;         /* all other decorators, the topmost first */
  const struct kernel *replaced_by; /* the later definition with the same qualified name, or NULL */
};

struct module {
  struct arena arena; /* the root's only, as are words, problems, kernel_of and packages */
  struct words words;
  struct problems problems;
  struct map kernel_of;      /* FUNCTION node, or the CALL that makes it -> struct kernel * */
  struct packages *packages; /* the other files (packages.h); NULL: none is read */
  struct module *root;       /* the file that reading began with, or this one */
  const char *dotted;        /* "pkg.ops.utils", as far as it is known; "" for a file alone */
  const char *folder;        /* where that name begins; "" is the current folder */
  bool is_package;           /* an __init__.py, or a folder without one */
  unsigned searched;         /* the last search through `*` that came here (resolve.c) */
  struct source source;
  struct node *tree;      /* MODULE; never NULL after module_read */
  struct scope *scope;    /* the file's */
  struct kernel *kernels; /* in source order, nested ones included */
  size_t kernel_count;
  struct candidate *candidates; /* calls that may make a kernel of an imported function (kernels.h)
                                 */
};

/* Adds the kernels that calls make of functions of other files, once those can be found. */
void module_add_imported_kernels(struct module *module);

/* Reads a file of which `text` is the content (copied) and `name` the name for messages. False when
   a problem counts: then the tree is there all the same, with BROKEN statements. Always pair with
   module_free. Time and memory are linear in the length. */
bool module_read(struct module *module, const char *name, const char *text, size_t length);
/* The same for a further file of `root`, with offsets from `base` on: all problems are deferred. */
void module_read_further(struct module *root, struct module *module, const char *name,
                         struct slice text, uint32_t base);
void module_free(struct module *module);

/* The kernel with this name or qualified name; the last definition wins. NULL when there is none.
 */
const struct kernel *module_find_kernel(const struct module *module, const char *name);
/* The kernel that this FUNCTION node is, or that this CALL makes, or NULL. */
const struct kernel *module_kernel_of(const struct module *module, const struct node *function);

/* The file, of all that have been read, that an offset lies in; its text. */
const struct module *module_file(const struct module *module, uint32_t offset);
const struct source *module_source(const struct module *module, uint32_t offset);

/* What a word means in a scope: looks there, then outwards as Python does (the scopes of classes
   around are skipped). NULL when the file does not define it. `word` must be interned. */
const struct binding *scope_find(const struct scope *scope, const char *word);
/* The same for any string. */
const struct binding *module_find(const struct module *module, const char *name);

/* The dotted name that an expression stands for once the import aliases of `scope` are followed:
   with `import triton.language as tl`, tl.load is "triton.language.load"; with `from x import tl`,
   "x.tl.load". A name that is no import stands for itself; of several definitions of a name under
   `if` or `try`, an import is preferred. Appends; false when `node` is no dotted name. */
bool scope_resolve(const struct scope *scope, const struct node *node, struct text *out);

/* The same of a name, or of what a CALL calls, as a word; "" when it is no dotted name. */
const char *scope_path(const struct scope *scope, const struct node *node);

/* Turns the deferred problems inside `span` into ordinary ones, because something needs that code;
   a NULL span means all. Returns how many. */
size_t module_report_deferred(struct module *module, const struct span *span);

#endif
