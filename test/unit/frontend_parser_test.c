/* SPDX-License-Identifier: MIT */
/* The parser: which tree a text has, by its dump (frontend/dump.h says how to read one). */
#include "frontend_fixture.h"

/* --- Expressions ------------------------------------------------------------------------------ */

static void atoms(void) {
  CHECK_TREE("x\n", "(evaluate x)");
  CHECK_TREE("1, 2.5, 1e-6, 3j, 0x_ff\n", "(evaluate (tuple [1 2.5 1e-06 3j 255]))");
  CHECK_TREE("None, True, False, ...\n", "(evaluate (tuple [None True False ...]))");
  CHECK_TREE("18446744073709551616\n", "(evaluate 18446744073709551615+)");
}

static void strings_are_joined(void) {
  CHECK_TREE("'a' \"b\" '''c'''\n", "(evaluate \"abc\")");
  CHECK_TREE("('a'\n  r'\\n')\n", "(evaluate \"a\\\\n\")");
  CHECK_TREE("b'\\x01' b'b'\n", "(evaluate b\"\\x01b\")");
}

static void formatted_strings_have_parts(void) {
  CHECK_TREE("f'a{x}b'\n", "(evaluate (fstring [\"a\" (formatted x 0 -) \"b\"]))");
  CHECK_TREE("f'{x!r:>{w}.2f}' ' c'\n",
             "(evaluate (fstring [(formatted x 114 (fstring [\">\" (formatted w 0 -) \".2f\"])) "
             "\" c\"]))");
  CHECK_TREE("f'{{}} {x = } {y=:d}'\n",
             "(evaluate (fstring [\"{} x = \" (formatted x 114 -) \" y=\" (formatted y 0 (fstring "
             "[\"d\"]))]))");
  CHECK_TREE("f\"{d[\"k\"]} {a if b else c} {(lambda: 1)()} {x != y}\"\n",
             "(evaluate (fstring [(formatted (subscript d [\"k\"]) 0 -) \" \" (formatted "
             "(conditional a b c) 0 -) \" \" (formatted (call (lambda [] 1) []) 0 -) \" \" "
             "(formatted (compare [x y] !=) 0 -)]))");
  CHECK_TREE("f''\n", "(evaluate (fstring []))");
}

static void operators_bind_as_in_python(void) {
  CHECK_TREE("a + b * c\n", "(evaluate (binary + a (binary * b c)))");
  CHECK_TREE("a - b - c\n", "(evaluate (binary - (binary - a b) c))");
  CHECK_TREE("-a ** -b ** c\n", "(evaluate (unary - (binary ** a (unary - (binary ** b c)))))");
  CHECK_TREE("a | b ^ c & d << e + f\n",
             "(evaluate (binary | a (binary ^ b (binary & c (binary << d (binary + e f))))))");
  CHECK_TREE("a // b % c @ d / e\n",
             "(evaluate (binary / (binary @ (binary % (binary // a b) c) d) e))");
  CHECK_TREE("(a + b) * ~c\n", "(evaluate (binary * (binary + a b) (unary ~ c)))");
}

static void logic_and_comparisons_are_chains(void) {
  CHECK_TREE("a and b and not c or d\n",
             "(evaluate (logical or [(logical and [a b (unary not c)]) d]))");
  CHECK_TREE("0 <= a < b == c\n", "(evaluate (compare [0 a b c] <= < ==))");
  CHECK_TREE(
      "a is not None, b is c, d not in e, f in g\n",
      "(evaluate (tuple [(compare [a None] is not) (compare [b c] is) (compare [d e] not in) "
      "(compare [f g] in)]))");
  CHECK_TREE("not a == b\n", "(evaluate (unary not (compare [a b] ==)))");
}

static void conditionals_and_lambdas(void) {
  CHECK_TREE("a if b else c if d else e\n", "(evaluate (conditional a b (conditional c d e)))");
  CHECK_TREE("lambda: 0\n", "(evaluate (lambda [] 0))");
  CHECK_TREE(
      "lambda args, *r, k=1, **kw: args['N'] % 2 == 0\n",
      "(evaluate (lambda [(parameter plain args - -) (parameter rest r - -) (parameter keyword "
      "k - 1) (parameter keyword-rest kw - -)] (compare [(binary % (subscript args [\"N\"]) 2) "
      "0] ==)))");
}

