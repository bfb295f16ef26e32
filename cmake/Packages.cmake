# SPDX-License-Identifier: MIT
# Debian packages: `cpack -G DEB` in a build folder writes one for each component.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tile)
set(CPACK_PACKAGE_VENDOR "the tile authors")
set(CPACK_PACKAGE_CONTACT "the tile authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler toolkit for GPU kernels over tiles")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_ALL ${tile_components})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd) # xz takes a minute for libtile
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the libraries link, by dpkg-shlibdeps
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

foreach(component ${tile_components})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${tile_package_${component}})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION libs)
endforeach()
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)

# The libraries of one version belong together (lib/base/private.h).
set(tile_same "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "libtile-runtime0 ${tile_same}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "libtile0 ${tile_same}")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libtile-runtime0 ${tile_same}, libtile0 ${tile_same}")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS tile-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS gnuplot-nox) # plots of tile-bench

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Launches compiled tile kernels on GPUs")
set(CPACK_COMPONENT_COMPILER_DESCRIPTION "Compiles tile kernels and runs them on the emulator")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers, CMake package and examples of the tile toolkit")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
    "tile-opt, tile-translate, tile-run, tile-image, tile-bench and tile-tune")
include(CPack)
