// A subcommand: one descriptor per file under commands/. Help, completions, the man page and the
// dispatch derive from it.
#pragma once

#include <span>
#include <string_view>

#include "cli/syntax/arg_group.h"
#include "cli/syntax/exit_codes.h"
#include "cli/syntax/option.h"

namespace polygraphy::cli {

class Session;  // cli/session/session.h: the context of a command

// A group as this command takes it.
struct GroupUse {
  const ArgGroup* group;
  std::string_view only = {};      // keys of the options taken, space separated; empty: all
  std::string_view optional = {};  // of those, the keys that this command does without
  // Of back ends: takes the options under this heading that are not deprecated; empty: any heading.
  std::string_view heading = {};
};

struct Command {
  // "run", "inspect model". A group's own parser is a command too: "inspect".
  std::string_view path;
  std::string_view summary;               // in the list of commands
  std::string_view description;           // at the head of --help
  std::string_view examples = {};         // at the end of --help: two command lines
  int order = 0;                          // in lists; the original's commands first, in its order
  std::span<const GroupUse> groups = {};  // of a command that runs: args_logging among them
  std::span<const Option> options = {};   // its own
  // A path behind the flag of a runner is the runner's own model, if the command has its model
  // already: `run m.onnx --onnxrt --torch m.pt2`.
  bool runners_take_models = false;
  // Prints the RUNNING and PASSED/FAILED lines, through Session::announce().
  bool announces = false;
  // The exit code for errors: kCouldNotRun for commands that the original lacks.
  int failure = kOriginalFailure;
  // Standard output belongs to a protocol: messages go elsewhere.
  bool speaks_protocol = false;
  // Packages of the user's Python may know options that it does not (become_extended_run()).
  bool extensible = false;
  // Runs outside of the sandbox: it starts commands that are in it, or programs of the user.
  bool is_outside = false;
  int (*run)(Session&) = nullptr;  // returns the exit code; null for a group
};

}  // namespace polygraphy::cli
