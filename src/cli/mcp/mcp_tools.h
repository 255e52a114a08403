// The commands that an agent can call, and a call as a command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/session/environment.h"

namespace polygraphy::cli {

// A JSON array: a tool per command with its positional arguments, runners and "options", and
// one that lists all options of a tool. With the back ends of the machine.
std::string mcp_tools(const Environment& env);

struct McpCall {
  std::vector<std::string> argv = {};  // with the executable; empty: `text` is the answer
  std::string summary = {};  // a file for the verdict as Markdown; empty: the command has none
  std::string text = {};
};

// `arguments`: a JSON object; empty: none. Results go into `folder`, made before the start. Throws
// Error: an unknown tool, arguments that the command does not take, a path outside of `root`, a
// program.
McpCall mcp_call(const Environment& env, std::string_view tool, std::string_view arguments,
                 const std::string& root, const std::string& folder);

}  // namespace polygraphy::cli
