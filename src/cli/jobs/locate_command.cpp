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
#include "base/shell_words.h"
#include "base/text.h"
#include "cli/args/comparison.h"
#include "cli/args/distribution.h"
#include "cli/args/isolation.h"
#include "cli/args/noise.h"
#include "cli/args/onnx_saving.h"
#include "cli/distribution/distributed_run.h"
#include "cli/distribution/locate_tasks.h"
#include "cli/distribution/task_threads.h"
#include "cli/jobs/command_setup.h"
#include "cli/jobs/decoding_option.h"
#include "cli/jobs/next_commands.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/page_identity.h"
#include "cli/jobs/report_file.h"
#include "cli/jobs/runner_specs.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/data/results/results.h"
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
    resolve_sides(specs, job);
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
      if (!located) return kAgrees;
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

  // The runners, and results that other runners have returned earlier.
  std::vector<LocateSide> sides(const std::vector<RunnerSpec>& specs) {
    std::vector<LocateSide> sides(specs.begin(), specs.end());
    for (const std::string& path : args_.list("--load-outputs")) {
      const auto results = std::make_shared<const RunResults>(RunResults::load(env_.path(path)));
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
  size_t trusted(const std::vector<LocateSide>& both) const {
    const auto named = args_.text("--trust");
    if (!named)
      return std::holds_alternative<SavedSide>(both[0]) ||
                     !std::holds_alternative<SavedSide>(both[1])
                 ? 0
                 : 1;
    const auto begins = [&](size_t i) { return name_of(both[i]).starts_with(*named); };
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

  void resolve_sides(const std::vector<RunnerSpec>& specs, LocateJob& job) {
    std::vector<LocateSide> both = sides(specs);
    const bool one_runner = job.reference_model && both.size() == 1;
    if (one_runner && args_.has("--trust")) {
      throw Error("--trust chooses between two runners, but one runs both models",
                  "Leave out --trust: --float-model names the correct one.");
    }
    if (one_runner) both.push_back(both.front());
    if (both.size() != 2) {
      throw Error(fmt::format("Two engines are compared, but {} are selected", both.size()),
                  "Select two runners, such as --onnxrt --openvino, or one runner and saved "
                  "outputs of another: --load-outputs FILE.");
    }
    const size_t reference = one_runner ? 0 : trusted(both);
    job.reference = std::move(both[reference]);
    job.target = std::move(both[1 - reference]);
    if (job.reference_model) {
      name_by_model(job.reference, *args_.text("--float-model"));
      name_by_model(job.target, *args_.text("model_file"));
    }
    const auto* target = std::get_if<RunnerSpec>(&job.target);
    if (target) target_ = target->backend;
    const auto format = resolve_format(
        std::string(args_.text("--target-precision").value_or(std::string(kAutomaticFormat))));
    job.ask_format = !format;
    if (format) job.format = *format;
  }

  static void name_by_model(LocateSide& side, const std::string& model) {
    if (auto* spec = std::get_if<RunnerSpec>(&side))
      spec->name = fmt::format("{} on {}", model, spec->label());
  }

  void use_decode_step(RunnerFactory& factory, const RunnerTools& tools, LocateJob& job) {
    const auto step = args_.integer("--decode-step");
    if (!step) return;
    const auto* reference = std::get_if<RunnerSpec>(&job.reference);
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
    job.feeds_run_model = true;
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

  // The command that extracts the first guilty node from the model; empty: the file has no such
  // node.
  std::string extract_command(const LocateResult& result) const {
    if (result.inlined || setup_.converted || !result.varies.empty()) return {};
    for (const NodeFinding& finding : result.nodes) {
      if (!is_guilty(finding.verdict) && finding.verdict != NodeVerdict::kOverflows) break;
      if (!finding.graph.empty() || finding.makes.empty()) continue;
      std::string command = "polygraphy surgeon extract " + shell_word(*args_.text("model_file"));
      if (!finding.reads.empty()) command += " --inputs";
      for (const std::string& name : finding.reads)
        command += " " + shell_word(name + ":auto:auto");
      command += " --outputs";
      for (const std::string& name : finding.makes) command += " " + shell_word(name + ":auto");
      return command + " -o guilty.onnx";
    }
    return {};
  }

  // The command that reduces the model to the first guilty node; empty: no node is guilty, or a
  // side has saved results only.
  std::string reduction_command(const LocateResult& result) const {
    const NodeFinding* guilty = result.guilty();
    const bool of_one_model = !args_.has("--float-model");
    if (!guilty || setup_.converted || !result.varies.empty() || !of_one_model) return {};
    const std::string node =
        guilty->graph.empty() ? guilty->node : guilty->graph + "/" + guilty->node;
    std::string more = " --start-at " + shell_word(node);
    // Between its noise and its error.
    if (guilty->verdict == NodeVerdict::kGuilty && guilty->isolated)
      more += fmt::format(" --atol {:.2g} --rtol 0", guilty->isolated->error.largest / 2);
    return reduce_command(args_, more);
  }

  // Options with which the target's engine keeps these nodes in float32; empty: it has none.
  std::string options_of_engine(const std::vector<std::string>& nodes) const {
    if (nodes.empty()) return {};
    const auto& syntax = args_.syntax();
    const bool takes = std::any_of(
        syntax.entries().begin(), syntax.entries().end(), [&](const Syntax::Entry& entry) {
          const pgb_backend_options* backend = syntax.sections()[entry.section].backend;
          return entry.backend && backend && backend->name == target_ &&
                 std::string_view(entry.backend->key) == "layer_precisions";
        });
    if (!takes) return {};
    std::string options = "--precision-constraints obey --layer-precisions";
    for (const std::string& node : nodes) options += " " + shell_word(node + ":float32");
    return options;
  }

  void report(const LocateResult& result) {
    for (const std::string& note : result.notes) log_.warning(log_modules::kLocate, note);
    log_.info(log_modules::kLocate, locate_table(result, 20));
    // Without outputs, only nodes were compared.
    const bool of_nodes =
        result.verdict.agreement == Agreement::kNotCompared && result.verdict.empty == 0;
    log_.log(!result.clean() ? Severity::kError
             : of_nodes      ? Severity::kFinish
                             : severity_of(result.verdict),
             log_modules::kLocate, locate_summary(result));
    if (const std::string command = extract_command(result); !command.empty())
      log_.info(log_modules::kLocate, "To extract the first guilty node: " + command);
    if (const std::string command = reduction_command(result); !command.empty())
      log_.info(log_modules::kLocate, "To reduce the model to this node: " + command);
    if (result.remedy && result.remedy->agrees) {
      const std::string options = options_of_engine(result.remedy->nodes);
      if (!options.empty())
        log_.info(log_modules::kLocate, "Options for the target's engine: " + options);
    }
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
    if (std::string command = extract_command(result); !command.empty())
      commands.commands.emplace_back("Extract the first guilty node", std::move(command));
    if (std::string command = reduction_command(result); !command.empty())
      commands.commands.emplace_back("Reduce the model to this node", std::move(command));
    if (result.remedy && result.remedy->agrees) {
      if (std::string options = options_of_engine(result.remedy->nodes); !options.empty())
        commands.commands.emplace_back("Options for the target's engine", std::move(options));
    }
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
