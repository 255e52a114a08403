// `polygraphy run`.

#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "cli/args/distribution.h"
#include "cli/args/isolation.h"
#include "cli/args/noise.h"
#include "cli/command_list.h"
#include "cli/distribution/distributed_run.h"
#include "cli/jobs/decoding_option.h"
#include "cli/jobs/next_commands.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/page_graphs.h"
#include "cli/jobs/page_identity.h"
#include "cli/jobs/report_file.h"
#include "cli/jobs/run_plan.h"
#include "cli/jobs/runner_specs.h"
#include "cli/jobs/task_metric_option.h"
#include "cli/jobs/verdict_code.h"
#include "cli/scripts/run_script.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "cli/syntax/command.h"
#include "polygraphy/comparison/benchmark/benchmark_page.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/run_job/flip_texts.h"
#include "polygraphy/comparison/run_job/run_job.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/worker/worker_client.h"
#include "tasks/run_task.h"

namespace polygraphy::cli {

namespace {

// Of results that are not the model's outputs as they are, or not all at once, no noise is known.
constexpr std::string_view kContrary[] = {"--compare-func-script", "--postprocess",
                                          "--postprocess-func-script", "--mem-limit",
                                          "--check-average"};

// The comparison function that judges by noise; null: noise alone judges.
const Metric* metric_with_noise(const ParsedArgs& args, const CompareOptions& options) {
  if (!args.has("--compare")) return nullptr;
  if (options.metrics.size() == 1 && options.metrics.front()->reads_noise)
    return options.metrics.front();
  throw Error("--noise-floor and --compare exclude each other, but for --compare tokens",
              "Leave one of them out.");
}

// With --noise-floor, replaces the job's comparison functions by the noise floor. `factory`
// outlives the run. Throws Error if another option conflicts.
void judge_by_noise(Session& session, const RunPlan& plan, RunnerFactory& factory, RunJob& job) {
  const ParsedArgs& args = session.args();
  if (!args.has("--noise-floor")) return;
  refuse_together(args, "--noise-floor", kContrary);
  if (plan.model.path.empty()) {
    throw Error("--noise-floor needs the model to compute its rounding noise",
                "Give the ONNX model of the outputs.");
  }
  const Metric* metric = metric_with_noise(args, plan.options);
  warn_of_function_options(args, "--noise-floor", metric ? metric->name : "", session.log());
  NoiseFloorJob floor{.model = plan.model,
                      .make_feeds = job.make_feeds,
                      .decoding = job.decoding,
                      .format = parse_number_format(args.text("--noise-floor").value_or("")),
                      .runners = job.runners,
                      .quantization = args.has("--quantization-noise"),
                      .metric = metric,
                      .metric_options = plan.options.metric_options,
                      .cancel = cancel_token(session.env())};
  resolve_noise(args, floor.runs, floor.threshold);
  if (args.has("--save-task")) factory.set_threads(floor.noise, resolve_task_needs(args).cpus);
  job.model.inline_refused = true;
  job.options.compare_script = noise_floor(std::move(floor), factory, session.log());
}

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_runners},
    {&args_backend_path},
    {&args_model},
    {&args_onnx_saving,
     "--save-onnx --save-external-data --external-data-size-threshold "
     "--no-save-all-tensors-to-one-file --share-external-data"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading,
     "--external-data-dir --ignore-external-data --onnx-outputs --onnx-exclude-outputs "
     "--onnx-outputs-by-type --fp-to-fp16"},
    {&args_engines},
    {&args_data_loader},
    {&args_decoding},
    {&args_inference},
    {&args_isolation},
    {&args_postprocessing},
    {&args_comparison},
    {&args_simple},
    {&args_other_functions},
    {&args_noise},
    {&args_task_metric},
    {&args_report},
    {&args_report_forms},
    {&args_benchmark},
    {&args_distribution},
};

constexpr Option kOptions[] = {
    {.spellings = "--gen --gen-script",
     .help = "Do not run; write an equivalent Python script for the original's polygraphy package. "
             "'-' is standard output.",
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--worst-samples",
     .help = "Save the inputs and outputs of this many samples with the largest errors, in folders "
             "worst/sample-I of --tasks.",
     .type = ValueType::kInt,
     .metavar = "N",
     .origin = Origin::kOurs,
     .needs = "--on"},
    {.spellings = "--save-task",
     .help = "Write the verdicts of all samples to this file: for workers of --on.",
     .files = FileUse::kWritten,
     .metavar = "FILE",
     .origin = Origin::kInternal},
    {.spellings = "--save-task-accuracy",
     .help = "Write the accuracy results there, too.",
     .arity = Arity::kFlag,
     .origin = Origin::kInternal,
     .needs = "--save-task"},
};

// The ONNX model that the runners get, but for the versions that they ask for.
void save_model_of_run(const RunPlan& plan, RunnerFactory& factory, Logger& log) {
  if (plan.saving.typed.empty() || plan.runners.empty()) return;
  save_onnx(*load_onnx(factory.onnx(plan.model), log), plan.saving, log);
}

constexpr size_t kFlipsShown = 10;

// By tolerances, the summary of the original ends the log. It counts as passed what has nothing to
// compare or no elements, and knows no tokens.
Verdict run_and_summarize(Session& session, const RunJob& job, RunnerFactory& factory) {
  Verdict verdict = polygraphy::run(job, factory, session.log());
  const bool nothing = verdict.agreement == Agreement::kNotCompared && !verdict.acceptable();
  if (verdict.text) {
    for (const std::string& line : lines_of(*verdict.text))
      session.log().info(log_modules::kComparator, line);
  }
  if (verdict.tokens) {
    for (const std::string& line : lines_of(verdict.tokens->all_flips, kFlipsShown))
      session.log().info(log_modules::kComparator, line);
    if (const auto mean = verdict.tokens->mean_divergence()) {
      const auto error = verdict.tokens->divergence_error();
      session.log().info(log_modules::kComparator,
                         fmt::format("All tokens: mean divergence {:.5g} nats, standard error {}",
                                     *mean, error ? fmt::format("{:.2g}", *error) : "not known"));
    }
  }
  if (judged_by_ours(verdict, session.args()) || nothing || verdict.empty > 0)
    session.log().log(severity_of(verdict), log_modules::kComparator, headline(verdict));
  return verdict;
}

