// Options that name functions of Python scripts: FILE or FILE:NAME.
#pragma once

#include <optional>
#include <string_view>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy::cli {

// The function that an option names, as it was typed; its name is `fallback` where none is given.
// nullopt where the option is not given, or the command has no such option. Throws Error.
std::optional<ScriptSymbol> typed_symbol(const ParsedArgs& args, std::string_view option,
                                         std::string_view fallback);
// The same with the path at which the file is found.
std::optional<ScriptSymbol> symbol_of(const ParsedArgs& args, const Environment& env,
                                      std::string_view option, std::string_view fallback);

}  // namespace polygraphy::cli
