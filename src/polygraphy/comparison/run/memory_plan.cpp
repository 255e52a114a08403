#include "polygraphy/comparison/run/memory_plan.h"

#include <algorithm>
#include <vector>

#include "base/log_modules.h"

namespace polygraphy {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// How often a runner has its outputs in memory. Runtimes take memory in steps of up to twice what
// they need. An isolated runner that cannot put outputs straight into shared memory has them in its
// own memory and there, which counts for both processes.
constexpr uint64_t kCopiesHere = 2, kCopiesIsolated = 4;
// How many tensors live at a time while the model runs, whatever its outputs, and in a comparison.
constexpr uint64_t kLiveTensors = 3;

std::string text_of(uint64_t bytes) {
  return std::to_string((bytes + kMiB - 1) / kMiB) + " MiB";
}

// Of all runners together: without weights and outputs, while the model runs.
uint64_t bytes_of_runs(const MemoryNeeds& needs, uint64_t largest) {
  return kProcessBytes + needs.runners * (kRuntimeBytes + kLiveTensors * largest);
}

// Of `left`, which is for outputs and for the one part that is in memory at a time: up to half is
// for outputs, or more if the largest needs it.
uint64_t share_of_parts(const OutputGroups& outputs, uint64_t left, uint64_t copies) {
  const uint64_t half = left / 2;
  const uint64_t wanted = outputs.all_known() ? copies * outputs.known_bytes() : half;
  const uint64_t share = std::max(std::min(wanted, half), copies * outputs.largest());
  return left > share ? left - share : 0;
}

}  // namespace

MemoryPlan plan_memory(graphsurgeon::Model& model, const ArrayMap& feed, const MemoryNeeds& needs,
                       Logger& log) {
  const uint64_t weights = weight_bytes(model);
  const std::vector<OutputSize> sizes = output_sizes(model, feed);
  const OutputGroups whole(sizes, 0);
  const uint64_t copies = needs.runners * (needs.isolated ? kCopiesIsolated : kCopiesHere);
  const uint64_t of_runs = bytes_of_runs(needs, whole.largest());
  uint64_t of_weights = needs.runners * kCopiesOfWeights * weights;
  const uint64_t least = of_runs + of_weights + copies * whole.largest();
  MemoryPlan plan;
  if (needs.limit < least) {
    const uint64_t left = needs.limit - std::min(of_runs, needs.limit);
    of_weights = share_of_parts(whole, left, copies);
    const uint64_t of_part = of_weights / kCopiesOfParts;
    if (of_part < kMiB) {
      throw Error(kMemoryLimitTooLow,
                  needs.limit_text + " is too low for this model: its weights need " +
                      text_of(weights) + ", its largest output " + text_of(whole.largest()) +
                      ", and " + std::to_string(needs.runners) + " runner(s) need about " +
                      text_of(least),
                  "Raise the limit, select fewer outputs, or run one runner at a time and compare "
                  "the saved outputs.");
    }
    require_each_fits(model, of_weights, needs.limit);
    plan.part_bytes = static_cast<int64_t>(of_part);
  }
  const uint64_t budget = (needs.limit - of_runs - of_weights) / copies;
  OutputGroups first(sizes, budget);
  static_cast<void>(first.next());
  if (first.given() == first.outputs()) return plan;
  log.info(log_modules::kRun,
           "Memory limit: " + text_of(needs.limit) + " | " + std::to_string(sizes.size()) +
               " outputs of " + text_of(whole.known_bytes()) +
               (whole.all_known() ? "" : " or more") + " in groups of up to " + text_of(budget));
  plan.groups.emplace(sizes, budget);
  return plan;
}

}  // namespace polygraphy
