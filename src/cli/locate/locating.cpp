#include "cli/locate/locating.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "cli/args/comparison.h"
#include "cli/args/data_loader.h"
#include "cli/args/engines.h"
#include "cli/args/model.h"
#include "cli/args/noise.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/locate/next_commands.h"
#include "cli/locate/noise_runner.h"
#include "cli/locate/target_format.h"
#include "cli/make_runners.h"
#include "cli/option_warnings.h"
#include "cli/report_file.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/progress_line.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/value_parsing.h"
#include "cli/tf_model.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/report/locate_json.h"
#include "polygraphy/diagnosis/locate/report/locate_page.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy::cli {
namespace {

class Locating {
 public:
  explicit Locating(Session& session)
      : session_(session),
        args_(session.args()),
        env_(session.env()),
        log_(session.log()),
        inner_(session.env(), session.args(), quiet_, session.command_line(), 0),
        noise_runner_(session.env(), quiet_) {
    show_as_verbose(quiet_, log_, log_modules::kLocate);
  }

  // Without a page: null.
  int run(ReportPage* page) {
    warn_of_removed_options(args_, log_);
    model_ = resolve_model(args_, env_, log_);
    require_or_make_onnx(session_, model_);
    from_pipe_ = file_of_pipe(model_.path);
    source_ = onnx_source(model_, resolve_model_source(args_, env_, model_.path));
    DataLoaderArgs inputs = resolve_data_loader(args_, env_, model_.shapes, log_);
    use_graph_of(source_, inputs);
    warn_of_unused_backend_options(args_, log_);
    session_.announce();
    const auto python = make_user_python(env_, log_);
    host_ = std::make_unique<PluginHost>(resolve_plugin_paths(env_), log_);
    host_->cancel_on(cancel_token(env_));
    settings_.isolation = choose_isolation(session_);
    settings_.calibration =
        make_calibration(inputs, python, CalibrationFeeds::Random::kExpected, log_);

    LocateJob job{.model = source_};
    resolve_sides(job);
    job.make_noise_runner = noise_runner_.maker();
    job.make_feeds = [&] { return make_feeds(inputs, python, log_); };
    resolve_noise(args_, job.noise_runs, job.threshold);
    if (const auto limit = args_.text("--mem-limit"))
      job.tensor_bytes = bytes_for_tensors(parse_bytes(*limit));
    job.isolate_neighbours = !args_.has("--no-neighbours");
    if (args_.has("--remedy") || args_.has("--output")) job.remedy = remedy();
    job.cancel = cancel_token(env_);
    require_inputs(inputs);
    const DeferredInterrupts interrupts(env_);
    ProgressLine progress(env_, log_.enabled(Severity::kInfo, log_modules::kLocate));
    job.progress = progress.receiver();
    const LocateResult result = locate(job, log_);
    progress.erase();
    report(result);
    if (page) add_to(*page, result);
    interrupts.check();
    return result.clean() ? 0 : 1;
  }

 private:
  // What runtimes and our process take besides is a rule of thumb.
  static uint64_t bytes_for_tensors(int64_t limit) {
    constexpr int64_t kFixed = int64_t{192} << 20;
    return static_cast<uint64_t>(std::max<int64_t>((limit - kFixed) / 6, int64_t{1} << 20));
  }

  std::vector<LocateSide> sides() {
    std::vector<LocateSide> sides;
    const Runners runners = make_runners(session_, model_, source_, *host_, settings_);
    for (size_t i = 0; i < runners.size(); ++i) {
      LocateSide side{.name = runners[i]->name()};
      side.make_runner = [this, i](const ModelSource& source) {
        return make_runners(inner_, model_, source, *host_, settings_)[i];
      };
      sides.push_back(std::move(side));
    }
    for (const std::string& path : args_.list("--load-outputs")) {
      const auto results = std::make_shared<RunResults>(RunResults::load(env_.path(path)));
      for (const auto& [name, iterations] : results->runners) {
        LocateSide side{.name = name};
        side.saved = [results, &iterations](int64_t sample) -> std::optional<ArrayMap> {
          if (static_cast<size_t>(sample) >= iterations.size()) return std::nullopt;
          const IterationResult& iteration = iterations[static_cast<size_t>(sample)];
          ArrayMap arrays;
          for (size_t i = 0; i < iteration.outputs.size(); ++i)
            arrays.set(iteration.outputs.at_index(i).first, iteration.output(i));
          return arrays;
        };
        sides.push_back(std::move(side));
      }
    }
    return sides;
  }