static void attributes_calls_and_subscripts(void) {
  CHECK_TREE("tl.math.exp(x).to(tl.float32)\n",
             "(evaluate (call (attribute (call (attribute (attribute tl math) exp) [x]) to) "
             "[(attribute tl float32)]))");
  CHECK_TREE("f(a, *b, k=1, *c, **d,)\n",
             "(evaluate (call f [a (starred b) (keyword k 1) (starred c) (keyword - d)]))");
  CHECK_TREE("f(x for x in y)\n",
             "(evaluate (call f [(comprehension generator - x [(clause x y [])])]))");
  CHECK_TREE("f(a := 1)(b)[0]\n", "(evaluate (subscript (call (call f [(walrus a 1)]) [b]) [0]))");
}

static void indices_are_a_list(void) {
  CHECK_TREE("x[0]\n", "(evaluate (subscript x [0]))");
  CHECK_TREE("x[0,]\n", "(evaluate (subscript x [0] :is_tuple))");
  CHECK_TREE("x[:, None]\n", "(evaluate (subscript x [(slice - - -) None] :is_tuple))");
  CHECK_TREE("x[(None, ...)]\n", "(evaluate (subscript x [None ...] :is_tuple))");
  CHECK_TREE("x[a:b, ::2, c:, :d:]\n",
             "(evaluate (subscript x [(slice a b -) (slice - - 2) (slice c - -) (slice - d -)] "
             ":is_tuple))");
  CHECK_TREE("grid[(n, 1, 1)](x, B=16)\n",
             "(evaluate (call (subscript grid [n 1 1] :is_tuple) [x (keyword B 16)]))");
}

static void displays(void) {
  CHECK_TREE(
      "(), (a), (a,), [], [a, *b], {}, {a, b}\n",
      "(evaluate (tuple [(tuple []) a (tuple [a]) (list_display []) (list_display [a (starred "
      "b)]) (dict_display []) (set_display [a b])]))");
  CHECK_TREE("{'a': 1, **b, 'c': 2,}\n",
             "(evaluate (dict_display [(entry \"a\" 1) (entry - b) (entry \"c\" 2)]))");
}

static void comprehensions(void) {
  CHECK_TREE("[f(s, w) for s in [2, 3] for w in ws if w > 4 if s]\n",
             "(evaluate (comprehension list - (call f [s w]) [(clause s (list_display [2 3]) []) "
             "(clause w ws [(compare [w 4] >) s])]))");
  CHECK_TREE("{k: v for k, v in d}\n",
             "(evaluate (comprehension dict k v [(clause (tuple [k v]) d [])]))");
  CHECK_TREE("{x async for x in y}\n",
             "(evaluate (comprehension set - x [(clause x y [] :is_async)]))");
}

static void host_expressions(void) {
  CHECK_TREE("x = await f(y)\n", "(assign [x] (await (call f [y])))");
  CHECK_TREE("x = yield a, b\n", "(assign [x] (yield (tuple [a b])))");
  CHECK_TREE("yield from x\n", "(evaluate (yield x :is_from))");
  CHECK_TREE("print((n := 3) + n)\n", "(evaluate (call print [(binary + (walrus n 3) n)]))");
}

/* --- Simple statements ------------------------------------------------------------------------ */

static void assignments(void) {
  CHECK_TREE("a = b = 1\n", "(assign [a b] 1)");
  CHECK_TREE("a, (b, *c) = x\n", "(assign [(tuple [a (tuple [b (starred c)])])] x)");
  CHECK_TREE("x.y[0] = 1, 2\n", "(assign [(subscript (attribute x y) [0])] (tuple [1 2]))");
  CHECK_TREE("a += 1; b **= 2; c //= 3; d >>= 4; e @= f\n",
             "(augmented a + 1)\n(augmented b ** 2)\n(augmented c // 3)\n(augmented d >> 4)\n"
             "(augmented e @ f)");
  CHECK_TREE("B: tl.constexpr = 16\n", "(annotated B (attribute tl constexpr) 16)");
  CHECK_TREE("x: int\n", "(annotated x int -)");
}

