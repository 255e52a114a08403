// The model of the reference where that is not the target's: the model before it was quantised,
// say.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Names of tensors are those of the target's model, except for feeds and model().
class ReferenceModel {
 public:
  // Loads LocateJob::reference_model. Throws Error: the model, or an input of the target's model
  // that it does not have.
  ReferenceModel(const LocateJob& job, const WholeModel& target, DataPlacement placement,
                 Logger& log);

  // With its own names.
  const WholeModel& model() const { return model_; }
  bool has(const std::string& tensor) const { return partners_.contains(tensor); }
  // Those of `tensors` that it has.
  std::vector<std::string> known(const std::vector<std::string>& tensors) const;
  // The model with these outputs, all of which it has.
  ModelSource with_outputs(const std::vector<std::string>& tensors) const;
  // Its results, without tensors that the target's model does not have.
  ArrayMap renamed(const ArrayMap& outputs) const;
  // A feed of it, for the target's model: with its names, and also in its types.
  ValueMap target_numbers(const ValueMap& feed) const;
  ValueMap target_feed(const ValueMap& feed) const;

 private:
  const WholeModel model_;
  std::unordered_map<std::string, std::string> partners_;  // of the target's tensors
  std::unordered_map<std::string, std::string> names_;     // the other way round
  std::unordered_map<std::string, DataType> inputs_;       // of the target, with their types
};

// Whether tensors that should be partners are: both are floating-point numbers or both are not, and
// they have one shape.
bool are_partners(const Array& reference, const Array& tensor);

}  // namespace polygraphy
