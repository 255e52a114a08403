#include "polygraphy/reduce/recordings.h"

#include <unordered_set>

#include "base/error.h"
#include "base/numpy_text.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/extract.h"
#include "polygraphy/data/graph_metadata.h"
#include "polygraphy/reduce/describe.h"
#include "polygraphy/reduce/drop_unused.h"
#include "polygraphy/reduce/log_modules.h"
#include "polygraphy/surgeon/run_once.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using log_modules::kReduce;

constexpr int64_t kMostKept = int64_t{64} << 20;

// Constants up to this size are part of what is run; greater ones are fed, as views, so that they
// need no memory.
constexpr int64_t kPartOfModel = 1024;

bool is_fed(const Tensor& constant) {
  return constant.payload()->nbytes() > kPartOfModel && engine_takes(constant.dtype());
}

// The part of the model that computes these tensors, as a model of its own: from its inputs, and
// from what is known already. Everything that is known is to be found in `feeds`.
Model part_for(const Model& model, const std::vector<std::string>& names, TensorMap& feeds) {
  Model part = graphsurgeon::copy(model);
  Graph& graph = *part.graph;
  const auto tensors = graph.tensor_map();
  std::vector<TensorRef> inputs = graph.inputs(), outputs;
  for (const auto& [name, value] : feeds) {
    const auto found = tensors.find(name);
    if (found == tensors.end() || !found->second->producer()) continue;
    const TensorInfo info = info_of(value);
    found->second->set_dtype(info.dtype);
    found->second->set_shape(info.shape);
    inputs.emplace_back(found->second);
  }
  for (const std::string& name : names) outputs.emplace_back(tensors.at(name));
  graphsurgeon::extract(part, std::move(inputs), std::move(outputs));
  drop_unused(part);

  std::vector<TensorRef> to_feed;
  for (const TensorRef& tensor : graph.initializers()) {
    if (is_fed(*tensor)) to_feed.push_back(tensor);
  }
  std::erase_if(graph.mutable_initializers(),
                [](const TensorRef& tensor) { return is_fed(*tensor); });
  // Of IR version 3, each is an input already.
  std::unordered_set<const Tensor*> listed;
  for (const TensorRef& input : graph.inputs()) listed.insert(input.get());
  for (const TensorRef& tensor : to_feed) {
    feeds.set(std::string(tensor->name()), tensor->values().contiguous_aligned());
    tensor->to_variable_of_same_shape(tensor->dtype());
    if (!listed.contains(tensor.get())) graph.mutable_inputs().push_back(tensor);
  }
  return part;
}

}  // namespace

void Recordings::read_sample() {
  if (sample_) return;
  const Metadata inputs = metadata_of_variables(model_.graph->inputs());
  const std::optional<TensorMap> feed = feeds_.next(inputs);
  if (!feed) throw Error("there is no input data to run the model on");
  sample_ = fit_feed(*feed, inputs, log_);
  for (const auto& [name, value] : *sample_) known_[name] = info_of(value);
}

bool Recordings::several_samples() {
  read_sample();
  if (!several_) several_ = feeds_.next(metadata_of_variables(model_.graph->inputs())).has_value();
  return *several_;
}

TensorMap Recordings::run(const std::vector<TensorRef>& outputs) {
  std::vector<std::string> names;
  for (const TensorRef& output : outputs) names.emplace_back(output->name());
  TensorMap feeds = *sample_;
  for (const auto& [name, value] : kept_) feeds.set(name, value);
  const std::unique_ptr<BackendSession> session = engine_.load(part_for(model_, names, feeds));
  return run_once(*session, feeds);
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

TensorMap Recordings::values_in(const Model& made, const std::vector<std::string>& names) {
  TensorMap found = values(names);
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (!found.contains(name)) missing.push_back(name);
  }
  if (missing.empty() || &made == &model_) return found;
  try {
    TensorMap feeds = values(names_of(made.graph->inputs()));
    for (const TensorRef& input : made.graph->inputs()) {
      if (!input->is_constant() && !feeds.contains(std::string(input->name()))) return found;
    }
    const std::unique_ptr<BackendSession> session = engine_.load(part_for(made, missing, feeds));
    for (auto& [name, value] : run_once(*session, feeds)) found.set(name, value);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    log_.verbose(kReduce,
                 "What makes " + py_str_repr(missing.front()) + " cannot be run: " + error.what());
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
