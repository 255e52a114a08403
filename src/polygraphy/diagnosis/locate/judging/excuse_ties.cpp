#include "polygraphy/diagnosis/locate/judging/excuse_ties.h"

#include <algorithm>
#include <optional>
#include <string>

#include "polygraphy/diagnosis/locate/judging/judged_error.h"
#include "polygraphy/models/noise/tensor_error.h"

namespace polygraphy {

namespace {

// Of a constant scale; 0: another one.
double largest_scale(const graphsurgeon::Node& node) {
  if (node.inputs().size() < 2 || !node.inputs()[1]->is_constant()) return 0;
  return measure_error(node.inputs()[1]->values(), node.inputs()[1]->values()).magnitude();
}

// A level that a tie decides otherwise in the reference is a step of the scale behind it, which few
// evaluations of the noise may not find. Those of the target have an evaluation
// (noise_of_levels.h).
void excuse_levels(const graphsurgeon::Node& node, const Measurements& measurements,
                   TensorMeasurement& measured) {
  const double scale = largest_scale(node);
  const auto levels = measurements.find(std::string(node.inputs()[0]->name()));
  if (scale == 0 || !measured.accumulated || levels == measurements.end()) return;
  const std::optional<JudgedError>& steps = levels->second.accumulated;
  if (!steps || !steps->error.incomparable.empty()) return;
  JudgedError& judged = *measured.accumulated;
  const double ratio = noise_ratio(judged.error, judged.noise_norm + scale * steps->error.norm,
                                   judged.noise_largest + scale * steps->error.largest, 0);
  if (ratio >= judged.ratio) return;
  judged.ratio = ratio;
  judged.by_element = 0;  // an element is a level off, or is not
}

}  // namespace

void excuse_ties(const WholeModel& model, const NodePart& positions, Measurements& measurements) {
  for (const size_t position : positions) {
    const NodeFacts& node = model.nodes()[position];
    const bool behind = std::any_of(node.reads.begin(), node.reads.end(), [&](const auto& name) {
      const auto found = measurements.find(name);
      return found != measurements.end() && found->second.behind_ties;
    });
    for (const std::string& name : node.makes) {
      TensorMeasurement& measured = measurements[name];
      measured.behind_ties |= behind;
      if (measured.behind_ties && measured.accumulated)
        measured.accumulated->ratio = std::min(measured.accumulated->ratio, 1.0);
      if (node.op == "DequantizeLinear" && measured.reference_deviates)
        excuse_levels(*model.model().graph->nodes()[position], measurements, measured);
    }
  }
}

}  // namespace polygraphy
