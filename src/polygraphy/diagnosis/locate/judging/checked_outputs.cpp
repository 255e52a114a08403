#include "polygraphy/diagnosis/locate/judging/checked_outputs.h"

#include <algorithm>

namespace polygraphy {

RunRecord checked_outputs(const LocateJob& job, const std::vector<ValueMap>& feeds,
                          const std::vector<ArrayMap>& reference,
                          const std::vector<ArrayMap>& target) {
  OutputJudge judge(*job.check, name_of(job.reference), name_of(job.target));
  for (size_t i = 0; i < feeds.size(); ++i) judge.add(feeds[i], reference[i], target[i]);
  RunRecord record = judge.record();
  for (PairRecord& pair : record.pairs) {
    for (size_t i = 0; i < pair.samples.size() && !job.reference_model; ++i)
      fail_missing(reference[i], target[i], pair.samples[i]);
  }
  return record;
}

void fail_missing(const ArrayMap& reference, const ArrayMap& target, JudgedSample& sample) {
  const auto [first, last] = std::ranges::stable_partition(
      sample.left,
      [&](const std::string& name) { return reference.contains(name) == target.contains(name); });
  for (auto name = first; name != last; ++name) sample.units.push_back({.name = *name});
  sample.left.erase(first, last);
}

}  // namespace polygraphy
