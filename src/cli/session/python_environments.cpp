#include "cli/session/python_environments.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace polygraphy::cli {
namespace {

// <prefix>/lib/python3.*/site-packages.
std::vector<std::string> site_packages_below(const std::string& prefix) {
  std::vector<std::string> found;
  const std::string lib = prefix + "/lib";
  DIR* folder = ::opendir(lib.c_str());
  if (!folder) return found;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name.starts_with("python"))
      found.push_back(lib + "/" + std::string(name) + "/site-packages");
  }
  ::closedir(folder);
  std::sort(found.begin(), found.end());
  return found;
}

std::string parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

std::vector<PythonEnvironment> python_environments(const Environment& env) {
  std::vector<PythonEnvironment> environments;
  const std::string prefix = parent(parent(env.executable));
  std::vector<std::string> own = site_packages_below(prefix);
  const bool packaged = std::any_of(own.begin(), own.end(), [](const std::string& folder) {
    return ::access((folder + "/polygraphy_native").c_str(), F_OK) == 0;
  });
  if (packaged) environments.push_back({prefix, std::move(own), {}});
  for (const std::string_view variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string active(env.variable(variable));
    if (!active.empty()) environments.push_back({active, site_packages_below(active), variable});
  }
  return environments;
}

std::string python_packages(const Environment& env) {
  const std::string prefix = parent(parent(env.executable));
  std::vector<std::string> folders = site_packages_below(prefix);
  folders.push_back(prefix + "/python");  // of a build
  for (const std::string& folder : folders) {
    std::string packages = folder + "/polygraphy_native/compat";
    if (::access(packages.c_str(), F_OK) == 0) return packages;
  }
  throw Error("The Python packages are not installed beside " + env.executable,
              "They come with the wheel: `pip install .` in a clone.");
}

}  // namespace polygraphy::cli
