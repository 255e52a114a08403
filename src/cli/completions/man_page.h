// The man page, in man(7) macros.
#pragma once

#include <string>

namespace polygraphy::cli {

std::string man_page();

}  // namespace polygraphy::cli
