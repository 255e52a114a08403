#include "polygraphy/comparison/run_job/run_job.h"

#include <utility>

#include "polygraphy/comparison/compare/report/run_report.h"
#include "polygraphy/comparison/run/memory_plan.h"
#include "polygraphy/comparison/run_job/grouped_run.h"
#include "polygraphy/data/inputs/peekable_source.h"
#include "polygraphy/data/tensors/graph_metadata.h"

namespace polygraphy {
namespace {

// nullopt: all outputs fit into memory together. `feeds`: the first feed tells the sizes of
// outputs.
std::optional<OutputGroups> groups_for(const MemoryLimit& limit, size_t runners,
                                       PeekableSource& feeds, Logger& log) {
  if (runners == 0) return std::nullopt;
  const auto model = limit.load_model();
  const auto feed = feeds.peek(metadata_of_variables(model->graph->inputs()));
  if (!feed) return std::nullopt;
  return plan_output_groups(*model, tensors_of(*feed),
                            {limit.bytes, limit.text, runners, limit.isolated}, log);
}

std::unique_ptr<FeedSource> feeds_of(const RunJob& job, Logger& log) {
  return job.make_feeds ? job.make_feeds() : generated_feeds({}, log);
}

bool run_groups(OutputGroups& groups, const RunJob& job, const CompareOptions& options,
                std::unique_ptr<FeedSource> feeds, Logger& log) {
  std::vector<std::string> names;
  for (const auto& runner : job.runners) names.push_back(runner->name());
  GroupedRun how;
  how.make_runners = [&](const std::vector<std::string>& outputs) {
    return job.memory_limit->make_runners(names, outputs);
  };
  how.make_feeds = [&] { return feeds ? std::move(feeds) : feeds_of(job, log); };
  how.memory_limit = job.memory_limit->bytes;
  return run_in_groups(groups, how, options, log);
}

}  // namespace

bool run(const RunJob& job, Logger& log) {
  if (job.memory_limit && (!job.memory_limit->load_model || !job.memory_limit->make_runners)) {
    throw Error("A memory limit needs the model, and runners for parts of the model",
                "Set MemoryLimit::load_model and MemoryLimit::make_runners.");
  }
  std::unique_ptr<FeedSource> feeds = feeds_of(job, log);
  CompareOptions options = job.options;
  return RunReport(job.report, options, log).around([&] {
    if (job.memory_limit) {
      auto peekable = std::make_unique<PeekableSource>(std::move(feeds));
      auto groups = groups_for(*job.memory_limit, job.runners.size(), *peekable, log);
      feeds = std::move(peekable);
      if (groups) return run_groups(*groups, job, options, std::move(feeds), log);
    }
    return run_and_compare(job.runners, *feeds, options, log);
  });
}

}  // namespace polygraphy
