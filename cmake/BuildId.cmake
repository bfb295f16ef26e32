# SPDX-License-Identifier: MIT
# The build id: a hash over everything that decides what the compiler writes, the same wherever and
# whenever it is built. As a script (cmake -P) it writes OUTPUT, a C file, from SOURCE, the
# repository, and LLVM, its version.
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/lib/*.c ${SOURCE}/lib/*.h ${SOURCE}/lib/*.def
     ${SOURCE}/include/*.h ${SOURCE}/dialects/*.def ${SOURCE}/dialects/*.mlir)
list(SORT files)
set(all "llvm ${LLVM}\n")
foreach(file ${files})
  file(SHA256 ${SOURCE}/${file} hash)
  string(APPEND all "${hash} ${file}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING ${id} 0 32 id)
file(WRITE ${OUTPUT} "/* Written by cmake/BuildId.cmake. */
#include \"base/build_id.h\"

const char *build_id(void) {
  return \"${id}\";
}
")
