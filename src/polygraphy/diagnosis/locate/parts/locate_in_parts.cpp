#include "polygraphy/diagnosis/locate/parts/locate_in_parts.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/os/scratch_folder.h"
#include "base/size_text.h"
#include "polygraphy/diagnosis/locate/noise_floor_of.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/noise/moved_weights.h"
#include "polygraphy/models/parts/memory_shares.h"

namespace polygraphy {
namespace {

// Engines run one after the other.
constexpr uint64_t kEngines = 1;

// The request that needs the whole model; empty: none does. `quantized`: the model has weights
// whose rounding may be noise.
std::string needs_whole(const LocateJob& job, bool quantized) {
  if (job.remedy) return "A remedy";
  if (job.reference_model) return "A model of the reference";
  if (job.quantization && quantized) return "Noise of quantization";
  if (job.decode_step) return "A step of decoding";
  return {};
}

}  // namespace

std::optional<int64_t> forced_part_bytes(const LocateJob& job) {
  if (job.memory_limit == 0) return std::nullopt;
  Logger quiet;
  if (job.reference_model) {
    const uint64_t weights = weight_bytes(*load_onnx(*job.reference_model, quiet));
    if (!weights_fit(weights, job.memory_limit, kEngines))
      require_parts_suffice(needs_whole(job, false), weights, job.memory_limit);
  }
  const auto model = load_onnx(job.model, quiet);
  const uint64_t weights = weight_bytes(*model);
  if (weights_fit(weights, job.memory_limit, kEngines)) return std::nullopt;
  const int64_t bytes = part_bytes_within(job.memory_limit, kEngines);
  require_parts_suffice(needs_whole(job, has_quantized_weights(*model)), weights, job.memory_limit);
  require_each_fits(*model, bytes_left(job.memory_limit, kEngines), job.memory_limit);
  return bytes;
}

LocateResult locate_in_parts(LocatePartsJob job, RunnerFactory& factory, Logger& log) {
  // forced_part_bytes() has refused models of which quantisation is noise.
  const bool not_quantized = std::exchange(job.job.quantization, false);
  const std::string parent = job.job.scratch.empty() ? temporary_folder() : job.job.scratch;
  const ScratchFolder folder(parent + "/.polygraphy-parts-");
  LocateParts parts(job, factory, log);
  LocateRecord record = parts.in_place(folder.path());
  add_alone(record, parts.alone(record, folder.path(), 0, record.parts));
  LocateResult result = parts.result(record);
  result.notes.push_back(
      fmt::format("The weights do not fit the memory limit of {}: bodies of nodes and the proof, "
                  "which need the whole model, were left out",
                  size_text(static_cast<int64_t>(job.job.memory_limit))));
  if (not_quantized) result.notes.emplace_back(kNotQuantized);
  return result;
}

}  // namespace polygraphy
