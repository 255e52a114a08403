// Libraries that are loaded while the program runs.
#pragma once

#include <string>

namespace polygraphy {

// Null: it cannot be loaded, and `reason` receives the system's words. It stays open. A path
// without
// '/' is searched where libraries are.
void* open_library(const std::string& path, std::string& reason);
void* symbol_of(void* library, const char* name);  // null: it has no such symbol

}  // namespace polygraphy
