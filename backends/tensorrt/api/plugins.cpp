#include "tensorrt/api/plugins.h"

#include <dlfcn.h>
#include <unistd.h>

#include <string>

namespace tensorrt::TENSORRT_FAMILY {

void load_plugins(const Library& library, Logger& logger, const pgb::Options& options) {
  for (const std::string& path : options.values("plugins")) {
    logger.host().log(pgb::kInfo, kLoaderModule, "Loading plugin library: " + path);
    // Plugins register themselves with the library that is already there.
    const bool here = path.find('/') == path.npos && access(path.c_str(), F_OK) == 0;
    if (dlopen((here ? "./" + path : path).c_str(), RTLD_NOW | RTLD_GLOBAL)) continue;
    const char* error = dlerror();
    throw pgb::bad_option(
        "--plugins: " + std::string(error ? error : path),
        "Check the path, and whether the plugin was built for " + library.name() + ".");
  }
  library.register_plugins(&logger);
}

}  // namespace tensorrt::TENSORRT_FAMILY
