#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/extract.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/reduce/intermediates/bottleneck.h"
#include "polygraphy/diagnosis/reduce/intermediates/declared_types.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
#include "polygraphy/models/candidates/prune_unused.h"
#include "polygraphy/models/candidates/sliced_payload.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::TensorRef;

WorkerRequest request_for(PluginPaths paths) {
  return {.runner = "part of the model",
          .backend = "onnxrt",
          .options = bundled_options(),
          .paths = bundled_only(std::move(paths))};
}

// The feeds of the inputs of the part. The runtime decides about an input without values: an
// optional may hold nothing.
ValueMap feeds_of(const Model& part, const ValueMap& feeds) {
  ValueMap result;
  for (const TensorRef& input : part.graph->inputs()) {
    if (const Value* value = feeds.find(input->name())) {
      result.set(std::string(input->name()), *value);
    }
  }
  return result;
}

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::PayloadPtr;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;
using log_modules::kReduce;

// The part of the model that computes these tensors, as a separate model: from its inputs, and from
// known values, which `feeds` holds.
Model part_for(const Model& model, const std::vector<std::string>& names, const ArrayMap& feeds) {
  Model part = graphsurgeon::copy(model);
  Graph& graph = *part.graph;
  const auto tensors = graph.tensor_map();
  std::vector<TensorRef> inputs = graph.inputs(), outputs;
  for (const auto& [name, value] : feeds) {
    const auto found = tensors.find(name);
    if (found == tensors.end() || !found->second->producer()) continue;
    polygraphy::describe(*found->second, info_of(value));
    inputs.emplace_back(found->second);
  }
  for (const std::string& name : names) outputs.emplace_back(tensors.at(name));
  graphsurgeon::extract(part, std::move(inputs), std::move(outputs));
  prune_unused(part);
  return part;
}

// The first elements of a value along each axis, as many as the dimensions say that are known.
// nullopt: it does not have that many.
std::optional<Array> part_of_shape(const Array& value, const DimList* dims) {
  if (!dims) return value;
  if (dims->size() != value.shape().size()) return std::nullopt;
  Shape shape = value.shape();
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const Dim& dim = (*dims)[axis];
    if (!dim.is_static()) continue;
    if (dim.value() > shape[axis]) return std::nullopt;
    shape[axis] = dim.value();
  }
  if (shape == value.shape()) return value;
  const PayloadPtr part = first_elements(graphsurgeon::owned_payload(value), std::move(shape));
  return part ? std::optional(part->load({})) : std::nullopt;
}

// Most often the model is the cause, as is to be expected of a model to debug. The user can mend
// other causes: a missing file or runtime.
void say_why_not(const std::string& part, const Error& error, Logger& log) {
  if (dynamic_cast<const RunnerFailure*>(&error)) {
    log.verbose(kReduce, part + " cannot be run: " + error.what());
    return;
  }
  std::string why =
      std::string("Values inside the model are unknown, since it cannot run here: ") + error.what();
  if (!error.hint().empty()) why += '\n' + error.hint();
  log.warning(kReduce, why, Once::kYes);
}

}  // namespace

SubmodelRunner::SubmodelRunner(const Model& model, std::string program, PluginPaths paths,
                               Logger& log, CancelToken cancel)
    : model_(model), worker_(std::move(program), request_for(std::move(paths)), quiet_) {
  worker_.set_cancel(cancel);
  show_as_verbose(quiet_, log, log_modules::kOnnxrtLoader);
}

ValueMap SubmodelRunner::run(const Model& part, const ValueMap& feeds) {
  if (!folder_) folder_ = std::make_unique<CandidateFolder>(model_);
  const std::string path = folder_->path("part.onnx");
  folder_->write(part, path);
  worker_.begin_load(path);
  worker_.finish_load();
  ValueMap outputs = worker_.infer(feeds_of(part, feeds)).outputs;
  try {
    worker_.unload();
  } catch (const RunnerFailure&) {
    // It has crashed after its work was done, and is started again when it is needed.
  }
  return outputs;
}

