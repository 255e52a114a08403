#include "polygraphy/diagnosis/consistency/consistency_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"

namespace polygraphy {
namespace {

constexpr std::string_view kRepeat = "repeat";
constexpr int kRepetitions = 6;  // an engine may be wrong in a few runs only

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "'a' (Dropout), 'b' (Softmax over axis 0) and 3 more".
std::string few_of(const std::vector<std::string>& nodes) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, nodes.size()); ++i)
    text += (i == 0 ? "" : ", ") + nodes[i];
  if (nodes.size() > kShown) text += fmt::format(" and {} more", nodes.size() - kShown);
  return text;
}

// One line of the table's notes.
std::string one_line(std::string_view text) {
  constexpr size_t kLongest = 300;
  std::string message(strip(replace_all(text, "\n", " ")));
  if (message.size() > kLongest) {
    message.resize(kLongest);
    message += " ...";
  }
  return message;
}

}  // namespace

void Repetition::run() {
  const auto once = [&](bool& ran, void (Repetition::*runs)()) {
    if (std::exchange(ran, true)) return;
    try {
      (this->*runs)();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (failure_.empty()) failure_ = error.what();
    }
  };
  once(samples_ran_, &Repetition::run_samples);
  if (batch_.in_use()) once(batch_ran_, &Repetition::run_batch);
}

std::optional<OutputDifference> Repetition::difference() const {
  if (again_.verdict() != ConsistencyVerdict::kDiffers) return std::nullopt;
  return again_.worst();
}

void Repetition::run_samples() {
  for (int i = 0; i < kRepetitions; ++i) again_.compare(runs_.expected(), runs_.infer_samples());
  if (!runs_.engine().backend.empty()) again_.compare(runs_.expected(), runs_.run({}));
}

void Repetition::run_batch() {
  for (int i = 0; i < kRepetitions; ++i) again_.compare(batch_.together(), batch_.all());
}

ConsistencyRow& CheckSubject::add(std::string what) const {
  rows_.push_back(
      {.engine = runs_.engine().name, .check = std::string(check_.name), .what = std::move(what)});
  return rows_.back();
}

const ConsistencyRow& CheckSubject::compare(std::string what, const Compare& compare) const {
  return this->compare(std::move(what), runs_.job().tolerance, compare);
}

const ConsistencyRow& CheckSubject::compare(
    std::string what, const std::function<OutputTolerance(const std::string&)>& tolerance,
    const Compare& compare) const {
  WorstDifference difference(tolerance, noise());
  ConsistencyRow& row = add(std::move(what));
  try {
    compare(difference, row);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    // The engine has run before, so this variation causes any error.
    row.verdict = ConsistencyVerdict::kFailed;
    row.notes.push_back(one_line(error.what()));
    return row;
  }
  row.verdict = difference.verdict();
  row.worst = difference.worst();
  if (row.verdict == ConsistencyVerdict::kDiffers && check_.name != kRepeat) blame_repetition(row);
  if (row.verdict == ConsistencyVerdict::kNotApplicable && row.notes.empty())
    row.notes.emplace_back(difference.not_finite() ? "the outputs have no finite number"
                           : difference.empty()    ? "the outputs have no elements"
                                                   : "the engine returns no outputs to compare");
  if (difference.widened() > 0) {
    row.notes.push_back(fmt::format("the tolerance is {:g}× the output's noise: {:.3g}",
                                    kNoiseThreshold, difference.widened()));
  }
  if (rounding_ && !rounding_->failure().empty())
    row.notes.push_back("the noise is not known: " + one_line(rounding_->failure()));
  if (row.worst && !runs_.facts().random.empty())
    row.notes.push_back("the model has random operators: " + few_of(runs_.facts().random));
  return row;
}

RoundingNoise& CheckSubject::rounding() const {
  if (!rounding_) {
    rounding_.emplace(runs_,
                      [this] { return check_.of_batch ? batch_.feed() : runs_.samples().front(); });
  }
  return *rounding_;
}

