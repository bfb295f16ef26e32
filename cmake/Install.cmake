# SPDX-License-Identifier: MIT
# What `cmake --install` and CPack take: four components, each a Debian package.
#   runtime    libtile_runtime, for programs that launch compiled kernels, and libtile_emulator,
#              which it opens
#   compiler   libtile, for programs that compile
#   dev        headers, the archive, the CMake package, pkg-config files, dialects, examples
#   tools      the command-line tools, their manual pages and shell completion
# Everything finds its neighbours by relative paths: the installed tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(tile_package_runtime libtile-runtime0)
set(tile_package_compiler libtile0)
set(tile_package_dev libtile-dev)
set(tile_package_tools tile-tools)
set(tile_components runtime compiler dev tools)

# --- Libraries and tools ---
file(RELATIVE_PATH tile_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
# No empty entry: the loader takes that for the current folder.
set(tile_library_rpath "$ORIGIN" ${CMAKE_INSTALL_RPATH})
if(TILE_LLVM_LINK STREQUAL "shared")
  # The distribution's, where the loader may not look.
  list(APPEND tile_library_rpath ${LLVM_LIB_DIR})
endif()
set(tile_tool_rpath "$ORIGIN/${tile_bin_to_lib}" ${CMAKE_INSTALL_RPATH})
set_target_properties(tile PROPERTIES INSTALL_RPATH "${tile_library_rpath}")
set_target_properties(${TILE_TOOLS} PROPERTIES INSTALL_RPATH "${tile_tool_rpath}")

foreach(library runtime compiler)
  set(target tile_runtime)
  if(library STREQUAL "compiler")
    set(target tile)
  endif()
  install(TARGETS ${target} EXPORT tile
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${library} NAMELINK_COMPONENT dev)
endforeach()
install(TARGETS tile_emulator
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_SKIP)
install(TARGETS tile_runtime_static EXPORT tile
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(TARGETS ${TILE_TOOLS} EXPORT tile-tools
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)

# --- Headers and data ---
install(DIRECTORY include/tile DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(DIRECTORY dialects DESTINATION ${CMAKE_INSTALL_DATADIR}/tile COMPONENT dev
        FILES_MATCHING PATTERN "*.irdl.mlir" PATTERN "*.def" PATTERN "*.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/tile COMPONENT dev)
# The documents that headers and messages name, beside the examples, to which they lead.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/tile COMPONENT dev
        FILES_MATCHING PATTERN "*.md")
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/tile COMPONENT dev)
foreach(component ${tile_components})
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${tile_package_${component}}
          RENAME copyright COMPONENT ${component})
endforeach()
install(FILES CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${tile_package_dev} COMPONENT dev)

# --- Manual pages and completion (tools/CMakeLists.txt) ---
if(TARGET tile_pages)
  foreach(tool ${TILE_TOOLS})
    set(pages ${PROJECT_BINARY_DIR}/generated/tools)
    install(FILES ${pages}/${tool}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
    install(FILES ${pages}/${tool} COMPONENT tools
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${pages}/_${tool} COMPONENT tools
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  endforeach()
endif()

# --- For CMake: find_package(tile) ---
set(tile_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tile)
configure_package_config_file(cmake/tileConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/generated/tileConfig.cmake
                              INSTALL_DESTINATION ${tile_cmake_folder}
                              PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/tileConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
file(GLOB tile_cmake_functions CONFIGURE_DEPENDS cmake/Tile*.cmake)
install(FILES ${PROJECT_BINARY_DIR}/generated/tileConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/tileConfigVersion.cmake ${tile_cmake_functions}
        DESTINATION ${tile_cmake_folder} COMPONENT dev)
install(EXPORT tile NAMESPACE tile:: FILE tileTargets.cmake
        DESTINATION ${tile_cmake_folder} COMPONENT dev)
# With the tools, because CMake refuses targets whose files are not there.
install(EXPORT tile-tools NAMESPACE tile:: FILE tileToolsTargets.cmake
        DESTINATION ${tile_cmake_folder} COMPONENT tools)

# --- For pkg-config ---
file(RELATIVE_PATH tile_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH tile_pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH tile_pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
foreach(library tile tile_runtime)
  configure_file(cmake/${library}.pc.in ${PROJECT_BINARY_DIR}/generated/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/generated/${library}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

include(cmake/Packages.cmake)
