// Answers to options that are known but do nothing: never ignored in silence.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// "TensorRT is not available: …", naming the engines that are.
Error engine_not_available(std::string_view engine);

// Throws Error for the first option that is not available in this version yet. Warns of removed
// options, naming the new form, and of options of absent engines (one line per engine).
void check_support(const ParsedArgs& args, Logger& log);

}  // namespace polygraphy::cli
