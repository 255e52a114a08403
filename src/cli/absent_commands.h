// The original's commands that this version does not have.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace polygraphy::cli {

struct AbsentCommand {
  std::string_view path;          // "inspect capability"
  std::string_view reason;        // what it would need
  std::string_view instead = {};  // the nearest thing that there is
};

std::span<const AbsentCommand> absent_commands();

// Throws Error for a command line that calls one of them: why it is not there, and what is.
void refuse_absent_command(std::span<const std::string> argv);

}  // namespace polygraphy::cli
