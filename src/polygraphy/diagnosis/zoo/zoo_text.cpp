#include "polygraphy/diagnosis/zoo/zoo_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "base/size_text.h"
#include "base/text.h"
#include "base/text_table.h"

namespace polygraphy {
namespace {

constexpr size_t kMostFailures = 50;  // lines; the other reports have all

constexpr ZooOutcome kColumns[] = {
    ZooOutcome::kPassed,     ZooOutcome::kNotCompared, ZooOutcome::kKilled,
    ZooOutcome::kNotFinite,  ZooOutcome::kTooCoarse,   ZooOutcome::kDiffers,
    ZooOutcome::kOtherShape, ZooOutcome::kNotRun,      ZooOutcome::kNotLoaded,
    ZooOutcome::kTooSlow,    ZooOutcome::kCrashed};

// Of the outcomes that there are.
void add_counts(const ZooResult& result, std::string& text) {
  std::map<std::string, std::map<ZooOutcome, int64_t>> counts;
  std::set<ZooOutcome> seen = {ZooOutcome::kPassed};
  for (const ZooModelResult& model : result.models) {
    for (const ZooEngineResult& engine : model.engines) {
      ++counts[engine.engine][engine.outcome];
      seen.insert(engine.outcome);
    }
  }
  std::vector<ZooOutcome> columns;
  std::ranges::copy_if(kColumns, std::back_inserter(columns),
                       [&](ZooOutcome outcome) { return seen.contains(outcome); });
  std::vector<std::vector<std::string>> rows = {{"Engine"}};
  for (const ZooOutcome outcome : columns) rows.front().emplace_back(name_of(outcome));
  for (const std::string& engine : result.engines) {
    const std::string* version = result.versions.find(engine);
    rows.push_back({version ? engine + " " + *version : engine});
    for (const ZooOutcome outcome : columns) {
      const int64_t count = counts[engine][outcome];
      rows.back().push_back(count == 0 ? "-" : std::to_string(count));
    }
  }
  for (const std::string& line : table_lines(rows, 1)) text += line + "\n";
}

void add_stages(const ZooResult& result, std::string& text) {
  std::vector<std::vector<std::string>> rows = {{"Passed the stage"}};
  for (size_t i = 0; i + 1 < kZooStages; ++i)
    rows.front().emplace_back(name_of(static_cast<ZooStage>(i)));
  for (const ZooStageCounts& counts : stage_counts(result)) {
    rows.push_back({counts.engine});
    for (size_t i = 0; i + 1 < kZooStages; ++i) {
      const auto stage = static_cast<ZooStage>(i);
      rows.back().push_back(fmt::format("{} of {}", counts.passed(stage), counts.reached(stage)));
    }
  }
  for (const std::string& line : table_lines(rows, 1)) text += line + "\n";
}

// Sums of times, and the largest peak of memory.
void add_costs(const ZooResult& result, std::string& text) {
  std::vector<std::vector<std::string>> rows = {{"Cost", "load", "run", "peak memory"}};
  for (const std::string& engine : result.engines) {
    double load = 0, run = 0;
    int64_t peak = 0;
    bool known = false;
    for (const ZooModelResult& model : result.models) {
      for (const ZooEngineResult& one : model.engines) {
        if (one.engine != engine) continue;
        known |= one.cost.load_seconds.has_value();
        load += one.cost.load_seconds.value_or(0);
        run += one.cost.run_seconds.value_or(0);
        peak = std::max(peak, one.cost.peak_bytes.value_or(0));
      }
    }
    if (!known) continue;
    rows.push_back({engine, fmt::format("{:.3g} s", load), fmt::format("{:.3g} s", run),
                    peak > 0 ? size_text(peak) : "not known"});
  }
  if (rows.size() == 1) return;
  text += "\n";
  for (const std::string& line : table_lines(rows, 1)) text += line + "\n";
}

std::string failure_of(const ZooModelResult& model, const ZooEngineResult& engine) {
  std::string text =
      fmt::format("{} | {} | {}", model.model, engine.engine, name_of(engine.outcome));
  // Of other outcomes, it is clear.
  if (engine.outcome == ZooOutcome::kCrashed || engine.outcome == ZooOutcome::kTooSlow ||
      engine.outcome == ZooOutcome::kKilled)
    text += fmt::format(" at {}", name_of(engine.stage));
  if (!engine.guilty.empty()) text += " | " + join(engine.guilty, ", ");
  if (engine.reduced) {
    text += fmt::format(" | reduced to {} node{}", engine.reduced->nodes,
                        engine.reduced->nodes == 1 ? "" : "s");
  }
  if (!engine.reason.empty()) text += " | " + engine.reason;
  return text;
}

}  // namespace

std::string to_text(const ZooResult& result) {
  std::string text;
  add_counts(result, text);
  text += "\n";
  add_stages(result, text);
  add_costs(result, text);
  std::vector<std::string> failures;
  for (const ZooModelResult& model : result.models) {
    if (!model.problem.empty()) failures.push_back(model.model + " | " + model.problem);
    for (const ZooEngineResult& engine : model.engines) {
      // Others have a reason where outputs without elements were not compared.
      if (!passed(engine.outcome) || !engine.reason.empty())
        failures.push_back(failure_of(model, engine));
    }
  }
  if (!failures.empty()) text += "\n";
  for (size_t i = 0; i < std::min(failures.size(), kMostFailures); ++i) text += failures[i] + "\n";
  text += and_more(failures.size(), kMostFailures, "... ");
  if (failures.size() > kMostFailures) text += "\n";
  return text;
}

std::string to_text(std::span<const ZooChange> worse) {
  std::string text;
  for (const ZooChange& change : worse) {
    text += fmt::format("{}{}{}: {}, was {}\n", change.model, change.engine.empty() ? "" : " on ",
                        change.engine, name_of(change.now),
                        change.before ? name_of(*change.before) : "not in the baseline");
  }
  return text;
}

}  // namespace polygraphy
