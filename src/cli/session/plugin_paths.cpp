#include "cli/session/plugin_paths.h"

#include <dirent.h>

#include <algorithm>

#include "base/text.h"
#include "polygraphy/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

// <prefix>/lib/python3.*/site-packages.
void add_site_packages(std::string_view prefix, std::vector<std::string>& out) {
  if (prefix.empty()) return;
  const std::string lib = std::string(prefix) + "/lib";
  DIR* folder = ::opendir(lib.c_str());
  if (!folder) return;
  std::vector<std::string> found;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name.starts_with("python"))
      found.push_back(lib + "/" + std::string(name) + "/site-packages");
  }
  ::closedir(folder);
  std::sort(found.begin(), found.end());
  out.insert(out.end(), found.begin(), found.end());
}

// `variable` if it is set, else a folder of the tree that the executable is in.
std::string folder(const Environment& env, std::string_view variable, std::string_view name) {
  const auto chosen = env.variable(variable);
  if (!chosen.empty()) return std::string(chosen);
  const std::string bin = env.executable.substr(0, env.executable.rfind('/'));
  return bin.substr(0, bin.rfind('/')) + "/lib/polygraphy/" + std::string(name);
}

}  // namespace

std::vector<std::string> plugin_folders(const Environment& env) {
  std::vector<std::string> folders = {folder(env, "POLYGRAPHY_BACKEND_DIR", "backends")};
  for (const auto own : split(env.variable("POLYGRAPHY_BACKENDS"), ':')) {
    if (!own.empty()) folders.push_back(env.path(own));
  }
  return folders;
}

PluginPaths resolve_plugin_paths(const Environment& env) {
  PluginPaths paths;
  paths.plugin_dirs = plugin_folders(env);
  paths.bundled.push_back(folder(env, "POLYGRAPHY_ENGINE_DIR", "engines"));
  add_site_packages(env.variable("VIRTUAL_ENV"), paths.site_packages);
  add_site_packages(env.variable("CONDA_PREFIX"), paths.site_packages);
  for (const auto* backend : BackendCatalog(paths.plugin_dirs).tables()) {
    if (!backend->library_env) continue;
    const auto library = env.variable(backend->library_env);
    if (!library.empty()) paths.library_env.emplace_back(backend->name, library);
  }
  return paths;
}

}  // namespace polygraphy::cli
