// Runners in separate processes (ours).
#pragma once

#include <cstdint>
#include <optional>

#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// --timeout in seconds; nullopt: it was not given. Throws Error for an invalid time.
std::optional<double> resolve_timeout(const ParsedArgs& args);
// --mem-limit in bytes; nullopt: it was not given. Throws Error for none, and for no number.
std::optional<uint64_t> resolve_memory_limit(const ParsedArgs& args);
// --isolate: each runner gets a separate process.
bool wants_isolation(const ParsedArgs& args);

}  // namespace polygraphy::cli
