// The sandbox of a command: it, its engines and its plugins get at the files that the command line
// names, and at no others. See SECURITY.md.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/os/processes/confinement.h"
#include "cli/session/environment.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"
#include "polygraphy/backend.h"

namespace polygraphy::cli {

// The limits of a command. nullopt: none, because it starts programs or scripts of the user, or
// --no-sandbox was given. `backends`: all that are known; some start Python.
std::optional<Confinement> confinement_of(std::span<const ParsedArgs* const> levels,
                                          const Command& command, const Environment& env,
                                          std::span<const pgb_backend_options* const> backends);

struct Sandbox {
  std::shared_ptr<const void> temporary = {};  // TMPDIR, a folder that goes away with the object
  std::string lacks = {};  // a sentence on the parts that this kernel cannot enforce; or empty
};

// Makes a folder for temporary files, and confines this process.
Sandbox enter_sandbox(Confinement limits);

}  // namespace polygraphy::cli
