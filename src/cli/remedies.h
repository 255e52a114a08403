// Errors of the libraries in terms of the command line: the option that is wrong, or that helps.
#pragma once

#include <string>

#include "base/error.h"

namespace polygraphy::cli {

// The error's hint and the remedy for its code, on one or more lines; empty when there is neither.
std::string advice(const Error& error);

// The error's message; where it is about options, it names them.
std::string message(const Error& error);

}  // namespace polygraphy::cli
