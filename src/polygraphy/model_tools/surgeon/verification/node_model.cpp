#include "polygraphy/model_tools/surgeon/verification/node_model.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/surgeon/verification/model_subset.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

using graphsurgeon::Captures;
using graphsurgeon::FunctionRef;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// The graphs nested in one node, at any depth.
std::vector<Graph*> nested_graphs(const Node& node) {
  std::vector<Graph*> graphs;
  for (const GraphRef& graph : node.subgraphs()) {
    if (!graph) continue;
    const std::vector<Graph*> inner = graphsurgeon::inner_graphs_first(*graph);
    graphs.insert(graphs.end(), inner.begin(), inner.end());
  }
  return graphs;
}

bool produces_one_of(const Node& node, const std::vector<std::string>& tensors) {
  return std::any_of(node.outputs().begin(), node.outputs().end(), [&](const Tensor* output) {
    return !output->is_empty() &&
           std::find(tensors.begin(), tensors.end(), output->name()) != tensors.end();
  });
}

bool is_the_node(const Node& node, const NodeToFind& where) {
  return node.op() == where.op &&
         (where.tensors.empty() ? node.name() == where.node : produces_one_of(node, where.tensors));
}

// Function by function: whether the node is in it, or in one that it calls.
class Functions {
 public:
  Functions(const Model& model, const NodeToFind& where) : model_(model), where_(where) {
    bool grew = true;
    while (grew) {
      grew = false;
      for (const FunctionRef& function : model.functions) {
        if (guilty_.contains(function.get()) || !holds(*function)) continue;
        guilty_.insert(function.get());
        grew = true;
      }
    }
  }

  bool is_or_calls(const Node& node) const {
    if (is_the_node(node, where_)) return true;
    return std::any_of(model_.functions.begin(), model_.functions.end(), [&](const auto& each) {
      return each->name() == node.op() && each->domain() == node.domain() &&
             each->overload() == node.overload() && guilty_.contains(each.get());
    });
  }

 private:
  bool holds(graphsurgeon::Function& function) const {
    for (const Graph* graph : graphsurgeon::inner_graphs_first(function)) {
      for (const NodeRef& node : graph->nodes()) {
        if (is_or_calls(*node)) return true;
      }
    }
    return false;
  }

  const Model& model_;
  const NodeToFind& where_;
  std::unordered_set<const Graph*> guilty_;
};

Node* find_in_main_graph(const Model& model, const NodeToFind& where) {
  const Functions functions(model, where);
  for (const NodeRef& node : model.graph->nodes()) {
    if (functions.is_or_calls(*node)) return node.get();
    for (const Graph* graph : nested_graphs(*node)) {
      for (const NodeRef& inner : graph->nodes()) {
        if (functions.is_or_calls(*inner)) return node.get();
      }
    }
  }
  return nullptr;
}

// The variables that reach the node from outside, each once.
std::vector<TensorRef> inputs_of(const Node& node) {
  Captures captures;
  for (const Graph* graph : nested_graphs(node)) captures.add(*graph);
  std::vector<TensorRef> inputs;
  std::unordered_set<const Tensor*> seen;
  const auto add = [&](Tensor* tensor) {
    if (!tensor->is_empty() && !tensor->is_constant() && seen.insert(tensor).second) {
      inputs.emplace_back(tensor);
    }
  };
  for (Tensor* input : node.inputs()) add(input);
  captures.for_each(node, [&](Tensor& tensor) { add(&tensor); });
  return inputs;
}

// Empty when the runtime cannot run the model.
ValueMap observe(BundledRuntime& runtime, const Model& model, const std::vector<TensorRef>& inputs,
                 const ValueMap& feed) {
  ValueMap values;
  for (const TensorRef& input : inputs) {
    if (const Value* given = feed.find(std::string(input->name()))) {
      values.set(std::string(input->name()), *given);
    }
  }
  std::vector<TensorRef> marked;
  for (const TensorRef& input : inputs) {
    if (input->producer()) marked.push_back(input);
  }
  if (marked.empty()) return values;
  try {
    const std::unique_ptr<BackendSession> session = runtime.load(with_outputs(model, marked));
    for (auto& [name, found] : run_model(*session, feed)) values.set(name, std::move(found));
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return {};
  }
  return values;
}

}  // namespace

NodeModel save_node_model(BundledRuntime& runtime, const Model& model, const NodeToFind& where,
                          const ValueMap& feed, const std::string& stem, Logger& log) {
  Node* node = find_in_main_graph(model, where);
  if (!node) return {};
  std::vector<NodeRef> nodes;
  std::vector<TensorRef> inputs;
  for (TensorRef& input : inputs_of(*node)) {
    Node* producer = input->producer();
    if (producer && producer->op() == "Constant") {
      nodes.emplace_back(producer);
    } else {
      inputs.push_back(std::move(input));
    }
  }
  nodes.emplace_back(node);
  std::vector<TensorRef> outputs;
  for (Tensor* output : node->outputs()) {
    if (!output->is_empty()) outputs.emplace_back(output);
  }

  const ValueMap values = observe(runtime, model, inputs, feed);
  for (const TensorRef& input : inputs) {
    const Value* value = values.find(input->name());
    const Array* seen = value ? value->as_tensor() : nullptr;
    if (!seen) continue;
    if (input->dtype() == DataType::kUndefined) input->set_dtype(seen->dtype());
    if (!input->shape()) input->set_shape(info_of(*seen).shape);
  }

  NodeModel saved;
  graphsurgeon::SaveOptions options;
  options.durability = Durability::kNone;
  saved.model = stem + ".onnx";
  graphsurgeon::save_model(with_nodes(model, std::move(nodes), inputs, std::move(outputs)),
                           saved.model, options);
  const ArrayMap arrays = flatten(values);
  if (arrays.empty()) return saved;
  saved.inputs = stem + ".inputs.json";
  InputWriter writer(saved.inputs, log);
  writer.add(arrays);
  writer.finish();
  return saved;
}

}  // namespace polygraphy
