#include "cli/user_scripts.h"

#include <unistd.h>

#include "cli/deferred_interrupts.h"
#include "polygraphy/compare/scripts/script_answers.h"
#include "polygraphy/compare/scripts/script_functions.h"

namespace polygraphy::cli {

PythonOptions find_python(const Environment& env) {
  PythonOptions options;
  constexpr std::string_view kNamed = "POLYGRAPHY_PYTHON";
  if (const auto named = env.variable(kNamed); !named.empty()) {
    options.program = named;
    options.chosen_by = kNamed;
    return options;
  }
  for (const std::string_view variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const auto folder = env.variable(variable);
    if (folder.empty()) continue;
    const std::string program = std::string(folder) + "/bin/python3";
    if (::access(program.c_str(), X_OK) != 0) continue;
    options.program = program;
    options.chosen_by = variable;
    return options;
  }
  return options;
}

std::optional<ScriptSymbol> typed_symbol(const ParsedArgs& args, std::string_view option,
                                         std::string_view fallback) {
  if (args.syntax().find(option) == nullptr) return std::nullopt;
  const auto text = args.text(option);
  return text ? std::optional(parse_script_symbol(*text, fallback)) : std::nullopt;
}

std::optional<ScriptSymbol> symbol_of(const ParsedArgs& args, const Environment& env,
                                      std::string_view option, std::string_view fallback) {
  auto symbol = typed_symbol(args, option, fallback);
  if (symbol) symbol->path = env.path(symbol->path);
  return symbol;
}

std::shared_ptr<UserPython> make_user_python(Environment& env, Logger& log) {
  PythonOptions options = find_python(env);
  options.out = [&env](std::string_view text) {
    env.out.write(text);
    env.out.flush();
  };
  options.err = [&env](std::string_view text) {
    env.out.flush();
    env.err.write(text);
    env.err.flush();
  };
  options.cancel = cancel_flag(env);
  auto python = std::make_shared<UserPython>(std::move(options), log);
  answer_scripts(*python);
  return python;
}

void load_scripts(const ParsedArgs& args, const Environment& env,
                  const std::shared_ptr<UserPython>& python, CompareOptions& options) {
  options.metric_options.images = lpips_in(python);
  if (const auto edit = symbol_of(args, env, "--postprocess-func-script", "postprocess_outputs")) {
    options.postprocess_script = script_postprocess(python, *edit);
  }
  if (const auto compare = symbol_of(args, env, "--compare-func-script", "compare_outputs")) {
    options.compare_script = script_comparison(python, *compare);
  }
}

}  // namespace polygraphy::cli
