/* SPDX-License-Identifier: MIT */
/* Syntax errors: what is said about them and where, that the rest of the file is still read, and
   that host code's errors wait until somebody needs that code. */
#include "frontend_fixture.h"

/* Checks the one message about a statement in a kernel; lines begin at 3. */
#define CHECK_STATEMENT(statement, expected)                                                       \
  CHECK_PROBLEMS("@triton.jit\ndef k(x, y):\n" statement "\n    return\n", expected)

/* --- Statements ------------------------------------------------------------------------------- */

static void missing_colons(void) {
  CHECK_STATEMENT("    if x > 3\n        y = 1",
                  "k.py:3:13: error: expected ':' after the condition, found the end of the line\n"
                  "      if x > 3\n"
                  "              ^\n");
  CHECK_STATEMENT(
      "    for i in range(3)\n        y = 1",
      "k.py:3:22: error: expected ':' after the head of the 'for' loop, found the end of "
      "the line\n"
      "      for i in range(3)\n"
      "                       ^\n");
  CHECK_STATEMENT("    if x = 3:\n        y = 1",
                  "k.py:3:10: error: expected ':' after the condition, found '='; '==' compares\n"
                  "      if x = 3:\n"
                  "           ^\n");
}

static void missing_blocks(void) {
  CHECK_STATEMENT("    while x:\n    y = 1",
                  "k.py:3:12: error: expected an indented block after the condition; indent its "
                  "statements, or write 'pass'\n"
                  "      while x:\n"
                  "             ^\n");
  CHECK_STATEMENT(
      "    y = 1\n      x = 2",
      "k.py:4:7: error: this line is indented deeper than the block it stands in; align "
      "it with the line above\n"
      "        x = 2\n"
      "        ^\n");
}

static void words_out_of_place(void) {
  CHECK_STATEMENT(
      "    elif x:\n        y = 1",
      "k.py:3:5: error: this 'elif' belongs to no 'if'; is it indented as the 'if' is?\n"
      "      elif x:\n"
      "      ^~~~\n");
  CHECK_STATEMENT("    if x: pass\n    else if y: pass",
                  "k.py:4:10: error: there is no 'else if'; write 'elif'\n"
                  "      else if y: pass\n"
                  "           ^~\n");
  CHECK_STATEMENT("    break", "k.py:3:5: error: 'break' outside a loop\n"
                               "      break\n"
                               "      ^~~~~\n");
  CHECK_STATEMENT("    lambda = 3",
                  "k.py:3:12: error: expected the name of a parameter, found '='\n"
                  "      lambda = 3\n"
                  "             ^\n");
}

static void wrong_targets(void) {
  CHECK_STATEMENT(
      "    f(x) = 3",
      "k.py:3:5: error: cannot assign to a call; only names, attributes, subscripts and "
      "tuples of these can be targets ('==' compares)\n"
      "      f(x) = 3\n"
      "      ^~~~\n");
  CHECK_STATEMENT("    x, None = 3",
                  "k.py:3:8: error: cannot assign to None; only names, attributes, subscripts and "
                  "tuples of these can be targets\n"
                  "      x, None = 3\n"
                  "         ^~~~\n");
  CHECK_STATEMENT("    x + 1 += 2",
                  "k.py:3:5: error: an augmented assignment needs one name, attribute or subscript "
                  "on its left, not an operation\n"
                  "      x + 1 += 2\n"
                  "      ^~~~~\n");
}

static void two_statements_on_a_line(void) {
  CHECK_STATEMENT(
      "    x = y z",
      "k.py:3:11: error: expected the end of the statement, found 'z'; is an operator, a "
      "comma or a bracket missing before it?\n"
      "      x = y z\n"
      "            ^\n");
}

/* --- Expressions ------------------------------------------------------------------------------ */

static void missing_operands(void) {
  CHECK_STATEMENT(
      "    x = y *",
      "k.py:3:12: error: expected an expression, found the end of the line; end the line "
      "with an operand, or put the expression in parentheses to go on below\n"
      "      x = y *\n"
      "             ^\n");
  CHECK_STATEMENT(
      "    x = y if x",
      "k.py:3:15: error: expected 'else' in the conditional expression, found the end of "
      "the line; write 'a if condition else b'\n"
      "      x = y if x\n"
      "                ^\n");
}

static void habits_from_c(void) {
  CHECK_STATEMENT("    x++", "k.py:3:6: error: there is no operator '++'; write '+= 1'\n"
                             "      x++\n"
                             "       ^~\n");
  CHECK_STATEMENT("    z = x && y", "k.py:3:11: error: there is no operator '&&'; write 'and'\n"
                                    "      z = x && y\n"
                                    "            ^~\n");
}

