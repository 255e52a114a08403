#include "cli/jobs/sensitivity_command.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "cli/args/comparison.h"
#include "cli/args/isolation.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/command_setup.h"
#include "cli/jobs/decoding_option.h"
#include "cli/jobs/next_commands.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/page_identity.h"
#include "cli/jobs/report_file.h"
#include "cli/jobs/runner_specs.h"
#include "cli/jobs/task_metric_option.h"
#include "cli/jobs/verdict_code.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_page.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kOtherChecks[] = {"--limit", "--compare"};
constexpr std::string_view kLimit[] = {"--limit"};

class SensitivityCommand {
 public:
  explicit SensitivityCommand(Session& session)
      : session_(session), args_(session.args()), env_(session.env()), log_(session.log()) {
    show_as_verbose(quiet_, log_, log_modules::kSensitivity);
  }

  // `page`: null without --report.
  int run(ReportPage* page) {
    CommandSetup setup = resolve_setup(session_, ModelNeed::kOnnx);
    resolve_inputs(session_, setup);
    const DataLoaderArgs& inputs = setup.inputs;
    SensitivityJob job{.model = setup.source};
    resolve_options(job);
    warn_of_unused_backend_options(args_, log_);
    session_.announce();
    const RunnerTools tools = resolve_runner_tools(session_);
    job.check = resolve_check(tools);
    RunnerFactory factory(tools, quiet_);
    std::vector<RunnerSpec> engines = resolve_runner_specs(args_, env_, setup.model.shapes);
    if (engines.size() > 1) {
      throw Error("One runner runs the model, but there are " + std::to_string(engines.size()),
                  "Without one, ONNX Runtime does.");
    }
    if (engines.empty())
      engines.push_back(resolve_runner_spec(args_, env_, "onnxrt", setup.model.shapes));
    require_runnable(session_, engines, setup.model);
    const PageEngines shown(page, engines, factory);
    job.engine = factory.complete(std::move(engines)).front();
    job.make_feeds = [&] { return make_feeds(inputs, tools.python, log_); };
    use_prompts(setup, tools, factory, job);
    job.cancel = tools.cancel;
    require_inputs(inputs);
    const DeferredInterrupts interrupts(env_, DeferredSignals::kInterrupt);
    const SensitivityResult result = find_sensitivity(job, factory, quiet_);
    report(result);
    if (page) add_sections(sensitivity_sections(result), *page);
    interrupts.check();
    return code_of(result.verdict());
  }

 private:
  // A language model is run on prompts, with an empty cache.
  void use_prompts(const CommandSetup& setup, const RunnerTools& tools, RunnerFactory& factory,
                   SensitivityJob& job) {
    const bool given = args_.has("--prompt") || args_.has("--prompts");
    const auto decoding =
        given ? decoding_of(
                    factory.onnx(setup.source),
                    {.steps = 0, .names = env_.path(args_.text("--decoder-names").value_or(""))},
                    quiet_)
              : decoding_of_generated_prompts(session_, setup.source);
    if (!decoding) return;
    job.make_feeds =
        prefills_for(session_, setup, decoding, std::move(job.make_feeds), tools.python);
  }

  void resolve_options(SensitivityJob& job) const {
    const auto format = args_.text("--format");
    if (const auto reference = args_.text("--float-model")) {
      if (format) {
        throw Error("--format and --float-model exclude each other",
                    "With --float-model, the model has the formats that are judged.");
      }
      job.quantized = std::exchange(job.model, {.path = env_.path(*reference)});
    } else {
      job.format = parse_weight_format(format.value_or("int8"));
    }
    job.output = resolve_onnx_saving(args_, env_);
    job.most_sets = args_.integer("--most-sets");
    if (job.most_sets && *job.most_sets < 1) {
      throw Error("--most-sets must be at least 1, but was: " + std::to_string(*job.most_sets));
    }
    job.embeddings = args_.has("--embeddings");
    job.memory_limit = resolve_memory_limit(args_).value_or(0);
  }

  SensitivityCheck resolve_check(const RunnerTools& tools) const {
    if (args_.has("--metric")) {
      refuse_together(args_, "--metric", kOtherChecks);
      warn_of_function_options(args_, "--metric", {}, log_);
      return resolve_output_check(args_, env_, tools.python);
    }
    if (gives_comparison(args_)) {
      refuse_together(args_, "--compare", kLimit);
      return resolve_output_check(args_, env_, tools.python);
    }
    const double limit = args_.number("--limit").value_or(ErrorLimit().limit);
    if (!(limit >= 0) || !std::isfinite(limit)) {
      throw Error("--limit must be a number of at least 0, but was: " +
                  args_.text("--limit").value_or(""));
    }
    return ErrorLimit{limit};
  }

  void report(const SensitivityResult& result) {
    for (const std::string& note : result.notes) log_.warning(log_modules::kSensitivity, note);
    log_.info(log_modules::kSensitivity, sensitivity_table(result));
    log_.log(severity_of(result.verdict()), log_modules::kSensitivity, sensitivity_summary(result));
    if (result.all_float) {
      log_.info(log_modules::kSensitivity,
                "`" + locate_command(args_) + "` finds the node that makes it");
    }
    if (const auto path = args_.text("--json"))
      write_file(env_.path(*path), sensitivity_json(result));
    if (const auto path = args_.text("--save-exclusions"))
      write_file(env_.path(*path), exclusion_lists(result));
  }

  Session& session_;
  const ParsedArgs& args_;
  Environment& env_;
  Logger& log_;
  Logger quiet_;  // of the many runs
};

}  // namespace

int run_sensitivity(Session& session) {
  return reported(session, "Sensitivity",
                  [&](ReportPage* page) { return SensitivityCommand(session).run(page); });
}

}  // namespace polygraphy::cli
