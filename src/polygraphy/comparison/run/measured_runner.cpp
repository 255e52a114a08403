#include "polygraphy/comparison/run/measured_runner.h"

#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {

void MeasuredRunner::warm_up(const ValueMap& feed, int64_t runs) {
  if (runs <= 0) return;
  log_.warm_up_started(runner_.name(), runs);
  for (int64_t i = 0; i < runs; ++i) runner_.infer(feed);
  log_.warm_up_finished(runner_.name(), runs);
}

IterationResult MeasuredRunner::infer(const ValueMap& feed) {
  IterationResult result;
  result.runner_name = runner_.name();
  result.outputs = flatten(runner_.infer(feed));
  result.precision = runner_.precision();
  result.runtime = runner_.last_inference_seconds();
  seconds_ += *result.runtime;
  ++runs_;
  log_.output_metadata(runner_.name(), result.outputs);
  log_.outputs_received(runner_.name(), result.outputs, *result.runtime);
  return result;
}

IterationResult failed_iteration(const Runner& runner) {
  IterationResult result;
  result.runner_name = runner.name();
  result.failed = true;
  return result;
}

}  // namespace polygraphy
