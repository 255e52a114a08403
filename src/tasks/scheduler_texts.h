// Programs of schedulers, as texts.
#pragma once

#include <string_view>

namespace polygraphy {

std::string_view ray_driver();

}  // namespace polygraphy
