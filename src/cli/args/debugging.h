// Common options of the `debug` commands: the check of iterations, and the files to keep.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "cli/session/session.h"
#include "cli/syntax/parser.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/command_check.h"
#include "polygraphy/diagnosis/debug_loop/interactive_check.h"
#include "polygraphy/diagnosis/debug_loop/loop_options.h"
#include "polygraphy/diagnosis/debug_loop/repeat.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"

namespace polygraphy::cli {

// Commands pick from it.
// The options of args_pass_fail for a check by a command or by the user.
inline constexpr std::string_view kCommandCheckOptions =
    "--check --fail-code --ignore-fail-code --fail-regex --show-output --hide-fail-output "
    "--check-timeout";

// Behind a message on a time limit that was not given.
inline constexpr std::string_view kTimeoutRemedy = "--check-timeout sets another limit.";

// Throws Error for invalid patterns.
CommandCheckOptions resolve_check(const ParsedArgs& args);
// Seconds; nullopt: none was given. Throws Error where that leaves no time.
std::optional<double> check_timeout(const ParsedArgs& args);
// `default_artifact`: what --iter-artifact is when it is not given; empty for commands without.
LoopOptions resolve_loop(const ParsedArgs& args, std::string_view default_artifact = {});
// Throws Error unless it is a number, good or bad.
Until resolve_until(const ParsedArgs& args);

// Makes checks: the command of --check, the selected in-process check (on `inputs`), or else a
// question to the user (INFO then). The session must outlive them.
//
// `artifact_of_several`: the file under test, for checks that run in parallel; the check command
// must then use the given path. Throws Error if it does not, and for an interactive check.
MakeCheck make_check(Session& session, const std::string& artifact_of_several = {},
                     const CandidateInputs& inputs = {});

}  // namespace polygraphy::cli
