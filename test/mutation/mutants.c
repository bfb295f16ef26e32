/* Which operations of a lowered module order something, and modules that lack one of them. */
#include <string.h>
#include "ir/diagnostics.h"
#include "mutate.h"

struct row {
  const char *op, *what;
};

static const struct row rows[] = {
#define X(op, what) {op, what},
#include "mutants.def"
#undef X
};

static const struct row *find_row(MlirOperation op) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (op_is_named(op, rows[i].op))
      return &rows[i];
  return NULL;
}

struct search {
  const char *source;
  struct arena *arena;
  struct sites *sites;
  size_t index, wanted; /* without an arena: the site to drop */
};

static const char *place_of(MlirOperation op, struct arena *arena) {
  struct text text = {0};
  location_print(mlirOperationGetLocation(op), &text);
  const char *whole = text_string(&text), *slash = strrchr(whole, '/');
  const char *place = slash ? slash + 1 : whole;
  const char *copy = arena_copy_string(arena, place, strlen(place));
  text_free(&text);
  return copy;
}

static const char *line_of(MlirOperation op, const struct search *search) {
  MlirStringRef file;
  unsigned line, column;
  const char *at = search->source;
  if (!location_place(mlirOperationGetLocation(op), &file, &line, &column))
    return "";
  for (; line > 1 && *at; line--)
    at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
  struct slice text = slice_trim((struct slice){at, strcspn(at, "\n")});
  return arena_copy_string(search->arena, text.data, text.length);
}

static MlirLogicalResult count_site(MlirOperation op, void *data) {
  struct search *search = data;
  search->index += find_row(op) != NULL;
  return SUCCESS;
}

static MlirLogicalResult add_site(MlirOperation op, void *data) {
  struct search *search = data;
  const struct row *row = find_row(op);
  if (row)
    search->sites->list[search->sites->count++] =
        (struct site){row->op, row->what, place_of(op, search->arena), line_of(op, search)};
  return SUCCESS;
}

void sites_find(MlirModule module, const char *source, struct arena *arena, struct sites *out) {
  MlirOperation top = mlirModuleGetOperation(module);
  struct search search = {.source = source, .arena = arena, .sites = out};
  visit_operations(top, count_site, &search);
  *out = (struct sites){.list = ARENA_ARRAY(arena, struct site, search.index + 1)};
  visit_operations(top, add_site, &search);
}

/* Results that are guarded operands come first to last; a wait may also take a count behind them. */
static MlirLogicalResult drop_site(MlirOperation op, void *data) {
  struct search *search = data;
  if (!find_row(op) || search->index++ != search->wanted)
    return SUCCESS;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    mlirValueReplaceAllUsesOfWith(op_result(op, i), op_operand(op, i));
  mlirOperationDestroy(op);
  return SUCCESS;
}

MlirModule mutant_create(MlirModule module, size_t index) {
  MlirOperation copy = mlirOperationClone(mlirModuleGetOperation(module));
  struct search search = {.wanted = index};
  visit_operations(copy, drop_site, &search);
  return mlirModuleFromOperation(copy);
}
