// Comparisons by the noise of number formats, as Python asks for them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/given_arguments.h"
#include "api/job.h"
#include "api/opened_run.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/models/noise/number_format.h"

namespace native {

class GivenNoise {
 public:
  // Of `noise_floor` (a format, "auto", or None), `noise_runs`, `noise_threshold` and
  // `quantization_noise`. Throws Error.
  explicit GivenNoise(const Keywords& keywords);

  // Where noise is requested: lets it judge, alone in place of the metric "simple", or with a
  // metric that reads it. `runners`: those that run, with names. The others outlive `options`.
  // Throws Error for other metrics.
  void use(const GivenRun& given, const std::vector<polygraphy::RunnerSpec>& runners,
           ModelFeeds feeds, JobRunnerFactory& factory, Job& job,
           polygraphy::CompareOptions& options) const;

 private:
  bool wanted_ = false;
  std::optional<polygraphy::NumberFormat> format_;  // nullopt: those of the runners
  int64_t runs_;
  double threshold_;
  bool quantization_;
};

}  // namespace native
