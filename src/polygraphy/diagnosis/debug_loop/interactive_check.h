// A check that asks the user.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "polygraphy/diagnosis/debug_loop/check.h"

namespace polygraphy {

// Prints the question and returns the line typed; nullopt at the end of the input.
using Ask = std::function<std::optional<std::string>(const std::string& question)>;

// Asks until the answer begins with p or f. Throws Error at the end of the input (kNoAnswer).
inline constexpr ErrorCode kNoAnswer{"no-answer"};
std::unique_ptr<Check> interactive_check(Ask ask);

}  // namespace polygraphy
