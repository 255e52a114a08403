#include "base/os/processes/dynamic_library.h"

#include <dlfcn.h>

namespace polygraphy {

void* open_library(const std::string& path, std::string& reason) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* error = library ? nullptr : ::dlerror();
  if (error) reason = error;
  return library;
}

void* symbol_of(void* library, const char* name) {
  return ::dlsym(library, name);
}

}  // namespace polygraphy
