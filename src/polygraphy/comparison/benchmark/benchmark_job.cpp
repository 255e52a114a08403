#include "polygraphy/comparison/benchmark/benchmark_job.h"

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "formats/record_json.h"
#include "polygraphy/comparison/benchmark/benchmark_cases.h"
#include "polygraphy/comparison/benchmark/benchmark_plot.h"
#include "polygraphy/comparison/benchmark/benchmark_table.h"

namespace polygraphy {

BenchmarkReport benchmark(const BenchmarkJob& job, RunnerFactory& factory, Logger& log) {
  if (job.runners.empty()) {
    throw Error(kNothingToMeasure, "Cannot benchmark: no runners have been selected");
  }
  std::vector<BenchmarkCase> cases;
  if (job.make_feeds) {
    cases.push_back(first_feed_case(job.make_feeds()));
  } else {
    cases = generated_cases(job.inputs, job.shapes, job.batches, log);
  }
  std::vector<RunnerSpec> specs = factory.complete(job.runners);
  BenchmarkReport report =
      run_benchmark(factory.make_all(specs, job.model, log), cases, job.options, log);
  if (job.nodes > 0) {
    for (RunnerSpec& spec : specs) spec.session.profile = true;
    add_node_times(factory.make_all(specs, job.model, log), cases, report, log);
  }
  log_benchmark(report, static_cast<size_t>(job.nodes), log);
  if (!job.save.empty()) {
    log.info(log_modules::kBenchmark, "Saving benchmark to " + job.save);
    write_file(job.save, record_json(report));
  }
  if (!job.save_plot.empty() && !report.measured()) {
    log.warning(log_modules::kBenchmark, "No plot is saved: nothing was measured");
  } else if (!job.save_plot.empty()) {
    log.info(log_modules::kBenchmark, "Saving benchmark plot to " + job.save_plot);
    save_benchmark_plot(report, job.save_plot);
  }
  return report;
}

}  // namespace polygraphy
