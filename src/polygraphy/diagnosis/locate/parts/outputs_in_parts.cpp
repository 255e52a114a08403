#include "polygraphy/diagnosis/locate/parts/outputs_in_parts.h"

#include <fmt/format.h>

#include <utility>

#include "polygraphy/comparison/compare/judged_sample.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/diagnosis/locate/judging/checked_outputs.h"

namespace polygraphy {

void OutputsInParts::add(const Borders& borders, const ValuesInPlace& made,
                         const Measurements& measurements) {
  for (const std::string& name : model_.outputs()) {
    if (!borders.names.contains(name)) continue;
    for (size_t sample = 0; sample < reference_.size(); ++sample) {
      if (const Array* array = borders.reference[sample].find(name))
        reference_[sample].set(name, *array);
      if (const Array* array = borders.target[sample].find(name)) target_[sample].set(name, *array);
    }
    for (size_t sample = 0; sample < made.of_borders.size(); ++sample) {
      const auto measured = made.of_borders[sample].find(name);
      if (measured != made.of_borders[sample].end()) measured_[sample][name] = measured->second;
    }
    const auto noises = measurements.find(name);
    if (!job_.metric || noises == measurements.end()) continue;
    for (size_t sample = 0; sample < noise_.size(); ++sample) {
      const Noise noise =
          noise_at_sample(noises->second.accumulated_noise, static_cast<int64_t>(sample));
      if (noise.of_elements.size() > 0) noise_[sample].set(name, noise.of_elements);
    }
  }
}

RunRecord OutputsInParts::by_noise() const {
  std::vector<JudgedSample> samples(measured_.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    for (const std::string& name : model_.outputs()) {
      const auto measured = measured_[i].find(name);
      if (measured == measured_[i].end()) {
        samples[i].left.push_back(name);
        continue;
      }
      const TensorError& error = measured->second.error.error;
      const bool empty = error.elements == 0 && error.incomparable.empty();
      NoiseVerdict verdict =
          noise_verdict(model_, name, measured->second, job_.threshold, job_.quantization);
      samples[i].units.push_back({.name = name,
                                  .agreement = empty ? Agreement::kNotCompared : verdict.agreement,
                                  .excess = verdict.excess,
                                  .reason = std::move(verdict.reason)});
    }
  }
  return record("", std::move(samples));
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
  return {.measure = fmt::format("{}{:g}× the {} noise", by, job_.threshold, name_of(job_.format)),
          .pairs = {{name_of(job_.reference), name_of(job_.target), std::move(samples)}}};
}

RunRecord OutputsInParts::by_check(const std::vector<ValueMap>& feeds) const {
  return checked_outputs(job_, feeds, reference_, target_);
}

}  // namespace polygraphy
