#include "bench.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::contract {

PluginPaths test_paths() {
  PluginPaths paths;
  paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  paths.bundled = {PG_DEPS_DIR};
  for (const pgb_backend_options* each : backend_option_tables()) {
    if (const char* path = std::getenv(each->library_env)) {
      paths.library_env.emplace_back(each->name, path);
    }
  }
  return paths;
}

Array array_of_bytes(DataType type, Shape shape, std::string_view bytes) {
  Array array = Array::uninitialized(type, std::move(shape));
  EXPECT_EQ(static_cast<int64_t>(bytes.size()), array.nbytes());
  std::memcpy(array.mutable_data(), bytes.data(), static_cast<size_t>(array.nbytes()));
  return array;
}

}  // namespace polygraphy::contract
