#include "polygraphy/diagnosis/locate/parts/outputs_in_parts.h"

#include <fmt/format.h>

#include <utility>

#include "polygraphy/diagnosis/locate/judging/checked_outputs.h"
#include "polygraphy/diagnosis/locate/judging/too_coarse.h"

namespace polygraphy {

void OutputsInParts::add(const Borders& borders, const ValuesInPlace& made) {
  for (const std::string& name : model_.outputs()) {
    if (!borders.names.contains(name)) continue;
    for (size_t sample = 0; sample < reference_.size(); ++sample) {
      if (const Array* array = borders.reference[sample].find(name))
        reference_[sample].set(name, *array);
      if (const Array* array = borders.target[sample].find(name)) target_[sample].set(name, *array);
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
    const JudgedError& error = found->second;
    JudgedUnit unit{.name = name,
                    .passed = error.ratio <= job_.threshold,
                    .excess = error.ratio / job_.threshold,
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
  return {
      .measure = fmt::format("{:g} times the noise of {}", job_.threshold, name_of(job_.format)),
      .pairs = {{name_of(job_.reference), name_of(job_.target), {judged}}}};
}

RunRecord OutputsInParts::by_check(const std::vector<ValueMap>& feeds) const {
  return checked_outputs(job_, feeds, reference_, target_);
}

}  // namespace polygraphy
