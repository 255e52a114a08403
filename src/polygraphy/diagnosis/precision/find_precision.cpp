#include "polygraphy/diagnosis/precision/find_precision.h"

#include <memory>

#include "base/log_modules.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/precision/engine_rounds.h"
#include "polygraphy/diagnosis/precision/layer_rounds.h"
#include "polygraphy/diagnosis/precision/node_rounds.h"

namespace polygraphy {

std::string_view name_of(PrecisionMode mode) {
  constexpr std::string_view kNames[] = {"bisect", "linear", "auto"};
  return kNames[static_cast<size_t>(mode)];
}

PrecisionResult find_precision(const PrecisionJob& job, Logger& log) {
  const EngineRounds how = engine_rounds(job.engine, job.loop, job.check, job.jobs);
  DebugLoop loop(how.loop, log);
  const auto run_nodes = [&] {
    Rounds rounds(loop, how.rounds, log);
    return run_node_rounds(job, loop, rounds, log);
  };
  if (job.mode == PrecisionMode::kAuto) return run_nodes();
  const NetworkDescription network = describe_network(job.engine, log);
  if (!network.layer_precisions) {
    if (!job.mode && job.engine.model.format == kOnnxFormat) return run_nodes();
    throw Error(
        kNoLayerPrecisions,
        "The network takes its types from the model, so its layers have no separate precision",
        "Change the types in the model.");
  }
  check_precisions(job, log);
  PrecisionResult result{.mode = job.mode.value_or(PrecisionMode::kBisect)};
  try {
    Rounds rounds(loop, how.rounds, log);
    result.layers = run_layer_rounds(job, network, loop, rounds, log);
  } catch (const Interrupted&) {
    result.interrupted = true;
    loop.finish();
  }
  return result;
}

}  // namespace polygraphy
