#include "polygraphy/comparison/benchmark/benchmark_job.h"

#include "base/log_modules.h"
#include "polygraphy/comparison/benchmark/benchmark_cases.h"
#include "polygraphy/comparison/benchmark/benchmark_json.h"
#include "polygraphy/comparison/benchmark/benchmark_plot.h"
#include "polygraphy/comparison/benchmark/benchmark_table.h"

namespace polygraphy {

BenchmarkReport benchmark(const BenchmarkJob& job, Logger& log) {
  if (job.runners.empty()) {
    throw Error(kNothingToMeasure, "Cannot benchmark: no runners have been selected");
  }
  if (job.nodes > 0 && !job.make_profiled) {
    throw Error(kNothingToMeasure, "Timing nodes needs runners with profiling",
                "Set BenchmarkJob::make_profiled.");
  }
  std::vector<BenchmarkCase> cases;
  if (job.make_feeds) {
    cases.push_back(first_feed_case(job.make_feeds()));
  } else {
    cases = generated_cases(job.inputs, job.shapes, job.batches, log);
  }
  BenchmarkReport report = run_benchmark(job.runners, cases, job.options, log);
  if (job.nodes > 0) add_node_times(job.make_profiled(), cases, report, log);
  log_benchmark(report, static_cast<size_t>(job.nodes), log);
  if (!job.save.empty()) {
    log.info(log_modules::kBenchmark, "Saving benchmark to " + job.save);
    save_benchmark(report, job.save);
  }
  if (!job.save_plot.empty()) {
    log.info(log_modules::kBenchmark, "Saving benchmark plot to " + job.save_plot);
    save_benchmark_plot(report, job.save_plot);
  }
  return report;
}

}  // namespace polygraphy
