/* SPDX-License-Identifier: MIT */
/* What libtile says of itself and of LLVM. */
#include <llvm-c/Core.h>
#include <pthread.h>
#include <stdio.h>
#include "base/build_id.h"
#include "tile/compiler.h"

static char llvm_version[32];

static void read_llvm_version(void) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  snprintf(llvm_version, sizeof llvm_version, "%u.%u.%u", major, minor, patch);
}

const char *tile_compiler_build_id(void) {
  return build_id();
}

const char *tile_llvm_version(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_llvm_version);
  return llvm_version;
}
