# SPDX-License-Identifier: MIT
# tile_add_kernels: kernels compiled ahead of time as a part of a program or library
# (docs/ahead-of-time.md).
#
#   tile_add_kernels(app
#     SOURCES softmax.py            the kernel file: .py in the Triton language, or .mlir
#     KERNEL softmax_kernel         which one of the file; may be left out when it has one
#     SIGNATURE "*fp32:16, *fp32:16, i32:16, i32:16, i32"
#     CONSTANTS BLOCK=1024          compile-time parameters that the signature leaves out
#     GRID "rows"                   the grid as an expression; without it callers pass it
#     TARGETS sm_80 sm_90a          default: sm_90a, which runs on compute capability 9.0 alone
#     CONFIGS 0 2                   configurations of @triton.autotune, tried in this order
#     VARIANTS "--when 'n <= 64' --constexpr BLOCK=64" "--constexpr BLOCK=256"
#                                   ways to compile, tried in this order
#     TUNED tune.sqlite3            a version for each winner in this database (tile-run --tune)
#     TUNED_DEVICE "*H200"          winners of this device; default: of the one that the target fits
#     NAME softmax                  of the files, softmax.h and softmax.c; default: the kernel's,
#                                   else the source's
#     FUNCTION my_softmax           of the C function; default: the kernel's name
#     EMBED cubin ptx emulator      what code is embedded; default: ptx
#     RUNTIME static                or shared; default: the archive if the target links that, else
#                                   the shared library
#     IMPORTS python                folders of modules that the kernel file imports from
#     OPTIONS --num-warps 8)        further flags of tile-translate
#
# `app` is a target that exists, in a project with the language C. It is compiled with the source,
# finds the header, and links the runtime. The files are written again when the kernel file, a file
# that it imports, or the compiler changes.
include_guard(GLOBAL)

# The keywords, as variables of the function that asks: variables of this file are not seen
# everywhere.
macro(tile_keywords)
  set(ones KERNEL SIGNATURE GRID NAME FUNCTION RUNTIME TUNED TUNED_DEVICE)
  set(many SOURCES TARGETS CONFIGS CONSTANTS VARIANTS EMBED IMPORTS OPTIONS)
endmacro()

# --- Mistakes in a call ---

# " did you mean SOURCES?" where a keyword has one letter more or less, or another; else "".
function(tile_suggest_keyword result word)
  tile_keywords()
  foreach(keyword ${ones} ${many})
    string(LENGTH ${keyword} length)
    foreach(at RANGE ${length})
      string(SUBSTRING "${keyword} " 0 ${at} before)
      math(EXPR next "${at} + 1")
      string(SUBSTRING "${keyword} " ${next} -1 after)
      string(STRIP "${after}" after)
      if(word MATCHES "^${before}.?.?${after}$")
        set(${result} " did you mean ${keyword}?" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

# The value of a keyword as it would stand in quotes: what follows the keyword in a call, up to the
# next one.
function(tile_quote_value result keyword)
  tile_keywords()
  list(FIND ARGN ${keyword} at)
  math(EXPR at "${at} + 1")
  list(SUBLIST ARGN ${at} -1 words)
  set(value "")
  foreach(word IN LISTS words)
    if(word IN_LIST ones OR word IN_LIST many)
      break()
    endif()
    if(keyword STREQUAL "SIGNATURE")
      string(REGEX REPLACE ",$" "" word "${word}")
    endif()
    list(APPEND value "${word}")
  endforeach()
  if(keyword STREQUAL "SIGNATURE")
    list(JOIN value ", " value)
  else()
    list(JOIN value " " value)
  endif()
  set(${result} "${keyword} \"${value}\"" PARENT_SCOPE)
endfunction()

# Ends with the first argument that stands where none can, and the way out.
function(tile_check_arguments target)
  tile_keywords()
  set(keyword "")
  foreach(word IN LISTS ARGN)
    if(word IN_LIST ones OR word IN_LIST many)
      set(keyword ${word})
      set(count 0)
      continue()
    endif()
    math(EXPR count "0${count} + 1")
    set(first_of_one FALSE)
    if(keyword IN_LIST ones AND count EQUAL 1)
      set(first_of_one TRUE) # whatever it looks like
    endif()
    if(keyword STREQUAL "" OR
       (word MATCHES "^[A-Z_]+$" AND NOT first_of_one AND
        NOT keyword MATCHES "^(IMPORTS|OPTIONS)$"))
      tile_suggest_keyword(suggestion "${word}")
      list(JOIN many " " many)
      list(JOIN ones " " ones)
      message(FATAL_ERROR "tile_add_kernels(${target}): '${word}' is no keyword;${suggestion} "
                          "There are ${many} ${ones}")
    elseif(keyword IN_LIST ones AND NOT first_of_one)
      tile_quote_value(quoted ${keyword} ${ARGN})
      message(FATAL_ERROR "tile_add_kernels(${target}): ${keyword} takes one value, and "
                          "'${word}' is another; if they are one, quote it: ${quoted}")
    endif()
  endforeach()
endfunction()

# The kernels' source is C, which CMake leaves out without a word where it is not a language of the
# project.
function(tile_check_language target)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "tile_add_kernels(${target}): kernels become C, which is no language of "
                        "this project; write project(... LANGUAGES C CXX) or enable_language(C) "
                        "before")
  endif()
