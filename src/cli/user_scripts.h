// Options that name Python scripts, and the interpreter that runs them.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/log.h"
#include "cli/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/compare/comparator.h"
#include "polygraphy/python/user_python.h"

namespace polygraphy::cli {

// The interpreter that make_user_python() would start; sets no other option.
PythonOptions find_python(const Environment& env);

// The function that an option names, FILE or FILE:NAME, as it was typed; nullopt where the option
// is not given, or the command has none of the kind. Throws Error.
std::optional<ScriptSymbol> typed_symbol(const ParsedArgs& args, std::string_view option,
                                         std::string_view fallback);
// The same, to be run.
std::optional<ScriptSymbol> symbol_of(const ParsedArgs& args, const Environment& env,
                                      std::string_view option, std::string_view fallback);

// POLYGRAPHY_PYTHON, else that of the active environment (VIRTUAL_ENV, CONDA_PREFIX), else the
// python3 that PATH finds. Nothing is started before a script is to run; what scripts print goes
// where our own messages go, in order. `env` must stay alive.
std::shared_ptr<UserPython> make_user_python(Environment& env, Logger& log);

// What runs in Python, into `options`: the functions that --compare-func-script and
// --postprocess-func-script name, whose scripts run here, and LPIPS. Throws Error.
void load_scripts(const ParsedArgs& args, const Environment& env,
                  const std::shared_ptr<UserPython>& python, CompareOptions& options);

}  // namespace polygraphy::cli
