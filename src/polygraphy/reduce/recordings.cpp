#include "polygraphy/reduce/recordings.h"

#include <unordered_set>

#include "base/error.h"
#include "base/numpy_text.h"
#include "graphsurgeon/ir/scopes.h"
#include "polygraphy/reduce/log_modules.h"
#include "polygraphy/surgeon/model_view.h"
#include "polygraphy/surgeon/run_once.h"

namespace polygraphy {
namespace {

using graphsurgeon::Captures;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using log_modules::kReduce;

Metadata inputs_of(const Model& model) {
  Metadata inputs;
  for (const TensorRef& input : model.graph->inputs()) {
    if (input->is_constant()) continue;
    inputs.set(std::string(input->name()), {input->dtype(), input->shape(), {}});
  }
  return inputs;
}

// The part of the model that computes `outputs`.
Model part_for(const Model& model, const std::vector<TensorRef>& outputs) {
  const Graph& graph = *model.graph;
  Captures captures;
  for (Graph* inner : graphsurgeon::inner_graphs_first(*model.graph)) captures.add(*inner);
  std::unordered_set<const Tensor*> needed;
  for (const TensorRef& output : outputs) needed.insert(output.get());
  std::vector<NodeRef> nodes;
  for (size_t i = graph.nodes().size(); i-- > 0;) {
    const NodeRef& node = graph.nodes()[i];
    bool used = false;
    for (const Tensor* output : node->outputs()) used |= needed.contains(output);
    if (!used) continue;
    nodes.push_back(node);
    for (const Tensor* input : node->inputs()) needed.insert(input);
    captures.for_each(*node, [&](const Tensor& tensor) { needed.insert(&tensor); });
  }
  std::reverse(nodes.begin(), nodes.end());
  std::vector<TensorRef> inputs;
  for (const TensorRef& input : graph.inputs()) {
    if (needed.contains(input.get())) inputs.push_back(input);
  }
  return with_nodes(model, std::move(nodes), std::move(inputs), outputs);
}

}  // namespace

void Recordings::read_sample() {
  if (sample_) return;
  const Metadata inputs = inputs_of(model_);
  const std::optional<TensorMap> feed = feeds_.next(inputs);
  if (!feed) throw Error("there is no input data to run the model on");
  sample_ = fit_feed(*feed, inputs, log_);
  for (const auto& [name, value] : *sample_) known_[name] = value;
}

bool Recordings::several_samples() {
  read_sample();
  if (!several_) several_ = feeds_.next(inputs_of(model_)).has_value();
  return *several_;
}

TensorMap Recordings::run(const std::vector<TensorRef>& outputs) {
  const std::unique_ptr<BackendSession> session = engine_.load(part_for(model_, outputs));
  return run_once(*session, *sample_);
}

void Recordings::prepare(const std::vector<std::string>& wanted) {
  read_sample();
  const auto tensors = model_.graph->tensor_map();
  std::vector<TensorRef> outputs;
  for (const std::string& name : wanted) {
    if (known_.contains(name)) continue;
    const auto found = tensors.find(name);
    if (found == tensors.end() || found->second->is_constant() || !found->second->producer()) {
      known_[name] = std::nullopt;
    } else {
      outputs.emplace_back(found->second);
    }
  }
  if (outputs.empty()) return;
  const auto keep = [&](TensorMap found, const std::vector<TensorRef>& asked) {
    for (const TensorRef& tensor : asked) {
      const std::string name(tensor->name());
      const Array* value = found.find(name);
      known_[name] = value ? std::optional<Array>(*value) : std::nullopt;
    }
  };
  try {
    keep(run(outputs), outputs);
    return;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    log_.verbose(kReduce, "The part of the model before " + py_str_repr(outputs.front()->name()) +
                              " cannot be run: " + error.what());
  }
  if (outputs.size() == 1) {
    known_[std::string(outputs.front()->name())] = std::nullopt;
    return;
  }
  // Some of them may lie before the node on which it fails.
  for (const TensorRef& output : outputs) prepare({std::string(output->name())});
}

const Array* Recordings::value(const std::string& name) {
  prepare({name});
  const std::optional<Array>& value = known_[name];
  return value ? &*value : nullptr;
}

}  // namespace polygraphy
