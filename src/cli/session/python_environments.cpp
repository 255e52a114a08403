#include "cli/session/python_environments.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/os/files/file_access.h"

namespace polygraphy::cli {
namespace {

std::string parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

std::vector<std::string> site_packages_below(const std::string& prefix) {
  std::vector<std::string> found;
  const std::string lib = prefix + "/lib";
  for (const std::string& name : names_in_folder(lib).value_or(std::vector<std::string>())) {
    if (!name.starts_with("python")) continue;
    found.push_back(lib + "/" + name + "/site-packages");
    // Of Debian's Python, for root.
    if (std::string of_debian = lib + "/" + name + "/dist-packages"; is_there(of_debian))
      found.push_back(std::move(of_debian));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<PythonEnvironment> python_environments(const Environment& env) {
  std::vector<PythonEnvironment> environments;
  const std::string prefix = parent(parent(env.executable));
  if (native_package(env).starts_with(prefix + "/lib/")) {
    environments.push_back({prefix, site_packages_below(prefix), {}});
  }
  for (const std::string_view variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string active(env.variable(variable));
    if (!active.empty()) environments.push_back({active, site_packages_below(active), variable});
  }
  return environments;
}

std::string native_package(const Environment& env) {
  const std::string prefix = parent(parent(env.executable));
  std::vector<std::string> folders = site_packages_below(prefix);
  folders.push_back(prefix);              // pip install --target
  folders.push_back(prefix + "/python");  // a build
  for (const std::string& folder : folders) {
    std::string package = folder + "/polygraphy_native";
    if (is_there(package)) return package;
  }
  return {};
}

std::string python_packages(const Environment& env) {
  const std::string package = native_package(env);
  if (package.empty()) {
    throw Error("The Python packages are not installed beside " + env.executable,
                "Install the wheel: `pip install .` in a clone.");
  }
  return package + "/compat";
}

}  // namespace polygraphy::cli
