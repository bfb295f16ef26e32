# SPDX-License-Identifier: MIT
# Finds LLVM/MLIR 22 and defines two interface targets:
#   tile_llvm         LLVM and MLIR through their C APIs, for libtile
#   tile_llvm_shared  the same from the distribution's shared libraries, for tests of internals:
#                     with LLVM inside, each of them has 100 MB
# The archives are listed here, not taken from LLVM's CMake package: its component targets add
# libLLVM.so beside the archives, which gives two copies of every registry.
find_program(LLVM_CONFIG NAMES llvm-config-22 HINTS /usr/lib/llvm-22/bin)
if(NOT LLVM_CONFIG)
  message(FATAL_ERROR "llvm-config-22 not found: install llvm-22-dev and libmlir-22-dev "
                      "(scripts/install-packages.sh does)")
endif()

function(llvm_config result)
  execute_process(COMMAND ${LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE output
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

llvm_config(LLVM_VERSION --version)
if(NOT LLVM_VERSION MATCHES "^22\\.")
  message(FATAL_ERROR "LLVM 22 is needed, ${LLVM_CONFIG} is ${LLVM_VERSION}")
endif()
llvm_config(LLVM_INCLUDE_DIR --includedir)
llvm_config(LLVM_LIB_DIR --libdir)
llvm_config(LLVM_BIN_DIR --bindir)
llvm_config(LLVM_HOST_TARGET --host-target)
if(NOT EXISTS ${LLVM_LIB_DIR}/libMLIRCAPIIR.a)
  message(FATAL_ERROR "MLIR's C API archives are not in ${LLVM_LIB_DIR}: install libmlir-22-dev")
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(LLVM_NATIVE x86)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(LLVM_NATIVE aarch64)
else()
  message(FATAL_ERROR "the emulator knows no '${CMAKE_SYSTEM_PROCESSOR}' host; "
                      "x86-64 and AArch64 are supported")
endif()

set(tile_mlir_capi IR IRDL RegisterEverything Conversion Transforms Target Arith ControlFlow Func
                   GPU Interfaces LLVM Math MemRef NVVM SCF UB Debug)
list(TRANSFORM tile_mlir_capi REPLACE "(.+)" "${LLVM_LIB_DIR}/libMLIRCAPI\\1.a")

find_program(LLD NAMES ld.lld-22 HINTS ${LLVM_BIN_DIR})
add_library(tile_llvm INTERFACE)
add_library(tile_llvm_shared INTERFACE)
foreach(target tile_llvm tile_llvm_shared)
  target_include_directories(${target} SYSTEM INTERFACE ${LLVM_INCLUDE_DIR})
endforeach()
target_link_libraries(tile_llvm_shared INTERFACE
                      -Wl,--start-group ${tile_mlir_capi} -Wl,--end-group
                      ${LLVM_LIB_DIR}/libMLIR.so ${LLVM_LIB_DIR}/libLLVM-22.so -lstdc++)
target_link_options(tile_llvm_shared INTERFACE -Wl,--gc-sections)

if(TILE_LLVM_LINK STREQUAL "static")
  llvm_config(llvm_archives --link-static --libfiles nvptx ${LLVM_NATIVE} orcjit passes irreader)
  separate_arguments(llvm_archives UNIX_COMMAND "${llvm_archives}")
  llvm_config(llvm_system --link-static --system-libs)
  separate_arguments(llvm_system UNIX_COMMAND "${llvm_system}")
  # What llvm-config names but a toolkit without a line editor or network never reaches.
  list(REMOVE_ITEM llvm_system -ledit -lcurl)
  # The members that --gc-sections keeps never need libxml2 (a Windows manifest tool does).
  list(REMOVE_ITEM llvm_system -lxml2)
  file(GLOB mlir_archives ${LLVM_LIB_DIR}/libMLIR*.a)
  list(FILTER mlir_archives EXCLUDE REGEX "libMLIRCAPI|Test|libMLIRMlirOptMain")
  target_link_libraries(tile_llvm INTERFACE -Wl,--start-group ${tile_mlir_capi} ${mlir_archives}
                        ${llvm_archives} -Wl,--end-group ${llvm_system} -lstdc++)
  target_link_options(tile_llvm INTERFACE -Wl,--gc-sections)
elseif(TILE_LLVM_LINK STREQUAL "shared")
  target_link_libraries(tile_llvm INTERFACE tile_llvm_shared)
else()
  message(FATAL_ERROR "TILE_LLVM_LINK is 'static' or 'shared', not '${TILE_LLVM_LINK}'")
endif()
if(LLD)
  # Seconds instead of minutes on LLVM's archives. The path form works with gcc and clang.
  get_filename_component(lld_directory ${LLVM_BIN_DIR}/ld.lld DIRECTORY)
  add_link_options(-fuse-ld=lld -B${lld_directory})
endif()
