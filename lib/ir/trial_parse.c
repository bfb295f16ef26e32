/* SPDX-License-Identifier: MIT */
/* See trial_parse.h. */
#include "ir/trial_parse.h"

#include <errno.h>
#include <fcntl.h>
#include <mlir-c/Diagnostics.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/status.h"

enum { LONGEST_SECONDS = 10 };

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic, (void)data;
  return mlirLogicalResultSuccess();
}

/* Dies silently: no core, no handler of a sanitizer or of the host program, no output. */
static void prepare_to_die(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    signal(signals[i], SIG_DFL);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  alarm(LONGEST_SECONDS);
}

_Noreturn static void run_child(MlirContext context, MlirStringRef bytes) {
  prepare_to_die();
  mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  mlirModuleCreateParse(context, bytes);
  _exit(0);
}

tile_status trial_parse(MlirContext context, MlirStringRef bytes) {
  pid_t child = fork();
  if (child < 0)
    return FAIL(TILE_INTERNAL, "cannot start a process to try the bytecode in: %s",
                strerror(errno));
  if (child == 0)
    run_child(context, bytes);
  int state = 0;
  while (waitpid(child, &state, 0) < 0)
    if (errno != EINTR)
      return FAIL(TILE_INTERNAL, "cannot wait for a process: %s", strerror(errno));
  return state == 0 ? NULL
                    : FAIL(TILE_INVALID_ARGUMENT,
                           "the bytecode is damaged: MLIR's reader does not survive it; write it "
                           "again with tile-opt --emit-bytecode");
}
