// Options of the `simple` comparison function.
#pragma once

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

extern const ArgGroup args_simple;

}  // namespace polygraphy::cli
