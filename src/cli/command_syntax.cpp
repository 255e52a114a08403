#include "cli/command_syntax.h"

#include "cli/session/plugin_paths.h"

namespace polygraphy::cli {

CommandSyntax::CommandSyntax(const Command& command, const Environment& env) {
  if (takes_backends(command)) {
    backends_.emplace(plugin_folders(env));
    syntax_ = syntax_of(command, backends_->tables());
  } else {
    syntax_ = syntax_of(command, {});
  }
}

}  // namespace polygraphy::cli