const ValueMap* Intermediates::find_sample(int64_t sample) {
  return samples_.at(sample, metadata_of_variables(model_.graph->inputs()), log_);
}

const ValueMap& Intermediates::get_sample(int64_t sample) {
  if (const ValueMap* found = find_sample(sample)) return *found;
  throw Error("no input data to run the model on");
}

ActivationCache::Known& Intermediates::known(int64_t sample) {
  ActivationCache::Known*& known = known_[sample];
  if (!known) known = &values_->of(get_sample(sample));
  return *known;
}

std::optional<ValueMap> Intermediates::inputs(int64_t sample) {
  const std::lock_guard lock(mutex_);
  const ValueMap* found = find_sample(sample);
  return found ? std::optional(*found) : std::nullopt;
}

bool Intermediates::several_samples() {
  const std::lock_guard lock(mutex_);
  return find_sample(1) != nullptr;
}

// Infers types and shapes of outputs from their operators, without running them.
void Intermediates::infer() {
  ActivationCache::Known& known_tensors = known(0);
  if (std::exchange(known_tensors.inferred, true)) return;
  auto& infos = known_tensors.infos;
  Model model = graphsurgeon::copy(model_);
  for (const TensorRef& input : model.graph->inputs()) {
    const auto known = infos.find(std::string(input->name()));
    if (input->is_constant() || known == infos.end() || !known->second) continue;
    input->set_dtype(known->second->dtype);
    input->set_shape(known->second->shape);
  }
  try {
    Logger quiet;
    graphsurgeon::infer_shapes(model, {}, quiet);
  } catch (const Error& error) {
    log_.verbose(kReduce, std::string("Shapes cannot be inferred: ") + error.what());
    return;
  }
  for (const auto& [name, tensor] : model.graph->tensor_map()) {
    if (tensor->is_constant() || tensor->type_kind() != TypeKind::kTensor ||
        tensor->dtype() == DataType::kUndefined || !tensor->shape() ||
        !is_static(*tensor->shape())) {
      continue;
    }
    TensorInfo info;
    info.dtype = tensor->dtype();
    info.shape = tensor->shape();
    infos.try_emplace(std::string(name), std::move(info));
  }
}

ArrayMap Intermediates::run(const Outputs& outputs, int64_t sample) {
  std::vector<std::string> names;
  for (const TensorRef& output : outputs) names.emplace_back(output->name());
  const ArrayMap& recorded = known(sample).values;
  Model part = part_for(model_, names, recorded);
  // The next questions are often about its neighbours.
  if (TensorRef bottleneck = bottleneck_of(part))
    part.graph->mutable_outputs().push_back(std::move(bottleneck));
  ValueMap feeds = get_sample(sample);
  for (const auto& [name, value] : recorded) feeds.set(name, value);
  return tensors_of(runner_.run(part, feeds));
}

ArrayMap Intermediates::compute(const Outputs& outputs, int64_t sample, Logger& log) {
  ArrayMap found;
  try {
    found = run(outputs, sample);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    say_why_not("The part of the model before " + py_str_repr(outputs.front()->name()), error, log);
    if (outputs.size() > 1) {
      // Some of them may lie before the node on which it fails.
      for (const TensorRef& output : outputs) {
        for (auto& [name, value] : compute({output}, sample, log)) found.set(name, value);
      }
      return found;
    }
  }
  for (const TensorRef& output : outputs) {
    const std::string name(output->name());
    if (!found.contains(name)) failed_.emplace(sample, name);
  }
  values_->keep(known(sample), found);
  return found;
}

ArrayMap Intermediates::find_values(const std::vector<std::string>& names, int64_t sample,
                                    Logger& log) {
  const ValueMap& feed = get_sample(sample);
  const auto tensors = model_.graph->tensor_map();
  ArrayMap found;
  Outputs missing;
  for (const std::string& name : names) {
    const Value* input = feed.find(name);
    const Array* value = input ? input->as_tensor() : known(sample).values.find(name);
    if (value) {
      found.set(name, *value);
      continue;
    }
    const auto tensor = tensors.find(name);
    if (tensor == tensors.end() || tensor->second->is_constant() || !tensor->second->producer() ||
        failed_.contains({sample, name})) {
      continue;
    }
    missing.emplace_back(tensor->second);
  }
  if (!missing.empty()) {
    for (auto& [name, value] : compute(missing, sample, log)) found.set(name, value);
  }
  return found;
}

