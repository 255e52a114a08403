// Small networks of the kinds that people deploy, with random weights.
#pragma once

#include <span>
#include <string>

#include "base/arrays/array_map.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct SmallNetwork {
  const char* name;
  graphsurgeon::Model (*make)();
  ArrayMap (*feed)(int64_t sample);
};

std::span<const SmallNetwork> small_networks();

}  // namespace polygraphy
