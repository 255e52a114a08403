// The verdict on an output by the noise of its format.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "base/arrays/array.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/diagnosis/locate/judging/noise.h"
#include "polygraphy/diagnosis/locate/judging/worst_group.h"
#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// The difference of an output, in one sample.
struct MeasuredOutput {
  JudgedError error = {};
  ElementGroup group = {};                  // the worst
  std::optional<NumberFormat> format = {};  // of its numbers; nullopt: no floating-point ones
};
using MeasuredOutputs = std::unordered_map<std::string, MeasuredOutput>;

// `error`: of `observed`, a result of an engine of `format`. O(elements * rank).
MeasuredOutput measured_output(const Array& reference, const Array& observed, JudgedError error,
                               const Noise& noise, NumberFormat format);

// Whether it is off by more than `threshold` times the noise: in norms, or in a group of small
// numbers beside large ones. `model`: the whole one. O(nodes).
bool is_off(const WholeModel& model, const std::string& output, const MeasuredOutput& measured,
            double threshold);

struct NoiseVerdict {
  // kDiffers, kTooCoarse, kNotFinite or kAgrees.
  Agreement agreement = Agreement::kDiffers;
  bool group_off = false;             // the worst group is off by more than its limit
  std::optional<double> excess = {};  // the error as a multiple of what is allowed, if judged by it
  // Of kTooCoarse and kNotFinite; of the others, if another rule than the noise decides.
  std::string reason = {};
};

// By is_off(), too_coarse() and whether the numbers are finite. O(nodes).
NoiseVerdict noise_verdict(const WholeModel& model, const std::string& output,
                           const MeasuredOutput& measured, double threshold, bool quantization);

}  // namespace polygraphy
