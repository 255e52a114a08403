#include "polygraphy/models/noise/cache_formats.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {
namespace {

using graphsurgeon::Node;
using graphsurgeon::Tensor;

bool rounds(const Node& node) {
  if (node.inputs().empty() || node.outputs().empty()) return false;
  if (node.op() == "QuantizeLinear")
    return node.inputs().size() > 1 && node.inputs()[1]->is_constant();
  const auto from = coarser(NumberFormat::kFloat32, node.inputs()[0]->dtype());
  const auto to = coarser(NumberFormat::kFloat32, node.outputs()[0]->dtype());
  return node.op() == "Cast" && from && to && significant_digits(*to) < significant_digits(*from);
}

// The numbers that the node rounds, before nodes that give them another shape or order.
const Tensor* rounded_numbers(const Node& node) {
  const Tensor* numbers = node.inputs()[0];
  const bool of_each = node.op() != "Cast" && node.inputs()[1]->payload()->size() != 1;
  while (!of_each && numbers->consumers().size() == 1 && numbers->producer() &&
         facts_of(*numbers->producer()).movement <= graphsurgeon::Movement::kPermutes)
    numbers = numbers->producer()->inputs()[0];
  return numbers;
}

}  // namespace

std::unordered_map<const Tensor*, graphsurgeon::NodeRef> nodes_that_round_caches(
    const graphsurgeon::Graph& graph, const std::vector<std::string>& caches) {
  std::unordered_map<const Tensor*, graphsurgeon::NodeRef> found;
  if (caches.empty()) return found;
  std::unordered_map<const Tensor*, graphsurgeon::NodeRef> producers;
  std::vector<const Tensor*> open;
  for (const graphsurgeon::NodeRef& node : graph.nodes()) {
    for (const Tensor* output : node->outputs()) {
      producers.emplace(output, node);
      if (std::ranges::find(caches, output->name()) != caches.end()) open.push_back(output);
    }
  }
  while (!open.empty()) {
    const auto producer = producers.find(open.back());
    open.pop_back();
    if (producer == producers.end()) continue;
    const graphsurgeon::NodeRef node = producer->second;
    producers.erase(producer);  // once
    if (rounds(*node)) {
      found.emplace(rounded_numbers(*node), node);
    } else if (moves_numbers(*node)) {
      for (const Tensor* input : node->inputs()) open.push_back(input);
    }
  }
  return found;
}

}  // namespace polygraphy