endfunction()

# No two calls for one target write the same files.
function(tile_check_name target name)
  get_target_property(names ${target} TILE_KERNELS)
  if(name IN_LIST names)
    message(FATAL_ERROR "tile_add_kernels(${target}): an earlier call writes ${name}.h and "
                        "${name}.c, too; give this one NAME, and FUNCTION if the kernel has the "
                        "same name")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY TILE_KERNELS ${name})
endfunction()

# --- The runtime ---

# The first of the given targets that exists.
function(tile_find_target result what)
  foreach(candidate ${ARGN})
    if(TARGET ${candidate})
      set(${result} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "tile_add_kernels: there is no ${what} (${ARGN}); call find_package(tile) or "
                      "add_subdirectory first")
endfunction()

# Whether the target links one of these itself.
function(tile_links result target)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  set(${result} FALSE PARENT_SCOPE)
  foreach(library ${ARGN})
    if(library IN_LIST libraries)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Links the runtime at the end of the folder, when it is known what else the target links: the
# archive when that is among it, or asked for. By properties, which go with target_link_libraries
# with and without PRIVATE.
function(tile_link_runtime target runtime)
  tile_links(links_static ${target} tile::tile_runtime_static tile_runtime_static)
  tile_links(links_shared ${target} tile::tile tile tile::tile_runtime tile_runtime)
  if(runtime STREQUAL "static" OR (links_static AND NOT runtime STREQUAL "shared"))
    if(links_shared)
      message(FATAL_ERROR "tile_add_kernels(${target}): '${target}' links the archive of the "
                          "runtime and the shared library; one process has one runtime: leave one "
                          "out (RUNTIME says which the kernels take)")
    endif()
    tile_find_target(library "archive of the runtime" tile::tile_runtime_static tile_runtime_static)
  else()
    if(links_static)
      message(FATAL_ERROR "tile_add_kernels(${target}): RUNTIME shared, but '${target}' links "
                          "tile_runtime_static; one process has one runtime: leave one out")
    endif()
    tile_find_target(library runtime tile::tile_runtime tile_runtime)
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${library})
  get_target_property(type ${target} TYPE)
  if(type MATCHES "STATIC_LIBRARY|OBJECT_LIBRARY") # who links it links the runtime
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES $<LINK_ONLY:${library}>)
  endif()
endfunction()

function(tile_link_runtime_later target runtime)
  if(NOT runtime MATCHES "^(|static|shared)$")
    message(FATAL_ERROR "tile_add_kernels(${target}): RUNTIME is static or shared, not "
                        "'${runtime}'")
  endif()
  get_target_property(given ${target} TILE_RUNTIME)
  if(given STREQUAL "given-NOTFOUND")
    set_property(TARGET ${target} PROPERTY TILE_RUNTIME "${runtime}.")
    cmake_language(EVAL CODE
      "cmake_language(DEFER CALL tile_link_runtime [[${target}]] [[${runtime}]])")
  elseif(NOT given STREQUAL "${runtime}.")
    message(FATAL_ERROR "tile_add_kernels(${target}): RUNTIME is the same in all calls for one "
                        "target")
  endif()
endfunction()

# --- The files ---

