#include "polygraphy/models/noise/exact_arithmetic.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "polygraphy/models/noise/moves_numbers.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;

// Sorted.
constexpr std::string_view kArithmetic[] = {
    "Add",   "Ceil",      "Clip",      "CumSum",     "Div",       "Floor", "Mod",  "Mul", "Pow",
    "Range", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum", "Round", "Sqrt", "Sub", "Sum"};

// Sorted.
constexpr std::string_view kSteps[] = {
    "ArgMax", "ArgMin",         "Ceil",    "DynamicQuantizeLinear",
    "Equal",  "Floor",          "Greater", "GreaterOrEqual",
    "Less",   "LessOrEqual",    "Mod",     "NonMaxSuppression",
    "OneHot", "QuantizeLinear", "Round",   "Sign",
    "TopK",   "Unique"};

// Operators, and their inputs that are sizes: the first, and how many. Sorted by name.
struct Sizes {
  std::string_view op;
  size_t first, count;
};
constexpr Sizes kSizes[] = {
    {"ConstantOfShape", 0, 1}, {"Expand", 1, 1},  {"OneHot", 1, 1}, {"Pad", 1, 1},
    {"Range", 0, 3},           {"Reshape", 1, 1}, {"Resize", 1, 3}, {"Slice", 1, 4},
    {"Split", 1, 1},           {"Squeeze", 1, 1}, {"Tile", 1, 1},   {"TopK", 1, 1},
    {"Unsqueeze", 1, 1},       {"Upsample", 1, 1}};

template <size_t Count>
bool is_among(const std::string_view (&names)[Count], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// A Cast that makes integers of floating-point numbers, or the other way around.
bool converts_integers(const Node& node) {
  return (node.op() == "Cast" || node.op() == "CastLike") && !node.outputs().empty() &&
         !node.inputs().empty() && is_integral(node.outputs()[0]->dtype());
}

bool computes_exactly(const Node& node) {
  return is_among(kArithmetic, node.op()) || node.op() == "Cast" ||
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
    const bool random = node->op().starts_with("Random") || node->op() == "Multinomial";
    if (reads_shape || (!node->has_subgraphs() && !random && !node->inputs().empty() &&
                        std::all_of(node->inputs().begin(), node->inputs().end(), known)))
      found.insert(node.get());
  }
  std::vector<const Node*> sizes;
  for (const NodeRef& node : graph.nodes()) {
    for (const Sizes& read : kSizes) {
      if (read.op != node->op()) continue;
      for (size_t i = read.first; i < read.first + read.count && i < node->inputs().size(); ++i) {
        if (const Node* producer = node->inputs()[i]->producer()) sizes.push_back(producer);
      }
    }
  }
  add_before(std::move(sizes), found, computes_exactly);
  return found;
}

std::unordered_set<const Node*> exact_arithmetic(const Graph& graph) {
  std::vector<const Node*> before;
  for (const NodeRef& node : graph.nodes()) {
    if (!is_among(kSteps, node->op()) && !converts_integers(*node)) continue;
    before.push_back(node.get());
    for (const Tensor* input : node->inputs()) {
      if (const Node* producer = input->producer()) before.push_back(producer);
    }
  }
  std::unordered_set<const Node*> found;
  add_before(std::move(before), found, [](const Node& node) {
    return computes_exactly(node) || is_among(kSteps, node.op());
  });
  return found;
}

}  // namespace polygraphy
