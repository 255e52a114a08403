#include "polygraphy/diagnosis/sensitivity/parts/sensitivity_in_parts.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/size_text.h"
#include "polygraphy/diagnosis/sensitivity/set_search.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/parts/memory_shares.h"

namespace polygraphy {
namespace {

// The request that needs the whole model; empty: none does.
std::string needs_whole(const SensitivityJob& job) {
  if (job.quantized) return "A model that is quantised already";
  if (!job.output.path.empty()) return "The mixed model";
  return {};
}

}  // namespace

std::optional<PartShares> forced_part_shares(const SensitivityJob& job) {
  if (job.memory_limit == 0) return std::nullopt;
  Logger quiet;
  const auto model = load_onnx(job.model, quiet);
  const uint64_t weights = weight_bytes(*model);
  // Weights are there as they come, rounded, and in the session.
  if (weights_fit(kCopiesOfParts / kCopiesOfWeights * weights, job.memory_limit, 1))
    return std::nullopt;
  require_parts_suffice(needs_whole(job), weights, job.memory_limit);
  const int64_t bytes = part_bytes_within(job.memory_limit, 1);
  const uint64_t half = bytes_left(job.memory_limit, 1) / 2;
  require_each_fits(*model, half, job.memory_limit);
  return PartShares{.part_bytes = std::max<int64_t>(bytes / 2, 1), .set_bytes = half};
}

SensitivityResult sensitivity_in_parts(const SensitivityJob& job, const PartShares& shares,
                                       RunnerFactory& factory, Logger& log) {
  PartSets sets(job, shares, factory, log);
  SensitivityResult result{.format = job.format.text()};
  if (const auto* limit = std::get_if<ErrorLimit>(&job.check)) result.limit = limit->limit;
  result.layers = sets.layers();
  result.samples = static_cast<int64_t>(sets.samples());
  const ReferenceOutputs reference(sets.reference(), job.check);
  require_outputs(reference);
  const SetCheck check{job.check, reference, sets.feeds()};
  const std::vector<bool> all(result.layers.size(), true);
  std::vector<std::vector<bool>> expected = sets_of_one(result.layers.size());
  expected.push_back(all);
  sets.expect(std::move(expected));
  SetSearch search = measure_each(sets, check, result.layers);
  result.all_quantized = measure_set(sets, check, all);
  search.most = job.most_sets.value_or(usual_sets(result.layers.size()));
  take_chosen(search_set(sets, check, search), result);
  result.sessions = sets.sessions();
  result.runs = sets.runs();
  result.notes = sets.notes();
  result.notes.push_back(
      fmt::format("The weights do not fit the memory limit of {}: the model ran in {} parts. There "
                  "is no mixed model, so the error was measured on the model with replaced weights",
                  size_text(static_cast<int64_t>(job.memory_limit)), sets.parts()));
  rank_layers(result);
  return result;
}

}  // namespace polygraphy
