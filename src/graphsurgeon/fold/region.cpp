#include "graphsurgeon/fold/region.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "graphsurgeon/fold/cloner.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

namespace {

// Runtimes want axes, shapes and the like as part of the model.
constexpr int64_t kPartOfModel = 1024;
// The first IR version with functions.
constexpr int64_t kIrVersion = 8;

class UniqueNames {
 public:
  std::string operator()(std::string_view wanted) {
    std::string name(wanted.empty() ? "_" : wanted);
    if (names_.insert(name).second) return name;
    int& number = numbers_[name];
    std::string numbered;
    do {
      numbered = name + '_' + std::to_string(++number);
    } while (!names_.insert(numbered).second);
    return numbered;
  }

 private:
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int> numbers_;
};

// The targets and the nodes that they depend on, in the order of the sweep.
std::vector<int32_t> needed_entries(const FoldState& state, const std::vector<int32_t>& targets) {
  std::vector<int32_t> needed;
  std::unordered_set<int32_t> seen;
  std::vector<int32_t> todo = targets;
  while (!todo.empty()) {
    const int32_t i = todo.back();
    todo.pop_back();
    if (!seen.insert(i).second) continue;
    needed.push_back(i);
    for (const Tensor* input : state.entries[static_cast<size_t>(i)].inputs) {
      const auto fact = state.facts.find(input);
      if (fact != state.facts.end() && !fact->second.value) todo.push_back(fact->second.entry);
    }
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

bool calls_functions(const std::vector<int32_t>& entries, const FoldState& state) {
  const auto is_call = [](const Node& node) { return !is_default_domain(node.domain()); };
  for (const int32_t i : entries) {
    const Node& node = *state.entries[static_cast<size_t>(i)].node;
    if (is_call(node)) return true;
    for (const GraphRef& inner : node.subgraphs()) {
      for (const Graph* graph : inner_graphs_first(*inner)) {
        for (const NodeRef& n : graph->nodes()) {
          if (is_call(*n)) return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

Region make_region(const FoldState& state, const std::vector<int32_t>& targets) {
  Region region;
  Store& store = *Store::create();
  region.model.graph = Graph::create(store, "folding");
  Graph& graph = *region.model.graph;
  const std::vector<int32_t> needed = needed_entries(state, targets);
  const auto& scope = *state.entries[static_cast<size_t>(needed.front())].scope;
  region.model.ir_version = std::max(state.model.ir_version, kIrVersion);
  region.model.opset_imports = *scope.imports;
  if (calls_functions(needed, state)) region.model.functions = state.model.functions;

  UniqueNames tensor_names;
  UniqueNames node_names;
  Cloner cloner(store, std::ref(tensor_names), [&](std::string_view name) {
    return name.empty() ? std::string() : node_names(name);
  });
  std::unordered_set<const Tensor*> fed;
  for (const int32_t i : needed) {
    const FoldEntry& entry = state.entries[static_cast<size_t>(i)];
    for (const Tensor* input : entry.inputs) {
      const PayloadPtr value = state.value(*input);
      if (!value || !fed.insert(input).second) continue;
      const std::string name = tensor_names(input->name());
      if (value->nbytes() <= kPartOfModel) {
        TensorRef constant = Tensor::constant(store, name, value);
        graph.mutable_initializers().push_back(constant);
        cloner.map(*input, std::move(constant));
      } else {
        const Shape& shape = value->shape();
        TensorRef variable =
            Tensor::variable(store, name, value->dtype(), DimList(shape.begin(), shape.end()));
        graph.mutable_inputs().push_back(variable);
        cloner.map(*input, std::move(variable));
        region.feeds.emplace_back(name, value->load(input->name()));
      }
    }
    NodeRef node = cloner.node(*entry.node);
    // Runtimes name the node that fails.
    if (entry.node->name().empty()) node->set_name(node_names(node->outputs().front()->name()));
    graph.mutable_nodes().push_back(std::move(node));
  }
  for (const int32_t i : targets) {
    const Node& node = *state.entries[static_cast<size_t>(i)].node;
    for (size_t k = 0; k < node.outputs().size(); ++k) {
      if (node.outputs()[k]->is_empty()) continue;
      graph.mutable_outputs().push_back(cloner.tensor(*node.outputs()[k]));
      region.outputs.emplace_back(i, k);
    }
  }
  return region;
}

}  // namespace graphsurgeon
