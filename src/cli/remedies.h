// Errors of the libraries in terms of the command line: the option that is wrong, or that helps.
#pragma once

#include <string>

#include "base/error.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// The error's hint and the remedy for its code, on one or more lines; empty when there is neither.
// `args`: of the command that runs; a remedy names no option that it does not have. Null: there is
// no command yet.
std::string advice(const Error& error, const ParsedArgs* args);

// The error's message; where it is about options, it names them.
std::string message(const Error& error, const ParsedArgs* args);

}  // namespace polygraphy::cli