static void wrong_calls(void) {
  CHECK_STATEMENT(
      "    f(mask=x, y)",
      "k.py:3:15: error: a positional argument after a keyword argument; move it before "
      "that or give its name\n"
      "      f(mask=x, y)\n"
      "                ^\n"
      "k.py:3:7: note: the keyword argument\n"
      "      f(mask=x, y)\n"
      "        ^~~~~~\n");
  CHECK_STATEMENT("    f(x[0]=y)",
                  "k.py:3:7: error: only a name can stand before '=' in a call, not a "
                  "subscript; '==' compares\n"
                  "      f(x[0]=y)\n"
                  "        ^~~~\n");
}

static void forgotten_brackets(void) {
  CHECK_STATEMENT("    p = tl.program_id(0\n    q = p + 1",
                  "k.py:3:22: error: '(' was never closed\n"
                  "      p = tl.program_id(0\n"
                  "                       ^\n");
  CHECK_STATEMENT("    p = tl.program_id(0\n    if p > 1:\n        pass",
                  "k.py:3:22: error: '(' was never closed\n"
                  "      p = tl.program_id(0\n"
                  "                       ^\n");
}

static void errors_in_brackets(void) {
  CHECK_STATEMENT("    x = (1,\n         2 3,\n         4)\n    y = 1",
                  "k.py:4:12: error: expected ',' or ')', found '3'\n"
                  "           2 3,\n"
                  "             ^\n"
                  "k.py:3:9: note: '(' was opened here\n"
                  "      x = (1,\n"
                  "          ^\n");
}

static void wrong_formatted_strings(void) {
  CHECK_STATEMENT("    s = f'{x'",
                  "k.py:3:11: error: this field of the f-string is never closed; add '}', or write "
                  "'{{' for a brace\n"
                  "      s = f'{x'\n"
                  "            ^\n");
  CHECK_STATEMENT("    s = f'a } b'",
                  "k.py:3:13: error: a single '}' in an f-string; write '}}' for a brace\n"
                  "      s = f'a } b'\n"
                  "              ^\n");
  CHECK_STATEMENT("    s = f'{x!q}'",
                  "k.py:3:14: error: no conversion '!q' in an f-string; use '!r', '!s' or '!a'\n"
                  "      s = f'{x!q}'\n"
                  "               ^\n");
  CHECK_STATEMENT("    s = 'a\\x1'", "k.py:3:11: error: two hexadecimal digits follow '\\x'\n"
                                     "      s = 'a\\x1'\n"
                                     "            ^~~\n");
}

/* --- Headers ---------------------------------------------------------------------------------- */

static void wrong_parameters(void) {
  CHECK_PROBLEMS("@triton.jit\ndef k(a, b, a): pass\n",
                 "k.py:2:13: error: two parameters are named 'a'; rename one\n"
                 "  def k(a, b, a): pass\n"
                 "              ^\n"
                 "k.py:2:7: note: the first one\n"
                 "  def k(a, b, a): pass\n"
                 "        ^\n");
  CHECK_PROBLEMS("@triton.jit\ndef k(a=1, b): pass\n",
                 "k.py:2:12: error: 'b' needs a default, as a parameter before it has one\n"
                 "  def k(a=1, b): pass\n"
                 "             ^\n"
                 "k.py:2:7: note: the parameter with a default\n"
                 "  def k(a=1, b): pass\n"
                 "        ^~~\n");
  CHECK_PROBLEMS("@triton.jit\ndef k(a, if): pass\n",
                 "k.py:2:10: error: expected the name of a parameter, found 'if', which is a "
                 "keyword; choose another name\n"
                 "  def k(a, if): pass\n"
                 "           ^~\n");
}

static void wrong_decorators(void) {
  CHECK_PROBLEMS("@triton.jit(\ndef k(a): pass\n", "k.py:1:12: error: '(' was never closed\n"
                                                   "  @triton.jit(\n"
                                                   "             ^\n");
  CHECK_PROBLEMS("@triton.jit\ndf k(a):\n    pass\n",
                 "k.py:2:1: error: expected 'def' or 'class' below the decorator, found 'df'\n"
                 "  df k(a):\n"
                 "  ^~\n");
}

/* --- Several errors, and the rest of the file ------------------------------------------------- */

static void one_run_finds_several_errors(void) {
  CHECK_PROBLEMS(
      "@triton.jit\n"
      "def k(x):\n"
      "    a = x +\n"
      "    b = (a\n"
      "    if b:\n"
      "        c = 'x\n"
      "    else\n"
      "        c = 012\n"
      "  d = 1\n",
      "k.py:3:12: error: expected an expression, found the end of the line; end the line "
      "with an operand, or put the expression in parentheses to go on below\n"
      "      a = x +\n"
      "             ^\n"
      "k.py:4:9: error: '(' was never closed\n"
      "      b = (a\n"
      "          ^\n"
      "k.py:6:13: error: this string is not closed on its line; add ' at its end, or use "
      "''' for a string of several lines\n"
      "          c = 'x\n"
      "              ^~\n"
      "k.py:7:9: error: expected ':' after 'else', found the end of the line\n"
      "      else\n"
      "          ^\n"
      "k.py:8:13: error: an integer cannot begin with 0; drop the zeros, or write 0o for "
      "octal\n"
      "          c = 012\n"
      "              ^~~\n"
      "k.py:9:1: error: unindent does not match any outer indentation level; indent this "
      "line by 0 or 4 columns, not 2\n"
      "    d = 1\n"
      "  ^~\n");
}

