// Named arrays in the order of the runner: inputs and outputs of an inference.
#pragma once

#include <string>

#include "base/arrays/array.h"
#include "base/ordered_map.h"

namespace polygraphy {

using TensorMap = OrderedMap<Array>;

// Copies the entry `name` of `from`: a tensor, or else the items of a sequence, s[0], s[1] ….
// Returns whether `from` has any.
inline bool add_entries(const std::string& name, const TensorMap& from, TensorMap& to) {
  if (const Array* tensor = from.find(name)) {
    to.set(name, *tensor);
    return true;
  }
  bool found = false;
  for (const auto& [item, value] : from) {
    if (!item.starts_with(name + '[')) continue;
    to.set(item, value);
    found = true;
  }
  return found;
}

}  // namespace polygraphy
