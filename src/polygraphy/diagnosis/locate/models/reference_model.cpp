#include "polygraphy/diagnosis/locate/models/reference_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "polygraphy/diagnosis/locate/models/in_type.h"
#include "polygraphy/diagnosis/locate/models/tensor_partners.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {

ReferenceModel::ReferenceModel(const LocateJob& job, const WholeModel& target,
                               DataPlacement placement, Logger& log)
    : model_(std::move(*load_onnx(*job.reference_model, log)), job.scratch, placement),
      partners_(tensor_partners(model_.model(), target.model())) {
  for (const auto& [tensor, partner] : partners_) names_.emplace(partner, tensor);
  for (const auto& input : target.model().graph->inputs()) {
    if (input->is_constant()) continue;
    const std::string name(input->name());
    if (!has(name)) {
      throw Error(fmt::format("'{}' has no such input as '{}' of '{}'", job.reference_model->path,
                              name, job.model.path),
                  "Both models must have the same inputs, but for their number formats.");
    }
  }
  for (const auto& [name, info] : target.given_inputs()) inputs_.emplace(name, info.dtype);
}

std::vector<std::string> ReferenceModel::known(const std::vector<std::string>& tensors) const {
  std::vector<std::string> known;
  std::ranges::copy_if(tensors, std::back_inserter(known),
                       [&](const std::string& tensor) { return has(tensor); });
  return known;
}

ModelSource ReferenceModel::with_outputs(const std::vector<std::string>& tensors) const {
  std::vector<std::string> own;
  for (const std::string& tensor : tensors) own.push_back(partners_.at(tensor));
  return model_.with_outputs(std::move(own));
}

ArrayMap ReferenceModel::renamed(const ArrayMap& outputs) const {
  ArrayMap renamed;
  for (const auto& [name, array] : outputs) {
    const auto found = names_.find(name);
    if (found != names_.end()) renamed.set(found->second, array);
  }
  return renamed;
}

ValueMap ReferenceModel::target_numbers(const ValueMap& feed) const {
  ValueMap renamed;
  for (const auto& [name, value] : feed) {
    const auto found = names_.find(name);
    const std::string& own = found == names_.end() ? name : found->second;  // unused ones: as is
    if (inputs_.contains(own)) renamed.set(own, value);
  }
  return renamed;
}

ValueMap ReferenceModel::target_feed(const ValueMap& feed) const {
  ValueMap typed;
  for (const auto& [name, value] : target_numbers(feed)) {
    const Array* tensor = value.as_tensor();
    typed.set(name, tensor ? Value(in_type(*tensor, inputs_.at(name))) : value);
  }
  return typed;
}

bool are_partners(const Array& reference, const Array& tensor) {
  return reference.shape() == tensor.shape() &&
         is_floating(reference.dtype()) == is_floating(tensor.dtype());
}

}  // namespace polygraphy
