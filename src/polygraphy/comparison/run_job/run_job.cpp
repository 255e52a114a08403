#include "polygraphy/comparison/run_job/run_job.h"

#include <algorithm>
#include <utility>

#include "polygraphy/comparison/compare/named_outputs.h"
#include "polygraphy/comparison/compare/report/run_report.h"
#include "polygraphy/comparison/run/memory_plan.h"
#include "polygraphy/comparison/run_job/grouped_run.h"
#include "polygraphy/data/inputs/peekable_source.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy {
namespace {

bool isolates(const std::vector<RunnerSpec>& specs) {
  return std::any_of(specs.begin(), specs.end(),
                     [](const RunnerSpec& spec) { return spec.isolated || spec.timeout; });
}

// nullopt: all outputs fit into memory together. The sizes of outputs follow from the first of
// `feeds`.
std::optional<OutputGroups> groups_for(const MemoryLimit& limit, const ModelSource& source,
                                       const std::vector<RunnerSpec>& specs, PeekableSource& feeds,
                                       Logger& log) {
  if (specs.empty()) return std::nullopt;
  Logger quiet;
  const auto model = load_onnx(source, quiet);
  const auto feed = feeds.peek(metadata_of_variables(model->graph->inputs()));
  if (!feed) return std::nullopt;
  return plan_output_groups(*model, tensors_of(*feed),
                            {limit.bytes, limit.text, specs.size(), isolates(specs)}, log);
}

// All runners return the outputs of the model: none selects others, or runs another file.
bool return_outputs_of_model(const std::vector<RunnerSpec>& specs, const RunJob& job) {
  if (specs.empty() || !job.options.load_outputs.empty() || job.model.format != kOnnxFormat)
    return false;
  return std::all_of(specs.begin(), specs.end(), [](const RunnerSpec& spec) {
    const auto& options = spec.session.options;
    return !spec.backend.empty() && spec.model.empty() &&
           std::none_of(options.begin(), options.end(), [](const auto& option) {
             return option.first.find("outputs") != std::string::npos;
           });
  });
}

std::unique_ptr<FeedSource> feeds_of(const RunJob& job, Logger& log) {
  return job.make_feeds ? job.make_feeds() : generated_feeds({}, log);
}

Verdict run_groups(OutputGroups& groups, const RunJob& job, RunnerFactory& factory,
                   const std::vector<RunnerSpec>& specs, const CompareOptions& options,
                   std::unique_ptr<FeedSource> feeds, Logger& log) {
  const GroupedRun how{.runners = specs,
                       .model = job.model,
                       .make_feeds = [&] { return feeds ? std::move(feeds) : feeds_of(job, log); },
                       .memory_limit = job.memory_limit->bytes};
  return run_in_groups(groups, how, options, factory, log);
}

}  // namespace

Verdict run(const RunJob& job, RunnerFactory& factory, Logger& log) {
  const std::vector<RunnerSpec> specs = factory.complete(job.runners);
  if (return_outputs_of_model(specs, job))
    warn_of_unknown_outputs(named_outputs(job.options), factory.onnx(job.model), log);
  std::unique_ptr<FeedSource> feeds = feeds_of(job, log);
  CompareOptions options = job.options;
  return RunReport(job.report, options, log).around([&] {
    if (job.memory_limit) {
      auto peekable = std::make_unique<PeekableSource>(std::move(feeds));
      auto groups = groups_for(*job.memory_limit, factory.onnx(job.model), specs, *peekable, log);
      feeds = std::move(peekable);
      if (groups) return run_groups(*groups, job, factory, specs, options, std::move(feeds), log);
    }
    Runners runners = factory.make_all(specs, job.model, log);
    if (job.decoding) runners = decoding_runners(runners, job.decoding);
    return run_and_compare(runners, *feeds, options, log);
  });
}

}  // namespace polygraphy
