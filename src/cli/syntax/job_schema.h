// Which jobs of a command there are.
#pragma once

#include <string>

#include "cli/syntax/command.h"
#include "cli/syntax/syntax.h"

namespace polygraphy::cli {

// JSON Schema (draft 2020-12) of the jobs of a command.
std::string job_schema(const Command& command, const Syntax& syntax);

}  // namespace polygraphy::cli
