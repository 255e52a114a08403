#include "cli/jobs/locate_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/args/comparison.h"
#include "cli/args/distribution.h"
#include "cli/args/isolation.h"
#include "cli/args/noise.h"
#include "cli/args/onnx_saving.h"
#include "cli/command_list.h"
#include "cli/distribution/distributed_run.h"
#include "cli/distribution/locate_tasks.h"
#include "cli/distribution/task_threads.h"
#include "cli/jobs/command_setup.h"
#include "cli/jobs/decoding_option.h"
#include "cli/jobs/locate_next_steps.h"
#include "cli/jobs/locate_sides.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/page_identity.h"
#include "cli/jobs/report_file.h"
#include "cli/jobs/runner_specs.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/report/locate_json.h"
#include "polygraphy/diagnosis/locate/report/locate_page.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy::cli {
namespace {

// They cut the model, or examine it elsewhere.
constexpr std::string_view kWithoutDecoding[] = {"--mem-limit", "--on", "--save-task"};

class LocateCommand {
 public:
  explicit LocateCommand(Session& session)
      : session_(session), args_(session.args()), env_(session.env()), log_(session.log()) {}

  // Without a page: null.
  int run(ReportPage* page) {
    if (args_.has("--decode-step")) refuse_together(args_, "--decode-step", kWithoutDecoding);
    setup_ = resolve_setup(session_, ModelNeed::kOnnx);
    resolve_inputs(session_, setup_);
    const DataLoaderArgs& inputs = setup_.inputs;
    warn_of_unused_backend_options(args_, log_);
    session_.announce();
    const RunnerTools tools = resolve_runner_tools(session_);
    RunnerFactory factory(tools, log_);
    std::vector<RunnerSpec> specs = resolve_runner_specs(args_, env_, setup_.model.shapes);
    const auto distribution = resolve_distribution(session_);
    const bool in_tasks = distribution || args_.has("--save-task");
    if (distribution) check_locate_tasks(args_);
    require_runnable(session_, specs, setup_.model);
    const PageEngines engines(page, specs, factory);
    set_calibration(specs, inputs, tools.python, log_);

    LocateJob job{.model = setup_.source};
    if (const auto original = args_.text("--float-model"))
      job.reference_model = ModelSource{.path = env_.path(*original)};
    if (job.reference_model && in_tasks)
      throw Error("--float-model cannot be used in tasks", "Leave out --on.");
    specs = factory.complete(std::move(specs));
    if (in_tasks) prepare_for_task(args_, specs);
    auto [reference, target] = resolve_sides(args_, env_, specs);
    job.reference = std::move(reference);
    job.target = std::move(target);
    resolve_target(job);
    job.make_feeds = [&] { return make_feeds(inputs, tools.python, log_); };
    use_decode_step(factory, tools, job);
    resolve_noise(args_, job.noise_runs, job.threshold);
    if (const auto limit = resolve_memory_limit(args_)) {
      job.tensor_bytes = bytes_for_tensors(static_cast<int64_t>(*limit));
      job.memory_limit = *limit;
    }
    job.isolate_neighbours = !args_.has("--no-neighbours");
    resolve_check(tools.python, job);
    job.quantization = args_.has("--quantization-noise");
    if (job.quantization && in_tasks)
      throw Error("--quantization-noise cannot be measured in tasks", "Leave out --on.");
    if (args_.has("--output") && !args_.has("--remedy")) {
      log_.info(log_modules::kLocate,
                "--output requests a remedy (--remedy): the fewest nodes that must be in float32");
    }
    job.cancel = tools.cancel;
    require_inputs(inputs);
    if (in_tasks) set_noise_threads(args_, job.noise);
    const DeferredInterrupts interrupts(
        env_, distribution ? DeferredSignals::kAll : DeferredSignals::kInterrupt);
    if (args_.has("--save-task")) {
      run_locate_task(session_, job, factory);
      return kAgrees;
    }
    std::optional<LocateResult> located;
    if (distribution) {
      located = locate_by_tasks(session_, job, *distribution, factory);
      interrupts.check();
      if (!located) return kSubmitted;
    } else {
      located = locate(job, factory, log_);
    }
    const LocateResult& result = *located;
    report(result);
    if (page) add_to(*page, result);
    interrupts.check();
    if (args_.has("--output") && (!result.remedy || result.remedy->written.empty())) {
      log_.error(log_modules::kLocate,
                 "There is no remedy, so " + *args_.text("--output") + " was not written");
      return kCouldNotRun;
    }
    return result.clean() ? 0 : 1;
  }

 private:
  // A rule of thumb for the memory of runtimes and of this process.
  static uint64_t bytes_for_tensors(int64_t limit) {
    constexpr int64_t kFixed = int64_t{192} << 20;
    return static_cast<uint64_t>(std::max<int64_t>((limit - kFixed) / 6, int64_t{1} << 20));
  }

