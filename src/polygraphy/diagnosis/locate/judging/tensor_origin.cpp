#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"

#include <algorithm>
#include <optional>

#include "polygraphy/models/noise/approximation.h"
#include "polygraphy/models/noise/moves_numbers.h"

namespace polygraphy {
namespace {

std::optional<size_t> maker_of(const WholeModel& model, const std::string& tensor) {
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    const auto& makes = model.nodes()[i].makes;
    if (std::find(makes.begin(), makes.end(), tensor) != makes.end()) return i;
  }
  return std::nullopt;
}

}  // namespace

double error_of_function(const WholeModel& model, const std::string& tensor) {
  const auto maker = maker_of(model, tensor);
  if (!maker) return 0;
  const graphsurgeon::Node* node = model.model().graph->nodes()[*maker].get();
  while (moves_numbers(*node) && !node->inputs().empty() && node->inputs()[0]->producer())
    node = node->inputs()[0]->producer();
  return approximation_of(*node).of_one;
}

}  // namespace polygraphy
