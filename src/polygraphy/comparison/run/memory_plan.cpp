#include "polygraphy/comparison/run/memory_plan.h"

#include <vector>

#include "base/log_modules.h"

namespace polygraphy {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// The memory of our process, and of each runtime, without any tensor.
constexpr uint64_t kProcess = 64 * kMiB, kRuntime = 96 * kMiB;

// How often a runner has its outputs in memory. Runtimes take memory in steps of up to twice what
// they need. An isolated runner that cannot put outputs straight into shared memory has them in its
// own memory and there, which counts for both processes.
constexpr uint64_t kCopiesHere = 2, kCopiesIsolated = 4;
// How many tensors live at a time while the model runs, whatever its outputs, and in a comparison.
constexpr uint64_t kLiveTensors = 3;
// How often a runtime has the weights: as they come, and in its own layout.
constexpr uint64_t kCopiesOfWeights = 2;

std::string text_of(uint64_t bytes) {
  return std::to_string((bytes + kMiB - 1) / kMiB) + " MiB";
}

uint64_t weight_bytes(const graphsurgeon::Model& model) {
  uint64_t bytes = 0;
  for (const auto& [name, tensor] : model.graph->tensor_map()) {
    if (tensor->payload()) bytes += static_cast<uint64_t>(tensor->payload()->nbytes());
  }
  return bytes;
}

}  // namespace

std::optional<OutputGroups> plan_output_groups(graphsurgeon::Model& model, const ArrayMap& feed,
                                               const MemoryNeeds& needs, Logger& log) {
  const uint64_t weights = weight_bytes(model);
  const std::vector<OutputSize> sizes = output_sizes(model, feed);
  const OutputGroups whole(sizes, 0);
  const uint64_t copies = needs.isolated ? kCopiesIsolated : kCopiesHere;
  const uint64_t fixed = kProcess + needs.runners * (kRuntime + kCopiesOfWeights * weights +
                                                     kLiveTensors * whole.largest());
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
