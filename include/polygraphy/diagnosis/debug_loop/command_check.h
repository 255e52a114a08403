// A check that runs a command.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/check_timeout.h"
#include "polygraphy/diagnosis/debug_loop/fail_rules.h"

namespace polygraphy {

struct CommandCheckOptions {
  // The program and its arguments; no shell. In the words, "{model}" becomes the path of the file
  // under test; for sh -c, quoted where it must be.
  std::vector<std::string> command;
  // Words before these: what runs the command somewhere else.
  std::vector<std::string> launcher = {};
  FailRules rules = {};
  bool show_output = false;       // of checks that pass, too
  bool hide_fail_output = false;  // of checks that fail
  // Seconds after which the command is killed, which is a failure of its own kind. None: ten times
  // what the first one took, and ten seconds at least.
  std::optional<double> timeout = {};
  std::shared_ptr<LearnedTimeout> learned = {};  // null: this check learns alone
};

// Whether something that the command is made of names `artifact`'s file, but nothing tells it where
// another file under test would be ({model}, POLYGRAPHY_DEBUG_MODEL): its words, and scripts among
// them.
bool names_one_file_only(const std::vector<std::string>& command, const std::string& artifact);

// Standard input, folder and environment are ours; POLYGRAPHY_DEBUG_MODEL names the file under
// test. Of floods of output the last 64 MiB are kept. What the command leaves running is killed.
// `log` must outlive the check.
std::unique_ptr<Check> command_check(CommandCheckOptions options, Logger& log,
                                     CancelToken cancel = {});

}  // namespace polygraphy
