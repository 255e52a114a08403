// Exit codes of all commands. Help, the man page and docs/exit-codes.md have the texts of the
// table.
#pragma once

#include <string_view>

namespace polygraphy::cli {

inline constexpr int kAgrees = 0, kDiffers = 1, kUsage = 2, kCouldNotRun = 3, kSubmitted = 4,
                     kInterrupted = 130;

// A variable of the environment: "distinct" gives the original's commands kCouldNotRun and kUsage,
// too.
inline constexpr std::string_view kDistinctCodes = "POLYGRAPHY_EXIT_CODES";

// The original's commands return this for whatever is wrong, and scripts rely on it.
inline constexpr int kOriginalFailure = kDiffers;

struct ExitCode {
  std::string_view codes;
  std::string_view short_meaning;  // for --help; empty: not listed there
  std::string_view meaning;
  std::string_view option = {};  // only commands that have it end with the code
};

inline constexpr ExitCode kExitCodes[] = {
    {"0", "agrees, or done",
     "The command did its work; compared outputs agree, and checks passed."},
    {"1", "differs, or a check failed",
     "A comparison or a check failed: outputs differ, a node is guilty, a model has errors."},
    {"2", "wrong command line",
     "The command line is wrong: an unknown command, a missing argument, a value of another "
     "type."},
    {"3", "could not do its work",
     "The command could not do its work: a missing file, a model that is not one, a runtime that "
     "is not installed or that fails. The original's commands return 1 instead."},
    {"4", "submitted, no verdict yet",
     "The tasks are submitted (`--detach`) or described (`--on k8s:render=`): there is no verdict "
     "yet.",
     "--detach"},
    {"65, 75", "", "`task run` only: no machine gives a result; another one may."},
    {"130, 143, 129", "", "Ctrl-C, SIGTERM, SIGHUP."},
};

}  // namespace polygraphy::cli
