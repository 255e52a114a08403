// The measurements of each tensor of a model.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/locate/judging/accumulation.h"
#include "polygraphy/diagnosis/locate/judging/noise.h"
#include "polygraphy/diagnosis/locate/node_finding.h"

namespace polygraphy {

// None if it was not measured.
inline Noise noise_at_sample(const std::vector<Noise>& noises, int64_t sample) {
  return noises.empty() ? Noise{} : noises[static_cast<size_t>(sample)];
}

// The range of the reference's numbers, over all samples; NaNs and infinities are counted
// separately.
struct NumberRange {
  double least = 0, greatest = 0;
  int64_t non_finite = 0;
  bool empty = true;

  void add(const TensorError& numbers) {
    non_finite += numbers.non_finite_reference;
    if (numbers.elements == numbers.non_finite_reference) return;
    least = empty ? numbers.least_number : std::min(least, numbers.least_number);
    greatest = empty ? numbers.largest_number : std::max(greatest, numbers.largest_number);
    empty = false;
  }
  double magnitude() const { return std::max(std::fabs(least), std::fabs(greatest)); }
};

constexpr auto record_of(RecordOf<NumberRange>) {
  return record<NumberRange>(
      "NumberRange", "The range of a tensor's numbers.", internal("least", &NumberRange::least),
      internal("greatest", &NumberRange::greatest),
      internal("non_finite", &NumberRange::non_finite), internal("empty", &NumberRange::empty));
}

// The exact value of a tensor, and its noise.
struct ExactWithNoise {
  Array exact;
  Noise noise;
};

// Of one output of a node, or of an input of the model, which has only a range. Errors are those of
// the sample with the largest ratio.
struct TensorMeasurement {
  std::vector<Noise> accumulated_noise, isolated_noise,
      neighbours_noise;  // by sample; may be empty
  std::optional<JudgedError> accumulated, isolated, neighbours;
  int64_t accumulated_sample = 0, isolated_sample = 0, neighbours_sample = 0;
  // By sample, of outputs that differ in the model as it is, and of what decides their ties.
  std::vector<ExactWithNoise> known = {};
  double sum_length = 1;       // length of the sums in its node (reduction_length.h)
  double longest_sum = 1;      // longest sum of all nodes that it depends on
  double algorithm = 1;        // algorithm_error() of its node
  double least_exact = 1;      // the largest of these of all nodes that it depends on
  bool counts_floats = false;  // its node computes integers from floating-point numbers
  NumberRange range = {};
  // A tie was decided otherwise in place, here or in a tensor that it depends on: its error says
  // nothing about the nodes between them.
  bool behind_ties = false;
  // By sample, of a node that quantises: the target's levels, where they are not the exact ones.
  std::vector<Array> levels = {};
  // By sample: levels that it depends on are neither the model's own nor ties.
  std::vector<bool> behind_wrong_levels = {};
  // The target agrees with the runtime for noise in place, and the reference does not.
  bool reference_deviates = false;
  double reference_ratio = 0;  // of the reference, against the embedded runtime; over all samples
  double accumulated_relative = 0;          // the largest relative error, over all samples
  std::optional<NumberFormat> format = {};  // of its numbers on the target
  DataType type = DataType::kUndefined;     // the same, as the target returns them
  // In place, the reference's tensor of this name has another shape, so it is another tensor: both
  // shapes. Empty: it has not.
  std::string other_shape = {};
  // In place, it has NaNs or infinities on one side only, and the reference has the coarser format.
  bool reference_overflows = false;
  std::string note = {};  // the reason if it did not run alone

  Accumulation in_place() const { return {longest_sum, counts_floats, least_exact, true}; }
  Accumulation among_neighbours() const { return {longest_sum, counts_floats, least_exact}; }
  Accumulation alone() const { return {sum_length, counts_floats, algorithm}; }
};

// Of `known`, `levels` and what is used up while the model is measured, records have nothing.
constexpr auto record_of(RecordOf<TensorMeasurement>) {
  using Of = TensorMeasurement;
  return record<Of>(
      "TensorMeasurement", "The figures of one tensor.", internal("accumulated", &Of::accumulated),
      internal("accumulated_sample", &Of::accumulated_sample), internal("isolated", &Of::isolated),
      internal("isolated_sample", &Of::isolated_sample), internal("neighbours", &Of::neighbours),
      internal("neighbours_sample", &Of::neighbours_sample),
      internal("accumulated_noise", &Of::accumulated_noise),
      internal("sum_length", &Of::sum_length), internal("longest_sum", &Of::longest_sum),
      internal("algorithm", &Of::algorithm), internal("least_exact", &Of::least_exact),
      internal("counts_floats", &Of::counts_floats), internal("range", &Of::range),
      internal("behind_ties", &Of::behind_ties),
      internal("reference_deviates", &Of::reference_deviates),
      internal("reference_ratio", &Of::reference_ratio),
      internal("accumulated_relative", &Of::accumulated_relative), internal("format", &Of::format),
      internal("note", &Of::note));
}

// Replaces what was measured of the node alone and among its neighbours.
inline void take_alone(TensorMeasurement& to, const TensorMeasurement& from) {
  to.isolated = from.isolated;
  to.isolated_sample = from.isolated_sample;
  to.neighbours = from.neighbours;
  to.neighbours_sample = from.neighbours_sample;
  to.note = from.note;
}

// Keeps the error with the larger ratio, with its sample.
inline void keep_worst(std::optional<JudgedError>& worst, int64_t& worst_sample, JudgedError judged,
                       int64_t sample) {
  if (worst && worst->ratio >= judged.ratio) return;
  worst = std::move(judged);
  worst_sample = sample;
}

// By tensor; of a sequence, by item (flat_names.h).
using Measurements = std::unordered_map<std::string, TensorMeasurement>;

// Of a tensor, or of each item of a sequence: `use` gets its name and measurement.
void each_measurement(const Measurements& measurements, const std::string& name, const auto& use) {
  if (const auto found = measurements.find(name); found != measurements.end())
    use(found->first, found->second);
  for (size_t i = 0;; ++i) {
    const auto item = measurements.find(item_name(name, i));
    if (item == measurements.end()) return;
    use(item->first, item->second);
  }
}

}  // namespace polygraphy
