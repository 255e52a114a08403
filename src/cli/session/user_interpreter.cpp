#include "cli/session/user_interpreter.h"

#include "base/os/files/file_access.h"
#include "cli/session/command_progress.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/python_environments.h"
#include "polygraphy/comparison/compare/scripts/script_answers.h"

namespace polygraphy::cli {

PythonOptions find_python(const Environment& env) {
  PythonOptions options;
  constexpr std::string_view kNamed = "POLYGRAPHY_PYTHON";
  if (const auto named = env.variable(kNamed); !named.empty()) {
    options.program = named;
    options.chosen_by = kNamed;
    return options;
  }
  for (const PythonEnvironment& environment : python_environments(env)) {
    const std::string program = environment.prefix + "/bin/python3";
    if (!is_executable(program)) continue;
    options.program = program;
    options.chosen_by = environment.chosen_by;
    return options;
  }
  return options;
}

std::shared_ptr<UserPython> make_user_python(Environment& env, Logger& log) {
  PythonOptions options = find_python(env);
  options.out = [&env](std::string_view text) { write_above_progress(env, env.out, text); };
  options.err = [&env](std::string_view text) { write_above_progress(env, env.err, text); };
  options.cancel = cancel_token(env);
  auto python = std::make_shared<UserPython>(std::move(options), log);
  answer_scripts(*python);
  return python;
}

}  // namespace polygraphy::cli