  void resolve_sides(LocateJob& job) {
    std::vector<LocateSide> both = sides();
    if (both.size() != 2) {
      throw Error(fmt::format("Two engines are compared, but {} are selected", both.size()),
                  "Select two runners, such as --onnxrt --openvino, or one runner and saved "
                  "outputs of another: --load-outputs FILE.");
    }
    size_t reference = 0;
    if (const auto named = args_.text("--trust")) {
      const auto found = std::find_if(both.begin(), both.end(), [&](const LocateSide& side) {
        return side.name.starts_with(*named);
      });
      if (found == both.end()) {
        throw Error("--trust " + std::string(*named) + " matches neither " + both[0].name +
                        " nor " + both[1].name,
                    "Give the beginning of one of the names.");
      }
      reference = static_cast<size_t>(found - both.begin());
    }
    resolve_format(1 - reference, job);
    size_t index = 0;
    for (const Occurrence& occurrence : args_.occurrences()) {
      if (!occurrence.selects_runner()) continue;
      if (!occurrence.entry->runner) job.copy_weights = true;  // a program may read it with onnx
      if (index++ == 1 - reference) target_ = occurrence.entry->runner;
    }
    job.reference = std::move(both[reference]);
    job.target = std::move(both[1 - reference]);
  }

  void resolve_format(size_t target, LocateJob& job) {
    const std::string typed(
        args_.text("--target-precision").value_or(std::string(kAutomaticFormat)));
    const auto format = polygraphy::cli::resolve_format(typed);
    job.ask_format = !format;
    job.format = format.value_or(target_format(args_, env_, target));
  }

  // By the comparison functions of `run`, which say nothing here.
  RemedyOptions remedy() {
    CompareOptions comparison;
    resolve_functions(args_, env_, comparison);
    RemedyOptions options{.output = resolve_onnx_saving(args_, env_)};
    std::vector<std::shared_ptr<MetricFunction>> functions;
    for (const Metric* metric : comparison.metrics) {
      functions.push_back(make_function(*metric, comparison.metric_options));
      functions.back()->require();
    }
    options.agrees = [functions](const std::string& name, const Array& a, const Array& b) {
      Logger silent;
      const OutputPair pair{
          .name0 = name, .name1 = name, .runner0 = {}, .runner1 = {}, .a = a, .b = b};
      return std::all_of(functions.begin(), functions.end(), [&](const auto& function) {
        return function->compare(pair, silent).passed;
      });
    };
    return options;
  }

  // What cuts the first guilty node out of the model; empty: there is none that the
  // file has so.
  std::string extract_command(const LocateResult& result) const {
    if (result.inlined || !model_.onnx.empty()) return {};
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

  // What reduces the model to the first guilty node; empty: there is none, or a side has saved
  // results only.
  std::string reduction_command(const LocateResult& result) const {
    const NodeFinding* guilty = result.guilty();
    if (!guilty || !model_.onnx.empty()) return {};
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
    const auto& syntax = args_.syntax();
    const bool takes = std::any_of(
        syntax.entries().begin(), syntax.entries().end(), [&](const Syntax::Entry& entry) {
          return entry.backend && syntax.sections()[entry.section].backend == target_ &&
                 std::string_view(entry.backend->key) == "layer_precisions";
        });
    if (nodes.empty() || !target_ || !takes) return {};
    std::string options = "--precision-constraints obey --layer-precisions";
    for (const std::string& node : nodes) options += " " + shell_word(node + ":float32");
    return options;
  }

  void report(const LocateResult& result) {
    for (const std::string& note : result.notes) log_.warning(log_modules::kLocate, note);
    log_.info(log_modules::kLocate, locate_table(result, 20));
    log_.log(result.clean() ? Severity::kFinish : Severity::kError, log_modules::kLocate,
             locate_summary(result));
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
      graph = visualize(*load_onnx(source_, silent), silent);
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
  Logger quiet_;   // of the many runs
  Session inner_;  // with that log
  ModelArgs model_;
  std::shared_ptr<const ScratchFolder> from_pipe_;
  ModelSource source_;
  std::unique_ptr<PluginHost> host_;
  NoiseRunner noise_runner_;
  RunnerSettings settings_;
  const pgb_backend_options* target_ = nullptr;  // null: saved results, or a runner from outside
};

}  // namespace

int run_locate(Session& session) {
  return reported(session, "Guilty nodes",
                  [&](ReportPage* page) { return Locating(session).run(page); });
}

}  // namespace polygraphy::cli
