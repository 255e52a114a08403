// The interface through which folding computes nodes with constant inputs; an inference runtime
// implements it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Runs `region` once. `feeds` has each of its inputs by name: views of constants, which the
  // evaluator must not keep or copy into the model. Returns the values of the region's outputs, in
  // their order. Throws polygraphy::Error with the runtime's reason.
  virtual std::vector<polygraphy::Array> evaluate(
      const Model& region, const std::vector<std::pair<std::string, polygraphy::Array>>& feeds) = 0;
};

}  // namespace graphsurgeon
