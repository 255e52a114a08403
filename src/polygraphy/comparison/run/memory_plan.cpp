#include "polygraphy/comparison/run/memory_plan.h"

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

}  // namespace

std::optional<OutputGroups> plan_output_groups(graphsurgeon::Model& model, const ArrayMap& feed,
                                               const MemoryNeeds& needs, Logger& log) {
  const uint64_t weights = weight_bytes(model);
  const std::vector<OutputSize> sizes = output_sizes(model, feed);
  const OutputGroups whole(sizes, 0);
  const uint64_t copies = needs.isolated ? kCopiesIsolated : kCopiesHere;
  const uint64_t fixed =
      kProcessBytes +
      needs.runners * (kRuntimeBytes + kCopiesOfWeights * weights + kLiveTensors * whole.largest());
  const uint64_t least = fixed + needs.runners * copies * whole.largest();
  if (needs.limit < least) {
    throw Error(kMemoryLimitTooLow,
                needs.limit_text + " is too low for this model: its weights need " +
                    text_of(weights) + ", its largest output " + text_of(whole.largest()) +
                    ", and " + std::to_string(needs.runners) + " runner(s) need about " +
                    text_of(least),
                "Raise the limit, select fewer outputs, or run one runner at a time and compare "
                "the saved outputs.");
  }
  const uint64_t budget = (needs.limit - fixed) / (needs.runners * copies);
  if (whole.all_known() && whole.known_bytes() <= budget) return std::nullopt;
  log.info(log_modules::kRun,
           "Memory limit: " + text_of(needs.limit) + " | " + std::to_string(sizes.size()) +
               " outputs of " + text_of(whole.known_bytes()) +
               (whole.all_known() ? "" : " or more") + " in groups of up to " + text_of(budget));
  return OutputGroups(sizes, budget);
}

}  // namespace polygraphy
