// Remedies for errors in terms of the command line: the option that helps.
#pragma once

#include <string>

#include "base/error.h"

namespace polygraphy::cli {

// The error's hint and the remedy for its code, on one or more lines; empty when there is neither.
std::string advice(const Error& error);

}  // namespace polygraphy::cli
