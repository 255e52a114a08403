// The model of the reference where that is not the target's: the model before it was quantised,
// say.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/diagnosis/locate/models/input_pairs.h"
#include "polygraphy/diagnosis/locate/models/wrong_weights.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Names of tensors are those of the target's model, except for feeds and model().
class ReferenceModel {
 public:
  // Loads LocateJob::reference_model. Says which inputs have other names, and which inputs and
  // outputs only one model has.
  // Throws Error: the model, or an input of the target's model that it does not have.
  ReferenceModel(const LocateJob& job, const WholeModel& target, DataPlacement placement,
                 Logger& log);

  // With its own names.
  const WholeModel& model() const { return model_; }
  // The format of its results, where it is coarser than that of the target's; nullopt: nowhere.
  std::optional<NumberFormat> coarser_format(const WholeModel& target) const;
  // Of the target's model, beside its own.
  std::vector<WrongWeight> wrong_weights(const WholeModel& target) const {
    return polygraphy::wrong_weights(model_.model(), target.model(), partners_);
  }
  bool has(const std::string& tensor) const { return partners_.contains(tensor); }
  // Those of `tensors` that it has.
  std::vector<std::string> known(const std::vector<std::string>& tensors) const;
  // The model with these outputs, all of which it has.
  ModelSource with_outputs(const std::vector<std::string>& tensors) const;
  // Its results, without tensors that the target's model does not have.
  ArrayMap renamed(const ArrayMap& outputs) const;
  // Inputs that feeds are made for: its own, with the sizes that either model fixes.
  const Metadata& inputs() const { return inputs_; }
  // A feed in which inputs may have the names of the target's model, with its own.
  ValueMap own_names(const ValueMap& feed) const;
  // A feed of it, for the target's model: with its names and types of integers, and also with its
  // types of floating-point numbers. Throws Error: an integer beyond its type.
  ValueMap target_numbers(const ValueMap& feed) const;
  ValueMap target_feed(const ValueMap& feed) const;
  // Inputs of the target's model in a coarser format than its own, such as caches in float16.
  std::vector<std::string> rounded_inputs() const;

 private:
  const WholeModel model_;
  const std::string path_, target_path_;
  const Metadata target_inputs_;
  std::unordered_map<std::string, std::string> partners_;  // of the target's tensors
  std::unordered_map<std::string, std::string> names_;     // the other way round
  std::vector<InputPair> pairs_;
  Metadata inputs_;
};

// Whether tensors that should be partners are: both are floating-point numbers or both are not, and
// they have one shape.
bool are_partners(const Array& reference, const Array& tensor);

}  // namespace polygraphy
