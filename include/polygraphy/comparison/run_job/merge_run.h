// The results of a run that was cut into tasks by samples.
#pragma once

#include "base/log.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "tasks/task_folder.h"
#include "tasks/task_plan.h"

namespace polygraphy {

struct MergedRun {
  RunRecord record = {};
  AccuracyResults accuracy = {};  // that the records carry, if it is wanted
};

// The results of all tasks, in the order of their samples. O(samples x outputs). Throws IoError,
// FormatError, Error (kNotTheResult, kOtherRun): then nothing is merged.
MergedRun merged_run(const TaskPlan& plan, const TaskFolder& folder, bool with_accuracy);

// One line per pair of runners, as a run has it, and the numbers of failed samples.
void summarize(const RunRecord& record, Logger& log);

}  // namespace polygraphy
