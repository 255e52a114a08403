#include "polygraphy/diagnosis/zoo/zoo_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/comparison/verdict/tally.h"

namespace polygraphy {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"crashed",      "too slow", "not loaded",
                                                    "not run",      "differs",  "precision too low",
                                                    "not compared", "passed"};

constexpr std::array<std::string_view, kZooStages> kStageNames = {"setup", "load", "run", "compare",
                                                                  "done"};

template <typename Enum, typename Names>
std::optional<Enum> parse(const Names& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view name_of(ZooStage stage) {
  return kStageNames.at(static_cast<size_t>(stage));
}

std::optional<ZooStage> parse_zoo_stage(std::string_view name) {
  return parse<ZooStage>(kStageNames, name);
}

std::string_view name_of(ZooOutcome outcome) {
  return kNames.at(static_cast<size_t>(outcome));
}

std::optional<ZooOutcome> parse_zoo_outcome(std::string_view name) {
  return parse<ZooOutcome>(kNames, name);
}

ZooOutcome ZooModelResult::outcome() const {
  if (!problem.empty()) return ZooOutcome::kNotLoaded;
  ZooOutcome worst = ZooOutcome::kPassed;
  for (const ZooEngineResult& engine : engines) worst = std::min(worst, engine.outcome);
  return engines.empty() ? ZooOutcome::kNotCompared : worst;
}

ZooEngineResult not_set_up(const ZooModelResult& model) {
  return {.engine = "",
          .outcome = ZooOutcome::kNotLoaded,
          .stage = ZooStage::kSetup,
          .reason = model.problem};
}

Verdict ZooResult::verdict() const {
  JudgedSample sample;
  for (const ZooModelResult& model : models) {
    const ZooOutcome outcome = model.outcome();
    if (outcome == ZooOutcome::kNotCompared) {
      sample.left.push_back(model.model);
    } else {
      sample.units.push_back(
          {.name = model.model,
           .agreement = passed(outcome) ? Agreement::kAgrees : Agreement::kDiffers});
    }
  }
  Tally tally;
  tally.add(sample);
  Verdict verdict = tally.verdict();
  verdict.unit = "model";
  verdict.comparison = false;
  verdict.measure = "noise";
  for (const std::string& engine : engines)
    verdict.target += (verdict.target.empty() ? "" : ", ") + engine;
  return verdict;
}

int64_t ZooStageCounts::reached(ZooStage stage) const {
  return std::accumulate(ended.begin() + static_cast<ptrdiff_t>(stage), ended.end(), int64_t{0});
}

int64_t ZooStageCounts::passed(ZooStage stage) const {
  return reached(stage) - ended.at(static_cast<size_t>(stage));
}

std::vector<ZooStageCounts> stage_counts(const ZooResult& result) {
  std::vector<ZooStageCounts> counts;
  for (const std::string& engine : result.engines) {
    ZooStageCounts& count = counts.emplace_back(ZooStageCounts{.engine = engine});
    for (const ZooModelResult& model : result.models) {
      if (!model.problem.empty()) ++count.ended.front();
      for (const ZooEngineResult& one : model.engines) {
        if (one.engine == engine) ++count.ended.at(static_cast<size_t>(one.stage));
      }
    }
  }
  return counts;
}

void append(ZooResult& whole, ZooResult part) {
  if (whole.engines.empty()) whole.engines = part.engines;
  if (whole.engines != part.engines)
    throw Error(kOtherRun, "Two parts of a zoo are of other engines: nothing is merged");
  for (const auto& [engine, version] : part.versions) {
    const std::string* known = whole.versions.find(engine);
    if (known && *known != version) {
      throw Error(
          kOtherRun,
          fmt::format("{} is {} in one part of the zoo, and {} in another: nothing is merged",
                      engine, *known, version),
          "All machines must have the same engines.");
    }
    whole.versions.set(engine, version);
  }
  std::ranges::move(part.models, std::back_inserter(whole.models));
}

std::vector<ZooChange> worse_than(const ZooResult& result, const ZooResult& baseline) {
  std::map<std::pair<std::string_view, std::string_view>, ZooOutcome> before;
  for (const ZooModelResult& model : baseline.models) {
    if (!model.problem.empty()) before[{model.model, ""}] = ZooOutcome::kNotLoaded;
    for (const ZooEngineResult& one : model.engines)
      before[{model.model, one.engine}] = one.outcome;
  }
  std::vector<ZooChange> worse;
  const auto compare = [&](const std::string& model, const std::string& engine, ZooOutcome now) {
    const auto then = before.find({model, engine});
    if (then == before.end()) {
      if (!passed(now)) worse.push_back({model, engine, std::nullopt, now});
    } else if (now < then->second && !(passed(now) && passed(then->second))) {
      worse.push_back({model, engine, then->second, now});
    }
  };
  for (const ZooModelResult& model : result.models) {
    if (!model.problem.empty()) compare(model.model, "", ZooOutcome::kNotLoaded);
    for (const ZooEngineResult& one : model.engines) compare(model.model, one.engine, one.outcome);
  }
  return worse;
}

}  // namespace polygraphy
