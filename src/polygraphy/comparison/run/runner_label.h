// A runner's name as lines of the log begin with it.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy {

// The name, padded with spaces to 35 characters.
std::string runner_label(std::string_view runner_name);

}  // namespace polygraphy
