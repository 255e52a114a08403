// Levels of optimisation against none; and the optimizers that make the difference.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/consistency/consistency_check.h"
#include "polygraphy/diagnosis/consistency/engine_runs.h"
#include "polygraphy/diagnosis/consistency/output_difference.h"
#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {
namespace {

struct GuiltyOptimizers {
  // Without these the results are within the tolerance, and without all but one of them they are
  // not.
  std::vector<std::string> names = {};
  std::string note = {};  // the reason for missing names
};

// Searches the optimizers that the engine can disable (EngineSwitches::optimizers), at this level,
// by comparison with results without optimisation. `likely`: tested first. `noise`: of outputs.
// About 2 log2(optimizers) sessions for one guilty optimizer. Throws as EngineRuns.
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

void run_check(const CheckSubject& subject) {
  EngineRuns& runs = subject.runs();
  const EngineSwitches& switches = runs.switches();
  if (switches.level.empty() || switches.levels.size() < 2)
    return subject.not_applicable("the engine has no option for levels of optimisation");
  const std::string& least = switches.levels.front();
  std::optional<std::vector<ArrayMap>> plain;
  std::vector<std::string> known;  // guilty at a lower level
  for (size_t i = 1; i < switches.levels.size(); ++i) {
    const std::string& level = switches.levels[i];
    subject.compare(
        level + " against " + least, [&](WorstDifference& difference, ConsistencyRow& row) {
          if (!plain) plain = runs.run({.options = {{switches.level, {least}}}});
          difference.compare(*plain, runs.run({.options = {{switches.level, {level}}}}));
          if (difference.verdict() != ConsistencyVerdict::kDiffers ||
              !runs.facts().random.empty() || subject.varies())
            return;
          const GuiltyOptimizers guilty =
              find_guilty_optimizers(runs, level, *plain, known, subject.noise());
          row.optimizers = known = guilty.names;
          if (!guilty.note.empty()) row.notes.push_back(guilty.note);
        });
  }
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_optimization = {
    .name = "optimization",
    .summary =
        "levels of optimisation against no optimisation, with a search for the guilty optimizer",
    .order = 6,
    .rounds = true,
    .run = run_check};

}  // namespace polygraphy
