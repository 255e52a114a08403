#include "cli/session/module_folders.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/os/files/file_access.h"
#include "base/text.h"
#include "cli/session/python_environments.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;

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
    if (is_executable(path)) return path;
  }
  return {};
}

// Of the packages of `pip install --user`.
void add_user_site(const Environment& env, std::vector<std::string>& folders) {
  std::string base(env.variable("PYTHONUSERBASE"));
  if (base.empty()) base = std::string(env.variable("HOME")) + "/.local";
  for (std::string& folder : site_packages_below(base)) folders.push_back(std::move(folder));
}

// The base of a virtual environment that has the modules of its base interpreter, too; else empty.
fs::path included_base(std::istream& settings) {
  fs::path base;
  bool is_included = false;
  for (std::string line; std::getline(settings, line);) {
    const size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key(strip(line.substr(0, equals))), value(strip(line.substr(equals + 1)));
    if (key == "home") base = fs::path(value).parent_path();
    if (key == "include-system-site-packages") is_included = to_lower(value) == "true";
  }
  return is_included ? base : fs::path();
}

void add_packages_below(const fs::path& prefix, std::vector<std::string>& folders) {
  for (std::string& folder : site_packages_below(prefix)) folders.push_back(std::move(folder));
  if (prefix != "/usr") return;
  folders.emplace_back("/usr/lib/python3/dist-packages");  // of Debian, as those for root
  add_packages_below("/usr/local", folders);
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
  bool all = true;
  for (const std::string& folder : std::vector<std::string>(folders)) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().extension() == ".pth") all &= add_named_folders(it->path(), folders);
    }
  }
  return all;
}

// The trees with Pythons that a shim of pyenv may start.
std::vector<fs::path> versions_below(const fs::path& prefix) {
  std::vector<fs::path> versions;
  std::error_code error;
  for (fs::directory_iterator it(prefix / "versions", error), end; !error && it != end;
       it.increment(error)) {
    versions.push_back(it->path());
  }
  if (!versions.empty()) versions.emplace_back("/usr");
  return versions;
}

}  // namespace

ModuleFolders module_folders(const PluginPaths& paths, const Environment& env) {
  const fs::path program = path_of(paths.python, env);
  if (program.empty()) return {.more = true};
  const fs::path prefix = program.parent_path().parent_path();
  std::vector<std::string> folders;
  add_packages_below(prefix, folders);
  if (std::ifstream settings(prefix / "pyvenv.cfg"); settings) {
    if (const fs::path base = included_base(settings); !base.empty())
      add_packages_below(base, folders);
  } else {
    std::error_code ignored;
    const fs::path real = fs::canonical(program, ignored).parent_path().parent_path();
    if (real != prefix) add_packages_below(real, folders);
  }
  if (folders.empty()) {
    for (const fs::path& version : versions_below(prefix)) add_packages_below(version, folders);
  }
  if (folders.empty()) return {.more = true};
  add_user_site(env, folders);
  folders.insert(folders.end(), paths.site_packages.begin(), paths.site_packages.end());
  const bool all = add_path_files(folders);
  add_list(env.variable("PYTHONPATH"), folders);
  return {.known = std::move(folders), .more = !all};
}

}  // namespace polygraphy::cli
