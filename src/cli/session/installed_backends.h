// Whether the library of a back end may be on this machine, judged by names of files: nothing is
// opened or started.
#pragma once

#include <string>
#include <vector>

#include "cli/session/environment.h"
#include "polygraphy/backend.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy::cli {

class InstalledBackends {
 public:
  explicit InstalledBackends(const Environment& env);

  // True in doubt.
  bool may_have(const pgb_backend_options& backend) const;

 private:
  bool may_have_module(const std::string& module) const;
  bool may_load(const std::string& soname) const;

  PluginPaths paths_;
  std::vector<std::string> modules_;    // folders of modules of the user's Python; empty: unknown
  std::vector<std::string> libraries_;  // folders that the system's loader searches
  std::string loader_cache_;            // the contents of its list of libraries
};

}  // namespace polygraphy::cli
