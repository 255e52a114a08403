#include "polygraphy/diagnosis/locate/mark_search.h"

#include <algorithm>

#include "polygraphy/diagnosis/locate/judged_error.h"
#include "polygraphy/diagnosis/locate/model_runs.h"
#include "polygraphy/diagnosis/locate/models/node_groups.h"
#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {
namespace {

class MarkSearch {
 public:
  MarkSearch(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
             const Measurements& measurements)
      : run_(run), model_(model), feeds_(feeds), measurements_(measurements) {
    const auto& outputs = model.outputs();
    for (const NodeFacts& node : model.nodes()) {
      for (const std::string& name : node.makes) {
        if (std::find(outputs.begin(), outputs.end(), name) == outputs.end())
          marks_.push_back(name);
      }
    }
  }

  LocateFusion run() {
    if (too_large()) return {.note = "all tensors together exceed the memory limit"};
    references_ =
        outputs_of(*run_.reference, model_.with_outputs({}), samples(), feed(), run_.job.cancel);
    const Part found = minimal_subset(
        marks_.size(), [&](const Part& part, const Upcoming<Part>&) { return vanishes(part); });
    if (found.empty())
      return {.note =
                  "the difference vanishes if local functions are inlined and Constant nodes are "
                  "initializers"};
    LocateFusion fusion;
    for (const size_t place : found) fusion.tensors.push_back(marks_[place]);
    return fusion;
  }

 private:
  int64_t samples() const { return static_cast<int64_t>(feeds_.size()); }
  std::function<ValueMap(int64_t)> feed() const {
    return [this](int64_t sample) { return feeds_[static_cast<size_t>(sample)]; };
  }

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
    bool off = false;
    run_samples(
        *run_.target, model_.with_outputs(std::move(outputs)), samples(), 1,
        [&](int64_t sample, int64_t) { return feeds_[static_cast<size_t>(sample)]; },
        [&](int64_t sample, int64_t, const ArrayMap& results) {
          for (const std::string& name : model_.outputs())
            off |= is_off(name, static_cast<size_t>(sample), results);
        },
        run_.job.cancel);
    return !off;
  }

  bool is_off(const std::string& name, size_t sample, const ArrayMap& results) const {
    const Array *reference = references_[sample].find(name), *observed = results.find(name);
    const auto measured = measurements_.find(name);
    if (!reference || !observed || measured == measurements_.end()) return false;
    const auto& noises = measured->second.accumulated_noise;
    return judged_error(*reference, *observed, run_.job.format,
                        sample < noises.size() ? noises[sample] : Noise{},
                        measured->second.in_place())
               .ratio > run_.job.threshold;
  }

  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;
  const Measurements& measurements_;
  std::vector<std::string> marks_;
  std::vector<ArrayMap> references_;  // outputs, by sample
};

}  // namespace

LocateFusion find_fusion(const LocateRun& run, const WholeModel& model,
                         const std::vector<ValueMap>& feeds, const Measurements& measurements) {
  return MarkSearch(run, model, feeds, measurements).run();
}

}  // namespace polygraphy
