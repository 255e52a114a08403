// Options of the comparison functions other than `simple`.
#pragma once

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

extern const ArgGroup args_other_functions;

}  // namespace polygraphy::cli
