// A check that runs a command.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "base/os/exit_status.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/check_timeout.h"
#include "polygraphy/diagnosis/debug_loop/fail_rules.h"

namespace polygraphy {

struct CommandCheckOptions {
  // The program and its arguments; no shell. In the words, "{model}" becomes the path of the file
  // under test; for sh -c, it is quoted if necessary.
  std::vector<std::string> command;
  // The program that the command `polygraphy` starts, which may have another name or not be in
  // PATH; empty: the one of that name.
  std::string polygraphy = {};
  // Words in front of the command, which run it on another machine.
  std::vector<std::string> launcher = {};
  // The status of the command, from the launcher's status and standard error. Null: the same.
  std::function<ExitStatus(ExitStatus launcher, std::string_view err)> launched_status = {};
  FailRules rules = {};
  bool show_output = false;       // of checks that pass, too
  bool hide_fail_output = false;  // of checks that fail
  // Seconds after which the command is killed; a timeout is a separate kind of failure. nullopt:
  // ten times the duration of the first check, and at least ten seconds.
  std::optional<double> timeout = {};
  std::shared_ptr<LearnedTimeout> learned = {};  // null: not shared with other checks
};

// True if the words of the command, or scripts among them, name the file of `artifact`, but use
// neither {model} nor POLYGRAPHY_DEBUG_MODEL, so that the command cannot test another file.
bool names_one_file_only(const std::vector<std::string>& command, const std::string& artifact);

// Standard input, folder and environment are ours; POLYGRAPHY_DEBUG_MODEL names the file under
// test. Keeps the last 64 MiB of the output. Kills processes that the command leaves behind. `log`
// must outlive the check.
std::unique_ptr<Check> command_check(CommandCheckOptions options, Logger& log,
                                     CancelToken cancel = {});

}  // namespace polygraphy
