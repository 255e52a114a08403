#include "cli/session/installed_backends.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/os/file_text.h"
#include "base/text.h"
#include "cli/session/module_folders.h"
#include "cli/session/plugin_paths.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/library_search.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

InstalledBackends::InstalledBackends(const Environment& env) : paths_(resolve_plugin_paths(env)) {
  ModuleFolders modules = module_folders(paths_, env);
  if (!modules.more) modules_ = std::move(modules.known);
  libraries_ = {"/lib", "/usr/lib", "/usr/local/lib", "/lib64", "/usr/lib64"};
  for (const std::string_view folder : split(env.variable("LD_LIBRARY_PATH"), ':'))
    if (!folder.empty()) libraries_.emplace_back(folder);
  try {
    loader_cache_ = read_text("/etc/ld.so.cache");
  } catch (const IoError&) {
    // The loader does without it, too.
  }
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
