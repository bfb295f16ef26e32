/* SPDX-License-Identifier: MIT */
/* fuzz_opt: mutants of the tests' modules through the compiler, in search of one that kills it.
   Each has a session of its own. See frame.h for the flags. */
#include "exercise.h"
#include "frame.h"

static struct corpus corpus;

static void add_file(const char *text, size_t length) {
  corpus_add(&corpus, text, length);
}

static void note_exercise(const struct exercise *exercise, fuzz_note *note, void *data) {
  struct text what = {0};
  exercise_describe(exercise, &what);
  note(text_string(&exercise->module), exercise->module.length, text_string(&what), data);
  text_free(&what);
}

static int run(uint64_t seed, uint64_t index, fuzz_note *note, void *data) {
  struct exercise exercise;
  exercise_draw(&corpus, seed, index, &exercise);
  note_exercise(&exercise, note, data);
  if (exercise.as_bytecode) {
    exercise_to_bytecode(&exercise);
    note_exercise(&exercise, note, data);
  }
  int outcome = (int)exercise_run(&exercise);
  exercise_destroy(&exercise);
  return outcome;
}

int main(int argc, char **argv) {
  const struct fuzz_target target = {
      .name = "fuzz_opt",
      .ending = ".mlir",
      .outcomes = {"no module", "refused by a pass", "compiled"},
      .most_cpu_seconds = 20,
      .add_file = add_file,
      .run = run,
  };
  int code = fuzz_main(argc, argv, &target);
  corpus_destroy(&corpus);
  return code;
}
