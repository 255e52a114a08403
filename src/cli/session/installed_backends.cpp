#include "cli/session/installed_backends.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/python_environments.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/library_search.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

void add_list(std::string_view list, std::vector<std::string>& folders) {
  for (const std::string_view folder : split(list, ':')) {
    if (!folder.empty()) folders.emplace_back(folder);
  }
}

// The path of `program`, which may be a name that is searched in PATH; empty: it is not there.
std::string path_of(const std::string& program, const Environment& env) {
  if (program.find('/') != std::string::npos) return program;
  std::vector<std::string> folders;
  add_list(env.variable("PATH"), folders);
  for (const std::string& folder : folders) {
    std::string path = folder + "/" + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

// Empty where the interpreter is not in a separate tree, as the shims of pyenv.
std::vector<std::string> module_folders(const PluginPaths& paths, const Environment& env) {
  const fs::path program = path_of(paths.python, env);
  if (program.empty()) return {};
  const fs::path prefix = program.parent_path().parent_path();
  std::vector<std::string> folders = site_packages_below(prefix);
  if (prefix == "/usr") folders.emplace_back("/usr/lib/python3/dist-packages");
  if (folders.empty()) return folders;
  folders.insert(folders.end(), paths.site_packages.begin(), paths.site_packages.end());
  add_list(env.variable("PYTHONPATH"), folders);
  return folders;
}

}  // namespace

InstalledBackends::InstalledBackends(const Environment& env)
    : paths_(resolve_plugin_paths(env)), modules_(module_folders(paths_, env)) {
  libraries_ = {"/lib", "/usr/lib", "/usr/local/lib", "/lib64", "/usr/lib64"};
  add_list(env.variable("LD_LIBRARY_PATH"), libraries_);
  std::ifstream cache("/etc/ld.so.cache", std::ios::binary);
  loader_cache_.assign(std::istreambuf_iterator<char>(cache), {});
}

bool InstalledBackends::may_have_module(const std::string& module) const {
  const std::string path = replace_all(module, ".", "/");
  return modules_.empty() ||
         std::any_of(modules_.begin(), modules_.end(), [&](const fs::path& folder) {
           return is_there(folder / path) || is_there(folder / (path + ".py"));
         });
}

bool InstalledBackends::may_load(const std::string& soname) const {
  if (loader_cache_.find('\0' + soname + '\0') != std::string::npos) return true;
  return std::any_of(libraries_.begin(), libraries_.end(),
                     [&](const fs::path& folder) { return is_there(folder / soname); });
}

bool InstalledBackends::may_have(const pgb_backend_options& backend) const {
  for (const auto& [name, path] : paths_.library_env) {
    if (name == backend.name) return true;
  }
  if (runs_in_python(backend)) return may_have_module(backend.python_module);
  if (!backend.site_packages_patterns && !backend.sonames) return true;  // it searches by itself
  const std::vector<std::string> candidates = library_candidates(backend, paths_);
  return std::any_of(candidates.begin(), candidates.end(), [&](const std::string& candidate) {
    return candidate.find('/') != std::string::npos || may_load(candidate);
  });
}

}  // namespace polygraphy::cli
