#include "polygraphy/reduce/recordings.h"

#include <algorithm>
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

constexpr int64_t kMostKept = int64_t{64} << 20;

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
  for (const auto& [name, value] : *sample_) known_[name] = info_of(value);
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

void Recordings::keep(const std::string& name, const Array* value) {
  if (!value) {
    known_[name] = std::nullopt;
    return;
  }
  known_[name] = info_of(*value);
  const int64_t bytes = value->nbytes();
  if (bytes > kMostKept) return;
  if (kept_bytes_ + bytes > kMostKept) {
    kept_ = {};
    kept_bytes_ = 0;
  }
  kept_.set(name, *value);
  kept_bytes_ += bytes;
}

TensorMap Recordings::compute(const std::vector<TensorRef>& outputs) {
  TensorMap found;
  try {
    found = run(outputs);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    log_.verbose(kReduce, "The part of the model before " + py_str_repr(outputs.front()->name()) +
                              " cannot be run: " + error.what());
    if (outputs.size() > 1) {
      // Some of them may lie before the node on which it fails.
      for (const TensorRef& output : outputs) {
        for (auto& [name, value] : compute({output})) found.set(name, value);
      }
      return found;
    }
  }
  for (const TensorRef& output : outputs) {
    const std::string name(output->name());
    keep(name, found.find(name));
  }
  return found;
}

TensorMap Recordings::values(const std::vector<std::string>& names) {
  read_sample();
  const auto tensors = model_.graph->tensor_map();
  TensorMap found;
  std::vector<TensorRef> missing;
  for (const std::string& name : names) {
    const Array* value = sample_->find(name);
    if (!value) value = kept_.find(name);
    const auto known = known_.find(name);
    if (value) {
      found.set(name, *value);
    } else if (known == known_.end() || known->second) {
      const auto tensor = tensors.find(name);
      if (tensor == tensors.end() || tensor->second->is_constant() || !tensor->second->producer()) {
        known_[name] = std::nullopt;
      } else {
        missing.emplace_back(tensor->second);
      }
    }
  }
  if (!missing.empty()) {
    for (auto& [name, value] : compute(missing)) found.set(name, value);
  }
  return found;
}

Metadata Recordings::describe(const std::vector<std::string>& names) {
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    if (!known_.contains(name)) unknown.push_back(name);
  }
  if (!unknown.empty()) values(unknown);
  Metadata result;
  for (const std::string& name : names) {
    if (const auto& info = known_[name]) result.set(name, *info);
  }
  return result;
}

}  // namespace polygraphy
