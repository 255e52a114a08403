#include "polygraphy/diagnosis/locate/acquitted_nodes.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/progress.h"
#include "polygraphy/diagnosis/locate/judging/ratio_in_place.h"
#include "polygraphy/diagnosis/locate/measuring/given_runs.h"
#include "polygraphy/diagnosis/locate/measuring/side_runs.h"
#include "polygraphy/models/parts/node_groups.h"

namespace polygraphy {
namespace {

class Acquittal {
 public:
  Acquittal(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
            const Measurements& measurements, std::vector<NodeFinding>& findings)
      : run_(run),
        model_(model),
        feeds_(feeds),
        measurements_(measurements),
        findings_(findings),
        values_(feeds.size()) {
    std::unordered_set<std::string_view> names;
    for (const NodeFinding& finding : findings) {
      if (finding.verdict == NodeVerdict::kGuiltyInside) continue;
      if (!is_guilty(finding.verdict) && finding.verdict != NodeVerdict::kOverflows) continue;
      guilty_.push_back(finding.position);
      names.insert(finding.node);
    }
    for (const NodeFinding& finding : findings) {
      if (finding.verdict != NodeVerdict::kGuiltyInside) continue;
      // On the reference's inputs, it is wrong with its neighbours, of which none is guilty alone.
      const bool among_neighbours =
          finding.neighbours && finding.neighbours->ratio > run.job.threshold &&
          std::ranges::none_of(finding.neighbourhood,
                               [&](const std::string& name) { return names.contains(name); });
      (among_neighbours ? guilty_ : suspects_).push_back(finding.position);
    }
    std::ranges::sort(guilty_);
  }

  void run() {
    if (suspects_.empty() || guilty_.size() + suspects_.size() < 2 || !keep_reference()) return;
    const ProgressPhase phase("testing which nodes are guilty only because of others");
    // The first one depends on no other suspect. More runs, each with the next one, acquit no other
    // node of the planted faults.
    if (guilty_.empty()) {
      guilty_.push_back(suspects_.front());
      suspects_.erase(suspects_.begin());
    }
    acquit();
  }

 private:
  // False: they are too large.
  bool keep_reference() {
    std::vector<std::string> names;
    for (const NodePart* nodes : {&guilty_, &suspects_}) {
      for (const size_t position : *nodes) {
        const auto& makes = model_.nodes()[position].makes;
        names.insert(names.end(), makes.begin(), makes.end());
      }
    }
    constexpr uint64_t kUnknown = 1 << 20;
    uint64_t bytes = 0;
    for (const uint64_t size : model_.bytes_of(names, feeds_.front(), kUnknown)) bytes += size;
    const uint64_t budget = run_.job.tensor_bytes > 0 ? run_.job.tensor_bytes : kUsualTensorBytes;
    if (bytes * feeds_.size() > budget) return false;
    Logger quiet;
    run_reference_side(
        run_, model_, names, feeds_,
        [&](int64_t sample, ArrayMap tensors) {
          for (auto& [name, array] : tensors)
            values_[static_cast<size_t>(sample)].set(name, std::move(array));
        },
        quiet);
    return true;
  }

  void acquit() {
    std::vector<std::string> made;
    for (const size_t position : suspects_) {
      const auto& makes = model_.nodes()[position].makes;
      made.insert(made.end(), makes.begin(), makes.end());
    }
    const ModelSource source = given_model(model_, guilty_, values_.front(), made);
    if (source.outputs.empty()) return;
    const std::vector<ArrayMap> results =
        run_given(*run_.target, source, feeds_, values_, run_.job.cancel);
    std::erase_if(suspects_, [&](size_t position) {
      const auto& makes = model_.nodes()[position].makes;
      const bool right = std::ranges::all_of(
          makes, [&](const std::string& name) { return agrees(name, results); });
      if (right) findings_[position].verdict = NodeVerdict::kVictim;
      return right;
    });
  }

  bool agrees(const std::string& name, const std::vector<ArrayMap>& results) const {
    for (size_t sample = 0; sample < results.size(); ++sample) {
      const Array *right = values_[sample].find(name), *seen = results[sample].find(name);
      if (!right || !seen ||
          ratio_in_place(measurements_, name, sample, *right, *seen, run_.job.format) >
              run_.job.threshold)
        return false;
    }
    return true;
  }

  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;
  const Measurements& measurements_;
  std::vector<NodeFinding>& findings_;
  NodePart guilty_, suspects_;    // ascending
  std::vector<ArrayMap> values_;  // of the reference, by sample
};

}  // namespace

void acquit_victims(const LocateRun& run, const WholeModel& model,
                    const std::vector<ValueMap>& feeds, const Measurements& measurements,
                    std::vector<NodeFinding>& findings) {
  if (!run.reference || !run.target || run.reference_model) return;
  try {
    Acquittal(run, model, feeds, measurements, findings).run();
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    // It takes no model with given results: the proof says so.
  }
}

}  // namespace polygraphy
