#include "polygraphy/diagnosis/locate/parts/outputs_in_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "polygraphy/comparison/compare/judged_sample.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/diagnosis/locate/judging/checked_outputs.h"
#include "polygraphy/diagnosis/locate/judging/too_coarse.h"
#include "polygraphy/diagnosis/locate/judging/worst_group.h"

namespace polygraphy {

void OutputsInParts::add(const Borders& borders, const ValuesInPlace& made) {
  for (const std::string& name : model_.outputs()) {
    if (!borders.names.contains(name)) continue;
    for (size_t sample = 0; sample < reference_.size(); ++sample) {
      if (const Array* array = borders.reference[sample].find(name))
        reference_[sample].set(name, *array);
      if (const Array* array = borders.target[sample].find(name)) target_[sample].set(name, *array);
    }
    for (size_t sample = 0; sample < made.noise_of_elements.size(); ++sample) {
      if (const Array* elements = made.noise_of_elements[sample].find(name))
        noise_[sample].set(name, *elements);
    }
    if (const auto error = made.of_borders.find(name); error != made.of_borders.end())
      errors_[name] = error->second;
  }
}

RunRecord OutputsInParts::by_noise(const Measurements& measurements) const {
  JudgedSample judged;
  for (const std::string& name : model_.outputs()) {
    const auto found = errors_.find(name);
    if (found == errors_.end()) {
      judged.left.push_back(name);
      continue;
    }
    const JudgedError& error = found->second.error;
    const double group = found->second.group;
    const bool off = group_is_off(model_, name, group, job_.threshold);
    const double ratio = std::max(error.ratio, off ? group / kGroupThresholds : 0);
    JudgedUnit unit{.name = name,
                    .passed = ratio <= job_.threshold,
                    .excess = ratio / job_.threshold,
                    .empty = error.error.elements == 0 && error.error.incomparable.empty()};
    const std::optional<NumberFormat> format = measurements.at(name).format;
    if (unit.passed && format)
      unit.coarse = too_coarse(model_, name, error, *format, job_.threshold);
    if (!unit.coarse.empty()) {
      unit.passed = false;
      unit.excess.reset();
    }
    judged.units.push_back(std::move(unit));
  }
  return record("", {std::move(judged)});
}

RunRecord OutputsInParts::by_metric(Logger& log) const {
  const std::string reference_name = name_of(job_.reference), target_name = name_of(job_.target);
  const auto function = make_function(*job_.metric, job_.metric_options);
  std::vector<JudgedSample> samples(reference_.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    function->begin(reference_[i], target_[i], log);
    for (const std::string& name : model_.outputs()) {
      const Array *reference = reference_[i].find(name), *target = target_[i].find(name);
      if (!reference || !target) {
        samples[i].left.push_back(name);
        continue;
      }
      OutputPair pair{name, name, reference_name, target_name, *reference, *target};
      pair.noise = noise_[i].find(name);
      pair.noise_threshold = job_.threshold;
      OutputResult result = function->compare(pair, log);
      result.empty = reference->size() == 0 && target->size() == 0;
      polygraphy::add(name, result, samples[i]);
    }
  }
  return record(fmt::format("{} within ", name_of(*job_.metric)), std::move(samples));
}

RunRecord OutputsInParts::record(const std::string& by, std::vector<JudgedSample> samples) const {
  return {.measure =
              fmt::format("{}{:g} times the noise of {}", by, job_.threshold, name_of(job_.format)),
          .pairs = {{name_of(job_.reference), name_of(job_.target), std::move(samples)}}};
}

RunRecord OutputsInParts::by_check(const std::vector<ValueMap>& feeds) const {
  return checked_outputs(job_, feeds, reference_, target_);
}

}  // namespace polygraphy
