#include "polygraphy/diagnosis/locate/mark_search.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "base/progress.h"
#include "polygraphy/diagnosis/locate/judging/ratio_in_place.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {
namespace {

class MarkSearch {
 public:
  MarkSearch(const LocateRun& run, const WholeModel& model,
             const std::vector<ValueMap>& reference_feeds,
             const std::vector<ValueMap>& target_feeds, const Measurements& measurements)
      : run_(run),
        model_(model),
        reference_feeds_(reference_feeds),
        target_feeds_(target_feeds),
        measurements_(measurements) {
    const std::unordered_set<std::string> outputs(model.outputs().begin(), model.outputs().end());
    std::ranges::copy_if(model.made(), std::back_inserter(marks_),
                         [&](const std::string& name) { return !outputs.contains(name); });
  }

  LocateFusion run(std::string if_vanished) {
    if (!run_.fit(model_, marks_, target_feeds_.front(), 1))
      return {.note = "all tensors together exceed the memory limit"};
    references_ = references_with({});
    for (const auto& [name, array] : references_.front()) outputs_.push_back(name);
    if (vanishes({})) return {.note = std::move(if_vanished)};
    Part all(marks_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    // Marks of the target alone blame the target.
    for (const bool both : {false, true}) {
      if (marks_.empty() || (both && !run_.reference)) continue;
      on_both_sides_ = both;
      if (!vanishes(all)) continue;
      const Part found =
          ddmin(all, [&](const Part& part, const Upcoming<Part>&) { return vanishes(part); });
      return {.tensors = names(found), .on_both_sides = both};
    }
    if (std::string first = first_off(all, model_.made()); !first.empty())
      return {.first_off = std::move(first)};
    return {.note = "the outputs differ again in a run with all of them"};
  }

 private:
  std::vector<std::string> names(const Part& part) const {
    std::vector<std::string> names;
    for (const size_t place : part) names.push_back(marks_[place]);
    return names;
  }

  ModelSource marked(const Part& part) const {
    std::vector<std::string> outputs = model_.outputs();
    for (std::string& name : names(part)) outputs.push_back(std::move(name));
    return model_.with_outputs(std::move(outputs));
  }

  // Outputs of the reference with these marks, by sample, or saved ones.
  std::vector<ArrayMap> references_with(const Part& part) const {
    if (run_.reference)
      return outputs_of(*run_.reference, marked(part), reference_feeds_, run_.job.cancel);
    std::vector<ArrayMap> saved;
    for (size_t sample = 0; sample < reference_feeds_.size(); ++sample) {
      saved.push_back(
          saved_tensors(std::get<SavedSide>(run_.job.reference), static_cast<int64_t>(sample))
              .value_or(ArrayMap()));
    }
    return saved;
  }

  // The first of the tensors that is off with these marks; empty: none is.
  std::string first_off(const Part& part, const std::vector<std::string>& tensors) const {
    const std::vector<ArrayMap> results =
        outputs_of(*run_.target, marked(part), target_feeds_, run_.job.cancel);
    const std::vector<ArrayMap> own =
        on_both_sides_ ? references_with(part) : std::vector<ArrayMap>();
    const std::vector<ArrayMap>& references = on_both_sides_ ? own : references_;
    for (const std::string& name : tensors) {
      for (size_t sample = 0; sample < results.size(); ++sample) {
        if (is_off(name, sample, references[sample], results[sample])) return name;
      }
    }
    return {};
  }

  bool vanishes(const Part& part) const { return first_off(part, outputs_).empty(); }

  bool is_off(const std::string& name, size_t sample, const ArrayMap& references,
              const ArrayMap& results) const {
    const Array *reference = references.find(name), *observed = results.find(name);
    return reference && observed &&
           is_off_in_place(run_.job, model_, measurements_, name, sample, *reference, *observed);
  }

  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>&reference_feeds_, &target_feeds_;
  const Measurements& measurements_;
  std::vector<std::string> marks_;
  std::vector<ArrayMap> references_;  // outputs without marks, by sample
  std::vector<std::string> outputs_;  // their arrays
  bool on_both_sides_ = false;        // the reference is marked, too
};

}  // namespace

LocateFusion find_fusion(const LocateRun& run, const WholeModel& model,
                         const std::vector<ValueMap>& reference_feeds,
                         const std::vector<ValueMap>& target_feeds,
                         const Measurements& measurements, std::string if_vanished) {
  const ProgressPhase phase("marking fewer tensors");
  try {
    return MarkSearch(run, model, reference_feeds, target_feeds, measurements)
        .run(std::move(if_vanished));
  } catch (const RunnerFailure& failure) {
    return {.note = failure.what()};
  }
}

}  // namespace polygraphy
