#include "cli/session/runner_tools.h"

#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/user_interpreter.h"

namespace polygraphy::cli {

RunnerTools resolve_runner_tools(Session& session) {
  Environment& env = session.env();
  return {.paths = resolve_plugin_paths(env),
          .program = env.executable,
          .python = make_user_python(env, session.log()),
          .cancel = cancel_token(env),
          .names_without_time = env.is_job};
}

}  // namespace polygraphy::cli
