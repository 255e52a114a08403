// The commands of the folder commands/.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/syntax/command.h"
#include "cli/syntax/syntax.h"
#include "polygraphy/backend.h"

namespace polygraphy::cli {

// All of them, in file order.
std::span<const Command* const> commands();

// Those directly below `path` ("" for the executable itself), in the order of lists.
std::vector<const Command*> subcommands(std::string_view path);

// The command of a job (cli/syntax/job.h): any that runs, but `job` itself. Throws Error.
const Command& command_of_job(std::string_view path);

// `text` with its command lines ("polygraphy run …") as this program is called: the executable of
// the wheel is polygraphy-native.
std::string as_called(const std::string& executable, std::string text);

// The parsers of the executable and of a command with its subcommands, as Syntax::of_root() and
// Syntax::of().
std::unique_ptr<Syntax> root_syntax();
std::unique_ptr<Syntax> syntax_of(const Command& command,
                                  std::span<const pgb_backend_options* const> backends);

}  // namespace polygraphy::cli
