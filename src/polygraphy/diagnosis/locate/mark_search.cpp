#include "polygraphy/diagnosis/locate/mark_search.h"

#include <numeric>
#include <unordered_set>
#include <utility>

#include "polygraphy/diagnosis/locate/judging/ratio_in_place.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/search/ddmin.h"
#include "polygraphy/models/parts/node_groups.h"

namespace polygraphy {
namespace {

class MarkSearch {
 public:
  MarkSearch(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
             const Measurements& measurements)
      : run_(run), model_(model), feeds_(feeds), measurements_(measurements) {
    const std::unordered_set<std::string> outputs(model.outputs().begin(), model.outputs().end());
    for (const NodeFacts& node : model.nodes()) {
      for (const std::string& name : node.makes) {
        if (!outputs.contains(name)) marks_.push_back(name);
      }
    }
  }

  LocateFusion run(const std::vector<ValueMap>& reference_feeds) {
    if (too_large()) return {.note = "all tensors together exceed the memory limit"};
    references_ =
        outputs_of(*run_.reference, model_.with_outputs({}), reference_feeds, run_.job.cancel);
    if (vanishes({})) return {};
    Part all(marks_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    if (marks_.empty() || !vanishes(all))
      return {.note = "the difference stays if all tensors are outputs"};
    const Part found =
        ddmin(all, [&](const Part& part, const Upcoming<Part>&) { return vanishes(part); });
    LocateFusion fusion;
    for (const size_t place : found) fusion.tensors.push_back(marks_[place]);
    return fusion;
  }

 private:
  bool too_large() const {
    constexpr uint64_t kUnknown = 1 << 20;
    uint64_t bytes = 0;
    for (const uint64_t size : model_.bytes_of(marks_, feeds_.front(), kUnknown)) bytes += size;
    return bytes > (run_.job.tensor_bytes > 0 ? run_.job.tensor_bytes : kUsualTensorBytes);
  }

  // No output is off with these marks.
  bool vanishes(const Part& part) const {
    std::vector<std::string> outputs = model_.outputs();
    for (const size_t place : part) outputs.push_back(marks_[place]);
    const std::vector<ArrayMap> results =
        outputs_of(*run_.target, model_.with_outputs(std::move(outputs)), feeds_, run_.job.cancel);
    for (size_t sample = 0; sample < results.size(); ++sample) {
      for (const std::string& name : model_.outputs()) {
        if (is_off(name, sample, results[sample])) return false;
      }
    }
    return true;
  }

  bool is_off(const std::string& name, size_t sample, const ArrayMap& results) const {
    const Array *reference = references_[sample].find(name), *observed = results.find(name);
    return reference && observed &&
           ratio_in_place(measurements_, name, sample, *reference, *observed, run_.job.format) >
               run_.job.threshold;
  }

  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;  // of the target
  const Measurements& measurements_;
  std::vector<std::string> marks_;
  std::vector<ArrayMap> references_;  // outputs, by sample
};

}  // namespace

LocateFusion find_fusion(const LocateRun& run, const WholeModel& model,
                         const std::vector<ValueMap>& reference_feeds,
                         const std::vector<ValueMap>& target_feeds,
                         const Measurements& measurements) {
  return MarkSearch(run, model, target_feeds, measurements).run(reference_feeds);
}

}  // namespace polygraphy
