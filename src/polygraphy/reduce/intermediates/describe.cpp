#include "polygraphy/reduce/intermediates/describe.h"

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/object_text.h"

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

// Only how many there are is still true.
void forget_dimensions(Metadata& infos) {
  for (auto& [name, info] : infos) {
    if (info.shape) info.shape = graphsurgeon::DimList(info.shape->size());
  }
}

}  // namespace

std::vector<std::string> names_of(const std::vector<TensorRef>& tensors) {
  std::vector<std::string> names;
  for (const TensorRef& tensor : tensors) names.emplace_back(tensor->name());
  return names;
}

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
  if (!intermediates.is_resized(made)) found = intermediates.describe(names_of(open));
  std::vector<TensorRef> others;
  for (const TensorRef& tensor : open) {
    if (const TensorInfo* info = found.find(std::string(tensor->name()))) {
      describe(*tensor, *info);
    } else {
      others.push_back(tensor);
    }
  }
  if (others.empty()) return;
  const ArrayMap values = intermediates.values_in(made, names_of(others));
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
  if (unknown.empty()) return;
  log.info(kReduce,
           "Running inference with ONNX-Runtime to determine metadata for intermediate tensors.\n"
           "This will cause intermediate models to have static shapes.");
  Metadata found;
  try {
    found = intermediates.describe(names_of(unknown));
    if (intermediates.is_resized(model)) forget_dimensions(found);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    log.verbose(kReduce, std::string("Nothing can be recorded: ") + error.what());
  }
  for (const TensorRef& tensor : unknown) {
    if (const TensorInfo* info = found.find(std::string(tensor->name()))) {
      describe(*tensor, *info);
    } else {
      log.warning(kReduce, "The type and shape of this tensor are not known: " + to_text(*tensor) +
                               "\nThe part of the model before it cannot be run, and its operators "
                               "do not tell.");
    }
  }
}

}  // namespace polygraphy
