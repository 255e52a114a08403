#include "polygraphy/diagnosis/locate/judging/excuse_ties.h"

#include <algorithm>
#include <string>

namespace polygraphy {

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
    }
  }
}

}  // namespace polygraphy
