// Writes a candidate as the file for the check.
#pragma once

#include <functional>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Writes a candidate to a file for the check.
using WriteModel =
    std::function<void(const graphsurgeon::Model&, const std::string& path, Logger& log)>;

}  // namespace polygraphy
