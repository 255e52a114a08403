// The Python environments, for their libraries and interpreters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/session/environment.h"

namespace polygraphy::cli {

struct PythonEnvironment {
  std::string prefix;                      // bin/python3 and lib/python3.*/site-packages lie below
  std::vector<std::string> site_packages;  // that exist
  std::string_view chosen_by;              // a variable; empty: the executable's place
};

// In order of preference: the one that the executable was installed into with its Python package,
// activated or not; then the active ones (VIRTUAL_ENV, CONDA_PREFIX).
std::vector<PythonEnvironment> python_environments(const Environment& env);

// <prefix>/lib/python3.*/site-packages, and dist-packages, if they exist.
std::vector<std::string> site_packages_below(const std::string& prefix);

// The folder of the package `polygraphy_native` that contains the executable; empty if it is not in
// one.
std::string native_package(const Environment& env);

// The folder of the packages `polygraphy` and `onnx_graphsurgeon` that came with the executable,
// for PYTHONPATH. Throws Error if they are missing.
std::string python_packages(const Environment& env);

}  // namespace polygraphy::cli
