// How a call judges outputs many times.
#pragma once

#include <memory>

#include "api/given_arguments.h"
#include "api/job.h"
#include "polygraphy/comparison/output_check/output_check.h"
#include "polygraphy/data/user_python/user_python.h"

namespace native {

class GivenOutputCheck {
 public:
  // Of the options `metrics` and `metric_options`, as compare_options() reads them; or of
  // `task_metric`, a name, with `labels` (a path, or empty), `metric_output` and `metric_drop`; or
  // of `agrees`, a function for agreement(). Throws Error.
  explicit GivenOutputCheck(const GivenArguments& given);

  bool given() const { return agrees_ || check_.task_metric || !check_.metrics.empty(); }
  // For the job. `python` runs scripts.
  polygraphy::OutputCheck make(Job& job,
                               const std::shared_ptr<polygraphy::UserPython>& python) const;

 private:
  polygraphy::OutputCheck check_;
  PyRef agrees_;  // null: none
};

}  // namespace native
