#include "cli/jobs/locate_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/near_names.h"
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
#include "cli/jobs/command_setup.h"
#include "cli/jobs/decoding_option.h"
#include "cli/jobs/locate_next_steps.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/page_graphs.h"
#include "cli/jobs/page_identity.h"
#include "cli/jobs/report_file.h"
#include "cli/jobs/runner_specs.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/environment.h"
#include "cli/session/runner_tools.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/diagnosis/locate/models/tensor_partners.h"
#include "polygraphy/diagnosis/locate/report/locate_json.h"
#include "polygraphy/diagnosis/locate/report/locate_page.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"
#include "polygraphy/runtimes/decoding/decoding.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy::cli {
namespace {

// The two sides that `debug locate` compares.
struct LocateSides {
  LocateSide reference, target;
};

// The runners, and results that other runners have returned earlier.
std::vector<LocateSide> sides_of(const ParsedArgs& args, Environment& env,
                                 const std::vector<RunnerSpec>& specs) {
  std::vector<LocateSide> sides(specs.begin(), specs.end());
  for (const std::string& path : args.list("--load-outputs")) {
    const auto results = std::make_shared<const RunResults>(RunResults::load(env.path(path)));
    const bool several = results->runners.size() > 1;
    for (size_t i = 0; i < results->runners.size(); ++i) {
      sides.emplace_back(
          SavedSide{results, i, several ? path + ":" + results->runners[i].first : path});
    }
  }
  return sides;
}

// The place of the side with the correct results: the named one, else saved results, else the
// first.
size_t trusted(const ParsedArgs& args, const std::vector<LocateSide>& both) {
  const auto named = args.text("--trust");
  if (!named)
    return std::holds_alternative<SavedSide>(both[0]) || !std::holds_alternative<SavedSide>(both[1])
               ? 0
               : 1;
  // Of a file, its name without folders is enough.
  const auto begins = [&](size_t i) {
    const std::string name = name_of(both[i]);
    return name.starts_with(*named) || name.substr(name.rfind('/') + 1).starts_with(*named);
  };
  const auto is_it = [&](size_t i) { return name_of(both[i]) == *named; };
  if (is_it(0) != is_it(1)) return is_it(0) ? 0 : 1;
  if (begins(0) != begins(1)) return begins(0) ? 0 : 1;
  const std::string names = name_of(both[0]) + (begins(0) ? " and " : " nor ") + name_of(both[1]);
  std::vector<std::string> labels;
  for (const LocateSide& side : both) {
    const std::string name = name_of(side);
    labels.push_back(name.substr(0, name.find("-runner-")));
  }
  const std::vector<std::string_view> known(labels.begin(), labels.end());
  const std::string meant = did_you_mean(*named, known);
  throw Error(
      fmt::format("--trust {} matches {} {}", *named, begins(0) ? "both" : "neither", names),
      begins(0) || meant.empty() ? "Give a whole name." : meant);
}

// Of the selected runners and the results of --load-outputs; with --float-model, of one runner for
// both models. Throws Error.
LocateSides resolve_sides(const ParsedArgs& args, Environment& env,
                          const std::vector<RunnerSpec>& specs) {
  const bool two_models = args.has("--float-model");
  std::vector<LocateSide> both = sides_of(args, env, specs);
  const bool one_runner = two_models && both.size() == 1;
  if (one_runner && args.has("--trust")) {
    throw Error("--trust chooses between two runners, but one runs both models",
                "Leave out --trust: --float-model names the correct one.");
  }
  if (one_runner) both.push_back(both.front());
  if (both.size() != 2) {
    throw Error(fmt::format("Two engines are compared, but {} {} selected", both.size(),
                            both.size() == 1 ? "is" : "are"),
                "Select two runners, such as --onnxrt --openvino, or one runner and saved "
                "outputs of another: --load-outputs FILE.");
  }
  const size_t reference = one_runner ? 0 : trusted(args, both);
  if (two_models) {
    name_by_model(both[reference], *args.text("--float-model"));
    name_by_model(both[1 - reference], *args.text("model_file"));
  }
  return {std::move(both[reference]), std::move(both[1 - reference])};
}

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
    std::vector<RunnerSpec> specs = resolve_runner_specs(args_, env_, setup_.shapes);
    const auto distribution = resolve_distribution(session_);
    const bool in_tasks = distribution || args_.has("--save-task");
    if (distribution) check_locate_tasks(args_);
    require_runnable(session_, specs, setup_.model);
    const PageEngines engines(page, specs, factory);
    set_calibration(specs, inputs, tools.python, log_);

