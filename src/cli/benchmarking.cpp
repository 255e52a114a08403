#include "cli/benchmarking.h"

#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/benchmark/benchmark_cases.h"
#include "polygraphy/benchmark/benchmark_json.h"
#include "polygraphy/benchmark/benchmark_plot.h"
#include "polygraphy/benchmark/benchmark_table.h"

namespace polygraphy::cli {

bool benchmark(const Runners& runners, const BenchmarkArgs& args, const BenchmarkSources& sources,
               Logger& log) {
  if (runners.empty()) {
    throw Error("--benchmark: no runners have been selected", "Select some: --onnxrt --openvino.");
  }
  std::vector<BenchmarkCase> cases;
  if (sources.inputs.load_inputs.empty() && !sources.inputs.script) {
    cases = generated_cases(sources.inputs.options, args.shapes, args.batches, log);
  } else {
    cases.push_back(first_feed_case(sources.feeds()));
  }
  BenchmarkReport report = run_benchmark(
      runners, cases, {.warm_up = args.warm_up, .runs = args.runs, .cancelled = sources.cancelled},
      log);
  if (args.nodes > 0) add_node_times(sources.profiled(), cases, report, log);
  log_benchmark(report, static_cast<size_t>(args.nodes), log);
  if (!args.save.empty()) {
    log.info(log_modules::kBenchmark, "Saving benchmark to " + args.save);
    save_benchmark(report, args.save);
  }
  if (!args.save_plot.empty()) {
    log.info(log_modules::kBenchmark, "Saving benchmark plot to " + args.save_plot);
    save_benchmark_plot(report, args.save_plot);
  }
  return !report.failed();
}

}  // namespace polygraphy::cli
