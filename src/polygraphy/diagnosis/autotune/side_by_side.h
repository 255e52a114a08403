// Models that are measured in turns on one runtime.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/benchmark/benchmark.h"
#include "polygraphy/diagnosis/autotune/search.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

struct MeasureOptions {
  RunnerSpec runner = {};  // models are measured on it
  // A file of tactics' times, of TensorRT, that is read, if it is there, and written; empty: none.
  std::string timing_cache = {};
  BenchmarkCase inputs = {};
  int64_t warm_up = 2;  // runs of each model that do not count, and …
  int64_t runs = 10;    // … those that do, at least 1
  // Models are loaded and timed in turns with other processes that use it (DeviceTurn): "gpu-0".
  std::string device = "cpu";
  CancelToken cancel = {};
};

// The model that candidates are measured beside fails, although it ran before.
class BestFailed : public Error {
 public:
  using Error::Error;
};

// A model that is loaded, until the last owner lets go of it.
using LoadedModel = std::shared_ptr<Runner>;

// By seconds of runs that took turns: run i of the one stands beside run i of the other, so both
// saw the same machine. The candidate is faster if its median is lower, and if it won four of five
// pairs: of ten pairs of equal models, 5 in 100 do. At least one run of each.
bool is_faster(std::span<const double> candidate, std::span<const double> than);

class SideBySide {
 public:
  SideBySide(const MeasureOptions& options, RunnerFactory& factory, Logger& log)
      : options_(options), factory_(factory), log_(log) {}

  // `name`: of the runner, for messages. Throws what the runner's activation throws.
  LoadedModel load(const ModelSource& model, const std::string& name);
  // Median seconds of one alone. Throws Error.
  double measure(const LoadedModel& model);
  // Throws Error if the candidate cannot be run, and BestFailed if the best cannot.
  Duel compare(const LoadedModel& best, const LoadedModel& candidate);
  // "x:[1,3]", of the last measurement.
  const std::string& inputs() const { return inputs_; }

 private:
  BenchmarkReport run(const Runners& runners);

  const MeasureOptions& options_;
  RunnerFactory& factory_;
  Logger& log_;
  std::string inputs_;
  std::optional<Error> failure_;  // the last that a runner had
};

}  // namespace polygraphy
