#include "cli/consistency/consistency_checking.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "cli/args/data_loader.h"
#include "cli/args/engines.h"
#include "cli/args/model.h"
#include "cli/args/onnx_loading.h"
#include "cli/make_runners.h"
#include "cli/option_warnings.h"
#include "cli/report_file.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/progress_line.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/metric_args.h"
#include "cli/tf_model.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"
#include "polygraphy/diagnosis/consistency/consistency.h"
#include "polygraphy/diagnosis/consistency/consistency_json.h"
#include "polygraphy/diagnosis/consistency/consistency_page.h"
#include "polygraphy/diagnosis/consistency/consistency_text.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy::cli {
namespace {

std::string list_of_checks() {
  std::string text;
  for (const auto& [name, summary] : consistency_check_list())
    text += std::string(name) + "\n    " + std::string(summary) + "\n";
  return text;
}

// `changed` in the place of what `options` says under the same keys.
void replace_options(const BackendOptions& changed, BackendOptions& options) {
  std::erase_if(options, [&](const auto& option) {
    return std::any_of(changed.begin(), changed.end(),
                       [&](const auto& other) { return other.first == option.first; });
  });
  options.insert(options.end(), changed.begin(), changed.end());
}

class CheckingConsistency {
 public:
  explicit CheckingConsistency(Session& session)
      : session_(session),
        args_(session.args()),
        env_(session.env()),
        log_(session.log()),
        inner_(session.env(), session.args(), quiet_, session.command_line(), 0) {
    show_as_verbose(quiet_, log_, log_modules::kCheckConsistency);
  }

  // `page`: null without --report.
  int run(ReportPage* page) {
    warn_of_removed_options(args_, log_);
    model_ = resolve_model(args_, env_, log_);
    from_pipe_ = file_of_pipe(model_.path);
    source_ = resolve_model_source(args_, env_, model_.path);
    if (!model_.type.empty()) source_.format = model_.type;
    DataLoaderArgs inputs = resolve_data_loader(args_, env_, model_.shapes, log_);
    ConsistencyJob job;
    resolve_options(job);
    resolve_feeds(inputs, job);
    warn_of_unused_backend_options(args_, log_);
    session_.announce();
    prepare_for_runners(session_, model_, inputs.valid);
    job.model = onnx_source(model_, source_);
    use_graph_of(job.model, inputs);
    const auto python = make_user_python(env_, log_);
    host_ = std::make_unique<PluginHost>(resolve_plugin_paths(env_), quiet_);
    host_->cancel_on(cancel_token(env_));
    settings_.isolation = choose_isolation(session_);
    settings_.calibration =
        make_calibration(inputs, python, CalibrationFeeds::Random::kExpected, log_);
    job.engines = engines();
    job.make_feeds = [&] { return make_feeds(inputs, python, quiet_); };
    job.cancel = cancel_token(env_);
    require_inputs(inputs);
    const DeferredInterrupts interrupts(env_);
    ProgressLine progress(env_, log_.enabled(Severity::kInfo, log_modules::kCheckConsistency));
    job.progress = progress.receiver();
    const ConsistencyResult result = check_consistency(job, quiet_);
    progress.erase();
    report(result);
    if (page) add_sections(consistency_sections(result), *page);
    interrupts.check();
    return result.consistent() ? 0 : 1;
  }

 private:
  void resolve_options(ConsistencyJob& job) const {
    job.only = args_.list("--only-check");
    job.skip = args_.list("--skip-check");
    job.batch_inputs = args_.list("--batch-inputs");
    job.batch_size = args_.integer("--batch-size").value_or(job.batch_size);
    if (job.batch_size < 2) {
      throw Error("--batch-size must be at least 2, but was: " + std::to_string(job.batch_size),
                  "A single row cannot be compared with other rows.");
    }
    if (job.batch_size > kLargestBatch) {
      throw Error("--batch-size must be at most " + std::to_string(kLargestBatch) +
                  ", but was: " + std::to_string(job.batch_size));
    }
    const auto atol = metric_numbers(args_, "--atol"), rtol = metric_numbers(args_, "--rtol");
    job.tolerance = [atol, rtol](const std::string& output) {
      const OutputTolerance usual;
      return OutputTolerance{
          .absolute = value_for(atol, output, GivenNumber(usual.absolute)).value,
          .relative = value_for(rtol, output, GivenNumber(usual.relative)).value};
    };
  }