    LocateJob job{.model = setup_.model};
    if (const auto original = args_.text("--float-model"))
      job.reference_model = ModelSource{.path = env_.path(*original)};
    if (job.reference_model && in_tasks)
      throw Error("--float-model cannot be used in tasks", "Leave out --on.");
    specs = factory.complete(std::move(specs));
    if (in_tasks) prepare_for_task(args_, factory, specs);
    auto [reference, target] = resolve_sides(args_, env_, specs);
    job.reference = std::move(reference);
    job.target = std::move(target);
    resolve_target(job);
    job.make_feeds = [&] { return make_feeds(inputs, tools.python, log_); };
    use_prompts(factory, job);
    resolve_judging(tools, in_tasks, job);
    job.cancel = tools.cancel;
    require_inputs(inputs);
    if (in_tasks) factory.set_threads(job.noise, resolve_task_needs(args_).cpus);
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
    report(*located);
    if (page) add_to(*page, *located);
    interrupts.check();
    return exit_code(*located);
  }

 private:
  void resolve_judging(const RunnerTools& tools, bool in_tasks, LocateJob& job) {
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
  }

  int exit_code(const LocateResult& result) const {
    if (args_.has("--output") && (!result.remedy || result.remedy->written.empty())) {
      log_.error(log_modules::kLocate,
                 "There is no remedy, so " + *args_.text("--output") + " was not written");
      return kCouldNotRun;
    }
    return result.clean() ? kAgrees : result.compared_nothing() ? kCouldNotRun : kDiffers;
  }

  // A rule of thumb for the memory of runtimes and of this process.
  static uint64_t bytes_for_tensors(int64_t limit) {
    constexpr int64_t kFixed = int64_t{192} << 20;
    return static_cast<uint64_t>(std::max<int64_t>((limit - kFixed) / 6, int64_t{1} << 20));
  }

  void resolve_target(LocateJob& job) {
    const auto* target = std::get_if<RunnerSpec>(&job.target);
    if (target) target_ = target->backend;
    const auto format = parse_number_format(args_.text("--target-precision").value_or(""));
    job.ask_format = !format;
    if (format) job.format = *format;
  }

  void use_prompts(RunnerFactory& factory, LocateJob& job) {
    job.decode_step = args_.integer("--decode-step");
    if (job.decode_step) {
      job.decoding = decoding_of(job.reference_model.value_or(job.model),
                                 {.steps = *job.decode_step,
                                  .names = env_.path(args_.text("--decoder-names").value_or(""))},
                                 factory, log_);
    } else if (job.reference_model && std::holds_alternative<RunnerSpec>(job.reference)) {
      job.decoding = decoding_of_generated_prompts(session_, *job.reference_model);
    }
    if (!job.decoding) return;
    job.make_feeds = prompts_for(session_, setup_, job.decoding->form(), std::move(job.make_feeds),
                                 factory.tools().python);
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
    const bool too_coarse = result.verdict.agreement == Agreement::kTooCoarse;
    log_.log(!result.clean()                ? Severity::kError
             : too_coarse                   ? Severity::kWarning
             : result.compared_nodes_only() ? Severity::kFinish
                                            : severity_of(result.verdict),
             log_modules::kLocate, locate_summary(result));
    for (const NextStep& step : next_steps(result, setup_, args_, target_))
      log_.info(log_modules::kLocate,
                fmt::format("{}: {}", step.in_log, as_called(env_.executable, step.command)));
    if (const auto path = args_.text("--json")) write_file(env_.path(*path), locate_json(result));
  }

  void add_to(ReportPage& page, const LocateResult& result) const {
    if (result.guilty() != nullptr) page.title = page_title(args_, "Guilty nodes");
    add_sections(locate_sections(result), page);
    std::vector<ModelSource> models = {setup_.model};
    if (const auto original = args_.text("--float-model"))
      models.insert(models.begin(), {.path = env_.path(*original)});
    add_graphs(session_, models, page, [](const auto& reference, const auto& model) {
      TensorPartners partners;
      for (auto& [name, there] : tensor_partners(reference, model))
        partners.emplace_back(there, name);
      std::ranges::sort(partners);
      return partners;
    });
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
  return reported(session, "Search for guilty nodes",
                  [&](ReportPage* page) { return LocateCommand(session).run(page); });
}

}  // namespace polygraphy::cli
