// Whether a model is shown in a browser.
#pragma once

#include <optional>
#include <string>

#include "base/log.h"
#include "cli/session/environment.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

struct VisualizationArgs {
  int port = 0;
  std::optional<std::string> save_path;  // none: it is served
  std::optional<std::string> around;     // a node or tensor; none: all is shown
  size_t depth = 0;                      // edges from it
};

// nullopt: not in a browser. Throws Error.
std::optional<VisualizationArgs> resolve_visualization(const ParsedArgs& args,
                                                       const Environment& env);

}  // namespace polygraphy::cli
