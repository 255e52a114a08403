// The folders where the user's Python finds modules and packages, judged by names of files and by
// lines of text: no Python is started.
#pragma once

#include <string>
#include <vector>

#include "cli/session/environment.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy::cli {

struct ModuleFolders {
  // The folders of all versions where a shim of pyenv chooses one. Empty: not known.
  std::vector<std::string> known = {};
  // Modules may lie elsewhere, too, as after editable installs with .pth files that run code.
  bool more = false;
};

ModuleFolders module_folders(const PluginPaths& paths, const Environment& env);

}  // namespace polygraphy::cli
