#include "cli/session/plugin_paths.h"

#include "base/os/files/file_access.h"
#include "base/text.h"
#include "cli/session/python_environments.h"
#include "cli/session/user_interpreter.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

// `variable` if it is set, else a folder of the tree that the executable is in, or of the Python
// package that it was installed with.
std::string folder(const Environment& env, std::string_view variable, std::string_view name) {
  const auto chosen = env.variable(variable);
  if (!chosen.empty()) return std::string(chosen);
  const std::string bin = env.executable.substr(0, env.executable.rfind('/'));
  const std::string below = "/lib/polygraphy/" + std::string(name);
  std::string of_tree = bin.substr(0, bin.rfind('/')) + below;
  if (is_there(of_tree)) return of_tree;
  const std::string package = native_package(env);
  return package.empty() ? of_tree : package + below;
}

}  // namespace

std::vector<std::string> plugin_folders(const Environment& env) {
  std::vector<std::string> folders = {folder(env, "POLYGRAPHY_BACKEND_DIR", "backends")};
  for (const auto own : split(env.variable("POLYGRAPHY_BACKENDS"), ':')) {
    if (!own.empty()) folders.push_back(env.path(own));
  }
  folders.insert(folders.end(), env.backend_paths.begin(), env.backend_paths.end());
  return folders;
}

PluginPaths library_folders(const Environment& env) {
  PluginPaths paths;
  paths.plugin_dirs = plugin_folders(env);
  paths.bundled.push_back(folder(env, "POLYGRAPHY_ENGINE_DIR", "engines"));
  for (const PythonEnvironment& environment : python_environments(env)) {
    const auto& folders = environment.site_packages;
    paths.site_packages.insert(paths.site_packages.end(), folders.begin(), folders.end());
  }
  return paths;
}

PluginPaths resolve_plugin_paths(const Environment& env) {
  PluginPaths paths = library_folders(env);
  paths.python = find_python(env).program;
  for (const auto* backend : BackendCatalog(paths.plugin_dirs).tables()) {
    if (!backend->library_env) continue;
    const auto library = env.variable(backend->library_env);
    if (!library.empty()) paths.library_env.emplace_back(backend->name, library);
  }
  return paths;
}

}  // namespace polygraphy::cli
