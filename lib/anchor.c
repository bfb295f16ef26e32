/* CMake wants a shared library to have a source of its own; all code comes from tile_internal. */
typedef int tile_anchor;
