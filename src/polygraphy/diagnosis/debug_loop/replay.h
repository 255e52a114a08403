// Verdicts of earlier rounds of a debugging loop, which need not be repeated.
#pragma once

#include <cstdint>
#include <string>

#include "base/ordered_map.h"

namespace polygraphy {

struct ReplayEntry {
  OrderedMap<int64_t> state;  // "num_nodes"
  int64_t iteration = 0;
  bool success = false;
};

// By round: "_N0_outputs".
using DebugReplay = OrderedMap<ReplayEntry>;

// Throws FormatError naming the file and what is wrong with it.
DebugReplay load_replay(const std::string& path);
std::string to_json(const DebugReplay& replay);

}  // namespace polygraphy
