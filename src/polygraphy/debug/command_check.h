// A check that runs a command (spec S4.2).
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/debug/check.h"
#include "polygraphy/debug/fail_rules.h"

namespace polygraphy {

struct CommandCheckOptions {
  std::vector<std::string> command;  // the program and its arguments; no shell
  FailRules rules = {};
  bool show_output = false;       // of checks that pass, too
  bool hide_fail_output = false;  // of checks that fail
  // Seconds after which the command is killed, which is a failure of its own kind. None: ten times
  // what the first one took, and ten seconds at least.
  std::optional<double> timeout = {};
};

// Standard input, folder and environment are ours; POLYGRAPHY_DEBUG_MODEL names the file under
// test. Of floods of output the last 64 MiB are kept. What the command leaves running is killed.
// `log` and `cancel` (may be null) must outlive the check.
std::unique_ptr<Check> command_check(CommandCheckOptions options, Logger& log,
                                     const std::atomic<bool>* cancel = nullptr);

}  // namespace polygraphy
