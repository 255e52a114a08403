// The parser of a command with the options of all back ends of the machine.
#pragma once

#include <memory>
#include <optional>

#include "cli/command_list.h"
#include "cli/session/environment.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {

class CommandSyntax {
 public:
  // Opens no plugin for a command without options of back ends. Throws Error when two plugins
  // clash.
  CommandSyntax(const Command& command, const Environment& env);

  const Syntax& operator*() const { return *syntax_; }
  const Syntax* operator->() const { return syntax_.get(); }

 private:
  std::optional<BackendCatalog> backends_;  // has the tables that the parser refers to
  std::unique_ptr<Syntax> syntax_;
};

}  // namespace polygraphy::cli