  void resolve_target(LocateJob& job) {
    const auto* target = std::get_if<RunnerSpec>(&job.target);
    if (target) target_ = target->backend;
    const auto format = resolve_format(
        std::string(args_.text("--target-precision").value_or(std::string(kAutomaticFormat))));
    job.ask_format = !format;
    if (format) job.format = *format;
  }

  void use_generated_prompts(const RunnerTools& tools, LocateJob& job) {
    const auto decoding = decoding_of_generated_prompts(session_, *job.reference_model);
    if (!decoding) return;
    job.make_feeds =
        prefills_for(session_, setup_, decoding, std::move(job.make_feeds), tools.python);
  }

  void use_decode_step(RunnerFactory& factory, const RunnerTools& tools, LocateJob& job) {
    const auto step = args_.integer("--decode-step");
    const auto* reference = std::get_if<RunnerSpec>(&job.reference);
    if (!step) {
      if (job.reference_model && reference) use_generated_prompts(tools, job);
      return;
    }
    if (!reference) {
      throw Error("--decode-step needs a runner of the correct side, to make the cache",
                  "Leave out --load-outputs.");
    }
    const ModelSource source = job.reference_model.value_or(job.model);
    const auto decoding = decoding_of(
        source, {.steps = *step, .names = env_.path(args_.text("--decoder-names").value_or(""))},
        log_);
    const auto prompts =
        prompts_for(session_, setup_, decoding->form(), std::move(job.make_feeds), tools.python);
    job.decode_step = step;
    RunnerSpec maker = *reference;
    maker.name += " (prompt)";
    job.make_feeds = [this, decoding, prompts, maker, &factory, step = *step, source] {
      return step_feeds(decoding, step, factory.make(maker, source, log_), prompts());
    };
  }

  // Given functions judge the model and the remedy; a task metric judges the remedy only. Labels
  // may be a pipe, so they are read once.
  void resolve_check(const std::shared_ptr<UserPython>& python, LocateJob& job) const {
    const bool by_task = args_.has("--metric");
    const bool by_functions = !by_task && gives_comparison(args_);
    const bool has_remedy = args_.has("--remedy") || args_.has("--output");
    if (by_task && !has_remedy) throw Error("--metric judges remedies only", "Add --remedy.");
    if (by_task) warn_of_function_options(args_, "--metric", {}, log_);
    if (!by_functions && !has_remedy) return;
    OutputCheck check = resolve_output_check(args_, env_, python);
    if (by_functions) judge_outputs(check, job);
    if (has_remedy)
      job.remedy =
          RemedyOptions{.check = std::move(check), .output = resolve_onnx_saving(args_, env_)};
  }

  // By noise, if the functions read it.
  static void judge_outputs(const OutputCheck& check, LocateJob& job) {
    if (check.metrics.size() == 1 && check.metrics.front()->reads_noise) {
      job.metric = check.metrics.front();
      job.metric_options = check.metric_options;
    } else {
      job.check = check;
    }
  }

  void report(const LocateResult& result) {
    for (const std::string& note : result.notes) log_.warning(log_modules::kLocate, note);
    const bool notable =
        !result.clean() || std::ranges::any_of(result.nodes, [](const NodeFinding& finding) {
          return finding.verdict < NodeVerdict::kNoise;
        });
    log_.log(notable ? Severity::kInfo : Severity::kVerbose, log_modules::kLocate,
             locate_table(result, 20));
    // Without outputs, only nodes were compared.
    const bool of_nodes =
        result.verdict.agreement == Agreement::kNotCompared && result.verdict.empty == 0;
    const bool too_coarse = result.verdict.agreement == Agreement::kTooCoarse;
    log_.log(!result.clean() ? Severity::kError
             : too_coarse    ? Severity::kWarning
             : of_nodes      ? Severity::kFinish
                             : severity_of(result.verdict),
             log_modules::kLocate, locate_summary(result));
    for (const NextStep& step : next_steps(result, setup_, args_, target_))
      log_.info(log_modules::kLocate,
                fmt::format("{}: {}", step.in_log, as_called(env_.executable, step.command)));
    if (const auto path = args_.text("--json")) write_file(env_.path(*path), locate_json(result));
  }

  void add_to(ReportPage& page, const LocateResult& result) const {
    std::optional<VisualModel> graph;
    if (!result.clean()) {
      Logger silent;
      graph = visualize(*load_onnx(setup_.source, silent), silent);
    }
    add_sections(locate_sections(result, graph ? &*graph : nullptr), page);
    ReportCommands commands{.title = "Next commands", .commands = {}};
    for (NextStep& step : next_steps(result, setup_, args_, target_))
      commands.commands.emplace_back(std::move(step.title), std::move(step.command));
    if (!commands.commands.empty()) page.sections.emplace_back(std::move(commands));
  }

  Session& session_;
  const ParsedArgs& args_;
  Environment& env_;
  Logger& log_;
  CommandSetup setup_;
  std::string target_;  // back end; empty: saved results, or a program
};

}  // namespace

int run_locate(Session& session) {
  return reported(session, "Guilty nodes",
                  [&](ReportPage* page) { return LocateCommand(session).run(page); });
}

}  // namespace polygraphy::cli
