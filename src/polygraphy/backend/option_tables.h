// The option tables of all back ends in the tree (backends/<name>/<name>_options.cpp), in order of
// name. Complete whether or not a plugin is installed, so that --help and error messages always
// are.
#pragma once

#include <span>
#include <string_view>

#include "polygraphy/backend.h"

namespace polygraphy {

std::span<const pgb_backend_options* const> backend_option_tables();

// That of one back end. Throws Error, with the names that there are, when there is none.
const pgb_backend_options& backend_options_of(std::string_view name);

}  // namespace polygraphy
