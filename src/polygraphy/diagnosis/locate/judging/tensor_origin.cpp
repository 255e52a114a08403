#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/locate/judging/step_results.h"
#include "polygraphy/models/noise/approximation.h"
#include "polygraphy/models/noise/exact_arithmetic.h"

namespace polygraphy {
namespace {

std::optional<size_t> maker_of(const WholeModel& model, const std::string& tensor) {
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    const auto& makes = model.nodes()[i].makes;
    if (std::find(makes.begin(), makes.end(), tensor) != makes.end()) return i;
  }
  return std::nullopt;
}

// A Cast between floating-point types decides none.
bool decides_ties(const graphsurgeon::Node& node) {
  const bool casts = facts_of(node).movement == graphsurgeon::Movement::kConverts;
  return is_step(node.op()) && !(casts && is_floating(node.outputs()[0]->dtype()));
}

}  // namespace

bool is_behind_steps(const WholeModel& model, const std::string& tensor) {
  const auto maker = maker_of(model, tensor);
  if (!maker) return false;
  const graphsurgeon::Graph& graph = *model.model().graph;
  const auto sizes = shape_arithmetic(graph);
  std::vector<size_t> left = {*maker};
  std::unordered_set<size_t> seen = {*maker};
  while (!left.empty()) {
    const size_t position = left.back();
    left.pop_back();
    const graphsurgeon::Node& node = *graph.nodes()[position];
    if (sizes.contains(&node)) continue;
    if (decides_ties(node)) return true;
    for (const size_t before : model.nodes()[position].producers) {
      if (seen.insert(before).second) left.push_back(before);
    }
  }
  return false;
}

double error_of_function(const WholeModel& model, const std::string& tensor) {
  const auto maker = maker_of(model, tensor);
  if (!maker) return 0;
  const graphsurgeon::Node* node = model.model().graph->nodes()[*maker].get();
  while (moves_numbers(*node) && !node->inputs().empty() && node->inputs()[0]->producer())
    node = node->inputs()[0]->producer();
  return approximation_of(*node).of_one;
}

}  // namespace polygraphy
