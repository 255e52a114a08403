// A model in float16, but for some of its nodes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/precision/find_precision.h"
#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

// Nodes of the main graph are chosen from; a node with bodies is one with them.
class MixedModel {
 public:
  // `model` outlives it.
  MixedModel(const graphsurgeon::Model& model, Logger& log);

  // The nodes that would work in float16, and could stay in float32. The functions below identify
  // them by their positions in this list.
  size_t size() const { return nodes_.size(); }
  PreciseNode node(size_t position) const;
  std::vector<std::string> operators() const;

  // A copy with these nodes in float32, between Casts, and what works in float16 otherwise in that.
  // Shares the model's weights, which are converted when they are read. `log` (INFO, and warnings
  // of numbers that float16 does not hold then) outlives the copy.
  graphsurgeon::Model make(const Part& in_float32, Logger& log) const;

  // PrecisionResult::share.
  std::optional<double> share(const Part& in_float32) const;

 private:
  const graphsurgeon::Model& model_;
  std::vector<size_t> nodes_;            // in the main graph
  std::vector<double> multiplications_;  // of each node of the main graph
};

}  // namespace polygraphy
