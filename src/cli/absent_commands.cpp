#include "cli/absent_commands.h"

#include "base/error.h"
#include "base/text.h"

namespace polygraphy::cli {
namespace {

constexpr AbsentCommand kAbsent[] = {
    {"plugin autotune", "this version does not time plugins",
     "What plugins can replace: `polygraphy plugin match`; replaced: `polygraphy plugin replace`."},
};

bool is_called(std::string_view path, std::span<const std::string> words) {
  const auto parts = split(path, ' ');
  if (parts.size() > words.size()) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != words[i]) return false;
  }
  return true;
}

}  // namespace

std::span<const AbsentCommand> absent_commands() {
  return kAbsent;
}

void refuse_absent_command(std::span<const std::string> argv) {
  if (argv.empty()) return;
  for (const AbsentCommand& command : kAbsent) {
    if (!is_called(command.path, argv.subspan(1))) continue;
    throw Error("polygraphy " + std::string(command.path) +
                    " is not available: " + std::string(command.reason),
                command.instead.empty() ? "What there is: `polygraphy --help`."
                                        : std::string(command.instead));
  }
}

}  // namespace polygraphy::cli
