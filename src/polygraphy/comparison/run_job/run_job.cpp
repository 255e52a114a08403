#include "polygraphy/comparison/run_job/run_job.h"

#include <algorithm>
#include <utility>

#include "polygraphy/comparison/compare/named_outputs.h"
#include "polygraphy/comparison/compare/report/run_report.h"
#include "polygraphy/comparison/run/memory_plan.h"
#include "polygraphy/comparison/run_job/flip_texts.h"
#include "polygraphy/comparison/run_job/grouped_run.h"
#include "polygraphy/data/inputs/peekable_source.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/parts/part_errors.h"
#include "polygraphy/runtimes/decoding/decoding.h"
#include "polygraphy/runtimes/in_parts/parts_runner.h"

namespace polygraphy {
namespace {

bool isolates(const std::vector<RunnerSpec>& specs) {
  return std::any_of(specs.begin(), specs.end(),
                     [](const RunnerSpec& spec) { return spec.isolated || spec.timeout; });
}

// The sizes of outputs follow from the first of `feeds`.
MemoryPlan plan_for(const MemoryLimit& limit, const ModelSource& source,
                    const std::vector<RunnerSpec>& specs, PeekableSource& feeds, Logger& log) {
  if (specs.empty()) return {};
  Logger quiet;
  const auto model = load_onnx(source, quiet);
  const auto feed = feeds.peek(metadata_of_variables(model->graph->inputs()));
  if (!feed) return {};
  return plan_memory(*model, tensors_of(*feed),
                     {limit.bytes, limit.text, specs.size(), isolates(specs)}, log);
}

// All runners return the outputs of the model: none selects others, or runs another file.
bool return_outputs_of_model(const std::vector<RunnerSpec>& specs, const RunJob& job) {
  if (specs.empty() || job.model.format != kOnnxFormat) return false;
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

// Parts are of the model's nodes, and their runners return its outputs.
void require_parts(const RunJob& job, const std::vector<RunnerSpec>& specs) {
  const auto refuse = [&](const std::string& why) {
    throw Error(kNeedsWholeModel, job.memory_limit->text +
                                      " is too low for all weights of the model together, and it "
                                      "cannot run in parts: " +
                                      why);
  };
  if (job.model.float16) refuse("its weights are converted to float16");
  if (job.decoding) refuse("a decoder runs as a whole");
  if (!return_outputs_of_model(specs, job))
    refuse("a runner is a program, or has its own outputs or its own model");
}

// Where one side is saved results, the model of the other one.
Verdict with_model_file(Verdict verdict, const std::vector<RunnerSpec>& specs, const RunJob& job) {
  if (verdict.target_file.empty() == verdict.reference_file.empty()) return verdict;
  const bool target = verdict.target_file.empty();
  const std::string& runner = target ? verdict.target : verdict.reference;
  const auto spec = std::ranges::find(specs, runner, &RunnerSpec::name);
  if (spec == specs.end()) return verdict;
  (target ? verdict.target_file : verdict.reference_file) =
      spec->model.empty() ? job.model.path : spec->model;
  return verdict;
}

Verdict run_within(const MemoryLimit& limit, const RunJob& job, RunnerFactory& factory,
                   const std::vector<RunnerSpec>& specs, const CompareOptions& options,
                   std::unique_ptr<FeedSource> first, Logger& log) {
  auto feeds = std::make_unique<PeekableSource>(std::move(first));
  const ModelSource model = factory.onnx(job.model);
  MemoryPlan plan = plan_for(limit, model, specs, *feeds, log);
  std::optional<PartsFactory> of_parts;
  if (plan.part_bytes) {
    require_parts(job, specs);
    of_parts.emplace(factory,
                     PartSize{.bytes = *plan.part_bytes,
                              .reason = limit.text + " is too low for all weights together"},
                     log);
  }
  RunnerFactory& makes = of_parts ? *of_parts : factory;
  if (!plan.groups) {
    Runners runners = makes.make_all(specs, job.model, log);
    if (job.decoding) runners = decoding_runners(runners, job.decoding);
    return run_and_compare(runners, *feeds, options, log);
  }
  const GroupedRun how{.runners = specs,
                       .model = job.model,
                       .make_feeds = [&]() -> std::unique_ptr<FeedSource> {
                         if (feeds) return std::move(feeds);
                         return feeds_of(job, log);
                       },
                       .memory_limit = limit.bytes};
  return run_in_groups(*plan.groups, how, options, makes, log);
}

}  // namespace

Verdict run(const RunJob& job, RunnerFactory& factory, Logger& log) {
  const std::vector<RunnerSpec> specs = factory.complete(job.runners);
  if (job.options.load_outputs.empty() && return_outputs_of_model(specs, job))
    warn_of_unknown_outputs(named_outputs(job.options), factory.onnx(job.model), log);
  std::unique_ptr<FeedSource> feeds = feeds_of(job, log);
  CompareOptions options = job.options;
  return RunReport(job.report, options, log).around([&] {
    if (job.memory_limit) {
      return with_model_file(
          run_within(*job.memory_limit, job, factory, specs, options, std::move(feeds), log), specs,
          job);
    }
    Runners runners = factory.make_all(specs, job.model, log);
    if (job.decoding) runners = decoding_runners(runners, job.decoding);
    Verdict verdict = with_model_file(run_and_compare(runners, *feeds, options, log), specs, job);
    if (verdict.tokens && factory.tools().python)
      add_texts(verdict.tokens->all_flips, job.tokenizer, *factory.tools().python, log);
    return verdict;
  });
}

}  // namespace polygraphy
