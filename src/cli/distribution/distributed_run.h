// `run --on`: samples as tasks, and the merge of their records.
#pragma once

#include "cli/jobs/run_plan.h"
#include "cli/session/session.h"
#include "pictures/report_page/report_page.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"
#include "tasks/distribute.h"

namespace polygraphy::cli {

// Throws Error for options that have no meaning for tasks.
void check_distributed_run(const ParsedArgs& args);

// The exit code. `page` gets the verdict; it may be null. Throws Error.
int distributed_run(Session& session, const RunPlan& plan, const Distribution& how,
                    ReportPage* page);

// A task of it, which runs some samples: with as many threads as --task-cpus, because results may
// depend on it, and names without the time, which are the same in all tasks.
void prepare_for_task(const ParsedArgs& args, RunnerFactory& factory,
                      std::vector<RunnerSpec>& runners);
void save_record(const ParsedArgs& args, const std::string& path, RunRecord record,
                 const std::vector<RunnerSpec>& runners, const RunnerFactory& factory,
                 const std::string& accuracy);

}  // namespace polygraphy::cli
