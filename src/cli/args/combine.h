// Files that become one.
#pragma once

#include <string>
#include <vector>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

struct CombineArgs {
  std::vector<std::string> paths;
  std::string output;
};
CombineArgs resolve_combine(const ParsedArgs& args, const Environment& env);

}  // namespace polygraphy::cli
