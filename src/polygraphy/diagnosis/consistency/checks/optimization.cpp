// Levels of optimisation against none; and the optimizers that make the difference.
#include <fmt/format.h>

#include <optional>

#include "polygraphy/diagnosis/consistency/consistency_check.h"
#include "polygraphy/diagnosis/consistency/guilty_optimizers.h"

namespace polygraphy {
namespace {

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

extern const ConsistencyCheck consistency_check_optimization;
constinit const ConsistencyCheck consistency_check_optimization = {
    .name = "optimization",
    .summary =
        "levels of optimisation against no optimisation, with a search for the guilty optimizer",
    .order = 6,
    .rounds = true,
    .run = run_check};

}  // namespace polygraphy
