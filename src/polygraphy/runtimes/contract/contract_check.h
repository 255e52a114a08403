// The contract as a job: all cases that apply to one back end, in a child process, which starts
// again after a crash.
#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/backend.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy::contract {

struct ContractCheck {
  std::string backend = {};     // its name
  std::string exclusions = {};  // a file; empty: the one beside the plugin, if there is one
  std::string model = {};       // one that it takes, for further cases; may be empty
  std::string model_type = {};  // empty: by its name, and by the contents of a folder
  PluginPaths paths = {};
  std::string program = {};  // polygraphy itself
  double seconds = 60;       // that a case may take
  CancelToken cancel = {};
};

struct ContractReport {
  size_t passed = 0, excluded = 0, failed = 0, left_out = 0;
  bool complied() const { return failed == 0; }
};

// `type`, else by the patterns of the back end's model types, and by the contents of a folder; the
// first type where none fits. Throws Error for a type that the back end does not take.
std::string format_to_check(const pgb_backend_options& backend, const std::string& model,
                            const std::string& type);

// "…/polygraphy_mine.exclusions.txt" for "…/polygraphy_mine.so".
std::string exclusions_beside(const std::string& plugin);

// INFO: the back end, a line per group of cases. ERROR: each case that fails, with its findings.
// WARNING: exclusions that pass, and those that no case has. Throws Error when the back end cannot
// be opened, for a file of exclusions that says nothing; Interrupted.
ContractReport check_contract(const ContractCheck& check, Logger& log);

}  // namespace polygraphy::contract
