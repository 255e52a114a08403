#include "polygraphy/diagnosis/precision/layer_rounds.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/log_modules.h"
#include "polygraphy/diagnosis/precision/engine_rounds.h"

namespace polygraphy {
namespace {

using log_modules::kDebugPrecision;

bool has(const EngineJob& job, std::string_view key) {
  const BackendOptions& options = job.runner.session.options;
  return std::any_of(options.begin(), options.end(),
                     [&](const auto& option) { return option.first == key; });
}

bool in_float16(const PrecisionJob& job) {
  return job.precision == DataType::kFloat16;
}

// As TensorRT's Python module calls it.
std::string_view name_of(const PrecisionJob& job) {
  return in_float16(job) ? "DataType.HALF" : "DataType.FLOAT";
}

// The job of a round, with these layers in the higher precision.
EngineJob marked(const PrecisionJob& job, const NetworkDescription& network,
                 const std::vector<int64_t>& selected, Logger& log) {
  EngineJob round = job.engine;
  BackendOptions& options = round.runner.session.options;
  if (!has(round, "precision_constraints"))
    options.emplace_back("precision_constraints", std::vector<std::string>{"obey"});
  std::vector<std::string> values;
  std::string text;
  for (const int64_t position : selected) {
    if (!takes_precision(network.layers[static_cast<size_t>(position)])) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(position);
    values.push_back(std::to_string(position) + (in_float16(job) ? ":float16" : ":float32"));
  }
  log.verbose(kDebugPrecision, "Marking layer(s): {" + text + "} to run in " +
                                   std::string(name_of(job)) + " precision");
  if (!values.empty()) options.emplace_back("layer_precisions_by_position", std::move(values));
  return round;
}

}  // namespace

void check_precisions(const PrecisionJob& job, Logger& log) {
  constexpr std::string_view kLower[] = {"tf32", "fp16", "int8", "bf16", "fp8"};
  if (in_float16(job) && !has(job.engine, "fp16")) {
    throw Error(kHigherPrecisionOff,
                "Cannot mark layers to run in float16 if it is not enabled in the builder "
                "configuration.");
  }
  if (in_float16(job) && !has(job.engine, "int8")) {
    log.warning(kDebugPrecision,
                "The higher precision is float16, but no lower precision (int8) is enabled.");
  }
  if (std::none_of(std::begin(kLower), std::end(kLower),
                   [&](std::string_view key) { return has(job.engine, key); })) {
    throw Error(kNoLowerPrecision,
                "The builder may use only float32, so there is no precision to find",
                "Enable another precision: tf32, fp16, int8 …");
  }
}

bool takes_precision(const NetworkLayer& layer) {
  if (layer.type == "CONSTANT" || !layer.executed) return false;
  return std::all_of(layer.outputs.begin(), layer.outputs.end(), [](const auto& output) {
    const DataType type = output.second.dtype;
    return type == DataType::kFloat32 || type == DataType::kFloat16 || type == DataType::kInt8;
  });
}

namespace {

// The engine with the layers that the search marks.
RoundWork work_of(const LayerMarker& marker, const PrecisionJob& job,
                  const NetworkDescription& network) {
  const auto make = [marker, &job, &network](const RoundFiles& files, Logger& log,
                                             CancelToken cancel) {
    log.info(kDebugPrecision,
             "Selecting " + marker.text(marker.count()) + " to run in higher precision");
    const EngineJob round = marked(job, network, marker.selected(), log);
    return build_for_round(round, job.loop.artifact, files, kDebugPrecision, log, cancel);
  };
  return {.key = std::to_string(marker.count()), .make = make};
}

}  // namespace

std::optional<int64_t> run_layer_rounds(const PrecisionJob& job, const NetworkDescription& network,
                                        DebugLoop& loop, Rounds& rounds, Logger& log) {
  log.start(kDebugPrecision, "Using " + std::string(name_of(job)) + " as higher precision");
  LayerMarker marker(
      job.mode == PrecisionMode::kLinear ? LayerMarker::Order::kLinear
                                         : LayerMarker::Order::kBisect,
      job.reverse ? LayerMarker::Direction::kReverse : LayerMarker::Direction::kForward,
      static_cast<int64_t>(network.layers.size()));
  const auto passes = [&] {
    const auto next = made_of<RoundWork, LayerMarker>(
        marker.upcoming(),
        [&](const LayerMarker& later) { return std::optional(work_of(later, job, network)); });
    return rounds.run(work_of(marker, job, network), next, marker.remaining());
  };
  loop.begin();
  while (marker.next(passes())) {
  }
  if (marker.passing() >= 0) {
    log.finish(kDebugPrecision, "To achieve acceptable accuracy, try running the " +
                                    marker.text(marker.passing()) + " in higher precision");
  } else {
    log.error(kDebugPrecision,
              "Could not find a configuration that satisfied accuracy requirements.");
  }
  loop.finish();
  return marker.passing() < 0 ? std::nullopt : std::optional(marker.passing());
}

}  // namespace polygraphy
