#include "polygraphy/diagnosis/reduce/intermediates/describe.h"

#include <algorithm>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/object_text.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/diagnosis/reduce/intermediates/declared_types.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;
using log_modules::kReduce;

bool needs_description(const Tensor& tensor, bool with_shape) {
  if (tensor.is_constant() || tensor.type_kind() != TypeKind::kTensor) return false;
  return tensor.dtype() == DataType::kUndefined || (with_shape && !tensor.shape());
}

bool is_open(const Tensor& tensor) {
  if (tensor.is_constant() || tensor.type_kind() != TypeKind::kTensor) return false;
  if (tensor.dtype() == DataType::kUndefined || !tensor.declared_shape()) return true;
  for (const graphsurgeon::Dim& dim : *tensor.declared_shape()) {
    if (!dim.is_static()) return true;
  }
  return false;
}

// A loop may return other dimensions each time, but always the same number of them, and the
// standard's checker requires ranks of outputs.
void give_ranks(Model& model) {
  const auto has_no_rank = [](const TensorRef& output) {
    return needs_description(*output, true) && output->dtype() != DataType::kUndefined;
  };
  if (std::ranges::none_of(model.graph->outputs(), has_no_rank)) return;
  const Metadata declared = declared_types(model);
  for (const TensorRef& output : model.graph->outputs()) {
    const TensorInfo* info = declared.find(std::string(output->name()));
    if (!has_no_rank(output) || !info || !info->shape || output->dtype() != info->dtype) continue;
    output->set_shape(graphsurgeon::DimList(info->shape->size()));
  }
}

// Only how many there are is still true.
void forget_dimensions(Metadata& infos) {
  for (auto& [name, info] : infos) {
    if (info.shape) info.shape = graphsurgeon::DimList(info.shape->size());
  }
}

// Types and shapes from running the model, or else from its declarations.
Metadata find(const std::vector<std::string>& names, const Model& model,
              Intermediates& intermediates, Logger& log) {
  Metadata found;
  bool resized = false;
  try {
    found = intermediates.describe(names);
    resized = intermediates.is_resized(model);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    log.verbose(kReduce, std::string("Cannot record values: ") + error.what());
  }
  for (const auto& [name, info] : intermediates.declared(names)) {
    if (!found.find(name)) found.set(name, info);
  }
  if (resized) forget_dimensions(found);
  return found;
}

void describe(const std::vector<TensorRef>& tensors, const Model& model,
              Intermediates& intermediates, Logger& log) {
  log.info(kReduce,
           "Running inference with ONNX-Runtime to determine metadata for intermediate tensors.\n"
           "This will cause intermediate models to have static shapes.");
  const Metadata found = find(tensor_names(tensors), model, intermediates, log);
  for (const TensorRef& tensor : tensors) {
    if (const TensorInfo* info = found.find(std::string(tensor->name()))) {
      describe(*tensor, *info);
    } else {
      log.warning(kReduce, "The type and shape of this tensor are unknown: " + to_text(*tensor) +
                               "\nThe part of the model before it cannot run, and shape inference "
                               "does not determine them.");
    }
  }
}

}  // namespace

void describe(Tensor& tensor, const TensorInfo& info) {
  tensor.set_dtype(info.dtype);
  tensor.set_shape(info.shape);
}

void describe_on_sample(const std::vector<TensorRef>& tensors, const Model& made,
                        Intermediates& intermediates) {
  std::vector<TensorRef> open;
  for (const TensorRef& tensor : tensors) {
    if (is_open(*tensor)) open.push_back(tensor);
  }
  if (open.empty()) return;
  Metadata found;
  if (!intermediates.is_resized(made)) found = intermediates.describe(tensor_names(open));
  std::vector<TensorRef> others;
  for (const TensorRef& tensor : open) {
    if (const TensorInfo* info = found.find(std::string(tensor->name()))) {
      describe(*tensor, *info);
    } else {
      others.push_back(tensor);
    }
  }
  if (others.empty()) return;
  const ArrayMap values = intermediates.values_in(made, tensor_names(others));
  for (const TensorRef& tensor : others) {
    if (const Array* value = values.find(std::string(tensor->name()))) {
      describe(*tensor, info_of(*value));
    }
  }
}

void describe_interface(Model& model, Intermediates& intermediates, Logger& log) {
  std::vector<TensorRef> unknown;
  for (const TensorRef& input : model.graph->inputs()) {
    if (needs_description(*input, true)) unknown.push_back(input);
  }
  for (const TensorRef& output : model.graph->outputs()) {
    if (needs_description(*output, false)) unknown.push_back(output);
  }
  if (!unknown.empty()) describe(unknown, model, intermediates, log);
  give_ranks(model);
}

}  // namespace polygraphy
