// Telling one failure from another.
#pragma once

#include <string>
#include <string_view>

#include "base/os/exit_status.h"

namespace polygraphy {

// How a program ended and the first line it printed that names an error, without what differs from
// run to run: numbers, addresses, quoted names, paths, times. Equal for equal failures of models
// that differ in size and names. "exited with 1: [E:onnxruntime] Non-zero status code returned".
std::string failure_signature(const ExitStatus& status, std::string_view out, std::string_view err);

// The same of the first line of one error's message.
std::string error_signature(std::string_view message);

}  // namespace polygraphy
