#include "polygraphy/diagnosis/consistency/consistency.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/os/scratch_folder.h"
#include "base/progress.h"
#include "base/text.h"
#include "polygraphy/comparison/verdict/join_versions.h"
#include "polygraphy/diagnosis/consistency/consistency_check.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {
namespace {

// The row of an engine that cannot run the model.
constexpr std::string_view kRunAtAll = "run";

ModelFacts facts_of_model(const ConsistencyJob& job, Logger& log) {
  if (job.model.format != kOnnxFormat) return {};
  return facts_of(*load_onnx(job.model, log), job.decoder_names, log);
}

// Of each engine.
std::vector<const ConsistencyCheck*> checks_of(const ConsistencyJob& job) {
  if (job.engines.empty()) throw Error(kNothingToCheck, "No engine to check");
  if (job.batch_size < 2)
    throw Error(fmt::format("A batch of {} has no rows to compare", job.batch_size),
                "It needs at least 2.");
  if (job.batch_size > kLargestBatch)
    throw Error(fmt::format("A batch of {} rows is too large", job.batch_size),
                fmt::format("The maximum is {}.", kLargestBatch));
  return selected_checks(job.only, job.skip);
}

// An engine that cannot run the model has nothing to agree with. One that refuses it for its local
// functions alone runs it without these.
bool runs_at_all(EngineRuns& runs, ConsistencyResult& result) {
  try {
    static_cast<void>(runs.expected());
    return true;
  } catch (const RunnerFailure& failure) {
    if (runs.facts().has_functions && !runs.inlines()) {
      runs.inline_functions();
      if (!runs_at_all(runs, result)) return false;
      result.notes.push_back(fmt::format("{} runs the model with its local functions inlined: {}",
                                         runs.engine().name, failure.what()));
      return true;
    }
    result.rows.push_back({.engine = runs.engine().name,
                           .check = std::string(kRunAtAll),
                           .verdict = ConsistencyVerdict::kFailed,
                           .notes = {failure.what()}});
    return false;
  }
}

// Nothing is compared of outputs without elements.
void note_empty_outputs(EngineRuns& runs, ConsistencyResult& result) {
  std::vector<std::string> names;
  for (const auto& [name, first] : runs.expected().front()) {
    const bool is_empty = std::ranges::all_of(runs.expected(), [&](const ArrayMap& outputs) {
      const Array* array = outputs.find(name);
      return array && array->size() == 0;
    });
    if (is_empty) names.push_back("'" + name + "' " + py_tuple_repr(first.shape()));
  }
  if (names.empty()) return;
  result.notes.push_back(fmt::format("{} returns no elements to compare of {}", runs.engine().name,
                                     join(names, ", ")));
}

// A check may need the engine's own session before it compares: for what its inputs are.
void make(const ConsistencyCheck& check, const CheckSubject& subject) {
  try {
    check.run(subject);
  } catch (const RunnerFailure& failure) {
    subject.failed(failure);
  }
}

}  // namespace

std::string_view name_of(ConsistencyVerdict verdict) {
  constexpr std::string_view kNames[] = {"failed", "differs", "within tolerance", "identical",
                                         "not applicable"};
  return kNames[static_cast<size_t>(verdict)];
}

Verdict ConsistencyResult::verdict() const {
  Verdict verdict{.measure = "its tolerances", .unit = "check"};
  const ConsistencyRow* failed = nullptr;
  for (const ConsistencyRow& row : rows) {
    ++verdict.total;
    if (row.verdict == ConsistencyVerdict::kNotApplicable) continue;
    if (row.verdict == ConsistencyVerdict::kFailed) {
      if (!failed) failed = &row;
      continue;
    }
    ++verdict.compared;
    if (row.verdict != ConsistencyVerdict::kDiffers) continue;
    ++verdict.off;
    if (verdict.worst.empty()) verdict.worst = row.check;
  }
  if (verdict.off > 0) {
    verdict.agreement = Agreement::kDiffers;
  } else if (failed) {
    verdict.agreement = Agreement::kFailed;
    verdict.reason = join(failed->notes, "; ");
  } else if (verdict.compared > 0) {
    verdict.agreement = Agreement::kAgrees;
  } else {
    verdict.reason = "no check applies";
  }
  if (!rows.empty() && rows.front().engine == rows.back().engine)
    verdict.target = verdict.reference = rows.front().engine;
  return verdict;
}

int64_t number_of_checks(const ConsistencyJob& job) {
  return static_cast<int64_t>(checks_of(job).size() * job.engines.size());
}

void append(ConsistencyResult& whole, ConsistencyResult part) {
  join_versions(whole.versions, part.versions);
  for (std::string& note : part.notes) {
    if (std::ranges::count(whole.notes, note) == 0) whole.notes.push_back(std::move(note));
  }
  for (ConsistencyRow& row : part.rows) {
    // Each part of an engine that cannot run at all says so.
    const bool known = row.check == kRunAtAll && !whole.rows.empty() &&
                       whole.rows.back().check == kRunAtAll &&
                       whole.rows.back().engine == row.engine;
    if (!known) whole.rows.push_back(std::move(row));
  }
}

ConsistencyResult check_consistency(const ConsistencyJob& job, RunnerFactory& factory,
                                    Logger& log) {
  const std::vector<const ConsistencyCheck*> checks = checks_of(job);
  const ModelFacts facts = facts_of_model(job, log);
  ConsistencyResult result;
  if (!facts.random.empty())
    result.notes.push_back(fmt::format(
        "The model has {} random operator(s), such as {}: results of repeated runs may differ",
        facts.random.size(), facts.random.front()));
  const auto per_engine = static_cast<int64_t>(checks.size());
  const int64_t total = per_engine * static_cast<int64_t>(job.engines.size());
  const auto [first, last] = job.range.value_or(std::pair(int64_t{0}, total - 1));
  ProgressPhase phase("check", std::min(last + 1, total) - first);
  int64_t number = 0;
  for (const RunnerSpec& engine : factory.complete(job.engines)) {
    if (number + per_engine <= first || number > last) {
      number += per_engine;
      continue;
    }
    const ScratchFolder folder((job.scratch.empty() ? temporary_folder() : job.scratch) +
                               "/.polygraphy-consistency-");
    EngineRuns runs(job, engine, factory, facts, folder.path(), log);
    BatchRuns batch(runs);
    Repetition repetition(runs, batch);
    const bool can_run = runs_at_all(runs, result);
    if (can_run) note_empty_outputs(runs, result);
    for (const ConsistencyCheck* check : checks) {
      const int64_t own = number++;
      if (own < first || own > last) continue;
      if (can_run) make(*check, CheckSubject(runs, batch, repetition, *check, result.rows));
      phase.step();
    }
  }
  return result;
}

}  // namespace polygraphy
