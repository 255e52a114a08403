#include "polygraphy/diagnosis/consistency/guilty_optimizers.h"

#include <algorithm>
#include <numeric>

#include "polygraphy/diagnosis/consistency/output_difference.h"
#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

GuiltyOptimizers find_guilty_optimizers(EngineRuns& runs, const std::string& level,
                                        const std::vector<ArrayMap>& plain,
                                        const std::vector<std::string>& likely,
                                        const WorstDifference::Wider& noise) {
  const EngineSwitches& switches = runs.switches();
  const std::vector<std::string>& all = switches.optimizers;
  if (switches.disable.empty() || all.empty())
    return {.note = "the engine has no option that disables single optimizers"};
  // Those that are left out anyway stay out.
  std::vector<std::string> out;
  for (const auto& [key, values] : runs.engine().session.options) {
    if (key == switches.disable) out = values;
  }
  const auto agrees_without = [&](const Part& part) {
    EngineVariation variation{.options = {{switches.level, {level}}, {switches.disable, out}}};
    for (const size_t i : part) variation.options.back().second.push_back(all[i]);
    WorstDifference difference(runs.job().tolerance, noise);
    try {
      difference.compare(plain, runs.run(variation));
    } catch (const RunnerFailure&) {
      return false;  // optimizers may need each other
    }
    return difference.verdict() != ConsistencyVerdict::kDiffers;
  };
  Part whole;
  for (size_t i = 0; i < all.size(); ++i) {
    if (std::find(likely.begin(), likely.end(), all[i]) != likely.end()) whole.push_back(i);
  }
  if (whole.empty() || !agrees_without(whole)) {
    whole.resize(all.size());
    std::iota(whole.begin(), whole.end(), 0);
    if (!agrees_without(whole))
      return {.note = "it also differs with all optional optimizers disabled"};
  }
  GuiltyOptimizers guilty;
  const auto one_at_a_time = [&](const Part& part, const auto&) { return agrees_without(part); };
  for (const size_t i : ddmin(whole, one_at_a_time)) guilty.names.push_back(all[i]);
  return guilty;
}

}  // namespace polygraphy