// The checks of a reduction fail on purpose.
void say_next_step(Session& session) {
  const std::string step = next_step(session.args());
  if (!step.empty() && session.env().variable("POLYGRAPHY_DEBUG_MODEL").empty())
    session.log().info(log_modules::kComparator, as_called(session.env().executable, step));
}

// A task of a distributed run: its records are all that it leaves.
void run_task_of_samples(Session& session, RunJob& job, RunnerFactory& factory,
                         const std::string& path) {
  const ParsedArgs& args = session.args();
  RunRecord record;
  job.options.record = &record;
  job.options.ends_run = is_killed;  // not a result: another attempt gives one
  if (args.has("--save-task-accuracy"))
    job.options.save_accuracy_results = path + std::string(kAccuracyEnd);
  const auto save = [&] {
    save_record(args, path, std::move(record), job.runners, factory,
                job.options.save_accuracy_results);
  };
  try {
    polygraphy::run(job, factory, session.log());
    // The signal may have ended an engine, too.
    if (!record.failed.empty()) job.options.cancel.check();
  } catch (const Interrupted&) {
    const size_t finished = record.pairs.empty() ? 0 : record.pairs.front().samples.size();
    if (finished == 0 || !record.failed.empty()) throw;
    save();
    write_file(path + std::string(kFinishedEnd), std::to_string(finished), Durability::kNone);
    throw;
  }
  save();
}

int run_and_report(Session& session, ReportPage* page) {
  Environment& env = session.env();
  Logger& log = session.log();
  RunPlan plan = resolve_run(session);
  if (session.args().has("--gen")) {
    check_paths(plan);
    return write_run_script(session, plan);
  }
  session.announce();
  plan.runners = resolve_runner_specs(session.args(), env, plan.shapes);
  const auto distribution = resolve_distribution(session);
  check_task_metric(session);
  if (distribution) check_distributed_run(session.args());
  const bool onnx_too = !plan.saving.typed.empty() || plan.inputs.valid;
  require_runnable(session, plan.runners, plan.model, onnx_too);
  const RunnerTools tools = resolve_runner_tools(session);
  tools.python->set_timeout(resolve_timeout(session.args()));
  RunnerFactory factory(tools, log);
  if (is_of_tensorflow(plan.model.format) &&
      (onnx_too || needs_conversion(session.args(), plan.runners, plan.model)))
    use_graph_of(factory.onnx(plan.model), plan.inputs);
  set_calibration(plan.runners, plan.inputs, tools.python, log);
  plan.runners = factory.complete(std::move(plan.runners));
  if (session.args().has("--save-task")) prepare_for_task(session.args(), factory, plan.runners);
  const PageEngines engines(page, plan.runners, factory);
  if (plan.runners.empty())
    log.warning(log_modules::kRun, "No runners have been selected. Inference will not be run!");
  check_paths(plan);
  if (!plan.runners.empty()) require_inputs(plan.inputs);
  if (distribution) return distributed_run(session, plan, *distribution, page);
  save_model_of_run(plan, factory, log);
  RunJob job = run_job(session, plan, tools.python);
  job.report.page = page;
  decode_if_wanted(session, plan, factory, job);
  judge_by_noise(session, plan, factory, job);
  judge_by_task(session, plan, tools.python, job);
  const auto task = session.args().text("--save-task");
  const DeferredInterrupts interrupts(env,
                                      task ? DeferredSignals::kAll : DeferredSignals::kInterrupt);
  if (task) {
    run_task_of_samples(session, job, factory, env.path(*task));
    return kAgrees;
  }
  bool passed = true;
  if (!plan.benchmark.enabled || plan.benchmark.compare_too) {
    const Verdict verdict = run_and_summarize(session, job, factory);
    passed = run_passed(verdict, session.args());
    if (verdict.agreement == Agreement::kDiffers && !verdict.tokens) say_next_step(session);
  }
  if (plan.benchmark.enabled) {
    BenchmarkJob measured = benchmark_job(session, plan, job);
    const BenchmarkReport measurements = benchmark(measured, factory, log);
    passed &= !measurements.failed();
    if (page) add_sections(benchmark_sections(measurements), *page);
  }
  if (page) add_graphs(session, {plan.model}, *page);
  if (page && !passed) add_commands(session.args(), *page);
  interrupts.check();
  return passed ? 0 : 1;
}

int run_command(Session& session) {
  return reported(session, "Run", [&](ReportPage* page) { return run_and_report(session, page); });
}

}  // namespace

extern constinit const Command command_run = {
    .path = "run",
    .summary = "Run a model on one or more runtimes and compare the outputs.",
    .description =
        "Run a model on one or more runtimes with the same inputs, and compare and check the "
        "outputs. Options of installed Python packages (entry points polygraphy.run.plugins) are "
        "known, too, and stand at the end.",
    .examples =
        "polygraphy run model.onnx --onnxrt --openvino\n"
        "polygraphy run model.onnx --onnxrt --torch model.pt2 --input-shapes image:[1,3,224,224]",
    .order = 10,
    .groups = kGroups,
    .options = kOptions,
    .runners_take_models = true,
    .announces = true,
    .extensible = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
