/* SPDX-License-Identifier: MIT */
/* Two versions of the toolkit on one cache. A version is its build id, which this program says in
   place of the library: what a program defines goes before what it is linked with. */
#include "cache_fixture.h"

#include "base/build_id.h"
#include "tile/compiler.h"

static const char *id = "11111111111111111111111111111111";

__attribute__((visibility("default"))) const char *build_id(void) {
  return id;
}

static const char kernel_text[] =
    "func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {\n  return\n}\n";

/* Compiles as a process of that version would; what the cache did. */
static tile_cache_statistics compile_as(const char *version, const char *folder) {
  tile_cache *cache = NULL;
  tile_compiler *compiler = NULL;
  tile_cache_statistics statistics = {0};
  tile_compile_options options = tile_compile_options_default();
  tile_blob blob = {0};
  id = version;
  CHECK(!tile_cache_open(&(tile_cache_options){.folder = folder}, &cache));
  CHECK(!tile_compiler_create(&compiler));
  CHECK(!tile_compiler_use_cache(compiler, cache));
  CHECK(!tile_compile(compiler, "k.mlir", kernel_text, sizeof kernel_text - 1, &options,
                      TILE_OUTPUT_PTX, &blob));
  CHECK(!tile_cache_get_statistics(cache, &statistics));
  CHECK(blob.size > 0);
  free(blob.data);
  tile_compiler_destroy(compiler);
  tile_cache_close(cache);
  return statistics;
}

static void versions_have_entries_of_their_own(void) {
  static const char one[] = "11111111111111111111111111111111",
                    two[] = "22222222222222222222222222222222";
  char *folder = make_test_folder();
  CHECK_EQUAL(compile_as(one, folder).misses, 1);
  CHECK_EQUAL(compile_as(two, folder).misses, 1);
  CHECK_EQUAL(compile_as(one, folder).disk_hits, 1);
  CHECK_EQUAL(compile_as(two, folder).disk_hits, 1);
  remove_test_folder(folder);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv,
                   {"versions_have_entries_of_their_own", versions_have_entries_of_their_own});
}