static void broken_statements_leave_a_trace(void) {
  CHECK_TREE(
      "X = 1 +\ny = 2\n",
      "(broken X [])\n(assign [y] 2)\n!\n"
      "k.py:1:8: error: expected an expression, found the end of the line; end the line with "
      "an operand, or put the expression in parentheses to go on below\n"
      "  X = 1 +\n"
      "         ^\n");
  CHECK_TREE("if x y:\n  a\nelse:\n  b\nc\n",
             "(broken - [\n  (broken - [\n    (evaluate a)])\n  (evaluate b)])\n(evaluate c)\n!\n"
             "k.py:1:6: error: expected ':' after the condition, found 'y'\n"
             "  if x y:\n"
             "       ^\n");
}

/* An error in host code costs nothing until its code is needed. */
static void host_errors_are_deferred(void) {
  static const char text[] = "import triton\n"
                             "print 'python 2'\n"
                             "def host(:\n"
                             "    return foo(1,\n"
                             "SIZE = 3 3\n"
                             "@triton.jit\n"
                             "def k(x):\n"
                             "    return x + SIZE\n"
                             "x = 'abc\n";
  struct module module;
  CHECK(module_read(&module, "k.py", text, sizeof text - 1));
  CHECK_EQUAL(module.kernel_count, 1);
  CHECK_EQUAL(module.kernels[0].function->function.body.count, 1);
  const struct binding *size = module_find(&module, "SIZE");
  CHECK(size && size->kind == BINDING_BROKEN);
  CHECK_EQUAL(size ? module_report_deferred(&module, &size->span) : 0, 1);
  CHECK_EQUAL(module.problems.errors, 1);
  struct text out = {0};
  problems_print(&module.problems, &out);
  CHECK_TEXT(
      text_string(&out),
      "k.py:5:10: error: expected the end of the statement, found '3'; is an operator, a comma "
      "or a bracket missing before it?\n"
      "  SIZE = 3 3\n"
      "           ^\n");
  CHECK_EQUAL(module_report_deferred(&module, NULL), 4);
  text_free(&out);
  module_free(&module);
}

/* The line after a kernel is the host's, also when it is wrong from its first character on. */
static void kernels_end_before_the_next_line(void) {
  static const char text[] = "@triton.jit\ndef k(x):\n    return x\n$oops\n";
  struct module module;
  CHECK(module_read(&module, "k.py", text, sizeof text - 1));
  CHECK_EQUAL(module.kernel_count, 1);
  CHECK_EQUAL(module_report_deferred(&module, NULL), 1);
  module_free(&module);
}

static void many_errors_are_cut_short(void) {
  struct text text = {0}, out = {0};
  text_puts(&text, "@triton.jit\ndef k(x):\n");
  for (int i = 0; i < 30; i++)
    text_puts(&text, "    x = = 1\n");
  out = read_problems(text_string(&text), text.length);
  CHECK(strstr(text_string(&out), "k.py:22:9: error:") != NULL);
  CHECK(strstr(text_string(&out), "k.py:23:9: error:") == NULL);
  CHECK(strstr(text_string(&out),
               "remark: 10 more errors are not shown; correct the first ones and try again") !=
        NULL);
  text_free(&out);
  text_free(&text);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"missing_colons", missing_colons},
                   {"missing_blocks", missing_blocks}, {"words_out_of_place", words_out_of_place},
                   {"wrong_targets", wrong_targets},
                   {"two_statements_on_a_line", two_statements_on_a_line},
                   {"missing_operands", missing_operands}, {"habits_from_c", habits_from_c},
                   {"wrong_calls", wrong_calls}, {"forgotten_brackets", forgotten_brackets},
                   {"errors_in_brackets", errors_in_brackets},
                   {"wrong_formatted_strings", wrong_formatted_strings},
                   {"wrong_parameters", wrong_parameters}, {"wrong_decorators", wrong_decorators},
                   {"one_run_finds_several_errors", one_run_finds_several_errors},
                   {"broken_statements_leave_a_trace", broken_statements_leave_a_trace},
                   {"host_errors_are_deferred", host_errors_are_deferred},
                   {"kernels_end_before_the_next_line", kernels_end_before_the_next_line},
                   {"many_errors_are_cut_short", many_errors_are_cut_short});
}
