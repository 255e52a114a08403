// Facts about the tensors of one model, from all runs of its parts.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// Types and shapes are kept, values as far as 64 MiB go: then they are forgotten, all of them.
// Belongs to one thread.
class ActivationCache {
 public:
  // When the model runs on certain inputs.
  struct Known {
    ValueMap inputs;
    ArrayMap values;
    std::map<std::string, std::optional<TensorInfo>> infos;  // nullopt: it cannot be found out
    bool inferred = false;  // true: includes facts from shape inference
  };

  // Of these inputs, by their contents. Valid as long as this. O(bytes).
  Known& of(const ValueMap& inputs);
  // Stores the results of one run, which may be views of the same memory.
  void keep(Known& known, const ArrayMap& found);

 private:
  std::deque<Known> known_;
  int64_t bytes_ = 0;
};

}  // namespace polygraphy
