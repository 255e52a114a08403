#include "cli/jobs/run_plan.h"

#include <string>
#include <vector>

#include "cli/args/comparison.h"
#include "cli/args/inference.h"
#include "cli/args/isolation.h"
#include "cli/args/postprocessing.h"
#include "cli/args/report.h"
#include "cli/jobs/option_warnings.h"
#include "cli/remedies.h"
#include "cli/session/deferred_interrupts.h"
#include "polygraphy/comparison/run/run_paths.h"

namespace polygraphy::cli {
namespace {

std::optional<MemoryLimit> memory_limit(const ParsedArgs& args) {
  const auto bytes = resolve_memory_limit(args);
  if (!bytes) return std::nullopt;
  return MemoryLimit{.bytes = *bytes, .text = "--mem-limit " + *args.text("--mem-limit")};
}

}  // namespace

RunPlan resolve_run(Session& session) {
  const ParsedArgs& args = session.args();
  Environment& env = session.env();
  Logger& log = session.log();
  RunPlan plan{resolve_setup(session)};
  plan.saving = resolve_onnx_saving(args, env);
  resolve_inputs(session, plan);
  resolve_inference(args, env, plan.options);
  resolve_postprocessing(args, plan.options, log);
  resolve_comparison(args, env, plan.options, log);
  resolve_report(args, env, plan.model, plan.options);
  plan.benchmark = resolve_benchmark(args, env);
  warn_of_unused_backend_options(args, log);
  warn_of_files_of_several_runners(args, log);
  return plan;
}

void check_paths(const RunPlan& plan) {
  std::vector<std::string> loaded = plan.inputs.load_inputs;
  const auto& outputs = plan.options.load_outputs;
  loaded.insert(loaded.end(), outputs.begin(), outputs.end());
  polygraphy::check_paths(plan.options, loaded);
}

RunJob run_job(Session& session, const RunPlan& plan, const std::shared_ptr<UserPython>& python) {
  Environment& env = session.env();
  Logger& log = session.log();
  RunJob job{.runners = plan.runners,
             .model = plan.model,
             .make_feeds = [&plan, &log, python] { return make_feeds(plan.inputs, python, log); },
             .options = plan.options,
             .memory_limit = memory_limit(session.args()),
             .report = {.folder = output_dir(session.args(), env),
                        .json = env.path(session.args().text("--json").value_or("")),
                        .command = session.command_line(),
                        .model = plan.model.path}};
  job.options.cancel = cancel_token(env);
  load_scripts(session.args(), env, python, job.options);
  return job;
}

BenchmarkJob benchmark_job(Session& session, const RunPlan& plan, const RunJob& run) {
  BenchmarkJob job = plan.benchmark.job;
  job.runners = run.runners;
  job.model = run.model;
  job.options.cancel = run.options.cancel;
  job.options.advice = [&session](const Error& error) { return advice(error, &session.args()); };
  job.inputs = plan.inputs.options;
  if (!plan.inputs.load_inputs.empty() || plan.inputs.script) job.make_feeds = run.make_feeds;
  return job;
}

}  // namespace polygraphy::cli
