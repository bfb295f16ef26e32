/* SPDX-License-Identifier: MIT */
/* The index of a file: what names mean, which functions are kernels, and what decorates them. */
#include <time.h>
#include "frontend_fixture.h"

static void read(struct module *module, const char *text) {
  CHECK(module_read(module, "k.py", text, strlen(text)));
}

/* "name name ...": the qualified names of all kernels. */
static struct text kernel_names(const struct module *module) {
  struct text names = {0};
  for (size_t i = 0; i < module->kernel_count; i++)
    text_printf(&names, "%s%s", i ? " " : "", module->kernels[i].qualified);
  return names;
}

#define CHECK_KERNELS(written, expected)                                                           \
  do {                                                                                             \
    struct module module_;                                                                         \
    read(&module_, written);                                                                       \
    struct text names_ = kernel_names(&module_);                                                   \
    CHECK_TEXT(text_string(&names_), expected);                                                    \
    text_free(&names_);                                                                            \
    module_free(&module_);                                                                         \
  } while (0)

/* --- Kernels ---------------------------------------------------------------------------------- */

static void jit_has_many_spellings(void) {
  CHECK_KERNELS("@triton.jit\ndef a(): pass\n@jit\ndef b(): pass\n@triton.jit()\ndef c(): pass\n",
                "a b c");
  CHECK_KERNELS("import triton as t\n@t.jit\ndef a(): pass\n", "a");
  CHECK_KERNELS("from triton import jit as compiled\n@compiled(debug=True)\ndef a(): pass\n", "a");
  CHECK_KERNELS("from x import tl, triton\n@triton.jit\ndef a(): pass\n", "a");
  CHECK_KERNELS("@triton.runtime.jit\ndef a(): pass\n", "a");
}

static void other_compilers_are_not_ours(void) {
  CHECK_KERNELS("import numba\n@numba.jit\ndef a(): pass\n", "");
  CHECK_KERNELS("from numba import jit\n@jit\ndef a(): pass\n", "");
  CHECK_KERNELS("import jax as triton_like\n@triton_like.jit\ndef a(): pass\n", "");
  CHECK_KERNELS("from triton.experimental import gluon\n@gluon.jit\ndef a(): pass\n", "");
  CHECK_KERNELS("@torch.jit.script\ndef a(): pass\n@njit\ndef b(): pass\n", "");
}

static void kernels_are_found_everywhere(void) {
  CHECK_KERNELS("if A:\n  @triton.jit\n  def a(): pass\n"
                "elif B:\n  @triton.jit\n  def b(): pass\n"
                "else:\n  @triton.jit\n  def c(): pass\n"
                "try:\n  @triton.jit\n  def d(): pass\n"
                "except E:\n  @triton.jit\n  def e(): pass\n"
                "def outer(n):\n  def inner():\n    @triton.jit\n    def f(): pass\n"
                "class C:\n  @staticmethod\n  @triton.jit\n  def g(): pass\n"
                "with w:\n  @triton.jit\n  def h(): pass\n",
                "a b c d e outer.inner.f C.g h");
}

static void decorators_are_sorted(void) {
  struct module module;
  read(&module, "@libentry()\n"
                "@triton.autotune(configs=make(), key=['N'])\n"
                "@triton.heuristics({'A': lambda args: 1})\n"
                "@heuristics(values={})\n"
                "@plain\n"
                "@triton.jit(do_not_specialize=['n'])\n"
                "def k(n): pass\n");
  const struct kernel *kernel = module_find_kernel(&module, "k");
  CHECK(kernel && kernel->jit->kind == NODE_CALL);
  CHECK(kernel && kernel->autotune->call.arguments.count == 2);
  CHECK_EQUAL(kernel ? kernel->heuristics.count : 0, 2);
  CHECK_EQUAL(kernel ? kernel->unknown.count : 0, 2);
  module_free(&module);
}

static void the_last_definition_counts(void) {
  struct module module;
  read(&module, "@triton.jit\ndef k(a): pass\n"
                "if X:\n  @triton.jit\n  def k(b): pass\n"
                "else:\n  @triton.jit\n  def k(c): pass\n"
                "try:\n  @triton.jit\n  def t(a): pass\n"
                "except E:\n  @triton.jit\n  def t(b): pass\n");
  const struct kernel *k = module_find_kernel(&module, "k"), *t = module_find_kernel(&module, "t");
  CHECK(k == &module.kernels[2]);
  CHECK(module.kernels[0].replaced_by == k && module.kernels[1].replaced_by == k);
  CHECK(k && !k->replaced_by);
  CHECK(t == &module.kernels[3]);
  const struct binding *binding = module_find(&module, "k");
  CHECK(binding && binding->conditional && binding->earlier && binding->earlier->earlier);
  CHECK(module_find_kernel(&module, "none") == NULL);
  module_free(&module);
}

/* --- Names ------------------------------------------------------------------------------------ */

static enum binding_kind kind_of(const struct module *module, const char *name) {
  const struct binding *binding = module_find(module, name);
  CHECK(binding != NULL);
  return binding ? binding->kind : BINDING_OTHER;
}

