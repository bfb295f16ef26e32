/* SPDX-License-Identifier: MIT */
/* What prints random kernels (test/kernels/random_text.h) has room for all of them: operands that
   are shared in the tree are written once for each use, so that a few of them nested fill
   megabytes. */
#include "../kernels/random_text.h"

#include "check.h"

/* x & x, of that again, ...: 2^levels leaves. */
static void shared_operands_are_written_each_time(void) {
  enum { LEVELS = 17 };
  static struct node nodes[LEVELS + 1];
  struct writer w = {0};
  nodes[0] = (struct node){.op = NODE_PROGRAM, .kind = KI32};
  for (int i = 1; i <= LEVELS; i++)
    nodes[i] = (struct node){
        .op = NODE_BINARY, .kind = KI32, .number = AND, .in = {&nodes[i - 1], &nodes[i - 1]}};
  put_node(&w, &nodes[LEVELS]);
  size_t length = w.text ? strlen(w.text) : 0, leaves = 0;
  CHECK_EQUAL(w.length, length);
  CHECK(length > 1 << 21);
  static const char leaf[] = "tl.program_id(0)";
  for (size_t at = 0; at + sizeof leaf - 1 <= length; at++)
    leaves += memcmp(w.text + at, leaf, sizeof leaf - 1) == 0;
  CHECK_EQUAL(leaves, 1 << LEVELS);
  free(w.text);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"shared operands are written each time", shared_operands_are_written_each_time});
}