# Makes a list of what a caller gave into one value with commas.
function(tile_join_flag result flag)
  set(${result} "" PARENT_SCOPE)
  if(ARGN)
    string(REPLACE ";" "," value "${ARGN}")
    set(${result} ${flag} ${value} PARENT_SCOPE)
  endif()
endfunction()

# Below the project's folder a name is relative to it: places in messages and hazards, which are in
# the generated code, do not say where the project was built.
function(tile_source_name result path)
  cmake_path(ABSOLUTE_PATH path)
  cmake_path(IS_PREFIX CMAKE_CURRENT_SOURCE_DIR "${path}" inside)
  cmake_path(IS_PREFIX CMAKE_CURRENT_BINARY_DIR "${path}" generated)
  if(inside AND NOT generated)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  set(${result} ${path} PARENT_SCOPE)
endfunction()

# Without TARGETS a program runs on one kind of GPU; its author should know.
function(tile_warn_of_target target targets embed options)
  if(targets OR "--target" IN_LIST options OR embed STREQUAL "emulator")
    return()
  endif()
  message(AUTHOR_WARNING "tile_add_kernels(${target}): without TARGETS the code is for sm_90a, "
                         "which runs on compute capability 9.0 alone; TARGETS sm_80 sm_90a runs on "
                         "8.0 and everything later")
endfunction()

function(tile_add_kernels target)
  tile_keywords()
  tile_check_arguments(${target} ${ARGN})
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${ones}" "${many}")
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tile_add_kernels(${target}): there is no value after "
                        "${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tile_add_kernels: there is no target '${target}'; call it after "
                        "add_executable or add_library")
  endif()
  list(LENGTH arg_SOURCES count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "tile_add_kernels(${target}): SOURCES names one kernel file, not ${count}; "
                        "call tile_add_kernels once for each")
  endif()
  tile_check_language(${target})
  tile_warn_of_target(${target} "${arg_TARGETS}" "${arg_EMBED}" "${arg_OPTIONS}")
  tile_find_target(tool compiler tile::tile-translate tile-translate)

  cmake_path(ABSOLUTE_PATH arg_SOURCES OUTPUT_VARIABLE source)
  cmake_path(GET source STEM name)
  if(arg_NAME)
    set(name ${arg_NAME})
  elseif(arg_KERNEL)
    string(REPLACE "." "_" name ${arg_KERNEL})
  endif()
  tile_check_name(${target} ${name})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tile_kernels/${target})
  set(base ${folder}/${name})

  set(flags ${arg_OPTIONS})
  foreach(pair "KERNEL --kernel" "SIGNATURE --signature" "GRID --grid" "FUNCTION --c-name"
               "TUNED_DEVICE --tuned-device")
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
        tile_source_name(value "${value}")
      endif()
      list(APPEND flags ${pair} "${value}")
    endforeach()
  endforeach()
  set(database "")
  if(DEFINED arg_TUNED)
    cmake_path(ABSOLUTE_PATH arg_TUNED OUTPUT_VARIABLE database)
    list(APPEND flags --tuned ${database})
  endif()
  tile_join_flag(targets --target ${arg_TARGETS})
  tile_join_flag(configs --config ${arg_CONFIGS})
  tile_join_flag(embed --embed ${arg_EMBED})
  if(source MATCHES "\\.py$")
    set(depfile DEPFILE ${base}.d)
    list(APPEND flags --depfile ${base}.d)
    cmake_path(SET script NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TileDepfile.cmake)
    set(make_absolute COMMAND ${CMAKE_COMMAND} -DFILE=${base}.d
                              -DFOLDER=${CMAKE_CURRENT_SOURCE_DIR} -P ${script})
  endif()

  tile_source_name(name_of_source "${source}")
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${base}.c ${base}.h
    COMMAND ${tool} --tile-to-c -o ${base} ${targets} ${configs} ${embed} ${flags} ${name_of_source}
    ${make_absolute}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    DEPENDS ${source} ${tool} ${database}
    ${depfile}
    COMMENT "Compiling kernels of ${arg_SOURCES} to ${name}.h and ${name}.c"
    VERBATIM)
  target_sources(${target} PRIVATE ${base}.c ${base}.h)
  target_include_directories(${target} PRIVATE ${folder})
  tile_link_runtime_later(${target} "${arg_RUNTIME}")
endfunction()
