// `polygraphy run`.
#include "base/log_modules.h"
#include "cli/args/backend_path.h"
#include "cli/args/comparison.h"
#include "cli/args/html_report.h"
#include "cli/args/inference.h"
#include "cli/args/isolation.h"
#include "cli/args/logging.h"
#include "cli/args/noise.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/args/other_functions.h"
#include "cli/args/postprocessing.h"
#include "cli/args/report.h"
#include "cli/args/simple.h"
#include "cli/locate/next_commands.h"
#include "cli/locate/noise_judging.h"
#include "cli/make_runners.h"
#include "cli/mem_limit.h"
#include "cli/report_file.h"
#include "cli/run_plan.h"
#include "cli/scripts/run_script.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/progress_line.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/command.h"
#include "cli/tf_model.h"
#include "polygraphy/comparison/benchmark/benchmark_page.h"
#include "polygraphy/comparison/run_job/run_job.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy::cli {

extern const ArgGroup args_runners, args_engines;

namespace {

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
    {&args_inference},
    {&args_isolation},
    {&args_postprocessing},
    {&args_comparison},
    {&args_simple},
    {&args_other_functions},
    {&args_noise},
    {&args_report},
    {&args_html_report},
    {&args_benchmark},
};

constexpr Option kOptions[] = {
    {.spellings = "--gen --gen-script",
     .help = "Do not run; write an equivalent Python script for the original's polygraphy package. "
             "'-' is standard output.",
     .type = ValueType::kPath,
     .files = FileUse::kWritten,
     .metavar = "FILE"},
};

int run_and_report(Session& session, ReportPage* page) {
  Environment& env = session.env();
  Logger& log = session.log();
  RunPlan plan = resolve_run(session);
  if (session.args().has("--gen")) {
    check_paths(plan);
    return write_run_script(session, plan);
  }
  session.announce();
  prepare_for_runners(session, plan.model, !plan.saving.typed.empty() || plan.inputs.valid);
  if (!plan.model.onnx.empty()) use_graph_of(onnx_source(plan.model, plan.source), plan.inputs);
  PluginHost host(resolve_plugin_paths(env), log);
  host.cancel_on(cancel_token(env));
  const RunnerSettings settings{
      .isolation = choose_isolation(session),
      .calibration = make_calibration(plan.inputs, make_user_python(env, log),
                                      CalibrationFeeds::Random::kExpected, log)};
  const Runners runners = make_runners(session, plan.model, plan.source, host, settings);
  if (runners.empty())
    log.warning(log_modules::kRun, "No runners have been selected. Inference will not be run!");
  check_paths(plan);
  if (!runners.empty()) require_inputs(plan.inputs);
  // What the runtimes are given, but for the versions that they ask for.
  if (!plan.saving.typed.empty() && !runners.empty())
    save_onnx(*load_onnx(onnx_source(plan.model, plan.source), log), plan.saving, log);
  RunJob job = run_job(session, plan, runners);
  job.report.page = page;
  NoiseRunner noise_runner(env, log);
  judge_by_noise(session, plan, noise_runner, job);
  const DeferredInterrupts interrupts(env);
  ProgressLine progress(env, log.enabled(Severity::kInfo, log_modules::kRun));
  job.options.progress = progress.receiver();
  job.memory_limit = resolve_memory_limit(session, plan.model, plan.source, settings);
  bool passed = true;
  if (!plan.benchmark.enabled || plan.benchmark.compare_too) passed = polygraphy::run(job, log);
  if (plan.benchmark.enabled) {
    BenchmarkJob measured = benchmark_job(session, plan, job);
    measured.make_profiled = [&] {
      return make_runners(
          session, plan.model, plan.source, host,
          {.isolation = settings.isolation, .profile = true, .calibration = settings.calibration});
    };
    measured.options.progress = progress.receiver();
    const BenchmarkReport measurements = benchmark(measured, log);
    passed &= !measurements.failed();
    if (page) add_sections(benchmark_sections(measurements), *page);
  }
  if (page && !passed) add_commands(session.args(), *page);
  interrupts.check();
  return passed ? 0 : 1;
}

int run_command(Session& session) {
  return reported(session, "Run", [&](ReportPage* page) { return run_and_report(session, page); });
}

}  // namespace

extern const Command command_run;
constinit const Command command_run = {
    .path = "run",
    .summary = "Run a model on one or more runtimes and compare the outputs.",
    .description =
        "Run a model on one or more runtimes with the same inputs, and compare and check the "
        "outputs.",
    .order = 10,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
