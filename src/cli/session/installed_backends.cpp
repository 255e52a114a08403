#include "cli/session/installed_backends.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

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

// Debian's folders of modules, beside those of site_packages_below().
void add_dist_packages(std::vector<std::string>& folders) {
  folders.emplace_back("/usr/lib/python3/dist-packages");
  for (const std::string& folder : site_packages_below("/usr/local"))
    folders.push_back((fs::path(folder).parent_path() / "dist-packages").string());
}

// Of the packages of `pip install --user`.
void add_user_site(const Environment& env, std::vector<std::string>& folders) {
  std::string base(env.variable("PYTHONUSERBASE"));
  if (base.empty()) base = std::string(env.variable("HOME")) + "/.local";
  for (std::string& folder : site_packages_below(base)) folders.push_back(std::move(folder));
}

// Whether a virtual environment has the modules of its base interpreter, too.
bool includes_system_site(std::istream& settings) {
  for (std::string line; std::getline(settings, line);) {
    const size_t equals = line.find('=');
    if (equals != std::string::npos &&
        strip(line.substr(0, equals)) == "include-system-site-packages")
      return to_lower(strip(line.substr(equals + 1))) == "true";
  }
  return false;
}

// Adds the folders that a .pth file names. False: it runs code, such as a finder of an editable
// install, which may find modules anywhere.
bool add_named_folders(const fs::path& file, std::vector<std::string>& folders) {
  const std::string name = file.filename();
  if (name == "distutils-precedence.pth" || name == "polygraphy_native.pth") return true;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("import ") || line.starts_with("import\t")) return false;
    const std::string folder(strip(line));
    if (!folder.empty() && folder[0] != '#')
      folders.push_back((file.parent_path() / folder).string());
  }
  return true;
}

// The same of all .pth files in `folders`.
bool add_path_files(std::vector<std::string>& folders) {
  for (const std::string& folder : std::vector<std::string>(folders)) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().extension() == ".pth" && !add_named_folders(it->path(), folders)) return false;
    }
  }
  return true;
}

// Empty: unknown, as where the interpreter is not in a separate tree (the shims of pyenv).
std::vector<std::string> module_folders(const PluginPaths& paths, const Environment& env) {
  const fs::path program = path_of(paths.python, env);
  if (program.empty()) return {};
  const fs::path prefix = program.parent_path().parent_path();
  std::vector<std::string> folders = site_packages_below(prefix);
  if (std::ifstream settings(prefix / "pyvenv.cfg"); settings) {
    if (includes_system_site(settings)) return {};
  } else {
    std::error_code ignored;
    const fs::path real = fs::canonical(program, ignored).parent_path().parent_path();
    if (real != prefix) {
      for (std::string& folder : site_packages_below(real)) folders.push_back(std::move(folder));
    }
    if (prefix == "/usr" || real == "/usr") add_dist_packages(folders);
  }
  if (folders.empty()) return folders;
  add_user_site(env, folders);
  folders.insert(folders.end(), paths.site_packages.begin(), paths.site_packages.end());
  if (!add_path_files(folders)) return {};
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
