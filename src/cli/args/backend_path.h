// Back ends that the command line names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/session/environment.h"
#include "cli/syntax/syntax.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {

// False for most command lines, at next to no cost.
bool may_name_backends(std::span<const std::string> args);

// The values of --backend-path in `args`, paths as from Environment::path(): the options of the
// plugins must be known before the parser is made. Nothing if the command has no such option, or
// behind an option that takes the words of another command. `syntax`: of the command, with any back
// ends.
std::vector<std::string> named_backends(const Syntax& syntax, std::span<const std::string> args,
                                        const Environment& env);

// Throws Error for a path of Environment::backend_paths that is missing, has no plugins, or is a
// plugin that cannot be used.
void check_named_backends(const Environment& env, const BackendCatalog& catalog);

}  // namespace polygraphy::cli
