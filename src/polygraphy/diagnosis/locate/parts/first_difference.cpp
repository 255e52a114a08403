#include "polygraphy/diagnosis/locate/parts/first_difference.h"

#include <fmt/format.h>

#include "polygraphy/diagnosis/locate/mark_search.h"

namespace polygraphy {
namespace {

LocateFusion search(const FirstDifference& difference, CutModel& cut,
                    const Measurements& measurements) {
  if (!cut.run.target) return {.note = "its results are saved, and it cannot run again"};
  const auto model = cut.model_of(cut.parts()[difference.part], difference.values);
  return find_fusion(cut.run, *model, difference.feeds.reference, difference.feeds.target,
                     measurements, "the difference vanishes when they run again");
}

}  // namespace

std::string first_off(const WholeModel& model, const WholeModel& part, const ValuesInPlace& made,
                      double threshold) {
  for (const std::string& name : part.outputs()) {
    for (const MeasuredOutputs& measured : made.of_borders) {
      const auto border = measured.find(name);
      if (border != measured.end() && is_off(model, name, border->second, threshold)) return name;
    }
  }
  return {};
}

LocateFusion fusion_behind(const FirstDifference& difference, CutModel& cut,
                           const Measurements& measurements) {
  LocateFusion fusion = search(difference, cut, measurements);
  if (fusion.found()) return fusion;
  const NodePart& part = cut.parts()[difference.part];
  const auto name = [&](size_t position) { return cut.model.nodes()[position].name; };
  fusion.note = fmt::format("without that, '{}' differs first, in the nodes '{}' to '{}': {}",
                            difference.tensor, name(part.front()), name(part.back()), fusion.note);
  return fusion;
}

}  // namespace polygraphy
