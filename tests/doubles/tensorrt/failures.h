// Failures on demand: PG_TENSORRT_DOUBLE_FAIL is a list of them, with commas between. The README
// says which there are.
#pragma once

#include <optional>
#include <string>

namespace tensorrt_double {

// Whether `name` is in the list, alone or as "name:argument".
bool shall_fail(const char* name);
// The argument of "name:argument".
std::optional<std::string> failure_argument(const char* name);

}  // namespace tensorrt_double