  // Of random inputs there are as many as a batch has rows, and of these as many samples as were
  // asked for.
  static void resolve_feeds(DataLoaderArgs& inputs, ConsistencyJob& job) {
    if (inputs.script || !inputs.load_inputs.empty()) {
      job.samples = std::numeric_limits<int64_t>::max();
      return;
    }
    job.samples = inputs.options.iterations;
    inputs.options.iterations = std::max(job.samples, job.batch_size);
  }

  std::vector<CheckedEngine> engines() {
    std::vector<const Occurrence*> selected;
    for (const Occurrence& occurrence : args_.occurrences()) {
      if (occurrence.selects_runner()) selected.push_back(&occurrence);
    }
    if (selected.empty()) {
      throw Error("No engine to check",
                  "Select the runners to check, such as --onnxrt or --openvino; each is compared "
                  "with itself.");
    }
    const Runners named = make_runners(session_, model_, source_, *host_, settings_);
    std::vector<CheckedEngine> engines;
    for (size_t i = 0; i < selected.size(); ++i) {
      CheckedEngine engine{.name = named[i]->name()};
      if (const pgb_backend_options* backend = selected[i]->entry->runner) {
        engine.switches = switches_of(*backend);
        engine.options = resolve_backend_options(args_, env_, *backend);
      } else {
        engine.each_run_a_process = true;
      }
      engine.make_runner = [this, i, name = engine.name, save = engine.switches.save](
                               const ModelSource& source, const EngineVariation& variation) {
        return make_runner(i, name, save, source, variation);
      };
      engines.push_back(std::move(engine));
    }
    return engines;
  }

  // `save`: the option by which the engine saves the model, which only this command's own file is
  // for.
  std::shared_ptr<Runner> make_runner(size_t place, const std::string& name,
                                      const std::string& save, const ModelSource& source,
                                      const EngineVariation& variation) {
    RunnerSettings settings = settings_;
    settings.only = place;
    settings.names = {name};
    if (variation.own_process && !settings.isolation)
      settings.isolation.emplace().program = env_.executable;
    settings.add_options = [&](const pgb_backend_options&, BackendOptions& options) {
      std::erase_if(options, [&](const auto& option) { return option.first == save; });
      replace_options(variation.options, options);
    };
    ModelArgs model = model_;
    const bool saved = source.path != onnx_source(model_, source_).path;
    if (saved) {
      model.path = source.path;
      model.type = source.format;
      model.onnx.clear();
    }
    return make_runners(inner_, model, saved ? source : source_, *host_, settings).front();
  }

  void report(const ConsistencyResult& result) {
    for (const std::string& note : result.notes) log_.warning(log_modules::kCheckConsistency, note);
    log_.info(log_modules::kCheckConsistency, consistency_table(result));
    log_.log(result.consistent() ? Severity::kFinish : Severity::kError,
             log_modules::kCheckConsistency, consistency_summary(result));
    if (const auto path = args_.text("--json"))
      write_file(env_.path(*path), consistency_json(result));
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
  RunnerSettings settings_;
};

}  // namespace

int run_consistency(Session& session) {
  if (session.args().has("--list-checks")) {
    session.env().out.write(list_of_checks());
    return 0;
  }
  return reported(session, "Consistency of engines",
                  [&](ReportPage* page) { return CheckingConsistency(session).run(page); });
}

}  // namespace polygraphy::cli
