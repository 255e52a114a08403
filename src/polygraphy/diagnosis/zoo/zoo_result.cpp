#include "polygraphy/diagnosis/zoo/zoo_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "polygraphy/comparison/verdict/join_versions.h"

namespace polygraphy {
namespace {

constexpr std::array<std::string_view, 11> kNames = {
    "crashed",           "too slow",   "not loaded", "not run",      "other shape", "differs",
    "precision too low", "not finite", "killed",     "not compared", "passed"};

constexpr std::array<std::string_view, kZooStages> kStageNames = {"setup", "load", "run", "compare",
                                                                  "done"};

}  // namespace

std::string_view name_of(ZooStage stage) {
  return kStageNames.at(static_cast<size_t>(stage));
}

std::string_view name_of(ZooOutcome outcome) {
  return kNames.at(static_cast<size_t>(outcome));
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

std::string ZooModelResult::account() const {
  if (!problem.empty()) return nodes == 0 ? "the file cannot be read" : "no inputs can be made";
  const ZooOutcome worst = outcome();
  const auto found = std::ranges::find(engines, worst, &ZooEngineResult::outcome);
  if (found == engines.end()) return {};
  const std::string& engine = found->engine;
  switch (worst) {
    case ZooOutcome::kCrashed:
      return engine + " crashes";
    case ZooOutcome::kTooSlow:
      return engine + " takes too long";
    case ZooOutcome::kNotLoaded:
      return engine + " cannot load it";
    case ZooOutcome::kNotRun:
      return engine + " cannot run it";
    case ZooOutcome::kOtherShape:
      return "outputs of " + engine + " have another shape";
    case ZooOutcome::kDiffers:
      return "outputs of " + engine + " differ";
    case ZooOutcome::kTooCoarse:
      return "the precision of " + engine + " is too low";
    case ZooOutcome::kNotFinite:
      return "outputs of " + engine + " are not finite";
    case ZooOutcome::kKilled:
      return "a process was killed";
    case ZooOutcome::kNotCompared:
    case ZooOutcome::kPassed:
      break;
  }
  return {};
}

ZooOutcome ZooResult::outcome() const {
  ZooOutcome worst = models.empty() ? ZooOutcome::kNotCompared : ZooOutcome::kPassed;
  for (const ZooModelResult& model : models) worst = std::min(worst, model.outcome());
  return worst;
}

bool ZooResult::was_killed() const {
  return std::ranges::any_of(models, [](const ZooModelResult& model) {
    return std::ranges::count(model.engines, ZooOutcome::kKilled, &ZooEngineResult::outcome) > 0;
  });
}

Verdict ZooResult::verdict() const {
  Verdict verdict{.unit = "model",
                  .comparison = engines.size() > 1,
                  .total = static_cast<int64_t>(models.size()),
                  .samples = 1};
  using Accounts = std::vector<std::pair<std::string, int64_t>>;
  Accounts differing, failing;
  bool coarse = true;
  for (const ZooModelResult& model : models) {
    const ZooOutcome outcome = model.outcome();
    const bool is_off = outcome >= ZooOutcome::kOtherShape && outcome <= ZooOutcome::kTooCoarse;
    verdict.compared += is_off || outcome == ZooOutcome::kPassed;
    if (passed(outcome)) continue;
    if (is_off) {
      ++verdict.off;
      coarse &= outcome == ZooOutcome::kTooCoarse;
      if (verdict.worst.empty()) verdict.worst = model.model;
    }
    const std::string account = model.account();
    Accounts& accounts = is_off ? differing : failing;
    const auto known =
        std::ranges::find(accounts, account, &std::pair<std::string, int64_t>::first);
    if (known == accounts.end()) {
      accounts.emplace_back(account, 1);
    } else {
      ++known->second;
    }
  }
  for (const auto& [account, count] : failing.empty() ? differing : failing) {
    verdict.reason += verdict.reason.empty() ? fmt::format("{} of {}: ", count, models.size())
                                             : fmt::format("; {}: ", count);
    verdict.reason += account;
  }
  if (verdict.off > 0) {
    verdict.agreement = coarse ? Agreement::kTooCoarse : Agreement::kDiffers;
  } else if (!failing.empty()) {
    verdict.agreement = Agreement::kFailed;
  } else if (verdict.compared > 0) {
    verdict.agreement = Agreement::kAgrees;
  }
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
  join_versions(whole.versions, part.versions);
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
    if (now == ZooOutcome::kKilled) return;
    if (then == before.end() || then->second == ZooOutcome::kKilled) {
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