ArrayMap Intermediates::values(const std::vector<std::string>& names, int64_t sample, Logger& log) {
  const std::lock_guard lock(mutex_);
  return find_values(names, sample, log);
}

bool Intermediates::has_other_dimensions(const Model& made) {
  if (&made == &model_) return false;
  infer();
  const auto& infos = known(0).infos;
  const auto recorded = model_.graph->tensor_map();
  const auto differs = [&](const TensorRef& tensor) {
    const std::optional<DimList> shape = tensor->shape();
    if (!shape || !is_static(*shape)) return false;
    if (const auto own = recorded.find(tensor->name());
        own != recorded.end() && own->second->is_constant()) {
      return *own->second->shape() != *shape;
    }
    const auto info = infos.find(std::string(tensor->name()));
    return info != infos.end() && info->second && info->second->shape &&
           *info->second->shape != *shape;
  };
  return std::ranges::any_of(made.graph->inputs(), differs) ||
         std::ranges::any_of(made.graph->initializers(), differs);
}

// Inputs, on the first sample, of a model that was made from this one, as far as they are known:
// where a dimension has become smaller, the first elements.
ArrayMap Intermediates::inputs_of(const Model& made) {
  ArrayMap found = find_values(tensor_names(made.graph->inputs()), 0, log_);
  ArrayMap fitting;
  for (const TensorRef& input : made.graph->inputs()) {
    const std::string name(input->name());
    const Array* value = found.find(name);
    if (!value) continue;
    if (std::optional<Array> part = part_of_shape(*value, input->declared_shape())) {
      fitting.set(name, *std::move(part));
    }
  }
  return fitting;
}

ArrayMap Intermediates::values_in(const Model& made, const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  if (&made == &model_) return find_values(names, 0, log_);
  ArrayMap found;
  if (!has_other_dimensions(made)) found = find_values(names, 0, log_);
  // A tensor inside a body cannot be an output of the model.
  const auto own = made.graph->tensor_map();
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (!found.contains(name) && own.contains(name)) missing.push_back(name);
  }
  if (missing.empty()) return found;
  try {
    ArrayMap feeds = inputs_of(made);
    for (const TensorRef& input : made.graph->inputs()) {
      if (!input->is_constant() && !feeds.contains(std::string(input->name()))) return found;
    }
    std::erase_if(missing, [&](const std::string& name) {
      const Array* value = feeds.find(name);
      if (value) found.set(name, *value);
      return value || own.at(name)->is_constant();
    });
    if (missing.empty()) return found;
    const ValueMap outputs = runner_.run(part_for(made, missing, feeds), values_of(feeds));
    for (const auto& [name, value] : tensors_of(outputs)) found.set(name, value);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    say_why_not("The producer of " + py_str_repr(missing.front()), error, log_);
  }
  return found;
}

bool Intermediates::is_resized(const Model& made) {
  const std::lock_guard lock(mutex_);
  return has_other_dimensions(made);
}

Metadata Intermediates::describe(const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  auto& infos = known(0).infos;
  infer();
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    if (!infos.contains(name)) unknown.push_back(name);
  }
  if (!unknown.empty()) find_values(unknown, 0, log_);
  Metadata result;
  for (const std::string& name : names) {
    if (const auto& info = infos[name]) result.set(name, *info);
  }
  return result;
}

Metadata Intermediates::declared(const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  if (!declared_) declared_ = declared_types(model_);
  Metadata result;
  for (const std::string& name : names) {
    if (const TensorInfo* info = declared_->find(name)) result.set(name, *info);
  }
  return result;
}

}  // namespace polygraphy