static void small_statements(void) {
  CHECK_TREE("pass; return; return a, b\n",
             "(pass)\n(return_statement -)\n(return_statement (tuple [a b]))");
  CHECK_TREE("assert a, 'b'\n", "(assertion a \"b\")");
  CHECK_TREE("raise\nraise E(x)\nraise E from f\n",
             "(raise - -)\n(raise (call E [x]) -)\n(raise E f)");
  CHECK_TREE("del a, b[0]\n", "(delete_statement [a (subscript b [0])])");
  CHECK_TREE("global a, b\nnonlocal c\n", "(global [a b])\n(nonlocal [c])");
  CHECK_TREE("type X = int\n", "(type_alias X int)");
}

static void imports(void) {
  CHECK_TREE("import triton, triton.language as tl\n",
             "(import [(alias triton -) (alias triton.language tl)])");
  CHECK_TREE("from x import tl, triton\n", "(import_from 0 x [(alias tl -) (alias triton -)])");
  CHECK_TREE("from ..a.b import (c as d,  # why\n  e,)\n",
             "(import_from 2 a.b [(alias c d) (alias e -)])");
  CHECK_TREE("from . import x\nfrom ... import *\n",
             "(import_from 1 - [(alias x -)])\n(import_from 3 - [(alias * -)])");
}

/* --- Compound statements ---------------------------------------------------------------------- */

static void branches_are_flat(void) {
  CHECK_TREE("if a:\n  b\nelif c: d\nelif e:\n  f\nelse:\n  g\n",
             "(if_statement [\n"
             "  (branch a [\n    (evaluate b)])\n"
             "  (branch c [\n    (evaluate d)])\n"
             "  (branch e [\n    (evaluate f)])] [\n"
             "  (evaluate g)])");
}

static void loops(void) {
  CHECK_TREE("for i in range(0, n, -1):\n  break\nelse:\n  pass\n",
             "(for_loop i (call range [0 n (unary - 1)]) [\n  (break_statement)] [\n  (pass)])");
  CHECK_TREE("for a, b in x, y: continue\n",
             "(for_loop (tuple [a b]) (tuple [x y]) [\n  (continue_statement)] [])");
  CHECK_TREE("while x < 1 and y:\n  x += 1\n",
             "(while_loop (logical and [(compare [x 1] <) y]) [\n  (augmented x + 1)] [])");
}

static void functions(void) {
  CHECK_TREE(
      "def f(a, b: int = 1, /, c='x', *args: T, d: tl.constexpr, e=None, **kw) -> int:\n"
      "  return a\n",
      "(function f [] [(parameter positional a - -) (parameter positional b int 1) (parameter "
      "plain c - \"x\") (parameter rest args T -) (parameter keyword d (attribute tl "
      "constexpr) -) (parameter keyword e - None) (parameter keyword-rest kw - -)] int [\n"
      "  (return_statement a)])");
  CHECK_TREE("def f(\n    a,  # first\n    # between\n    *,\n    b,  # last\n):\n  'doc'\n",
             "(function f [] [(parameter plain a - -) (parameter keyword b - -)] - [\n"
             "  (evaluate \"doc\")])");
  CHECK_TREE("async def f[T](): pass\n", "(function f [] [] - [\n  (pass)] :is_async)");
}

static void kernels_and_their_decorators(void) {
  CHECK_TREE("@libentry()\n# a comment\n\n@triton.autotune(configs=[], key=['N'])\n"
             "@triton.jit  # another\n# and one\ndef k(x): pass\n",
             "(function k [(call libentry []) (call (attribute triton autotune) [(keyword configs "
             "(list_display [])) (keyword key (list_display [\"N\"]))]) (attribute triton jit)] "
             "[(parameter plain x - -)] - [\n  (pass)] :is_kernel)");
  CHECK_TREE("class A(B, m=C):\n  @staticmethod\n  @triton.jit(do_not_specialize=['n'])\n"
             "  def k(n): pass\n",
             "(class_definition A [] [B (keyword m C)] [\n"
             "  (function k [staticmethod (call (attribute triton jit) [(keyword do_not_specialize "
             "(list_display [\"n\"]))])] [(parameter plain n - -)] - [\n"
             "    (pass)] :is_kernel)] :has_kernels)");
}

