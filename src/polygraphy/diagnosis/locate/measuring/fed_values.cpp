#include "polygraphy/diagnosis/locate/measuring/fed_values.h"

#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/models/in_type.h"

namespace polygraphy {

FedValues::FedValues(const LocateRun& run, const std::vector<ArrayMap>& values,
                     const Measurements& measurements)
    : run_(run), values_(values) {
  if (!run.reference_model) return;
  for (const ArrayMap& of_sample : values) {
    ArrayMap& own = in_own_types_.emplace_back();
    for (const auto& [name, array] : of_sample) {
      const auto measured = measurements.find(name);
      own.set(name, measured == measurements.end() ? array : in_type(array, measured->second.type));
    }
  }
}

const Array* FedValues::reference(int64_t sample, const std::string& name) const {
  return values_[static_cast<size_t>(sample)].find(name);
}

const Array* FedValues::fed(int64_t sample, const std::string& name) const {
  return in_own_types_.empty() ? reference(sample, name)
                               : in_own_types_[static_cast<size_t>(sample)].find(name);
}

ValueMap FedValues::feed(const ExplodedModel& exploded, int64_t sample) const {
  ValueMap values;
  for (const std::string& name : exploded.inputs) values.set(name, *fed(sample, name));
  return values;
}

ValueMap FedValues::rounded(const ExplodedModel& exploded, int64_t sample,
                            int64_t evaluation) const {
  const LocateJob& job = run_.job;
  const ValueMap typed = feed(exploded, sample);
  if (run_.reference_is_coarser) return moved_feed(typed, job.format, job.seed, evaluation);
  if (!run_.reference_model) return rounded_feed(typed, job.format, job.seed, evaluation);
  // Inputs of the model as the reference has them, before they are of the target's types.
  const ValueMap given =
      run_.reference_model->target_numbers(run_.reference_feeds[static_cast<size_t>(sample)]);
  ValueMap numbers;
  for (const std::string& name : exploded.inputs) {
    const Value* input = given.find(name);
    numbers.set(name, input ? *input : Value(*reference(sample, name)));
  }
  return rounded_feed(numbers, job.format, job.seed, evaluation, &typed);
}

}  // namespace polygraphy
