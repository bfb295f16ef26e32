# SPDX-License-Identifier: MIT
# tile_add_kernels: kernels compiled ahead of time as a part of a program or library (docs/ahead-of-time.md).
#
#   tile_add_kernels(app
#     SOURCES softmax.py            the kernel file: .py in the Triton language, or .mlir
#     KERNEL softmax_kernel         which one of the file; may be left out when it has one
#     SIGNATURE "*fp32:16, *fp32:16, i32:16, i32:16, i32"
#     CONSTANTS BLOCK=1024          compile-time parameters that the signature leaves out
#     GRID "rows"                   the grid as an expression; without it callers pass it
#     TARGETS sm_80 sm_90a          default: tile-translate's
#     CONFIGS 0 2                   configurations of @triton.autotune, tried in this order
#     VARIANTS "--when 'n <= 64' --constexpr BLOCK=64" "--constexpr BLOCK=256"   ways to compile, tried in this order
#     NAME softmax                  of the files, softmax.h and softmax.c; default: the kernel's, else the source's
#     FUNCTION my_softmax           of the C function; default: the kernel's name
#     EMBED cubin ptx emulator      what code is embedded; default: ptx
#     IMPORTS python                folders of modules that the kernel file imports from
#     OPTIONS --num-warps 8)        further flags of tile-translate
#
# `app` is a target that exists. It is compiled with the source, finds the header, and links libtile_runtime. The files are
# written again when the kernel file, a file that it imports, or the compiler changes.
include_guard(GLOBAL)

# The first of the given targets that exists.
function(tile_find_target result what)
  foreach(candidate ${ARGN})
    if(TARGET ${candidate})
      set(${result} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "tile_add_kernels: there is no ${what} (${ARGN}); call find_package(tile) or add_subdirectory first")
endfunction()

# Makes a list of what a caller gave into one value with commas.
function(tile_join_flag result flag)
  set(${result} "" PARENT_SCOPE)
  if(ARGN)
    string(REPLACE ";" "," value "${ARGN}")
    set(${result} ${flag} ${value} PARENT_SCOPE)
  endif()
endfunction()

function(tile_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KERNEL;SIGNATURE;GRID;NAME;FUNCTION"
                        "SOURCES;TARGETS;CONFIGS;CONSTANTS;VARIANTS;EMBED;IMPORTS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tile_add_kernels(${target}): wrong: ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tile_add_kernels: there is no target '${target}'; call it behind add_executable or add_library")
  endif()
  list(LENGTH arg_SOURCES count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "tile_add_kernels(${target}): SOURCES names one kernel file, not ${count}; "
                        "call tile_add_kernels once for each")
  endif()
  tile_find_target(tool compiler tile::tile-translate tile-translate)
  tile_find_target(runtime runtime tile::tile_runtime tile_runtime)

  cmake_path(ABSOLUTE_PATH arg_SOURCES OUTPUT_VARIABLE source)
  cmake_path(GET source STEM name)
  if(arg_NAME)
    set(name ${arg_NAME})
  elseif(arg_KERNEL)
    string(REPLACE "." "_" name ${arg_KERNEL})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tile_kernels/${target})
  set(base ${folder}/${name})

  set(flags ${arg_OPTIONS})
  foreach(pair "KERNEL --kernel" "SIGNATURE --signature" "GRID --grid" "FUNCTION --c-name")
    separate_arguments(pair)
    list(POP_FRONT pair keyword)
    if(DEFINED arg_${keyword})
      list(APPEND flags ${pair} "${arg_${keyword}}")
    endif()
  endforeach()
  foreach(pair "CONSTANTS --constexpr" "VARIANTS --variant" "IMPORTS -I")
    separate_arguments(pair)
    list(POP_FRONT pair keyword)
    foreach(value IN LISTS arg_${keyword})
      if(keyword STREQUAL "IMPORTS")
        cmake_path(ABSOLUTE_PATH value)
      endif()
      list(APPEND flags ${pair} "${value}")
    endforeach()
  endforeach()
  tile_join_flag(targets --target ${arg_TARGETS})
  tile_join_flag(configs --config ${arg_CONFIGS})
  tile_join_flag(embed --embed ${arg_EMBED})
  if(source MATCHES "\\.py$")
    set(depfile DEPFILE ${base}.d)
    list(APPEND flags --depfile ${base}.d)
  endif()

  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${base}.c ${base}.h
    COMMAND ${tool} --tile-to-c -o ${base} ${targets} ${configs} ${embed} ${flags} ${source}
    DEPENDS ${source} ${tool}
    ${depfile}
    COMMENT "Compiling kernels of ${arg_SOURCES} to ${name}.h and ${name}.c"
    VERBATIM)
  target_sources(${target} PRIVATE ${base}.c ${base}.h)
  target_include_directories(${target} PRIVATE ${folder})
  target_link_libraries(${target} PRIVATE ${runtime})
endfunction()