static void host_statements(void) {
  CHECK_TREE("with a as b, c: pass\n", "(with [(with_item a b) (with_item c -)] [\n  (pass)])");
  CHECK_TREE("with (a as b, c,): pass\nwith (a, b) as c: pass\nwith (a): pass\n",
             "(with [(with_item a b) (with_item c -)] [\n  (pass)])\n"
             "(with [(with_item (tuple [a b]) c)] [\n  (pass)])\n"
             "(with [(with_item a -)] [\n  (pass)])");
  CHECK_TREE("try:\n  a\nexcept (E, F) as e:\n  b\nexcept:\n  c\nelse:\n  d\nfinally:\n  e\n",
             "(try_statement [\n  (evaluate a)] [\n"
             "  (handler (tuple [E F]) e [\n    (evaluate b)])\n"
             "  (handler - - [\n    (evaluate c)])] [\n"
             "  (evaluate d)] [\n  (evaluate e)])");
  CHECK_TREE("match x, y:\n  case {'a': [1, *_]} if y: pass\n  case _:\n    z\n",
             "(match (tuple [x y]) [\n  (case_clause [\n    (pass)])\n"
             "  (case_clause [\n    (evaluate z)])])");
  CHECK_TREE("match(x)\nmatch = 1\nmatch[0]: int = 2\n",
             "(evaluate (call match [x]))\n(assign [match] 1)\n"
             "(annotated (subscript match [0]) int 2)");
}

/* --- Layout ----------------------------------------------------------------------------------- */

static void layout_does_not_matter(void) {
  static const char expected[] =
      "(function k [(attribute triton jit)] [(parameter plain x - -)] - [\n"
      "  (assign [y] (binary + x 1))\n  (return_statement y)] :is_kernel)";
  CHECK_TREE("@triton.jit\ndef k(x):\n    y = x + 1\n    return y\n", expected);
  CHECK_TREE("@triton.jit\r\ndef k(x):\r\n    y = x + \\\r\n  1\r\n    return y\r\n", expected);
  CHECK_TREE(
      "\xEF\xBB\xBF@triton.jit\ndef k(x):\n\ty = (x +  # why\n1)\n\n# not a dedent\n\treturn y",
      expected);
  CHECK_TREE("@triton.jit\ndef k(x): y = x + 1; return y;\n", expected);
}

static void spans_cover_what_was_written(void) {
  static const char text[] = "if a:\n  x = tl.load(p, m=q)  # why\n";
  struct module module;
  CHECK(module_read(&module, "k.py", text, sizeof text - 1));
  struct text out = {0};
  node_dump(module.tree->module.body.items[0], &module.source, 0, &out);
  CHECK_TEXT(text_string(&out),
             "(if_statement [\n"
             "  (branch a [\n"
             "    (assign [x] (call (attribute tl load)@2:7-2:14 [p (keyword m q)@2:18-2:21])"
             "@2:7-2:22)@2:3-2:22])@1:1-2:22] [])@1:1-2:22");
  text_free(&out);
  module_free(&module);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"atoms", atoms}, {"strings_are_joined", strings_are_joined},
      {"formatted_strings_have_parts", formatted_strings_have_parts},
      {"operators_bind_as_in_python", operators_bind_as_in_python},
      {"logic_and_comparisons_are_chains", logic_and_comparisons_are_chains},
      {"conditionals_and_lambdas", conditionals_and_lambdas},
      {"attributes_calls_and_subscripts", attributes_calls_and_subscripts},
      {"indices_are_a_list", indices_are_a_list}, {"displays", displays},
      {"comprehensions", comprehensions}, {"host_expressions", host_expressions},
      {"assignments", assignments}, {"small_statements", small_statements}, {"imports", imports},
      {"branches_are_flat", branches_are_flat}, {"loops", loops}, {"functions", functions},
      {"kernels_and_their_decorators", kernels_and_their_decorators},
      {"host_statements", host_statements}, {"layout_does_not_matter", layout_does_not_matter},
      {"spans_cover_what_was_written", spans_cover_what_was_written});
}
