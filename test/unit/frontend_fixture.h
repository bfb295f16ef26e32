/* SPDX-License-Identifier: MIT */
/* What the front end's tests share: reading a text, and comparing its tree and its messages with
   expected text. */
#ifndef TILE_TEST_FRONTEND_FIXTURE_H
#define TILE_TEST_FRONTEND_FIXTURE_H

#include "check.h"
#include "frontend/dump.h"
#include "frontend/module.h"

/* The dump of the statements of `text`, one a line; "!" and the messages (deferred ones included)
   when there are any. Freed by the caller. */
static inline struct text read_and_dump(const char *text, size_t length) {
  struct module module;
  struct text out = {0};
  module_read(&module, "k.py", text, length);
  for (uint32_t i = 0; i < module.tree->module.body.count; i++) {
    text_puts(&out, i ? "\n" : "");
    node_dump(module.tree->module.body.items[i], NULL, 0, &out);
  }
  module_report_deferred(&module, NULL);
  if (module.problems.errors) {
    text_puts(&out, "\n!\n");
    problems_print(&module.problems, &out);
  }
  module_free(&module);
  return out;
}

/* The messages that count, of a text read as a file. Freed by the caller. */
static inline struct text read_problems(const char *text, size_t length) {
  struct module module;
  struct text out = {0};
  bool good = module_read(&module, "k.py", text, length);
  CHECK_EQUAL(good, module.problems.errors == 0);
  problems_print(&module.problems, &out);
  module_free(&module);
  return out;
}

#define CHECK_TREE(written, expected)                                                              \
  do {                                                                                             \
    struct text out_ = read_and_dump(written, sizeof(written) - 1);                                \
    CHECK_TEXT(text_string(&out_), expected);                                                      \
    text_free(&out_);                                                                              \
  } while (0)

#define CHECK_PROBLEMS(written, expected)                                                          \
  do {                                                                                             \
    struct text out_ = read_problems(written, sizeof(written) - 1);                                \
    CHECK_TEXT(text_string(&out_), expected);                                                      \
    text_free(&out_);                                                                              \
  } while (0)

#endif
