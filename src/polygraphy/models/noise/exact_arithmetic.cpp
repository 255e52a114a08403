#include "polygraphy/models/noise/exact_arithmetic.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphsurgeon/operators/operator_facts.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Movement;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::OperatorFacts;
using graphsurgeon::Tensor;

// A Cast that makes integers of floating-point numbers, or the other way around.
bool converts_integers(const Node& node) {
  return facts_of(node).movement == Movement::kConverts && !node.outputs().empty() &&
         !node.inputs().empty() && is_integral(node.outputs()[0]->dtype());
}

bool computes_exactly(const Node& node) {
  const OperatorFacts& facts = facts_of(node);
  return facts.whole || facts.movement == Movement::kConverts ||
         (moves_numbers(node) && !node.has_subgraphs());
}

// The nodes, and those before them as long as `passes` lets through.
template <typename Passes>
void add_before(std::vector<const Node*> left, std::unordered_set<const Node*>& found,
                const Passes& passes) {
  while (!left.empty()) {
    const Node* node = left.back();
    left.pop_back();
    if (!passes(*node) || !found.insert(node).second) continue;
    for (const Tensor* input : node->inputs()) {
      if (const Node* producer = input->producer()) left.push_back(producer);
    }
  }
}

}  // namespace

std::unordered_set<const Node*> shape_arithmetic(const Graph& graph) {
  std::unordered_set<const Node*> found;
  for (const NodeRef& node : graph.nodes()) {
    const auto known = [&](const Tensor* input) {
      return input->is_empty() || input->is_constant() ||
             (input->producer() && found.contains(input->producer()));
    };
    const bool reads_shape = node->op() == "Shape" || node->op() == "Size";
    if (reads_shape ||
        (!node->has_subgraphs() && !facts_of(*node).random && !node->inputs().empty() &&
         std::all_of(node->inputs().begin(), node->inputs().end(), known)))
      found.insert(node.get());
  }
  std::vector<const Node*> sizes;
  for (const NodeRef& node : graph.nodes()) {
    const OperatorFacts& facts = facts_of(*node);
    for (size_t i = 0; i < node->inputs().size(); ++i) {
      const Node* producer = node->inputs()[i]->producer();
      if (producer && facts.decides_shape(i)) sizes.push_back(producer);
    }
  }
  add_before(std::move(sizes), found, computes_exactly);
  return found;
}

std::unordered_set<const Node*> exact_arithmetic(const Graph& graph) {
  std::vector<const Node*> before;
  for (const NodeRef& node : graph.nodes()) {
    if (!facts_of(*node).steps && !converts_integers(*node)) continue;
    before.push_back(node.get());
    for (const Tensor* input : node->inputs()) {
      if (const Node* producer = input->producer()) before.push_back(producer);
    }
  }
  std::unordered_set<const Node*> found;
  add_before(std::move(before), found,
             [](const Node& node) { return computes_exactly(node) || facts_of(node).steps; });
  return found;
}

}  // namespace polygraphy
