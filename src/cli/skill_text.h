// The file docs/SKILL.md.
#pragma once

#include <string_view>

namespace polygraphy::cli {

std::string_view skill();

}  // namespace polygraphy::cli
