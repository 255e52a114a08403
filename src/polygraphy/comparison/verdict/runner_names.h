// Names of runners in texts and pages.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy {

// "onnxrt-runner-N0" of "onnxrt-runner-N0-11/26/26-09:42:56"; other names are whole.
std::string_view without_time(std::string_view runner);
// A text without the times of all such names in it.
std::string without_times(std::string_view text);

}  // namespace polygraphy
