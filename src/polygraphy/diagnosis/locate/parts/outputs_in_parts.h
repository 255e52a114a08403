// The outputs of a model that runs in parts, without marked tensors.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/diagnosis/locate/measuring/measure_in_place.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

class OutputsInParts {
 public:
  // `model`: the whole one. The arguments outlive it.
  OutputsInParts(const LocateJob& job, const WholeModel& model, size_t samples)
      : job_(job),
        model_(model),
        reference_(samples),
        target_(samples),
        noise_(samples),
        measured_(samples) {}

  // Outputs of the model among the borders of a part, which are in `measurements`.
  void add(const Borders& borders, const ValuesInPlace& made, const Measurements& measurements);
  // Verdicts by the noise in place.
  RunRecord by_noise() const;
  // Verdicts by LocateJob::metric, which the noise in place excuses. Throws Error.
  RunRecord by_metric(Logger& log) const;
  // Verdicts by LocateJob::check. Throws Error.
  RunRecord by_check(const std::vector<ValueMap>& feeds) const;

 private:
  RunRecord record(const std::string& by, std::vector<JudgedSample> samples) const;

  const LocateJob& job_;
  const WholeModel& model_;
  std::vector<ArrayMap> reference_, target_, noise_;  // by sample
  std::vector<MeasuredOutputs> measured_;
};

}  // namespace polygraphy