static void names_are_bound_by_their_statements(void) {
  struct module module;
  read(&module, "import a.b, c.d as e\n"
                "X: tl.constexpr = 3\n"
                "(Y, [Z, W]), *V = (1, [2, 3]), 4\n"
                "P, Q = 5, 6\n"
                "Q += 1\n"
                "def f(): L = 1\n"
                "class C: M = 1\n"
                "for i in y: pass\n"
                "with w as o: pass\n");
  CHECK_EQUAL(kind_of(&module, "a"), BINDING_IMPORT);
  CHECK_EQUAL(kind_of(&module, "e"), BINDING_IMPORT);
  CHECK_EQUAL(kind_of(&module, "f"), BINDING_FUNCTION);
  CHECK_EQUAL(kind_of(&module, "C"), BINDING_CLASS);
  CHECK_EQUAL(kind_of(&module, "i"), BINDING_OTHER);
  CHECK_EQUAL(kind_of(&module, "o"), BINDING_OTHER);
  const struct binding *x = module_find(&module, "X"), *q = module_find(&module, "Q");
  CHECK(x && x->value->integer.value == 3 && x->annotation);
  CHECK(module_find(&module, "P")->value->integer.value == 5);
  CHECK(module_find(&module, "Y")->value == NULL);
  CHECK(q && q->value == NULL && q->earlier->value->integer.value == 6);
  CHECK(module_find(&module, "L") == NULL && module_find(&module, "M") == NULL);
  CHECK(module_find(&module, "b") == NULL && module_find(&module, "never") == NULL);
  module_free(&module);
}

/* A kernel sees the names of the functions around it, not those of a class. */
static void scopes_nest(void) {
  struct module module;
  read(&module, "A = 1\n"
                "class C:\n"
                "  B = 2\n"
                "  def host(self, n):\n"
                "    D = 3\n"
                "    @triton.jit\n"
                "    def k(): pass\n");
  const struct kernel *kernel = module_find_kernel(&module, "C.host.k");
  CHECK(kernel && kernel == module_find_kernel(&module, "k"));
  if (kernel) {
    CHECK(scope_find(kernel->scope, words_find(&module.words, "A")) != NULL);
    CHECK(scope_find(kernel->scope, words_find(&module.words, "B")) == NULL);
    CHECK(scope_find(kernel->scope, words_find(&module.words, "D"))->value->integer.value == 3);
    CHECK_EQUAL(scope_find(kernel->scope, words_find(&module.words, "n"))->kind, BINDING_OTHER);
    CHECK(module_kernel_of(&module, kernel->function) == kernel);
  }
  module_free(&module);
}

static void check_resolved(const char *imports, const char *expression, const char *expected) {
  struct text text = {0}, path = {0};
  text_printf(&text, "%s\n%s\n", imports, expression);
  struct module module;
  read(&module, text_string(&text));
  const struct node_list *body = &module.tree->module.body;
  CHECK(scope_resolve(module.scope, body->items[body->count - 1]->evaluate.value, &path));
  CHECK_TEXT(text_string(&path), expected);
  module_free(&module);
  text_free(&path);
  text_free(&text);
}

static void aliases_are_followed(void) {
  check_resolved("import triton.language as tl", "tl.load", "triton.language.load");
  check_resolved("from triton import language as tl", "tl.load", "triton.language.load");
  check_resolved("import triton", "triton.language.load", "triton.language.load");
  check_resolved("import triton.language", "triton.cdiv", "triton.cdiv");
  check_resolved("from x.y import tl", "tl.load", "x.y.tl.load");
  check_resolved("from . import tl", "tl.load", ".tl.load");
  check_resolved("from ..u import exp", "exp", "..u.exp");
  check_resolved("", "tl.load", "tl.load");
  check_resolved("if A:\n  import triton.language as tl\nelse:\n  tl = None", "tl.load",
                 "triton.language.load");
  check_resolved("try:\n  from a import exp\nexcept E:\n  from b import exp", "exp", "a.exp");
}

/* --- Large files ------------------------------------------------------------------------------ */

static void ten_thousand_lines(void) {
  struct text text = {0};
  text_puts(&text, "import triton\nimport triton.language as tl\n");
  for (int i = 0; i < 1000; i++)
    text_printf(&text,
                "\n@triton.autotune(configs=[triton.Config({'B': 128}, num_warps=4)], key=['n'])\n"
                "@triton.jit\n"
                "def kernel_%d(x_ptr, y_ptr, n, B: tl.constexpr = 128):\n"
                "    offsets = tl.program_id(0) * B + tl.arange(0, B)\n"
                "    mask = offsets < n\n"
                "    if B > 64 and n is not None:\n"
                "        x = tl.load(x_ptr + offsets, mask=mask, other=-float('inf'))\n"
                "        tl.store(y_ptr + offsets, x * 2.0 + %d, mask=mask)\n",
                i, i);
  clock_t start = clock();
  struct module module;
  read(&module, text_string(&text));
  CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 2); /* release: 0.02; sanitizers: 0.1 */
  CHECK(module.source.line_count > 9000);
  CHECK_EQUAL(module.kernel_count, 1000);
  CHECK(module_find_kernel(&module, "kernel_999") == &module.kernels[999]);
  module_free(&module);
  text_free(&text);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"jit_has_many_spellings", jit_has_many_spellings},
                   {"other_compilers_are_not_ours", other_compilers_are_not_ours},
                   {"kernels_are_found_everywhere", kernels_are_found_everywhere},
                   {"decorators_are_sorted", decorators_are_sorted},
                   {"the_last_definition_counts", the_last_definition_counts},
                   {"names_are_bound_by_their_statements", names_are_bound_by_their_statements},
                   {"scopes_nest", scopes_nest}, {"aliases_are_followed", aliases_are_followed},
                   {"ten_thousand_lines", ten_thousand_lines});
}