WorstDifference::Wider CheckSubject::noise() const {
  if (!check_.rounds || runs_.job().tolerance || !runs_.facts().random.empty()) return nullptr;
  return [this](const std::string& output) { return kNoiseThreshold * rounding().largest(output); };
}

bool CheckSubject::varies() const {
  repetition_.run();
  return repetition_.difference().has_value();
}

// A variation is not to blame where the engine gives other results without it, too.
void CheckSubject::blame_repetition(ConsistencyRow& row) const {
  repetition_.run();
  const std::optional<OutputDifference> difference = repetition_.difference();
  if (!difference) {
    if (!repetition_.failure().empty())
      row.notes.push_back("the engine could not run without the variation: " +
                          one_line(repetition_.failure()));
    return;
  }
  row.optimizers.clear();
  if (!is_selected(kRepeat, runs_.job().only, runs_.job().skip)) {
    row.notes.emplace_back("the results also differ without the variation");
    return;
  }
  row.notes = {fmt::format("found by the check '{}': {}", check_.name, row.what)};
  row.check = kRepeat;
  row.what = "the same input again, and in a new session";
  row.worst = difference;
}

void CheckSubject::compare_rows(std::string what, const Compare& comparison) const {
  compare(std::move(what), [&](WorstDifference& difference, ConsistencyRow& row) {
    comparison(difference, row);
    row.skipped = batch_.left_out();
    if (!row.skipped.empty())
      row.notes.push_back("skipped: " + join(row.skipped, ", ") +
                          ", without one row per input row");
    if (difference.verdict() != ConsistencyVerdict::kDiffers) return;
    const auto constant = runs_.facts().constants.find(batch_.size());
    if (!batch_.open() && constant != runs_.facts().constants.end()) {
      row.notes.push_back(fmt::format("constants of the model have {} rows, too, such as '{}'",
                                      batch_.size(), constant->second));
    }
    row.notes.push_back(
        runs_.facts().across_rows.empty()
            ? "rows depend on each other, or the engine computes them differently in a batch"
            : "rows depend on each other in the model: " + few_of(runs_.facts().across_rows));
  });
}

void CheckSubject::not_applicable(std::string why) const {
  ConsistencyRow& row = add({});
  row.verdict = ConsistencyVerdict::kNotApplicable;
  row.notes.push_back(std::move(why));
}

void CheckSubject::failed(const RunnerFailure& failure) const {
  ConsistencyRow& row = add({});
  row.verdict = ConsistencyVerdict::kFailed;
  row.notes.push_back(one_line(failure.what()));
}

bool is_selected(std::string_view name, const std::vector<std::string>& only,
                 const std::vector<std::string>& skip) {
  return (only.empty() || contains(only, name)) && !contains(skip, name);
}

std::vector<const ConsistencyCheck*> selected_checks(const std::vector<std::string>& only,
                                                     const std::vector<std::string>& skip) {
  std::vector<const ConsistencyCheck*> all(consistency_checks().begin(),
                                           consistency_checks().end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto* a, const auto* b) { return a->order < b->order; });
  std::vector<std::string> known;
  for (const ConsistencyCheck* check : all) known.emplace_back(check->name);
  for (const auto* names : {&only, &skip}) {
    for (const std::string& name : *names) {
      if (contains(known, name)) continue;
      throw Error("Unknown consistency check '" + name + "'",
                  unknown_name_hint(name, known, "Checks"));
    }
  }
  std::vector<const ConsistencyCheck*> selected;
  for (const ConsistencyCheck* check : all) {
    if (is_selected(check->name, only, skip)) selected.push_back(check);
  }
  if (selected.empty())
    throw Error("All consistency checks are skipped", "Skip fewer of them: " + join(known, ", "));
  return selected;
}

std::vector<ConsistencyCheckInfo> consistency_check_list() {
  std::vector<ConsistencyCheckInfo> list;
  for (const ConsistencyCheck* check : selected_checks({}, {}))
    list.push_back({check->name, check->summary});
  return list;
}

}  // namespace polygraphy
