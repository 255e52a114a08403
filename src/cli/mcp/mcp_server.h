// A server of the Model Context Protocol over standard input and output: tools for agents.
#pragma once

#include <string>

#include "cli/session/environment.h"

namespace polygraphy::cli {

// Serves until the input ends or the command is interrupted; nothing but messages goes to the
// output. Calls run one after the other, each in a separate process; other messages are answered
// meanwhile. Agents can use the files in `root`, an absolute path without links, only; results go
// into its folder polygraphy_mcp. Revisions 2026-07-28 (stateless) and 2024-11-05 to 2025-11-25
// (with a handshake).
void serve_mcp(Environment& env, const std::string& root);

}  // namespace polygraphy::cli
