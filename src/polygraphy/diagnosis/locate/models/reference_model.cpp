#include "polygraphy/diagnosis/locate/models/reference_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/arrays/convert.h"
#include "base/log_modules.h"
#include "polygraphy/diagnosis/locate/models/coarser_results.h"
#include "polygraphy/diagnosis/locate/models/in_type.h"
#include "polygraphy/diagnosis/locate/models/tensor_partners.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {

namespace {

// Integers as the target's model reads them.
Value integers_in_type(const Value& value, DataType type, const std::string& name) {
  const Array* array = value.as_tensor();
  const bool differ =
      array && is_integral(array->dtype()) && is_integral(type) && array->dtype() != type;
  if (!differ) return value;
  const Array given = array->contiguous_aligned();
  Array typed = convert(given, type);
  if (!bitwise_equal(convert(typed, given.dtype()), given)) {
    throw Error(fmt::format("Input '{}' has numbers that {} holds, but not {}", name,
                            name_of(given.dtype()), name_of(type)),
                "Give smaller ones.");
  }
  return typed;
}

}  // namespace

ReferenceModel::ReferenceModel(const LocateJob& job, const WholeModel& target,
                               DataPlacement placement, Logger& log)
    : model_(std::move(*load_onnx(*job.reference_model, log)), job.scratch, placement),
      path_(job.reference_model->path),
      target_path_(job.model.path),
      target_inputs_(target.given_inputs()),
      partners_(tensor_partners(model_.model(), target.model())),
      pairs_(
          input_pairs({path_, model_.given_inputs()}, {target_path_, target_inputs_}, partners_)),
      inputs_(common_inputs(model_.given_inputs(), target_inputs_, pairs_)) {
  for (const auto& [tensor, partner] : partners_) names_.emplace(partner, tensor);
  for (const InputPair& pair : pairs_) {
    if (pair.reference == pair.target) continue;
    log.info(log_modules::kLocate, fmt::format("Input '{}' of {} gets the values of '{}' of {}",
                                               pair.target, target_path_, pair.reference, path_));
  }
  const auto say_only = [&](const std::string& model, std::string_view what,
                            const std::string& name) {
    log.warning(log_modules::kLocate, fmt::format("Only {} has the {} '{}'", model, what, name));
  };
  for (const std::string& name : unpaired_inputs(inputs_, pairs_)) say_only(path_, "input", name);
  std::vector<std::string> both;
  for (const std::string& name : target.outputs()) {
    const auto partner = partners_.find(name);
    const bool has = partner != partners_.end() &&
                     std::ranges::find(model_.outputs(), partner->second) != model_.outputs().end();
    if (has) {
      both.push_back(partner->second);
    } else {
      say_only(target_path_, "output", name);
    }
  }
  for (const std::string& name : model_.outputs()) {
    if (std::ranges::find(both, name) == both.end()) say_only(path_, "output", name);
  }
}

std::optional<NumberFormat> ReferenceModel::coarser_format(const WholeModel& target) const {
  return coarser_results(model_.model(), target.model(), partners_);
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

ValueMap ReferenceModel::own_names(const ValueMap& feed) const {
  ValueMap own;
  for (const auto& [name, value] : feed) {
    const auto pair = std::ranges::find(pairs_, name, &InputPair::target);
    const bool other = pair != pairs_.end() && !inputs_.contains(name);
    own.set(other ? pair->reference : name, value);
  }
  return own;
}

ValueMap ReferenceModel::target_numbers(const ValueMap& feed) const {
  ValueMap renamed;
  for (const InputPair& pair : pairs_) {
    const Value* value = feed.find(pair.reference);
    if (!value) continue;
    const DataType type = target_inputs_.find(pair.target)->dtype;
    renamed.set(pair.target, integers_in_type(*value, type, pair.target));
  }
  return renamed;
}

ValueMap ReferenceModel::target_feed(const ValueMap& feed) const {
  ValueMap typed;
  for (const auto& [name, value] : target_numbers(feed)) {
    const Array* tensor = value.as_tensor();
    typed.set(name, tensor ? Value(in_type(*tensor, target_inputs_.find(name)->dtype)) : value);
  }
  return typed;
}

std::vector<std::string> ReferenceModel::rounded_inputs() const {
  std::vector<std::string> rounded;
  for (const InputPair& pair : pairs_) {
    const auto own = coarser(NumberFormat::kFloat32, inputs_.find(pair.reference)->dtype);
    const auto other = coarser(NumberFormat::kFloat32, target_inputs_.find(pair.target)->dtype);
    if (own && other && significant_digits(*other) < significant_digits(*own))
      rounded.push_back(pair.target);
  }
  return rounded;
}

bool are_partners(const Array& reference, const Array& tensor) {
  return reference.shape() == tensor.shape() &&
         is_floating(reference.dtype()) == is_floating(tensor.dtype());
}

}  // namespace polygraphy
